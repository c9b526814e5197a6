"""Two changes of one deck become one, and nothing that anybody did is lost unsaid."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from decks.lists.merging import BY_CARD, SINGLE, Content, merge

CARDS = st.sampled_from(["A-1", "A-2", "A-3"])
COUNTS = st.dictionaries(CARDS, st.integers(1, 4))
CONTENTS = st.builds(
    Content,
    name=st.sampled_from(["", "Viper Wing", "Raptors"]),
    base=st.sampled_from(["", "B-1", "B-2"]),
    counts=COUNTS,
    considering=COUNTS,
    tags=st.dictionaries(CARDS, st.lists(st.sampled_from(["core", "maybe"]), min_size=1, max_size=1)),
)
TWO_OF_A = Content(counts={"A-1": 2})


def places(*contents: Content) -> set[tuple[str, str]]:
    """Every place where one of them may have something."""
    cards = {(part, card) for part in BY_CARD for content in contents for card in getattr(content, part)}
    return cards | {(part, "") for part in SINGLE}


def at(content: Content, part: str, card: str) -> Any:
    value = getattr(content, part)
    return value.get(card) if card else value


def test_what_each_side_did_alone_is_kept() -> None:
    theirs, ours = Content(counts={"A-1": 3}, base="B-1"), Content(counts={"A-1": 2, "A-2": 4}, name="Raptors")

    merged = merge(TWO_OF_A, theirs, ours)

    assert merged.content == Content(counts={"A-1": 3, "A-2": 4}, base="B-1", name="Raptors")
    assert {(one.part, one.card, one.now, one.kept) for one in merged.brought} == {
        ("base", "", "B-1", None),
        ("counts", "A-1", 3, None),
    }


def test_a_card_that_was_taken_out_stays_out() -> None:
    merged = merge(TWO_OF_A, Content(), Content(counts={"A-1": 2, "A-2": 1}))

    assert merged.content.counts == {"A-2": 1}
    assert [(one.card, one.was, one.now) for one in merged.brought] == [("A-1", 2, None)]


def test_where_both_changed_the_same_card_the_later_save_stands_and_the_other_is_named() -> None:
    merged = merge(TWO_OF_A, Content(counts={"A-1": 4}), Content(counts={"A-1": 1}))

    assert merged.content.counts == {"A-1": 1}
    assert [(one.was, one.now, one.kept) for one in merged.brought] == [(2, 4, 1)]


def test_a_card_taken_out_here_and_changed_there_is_named_too() -> None:
    merged = merge(TWO_OF_A, Content(counts={"A-1": 4}), Content())

    assert merged.content.counts == {}
    assert [(one.now, one.kept) for one in merged.brought] == [(4, 0)]


@given(CONTENTS, CONTENTS)
def test_who_changed_nothing_gets_what_the_other_has(common: Content, changed: Content) -> None:
    assert merge(common, changed, common).content == changed
    assert merge(common, common, changed) == type(merge(common, common, changed))(changed, [])
    assert merge(common, changed, changed).brought == []


@given(CONTENTS, CONTENTS, CONTENTS)
def test_every_value_is_that_of_who_changed_it(common: Content, theirs: Content, ours: Content) -> None:
    merged = merge(common, theirs, ours)
    told = {(one.part, one.card): one for one in merged.brought}
    for part, card in places(common, theirs, ours):
        was, there, here, now = (at(content, part, card) for content in (common, theirs, ours, merged.content))
        assert now == (there if here == was else here)
        assert ((part, card) in told) == (there not in (was, here))


@given(CONTENTS, CONTENTS, CONTENTS)
def test_the_order_of_saves_matters_only_where_both_changed_the_same(
    common: Content, theirs: Content, ours: Content
) -> None:
    one, other = merge(common, theirs, ours), merge(common, ours, theirs)
    disputed = {(brought.part, brought.card) for brought in one.brought if brought.kept is not None}
    for part, card in places(common, theirs, ours):
        same = at(one.content, part, card) == at(other.content, part, card)
        assert same is ((part, card) not in disputed)
