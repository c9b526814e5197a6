"""What a list of cards is like: what it costs, what it makes, how it is split. Pure; no Django."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from ccg.rules.cards.definitions import RESOURCES, CardDef, CardType, Catalog

TYPE_ORDER: tuple[CardType, ...] = ("personnel", "ship", "mission", "event", "base")
COLUMNS = (*RESOURCES, "mixed")
"""What a cost is paid with: one resource, or several."""
DEAREST = 7
"""Costs from here on share the last column of the curve."""


class CurveColumn(Struct, frozen=True):
    """Copies with one total cost, by what pays it (in the order of :data:`COLUMNS`)."""

    cost: int
    copies: tuple[int, ...]

    @property
    def total(self) -> int:
        """All copies with this cost."""
        return sum(self.copies)

    @property
    def label(self) -> str:
        """The cost as words: "3", or "7+" for the last column."""
        return f"{self.cost}+" if self.cost == DEAREST else str(self.cost)


class Balance(Struct, frozen=True):
    """One resource of a deck: how many cards make it, how much of it all cards together cost."""

    resource: str
    makers: int
    makes_share: float
    cost: int
    cost_share: float
    base_makes: bool


class Group(Struct, frozen=True):
    """The cards of one type, by name, with their counts."""

    type: CardType
    cards: tuple[tuple[int, CardDef], ...]

    @property
    def total(self) -> int:
        """All copies of this type."""
        return sum(count for count, _ in self.cards)


class Stats(Struct, frozen=True):
    """All that is told of a deck on its page."""

    groups: tuple[Group, ...]
    unknown: tuple[tuple[int, str], ...]
    withdrawn: tuple[tuple[int, CardDef], ...]
    curve: tuple[CurveColumn, ...]
    balance: tuple[Balance, ...]
    mystic: float
    threat: float
    pending: int
    size: int


def stats(
    base: str, counts: Mapping[str, int], catalog: Catalog, withdrawn: Mapping[str, CardDef] | None = None
) -> Stats:
    """Tell what the deck is like; cards that ``catalog`` does not know are only counted and named.

    Of these, those that once were in it are ``withdrawn``.
    """
    gone = withdrawn or {}
    cards = [(n, catalog[card_id]) for card_id, n in counts.items() if card_id in catalog]
    size = sum(counts.values())
    return Stats(
        groups=tuple(groups(counts, catalog)),
        unknown=tuple(
            sorted((n, card_id) for card_id, n in counts.items() if card_id not in catalog and card_id not in gone)
        ),
        withdrawn=tuple(
            sorted(
                ((counts[card_id], card) for card_id, card in gone.items() if card_id in counts),
                key=lambda item: item[1].name,
            )
        ),
        curve=tuple(_curve(cards)),
        balance=tuple(_balance(cards, known(base, catalog))),
        mystic=_mean((n, card.mystic) for n, card in cards),
        threat=_mean((n, card.threat) for n, card in cards),
        pending=sum(n for n, card in cards if card.ability_pending),
        size=size,
    )


def known(card_id: str, catalog: Catalog) -> CardDef | None:
    """Return the card with this id, or None."""
    return catalog[card_id] if card_id in catalog else None  # noqa: SIM401 (a catalogue is no dict)


def groups(counts: Mapping[str, int], catalog: Catalog) -> Iterable[Group]:
    """Return the cards by type, each group by cost and name; types without a card are left out."""
    for kind in TYPE_ORDER:
        cards = [(n, catalog[card]) for card, n in counts.items() if card in catalog and catalog[card].type == kind]
        if cards:
            yield Group(kind, tuple(sorted(cards, key=lambda item: (sum(item[1].cost), item[1].name))))


def _curve(cards: list[tuple[int, CardDef]]) -> Iterable[CurveColumn]:
    table = [[0] * len(COLUMNS) for _ in range(DEAREST + 1)]
    for count, card in cards:
        paid = [place for place, amount in enumerate(card.cost) if amount]
        if paid:
            table[min(sum(card.cost), DEAREST)][paid[0] if len(paid) == 1 else len(RESOURCES)] += count
    last = max((cost for cost, row in enumerate(table) if any(row)), default=0)
    return [CurveColumn(cost, tuple(table[cost])) for cost in range(1, max(last, 6) + 1)]


def _balance(cards: list[tuple[int, CardDef]], base: CardDef | None) -> Iterable[Balance]:
    makers = {resource: sum(n for n, card in cards if card.produces == resource) for resource in RESOURCES}
    costs = {resource: sum(n * card.cost[place] for n, card in cards) for place, resource in enumerate(RESOURCES)}
    for resource in RESOURCES:
        base_makes = base is not None and base.produces == resource
        if makers[resource] or costs[resource] or base_makes:
            yield Balance(
                resource=resource,
                makers=makers[resource],
                makes_share=makers[resource] / (sum(makers.values()) or 1),
                cost=costs[resource],
                cost_share=costs[resource] / (sum(costs.values()) or 1),
                base_makes=base_makes,
            )


def _mean(values: Iterable[tuple[int, int | None]]) -> float:
    known = [(n, value) for n, value in values if value is not None]
    copies = sum(n for n, _ in known)
    return sum(n * value for n, value in known) / copies if copies else 0.0
