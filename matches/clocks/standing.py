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
from matches.storage.seat_sets import bits_of, deciding_in, has

What = Literal["draw", "pause", "takeback", "computer", "substitute"]
"""What players can offer each other; the last two are who plays on in the seat of somebody who is away."""

LONGEST_PAUSE: dict[str, int] = {"live": DAY, "correspondence": 30 * DAY}
"""Seconds after which the clocks go on by themselves, whoever is there; before, all players have to ask for it."""

OFFERED_AGAIN_AFTER = 10
"""Decisions that have to be made before the same is offered again by whoever was declined, or took it back."""

MOST_BACKS = 100
"""How often half-made moves are left before one is made; each time is stored, and sent to all at the table."""

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
    turns = _turns((), None, clocks, tempo, 0)
    return Standing((0,) * players, (NEVER,) * players, clocks, turns=turns, decisions=0)


def after_move(
    before: Standing,
    game_before: Game,
    game: Game,
    seat: int,
    version: int,
    tempo: Tempo,
    computers: frozenset[int],
    now: int,
    *,
    back: bool,
    by_hand: bool = True,
    by_site: bool = False,
) -> Standing:
    """Return what stands after ``seat`` has chosen, or (``back``) left a half-made move.

    ``before`` stood with ``game_before``; ``game`` is the one after, which is at ``version``. What was not chosen
    ``by_hand`` is no move that the player could want to take back. What the site chooses for a player (``by_site``)
    answers no offer; what a client sends does, whoever pressed: ours passes for nobody while an offer waits to be read.
    A move that is left brings no increment, or there would be time in beginning moves and leaving them.
    """
    deciders, earlier = deciding_in(game), deciding_in(game_before)
    decision = game_before.decision_of(seat)
    complete = not back and (game.decision is None or not game.decision.can_take_back)
    began = list(before.began)
    if by_hand and decision is not None and not decision.can_take_back:
        began[seat] = version - 1
    kept = deciders & earlier & ~(1 << seat)
    clocks = before.clocks
    if clocks is not None:
        running = deciders & ~bits_of(computers)
        clocks = arithmetic.moved(clocks, tempo, seat, running, now, complete=complete)
    offers = tuple(offer for offer in before.offers if offer.what != "takeback" and offer.of != seat)
    answers = complete and not by_site and not has(bits_of(computers), seat)
    lapsed = [one for one in offers if answers and _answered_by_playing(one, before, seat)]
    for offer in lapsed:
        before = declined(before, offer)
    return structs.replace(
        before,
        asked=_asked(before.asked, kept, version),
        began=tuple(began),
        clocks=clocks,
        offers=tuple(offer for offer in offers if offer not in lapsed),
        free=before.free & ~(1 << seat),
        turns=_turns(before.turns, before.clocks, clocks, tempo, version),
        decisions=before.decisions + complete,
        backs=0 if complete else before.backs + back,
    )


def after_leaving(
    before: Standing, game: Game, seat: int, version: int, tempo: Tempo, computers: frozenset[int], now: int
) -> Standing:
    """Return what stands after ``seat`` has left the game: all questions are new, as half-made moves are taken back.

    No move from before that is taken back: it would bring back who has lost, and has nothing more to say to it.
    """
    clocks = before.clocks
    if clocks is not None:
        running = deciding_in(game) & ~bits_of(computers)
        clocks = arithmetic.moved(clocks, tempo, seat, running, now, complete=False)
    turns = _turns(before.turns, before.clocks, clocks, tempo, version)
    players, free = len(before.asked), before.free & ~(1 << seat)
    asked, began = (version,) * players, (NEVER,) * players
    return structs.replace(before, asked=asked, began=began, clocks=clocks, offers=(), turns=turns, free=free)


def unchanged(before: Standing, deciders: int, version: int) -> Standing:
    """Return what stands after something at the table that does not concern the game: the same questions."""
    return structs.replace(before, asked=_asked(before.asked, deciders, version))


def declined(before: Standing, offer: Offer) -> Standing:
    """Return what stands once ``offer`` was declined, or taken back; the offers are left as they are."""
    others = tuple(one for one in before.declined if (one.what, one.seat) != (offer.what, offer.seat))
    return structs.replace(before, declined=(*others, Declined(offer.what, offer.seat, before.decisions)))


def deadline(standing: Standing) -> int | None:
    """Return when somebody has to look at this table: a clock has run out, or a pause has lasted too long."""
    if standing.clocks is None:
        return None
    return standing.paused_until if standing.paused else arithmetic.runs_out(standing.clocks)


def _answered_by_playing(offer: Offer, before: Standing, seat: int) -> bool:
    """Return whether ``seat``, which has chosen, has declined a draw or a pause by that.

    It has if it was asked its question after the offer. So nobody keeps one in reserve for when the position, or the
    time left, has become worse.
    """
    return offer.what in ("draw", "pause") and not has(offer.agreed, seat) and before.asked[seat] >= offer.made


def turn_of(standing: Standing, tempo: Tempo, seat: int) -> Turn:
    """Return the turn of ``seat``; in a match from before they were noted it had what any turn can have at most."""
    if standing.turns:
        return standing.turns[seat]
    return Turn(NEVER, (tempo.allowance + tempo.bank) * arithmetic.SECOND)


def _turns(
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


def _asked(before: tuple[int, ...], kept: int, version: int) -> tuple[int, ...]:
    return tuple(old if has(kept, seat) else version for seat, old in enumerate(before))
