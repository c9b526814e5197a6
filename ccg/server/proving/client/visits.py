"""Getting a seat over HTTP: be a guest, open a table, follow an invite link."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import time
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlencode, urlsplit

PAGE_SECONDS = 30.0
PAUSE = 0.1


class VisitError(Exception):
    """The site answered otherwise than its documentation says."""


class Answer:
    """What came back: ``status``, ``location`` (of a redirect, else empty) and ``body``."""

    def __init__(self, status: int, location: str, body: bytes, headers: list[tuple[str, str]]) -> None:
        self.status = status
        self.location = location
        self.body = body
        self.headers = headers

    @property
    def retry_after(self) -> float:
        """After how many seconds to come back; 0 if that was not said."""
        return float(dict(self.headers).get("Retry-After", 0))

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode("utf-8", "replace")


class Visitor:
    """Somebody with cookies at a site.

    ``patience`` is for how many seconds nobody need answer; ``address`` (of this machine) is where they come from, as a
    site bounds what one address may do.
    """

    def __init__(self, url: str, patience: float = PAGE_SECONDS, address: str = "") -> None:
        self.address = address
        self.url = url.rstrip("/")
        self.cookies: dict[str, str] = {}
        self._host = urlsplit(url).netloc
        self._patience = patience
        self._connection: http.client.HTTPConnection | None = None

    @property
    def cookie_header(self) -> str:
        """The cookies as a header has them."""
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def __del__(self) -> None:
        self.close()

    def get(self, path: str) -> Answer:
        """Open a page."""
        return self._ask("GET", path, None)

    def post(self, path: str, **fields: str) -> Answer:
        """Send a form, with the token against forged forms that the cookie holds."""
        if "csrftoken" not in self.cookies:
            self._fetch_token()
        return self._ask("POST", path, urlencode(fields).encode())

    def followed(self, answer: Answer) -> Answer:
        """Return the page to which ``answer`` sends on, through any number of redirects; itself if it sends nowhere."""
        while 300 <= answer.status < 400:
            answer = self.get(answer.location)
        return answer

    def close(self) -> None:
        """Let go of the connection; the next page opens another."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    # -- what the documentation says about seats; what is refused raises VisitError

    def become_guest(self) -> None:
        """Be let in without an account."""
        answer = self.post("/guest/", next="/play/")
        if answer.status != 302 or "sessionid" not in self.cookies:
            raise VisitError(f"no guest: {answer.status} {answer.text[:200]}")

    def invite(self, players: int = 2, tempo: str = "untimed") -> tuple[str, str]:
        """Open a table of this tempo with any deck; return the id of its match and the path of its link."""
        answer = self.post("/play/invite/", players=str(players), watchable="on", tempo=tempo)
        table = re.search(r"/table/([a-z0-9]{16})/$", answer.location)
        if table is None:
            raise VisitError(f"no table: {answer.status} {answer.text[:200]}")
        link = re.search(r"/play/invite/[A-Za-z0-9_-]{22}/", self.get(answer.location).text)
        if link is None:
            raise VisitError(f"no link at {answer.location}")
        return table[1], link[0]

    def accept(self, link: str) -> None:
        """Take a seat at the table that a link leads to; having one there already is as good."""
        answer = self.post(link)
        if answer.status == 302 or self.get(link).status == 302:
            return
        raise VisitError(f"no seat: {answer.status} {answer.text[:200]}")

    def play_computer(self) -> str:
        """Begin a match against the computer and return its id."""
        answer = self.post("/play/computer/")
        table = re.search(r"/table/([a-z0-9]{16})/$", answer.location)
        if table is None:
            raise VisitError(f"no table: {answer.status} {answer.text[:200]}")
        return table[1]

    def table(self, match: str, since: int | None = None) -> dict[str, Any]:
        """Return the ``table`` message of a match over HTTP."""
        answer = self.get(f"/api/v1/matches/{match}/" + (f"?since={since}" if since is not None else ""))
        if answer.status != 200:
            raise VisitError(f"no table {match}: {answer.status}")
        table: dict[str, Any] = json.loads(answer.body)
        return table

    # -- inside

    def _fetch_token(self) -> None:
        """Open a page that brings the token.

        One that says to come back later has none, and a form without it is refused as forged.
        """
        end = time.monotonic() + self._patience
        while (answer := self.get("/play/")).status in (429, 503) and time.monotonic() < end:
            time.sleep(answer.retry_after)
        if "csrftoken" not in self.cookies:
            raise VisitError(f"no token: {answer.status} {answer.text[:200]}")

    def _ask(self, method: str, path: str, body: bytes | None) -> Answer:
        end = time.monotonic() + self._patience
        while True:
            try:
                return self._ask_once(method, path, body)
            except (OSError, http.client.HTTPException):
                self.close()
                if time.monotonic() > end:
                    raise
                time.sleep(PAUSE)

    def _ask_once(self, method: str, path: str, body: bytes | None) -> Answer:
        if self._connection is None:
            self._connection = http.client.HTTPConnection(
                self._host, timeout=PAGE_SECONDS, source_address=(self.address, 0) if self.address else None
            )
        headers = {"Cookie": self.cookie_header} if self.cookies else {}
        if body is not None:
            headers |= {
                "Content-Type": "application/x-www-form-urlencoded",
                "X-CSRFToken": self.cookies.get("csrftoken", ""),
                "Origin": self.url,
                "Referer": f"{self.url}/",
            }
        self._connection.request(method, path, body, headers)
        response = self._connection.getresponse()
        content = response.read()
        for value in response.headers.get_all("Set-Cookie") or []:
            self._keep(value)
        if response.headers.get("Connection", "").lower() == "close":
            self.close()
        return Answer(response.status, response.headers.get("Location", ""), content, response.getheaders())

    def _keep(self, header: str) -> None:
        with contextlib.suppress(Exception):
            for name, morsel in SimpleCookie(header).items():
                if morsel.value:
                    self.cookies[name] = morsel.value
                else:
                    self.cookies.pop(name, None)


def guest(url: str, patience: float = PAGE_SECONDS, address: str = "") -> Visitor:
    """Return a visitor who is a guest."""
    visitor = Visitor(url, patience, address)
    visitor.become_guest()
    return visitor
