"""A pause ends when all who are still in the game have asked for that; what comes of it where not all do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from decks.table_decks import TableDeck
from matches.clocks.arithmetic import SECOND, left
from matches.clocks.standing import ANSWERED_WITHIN, LONGEST_PAUSE
from matches.clocks.tempo import DAY, HOUR, Tempo
from matches.lobby import services as lobby
from matches.models import Match, Move
from matches.playing import archive
from matches.playing.moves import Accepted, Command, Refusal
from matches.protocol.messages import Agree, Concede, OfferIt, Resume
from matches.runners import clock_sweep
from matches.storage import stored_events
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


def pause(table: Table) -> None:
    """Let all agree to a pause."""
    do(table, 0, OfferIt(id="p", what="pause"))
    for seat in range(1, table.row.players):
        do(table, seat, Agree(id="p", what="pause"))


def lapse(table: Table, clock: Clock, seconds: float = LONGEST_PAUSE["live"]) -> None:
    """Let so much time go by, and the site look often enough at what became due."""
    clock.pass_by(seconds)
    for _ in range(table.row.players):
        clock_sweep.sweep()


def last_told(table: Table) -> list[str]:
    return stored_events.sentences(stored_events.seen_by(bytes(Move.objects.latest("seq").events), None))


def test_who_never_asks_to_go_on_after_a_live_pause_leaves_and_not_who_asked(
    timed: Callable[[Tempo], Table], clock: Clock
) -> None:
    """Whoever is losing would else be there when the clocks go on, and take out who had asked at once and went home."""
    table = timed(LIVE)
    pause(table)
    do(table, 1, Resume(id="r"))
    lapse(table, clock)
    assert table.row.result == {"winners": [1], "losers": [0], "reason": "absent"}
    assert any("has not asked to go on" in sentence for sentence in last_told(table))
    assert archive.replay(table.row).difference is None


def test_nobody_leaves_where_nobody_has_asked_to_go_on(timed: Callable[[Tempo], Table], clock: Clock) -> None:
    table = timed(LIVE)
    pause(table)
    lapse(table, clock)
    assert table.row.state == Match.State.RUNNING
    assert not standing_of(table).paused
    assert last_told(table) == ["The pause is over."]


def test_who_asks_late_leaves_the_others_half_a_day_to_answer(timed: Callable[[Tempo], Table], clock: Clock) -> None:
    """Whoever relies on the clocks going on by themselves would else lose by coming back just then."""
    table = timed(LIVE)
    pause(table)
    clock.pass_by(LONGEST_PAUSE["live"] - 1)
    do(table, 1, Resume(id="r"))
    lapse(table, clock, ANSWERED_WITHIN - 1)
    assert table.row.state == Match.State.RUNNING and standing_of(table).paused
    do(table, 0, Resume(id="r"))
    assert not standing_of(table).paused


def test_who_has_not_asked_when_the_pause_lapses_cannot_save_the_game_before_the_site_looks(
    timed: Callable[[Tempo], Table], clock: Clock
) -> None:
    table = timed(LIVE)
    pause(table)
    do(table, 1, Resume(id="r"))
    clock.pass_by(LONGEST_PAUSE["live"])
    for command in (Resume(id="r"), OfferIt(id="d", what="draw")):
        outcome = table.act(0, command)
        assert isinstance(outcome, Refusal) and outcome.code == "out_of_time"


def test_at_a_table_of_three_the_others_go_on(clock: Clock, alice: Any, bob: Any, deck: TableDeck) -> None:
    match = lobby.join(lobby.invite(alice, deck, 3, tempo=LIVE), bob, deck)
    table = Table(lobby.join(match, person("carol"), deck))
    pause(table)
    for seat in (0, 2):
        do(table, seat, Resume(id="r"))
    lapse(table, clock)
    assert table.row.state == Match.State.RUNNING
    assert sorted(table.game.engine.seats(0)) == [0, 2]
    assert not standing_of(table).paused
    assert last_told(table)[-1] == "The pause is over."


def test_one_who_asked_is_left_where_two_did_not(clock: Clock, alice: Any, bob: Any, deck: TableDeck) -> None:
    match = lobby.join(lobby.invite(alice, deck, 3, tempo=LIVE), bob, deck)
    table = Table(lobby.join(match, person("carol"), deck))
    pause(table)
    do(table, 2, Resume(id="r"))
    lapse(table, clock)
    assert table.row.result == {"winners": [2], "losers": [0, 1], "reason": "absent"}


def test_by_correspondence_nobody_leaves_by_that(timed: Callable[[Tempo], Table], clock: Clock) -> None:
    """There whoever asked has days for a turn when the clocks go on, and cannot be claimed out."""
    table = timed(Tempo("correspondence", allowance=DAY, bank=DAY))
    pause(table)
    do(table, 1, Resume(id="r"))
    lapse(table, clock, LONGEST_PAUSE["correspondence"])
    assert table.row.state == Match.State.RUNNING
    assert not standing_of(table).paused
