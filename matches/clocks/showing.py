"""Clocks and offers as messages show them."""

from __future__ import annotations

from matches.clocks import arithmetic
from matches.clocks.standing import NOBODY, Standing
from matches.clocks.tempo import Tempo
from matches.protocol.messages import Offered, SeatClock, TableClocks
from matches.storage.seat_sets import has, seats_of


def clocks(standing: Standing, tempo: Tempo, now: int) -> TableClocks | None:
    """Return the clocks as they stand at ``now``, nothing below zero; None where there are none."""
    if standing.clocks is None:
        return None
    held = arithmetic.charged(standing.clocks, now)
    return TableClocks(
        tempo=str(tempo),
        low=tempo.low * arithmetic.SECOND,
        paused=held.paused,
        resuming=list(seats_of(standing.resuming)),
        pause_left=max(0, standing.paused_until - now) if held.paused else None,
        seats=[
            SeatClock(
                seat=number,
                left=max(0, time.left),
                bank=max(0, time.bank),
                running=has(held.ticking, number),
                vacation=has(held.away, number),
            )
            for number, time in enumerate(held.seats)
        ],
    )


def offers(standing: Standing) -> list[Offered]:
    """Return what has been offered."""
    return [
        Offered(
            what=one.what,
            seat=one.seat,
            agreed=list(seats_of(one.agreed)),
            of=one.of if one.of != NOBODY else None,
        )
        for one in standing.offers
    ]
