"""What the schema says about its verbs is what the compiler does: every verb, and the keys that go with it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ccg.rules.language.compiling import ALL_VERBS, _Compiler
from ccg.rules.language.schema import CHANGES, GROUPS, Ability, Step
from ccg.rules.language.verbs import continuous


def said(kind: type[msgspec.Struct]) -> dict[str, dict[str, Any]]:
    """What the schema says about each key of ``kind``."""
    info = msgspec.inspect.type_info(kind)
    assert isinstance(info, msgspec.inspect.StructType)
    return {
        field.name: field.type.extra or {} if isinstance(field.type, msgspec.inspect.Metadata) else {}
        for field in info.fields
    }


STEP, ABILITY = said(Step), said(Ability)
VERBS = {name: about for name, about in STEP.items() if "verb" in about}
NAMES = {field.encode_name: field.name for field in msgspec.structs.fields(Step)}


class Reading:
    """A step that notes which of its keys are read."""

    def __init__(self, step: Step) -> None:
        self.step = step
        self.read: set[str] = set()

    def __getattr__(self, key: str) -> Any:
        self.read.add(key)
        return getattr(self.step, key)


VALUES: dict[str, Any] = {
    **dict.fromkeys(("goes_first", "immune", "for_", "reveal_hand"), "each player"),
    **dict.fromkeys(("search", "take", "split"), "card"),
    "into": "hand", "then": "one on top", "who": "each opponent", "by": "each opponent", "of": "target unit",
    "under": "an asset", "while_": "a challenge", "if_": "a challenge", "until": "end of turn", "shown": True,
    "once": "each turn", "from_": "hand",
    "gains": "Cylon", "loses": "Cylon", "cannot": "defend", "prevent": "influence loss", "look": 2,
    "supply": "card in hand", "shuffle": "discard pile", "x": "supply cards", "reveal": "sum",
    "contest": "mystic value", "end": "challenge", "add_phases": True, "fate": "the defender is spared",
    "choose_one": [Step(draw=1), Step(gain=1)], "may": True, "at": "end of turn", "add": "security",
    "not_singular": "Cylon unit", "do": [Step(draw=1)],
}  # fmt: skip
AMOUNTS = ("gain", "lose", "draw", "discard", "mill", "power", "fleet", "threat", "extra", "cheaper", "convert",
           "threats", "price", "revealed", "reduce")  # fmt: skip

ABOUT_THE_GAME = ("fleet", "price", "not_singular")
"""Changes that are about no card: what they are "of" is read like that of others, and without meaning."""


def value(name: str) -> Any:
    """A value that the key ``name`` may have."""
    return VALUES.get(name, 1 if name in AMOUNTS else "target unit")


def test_every_key_says_what_it_means() -> None:
    for kind in (Step, Ability):
        schema = msgspec.json.schema(kind)["$defs"][kind.__name__]["properties"]
        assert all(about.get("description") for about in schema.values()), kind


def test_every_verb_is_in_a_group_and_can_be_compiled() -> None:
    assert {about["verb"] for about in VERBS.values()} == set(GROUPS)
    assert {name for name, about in VERBS.items() if not about["only"]} == ALL_VERBS.keys() - {"reduce", "threats"}
    assert {name for name, about in VERBS.items() if about["only"]} >= {"reduce", "price", "revealed", "add", "threats"}


@pytest.mark.parametrize("name", VERBS)
def test_a_verb_reads_the_keys_that_go_with_it_and_no_others(name: str) -> None:
    keys = {NAMES[key] for key in VERBS[name]["keys"]}
    step = Reading(Step(**{key: value(key) for key in (name, *keys)}))
    if name in ALL_VERBS:
        ALL_VERBS[name](step, _Compiler(), False)  # type: ignore[arg-type]
    if VERBS[name]["verb"] == CHANGES:
        continuous(step)  # type: ignore[arg-type]

    assert step.read - VERBS.keys() - ({"of"} if name in ABOUT_THE_GAME else set()) == keys


def test_the_forms_of_an_ability_name_keys_that_are_there() -> None:
    names = {field.encode_name for field in msgspec.structs.fields(Ability)}
    forms = [about for about in ABILITY.values() if "form" in about]
    assert len(forms) == 9
    assert all(set(about["keys"]) <= names for about in forms)
