#!/usr/bin/env python3
"""Check the shuffles of a Ragtag Fleet match from its published file, with nothing but Python's standard library.

    python3 check_shuffles.py shuffles.json [the commitment that your browser was shown [the words that it sent]]

Written from docs/fair-shuffles.md alone: it shares no code with the site. It ends with 0 if all holds that can be
checked from the file, and says what cannot; otherwise it says what does not hold.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

FAMILY = "ragtag-fleet/shuffles/"
FORMAT = FAMILY + "2"
OPENING, LOT, REDRAW = "start", "first player", "redraw"
LATER = {"search", "new deck", "discard pile", "put into deck"}
NOT_SHOWN = (
    "that these are all drawings up to the end of the match",
    "in which move each was made, and for which of the later reasons (search, new deck, ...)",
    "which cards went into the later shuffles, and in which order",
    "which match it was, who the players were, and whether words of others are really theirs",
)


class Wrong(Exception):
    """The file does not hold; the text says where."""


def commitment_of(secret: bytes) -> str:
    return hashlib.sha256(f"{FORMAT} commitment\n".encode() + secret).hexdigest()


def joined(part: tuple[bytes, str]) -> bytes:
    return b"".join(len(piece).to_bytes(2, "big") + piece for piece in (part[0], part[1].encode()))


def place_of(part: tuple[bytes, str]) -> bytes:
    return hashlib.sha256(f"{FORMAT} seat\n".encode() + joined(part)).digest()


def seed_of(parts: list[tuple[bytes, str]]) -> bytes:
    return hashlib.sha512(f"{FORMAT} seed\n".encode() + b"".join(map(joined, parts))).digest()


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


def check(file: dict[str, Any], shown: str = "", sent: str = "") -> str:
    """Return what was found right, and what the file cannot show, in sentences; raise Wrong where anything is not."""
    known = str(file["format"])
    older = known.startswith(FAMILY) and known != FORMAT
    require(not older, f"this file is of another version ({known}); this script checks {FORMAT} alone")
    require(known == FORMAT, "this is not the format that this script knows")
    require(file["seal"] == seal_of(file), "the seal is not that of the file: something was changed")
    require(file["state"] in ("whole", "packing", "without moves"), "the match is not over: there is only a commitment")
    seats, drawings = file["seats"], file["drawings"]
    parts = _parts_of(seats)
    seed = seed_of(parts)
    require(seed.hex() == file["seed"], "the seed does not follow from secrets and words")
    with_words = [part for part in parts if part[1]]
    require(parts[: len(with_words)] == sorted(with_words, key=place_of), "the seats are not those that the words give")
    _check_own(seats, shown, sent)
    whole = file["state"] == "whole"
    require(len(drawings) >= len(seats) if whole else not drawings, "the match has no shuffles, or some too early")
    stream = Stream(seed)
    for number, drawn in enumerate(drawings):
        _check_drawing(number, drawn, stream, seats)
    _check_course(drawings, len(seats))
    gave = sum(seat["gave_words"] for seat in seats)
    told = [
        f"{len(drawings)} drawings follow from the seed ({stream.used} words of the stream)",
        f"{gave} of {len(seats)} players added words",
    ]
    if not gave:
        told.append("As nobody added words, nothing kept the server from choosing: only that it kept to it is shown.")
    if not whole:
        told.append("There are no drawings in the file, so no order was checked, only secrets, words, seats and seed.")
    if any(drawn["before"] is None for drawn in drawings):
        told.append("Of private decks only the places in the stream were checked, not the orders.")
    unseen = [] if shown and sent else ["that commitment and words are those of your browser: give both to compare"]
    return "\n".join([*told, "The file cannot show: " + "; ".join([*unseen, *NOT_SHOWN]) + "."])


def _parts_of(seats: list[dict[str, Any]]) -> list[tuple[bytes, str]]:
    """Return what the seats add, and require that they could add it."""
    in_order = [seat["seat"] for seat in seats] == list(range(len(seats)))
    require(in_order and len(seats) > 1, "the seats are not in order")
    parts = []
    for seat in seats:
        name, secret, words = f"seat {seat['seat']}", bytes.fromhex(seat["secret"] or ""), seat["words"] or ""
        require((seat["commitment"] is None) == (seat["secret"] is None), f"{name} lacks a secret")
        require(seat["secret"] is None or len(secret) == 32, f"the secret of {name} is not 32 bytes")
        held = seat["secret"] is None or commitment_of(secret) == seat["commitment"]
        require(held, f"the secret of {name} is not the one that the server was bound to")
        require(seat["gave_words"] is (words != ""), f"{name} is said to have given words and has none, or the reverse")
        require(seat["kind"] == "person" or not words, f"{name} is not a person's and has words")
        deck = seat["deck"]
        require(deck is None or deck == sorted(deck, reverse=True), f"the deck of {name} was not brought in order")
        parts.append((secret, words))
    adding = [number for number, part in enumerate(parts) if part[0]]
    bound = list(range(sum(part[1] != "" for part in parts))) or [0]
    require(adding == bound, "a secret without words, words without a secret, or no secret at all")
    return parts


def _check_own(seats: list[dict[str, Any]], shown: str, sent: str) -> None:
    own = [seat for seat in seats if seat["commitment"] == shown]
    require(not shown or own, "your commitment is not that of any seat")
    require(not sent or [seat["words"] for seat in own] == [sent], "your words are not those of your seat")


def _check_course(drawings: list[dict[str, Any]], seats: int) -> None:
    """Require the order in which a match can come to its drawings."""
    moves = [drawn["move"] for drawn in drawings]
    require(moves == sorted(moves), "the moves of the drawings go back")
    redrawn: list[int] = []
    for before, drawn in itertools.pairwise(drawings):
        why, number = drawn["why"], drawn["number"]
        if number < seats:
            continue
        begins = number == seats and why == LOT
        once_each = why == REDRAW and before["why"] in (OPENING, LOT, REDRAW) and drawn["seat"] not in redrawn
        require(begins or once_each or why in LATER, f"drawing {number} ({why}) cannot come at this place of a match")
        require((drawn["move"] == 0) == (why == LOT), f"drawing {number} ({why}) is not of that move")
        redrawn += [drawn["seat"]] if why == REDRAW else []


def _check_drawing(number: int, drawn: dict[str, Any], stream: Stream, seats: list[dict[str, Any]]) -> None:
    name = f"drawing {number} ({drawn['why']}, seat {drawn['seat']})"
    require(drawn["number"] == number and drawn["at"] == stream.used, f"{name} is not where the one before ended")
    before, deck = drawn["before"], seats[drawn["seat"]]["deck"]
    if number < len(seats):
        opening = drawn["why"] == OPENING and drawn["seat"] == number and drawn["move"] == 0
        require(opening and before == deck, f"{name} is not the first shuffle of the deck that was brought")
    if drawn["why"] == LOT:
        tied = len(before) == drawn["size"] > 1 and before == sorted({*before} & {*range(len(seats))})
        require(tied, f"{name} is not a lot among seats")
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
    whole = drawn["why"] not in (OPENING, REDRAW) or Counter(before) == Counter(deck)
    require(whole, f"{name} does not have the whole deck")


def main(arguments: list[str]) -> int:
    if len(arguments) not in (1, 2, 3):
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
