"""``manage.py play_through``: whole matches against a running server, from outside."""

from __future__ import annotations

import asyncio
import secrets
import time
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from ccg.server.proving.client.seat import Message, Seat, SeatError, SeatLog, by_hash
from ccg.server.proving.client.visits import VisitError, guest


class Command(BaseCommand):
    """Lets guests come in by HTTP, sit down by invite link, and play over WebSockets what chance tells them."""

    help = "Play whole matches over HTTP and WebSocket against a running server, choosing by chance."

    def add_arguments(self, parser: CommandParser) -> None:
        """How many matches, of how many players, where, and which chance."""
        parser.add_argument("--players", type=int, default=2, help="players in each match (2 to 8)")
        parser.add_argument("--games", type=int, default=1, help="matches, one after another")
        parser.add_argument("--url", default=settings.SITE_ORIGINS[0], help="where the server is")
        parser.add_argument("--seed", default="", help="which chance chooses (default: a new one)")
        parser.add_argument("--patience", type=float, default=60.0, help="seconds that the server may be away")

    def handle(self, *args: Any, **options: Any) -> None:
        """Play, and print a line for each match; fail at the first thing that is not as it must be."""
        if not 2 <= options["players"] <= 8:
            raise CommandError("A match has two to eight players.")
        seed = options["seed"] or secrets.token_hex(4)
        for number in range(options["games"]):
            chance = f"{seed}:{number}"
            try:
                told = asyncio.run(play_one(options["url"], options["players"], chance, options["patience"]))
            except (VisitError, SeatError, OSError) as error:
                raise CommandError(f"match {number + 1} (seed {seed}): {error}") from error
            self.stdout.write(told)
            self.stdout.flush()


async def play_one(url: str, players: int, seed: str, patience: float) -> str:
    """Play one match and return a sentence about it."""
    began = time.monotonic()
    guests = [await asyncio.to_thread(guest, url) for _ in range(players)]
    match_id, link = await asyncio.to_thread(guests[0].invite, players)
    for other in guests[1:]:
        await asyncio.to_thread(other.accept, link)
    logs = [SeatLog() for _ in guests]
    seats = [
        Seat([url], one.cookie_header, match_id, by_hash(seed), log, patience=patience)
        for one, log in zip(guests, logs, strict=True)
    ]
    tables = await asyncio.gather(*(_ended(seat) for seat in seats))
    _check(tables, logs)
    choices, again = sum(len(log.accepted) for log in logs), sum(log.lost for log in logs)
    seconds = time.monotonic() - began
    summary = (
        f"match {match_id}: {_result(tables[0])}, {tables[0]['view']['turn']} turns, {choices} choices, {seconds:.1f} s"
    )
    return f"{summary}, {again} reconnects" if again else summary


async def _ended(seat: Seat) -> Message:
    """Play at ``seat`` to the end; return the last table."""
    table = await seat.run()
    assert table is not None and table["over"], "nobody stops it before"
    return table


def _check(tables: list[Message], logs: list[SeatLog]) -> None:
    """Raise SeatError unless all saw the same end, and every accepted choice exactly once."""
    ends = [(table["version"], table["view"]["result"]) for table in tables]
    if any(end != ends[0] for end in ends):
        raise SeatError(f"the players saw different ends: {ends}")
    versions = sorted(version for log in logs for version in log.accepted.values())
    if versions != list(range(1, ends[0][0] + 1)):
        raise SeatError(f"{len(versions)} choices were accepted, and the match ended at version {ends[0][0]}")


def _result(table: Message) -> str:
    names = {person["seat"]: person["name"] for person in table["people"]}
    result = table["view"]["result"]
    if not result["winners"]:
        drawn = [name for seat, name in names.items() if seat not in result["losers"]]
        return f"a draw of {' and '.join(drawn)}"
    return f"won by {' and '.join(names[seat] for seat in result['winners'])} ({result['reason']})"
