"""What chance decided in a move, where the decks themselves do not tell it any more."""

from __future__ import annotations

from ccg.rules import Catalog
from matches.replays.chances import chances, decks_of
from tests.rules.tables import position

STRONG = ["Colonial Viper Squadron 800", "Colonial Viper 670", "Galactica, Launch Platform", "Colonial Viper 315"]


def test_a_pool_that_left_with_its_player_in_the_same_move_is_not_told(catalog: Catalog) -> None:
    """Ana makes a new deck and reveals a threat from it, and then loses her last influence by the red text of Ben's."""
    ana = {"influence": 1, "fill": "none", "discard": ["Raptor 101", "Raptor 227", "Raptor 342"]}
    ben = {"deck": ["Boomer, Saboteur"], "alert": [*STRONG, *STRONG]}
    game = position(catalog, ana, ben, {"deck": ["Raptor 563"]}, phase="execution", first="Ana")
    game.choose("pass")
    game.choose("pass")
    before = decks_of(game)

    events = game.choose("pass")
    found = chances(before, events, decks_of(game), catalog)

    assert game.engine.player(0).lost
    assert [event.player for event in events if event.kind == "threat"] == [0, 1, 2]
    assert [(chance.kind, chance.seat) for chance in found] == [("threat", 1), ("threat", 2)]
    assert [sum(chance.pool.values()) for chance in found] == [31, 31]


def test_a_card_that_is_shown_and_chosen_about_comes_from_a_pool_that_holds_it(catalog: Catalog) -> None:
    """It lies beside the new deck while the opponent chooses, and has not left it (ZONE-5)."""
    ana = {"fill": "none", "deck": ["Raptor 101"], "discard": ["Raptor 227", "Raptor 342"], "alert": ["Mining Ship"]}
    game = position(catalog, ana, {}, phase="execution", first="Ana")
    use = next(key for key in map(game.key, game.decision.options if game.decision else ()) if key.startswith("use"))
    before = decks_of(game)

    events = game.choose(use)
    while not any(event.kind == "reveal" for event in events):
        assert game.decision is not None
        events = game.choose(game.decision.options[0])
    found = chances(before, events, decks_of(game), catalog)

    assert [chance.kind for chance in found] == ["reveal", "reshuffle", "reveal"]
    assert all(chance.card is None or chance.pool[chance.card] for chance in found)
