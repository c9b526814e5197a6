"""Ask a page as somebody, undo what that did, and say in a line what came of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from django.urls import Resolver404, resolve

from matches.playing import match_cache

from .routes import Body, Page
from .world import HOST, World

WRITES = re.compile(r'\s*(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM)\s+"(\w+)"')
OWN_MEMORY = {"django_session", "shared_counts"}
"""Written by many pages about whoever asks alone: sessions, and where there is no Redis the counts of limits."""


class Asker:
    """A browser that is anybody in turn."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._client = Client(raise_request_exception=False, SERVER_NAME=HOST)
        self.careful = Client(raise_request_exception=False, SERVER_NAME=HOST, enforce_csrf_checks=True)

    def ask(self, role: str, verb: str, page: Page, body: Body | None = None) -> str:
        """Return what came of it, as in the table: the status, what was written, which secrets were told."""
        with undone() as written:
            answer = self._send(self._client, role, verb, page, body)
            return self._in_words(answer, page, written)

    def without_token(self, role: str, page: Page, body: Body) -> str:
        """Return what came of sending a form that another site made."""
        with undone() as written:
            return self._in_words(self._send(self.careful, role, "POST", page, body), page, written)

    def _send(self, client: Client, role: str, verb: str, page: Page, body: Body | None) -> Any:
        client.cookies.clear()
        key = self._world.sessions.get(role)
        if key:
            client.cookies[settings.SESSION_COOKIE_NAME] = key
        send: Callable[..., Any] = getattr(client, verb.lower())
        if verb != "POST" and verb not in page.verbs:
            return send(page.url + page.query)
        if page.json:
            return send(page.url + page.query, body, content_type="application/json")
        return send(page.url + page.query, body() if callable(body) else dict(body or {}))

    def _in_words(self, answer: Any, page: Page, written: set[str]) -> str:
        parts = [str(answer.status_code)]
        if 300 <= answer.status_code < 400:
            parts[0] += f" to {_route_of(answer['Location'])}"
        if written - OWN_MEMORY:
            parts.append("writes " + " ".join(sorted(written - OWN_MEMORY)))
        secrets = self._secrets_in(answer, page)
        if secrets:
            parts.append("tells " + ", ".join(sorted(secrets)))
        return "; ".join(parts)

    def _secrets_in(self, answer: Any, page: Page) -> set[str]:
        text = b"".join(answer) if answer.streaming else answer.content
        body = text.decode(errors="replace") + answer.get("Location", "")
        secrets = {what for what, secret in self._world.secrets.items() if secret in body and secret not in page.url}
        hands = self._world.hands.get(page.about, {})
        return secrets | {whose for whose, cards in hands.items() if any(card in body for card in cards)}


@contextmanager
def undone() -> Iterator[set[str]]:
    """Let something be done and undo it; the tables that it wrote to are in the set when it ends."""
    written: set[str] = set()

    def watch(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        match = WRITES.match(sql)
        if match:
            written.add(match[1])
        return execute(sql, params, many, context)

    forget()
    with transaction.atomic(), connection.execute_wrapper(watch):
        yield written
        transaction.set_rollback(True)
    forget()


def forget() -> None:
    """Forget what this process remembers: limits already used up, and matches as they were before."""
    cache.clear()
    match_cache.clear()


def _route_of(location: str) -> str:
    path = location.partition("#")[0].partition("?")[0].removeprefix(f"http://{HOST}")
    try:
        return resolve(path).view_name or path
    except Resolver404:
        return path
