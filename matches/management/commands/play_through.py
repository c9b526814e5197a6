"""``manage.py play_through``: whole matches against a running server, from outside."""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.text import slugify

from matches.management.web_client import Guest, Message, SocketPlayer, VisitError, by_chance


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
            rng = random.Random(f"{slugify(seed)}:{number}")
            try:
                self.stdout.write(asyncio.run(play_one(options["url"], options["players"], rng, options["patience"])))
            except (VisitError, OSError) as error:
                raise CommandError(f"match {number + 1} (seed {seed}): {error}") from error
            self.stdout.flush()


async def play_one(url: str, players: int, rng: random.Random, patience: float) -> str:
    """Play one match and return a sentence about it."""
    began = time.monotonic()
    guests = [await asyncio.to_thread(Guest, url, rng) for _ in range(players)]
    match_id, link = await asyncio.to_thread(guests[0].invite, players)
    for guest in guests[1:]:
        await asyncio.to_thread(guest.accept, link)
    seats = [SocketPlayer(guest.browser, match_id, by_chance(rng), patience) for guest in guests]
    tables = await asyncio.gather(*(seat.play() for seat in seats))
    choices = sum(seat.choices for seat in seats)
    _check(tables, seats)
    again = sum(seat.reconnects for seat in seats)
    seconds = time.monotonic() - began
    summary = (
        f"match {match_id}: {_result(tables[0])}, {tables[0]['view']['turn']} turns, {choices} choices, {seconds:.1f} s"
    )
    return f"{summary}, {again} reconnects" if again else summary


def _check(tables: list[Message], seats: list[SocketPlayer]) -> None:
    """Raise VisitError unless all saw the same end, and every accepted choice exactly once."""
    ends = [(table["version"], table["view"]["result"]) for table in tables]
    if any(end != ends[0] for end in ends):
        raise VisitError(f"the players saw different ends: {ends}")
    versions = sorted(version for seat in seats for _, version in seat.accepted)
    if versions != list(range(1, ends[0][0] + 1)):
        raise VisitError(f"{len(versions)} choices were accepted, and the match ended at version {ends[0][0]}")


def _result(table: Message) -> str:
    names = {person["seat"]: person["name"] for person in table["people"]}
    result = table["view"]["result"]
    if not result["winners"]:
        drawn = [name for seat, name in names.items() if seat not in result["losers"]]
        return f"a draw of {' and '.join(drawn)}"
    return f"won by {' and '.join(names[seat] for seat in result['winners'])} ({result['reason']})"
