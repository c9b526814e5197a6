"""The stream of chance: the same on every machine and every Python, and fair."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from ccg.rules.core.chance import Chance

FIXED_WORDS = [257, 751, 932, 288, 272, 342, 233, 953, 355, 486, 609, 998, 712, 651, 747, 521, 34, 475, 194, 510]
FIXED_SHUFFLE = [3, 18, 1, 5, 2, 14, 8, 11, 9, 10, 6, 15, 0, 4, 17, 7, 16, 13, 19, 12]


def test_the_stream_is_fixed() -> None:
    chance = Chance(b"battlestar")

    assert [chance.below(1000) for _ in range(20)] == FIXED_WORDS
    assert chance.drawn == 20


def test_a_shuffle_is_fixed() -> None:
    cards = list(range(20))
    Chance(b"galactica").shuffle(cards)

    assert cards == FIXED_SHUFFLE


def test_a_stream_goes_on_from_where_it_was() -> None:
    whole, part = Chance(b"seed"), Chance(b"seed")
    first = [whole.below(6) for _ in range(30)]
    begun = [part.below(6) for _ in range(11)]
    rest = Chance(b"seed", part.drawn)

    assert begun + [rest.below(6) for _ in range(19)] == first


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 60, 61, 65536])
def test_numbers_are_within_their_limit_and_even(limit: int) -> None:
    chance, draws = Chance(b"even"), 6000
    seen = Counter(chance.below(limit) for _ in range(draws))

    assert min(seen) >= 0
    assert max(seen) < limit
    if limit <= 61:
        expected = draws / limit
        chi_square = sum((seen[value] - expected) ** 2 / expected for value in range(limit))
        assert chi_square < limit + 6 * (2 * limit) ** 0.5  # six standard deviations


def test_every_order_of_a_few_cards_comes_about_equally_often() -> None:
    chance, orders = Chance(b"orders"), Counter[tuple[int, ...]]()
    for _ in range(4800):
        cards = [0, 1, 2, 3]
        chance.shuffle(cards)
        orders[tuple(cards)] += 1

    assert set(orders) == set(permutations(range(4)))
    assert sum((count - 200) ** 2 / 200 for count in orders.values()) < 23 + 6 * 46**0.5


@pytest.mark.parametrize("cards", [[], [5]])
def test_nothing_to_shuffle_draws_nothing(cards: list[int]) -> None:
    chance = Chance(b"seed")
    chance.shuffle(cards)

    assert chance.drawn == 0


def test_other_seeds_are_other_streams() -> None:
    streams = {tuple(Chance(bytes([seed])).below(1 << 16) for _ in range(8)) for seed in range(200)}

    assert len(streams) == 200
