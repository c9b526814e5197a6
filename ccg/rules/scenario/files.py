"""What a scenario file may say, and reading it. What is not understood is an error of the file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from ccg.rules.authoring import yaml_files
from ccg.rules.decoding import Decoder

USUAL: dict[str, str] = yaml_files.load(Path(__file__).with_name("usual.yaml"))[0]
"""What a player has who says nothing of it: a ``base``, and the card that ``fill`` decks and stacks."""


LIBRARY = Path(__file__).resolve().parents[2] / "scenarios"
"""The folder of the project's own scenarios, shipped as the card sets are: what tests run and the site plays."""


class ScenarioError(ValueError):
    """The file says something that is not understood; the rules were not put to the test."""


class LinkGiven(Struct, forbid_unknown_fields=True):
    """A linked mission that belongs to somebody else than the unit's controller."""

    card: str
    owner: str


class PieceGiven(Struct, forbid_unknown_fields=True):
    """A card in play with more to say than its name."""

    card: str = ""
    stack: list[str] = []
    exhausted: bool = False
    linked: list[str | LinkGiven] = []
    supplies: int | list[str] = 0
    owner: str = ""


class PlayerGiven(Struct, forbid_unknown_fields=True):
    """One player's side of the position; everything but the name has a default."""

    name: str
    base: str = USUAL["base"]
    base_exhausted: bool = False
    influence: int | None = None
    hand: list[str] = []
    deck: list[str] = []
    fill: str = USUAL["fill"]
    discard: list[str] = []
    removed: list[str] = []
    alert: list[str | PieceGiven] = []
    reserve: list[str | PieceGiven] = []
    assets: list[str | PieceGiven] = []
    base_supplies: int | list[str] = 0
    persistent: list[str | PieceGiven] = []


class Given(Struct, forbid_unknown_fields=True):
    """The position; see docs/scenarios.md for each phase."""

    players: list[PlayerGiven]
    phase: Literal["setup", "ready", "execution", "cylon"] = "execution"
    turn: int = 1
    first: str = ""
    seed: int = 0
    shuffled: bool = False
    used: list[str] = []


class StoryStep(Struct, frozen=True):
    """``PLAYER: VERB ...``; ``player`` may be "all"."""

    player: str
    words: str


class Check(Struct, frozen=True):
    """One line that must be true."""

    words: str


class Scenario(Struct):
    """A scenario as read: where from, what it shows, and its ``story`` of steps and checks in order."""

    path: Path
    name: str
    rules: list[str]
    given: Given
    story: list[StoryStep | Check]
    cards: list[str] = []


class _File(Struct, forbid_unknown_fields=True):
    scenario: str
    given: Given
    when: list[dict[str, Any]] = []
    then: list[Any] = []
    rules: list[str] = []
    cards: list[str] = []


_FILE = Decoder(_File)


def find_files(paths: Iterable[Path]) -> list[Path]:
    """Return every scenario file in ``paths`` (files, or folders searched to their depths), in order.

    Of the folder of a card set those in its folder ``scenarios`` are meant.
    """
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            folder = path / "scenarios" if (path / "set.yaml").is_file() else path
            found += sorted(folder.rglob("*.yaml"))
        elif path.exists():
            found.append(path)
        else:
            raise ScenarioError(f"{path}: there is no such file or folder")
    return found


def read_scenarios(path: Path) -> Iterator[Scenario]:
    """Read the scenarios of one file; raises :class:`ScenarioError` naming the file and the place."""
    for found in read_each(path):
        if isinstance(found, ScenarioError):
            raise found
        yield found


def read_each(path: Path) -> Iterator[Scenario | ScenarioError]:
    """Read the scenarios of one file; one that is not understood is an error in its place, and the next follow."""
    try:
        documents = yaml_files.load_all(path)
    except yaml_files.YamlError as error:
        yield ScenarioError(f"{path}: {error}")
        return
    for document in documents:
        try:
            yield _scenario(path, document)
        except ScenarioError as error:
            yield error


def _scenario(path: Path, document: Any) -> Scenario:
    try:
        written = _FILE.from_plain(document)
    except msgspec.ValidationError as error:
        name = document.get("scenario") if isinstance(document, dict) else None
        called = f"{name}: " if isinstance(name, str) else ""
        raise ScenarioError(f"{path}: {called}{error}") from error
    story: list[StoryStep | Check] = []
    for item in written.when:
        story += _step(path, item)
    story += [_check(path, line) for line in written.then]
    return Scenario(path, written.scenario, written.rules, written.given, story, written.cards)


def _step(path: Path, item: dict[str, Any]) -> list[StoryStep | Check]:
    if len(item) != 1:
        raise ScenarioError(f"{path}: a step is one 'PLAYER: VERB ...', not {item!r}")
    player, words = next(iter(item.items()))
    if player == "then":
        if not isinstance(words, list):
            raise ScenarioError(f"{path}: 'then' holds a list of checks, not {words!r}")
        return [_check(path, line) for line in words]
    if isinstance(words, bool):  # an unquoted yes or no is a boolean to YAML
        words = "yes" if words else "no"
    if not isinstance(words, str):
        raise ScenarioError(f"{path}: the step {item!r} is no text; put it in quotes")
    return [StoryStep(str(player), words.strip())]


def _check(path: Path, line: Any) -> Check:
    if not isinstance(line, str):
        raise ScenarioError(f"{path}: the check {line!r} is no text; put it in quotes")
    return Check(" ".join(line.split()))
