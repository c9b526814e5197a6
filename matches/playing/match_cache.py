"""A cache of matches in this process, so that they need not be read again.

All of it only repeats what is in the database. Facts of a match that has begun never change. A game is
remembered at one version, put here after the commit that made it, and the condition on the version in the
transaction of the next move is what makes using it safe. Games in here are never changed; whoever wants to
choose makes a copy first.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Sequence
from functools import lru_cache

from msgspec import Struct

from cards_data import catalog as card_data
from ccg.rules import Catalog, Game
from matches.clocks import standing as standings
from matches.clocks import tempo
from matches.clocks.tempo import Tempo
from matches.models import Match, MatchSeat
from matches.playing import statements

MOST_MATCHES = 1024
"""Matches that a process remembers; one is some tens of kilobytes."""

MOST_OVER = 32
"""Of how many matches that are over: whoever played them looks at the end for a while, and hardly anybody later."""

MOST_VERSIONS = 8
"""How many versions back the events of a match are remembered: enough for sockets that are a bit late."""

VERSIONS_READ = 2
"""How many versions back the events are read of a match that another process has moved on."""

MOST_GONE_BACK_IN, EARLIER_OF_ONE = 256, 8
"""Of how many matches earlier games are remembered, and how many of each, or one for each of more seats.

They are kept as they are saved: the collector of a process looks at all its objects, and hardly one of these games is
ever gone back to."""

Events = Sequence[tuple[int, bytes]]
"""Versions with what happened, packed."""


class SeatFacts(Struct, frozen=True):
    """Who sits where."""

    pk: int
    number: int
    kind: str
    user_id: int | None
    name: str
    policy: str
    stand_in: str = ""


class Facts(Struct, frozen=True):
    """What never changes about a match once it has begun, but for who sits where at a table of three and more.

    There somebody may play on for whoever has left. ``seated`` is the version of the last time that this has happened:
    whoever has read what stands at the table (``matches.clocks.standing``) compares it.
    """

    pk: int
    begun: bool
    players: int
    catalog: str
    watchable: bool
    lesson: str
    rated: bool
    delay: int
    tempo: Tempo
    seats: tuple[SeatFacts, ...]
    seated: int = 0

    def seat(self, user_id: int | None) -> SeatFacts | None:
        """Return the seat of this person, None for whoever has none."""
        return next((seat for seat in self.seats if user_id is not None and seat.user_id == user_id), None)

    def seat_of(self, user_id: int | None) -> int | None:
        """Return the number of this person's seat, None for whoever has none."""
        seat = self.seat(user_id)
        return seat.number if seat is not None else None

    def is_shown_to(self, user_id: int | None) -> bool:
        """Return whether this person (None: a visitor) may see the table: who has a seat, or looks on where one may."""
        return self.watchable or self.seat(user_id) is not None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of those who sat down, by seat."""
        return tuple(seat.name for seat in self.seats)

    @property
    def people(self) -> frozenset[int]:
        """The seats of people."""
        return frozenset(seat.number for seat in self.seats if seat.kind == MatchSeat.Kind.PERSON)

    @property
    def computers(self) -> frozenset[int]:
        """The seats of computers."""
        return frozenset(seat.number for seat in self.seats if seat.kind == MatchSeat.Kind.COMPUTER)


class CachedGame(Struct, frozen=True):
    """A game at a version, with the packed events of the last versions up to it."""

    version: int
    game: Game
    standing: bytes = b""
    events: tuple[tuple[int, bytes], ...] = ()

    def events_since(self, version: int) -> list[tuple[int, bytes]] | None:
        """Return the packed events after ``version``, or None if they are not all remembered."""
        events = [(seq, packed) for seq, packed in self.events if seq > version]
        return events if len(events) == self.version - version else None


_lock = threading.Lock()
_games: OrderedDict[str, CachedGame] = OrderedDict()
_over: OrderedDict[str, None] = OrderedDict()
_facts: OrderedDict[str, Facts] = OrderedDict()
_earlier: OrderedDict[str, dict[int, bytes]] = OrderedDict()


def facts_of(match_id: str, seated: int | None = None) -> Facts | None:
    """Return the facts of a match, remembered or read; None if there is no such match.

    What is remembered is good for a table of two, and for one at which the last who took another's seat did so at the
    version ``seated``.
    """
    remembered = cached_facts(match_id)
    if remembered is not None and (remembered.players == 2 or remembered.seated == seated):
        return remembered
    fields = ("pk", "players", "catalog", "watchable", "lesson", "rated", "delay", "tempo")
    # What stands is read before the seats: who sits down between the two is read again next time, and not missed.
    match = Match.objects.filter(public_id=match_id).values(*fields, "standing", "version").first()
    if match is None:
        return None
    stands = standings.read(bytes(match.pop("standing")), match["players"], match.pop("version"))
    seats = MatchSeat.objects.filter(match=match["pk"]).order_by("number")
    seat_facts = tuple(
        SeatFacts(*row) for row in seats.values_list("pk", "number", "kind", "user_id", "name", "policy", "stand_in")
    )
    match["tempo"] = tempo.read(match["tempo"])
    facts = Facts(begun=bool(match["catalog"]), seats=seat_facts, seated=stands.seated, **match)
    if facts.begun:
        with _lock:
            _facts[match_id] = facts
            while len(_facts) > MOST_MATCHES:
                _facts.popitem(last=False)
    return facts


def cached_facts(match_id: str) -> Facts | None:
    """Return the facts of a match if they are remembered."""
    with _lock:
        if match_id in _facts:
            _facts.move_to_end(match_id)
        return _facts.get(match_id)


def remember(match_id: str, version: int, game: Game, standing: bytes, events: Events = ()) -> None:
    """Remember the game and what else stands at this version, and what happened last, unless a newer one is known."""
    with _lock:
        held = _games.get(match_id)
        if held is not None and held.version > version:
            return
        if held is not None and events and events[0][0] <= held.version + 1:
            events = tuple(sorted(dict(held.events + tuple(events)).items()))[-MOST_VERSIONS:]
        _games[match_id] = CachedGame(version, game, standing, tuple(events))
        _games.move_to_end(match_id)
        if game.result is not None:
            _forget_as_over(match_id)
        while len(_games) > MOST_MATCHES:
            _games.popitem(last=False)


def _forget_as_over(match_id: str) -> None:
    """Forget the earlier games of a match that is over, and whichever was over first of too many."""
    _earlier.pop(match_id, None)
    _over[match_id] = None
    while len(_over) > MOST_OVER:
        gone, _ = _over.popitem(last=False)
        _games.pop(gone, None)


def learn(matches: Sequence[str]) -> None:
    """Read the present versions of these matches and their last events, after another process has stored moves."""
    for news in statements.read_news(matches, VERSIONS_READ):
        facts = cached_facts(news.match_id) or facts_of(news.match_id)
        if facts is not None and cached_at(news.match_id, news.version) is None:
            game = Game.load(news.saved, catalog_of(facts.catalog))
            remember(news.match_id, news.version, game, news.standing, news.events)


def game_at(match_id: str, version: int) -> Game | None:
    """Return the game at exactly this version if this process has it."""
    held = cached_at(match_id, version)
    return held.game if held is not None else None


def newest(match_id: str) -> CachedGame | None:
    """Return the cached game of the match, at whatever version this process last knew it."""
    with _lock:
        return _games.get(match_id)


def cached_at(match_id: str, version: int) -> CachedGame | None:
    """Return the cached game of the match if it is at exactly this version."""
    with _lock:
        held = _games.get(match_id)
        if held is None or held.version != version:
            return None
        _games.move_to_end(match_id)
        return held


def remember_earlier(match_id: str, version: int, saved: bytes, wanted: Collection[int] = ()) -> None:
    """Remember the game, as it is saved, on which a player begins a move, for a takeback of it.

    ``wanted`` are the versions to which the takebacks would go that can be asked for now: these are kept. Of others so
    many are that the way from one to the next is short beside the way back to it.
    """
    with _lock:
        games = _earlier.setdefault(match_id, {})
        games[version] = saved
        while len(games) > EARLIER_OF_ONE and (gone := _least_missed(sorted(games), wanted)) is not None:
            del games[gone]
        _earlier.move_to_end(match_id)
        while len(_earlier) > MOST_GONE_BACK_IN:
            _earlier.popitem(last=False)


def _least_missed(versions: Sequence[int], wanted: Collection[int]) -> int | None:
    """Return the version without which the ways to the others, and to it, are shortest for how far back they lead."""
    newest = versions[-1]
    around = zip((0, *versions), versions, versions[1:], strict=False)
    ways = {at: (after - before) / (newest - before) for before, at, after in around if at not in wanted}
    return min(ways, key=lambda at: ways[at], default=None)


def earlier_games(match_id: str) -> dict[int, bytes]:
    """Return the earlier games that this process has, as they are saved, by version.

    Whoever uses one looks at its digest.
    """
    with _lock:
        return dict(_earlier.get(match_id, {}))


def clear() -> None:
    """Forget everything (for tests: as if the process had been killed)."""
    with _lock:
        _games.clear()
        _over.clear()
        _facts.clear()
        _earlier.clear()


@lru_cache(maxsize=8)
def catalog_of(fingerprint: str) -> Catalog:
    """Return the card data that a match is played with; raises ``cards_data.catalog.UnknownVersion``.

    The fingerprint is a hash of the cards, so what was found for it once is right for ever.
    """
    return card_data.with_fingerprint(fingerprint).catalog
