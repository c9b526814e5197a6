"""Many matches at once, played until told to stop, with a log of everything that was acknowledged.

    python -m ccg.server.proving.client.crowd URL [URL …] --matches 20 --log FILE

Each line of the log is one thing that happened at a seat: ``sent``, ``acked``, ``refused``, ``lost``, ``closed``.
A match that ends is followed by another of the same two. SIGTERM ends it: seats choose no more, wait for their last
answers, and leave.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

from .seat import Message, Seat, SeatError, by_hash
from .visits import VisitError, Visitor, guest

SETTLING = 40.0
QUIET = ("seen",)
"""What is not written down: one line for each view would be most of the log."""


class Crowd:
    """People at a site, in pairs (or one against the computer), each pair at one table after another."""

    def __init__(
        self, urls: list[str], log: TextIO, seed: str, pace: float, tempos: Sequence[str] = ("untimed",)
    ) -> None:
        """Each pair of people plays by one of the ``tempos``, in turn."""
        self.urls = urls
        self.tempos = tempos
        self.seats: set[Seat] = set()
        self.stopping = False
        self.errors: list[str] = []
        self._log = log
        self._seed = seed
        self._pace = pace

    def note(self, match: str, seat: int, kind: str, message: Message) -> None:
        """Write down that something happened at a seat."""
        if kind not in QUIET:
            line = {"at": time.monotonic(), "match": match, "seat": seat, "kind": kind, **message}
            self._log.write(json.dumps(line) + "\n")

    async def pair(self, number: int, computer: bool) -> None:
        """Play one match after another until it is time to stop."""
        urls = self.urls[number % len(self.urls) :] + self.urls[: number % len(self.urls)]
        try:
            people = [
                await asyncio.to_thread(guest, url, 90) for url in (urls[:1] if computer else [urls[0], urls[-1]])
            ]
            for again in itertools.count():
                if self.stopping:
                    return
                match = await asyncio.to_thread(self._begin, people, self.tempos[number % len(self.tempos)])
                await self._play(match, people, f"{self._seed}:{number}:{again}")
        except (VisitError, SeatError, OSError) as error:
            if not self.stopping:
                self.errors.append(f"pair {number}: {error}")
                self._log.write(json.dumps({"at": time.monotonic(), "kind": "error", "error": str(error)}) + "\n")

    @staticmethod
    def _begin(people: list[Visitor], tempo: str) -> str:
        if len(people) == 1:
            return people[0].play_computer()
        match, link = people[0].invite(tempo=tempo)
        people[1].accept(link)
        return match

    async def _play(self, match: str, people: list[Visitor], seed: str) -> None:
        seats = [
            Seat(
                [visitor.url, *(url for url in self.urls if url != visitor.url)],
                visitor.cookie_header,
                match,
                by_hash(seed),
                self._noting(match, number),
                pace=self._pace,
                patience=90,
            )
            for number, visitor in enumerate(people)
        ]
        self.seats |= set(seats)
        try:
            if not self.stopping:
                await asyncio.gather(*(seat.run() for seat in seats))
        finally:
            self.seats -= set(seats)

    def _noting(self, match: str, number: int) -> Callable[[str, Message], None]:
        return lambda kind, message: self.note(match, number, kind, message)

    def stop(self) -> None:
        """Begin no more matches, and let those that run end their last choice."""
        self.stopping = True
        for seat in list(self.seats):
            seat.stop()


async def run(arguments: argparse.Namespace, log: TextIO) -> list[str]:
    """Play until SIGTERM; return what went wrong."""
    crowd = Crowd(arguments.urls, log, arguments.seed, arguments.pace, arguments.tempo or ["untimed"])
    loop, stopped = asyncio.get_running_loop(), asyncio.Event()

    def stop() -> None:
        crowd.stop()
        stopped.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
    computers = arguments.computers
    pairs = [asyncio.create_task(crowd.pair(n, n < computers)) for n in range(arguments.matches)]
    until = asyncio.create_task(stopped.wait())
    while not stopped.is_set() and any(not pair.done() for pair in pairs):
        await asyncio.wait({until, *(pair for pair in pairs if not pair.done())}, return_when="FIRST_COMPLETED")
    _, rest = await asyncio.wait(pairs, timeout=SETTLING)
    if rest:
        crowd.errors.append(f"{len(rest)} pairs had no answer to their last choice within {SETTLING} s")
    return crowd.errors


def main() -> None:
    """Read the command line, play, and say what went wrong."""
    parser = argparse.ArgumentParser()
    parser.add_argument("urls", nargs="+")
    parser.add_argument("--matches", type=int, default=10)
    parser.add_argument("--computers", type=int, default=0, help="how many of them are against the computer")
    parser.add_argument("--tempo", action="append", help="how people play; of several, one pair after another by each")
    parser.add_argument("--log", type=Path, required=True)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--pace", type=float, default=0.0, help="seconds between two choices of a seat")
    arguments = parser.parse_args()
    with arguments.log.open("a", buffering=1, encoding="utf-8") as log:
        errors = asyncio.run(run(arguments, log))
    for error in errors:
        print(error, file=sys.stderr)
    sys.exit(bool(errors))


if __name__ == "__main__":
    main()
