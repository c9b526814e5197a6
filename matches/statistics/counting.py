"""Which archived matches say something of what was played in them, and what each of them counts for.

Everything here follows from the archive and from what is settled when a match begins. So a match counts for the same
whenever it is counted, and whatever has become of its players since.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct

from matches.models import ENDED_BY_SITE, Archive, MatchSeat
from matches.playing.archive import read_record
from matches.ratings.pools import pool_of
from matches.ratings.skills import season_of
from matches.seats.rated import nobody_came
from matches.statistics.models import BASE, CARD, LIST, MATCHUP

NEVER_RANKED = frozenset({"", "casual", "computer", "guest", "lesson", "same_people"})
"""Why a match was not rated from its beginning; other reasons come up after it was played for a rating."""

BY_FAULT = f"concede {ENDED_BY_SITE}"
"""The move in the record of a match that whoever runs the site has ended, as nothing was left that could be chosen."""


class Key(NamedTuple):
    """Which tally: the columns of :class:`~matches.statistics.models.Tally` that make it one."""

    kind: str
    subject: str
    against: str
    season: int
    pool: str
    format: str
    ranked: bool


class Side(Struct, frozen=True):
    """What one of the two players had, and whether they won; ``shown`` is whether everybody could see the list."""

    base: str
    list_hash: str
    cards: frozenset[str]
    shown: bool
    won: bool


class Game(Struct, frozen=True):
    """A match that counts."""

    season: int
    pool: str
    format: str
    ranked: bool
    sides: tuple[Side, Side]


def game_of(archive: Archive) -> Game | None:
    """Return what an archived match counts as; None for one that says nothing.

    Those are matches with a computer, lessons, tables of three and more (each player wins fewer of them), what was
    ended by a fault of ours, and what nobody came to.
    """
    match = archive.match
    seats = sorted(match.seats.all(), key=lambda seat: seat.number)
    if len(seats) != 2 or match.lesson or any(seat.kind != MatchSeat.Kind.PERSON for seat in seats):
        return None
    if nobody_came(match):
        return None
    record = read_record(archive)
    if any(made.move == BY_FAULT for made in record.moves):
        return None
    winners = archive.result["winners"]
    first, second = (
        Side(
            base=taken.base,
            list_hash=seat.deck_version,
            cards=frozenset(taken.deck),
            shown=seat.deck_public,
            won=winners == [seat.number],
        )
        for seat, taken in zip(seats, record.seats, strict=True)
    )
    formats = {seat.deck_format for seat in seats}
    return Game(
        season=season_of(match.finished or archive.created),
        pool=pool_of(match).code,
        format=formats.pop() if len(formats) == 1 else "",
        ranked=match.rated or match.unrated_why not in NEVER_RANKED,
        sides=(first, second),
    )


def counts(game: Game) -> Iterator[tuple[Key, bool]]:
    """Yield every tally that a match counts for, once each, and whether it is a win there.

    What both sides have says nothing of what it is worth, be it the list, the base or a card: it does not count.
    """
    for own, other in (game.sides, game.sides[::-1]):
        alike = (game.season, game.pool, game.format, game.ranked)
        if own.shown and own.list_hash and own.list_hash != other.list_hash:
            yield Key(LIST, own.list_hash, "", *alike), own.won
        if own.base != other.base:
            yield Key(BASE, own.base, "", *alike), own.won
            yield Key(MATCHUP, own.base, other.base, *alike), own.won
        for card in own.cards - other.cards:
            yield Key(CARD, card, "", *alike), own.won
