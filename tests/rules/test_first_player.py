"""Who goes first: the least influence; on a tie the player before, else the next tied in turn order (ruling 1)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ccg.rules import Catalog, Game, Seat
from tests.reading import own_cards
from tests.rules.tables import PLAIN_BASE, PLAIN_SHIP, keys, position

CATALOG = own_cards()
INFLUENCE = st.lists(st.integers(3, 6), min_size=2, max_size=8)


def by_the_rules(influence: list[int], before: int) -> int:
    """Say it once more, in another way: ask round the table from the previous first player."""
    order = list(range(before, len(influence))) + list(range(before))
    return next(seat for seat in order if influence[seat] == min(influence))


@given(INFLUENCE, st.data())
def test_the_first_player_of_a_phase(influence: list[int], data: st.DataObject) -> None:
    before = data.draw(st.integers(0, len(influence) - 1))
    game = position(CATALOG, *({"influence": points, "hand": ["Raptor 101"]} for points in influence))
    game.engine.state.first = before

    while game.engine.state.phase == "execution":
        game.choose("pass")

    assert game.engine.state.first == by_the_rules(influence, before)


@given(INFLUENCE)
def test_in_a_given_position_the_first_listed_of_the_lowest_begins(influence: list[int]) -> None:
    game = position(CATALOG, *({"influence": points} for points in influence))

    assert game.decision is not None
    assert game.decision.seat == influence.index(min(influence))


def test_at_the_start_the_lowest_draw_lots_and_nobody_else(catalog: Catalog) -> None:
    bases = ["BSG1-004", "BSG1-002", "BSG1-004", "BSG1-004"]  # 10, 12, 10, 10 influence
    seats = [Seat(f"P{place}", base, [PLAIN_SHIP] * 20) for place, base in enumerate(bases)]
    first = [Game.start(seats, catalog, str(seed).encode()).view(None).first for seed in range(120)]

    assert set(first) == {0, 2, 3}
    assert min(first.count(seat) for seat in (0, 2, 3)) > 20


def test_at_the_start_a_single_lowest_begins(catalog: Catalog) -> None:
    bases = ["BSG1-002", "BSG1-004", "BSG1-002"]
    seats = [Seat(f"P{place}", base, [PLAIN_SHIP] * 20) for place, base in enumerate(bases)]

    assert {Game.start(seats, catalog, str(seed).encode()).view(None).first for seed in range(20)} == {1}


def test_opening_hands_are_asked_about_from_the_first_player_round(catalog: Catalog) -> None:
    seats = [Seat(f"P{place}", PLAIN_BASE, [PLAIN_SHIP] * 20) for place in range(5)]
    for seed in range(10):
        game = Game.start(seats, catalog, str(seed).encode())
        first, asked = game.view(None).first, []
        while game.decision is not None and game.decision.kind == "opening_hand":
            asked.append(game.decision.seat)
            game.choose(keys(game)[0])

        assert asked == [(first + step) % 5 for step in range(5)]


def test_nobody_is_shown_as_first_who_has_left_the_game(catalog: Catalog) -> None:
    """What goes from the first player round begins with the next one then, and so they are shown (ruling 5)."""
    game = position(catalog, {"influence": 5}, {"influence": 9}, {"influence": 8}, phase="execution", first="Ana")
    game.concede(0)

    assert {game.view(viewer).first for viewer in (None, 0, 1, 2)} == {1}
    assert game.engine.seats() == [1, 2]

    game.choose("pass")
    game.choose("pass")
    assert game.view(None).first == 2, "a new phase has begun, and Cleo has the least"
