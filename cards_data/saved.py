"""Saved searches: queries that somebody with an account has given a name, to be asked again by a click."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.db import transaction
from django.urls import reverse

from cards_data.models import SavedSearch
from cards_data.search.errors import QueryError
from cards_data.search.language import Query
from ccg.locking import lock_person

MAX_SAVED = 30
"""Searches that somebody can save, for cards and for decks each."""
MAX_NAME = 40


class Kind(NamedTuple):
    """A kind of thing that is searched for: who reads its searches, and the name of the page that lists it."""

    read: Callable[[str, Any], Query]
    page: str


_kinds: dict[str, Kind] = {}


class SavingError(ValueError):
    """A search cannot be saved; the message says why, for people."""


def register(about: str, kind: Kind) -> None:
    """Let searches ``about`` something ("cards", "decks") be saved that its ``kind`` can read, for a person.

    Called from ``AppConfig.ready``. Reading raises :class:`~cards_data.search.errors.QueryError` for all others.
    """
    if _kinds.setdefault(about, kind) != kind:
        raise ValueError(f"searches for {about} are saved already")


def page_of(about: str, query: str) -> str:
    """Return the address of the list that ``query`` shows; raises KeyError for what nobody searches for."""
    parameters = f"?{urlencode({'q': query})}" if query else ""
    return f"{reverse(_kinds[about].page)}{parameters}"


def may_save(user: Any) -> bool:
    """Return whether ``user`` can save searches: who has an account that outlives this browser."""
    return bool(user.is_authenticated and not user.is_guest)


def saved_by(user: Any, about: str) -> list[SavedSearch]:
    """Return the searches that ``user`` has saved, by name; none for guests and visitors."""
    return list(SavedSearch.objects.filter(owner=user, about=about)) if may_save(user) else []


def save(user: Any, about: str, name: str, query: str) -> SavedSearch:
    """Save a search of ``user`` under a name; one of the same name is replaced. Raises :class:`SavingError`."""
    name, query = " ".join(name.split()), " ".join(query.split())
    if not may_save(user) or about not in _kinds:
        raise SavingError("Searches can be saved with an account.")
    if not name or len(name) > MAX_NAME or not name.isprintable():
        raise SavingError(f"Give the search a name of at most {MAX_NAME} letters.")
    if not query:
        raise SavingError("There is nothing to save: this search finds everything.")
    if "\0" in query:  # a search may look for it, and finds nothing; PostgreSQL keeps no such text
        raise SavingError("This search cannot be kept: there is a sign in it that is no text.")
    try:
        _kinds[about].read(query, user)
    except QueryError as error:
        raise SavingError(f"This search cannot be read: {error}") from None
    with transaction.atomic():
        lock_person(user)
        others = SavedSearch.objects.filter(owner=user, about=about).exclude(name=name)
        if others.count() >= MAX_SAVED:
            raise SavingError(f"You have saved {MAX_SAVED} searches, which is the most there can be. Delete one first.")
        saved, _ = SavedSearch.objects.update_or_create(owner=user, about=about, name=name, defaults={"query": query})
    return saved


def remove(user: Any, number: int) -> SavedSearch:
    """Take a saved search of ``user`` away, and return it; raises SavedSearch.DoesNotExist for all others."""
    if not may_save(user):
        raise SavedSearch.DoesNotExist
    saved = SavedSearch.objects.get(owner=user, pk=number)
    saved.delete()
    return saved
