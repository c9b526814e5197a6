"""Decks as matches take them along: what a table keeps of one, and whether it may be played there."""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec import Struct

from ccg.rules.telling.wording.marks import plain
from decks.judging import check_list, check_version
from decks.lists.deck_list import DeckList
from decks.lists.legality import Illegality
from decks.models import Deck, Format
from decks.services import DeckError


class NotLegal(DeckError):
    """A deck that is not legal was to be played; ``problems`` has every reason."""

    code = "not_legal"

    def __init__(self, deck: Deck, problems: list[Illegality]) -> None:
        super().__init__(f"{deck.name} is not legal: {' '.join(plain(problem.text) for problem in problems)}")
        self.problems = problems


class TableDeck(Struct, frozen=True, kw_only=True):
    """A deck as a match keeps it: nothing in it refers to the stored deck.

    ``cards`` names every copy, in order of ids; ``label`` is for people, ``version`` the hash of the
    content, the same for equal lists. ``public`` says whether everybody found it in the lists then, ``private`` whether
    its list is not to be shown to those who look on; ``format`` is the code of the format that it is made for.
    """

    base: str
    cards: tuple[str, ...]
    label: str
    version: str
    private: bool = True
    public: bool = False
    format: str = ""


def may_play(user: Any, deck: Deck) -> bool:
    """Return whether ``user`` may take ``deck`` to a table, legality aside."""
    return Deck.objects.visible_to(user).filter(pk=deck.pk).exists()


def take_to_table(user: Any, ref: str) -> TableDeck:
    """Return the deck with the id ``ref`` as a match keeps it: the user's own, a public or a starter deck.

    Legality is asked now, not looked up. Raises Deck.DoesNotExist for any other deck, NotLegal with
    the problems. Rulebook: Deckbuilding.
    """
    deck = Deck.objects.with_head().visible_to(user).known_as(ref).get()
    version = deck.head
    if version is None:
        raise Deck.DoesNotExist
    problems = check_version(version, deck)
    if problems:
        raise NotLegal(deck, problems)
    cards = tuple(card for card, count in sorted(version.counts.items()) for _ in range(count))
    return TableDeck(
        base=version.base,
        cards=cards,
        label=deck.name,
        version=version.content_hash,
        private=not deck.is_public,
        public=deck.is_public,
        format=deck.format_id,
    )


def is_public_now(content: str) -> bool:
    """Return whether a version of any public deck has this list, given by its content hash."""
    return Deck.objects.public().filter(versions__content_hash=content).exists()


def check_taken(deck: TableDeck) -> list[Illegality]:
    """Return every reason why ``deck``, which was legal as it was taken to a table, is not legal today.

    One that was taken without a format, such as a draft that is tried out or that of a lesson, is never judged.
    """
    if not deck.format:
        return []
    try:
        return check_list(DeckList(format=deck.format, bases=[deck.base], counts=dict(Counter(deck.cards))))
    except Format.DoesNotExist:
        return []  # nobody is left who could say what it asks
