"""Odd input, in short."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args

import pytest

from ccg.server.proving import odd_input
from matches.protocol import messages as protocol
from tests.proving import short

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.proof
@pytest.mark.parametrize("profile", ["embedded", pytest.param("full", marks=pytest.mark.full_profile)])
def test_odd_requests_and_frames_find_no_fault(profile: str) -> None:
    figures = short("fuzz", profile)["figures"]
    assert figures["request"] > 100 and figures["frame"] > 100


def test_every_name_of_a_field_and_every_message_is_tried() -> None:
    asked = re.compile(r"(?:GET|POST)(?:\.get)?[\[(]\"(\w+)\"")
    files = [path for top in ("ccg", "cards_data", "decks", "matches") for path in (ROOT / top).rglob("*.py")]
    names = {name for path in files if "proving" not in path.parts for name in asked.findall(path.read_text("utf-8"))}
    assert len(names) > 40 and not names - set(odd_input.NAMES)
    messages = {one.__struct_config__.tag for one in get_args(protocol.FromClient)}
    assert messages - {"concede"} == {one["type"] for one in odd_input.GOOD}
    for one in odd_input.GOOD:
        protocol.decode(json.dumps(one))
