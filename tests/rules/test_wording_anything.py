"""Whatever compiles can be told: abilities made up at random from all that the language has."""

from __future__ import annotations

import re
import typing

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from ccg.rules.cards import CardDef
from ccg.rules.language.compiling import AbilityError, compile_card
from ccg.rules.language.phrases import PhraseError
from ccg.rules.language.schema import Ability, Step
from ccg.rules.language.wording import ability_text, plain
from tests.rules.test_wording import _rules, _terminal

NOUNS = ["unit", "units", "personnel", "ship", "Pilots", "Cylon units", "Capital Ship", "mission", "asset", "cards"]
QUANTITIES = ["", "a ", "each ", "all ", "up to 2 ", "any number of ", "two ", "another "]
PLAYERS = ["you", "target player", "target opponent", "each player", "each opponent", "its controller", "its owner",
           "they"]  # fmt: skip
SUFFIXES = ["you control", "they control", "an opponent controls", "in play", "with power 2 or less",
            "with its title", "with no supply cards", "with a supply card", "without the Machine trait",
            "challenging a Cylon threat", "challenging you with no defender", "challenging you",
            "with the Link keyword"]  # fmt: skip

things = st.builds(
    lambda quantity, target, adjectives, noun, suffix: f"{quantity}{target}{''.join(adjectives)}{noun}{suffix}",
    st.sampled_from(QUANTITIES),
    st.sampled_from(["", "target "]),
    st.lists(st.sampled_from([f"{word} " for word in (*_terminal("ADJECTIVE"), "other", "Cylon")]), max_size=2),
    st.sampled_from(NOUNS),
    st.sampled_from(["", *(f" {suffix}" for suffix in SUFFIXES)]),
)
selectors = st.one_of(
    things,
    st.sampled_from(_terminal("PRONOUN")),
    st.builds("{} or {}".format, things, st.sampled_from(["Officer", "ship", "Civilian unit you control"])),
    st.just("other unit or Civilian unit you control"),
)
amounts = st.one_of(
    st.integers(-3, 5),
    st.sampled_from(["X", "-X", "+2 for each X", "your hand size", "the power of it", "the mystic value of this"]),
    st.builds("+1 for each {}".format, things),
)
conditions = st.sampled_from([
    "this is defending", "it is challenging", "this is challenging a Cylon threat", "you control an alert Pilot",
    "this is challenging and a ship is defending", "this is challenging an opponent without ships",
    "a challenge between two ships", "the execution phase", "the Cylon phase", "a challenge",
])  # fmt: skip


def _literal(field: str) -> st.SearchStrategy[str]:
    kind = typing.get_type_hints(Step)[field]
    return st.sampled_from(
        [one for part in typing.get_args(kind) for one in typing.get_args(part) if isinstance(one, str)]
    )


def _maybe(strategy: st.SearchStrategy[typing.Any]) -> st.SearchStrategy[typing.Any]:
    return st.one_of(st.none(), strategy)


VALUES: dict[str, st.SearchStrategy[typing.Any]] = {
    **dict.fromkeys(("ready", "commit", "exhaust", "restore", "defeat", "sacrifice", "put", "choose"), selectors),
    **dict.fromkeys(("exchange", "split", "search", "take", "not_singular"), things),
    **dict.fromkeys(("gain", "lose", "draw", "discard", "mill"), amounts),
    **dict.fromkeys(("power", "threat", "fleet", "reduce", "revealed"), amounts),
    **{name: _literal(name) for name in (
        "cannot", "prevent", "supply", "shuffle", "x", "reveal", "end", "fate", "contest", "add",
    )},
    "gains": st.sampled_from(["Cylon", "Sniper"]),
    "loses": st.sampled_from(["Cylon", "Vision"]),
    "reveal_hand": st.sampled_from(PLAYERS),
    "goes_first": st.sampled_from(PLAYERS),
    "immune": st.sampled_from(PLAYERS),
    **dict.fromkeys(("look", "extra", "cheaper", "convert", "threats", "price"), st.integers(1, 4)),
    "add_phases": st.just(True),
}  # fmt: skip
BESIDE: dict[str, st.SearchStrategy[typing.Any]] = {
    "into": _maybe(_literal("into")),
    "who": _maybe(st.sampled_from(PLAYERS)),
    "of": _maybe(selectors),
    "while_": _maybe(conditions),
    "if_": _maybe(conditions),
    "until": _maybe(_literal("until")),
    "then": _maybe(_literal("then")),
    "by": _maybe(st.sampled_from(PLAYERS)),
    "shown": st.booleans(),
    "from_": _maybe(_literal("from_")),
    "under": _maybe(st.just("a resource stack you control")),
}


@st.composite
def steps(draw: st.DrawFn, depth: int = 2) -> Step:
    """Make up one step."""
    inner = ("for_", "choose_one", "may", "at", "contest") if depth else ()
    verb = draw(st.sampled_from([*VALUES, *inner]))
    beside = {name: draw(strategy) for name, strategy in BESIDE.items()}
    below = st.lists(steps(depth - 1), min_size=1, max_size=2) if depth else st.just([])
    if verb == "for_":
        return Step(for_=draw(st.sampled_from(PLAYERS)), do=draw(below))
    if verb == "choose_one":
        return Step(choose_one=[draw(steps(depth - 1)), draw(below)])
    if verb == "may":
        may = draw(st.one_of(st.just(True), st.just("commit and exhaust"), below))
        return Step(may=may, do=draw(below), once=draw(st.sampled_from([None, "each turn"])))
    if verb == "at":
        return Step(at=draw(_literal("at")), do=draw(below))
    if verb == "contest":
        return Step(contest="mystic value", do=draw(below))
    return Step(**{verb: draw(VALUES[verb])}, **beside)


occasions = st.sampled_from([
    "you are challenged", "a ship you control challenges", "another unit challenges and there is no defender",
    "this enters play", "this is defeated", "a personnel is defeated by a Cylon threat", "this defeats a challenger",
    "this leaves play", "it wins a challenge", "you play an event", "you resolve a mission", "the ready phase begins",
    "you lose influence", "a player draws a card", "you reveal a mystic value", "Cylon threats are revealed",
    "you spend a resource stack",
])  # fmt: skip
some = st.lists(steps(), min_size=1, max_size=3)
optional = st.one_of(st.none(), st.just(True), st.sampled_from(["commit", "exhaust", "sacrifice"]), some)
abilities = st.one_of(
    st.builds(lambda do, during: Ability(do=do, during=during), some, _maybe(conditions)),
    st.builds(
        lambda cost, do, during, once: Ability(cost=cost, do=do, during=during, once=once),
        st.one_of(st.sampled_from(["commit", "exhaust", "commit and exhaust", "sacrifice"]), some),
        some, _maybe(conditions), st.sampled_from([None, "each turn"]),
    ),
    st.builds(lambda when, may, do, during: Ability(when=when, may=may, do=do, during=during),
              occasions, optional, some, _maybe(conditions)),
    st.builds(lambda instead, may, do: Ability(instead_of=instead, may=may, do=do),
              st.sampled_from(["you would lose influence", "a ship you control would be defeated"]), optional, some),
    st.builds(lambda always, while_: Ability(always=always, while_=while_), some, _maybe(conditions)),
    st.builds(lambda red: Ability(red=red), some),
)  # fmt: skip
cards = st.sampled_from([
    CardDef(id="X-1", type="ship", title="A", power=1),
    CardDef(id="X-2", type="mission", subtitle="B", keywords=("link",), link="unit"),
    CardDef(id="X-3", type="event", subtitle="C"),
    CardDef(id="X-4", type="base", title="D"),
])  # fmt: skip


@settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(cards, abilities)
def test_what_compiles_can_be_told(card: CardDef, ability: Ability) -> None:
    try:
        compile_card(
            CardDef(id=card.id, type=card.type, title=card.title, subtitle=card.subtitle, abilities=(ability,))
        )
    except (AbilityError, AssertionError, AttributeError, KeyError, StopIteration):
        assume(False)  # the checks that come before compiling say what is wrong with it
    try:
        shown = plain(ability_text(card, ability).text)
    except PhraseError:  # not every form of an ability compiles its steps
        assume(False)
    assert shown.endswith((".", ".)")), shown
    assert not re.search(r"[{}]|  |\[\[|None| [.,;:]|,,", shown), shown


def test_the_samples_have_every_suffix_and_player() -> None:
    assert len(SUFFIXES) == len(_rules("suffix"))
    assert len(PLAYERS) == len(_rules("players")) - 1  # but for one that only one card needs
