"""What stands at a table besides the game: since when each seat has had its question, clocks, offers.

One record, stored with each move in the row of the match (as it stands) and in that of the move (as it stood). All
functions only compute.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct, structs

from ccg.rules import Game
from matches.clocks import arithmetic
from matches.clocks.arithmetic import Clocks
from matches.clocks.tempo import DAY, Tempo
from matches.seat_sets import bits_of, deciding_in, has

What = Literal["draw", "pause", "takeback"]
"""What players can offer each other."""

LONGEST_PAUSE: dict[str, int] = {"live": DAY, "correspondence": 30 * DAY}
"""Seconds after which the clocks go on by themselves."""

OFFERED_AGAIN_AFTER = 10
"""Versions that have to go by before the same is offered again by who was declined, or took it back."""

NEVER = -1


class Offer(Struct, frozen=True, array_like=True):
    """What ``seat`` offers; the seats in the set ``agreed`` (its own included) want it."""

    what: What
    seat: int
    agreed: int


class Declined(Struct, frozen=True, array_like=True):
    """An offer of ``seat`` that was declined, or taken back, at ``version``."""

    what: What
    seat: int
    version: int


class Standing(Struct, frozen=True, array_like=True):
    """What stands at a table.

    ``asked`` holds for each seat the version with which its question was put (the newest one for who is asked nothing):
    an answer to an older version is late. ``began`` holds the version on which each seat began its last move.
    """

    asked: tuple[int, ...]
    began: tuple[int, ...]
    clocks: Clocks | None = None
    paused_until: int = 0
    offers: tuple[Offer, ...] = ()
    declined: tuple[Declined, ...] = ()

    @property
    def paused(self) -> bool:
        """Whether the clocks are stopped by agreement."""
        return self.clocks is not None and self.clocks.paused

    def offer(self, what: What) -> Offer | None:
        """Return the offer of this kind, if there is one."""
        return next((offer for offer in self.offers if offer.what == what), None)


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Standing)


def written(standing: Standing) -> bytes:
    """Return ``standing`` as it is stored."""
    return _encoder.encode(standing)


def read(data: bytes, players: int, version: int) -> Standing:
    """Read what was stored; nothing was for matches from before there was any of it."""
    if not data:
        return Standing((version,) * players, (NEVER,) * players)
    return _decoder.decode(data)


def begin(game: Game, players: int, tempo: Tempo, computers: frozenset[int], now: int, away: int = 0) -> Standing:
    """Return what stands at a table whose ``game`` has just begun, with the seats in ``away`` on vacation."""
    running = deciding_in(game) & ~bits_of(computers)
    clocks = arithmetic.begin(tempo, players, running, now) if tempo.timed else None
    if clocks is not None:
        clocks = structs.replace(clocks, away=away)
    return Standing((0,) * players, (NEVER,) * players, clocks)


def after_move(
    before: Standing,
    asked: Game,
    game: Game,
    seat: int,
    version: int,
    tempo: Tempo,
    computers: frozenset[int],
    now: int,
    *,
    back: bool,
) -> Standing:
    """Return what stands after ``seat`` has chosen, or (``back``) left a half-made move.

    ``asked`` is the game before and ``game`` the one after, which is at ``version``. A move that is left brings no
    increment, or there would be time in beginning moves and leaving them.
    """
    deciders, earlier = deciding_in(game), deciding_in(asked)
    decision = asked.decision
    began = list(before.began)
    if decision is not None and not decision.can_take_back:
        began[seat] = version - 1
    kept = deciders & earlier & ~(1 << seat)
    clocks = before.clocks
    if clocks is not None:
        complete = not back and (game.decision is None or not game.decision.can_take_back)
        running = deciders & ~bits_of(computers)
        clocks = arithmetic.moved(clocks, tempo, seat, running, now, complete=complete)
    return structs.replace(
        before,
        asked=_asked(before.asked, kept, version),
        began=tuple(began),
        clocks=clocks,
        offers=tuple(offer for offer in before.offers if offer.what != "takeback"),
    )


def after_leaving(
    before: Standing, game: Game, seat: int, version: int, tempo: Tempo, computers: frozenset[int], now: int
) -> Standing:
    """Return what stands after ``seat`` has left the game: all questions are new, as half-made moves are taken back."""
    clocks = before.clocks
    if clocks is not None:
        running = deciding_in(game) & ~bits_of(computers)
        clocks = arithmetic.moved(clocks, tempo, seat, running, now, complete=False)
    return structs.replace(before, asked=(version,) * len(before.asked), clocks=clocks, offers=())


def unchanged(before: Standing, deciders: int, version: int) -> Standing:
    """Return what stands after something at the table that does not concern the game: the same questions."""
    return structs.replace(before, asked=_asked(before.asked, deciders, version))


def deadline(standing: Standing) -> int | None:
    """Return when somebody has to look at this table: a clock has run out, or a pause has lasted too long."""
    if standing.clocks is None:
        return None
    return standing.paused_until if standing.paused else arithmetic.runs_out(standing.clocks)


def _asked(before: tuple[int, ...], kept: int, version: int) -> tuple[int, ...]:
    return tuple(old if has(kept, seat) else version for seat, old in enumerate(before))
