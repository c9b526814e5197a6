"""What should not be there: reported by anybody who is signed in, judged by moderators, noted for good.

Moderators are staff who may change reports. What they take down is kept, and can be brought back.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import CharField, QuerySet
from django.db.models.functions import Cast
from django.utils import timezone
from msgspec import Struct

from ccg.locking import lock_person
from ccg.words import one_line
from decks.models import Moderation, Report
from decks.services import DeckError

REPORTS_AN_HOUR = 20
REPORTS_OF_GUESTS_AN_HOUR = 100
"""Of all guests together: whoever makes many of them must not bury the queue of moderators."""
TOLD_OFTEN_ENOUGH = 10
"""Open reports of one thing, after which another one would tell moderators nothing new."""
REASONS = [(value, told) for value, told in Report.Reason.choices if value != Report.Reason.MISTAKE]
"""What can be wrong with a deck or a comment."""

MAX_WORDS = 500
"""Signs that a reporter has for what is wrong."""


class Place(NamedTuple):
    """Where moderators see a thing: the address of a page, and what that is called."""

    address: str
    """"" where there is a page that they cannot open; then the name says why."""
    name: str


class Kind(Struct, frozen=True):
    """Things that reports can be about. Functions are given ``Report.subject``, by which the app knows a thing."""

    name: str
    """What moderators read of one."""
    show: Callable[[str, bool], None] | None = None
    """Takes a thing away (False) or brings it back (True), and leaves alone what is gone. None where nothing can be
    taken away: a mistake of the program, which has to be told in words, and of which there may be several at one
    place."""
    find: Callable[[str], Place | None] | None = None
    """Returns where a thing stands, None when it is gone; None where there is no page of one."""
    of: Callable[[Any], QuerySet[Any, str]] | None = None
    """Returns the subjects of those things that are somebody's own: they neither read nor judge what is said of them.
    None where no thing of the kind is anybody's."""


_kinds: dict[str, Kind] = {}


def register(kind: str, about: Kind) -> None:
    """Let reports be about things of this kind. Called from ``AppConfig.ready``."""
    _kinds[kind] = about


def kind_of(report: Report) -> Kind:
    """Return what kind of thing ``report`` is about; of a kind that no app has any more only its name is known."""
    return _kinds.get(report.kind) or Kind(report.kind)


def report(
    user: Any, kind: str, subject: str, *, author: Any = None, told: str, reason: str, words: str = ""
) -> Report:
    """Keep that ``user`` finds something wrong with a thing of a registered ``kind``; once, while that is open.

    Where many have said so already, one of their reports is returned.

    Whoever calls it has seen that ``user`` can see the thing. ``author`` is the person who made it, if
    anybody, ``told`` what it says now.
    Raises DeckError for visitors, for a reason that there is not, for a mistake that is not told in words, and for one
    of very many reports.
    """
    if not user.is_authenticated:
        raise DeckError("To report something, sign in or go on as a guest.")
    mistake = _kinds[kind].show is None
    if reason not in ({Report.Reason.MISTAKE} if mistake else dict(REASONS)):
        raise DeckError("Say what is wrong with it.")
    words = one_line(words, MAX_WORDS)
    if mistake and not words:
        raise DeckError("Say what happened, and what should have.")
    with transaction.atomic():
        lock_person(user)
        mine = Report.objects.filter(reporter=user)
        same = mine.filter(state=Report.State.OPEN, kind=kind, subject=subject)
        known = (same.filter(words=words) if mistake else same).first()
        if known is not None:
            return known
        of_it = Report.objects.filter(state=Report.State.OPEN, kind=kind, subject=subject)
        if of_it.count() >= TOLD_OFTEN_ENOUGH:
            return of_it[0]
        _refuse_more(user)
        return Report.objects.create(
            reporter=user, kind=kind, subject=subject, author=str(author or ""), whose=author, told=told, reason=reason,
            words=words,
        )  # fmt: skip


def others(user: Any, reports: QuerySet[Report]) -> QuerySet[Report]:
    """Return those of ``reports`` that are not about something of this moderator, who is not to learn who said so.

    Nor once it is gone, whoever has deleted it.
    """
    reports = reports.exclude(whose=user)
    for name, kind in _kinds.items():
        if kind.of is not None:
            reports = reports.exclude(kind=name, subject__in=kind.of(user))
    return reports


def numbers_of(rows: QuerySet[Any]) -> QuerySet[Any, str]:
    """Return the subjects of ``rows``, of a kind whose things are known by their primary key."""
    return rows.order_by().annotate(subject=Cast("pk", CharField())).values_list("subject", flat=True)


def _refuse_more(user: Any) -> None:
    lately = Report.objects.filter(created__gt=timezone.now() - timedelta(hours=1))
    if lately.filter(reporter=user).count() >= REPORTS_AN_HOUR:
        raise DeckError("That was a lot within one hour. Please go on later.")
    if user.is_guest and lately.filter(reporter__is_guest=True).count() >= REPORTS_OF_GUESTS_AN_HOUR:
        raise DeckError("Guests have reported a lot within one hour. Sign up to report this now, or come again later.")


def take_down(moderator: Any, report: Report) -> None:
    """Take the thing away, and settle all open reports of it. Raises DeckError where there is nothing to take away."""
    with transaction.atomic():
        _show(report, shown=False)
        same = Report.objects.filter(state=Report.State.OPEN, kind=report.kind, subject=report.subject)
        same.update(state=Report.State.TAKEN_DOWN)
        _settle(moderator, report, "taken down", "taken down")


def dismiss(moderator: Any, report: Report) -> None:
    """Settle a report of something that may stay."""
    with transaction.atomic():
        _settle(moderator, report, "dismissed", "dismissed")


def bring_back(moderator: Any, report: Report) -> None:
    """Show the thing again, or let its owner show it again, and dismiss the report."""
    with transaction.atomic():
        _show(report, shown=True)
        _settle(moderator, report, "dismissed", "brought back")


def _show(report: Report, *, shown: bool) -> None:
    show = kind_of(report).show
    if show is None:
        raise DeckError("There is nothing to take down: dismiss the report of a mistake once that is mended.")
    show(report.subject, shown)


def _settle(moderator: Any, report: Report, state: str, what: str) -> None:
    Report.objects.filter(pk=report.pk).update(state=state)
    Moderation.objects.create(user=moderator, who=moderator.get_username(), what=what, report=report)
