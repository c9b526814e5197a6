"""One style for the words on all cards, and the wordings that were once wrong or unclear."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from ccg.rules.cards.definitions import CardDef, Catalog
from ccg.rules.cards.schema import Ability
from ccg.rules.telling.wording import ability_text, card_text, plain


def told(catalog: Catalog) -> Iterator[tuple[CardDef, Ability, str]]:
    """Yield every ability of every card with its words."""
    for card in catalog:
        for ability in card.abilities:
            yield card, ability, plain(ability_text(card, ability).text)


# ---------------------------------------------------------------- one style


def test_a_target_has_no_article(catalog: Catalog) -> None:
    assert not [text for *_, text in told(catalog) if re.search(r"\b(an?|the) target\b", text)]


def test_only_a_cost_stands_before_a_colon(catalog: Catalog) -> None:
    for card, ability, text in told(catalog):
        assert text.count(":") == (ability.cost is not None), (card.name, text)


def test_a_cost_names_what_pays_it(catalog: Catalog) -> None:
    for card, ability, text in told(catalog):
        if ability.cost is not None:
            cost = text.partition(":")[0]
            assert re.search(r" (this|target|another|one of your) ", cost + " "), (card.name, text)


def test_a_change_that_ends_says_when(catalog: Catalog) -> None:
    for card, ability, text in told(catalog):
        changed = re.search(r"\b(gets?|gains?|loses?) ([+−]|the \w+ trait|(Sniper|Scramble|Strafe|Manipulate)\b)", text)
        if changed and not ability.always:
            assert re.search(r"this phase|this turn|for this challenge", text), (card.name, text)
        if ability.always:
            assert not re.search(r"this phase|this turn|for this challenge", text), (card.name, text)


@pytest.mark.parametrize(
    "left_out",
    [
        pytest.param(r"(?<!resource )(?<!unit )(?<!that )\bstacks?\b", id="which stack"),
        pytest.param(r"\bto hand\b|\bfrom hand\b", id="whose hand"),
        pytest.param(r"(?<!or )less(?! influence| of any one resource)", id="less of what"),
        pytest.param(r"\breveals?(?: for|,)", id="reveals what"),
        pytest.param(r"\bafter this(?! one)", id="after this what"),
        pytest.param(r"be targeted(?!( this phase)? by effects)", id="targeted by what"),
        pytest.param(r"\bis no [A-Z]|\bare no [A-Z]", id="is not a"),
        pytest.param(r"; or |: or ", id="either, or"),
    ],
)
def test_nothing_is_left_out(catalog: Catalog, left_out: str) -> None:
    assert not [text for *_, text in told(catalog) if re.search(left_out, text)]


# ---------------------------------------------------------------- wordings that were wrong or unclear


MENDED: dict[str, str] = yaml.safe_load(Path(__file__).with_name("words_mended.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", MENDED)
def test_what_was_unclear(catalog: Catalog, name: str) -> None:
    [card] = catalog.named(name)
    assert MENDED[name] in [plain(paragraph.text) for paragraph in card_text(card)]
