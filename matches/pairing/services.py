"""Joining a queue, waiting in it, and pairing those who wait.

Nobody pairs in the background: who waits asks every few seconds, and whoever asks first after a moment looks through
the queue for all. Which pairs are chosen is decided without locks, and may be out of date; each pair then begins its
match in a transaction of its own, which locks both rows and looks again. So any number of processes may do it at once,
and one that dies leaves every row either waiting or with its match.

Whoever waits for a match by correspondence keeps no page open: those queues are looked through when somebody joins, and
by a sweep (:func:`sweep`), and notices tell both that they have been paired.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Literal

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from msgspec import Struct

from ccg.suspension import refuse_suspended, sentence
from decks.table_decks import TableDeck
from matches.lobby import seating
from matches.lobby import services as lobby
from matches.lobby.errors import LobbyError, SatDownAlready
from matches.models import Match, MatchSeat
from matches.notices.posting import post_found
from matches.pairing.choosing import Waiting, chosen
from matches.pairing.kept_apart import refused
from matches.pairing.models import QueueEntry, Round
from matches.pairing.queues import CORRESPONDENCE, LIVE, QUEUES, Queue
from matches.ratings.models import Rating
from matches.ratings.skills import MU
from matches.seats.rated import NEEDS_ACCOUNT
from matches.shuffles import services as shuffles
from matches.shuffles.fair import Given
from matches.storage import database
from matches.storage.faults import one_of_many

log = logging.getLogger(__name__)

PRESENT = timedelta(seconds=15)
"""How long somebody counts as there after their page has asked; it asks every two seconds."""
PRESENT_HIDDEN = timedelta(seconds=75)
"""As long for a page that nobody looks at: browsers let those ask once a minute."""
FORGOTTEN = timedelta(minutes=10)
"""An entry without a page for so long is taken away. Longer than the server may be down, as nobody can ask then."""
PAUSE = timedelta(milliseconds=500)
"""Between two looks through a queue."""
MOST_CONSIDERED = 2_000
MOST_PAIRS = 20
"""Matches that begin in one look; the next one, a moment later, goes on."""
IN_THE_WAY = timedelta(hours=2)
"""How long a live match from a queue that still runs keeps its players from joining again."""
SWEEP_SECONDS = 30
WORDS_USED = "What you added to the shuffles has been used at another table."
FAULT = "Your match could not begin: something went wrong on our side. Look for another one, with another deck perhaps."
MOST_WHY = 200


class QueueState(Struct, frozen=True):
    """Where somebody is: waiting in a queue, paired (``match`` is the one to go to), or in none."""

    state: Literal["waiting", "paired", "none"]
    entry: QueueEntry | None = None
    match: Match | None = None


def join(user: Any, queue: str, deck: TableDeck, now: datetime | None = None, given: Given | None = None) -> QueueState:
    """Let ``user`` wait in a queue with ``deck``; who waits already waits on, with this deck.

    ``given`` are their words for the shuffles. Raises LobbyError for a guest in a ranked queue (``account``), for
    words that cannot be taken (``shuffle``), and for somebody who has just begun a live match from a queue that still
    runs, or as many by correspondence as they may have (``running``). Raises ``ccg.suspension.Suspended`` for those who
    are suspended.
    """
    refuse_suspended(user)
    now, wanted = now or timezone.now(), QUEUES[queue]
    if wanted.rated and user.is_guest:
        raise LobbyError("account", NEEDS_ACCOUNT)
    if given is not None:
        try:
            shuffles.check(given)
        except shuffles.NotTaken as error:
            raise LobbyError("shuffle", str(error)) from error
    values = {
        **seating.deck_columns(deck),
        "queue": queue,
        "mu": _mu_of(user, wanted),
        "last_opponent_id": _last_opponent(user),
        "joined": now,
        "until": now + PRESENT if wanted.kind == LIVE else None,
        "match": None,
        "sent_away": "",
        "commitment": given.commitment if given else "",
        "words": given.words if given else "",
    }
    entry = database.write(partial(_enter, user, wanted, values, given, now))
    if wanted.kind == CORRESPONDENCE:
        pair(queue, now)
        return state_of(user, now, kind=CORRESPONDENCE)
    return QueueState("waiting", entry)


def leave(user: Any, *, kind: str = LIVE) -> QueueState:
    """Let ``user`` wait no more for a match of this tempo; who has got an opponent is told so (``paired``)."""

    def go() -> QueueState:
        entry = QueueEntry.objects.select_for_update().filter(user=user, tempo=kind).first()
        if entry is None:
            return QueueState("none")
        if entry.match_id is not None:
            return state_of(user, kind=kind)
        entry.delete()
        return QueueState("none")

    return database.write(go)


def state_of(user: Any, now: datetime | None = None, *, kind: str = LIVE) -> QueueState:
    """Return how it stands for ``user`` in the queues of this tempo. Reads only."""
    entries = QueueEntry.objects.filter(user=user, tempo=kind)
    entry = entries.select_related("match").defer("cards", "match__saved").first()
    if entry is None:
        return QueueState("none")
    moment = now or timezone.now()
    if entry.match_id is None:
        waits = not entry.sent_away and not _is_forgotten(entry, moment)
        return QueueState("waiting" if waits else "none", entry)
    if _runs(entry.match, moment):
        return QueueState("paired", entry, entry.match)
    return QueueState("none", entry)


def here(user: Any, *, hidden: bool = False, now: datetime | None = None) -> QueueState:
    """Note that ``user`` still waits, look through the queue if it is time to, and return how it stands then.

    Live: who waits for a match by correspondence need not say so.
    """
    moment = now or timezone.now()
    present = moment + (PRESENT_HIDDEN if hidden else PRESENT)
    waiting = QueueEntry.objects.filter(user=user, match=None, sent_away="", tempo=LIVE, until__gte=moment - FORGOTTEN)
    if database.write(lambda: waiting.update(until=present), one_statement=True):
        queue = waiting.values_list("queue", flat=True).first()
        if queue is not None:
            pair(queue, moment)
    return state_of(user, moment)


def sent_away(user: Any) -> list[QueueEntry]:
    """Return the entries of ``user`` that wait no more, each with why."""
    return list(QueueEntry.objects.filter(user=user, match=None).exclude(sent_away="").defer("cards"))


def count_waiting(queue: str, now: datetime | None = None) -> int:
    """Return how many people wait in a queue."""
    return _present(queue, now or timezone.now()).count()


def who_waits(queue: str, now: datetime) -> list[Waiting]:
    """Return those who wait in a queue, who has waited longest first, as :func:`pair` looks through them."""
    slower = QUEUES[queue].slower
    return [
        Waiting(entry, user, mu, (now - joined).total_seconds() / slower)
        for entry, user, mu, joined in _present(queue, now)
        .order_by("joined")
        .values_list("pk", "user_id", "mu", "joined")[:MOST_CONSIDERED]
    ]


def running_by_correspondence(user: Any) -> int:
    """Return how many matches by correspondence that a queue has begun still run for ``user``."""
    seats = MatchSeat.objects.filter(user=user, match__state=Match.State.RUNNING, match__from_queue=True)
    return seats.filter(match__tempo__startswith=CORRESPONDENCE).count()


# -- pairing


def sweep() -> int:
    """Look through the queues in which nobody keeps a page open; return how many matches began."""
    now = timezone.now()
    shuffles.hold_only(QueueEntry.objects.filter(match=None, sent_away="").exclude(commitment="").values("commitment"))
    slow = [queue for queue in QUEUES.values() if queue.kind == CORRESPONDENCE]
    return sum(pair(queue.code, now) for queue in slow if _present(queue.code, now).count() > 1)


def pair(queue: str, now: datetime) -> int:
    """Pair those who wait in ``queue``, unless somebody has just done so; return how many matches began."""
    if not _my_turn(queue, now):
        return 0
    waiting = who_waits(queue, now)
    if len(waiting) < 2:
        return 0
    pairs = chosen(waiting, refused(QUEUES[queue], waiting, now))
    return sum(begin(one.entry, other.entry, now) is not None for one, other in pairs[:MOST_PAIRS])


def begin(one: int, other: int, now: datetime) -> Match | None:
    """Begin the match of two entries; None if one of them waits no more, or is sent away because none can begin.

    This is where a match is made: it locks both rows and looks whether they still wait. Whatever is wrong with one pair
    keeps no other from being paired.
    """

    def sit_down() -> Match | None:
        entries = list(QueueEntry.objects.select_for_update().filter(pk__in=(one, other)).order_by("pk"))
        if len(entries) != 2 or not all(still_waits(entry, now) for entry in entries):
            return None
        if entries[0].queue != entries[1].queue:
            return None  # one has gone to another queue since the two were chosen
        if _sent_away(entries):
            return None
        people = [(entry.user, entry.deck, entry.given) for entry in entries]
        queue = QUEUES[entries[0].queue]
        match: Match | None = None
        with one_of_many(log, "two of a queue could not begin a match by a fault"):
            try:
                with transaction.atomic():
                    match = lobby.begin_between(people, rated=queue.rated, tempo=queue.tempo)
            except LobbyError as error:
                # While the rows are locked: whoever joins anew, with another deck perhaps, waits again.
                _let_not_wait(entries, error)
                return None
            except SatDownAlready:
                return None  # words that were used between two looks: the next one finds whose
        if match is None:
            # By a fault, of cards for example whose abilities do not end. Not known whose: neither is chosen again.
            _send_away(QueueEntry.objects.filter(pk__in=(one, other)), FAULT)
            return None
        QueueEntry.objects.filter(pk__in=(one, other)).update(match=match)
        if queue.kind == CORRESPONDENCE:
            post_found(match)
        return match

    try:
        return database.write(sit_down)
    except database.Busy:
        return None


def _let_not_wait(entries: Sequence[QueueEntry], error: LobbyError) -> None:
    """Let those of two wait no more for whom no match could begin.

    They would be chosen for each other again and again, and keep others from being paired.
    """
    if error.code == "shuffle":
        return  # used between two looks, too
    log.warning("two of a queue could not begin a match: %s", error)
    at_fault = QueueEntry.objects.filter(pk__in=[entry.pk for entry in entries])
    if error.at_fault is not None:
        at_fault = at_fault.filter(user=error.at_fault)
    if error.code == "suspended":
        at_fault.delete()  # as their other places are: of that they hear elsewhere
    else:
        _send_away(at_fault, error.message)


def _sent_away(entries: Sequence[QueueEntry]) -> bool:
    """Send away whoever of two can bring their words no more, and nobody else; return whether somebody was.

    They have used them at another table since they joined. Else whoever meets them would lose their place by it.
    """
    stale = [entry for entry in entries if entry.given is not None and not _holds(entry.given)]
    first, second = entries
    if first.commitment and first.commitment == second.commitment:
        stale = [first, second]
    _send_away(QueueEntry.objects.filter(pk__in=[entry.pk for entry in stale]), WORDS_USED)
    return bool(stale)


def _send_away(entries: QuerySet[QueueEntry], why: str) -> None:
    """Let people wait no more, and keep what their page tells them: by correspondence they are not there to see it."""
    entries.update(sent_away=why[:MOST_WHY])


def _holds(given: Given) -> bool:
    try:
        shuffles.check(given)
    except shuffles.NotTaken:
        return False
    return True


def still_waits(entry: QueueEntry, now: datetime) -> bool:
    """Return whether the person of a locked entry waits and is there."""
    return (
        entry.match_id is None
        and not entry.sent_away
        and _is_there(entry, now)
        and entry.user.is_active
        and not sentence(entry.user)
    )


def _my_turn(queue: str, now: datetime) -> bool:
    """Return whether it is time to look through the queue, and nobody else has begun to; forget who is long gone."""

    def take() -> bool:
        # A time in the future comes from a clock that has been put back since.
        due = Q(last__lte=now - PAUSE) | Q(last__gt=now)
        if not Round.objects.filter(due, queue=queue).update(last=now):
            first = Round.objects.get_or_create(queue=queue, defaults={"last": now})[1]
            if not first:
                return False
        QueueEntry.objects.filter(queue=queue, match=None, until__lt=now - FORGOTTEN).delete()
        return True

    return database.write(take)


def _present(queue: str, now: datetime) -> QuerySet[QueueEntry]:
    there = QueueEntry.objects.filter(queue=queue, match=None, sent_away="", user__is_active=True)
    there = there.exclude(user__suspended_until__gt=now)
    if QUEUES[queue].kind == LIVE:
        return there.filter(until__gte=now)
    # Their clocks would stand still: whoever is paired with them would wait for their first move until they are back.
    return there.exclude(user__vacations__over=False)


def _is_there(entry: QueueEntry, now: datetime) -> bool:
    return entry.until is None or entry.until >= now


def _is_forgotten(entry: QueueEntry, now: datetime) -> bool:
    """Return whether an entry that is still there is to be taken away by whoever looks through the queue next."""
    return entry.until is not None and entry.until < now - FORGOTTEN


def _enter(user: Any, wanted: Queue, values: Mapping[str, Any], given: Given | None, now: datetime) -> QueueEntry:
    """Inside a transaction: store that ``user`` waits, with these columns; raises LobbyError as :func:`join` does.

    Who waits in this queue already has waited since then.
    """
    entry, new = QueueEntry.objects.get_or_create(user=user, tempo=wanted.kind, defaults=values)
    # By itself: PostgreSQL reads a row again that it had to wait for, but not what is joined to it.
    locked = QueueEntry.objects.select_for_update().filter(pk=entry.pk).first()
    if locked is None:
        return _enter(user, wanted, values, given, now)  # taken away just now: they leave elsewhere, or were forgotten
    entry = locked
    _refuse_more(user, wanted, entry, now)
    _hold(entry, given)
    if new:
        return entry
    waits_on = entry.queue == wanted.code and entry.match_id is None and not entry.sent_away and _is_there(entry, now)
    for name, value in values.items():
        if name != "joined" or not waits_on:
            setattr(entry, name, value)
    entry.save()
    return entry


def _refuse_more(user: Any, wanted: Queue, entry: QueueEntry, now: datetime) -> None:
    """Raise LobbyError for whoever has as many running matches from the queues of this tempo as they may have."""
    if wanted.kind == LIVE and _runs(entry.match, now):
        raise LobbyError("running", "You have a match from this queue that still runs. Play it to its end first.")
    most = settings.QUEUE_CORRESPONDENCE_MATCHES
    if wanted.kind == CORRESPONDENCE and running_by_correspondence(user) >= most:
        raise LobbyError(
            "running",
            f"You have {most} running matches by correspondence from this queue, and more are not begun at a time."
            " Play one to its end first.",
        )


def _hold(entry: QueueEntry, given: Given | None) -> None:
    """Keep the commitment of whoever may wait for days, and that of before no more; raises LobbyError if it is gone."""
    if entry.tempo != CORRESPONDENCE or given is None:
        return
    try:
        shuffles.hold(given)
    except shuffles.NotTaken as error:
        raise LobbyError("shuffle", str(error)) from error


def _mu_of(user: Any, queue: Queue) -> float:
    mu = Rating.objects.filter(user=user, pool=queue.pool.code).values_list("mu", flat=True).first()
    return MU if mu is None else mu


def _last_opponent(user: Any) -> int | None:
    """Return whom ``user`` has met in their last public or rated match of two."""
    public = Q(match__listed=True) | Q(match__rated=True)
    seats = MatchSeat.objects.filter(public, user=user, match__players=2, match__started__isnull=False)
    match = seats.order_by("-match__started").values_list("match_id", flat=True).first()
    return MatchSeat.objects.filter(match=match).exclude(user=user).values_list("user_id", flat=True).first()


def _runs(match: Match | None, now: datetime) -> bool:
    return (
        match is not None
        and match.state == Match.State.RUNNING
        and match.started is not None
        and match.started > now - IN_THE_WAY
    )
