"""What the search for cards can ask of formats and decks: ``legal:``, ``banned:`` and ``with:``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date

from django.utils import timezone

from cards_data.catalog import CardData
from cards_data.search import known
from ccg.rules.cards.definitions import CardDef
from decks import formats, owning
from decks.lists.legality import FormatRules, rules_on
from decks.models import Deck, Format

NOW = "now"
"""The word for any format of today."""
DECKS_ASKED = 500
"""Public decks that ``with:`` looks into, the last changed first: each search that asks reads them."""


def register() -> None:
    """Let the search for cards ask all of it."""
    known.register("legal", lambda data: _by_format(data, may_be_played))
    known.register("banned", lambda data: _by_format(data, lambda rules, card: card.id in rules.banned))
    known.register("with", lambda data: Companions())
    known.register_counts("owned", owning.owned_by)


def may_be_played(rules: FormatRules, card: CardDef) -> bool:
    """Return whether a deck of the format may have ``card`` at all."""
    return rules.allows(card) and card.id not in rules.banned and rules.limit(card.id) > 0


def _by_format(
    data: CardData, holds: Callable[[FormatRules, CardDef], bool], day: date | None = None
) -> dict[str, set[str]]:
    """Return the cards of which something holds today (or on ``day``), by format and in any; none out of its time.

    Formats can be named by their short words as well (:func:`decks.formats.short_words`).
    """
    formats.standard()
    groups: dict[str, set[str]] = {NOW: set()}
    for one in Format.objects.prefetch_related("editions"):
        rules = rules_on(formats.editions(one, data), day or timezone.localdate())
        groups[one.code] = {card.id for card in data.catalog if holds(rules, card)} if rules else set()
        groups[NOW] |= groups[one.code]
    return groups | {word: groups[code] for word, code in formats.short_words(groups).items()}


class Companions(Mapping[str, set[str]]):
    """The cards that are in decks together with any of some cards, by their ids with spaces between them.

    The decks are read once, and only if asked.
    """

    def __init__(self) -> None:
        self._decks: list[set[str]] | None = None

    def __getitem__(self, cards: str) -> set[str]:
        if self._decks is None:
            self._decks = [{base, *counts} - {""} for base, counts in _asked_decks()]
        wanted = set(cards.split())
        return set().union(*(deck for deck in self._decks if not deck.isdisjoint(wanted)))

    def __iter__(self) -> Iterator[str]:
        """Yield nothing: whatever cards are asked for are there, and nobody lists them."""
        return iter(())

    def __len__(self) -> int:
        return 0


def _asked_decks() -> list[tuple[str, dict[str, int]]]:
    """Return base and counts of the starter decks, and of the public decks that were changed last."""
    held = Deck.objects.filter(head__isnull=False)
    public = held.listed().order_by("-changed", "-id")
    return [
        *held.starters().values_list("head__base", "head__counts"),
        *public.values_list("head__base", "head__counts")[:DECKS_ASKED],
    ]
