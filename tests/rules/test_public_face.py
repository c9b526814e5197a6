"""Starting, choosing, refusing, taking back, conceding: what a caller can rely on."""

from __future__ import annotations

import doctest
import random
import subprocess
import sys

import pytest

from ccg.rules import Catalog, Game, IllegalOption, Seat, SetupError
from ccg.rules import game as game_module
from ccg.rules.core.engine import Engine
from ccg.rules.soak import checks
from tests.rules.tables import PLAIN_BASE, PLAIN_SHIP, keys, position, start, walk

DECK = [PLAIN_SHIP] * 20


@pytest.mark.pure_only("reads docstrings, which are left out where modules are compiled")
def test_the_docstring_of_the_game_is_true() -> None:
    results = doctest.testmod(game_module)

    assert results.attempted > 0
    assert results.failed == 0


def test_importing_the_rules_loads_no_framework() -> None:
    code = """
import sys, ccg.rules, ccg.rules.scenario, ccg.rules.soak.playing
heavy = {"django", "channels", "celery", "kombu", "redis", "asgiref", "daphne", "twisted", "psycopg",
         "rest_framework", "allauth", "sqlite3"}
print(sorted(heavy.intersection(name.partition(".")[0] for name in sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


# ---------------------------------------------------------------- starting


@pytest.mark.parametrize("players", [0, 1, 9])
def test_a_game_has_two_to_eight_players(catalog: Catalog, players: int) -> None:
    with pytest.raises(SetupError) as refused:
        Game.start([Seat("Ana", PLAIN_BASE, DECK)] * players, catalog, b"seed")

    assert refused.value.code == "seats"


@pytest.mark.parametrize(
    ("base", "deck", "code"),
    [
        ("BSG9-999", DECK, "unknown_card"),
        (PLAIN_BASE, [*DECK, "Colonial Shuttle"], "unknown_card"),
        (PLAIN_SHIP, DECK, "base"),
        (PLAIN_BASE, [*DECK, PLAIN_BASE], "base_in_deck"),
    ],
)
def test_a_game_starts_only_with_cards_that_exist_where_they_belong(
    catalog: Catalog, base: str, deck: list[str], code: str
) -> None:
    with pytest.raises(SetupError) as refused:
        Game.start([Seat("Ana", PLAIN_BASE, DECK), Seat("Ben", base, deck)], catalog, b"seed")

    assert (refused.value.code, refused.value.seat) == (code, 1)
    assert "Ben" in refused.value.message


@pytest.mark.parametrize("players", range(2, 9))
def test_same_seats_and_seed_are_the_same_game_and_another_seed_is_another(catalog: Catalog, players: int) -> None:
    one, same = start(catalog, 1, players), start(catalog, 1, players)
    seats = [Seat(player.name, PLAIN_BASE, DECK + ["BSG1-147"] * 20) for player in one.engine.state.players]

    assert one.digest() == same.digest()
    assert Game.start(seats, catalog, b"one").digest() != Game.start(seats, catalog, b"two").digest()


def test_an_empty_deck_starts_a_game(catalog: Catalog) -> None:
    game = Game.start([Seat("Ana", PLAIN_BASE, []), Seat("Ben", PLAIN_BASE, [])], catalog, b"seed")

    assert game.decision is not None


# ---------------------------------------------------------------- refusals


REFUSED = [
    "",
    "pas",
    "pass ",
    "play",
    "play BSG9-999",
    "keep redraw",
    "challenge 0 p9",
    "concede",
    "Back",
    "\0",
    "é" * 500,
    "pay " + "9" * 5_000,
]


@pytest.mark.parametrize("players", [2, 4])
def test_what_is_not_offered_is_refused_and_changes_nothing(catalog: Catalog, players: int) -> None:
    for game in walk(catalog, "refused", players, most=120):
        before, asked = game.save(), game.decision
        for choice in [*REFUSED, *(option for option in elsewhere(catalog) if option not in keys(game))]:
            with pytest.raises(IllegalOption) as refused:
                game.choose(choice)
            assert refused.value.code in ("not_offered", "over")
        assert game.save() == before
        assert game.decision == asked
        assert game.engine.events == [] or asked is not None


def elsewhere(catalog: Catalog) -> list[str]:
    """Some options of quite another game."""
    return keys(position(catalog, {"hand": ["Raptor 101"], "alert": ["3 x Raptor 101"]}, {}))


def test_an_option_of_another_decision_is_refused(catalog: Catalog) -> None:
    games = list(walk(catalog, 3, most=1))
    late = start(catalog, 3)
    assert late.decision is not None
    old = late.decision.options[0]
    while late.decision is not None and old in late.decision.options:
        late.choose(late.decision.options[0])

    with pytest.raises(IllegalOption) as refused:
        late.choose(old)

    assert refused.value.code == "not_offered"
    assert games


def test_an_option_can_be_chosen_by_itself_or_by_its_key(catalog: Catalog) -> None:
    for game in walk(catalog, 4, most=80):
        if game.decision is not None:
            for option in game.decision.options:
                by_option, by_key = game.copy(), game.copy()

                assert by_option.choose(option) == by_key.choose(game.key(option))
                assert by_option.digest() == by_key.digest()


def test_nothing_is_chosen_in_a_game_that_is_over(catalog: Catalog) -> None:
    game = start(catalog)
    game.concede(0)

    assert game.decision is None
    for attempt in (lambda: game.choose("pass"), game.take_back, lambda: game.concede(1), lambda: game.move("keep")):
        with pytest.raises(IllegalOption) as refused:
            attempt()
        assert refused.value.code in ("over", "not_playing")


# ---------------------------------------------------------------- taking back


@pytest.mark.parametrize("seed", range(6))
def test_a_half_made_move_taken_back_leaves_the_game_as_it_was(catalog: Catalog, seed: int) -> None:
    clean, seat, taken_back = "", -1, 0
    for game in walk(catalog, seed, players=2 + seed % 3, decks=("legal", "starter")[seed % 2], most=300):
        if game.decision is None:
            break
        if not game.decision.can_take_back:
            clean, seat = game.digest(), game.decision.seat
            continue
        back = game.copy()
        back.take_back()
        taken_back += 1

        assert back.digest() == clean
        assert back.decision is not None
        assert back.decision.seat == seat == game.decision.seat
        assert not back.decision.can_take_back

    assert taken_back > 0


def test_every_stage_of_a_long_move_can_be_taken_back(catalog: Catalog) -> None:
    """Three stacks that make one each pay for a card that costs three: a stage before each of them."""
    game = position(
        catalog,
        {"base": "Hangar Bay", "hand": ["Colonial Viper 113"], "assets": ["3 x Colonial Viper 113"]},
        {"base": "Hangar Bay"},
        first="Ana",
    )
    before = game.digest()
    game.choose(next(key for key in keys(game) if key.startswith("play")))
    stages = 0
    while game.decision is not None and game.decision.kind == "payment":
        back = game.copy()
        back.take_back()
        stages += 1

        assert back.digest() == before
        game.choose(keys(game)[0])

    assert stages == 3


def test_what_is_paid_for_cannot_be_taken_back(catalog: Catalog) -> None:
    game = position(catalog, {"alert": ["Raptor 101"]}, {}, first="Ana")
    with pytest.raises(IllegalOption) as refused:
        game.take_back()
    assert refused.value.code == "too_late"

    game.choose(next(key for key in keys(game) if key.startswith("challenge")))
    with pytest.raises(IllegalOption):
        game.take_back()


# ---------------------------------------------------------------- conceding


@pytest.mark.parametrize("players", [2, 3, *(pytest.param(players, marks=pytest.mark.slow) for players in range(4, 9))])
def test_anybody_can_concede_at_any_time(catalog: Catalog, players: int) -> None:
    rng = random.Random(players)
    tried = 0
    for number, game in enumerate(walk(catalog, f"concede {players}", players, most=150)):
        if number % players or game.decision is None:
            continue
        brought = checks.brought_by(game)
        for leaver in game.engine.seats():
            left = game.copy()
            left.concede(leaver)
            tried += 1
            checks.all_checks(left, brought)

            assert left.engine.player(leaver).lost
            # Who leaves may have been the last who had not passed: then more follows at once.
            assert (left.result is not None) == (len(left.engine.seats()) < 2 or won(left))
            with pytest.raises(IllegalOption):
                left.concede(leaver)
        everybody_leaves(game.copy(), rng)

    assert tried > 0


def won(game: Game) -> bool:
    return game.result is not None and game.result.reason == "influence"


def everybody_leaves(game: Game, rng: random.Random) -> None:
    """One after another concedes until one is left, who wins."""
    while game.result is None:
        game.concede(rng.choice(game.engine.seats()))

    assert len(game.result.winners) == 1
    assert game.result.reason == "last"


def test_a_number_without_end_is_nobodys_seat(catalog: Catalog) -> None:
    with pytest.raises(IllegalOption):
        start(catalog).move("concede " + "9" * 5_000)


@pytest.mark.parametrize("seat", [-1, 2, 100])
def test_only_players_can_concede(catalog: Catalog, seat: int) -> None:
    game = start(catalog)
    before = game.save()

    with pytest.raises(IllegalOption) as refused:
        game.concede(seat)

    assert refused.value.code == "not_playing"
    assert game.save() == before


def test_the_fleet_defense_level_loses_the_base_of_who_leaves(catalog: Catalog) -> None:
    game = position(catalog, {"base": "Galactica"}, {"base": "Colonial One"}, {"base": "Galactica"})

    game.concede(1)

    assert game.view(None).fleet_defense == 2 * (catalog["BSG1-007"].power or 0)


# ---------------------------------------------------------------- which card asks

BY_RULES = {
    "opening_hand", "resource_card", "reorder", "action", "defend", "sniper", "effects", "manipulate",
    "jump", "cylon", "react", "trigger_order",
}  # fmt: skip
BY_CARDS = {"strafe", "choose", "may", "expedite", "mission_units", "search", "look", "take"}


def test_a_decision_names_the_card_that_asks_and_where_it_lies(catalog: Catalog) -> None:
    ana = {"hand": ["Condition Two"], "base": "Hangar Bay", "base_supplies": 4, "alert": ["Raptor 101"]}
    game = position(catalog, ana, {"alert": ["Helo, Flight Officer"]}, first="Ana")
    assert game.decision is not None
    assert (game.decision.kind, game.decision.card, game.decision.piece) == ("action", -1, 0)

    game.choose("play BSG1-016")

    assert (game.decision.kind, game.decision.card) == ("choose", catalog.index["BSG1-016"])
    mine, theirs = (game.view(seat).decision for seat in (0, 1))
    assert mine is not None
    assert theirs is not None
    assert (mine.card, mine.piece) == ("BSG1-016", None)
    assert theirs.card is None, "what somebody is in the middle of playing is nobody else's business"


@pytest.mark.parametrize("seed", range(6))
def test_cards_ask_by_their_texts_and_nobody_else_for_them(catalog: Catalog, seed: int) -> None:
    for game in walk(catalog, f"asking {seed}", players=2 + seed % 2):
        decision = game.decision
        if decision is None:
            break
        seen = game.view(decision.seat).decision
        assert seen is not None
        if decision.kind in BY_RULES:
            assert (decision.card, decision.piece, seen.card, seen.piece) == (-1, 0, None, None), decision.kind
        elif decision.kind in BY_CARDS:
            assert seen.card == catalog.ids[decision.card]
        if decision.kind == "may":
            assert f"[[card:{seen.card}|" in seen.prompt
        if decision.piece:
            assert game.engine.find(decision.piece) is not None
            assert seen.piece == decision.piece


# ---------------------------------------------------------------- moves that fail


def spoil(engine: Engine) -> None:
    engine.state.players[0].hand.clear()
    engine.state.agenda.pop()
    raise ValueError("in the middle of it")


@pytest.mark.parametrize("players", [2, 4])
def test_after_a_move_that_fails_the_game_stands_where_it_stood(catalog: Catalog, players: int) -> None:
    rng = random.Random(players)
    for game in walk(catalog, f"failing/{players}", players=players, most=200):
        if rng.random() < 0.2:
            stood, offered = game.save(), keys(game)
            for _ in range(rng.randint(1, 3)):
                with pytest.raises(ValueError, match="in the middle"):
                    game._go_on(spoil)

                assert game.save() == stood
                assert keys(game) == offered
