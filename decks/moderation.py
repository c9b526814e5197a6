"""What should not be there: reported by anybody who is signed in, judged by moderators, noted for good.

Moderators are staff who may change reports. What they take down is kept, and can be brought back.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from ccg.locking import lock_person
from decks import services
from decks.models import Comment, Deck, Moderation, Report
from decks.services import DeckError
from decks.textlist import clean

REPORTS_AN_HOUR = 20
REASONS = [(value, told) for value, told in Report.Reason.choices if value != Report.Reason.MISTAKE]
"""What can be wrong with a deck or a comment."""

MAX_WORDS = 500
"""Signs that a reporter has for what is wrong."""


def report(user: Any, deck: Deck, comment: Comment | None, reason: str, words: str) -> Report:
    """Keep that ``user`` finds ``deck``, or a ``comment`` on it, should not be there; once, while that is open.

    Raises DeckError for visitors, for a reason that there is not, and for one of very many reports; DoesNotExist of
    the deck or the comment if it was deleted since it was read.
    """
    if not user.is_authenticated:
        raise DeckError("To report something, sign in or go on as a guest.")
    if reason not in dict(REASONS):
        raise DeckError("Say what is wrong with it.")
    mine = Report.objects.filter(reporter=user)
    with transaction.atomic():
        services.lock(deck)
        lock_person(user)
        known = mine.filter(deck=deck, comment=comment, kind="", state=Report.State.OPEN).first()
        if known is not None:
            return known
        _refuse_too_many(mine)
        if comment is not None:
            comment.refresh_from_db()
        author = comment.author if comment else deck.owner
        return Report.objects.create(
            reporter=user, deck=deck, comment=comment, of_comment=comment is not None, author=str(author or ""),
            told=comment.text if comment else _told(deck), reason=reason, words=clean(words, MAX_WORDS),
        )  # fmt: skip


def report_mistake(user: Any, address: str, told: str, words: str) -> Report:
    """Keep that ``user`` found a mistake of the program at ``address``; once, while that is open.

    Raises DeckError for visitors, for a report without words, and for one of very many reports.
    """
    words = clean(words, MAX_WORDS)
    if not user.is_authenticated:
        raise DeckError("To report something, sign in or go on as a guest.")
    if not words:
        raise DeckError("Say what happened, and what should have.")
    with transaction.atomic():
        lock_person(user)
        mine = Report.objects.filter(reporter=user)
        known = mine.filter(address=address, words=words, state=Report.State.OPEN).first()
        if known is not None:
            return known
        _refuse_too_many(mine)
        return Report.objects.create(
            reporter=user, address=address, told=told, reason=Report.Reason.MISTAKE, words=words
        )


Show = Callable[[str, bool], None]
"""Takes something away (False) or brings it back (True); named as its reports name it."""

_kinds: dict[str, Show] = {}


def register(kind: str, show: Show) -> None:
    """Let reports be about things of another app. Called from ``AppConfig.ready``."""
    _kinds[kind] = show


def report_other(user: Any, kind: str, subject: str, *, author: str, told: str, reason: str, words: str) -> Report:
    """Keep that ``user`` finds a thing of a registered ``kind`` should not be there; once, while that is open.

    Whoever calls it has seen that they can read it. Raises DeckError as :func:`report` does.
    """
    if not user.is_authenticated:
        raise DeckError("To report something, sign in or go on as a guest.")
    if reason not in Report.Reason.values:
        raise DeckError("Say what is wrong with it.")
    mine = Report.objects.filter(reporter=user)
    with transaction.atomic():
        lock_person(user)
        known = mine.filter(kind=kind, subject=subject, state=Report.State.OPEN).first()
        if known is not None:
            return known
        _refuse_too_many(mine)
        return Report.objects.create(
            reporter=user, kind=kind, subject=subject, author=author, told=told, reason=reason,
            words=clean(words, MAX_WORDS),
        )  # fmt: skip


def _refuse_too_many(reports: QuerySet[Report]) -> None:
    if reports.filter(created__gt=timezone.now() - timedelta(hours=1)).count() >= REPORTS_AN_HOUR:
        raise DeckError("That was a lot within one hour. Please go on later.")


def take_down(moderator: Any, report: Report) -> None:
    """Hide the comment, or make the deck private, and settle all open reports of it."""
    with transaction.atomic():
        _show(report, shown=False)
        same = Report.objects.filter(
            state=Report.State.OPEN, deck=report.deck, comment=report.comment, kind=report.kind, subject=report.subject
        )
        if report.kind or report.deck is not None or report.comment is not None:
            same.update(state=Report.State.TAKEN_DOWN)
        _settle(moderator, report, "taken down", "taken down")


def dismiss(moderator: Any, report: Report) -> None:
    """Settle a report of something that may stay."""
    with transaction.atomic():
        _settle(moderator, report, "dismissed", "dismissed")


def bring_back(moderator: Any, report: Report) -> None:
    """Show the comment again, or let the owner of the deck show it again, and dismiss the report."""
    with transaction.atomic():
        _show(report, shown=True)
        _settle(moderator, report, "dismissed", "brought back")


def _show(report: Report, *, shown: bool) -> None:
    if report.kind:
        _kinds[report.kind](report.subject, shown)
    elif report.of_comment:
        Comment.objects.filter(pk=report.comment_id).update(hidden=not shown)
    elif report.deck is not None:
        (services.bring_back if shown else services.take_down)(report.deck)


def _settle(moderator: Any, report: Report, state: str, what: str) -> None:
    Report.objects.filter(pk=report.pk).update(state=state)
    Moderation.objects.create(user=moderator, who=moderator.get_username(), what=what, report=report)


def _told(deck: Deck) -> str:
    labels = " ".join(f"#{label.word}" for label in deck.labels.all())
    return "\n\n".join(filter(None, (deck.name, labels, deck.write_up)))
