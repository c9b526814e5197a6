"""Decks and comments as things that can be reported: how moderators find one, take it away, and bring it back."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from decks import services
from decks.models import Comment, Deck, Report
from decks.social import moderation
from decks.social.moderation import Kind, Place

DECK, COMMENT = "deck", "comment"
HIDDEN = Place("", "not public now")
"""Where a deck stands that was reported and that only some see now: staff have what it said then."""


def register() -> None:
    """Let reports be about decks and comments. Called from ``AppConfig.ready``."""
    moderation.register(DECK, Kind("Deck", _show_deck, _find_deck, _decks_of))
    moderation.register(COMMENT, Kind("Comment", _show_comment, _find_comment, _comments_of))


def report_deck(user: Any, deck: Deck, reason: str, words: str = "") -> Report:
    """Bring ``deck`` before moderators, as :func:`decks.social.moderation.report` does and with what that raises.

    Raises Deck.DoesNotExist if it was deleted since it was read.
    """
    with transaction.atomic():
        services.lock(deck)
        labels = " ".join(f"#{label.word}" for label in deck.labels.all())
        told = "\n\n".join(filter(None, (deck.name, labels, deck.write_up)))
        return moderation.report(user, DECK, deck.uid, author=deck.owner, told=told, reason=reason, words=words)


def report_comment(user: Any, comment: Comment, reason: str, words: str = "") -> Report:
    """Bring ``comment`` before moderators; raises as :func:`report_deck`, and Comment.DoesNotExist."""
    with transaction.atomic():
        services.lock(comment.deck)
        comment.refresh_from_db()
        return moderation.report(
            user, COMMENT, str(comment.pk), author=comment.author, told=comment.text, reason=reason,
            words=words,
        )  # fmt: skip


def _show_deck(uid: str, shown: bool) -> None:
    deck = Deck.objects.filter(uid=uid).first()
    if deck is not None:
        (services.bring_back if shown else services.take_down)(deck)


def _find_deck(uid: str) -> Place | None:
    deck = Deck.objects.filter(uid=uid).first()
    return _place(deck, deck.get_absolute_url()) if deck is not None else None


def _decks_of(user: Any) -> QuerySet[Any, str]:
    return Deck.objects.filter(owner=user).values_list("uid", flat=True)


def _comments_of(user: Any) -> QuerySet[Any, str]:
    return moderation.numbers_of(Comment.objects.filter(author=user))


def _show_comment(number: str, shown: bool) -> None:
    Comment.objects.filter(pk=int(number)).update(hidden=not shown)


def _find_comment(number: str) -> Place | None:
    comment = Comment.objects.select_related("deck").filter(pk=int(number)).first()
    if comment is None:
        return None
    return _place(comment.deck, f"{comment.deck.get_absolute_url()}#comment-{comment.pk}")


def _place(deck: Deck, address: str) -> Place:
    """Return the place on the page of ``deck``; of a deck that is not public, what it is called now is not told."""
    return Place(address, deck.name) if deck.is_public else HIDDEN
