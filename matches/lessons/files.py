"""What a lesson file says, and reading it.

The story is a list of steps in order. Moves are in the words of scenarios (docs/scenarios.md), with the player called
"You" and the computer "Computer"; docs/lessons.md describes every key.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from ccg.rules.authoring import yaml_files
from ccg.rules.decoding import Decoder

FOLDER = Path(__file__).resolve().parent

LESSONS = ("first-match", "missions", "challenges", "cylons")
"""Every lesson, by the name of its file and its address, in the order in which one takes them."""

YOU, COMPUTER = "You", "Computer"
"""How the story calls the two players."""


PLACES = (
    "hand", "prompt", "gauge", "middle",
    *(f"{whose} {what}" for whose in ("your", "their") for what in ("influence", "alert", "reserve", "resources")),
)  # fmt: skip
"""Places of the table that a step can point at beside cards; the page finds them (``table/lesson/places.ts``)."""


class LessonError(ValueError):
    """A lesson file says something that is not understood; the message says which file and what."""


class SideGiven(Struct, frozen=True, forbid_unknown_fields=True):
    """What a player sits down with: a base, and a deck in the order in which it is drawn, top card first.

    Cards are named by full name or id; "3 x NAME" stands for three copies one after another.
    """

    base: str
    deck: list[str]
    label: str


class StepGiven(Struct, frozen=True, forbid_unknown_fields=True):
    """One step of the story: a move of the computer, or something said to the player with the move it leads to."""

    computer: str = ""
    """A move of the computer; such a step has nothing else."""
    say: str = ""
    """What the player reads; nothing: what was read before stays. ``*word*`` marks a word of the game."""
    explains: list[str] = []
    """The words of the game that the text explains."""
    point: list[str] = []
    """What is marked on the table: one of :data:`PLACES`, or ``card NAME``."""
    do: str = ""
    """The move that the player makes; nothing: there is only something to read."""
    quietly: str = ""
    """A move made for the player without a word, in place of ``do``."""
    instead: dict[str, str] = {}
    """Why not another move: the words of a move, or its verb alone, with the answer to it."""
    not_yet: str = ""
    """The answer to every other move."""


class Lesson(Struct, frozen=True, forbid_unknown_fields=True):
    """A lesson as its file tells it."""

    slug: str
    title: str
    about: str
    minutes: int
    seed: int
    you: SideGiven
    computer: SideGiven
    story: list[StepGiven]
    before: list[str] = []
    """Moves made before the player comes to the table, each as ``You: MOVE`` or ``Computer: MOVE``."""
    words: list[str] = []
    """The words of the game that the lesson promises to explain."""


_LESSON = Decoder(Lesson)


@cache
def lesson(slug: str) -> Lesson:
    """Read a lesson, once in each process; raises :class:`LessonError`, and KeyError for one that does not exist."""
    if slug not in LESSONS:
        raise KeyError(slug)
    path = FOLDER / f"{slug}.yaml"
    try:
        return _LESSON.from_plain({"slug": slug, **yaml_files.load(path)[0]})
    except (yaml_files.YamlError, msgspec.ValidationError) as error:
        raise LessonError(f"{path.name}: {error}") from error


def lessons() -> list[Lesson]:
    """Return all lessons in the order in which one takes them."""
    return [lesson(slug) for slug in LESSONS]


def after(slug: str) -> Lesson | None:
    """Return the lesson that comes after this one, None after the last."""
    place = LESSONS.index(slug) + 1
    return lesson(LESSONS[place]) if place < len(LESSONS) else None
