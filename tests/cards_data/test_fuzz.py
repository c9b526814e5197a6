"""The short form of the fuzzer, and fuzzing with hypothesis: what is let in compiles, is told and plays."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from ccg.rules.authoring import checking
from ccg.rules.authoring.card_files import CardFileError, CardSet, read_sets
from ccg.rules.authoring.records import Problem, read
from ccg.rules.authoring.yaml_files import YamlError, parse
from ccg.rules.cards import phrases
from ccg.rules.cards.definitions import CardDef
from ccg.rules.cards.schema import Ability
from ccg.rules.effects.compiling import compile_card
from ccg.rules.telling.wording import ability_text
from tests.at_length import examples
from tests.cards_data import fuzz

QUICK = settings(derandomize=True, suppress_health_check=list(HealthCheck))
CASES = examples(250)
"""Some ten seconds of work."""

KINDS = {
    "ship": CardDef(
        id="X-1", type="ship", title="Made", subtitle="Up", power=1, threat=1, mystic=1, produces="logistics"
    ),
    "mission": CardDef(id="X-2", type="mission", subtitle="Made Up", threat=1, mystic=1, keywords=("persistent",)),
    "event": CardDef(id="X-3", type="event", subtitle="Made Up", threat=1, mystic=1),
    "base": CardDef(id="X-4", type="base", title="Made Up", power=1, produces="logistics", hand=5, influence=9),
}


@pytest.mark.slow
def test_files_made_up_at_random_are_refused_or_play() -> None:
    outcomes, finds = fuzz.run(iter(range(CASES)), lambda: False)
    assert finds == []
    assert outcomes["refused"] > CASES / 4
    assert outcomes["played"] > CASES / 5


def test_a_case_follows_from_its_number() -> None:
    assert [fuzz.case(number) for number in range(20)] == [fuzz.case(number) for number in range(20)]


def is_text(ability: Ability) -> bool:
    """Whether all its words could stand in a file: halves of a pair of surrogates are refused as it is read."""
    try:
        msgspec.msgpack.encode(ability)
    except UnicodeEncodeError:
        return False
    return True


@pytest.mark.slow
@settings(QUICK, max_examples=examples(80))
@given(st.sampled_from(list(KINDS)), st.randoms(use_true_random=False))
def test_an_ability_that_is_let_in_compiles_is_told_and_plays(kind: str, rng: random.Random) -> None:
    card = KINDS[kind]
    problems: list[Problem] = []
    raw = fuzz.sensible(rng, {"type": kind, "keywords": list(card.keywords)})
    ability = read(raw, Ability, (), problems)
    assume(not problems and is_text(ability) and not checking.check([ability], card.type, card.keywords))
    made = msgspec.structs.replace(card, abilities=(ability,))
    compile_card(made)
    assert ability_text(made, ability).text
    one = CardSet(code="X", name="X", year=2030, cards=(made,), printings=())
    with fuzz.bounded("playing", fuzz.MOST_PLAYING):
        assert fuzz.played(one, rng) in ("played", "endless")


@settings(QUICK, max_examples=examples(300))
@example(b"?")
@given(st.one_of(st.binary(max_size=300), st.text(max_size=300).map(lambda text: text.encode("utf-8", "replace"))))
def test_any_bytes_are_yaml_or_refused(data: bytes) -> None:
    said = "read"
    with fuzz.bounded("reading", 1.0):
        try:
            parse(data)
        except YamlError as error:
            said = str(error)
    assert said
    assert said.isprintable()


WORDS = ["target", "unit", "units", "you", "control", "each", "player", "with", "power", "2", "or", "less", "this",
         "it", "is", "challenging", "X", "for", "Pilots", "a", "the", "+1", "999", "and", "é", "<", "\n"]  # fmt: skip


@settings(QUICK, max_examples=examples(300))
@given(
    st.sampled_from(list(phrases.READERS)),
    st.one_of(st.text(max_size=120), st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)),
)
def test_any_text_is_a_phrase_or_refused(kind: str, phrase: str) -> None:
    said = "read"
    with fuzz.bounded("reading", 1.0):
        try:
            phrases.READERS[kind](phrase)
        except phrases.PhraseError as error:
            said = str(error)
    assert 0 < len(said) < 1000


tree = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20), st.sampled_from(fuzz.HOSTILE)
    ),
    lambda inside: st.one_of(
        st.lists(inside, max_size=4),
        st.dictionaries(
            st.one_of(st.text(max_size=8), st.sampled_from(["do", "draw", "of", "cost"])), inside, max_size=4
        ),
    ),
    max_leaves=20,
)


@settings(QUICK, max_examples=examples(300))
@given(
    st.dictionaries(st.sampled_from(["cost", "when", "do", "always", "red", "may", "once", "helps"]), tree, max_size=4)
)
def test_any_tree_is_an_ability_or_refused(raw: dict[str, object]) -> None:
    problems: list[Problem] = []
    ability = read(raw, Ability, ("abilities", 0), problems)
    if not problems:
        checking.check([ability], "ship", ())
    assert all(str(problem) for problem in problems)


@pytest.mark.slow
def test_the_fuzzer_finds_what_the_check_would_let_through(monkeypatch: pytest.MonkeyPatch) -> None:
    """With no check of sense at all it has finds soon: it can see."""
    monkeypatch.setattr(checking, "check", lambda abilities, kind, keywords: [])
    _, finds = fuzz.run(iter(range(120)), lambda: False)
    assert finds


def fuzz_some(folder: Path) -> None:
    """Try some cases; whatever words the language has, the set of one or the other is let in."""
    for number in range(20):
        (folder / str(number)).mkdir()
        fuzz.attempt(number, folder / str(number))


def test_a_file_that_takes_too_long_is_a_find(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "MOST_READING", -1.0)
    with pytest.raises(fuzz.Find, match="reading took"):
        fuzz_some(tmp_path)


def test_bad_sets_stay_bad_beside_others(tmp_path: Path) -> None:
    """One bad file keeps out the good ones that come with it."""
    (tmp_path / "good.yaml").write_text(
        "set: {code: GOOD, name: Good, year: 2030}\ncards:\n- {number: 1, subtitle: Good Ship, type: ship, "
        "rarity: common, cost: {}, power: 1, threat: 1, mystic: 1, produces: logistics}\n"
    )
    assert read_sets([tmp_path / "good.yaml"])
    with pytest.raises(CardFileError):
        read_sets([tmp_path / "good.yaml", fuzz.BAD / "verb-misspelt.yaml"])
