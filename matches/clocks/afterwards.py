"""What stands at a table after something was done there: a move, or that somebody left. All functions only compute."""

from __future__ import annotations

from msgspec import structs

from ccg.rules import Game
from matches.clocks import arithmetic
from matches.clocks.standing import NEVER, Declined, Offer, Standing, turns_after
from matches.clocks.tempo import Tempo
from matches.storage.seat_sets import bits_of, deciding_in, has


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
        turns=turns_after(before.turns, before.clocks, clocks, tempo, version),
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
    turns = turns_after(before.turns, before.clocks, clocks, tempo, version)
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


def _answered_by_playing(offer: Offer, before: Standing, seat: int) -> bool:
    """Return whether ``seat``, which has chosen, has declined a draw or a pause by that.

    It has if it was asked its question after the offer. So nobody keeps one in reserve for when the position, or the
    time left, has become worse.
    """
    return offer.what in ("draw", "pause") and not has(offer.agreed, seat) and before.asked[seat] >= offer.made


def _asked(before: tuple[int, ...], kept: int, version: int) -> tuple[int, ...]:
    return tuple(old if has(kept, seat) else version for seat, old in enumerate(before))
