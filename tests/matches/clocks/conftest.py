"""Tables with clocks whose time stands still until a test moves it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from decks.table_decks import TableDeck
from matches.clocks import site_time
from matches.clocks import standing as standings
from matches.clocks.arithmetic import SECOND
from matches.clocks.standing import Standing
from matches.clocks.tempo import Tempo
from matches.lobby import services as lobby
from matches.models import Match
from tests.matches.conftest import Table


class Clock:
    """The time of the site, in a test's hands."""

    def __init__(self) -> None:
        self.now = 1_000_000

    def pass_by(self, seconds: float) -> None:
        """Let time go by."""
        self.now += int(seconds * SECOND)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The time of the site, which a test moves; a server is up."""
    clock = Clock()
    for name in ("now", "now_if_known", "about_now"):
        monkeypatch.setattr(site_time, name, lambda: clock.now)
    monkeypatch.setattr(site_time, "up", lambda: True)
    return clock


@pytest.fixture
def timed(clock: Clock, alice: Any, bob: Any, deck: TableDeck) -> Callable[[Tempo], Table]:
    """Begin a match of Alice and Bob at a tempo."""
    return lambda tempo: Table(lobby.join(lobby.invite(alice, deck, 2, tempo=tempo), bob, deck))


def standing_of(table: Table) -> Standing:
    """Return what stands at a table, as it is stored."""
    row: Match = table.row
    return standings.read(bytes(row.standing), row.players, row.version)
