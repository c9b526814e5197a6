#!/usr/bin/env python3
"""Check the shuffles of a Ragtag Fleet match from its published file, with nothing but Python's standard library.

    python3 check_shuffles.py shuffles.json [the commitment that your browser was shown]

Written from docs/fair-shuffles.md alone: it shares no code with the site. It ends with 0 if all of the file
holds, and otherwise says what does not.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

FORMAT = "ragtag-fleet/shuffles/1"


class Wrong(Exception):
    """The file does not hold; the text says where."""


def commitment_of(secret: bytes) -> str:
    return hashlib.sha256(f"{FORMAT} commitment\n".encode() + secret).hexdigest()


def seed_of(match: str, parts: list[tuple[bytes, str]]) -> bytes:
    data = f"{FORMAT} seed\n{match}\n".encode()
    for secret, words in parts:
        for piece in (secret, words.encode()):
            data += len(piece).to_bytes(2, "big") + piece
    return hashlib.sha512(data).digest()


def seal_of(file: dict[str, Any]) -> str:
    rest = {key: value for key, value in file.items() if key != "seal"}
    text = json.dumps(rest, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


class Stream:
    """Words of 32 bits: eight from each SHA-256(seed, number of the block)."""

    def __init__(self, seed: bytes) -> None:
        self.seed, self.used = seed, 0

    def word(self) -> int:
        block, place = divmod(self.used, 8)
        self.used += 1
        hashed = hashlib.sha256(self.seed + block.to_bytes(8, "big")).digest()
        return int.from_bytes(hashed[4 * place : 4 * place + 4], "big")

    def below(self, limit: int) -> int:
        fair = 2**32 - 2**32 % limit
        while (word := self.word()) >= fair:
            pass
        return word % limit

    def shuffled(self, cards: Iterable[Any]) -> list[Any]:
        cards = list(cards)
        for last in range(len(cards) - 1, 0, -1):
            other = self.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]
        return cards


def require(holds: object, what: str) -> None:
    if not holds:
        raise Wrong(what)


def check(file: dict[str, Any], shown: str = "") -> str:
    """Return what was found right, in a sentence; raise Wrong where anything is not."""
    require(file["format"] == FORMAT, "this is not the format that this script knows")
    require(file["seal"] == seal_of(file), "the seal is not that of the file: something was changed")
    require(file["state"] in ("whole", "packing", "without moves"), "the match is not over: there is only a commitment")
    seats = file["seats"]
    require(
        [seat["seat"] for seat in seats] == list(range(len(seats))) and len(seats) > 1, "the seats are not in order"
    )
    for seat in seats:
        require((seat["commitment"] is None) == (seat["secret"] is None), f"seat {seat['seat']} lacks a secret")
        if seat["secret"] is not None:
            held = commitment_of(bytes.fromhex(seat["secret"])) == seat["commitment"]
            require(held, f"the secret of seat {seat['seat']} is not the one that the server was bound to")
    require(any(seat["secret"] for seat in seats), "no seat has a secret")
    require(not shown or shown in [seat["commitment"] for seat in seats], "your commitment is not that of any seat")
    seed = seed_of(file["match"], [(bytes.fromhex(seat["secret"] or ""), seat["words"] or "") for seat in seats])
    require(seed.hex() == file["seed"], "the seed does not follow from secrets and words")
    drawings, stream = file["drawings"], Stream(seed)
    require(drawings or file["state"] != "whole", "the match has no shuffles")
    for number, drawn in enumerate(drawings):
        _check_drawing(number, drawn, stream, seats)
    said = f"{sum(seat['gave_words'] for seat in seats)} of {len(seats)} players added words"
    return f"{len(drawings)} drawings follow from the seed ({stream.used} words of the stream); {said}"


def _check_drawing(number: int, drawn: dict[str, Any], stream: Stream, seats: list[dict[str, Any]]) -> None:
    name = f"drawing {number} ({drawn['why']}, seat {drawn['seat']})"
    require(drawn["number"] == number and drawn["at"] == stream.used, f"{name} is not where the one before ended")
    lot, before, deck = drawn["why"] == "first player", drawn["before"], seats[drawn["seat"]]["deck"]
    if number < len(seats):
        opening = drawn["why"] == "start" and drawn["seat"] == number and drawn["move"] == 0
        require(opening and before == deck, f"{name} is not the first shuffle of the deck that was brought")
    if lot:
        require(drawn["after"] == [before[stream.below(len(before))]] == [drawn["seat"]], f"{name}: wrong lot")
        return
    after = stream.shuffled(range(drawn["size"]))
    if before is None or deck is None:
        require(before is None and deck is None and drawn["after"] is None, f"{name} shows part of a private deck")
        return
    require(
        len(before) == drawn["size"] and drawn["after"] == [before[place] for place in after], f"{name}: wrong order"
    )
    require(not Counter(before) - Counter(deck), f"{name} has cards that the deck had not")
    whole = drawn["why"] not in ("start", "redraw") or Counter(before) == Counter(deck)
    require(whole, f"{name} does not have the whole deck")


def main(arguments: list[str]) -> int:
    if len(arguments) not in (1, 2):
        print(__doc__)
        return 2
    try:
        published = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
        print("Right:", check(published, *arguments[1:]))
    except (Wrong, ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
        print("Wrong:", error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
