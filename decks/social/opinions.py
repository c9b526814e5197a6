"""What people have to say about decks: their owners in a write-up and tags, others in likes and comments.

Who may do it is asked here, whether they may see the deck where it is fetched (:mod:`decks.finding`). An opinion
needs an account: a guest is made with one click, and would be as many people as it likes.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from ccg.locking import lock_person
from ccg.people import called, name_key
from ccg.suspension import refuse_suspended
from ccg.words import as_it_reads, one_line
from decks.models import Block, Comment, Deck, DeckTag, Like
from decks.services import SECOND_CLICK, DeckError, lock, refuse_if_shown

MAX_WRITE_UP = 10_000
MAX_COMMENT = 2_000
MAX_TAGS = 5
MAX_TAG = 24
MAX_BLOCKS = 500
COMMENTS_AN_HOUR = 20
LIKES_AN_HOUR = 100

_NOT_TEXT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]|[\ud800-\udfff]")


def describe(deck: Deck, write_up: str, tags: str) -> None:
    """Keep what the owner of ``deck`` writes about it, and its tags as they are written, with commas between them.

    Raises DeckError for a text that is too long or too many tags; then nothing is kept.
    """
    text = _text(write_up, MAX_WRITE_UP)
    with transaction.atomic():
        lock(deck)
        tag(deck, tags)
        deck.write_up = text
        deck.save(update_fields=["write_up", "changed"])


def tag(deck: Deck, tags: str) -> None:
    """Give ``deck`` these tags instead of those it has, written with commas between them; raises DeckError."""
    words = _tags(tags)
    with transaction.atomic():
        lock(deck)
        refuse_if_shown(deck)
        deck.labels.exclude(word__in=words).delete()
        DeckTag.objects.bulk_create((DeckTag(deck=deck, word=word) for word in words), ignore_conflicts=True)


def like(user: Any, deck: Deck) -> None:
    """Let ``user`` like ``deck``; liking it once more changes nothing.

    Raises DeckError, and ``ccg.suspension.Suspended``: how often a deck is liked is what others read.
    """
    _refuse_guests(user, "like a deck")
    refuse_suspended(user)
    _refuse_blocked(user, deck)
    if deck.owner_id == user.pk:
        raise DeckError("Your own deck is for others to like.")
    with transaction.atomic():
        lock(deck)
        lock_person(user)
        if likes(user, deck):
            return
        _refuse_haste(Like.objects.filter(user=user), LIKES_AN_HOUR)
        Like.objects.create(deck=deck, user=user)
        _count_likes(deck)


def unlike(user: Any, deck: Deck) -> None:
    """Take the like of ``user`` back, if there is one."""
    if not user.is_authenticated:
        return
    with transaction.atomic():
        lock(deck)
        gone, _ = Like.objects.filter(deck=deck, user=user).delete()
        if gone:
            _count_likes(deck)


def comment(user: Any, deck: Deck, text: str) -> Comment:
    """Add a comment of ``user`` to ``deck``; raises DeckError if it is empty, too long, or one of very many.

    The same words again within a minute are the second click of one hand, and no other comment.
    """
    _refuse_guests(user, "comment on a deck")
    refuse_suspended(user)
    _refuse_blocked(user, deck)
    text = _text(text, MAX_COMMENT)
    if not text:
        raise DeckError("There is nothing in this comment.")
    with transaction.atomic():
        lock(deck)
        lock_person(user)
        own = Comment.objects.filter(author=user)
        again = own.filter(deck=deck, text=text, created__gt=timezone.now() - SECOND_CLICK).first()
        if again is not None:
            return again
        _refuse_haste(own, COMMENTS_AN_HOUR)
        return Comment.objects.create(deck=deck, author=user, text=text)


def may_remove(user: Any, comment: Comment) -> bool:
    """Return whether ``user`` wrote the comment or owns the deck."""
    return user.pk is not None and user.pk in (comment.author_id, comment.deck.owner_id)


def remove(user: Any, comment: Comment) -> None:
    """Take a comment away; raises Comment.DoesNotExist for who neither wrote it nor owns the deck."""
    if not may_remove(user, comment):
        raise Comment.DoesNotExist
    with transaction.atomic():
        lock(comment.deck)  # as a report of the comment does
        comment.delete()


def comments_on(deck: Deck, viewer: Any) -> QuerySet[Comment]:
    """Return the comments on ``deck`` that ``viewer`` gets to see, the newest first.

    Without those that moderators took away, and those of people whom ``viewer`` blocks.
    """
    shown = _shown_on(deck)
    return shown.exclude(author__in=blocked_by(viewer)) if viewer.is_authenticated else shown


def unheard(deck: Deck, viewer: Any) -> QuerySet[Comment]:
    """Return the comments on a deck of ``viewer``'s own by people whom they block, the newest first.

    Others read them, so the owner has to be able to report and remove them. On decks of others there are none.
    """
    if not _owns(viewer, deck):
        return deck.comments.none()
    return _shown_on(deck).filter(author__in=blocked_by(viewer))


def within_reach(deck: Deck, viewer: Any) -> QuerySet[Comment]:
    """Return the comments on ``deck`` that ``viewer`` may open to report or remove them: also those :func:`unheard`."""
    return _shown_on(deck) if _owns(viewer, deck) else comments_on(deck, viewer)


def likes(user: Any, deck: Deck) -> bool:
    """Return whether ``user`` likes ``deck``."""
    return bool(user.is_authenticated and Like.objects.filter(deck=deck, user=user).exists())


def block(user: Any, name: str) -> Any:
    """Let ``user`` hear no more of the person whom others see as ``name``; return that person. Raises DeckError."""
    person = get_user_model().objects.filter(called(name)).first()
    if person is None:
        raise DeckError("Nobody is called that.")
    block_person(user, person)
    return person


def block_person(user: Any, person: Any) -> None:
    """Let ``user`` hear no more of ``person``; once more changes nothing.

    Raises DeckError for themselves, and for one of very many.
    """
    if person == user:
        raise DeckError("You cannot block yourself.")
    with transaction.atomic():
        lock_person(user)
        if Block.objects.filter(by=user, person=person).exists():
            return
        if Block.objects.filter(by=user).count() >= MAX_BLOCKS:
            raise DeckError(f"You block {MAX_BLOCKS} people, which is the most there can be.")
        Block.objects.create(by=user, person=person)


def unblock(user: Any, name: str) -> None:
    """Let ``user`` hear of that person again, if they did not."""
    Block.objects.filter(called(name, "person"), by=user).delete()


def blocks(user: Any, person: Any) -> bool:
    """Return whether ``user`` blocks this person; visitors block nobody."""
    return user.is_authenticated and Block.objects.filter(by=user, person=person).exists()


def blocked_by(user: Any) -> QuerySet[Any]:
    """Return the ids of those whom ``user`` blocks."""
    return Block.objects.filter(by=user).values("person")


def forget(user: Any) -> None:
    """Take back the likes of ``user``, who is leaving. Their comments go with the account."""
    with transaction.atomic():
        # The number is a copy: where it has fallen behind, leaving must not fail on it.
        Deck.objects.filter(likes__user=user, liked__gt=0).update(liked=F("liked") - 1)
        Like.objects.filter(user=user).delete()


def has_account(user: Any) -> bool:
    """Return whether ``user`` is signed in with an account of their own, and no guest."""
    return bool(user.is_authenticated and not user.is_guest)


def _owns(user: Any, deck: Deck) -> bool:
    return user.pk is not None and deck.owner_id == user.pk


def _shown_on(deck: Deck) -> QuerySet[Comment]:
    """Return the comments on ``deck`` without those that moderators took away."""
    return deck.comments.filter(hidden=False).select_related("author")


def _refuse_guests(user: Any, what: str) -> None:
    if not has_account(user):
        raise DeckError(f"To {what}, sign in with an account.")


def blocks_among(people: Collection[int]) -> set[tuple[int, int]]:
    """Return who of these people blocks whom of them, by ids."""
    return set(Block.objects.filter(by__in=people, person__in=people).values_list("by", "person"))


def _refuse_blocked(user: Any, deck: Deck) -> None:
    if deck.owner_id is not None and Block.objects.filter(by=deck.owner_id, person=user).exists():
        raise DeckError("The owner of this deck does not want to hear from you.")


def _refuse_haste(done: QuerySet[Any], most: int) -> None:
    if done.filter(created__gt=timezone.now() - timedelta(hours=1)).count() >= most:
        raise DeckError("That was a lot within one hour. Please go on later.")


def _count_likes(deck: Deck) -> None:
    Deck.objects.filter(pk=deck.pk).update(liked=deck.likes.count())


def _text(text: str, limit: int) -> str:
    """Return what somebody wrote as it is kept; raises DeckError if it is too long."""
    text = as_it_reads(_NOT_TEXT.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))).strip()
    if len(text) > limit:
        raise DeckError(f"This text has {len(text)} characters, and {limit} is the most there can be.")
    return text


def _tags(written: str) -> list[str]:
    """Return tags as they are kept: small letters, each once; raises DeckError if one is too long, or for too many."""
    words = dict.fromkeys(
        name_key(one_line(word.replace('"', "").lstrip(" #"), MAX_TAG + 1)) for word in written.split(",")
    )
    words.pop("", None)
    if len(words) > MAX_TAGS:
        raise DeckError(f"A deck has {MAX_TAGS} tags at most.")
    if any(len(word) > MAX_TAG for word in words):
        raise DeckError(f"A tag has {MAX_TAG} characters at most.")
    return list(words)
