"""Legality: every reason why a list of cards may not be played in a format, and what would mend it.

One pure function, :func:`check`; :func:`judge` says of many lists only whether there is a reason. It knows nothing of
Django, of owners or of stored decks; whoever stores its answer stores a cache. Rulebook: Deckbuilding
(clauses DECK-1 to DECK-6).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Any, Literal

from msgspec import Struct

from ccg.rules.cards.definitions import CardDef, Catalog, fold

Code = Literal[
    "format_not_in_force",
    "no_base",
    "many_bases",
    "unknown_base",
    "withdrawn_base",
    "not_a_base",
    "base_not_in_format",
    "banned_base",
    "too_few_cards",
    "impossible_count",
    "unknown_card",
    "withdrawn_card",
    "base_in_deck",
    "not_in_format",
    "banned",
    "restricted",
    "too_many_copies",
]
"""What can be wrong, in the order in which it is told."""

Deed = Literal["choose_format", "choose_base", "set_base", "add_cards", "set_count"]

RULES: dict[str, str] = {
    "DECK-1": "Rulebook, Deckbuilding: one base for each player.",
    "DECK-2": "Rulebook, Deckbuilding: a minimum of 60 cards, with the base left out of the count.",
    "DECK-3": "Rulebook, Deckbuilding: a limit of four for each card.",
    "DECK-4": "Rulebook, Deckbuilding: title and subtitle together tell which copies count as one card.",
    "DECK-6": "Rulebook, Deckbuilding: only personnel and ships become assets, so 30 or more of them help.",
    "FORMAT": "The format decides which sets and cards are allowed, and from when until when.",
    "CARDS": "Only cards of this site's card database can be played, and none that were withdrawn from their set.",
}
"""What the ``rule`` of a problem refers to, in our own words."""

ADVISED_UNITS = 30


class Sentence(Struct, frozen=True):
    """How a problem is told: its code, what is wrong, what would mend it, the rule that says so."""

    code: Code
    text: str
    fix: str
    rule: str


SENTENCES: dict[str, Sentence] = {
    "not_begun": Sentence(
        "format_not_in_force", "The format {format} begins on {day}.", "Choose a format that is in force.", "FORMAT"
    ),
    "ended": Sentence(
        "format_not_in_force", "The format {format} ended on {day}.", "Choose a format that is in force.", "FORMAT"
    ),
    "no_base": Sentence("no_base", "There is no base.", "Choose a base.", "DECK-1"),
    "many_bases": Sentence(
        "many_bases", "There are {found} bases: {bases}.", "Keep one base, for example {card}.", "DECK-1"
    ),
    "withdrawn_base": Sentence(
        "withdrawn_base", "The base {card} has been withdrawn from its set.", "Choose another base.", "CARDS"
    ),
    "unknown_base": Sentence(
        "unknown_base", "The base {card} is not in the card database.", "Choose another base.", "CARDS"
    ),
    "not_a_base": Sentence("not_a_base", "{card} is not a base: its type is {type}.", "Choose another base.", "DECK-1"),
    "base_not_in_format": Sentence(
        "base_not_in_format", "The base {card} belongs to no set of {format}.", "Choose another base.", "FORMAT"
    ),
    "banned_base": Sentence("banned_base", "The base {card} is banned in {format}.", "Choose another base.", "FORMAT"),
    "too_few_cards": Sentence(
        "too_few_cards",
        "The deck has {cards} besides the base; {format} asks for at least {minimum}.",
        "Add {missing}.",
        "DECK-2",
    ),
    "impossible_count": Sentence(
        "impossible_count", "{card} is listed {found} times.", "Take {card} off the list.", "DECK-3"
    ),
    "withdrawn_card": Sentence(
        "withdrawn_card", "{card} has been withdrawn from its set.", "Remove {surplus} of {card}.", "CARDS"
    ),
    "unknown_card": Sentence(
        "unknown_card", "{card} is not in the card database.", "Remove {surplus} of {card}.", "CARDS"
    ),
    "lone_base_in_deck": Sentence(
        "base_in_deck", "{card} is a base and cannot be one of the deck's cards.", "Make {card} the base.", "DECK-1"
    ),
    "base_in_deck": Sentence(
        "base_in_deck",
        "{card} is a base and cannot be one of the deck's cards.",
        "Take {card} out of the deck.",
        "DECK-1",
    ),
    "not_in_format": Sentence(
        "not_in_format", "{card} belongs to no set of {format}.", "Remove {surplus} of {card}.", "FORMAT"
    ),
    "banned": Sentence("banned", "{card} is banned in {format}.", "Remove {surplus} of {card}.", "FORMAT"),
    "restricted": Sentence(
        "restricted",
        "{card} is restricted in {format}: one copy, and the deck has {found}.",
        "Remove {surplus} of {card}.",
        "FORMAT",
    ),
    "too_many_copies": Sentence(
        "too_many_copies",
        "There are {copies} of {card}; at most {limit} are allowed.",
        "Remove {surplus} of {card}.",
        "DECK-3",
    ),
    "too_many_of_a_name": Sentence(
        "too_many_copies",
        "There are {copies} of {card}; at most {limit} are allowed.",
        "Remove {surplus} of {card}.",
        "DECK-4",
    ),
}
"""Everything that legality says, with what is filled in between braces. The builder says the same from the same."""

FEW_UNITS = "Only {units} personnel and ships: nothing else becomes an asset, and {advised} or more are usual."
"""The advice to a deck with fewer than :data:`ADVISED_UNITS`."""

MARK = re.compile(r"\[\[card:([A-Za-z0-9-]{1,20})\|([^\[\]|]*)\]\]")
"""A card named in marked text: its id, and the words to show."""


class FormatRules(Struct, frozen=True, kw_only=True):
    """What a format asks of a deck in one period: in force from ``starts`` up to, not including, ``ends``.

    A card is allowed if its first printing lies in one of ``sets``, or if it is named in ``reprints``
    (cards of other sets that were printed again in one of these). ``copies_of`` gives single cards a
    limit of their own; a ``restricted`` card may be there once, a ``banned`` one not at all.
    """

    code: str
    name: str
    starts: date
    ends: date | None = None
    sets: frozenset[str] = frozenset()
    reprints: frozenset[str] = frozenset()
    minimum: int = 60
    copies: int = 4
    copies_of: Mapping[str, int] = {}
    banned: frozenset[str] = frozenset()
    restricted: frozenset[str] = frozenset()

    def allows(self, card: CardDef) -> bool:
        """Return whether ``card`` belongs to one of the format's sets (bans are another matter)."""
        return card.id.rpartition("-")[0] in self.sets or card.id in self.reprints

    def limit(self, card_id: str) -> int:
        """Return how many copies of this card a deck may hold, bans and restrictions aside."""
        return self.copies_of.get(card_id, self.copies)

    def in_force(self, day: date) -> bool:
        """Return whether these rules hold on ``day``."""
        return self.starts <= day and (self.ends is None or day < self.ends)


class FixStep(Struct, frozen=True, kw_only=True):
    """One step of a fix that a program can take; :func:`apply` takes it.

    ``set_count`` leaves at most ``count`` copies of ``card``; ``set_base`` makes ``card`` the only base;
    ``add_cards``, ``choose_base`` and ``choose_format`` need somebody to choose.
    """

    do: Deed
    card: str = ""
    count: int = 0


class Illegality(Struct, frozen=True, kw_only=True):
    """One reason why a list is not legal.

    ``found`` and ``required`` are the counts in question (None where nothing is counted), ``rule`` a key
    of :data:`RULES`, ``text`` and ``fix`` sentences of marked text (``[[card:ID|name]]``).
    """

    code: Code
    text: str
    rule: str
    fix: str
    cards: tuple[str, ...] = ()
    found: int | None = None
    required: int | None = None
    actions: tuple[FixStep, ...] = ()


class Advice(Struct, frozen=True, kw_only=True):
    """Something worth knowing about a list, legal or not; never a reason to refuse it."""

    code: Literal["few_units"]
    text: str
    rule: str
    found: int
    advised: int


def check(
    base_ids: Sequence[str],
    counts: Mapping[str, int],
    rules: FormatRules,
    catalog: Catalog,
    on: date | None = None,
    withdrawn: Mapping[str, CardDef] | None = None,
) -> list[Illegality]:
    """Return every reason why ``base_ids`` and ``counts`` are not a legal deck; an empty list means legal.

    ``counts`` is copies by permanent card id. With ``on`` the rules have to be in force on that day.
    ``withdrawn`` are cards that once were in the catalogue: they are named as such.
    Pure: the same arguments give the same list, whatever the order of ``counts``. Rulebook: Deckbuilding.
    """
    gone = withdrawn or {}
    problems = [
        *_format_problems(rules, on),
        *_base_problems(base_ids, rules, catalog, gone),
        *_size_problems(counts, rules, catalog),
    ]
    for card_id, count in sorted(counts.items()):
        if count < 1:
            problems.append(_impossible(card_id, count, catalog))
        else:
            problems.extend(_card_problems(card_id, count, base_ids, rules, catalog, gone))
    problems.extend(_copies_problems(counts, rules, catalog))
    order: tuple[str, ...] = Code.__args__  # type: ignore[attr-defined]
    return sorted(problems, key=lambda problem: (order.index(problem.code), problem.cards))


def judge(
    rules: FormatRules, catalog: Catalog, on: date | None = None
) -> Callable[[Sequence[str], Mapping[str, int]], bool]:
    """Return a function of base ids and counts that says whether :func:`check` finds no reason against them.

    It takes a thirtieth of the time and gives no reason: for who counts the legal ones among very many lists.
    """
    allowed = [card for card in catalog if rules.allows(card) and card.id not in rules.banned]
    bases = {card.id for card in allowed if card.type == "base"}
    limits = {
        card.id: min(rules.limit(card.id), 1) if card.id in rules.restricted else rules.limit(card.id)
        for card in allowed
        if card.type != "base"
    }
    called = Counter(_folded(catalog[card_id].name) for card_id in limits)
    namesakes = {card_id for card_id in limits if called[_folded(catalog[card_id].name)] > 1}
    holds = on is None or rules.in_force(on)

    def is_legal(base_ids: Sequence[str], counts: Mapping[str, int]) -> bool:
        if not holds or len(base_ids) != 1 or base_ids[0] not in bases or sum(counts.values()) < rules.minimum:
            return False
        if not all(0 < n <= limits.get(card_id, 0) for card_id, n in counts.items()):
            return False
        return namesakes.isdisjoint(counts) or not any(_copies_problems(counts, rules, catalog))

    return is_legal


def advise(counts: Mapping[str, int], catalog: Catalog) -> list[Advice]:
    """Return what a builder should know of a list beyond its legality. Rulebook: Deckbuilding (DECK-6)."""
    units = sum(n for card_id, n in counts.items() if n > 0 and card_id in catalog and catalog[card_id].is_unit)
    if units >= ADVISED_UNITS:
        return []
    text = FEW_UNITS.format(units=units, advised=ADVISED_UNITS)
    return [Advice(code="few_units", text=text, rule="DECK-6", found=units, advised=ADVISED_UNITS)]


def apply(
    actions: Iterable[FixStep], base_ids: Sequence[str], counts: Mapping[str, int]
) -> tuple[list[str], dict[str, int]]:
    """Return base and counts after those ``actions`` that need nobody's choice; the others change nothing.

    Actions never raise a count, so fixes of several problems with one card can be applied together.
    """
    bases, after = list(base_ids), dict(counts)
    for action in actions:
        if action.do == "set_base":
            bases = [action.card]
        elif action.do == "set_count" and action.card in after:
            left = min(after[action.card], action.count)
            if left > 0:
                after[action.card] = left
            else:
                del after[action.card]
    return bases, after


def rules_on(editions: Iterable[FormatRules], day: date) -> FormatRules | None:
    """Return the rules of a format that hold on ``day``: of those in force, the ones that began last."""
    held = [edition for edition in editions if edition.in_force(day)]
    return max(held, key=lambda edition: edition.starts, default=None)


def _told(sentence: str, words: Mapping[str, object] | None = None, **facts: Any) -> Illegality:
    """Return the problem that ``sentence`` tells, filled in with ``words``; ``facts`` are its other fields."""
    told = SENTENCES[sentence]
    filled = words or {}
    return Illegality(
        code=told.code, text=told.text.format_map(filled), fix=told.fix.format_map(filled), rule=told.rule, **facts
    )


def _format_problems(rules: FormatRules, on: date | None) -> Iterable[Illegality]:
    if on is None or rules.in_force(on):
        return
    sentence, day = ("not_begun", rules.starts) if on < rules.starts else ("ended", rules.ends)
    yield _told(sentence, {"format": rules.name, "day": day}, actions=(FixStep(do="choose_format"),))


def _base_problems(
    base_ids: Sequence[str], rules: FormatRules, catalog: Catalog, gone: Mapping[str, CardDef]
) -> Iterable[Illegality]:
    usable = [base for base in base_ids if base in catalog and catalog[base].type == "base"]
    if not base_ids:
        yield _told("no_base", found=0, required=1, actions=(FixStep(do="choose_base"),))
    if len(base_ids) > 1:
        keep = (usable or list(base_ids))[0]
        bases = ", ".join(_mark(base, catalog) for base in base_ids)
        yield _told(
            "many_bases",
            {"found": len(base_ids), "bases": bases, "card": _mark(keep, catalog)},
            cards=tuple(base_ids),
            found=len(base_ids),
            required=1,
            actions=(FixStep(do="set_base", card=keep),),
        )
    for base in sorted(set(base_ids)):
        for sentence in _wrong_with_base(base, rules, catalog, gone):
            kind = catalog[base].type if base in catalog else ""
            words = {"card": _mark(base, catalog, gone), "type": kind, "format": rules.name}
            yield _told(sentence, words, cards=(base,), actions=(FixStep(do="choose_base"),))


def _wrong_with_base(base: str, rules: FormatRules, catalog: Catalog, gone: Mapping[str, CardDef]) -> Iterable[str]:
    if base not in catalog:
        yield "withdrawn_base" if base in gone else "unknown_base"
    elif catalog[base].type != "base":
        yield "not_a_base"
    else:
        if not rules.allows(catalog[base]):
            yield "base_not_in_format"
        if base in rules.banned:
            yield "banned_base"


def _size_problems(counts: Mapping[str, int], rules: FormatRules, catalog: Catalog) -> Iterable[Illegality]:
    total = deck_size(counts, catalog)
    if total < rules.minimum:
        missing = rules.minimum - total
        words = {"cards": _cards(total), "format": rules.name, "minimum": rules.minimum, "missing": _cards(missing)}
        yield _told(
            "too_few_cards",
            words,
            found=total,
            required=rules.minimum,
            actions=(FixStep(do="add_cards", count=missing),),
        )


def deck_size(counts: Mapping[str, int], catalog: Catalog) -> int:
    """Return how many cards count towards the minimum: all copies but those of bases (DECK-2)."""
    return sum(n for card_id, n in counts.items() if n > 0 and not _is_base(card_id, catalog))


def _impossible(card_id: str, count: int, catalog: Catalog) -> Illegality:
    return _told(
        "impossible_count",
        {"card": _mark(card_id, catalog), "found": count},
        cards=(card_id,),
        found=count,
        required=1,
        actions=(FixStep(do="set_count", card=card_id),),
    )


def _card_problems(
    card_id: str,
    count: int,
    base_ids: Collection[str],
    rules: FormatRules,
    catalog: Catalog,
    gone: Mapping[str, CardDef],
) -> Iterable[Illegality]:
    words = {"card": _mark(card_id, catalog, gone), "format": rules.name}
    if card_id not in catalog:
        yield _surplus("withdrawn_card" if card_id in gone else "unknown_card", card_id, count, 0, words)
        return
    card = catalog[card_id]
    if card.type == "base":
        lone = not base_ids
        remove = (FixStep(do="set_count", card=card_id),)
        yield _told(
            "lone_base_in_deck" if lone else "base_in_deck",
            words,
            cards=(card_id,),
            found=count,
            required=0,
            actions=(FixStep(do="set_base", card=card_id), *remove) if lone else remove,
        )
    if not rules.allows(card):
        yield _surplus("not_in_format", card_id, count, 0, words)
    if card_id in rules.banned:
        yield _surplus("banned", card_id, count, 0, words)
    elif card_id in rules.restricted and count > 1:
        yield _surplus("restricted", card_id, count, 1, words)


def _surplus(sentence: str, card_id: str, found: int, required: int, words: Mapping[str, object]) -> Illegality:
    return _told(
        sentence,
        {**words, "found": found, "surplus": _copies(found - required)},
        cards=(card_id,),
        found=found,
        required=required,
        actions=(FixStep(do="set_count", card=card_id, count=required),),
    )


def _copies_problems(counts: Mapping[str, int], rules: FormatRules, catalog: Catalog) -> Iterable[Illegality]:
    """Yield a problem for each card name with too many copies.

    Cards with the same full name are counted together and may have as many copies as the lowest of their limits
    allows (DECK-4).
    """
    by_name: dict[str, list[str]] = {}
    for card_id in sorted(counts):
        if counts[card_id] > 0 and not _is_base(card_id, catalog):
            name = _folded(catalog[card_id].name) if card_id in catalog else card_id
            by_name.setdefault(name, []).append(card_id)
    for cards in by_name.values():
        total, limit = sum(counts[card] for card in cards), min(rules.limit(card) for card in cards)
        if total > limit:
            words = {"card": _mark(cards[0], catalog), "copies": _copies(total), "limit": limit}
            yield _told(
                "too_many_of_a_name" if len(cards) > 1 else "too_many_copies",
                {**words, "surplus": _copies(total - limit)},
                cards=tuple(cards),
                found=total,
                required=limit,
                actions=tuple(_share(cards, counts, limit)),
            )


@lru_cache(maxsize=20_000)
def _folded(name: str) -> str:
    """Return a name as names are compared; the same few are asked for with every deck."""
    return fold(name)


def _share(cards: Iterable[str], counts: Mapping[str, int], limit: int) -> Iterable[FixStep]:
    for card in cards:
        kept = min(counts[card], limit)
        limit -= kept
        yield FixStep(do="set_count", card=card, count=kept)


def _is_base(card_id: str, catalog: Catalog) -> bool:
    return card_id in catalog and catalog[card_id].type == "base"


def _mark(card_id: str, catalog: Catalog, gone: Mapping[str, CardDef] | None = None) -> str:
    if card_id in catalog:
        return _named(catalog[card_id])
    return _named(gone[card_id]) if gone and card_id in gone else card_id


def _named(card: CardDef) -> str:
    return f"[[card:{card.id}|{card.name}]]"


def _cards(n: int) -> str:
    return "1 card" if n == 1 else f"{n} cards"


def _copies(n: int) -> str:
    return "1 copy" if n == 1 else f"{n} copies"
