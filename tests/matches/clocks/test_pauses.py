"""A pause ends when all who are still in the game have asked for that, and by nothing else that players do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from decks.services import TableDeck
from matches.clocks.arithmetic import SECOND, left
from matches.clocks.tempo import HOUR, Tempo
from matches.lobby import services as lobby
from matches.models import Match
from matches.playing.moves import Accepted, Command
from matches.protocol.messages import Agree, Concede, OfferIt, Resume
from matches.runners import clock_sweep
from tests.matches.clocks.conftest import Clock, standing_of
from tests.matches.conftest import Table, person

LIVE = Tempo("live", bank=600, increment=10)


def do(table: Table, seat: int, *commands: Command) -> None:
    """Let ``seat`` do all of this."""
    for command in commands:
        outcome = table.act(seat, command)
        assert isinstance(outcome, Accepted), outcome


def test_a_takeback_in_a_pause_leaves_it_going_on(timed: Callable[[Tempo], Table], clock: Clock) -> None:
    table = timed(LIVE).only_one_decides()
    mover = table.deciding
    do(table, mover, table.choice("first"))
    do(table, mover, OfferIt(id="p", what="pause"))
    do(table, 1 - mover, Agree(id="p", what="pause"))
    do(table, mover, OfferIt(id="t", what="takeback"))
    do(table, 1 - mover, Agree(id="t", what="takeback"))
    assert standing_of(table).paused
    clock.pass_by(HOUR)
    clock_sweep.sweep()
    assert table.row.state == Match.State.RUNNING
    do(table, mover, Resume(id="r"))
    do(table, 1 - mover, Resume(id="r"))
    clocks = standing_of(table).clocks
    assert clocks is not None
    assert left(clocks, mover, clock.now) == 600 * SECOND


def test_a_pause_is_over_when_the_only_one_who_has_not_asked_leaves(
    clock: Clock, alice: Any, bob: Any, deck: TableDeck
) -> None:
    match = lobby.join(lobby.invite(alice, deck, 3, tempo=LIVE), bob, deck)
    table = Table(lobby.join(match, person("carol"), deck))
    do(table, 0, OfferIt(id="p", what="pause"))
    for seat in (1, 2):
        do(table, seat, Agree(id="p", what="pause"))
    for seat in (0, 1):
        do(table, seat, Resume(id="r"))
    assert standing_of(table).paused
    do(table, 2, Concede(id="c"))
    standing = standing_of(table)
    assert not standing.paused
    assert standing.resuming == 0
    clock.pass_by(601)
    clock_sweep.sweep()
    assert table.row.state == Match.State.FINISHED
