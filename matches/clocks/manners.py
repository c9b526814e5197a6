"""What players do at a table besides playing: offers and their answers, pauses, claims; and what the clock does.

:func:`do` computes what comes of it: the game, what stands at the table, and what is told. Who has a seat, what was
asked before and storing it are the business of ``matches.playing.moves``.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, structs

from ccg.rules import EventView, Game
from ccg.rules.game import DrawReason
from matches.clocks import arithmetic
from matches.clocks.afterwards import after_leaving, declined, unchanged
from matches.clocks.arithmetic import Clocks
from matches.clocks.at import At
from matches.clocks.standing import (
    ANSWERED_WITHIN,
    LONGEST_PAUSE,
    MOST_OFFERS,
    NEVER,
    NOBODY,
    OFFERED_AGAIN_AFTER,
    Offer,
    Standing,
    What,
    offers_of,
    one_more_offered,
)
from matches.models import AGREED_DRAW, TAKEBACK, Move, draw_option
from matches.protocol.messages import Agree, Claim, Concede, Decline, OfferIt, RefusalCode, Resume
from matches.storage import stored_events
from matches.storage.seat_sets import bits_of, deciding_in, has, seats_of

OUT_OF_TIME = "Your time has run out."
PAUSE_UNANSWERED = "The pause is over, and you have not asked to go on while it lasted."

SEATS = ("computer", "substitute")
"""What is offered for the seat of somebody who is away, at tables of three and more."""

SENTENCES: dict[str, str] = {
    "offer draw": "{player} offers a draw.",
    "offer pause": "{player} offers a pause.",
    "offer takeback": "{player} asks to take their last move back.",
    "agree draw": "{player} agrees to a draw.",
    "agree pause": "{player} agrees to a pause.",
    "agree takeback": "{player} agrees that the move is taken back.",
    "declined draw": "No draw: {player} declines.",
    "declined pause": "No pause: {player} declines.",
    "declined takeback": "The move stays: {player} declines.",
    "withdrawn draw": "{player} takes the offer of a draw back.",
    "withdrawn pause": "{player} takes the offer of a pause back.",
    "withdrawn takeback": "{player} lets their move stand.",
    "paused": "The match is paused.",
    "offer resume": "{player} wants to go on.",
    "resume": "{player} ends the pause.",
    "pause over": "The pause is over.",
    "pause unanswered": "The pause is over, and {player} has not asked to go on.",
    "vacation begins": "{player} is on vacation: their clock stands still.",
    "vacation ends": "{player} is back from vacation.",
    "offer computer": "{player} proposes that the computer plays on for {other}.",
    "offer substitute": "{player} proposes that somebody else plays on for {other}.",
    "agree computer": "{player} agrees that the computer plays on for {other}.",
    "agree substitute": "{player} agrees that somebody else plays on for {other}.",
    "declined computer": "{player} declines that the computer plays on for {other}.",
    "declined substitute": "{player} declines that somebody else plays on for {other}.",
    "withdrawn computer": "{player} does not propose the computer any more.",
    "withdrawn substitute": "{player} does not propose somebody else any more.",
    "seat free": "Whoever has the link of the invitation may play on for {other}.",
    "seat left": "{other} has left the table, and somebody else plays on.",
    "seat left to the computer": "{other} has left the table, and the computer plays on.",
    "taken back": "The table is again as it was before the last move of {player}.",
}
"""What is told of it; the first word is the ``kind`` of the event, as far as that is one word."""


class EndInDraw(Struct, frozen=True):
    """What no player can ask for: the match ends without winner or loser. It is stored as a concession of all."""

    id: str
    why: DrawReason = "draw"


class ClockStrikes(Struct, frozen=True):
    """What no player can ask for: a clock has run out, or a pause has lasted too long."""

    id: str


class Vacation(Struct, frozen=True):
    """What ``matches.runners.vacation_moves`` does for a player: their vacation begins (``away``) or ends."""

    id: str
    away: bool


class StandIn(Struct, frozen=True):
    """What ``matches.seats.stand_ins`` does for somebody who takes the seat of a player who is away."""

    id: str
    seat: int
    user: int
    name: str


Manner = StandIn | Concede | EndInDraw | ClockStrikes | Vacation | OfferIt | Agree | Decline | Resume | Claim
"""Everything that is done at any time, and not in answer to a question of the game."""


GOES_ALWAYS = (Concede, EndInDraw, ClockStrikes)
"""What is done also at a seat whose time has run out: all else would save it from what comes of that."""


class Done(Struct, frozen=True):
    """What came of it, to be stored; ``option`` says of what kind more exactly."""

    kind: str
    option: str
    seat: int
    game: Game
    standing: Standing
    events: bytes
    stand_in: StandIn | int | None = None
    """Who plays on in another one's seat from now on; a number for the computer, in that seat."""


class NotAllowed(Exception):
    """It cannot be done; nothing has changed."""

    def __init__(self, message: str, code: RefusalCode = "not_allowed") -> None:
        super().__init__(message)
        self.code: RefusalCode = code
        self.message = message


def do(at: At, command: Manner) -> Done:
    """Return what comes of ``command``; raises :class:`NotAllowed`, or ``ccg.rules.IllegalOption`` for a concession."""
    if not isinstance(command, GOES_ALWAYS):
        seat = command.seat if isinstance(command, StandIn) else at.seat
        refuse_out_of_time(at.standing, seat, at.now)
        if at.seat in _unanswered(at):
            raise NotAllowed(PAUSE_UNANSWERED, "out_of_time")
    return _done(at, command)


def _done(at: At, command: Manner) -> Done:
    match command:
        case Concede():
            return _leave(at, at.seat, Move.Kind.CONCEDE, "", at.seat, "concede")
        case EndInDraw():
            game = at.game.trial()
            events = stored_events.pack(game, game.draw(command.why), len(at.names))
            standing = after_leaving(at, game, at.seat)
            return Done(Move.Kind.CONCEDE, draw_option(command.why), at.seat, game, standing, events)
        case ClockStrikes():
            return _strike(at)
        case Vacation():
            return _vacation(at, away=command.away)
        case OfferIt():
            return _offer(at, command.what, command.seat)
        case StandIn():
            return _stand_in(at, command)
        case Agree():
            return _agree(at, command.what)
        case Decline():
            return _decline(at, command.what)
        case Resume():
            return _resume(at)
        case Claim():
            return _claim(at, command.seat)


def refuse_out_of_time(standing: Standing, seat: int, now: int) -> None:
    """Raise :class:`NotAllowed` (``out_of_time``) if the time of ``seat`` has run out, which a sweep will find."""
    if standing.clocks is not None and seat in arithmetic.out_of_time(standing.clocks, now):
        raise NotAllowed(OUT_OF_TIME, "out_of_time")


def may_offer(at: At) -> list[What]:
    """Return what the player at ``at.seat`` may offer now."""
    if at.game.result is not None or at.seat not in at.playing:
        return []
    offers: tuple[What, ...] = ("draw", "pause", "takeback")
    return [what for what in offers if _against(at, what) is None]


def needs_earlier(at: At, command: Manner) -> int | None:
    """Return the version to which ``command`` would bring the table back, None if it would not."""
    match command:
        case OfferIt(what="takeback") if at.playing == {at.seat} and _against(at, "takeback") is None:
            return at.standing.began[at.seat]
        case Agree(what="takeback") if (offer := at.standing.offer("takeback")) is not None:
            wanted = offer.agreed | 1 << at.seat
            return at.standing.began[offer.seat] if _all_agree(at, wanted, offer.of) else None
    return None


def _strike(at: At) -> Done:
    clocks = at.standing.clocks
    if clocks is not None and clocks.paused and at.now >= at.standing.paused_until:
        return _lapse(at)
    out = arithmetic.out_of_time(clocks, at.now) if clocks is not None else ()
    if clocks is None or not out:
        raise NotAllowed("No clock has run out.")
    # Players who are asked at once have run out at once where none of them has ever come: nobody has won by that.
    if len(out) > 1 and len({arithmetic.left(clocks, seat, at.now) for seat in at.game.engine.seats(0)}) == 1:
        return do(at, EndInDraw(id="", why="abandoned"))
    return _leave(at, out[0], Move.Kind.TIME, "", out[0], "time")


def _lapse(at: At) -> Done:
    """Let a pause end by itself, or take out one of those who have not answered; the next sweep finds the next one.

    Whoever has asked in vain is seldom there at that moment. If the clocks went on now, they could be claimed out by
    somebody who has only waited for it.
    """
    unanswered = _unanswered(at)
    if not unanswered:
        return _go_on(at, "pause over")
    leaver, by = min(unanswered), min(at.playing - unanswered)
    done = _leave(at, leaver, Move.Kind.CLAIM, str(leaver), by, "absent")
    told = [_sentence(at, "pause unanswered", leaver)]
    return structs.replace(done, events=stored_events.with_told(told, done.events))


def _unanswered(at: At) -> frozenset[int]:
    """Return who has not asked to go on though others have, in a live pause that is to end by itself now.

    By correspondence there are none: there the clocks go on with days for a turn, and nobody is claimed out.
    """
    if not at.standing.paused or at.tempo.kind != "live" or at.now < at.standing.paused_until:
        return frozenset()
    asked = at.playing & set(seats_of(at.standing.resuming))
    return at.playing - asked if asked else frozenset()


def _leave(at: At, leaver: int, kind: str, option: str, by: int, why: Literal["concede", "time", "absent"]) -> Done:
    game = at.game.trial()
    events = stored_events.pack(game, game.concede(leaver, why), len(at.names))
    standing = after_leaving(at, game, leaver)
    staying = at.people & frozenset(game.engine.seats(0))
    if standing.paused and game.result is None and staying <= set(seats_of(standing.resuming)):
        # Who has left was the only one who had not asked to go on.
        standing = _gone_on(standing, at)
        events = stored_events.with_told_after(events, [_sentence(at, "pause over", None)])
    return Done(kind, option, by, game, standing, events)


def _claim(at: At, away: int) -> Done:
    if at.seat not in at.playing:
        raise NotAllowed("Only a player who is still in the game can take another one out.")
    if away not in at.claimable:
        raise NotAllowed("This player is not away, or has not been for long enough.")
    return _leave(at, away, Move.Kind.CLAIM, str(away), at.seat, "absent")


def _against(at: At, what: What, of: int | None = None) -> str | None:
    """Return why ``what`` (for the seat ``of``) cannot be offered now, None if it can."""
    if at.standing.offer(what) is not None:
        return "This has been offered already."
    if offers_of(at.standing, at.seat) >= MOST_OFFERS:
        return f"You have offered something {MOST_OFFERS} times in this match, and that is the most."
    if what in SEATS:
        return _against_another(at, what, of)
    if what == "draw" and at.playing == {at.seat}:
        return "The computer does not agree to draws. You can concede."
    if what == "pause" and (not at.tempo.timed or at.standing.paused):
        return "There are no clocks that could be stopped."
    if what == "takeback" and at.rated:
        return "At a rated table a move is taken back only while it is half made."
    if what == "takeback" and at.standing.began[at.seat] == NEVER:
        return "There is no move of yours that could be taken back."
    for one in at.standing.declined:
        again_from = one.decisions + OFFERED_AGAIN_AFTER
        if (one.what, one.seat) == (what, at.seat) and at.standing.decisions < again_from:
            return "This was declined a moment ago. Play on a little before you offer it again."
    return None


def _against_another(at: At, what: What, of: int | None) -> str | None:
    """Return why the computer, or somebody else, cannot play on in the seat ``of``, None if they can."""
    if len(at.names) < 3:
        claim = " You can claim the match." if of in at.claimable else ""
        return f"At a table of two nobody else plays on.{claim}"
    if of is None or of == at.seat or of not in at.claimable:
        return "This player is not away, or has not been for long enough."
    if what == "substitute" and has(at.standing.free, of):
        return "All have agreed to that: whoever has the link of the invitation may play on."
    return None


def _offer(at: At, what: What, of: int | None) -> Done:
    if at.seat not in at.playing:
        raise NotAllowed("Only a player who is still in the game can offer anything.")
    against = _against(at, what, of)
    if against is not None:
        raise NotAllowed(against)
    at = structs.replace(at, standing=one_more_offered(at.standing, at.seat))
    of = of if what in SEATS and of is not None else NOBODY
    offer = Offer(what, at.seat, 1 << at.seat, of, at.version + 1)
    if _all_agree(at, offer.agreed, offer.of):
        return _agreed(at, offer, [])
    standing = _with_offers(at, (*at.standing.offers, offer))
    return _told(at, Move.Kind.OFFER, what, standing, f"offer {what}", offer.of)


def _agree(at: At, what: What) -> Done:
    offer = at.standing.offer(what)
    if offer is None:
        raise NotAllowed("This is not offered any more.")
    if at.seat not in at.playing or has(offer.agreed, at.seat) or at.seat == offer.of:
        raise NotAllowed("You have agreed to this already, or are no longer in the game.")
    offer = structs.replace(offer, agreed=offer.agreed | 1 << at.seat)
    told = [_sentence(at, f"agree {what}", at.seat, offer.of)]
    if _all_agree(at, offer.agreed, offer.of):
        return _agreed(at, offer, told)
    others = tuple(one for one in at.standing.offers if one.what != what)
    return _told(at, Move.Kind.AGREE, what, _with_offers(at, (*others, offer)), f"agree {what}", offer.of)


def _all_agree(at: At, agreed: int, of: int) -> bool:
    """Return whether all people have agreed who are still in the game; whose seat it is about is not asked."""
    return at.playing - {of} <= set(seats_of(agreed))


def _agreed(at: At, offer: Offer, told: list[EventView]) -> Done:
    """Do what all have agreed to."""
    match offer.what:
        case "draw":
            game = at.game.trial()
            events = stored_events.pack(game, game.draw("agreed"), len(at.names))
            standing = after_leaving(at, game, at.seat)
            return Done(Move.Kind.AGREE, AGREED_DRAW, at.seat, game, standing, stored_events.with_told(told, events))
        case "pause":
            clocks = at.standing.clocks
            assert clocks is not None
            left = tuple(one for one in at.standing.offers if one.what != "pause")
            standing = structs.replace(
                _with_offers(at, left),
                clocks=arithmetic.pause(clocks, at.now),
                paused_until=at.now + LONGEST_PAUSE[at.tempo.kind] * arithmetic.SECOND,
            )
            events = stored_events.pack_told([*told, _sentence(at, "paused", None)])
            return Done(Move.Kind.AGREE, "pause agreed", at.seat, at.game, standing, events)
        case "takeback":
            return _take_back(at, offer.seat, told)
        case "computer" | "substitute":
            if offer.of not in at.claimable:
                raise NotAllowed("This player is back.")
            return _free(at, offer, told) if offer.what == "substitute" else _to_computer(at, offer, told)


def _free(at: At, offer: Offer, told: list[EventView]) -> Done:
    """Let anybody who has the link take a seat."""
    left = tuple(one for one in at.standing.offers if one.what != offer.what)
    standing = structs.replace(_with_offers(at, left), free=at.standing.free | 1 << offer.of)
    events = stored_events.pack_told([*told, _sentence(at, "seat free", None, offer.of)])
    return Done(Move.Kind.AGREE, f"{offer.what} agreed", at.seat, at.game, standing, events)


def _to_computer(at: At, offer: Offer, told: list[EventView]) -> Done:
    """Let the computer play on in a seat: its clock stands still, and it has no vacation."""
    standing = _reseated(at, offer.of)
    if standing.clocks is not None:
        bit = 1 << offer.of
        clocks = structs.replace(standing.clocks, running=standing.clocks.running & ~bit)
        standing = structs.replace(standing, clocks=clocks)
    events = stored_events.pack_told([*told, _sentence(at, "seat left to the computer", None, offer.of)])
    return Done(
        Move.Kind.AGREE, f"{offer.what} {offer.of}", at.seat, at.game, standing, events, stand_in=offer.of
    )  # fmt: skip


def _stand_in(at: At, command: StandIn) -> Done:
    """Let somebody else play on in a free seat, with what is left on its clock."""
    if not has(at.standing.free, command.seat) or command.seat not in at.playing:
        raise NotAllowed("This seat is not free any more.")
    if command.seat not in at.claimable:
        # Whoever thinks about their move has not chosen yet, and is there all the same. And as the site was down, or
        # another one has conceded, nobody has been waited for so long.
        raise NotAllowed("The player of this seat is back, or may be: it can be taken once they were away for long.")
    events = stored_events.pack_told([_sentence(at, "seat left", None, command.seat)])
    standing = _reseated(at, command.seat)
    return Done(Move.Kind.SEAT, str(command.seat), command.seat, at.game, standing, events, stand_in=command)


def _reseated(at: At, seat: int) -> Standing:
    """Return what stands once somebody else plays on in ``seat``: all that was about who sat there is gone."""
    standing = _with_offers(at, tuple(one for one in at.standing.offers if seat not in (one.seat, one.of)))
    clocks = standing.clocks
    if clocks is not None:
        clocks = arithmetic.vacation(clocks, seat, at.now, away=False)
    free = standing.free & ~(1 << seat)
    return structs.replace(standing, clocks=clocks, free=free, seated=at.version + 1)


def _take_back(at: At, seat: int, told: list[EventView]) -> Done:
    """Return to the version on which ``seat`` began its last move: the game and the clocks as they were then."""
    earlier = at.earlier
    if earlier is None:
        raise NotAllowed("There is no move that could be taken back.")
    version = at.version + 1
    clocks = earlier.standing.clocks
    standing = structs.replace(
        earlier.standing,
        asked=(version,) * len(at.names),
        clocks=_restored(at, clocks) if clocks is not None else None,
        free=at.standing.free,
        seated=at.standing.seated,
        paused_until=at.standing.paused_until,
        resuming=at.standing.resuming,
        resumed=at.standing.resumed,
        offers=tuple(one for one in at.standing.offers if one.what != "takeback"),
        declined=at.standing.declined,
        decisions=at.standing.decisions,
        offered=at.standing.offered,
    )
    events = stored_events.pack_told([*told, _sentence(at, "taken back", seat)])
    return Done(Move.Kind.AGREE, f"{TAKEBACK}{earlier.version}", at.seat, earlier.game, standing, events)


def _decline(at: At, what: What) -> Done:
    offer = at.standing.offer(what)
    if offer is None:
        raise NotAllowed("This is not offered any more.")
    if at.seat not in at.playing:
        raise NotAllowed("Only a player who is still in the game can answer an offer.")
    others = tuple(one for one in at.standing.offers if one.what != what)
    standing = _with_offers(at, others)
    sentence = f"withdrawn {what}" if offer.seat == at.seat else f"declined {what}"
    standing = declined(standing, offer)
    return _told(at, Move.Kind.DECLINE, what, standing, sentence, offer.of)


def _resume(at: At) -> Done:
    """Let a player ask to go on, which is done once all have asked: who is away relies on what was agreed."""
    if not at.standing.paused:
        raise NotAllowed("The match is not paused.")
    if at.seat not in at.playing:
        raise NotAllowed("Only a player who is still in the game can end a pause.")
    resuming = at.standing.resuming | 1 << at.seat
    if _all_agree(at, resuming, NOBODY):
        return _go_on(at, "resume")
    if resuming == at.standing.resuming:
        raise NotAllowed("You have asked for it already. The match goes on once all others have, too.")
    until = at.standing.paused_until
    if at.tempo.kind == "live" and not at.standing.resuming:
        until = max(until, at.now + ANSWERED_WITHIN * arithmetic.SECOND)
    standing = structs.replace(_with_offers(at, at.standing.offers), resuming=resuming, paused_until=until)
    return _told(at, Move.Kind.RESUME, "", standing, "offer resume")


def _go_on(at: At, sentence: Literal["resume", "pause over"]) -> Done:
    standing = _gone_on(_with_offers(at, at.standing.offers), at)
    return _told(at, Move.Kind.RESUME, "", standing, sentence)


def _gone_on(standing: Standing, at: At) -> Standing:
    """Return what stands once a pause is over."""
    assert standing.clocks is not None
    return structs.replace(
        standing, clocks=arithmetic.resume(standing.clocks, at.now), resuming=0, resumed=at.version + 1
    )


def _vacation(at: At, *, away: bool) -> Done:
    clocks = at.standing.clocks
    if clocks is None or has(clocks.away, at.seat) == away or at.seat not in at.playing:
        raise NotAllowed("Nothing changes here.")
    clocks = arithmetic.vacation(clocks, at.seat, at.now, away=away)
    standing = structs.replace(_with_offers(at, at.standing.offers), clocks=clocks)
    word = "begins" if away else "ends"
    return _told(at, Move.Kind.VACATION, word, standing, f"vacation {word}")


def _restored(at: At, then: Clocks) -> Clocks:
    """Return the clocks of then, with whoever is on vacation now, and none for seats that computers have by now.

    A pause goes on: it is not over until all have asked for that.
    """
    away = at.standing.clocks.away if at.standing.clocks is not None else 0
    clocks = arithmetic.restored(then, at.now, away)
    return structs.replace(clocks, running=clocks.running & ~bits_of(at.computers), paused=at.standing.paused)


def _with_offers(at: At, offers: tuple[Offer, ...]) -> Standing:
    """Return what stands with these offers, and with the game as it is."""
    same = unchanged(at.standing, deciding_in(at.game), at.version + 1)
    return structs.replace(same, offers=offers)


def _told(at: At, kind: str, option: str, standing: Standing, sentence: str, of: int = NOBODY) -> Done:
    """Return what is done to the table and not to the game; ``of`` is whose seat it is about."""
    who = None if sentence == "pause over" else at.seat
    return Done(kind, option, at.seat, at.game, standing, stored_events.pack_told([_sentence(at, sentence, who, of)]))


def _sentence(at: At, which: str, seat: int | None, of: int = NOBODY) -> EventView:
    player, other = (at.name(one) if one is not None and one != NOBODY else "" for one in (seat, of))
    text = SENTENCES[which].format(player=player, other=other)
    return EventView(kind=kind_of(which), text=text, player=seat)


def kind_of(sentence: str) -> str:
    """Return the kind of the event that has this sentence: the first word for what is offered, else all of it."""
    first = sentence.split(maxsplit=1)[0]
    return first if first in ("offer", "agree", "declined", "withdrawn", "vacation") else sentence
