"""Whole numbers as people and programs send them."""

from __future__ import annotations

import pytest

from ccg.numbers import whole_number


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("007", 7), ("999", 999), ("", None), ("1000", None), ("-1", None), ("+1", None), (" 1", None),
     ("1_0", None), ("٤", None), ("²", None), ("1.0", None), ("\0", None)],
)  # fmt: skip
def test_a_number_is_digits_from_0_to_9_and_not_too_many(text: str, number: int | None) -> None:
    assert whole_number(text, 3) == number
