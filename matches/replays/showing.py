"""A replay as somebody may see it: the one place that decides how much of a finished match is told to whom.

Who played sees what their seat saw, anybody else what all could see. *All* (both hands, what everybody could choose,
what chance chose from) may be seen by everybody once the match is over, unless somebody played a deck that was private
then: in that case by those who played. A match that nobody may watch has no replay for others either.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from ccg.rules import EventView
from ccg.rules.decoding import Decoder
from matches.models import Match, MatchSeat
from matches.players import level_of
from matches.playing import archive
from matches.replays import positions
from matches.replays.chances import Chance
from matches.replays.changes import Change, applied
from matches.replays.models import Film
from matches.replays.positions import Position
from matches.seats import former, openness
from matches.storage.stored_events import StoredEvent, all_of

FORMAT = "ragtag-fleet-replay-1"

Sees = Literal["public", "seat", "all"]


class ReplayPlayer(Struct, frozen=True, kw_only=True):
    """Who sat at the table. ``base`` and ``cards`` are the deck, told only in a replay that shows all."""

    seat: int
    name: str
    kind: Literal["person", "computer"]
    level: str | None = None
    base: str | None = None
    cards: list[str] | None = None


class ReplayMove(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A position of the match, and the move that led to it; the first one is the position at the beginning.

    The seat ``by`` chose ``option``, which reads ``does``; ``asked`` is the question, where the answer says little
    without it. These three are left out where the viewer may not know what else could have been chosen. ``took`` is how
    long it took in milliseconds, ``events`` what happened as the viewer may know it, ``chances`` what chance decided,
    told only in a replay that shows all. ``changes``, made to the view of the move before (to null at the first one),
    give the view at this move, as a table message has it (docs/protocol.md).
    """

    by: int | None = None
    option: str = ""
    asked: str = ""
    does: str = ""
    took: int | None = None
    events: list[EventView] = []
    chances: list[Chance] = []
    changes: list[Change] = []


class TurnBegins(Struct, frozen=True):
    """The number of a turn, and the move after which it has begun."""

    turn: int
    move: int


class Outcome(Struct, frozen=True):
    """Who won and lost, by seat, and why."""

    winners: list[int]
    losers: list[int]
    reason: str


class Replay(Struct, frozen=True, kw_only=True):
    """A finished match from its beginning to its end, as its viewer may see it.

    ``sees`` says how much that is: what all could see, what the own ``seat`` saw, or all; ``may_see_all`` whether the
    viewer may ask for that. ``engine`` and ``catalog`` name the version of the rules and of the cards that it was
    played with.
    """

    format: Annotated[str, Meta(description=f'Always "{FORMAT}"; another form has another name.')] = FORMAT
    match: str
    engine: str
    catalog: str
    started: str | None
    finished: str | None
    sees: Sees
    seat: int | None
    may_see_all: bool
    players: list[ReplayPlayer]
    result: Outcome
    turns: list[TurnBegins]
    moves: list[ReplayMove]


_REPLAY = Decoder(Replay)


class Access(Struct, frozen=True):
    """What somebody may do with the replay of a match: their ``seat``, if they had one, and whether they see all."""

    match: Match
    seats: list[MatchSeat]
    seat: int | None
    sees_all: bool

    @property
    def usual(self) -> Sees:
        """How much the replay shows where nothing else is asked for."""
        return "public" if self.seat is None else "seat"


def access(match_id: str, user_id: int | None) -> Access | None:
    """Return what this person (None: a visitor) may see of a finished match; None if there is no replay for them."""
    match = Match.objects.defer("saved", "seed").filter(public_id=match_id, state=Match.State.FINISHED).first()
    if match is None:
        return None
    seats = list(match.seats.order_by("number"))
    own = openness.seat_of(match.pk, user_id)
    if own is None and not match.watchable:
        return None
    return Access(match, seats, own, openness.sees_all(seats, own))


def film_of(match: Match) -> Film | None:
    """Return the packed positions of ``match``; None while they are not there."""
    return Film.objects.select_related("archive").filter(archive__match=match).first()


def replay(access: Access, film: Film, sees: Sees) -> Replay:
    """Return the replay of a match. Needs neither its engine nor its cards.

    Raises PermissionError for more than the viewer may see; views ask :class:`Access` first.
    """
    if (sees == "all" and not access.sees_all) or (sees == "seat" and access.seat is None):
        raise PermissionError(sees)
    record = archive.read_record(film.archive)
    match, made = access.match, positions.unpacked(bytes(film.content))
    stream = positions.OPEN if sees == "all" else positions.stream_of(access.seat if sees == "seat" else None)
    happened = [[], *map(all_of, archive.read_events(film.archive))]
    times = [None, *(move.took for move in record.moves)]
    moves = [
        _move(position, stream, events, took, sees, access.seat)
        for position, events, took in zip(made, happened, times, strict=True)
    ]
    told = Replay(
        match=match.public_id,
        engine=record.engine,
        catalog=record.catalog,
        started=match.started.isoformat(timespec="seconds") if match.started else None,
        finished=match.finished.isoformat(timespec="seconds") if match.finished else None,
        sees=sees,
        seat=access.seat,
        may_see_all=access.sees_all,
        players=[_player(seat, sees) for seat in access.seats],
        result=Outcome(**film.archive.result),
        turns=list(_turns(made)),
        moves=moves,
    )
    return former.nameless(told, former.seats_of(match.pk), _REPLAY)


def _player(seat: MatchSeat, sees: Sees) -> ReplayPlayer:
    computer = seat.kind_at_start == MatchSeat.Kind.COMPUTER
    return ReplayPlayer(
        seat=seat.number,
        name=seat.name,
        kind="computer" if computer else "person",
        level=level_of(seat.policy) if computer else None,
        base=seat.base if sees == "all" else None,
        cards=list(seat.cards) if sees == "all" else None,
    )


def _move(
    position: Position, stream: int, events: Sequence[StoredEvent], took: int | None, sees: Sees, seat: int | None
) -> ReplayMove:
    """Return a move as it is told in a replay that shows so much; ``seat`` is the viewer's."""
    known = sees == "all" or (sees == "seat" and position.by == seat)
    viewer = seat if sees == "seat" else None
    seen = [_event(event, sees, viewer) for event in events]
    return ReplayMove(
        by=position.by,
        option=position.option if known else "",
        asked=position.asked if known else "",
        does=position.does if known else "",
        took=took,
        events=seen,
        chances=position.chances if sees == "all" else [],
        changes=position.changes[stream],
    )


def _event(event: StoredEvent, sees: Sees, viewer: int | None) -> EventView:
    """Return an event as the viewer may know it; where all is shown, as the player knows it whom it is about."""
    about = event.public.player if sees == "all" else viewer
    return event.public if about is None else event.private.get(about, event.public)


def _turns(made: Sequence[Position]) -> Iterator[TurnBegins]:
    """Yield where each turn begins, as everybody could see it."""
    before = 0
    for place, position in enumerate(made):
        turn = next((_turn(change) for change in position.changes[positions.PUBLIC] if _turn(change) is not None), None)
        if turn is not None and turn > before:
            before = turn
            yield TurnBegins(turn, place)


def _turn(change: Change) -> int | None:
    """Return the number of the turn that ``change`` begins, None if it begins none."""
    if change.at == ["turn"]:
        return int(change.to)
    return int(change.to["turn"]) if not change.at and isinstance(change.to, dict) else None


def view_at(told: Replay, move: int) -> Any:
    """Return the view at ``move`` of a replay, as plain data: what a reader of the download has to do."""
    view: Any = None
    for one in told.moves[: move + 1]:
        view = applied(view, one.changes)
    return view


def written(told: Replay) -> bytes:
    """Return a replay as JSON."""
    return msgspec.json.encode(told)
