"""Random games with all checks after every choice, and what is told of one that breaks."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct, field

from ccg.rules import saving
from ccg.rules.cards.definitions import Catalog
from ccg.rules.core.events import Event
from ccg.rules.decoding import Decoder
from ccg.rules.game import BACK, CONCEDE, Game
from ccg.rules.record import Record, Seat
from ccg.rules.soak import checks, dealing, hidden
from ccg.rules.soak.broken import Broken
from ccg.rules.soak.focus import focus_of, weights
from ccg.rules.soak.leaving import check_leaving
from ccg.rules.soak.loops import Stood
from ccg.rules.soak.uses import Watch
from ccg.rules.telling.view import View

PATIENCE = 1_500
"""Choices after which players begin to give up: some nonsense decks can neither win nor lose."""

MOST_CHOICES = 6_000
"""A game that goes on beyond this runs for ever."""

MIXED = "mixed"
MIXTURE = (
    "focused", "legal", "focused", "equal", "focused", "nonsense", "focused", "equal", "focused", "starter",
)  # fmt: skip
"""The kinds of deck that games of a mixed run have in turn."""

LEAVING = 9
"""In one game of so many everybody concedes at every decision, in copies (no divisor in common with the mixture)."""
MOST_BEGUN, MOST_AFTER = 3, 3
"""Moves that are made in a copy to come into a half-made move before somebody concedes, and after it."""

READ_BACK = 20
"""After so many moves a game that is played lightly is read from what was saved."""

TAKE_BACK, GIVE_UP, WEARY = 0.1, 0.0005, 0.05
"""How often a half-made move is taken back, a player concedes, and does so once patience has run out."""


class Plan(Struct, frozen=True):
    """A game to be soaked: its ``number`` in a run with this ``seed``, for so many players with such decks.

    Focused games are about cards of the whole pool in turn, or about what ``about`` names
    after each other: a card, or several joined by "+" that are to meet. In one game of ``leaving`` (0: in none)
    every player concedes, in copies, at every decision. What is played ``lightly`` is not checked, only told and kept
    as a server does: forty times as many games in the same time, for what is rare.
    """

    seed: int
    number: int
    players: int
    decks: str
    about: tuple[str, ...] = ()
    leaving: int = LEAVING
    lightly: bool = False

    @property
    def everybody_leaves(self) -> bool:
        """Whether this is a game in which every player concedes at every decision."""
        return not self.lightly and bool(self.leaving) and self.number % self.leaving == self.leaving - 1

    @property
    def kind(self) -> str:
        """What kind of decks it is played with: ``decks``, or for "mixed" the kind whose turn it is."""
        return MIXTURE[self.number % len(MIXTURE)] if self.decks == MIXED else self.decks

    def focus(self, catalog: Catalog) -> list[str]:
        """Return the cards that the game is about, if it is one with focused decks."""
        if self.kind != "focused":
            return []
        if self.about:
            return self.about[self.number % len(self.about)].split("+")
        if self.decks != MIXED:
            return focus_of(catalog, self.seed, self.number)
        laps, place = divmod(self.number, len(MIXTURE))
        number = laps * MIXTURE.count("focused") + MIXTURE[:place].count("focused")
        return focus_of(catalog, self.seed, number)

    def seats(self, catalog: Catalog) -> list[Seat]:
        """Return who sits down with what."""
        return dealing.seats(self.kind, self.players, catalog, self.rng("decks"), self.focus(catalog))

    def rng(self, use: str) -> random.Random:
        """Return a stream of chance for one ``use``."""
        return random.Random(f"{use}/{self.seed}/{self.number}/{self.players}/{self.decks}")

    @property
    def game_seed(self) -> bytes:
        """The seed of the game itself."""
        return f"soak/{self.seed}/{self.number}/{self.players}/{self.decks}".encode()


class Story(Struct):
    """A game as it was played: enough to play it again. ``broken`` is the check that failed, if any."""

    seed: bytes
    seats: list[Seat]
    moves: list[str] = field(default_factory=list)
    turns: int = 0
    kinds: dict[str, int] = field(default_factory=dict)
    broken: str = ""
    message: str = ""

    def to_json(self) -> bytes:
        """Return it as text that :meth:`from_json` reads."""
        return msgspec.json.format(msgspec.json.encode(self))

    @classmethod
    def from_json(cls, data: bytes) -> Story:
        """Read what :meth:`to_json` gave; raises msgspec.ValidationError."""
        return _STORY.from_json(data)


_STORY = Decoder(Story)


def soak(plan: Plan, catalog: Catalog, watch: Watch | None = None) -> Story:
    """Play one random game with every check; what breaks is told in the story, never raised.

    A ``watch``, if there is one, counts what the cards do; the game is then played with its catalogue.
    """
    if watch is not None:
        catalog = watch.catalog
    story = Story(plan.game_seed, plan.seats(catalog))
    rng, leaving = plan.rng("moves"), plan.rng("leaving")
    focus = frozenset(catalog.index[card] for card in plan.focus(catalog))
    aside: list[str] = []
    """What has been tried in a copy since the last move; a failure there ends with these moves."""
    try:
        game = Game.start(story.seats, catalog, story.seed)
        if plan.lightly:
            _play_lightly(game, story, rng, focus)
            return story
        table = Table(game, watch)
        table.look()
        while game.decision is not None:
            table.move(_next_move(game, story, rng, focus))
            if len(game.decision.options if game.decision else ()) > 1:
                table.try_aside(random_move(game, rng), aside)
            if plan.everybody_leaves:
                table.try_leaving(leaving, aside)
        story.turns = game.engine.state.turn
        replayed(story, game, catalog)
    except Exception as error:  # the story is for whoever mends it, whatever it was
        story.moves += aside
        story.broken, story.message = what_broke(error), f"{type(error).__name__}: {error}"
    return story


def _next_move(game: Game, story: Story, rng: random.Random, focus: frozenset[int]) -> str:
    """Return a random move, and note it in ``story``; raises :class:`Broken` where there is no end."""
    if len(story.moves) >= MOST_CHOICES:
        raise Broken("endless", f"no end after {MOST_CHOICES} choices, in turn {game.engine.state.turn}")
    assert game.decision is not None
    move = random_move(game, rng, len(story.moves) >= PATIENCE, focus)
    story.kinds[game.decision.kind] = story.kinds.get(game.decision.kind, 0) + 1
    story.moves.append(move)
    return move


def _play_lightly(game: Game, story: Story, rng: random.Random, focus: frozenset[int]) -> None:
    """Play to the end as a server does: what happened and the table as it is are told to all, and the game is saved."""
    everybody = hidden.viewers(game)
    while game.decision is not None:
        move = _next_move(game, story, rng, focus)
        deciding = game.decision.seat
        game = game.trial()
        events = game.move(move)
        for viewer in everybody:
            game.view(viewer)
            for event in events:
                game.seen(event, viewer)
        game.reasons(deciding)
        saved = game.save()
        if len(story.moves) % READ_BACK == 0:
            game = Game.load(saved, game.engine.catalog)
    story.turns = game.engine.state.turn


class Table:
    """A game that is looked at all over before and after each move."""

    def __init__(self, game: Game, watch: Watch | None = None) -> None:
        self.game = game
        self.watch = watch
        if watch is not None:
            watch.begin(game)
        game.engine.events.clear()  # those of the setup: a saved game knows nothing of them
        self.brought = checks.brought_by(game)
        self.copied: Game | None = None
        """The game as it was when it was last looked at, in which the next move is made again."""
        self.clean: Mapping[hidden.Viewer, View] = {}
        """What everybody saw when no move was half made."""
        self.settled = b""
        """The game saved as it was then."""
        self.stood = Stood()
        self.stood.look(game)

    def look(self) -> bytes:
        """Make all checks on the game as it stands; return it saved."""
        data, seen, self.copied = checks.all_checks(self.game, self.brought)
        decision = self.game.decision
        if decision is None or not decision.can_take_back or not self.clean:
            self.clean = seen
        if decision is None or not decision.can_take_back:
            self.settled = data
        hidden.half_made_is_hidden(self.game, self.clean, seen)
        return data

    def move(self, move: str) -> None:
        """Make a move in the game, look, make it in the copy made before, and compare."""
        before = self.copied if self.copied is not None else self.game.copy()
        if self.watch is not None:
            self.watch.before(self.game, move)
        events = moved(self.game, move)
        if self.watch is not None:
            self.watch.after(self.game, events)
        hidden.events_keep_secrets(self.game, events)
        if move.startswith(CONCEDE):  # somebody has left while another's move was half made: all see that
            self.clean = {}
        self.stood.look(self.game)
        settled, after = self.settled, self.look()
        checks.same_again(before, move, events, after)
        if move == BACK and settled:
            checks.taken_back_whole(settled, after, events)

    def follow(self, move: str) -> None:
        """Make a move in the game without looking at it, so that what is counted over a whole phase stays true."""
        self.game.move(move)
        self.stood.look(self.game)

    def try_aside(self, move: str, made: list[str]) -> Game:
        """Make a move in a copy only, with the quick checks: random play sees just one way of many.

        The moves ``made`` aside are this one, until it has turned out well.
        """
        made.append(move)
        aside = self.game.copy()
        self._quickly(aside, move)
        made.clear()
        return aside

    def try_leaving(self, rng: random.Random, made: list[str]) -> None:
        """Let each player in turn concede in a copy; then the same in a half-made move, if one is come upon there."""
        if self.game.decision is None:
            return
        begun: list[str] = []
        self._all_leave(self.game, begun, rng, made)
        middle = self.game.copy()
        for _ in range(rng.randint(1, MOST_BEGUN)):
            if middle.decision is None:
                break
            begun.append(random_move(middle, rng))
            made[:] = begun
            self._quickly(middle, begun[-1])
        if middle.decision is not None and middle.decision.can_take_back:
            self._all_leave(middle, begun, rng, made)
        made.clear()

    def _all_leave(self, game: Game, begun: Sequence[str], rng: random.Random, made: list[str]) -> None:
        """Let each player concede in a copy of ``game``; after one of the concessions some more moves are made."""
        seats = game.engine.seats()
        followed = rng.choice(seats)
        for seat in seats:
            aside = game.copy()
            made[:] = [*begun, f"{CONCEDE} {seat}"]
            self._quickly(aside, made[-1])
            if seat == followed:
                self._go_on(aside, rng, made)

    def _go_on(self, aside: Game, rng: random.Random, made: list[str]) -> None:
        for _ in range(MOST_AFTER):
            if aside.decision is None:
                break
            made.append(random_move(aside, rng, weary=True))
            self._quickly(aside, made[-1])
        checks.all_checks(aside, self.brought)

    def _quickly(self, aside: Game, move: str) -> None:
        """Make a move in a copy with the quick checks."""
        moved(aside, move)
        checks.cards_are_conserved(aside, self.brought)
        checks.pieces_are_in_order(aside)
        checks.somebody_can_choose(aside)
        checks.half_made_moves_are_asked_about(aside)


def moved(game: Game, move: str) -> list[Event]:
    """Make a move, with every check on a concession if it is one; return the events."""
    before = game.copy() if move.startswith(CONCEDE) else None
    events = game.move(move)
    if before is not None:
        check_leaving(before, int(move.removeprefix(CONCEDE)), events, game)
    return events


def random_move(game: Game, rng: random.Random, weary: bool = False, focus: frozenset[int] = frozenset()) -> str:
    """Return any move that is legal now, as a record writes it: mostly an option.

    Each is as likely as the others, unless there are cards in ``focus`` that the players want to see used.
    """
    decision = game.decision
    assert decision is not None
    if rng.random() < (WEARY if weary else GIVE_UP):
        return f"{CONCEDE} {rng.choice(game.engine.seats())}"
    if decision.can_take_back and rng.random() < TAKE_BACK:
        return BACK
    if focus:
        return game.key(rng.choices(decision.options, weights(game, focus))[0])
    return game.key(rng.choice(decision.options))


def replayed(story: Story, game: Game, catalog: Catalog) -> None:
    """The record of the game, played again, ends in the same state."""
    record = Record(saving.ENGINE_VERSION, catalog.fingerprint, story.seed, story.seats, story.moves)
    again = Game.replay(record, catalog)
    if again.digest() != game.digest() or again.result != game.result:
        raise Broken("replay", "the record, played again, ends in another state")


def what_broke(error: BaseException) -> str:
    """Name the kind of failure, so that a shrunk game fails in the same way."""
    if isinstance(error, Broken):
        return error.check
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return type(error).__name__
    code = trace.tb_frame.f_code
    return f"{type(error).__name__} in {Path(code.co_filename).stem}.{code.co_name}"
