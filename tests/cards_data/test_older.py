"""Cards stored by an older release are read as what they say now."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from cards_data.catalog import CardData, decode
from cards_data.older import up_to_date
from ccg.rules.authoring.card_files import SETS, read_sets, set_folders
from ccg.rules.effects.language import read_ability

OLD = [
    (
        {"look": 2, "shown": True, "by": "target opponent", "then": "one to the bottom"},
        {"reveal top": 2, "by": "target opponent", "then": "one to the bottom"},
    ),
    ({"look": 1, "shown": False}, {"look": 1}),
    ({"x": "named"}, {"x": "named", "up to": "cards in your hand"}),
    (
        {"exchange": "target personnel you control"},
        {"exchange": "target personnel you control", "with": "personnel", "same": "power"},
    ),
    ({"convert": 2}, {"convert": "logistics", "at least": 2, "makes": 3}),
    ({"fate": "the loser is exhausted"}, {"fate": "the loser", "is": "exhausted"}),
    ({"fate": "the defender is spared"}, {"fate": "a losing defender", "is": "spared"}),
    ({"fate": "a winning challenger is defeated"}, {"fate": "a winning challenger", "is": "defeated"}),
    (
        {"gain": 2, "who": "each player with most of the highest mystic values in hand"},
        {"gain": 2, "who": "each player with the most of the highest mystic values in your hand"},
    ),
]


@pytest.mark.parametrize(("old", "new"), OLD)
def test_an_old_step_says_what_it_said(old: dict[str, Any], new: dict[str, Any]) -> None:
    card = [{"id": "TST-1", "abilities": [{"do": [{"for": "each player", "do": [old]}, {"choose one": [old, [old]]}]}]}]
    [told] = up_to_date(card)
    first, second = told["abilities"][0]["do"]
    assert (first["do"], second["choose one"]) == ([new], [new, [new]])
    read_ability({"do": [new]})


def test_what_is_said_today_stays_as_it_is() -> None:
    """All our cards, which have every word, are read back as they were stored."""
    today = CardData(1, read_sets(set_folders(SETS)))
    assert up_to_date(json.loads(today.encode())) == json.loads(today.encode())
    assert decode(1, today.encode()).sets == today.sets


def test_the_end_of_a_challenge_is_waited_for_as_it_is_made() -> None:
    """It was an occasion of its own, of the card that could be readied then (ruling 80)."""
    old = {"when": "a challenge by this ends", "may": True, "once": "each turn", "do": [{"ready": "this"}]}
    put_off = {"at": "end of challenge", "do": [{"may": True, "once": "each turn", "do": [{"ready": "this"}]}]}

    assert up_to_date(old) == {"when": "this challenges", "do": [put_off]}
    read_ability(up_to_date(old))


@pytest.mark.parametrize(
    "odd", [{"shown": True}, {"exchange": 5}, {"fate": ["a"]}, {"x": [1]}, {"convert": None}, {"when": 3}], ids=str
)
def test_what_nobody_wrote_is_left_for_the_reader_to_refuse(odd: dict[str, Any]) -> None:
    assert up_to_date(odd) == odd


@pytest.mark.parametrize("content", [b"", b"nothing", b"[" * 100_000], ids=["empty", "text", "deep"])
def test_a_damaged_data_version_is_refused_in_one_way(content: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode(1, content)
