"""Running a scenario: step after step, forced moves taken between them, checks asked where they stand."""

from __future__ import annotations

from msgspec import Struct, field

from ccg.rules.cards.definitions import Catalog
from ccg.rules.core.events import Event
from ccg.rules.core.options import Option
from ccg.rules.core.state import SeatNumber
from ccg.rules.errors import IllegalOption
from ccg.rules.game import Game
from ccg.rules.scenario.checks import Question, check
from ccg.rules.scenario.files import Check, Scenario, ScenarioError, StoryStep
from ccg.rules.scenario.positions import build
from ccg.rules.scenario.steps import FORCED_NEVER, Words

MAKES_NO_DIFFERENCE = ("mission_units", "which_supply")
"""Which units meet a mission's requirements; which one of the face-down cards of a stack is given up."""


class Failure(Exception):
    """The rules did something else than the scenario says; the text tells step, legal options and finding."""


class Watcher:
    """Is told of a scenario as it is run, move by move; this one makes nothing of it."""

    def begins(self, game: Game) -> None:
        """Look at the position; what happened on the way to it is in the engine's events."""

    def chooses(self, game: Game, option: Option) -> None:
        """Look at the decision and at the ``option`` that will be taken."""

    def concedes(self, game: Game, seat: SeatNumber) -> None:
        """Hear that the player at ``seat`` will leave the game."""

    def moved(self, game: Game, events: list[Event]) -> None:
        """Look at what has become of a move, and at the ``events`` on the way."""

    def holds(self, check: Check) -> None:
        """Hear that what ``check`` says is true of the game as it is."""


class Run(Struct):
    """A scenario being run: its game, what is left of its story, who looks on, and the ``events`` so far.

    ``settled`` are the questions since the last step that were answered for the players.
    """

    game: Game
    left: list[StoryStep | Check]
    watcher: Watcher
    events: list[Event] = field(default_factory=list)
    settled: list[Question] = field(default_factory=list)

    def choose(self, option: Option) -> None:
        """Let the player who decides take ``option``."""
        self.watcher.chooses(self.game, option)
        self._happened(self.game.choose(option))

    def concede(self, seat: SeatNumber) -> None:
        """Let the player at ``seat`` leave the game; raises :class:`IllegalOption` if that cannot be."""
        self.watcher.concedes(self.game, seat)
        self._happened(self.game.concede(seat))

    def _happened(self, events: list[Event]) -> None:
        self.events += events
        self.watcher.moved(self.game, events)


def run_scenario(scenario: Scenario, catalog: Catalog, watcher: Watcher | None = None) -> Game:
    """Run ``scenario``, with a ``watcher`` if one is given, and return the game as it ended.

    Raises :class:`Failure` if a step is not legal or a check not true, :class:`ScenarioError` if the
    file says something that is not understood.
    """
    run = Run(build(scenario.given, catalog), list(scenario.story), watcher or Watcher())
    run.watcher.begins(run.game)
    place = 0
    while run.left:
        _take_forced(run)
        item = run.left.pop(0)
        place += 1
        where = f"line {place} of the story, {item.words!r}"
        try:
            if isinstance(item, StoryStep):
                run.settled.clear()
                _do(run, item)
            else:
                holds, found = check(run.game, item.words, [*run.events, *run.game.engine.events], run.settled)
                if not holds:
                    raise Failure(f"found {found}; {Words(run.game).describe()}")
                run.watcher.holds(item)
        except Failure as failure:
            raise Failure(f"{where}: {failure}") from None
        except ScenarioError as error:
            raise ScenarioError(f"{where}: {error}") from None
    # However a story ends, all must be able to see how.
    for viewer in (None, *range(len(run.game.engine.state.players))):
        run.game.view(viewer)
    return run.game


def _do(run: Run, step: StoryStep) -> None:
    game = run.game
    names = [player.name for player in game.engine.state.players]
    if step.player == "all":
        _all_pass(run, step)
        return
    if step.player not in names:
        raise ScenarioError(f"there is no player called {step.player!r}")
    seat = names.index(step.player)
    if step.words == "concede":
        try:
            run.concede(seat)
        except IllegalOption as refused:
            raise Failure(str(refused)) from None
        return
    words = Words(game)
    matching = words.matching(step.words)
    decision = game.decision
    if decision is None or decision.seat != seat:
        raise Failure(f"{step.player} is not the one to decide; {words.describe()}")
    if len(matching) != 1:
        wrong = "is not legal" if not matching else "could mean several options"
        raise Failure(f"{step.player}: {step.words} {wrong}; {words.describe()}")
    run.choose(matching[0])


def _all_pass(run: Run, step: StoryStep) -> None:
    """Let everybody pass, the player who decides first, once each: that ends a round of passes."""
    if step.words != "pass":
        raise ScenarioError(f"all players can only pass, not {step.words!r}")
    game = run.game
    kind = game.decision.kind if game.decision is not None else ""
    for _ in game.engine.seats():
        decision = game.decision
        if decision is None or decision.kind != kind:
            return
        words = Words(game)
        passing = words.matching("pass")
        if not passing:
            raise Failure(f"pass is not legal; {words.describe()}")
        run.choose(passing[0])


def _take_forced(run: Run) -> None:
    """Take what leaves no choice, unless the next step names it.

    Questions whose answer a scenario need not care about are settled in the same way.
    """
    following = next((item for item in run.left if isinstance(item, StoryStep)), None)
    for _ in range(1000):
        decision = run.game.decision
        if decision is None:
            return
        words = Words(run.game)
        distinct = words.distinct()
        free = decision.kind in MAKES_NO_DIFFERENCE
        if (len(distinct) != 1 and not free) or distinct[0].verb in FORCED_NEVER:
            return
        if following is not None and _names_it(following, run.game, words):
            return
        run.settled.append((decision.seat, decision.kind))
        run.choose(distinct[0])
    raise Failure("forced moves do not end")


def _names_it(step: StoryStep, game: Game, words: Words) -> bool:
    decision = game.decision
    assert decision is not None
    if step.words == "concede":  # is no option, and comes after what is forced
        return False
    return step.player == game.engine.player(decision.seat).name and bool(words.matching(step.words))
