"""Noninterference: a view depends on nothing that its viewer may not know."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import msgspec
import pytest

from ccg.rules import Catalog, Game, View
from ccg.rules.soak import checks, hidden
from ccg.rules.soak.broken import Broken
from ccg.rules.telling import viewing
from tests.rules.tables import keys, position, walk


def shown(game: Game, viewer: int | None) -> bytes:
    return msgspec.json.encode(game.view(viewer))


@pytest.mark.parametrize(("players", "decks"), [(2, "legal"), (2, "starter"), (3, "legal"), (5, "legal")])
def test_shuffling_all_that_is_hidden_changes_no_byte_of_a_view(catalog: Catalog, players: int, decks: str) -> None:
    other = 0
    for game in walk(catalog, "twins", players, decks, most=200):
        seen = {viewer: game.view(viewer) for viewer in hidden.viewers(game)}
        hidden.stays_hidden(game, seen)
        twin = game.copy()
        hidden.shuffle(twin, None, random.Random(1))
        other += twin.save() != game.save()

    assert other > 40


@pytest.mark.parametrize("players", [2, 3])
def test_the_one_who_decides_has_the_same_options_whatever_is_hidden(catalog: Catalog, players: int) -> None:
    for number, game in enumerate(walk(catalog, "options", players, most=200)):
        if game.decision is None:
            break
        twin = game.copy()
        hidden.shuffle(twin, game.decision.seat, random.Random(number))

        assert twin.decision == game.decision
        assert shown(twin, game.decision.seat) == shown(game, game.decision.seat)


def test_shuffling_what_is_hidden_takes_nothing_away(catalog: Catalog) -> None:
    game = position(
        catalog,
        {"hand": ["Raptor 101", "Fury"], "deck": ["Boomer, Saboteur"], "base_supplies": ["Crackdown", "Stims"]},
        {"hand": ["2 x Fire Support"], "deck": ["Helo, Raptor ECO"], "assets": [{"card": "Raptor 101", "supplies": 2}]},
    )
    brought = checks.brought_by(game)
    for viewer in (None, 0, 1):
        twin = game.copy()
        hidden.shuffle(twin, viewer, random.Random(5))

        checks.cards_are_conserved(twin, brought)
        if viewer is not None:
            assert twin.engine.player(viewer).hand == game.engine.player(viewer).hand
            assert twin.engine.player(viewer).resource == game.engine.player(viewer).resource
        others = [seat for seat in (0, 1) if seat != viewer]
        assert any(Counter(twin.engine.player(seat).hand) != Counter(game.engine.player(seat).hand) for seat in others)


def test_others_know_of_a_half_made_move_only_that_somebody_acts(catalog: Catalog) -> None:
    for seed in range(4):
        before: dict[int | None, bytes] = {}
        for game in walk(catalog, f"half {seed}", 3, most=250):
            if game.decision is None:
                break
            if not game.decision.can_take_back:
                before = {viewer: shown(game, viewer) for viewer in (None, 0, 1, 2)}
                continue
            for viewer in {None, 0, 1, 2} - {game.decision.seat}:
                assert shown(game, viewer) == before[viewer]


@pytest.mark.parametrize("held", ["Raptor 432", "Raptor 563"])
def test_others_do_not_learn_from_a_question_what_is_held(catalog: Catalog, held: str) -> None:
    """Only who holds a Raptor 432 is asked whether to play it; others are told that a defender is chosen."""
    game = position(
        catalog,
        {"base": "Hangar Bay", "alert": ["Raptor 101"]},
        {
            "base": "Operations Room",
            "base_supplies": 2,
            "hand": [held],
            "alert": ["Raptor 312"],
            "assets": [{"card": "Raptor 101", "supplies": 2}],
        },
    )
    game.choose(next(key for key in keys(game) if key.startswith("challenge")))
    asked = [game.view(viewer).decision for viewer in (0, None)]
    seen = {viewer: shown(game, viewer) for viewer in (0, None)}

    assert [(decision.kind, decision.prompt) for decision in asked if decision is not None] == [
        ("defend", "[[seat:1|Ben]] decides whether to defend.")
    ] * 2
    if held == "Raptor 432":
        game.choose("play BSG2-161")
        assert {viewer: shown(game, viewer) for viewer in (0, None)} == seen
        game.take_back()
        assert game.choose("no") == []
    assert game.decision is not None
    assert game.decision.kind == "defend"
    assert {viewer: shown(game, viewer) for viewer in (0, None)} == seen


def test_a_spectator_sees_no_more_than_any_player(catalog: Catalog) -> None:
    for game in walk(catalog, "spectator", 3, most=150):
        nobody = game.view(None)

        assert nobody.decision is None or nobody.decision.options == []
        assert all(stack.supply_cards == () for player in nobody.players for stack in player.stacks)
        for seat, player in enumerate(nobody.players):
            assert Counter(player.hand_cards) == Counter(
                game.engine.card(card).id for card in game.engine.player(seat).shown
            )


def test_the_seed_is_in_no_view(catalog: Catalog) -> None:
    for game in walk(catalog, "a very secret seed", 2, most=60):
        for viewer in (None, 0, 1):
            assert b"secret" not in shown(game, viewer)


# A checker that is never seen to fail proves nothing: leaks, planted into the view, are all found.


def _top_of_deck(game: Game, view: View) -> View:
    decks = [len(p.deck) * 1000 + (p.deck[-1] if p.deck else 0) for p in game.engine.state.players]
    return msgspec.structs.replace(
        view, players=[msgspec.structs.replace(p, deck=deck) for p, deck in zip(view.players, decks, strict=True)]
    )


def _sum_of_hands(game: Game, view: View) -> View:
    return msgspec.structs.replace(view, turn=sum(sum(player.hand) for player in game.engine.state.players))


def _supply_cards(game: Game, view: View) -> View:
    supplies = sum(card for p in game.engine.state.players for piece in p.resource for card in piece.supplies)
    return msgspec.structs.replace(view, first=supplies)


def _options_of_others(game: Game, view: View) -> View:
    if view.decision is None:
        return view
    return msgspec.structs.replace(
        view,
        decision=msgspec.structs.replace(
            view.decision, chain=[str(len(game.engine.state.agenda[-1].options(game.engine)))]
        ),
    )


def look_at_a_whole_game(catalog: Catalog) -> None:
    for game in walk(catalog, "leak", 2, most=200):
        hidden.stays_hidden(game, {viewer: game.view(viewer) for viewer in hidden.viewers(game)})


@pytest.mark.pure_only("functions are replaced, which compiled ones do not notice")
@pytest.mark.parametrize("leak", [_top_of_deck, _sum_of_hands, _supply_cards, _options_of_others])
def test_planted_leaks_are_found(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch, leak: Callable[[Game, View], View]
) -> None:
    honest = viewing.view

    def leaking(engine: object, *rest: object, **named: object) -> View:
        return leak(Game(engine), honest(engine, *rest, **named))  # type: ignore[arg-type]

    monkeypatch.setattr(viewing, "view", leaking)
    with pytest.raises(Broken, match="secrets"):
        look_at_a_whole_game(catalog)
