"""Collections: which cards somebody owns, if they want the site to know. Only this module writes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Literal

from django.db import transaction

from cards_data import catalog as cards_data
from cards_data.catalog import CardData
from decks.lists.deck_list import DeckList
from decks.lists.textlist import Bounds
from decks.models import Collection
from decks.services import DeckError

MAX_COPIES = 999
"""Copies of one card that a collection can say."""

LISTED = Bounds(
    what="A list of what you own",
    bytes=128 * 1024,
    lines=2_000,
    copies=MAX_COPIES,
    more_copies="Write how many you own.",
)
"""A collection can have every card, and its CSV a row for each; both sets together have some 360."""

How = Literal["add", "replace"]


def owned_by(user: Any) -> dict[str, int] | None:
    """Return the copies that ``user`` owns, by card id; None for whoever has said nothing, and for visitors."""
    if user is None or not user.is_authenticated:
        return None
    return Collection.objects.filter(owner=user).values_list("counts", flat=True).first()


def listed_cards(listed: DeckList) -> dict[str, int]:
    """Return all that a list says somebody owns: its cards and bases. What it only considers is left out."""
    counts = Counter(listed.counts)
    counts.update(listed.bases)
    return dict(counts)


def take_in(user: Any, counts: Mapping[str, int], how: How) -> dict[str, int]:
    """Put ``counts`` in place of the collection of ``user``, or add them to it; return what they own now.

    A collection is made where there is none. Raises DeckError if there would be more copies than can be said, or none
    of any card; then nothing is changed.
    """
    with transaction.atomic():
        row, _ = Collection.objects.select_for_update().get_or_create(owner=user)
        owned = Counter(row.counts if how == "add" else {})
        owned.update(counts)
        if not owned:
            raise DeckError("There is no card in this list.")
        _keep(row, owned)
    return dict(row.counts)


def change(user: Any, card_id: str, by: int) -> int:
    """Let ``user`` own so many copies of a card more (or fewer, at least 0); return how many that makes.

    Raises DeckError for a card that there is not, and where there would be more copies than can be said.
    """
    if card_id not in cards_data.current():
        raise DeckError("There is no such card.")
    with transaction.atomic():
        row, _ = Collection.objects.select_for_update().get_or_create(owner=user)
        _keep(row, {**row.counts, card_id: max(row.counts.get(card_id, 0) + by, 0)})
    copies: int = row.counts.get(card_id, 0)
    return copies


def forget(user: Any) -> None:
    """Take the collection of ``user`` away; nobody keeps a copy."""
    Collection.objects.filter(owner=user).delete()


def missing(base: str, counts: Mapping[str, int], owned: Mapping[str, int]) -> dict[str, int]:
    """Return the copies that somebody lacks to have a deck with this base and these cards, by card id."""
    wanted = Counter(counts)
    if base:
        wanted[base] += 1
    return {card: n - owned.get(card, 0) for card, n in wanted.items() if n > owned.get(card, 0)}


def known_cards(counts: Mapping[str, int], cards: CardData) -> dict[str, int]:
    """Return those of the cards that there are now, in the order of sets and numbers."""
    return {card: counts[card] for card in sorted(counts) if card in cards.catalog}


def _keep(row: Collection, owned: Mapping[str, int]) -> None:
    if any(count > MAX_COPIES for count in owned.values()):
        raise DeckError(f"Of each card {MAX_COPIES} copies can be said at most.")
    row.counts = {card: count for card, count in sorted(owned.items()) if count > 0}
    row.save(update_fields=["counts", "changed"])
