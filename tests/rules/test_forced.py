"""A forced question has one answer whatever its player holds, so an answer that comes at once tells nothing."""

from __future__ import annotations

import random

import pytest

from ccg.rules import Catalog, EngineError, Game
from ccg.rules.core.engine import Engine
from ccg.rules.core.state import card_of
from ccg.rules.soak import hidden
from tests.rules.tables import position, walk


def with_other_cards(game: Game, rng: random.Random) -> Game:
    """Return the game with whoever must choose holding as many other cards, by chance."""
    assert game.decision is not None
    seat, twin = game.decision.seat, game.copy()
    hand = twin.engine.player(seat).hand
    hand[:] = [card_of(rng.randrange(len(twin.engine.catalog.cards)), seat) for _ in hand]
    return twin


def test_forced_is_what_no_hand_could_answer_otherwise(catalog: Catalog) -> None:
    rng = random.Random(5)
    forced = by_hand = 0
    for game in walk(catalog, seed=3, most=250):
        if game.decision is None:
            break
        before = game.save()
        if game.forced:
            forced += 1
            for _ in range(3):
                twin = with_other_cards(game, rng)
                assert twin.decision is not None and twin.decision.options == game.decision.options and twin.forced
        elif len(game.decision.options) == 1:
            by_hand += 1
        assert game.save() == before, "it only looks"
    assert forced > 5 and by_hand > 0


@pytest.mark.parametrize("decks", ["legal", "starter"])
def test_it_depends_on_nothing_that_a_spectator_does_not_see(catalog: Catalog, decks: str) -> None:
    forced = 0
    for number, game in enumerate(walk(catalog, "forced", 2, decks, most=250)):
        twin = game.copy()
        hidden.shuffle(twin, None, random.Random(number))
        assert twin.forced == game.forced
        forced += game.forced
    assert forced > 5


@pytest.mark.pure_only("replaces a function of the rules")
def test_a_card_that_nobody_holds_and_that_asks_without_end_is_no_fault(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = next(one for one in walk(catalog, seed=3, most=250) if one.decision is not None and one.forced)

    def endless(self: Engine) -> None:
        raise EngineError("loop", "Endless.")

    monkeypatch.setattr(type(game.engine.state.agenda[-1]), "options", lambda frame, engine: endless(engine))
    assert not game.forced


@pytest.mark.parametrize(
    ("challenger", "logistics", "hand", "forced"),
    [
        ("Raptor 101", 3, ["Fury"], False),  # might be Raptor 432, whose player would have been asked
        ("Raptor 101", 2, ["Fury"], True),  # nobody can pay for it
        ("Raptor 101", 3, [], True),
        ("Helo, Karl Agathon", 3, ["Fury"], True),  # it is played against ships
    ],
)
def test_who_could_hold_a_card_to_play_against_the_challenger_declines_by_hand(
    catalog: Catalog, challenger: str, logistics: int, hand: list[str], forced: bool
) -> None:
    game = challenged(catalog, challenger, logistics, hand)
    assert game.decision is not None and game.decision.kind == "defend"
    assert [game.key(option) for option in game.decision.options] == ["decline"]
    assert game.forced == forced


def test_who_has_refused_to_play_such_a_card_declines_by_hand_too(catalog: Catalog) -> None:
    game = challenged(catalog, "Raptor 101", 3, ["Raptor 432"])
    assert game.decision is not None and game.decision.kind == "react"
    game.choose("no")
    assert game.decision is not None and game.decision.kind == "defend"
    assert not game.forced


def challenged(catalog: Catalog, challenger: str, logistics: int, hand: list[str]) -> Game:
    """Return a game in which Ben, who has no units and these cards in hand, is challenged."""
    ids = {card.name: card.id for card in catalog.cards}
    ben = {
        "base": ids["Hangar Bay"],
        "base_exhausted": True,
        "hand": [ids[name] for name in hand],
        "assets": [{"card": ids["Heavy Transport"], "supplies": logistics - 1}],
    }
    game = position(catalog, {"base": ids["Hangar Bay"], "alert": [ids[challenger]]}, ben, first="Ana")
    assert game.decision is not None
    game.choose(next(key for key in map(game.key, game.decision.options) if key.startswith("challenge")))
    return game
