"""What a request may be before any page looks at it, and where it comes from."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from ccg.counting import group_of
from ccg.server.accounts.models import User
from ccg.server.addresses import RealAddresses, client_of
from ccg.server.sessions import SessionStore

FORM = "application/x-www-form-urlencoded"
ODD = ["utf-16", "utf-32", "utf-7", "rot13", "base64", "idna", "latin-1", "nonsense", "utf-16le", "zlib", "a" * 5000]
PAGES = ["/guest/", "/decks/new/", "/accounts/login/", "/accounts/signup/", "/play/computer/", "/api/v1/legality/"]


@pytest.mark.django_db
@pytest.mark.parametrize("charset", ODD)
@pytest.mark.parametrize("page", PAGES)
def test_text_in_another_charset_is_refused(client: Client, page: str, charset: str) -> None:
    answer = client.generic("POST", page, b"next=%FF%FE&text=\xff\xfe\x00", content_type=f"{FORM}; charset={charset}")
    assert answer.status_code == 400


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["application/json", "multipart/form-data; boundary=x", "text/plain", FORM])
def test_so_it_is_for_every_kind_of_body_and_for_queries(client: Client, kind: str) -> None:
    assert client.generic("POST", "/api/v1/legality/", b"{}", content_type=f"{kind}; charset=utf-16").status_code == 400
    assert client.get("/cards/?q=%FF", CONTENT_TYPE=f"{kind}; charset=utf-16").status_code == 400


@pytest.mark.django_db
@pytest.mark.parametrize("charset", ["utf-8", "UTF-8", '"utf-8"', "us-ascii"])
def test_utf_8_by_any_of_its_names_is_fine(client: Client, charset: str) -> None:
    answer = client.generic("POST", "/guest/", b"next=/cards/", content_type=f"{FORM}; charset={charset}")
    assert answer["Location"] == "/cards/"


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["/guest/", "/play/computer/"])
def test_an_address_that_only_takes_forms_says_so_to_who_opens_it(client: Client, page: str) -> None:
    answer = client.get(page)
    assert answer.status_code == 405
    assert answer["Allow"] == "POST"
    assert "works only from a button" in answer.content.decode()
    assert int(answer["Content-Length"]) == len(answer.content)


@pytest.mark.django_db
def test_that_page_knows_who_is_signed_in(client: Client) -> None:
    client.force_login(User.objects.create_user("ada"))
    page = client.get("/play/computer/").content.decode()
    assert "Sign in" not in page
    assert "ada" in page


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["\0" * 32, '"\\000\\000aaaaaaaaaaaa"', "é" * 32, "x" * 5000, "' OR 1=1", "ABCDEFGHIJ"])
def test_a_session_key_that_is_none_is_no_session(client: Client, key: str) -> None:
    client.cookies["sessionid"] = key
    assert client.get(reverse("decks:mine")).status_code == 200
    assert SessionStore(key).session_key is None, "nor is it to a socket, which no middleware stands before"


def scope(client: str | None, *forwarded: str) -> dict[str, Any]:
    headers = [(b"host", b"x"), *((b"x-forwarded-for", line.encode()) for line in forwarded)]
    return {"type": "http", "client": [client, 5] if client else None, "headers": headers}


@pytest.mark.parametrize(
    ("proxies", "forwarded", "who"),
    [
        (0, ["6.6.6.6"], "9.9.9.9"),
        (1, ["6.6.6.6, 1.2.3.4"], "1.2.3.4"),
        (1, ["6.6.6.6", "1.2.3.4"], "1.2.3.4"),
        (1, ["1.2.3.4"], "1.2.3.4"),
        (2, ["6.6.6.6, 1.2.3.4, 10.0.0.1"], "1.2.3.4"),
        (2, ["1.2.3.4"], "9.9.9.9"),
        (1, [], "9.9.9.9"),
        (1, ["1.2.3.4, nonsense"], "9.9.9.9"),
        (1, ["1.2.3.4:8080"], "1.2.3.4"),
        (1, ["2001:db8::1"], "2001:db8::1"),
        (1, ["[2001:DB8::1]:443"], "2001:db8::1"),
        (3, ["a,b,c" * 10_000], "9.9.9.9"),
    ],
)
def test_an_address_is_what_our_own_proxies_say(proxies: int, forwarded: list[str], who: str) -> None:
    assert client_of(scope("9.9.9.9", *forwarded), proxies) == who


async def test_everybody_behind_it_sees_that_address() -> None:
    seen: list[Any] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["client"][0])

    for kind in ("http", "websocket"):
        await RealAddresses(application, 1)({**scope("9.9.9.9", "6.6.6.6, 1.2.3.4"), "type": kind}, None, None)  # type: ignore[arg-type]
    assert seen == ["1.2.3.4"] * 2
    await RealAddresses(application, 1)(scope(None), None, None)  # type: ignore[arg-type]
    assert seen[-1] == ""


@pytest.mark.parametrize(
    ("address", "group"),
    [
        ("1.2.3.4", "1.2.3.4"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:1.2.3.4", "1.2.3.4"),
        ("", ""),
        ("nonsense", "nonsense"),
    ],
)
def test_a_household_is_one_visitor(address: str, group: str) -> None:
    assert group_of(address) == group


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["/nothing/here/", "/play/", "/guest/", "/accounts/login/"])
@pytest.mark.parametrize(
    ("kind", "body"),
    [("multipart/form-data", b"x"), ("multipart/form-data; boundary=\xff", b"x"), (FORM, b"a=1&" * 2000)],
)
def test_a_form_that_cannot_be_read_is_refused_wherever_it_is_sent(page: str, kind: str, body: bytes) -> None:
    client = Client(enforce_csrf_checks=True)
    client.get("/play/")
    assert client.generic("POST", page, body, content_type=kind).status_code == 400
