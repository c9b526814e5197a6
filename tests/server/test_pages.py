"""Pages of the site itself: what they say, and what they let a browser do."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import OperationalError
from django.http import HttpRequest
from django.test import Client
from django.urls import path, reverse
from django.utils.html import escape
from django.views.decorators.csrf import csrf_exempt

from ccg import native
from ccg.server import urls as real
from ccg.server.templatetags.client import client_entry
from matches.storage.outages import Outage

pytestmark = pytest.mark.django_db

PAGES = ["home", "how_to_play", "account_login", "account_signup", "account_reset_password"]


def forbidden(request: HttpRequest) -> None:
    raise PermissionDenied


def suspicious(request: HttpRequest) -> None:
    raise SuspiciousOperation


def broken(request: HttpRequest) -> None:
    raise RuntimeError("ours")


def full(request: HttpRequest) -> None:
    raise OperationalError("database or disk is full")


handler500 = real.handler500
urlpatterns = [
    *real.urlpatterns,
    path("403", forbidden),
    path("400", suspicious),
    path("500", broken),
    path("503", csrf_exempt(full)),
]


@pytest.mark.parametrize("name", PAGES)
def test_pages_open_with_their_frame(client: Client, name: str) -> None:
    answer = client.get(reverse(name))
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "belong to their owners" in page
    assert page.count("<h1") == 1
    assert re.search(r"<title>\s*\S.*Ragtag Fleet", page, re.DOTALL)


@pytest.mark.parametrize("name", PAGES)
def test_nothing_on_a_page_needs_a_looser_policy(client: Client, name: str) -> None:
    answer = client.get(reverse(name))
    page = answer.content.decode()
    policy = answer["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "default-src 'self'" in policy
    assert not re.search(r"<script(?![^>]*\bsrc=)", page)
    assert "<style" not in page
    assert not re.search(r"\s(style|on\w+)=", page)


def test_home_plays_in_one_click(client: Client) -> None:
    page = client.get("/").content.decode()
    assert re.search(r'<form method="post" action="/play/computer/"[ >]', page)


def test_answers_carry_the_safety_headers(client: Client) -> None:
    answer = client.get(reverse("account_login"))
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["Referrer-Policy"] == "same-origin"
    cookie = answer.cookies["csrftoken"]
    assert (cookie["samesite"], cookie["httponly"]) == ("Lax", True)
    client.post(reverse("guest"))
    assert (client.cookies["sessionid"]["samesite"], client.cookies["sessionid"]["httponly"]) == ("Lax", True)


@pytest.mark.urls("tests.server.test_pages")
@pytest.mark.parametrize(
    ("address", "words"),
    [("/404", "nothing here"), ("/403", "not yours"), ("/400", "could not read"), ("/500", "broke on our side")],
)
def test_errors_speak_plainly(address: str, words: str) -> None:
    client = Client(raise_request_exception=False)
    answer = client.get(address)
    page = answer.content.decode()
    assert answer.status_code == int(address[1:])
    assert words in page
    assert "Traceback" not in page
    assert 'href="/"' in page


@pytest.mark.urls("tests.server.test_pages")
def test_a_form_that_could_not_be_saved_can_be_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccg.server.outages.outage_of", lambda error: Outage.CANNOT_SAVE)
    client, again = Client(raise_request_exception=False), "reload this page to send it again"
    looked, sent = client.get("/503"), client.post("/503", {"text": "4 Stims"})
    assert (looked.status_code, sent.status_code) == (503, 503)
    assert again not in looked.content.decode()
    assert again in sent.content.decode()
    assert 'rel="icon"' in sent.content.decode(), "or browsers ask for an icon that is not there"


def test_a_visitor_who_finds_nothing_is_told_that_they_are_not_signed_in(client: Client) -> None:
    address = "/decks/AAAAAAAAAAAAAAAAAAAAAA/"
    answer = client.get(address)
    assert answer.status_code == 404
    assert "You are not signed in" in answer.content.decode()
    client.post(reverse("guest"))
    assert "You are not signed in" not in client.get(address).content.decode()


def test_a_form_without_its_token_is_told_what_to_do() -> None:
    client = Client(enforce_csrf_checks=True)
    answer = client.post(reverse("guest"))
    assert answer.status_code == 403
    assert "send that again" in answer.content.decode()
    assert "What you wrote" not in answer.content.decode()


OF_OURS = {"Sec-Fetch-Site": "same-origin"}


@pytest.mark.parametrize("checks", [True, False], ids=["without its token", "signed out"])
def test_what_was_written_into_a_form_that_is_refused_can_be_copied(db: None, checks: bool) -> None:
    client, about = Client(enforce_csrf_checks=checks), "/decks/AAAAAAAAAAAAAAAAAAAAAA/about/"
    text, password = "A long write-up,\nwith a <b>second</b> line.", "a pass phrase"
    sent = {"text": text, "password": password, "token": "abc"}
    told = client.post(about, sent, headers=OF_OURS)
    page = told.content.decode()
    assert told.status_code == (403 if checks else 404)
    assert escape(text) in page and "copy it first" in page
    assert password not in page and "abc" not in page.partition("<main")[2]


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ({"Sec-Fetch-Site": "cross-site", "Origin": "http://testserver"}, False),
        ({"Origin": "http://testserver"}, True),
        ({"Origin": "http://another.example"}, False),
        ({"Origin": "null"}, False),
        ({}, False),
    ],
)
def test_what_a_page_of_another_site_sends_is_not_shown_as_written_here(
    db: None, said: dict[str, str], shown: bool
) -> None:
    """Browsers do not say from which site a form comes over plain HTTP, but which origin."""
    page = Client().post("/decks/AAAAAAAAAAAAAAAAAAAAAA/about/", {"text": "Two words"}, headers=said)
    assert ("Two words" in page.content.decode()) is shown


@pytest.mark.parametrize(
    ("text", "shown"), [("艦隊是最好的套牌", True), ("hunter2", False), ("very long " * 7_000, False)]
)
def test_of_a_form_that_is_refused_texts_are_shown_and_no_words_nor_a_megabyte(
    db: None, text: str, shown: bool
) -> None:
    page = Client().post("/decks/AAAAAAAAAAAAAAAAAAAAAA/about/", {"text": text}, headers=OF_OURS)
    assert ("copy it first" in page.content.decode()) is shown


def test_health_says_what_waits(client: Client) -> None:
    answer = client.get(reverse("healthz"))
    assert answer.json() == {"ok": True, "outbox": {"waiting": 0, "failed": 0}, "engine": native.running()}


def test_an_unknown_host_is_refused(client: Client) -> None:
    assert client.get("/", headers={"host": "evil.example"}).status_code == 400


def manifest(folder: Path, content: dict[str, Any]) -> None:
    (folder / "manifest.json").write_text(json.dumps(content))


def test_an_entry_brings_its_styles_and_shared_chunks(tmp_path: Path, settings: Any) -> None:
    settings.CLIENT_DIST = tmp_path
    manifest(
        tmp_path,
        {
            "src/table/main.tsx": {
                "file": "assets/table-1.js", "name": "table", "isEntry": True,
                "imports": ["_shared"], "css": ["assets/table-1.css"],
            },
            "_shared": {"file": "assets/shared-1.js", "name": "shared", "css": ["assets/shared-1.css"]},
        },
    )  # fmt: skip
    assert client_entry("table") == (
        '<link rel="stylesheet" href="/static/assets/shared-1.css">'
        '<link rel="stylesheet" href="/static/assets/table-1.css">'
        '<link rel="modulepreload" href="/static/assets/shared-1.js">'
        '<script type="module" src="/static/assets/table-1.js"></script>'
    )


def test_without_a_build_pages_still_open(tmp_path: Path, settings: Any, client: Client) -> None:
    settings.CLIENT_DIST = tmp_path
    assert "has not been built" in client_entry("site")
    assert client.get("/").status_code == 200
