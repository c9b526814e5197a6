"""The document of the protocol names every word that views and events can have."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from ccg.rules import Catalog
from ccg.rules.core.events import EventKind
from ccg.rules.core.state import ROLES, Phase, Stage, Until
from ccg.server.guard import POLICY_VIOLATION
from matches.protocol import messages as protocol
from matches.protocol import values
from matches.sockets import consumers
from tests.rules.tables import start

DOCUMENT = (Path(__file__).resolve().parents[2] / "docs" / "protocol.md").read_text("utf-8")


def test_words_of_the_rules_are_all_told() -> None:
    assert values.PHASES.keys() == {phase.value for phase in Phase}
    assert values.STEPS_OF_CHALLENGES.keys() == {stage.value for stage in Stage}
    assert values.ROLE_MEANINGS.keys() == set(ROLES)
    assert {until.value for until in Until} <= values.UNTIL.keys()
    assert values.event_kinds().keys() == set(get_args(EventKind))
    assert all(values.event_kinds().values()), "each event has a sentence"


def test_what_is_said_of_a_challenge_and_of_places_is_so_at_every_table() -> None:
    """All take part in the effects round (CHAL-2); persistent missions lie in the resource area (ruling 23)."""
    assert "all have passed" in values.STEPS_OF_CHALLENGES["effects"]
    assert "persistent" in values.PLACES["resource"]
    assert "persistent" not in values.PLACES["alert"]


def test_close_codes_are_all_told() -> None:
    used = {consumers.FLOODED, consumers.FAULT, consumers.TOO_FAR_BEHIND, consumers.LOGGED_OUT}
    assert used | {consumers.NO_TABLE, consumers.NOT_BEGUN, POLICY_VIOLATION} <= protocol.CLOSE_CODES.keys()


@pytest.mark.parametrize("code", [*protocol.CLOSE_CODES, *protocol.REFUSALS])
def test_every_code_stands_in_the_document(code: int | str) -> None:
    assert f"| {code} | " in DOCUMENT


def words_of_games(catalog: Catalog, seeds: Iterable[int]) -> dict[str, set[str]]:
    """Play games by chance, and return the words that stand in fields which the document lists (views now and then)."""
    found: dict[str, set[str]] = defaultdict(set)
    for seed in seeds:
        rng = random.Random(seed)
        game = start(catalog, seed)
        for _ in range(400):
            if game.decision is None:
                break
            seat = game.decision.seat
            own = game.view(seat)
            gather(msgspec.to_builtins(own.decision), "decision", found)
            if rng.random() < 0.1:
                gather(msgspec.to_builtins(own), "view", found)
                gather([msgspec.to_builtins(use) for use in game.reasons(seat)], "use", found)
            assert own.decision is not None
            for event in game.choose(rng.choice(own.decision.options).key):
                gather(msgspec.to_builtins(game.seen(event, seat)), "event", found)
    return found


FIELDS = {
    ("view", "phase"): "phase", ("view", "step"): "kind", ("decision", "kind"): "kind", ("options", "verb"): "verb",
    ("challenge", "step"): "stage", ("challenge", "as_type"): "role", ("result", "reason"): "reason",
    ("event", "kind"): "event", ("event", "source"): "place", ("use", "verb"): "use", ("why", "until"): "until",
}  # fmt: skip
"""Which list of the document a field belongs to, by what it stands in; the role of a piece wherever it stands."""


def gather(thing: Any, within: str, found: dict[str, set[str]]) -> None:
    if isinstance(thing, list | tuple):
        for one in thing:
            gather(one, within, found)
    elif isinstance(thing, dict):
        for field, value in thing.items():
            if field == "role":
                found["role"].add(value)
            elif (within, field) in FIELDS and value is not None:
                found[FIELDS[within, field]].add(value)
            elif within == "event" and field == "to" and thing["kind"] not in ("phase", "strafe", "changed"):
                found["place"].add(value)
            gather(value, field, found)


LISTED = {
    "phase": values.PHASES, "kind": {*values.PROMPTS, ""}, "verb": values.option_verbs(), "role": values.ROLE_MEANINGS,
    "stage": values.STEPS_OF_CHALLENGES, "reason": values.REASONS, "event": values.event_kinds(),
    "place": values.PLACES, "use": values.USES, "until": values.UNTIL,
}  # fmt: skip


@pytest.mark.slow
def test_no_game_says_a_word_that_the_document_does_not_list(catalog: Catalog) -> None:
    found = words_of_games(catalog, range(3))
    assert found.keys() >= {"phase", "kind", "verb", "role", "stage", "event", "place", "use", "until"}
    for name, words in found.items():
        assert words <= set(LISTED[name]) | ({None} if name == "place" else set()), name
        assert all(f"| `{word}` |" in DOCUMENT for word in words if word), name


def test_a_word_that_is_not_listed_is_noticed() -> None:
    found: dict[str, set[str]] = defaultdict(set)
    gather({"decision": {"kind": "made up", "options": [{"verb": "pass"}]}}, "view", found)
    assert found == {"kind": {"made up"}, "verb": {"pass"}}
