"""The positions of a finished match, made once with the engine that played it and readable without one.

For each position there is the view of everybody who could look at it: of who looked on, of each seat with all its legal
options, and one in which every side is as its own player saw it. They are plain data, written down as changes from the
position before, so that no reader depends on what a later engine or later cards make of a match.
"""

from __future__ import annotations

import hashlib
import lzma
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from ccg.rules import Event, Game
from ccg.rules.telling.view import DecisionView, View
from matches.replays import chances
from matches.replays.chances import Chance
from matches.replays.changes import Change, applied, between

FORM = 1
"""Raised when what is stored changes its form; readers know every form there was."""

PUBLIC, OPEN = 0, 1
"""Places of the streams of views: what all may know, and every side as its own player saw it."""

FIRST_SEAT = 2
"""Place of the stream of seat 0; those of the other seats follow."""

ANSWERS = frozenset({"yes", "no", "choose", "keep", "redraw"})
"""Verbs of options that say little without the question."""


class Position(Struct, frozen=True, array_like=True):
    """A position and the move that led to it; ``changes`` has the changes of each stream of views.

    The seat ``by`` was ``asked`` something (where the answer says little without it) and took ``option``, which reads
    ``does``. Only those who may see the view of that seat may be told these three, and ``chances`` only those who may
    see all.
    """

    by: int | None
    option: str
    asked: str
    does: str
    chances: list[Chance]
    changes: list[list[Change]]


_POSITIONS = msgspec.msgpack.Decoder(list[Position])
_ANYTHING = msgspec.msgpack.Decoder()


def stream_of(seat: int | None) -> int:
    """Return the place of the stream of what ``seat`` (None: anybody) saw."""
    return PUBLIC if seat is None else FIRST_SEAT + seat


class Writer:
    """Writes the positions of a game down while it is played again."""

    def __init__(self, game: Game) -> None:
        """Begin at the position in which ``game`` is."""
        self.game = game
        self._before: list[Any] = []
        self._decks = chances.decks_of(game)
        self._decisions: list[DecisionView | None] = []

    def first(self, found: list[Chance] | None = None) -> Position:
        """Return the position in which the game is, whole; ``found`` is what chance decided on the way to it."""
        return self._written(None, "", "", "", found or [])

    def move(self, move: str, seat: int) -> Position:
        """Make ``move`` of ``seat``, as records write it, and return the position that it leads to."""
        decision = self._decisions[seat]
        option = next((one for one in decision.options if one.key == move), None) if decision is not None else None
        events = self.game.move(move, known=True, seat=seat)
        found = self._chances(events)
        if decision is None or option is None:
            return self._written(seat, move, "", _outside_options(move), found)
        asked = decision.prompt if option.verb in ANSWERS else ""
        return self._written(seat, move, asked, option.text, found)

    def outside(self, move: str, seat: int, game: Game) -> Position:
        """Return the position after something that is no move of the game: an offer, say, or a return to ``game``."""
        self.game, self._decks = game, chances.decks_of(game)
        return self._written(seat, move, "", _outside_options(move), [])

    def _chances(self, events: list[Event]) -> list[Chance]:
        before, self._decks = self._decks, chances.decks_of(self.game)
        return chances.chances(before, events, self._decks, self.game.engine.catalog)

    def _written(self, by: int | None, option: str, asked: str, does: str, found: list[Chance]) -> Position:
        views = [self.game.view(None)] + [self.game.view(seat) for seat in range(len(self._decks))]
        self._decisions = [view.decision for view in views[1:]]
        plain = [_plain(view) for view in (views[0], opened(views[1:], self.game.deciding), *views[1:])]
        before = self._before or [None] * len(plain)
        self._before = plain
        changes = [between(old, new) for old, new in zip(before, plain, strict=True)]
        return Position(by, option, asked, does, found, changes)


def _outside_options(move: str) -> str:
    """Return what a move does that is none of the options of the game; nothing where its event tells it better."""
    first, *more = move.split()
    match first, more:
        case "back", _:
            return "Take back"
        case "concede", [_, "time"]:
            return "Runs out of time"
        case "concede", [_, "absent"]:
            return "Is taken out of the match, being away"
        case "concede", ["all", *_]:
            return "The match ends as a draw"
        case "concede", _:
            return "Concede"
        case "takeback", _:
            return "The last move is taken back"
        case "table", ["agree", "computer", _]:
            return "Agree that the computer plays on for who has left"
        case "table", ["seat", _]:
            return "Somebody else plays on"
    return ""  # offers and the like: the sentence of their event says who does what


def _plain(view: View) -> Any:
    """Return ``view`` as it will be read back, with lists for tuples, so that it compares with what is read."""
    return _ANYTHING.decode(msgspec.msgpack.encode(view))


def opened(views: list[View], deciding: Sequence[int]) -> View:
    """Return the view in which each player's side, and the decision of the first, is as that player sees it."""
    players = [view.players[seat] for seat, view in enumerate(views)]
    decision = views[deciding[0]].decision if deciding else None
    return msgspec.structs.replace(views[0], viewer=None, players=players, decision=decision)


def packed(positions: list[Position]) -> bytes:
    """Return ``positions``, of which the first is whole, as they are stored."""
    # The usual preset takes three times as long for six parts of a hundred less.
    return lzma.compress(msgspec.msgpack.encode(positions), preset=3)


def unpacked(content: bytes) -> list[Position]:
    """Return what :func:`packed` was given."""
    return _POSITIONS.decode(lzma.decompress(content))


def hash_of(content: bytes) -> str:
    """Return the hash of what stored positions say, however they are compressed."""
    return hashlib.sha256(lzma.decompress(content)).hexdigest()[:32]


def views(positions: Iterable[Position], stream: int) -> Iterator[Any]:
    """Yield the views of a stream one after another, as plain data."""
    view: Any = None
    for position in positions:
        view = applied(view, position.changes[stream])
        yield view
