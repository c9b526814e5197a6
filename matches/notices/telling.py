"""What somebody is told of a match while they are away, as it is now: public knowledge in one sentence."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Literal

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from msgspec import Struct

from matches.clocks import site_time
from matches.clocks import standing as standings
from matches.clocks import tempo as tempos
from matches.clocks.arithmetic import SECOND
from matches.clocks.waiting import is_paused, turns_that_run
from matches.models import LeftSeat, Match, MatchSeat, Move, Outcome
from matches.notices import waiting
from matches.orders import services as orders

About = Literal["move", "end", "found", "half", "tenth", "out"]
"""What a notice is about: it is somebody's move, a match is over, a queue has found an opponent, (a reminder in
correspondence) half or a tenth of the time for a turn is left, or the others play on without them. Whoever has left
their seat to somebody else is told of the last of these, and of the end."""
REMINDERS: tuple[About, ...] = ("half", "tenth")
AWAY_TOO_LONG = "You were away for too long in the match against {against}."
OUT: dict[str, str] = {
    Move.Kind.TIME: "Your time has run out in the match against {against}.",
    Move.Kind.CLAIM: AWAY_TOO_LONG,
    "": "You have lost the match against {against}.",
}
"""How somebody is told that they are out of a match in which the others play on, by the move that took them out; "" for
all others, with which they have lost by the rules."""
OUTCOMES: dict[Outcome, str] = {"Won": "You have won.", "Lost": "You have lost.", "Draw": "Nobody has won."}


class Notice(Struct, frozen=True):
    """What is told: a title, a sentence, and the address that it leads to.

    Public knowledge alone, and which order of whoever is told was disarmed by what all have seen.
    """

    title: str
    text: str
    url: str


def about_of(payload: dict[str, Any]) -> About:
    """Return what the notice of an outbox row is about."""
    about: About | None = payload.get("about")
    if about is None:  # a row from before there were more than two kinds
        return "end" if payload["over"] else "move"
    return about


def seat_of(payload: dict[str, Any], user_id: int) -> MatchSeat | LeftSeat | None:
    """Return the seat about which an outbox row tells this person; None if it is not, or was not, theirs any more."""
    if "left" in payload:
        return LeftSeat.objects.select_related("match").filter(pk=payload["left"], user=user_id).first()
    seats = MatchSeat.objects.select_related("match").filter(match__public_id=payload["match"], user=user_id)
    return seats.filter(number=payload["seat"]).first()


def notice_of(payload: dict[str, Any], seat: MatchSeat | LeftSeat) -> Notice | None:
    """Return what an outbox row tells at ``seat``; None if it is no longer so."""
    about = about_of(payload)
    if isinstance(seat, LeftSeat):
        return notice_to_leaver(seat, about)
    if about == "move" and _asked(seat.match)[seat.number] > payload["version"]:
        return None
    if about in REMINDERS and payload["turn"] not in _turns_of(seat):
        return None
    return notice_for(seat.match, seat, about)


def notice_for(match: Match, seat: MatchSeat, about: About) -> Notice | None:
    """Return what is to be told at ``seat`` now; None if it is no longer so, or they were there themselves."""
    against, url = _against(match, seat.number), _address("matches:table", match)
    running, decides = match.state == Match.State.RUNNING, match.must_decide(seat.number)
    match about:
        case "half" | "tenth":
            if not decides or _was_there(match, seat):
                return None
            return Notice("Time runs out", f"Your match against {against} waits for you.{_left(match, seat)}", url)
        case "move":
            if not decides or is_paused(match):
                return None
            text = f"Your match against {against} waits for you.{_left(match, seat)}"
            return Notice("Your move", f"{text} {orders.disarmed(match.pk, seat.number)}".rstrip(), url)
        case "found":
            if not running or seat.seen is not None:
                return None
            first = f"It is your move.{_left(match, seat)}" if decides else "They move first."
            return Notice("An opponent was found", f"Your match against {against} has begun. {first}", url)
        case "out":
            kind = taken_out(match).get(seat.number)
            if not running or kind is None:
                return None
            text = f"{OUT[kind].format(against=against)} You are out of it, and the others play on."
            return Notice("You are out of your match", text, url)
    if match.state != Match.State.FINISHED or _was_there(match, seat):
        return None
    return Notice(
        "Your match is over", f"Your match against {against} is over. {OUTCOMES[match.outcome(seat.number)]}", url
    )


def notice_to_leaver(left: LeftSeat, about: About) -> Notice | None:
    """Return what is to be told now to somebody in whose seat another one plays on; None if it is no longer so."""
    match, seat = left.match, left.match.seats.get(number=left.seat)
    if match.seats.filter(user=left.user_id).exists():
        return None  # they are back
    against = _against(match, left.seat)
    who = "the computer" if seat.kind == MatchSeat.Kind.COMPUTER else "another player"
    if about == "out" and match.state == Match.State.RUNNING:
        url = _address("matches:table", match) if match.watchable else _address("matches:mine")
        text = f"{AWAY_TOO_LONG.format(against=against)} You are out of it, and {who} plays on in your place."
        return Notice("You are out of your match", text, url)
    if about == "end" and match.state == Match.State.FINISHED:
        text = f"The match against {against} that you had left is over; {who} played on in your place."
        return Notice("A match that you had left is over", text, _address("replays:replay", match))
    return None


def taken_out(match: Match, since: int = 0) -> dict[int, str]:
    """Return who was out of ``match`` after this version, with what took them out, as :data:`OUT` has it.

    By their clock, as others waited for them no longer, or by the rules while they were away; who concedes knows it.
    """
    out = waiting.out_while_away().filter(match=match, out_at__gt=since)
    return {number: kind if own else "" for number, kind, own in out.values_list("number", "did", "own")}


def is_news(match: Match, seat: MatchSeat) -> bool:
    """Return whether a queue by correspondence has begun ``match``, and who sits at ``seat`` has not been there yet."""
    return match.from_queue and seat.seen is None and tempos.read(match.tempo).kind == "correspondence"


def _against(match: Match, number: int) -> str:
    """Return the names of those who play against the seat ``number``."""
    others = [other.player for other in match.seats.exclude(number=number).order_by("number")]
    return " and ".join([", ".join(others[:-1]), others[-1]] if others[1:] else others)


def _address(page: str, match: Match | None = None) -> str:
    return settings.SITE_ORIGINS[0] + reverse(page, args=[match.public_id] if match is not None else [])


def _turns_of(seat: MatchSeat) -> list[int]:
    """Return the turn in which the clock of ``seat`` runs, by the version that began it; none if it stands still."""
    return [one.turn.began for one in turns_that_run(seat.match) if one.seat == seat.number]


def _left(match: Match, seat: MatchSeat) -> str:
    """Return a sentence that says how much time is left in correspondence, after a space; "" for any other match."""
    until = [one.until for one in turns_that_run(match) if one.seat == seat.number]
    if not until or tempos.read(match.tempo).kind != "correspondence":
        return ""
    left = max(0, until[0] - site_time.now())
    return f" You have {tempos.roughly(left // SECOND)} left."


def _asked(match: Match) -> tuple[int, ...]:
    """Return for each seat the version with which its question was put."""
    return standings.read(bytes(match.standing), match.players, match.version).asked


def _was_there(match: Match, seat: MatchSeat) -> bool:
    """Return whether somebody chose something themselves a moment ago, or shortly before the end."""
    ended = match.finished or timezone.now()
    since = ended - timedelta(seconds=settings.NOTICE_AFTER_SECONDS)
    return waiting.of_their_own().filter(match=match, seat=seat.number, created__gte=since).exists()
