"""What the tests of matches share: real cards and decks, people, a match in progress, a running site."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db.models import F

from ccg.rules import Game
from decks import table_decks
from decks.models import Deck
from decks.table_decks import TableDeck
from matches.clocks import site_time
from matches.lobby import services as lobby
from matches.models import Match, MatchSeat, Move
from matches.playing import match_cache, moves
from matches.playing.moves import Accepted
from matches.protocol.messages import Choose
from matches.runners import computer_runner
from matches.table import table_view
from tests import chance
from tests.running import Process, Site, running_site


@pytest.fixture(autouse=True)
def _nobody_plays_behind_the_tests(settings: Any) -> Iterator[None]:
    """Computers play only where a test lets them, nothing is remembered from the test before."""
    settings.COMPUTERS_PLAY_HERE = False
    settings.COMPUTER_DELAY = (0.0, 0.0)
    match_cache.clear()
    site_time.forget()
    yield
    computer_runner.stop()
    match_cache.clear()
    site_time.forget()


@pytest.fixture
def cards(transactional_db: None, starters: None) -> None:
    """The project's sets and starter decks, in a database where transactions are real."""


@pytest.fixture
def deck(cards: None) -> TableDeck:
    """A starter deck as a match keeps it."""
    return table_decks.take_to_table(None, Deck.objects.starters()[0].uid)


def person(name: str) -> Any:
    """Make somebody with an account."""
    return get_user_model().objects.create_user(name, password=f"{name}-password-1")


@pytest.fixture
def alice(cards: None) -> Any:
    """A player, in seat 0."""
    return person("alice")


@pytest.fixture
def bob(cards: None) -> Any:
    """Another player, in seat 1."""
    return person("bob")


@pytest.fixture
def charlie(cards: None) -> Any:
    """A stranger."""
    return person("charlie")


def match_of(deck: TableDeck, host: Any, *others: Any, **wanted: Any) -> Match:
    """A match of these people, all with the same deck; ``wanted`` is what else ``lobby.invite`` takes."""
    match = lobby.invite(host, deck, 1 + len(others), **wanted)
    for other in others:
        match = lobby.join(match, other, deck)
    return match


@pytest.fixture
def match(alice: Any, bob: Any, deck: TableDeck) -> Match:
    """A match of Alice (seat 0) against Bob (seat 1), just begun."""
    return lobby.join(lobby.invite(alice, deck, 2), bob, deck)


class Table:
    """A match as tests handle it: who is to choose, what they may choose, and choosing."""

    def __init__(self, match: Match) -> None:
        self.id = match.public_id
        self._users = {seat.number: seat.user_id for seat in match.seats.all()}

    @property
    def row(self) -> Match:
        """The match as it stands in the database."""
        return Match.objects.get(public_id=self.id)

    @property
    def game(self) -> Game:
        """The game as it stands in the database."""
        return table_view.current_game(self.row)[1]

    @property
    def deciding(self) -> int:
        """The seat that has to choose; of those that choose at once, the one that is asked first."""
        return self.game.deciding[0]

    @property
    def waiting(self) -> int:
        """The other seat of two."""
        return 1 - self.deciding

    def actor(self, seat: int) -> moves.Actor:
        """Return who acts for ``seat``."""
        return moves.Actor.person(self._users[seat])

    def options(self) -> list[str]:
        """Return the keys of what can be chosen now, as the deciding seat sees them."""
        decision = self.game.view(self.deciding).decision
        assert decision is not None
        return [option.key for option in decision.options]

    def choice(self, action: str = "a1", option: str | None = None) -> Choose:
        """Return the command that takes ``option`` (default: the first one offered) now."""
        return Choose(id=action, version=self.row.version, option=option or self.options()[0])

    def act(self, seat: int, command: moves.Command) -> moves.Outcome:
        """Let ``seat`` do ``command``."""
        return moves.act(self.id, self.actor(seat), command)

    def only_one_decides(self) -> Table:
        """Let all but the first keep their opening hands, which all are asked about at once; return the table.

        What is asked of the first one is still the question of the beginning.
        """
        for seat in self.game.deciding[1:]:
            keep = Choose(id="opening", version=self.row.version, option="keep")
            assert isinstance(self.act(seat, keep), Accepted)
        return self

    def let_pass(self, time: timedelta) -> None:
        """Let all that has happened at the table have happened so much earlier."""
        Match.objects.filter(public_id=self.id).update(started=F("started") - time, changed=F("changed") - time)
        Move.objects.filter(match__public_id=self.id).update(created=F("created") - time)
        MatchSeat.objects.filter(match__public_id=self.id).update(seen=F("seen") - time)

    def play(self, moves: int = 10_000, seed: int = 1) -> None:
        """Let chance choose for everybody, for so many moves or to the end."""
        rng = random.Random(seed)
        for _ in range(moves):
            row = self.row
            if row.state != Match.State.RUNNING:
                return
            command = Choose(id=f"m{row.version}", version=row.version, option=rng.choice(self.options()))
            assert isinstance(self.act(self.deciding, command), Accepted)


@pytest.fixture
def table(match: Match) -> Table:
    """The match of Alice and Bob, handy."""
    return Table(match)


PROFILES = ("embedded", pytest.param("full", marks=pytest.mark.full_profile))
MOSTLY_EMBEDDED = pytest.mark.parametrize(
    "site",
    ["embedded", pytest.param("full", marks=[pytest.mark.full_profile, pytest.mark.thorough])],
    indirect=True,
)
"""On tests of what happens before a server looks into its database: `make test` shows it in one profile."""


@pytest.fixture(scope="package", params=PROFILES)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A real server with cards and decks, for all tests of this folder that ask; in the full profile with a worker.

    A test that kills it starts it again.
    """
    folder = tmp_path_factory.mktemp("site")
    if request.param == "embedded":
        with running_site(folder, plant=chance.IN_SERVERS) as site:
            yield site
        return
    services = request.getfixturevalue("prepared_services")
    with running_site(folder, services, chance.IN_SERVERS, prepared=True) as site, running_worker(folder, services):
        yield site


@contextmanager
def running_worker(folder: Path, env: dict[str, str]) -> Iterator[Process]:
    """A Celery worker with the beat inside it."""
    command = ("-m", "celery", "--app", "ccg.server.celery", "worker", "--beat", "--schedule", str(folder / "beat"))
    own = {**env, "VAR_DIR": str(folder / "var")}
    worker = Process(*command, "--concurrency", "1", env=own, log=folder / "worker.log", plant=chance.IN_SERVERS)
    worker.start()
    try:
        yield worker
    finally:
        worker.stop()
