"""What differs between two deck lists: of two versions of a deck, or of two decks. Pure; no Django."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from decks.lists.deck_list import DeckList


class Change(Struct, frozen=True):
    """One card of which one list holds more copies than the other."""

    card: str
    before: int
    after: int

    @property
    def by(self) -> int:
        """How many copies came (above zero) or went (below)."""
        return self.after - self.before

    @property
    def fewer(self) -> int:
        """How many copies went."""
        return max(-self.by, 0)


class Difference(Struct, frozen=True, kw_only=True):
    """Everything in which two lists differ; of what is the same in both, ``same`` is the number of copies.

    ``bases`` holds a change of one copy for each base that came or went; ``tagged`` are the cards with other tags.
    """

    bases: tuple[Change, ...]
    cards: tuple[Change, ...]
    considering: tuple[Change, ...]
    tagged: tuple[str, ...]
    same: int

    def __bool__(self) -> bool:
        return bool(self.bases or self.cards or self.considering or self.tagged)

    @property
    def came(self) -> int:
        """How many copies the later list has that the earlier one has not."""
        return sum(max(change.by, 0) for change in self.cards)

    @property
    def went(self) -> int:
        """How many copies the earlier list has that the later one has not."""
        return sum(change.fewer for change in self.cards)


def difference(before: DeckList, after: DeckList) -> Difference:
    """Return what has to change in ``before`` to make it the list ``after``. Names and formats are not compared."""
    cards = sorted(before.tags.keys() | after.tags.keys())
    return Difference(
        bases=_changes(dict.fromkeys(before.bases, 1), dict.fromkeys(after.bases, 1)),
        cards=_changes(before.counts, after.counts),
        considering=_changes(before.considering, after.considering),
        tagged=tuple(card for card in cards if before.tags.get(card, []) != after.tags.get(card, [])),
        same=sum(min(copies, after.counts.get(card, 0)) for card, copies in before.counts.items()),
    )


def _changes(before: Mapping[str, int], after: Mapping[str, int]) -> tuple[Change, ...]:
    changes = (Change(card, before.get(card, 0), after.get(card, 0)) for card in sorted(before.keys() | after.keys()))
    return tuple(change for change in changes if change.by)
