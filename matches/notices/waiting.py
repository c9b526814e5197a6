"""Matches that wait for somebody, found by looking at the database; and what is told to whom.

Who must decide is ``Match.deciders``; only matches between people count. Whoever has waited for less than
``settings.NOTICE_AFTER_SECONDS`` may still be at the table. Whether a tab is open says nothing and is not asked.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.db.models import CharField, Exists, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Cast, Coalesce
from django.urls import reverse
from django.utils import timezone
from msgspec import Struct

from ccg.outbox.services import post
from matches.clocks import site_time
from matches.clocks import standing as standings
from matches.clocks import tempo as tempos
from matches.clocks.arithmetic import SECOND
from matches.clocks.waiting import is_paused, seats_that_decide, turns_that_run
from matches.models import FOR_ALL, Match, MatchSeat, Move, Outcome
from matches.notices.models import Subscription, Told, Wishes
from matches.orders import services as orders
from matches.storage import database
from matches.storage.seat_sets import seats_of

log = logging.getLogger(__name__)

AT_ONCE = 200
"""Matches, and digests, that one look takes up; the next comes soon."""
ENDS_TOLD_FOR = timedelta(days=1)
DIGEST_EVERY = timedelta(hours=24)
DIGEST_TELLS_OF = timedelta(hours=48)
"""How long ago a match may have ended of which a digest tells: a day, and another while no mail could be sent."""

NEVER = datetime.fromtimestamp(0, UTC)

MAIL_TASK = "matches.notices.mail"
PUSH_TASK = "matches.notices.push"
DIGEST_TASK = "matches.notices.digest"

About = Literal["move", "end", "found", "half", "tenth", "out"]
"""What a notice is about: it is somebody's move, a match is over, a queue has found an opponent, (a reminder in
correspondence) half or a tenth of the time for a turn is left, or the others play on without them."""
REMINDERS: tuple[About, ...] = ("half", "tenth")
OUT: dict[str, str] = {
    Move.Kind.TIME: "Your time has run out in the match against {against}.",
    Move.Kind.CLAIM: "You were away for too long in the match against {against}.",
}
"""How somebody is told that they are out of a match in which the others play on, by the move that took them out."""
OUTCOMES: dict[Outcome, str] = {"Won": "You have won.", "Lost": "You have lost.", "Draw": "Nobody has won."}
FOUND_AFTER = timedelta(minutes=1)
"""Whoever has been at the table by then need not be told that there is one."""


class Notice(Struct, frozen=True):
    """What is told: a title, a sentence, and the address that it leads to.

    Public knowledge alone, and which order of whoever is told was disarmed by what all have seen.
    """

    title: str
    text: str
    url: str


def sweep() -> None:
    """Post notices for matches that have begun to wait, or ended; and digests that are due."""
    write_each(waiting_matches().exclude(told__version=F("version")), lambda match: _post(match, over=False))
    ended = between_people().filter(state=Match.State.FINISHED, changed__gte=timezone.now() - ENDS_TOLD_FOR)
    write_each(ended.filter(Q(told__isnull=True) | Q(told__over=False)), lambda match: _post(match, over=True))
    _post_digests()


def write_each(matches: QuerySet[Match], change: Callable[[Match], None]) -> None:
    """Make the change for each match, in a transaction of its own; one broken match does not stop the others."""
    for match in matches[:AT_ONCE]:
        try:
            database.write(lambda match=match: change(match))  # type: ignore[misc]
        except (OperationalError, InterfaceError):  # The database is away: for all of them.
            raise
        except Exception:
            log.exception("nobody could be told of match %s", match.public_id)


def between_people() -> QuerySet[Match]:
    """Return the matches between people, lessons left out."""
    # Where the computer plays on for somebody who has left, people played from the beginning.
    computers = MatchSeat.objects.filter(match=OuterRef("pk"), kind=MatchSeat.Kind.COMPUTER, stand_in="")
    return Match.objects.defer("saved", "seed").filter(~Exists(computers), lesson="")


def ways_to(seat: MatchSeat) -> Iterator[tuple[str, int]]:
    """Yield the ways by which somebody is told of one match, each with the row that says where."""
    wishes = getattr(seat.user, "notice_wishes", None) or Wishes(user_id=seat.user_id)
    if wishes.mail == Wishes.Mail.ONCE and can_mail(seat.user):
        yield MAIL_TASK, seat.user_id or 0
    for pk in Subscription.objects.filter(user=seat.user_id).values_list("pk", flat=True):
        yield PUSH_TASK, pk


def waiting_matches() -> QuerySet[Match]:
    """Return the matches between people in which somebody has been waited for long enough to be told."""
    since = timezone.now() - timedelta(seconds=settings.NOTICE_AFTER_SECONDS)
    return between_people().filter(state=Match.State.RUNNING, deciders__gt=0, changed__lte=since)


def waiting_for(user_id: int) -> list[Match]:
    """Return the matches that wait for this person, longest first."""
    own = MatchSeat.objects.filter(user=user_id).values("match_id", "number")
    seats = {row["match_id"]: row["number"] for row in own}
    waiting = waiting_matches().filter(pk__in=list(seats)).order_by("changed")
    return [match for match in waiting if match.must_decide(seats[match.pk])]


def over_unseen() -> QuerySet[MatchSeat]:
    """Return the seats of people in matches that have ended lately without them, for the digest to tell of."""
    shortly_before = OuterRef("match__finished") - timedelta(seconds=settings.NOTICE_AFTER_SECONDS)
    there = _of_their_own().filter(match=OuterRef("match"), seat=OuterRef("number"), created__gte=shortly_before)
    ended = between_people().filter(state=Match.State.FINISHED, finished__gt=timezone.now() - DIGEST_TELLS_OF)
    return MatchSeat.objects.filter(~Exists(there), user__isnull=False, match__in=ended.values("pk"))


def out_unseen() -> QuerySet[MatchSeat]:
    """Return the seats of people who were taken ``out`` lately of matches in which the others play on, with when."""
    of_seat = Q(kind=Move.Kind.TIME, seat=OuterRef("number"))
    of_seat |= Q(kind=Move.Kind.CLAIM, option=Cast(OuterRef("number"), CharField()))
    moves = Move.objects.filter(of_seat, match=OuterRef("match"), created__gt=timezone.now() - DIGEST_TELLS_OF)
    running = between_people().filter(state=Match.State.RUNNING, players__gt=2)
    seats = MatchSeat.objects.filter(user__isnull=False, match__in=running.values("pk"))
    return seats.annotate(out=Subquery(moves.values("created")[:1])).filter(out__isnull=False)


def out_for(wishes: Wishes) -> list[MatchSeat]:
    """Return the seats of this person of which their next digest tells that they are out, if they want that."""
    if not wishes.endings:
        return []
    seats = out_unseen().filter(user=wishes.user_id).select_related("match").order_by("out")
    return list(seats.filter(out__gt=wishes.digested) if wishes.digested else seats)


def over_for(wishes: Wishes) -> list[MatchSeat]:
    """Return the seats of this person in matches that their next digest tells the end of, if they want that."""
    if not wishes.endings:
        return []
    seats = over_unseen().filter(user=wishes.user_id).select_related("match").order_by("match__finished")
    return list(seats.filter(match__finished__gt=wishes.digested) if wishes.digested else seats)


def about_of(payload: dict[str, Any]) -> About:
    """Return what the notice of an outbox row is about."""
    about: About | None = payload.get("about")
    if about is None:  # a row from before there were more than two kinds
        return "end" if payload["over"] else "move"
    return about


def notice_of(payload: dict[str, Any], seat: MatchSeat) -> Notice | None:
    """Return what an outbox row tells at ``seat``; None if it is no longer so."""
    about = about_of(payload)
    if about == "move" and _asked(seat.match)[seat.number] > payload["version"]:
        return None
    if about in REMINDERS and payload["turn"] not in _turns_of(seat):
        return None
    return notice_for(seat.match, seat, about)


def notice_for(match: Match, seat: MatchSeat, about: About) -> Notice | None:
    """Return what is to be told at ``seat`` now; None if it is no longer so, or they were there themselves."""
    others = [other.player for other in match.seats.exclude(pk=seat.pk).order_by("number")]
    against = " and ".join([", ".join(others[:-1]), others[-1]] if others[1:] else others)
    url = settings.SITE_ORIGINS[0] + reverse("matches:table", args=[match.public_id])
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


def taken_out(match: Match, since: int = 0) -> dict[int, str]:
    """Return who was taken out of ``match`` after this version, with the kind of the move that did it.

    By their clock, or as others did not wait for them any longer; who concedes knows it.
    """
    moves = match.moves.filter(seq__gt=since, kind__in=list(OUT)).values_list("kind", "seat", "option")
    return {int(option) if kind == Move.Kind.CLAIM else seat: kind for kind, seat, option in moves}


def post_found(match: Match) -> None:
    """Post, inside the transaction that begins ``match``, that everybody at its table has an opponent."""
    for seat in match.seats.filter(user__isnull=False).select_related("user", "user__notice_wishes"):
        for task, what in ways_to(seat):
            key = f"{task}:{match.public_id}:found:{seat.number}:{what}"
            payload = {"match": match.public_id, "seat": seat.number, "about": "found", "to": what}
            post(task, payload, key=key, delay=FOUND_AFTER)


def is_news(match: Match, seat: MatchSeat) -> bool:
    """Return whether a queue by correspondence has begun ``match``, and who sits at ``seat`` has not been there yet."""
    return match.from_queue and seat.seen is None and tempos.read(match.tempo).kind == "correspondence"


def is_digest_due(wishes: Wishes) -> bool:
    """Return whether the last digest was sent so long ago that the next one may go out."""
    return wishes.digested is None or wishes.digested <= timezone.now() - DIGEST_EVERY


def reaches(user: Any) -> bool:
    """Return whether a notice reaches ``user`` by any way."""
    wishes = Wishes.objects.filter(user=user, mail=Wishes.Mail.ONCE)
    return (can_mail(user) and wishes.exists()) or Subscription.objects.filter(user=user).exists()


def visited(user: Any) -> None:
    """Somebody has been here: the next mail may be sent. Writes only where one was sent since."""
    if user.is_authenticated and Wishes.objects.filter(user=user, mailed__isnull=False).exists():
        Wishes.objects.filter(user=user).update(mailed=None)


def has_been_here(user_id: int, since: Any, until: Any = None) -> bool:
    """Return whether this person has done anything in that time, in a tab that has been open all the time, say.

    Without ``until``, up to now.
    """
    seats = MatchSeat.objects.filter(user=user_id, match=OuterRef("match"), number=OuterRef("seat"))
    done = _of_their_own().filter(Exists(seats), created__gt=since)
    return (done if until is None else done.filter(created__lte=until)).exists()


# -- inside


def _post(match: Match, *, over: bool) -> None:
    """Post what everybody who is meant wants to get, and note that it is told; all of it or nothing."""
    before = Told.objects.filter(match=match).values_list("version", flat=True).first()
    Told.objects.update_or_create(match=match, defaults={"version": match.version, "over": over})
    seats = match.seats.filter(user__isnull=False).select_related("user", "user__notice_wishes")
    for seat in seats if over else seats.filter(number__in=_newly_waited_for(match, before)):
        for task, what in _wanted(seat, over):
            key = f"{task}:{match.public_id}:{'end' if over else match.version}:{seat.number}:{what}"
            payload = {"match": match.public_id, "version": match.version, "seat": seat.number}
            post(task, {**payload, "about": "end" if over else "move", "to": what}, key=key)
    if not over and match.players > 2:
        _post_out(match, before or 0)


def _newly_waited_for(match: Match, told: int | None) -> list[int]:
    """Return the seats that are waited for and have not been told so, with version ``told`` or before.

    Whose question stands since then has been told of it, whatever others have chosen at the same time. In a pause
    nobody is waited for; once it is over all are told, as they may rely on it and clocks go on.
    """
    standing = standings.read(bytes(match.standing), match.players, match.version)
    if standing.paused:
        return []
    since = {seat: max(standing.asked[seat], standing.resumed) for seat in seats_of(match.deciders)}
    return [seat for seat in since if told is None or since[seat] > told]


def _post_out(match: Match, told: int) -> None:
    """Post who was taken out since version ``told``: the end, which all are told of, may be weeks away."""
    out = taken_out(match, told)
    for seat in match.seats.filter(number__in=out, user__isnull=False).select_related("user", "user__notice_wishes"):
        for task, what in _wanted(seat, over=True):
            key = f"{task}:{match.public_id}:out:{seat.number}:{what}"
            post(task, {"match": match.public_id, "seat": seat.number, "about": "out", "to": what}, key=key)


def _asked(match: Match) -> tuple[int, ...]:
    """Return for each seat the version with which its question was put."""
    return standings.read(bytes(match.standing), match.players, match.version).asked


def _wanted(seat: MatchSeat, over: bool) -> Iterator[tuple[str, int]]:
    """Yield the ways by which somebody wants to be told, each with the row that says where."""
    wishes = getattr(seat.user, "notice_wishes", None) or Wishes(user_id=seat.user_id)
    if not over or wishes.endings:
        yield from ways_to(seat)


def can_mail(user: Any) -> bool:
    """Return whether this site sends mail and ``user`` has a confirmed address and may sign in.

    An address that is mistyped is somebody else's, who has not asked to hear of matches.
    """
    return bool(settings.EMAIL_HOST and user.is_active and user.has_confirmed_address)


def _was_there(match: Match, seat: MatchSeat) -> bool:
    """Return whether somebody chose something themselves a moment ago, or shortly before the end."""
    ended = match.finished or timezone.now()
    since = ended - timedelta(seconds=settings.NOTICE_AFTER_SECONDS)
    return _of_their_own().filter(match=match, seat=seat.number, created__gte=since).exists()


def _of_their_own() -> QuerySet[Move]:
    """Return the moves that a player has made; not what clocks, orders or whoever runs the site do at their seat."""
    ours = Q(kind__in=[Move.Kind.TIME, Move.Kind.VACATION]) | Q(kind=Move.Kind.CONCEDE, option__startswith=FOR_ALL)
    return Move.objects.exclude(ours).exclude(orders.by_site())


def _post_digests() -> None:
    now = timezone.now()
    due = Wishes.objects.filter(Q(digested__isnull=True) | Q(digested__lte=now - DIGEST_EVERY), mail=Wishes.Mail.DAILY)
    deciding = seats_that_decide().filter(match__in=waiting_matches())
    over = over_unseen().filter(user=OuterRef("user"), match__finished__gt=Coalesce(OuterRef("digested"), Value(NEVER)))
    out = out_unseen().filter(user=OuterRef("user"), out__gt=Coalesce(OuterRef("digested"), Value(NEVER)))
    wanted = Q(user__in=deciding.values("user")) | Q(Exists(over) | Exists(out), endings=True)
    posted = 0
    for wishes in due.filter(wanted).select_related("user").iterator():
        if can_mail(wishes.user):
            # With the day: one that never went out would else be all that is ever posted.
            key = f"{DIGEST_TASK}:{wishes.user_id}:{wishes.digested or 'first'}:{now:%Y-%m-%d}"
            # Whoever cannot be reached stays due for ever, and must not take the place of others.
            posted += post(DIGEST_TASK, {"user": wishes.user_id}, key=key)
        if posted == AT_ONCE:
            return
