"""Joining a queue, waiting in it, and pairing those who wait.

Nobody pairs in the background: who waits asks every few seconds, and whoever asks first after a moment looks through
the queue for all. Which pairs are chosen is decided without locks, and may be out of date; each pair then begins its
match in a transaction of its own, which locks both rows and looks again. So any number of processes may do it at once,
and one that dies leaves every row either waiting or with its match.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, Literal

from django.db.models import Q, QuerySet
from django.utils import timezone
from msgspec import Struct

from decks import opinions
from decks.services import TableDeck
from matches import database, lobby
from matches.clocks import tempo as tempos
from matches.lobby import LobbyError
from matches.models import Match, MatchSeat
from matches.pairing.choosing import Pair, Waiting, chosen, pair_of
from matches.pairing.models import CASUAL, RANKED, QueueEntry, Round
from matches.rated import NEEDS_ACCOUNT, SAME_PEOPLE_A_DAY
from matches.ratings.models import Rating
from matches.ratings.pools import USUAL
from matches.ratings.skills import MU
from matches.shuffles import services as shuffles
from matches.shuffles.fair import Given

log = logging.getLogger(__name__)

TEMPOS = {RANKED: tempos.LIVE[1], CASUAL: tempos.LIVE[2]}
"""How much time the players of a queue have: nobody waits for a stranger without end."""

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
"""How long a match from a queue that still runs keeps its players from joining again."""


class Standing(Struct, frozen=True):
    """How it stands for somebody: waiting, paired (``match`` is the one to go to), or in no queue."""

    state: Literal["waiting", "paired", "none"]
    entry: QueueEntry | None = None
    match: Match | None = None


def join(user: Any, queue: str, deck: TableDeck, now: datetime | None = None, given: Given | None = None) -> Standing:
    """Let ``user`` wait in a queue with ``deck``; who waits already waits on, with this deck.

    ``given`` are their words for the shuffles. Raises LobbyError for a guest in the ranked queue (``account``), for
    words that cannot be taken (``shuffle``), and for who has just begun a match from a queue that still runs
    (``running``).
    """
    now = now or timezone.now()
    if queue == RANKED and user.is_guest:
        raise LobbyError("account", NEEDS_ACCOUNT)
    if given is not None:
        try:
            shuffles.check(given)
        except shuffles.NotTaken as error:
            raise LobbyError("shuffle", str(error)) from error
    values = {
        "queue": queue, "base": deck.base, "cards": list(deck.cards), "deck_label": deck.label[:120],
        "deck_version": deck.version, "mu": _mu_of(user), "last_opponent_id": _last_opponent(user), "joined": now,
        "until": now + PRESENT, "match": None, "commitment": given.commitment if given else "",
        "words": given.words if given else "",
    }  # fmt: skip

    def enter() -> QueueEntry:
        entry, new = QueueEntry.objects.get_or_create(user=user, defaults=values)
        if new:
            return entry
        entry = QueueEntry.objects.select_for_update(of=("self",)).select_related("match").get(pk=entry.pk)
        if _runs(entry.match, now):
            raise LobbyError("running", "You have a match from this queue that still runs. Play it to its end first.")
        waits_on = entry.match is None and entry.queue == queue and entry.until >= now
        for name, value in values.items():
            if name != "joined" or not waits_on:
                setattr(entry, name, value)
        entry.save()
        return entry

    return Standing("waiting", database.write(enter))


def leave(user: Any) -> Standing:
    """Let ``user`` wait no more; who has got an opponent meanwhile is told so (``paired``)."""

    def go() -> Standing:
        entry = QueueEntry.objects.select_for_update().filter(user=user).first()
        if entry is None:
            return Standing("none")
        if entry.match_id is not None:
            return standing_of(user)
        entry.delete()
        return Standing("none")

    return database.write(go)


def standing_of(user: Any, now: datetime | None = None) -> Standing:
    """Return how it stands for ``user``. Reads only."""
    entry = QueueEntry.objects.filter(user=user).select_related("match").defer("cards", "match__saved").first()
    if entry is None:
        return Standing("none")
    if entry.match_id is None:
        return Standing("waiting", entry)
    if _runs(entry.match, now or timezone.now()):
        return Standing("paired", entry, entry.match)
    return Standing("none", entry)


def here(user: Any, *, hidden: bool = False, now: datetime | None = None) -> Standing:
    """Note that ``user`` still waits, look through the queue if it is time to, and return how it stands then."""
    moment = now or timezone.now()
    present = moment + (PRESENT_HIDDEN if hidden else PRESENT)
    waiting = QueueEntry.objects.filter(user=user, match=None)
    if database.write(lambda: waiting.update(until=present), one_statement=True):
        queue = waiting.values_list("queue", flat=True).first()
        if queue is not None:
            pair(queue, moment)
    return standing_of(user, moment)


def count_waiting(queue: str, now: datetime | None = None) -> int:
    """Return how many people wait in a queue."""
    return _present(queue, now or timezone.now()).count()


# -- pairing


def pair(queue: str, now: datetime) -> int:
    """Pair those who wait in ``queue``, unless somebody has just done so; return how many matches began."""
    if not _my_turn(queue, now):
        return 0
    waiting = [
        Waiting(entry, user, mu, (now - joined).total_seconds())
        for entry, user, mu, joined in _present(queue, now)
        .order_by("joined")
        .values_list("pk", "user_id", "mu", "joined")[:MOST_CONSIDERED]
    ]
    if len(waiting) < 2:
        return 0
    pairs = chosen(waiting, refused(queue, waiting, now))
    return sum(begin(one.entry, other.entry, now) is not None for one, other in pairs[:MOST_PAIRS])


def refused(queue: str, waiting: Collection[Waiting], now: datetime) -> set[Pair]:
    """Return the pairs of users that are not to meet: who blocks whom, and who has just or often met.

    Often is as often as would be rated in a day; only the ranked queue counts that.
    """
    users = [one.user for one in waiting]
    last = QueueEntry.objects.filter(pk__in=[one.entry for one in waiting]).exclude(last_opponent=None)
    pairs = {pair_of(*pair) for pair in opinions.blocks_among(users)}
    pairs |= {pair_of(user, opponent) for user, opponent in last.values_list("user_id", "last_opponent_id")}
    return pairs | (_met_often(users, now) if queue == RANKED else set())


def begin(one: int, other: int, now: datetime) -> Match | None:
    """Begin the match of two entries; None, with nothing changed, if one of them waits no more.

    This is where a match is made: it locks both rows and looks whether they still wait.
    """

    def sit_down() -> Match | None:
        entries = list(
            QueueEntry.objects.select_for_update(of=("self",))
            .filter(pk__in=(one, other))
            .select_related("user")
            .order_by("pk")
        )
        if len(entries) != 2 or not all(still_waits(entry, now) for entry in entries):
            return None
        people = [(entry.user, entry.deck, entry.given) for entry in entries]
        queue = entries[0].queue
        match = lobby.begin_between(people, rated=queue == RANKED, tempo=TEMPOS[queue])
        QueueEntry.objects.filter(pk__in=(one, other)).update(match=match)
        return match

    try:
        return database.write(sit_down)
    except database.Busy:
        return None
    except LobbyError as error:
        # Both would be chosen for each other again and again, and keep others from being paired.
        log.warning("two of a queue could not begin a match and were sent away: %s", error)
        QueueEntry.objects.filter(pk__in=(one, other), match=None).delete()
        return None


def still_waits(entry: QueueEntry, now: datetime) -> bool:
    """Return whether the person of a locked entry waits and is there."""
    return entry.match_id is None and entry.until >= now and entry.user.is_active


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
    return QueueEntry.objects.filter(queue=queue, match=None, until__gte=now, user__is_active=True)


def _met_often(users: Collection[int], now: datetime) -> set[Pair]:
    """Return the pairs among ``users`` who have begun as many rated matches of two in a day as are rated."""
    seats = MatchSeat.objects.filter(
        user__in=users, match__rated=True, match__players=2, match__started__gt=now - timedelta(days=1)
    )
    tables: dict[int, list[int]] = {}
    for match, user in seats.values_list("match_id", "user_id"):
        tables.setdefault(match, []).append(user)
    met: dict[Pair, int] = {}
    for people in tables.values():
        if len(people) == 2:
            both = pair_of(*people)
            met[both] = met.get(both, 0) + 1
    return {both for both, count in met.items() if count >= SAME_PEOPLE_A_DAY}


def _mu_of(user: Any) -> float:
    mu = Rating.objects.filter(user=user, pool=USUAL.code).values_list("mu", flat=True).first()
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
