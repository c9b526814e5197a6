"""Sets of seats as numbers: what a column holds is the set that was meant."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from matches.storage.seat_sets import bits_of, has, seats_of

SETS = st.sets(st.integers(0, 7))


@given(SETS)
def test_a_set_is_read_back_as_it_was_written(seats: set[int]) -> None:
    assert seats_of(bits_of(seats)) == tuple(sorted(seats))
    assert [seat for seat in range(8) if has(bits_of(seats), seat)] == sorted(seats)


def test_who_looks_on_is_in_no_set() -> None:
    assert not has(255, None)
