"""What the front page shows of the site: matches to watch, tables to sit down at, new decks, who leads the ladder.

Each part is what the page behind its heading shows to whoever asks, and as little of it as is shown. What is the same
for everybody and takes the most to find out, matches and the ladder, each process remembers for some seconds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from itertools import chain, islice
from typing import Any

from django.utils import timezone
from msgspec import Struct

from cards_data import catalog
from ccg.rules.cards.definitions import CardDef, Catalog
from decks.lists.stats import Balance, groups, known, stats
from decks.models import Deck
from matches.lessons import files as lessons
from matches.lobby import live
from matches.lobby.live import LivePlayer, LiveTable
from matches.pairing import tables as open_tables
from matches.ratings import ladders
from matches.ratings.pools import USUAL
from matches.ratings.skills import season_name, season_of

LIVE_SHOWN = DECKS_SHOWN = CARDS_SHOWN = 3
PLACES_SHOWN = 6

KEPT_FOR = 5.0
"""Seconds for which matches and the ladder are remembered."""

_kept: dict[str, tuple[float, Any]] = {}


class Seated(Struct, frozen=True):
    """A player of a match to watch, and the name of their base."""

    player: LivePlayer
    base: str


class Live(Struct, frozen=True):
    """A match to watch: its first two players, and how many more there are."""

    table: LiveTable
    seats: list[Seated]
    more: int


class NewDeck(Struct, frozen=True):
    """A public deck: its base, three cards that it is known by, and which resources it makes most of."""

    deck: Deck
    base: CardDef | None
    cards: list[CardDef]
    makes: list[Balance]


class Place(Struct, frozen=True):
    """Somebody on the ladder, and what their last match has changed."""

    number: int
    row: ladders.Row
    change: int


def parts(viewer: Any) -> dict[str, object]:
    """Return what the front page shows ``viewer`` of the site, as its template names it."""
    cards = catalog.current()
    season = season_of(timezone.now())
    waiting = open_tables.listed(viewer, own=False)
    return {
        "live": [_live(table, cards) for table in _remembered("tables", lambda: live.tables(LIVE_SHOWN))],
        "live_count": _remembered("count", lambda: live.running().count()),
        "waiting_tables": waiting,
        "waiting_table": waiting[0] if len(waiting) == 1 else None,
        "new_decks": [_new_deck(deck, cards) for deck in _newest()],
        "places": _remembered("places", lambda: list(_places(season))),
        "season": season_name(season),
        "lessons": len(lessons.LESSONS),
        "first_lesson": lessons.lesson(lessons.LESSONS[0]),
    }


def forget() -> None:
    """Remember nothing."""
    _kept.clear()


def _remembered(name: str, find_out: Callable[[], Any]) -> Any:
    """Return what ``find_out`` returned last, or returns now if that was too long ago."""
    until, told = _kept.get(name, (0.0, None))
    now = time.monotonic()
    if now >= until:
        told = find_out()
        _kept[name] = (now + KEPT_FOR, told)
    return told


def _live(table: LiveTable, cards: Catalog) -> Live:
    seats = [Seated(player, _name_of(player.base, cards)) for player in table.players[:2]]
    return Live(table, seats, len(table.players) - len(seats))


def _name_of(card_id: str, cards: Catalog) -> str:
    card = known(card_id, cards)
    return card.name if card else ""


def _newest() -> Any:
    """Return the public decks that were made last and can be played."""
    return Deck.objects.listed().with_head().filter(head__legal=True).order_by("-created", "-id")[:DECKS_SHOWN]


def _new_deck(deck: Deck, cards: Catalog) -> NewDeck:
    assert deck.head is not None
    told = stats(deck.head.base, deck.head.counts, cards)
    makes = sorted((one for one in told.balance if one.makers), key=lambda one: -one.makers)
    return NewDeck(deck, known(deck.head.base, cards), _known_by(deck.head.counts, cards), makes)


def _known_by(counts: Mapping[str, int], cards: Catalog) -> list[CardDef]:
    """Return the cards that stand for a list: of each type that with most copies, then the next of each."""
    by_type = [[card for _, card in sorted(group.cards, key=lambda item: -item[0])] for group in groups(counts, cards)]
    return list(islice(chain.from_iterable(_in_turn(by_type)), CARDS_SHOWN))


def _in_turn(by_type: list[list[CardDef]]) -> Iterator[list[CardDef]]:
    for place in range(CARDS_SHOWN):
        yield [of_type[place] for of_type in by_type if place < len(of_type)]


def _places(season: int) -> Iterator[Place]:
    for number, change in enumerate(ladders.ladder(USUAL, season)[:PLACES_SHOWN], 1):
        yield Place(number, ladders.row_of(change, USUAL), change.points)
