"""What the log says of requests and tables, and what it never says."""

from __future__ import annotations

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import pytest

from ccg.server.monitoring.logs import JsonLines, Traced, match_id, request_id
from ccg.server.proving.client import visits
from ccg.server.proving.client.seat import Message, Seat, SeatLog, by_hash
from tests.reading import own_cards
from tests.running import running_site

HTTP = {"type": "http", "path": "/table/abcdefghjkmnpqrs/", "headers": [(b"x-request-id", b"given-by-proxy")]}


def seen_by(scope: dict[str, Any], proxies: int) -> tuple[str, str, list[Any]]:
    """The ids that a line of the log would have in the middle of this request, and the headers of its answer."""
    seen: list[str] = []
    sent: list[Any] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        seen.extend([request_id.get(), match_id.get()])
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message: Any) -> None:
        sent.extend(message.get("headers", []))

    async def visit() -> None:
        await Traced(application, proxies)(scope, None, send)

    asyncio.run(visit())
    return seen[0], seen[1], sent


def test_a_request_has_the_id_that_our_proxy_gave_it() -> None:
    assert seen_by(HTTP, 1) == ("given-by-proxy", "abcdefghjkmnpqrs", [(b"x-request-id", b"given-by-proxy")])


@pytest.mark.parametrize(("given", "proxies"), [(b"given-by-visitor", 0), (b"two\nlines of log", 1), (b"x" * 99, 1)])
def test_what_anybody_else_says_is_no_id(given: bytes, proxies: int) -> None:
    own, _, headers = seen_by({**HTTP, "headers": [(b"x-request-id", given)]}, proxies)
    assert own != given.decode()
    assert len(own) == 16
    assert headers == [(b"x-request-id", own.encode())]


def test_a_line_is_one_record_of_json() -> None:
    token = request_id.set("request-1")
    try:
        raise ValueError("two\nlines")
    except ValueError as error:
        info = (ValueError, error, error.__traceback__)
        record = logging.LogRecord("ccg", logging.ERROR, __file__, 1, "it failed: %s", ("why",), info)
        line = JsonLines().format(record)
    finally:
        request_id.reset(token)
    assert "\n" not in line
    said = json.loads(line)
    assert (said["level"], said["message"], said["request"], said["error"]) == (
        "ERROR", "it failed: why", "request-1", "ValueError",
    )  # fmt: skip
    assert "match" not in said
    assert said["traceback"].endswith("ValueError: two\nlines")


@pytest.mark.ci
def test_no_card_of_a_match_is_in_the_log(tmp_path: Path) -> None:
    """Most cards of a match are hidden, so no name and no id of any card may be there, whatever libraries log.

    The same search finds some in what a player was sent.
    """
    canaries = [word for card in own_cards().cards for word in (card.name, card.id) if len(word) > 6]
    assert len(canaries) > 300
    with running_site(tmp_path, {"LOG_LEVEL": "DEBUG", "LOG_FORMAT": "json"}) as site:
        guests = [visits.guest(site.url) for _ in range(2)]
        match, link = guests[0].invite()
        guests[1].accept(link)
        logs = [SeatLog() for _ in guests]
        tables = asyncio.run(played([
            Seat([site.url], one.cookie_header, match, by_hash("2"), log)
            for one, log in zip(guests, logs, strict=True)
        ]))  # fmt: skip
        said = site.said()
    assert all(len(log.accepted) > 5 for log in logs)
    lines = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    assert any(line.get("match") == match for line in lines)
    assert not [word for word in canaries if word in said]
    assert [word for word in canaries if word in json.dumps(tables[0])]


async def played(seats: list[Seat]) -> list[Message | None]:
    """Return the last table that each seat saw."""
    return await asyncio.gather(*(seat.run() for seat in seats))
