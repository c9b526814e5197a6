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
from matches.clocks.tempo import DAY, HOUR, Tempo
from matches.storage.seat_sets import bits_of, deciding_in, has

What = Literal["draw", "pause", "takeback", "computer", "substitute"]
"""What players can offer each other; the last two are who plays on in the seat of somebody who is away."""

LONGEST_PAUSE: dict[str, int] = {"live": DAY, "correspondence": 30 * DAY}
"""Seconds after which the clocks go on by themselves, whoever is there; before, all players have to ask for it."""

ANSWERED_WITHIN = 12 * HOUR
"""Seconds that a live pause lasts at least from when somebody first asks to go on: whoever has not asked when it ends
leaves the game, and should not have to look in all the time."""

OFFERED_AGAIN_AFTER = 10
"""Decisions that have to be made before the same is offered again by whoever was declined, or took it back."""

MOST_BACKS = 20
"""How often half-made moves are left before one is made; each time is stored, and sent to all at the table."""

MOST_OFFERS = 100
"""How often each player may offer something in a match. What is agreed to can be offered again at once, and all of it
is stored, and played again for the replay."""

NEVER = -1
NOBODY = -1


class Offer(Struct, frozen=True, array_like=True):
    """What ``seat`` offers; the seats in the set ``agreed`` (its own included) want it."""

    what: What
    seat: int
    agreed: int
    of: int = NOBODY
    """Whose seat it is about, if it is about one."""
    made: int = NEVER
    """The version at which it was made; offers from before that was noted are older than any question."""


class Declined(Struct, frozen=True, array_like=True):
    """An offer of ``seat`` that was declined, or taken back, when so many decisions had been made."""

    what: What
    seat: int
    decisions: int


class Turn(Struct, frozen=True, array_like=True):
    """The last turn of a seat in correspondence: the version that ``began`` it, and what it ``had`` then (ms)."""

    began: int
    had: int


class Standing(Struct, frozen=True, array_like=True):
    """What stands at a table.

    ``asked`` holds for each seat the version with which its question was put (the newest one if it is asked nothing):
    an answer to an older version is late. ``began`` holds the version on which each seat began its last move.
    """

    asked: tuple[int, ...]
    began: tuple[int, ...]
    clocks: Clocks | None = None
    paused_until: int = 0
    offers: tuple[Offer, ...] = ()
    declined: tuple[Declined, ...] = ()
    turns: tuple[Turn, ...] = ()
    """By seat, in correspondence only; matches from before there were any have none until the next move."""
    free: int = 0
    """The seats that somebody else may take, as all others have agreed; until they do, whoever sits there plays."""
    seated: int = 0
    """The version at which somebody else came to sit somewhere for the last time."""
    decisions: int = NEVER
    """How many decisions have been made; in matches from before they were counted, versions until then."""
    backs: int = 0
    """How often half-made moves have been left since the last decision was made."""
    resuming: int = 0
    """In a pause, the seats that have asked to go on."""
    resumed: int = 0
    """The version at which a pause ended for the last time."""
    offered: tuple[int, ...] = ()
    """How often each seat has offered something; none has in matches from before that was counted."""

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
    standing = _decoder.decode(data) if data else Standing((version,) * players, (NEVER,) * players)
    return standing if standing.decisions != NEVER else structs.replace(standing, decisions=version)


def begin(game: Game, players: int, tempo: Tempo, computers: frozenset[int], now: int, away: int = 0) -> Standing:
    """Return what stands at a table whose ``game`` has just begun, with the seats in ``away`` on vacation."""
    running = deciding_in(game) & ~bits_of(computers)
    clocks = arithmetic.begin(tempo, players, running, now) if tempo.timed else None
    if clocks is not None:
        clocks = structs.replace(clocks, away=away)
    turns = turns_after((), None, clocks, tempo, 0)
    return Standing((0,) * players, (NEVER,) * players, clocks, turns=turns, decisions=0)


def offers_of(standing: Standing, seat: int) -> int:
    """Return how often ``seat`` has offered something."""
    return standing.offered[seat] if standing.offered else 0


def one_more_offered(standing: Standing, seat: int) -> Standing:
    """Return what stands once ``seat`` has offered something more; the offer itself is not among it."""
    counts = [offers_of(standing, number) + (number == seat) for number in range(len(standing.asked))]
    return structs.replace(standing, offered=tuple(counts))


def deadline(standing: Standing) -> int | None:
    """Return when somebody has to look at this table: a clock has run out, or a pause has lasted too long."""
    if standing.clocks is None:
        return None
    return standing.paused_until if standing.paused else arithmetic.runs_out(standing.clocks)


def turn_of(standing: Standing, tempo: Tempo, seat: int) -> Turn:
    """Return the turn of ``seat``; in a match from before they were noted it had what any turn can have at most."""
    if standing.turns:
        return standing.turns[seat]
    return Turn(NEVER, (tempo.allowance + tempo.bank) * arithmetic.SECOND)


def turns_after(
    before: tuple[Turn, ...], earlier: Clocks | None, clocks: Clocks | None, tempo: Tempo, version: int
) -> tuple[Turn, ...]:
    """Return the turns after a move that made ``version``: who must decide only now begins one, with what is left."""
    if clocks is None or tempo.kind != "correspondence":
        return ()
    begins = clocks.running & ~(earlier.running if earlier is not None else 0)
    known = before or (Turn(NEVER, (tempo.allowance + tempo.bank) * arithmetic.SECOND),) * len(clocks.seats)
    return tuple(
        Turn(version, clocks.seats[seat].left) if has(begins, seat) else turn for seat, turn in enumerate(known)
    )
