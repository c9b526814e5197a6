"""Events in their two forms: what everybody may know, and what only some may."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import msgspec
import pytest

import ccg.rules
from ccg.rules import Catalog, Game
from ccg.rules.core.events import EVERYBODY, Event, EventKind, only
from ccg.rules.soak import hidden
from ccg.rules.telling import sentences, templates
from ccg.rules.telling.templates import EVENTS
from ccg.rules.telling.wording import plain
from tests.rules.tables import keys, position, start


def told(game: Game, rng: random.Random) -> list[Event]:
    return game.choose(game.key(rng.choice(game.decision.options))) if game.decision is not None else []


@pytest.mark.parametrize("players", [2, 3, 8])
def test_every_event_can_be_told_to_everybody(catalog: Catalog, players: int) -> None:
    game, rng = start(catalog, "told", players), random.Random(players)
    while game.decision is not None and game.engine.state.turn < 12:
        for event in told(game, rng):
            for viewer in (None, *range(players)):
                said = game.seen(event, viewer)

                assert said.text
                assert "{" not in said.text
                assert said.card is None or said.card in catalog
                assert msgspec.json.decode(msgspec.json.encode(said), type=type(said)) == said


@pytest.mark.parametrize("players", [2, 4])
def test_what_goes_from_one_hidden_place_to_another_is_told_to_its_owner_only(catalog: Catalog, players: int) -> None:
    game, rng, hidden = start(catalog, "hidden", players), random.Random(players), 0
    while game.decision is not None and game.engine.state.turn < 12:
        for event in told(game, rng):
            if event.known_to == EVERYBODY or event.player is None:
                continue
            hidden += 1
            mine, theirs = game.seen(event, event.player), game.seen(event, (event.player + 1) % players)

            assert event.known_to == only(event.player)
            assert mine.card is not None
            assert mine.card in mine.text
            assert theirs.card is None
            assert "a card" in theirs.text
            assert theirs == game.seen(event, None)

    assert hidden > 20


def test_a_draw_is_told_in_two_forms(catalog: Catalog) -> None:
    game = position(catalog, {"deck": ["Raptor 101", "Raptor 168"]}, {}, phase="execution")
    events: list[Event] = []
    while game.engine.state.phase != "ready":
        events = game.choose("pass")
    draws = [event for event in events if event.kind == "draw" and event.player == 0]

    assert [game.seen(event, 0).text for event in draws] == [
        "[[seat:0|Ana]] draws [[card:BSG1-163|Raptor 101]].",
        "[[seat:0|Ana]] draws [[card:BSG2-158|Raptor 168]].",
    ]
    assert {game.seen(event, viewer).text for event in draws for viewer in (None, 1)} == {
        "[[seat:0|Ana]] draws a card."
    }


def test_a_supply_card_is_told_in_two_forms(catalog: Catalog) -> None:
    game = position(catalog, {"hand": ["Raptor 101"]}, {}, phase="ready", first="Ana")
    event = game.choose(next(key for key in keys(game) if key.startswith("supply BSG1-163")))[0]

    assert game.seen(event, 0).card == "BSG1-163"
    assert game.seen(event, 1).card is None
    assert "Raptor 101" not in game.seen(event, None).text


def test_every_sentence_of_the_log_is_one() -> None:
    assert all(text.endswith((".", "!")) for text in EVENTS.values())


@pytest.mark.parametrize(("number", "told"), [(2, "gets +2 power."), (-2, "gets −2 power.")])
def test_what_is_taken_off_is_told_with_a_minus_as_on_cards(catalog: Catalog, number: int, told: str) -> None:
    game = position(catalog, {"alert": ["Raptor 101"]}, {}, phase="execution")
    card = game.engine.player(0).alert[0].cards[0]
    event = Event("changed", number=number, card=card, to="power")
    assert sentences.sentence(game.engine, event, None).endswith(told)


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("challenge", "cannot challenge."),
        ("be targeted", "cannot be targeted by effects."),
        ("be targeted by power", "cannot be targeted by effects that change its power."),
    ],
)
def test_what_cannot_be_done_is_told_in_the_words_of_cards(catalog: Catalog, word: str, told: str) -> None:
    game = position(catalog, {"alert": ["Raptor 101"]}, {}, phase="execution")
    card = game.engine.player(0).alert[0].cards[0]
    event = Event("changed", card=card, to=f"cannot {word}")
    assert plain(sentences.sentence(game.engine, event, None)).endswith(told)


def test_names_cannot_be_read_as_marks(catalog: Catalog) -> None:
    game = position(catalog, {"name": "[[card:BSG1-001|x]]"}, {"name": "a|b]]"})
    events = game.concede(0)
    text = " ".join(game.seen(event, None).text for event in events)

    assert "[[card:BSG1-001|" not in text
    assert "a|b]]]]" not in text
    hidden.events_keep_secrets(game, events)


# ---------------------------------------------------------------- everything that the rules say has a sentence

RULES = Path(ccg.rules.__file__).parent


def said(method: str, place: int) -> Iterator[tuple[str, str]]:
    """Yield the words that the rules give to a method of the engine, each with the module where it does."""
    for path in sorted(RULES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == method:
                for part in ast.walk(node.args[place]) if len(node.args) > place else ():
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        yield part.value, path.relative_to(RULES).as_posix()


@pytest.mark.parametrize(
    ("method", "place", "table"), [("emit", 0, "EVENTS"), ("emit_about", 0, "EVENTS"), ("ask", 1, "PROMPTS")]
)
def test_what_happens_and_what_is_asked_has_a_sentence(method: str, place: int, table: str) -> None:
    found = list(said(method, place))
    told = {key.partition(" ")[0] if key.startswith("phase ") else key for key in getattr(templates, table)}
    silent = [f"{module} says {word!r}" for word, module in found if word not in told]

    assert len(found) > 10
    assert not silent, f"telling/templates.py has no sentence in {table}: {', '.join(silent)}"


def test_every_kind_of_event_is_told_and_nothing_else() -> None:
    told = {key.partition(" ")[0] if key.startswith(("changed ", "phase ")) else key for key in EVENTS}
    assert told - {"challenge threat", "totals tie", "wins tie"} == set(get_args(EventKind))
