"""What made-up cards once broke (tests/cards_data/fuzz.py found it), each as a small game of its own."""

from __future__ import annotations

from typing import Any

import pytest

from ccg.rules import Catalog, Game
from ccg.rules.cards.definitions import CardDef
from ccg.rules.core import characteristics
from ccg.rules.core.state import Area, Role
from ccg.rules.effects.language import read_ability
from ccg.rules.telling import explanations
from ccg.rules.telling.wording import card_text, plain
from tests.rules.tables import keys, position

Side = dict[str, Any]


def made(title: str, kind: str, ability: dict[str, Any], **facts: Any) -> CardDef:
    """Make up a card that costs nothing and does ``ability``."""
    return CardDef(
        id=f"XXX-{title}", type=kind, title=title, threat=0, mystic=1,
        abilities=(read_ability(ability),), **facts,
    )  # fmt: skip


EXCHANGE = {"exchange": "target personnel you control", "with": "personnel", "same": "power"}


def game(catalog: Catalog, *cards: CardDef, ana: Side | None = None, ben: Side | None = None, **given: Any) -> Game:
    """Return a game in which Ana acts first, with what each player has."""
    return position(Catalog([*catalog, *cards]), ana or {}, ben or {}, phase="execution", first="Ana", **given)


def test_a_replacement_may_take_away_what_would_be_defeated_next(catalog: Catalog) -> None:
    """Ana's martyr takes Ben's personnel out of play before Ben's is asked about it."""
    instead = {
        "instead of": "a personnel you control would be defeated",
        "do": [{"sacrifice": "all personnel an opponent controls"}],
    }
    martyr = made("Martyr", "mission", instead, keywords=("persistent",))
    doom = made("Doom", "event", {"do": [{"defeat": "all personnel"}]})
    side = {"persistent": ["Martyr"], "alert": ["Apollo, Ace Pilot"]}
    table = game(catalog, martyr, doom, ana={**side, "hand": ["Doom"]}, ben=side)
    table.choose("play XXX-Doom")
    ana, ben = table.engine.state.players
    assert (len(ana.alert), len(ben.alert)) == (1, 0)


def test_what_a_cost_named_is_known_after_a_decision(catalog: Catalog) -> None:
    """Paying sets something off that its player is asked about; read back there, the game goes on as before."""
    pays = {"cost": [{"draw": 1}, {"exhaust": "a ship you control"}], "do": [{"restore": "it"}]}
    crew = made("Crew", "personnel", pays, power=1)
    asks = {"when": "a player draws a card", "may": True, "do": [{"gain": 1}]}
    watcher = made("Watcher", "personnel", asks, power=1)
    table = game(catalog, crew, watcher, ana={"alert": ["Crew", "Watcher", "Colonial Viper 762"]})
    use = next(key for key in keys(table) if key.startswith("use"))
    for move in (use, "choose 4"):
        table.choose(move)
    assert table.decision is not None and table.decision.kind == "may"
    for one in (table, table.copy()):
        one.choose("yes")
        [viper] = [piece for piece in one.engine.state.players[0].alert if piece.role == Role.SHIP]
        assert not viper.exhausted


def test_a_base_never_leaves_play(catalog: Catalog) -> None:
    """Whatever a text says of all cards; those of others do leave."""
    for number, step in enumerate(({"defeat": "all cards"}, {"put": "all cards", "into": "hand"})):
        doom = made(f"Doom{number}", "event", {"do": [step]})
        table = game(
            catalog,
            doom,
            ana={"alert": ["Apollo, Ace Pilot"], "hand": [f"Doom{number}"], "assets": ["Apollo, Ace Pilot"]},
        )
        table.choose(f"play XXX-Doom{number}")
        for player in table.engine.state.players:
            assert [piece.role for piece in (*player.resource, *player.alert)] == [Role.BASE]


def test_an_exchange_with_a_card_that_has_been_discarded_meanwhile(catalog: Catalog) -> None:
    """It does nothing, as its card from hand is no longer there."""
    steps = [{"discard": "hand", "who": "each player"}, EXCHANGE]
    swap = made("Swap", "event", {"do": steps})
    table = game(catalog, swap, ana={"alert": ["Apollo, Ace Pilot"], "hand": ["Swap", "Apollo, Ace Pilot"]})
    while (table.decision is not None and table.decision.kind != "action") or "play XXX-Swap" in keys(table):
        table.choose(next(key for key in keys(table) if key != "pass"))
    [apollo] = table.engine.state.players[0].alert
    assert table.engine.card(apollo.top).name == "Apollo, Ace Pilot"
    assert table.engine.state.players[0].hand == []


def test_an_exhausted_cylon_threat_has_no_power_and_says_why_once(catalog: Catalog) -> None:
    engine = game(catalog).engine
    threat = engine.enter(Role.THREAT, Area.CENTER, 0, catalog.index["BSG1-100"] << 3)
    assert characteristics.power(engine, threat) > 0
    threat.exhausted = True
    assert explanations.power(engine, threat).shown == characteristics.power(engine, threat) == 0


def test_they_are_nobody_where_nobody_was_spoken_of(catalog: Catalog) -> None:
    gift = made("Gift", "event", {"do": [{"reveal hand": "each player"}, {"draw": 1, "who": "they"}]})
    table = game(catalog, gift, ana={"hand": ["Gift"]})
    table.choose("play XXX-Gift")
    assert [len(player.hand) for player in table.engine.state.players] == [0, 0]


def test_a_stack_is_what_its_new_top_card_is_when_the_old_one_is_split_off(catalog: Catalog) -> None:
    """A ship lies on a personnel of its title; the ship leaves, and what stays is a personnel."""
    part = {"do": [{"split": "target ship"}]}
    table = game(
        Catalog(
            [*catalog, CardDef(id="YYY-1", type="ship", title="Apollo", subtitle="Ship", power=1, threat=0, mystic=1)]
        ),
        made("Part", "event", part),
        ana={"hand": ["Part"], "alert": [{"stack": ["Apollo, Ship", "Apollo, Ace Pilot"]}]},
    )
    while "pass" not in keys(table) or "play XXX-Part" in keys(table):
        table.choose(next(key for key in keys(table) if key != "pass"))
    ana = table.engine.state.players[0]
    assert [piece.role for piece in (*ana.alert, *ana.reserve)] == [Role.PERSONNEL, Role.SHIP]


def test_what_a_leaver_set_off_of_others_goes_on(catalog: Catalog) -> None:
    """Ana's event lets everybody draw; Ben's mission makes each who drew discard, also when Ana leaves meanwhile."""
    rain = made("Rain", "event", {"do": [{"draw": 1, "who": "each player"}]})
    hand = {"hand": ["Fury", "Crackdown"], "deck": ["Fury"]}
    ben = {**hand, "persistent": ["Tightening The Noose"]}
    cards = Catalog([*catalog, rain])
    table = position(cards, {**hand, "hand": ["Rain", "Fury"]}, ben, hand, phase="execution", first="Ana")
    table.choose("play XXX-Rain")
    while table.decision is not None and table.decision.seat == 0:
        table.choose(keys(table)[0])
    assert table.decision is not None and table.decision.kind == "discard"
    table.concede(0)
    asked = []
    while table.decision is not None and table.decision.kind == "discard":
        asked.append(table.decision.seat)
        table.choose(keys(table)[0])
    assert asked == [1, 2]


def test_a_way_that_cannot_be_gone_is_not_offered(catalog: Catalog) -> None:
    """Whoever has no card to discard may only gain; an amount that counts to nothing is nothing (ruling 70)."""
    modes = [
        {"discard": 1},
        {"draw": "1 for each ship you control"},
        {"gain": 1},
        {"mill": 1, "who": "target opponent"},
    ]
    plan = made("Plan", "event", {"do": [{"choose one": modes}]})
    for ben, numbers in (({}, ["choose #3", "choose #4"]), ({"fill": "none"}, ["choose #3"])):
        table = game(catalog, plan, ana={"hand": ["Plan"]}, ben=ben)
        table.choose("play XXX-Plan")
        assert keys(table) == numbers


def test_what_comes_to_nothing_may_be_played_unless_a_target_is_missing(catalog: Catalog) -> None:
    """Nothing is asked, and nothing happens (rulings 16 and 70)."""
    nothing = made(
        "Nothing", "event", {"do": [{"choose one": [{"discard": 1}, {"mill": 1, "who": "target opponent"}]}]}
    )
    targets = [{"exhaust": "target ship"}, {"commit": "target ship"}]
    missing = made("Missing", "event", {"do": [{"choose one": targets}]})
    table = game(catalog, nothing, missing, ana={"hand": ["Nothing"]}, ben={"fill": "none"})
    table.choose("play XXX-Nothing")
    assert [len(player.discard) for player in table.engine.state.players] == [1, 0]
    table = game(catalog, nothing, missing, ana={"hand": ["Missing"]})
    assert "play XXX-Missing" not in keys(table)


def test_the_owner_of_what_was_defeated_is_known_to_what_it_sets_off(catalog: Catalog) -> None:
    """Ana's unit has left play when its owner gains."""
    mourns = {"when": "a unit you control is defeated", "do": [{"gain": 1, "who": "its owner"}]}
    widow = made("Widow", "personnel", mourns, power=1)
    doom = made("Doom", "event", {"do": [{"defeat": "all ships"}]})
    table = game(catalog, widow, doom, ana={"hand": ["Doom"], "alert": ["Widow", "Raptor 101"]}, ben={})
    ana, ben = table.engine.state.players
    before = ana.influence
    table.choose("play XXX-Doom")
    assert (ana.influence - before, ben.influence) == (1, before)


def test_going_to_reserve_by_an_effect_is_not_leaving_play(catalog: Catalog) -> None:
    for place, gained in (("reserve", 0), ("hand", 2)):
        back = made(f"Back{place}", "event", {"do": [{"put": "target personnel", "into": place}]})
        side = {"hand": [f"Back{place}"], "alert": [{"card": "Apollo, Ace Pilot", "linked": ["Hero To The End"]}]}
        table = game(catalog, back, ana=side)
        ana = table.engine.state.players[0]
        before = ana.influence
        table.choose(f"play XXX-Back{place}")
        while table.decision is not None and table.decision.kind == "choose":
            table.choose(keys(table)[0])
        assert ana.influence - before == gained


def test_traits_and_titles_of_several_words_stand_in_quotation_marks(catalog: Catalog) -> None:
    """So are names that end in "s"; the words on the card do without."""
    ready = {"cost": [{"exhaust": 'an alert "Laura Roslin"'}], "do": [{"ready": 'all "Chaos"'}]}
    herald = made("Herald", "personnel", ready, power=1)
    chaos = CardDef(id="YYY-2", type="personnel", title="Imp", power=1, threat=0, mystic=1, traits=("Chaos",))
    assert plain(card_text(herald)[0].text) == "Exhaust an alert Laura Roslin: ready all Chaos."
    side = {"alert": ["Herald", "Laura Roslin, Colonial President"], "reserve": ["Imp"]}
    table = game(catalog, herald, chaos, ana=side)
    table.choose(next(key for key in keys(table) if key.startswith("use")))
    while "pass" not in keys(table):
        table.choose(keys(table)[0])
    ana = table.engine.state.players[0]
    assert [table.engine.definition(piece).title for piece in ana.alert] == ["Herald", "Laura Roslin", "Imp"]


def test_a_card_split_off_its_stack_has_used_what_it_has_used(catalog: Catalog) -> None:
    """It has not left play (ruling 87); the equal card that it covered has used nothing."""
    once = {"cost": [{"draw": 1}], "do": [{"gain": 1}], "once": "each turn"}
    twin = made("Twin", "personnel", once, power=1, subtitle="Again")
    part = made("Part", "event", {"do": [{"split": "target singular personnel you control"}]})
    stack = {"stack": ["Twin, Again", "Twin, Again"]}
    table = game(catalog, twin, part, ana={"alert": [stack], "hand": ["Part"], "deck": ["Fury", "Fury"]})
    [lower] = table.engine.player(0).alert
    for move in (f"use {lower.id} #1", "pass", "play XXX-Part", "choose XXX-Twin", "pass"):
        table.choose(move)
    [split] = table.engine.player(0).reserve

    assert f"use {lower.id} #1" in keys(table)
    assert f"use {split.id} #1" not in keys(table)


def test_the_card_says_up_to_which_number_x_can_be_named(catalog: Catalog) -> None:
    """Its player discards as many cards as they like, up to the number of their ships, and draws as many."""
    effect = {"do": [{"x": "named", "up to": "1 for each ship you control"}, {"gain": "X"}]}
    convoy = made("Convoy", "event", effect)
    table = game(catalog, convoy, ana={"hand": ["Convoy", "Fury"], "alert": ["Raptor 101", "Raptor 227"]})
    table.choose("play XXX-Convoy")
    assert keys(table) == ["choose #0", "choose #1", "choose #2"]
    [words] = [plain(paragraph.text) for paragraph in card_text(convoy)]
    assert words == "Name a number X up to 1 per ship of yours. Gain X influence."


def test_an_exchange_with_another_kind_of_card_from_the_discard_pile(catalog: Catalog) -> None:
    """The ship is discarded, and the personnel of its Cylon threat comes into play where it was."""
    step = {"exchange": "target ship you control", "with": "personnel", "from": "discard pile", "same": "Cylon threat"}
    swap = made("Swap", "event", {"do": [step]})
    [raptor] = catalog.named("Raptor 101")
    personnel = [card for card in catalog if card.type == "personnel"]
    same = next(card.name for card in personnel if card.threat == raptor.threat)
    other = next(card.name for card in personnel if card.threat != raptor.threat)
    ana = {"reserve": ["Raptor 101"], "hand": ["Swap"], "discard": [other, same]}
    table = game(catalog, swap, ana=ana)
    table.choose("play XXX-Swap")
    while table.decision is not None and table.decision.kind == "choose":
        table.choose(keys(table)[0])
    player = table.engine.state.players[0]
    assert [table.engine.definition(piece).name for piece in player.reserve] == [same]
    assert "Raptor 101" in {table.engine.card(card).name for card in player.discard}
    [words] = [plain(paragraph.text) for paragraph in card_text(swap)]
    assert words == (
        "Exchange target ship of yours for a personnel card of the same Cylon threat from your discard pile, "
        "which takes its place."
    )


def test_what_is_searched_for_can_go_on_top_of_the_deck(catalog: Catalog) -> None:
    oracle = made("Oracle", "event", {"do": [{"search": "ship", "into": "top of deck"}]})
    deck = ["Fury", "Raptor 101", "Stims", "Angry", "Sick Bay"]
    table = game(catalog, oracle, ana={"hand": ["Oracle"], "fill": "none", "deck": deck})
    table.choose("play XXX-Oracle")
    table.choose(next(key for key in keys(table) if key != "choose nothing"))
    player = table.engine.state.players[0]
    assert table.engine.card(player.deck[-1]).name == "Raptor 101"
    assert (len(player.deck), player.hand) == (5, [])
    [words] = [plain(paragraph.text) for paragraph in card_text(oracle)]
    assert words == "Search your deck for a ship card; you may reveal it and put it on top of your deck."


def test_a_winner_can_be_exhausted_and_a_losing_challenger_spared(catalog: Catalog) -> None:
    """Ana's ship loses and stays in play; Ben's has won and lies face down."""
    steps = [{"fate": "a losing challenger", "is": "spared"}, {"fate": "the winner", "is": "exhausted"}]
    truce = made("Truce", "event", {"do": steps})
    alert = {"alert": ["Raptor 101"]}
    table = game(catalog, truce, ana={**alert, "hand": ["Truce"]}, ben={"alert": ["Colonial Viper Squadron 800"]})
    told: list[str] = []
    while "challenge over" not in told:
        wanted = ("challenge", "defend", "play", "choose", "pass")
        key = min(keys(table), key=lambda key: wanted.index(key.split()[0]) if key.split()[0] in wanted else 9)
        told += [event.kind for event in table.choose(key)]
    [raptor] = table.engine.state.players[0].alert
    [viper] = table.engine.state.players[1].reserve
    assert viper.exhausted
    assert not raptor.exhausted
    [words] = [plain(paragraph.text) for paragraph in card_text(truce)]
    assert words == "The challenger is not defeated if it loses. The winner of this challenge is exhausted."


def test_a_base_that_waits_for_a_challenge_by_a_ship(catalog: Catalog) -> None:
    """It hears of the ship, and not of the personnel."""
    shield = {"when": "you are challenged by a ship", "do": [{"gain": 1}]}
    dock = CardDef(
        id="XXX-Dock", type="base", title="Dock", power=1, produces="logistics", hand=5, influence=10,
        abilities=(read_ability(shield),),
    )  # fmt: skip
    for unit, influence in (("Raptor 101", 11), ("Apollo, Ace Pilot", 10)):
        table = game(catalog, dock, ana={"alert": [unit]}, ben={"base": "Dock", "alert": ["Raptor 227"]})
        table.choose(next(key for key in keys(table) if key.startswith("challenge")))
        assert table.engine.player(1).influence == influence


def test_each_player_with_the_most_ships(catalog: Catalog) -> None:
    """All who tie gain, and nobody where there are none."""
    parade = made(
        "Parade", "event", {"do": [{"gain": 1, "who": "each player with the most for each ship you control"}]}
    )
    for ships, gained in ((("Raptor 101",), [1, 1]), ((), [0, 1]), (("Raptor 101", "Luxury Liner"), [1, 0])):
        ana = {"hand": ["Parade"], "alert": list(ships), "influence": 10}
        table = game(catalog, parade, ana=ana, ben={"reserve": ["Raptor 227"], "influence": 10})
        table.choose("play XXX-Parade")
        assert [player.influence - 10 for player in table.engine.state.players] == gained
    [words] = [plain(paragraph.text) for paragraph in card_text(parade)]
    assert words == "Each player with the most ships gains 1 influence."


@pytest.mark.parametrize("amount", ["your hand size", "the power of your base", "the mystic value of your base"])
def test_what_a_leaver_has_made_by_their_base_is_as_nothing(catalog: Catalog, amount: str) -> None:
    """A change to all of a kind goes on (ruling 91), but the base that says how much has left the game (ruling 5)."""
    boon = made("Boon", "event", {"do": [{"threat": amount, "of": "all personnel"}]})
    sides: list[Side] = [{"hand": ["Boon"]}, {"alert": ["Apollo, Ace Pilot"]}, {}]
    table = position(Catalog([*catalog, boon]), *sides, phase="execution", first="Ana")
    before = table.view(None).threat_level
    table.choose("play XXX-Boon")

    table.concede(0)

    assert [table.view(viewer).threat_level for viewer in (None, 0, 1, 2)] == [before] * 4
