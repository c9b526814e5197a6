"""The arithmetic of clocks: pure, in whole milliseconds of the site's time.

A clock is what is left in the bank and of the allowance of this turn. It runs for whoever must decide, and for nobody
while the match is paused. Each function takes clocks and gives clocks; nothing here looks at the time itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, structs

from matches.clocks.tempo import Tempo
from matches.storage.seat_sets import has, seats_of

SECOND = 1_000


class SeatTime(Struct, frozen=True, array_like=True):
    """What a seat has left: of its ``bank``, and of the allowance of its ``turn``, which goes first."""

    bank: int
    turn: int = 0

    @property
    def left(self) -> int:
        """All that is left; less than 0 is overdrawn."""
        return self.bank + self.turn


class Clocks(Struct, frozen=True, array_like=True):
    """The clocks of a match as they stood at ``since``; those of the set :attr:`ticking` have run from then on."""

    seats: tuple[SeatTime, ...]
    running: int
    """The seats whose clocks are due to run: those that must decide."""
    since: int
    paused: bool = False
    away: int = 0
    """The seats that are on vacation: their clocks stand still."""

    @property
    def ticking(self) -> int:
        """The seats whose clocks run."""
        return 0 if self.paused else self.running & ~self.away


def begin(tempo: Tempo, players: int, deciders: int, now: int) -> Clocks:
    """Return the clocks of a match that begins: full banks, and the full allowance for whoever must decide."""
    seats = tuple(
        SeatTime(tempo.bank * SECOND, tempo.allowance * SECOND if has(deciders, seat) else 0) for seat in range(players)
    )
    return Clocks(seats, deciders, now)


def charged(clocks: Clocks, now: int) -> Clocks:
    """Return the clocks as they stand at ``now``: who must decide has used the time since, of the allowance first."""
    spent, ticking = max(0, now - clocks.since), clocks.ticking
    seats = tuple(_spend(time, spent) if has(ticking, number) else time for number, time in enumerate(clocks.seats))
    return structs.replace(clocks, seats=seats, since=now)


def moved(clocks: Clocks, tempo: Tempo, mover: int, deciders: int, now: int, *, complete: bool) -> Clocks:
    """Return the clocks after a move of ``mover``, from which on ``deciders`` must decide.

    A ``complete`` decision (not a step of one that can still be taken back) brings the increment, as far as the bank
    has room. A turn that is over takes the rest of its allowance with it; one that begins has the whole.
    """
    before = charged(clocks, now)
    seats = list(before.seats)
    if complete and has(before.running, mover):
        seats[mover] = _increased(seats[mover], tempo)
    for number, time in enumerate(seats):
        if not has(deciders, number):
            seats[number] = SeatTime(time.bank)
        elif not has(before.running, number):
            seats[number] = SeatTime(time.bank, tempo.allowance * SECOND)
    return structs.replace(before, seats=tuple(seats), running=deciders)


def pause(clocks: Clocks, now: int) -> Clocks:
    """Return the clocks standing still from ``now`` on."""
    return structs.replace(charged(clocks, now), paused=True)


def resume(clocks: Clocks, now: int) -> Clocks:
    """Return the clocks going on at ``now`` from where they stood."""
    return structs.replace(charged(clocks, now), paused=False)


def vacation(clocks: Clocks, seat: int, now: int, *, away: bool) -> Clocks:
    """Return the clocks with that of ``seat`` standing still from ``now`` on, or going on."""
    bit = 1 << seat
    return structs.replace(charged(clocks, now), away=clocks.away | bit if away else clocks.away & ~bit)


def restored(then: Clocks, now: int, away: int = 0) -> Clocks:
    """Return the clocks as they were ``then``, when a question was put that is put again ``now``.

    ``away`` is who is on vacation now.
    """
    return structs.replace(then, since=now, paused=False, away=away)


def left(clocks: Clocks, seat: int, now: int) -> int:
    """Return what ``seat`` has left at ``now``; less than 0 is overdrawn."""
    return charged(clocks, now).seats[seat].left


def runs_out(clocks: Clocks) -> int | None:
    """Return when the first of those whose clocks run has nothing left; None if no clock runs."""
    return min((clocks.since + clocks.seats[seat].left for seat in seats_of(clocks.ticking)), default=None)


def out_of_time(clocks: Clocks, now: int) -> Sequence[int]:
    """Return the seats that have run out of time at ``now``, from the one that has done so first."""
    rest = {seat: left(clocks, seat, now) for seat in seats_of(clocks.ticking)}
    return sorted((seat for seat in rest if rest[seat] <= 0), key=lambda seat: rest[seat])


def _spend(time: SeatTime, spent: int) -> SeatTime:
    of_turn = min(time.turn, spent)
    return SeatTime(time.bank - (spent - of_turn), time.turn - of_turn)


def _increased(time: SeatTime, tempo: Tempo) -> SeatTime:
    full = tempo.bank * SECOND
    # Never less than there was: a bank that has more than its full size keeps it.
    return SeatTime(max(time.bank, min(full, time.bank + tempo.increment * SECOND)), time.turn)
