"""Trying out new cards: random games about them, so that whoever imports a set hears what breaks.

Nothing about the cards is taken for granted: a game that breaks is reported, one that does not end is cut
off, and the next one begins.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence

from msgspec import Struct, field, structs

from ccg.rules.cards.definitions import Catalog
from ccg.rules.core.events import Event
from ccg.rules.core.state import definition_of
from ccg.rules.game import Game
from ccg.rules.record import Seat
from ccg.rules.soak import checks, hidden
from ccg.rules.soak.dealing import NAMES
from ccg.rules.soak.focus import seat
from ccg.rules.soak.playing import random_move, what_broke
from ccg.rules.soak.uses import Watch

MOST_CHOICES = 1_500
"""Choices after which a game is cut off; an ordinary one has a tenth of them."""
PATIENCE = 500
"""Choices after which players begin to give up; such a game counts as one that has not ended."""
SLOW = 5_000
"""Work for one decision (:data:`ccg.rules.core.work.WORK_LIMIT`) from which on a game counts as slow: a tenth of what
is refused, and ten times what games with our own cards need."""
MOST_SECONDS = 20.0
"""Seconds after which a game is cut off, whatever it is doing so slowly."""

KEEPING_EVERY, SECRETS_EVERY = 10, 40
"""At every how many-eth choice a game is saved and loaded, and (a multiple) looked at with what is hidden shuffled."""
CARDS, MOST_CARDS = 2, 6
"""New cards that one game is about: as many as there have to be for each to be seen often, if there are few games."""
SEEN = 20
"""Games in which each new card is to be seen."""
GAMES = 60
"""Games that are played at least, if nobody says otherwise."""
MOST_TOLD = 50
"""Crashes that a report tells at length; of the rest it only counts the games."""


def cards_in_a_game(cards: int) -> int:
    """Return how many of so many new cards one game is about."""
    return min(MOST_CARDS, cards, max(CARDS, -(-SEEN * cards // GAMES)))


def games_needed(cards: int) -> int:
    """Return after how many games each of so many new cards has been seen often enough."""
    return max(GAMES, -(-SEEN * cards // cards_in_a_game(cards))) if cards else 0


class Crash(Struct):
    """A game that broke: ``what`` is short and the same for the same fault, ``cards`` are those it was about just then.

    ``seed``, ``number`` and ``choices`` say which game and where in it.
    """

    seed: int
    number: int
    players: int
    choices: int
    what: str
    message: str
    cards: list[str]


class TrialReport(Struct):
    """What came of some games about new cards; reports of several slices of a trial are put together by :meth:`merge`.

    ``endless`` counts the games cut off, ``unfinished`` those in which the players had to give up; ``oddities`` are
    games in which a player went round in a loop ("loop"), abilities did ("chain") or a decision took much work
    ("slow"). ``uses`` says how often each of the cards was played or did something, ``unused`` which of their abilities
    never were (as card and ability), ``never_played`` which cards.
    """

    games: int = 0
    choices: int = 0
    broken: int = 0
    endless: int = 0
    crashes: list[Crash] = field(default_factory=list)
    unfinished: int = 0
    oddities: list[Crash] = field(default_factory=list)
    uses: dict[str, int] = field(default_factory=dict)
    never_played: list[str] = field(default_factory=list)
    unused: list[tuple[str, str]] = field(default_factory=list)

    def merge(self, other: TrialReport) -> TrialReport:
        """Return the report on the games of both, which must be about the same cards (one of no games adds nothing)."""
        if not self.games or not other.games:
            return self if self.games else other
        uses = {card: count + other.uses.get(card, 0) for card, count in self.uses.items()}
        return TrialReport(
            self.games + other.games,
            self.choices + other.choices,
            self.broken + other.broken,
            self.endless + other.endless,
            [*self.crashes, *other.crashes][:MOST_TOLD],
            self.unfinished + other.unfinished,
            [*self.oddities, *other.oddities][:MOST_TOLD],
            uses,
            [card for card in self.never_played if card in set(other.never_played)],
            [ability for ability in self.unused if ability in set(other.unused)],
        )


def trial(catalog: Catalog, cards: Sequence[str], games: int, seed: int, start: int = 0) -> Iterator[TrialReport]:
    """Play ``games`` games of 2 to 4 players about ``cards`` (ids of ``catalog``); yield the report after each.

    The games are those numbered from ``start`` on, so that a trial can be played in slices; each depends on
    ``seed`` and its number only. Whatever the cards do, nothing is raised: it is in the report.
    """
    report = TrialReport(uses=dict.fromkeys(cards, 0), never_played=list(cards))
    try:
        watch = Watch(catalog)
    except Exception as error:  # cards that cannot even be compiled
        report.games, report.broken = games, games
        report.crashes = [Crash(seed, start, 0, 0, what_broke(error), _said(error), [])]
        yield report
        return
    for number in range(start, start + games):
        _play(watch, cards, seed, number, report)
        _count(watch, report)
        yield structs.replace(report, crashes=list(report.crashes), oddities=list(report.oddities))


def _play(watch: Watch, cards: Sequence[str], seed: int, number: int, report: TrialReport) -> None:
    """Play one game and add what came of it to ``report``."""
    rng = random.Random(f"trial/{seed}/{number}")
    players = 2 + number % 3
    report.games += 1
    game: Game | None = None
    choices, odd = 0, dict[str, Crash]()
    try:
        about = _about(cards, seed, number)
        seats = [seat(NAMES[place], about, watch.catalog, rng) for place in range(players)]
        game = _begin(watch, seats, f"trial/{seed}/{number}".encode())
        brought = checks.brought_by(game)
        focus = frozenset(watch.catalog.index[card] for card in about)
        until = time.monotonic() + MOST_SECONDS
        while game.decision is not None:
            if choices >= MOST_CHOICES or time.monotonic() > until:
                report.endless += 1
                return
            move = random_move(game, rng, choices >= PATIENCE, focus)
            choices += 1
            report.choices += 1
            watch.before(game, move)
            events = game.move(move)
            for what, message, named in _odd(game, events):
                odd.setdefault(what, Crash(seed, number, players, choices, what, message, named or about))
            watch.after(game, events)
            _look(game, brought, choices)
        report.unfinished += choices >= PATIENCE
    except Exception as error:  # whatever it is: the report is for whoever wrote the cards
        report.broken += 1
        if len(report.crashes) < MOST_TOLD:
            involved = _involved(game, cards)
            report.crashes.append(Crash(seed, number, players, choices, what_broke(error), _said(error), involved))

    finally:
        report.oddities += list(odd.values())[: MOST_TOLD - len(report.oddities)]


def _odd(game: Game, events: list[Event]) -> Iterator[tuple[str, str, list[str]]]:
    """Yield what is no fault and yet nothing that a card should do: its short name, a sentence, the cards' ids."""
    engine = game.engine
    if any(event.kind == "loop" for event in events):
        yield "loop", "A player went round in a loop, which the rules ended (ruling 92).", []
    if any(event.kind == "chain" for event in events):
        yield (
            "chain",
            "Abilities set each other off and asked each time, which the rules ended (ruling 92).",
            [],
        )
    if engine.work > SLOW:
        named = [engine.catalog.ids[card] for card in engine.busiest()]
        yield "slow", f"One decision took {engine.work:,} questions to the texts in play; {SLOW:,} are much.", named


def _about(cards: Sequence[str], seed: int, number: int) -> list[str]:
    """Return the cards that game ``number`` is about: a handful, going round all of them."""
    order = random.Random(f"order/{seed}").sample(list(cards), len(cards))
    many = cards_in_a_game(len(order))
    return [order[(number * many + place) % len(order)] for place in range(many)]


def _begin(watch: Watch, seats: list[Seat], seed: bytes) -> Game:
    game = Game.start(seats, watch.catalog, seed)
    game.engine.events.clear()
    watch.begin(game)
    return game


def _look(game: Game, brought: checks.Count, choices: int) -> None:
    checks.cards_are_conserved(game, brought)
    checks.somebody_can_choose(game)
    if choices % KEEPING_EVERY == 0:
        data = game.save()
        checks.keeping_is_lossless(game, data)
        if choices % SECRETS_EVERY == 0:
            seen = {viewer: game.view(viewer) for viewer in hidden.viewers(game)}
            hidden.stays_hidden(game, seen, data)


def _count(watch: Watch, report: TrialReport) -> None:
    """Bring the uses in ``report`` up to what the watch has counted."""
    used = dict.fromkeys(report.uses, 0)
    unused: dict[tuple[str, str], bool] = {}
    for row, count in watch.table():
        if row.card in used and not row.branch:
            used[row.card] += count
            if row.ability != "card":
                ability = (row.card, row.ability)
                unused[ability] = unused.get(ability, True) and not count
    report.uses = used
    report.never_played = [card for card, count in used.items() if not count]
    report.unused = [ability for ability, never in unused.items() if never]


def _involved(game: Game | None, cards: Sequence[str]) -> list[str]:
    """Return the new cards that the agenda speaks of, or if there are none, those in play."""
    if game is None:
        return []
    engine, new = game.engine, set(cards)
    on_agenda = [
        context.card for frame in engine.state.agenda if (context := getattr(frame, "context", None)) is not None
    ]
    in_play = [card for piece in engine.pieces() for card in piece.cards]
    for found in (reversed(on_agenda), in_play):
        ids = dict.fromkeys(engine.catalog.ids[definition_of(card)] for card in found)
        if named := [card for card in ids if card in new]:
            return named[:10]
    return []


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:400]
