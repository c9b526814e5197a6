"""The site's hygiene, proved in short."""

from __future__ import annotations

import pytest

from ccg.server.proving import hygiene, sources
from tests.proving import short


@pytest.mark.ci
@pytest.mark.slow
def test_nothing_to_complain_of() -> None:
    assert short("hygiene")["figures"]["findings"] == 0


def test_what_is_allowed_in_the_sources_is_still_there() -> None:
    places = {(name, word) for name, word in sources.ALLOWED}
    for name, word in places:
        found = sources.in_python((sources.ROOT / name).read_text("utf-8"))
        assert word in {w for _, w, _ in found}, f"{name} has no {word} any more"


@pytest.mark.parametrize(
    ("header", "value", "said"),
    [
        ("server", "daphne", "server"),
        ("set-cookie", "sessionid=1; HttpOnly; SameSite=Lax", "secure"),
        ("content-security-policy", "default-src 'self' http:; frame-ancestors 'none'", "http:"),
    ],
)
def test_a_wrong_header_is_named(header: str, value: str, said: str) -> None:
    assert any(said in what for what in hygiene.complaints("/", 200, [(header, value)], True))


@pytest.mark.parametrize(
    ("page", "header", "value", "is_wrong"),
    [
        ("/api/v1/cards/", "access-control-allow-origin", "*", False),
        ("/api/v1/cards/", "access-control-allow-origin", "https://elsewhere.example.org", True),
        ("/api/v1/cards/", "access-control-allow-credentials", "true", True),
        ("/decks/", "access-control-allow-origin", "*", True),
    ],
)
def test_other_sites_read_the_api_alone_and_as_nobody(page: str, header: str, value: str, is_wrong: bool) -> None:
    assert any(header in what for what in hygiene.complaints(page, 200, [(header, value)], False)) is is_wrong
