"""What stands at a table after something was done there: a move, or that somebody left. All functions only compute."""

from __future__ import annotations

from typing import Literal

from msgspec import structs

from ccg.rules import Game
from matches.clocks import arithmetic
from matches.clocks.arithmetic import Clocks
from matches.clocks.at import At
from matches.clocks.standing import NEVER, Declined, Offer, Standing, turns_after
from matches.storage.seat_sets import bits_of, deciding_in, has

How = Literal["left", "by hand", "by client", "by site"]
"""How a question of the game was answered: "left" is a half-made move that was left, all else was chosen."""


def after_move(at: At, game: Game, how: How) -> Standing:
    """Return what stands after the seat that acts has chosen, or left a half-made move; ``game`` is the one after that.

    What was not chosen by hand is no move that the player could want to take back, nor is any with which somebody has
    lost while others play on: like who has left, they have nothing more to say to it. What the site chooses for a
    player answers no offer; what a client sends does, whoever pressed: ours passes for nobody while an offer waits to
    be read.
    A move that is left brings no increment, or there would be time in beginning moves and leaving them.
    """
    before, seat, version = at.standing, at.seat, at.version + 1
    deciders, earlier = deciding_in(game), deciding_in(at.game)
    decision = at.game.decision_of(seat)
    complete = how != "left" and (game.decision is None or not game.decision.can_take_back)
    began = list(before.began)
    somebody_is_out = len(at.names) > 2 and bool(at.playing - frozenset(game.engine.seats(0)))
    if somebody_is_out:
        began = [NEVER] * len(began)
    elif how == "by hand" and decision is not None and not decision.can_take_back:
        began[seat] = at.version
    kept = deciders & earlier & ~(1 << seat)
    clocks = _clocks_after(at, game, seat, complete=complete)
    offers = tuple(offer for offer in before.offers if offer.what != "takeback" and offer.of != seat)
    if somebody_is_out:
        offers = ()  # as in after_leaving: one that only they had not agreed to waits for nobody
    answers = complete and how != "by site" and seat not in at.computers
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
        turns=turns_after(before.turns, before.clocks, clocks, at.tempo, version),
        decisions=before.decisions + complete,
        backs=0 if complete else before.backs + (how == "left"),
    )


def after_leaving(at: At, game: Game, seat: int) -> Standing:
    """Return what stands after ``seat`` has left the game: all questions are new, as half-made moves are taken back.

    No move from before that is taken back: it would bring back who has lost, and has nothing more to say to it.
    """
    before, version = at.standing, at.version + 1
    clocks = _clocks_after(at, game, seat, complete=False)
    turns = turns_after(before.turns, before.clocks, clocks, at.tempo, version)
    players, free = len(before.asked), before.free & ~(1 << seat)
    asked, began = (version,) * players, (NEVER,) * players
    return structs.replace(before, asked=asked, began=began, clocks=clocks, offers=(), turns=turns, free=free)


def _clocks_after(at: At, game: Game, seat: int, *, complete: bool) -> Clocks | None:
    """Return the clocks after ``seat`` has done something that led to ``game``; None where there are none."""
    clocks = at.standing.clocks
    if clocks is None:
        return None
    running = deciding_in(game) & ~bits_of(at.computers)
    return arithmetic.moved(clocks, at.tempo, seat, running, at.now, complete=complete)


def unchanged(before: Standing, deciders: int, version: int) -> Standing:
    """Return what stands after something at the table that does not concern the game: the same questions."""
    return structs.replace(before, asked=_asked(before.asked, deciders, version))


def declined(before: Standing, offer: Offer) -> Standing:
    """Return what stands once ``offer`` was declined, or taken back; the offers are left as they are."""
    others = tuple(one for one in before.declined if (one.what, one.seat) != (offer.what, offer.seat))
    return structs.replace(before, declined=(*others, Declined(offer.what, offer.seat, before.decisions)))


def _answered_by_playing(offer: Offer, before: Standing, seat: int) -> bool:
    """Return whether ``seat``, which has chosen, has declined a draw or a pause by that.

    It has if it was asked its question after the offer. So nobody keeps one in reserve for when the position, or the
    time left, has become worse.
    """
    return offer.what in ("draw", "pause") and not has(offer.agreed, seat) and before.asked[seat] >= offer.made


def _asked(before: tuple[int, ...], kept: int, version: int) -> tuple[int, ...]:
    return tuple(old if has(kept, seat) else version for seat, old in enumerate(before))
