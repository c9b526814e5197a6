"""Changes between values of plain data."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matches.replays.changes import Change, applied, between

DATA = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "a"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=12,
)


@given(DATA, DATA)
def test_the_changes_between_two_values_make_one_into_the_other(before: Any, after: Any) -> None:
    kept = repr(before)
    assert applied(before, between(before, after)) == after
    assert repr(before) == kept


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": {"b": [1, 2]}}, {"a": {"b": [1, 3]}}, [Change(["a", "b", 1], 3)]),
        ({"a": [1]}, {"a": [1, 2]}, [Change(["a"], [1, 2])]),
        ({"a": 1, "b": 2}, {"b": None}, [Change(["a"], gone=True), Change(["b"], None)]),
        ({"a": 0}, {"a": False}, [Change(["a"], False)]),
        (None, {"a": 1}, [Change([], {"a": 1})]),
    ],
)
def test_only_what_differs_is_written(before: Any, after: Any, changes: list[Change]) -> None:
    assert between(before, after) == changes
