"""Formats on a day: which rules hold, with the cards as they are now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import date

from django.utils import timezone

from cards_data.catalog import CardData
from decks.lists.legality import FormatRules, rules_on
from decks.models import Format, FormatEdition

STANDARD = "standard-2006"
"""The format of a deck that names none: everything that was printed for the game."""
STANDARD_SETS = ("BSG1", "BSG1L", "BSG1P", "BSG2")


def standard() -> Format:
    """Return the format that decks are made for unless they say otherwise; made anew if it was lost."""
    known, made = Format.objects.get_or_create(code=STANDARD, defaults={"name": "Standard 2006"})
    if made:
        FormatEdition.objects.create(format=known, starts=date(2006, 1, 1), sets=list(STANDARD_SETS))
    return known


def codes() -> list[str]:
    """Return the codes of all formats; the standard one is always among them."""
    standard()
    return list(Format.objects.values_list("code", flat=True))


def short_words(known: Collection[str]) -> dict[str, str]:
    """Return codes of formats by a shorter word, where it can mean no other: ``standard`` for ``standard-2006``."""
    short = {code: code.rpartition("-")[0] for code in known}
    meant = Counter(short.values())
    return {word: code for code, word in short.items() if word and meant[word] == 1 and word not in known}


def by_word() -> dict[str, str]:
    """Return the codes of the formats there are by each word that names them: the code itself, or its short word."""
    known = list(Format.objects.values_list("code", flat=True))
    return {code: code for code in known} | short_words(known)


def with_editions() -> list[Format]:
    """Return all formats in order of their codes, with their editions; the standard one is always among them."""
    standard()
    return list(Format.objects.prefetch_related("editions"))


def rules_of(format_code: str, cards: CardData, day: date | None = None) -> FormatRules:
    """Return the rules of a format on ``day`` (today).

    Out of its time, the edition nearest before it, else the first one: legality then says so. Raises
    Format.DoesNotExist.
    """
    chosen = Format.objects.prefetch_related("editions").get(code=format_code)
    return rules_among(chosen, list(chosen.editions.all()), cards, day)


def rules_among(
    chosen: Format, editions: Sequence[FormatEdition], cards: CardData, day: date | None = None
) -> FormatRules:
    """Return the rules of a format on ``day`` (today) as they would be with these editions, in order of their start."""
    day = day or timezone.localdate()
    every = _rules(editions, cards)
    begun = [edition for edition in every if edition.starts <= day]
    fallback = FormatRules(code=chosen.code, name=chosen.name, starts=date.max)
    return rules_on(every, day) or (begun or every[:1] or [fallback])[-1]


def editions(chosen: Format, cards: CardData) -> list[FormatRules]:
    """Return the rules of all editions of a format, in order of their start."""
    return _rules(list(chosen.editions.all()), cards)


def _rules(editions: Sequence[FormatEdition], cards: CardData) -> list[FormatRules]:
    return [edition.rules(_printed_again(edition, cards)) for edition in editions]


def _printed_again(edition: FormatEdition, cards: CardData) -> set[str]:
    return {printing.card for printing in cards.printings if printing.set in edition.sets}
