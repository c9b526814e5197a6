"""Who is paired with whom, and how far apart they may be."""

from __future__ import annotations

import random

from matches.pairing.choosing import ANY_GAP_AFTER, Waiting, chosen, pair_of, widest_gap
from matches.ratings.skills import POINTS_A_MU


def waiting(number: int, mu: float = 25.0, waited: float = 0.0) -> Waiting:
    return Waiting(entry=number, user=number, mu=mu, waited=waited)


def users(pairs: list[tuple[Waiting, Waiting]]) -> set[tuple[int, int]]:
    return {pair_of(one.user, other.user) for one, other in pairs}


def test_the_nearest_in_strength_meet() -> None:
    people = [waiting(1, 20), waiting(2, 30), waiting(3, 20.5), waiting(4, 29)]
    assert users(chosen(people, ())) == {(1, 3), (2, 4)}


def test_too_far_apart_they_wait_until_anybody_will_do() -> None:
    for waited in (0.0, 10.0, 20.0):
        gap = widest_gap(waited) / POINTS_A_MU
        assert chosen([waiting(1, 25, waited), waiting(2, 25 + gap + 0.1)], ()) == []
        assert users(chosen([waiting(1, 25, waited), waiting(2, 25 + gap - 0.1)], ())) == {(1, 2)}
    assert users(chosen([waiting(1, 0, ANY_GAP_AFTER), waiting(2, 100)], ())) == {(1, 2)}


def test_who_has_waited_longest_chooses_first() -> None:
    people = [waiting(1, 25, 30), waiting(2, 25.2), waiting(3, 25.1), waiting(4, 33, 40)]
    assert users(chosen(people, ())) == {(3, 1), (2, 4)} or users(chosen(people, ())) == {(1, 3), (2, 4)}


def test_who_is_not_to_meet_is_passed_over() -> None:
    people = [waiting(1, 25), waiting(2, 25), waiting(3, 26)]
    assert users(chosen(people, {(1, 2)})) == {(1, 3)}
    assert chosen(people, {(1, 2), (1, 3), (2, 3)}) == []


def test_nobody_is_in_two_pairs_and_nobody_who_could_be_paired_is_left() -> None:
    rng = random.Random(5)
    for _ in range(50):
        people = [waiting(n, rng.gauss(25, 8), rng.uniform(0, 60)) for n in range(rng.randrange(2, 60))]
        refused = {pair_of(*rng.sample(range(60), 2)) for _ in range(100)}
        pairs = chosen(people, refused)
        met = [one.user for pair in pairs for one in pair]
        assert len(met) == len(set(met)) and not users(pairs) & refused
        left = [one for one in people if one.user not in met]
        for one in left:
            for other in left:
                bound = widest_gap(max(one.waited, other.waited))
                far = POINTS_A_MU * abs(one.mu - other.mu) > bound
                assert one is other or far or pair_of(one.user, other.user) in refused
