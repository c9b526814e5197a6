"""What frames return to those that pushed them: it comes to who waits for it, through everything between."""

from __future__ import annotations

import pytest

from ccg.rules import Catalog, Game
from ccg.rules.core.engine import TriggerRound
from ccg.rules.core.state import Context
from ccg.rules.rulebook.hidden_cards import Conclude, PutElsewhere
from ccg.rules.rulebook.influence import Influence, ReduceLoss
from ccg.rules.rulebook.mystic_values import RevealAgain, RevealedInstead, RevealValue
from ccg.rules.rulebook.resolving import CostPaid, Perform, Revealed
from tests.rules.tables import start


@pytest.fixture
def game(catalog: Catalog) -> Game:
    return start(catalog)


def effect(game: Game) -> Perform:
    card = game.engine.player(0).resource[0].top
    return Perform(context=Context(0, card), block=0)


def test_what_was_named_in_paying_a_cost_comes_to_who_pays_it(game: Game) -> None:
    payer, cost = effect(game), effect(game)
    cost.cost = True
    cost.context.it = [7]
    game.engine.push(cost, payer)
    game.engine.end(cost, CostPaid(cost.context))
    assert payer.context.it == [7]


def test_a_revealed_value_is_x_for_the_effect_that_revealed_it(game: Game) -> None:
    doing, beneath, reveal = effect(game), effect(game), RevealValue(0, 4)
    game.engine.push(reveal, doing, beneath)
    reveal.run(game.engine)
    assert (doing.context.x, beneath.context.x) == (4, 0)


def test_a_value_revealed_instead_comes_to_the_reveal_that_was_interrupted(game: Game) -> None:
    """It is handed on by the effect that reveals again and by the round of triggers."""
    doing, reveal, again = effect(game), RevealValue(0, 4), effect(game)
    last = RevealAgain(0, 4)
    game.engine.push(last, again, TriggerRound([]), reveal, doing)
    game.engine.end(last, RevealedInstead(0, 4, -3))
    assert reveal.value == 1
    assert again.context.x == doing.context.x == 0


def test_a_reduced_loss_is_that_of_the_player_alone(game: Game) -> None:
    loss, reduce = Influence(changes=[(0, -3), (1, -3)]), ReduceLoss(0, 2)
    game.engine.push(reduce, effect(game), loss)
    reduce.run(game.engine)
    assert loss.changes == [(0, -1), (1, -3)]


def test_an_event_put_elsewhere_is_that_very_event(game: Game) -> None:
    """Another event that is being carried out beneath it goes to its discard pile as ever."""
    done, mine, other = effect(game), Conclude(0, 8), Conclude(0, 16)
    game.engine.push(done, other, mine)
    game.engine.end(done, PutElsewhere(8))
    assert (mine.elsewhere, other.elsewhere) == (True, False)


def test_what_nobody_waits_for_any_more_is_of_no_use(game: Game) -> None:
    before = game.save()
    done = effect(game)
    game.engine.push(done)
    game.engine.end(done, Revealed(3))
    assert game.save() == before
