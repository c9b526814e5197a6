"""Counting an archived match, once; and counting all of them anew."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from django.db import connection
from django.db.models import F, QuerySet
from msgspec import Struct

from decks import results
from decks.lists.winning import Record
from matches.models import Archive
from matches.statistics.counting import Game, Key, counts, game_of
from matches.statistics.models import LIST, Counted, Tally
from matches.storage import database

AT_ONCE = 500
"""Rows that one statement writes."""


def handle(payload: Mapping[str, Any]) -> None:
    """Count an archived match. Outbox handler: run twice, or by two at once, it counts once."""
    archive = _archives().filter(match__public_id=payload["match"], match__counted=None).first()
    game = game_of(archive) if archive is not None else None
    if archive is None or game is None:
        return
    match_pk = archive.match_id
    database.write(lambda: _count(match_pk, game))


def _count(match_pk: int, game: Game) -> None:
    """Inside a transaction: note that the match is counted, and count it, unless that is done."""
    _, new = Counted.objects.get_or_create(match_id=match_pk)
    if not new:
        return  # who counts it at the same time has been waited for
    made = list(counts(game))
    # Everybody makes and locks rows in one order, so that no two wait for each other.
    Tally.objects.bulk_create((Tally(**key._asdict()) for key, _ in sorted(made)), ignore_conflicts=True)
    rows = {_key(row): row.pk for row in _rows_of(game, made).select_for_update().order_by("pk")}
    for won in (True, False):
        chosen = [rows[key] for key, won_it in made if won_it is won]
        Tally.objects.filter(pk__in=chosen).update(games=F("games") + 1, won=F("won") + int(won))
    results.count({key.subject: won for key, won in made if key.kind == LIST})


def _rows_of(game: Game, made: Collection[tuple[Key, bool]]) -> QuerySet[Tally]:
    """Return the rows for what ``game`` counts for, with some others."""
    subjects, against = ({getattr(key, name) for key, _ in made} for name in ("subject", "against"))
    return Tally.objects.filter(
        season=game.season, pool=game.pool, format=game.format, ranked=game.ranked,
        subject__in=subjects, against__in=against,
    )  # fmt: skip


def _key(row: Tally) -> Key:
    return Key(*(getattr(row, name) for name in Key._fields))


# -- counting anew


class Difference(Struct, frozen=True):
    """Where what is stored is not what the archives come to; each is "won of games"."""

    row: str
    stored: str
    computed: str


class Anew:
    """What archived matches come to, counted from nothing. Reads only."""

    def __init__(self) -> None:
        self.looked: set[int] = set()
        self.matches: set[int] = set()
        """Those that count, of those that were looked at."""
        self._numbers: dict[Key, list[int]] = {}

    def look(self, matches: Iterable[int]) -> None:
        """Count those of the ``matches``, by their ids, that were not looked at yet."""
        fresh = sorted({*matches} - self.looked)
        for at in range(0, len(fresh), AT_ONCE):
            for archive in _archives().filter(match__in=fresh[at : at + AT_ONCE]).prefetch_related("match__seats"):
                game = game_of(archive)
                if game is not None:
                    self._count(archive.match_id, game)
        self.looked.update(fresh)

    def _count(self, match_pk: int, game: Game) -> None:
        self.matches.add(match_pk)
        for key, won in counts(game):
            numbers = self._numbers.setdefault(key, [0, 0])
            numbers[0] += 1
            numbers[1] += won

    @property
    def tallies(self) -> dict[Key, Record]:
        """All tallies with a game."""
        return {key: Record(*numbers) for key, numbers in self._numbers.items()}

    @property
    def lists(self) -> dict[str, Record]:
        """The records of lists by content hash, whatever the season and the rest."""
        found: dict[str, Record] = {}
        for key, (games, won) in self._numbers.items():
            if key.kind == LIST:
                before = found.get(key.subject, results.NONE)
                found[key.subject] = Record(before.games + games, before.won + won)
        return found


def compared() -> tuple[int, int, list[Difference]]:
    """Count all matches that are counted anew; return how many, how many wait to be, and what is stored otherwise."""
    anew = Anew()
    anew.look(_counted())

    def look() -> list[Difference]:
        _alone()
        counted = _counted()
        anew.look(counted)
        stored = {_key(row): Record(row.games, row.won) for row in Tally.objects.all() if row.games}
        return [
            *_different("match", dict.fromkeys(counted, "counted"), dict.fromkeys(anew.matches, "counted")),
            *_different("tally", stored, anew.tallies),
            *_different("list", results.all_records(), anew.lists),
        ]

    differences = database.write(look)
    waiting = Anew()
    waiting.look(_archived() - anew.looked)
    return len(anew.matches), len(waiting.matches), differences


def count_again() -> int:
    """Store what all archives come to in the place of what is stored; return how many matches count.

    Nearly all is counted before the transaction that stores it, which lets nobody else count meanwhile.
    """
    anew = Anew()
    anew.look(_archived())

    def again() -> int:
        _alone()
        anew.look(_archived())
        Counted.objects.all().delete()
        Tally.objects.all().delete()
        Counted.objects.bulk_create((Counted(match_id=one) for one in sorted(anew.matches)), batch_size=AT_ONCE)
        rows = (Tally(**key._asdict(), games=one.games, won=one.won) for key, one in sorted(anew.tallies.items()))
        Tally.objects.bulk_create(rows, batch_size=AT_ONCE)
        results.put(anew.lists)
        return len(anew.matches)

    return database.write(again)


def _alone() -> None:
    """Let nobody count a match until the transaction ends; who is doing so is waited for.

    On SQLite a transaction has the database for itself from its beginning.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("LOCK TABLE statistics_counted IN SHARE ROW EXCLUSIVE MODE")


def _counted() -> set[int]:
    return set(Counted.objects.values_list("match_id", flat=True))


def _archived() -> set[int]:
    return set(Archive.objects.values_list("match_id", flat=True))


def _archives() -> QuerySet[Archive]:
    archives = Archive.objects.select_related("match").order_by("pk")
    return archives.defer("events", "match__saved", "match__seed", "match__standing")


def _different(kind: str, stored: Mapping[Any, Any], computed: Mapping[Any, Any]) -> Iterator[Difference]:
    for one in sorted({*stored, *computed}):
        if stored.get(one) != computed.get(one):
            yield Difference(f"{kind} {_said(one)}", _said(stored.get(one)), _said(computed.get(one)))


def _said(value: object) -> str:
    if isinstance(value, Record):
        return f"{value.won} of {value.games}"
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
