"""What a viewer is shown of a match: the one place where messages about a game are made.

:func:`read` takes from the database what is needed, :func:`table` builds the message from it; sockets,
the API and tests all go through these two. The engine's view and ``stored_events.seen_by`` decide what is
known to whom; nothing is added here that depends on what is hidden.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Literal

from django.utils import timezone
from msgspec import Struct

from ccg.rules import Catalog, Game
from ccg.rules.decoding import Decoder
from matches.clocks import manners, showing, site_time
from matches.clocks import standing as standings
from matches.clocks.at import At
from matches.clocks.presence import PRESENT_FOR
from matches.clocks.tempo import UNTIMED, Tempo
from matches.lessons import script
from matches.models import Match, MatchSeat, Move
from matches.players import level_of
from matches.playing import match_cache
from matches.protocol.messages import Happened, Person, Table, Why, encode
from matches.seats import former
from matches.storage import stored_events
from matches.storage.seat_sets import seats_of
from matches.watching import delay

EVENTS_AT_ONCE = 200
"""Moves whose events are sent in one message; who wants to know of more than that gets the latest."""

SEAT_SEEN = ("number", "kind", "seen")
SeatSeen = tuple[int, str, datetime | None]
"""When there was a sign of life of a seat, as it is read."""

KEPT_FOR = 500
"""Milliseconds for which a table with clocks is good as it was written."""

MOST_WRITTEN = 128
"""Tables for spectators that are kept as they were sent."""

_TABLE = Decoder(Table)
_written: OrderedDict[tuple[Any, ...], str] = OrderedDict()


class Snapshot(Struct, frozen=True):
    """A table as one viewer may look at it: what was read or remembered, and what :func:`table` needs."""

    match_id: str
    version: int
    viewer: int | None
    people: list[Person]
    present: list[int]
    rematch: str | None
    game: Game | None
    saved: bytes
    catalog: Catalog
    since: int
    packed: list[tuple[int, bytes]]
    lesson: str = ""
    rated: bool = False
    tempo: Tempo = UNTIMED
    standing: bytes = b""
    computers: frozenset[int] = frozenset()
    former: frozenset[int] = frozenset()
    """Seats whose people have deleted their accounts."""


def read(match_id: str, user_id: int | None, since: int | None) -> Snapshot | Literal["open"] | None:
    """Read the table for somebody; None if there is none for them, "open" if it has not begun.

    ``since`` is the version after which events are wanted (None, or too long ago: the latest ones).
    """
    first = Match.objects.filter(public_id=match_id).values_list("version", "rematch__public_id", "players", "standing")
    seen = first.first()
    if seen is None:
        return None
    version, rematch, players, stands = seen
    facts = match_cache.facts_of(match_id, standings.read(bytes(stands), players, version).seated)
    if facts is None or not facts.is_shown_to(user_id):
        return None
    viewer = facts.seat_of(user_id)
    if not facts.begun:
        return "open"
    version, game, saved, standing = _shown_state(match_id, facts, viewer, version)
    oldest = max(0, version - EVENTS_AT_ONCE)
    start = oldest if since is None or since > version else max(since, oldest)
    moves = Move.objects.filter(match=facts.pk, seq__gt=start, seq__lte=version).order_by("seq")
    return Snapshot(
        match_id=match_id,
        version=version,
        viewer=viewer,
        people=people(facts),
        present=present(MatchSeat.objects.filter(match=facts.pk).values_list(*SEAT_SEEN)),
        rematch=rematch,
        game=game,
        saved=saved,
        catalog=match_cache.catalog_of(facts.catalog),
        since=start,
        packed=[(seq, bytes(events)) for seq, events in moves.values_list("seq", "events")] if start < version else [],
        lesson=facts.lesson,
        rated=facts.rated,
        tempo=facts.tempo,
        standing=standing,
        computers=facts.computers,
        former=former.seats_of(facts.pk),
    )


def _shown_state(
    match_id: str, facts: match_cache.Facts, viewer: int | None, newest: int
) -> tuple[int, Game | None, bytes, bytes]:
    """Return the version that ``viewer`` is shown, its game or its saved state, and what stands at the table."""
    behind = delay.watched(facts.pk, facts.delay) if viewer is None else None
    if behind is not None and behind.version != newest:
        # What stands at the table besides the game, clocks and offers, is that of the newest version.
        return behind.version, match_cache.game_at(match_id, behind.version), bytes(behind.saved), b""
    held = match_cache.cached_at(match_id, newest)
    if held is not None:
        return newest, held.game, b"", held.standing
    # The match may have gone on since the first query: what counts is what this one says.
    row = Match.objects.filter(pk=facts.pk).values_list("version", "saved", "standing")
    version, saved, standing = row.get()
    if behind is not None and behind.version != version:
        return behind.version, None, bytes(behind.saved), b""
    return version, None, bytes(saved), bytes(standing)


def from_cache(match_id: str, user_id: int | None, since: int, version: int, present: list[int]) -> Snapshot | None:
    """Return the table at ``version`` from what this process has just stored itself, without the database.

    None if it does not remember all of that; then it has to be read. So it is from when somebody is out of the game, or
    has left their seat to another: whoever deletes their account concedes first, or had no seat any more, and only the
    database knows whose name is to be told no more. ``present`` is who was there last.
    """
    held = match_cache.cached_at(match_id, version)
    packed = held.events_since(since) if held is not None else None
    if held is None or packed is None or any(player.lost for player in held.game.engine.state.players):
        return None
    facts = match_cache.cached_facts(match_id)
    if facts is None or (facts.delay and facts.seat_of(user_id) is None):
        return None
    if facts.seated or standings.read(held.standing, facts.players, version).seated:
        return None
    return Snapshot(
        match_id=match_id,
        version=version,
        viewer=facts.seat_of(user_id),
        people=people(facts),
        present=present,
        rematch=None,
        game=held.game,
        saved=b"",
        catalog=held.game.engine.catalog,
        since=since,
        packed=packed,
        lesson=facts.lesson,
        rated=facts.rated,
        tempo=facts.tempo,
        standing=held.standing,
        computers=facts.computers,
    )


def current_game(match: Match) -> tuple[int, Game, Catalog]:
    """Return a running match's version, game and card data as ``match`` was read. Raises ``ccg.rules.StateError``."""
    catalog = match_cache.catalog_of(match.catalog)
    game = match_cache.game_at(match.public_id, match.version) or Game.load(bytes(match.saved), catalog)
    return match.version, game, catalog


def game_of(snapshot: Snapshot) -> Game:
    """Return the game that was read, and keep it for the next who looks. Raises ``ccg.rules.StateError``."""
    if snapshot.game is not None:
        return snapshot.game
    game = Game.load(snapshot.saved, snapshot.catalog)
    match_cache.remember(snapshot.match_id, snapshot.version, game, snapshot.standing)
    return game


def table(snapshot: Snapshot) -> Table:
    """Build the message that shows the table to its viewer. Computes only; raises ``ccg.rules.StateError``."""
    game, viewer = game_of(snapshot), snapshot.viewer
    at = _at(snapshot, game)
    message = Table(
        match=snapshot.match_id,
        version=snapshot.version,
        since=snapshot.since,
        you=snapshot.viewer,
        people=snapshot.people,
        view=game.view(snapshot.viewer),
        events=[Happened(version=seq, events=stored_events.seen_by(packed, viewer)) for seq, packed in snapshot.packed],
        over=game.result is not None,
        present=snapshot.present,
        rematch=snapshot.rematch,
        lesson=script.position_of(snapshot.lesson, game) if snapshot.lesson else None,
        clocks=showing.clocks(at.standing, snapshot.tempo, at.now),
        offers=showing.offers(at.standing),
        may_offer=manners.may_offer(at) if viewer is not None and not snapshot.lesson else [],
        free=list(seats_of(at.standing.free)),
    )
    return former.nameless(message, snapshot.former, _TABLE)


def _at(snapshot: Snapshot, game: Game) -> At:
    """Return the table as something would be done there."""
    return At(
        game=game,
        standing=standings.read(snapshot.standing, len(snapshot.people), snapshot.version),
        version=snapshot.version,
        seat=snapshot.viewer if snapshot.viewer is not None else 0,
        names=tuple(person.name for person in snapshot.people),
        tempo=snapshot.tempo,
        people=frozenset(range(len(snapshot.people))) - snapshot.computers,
        computers=snapshot.computers,
        now=site_time.about_now() if snapshot.tempo.timed else 0,
        rated=snapshot.rated,
    )


def written(snapshot: Snapshot) -> str:
    """Return :func:`table` as it goes over the socket. All who only look on share it."""
    if snapshot.viewer is not None:
        return encode(table(snapshot))
    key = (
        snapshot.match_id,
        snapshot.version,
        snapshot.since,
        tuple(snapshot.present),
        snapshot.rematch,
        snapshot.former,
        site_time.about_now() // KEPT_FOR if snapshot.tempo.timed else 0,
    )
    text = _written.get(key)
    if text is None:
        text = _written[key] = encode(table(snapshot))
        while len(_written) > MOST_WRITTEN:
            _written.popitem(last=False)
    return text


def why(snapshot: Snapshot) -> Why:
    """Build the message that tells a seated viewer why not. Computes only; raises ``ccg.rules.StateError``."""
    assert snapshot.viewer is not None
    return Why(version=snapshot.version, uses=game_of(snapshot).reasons(snapshot.viewer))


def present(seats: Iterable[SeatSeen]) -> list[int]:
    """Return the seats at which somebody is now; computers always are."""
    since = timezone.now() - PRESENT_FOR
    return sorted(
        number for number, kind, seen in seats if kind == MatchSeat.Kind.COMPUTER or (seen is not None and seen > since)
    )


def people(facts: match_cache.Facts) -> list[Person]:
    """Return who sits at the table."""
    return [_person(seat) for seat in facts.seats]


def _person(seat: match_cache.SeatFacts) -> Person:
    if seat.kind == MatchSeat.Kind.COMPUTER:
        level = level_of(seat.policy)
        return Person(seat=seat.number, name=seat.name, kind="computer", level=level, stand_in=seat.stand_in)
    return Person(seat=seat.number, name=seat.name, kind="person", level=None, stand_in=seat.stand_in)
