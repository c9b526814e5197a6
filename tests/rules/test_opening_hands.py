"""Opening hands: all players are asked at once and answer in any order, each once (ruling 3; SETUP-5)."""

from __future__ import annotations

import random
from itertools import permutations, product

import msgspec
import pytest

from ccg.rules import Catalog, Game, IllegalOption, Record
from ccg.rules.saving import ENGINE_VERSION
from ccg.rules.soak import dealing
from tests.rules.tables import start

KEEP_OR_REDRAW = ["keep", "redraw"]


def asked(game: Game, seat: int) -> list[str]:
    """Return what a seat may choose, as it is shown there; nothing if it is not asked."""
    decision = game.view(seat).decision
    assert decision is not None
    return [option.key for option in decision.options] if decision.seat == seat else []


@pytest.mark.parametrize("players", [2, 4])
def test_all_are_asked_at_once_from_the_first_player_on(catalog: Catalog, players: int) -> None:
    game = start(catalog, players=players)
    first = game.view(None).first

    assert game.deciding == tuple((first + step) % players for step in range(players))
    for seat in range(players):
        view = game.view(seat).decision
        assert view is not None
        assert (view.seat, view.kind, asked(game, seat)) == (seat, "opening_hand", KEEP_OR_REDRAW)
        assert {view.seat, *view.others} == set(range(players))
        assert view.prompt.startswith("Keep this opening hand")
        own = game.decision_of(seat)
        assert own is not None
        assert (own.seat, [game.key(option) for option in own.options]) == (seat, KEEP_OR_REDRAW)


def test_who_looks_on_sees_whom_the_game_waits_for_and_no_options(catalog: Catalog) -> None:
    game = start(catalog, players=3)
    view = game.view(None).decision

    assert view is not None
    assert (view.seat, view.others, view.options) == (game.deciding[0], list(game.deciding[1:]), [])
    names = [game.engine.player(seat).name for seat in game.deciding]
    assert [name for name in names if name not in view.prompt] == []


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_four_answer_in_any_order_and_each_once(catalog: Catalog, order: tuple[int, ...]) -> None:
    game = start(catalog, "four", players=4)
    for done, seat in enumerate(order, 1):
        game.choose(KEEP_OR_REDRAW[seat % 2], seat)
        if done < 4:
            assert set(game.deciding) == set(order[done:])
            assert asked(game, seat) == []
            with pytest.raises(IllegalOption):
                game.choose("redraw", seat)
    assert game.view(None).turn == 1


@pytest.mark.parametrize("choices", list(product(KEEP_OR_REDRAW, repeat=3)))
def test_every_order_leads_to_the_game_of_turn_order(catalog: Catalog, choices: tuple[str, ...]) -> None:
    """So nobody's hand depends on who was quicker, and the server cannot choose among shuffles by holding one back."""
    wanted = start(catalog, "any", players=3)
    told = [event for seat in tuple(wanted.deciding) for event in wanted.choose(choices[seat])]
    for order in permutations(range(3)):
        game = start(catalog, "any", players=3)
        assert [event for seat in order for event in game.choose(choices[seat], seat)] == told
        assert game.save() == wanted.save()


def test_what_is_chosen_before_the_turn_is_known_to_nobody_else(catalog: Catalog) -> None:
    views = {}
    for choice in KEEP_OR_REDRAW:
        game = start(catalog, "secret", players=3)
        first, early, last = game.deciding
        assert game.choose(choice, early) == []
        views[choice] = [game.view(viewer) for viewer in (None, first, last)]
        own = game.view(early).decision
        assert own is not None
        assert own.prompt.startswith(f"You have chosen: {'Keep this' if choice == 'keep' else 'Draw a new'} hand.")
        assert (own.seat, own.others, own.options) == (first, [last], [])
    assert views["keep"] == views["redraw"]


def test_where_all_before_have_answered_it_is_carried_out_at_once(catalog: Catalog) -> None:
    game = start(catalog, "turn", players=3)
    first, second, last = game.deciding
    assert game.choose("keep", last) == []
    assert [(event.kind, event.player) for event in game.choose("keep", first)] == [("keep", first)]
    told = [(event.kind, event.player) for event in game.choose("keep", second)]
    assert told[:2] == [("keep", second), ("keep", last)]


def test_one_after_the_other_it_is_the_game_of_those_who_know_of_no_seats(catalog: Catalog) -> None:
    """Records without seats, scenarios and computers among themselves answer the first who is asked."""
    named, unnamed = start(catalog, "order", players=4), start(catalog, "order", players=4)
    for choice in ("redraw", "keep", "redraw", "redraw"):
        assert named.choose(choice, named.deciding[0]) == unnamed.choose(choice)
        assert named.save() == unnamed.save()


def test_between_two_answers_the_game_can_be_saved_and_copied(catalog: Catalog) -> None:
    game = start(catalog, "saved", players=3)
    game.choose("redraw", game.deciding[2])
    for other in (game.copy(), game.trial(), Game.load(game.save(), catalog)):
        assert other.deciding == game.deciding
        assert other.choose("redraw", game.deciding[1]) == game.copy().choose("redraw", game.deciding[1])


def test_a_record_with_seats_is_played_again(catalog: Catalog) -> None:
    seats = dealing.seats("legal", 3, catalog, random.Random("record"))
    game = Game.start(seats, catalog, b"record")
    by = list(reversed(game.deciding))
    moves = ["redraw", "keep", "redraw"]
    for move, seat in zip(moves, by, strict=True):
        game.move(move, seat=seat)

    record = Record(ENGINE_VERSION, catalog.fingerprint, b"record", seats, moves, by)
    stored = msgspec.json.decode(msgspec.json.encode(record), type=Record)
    assert Game.replay(stored, catalog).save() == game.save()


def test_who_concedes_while_others_decide_is_waited_for_no_more(catalog: Catalog) -> None:
    game = start(catalog, "conceded", players=4)
    first, second, third, last = game.deciding
    game.choose("redraw", second)
    game.choose("redraw", third)
    told = [(event.kind, event.player) for event in game.concede(first)]
    assert game.deciding == (last,)
    assert [one for one in told if one[0] == "redraw"] == [("redraw", second), ("redraw", third)]
    game.concede(third)
    assert game.deciding == (last,), "who had chosen already"
    game.choose("keep", last)
    assert game.view(None).turn == 1


def test_who_concedes_after_they_have_chosen_is_dealt_no_new_hand(catalog: Catalog) -> None:
    game = start(catalog, "gone", players=3)
    first, early, last = game.deciding
    game.choose("redraw", early)
    game.concede(early)
    told = [event.kind for seat in (first, last) for event in game.choose("keep", seat)]
    assert "redraw" not in told and game.view(None).turn == 1


def test_of_two_one_concedes_while_the_other_decides(catalog: Catalog) -> None:
    game = start(catalog, "two")
    winner, leaver = game.deciding
    game.concede(leaver)
    assert game.deciding == ()
    assert game.decision_of(winner) is None
    assert game.result is not None and game.result.winners == (winner,)


def test_nobody_else_can_choose_in_their_place(catalog: Catalog) -> None:
    game = start(catalog, "place")
    before = game.save()
    for seat in (2, -1):
        for known in (False, True):
            with pytest.raises(IllegalOption):
                game.move("keep", known, seat)
    assert game.save() == before
    for seat in tuple(game.deciding):
        game.choose("keep", seat)
    other = 1 - game.deciding[0]
    with pytest.raises(IllegalOption):
        game.choose(game.key(game.decision.options[0]) if game.decision else "", other)
