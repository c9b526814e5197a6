"""What the soak counts: each ability used, each branch taken, and nothing that was only thought of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ccg.rules import CardDef, Catalog, Game
from ccg.rules.cards.definitions import requirement
from ccg.rules.effects.language import read_ability
from ccg.rules.soak.uses import Watch, missing
from tests.rules.tables import keys, position

BASE = CardDef(id="B-1", type="base", title="Hull", power=4, produces="logistics", hand=4, influence=9)
CREW = CardDef(
    id="C-1", type="personnel", subtitle="Crew", power=1, threat=1, mystic=2, produces="logistics", traits=("Officer",)
)
SHUTTLE = CardDef(id="S-1", type="ship", subtitle="Colonial Shuttle", power=1, mystic=1, produces="logistics")


def made_up(number: int, *texts: Mapping[str, Any], **facts: Any) -> CardDef:
    """A free personnel, if nothing else is said, with these abilities."""
    said = {"type": "personnel", "subtitle": f"New {number}", "power": 1, "threat": 1, "mystic": 2, **facts}
    said.setdefault("produces", "logistics" if said["type"] in ("personnel", "ship", "base") else None)
    return CardDef(id=f"N-{number}", abilities=tuple(read_ability(text) for text in texts), **said)


class Watched:
    """A position in which Ana's moves are counted."""

    def __init__(self, *cards: CardDef, ana: Mapping[str, Any], ben: Mapping[str, Any] | None = None) -> None:
        self.watch = Watch(Catalog([BASE, CREW, SHUTTLE, *cards]))
        self.game: Game = position(
            self.watch.catalog, {"base": "Hull", **ana}, {"base": "Hull", **(ben or {})}, first="Ana"
        )
        self.watch.begin(self.game)
        self.watch.take()

    def play(self, *begins: str) -> Watched:
        """Take the first option that begins as said, one after another."""
        for said in begins:
            move = said if said == "back" else next(key for key in keys(self.game) if key.startswith(said))
            self.watch.before(self.game, move)
            self.watch.after(self.game, self.game.move(move))
        return self

    @property
    def counted(self) -> dict[str, int]:
        """What has been counted, by ability and what."""
        return {f"{row.ability}: {row.what}": count for row, count in self.watch.table() if count}


def test_an_action_is_counted_when_it_is_carried_out() -> None:
    card = made_up(1, {"cost": "commit", "do": [{"power": 1, "of": "target unit"}]})
    table = Watched(card, ana={"alert": ["New 1"]})

    assert table.play("use").counted == {}
    assert table.play("back").counted == {}
    assert table.play("use", "choose").counted == {"action 1: played": 1}


def test_what_happens_in_a_copy_is_not_counted() -> None:
    table = Watched(made_up(1, {"cost": "commit", "do": [{"draw": 1}]}), ana={"alert": ["New 1"]})
    copied = table.game.copy()
    copied.move(next(key for key in keys(copied) if key.startswith("use")))

    assert table.counted == {}


def test_alternatives_and_offers_are_counted_each_way() -> None:
    card = made_up(
        2, {"cost": [], "do": [{"choose one": [{"gain": 1}, [{"draw": 1}, {"may": "exhaust", "do": [{"gain": 1}]}]]}]}
    )  # fmt: skip
    table = Watched(card, ana={"alert": ["New 2"]})
    table.play("use", "choose #2", "no")
    assert table.counted == {
        "action 1: played": 1,
        "action 1: step 1, alternative 2": 1,
        "action 1: step 1, alternative 2, step 2, may: no": 1,
    }
    table.play("pass", "use", "choose #2", "yes")

    assert table.counted["action 1: step 1, alternative 2, step 2, may: yes"] == 1
    assert "action 1: step 1, alternative 1" not in table.counted


def test_triggers_are_counted_when_set_off_accepted_and_declined() -> None:
    sure = made_up(3, {"when": "you resolve a mission", "do": [{"draw": 1}]})
    offer = made_up(4, {"when": "you resolve a mission", "may": True, "do": [{"gain": 1}]})
    mission = made_up(5, {"do": [{"for": "each player", "do": [{"draw": 1}]}]}, type="mission")
    table = Watched(sure, offer, mission, ana={"alert": ["New 3", "New 4", "New 5", "New 5"]})
    table.play("resolve", "choose N-3", "no")

    assert table.counted == {
        "card: resolved": 1, "effect: resolved": 1, "effect: step 1, for each": 2, "trigger 1: set off": 1,
        "trigger 1: declined": 1,
    }  # fmt: skip


def test_replacements_are_counted_both_ways() -> None:
    saver = made_up(7, {"instead of": "a ship you control would be defeated", "may": "exhaust", "do": [{"gain": 1}]})
    hit = made_up(8, {"cost": [], "do": [{"defeat": "target ship"}]})
    table = Watched(saver, hit, ana={"alert": ["New 7", "New 8", "Colonial Shuttle"]})
    table.play("use", "choose", "no")
    assert table.counted == {"action 1: played": 1, "replacement 1: declined": 1}

    no_more = made_up(17, {"instead of": "a ship you control would be defeated", "may": "exhaust"})
    table = Watched(no_more, hit, ana={"alert": ["New 17", "New 8", "Colonial Shuttle"]})
    table.play("use", "choose", "yes")
    assert table.counted == {"action 1: played": 1, "replacement 1: accepted": 1}

    table = Watched(saver, hit, ana={"alert": ["New 7", "New 8", "Colonial Shuttle"]})
    table.play("use", "choose", "yes")
    assert table.counted == {"action 1: played": 1, "replacement 1: accepted": 1}


def test_a_continuous_change_counts_once_for_each_card_in_play_that_it_touches() -> None:
    lord = made_up(9, {"always": [{"power": 1, "of": "other Officers you control"}], "while": "a challenge"})
    table = Watched(lord, ana={"alert": ["New 9", "Crew"]}, ben={"alert": ["Crew"]})
    table.game.view(None)
    assert table.counted == {"continuous 1: while not so": 1}

    table.play("challenge", "decline", "pass")
    table.game.view(None)
    assert table.counted == {"continuous 1: in force": 1, "continuous 1: while not so": 1}


def test_conditions_inside_steps_are_counted_both_ways() -> None:
    card = made_up(10, {"cost": [], "do": [{"power": 2, "of": "target unit", "if": "it is challenging"}]})
    table = Watched(card, ana={"alert": ["New 10", "Crew"]}, ben={"alert": ["Crew"]})
    table.play("use", "choose")

    assert table.counted == {"action 1: played": 1, "action 1: step 1, if not": 1}


def test_help_for_a_mission_is_counted_by_what_it_counts_as() -> None:
    double = made_up(11, {"counts as": ["Officer", "Civilian unit"]})
    asks = made_up(12, type="mission", requires=(requirement("Civilian unit"),))
    table = Watched(double, asks, ana={"alert": ["New 11", "New 12"]})
    table.play("resolve")

    assert table.counted == {"card: resolved": 1, "counts as: 2, Civilian unit": 1}


def test_a_unit_that_adds_to_a_stack_counts_once_it_is_paid() -> None:
    adder = made_up(13, {"when": "you spend a resource stack", "may": "commit", "do": [{"add": "logistics"}]})
    dear = made_up(14, cost=(0, 2, 0))
    table = Watched(adder, dear, ana={"alert": ["New 13"], "hand": ["New 14"]})
    table.play("play N-14", "pay", "yes")

    assert table.counted == {"card: played": 1, "adds: added": 1}


def test_a_card_played_as_a_reaction_is_counted() -> None:
    quick = made_up(15, {"react": "you are challenged by a ship"}, type="ship")
    table = Watched(quick, ana={"alert": ["Colonial Shuttle"]}, ben={"hand": ["New 15"]})
    table.play("challenge", "play N-15")

    assert table.counted == {"card: played": 1, "react: played": 1}


def test_a_unit_that_a_mission_excludes_is_counted() -> None:
    picky = made_up(16, {"not by": "Officers"}, {"do": [{"draw": 1}]}, type="mission")
    table = Watched(picky, ana={"alert": ["New 16", "Crew"]})
    table.play("resolve")

    assert table.counted == {"card: resolved": 1, "effect: resolved": 1, "not by: kept a unit out": 1}


def test_all_that_cards_can_do_is_listed_though_it_never_happens(catalog: Catalog) -> None:
    watch = Watch(catalog)
    cards = {row.card for row in watch.rows}

    assert cards == set(catalog.ids)
    assert len(missing(watch, 20)) == len(watch.rows) == len(set(watch.rows))
    assert len([row for row in watch.rows if row.branch]) > 100
