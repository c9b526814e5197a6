"""Clocks by properties: whatever is done at a table, time is neither made nor lost."""

from __future__ import annotations

import random
from typing import Literal

from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from matches.clocks import arithmetic
from matches.clocks.arithmetic import SECOND, Clocks
from matches.clocks.tempo import CORRESPONDENCE, LIVE, OFFERED, Tempo, read

PLAYERS = 3
TEMPOS = st.sampled_from([*LIVE, *CORRESPONDENCE])


class Step(Struct, frozen=True):
    """Something that happens after ``wait`` milliseconds."""

    wait: int
    does: Literal["move", "pause", "resume", "look"]
    seat: int
    deciders: int
    complete: bool


STEPS = st.lists(
    st.builds(
        Step,
        wait=st.integers(0, 40 * 3_600 * SECOND),
        does=st.sampled_from(["move", "move", "move", "pause", "resume", "look"]),
        seat=st.integers(0, PLAYERS - 1),
        deciders=st.integers(1, 2**PLAYERS - 1),
        complete=st.booleans(),
    ),
    max_size=25,
)


def take(clocks: Clocks, tempo: Tempo, step: Step, now: int) -> Clocks:
    match step.does:
        case "move":
            return arithmetic.moved(clocks, tempo, step.seat, step.deciders, now, complete=step.complete)
        case "pause":
            return arithmetic.pause(clocks, now)
        case "resume":
            return arithmetic.resume(clocks, now)
    return arithmetic.charged(clocks, now)


@given(TEMPOS, STEPS)
def test_a_clock_loses_exactly_the_time_for_which_it_ran(tempo: Tempo, steps: list[Step]) -> None:
    now, clocks = 0, arithmetic.begin(tempo, PLAYERS, 1, 0)
    for step in steps:
        now += step.wait
        charged = arithmetic.charged(clocks, now)
        for seat in range(PLAYERS):
            ran = step.wait if clocks.running >> seat & 1 and not clocks.paused else 0
            assert charged.seats[seat].left == clocks.seats[seat].left - ran
            assert arithmetic.left(clocks, seat, now) == charged.seats[seat].left
        clocks = take(clocks, tempo, step, now)


@given(TEMPOS, STEPS)
def test_a_move_gives_the_increment_and_the_allowance_and_nothing_else(tempo: Tempo, steps: list[Step]) -> None:
    now, clocks = 0, arithmetic.begin(tempo, PLAYERS, 1, 0)
    for step in steps:
        now += step.wait
        before, after = arithmetic.charged(clocks, now), take(clocks, tempo, step, now)
        for seat in range(PLAYERS):
            given = after.seats[seat].bank - before.seats[seat].bank
            earned = step.does == "move" and step.complete and step.seat == seat and clocks.running >> seat & 1
            assert 0 <= given <= (tempo.increment * SECOND if earned else 0)
            assert after.seats[seat].bank <= tempo.bank * SECOND
            begins = after.running >> seat & 1 and not clocks.running >> seat & 1
            stays = after.running >> seat & 1 and not begins
            turn = tempo.allowance * SECOND if begins else before.seats[seat].turn if stays else 0
            assert after.seats[seat].turn == turn
        clocks = after


@given(TEMPOS, STEPS, st.integers(0, 10**9))
def test_a_pause_costs_nothing_and_resets_nothing(tempo: Tempo, steps: list[Step], long: int) -> None:
    now, clocks = 0, arithmetic.begin(tempo, PLAYERS, 1, 0)
    for step in steps:
        now += step.wait
        clocks = take(clocks, tempo, step, now)
    stopped = arithmetic.pause(clocks, now)
    again = arithmetic.resume(stopped, now + long)
    assert again.seats == arithmetic.charged(clocks, now).seats
    assert arithmetic.runs_out(stopped) is None
    assert not arithmetic.out_of_time(stopped, now + 10**15)


@given(TEMPOS, STEPS, st.integers(0, 10**9))
def test_a_vacation_stops_one_clock_and_resets_nothing(tempo: Tempo, steps: list[Step], long: int) -> None:
    now, clocks = 0, arithmetic.begin(tempo, PLAYERS, 1, 0)
    for step in steps:
        now += step.wait
        clocks = take(clocks, tempo, step, now)
    before = arithmetic.charged(clocks, now)
    away = arithmetic.vacation(clocks, 0, now, away=True)
    again = arithmetic.vacation(away, 0, now + long, away=False)
    assert again.seats[0] == before.seats[0]
    assert again.seats[1:] == arithmetic.charged(clocks, now + long).seats[1:]
    assert again.running == before.running


@given(TEMPOS, STEPS, STEPS)
def test_what_is_taken_back_costs_nothing(tempo: Tempo, before: list[Step], undone: list[Step]) -> None:
    now, clocks = 0, arithmetic.begin(tempo, PLAYERS, 1, 0)
    for step in before:
        now += step.wait
        clocks = take(clocks, tempo, step, now)
    then = clocks
    for step in undone:
        now += step.wait
        clocks = take(clocks, tempo, step, now)
    again = arithmetic.restored(then, now)
    assert (again.seats, again.running, again.since) == (then.seats, then.running, now)


@given(TEMPOS, STEPS)
def test_it_runs_out_when_nothing_is_left_and_not_before(tempo: Tempo, steps: list[Step]) -> None:
    now, clocks = 0, arithmetic.begin(tempo, PLAYERS, 1, 0)
    for step in steps:
        now += step.wait
        clocks = take(clocks, tempo, step, now)
    at = arithmetic.runs_out(arithmetic.resume(clocks, now))
    assert at is not None, "somebody always has to decide here"
    assert arithmetic.out_of_time(arithmetic.resume(clocks, now), at)
    assert at <= now or not arithmetic.out_of_time(arithmetic.resume(clocks, now), at - 1)


def test_time_that_goes_back_gives_nobody_any() -> None:
    clocks = arithmetic.begin(LIVE[0], 2, 1, 1_000)
    assert arithmetic.charged(clocks, 500).seats == clocks.seats


def test_who_only_begins_moves_and_leaves_them_gains_no_time() -> None:
    rng, tempo = random.Random(1), LIVE[0]
    clocks, now = arithmetic.begin(tempo, 2, 1, 0), 0
    for _ in range(200):
        now += rng.randint(1, 2 * SECOND)
        clocks = arithmetic.moved(clocks, tempo, 0, 1, now, complete=False)
    assert clocks.seats[0].left == tempo.bank * SECOND - now


def test_every_tempo_that_is_offered_is_read_as_it_is_written() -> None:
    assert [read(text) for text in OFFERED] == list(OFFERED.values())
    allowances = {tempo.allowance for tempo in CORRESPONDENCE}
    assert (min(allowances), max(allowances)) == (12 * 3_600, 7 * 86_400)
