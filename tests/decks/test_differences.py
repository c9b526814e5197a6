"""What differs between two lists: everything, and nothing else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from decks.lists.deck_list import DeckList
from decks.lists.differences import Change, difference

cards = st.sampled_from([f"BSG1-{number:03}" for number in range(1, 9)])
copies = st.dictionaries(cards, st.integers(1, 4))
lists = st.builds(
    DeckList,
    bases=st.lists(cards, max_size=1),
    counts=copies,
    considering=copies,
    tags=st.dictionaries(cards, st.lists(st.sampled_from(["core", "spare"]), min_size=1, unique=True)),
)


def applied(counts: dict[str, int], changes: tuple[Change, ...]) -> dict[str, int]:
    made = counts | {change.card: change.after for change in changes}
    return {card: number for card, number in made.items() if number}


@given(lists, lists)
def test_the_changes_make_one_list_of_the_other(before: DeckList, after: DeckList) -> None:
    found = difference(before, after)
    assert applied(before.counts, found.cards) == after.counts
    assert applied(before.considering, found.considering) == after.considering
    assert list(applied(dict.fromkeys(before.bases, 1), found.bases)) == after.bases
    assert {**before.tags, **{card: after.tags.get(card) for card in found.tagged}} == {
        **after.tags,
        **dict.fromkeys(before.tags.keys() - after.tags.keys()),
    }


@given(lists, lists)
def test_copies_are_all_accounted_for(before: DeckList, after: DeckList) -> None:
    found = difference(before, after)
    assert found.same + found.went == sum(before.counts.values())
    assert found.same + found.came == sum(after.counts.values())
    back = difference(after, before)
    assert (back.came, back.went, back.same) == (found.went, found.came, found.same)


@given(lists)
def test_a_list_differs_from_itself_in_nothing(deck: DeckList) -> None:
    assert not difference(deck, deck)


def test_each_change_tells_how_many() -> None:
    found = difference(
        DeckList(bases=["BSG1-001"], counts={"BSG1-010": 4, "BSG1-011": 2}),
        DeckList(bases=["BSG1-002"], counts={"BSG1-010": 1, "BSG1-012": 3}),
    )
    assert [(one.card, one.by) for one in found.bases] == [("BSG1-001", -1), ("BSG1-002", 1)]
    assert [(one.card, one.before, one.after) for one in found.cards] == [
        ("BSG1-010", 4, 1),
        ("BSG1-011", 2, 0),
        ("BSG1-012", 0, 3),
    ]
    assert (found.came, found.went, found.same) == (3, 5, 1)
