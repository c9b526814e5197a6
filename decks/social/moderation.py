"""What should not be there: reported by anybody who is signed in, judged by moderators, noted for good.

Moderators are staff who may change reports. What they take down is kept, and can be brought back.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from msgspec import Struct

from ccg.locking import lock_person
from ccg.words import one_line
from decks import services
from decks.models import Comment, Deck, Moderation, Report
from decks.services import DeckError

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
    _refuse_unreasoned(user, reason, dict(REASONS))
    with transaction.atomic():
        services.lock(deck)
        if comment is not None:
            comment.refresh_from_db()
        author = comment.author if comment else deck.owner
        return _kept_once(
            user, {"deck": deck, "comment": comment, "kind": ""}, of_comment=comment is not None,
            author=str(author or ""), told=comment.text if comment else _told(deck), reason=reason,
            words=one_line(words, MAX_WORDS),
        )  # fmt: skip


Show = Callable[[str, bool], None]
"""Takes something away (False) or brings it back (True); named as its reports name it."""


class Kind(Struct, frozen=True):
    """Things of another app that reports can be about."""

    name: str
    """What moderators read of one."""
    show: Show | None = None
    """None where nothing can be taken away: a mistake of the program, which has to be told in words, and of which
    there may be several at one place."""


_kinds: dict[str, Kind] = {}


def register(kind: str, about: Kind) -> None:
    """Let reports be about things of another app. Called from ``AppConfig.ready``."""
    _kinds[kind] = about


def name_of(kind: str) -> str:
    """Return what moderators read of a thing of this kind."""
    return _kinds[kind].name


def report_other(user: Any, kind: str, subject: str, *, author: str, told: str, reason: str, words: str) -> Report:
    """Keep that something is wrong with a thing of a registered ``kind``; once, while that is open.

    Whoever calls it has seen that ``user`` can see it. Raises DeckError as :func:`report` does, and where a mistake is
    told without words.
    """
    _refuse_unreasoned(user, reason, Report.Reason.values)
    words = one_line(words, MAX_WORDS)
    about, more = {"kind": kind, "subject": subject}, {"words": words}
    if _kinds[kind].show is None:
        if not words:
            raise DeckError("Say what happened, and what should have.")
        about, more = about | more, {}
    with transaction.atomic():
        return _kept_once(user, about, author=author, told=told, reason=reason, **more)


def _refuse_unreasoned(user: Any, reason: str, reasons: Collection[str]) -> None:
    """Raise DeckError for a visitor, and for a reason that is none of these."""
    if not user.is_authenticated:
        raise DeckError("To report something, sign in or go on as a guest.")
    if reason not in reasons:
        raise DeckError("Say what is wrong with it.")


def _kept_once(user: Any, about: Mapping[str, Any], **facts: Any) -> Report:
    """Inside a transaction: return the open report of ``user`` about this, or a new one with these facts.

    Raises DeckError if it would be one of very many.
    """
    lock_person(user)
    mine = Report.objects.filter(reporter=user)
    known = mine.filter(**about, state=Report.State.OPEN).first()
    if known is not None:
        return known
    if mine.filter(created__gt=timezone.now() - timedelta(hours=1)).count() >= REPORTS_AN_HOUR:
        raise DeckError("That was a lot within one hour. Please go on later.")
    return Report.objects.create(reporter=user, **about, **facts)


def take_down(moderator: Any, report: Report) -> None:
    """Hide the comment or line, or make the deck private, and settle all open reports of it.

    Raises DeckError where there is nothing to hide.
    """
    with transaction.atomic():
        _show(report, shown=False)
        same = Report.objects.filter(
            state=Report.State.OPEN, deck=report.deck, comment=report.comment, kind=report.kind, subject=report.subject
        )
        if report.kind or report.deck is not None or report.comment is not None:  # else it is gone, as others may be
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
        show = _kinds[report.kind].show
        if show is None:
            raise DeckError("There is nothing to take down: dismiss the report of a mistake once that is mended.")
        show(report.subject, shown)
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
