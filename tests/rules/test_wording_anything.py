"""Whatever compiles can be told: abilities made up at random from all that the language has."""

from __future__ import annotations

import re
import typing

import msgspec
import msgspec.inspect as types
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from ccg.rules.authoring import checking
from ccg.rules.cards.definitions import CardDef
from ccg.rules.cards.phrases import PhraseError
from ccg.rules.cards.schema import Ability
from ccg.rules.effects.compiling import AbilityError, compile_card
from ccg.rules.effects.language import WORDS, step
from ccg.rules.effects.word import Word
from ccg.rules.telling.wording import MissingWordsError, ability_text, plain
from tests.at_length import examples
from tests.rules import samples
from tests.rules.test_wording import _rules, _terminal

NOUNS = ["unit", "units", "personnel", "ship", "Pilots", "Cylon units", "Capital Ship", "mission", "asset", "cards"]
QUANTITIES = ["", "a ", "each ", "all ", "up to 2 ", "any number of ", "two ", "another "]
PLAYERS = ["you", "target player", "target opponent", "each player", "each opponent", "its controller", "its owner",
           "they", "each player with the most for each ship you control"]  # fmt: skip
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
    st.sampled_from(
        [
            "X",
            "-X",
            "+2 for each X",
            "your hand size",
            "cards in your hand",
            "the power of it",
            "the mystic value of this",
        ]
    ),
    st.builds("+1 for each {}".format, things),
)
conditions = st.sampled_from([
    "this is defending", "it is challenging", "this is challenging a Cylon threat", "you control an alert Pilot",
    "this is challenging and a ship is defending", "this is challenging an opponent without ships",
    "a challenge between two ships", "the execution phase", "the Cylon phase", "a challenge",
])  # fmt: skip


words = st.sampled_from(["Cylon", "Sniper", "Vision"])
costs = st.sampled_from(["commit", "exhaust", "commit and exhaust", "sacrifice"])
PHRASES: dict[str, st.SearchStrategy[typing.Any]] = {
    "selector": selectors, "cards": things, "players": st.sampled_from(PLAYERS), "amount": amounts,
    "condition": conditions, "cost": costs,
}  # fmt: skip


def _maybe(strategy: st.SearchStrategy[typing.Any]) -> st.SearchStrategy[typing.Any]:
    return st.one_of(st.none(), strategy)


def _of_kind(kind: types.Type, below: st.SearchStrategy[typing.Any]) -> st.SearchStrategy[typing.Any]:
    """Return what a key takes; ``below`` are the steps inside it."""
    found: list[st.SearchStrategy[typing.Any]] = []
    for phrase, one in samples.kinds(kind):
        match one:
            case _ if phrase:
                found.append(PHRASES[phrase])
            case types.IntType(ge=least, le=most):
                found.append(st.integers(max(least or 0, -3), min(most or 0, 5)))
            case types.LiteralType(values=said):
                found.append(st.sampled_from(said))
            case types.ListType():
                found.append(st.lists(below, min_size=2, max_size=2))
            case types.BoolType():
                found.append(st.just(True))
            case types.StrType():
                found.append(words)
            case types.NoneType():
                found.append(st.none())
            case _:
                raise AssertionError(f"say here how to make up a {one}")
    return st.one_of(found)


@st.composite
def steps(draw: st.DrawFn, depth: int = 2) -> Word:
    """Make up one step."""
    verb = draw(st.sampled_from([verb for verb in WORDS if depth or not _holds_steps(verb)]))
    below = steps(depth - 1).map(msgspec.to_builtins) if depth else st.nothing()
    said = {key: draw(_of_kind(kind, below)) for key, kind in samples.keys(WORDS[verb]).items()}
    return step(**{key: value for key, value in said.items() if value is not None})


def _holds_steps(verb: str) -> bool:
    return any(
        isinstance(one, types.ListType) for key in samples.keys(WORDS[verb]).values() for _, one in samples.kinds(key)
    )


occasions = st.sampled_from([
    "you are challenged", "a ship you control challenges", "another unit challenges and there is no defender",
    "this enters play", "this is defeated", "a personnel is defeated by a Cylon threat", "this defeats a challenger",
    "this leaves play", "it wins a challenge", "you play an event", "you resolve a mission", "the ready phase begins",
    "you lose influence", "a player draws a card", "you reveal a mystic value", "Cylon threats are revealed",
    "you spend a resource stack",
])  # fmt: skip
some = st.lists(steps(), min_size=1, max_size=3)
optional = st.one_of(st.none(), st.just(True), costs, some)
abilities = st.one_of(
    st.builds(lambda do, during: Ability(do=do, during=during), some, _maybe(conditions)),
    st.builds(
        lambda cost, do, during, once: Ability(cost=cost, do=do, during=during, once=once),
        st.one_of(costs, some),
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


@pytest.mark.slow
@settings(max_examples=examples(600), suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
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
    except MissingWordsError as error:
        shown = str(error)
    whole = shown.endswith((".", ".)")) and not re.search(r"[{}]|  |\[\[|None| [.,;:]|,,", shown)
    assert whole or checking.check([ability], card.type, card.keywords), shown


def test_the_samples_have_every_suffix_and_player() -> None:
    assert len(SUFFIXES) == len(_rules("suffix"))
    assert len(PLAYERS) == len(_rules("players"))
