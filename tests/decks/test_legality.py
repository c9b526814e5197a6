"""Legality says everything that is wrong with a list, and what would mend it."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccg.rules.authoring.card_files import read_catalog
from ccg.rules.cards.definitions import CardDef, Catalog
from decks.lists.legality import (
    RULES,
    FixStep,
    FormatRules,
    Illegality,
    advise,
    apply,
    check,
    deck_size,
    judge,
    rules_on,
)

UNITS = [f"TEST-{n:03}" for n in range(1, 31)]
BASE, OTHER_BASE, FOREIGN_BASE, FOREIGN = "TEST-901", "TEST-902", "ELSE-901", "ELSE-001"
TWINS = ("TEST-801", "TEST-802")
SHARED_TITLE = ("TEST-701", "TEST-702")

CATALOG = Catalog(
    [
        *(CardDef(id=card_id, type="personnel", title=f"Crew {card_id[-3:]}") for card_id in UNITS),
        *(CardDef(id=card_id, type="base", title=f"Hull {card_id}") for card_id in (BASE, OTHER_BASE, FOREIGN_BASE)),
        *(CardDef(id=card_id, type="event", subtitle="Same Name") for card_id in TWINS),
        *(CardDef(id=card_id, type="ship", title="Two Ways", subtitle=card_id) for card_id in SHARED_TITLE),
        CardDef(id=FOREIGN, type="ship", title="From Elsewhere"),
    ]
)
FORMAT = FormatRules(code="test", name="Test", starts=date(2006, 1, 1), sets=frozenset({"TEST"}))
LEGAL = dict.fromkeys(UNITS[:15], 4)


@dataclass(frozen=True)
class Changed:
    """A legal list with one thing changed, and the only code that should be told of it."""

    code: str
    bases: tuple[str, ...] = (BASE,)
    counts: tuple[tuple[str, int], ...] = ()
    rules: FormatRules = FORMAT
    found: int | None = None
    required: int | None = None


def codes(problems: list[Illegality]) -> list[str]:
    return [problem.code for problem in problems]


def test_a_base_and_sixty_cards_are_legal() -> None:
    assert check([BASE], LEGAL, FORMAT, CATALOG) == []


@pytest.mark.parametrize(
    "changed",
    [
        Changed("no_base", bases=(), found=0, required=1),
        Changed("many_bases", bases=(BASE, OTHER_BASE), found=2, required=1),
        Changed("many_bases", bases=(BASE, BASE), found=2, required=1),
        Changed("unknown_base", bases=("TEST-999",)),
        Changed("not_a_base", bases=(UNITS[20],)),
        Changed("base_not_in_format", bases=(FOREIGN_BASE,)),
        Changed("banned_base", rules=msgspec.structs.replace(FORMAT, banned=frozenset({BASE}))),
        Changed("too_few_cards", counts=((UNITS[0], 3),), found=59, required=60),
        Changed("impossible_count", counts=((UNITS[20], 0),), found=0),
        Changed("impossible_count", counts=((UNITS[20], -2),), found=-2),
        Changed("unknown_card", counts=(("TEST-999", 2),), found=2, required=0),
        Changed("base_in_deck", counts=((OTHER_BASE, 1),), found=1, required=0),
        Changed("not_in_format", counts=((FOREIGN, 1),), found=1, required=0),
        Changed("banned", rules=msgspec.structs.replace(FORMAT, banned=frozenset({UNITS[0]})), found=4, required=0),
        Changed(
            "restricted", rules=msgspec.structs.replace(FORMAT, restricted=frozenset({UNITS[0]})), found=4, required=1
        ),
        Changed("too_many_copies", counts=((UNITS[0], 5),), found=5, required=4),
        Changed("too_many_copies", counts=((TWINS[0], 2), (TWINS[1], 3)), found=5, required=4),
        Changed("too_many_copies", rules=msgspec.structs.replace(FORMAT, copies_of={UNITS[0]: 1}), found=4, required=1),
    ],
    ids=lambda changed: changed.code,
)
def test_each_fault_is_told_with_its_counts_its_rule_and_a_fix(changed: Changed) -> None:
    problems = check(changed.bases, {**LEGAL, **dict(changed.counts)}, changed.rules, CATALOG)

    assert codes(problems) == [changed.code]
    (problem,) = problems
    assert problem.found == changed.found
    assert changed.required is None or problem.required == changed.required
    assert problem.rule in RULES
    assert problem.text.endswith(".")
    assert problem.fix.endswith(".")
    assert problem.actions


def test_a_card_in_place_of_the_base_is_told_with_its_type() -> None:
    kind = CATALOG[UNITS[20]].type
    (problem,) = check([UNITS[20]], LEGAL, FORMAT, CATALOG)

    assert problem.text.endswith(f" is not a base: its type is {kind}.")


def test_fifty_nine_and_a_base_are_too_few() -> None:
    problems = check([BASE], {**LEGAL, UNITS[0]: 3, BASE: 1}, FORMAT, CATALOG)

    assert codes(problems) == ["too_few_cards", "base_in_deck"]


def test_cards_that_share_only_a_title_are_counted_apart() -> None:
    counts = dict.fromkeys(UNITS[:13], 4) | dict.fromkeys(SHARED_TITLE, 4)

    assert check([BASE], counts, FORMAT, CATALOG) == []


def test_a_card_printed_again_in_a_set_of_the_format_is_allowed() -> None:
    again = msgspec.structs.replace(FORMAT, reprints=frozenset({FOREIGN}))

    assert check([BASE], {**LEGAL, FOREIGN: 4}, again, CATALOG) == []


def test_a_format_may_allow_more_copies_of_a_card_and_smaller_decks() -> None:
    loose = msgspec.structs.replace(FORMAT, minimum=40, copies_of={UNITS[0]: 40})

    assert check([BASE], {UNITS[0]: 40}, loose, CATALOG) == []


@pytest.mark.parametrize(("day", "told"), [(date(2005, 12, 31), "begins"), (date(2010, 1, 1), "ended")])
def test_a_format_counts_only_while_it_is_in_force(day: date, told: str) -> None:
    over = msgspec.structs.replace(FORMAT, ends=date(2010, 1, 1))

    (problem,) = check([BASE], LEGAL, over, CATALOG, on=day)

    assert problem.code == "format_not_in_force"
    assert told in problem.text
    assert check([BASE], LEGAL, over, CATALOG, on=date(2009, 12, 31)) == []


def test_of_several_editions_the_last_begun_holds() -> None:
    later = msgspec.structs.replace(FORMAT, starts=date(2007, 1, 1), ends=date(2008, 1, 1))

    assert rules_on([FORMAT, later], date(2006, 6, 1)) == FORMAT
    assert rules_on([later, FORMAT], date(2007, 1, 1)) == later
    assert rules_on([FORMAT, later], date(2008, 1, 1)) == FORMAT
    assert rules_on([FORMAT], date(2005, 1, 1)) is None


def test_few_personnel_and_ships_are_worth_advice_but_no_problem() -> None:
    counts = {UNITS[0]: 4, TWINS[0]: 4}

    (advice,) = advise(counts, CATALOG)

    assert (advice.found, advice.advised, advice.rule) == (4, 30, "DECK-6")
    assert advise(LEGAL, CATALOG) == []


def test_a_lone_base_in_the_deck_is_offered_as_the_base() -> None:
    problems = check([], {**LEGAL, BASE: 1}, FORMAT, CATALOG)
    actions = [action for problem in problems for action in problem.actions]

    bases, counts = apply(actions, [], {**LEGAL, BASE: 1})

    assert check(bases, counts, FORMAT, CATALOG) == []


ids = st.sampled_from([*UNITS, *TWINS, *SHARED_TITLE, FOREIGN, BASE, OTHER_BASE, "TEST-999", "", "odd]]|id"])
some_counts = st.dictionaries(ids, st.integers(-3, 12), max_size=40)
some_bases = st.lists(st.sampled_from([BASE, OTHER_BASE, FOREIGN_BASE, UNITS[0], "TEST-999"]), max_size=3)
some_formats = st.builds(
    FormatRules,
    code=st.just("x"),
    name=st.just("X"),
    starts=st.just(date(2006, 1, 1)),
    sets=st.sampled_from([frozenset({"TEST"}), frozenset({"TEST", "ELSE"}), frozenset()]),
    minimum=st.integers(0, 80),
    copies=st.integers(1, 6),
    copies_of=st.dictionaries(ids, st.integers(0, 9), max_size=4),
    banned=st.frozensets(ids, max_size=4),
    restricted=st.frozensets(ids, max_size=4),
)


@given(some_bases, some_counts, some_formats, st.randoms())
def test_the_order_of_the_list_changes_nothing(
    bases: list[str], counts: dict[str, int], rules: FormatRules, chance: random.Random
) -> None:
    shuffled = list(counts.items())
    chance.shuffle(shuffled)

    assert check(bases, dict(shuffled), rules, CATALOG) == check(bases, counts, rules, CATALOG)


@given(some_bases, some_counts, some_formats, st.booleans())
def test_a_list_is_judged_legal_where_there_is_no_reason_against_it(
    bases: list[str], counts: dict[str, int], rules: FormatRules, ended: bool
) -> None:
    day = date(2005, 1, 1) if ended else date(2026, 1, 1)
    possible = {card: n for card, n in counts.items() if 0 < n <= rules.limit(card) and card in CATALOG}
    for chosen in (bases, bases[:1], [BASE]):
        for listed in (counts, possible, {**LEGAL, **possible}):
            judged = judge(rules, CATALOG, day)(chosen, listed)
            assert judged == (not check(chosen, listed, rules, CATALOG, day))
    assert judge(FORMAT, CATALOG)([BASE], LEGAL)


@given(some_bases, some_counts, some_formats)
def test_problems_mean_what_they_say(bases: list[str], counts: dict[str, int], rules: FormatRules) -> None:
    before = dict(counts)

    problems = check(bases, counts, rules, CATALOG)

    assert counts == before
    assert len({(problem.code, problem.cards) for problem in problems}) == len(problems)
    told = codes(problems)
    assert ("no_base" in told) == (not bases)
    assert ("many_bases" in told) == (len(bases) > 1)
    assert ("too_few_cards" in told) == (deck_size(counts, CATALOG) < rules.minimum)
    for problem in problems:
        assert problem.rule in RULES
        assert problem.actions
        assert set(problem.cards) <= set(counts) | set(bases)
        assert msgspec.json.decode(msgspec.json.encode(problem), type=Illegality) == problem


@given(some_bases, some_counts, some_formats)
def test_after_all_fixes_only_what_needs_a_choice_is_left(
    bases: list[str], counts: dict[str, int], rules: FormatRules
) -> None:
    for _ in range(2):  # taking away cards that were counted can leave too few; never anything else new
        actions = [action for problem in check(bases, counts, rules, CATALOG) for action in problem.actions]
        bases, counts = apply(actions, bases, counts)

    left = codes(check(bases, counts, rules, CATALOG))

    assert set(left) <= {"no_base", "unknown_base", "not_a_base", "base_not_in_format", "banned_base", "too_few_cards"}


@given(some_counts)
def test_fixes_never_add_a_card(counts: dict[str, int]) -> None:
    actions = [FixStep(do="set_count", card=card, count=7) for card in UNITS] + [FixStep(do="add_cards", count=9)]

    _, after = apply(actions, [BASE], counts)

    assert all(after[card] <= counts[card] for card in after)


def test_the_real_cards_know_no_name_that_only_differs_in_punctuation() -> None:
    """DECK-4 counts by folded name: two real cards must not fall together by it."""
    catalog = read_catalog()
    decked = [card for card in catalog if card.type != "base"]

    assert all(len([card for card in catalog.named(c.name) if card.type != "base"]) == 1 for c in decked)
