"""A lesson played through the engine: every move of it, and at which position of the game it is made.

What a page is sent of it names options by the keys that the engine gives them, so that a page needs no rules to
tell a move of the lesson from another one.
"""

from __future__ import annotations

import logging
from functools import lru_cache
from typing import Any

from msgspec import Struct

from ccg.rules import Catalog, Game, Option, Seat
from ccg.rules.core.state import Deeds
from ccg.rules.errors import RulesError
from ccg.rules.scenario.files import ScenarioError
from ccg.rules.scenario.naming import card_named, counted
from ccg.rules.scenario.steps import Words
from matches.lessons.files import COMPUTER, LESSONS, PLACES, YOU, Lesson, StepGiven, lesson
from matches.lessons.stacking import seed_bytes, stacked

log = logging.getLogger(__name__)

LEARNER, RIVAL = 0, 1
"""Who sits where."""


class Move(Struct, frozen=True):
    """A move of a lesson: whose it is, and the key of the option."""

    seat: int
    option: str


class Step(Struct, frozen=True):
    """A step as the player's page is sent it.

    ``at`` is the number of moves that have been made when it is due. ``option`` is the move that it waits for, ""
    for a step that is only read; ``refused`` are other options with the answer to each.
    """

    at: int
    say: str
    point: list[str]
    option: str
    quiet: bool
    refused: dict[str, str]
    not_yet: str


class Script(Struct, frozen=True):
    """A lesson as it is played: its moves, the steps between them, and the number of moves made at each position.

    The first ``before`` moves are made before the player comes to the table.
    ``fault`` says why the story could not be played to its end with these cards; "" if it could. What comes after a
    fault is left out, so that the match goes on as an ordinary one.
    """

    moves: list[Move]
    steps: list[Step]
    positions: dict[str, int]
    before: int
    fault: str

    def position(self, game: Game) -> int | None:
        """Return how many moves of the lesson lead to where ``game`` stands; None if it has left the lesson."""
        return self.positions.get(mark(game))

    def rivals_move(self, game: Game) -> str | None:
        """Return the key of the computer's next move, None where the lesson has none."""
        place = self.position(game)
        if place is None or place == len(self.moves) or self.moves[place].seat != RIVAL:
            return None
        return self.moves[place].option


def mark(game: Game) -> str:
    """Return what tells the position of ``game`` from others, whatever the players are called.

    What is noted against loops is left out, as it holds checksums of positions with the names of players.
    """
    nameless = game.copy()
    nameless.engine.state.deeds = Deeds()
    for player in nameless.engine.state.players:
        player.name = ""
    return nameless.digest()


def seats(told: Lesson, catalog: Catalog, names: tuple[str, str] = (YOU, COMPUTER)) -> list[Seat]:
    """Return who sits down with what, as the engine is started; raises ScenarioError for an unknown card."""
    sides = (told.you, told.computer)
    decks = stacked([_deck(side.deck, catalog) for side in sides], seed_bytes(told.seed))
    return [
        Seat(name, card_named(catalog, side.base, base=True).id, deck)
        for name, side, deck in zip(names, sides, decks, strict=True)
    ]


def seed_of(slug: str) -> bytes:
    """Return the seed that a lesson is played with; nothing for a match that is none."""
    return seed_bytes(lesson(slug).seed) if slug in LESSONS else b""


@lru_cache(maxsize=16)
def script(slug: str, catalog: Catalog) -> Script:
    """Play a lesson through with these cards. Raises KeyError for a lesson that does not exist."""
    played = _Playing(lesson(slug), catalog)
    if played.fault:
        log.error("lesson %s cannot be played to its end: %s", slug, played.fault)
    return Script(played.moves, played.steps, played.positions, played.before, played.fault)


def position_of(slug: str, game: Game) -> int | None:
    """Return how many moves of the lesson lead to where ``game`` stands; None if it has left the lesson."""
    return script(slug, game.engine.catalog).position(game) if slug in LESSONS else None


def rivals_move(slug: str, game: Game) -> str | None:
    """Return the key of the move that the lesson has the computer make now, None where it has none."""
    return script(slug, game.engine.catalog).rivals_move(game) if slug in LESSONS else None


class _Playing:
    """A lesson while it is played through."""

    def __init__(self, told: Lesson, catalog: Catalog) -> None:
        self.moves: list[Move] = []
        self.steps: list[Step] = []
        self.positions: dict[str, int] = {}
        self.before = 0
        self.fault = ""
        self.told: StepGiven = StepGiven()
        number = 0
        try:
            self.game = Game.start(seats(told, catalog), catalog, seed_bytes(told.seed))
            self._remember()
            for line in told.before:
                who, _, words = line.partition(": ")
                seat = (YOU, COMPUTER).index(who)
                self._move(seat, self._meant(seat, words))
                self.before += 1
            for number, step in enumerate(told.story, 1):  # noqa: B007 - told when it fails
                self._play(step)
        except (ScenarioError, RulesError, ValueError) as error:
            self.fault = f"step {number}: {error}"

    def _play(self, step: StepGiven) -> None:
        if step.computer:
            self._move(RIVAL, self._meant(RIVAL, step.computer))
            return
        if step.say:
            self.told = step
        words = step.do or step.quietly
        option = self._meant(LEARNER, words) if words else None
        self.steps.append(
            Step(
                at=len(self.moves),
                say=self.told.say,
                point=[self._place(place) for place in step.point],
                option=self.game.key(option) if option is not None else "",
                quiet=bool(step.quietly),
                refused=self._refused(step, option),
                not_yet=step.not_yet,
            )
        )
        if option is not None:
            self._move(LEARNER, option)

    def _move(self, seat: int, option: Option) -> None:
        self.moves.append(Move(seat, self.game.key(option)))
        self.game.choose(option)
        self._remember()

    def _remember(self) -> None:
        self.positions.setdefault(mark(self.game), len(self.moves))

    def _meant(self, seat: int, words: str) -> Option:
        """Return the one option that ``words`` mean for the player at ``seat``; raises ScenarioError."""
        decision = self.game.decision
        reader = Words(self.game)
        found = reader.matching(words) if decision is not None and decision.seat == seat else []
        if len(found) != 1:
            who = (YOU, COMPUTER)[seat]
            raise ScenarioError(f"{who}: {words!r} means {len(found)} options; {reader.describe()}")
        return found[0]

    def _refused(self, step: StepGiven, right: Option | None) -> dict[str, str]:
        """Return the options that ``step`` has an answer for; raises ScenarioError for words that mean none."""
        decision = self.game.decision
        answers: dict[str, str] = {}
        for words, answer in step.instead.items():
            alone = [option for option in decision.options if option.verb == words] if decision else []
            found = alone or Words(self.game).matching(words)
            wrong = [option for option in found if option != right]
            if not wrong:
                raise ScenarioError(f"nobody can do {words!r} instead; {Words(self.game).describe()}")
            for option in wrong:
                answers.setdefault(self.game.key(option), answer)
        return answers

    def _place(self, place: str) -> str:
        """Return a place to be marked as pages know it: a card by its id."""
        if place in PLACES:
            return place
        if not place.startswith("card "):
            raise ScenarioError(f"there is no place called {place!r}")
        name = place.removeprefix("card ")
        found = self.game.engine.catalog.named(name)
        if len(found) != 1:
            raise ScenarioError(f"{len(found)} cards are called {name!r}")
        return f"card {found[0].id}"


def _deck(lines: list[str], catalog: Catalog) -> list[str]:
    cards: list[str] = []
    for line in lines:
        number, name = counted(line)
        cards += [card_named(catalog, name).id] * number
    return cards


def told_to_page(slug: str, catalog: Catalog) -> dict[str, Any]:
    """Return what the page of a table is sent of a lesson."""
    played = script(slug, catalog)
    steps = [
        {
            "at": step.at,
            "say": step.say,
            "point": step.point,
            "option": step.option,
            "quiet": step.quiet,
            "refused": step.refused,
            "notYet": step.not_yet,
        }
        for step in played.steps
    ]
    return {"slug": slug, "title": lesson(slug).title, "steps": steps}
