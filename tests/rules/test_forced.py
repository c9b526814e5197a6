"""A forced question has one answer whatever its player holds, so an answer that comes at once tells nothing."""

from __future__ import annotations

import random

import pytest

from ccg.rules import Catalog, EngineError, Game
from ccg.rules.core.engine import Engine
from ccg.rules.core.state import card_of
from ccg.rules.soak import hidden
from tests.rules.tables import walk


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
