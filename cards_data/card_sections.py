"""What the page of a card shows besides the card: apps above this one say here what they have to say of it.

docs/decisions/0008-sections-of-a-page.md and 0010-sections-for-one-person.md say why so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from django.http import HttpRequest

from ccg.rules.cards.definitions import CardDef

Teller = Callable[[CardDef], Mapping[str, object]]
"""Returns what a template shows of a card; nothing where there is nothing to show."""
PersonalTeller = Callable[[CardDef, HttpRequest], Mapping[str, object]]
"""Returns what a template shows of a card to whoever asks; nothing where there is nothing to show."""


class Section(NamedTuple):
    """A part of a page: its template, and what that shows (there as ``told``)."""

    template: str
    told: Mapping[str, object]


class _Entry(NamedTuple):
    template: str
    teller: Teller | PersonalTeller
    tell: PersonalTeller


_entries: dict[int, _Entry] = {}


def register(place: int, template: str, teller: Teller) -> None:
    """Let the page of a card show ``template`` with what ``teller`` returns; the least ``place`` comes first.

    Called from ``AppConfig.ready``. Raises :class:`ValueError` if the place is taken.
    """
    _take(place, _Entry(template, teller, lambda card, request: teller(card)))


def register_personal(place: int, template: str, teller: PersonalTeller) -> None:
    """Let the page show what ``teller`` returns for whoever asks for it; otherwise as :func:`register` does."""
    _take(place, _Entry(template, teller, teller))


def sections(card: CardDef, request: HttpRequest) -> list[Section]:
    """Return what the apps above have to say of ``card`` to whoever asks, in the order of their places."""
    told = ((entry.template, entry.tell(card, request)) for _, entry in sorted(_entries.items()))
    return [Section(template, shown) for template, shown in told if shown]


def _take(place: int, entry: _Entry) -> None:
    if _entries.setdefault(place, entry)[:2] != entry[:2]:
        raise ValueError(f"Place {place} on the pages of cards is taken by {_entries[place].template}")
