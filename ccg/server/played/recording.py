"""A scenario as it is played: every position on the way, as the table would be told of it.

Nothing in a scenario is secret: its position is there to be read. So all hands and supply cards lie open, each as its
own player sees it, to somebody who looks on from the seat that acts most
(docs/decisions/0011-scenarios-are-shipped.md).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from functools import lru_cache

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ccg.rules import Catalog, Event, Game
from ccg.rules.core.options import Option
from ccg.rules.core.state import SeatNumber
from ccg.rules.scenario import Scenario, Watcher, run_scenario
from ccg.rules.scenario.files import Check, StoryStep
from ccg.rules.scenario.wording import sentence
from ccg.rules.telling.view import DecisionView, EventView, OptionView, View
from ccg.server.played.library import Shipped
from ccg.server.texts import own_cards
from matches.protocol.messages import Happened, Person, Table

KEPT = 48
"""Recordings that a process keeps; the largest has some 300 kilobytes."""

MATCH = "scenario"
"""What stands for the id of the match in messages of a table that belongs to none."""


ANSWERS = frozenset({"yes", "no", "choose", "keep", "redraw"})
"""Verbs of options that say little without the question."""


class Moment(Struct):
    """A position, the move that led to it, and what is expected of it, in sentences.

    The seat ``by`` was ``asked`` something, where the answer ``does`` says little without it.
    """

    table: Table
    by: SeatNumber | None = None
    does: str = ""
    asked: str = ""
    expects: list[str] = []


class Recording(Struct):
    """A scenario from its position to its end: what the client is sent."""

    name: str
    seat: SeatNumber
    """The seat that acts most, shown at the near side."""
    moments: list[Moment]


class Kept(Struct, frozen=True):
    """A recording, as it is and as it is sent; ``mark`` is another one when anything in it is."""

    recording: Recording
    body: bytes
    mark: str


@lru_cache(maxsize=KEPT)
def kept(one: Shipped) -> Kept:
    """Return the recording of ``one``; played with the project's own cards, for which it was written."""
    recording = record(one.read(), own_cards())
    body = msgspec.json.encode(recording)
    return Kept(recording, body, hashlib.sha256(body).hexdigest()[:16])


def record(scenario: Scenario, catalog: Catalog) -> Recording:
    """Play ``scenario`` and return every position; raises what :func:`ccg.rules.scenario.run_scenario` raises."""
    recorder = _Recorder(scenario)
    run_scenario(scenario, catalog, recorder)
    return Recording(scenario.name, acting(scenario), recorder.moments)


def acting(scenario: Scenario) -> SeatNumber:
    """Return the seat that does most in ``scenario``, the earlier of several; the first where nobody does anything."""
    names = [player.name for player in scenario.given.players]
    steps = Counter(
        item.player for item in scenario.story if isinstance(item, StoryStep) and item.player in names
    ).most_common(1)
    return names.index(steps[0][0]) if steps else 0


class _Recorder(Watcher):
    """Writes the moments of a scenario down as it is run."""

    def __init__(self, scenario: Scenario) -> None:
        self.moments: list[Moment] = []
        self.names = [player.name for player in scenario.given.players]
        self._told = 0
        """How many events of the next move have been told with the position already."""
        self._by: SeatNumber | None = None
        self._does = ""
        self._asked = ""
        self._decision: DecisionView | None = None
        """The decision of the newest moment, as its player sees it."""

    def begins(self, game: Game) -> None:
        self._write(game, game.engine.events)
        self._told = len(game.engine.events)

    def chooses(self, game: Game, option: Option) -> None:
        decision = self._decision
        assert decision is not None
        key = game.key(option)
        chosen = next(one for one in decision.options if one.key == key)
        self._by, self._does = decision.seat, chosen.text
        self._asked = decision.prompt if chosen.verb in ANSWERS else ""
        self._show(chosen)

    def concedes(self, game: Game, seat: SeatNumber) -> None:
        self._by, self._does, self._asked = seat, "Concede", ""

    def moved(self, game: Game, events: list[Event]) -> None:
        self._write(game, events[self._told :])
        self._told = 0

    def holds(self, check: Check) -> None:
        self.moments[-1].expects.append(sentence(check.words, self.names))

    def _show(self, chosen: OptionView) -> None:
        """Let the decision of the newest moment have the one option that will be taken: the client lights it up."""
        last = self.moments[-1]
        view = last.table.view
        assert view.decision is not None
        last.table = replace(last.table, view=replace(view, decision=replace(view.decision, options=[chosen])))

    def _write(self, game: Game, events: list[Event]) -> None:
        version = len(self.moments)
        view, self._decision = _open(game)
        told = [Happened(version=version, events=[self._seen(game, event) for event in events])]
        table = Table(
            match=MATCH,
            version=version,
            since=max(0, version - 1),
            you=None,
            people=[
                Person(seat=seat, name=name, kind="person", level=None, stand_in="")
                for seat, name in enumerate(self.names)
            ],
            view=view,
            events=told,
            over=game.result is not None,
            present=list(range(len(self.names))),
            rematch=None,
            lesson=None,
            clocks=None,
            offers=[],
            may_offer=[],
            free=[],
        )
        self.moments.append(Moment(table, self._by, self._does, self._asked))

    def _seen(self, game: Game, event: Event) -> EventView:
        """Return ``event`` as the player sees it whom it is about, who knows most of it."""
        return game.seen(event, event.player)


def _open(game: Game) -> tuple[View, DecisionView | None]:
    """Return the view of whoever looks on, in which each player's side is as that player sees it, and the decision.

    The view tells the half-made move of whoever decides, too, but nothing that can be chosen.
    """
    views = [game.view(seat) for seat in range(len(game.engine.state.players))]
    own = shown = None
    if game.deciding:
        own, others = views[game.deciding[0]].decision, game.view(None).decision
        assert own is not None
        assert others is not None
        shown = replace(own, prompt=others.prompt, options=[], proposal=[])
    players = [view.players[seat] for seat, view in enumerate(views)]
    return replace(views[0], viewer=None, players=players, decision=shown), own
