"""Legality: every reason why a list of cards may not be played in a format, and what would mend it.

One pure function, :func:`check`. It knows nothing of Django, of owners or of stored decks; whoever
stores its answer stores a cache. Rulebook: Deckbuilding (clauses DECK-1 to DECK-6).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from typing import Literal

from msgspec import Struct, structs

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


def advise(counts: Mapping[str, int], catalog: Catalog) -> list[Advice]:
    """Return what a builder should know of a list beyond its legality. Rulebook: Deckbuilding (DECK-6)."""
    units = sum(n for card_id, n in counts.items() if n > 0 and card_id in catalog and catalog[card_id].is_unit)
    if units >= ADVISED_UNITS:
        return []
    text = f"Only {units} personnel and ships: nothing else becomes an asset, and {ADVISED_UNITS} or more are usual."
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


def _format_problems(rules: FormatRules, on: date | None) -> Iterable[Illegality]:
    if on is None or rules.in_force(on):
        return
    when = f"begins on {rules.starts}" if on < rules.starts else f"ended on {rules.ends}"
    yield Illegality(
        code="format_not_in_force",
        text=f"The format {rules.name} {when}.",
        rule="FORMAT",
        fix="Choose a format that is in force.",
        actions=(FixStep(do="choose_format"),),
    )


def _base_problems(
    base_ids: Sequence[str], rules: FormatRules, catalog: Catalog, gone: Mapping[str, CardDef]
) -> Iterable[Illegality]:
    usable = [base for base in base_ids if base in catalog and catalog[base].type == "base"]
    if not base_ids:
        yield Illegality(
            code="no_base",
            text="There is no base.",
            rule="DECK-1",
            fix="Choose a base.",
            found=0,
            required=1,
            actions=(FixStep(do="choose_base"),),
        )
    if len(base_ids) > 1:
        keep = (usable or list(base_ids))[0]
        yield Illegality(
            code="many_bases",
            text=f"There are {len(base_ids)} bases: {', '.join(_mark(base, catalog) for base in base_ids)}.",
            rule="DECK-1",
            fix=f"Keep one base, for example {_mark(keep, catalog)}.",
            cards=tuple(base_ids),
            found=len(base_ids),
            required=1,
            actions=(FixStep(do="set_base", card=keep),),
        )
    for base in sorted(set(base_ids)):
        yield from _one_base_problems(base, rules, catalog, gone)


def _one_base_problems(
    base: str, rules: FormatRules, catalog: Catalog, gone: Mapping[str, CardDef]
) -> Iterable[Illegality]:
    problems: list[tuple[Code, str, str]] = []
    if base in gone and base not in catalog:
        problems.append(("withdrawn_base", f"The base {_named(gone[base])} has been withdrawn from its set.", "CARDS"))
    elif base not in catalog:
        problems.append(("unknown_base", f"The base {base} is not in the card database.", "CARDS"))
    elif catalog[base].type != "base":
        problems.append(("not_a_base", f"{_mark(base, catalog)} is a {catalog[base].type}, not a base.", "DECK-1"))
    else:
        if not rules.allows(catalog[base]):
            text = f"The base {_mark(base, catalog)} belongs to no set of {rules.name}."
            problems.append(("base_not_in_format", text, "FORMAT"))
        if base in rules.banned:
            problems.append(("banned_base", f"The base {_mark(base, catalog)} is banned in {rules.name}.", "FORMAT"))
    for code, text, rule in problems:
        yield Illegality(
            code=code,
            text=text,
            rule=rule,
            fix="Choose another base.",
            cards=(base,),
            actions=(FixStep(do="choose_base"),),
        )


def _size_problems(counts: Mapping[str, int], rules: FormatRules, catalog: Catalog) -> Iterable[Illegality]:
    total = deck_size(counts, catalog)
    if total < rules.minimum:
        missing = rules.minimum - total
        yield Illegality(
            code="too_few_cards",
            text=f"The deck has {_cards(total)} besides the base; {rules.name} asks for at least {rules.minimum}.",
            rule="DECK-2",
            fix=f"Add {_cards(missing)}.",
            found=total,
            required=rules.minimum,
            actions=(FixStep(do="add_cards", count=missing),),
        )


def deck_size(counts: Mapping[str, int], catalog: Catalog) -> int:
    """Return how many cards count towards the minimum: all copies but those of bases (DECK-2)."""
    return sum(n for card_id, n in counts.items() if n > 0 and not _is_base(card_id, catalog))


def _impossible(card_id: str, count: int, catalog: Catalog) -> Illegality:
    return Illegality(
        code="impossible_count",
        text=f"{_mark(card_id, catalog)} is listed {count} times.",
        rule="DECK-3",
        fix=f"Take {_mark(card_id, catalog)} off the list.",
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
    name = _mark(card_id, catalog)
    remove = (FixStep(do="set_count", card=card_id),)
    if card_id not in catalog and card_id in gone:
        text = f"{_named(gone[card_id])} has been withdrawn from its set."
        problem = _surplus("withdrawn_card", card_id, count, 0, text, "CARDS", catalog)
        yield structs.replace(problem, fix=f"Remove {_copies(count)} of {_named(gone[card_id])}.")
        return
    if card_id not in catalog:
        yield _surplus("unknown_card", card_id, count, 0, f"{card_id} is not in the card database.", "CARDS", catalog)
        return
    card = catalog[card_id]
    if card.type == "base":
        lone = not base_ids
        yield Illegality(
            code="base_in_deck",
            text=f"{name} is a base and cannot be one of the deck's cards.",
            rule="DECK-1",
            fix=f"Make {name} the base." if lone else f"Take {name} out of the deck.",
            cards=(card_id,),
            found=count,
            required=0,
            actions=(FixStep(do="set_base", card=card_id), *remove) if lone else remove,
        )
    if not rules.allows(card):
        text = f"{name} belongs to no set of {rules.name}."
        yield _surplus("not_in_format", card_id, count, 0, text, "FORMAT", catalog)
    if card_id in rules.banned:
        yield _surplus("banned", card_id, count, 0, f"{name} is banned in {rules.name}.", "FORMAT", catalog)
    elif card_id in rules.restricted and count > 1:
        text = f"{name} is restricted in {rules.name}: one copy, and the deck has {count}."
        yield _surplus("restricted", card_id, count, 1, text, "FORMAT", catalog)


def _surplus(code: Code, card_id: str, found: int, required: int, text: str, rule: str, catalog: Catalog) -> Illegality:
    return Illegality(
        code=code,
        text=text,
        rule=rule,
        fix=f"Remove {_copies(found - required)} of {_mark(card_id, catalog)}.",
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
            name = fold(catalog[card_id].name) if card_id in catalog else card_id
            by_name.setdefault(name, []).append(card_id)
    for cards in by_name.values():
        total, limit = sum(counts[card] for card in cards), min(rules.limit(card) for card in cards)
        if total > limit:
            name = _mark(cards[0], catalog)
            yield Illegality(
                code="too_many_copies",
                text=f"There are {_copies(total)} of {name}; at most {limit} are allowed.",
                rule="DECK-4" if len(cards) > 1 else "DECK-3",
                fix=f"Remove {_copies(total - limit)} of {name}.",
                cards=tuple(cards),
                found=total,
                required=limit,
                actions=tuple(_share(cards, counts, limit)),
            )


def _share(cards: Iterable[str], counts: Mapping[str, int], limit: int) -> Iterable[FixStep]:
    for card in cards:
        kept = min(counts[card], limit)
        limit -= kept
        yield FixStep(do="set_count", card=card, count=kept)


def _is_base(card_id: str, catalog: Catalog) -> bool:
    return card_id in catalog and catalog[card_id].type == "base"


def _mark(card_id: str, catalog: Catalog) -> str:
    return _named(catalog[card_id]) if card_id in catalog else card_id


def _named(card: CardDef) -> str:
    return f"[[card:{card.id}|{card.name}]]"


def _cards(n: int) -> str:
    return "1 card" if n == 1 else f"{n} cards"


def _copies(n: int) -> str:
    return "1 copy" if n == 1 else f"{n} copies"
