"""Why a number is what it is, and why a card cannot be used now: every cause and every reason, reached in a game."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, get_args

import pytest
import yaml

from ccg.rules import CardDef, Catalog, Game, UseView
from ccg.rules.cards.definitions import requirement
from ccg.rules.core import characteristics
from ccg.rules.core.causes import Cause
from ccg.rules.core.legality import Reason
from ccg.rules.core.state import Piece, Until
from ccg.rules.effects.language import read_ability
from ccg.rules.rulebook.payment import AvailableResources, discounts_used
from ccg.rules.telling import explanations
from ccg.rules.telling.templates import REASONS
from tests.rules.tables import keys, position


def card(name: str, kind: str, *abilities: str, **facts: Any) -> CardDef:
    """A card whose id is its name; its abilities are told as in card files."""
    if kind in ("personnel", "ship"):
        facts = {"power": 2, "threat": 1, "mystic": 2, "produces": "logistics", **facts}
    told = tuple(read_ability(yaml.safe_load(text)) for text in abilities)
    return CardDef(id=name, type=kind, subtitle=name, abilities=told, **facts)  # type: ignore[arg-type]


MISSION = {"mystic": 1, "threat": 0, "produces": "logistics"}
CATALOG = Catalog([
    card("Colonial Shuttle", "ship", mystic=1),
    CardDef(id="Home", type="base", title="Home", power=4, produces="persuasion", hand=4, influence=9),
    CardDef(id="Dock", type="base", title="Dock", power=5, produces="logistics", hand=4, influence=9, abilities=(
        read_ability({"cost": "exhaust", "do": [{"power": 1, "of": "target personnel"}]}),
    )),
    card("Crew", "personnel", traits=("Officer",)),
    card("Wing", "ship", traits=("Fighter",)),
    card("Dear", "ship", cost=(0, 3, 1)),
    card("Chief", "personnel", "always: [{power: 1, of: other personnel you control}]", traits=("Officer",)),
    card("Drill", "personnel", "cost: commit\ndo: [{power: 2, of: target ship}]"),
    card("Gunner", "personnel", "cost: commit\nduring: a challenge\ndo: [{power: 1, of: this}]"),
    card("Daily", "personnel", "cost: exhaust\nonce: each turn\ndo: [{restore: this}]"),
    card("Priest", "personnel", "cost: [{sacrifice: another ship you control}]\ndo: [{gain: 1}]"),
    card("Oracle", "personnel", keywords=("vision",)),
    card("Spy", "personnel", "always: [{gains: Cylon, of: each personnel in play}]", traits=("Officer",)),
    card("Mimic", "personnel", "always: [{loses: Officer, of: each personnel in play}, {gains: sniper, of: this}]"),
    card("Seer", "personnel", "always: [{revealed: 1, of: ship}]"),
    card("Watch", "personnel", "always: [{fleet: 2}]"),
    card("Pickets", "personnel", "always: [{price: 1}]"),
    card("Truce", "event", "do: [{cannot: challenge, of: target unit}]", mystic=1),
    card("Confine", "event", "do: [{cannot: defend, of: target unit}]", mystic=1),
    card("Boast", "event", "do: [{power: 3, of: target personnel, until: end of turn}]", mystic=1),
    card("Ambush", "event", "during: a challenge\ndo: [{power: 1, of: target unit}]", mystic=1),
    card("Repair", "event", "do: [{restore: target ship}]", mystic=1),
    card("Launch", "event", "do: [{ready: target ship}]", mystic=1),
    card("Stand down", "event", "do: [{commit: 2 target ships}]", mystic=1),
    card("Douse", "event", "do: [{exhaust: target ship or reserve mission}]", mystic=1),
    card("Scrap", "event", "do: [{sacrifice: target ship}]", mystic=1),
    card("Recall", "event", "do: [{take: target ship}]", mystic=1),
    card("Refit", "event", "do: [{extra: 1}, {cheaper: 1}]", mystic=1),
    card("Barter", "event", "do: [{extra: 1}, {convert: logistics, at least: 2, makes: 3}]", mystic=1),
    card("Double", "event", "do: [{reveal: sum, who: you}]", mystic=1),
    card("Calm", "event", "do: [{prevent: influence loss}]", mystic=1),
    card("Raid", "mission", requires=(requirement("Officer"), requirement("ship"), requirement("ship")), **MISSION),
    card("Patrol", "mission", **MISSION),
    card("Medal", "mission", "always: [{power: 1, of: this}]", keywords=("link",), link="ship", **MISSION),
    card("Salvage", "mission", "do: [{restore: target ship}]", **MISSION),
    card("Watchword", "mission", "cost: exhaust\ndo: [{draw: 1}]", keywords=("persistent",), **MISSION),
])  # fmt: skip


def table(ana: dict[str, Any], ben: dict[str, Any] | None = None, **given: Any) -> Game:
    """Ana, who acts first, and Ben; without a word on bases both have Home."""
    mine, theirs = ({"base": "Home", "fill": "Crew", **said} for said in (ana, ben or {}))
    return position(CATALOG, mine, theirs, **{"first": "Ana", **given})


def named(game: Game, name: str) -> Piece:
    """The first piece of this name."""
    return next(piece for piece in game.engine.pieces() if game.engine.definition(piece).id == name)


def told(causes: list[Cause]) -> list[tuple[Any, ...]]:
    """What is told of causes: from which card, of what, how much or which word, and until when."""
    return [
        (
            CATALOG.ids[cause.card >> 3] if cause.card is not None else cause.rule,
            cause.kind,
            cause.amount or cause.word,
            cause.until or cause.lasts,
        )
        for cause in causes
    ]


# ---------------------------------------------------------------- why a number is what it is


def causes(game: Game, piece: Piece) -> list[Cause]:
    """Return what makes ``piece`` other than printed."""
    return explanations.of_piece(game.engine, piece, characteristics.active_kinds(game.engine))


def test_a_number_as_printed_needs_no_cause() -> None:
    game = table({"alert": ["Crew"]})

    assert explanations.power(game.engine, named(game, "Crew")) == (2, [])
    assert causes(game, named(game, "Crew")) == []


def test_another_card_raises_the_power_while_it_is_in_play() -> None:
    game = table({"alert": ["Crew", "Chief"]})
    crew = named(game, "Crew")

    assert explanations.power(game.engine, crew).shown == 3
    assert told(causes(game, crew)) == [("Chief", "power", 1, "in play")]
    assert causes(game, crew)[0].piece == named(game, "Chief").id


def test_several_causes_are_told_each_with_its_end() -> None:
    game = table({"alert": ["Crew", "Chief", "Chief"], "hand": ["Boast"]})
    game.choose("play Boast")
    game.choose(f"choose {named(game, 'Crew').id}")

    assert told(explanations.power(game.engine, named(game, "Crew")).causes) == [
        ("Chief", "power", 1, "in play"),
        ("Chief", "power", 1, "in play"),
        ("Boast", "power", 3, Until.TURN),
    ]
    assert explanations.power(game.engine, named(game, "Crew")).causes[2].piece == 0, "the event is not in play"


def test_a_linked_mission_is_a_cause_while_it_is_linked() -> None:
    game = table({"alert": [{"card": "Wing", "linked": ["Medal"]}]})

    assert told(causes(game, named(game, "Wing"))) == [("Medal", "power", 1, "linked")]


def test_a_card_sacrificed_beneath_is_a_cause() -> None:
    game = table({"alert": [{"stack": ["Crew", "Crew"]}]})
    game.choose(next(key for key in keys(game) if key.startswith("boost")))

    assert told(causes(game, named(game, "Crew"))) == [("Crew", "power", 1, Until.PHASE)]


def test_what_lies_face_down_has_no_numbers_by_rule() -> None:
    game = table({"alert": [{"card": "Crew", "exhausted": True}], "assets": ["Wing"]})
    crew, asset = named(game, "Crew"), named(game, "Wing")

    assert told(explanations.power(game.engine, crew).causes) == [("exhausted", "power", -2, "")]
    assert told(explanations.threat(game.engine, crew).causes) == [("exhausted", "threat", -1, "")]
    assert told(explanations.traits(game.engine, crew)) == [("exhausted", "trait", "-Officer", "")]
    assert told(explanations.power(game.engine, asset).causes) == [("asset", "power", -2, "")]
    assert causes(game, crew) == [], "that it lies face down is seen anyway"


def test_gained_and_lost_traits_and_keywords_have_causes() -> None:
    game = table({"alert": ["Chief", "Spy", "Mimic"]})

    assert told(explanations.traits(game.engine, named(game, "Chief"))) == [
        ("Spy", "trait", "Cylon", "in play"),
        ("Mimic", "trait", "-Officer", "in play"),
    ]
    assert told(explanations.keywords(game.engine, named(game, "Mimic"))) == [("Mimic", "keyword", "sniper", "in play")]


def test_a_stack_makes_more_for_its_supply_cards() -> None:
    game = table({"assets": [{"card": "Wing", "supplies": 2}]})

    assert explanations.yields(game.engine, named(game, "Wing")).shown == 3
    assert told(explanations.yields(game.engine, named(game, "Wing")).causes) == [("supplies", "yields", 2, "")]
    assert explanations.yields(game.engine, named(game, "Home")) == (1, [])


def test_the_levels_are_explained() -> None:
    game = table({"alert": ["Watch", "Crew"]}, {"base": "Dock", "reserve": ["Wing"]})

    assert explanations.fleet_defense(game.engine).printed == 9
    assert told(explanations.fleet_defense(game.engine).causes) == [("Watch", "fleet", 2, "in play")]
    assert explanations.threat_level(game.engine) == (3, [])


def test_what_is_cheaper_is_told_of_its_player() -> None:
    game = table({"hand": ["Refit"]})
    game.choose("play Refit")

    assert told(explanations.of_player(game.engine, 0)) == [("Refit", "cheaper", -1, Until.NEXT_ACTION)]
    assert explanations.of_player(game.engine, 1) == []


def test_once_a_card_was_cheaper_nothing_is_told_any_more() -> None:
    game = table({"hand": ["Refit"]})
    game.choose("play Refit")
    discounts_used(game.engine, 0, 1)

    assert explanations.of_player(game.engine, 0) == []


@pytest.mark.parametrize(
    ("event", "cause"),
    [
        ("Barter", ("Barter", "convert", "", Until.NEXT_ACTION)),
        ("Double", ("Double", "reveal", "sum", Until.TURN)),
    ],
)
def test_what_a_player_makes_and_reveals_is_told(event: str, cause: tuple[Any, ...]) -> None:
    game = table({"hand": [event]})
    game.choose(f"play {event}")

    assert told(explanations.of_player(game.engine, 0)) == [cause]


def test_what_it_costs_to_challenge_and_what_adds_to_values_is_told() -> None:
    game = table({"alert": ["Pickets", "Seer"]})

    assert told(explanations.of_player(game.engine, 0)) == [
        ("Pickets", "price", 1, "in play"),
        ("Seer", "revealed", 1, "in play"),
    ]


def test_what_influence_may_not_do_is_told_of_the_game() -> None:
    game = table({"hand": ["Calm"]})
    game.choose("play Calm")

    assert told(explanations.of_game(game.engine)) == [("Calm", "prevent", "influence loss", Until.PHASE)]


def test_a_revealed_value_says_what_was_added_to_it() -> None:
    game = table({"alert": ["Seer"], "deck": ["Wing", "Crew"]}, {"alert": ["Crew"], "deck": ["Wing"]})
    for key in ("challenge {Seer} p1", "defend {Crew}", "pass"):
        game.choose(key.format_map({name: named(game, name).id for name in ("Seer", "Crew")}))
    events = [event for event in game.choose("pass") if event.kind == "mystic"]

    assert [event.number for event in events] == [3, 2]
    assert [told(list(event.why)) for event in events] == [[("Seer", "revealed", 1, "in play")], []]


# ---------------------------------------------------------------- why not


def reason(game: Game, verb: str, name: str, seat: int = 0) -> UseView:
    """What Ana is told of the first of her cards with this name, in hand or in play."""
    pieces = {piece.id for piece in game.engine.pieces() if game.engine.definition(piece).id == name}
    return next(
        use
        for use in game.reasons(seat)
        if use.verb == verb and (use.card == name or (use.card is None and use.piece in pieces))
    )


def exhausted(name: str) -> dict[str, Any]:
    return {"card": name, "exhausted": True}


def in_a_challenge(**ana: Any) -> Game:
    game = table({"alert": ["Wing", *ana.pop("alert", [])], **ana}, {"alert": ["Crew"]})
    game.choose(f"challenge {named(game, 'Wing').id} p1")
    game.choose("decline")
    return game


def challenged(ben: dict[str, Any] | None = None, **ana: Any) -> Game:
    """Ben challenges Ana with his Gunner."""
    game = table(ana, {"alert": ["Gunner"], **(ben or {})}, first="Ben")
    if ben is not None:
        after(game, "play Confine", f"choose {named(game, 'Crew').id}", "pass")
    game.choose(f"challenge {named(game, 'Gunner').id} p0")
    return game


def after(game: Game, *choices: str) -> Game:
    for choice in choices:
        game.choose(choice)
    return game


def cases() -> Iterator[tuple[Reason, str, str, Game, str]]:
    """For each reason: a position, what cannot be done in it, and the sentence."""
    over = table({"hand": ["Crew"]})
    over.concede(1)
    yield "over", "play", "Crew", over, "The game is over."
    passed = after(table({"hand": ["Crew"]}, {"hand": ["Crew"]}), "pass")
    yield "not_your_decision", "play", "Crew", passed, "[[seat:1|Ben]] acts."
    chosen = after(table({"hand": ["Boast", "Crew"], "alert": ["Crew", "Chief"]}), "play Boast")
    yield "other_decision", "play", "Crew", chosen, "Something else is asked first: Choose target personnel."
    cylon = table({"alert": ["Wing", "Drill"]}, {"reserve": ["Wing"] * 8}, phase="cylon")
    yield "cylon_phase", "use", "Drill", cylon, REASONS["cylon_phase"]
    yield "in_challenge", "play", "Crew", in_a_challenge(hand=["Crew"]), REASONS["in_challenge"]
    yield "in_challenge", "resolve", "Patrol", in_a_challenge(alert=["Patrol"]), REASONS["in_challenge"]
    yield "in_challenge", "challenge", "Crew", in_a_challenge(alert=["Crew"]), REASONS["in_challenge"]
    yield "season", "play", "Ambush", table({"hand": ["Ambush"], "alert": ["Crew"]}), "Only during a challenge."
    yield "season", "use", "Gunner", table({"alert": ["Gunner"]}), "Only during a challenge."

    poor = table({"hand": ["Dear"], "assets": [{"card": "Wing", "supplies": 1}]})
    needs = "It needs 1 [[icon:logistics|logistics]] and 1 [[icon:security|security]] more."
    yield "cost", "play", "Dear", poor, needs
    nothing_to_restore = table({"hand": ["Repair"], "alert": ["Wing"]})
    yield "no_target", "play", "Repair", nothing_to_restore, "There is no legal target: an exhausted ship."
    yield "no_target", "use", "Drill", table({"alert": ["Drill"]}), "There is no legal target: a ship."
    yield (
        "no_target",
        "resolve",
        "Salvage",
        table({"alert": ["Salvage"]}),
        "There is no legal target: an exhausted ship.",
    )
    nothing_in_reserve = table({"hand": ["Launch"], "alert": ["Wing"]})
    yield "no_target", "play", "Launch", nothing_in_reserve, "There is no legal target: a reserve ship."
    nothing_alert = table({"hand": ["Stand down"], "reserve": ["Wing"]}, {"reserve": ["Wing", "Wing"]})
    yield "no_target", "play", "Stand down", nothing_alert, "There is no legal target: 2 alert ships."
    all_face_down = table({"hand": ["Douse"], "alert": [exhausted("Wing")]}, {"alert": ["Crew"]})
    yield (
        "no_target",
        "play",
        "Douse",
        all_face_down,
        "There is no legal target: a face-up ship or reserve face-up mission.",
    )
    not_mine = table({"hand": ["Scrap"]}, {"alert": ["Wing"]})
    yield "no_target", "play", "Scrap", not_mine, "There is no legal target: one of your ships."
    no_cards = table({"hand": ["Recall"], "alert": ["Wing"]})
    yield "no_target", "play", "Recall", no_cards, "There is no legal target: a ship card."
    with_a_base = table({})
    with_a_base.engine.player(0).hand.append(CATALOG.index["Dock"] << 3)
    yield "base", "play", "Dock", with_a_base, "A base is not played."

    yield (
        "exhausted",
        "use",
        "Dock",
        table({"base": "Dock", "base_exhausted": True}),
        "[[card:Dock|Dock]] is exhausted.",
    )
    yield "exhausted", "use", "Drill", table({"alert": [exhausted("Drill")]}), "[[card:Drill|Drill]] is exhausted."
    yield (
        "exhausted",
        "resolve",
        "Patrol",
        table({"alert": [exhausted("Patrol")]}),
        "[[card:Patrol|Patrol]] is exhausted.",
    )
    yield "exhausted", "challenge", "Crew", table({"alert": [exhausted("Crew")]}), "[[card:Crew|Crew]] is exhausted."
    yield (
        "not_alert",
        "use",
        "Drill",
        table({"reserve": ["Drill"], "alert": ["Wing"]}),
        "[[card:Drill|Drill]] is not alert.",
    )
    yield "not_alert", "resolve", "Patrol", table({"reserve": ["Patrol"]}), "[[card:Patrol|Patrol]] is not alert."
    yield "not_alert", "challenge", "Crew", table({"reserve": ["Crew"]}), "[[card:Crew|Crew]] is not alert."
    yield "asset", "use", "Drill", table({"assets": ["Drill"]}), "An asset has no abilities."
    unresolved = table({"alert": ["Watchword"]})
    yield "unresolved", "use", "Watchword", unresolved, "[[card:Watchword|Watchword]] must be resolved first."
    daily = table({"alert": ["Daily"]})
    after(daily, f"use {named(daily, 'Daily').id} #1", "pass")
    yield "used", "use", "Daily", daily, "Once each turn, and it has been used."
    alone = table({"alert": ["Priest"]})
    cost = "Its cost cannot be paid now: [[icon:sacrifice|sacrifice]] another of your ships."
    yield "ability_cost", "use", "Priest", alone, cost

    twice = table({"alert": ["Patrol", "Patrol"]})
    after(twice, f"resolve {named(twice, 'Patrol').id}", "pass")
    yield "one_mission", "resolve", "Patrol", twice, "You have resolved your mission of this phase."
    round_and_round = table({"alert": ["Drill", "Crew"]})
    round_and_round.engine.state.deeds.held.append(0)
    loop = "You went round in a loop: you can only pass for the rest of this phase."
    yield "loop", "use", "Drill", round_and_round, loop
    few = table({"alert": ["Raid", "Wing"]})
    yield "requirements", "resolve", "Raid", few, "Missing: 1 [[trait:Officer|Officer]] and 1 ship."
    yield "no_link", "resolve", "Medal", table({"alert": ["Medal", "Crew"]}), "There is no ship it could be linked to."

    yield "vision", "challenge", "Oracle", table({"alert": ["Oracle"]}), "A unit with Vision does not challenge."
    held = table({"alert": ["Crew", "Wing"], "hand": ["Truce"]})
    after(held, "play Truce", f"choose {named(held, 'Crew').id}", "pass")
    yield "forbidden", "challenge", "Crew", held, "[[card:Truce|Truce]] says that it cannot challenge."
    dear = table({"alert": ["Crew"], "base_exhausted": True}, {"alert": ["Pickets"]})
    price = "To challenge costs more than you have: it needs 1 of any resource more."
    yield "price", "challenge", "Crew", dear, price

    yield "not_alert", "defend", "Crew", challenged(reserve=["Crew"]), "[[card:Crew|Crew]] is not alert."
    face_down = challenged(alert=[exhausted("Crew")])
    yield "exhausted", "defend", "Crew", face_down, "[[card:Crew|Crew]] is exhausted."
    as_personnel = "The challenger challenges as a personnel: only a personnel defends."
    yield "other_type", "defend", "Wing", challenged(alert=["Wing", "Crew"]), as_personnel
    seen = challenged(alert=["Oracle"])
    yield "vision_defends", "defend", "Oracle", seen, "A unit with Vision does not defend."
    pinned = challenged({"hand": ["Confine"]}, alert=["Crew", "Chief"])
    yield "forbidden_to_defend", "defend", "Crew", pinned, "[[card:Confine|Confine]] says that it cannot defend."


def test_the_reason_why_not() -> None:
    found = [(use.reason, use.text) for use in (reason(game, verb, name) for _, verb, name, game, _ in cases())]

    assert found == [(code, text) for code, _, _, _, text in cases()]


def test_every_reason_is_reached_and_has_a_sentence() -> None:
    assert {case[0] for case in cases()} == set(get_args(Reason)) == set(REASONS)


def test_who_is_asked_to_defend_is_shown_who_cannot_and_why() -> None:
    game = challenged(alert=["Crew", "Wing", exhausted("Chief")], reserve=["Crew"])
    asked = game.view(0).decision
    assert asked is not None

    assert [option.key for option in asked.options] == [f"defend {named(game, 'Crew').id}", "decline"]
    assert sorted((use.piece, use.reason) for use in asked.unable) == sorted(
        [
            (named(game, "Wing").id, "other_type"),
            (named(game, "Chief").id, "exhausted"),
            (game.engine.player(0).reserve[0].id, "not_alert"),
        ]
    )
    others = [view.decision for view in (game.view(1), game.view(None))]
    assert all(decision is not None and not decision.unable for decision in others)


def test_what_can_be_done_has_no_reason() -> None:
    game = table({"hand": ["Crew", "Dear"], "alert": ["Drill", "Wing"]})

    free = {(use.verb, use.card, use.piece) for use in game.reasons(0) if use.reason is None}
    drill, wing = named(game, "Drill").id, named(game, "Wing").id
    assert free == {
        ("play", "Crew", None), ("use", None, drill), ("challenge", None, drill), ("challenge", None, wing),
    }  # fmt: skip


def test_reasons_name_what_is_missing() -> None:
    poor = reason(table({"hand": ["Dear"]}), "play", "Dear")
    few = reason(table({"alert": ["Raid"]}), "resolve", "Raid")

    assert poor.missing == {"logistics": 3, "security": 1}
    assert few.unmet == ["Officer", "ship", "ship"]


def test_a_card_in_a_decision_that_offers_it_has_no_reason() -> None:
    game = table({"hand": ["Crew"], "deck": []}, phase="ready")
    while game.decision is not None and game.decision.kind != "action":
        assert {use.reason for use in game.reasons(game.decision.seat)} <= {"other_decision"}
        game.choose(game.decision.options[-1])


def test_equal_missions_on_one_unit_are_one_use_that_works_if_one_of_them_does() -> None:
    linked = card("Pin", "mission", "cost: exhaust\ndo: [{draw: 1}]", keywords=("link",), link="ship", **MISSION)
    catalog = Catalog([*CATALOG.cards, linked])
    game = position(
        catalog,
        {"base": "Home", "fill": "Crew", "alert": [{"card": "Wing", "linked": ["Pin", "Pin"]}]},
        {"base": "Home", "fill": "Crew"},
        first="Ana",
    )
    wing = next(piece for piece in game.engine.pieces() if piece.links)
    wing.links[1].exhausted = True
    game.engine.stale()

    assert [use.reason for use in game.reasons(0) if use.card == "Pin"] == [None]


@pytest.mark.slow
def test_nothing_is_missing_exactly_where_the_means_cover_the_cost() -> None:
    everything = product(
        product(range(3), repeat=3), ((), (3,), (3, 3), (1, 3)), product(range(4), repeat=3), (0, 2), ((), (1,), (1, 2))
    )
    for totals, converting, owed, any_, discounts in everything:
        available = AvailableResources((totals[0], totals[1], totals[2]), (0, 1, 0), converting)
        missing = available.missing([*owed, any_], discounts)
        assert available.cover([*owed, any_], discounts) == (not any(missing)), (available, owed, any_, discounts)
        assert available.cover([a - b for a, b in zip([*owed, any_], missing, strict=True)], discounts)
