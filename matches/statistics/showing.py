"""What pages and programs are told of the statistics: sums of tallies, never of matches.

Tallies are few: as many as there are bases or cards, times seasons, pools and formats, however much is played. Of
bases, cards and pairs of bases nothing is told before there are :data:`SHOWN_FROM` games, whoever played them: fewer
say nothing, and what only one deck plays that is not public does not show at once. Of lists only those are told that
are public now, by games that were so then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any

from django.db.models import QuerySet, Sum
from django.urls import reverse
from msgspec import Meta, Struct

from cards_data import catalog
from ccg.rules.cards.definitions import CardDef
from decks.lists.winning import Record
from decks.models import Deck, DeckVersion, Format
from matches.ratings.pools import POOLS
from matches.ratings.skills import season_name
from matches.statistics.models import BASE, CARD, LIST, MATCHUP, Tally

SHOWN_FROM = 10
"""Games that a base, a card or a pair of bases needs before anything is told of it."""
FEW = 30
"""With fewer games than that, numbers are marked: the interval is some 35 percent points wide."""
LISTS = 400
"""Lists that are told of: those that were played most."""

SHOWS = {"bases": BASE, "matchups": MATCHUP, "cards": CARD, "decks": LIST}
"""What can be asked for, and the tallies that are told."""
PLAYED = {"ranked": True, "casual": False}
SORTS = ("games", "winrate", "least", "name")


class Filters(Struct, frozen=True):
    """Which matches are asked for; None: all."""

    season: int | None = None
    format: str | None = None
    pool: str | None = None
    ranked: bool | None = None

    def of(self, tallies: QuerySet[Tally]) -> QuerySet[Tally]:
        """Return those of ``tallies`` that are asked for."""
        asked = {name: getattr(self, name) for name in self.__struct_fields__}
        return tallies.filter(**{name: value for name, value in asked.items() if value is not None})


class Row(Struct, frozen=True):
    """How often something wins."""

    id: Annotated[str, Meta(description="Of the card or base; of a deck its uid, with @ and the version.")]
    name: str
    against: Annotated[str, Meta(description="Of a pair of bases the other one's id; otherwise empty.")]
    against_name: str
    games: Annotated[int, Meta(description="How many games these numbers speak of.")]
    won: int
    winrate: Annotated[int, Meta(description="How many of a hundred it won.")]
    least: Annotated[int, Meta(description="The percentage that it wins at least, with 95 % certainty (Wilson).")]
    most: Annotated[int, Meta(description="The percentage that it wins at most, with 95 % certainty (Wilson).")]
    few: Annotated[bool, Meta(description=f"Whether there are so few games, under {FEW}, that they say little.")]
    url: Annotated[str, Meta(description="The path of its page; empty for a card that is no longer there.")]


class Choices(Struct, frozen=True):
    """What there is to choose from, as code and name, the newest season first."""

    seasons: list[tuple[int, str]]
    formats: list[tuple[str, str]]
    pools: list[tuple[str, str]]


def choices(show: str) -> Choices:
    """Return the seasons, formats and pools of which there are games of ``show``, one of :data:`SHOWS`."""
    seasons, formats, pools = (
        set(Tally.objects.filter(kind=SHOWS[show]).values_list(name, flat=True).distinct())
        for name in ("season", "format", "pool")
    )
    return Choices(
        seasons=[(one, season_name(one)) for one in sorted(seasons, reverse=True)],
        formats=[(one.code, one.name) for one in Format.objects.all() if one.code in formats],
        pools=[(code, pool.name) for code, pool in POOLS.items() if code in pools],
    )


def rows(show: str, filters: Filters, *, sort: str = "games", base: str = "") -> list[Row]:
    """Return what is told of ``show`` (one of :data:`SHOWS`), the most first, or by name.

    Pairs of bases are told once, from the side of the one that wins more; with ``base``, from the side of that one.
    """
    kind = SHOWS[show]
    tallies = filters.of(Tally.objects.filter(kind=kind))
    if base:
        tallies = tallies.filter(subject=base)
    sums = tallies.values("subject", "against").annotate(all_games=Sum("games"), all_won=Sum("won"))
    if kind == LIST:
        found = _of_lists(sums.order_by("-all_games", "subject")[:LISTS])
    else:
        found = _of_cards(sums.filter(all_games__gte=SHOWN_FROM))
    if kind == MATCHUP and not base:
        found = _once(found)
    return sorted(found, key=_ORDERS[sort])


def base_of(text: str) -> str:
    """Return ``text`` if it is the id of a base, else ""."""
    cards = catalog.current()
    return text if text in cards and cards[text].type == "base" else ""


def on_card_page(card: CardDef) -> Mapping[str, object]:
    """Return how often decks with ``card`` win; for a base, that base. Nothing while there are too few games."""
    kind = BASE if card.type == "base" else CARD
    sums = Tally.objects.filter(kind=kind, subject=card.id).aggregate(games=Sum("games"), won=Sum("won"))
    games, won = sums["games"] or 0, sums["won"] or 0
    if games < SHOWN_FROM:
        return {}
    return {"record": Record(games, won), "few": games < FEW, "card": card, "is_base": kind == BASE}


_ORDERS: dict[str, Callable[[Row], Any]] = {
    "games": lambda row: (-row.games, row.name, row.against_name, row.id),
    "winrate": lambda row: (-row.won / row.games, -row.games, row.name, row.id),
    "least": lambda row: (-row.least, -row.games, row.name, row.id),
    "name": lambda row: (row.name, row.against_name, row.id),
}


def _of_cards(sums: Iterable[Mapping[str, Any]]) -> list[Row]:
    cards = catalog.current()

    def name(card_id: str) -> str:
        return cards[card_id].name if card_id in cards else card_id

    def url(card_id: str) -> str:
        return reverse("cards_data:card", args=[card_id]) if card_id in cards else ""

    return [
        _row(one, one["subject"], name(one["subject"]), url(one["subject"]), name(one["against"])) for one in sums
    ]  # fmt: skip


def _of_lists(sums: Iterable[Mapping[str, Any]]) -> list[Row]:
    """Return the rows of those lists that are public now, each as the oldest public deck that has it."""
    by_list = {one["subject"]: one for one in sums}
    public = DeckVersion.objects.filter(content_hash__in=by_list, deck__visibility=Deck.Visibility.PUBLIC)
    shown: dict[str, DeckVersion] = {}
    for version in public.select_related("deck").order_by("deck_id", "-number"):
        shown.setdefault(version.content_hash, version)
    found = []
    for list_hash, version in shown.items():
        deck = version.deck
        newest = version.pk == deck.head_id
        name = deck.name if newest else f"{deck.name}, version {version.number}"
        url = deck.get_absolute_url() if newest else reverse("decks:version", args=[deck.uid, version.number])
        found.append(_row(by_list[list_hash], f"{deck.uid}@{version.number}", name, url))
    return found


def _row(sums: Mapping[str, Any], known_as: str, name: str, url: str, against_name: str = "") -> Row:
    record = Record(sums["all_games"], sums["all_won"])
    return Row(
        id=known_as,
        name=name,
        against=sums["against"],
        against_name=against_name,
        games=record.games,
        won=record.won,
        winrate=record.winrate or 0,
        least=record.least,
        most=record.most,
        few=record.games < FEW,
        url=url,
    )


def _once(pairs: Iterable[Row]) -> list[Row]:
    """Return each pair of bases once: from the side that wins more, or comes first by name."""
    best: dict[frozenset[str], Row] = {}
    for row in sorted(pairs, key=lambda row: (-row.won, row.name, row.id)):
        best.setdefault(frozenset((row.id, row.against)), row)
    return list(best.values())
