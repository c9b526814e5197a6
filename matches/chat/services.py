"""Writing and reading at a table, and what can be done against it.

Two rooms: players write to each other, and people who look on write to each other. Players see the second only when the
match is over, as it may say what they must not know. Tables with one person, and lessons, have no chat.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError
from django.db.models import Exists, Max, OuterRef, QuerySet
from django.utils import timezone
from msgspec import Struct

from ccg.locking import lock_person
from ccg.suspension import sentence
from ccg.words import one_line
from decks.services import DeckError
from decks.social import moderation, opinions
from matches.hints import notifications
from matches.models import Match, MatchSeat
from matches.playing import match_cache
from matches.playing.match_cache import Facts
from matches.protocol.messages import RefusalCode
from matches.storage import database

from .models import MAX_TEXT, Line

KIND = "chat"
"""How reports call a line."""

PHRASES = (
    "Hello, have fun!",
    "Good game!",
    "Well played!",
    "Thank you!",
    "One moment, please.",
    "Sorry, a slip of the hand.",
    "I have to go soon.",
)
"""Lines that are there for one click, and that can be read by whoever wants nothing else."""

READ_AT_ONCE = 200
"""Lines that are told at most when a table is opened, the newest ones."""
LINES_AT_ONCE, LINES_SECONDS = 8, 20
"""How many lines a person may write in so many seconds, at all tables together."""
LINES_OF_ONE = 500
"""Lines of one person at one table."""
CLOSES_AFTER = timedelta(days=1)
"""How long one may write after a match is over."""
CONTEXT = 5
"""Lines before the one reported that moderators see with it."""
GONE = "Former player"


class ChatError(Exception):
    """What was asked was not done; the text says why."""

    def __init__(self, code: RefusalCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def _no_chat() -> ChatError:
    """Return a new error each time: one that is raised again keeps the frames of all times before."""
    return ChatError("no_chat", "There is no chat at this table.")


class Reader(Struct, frozen=True):
    """What a person may do with the chat of a match: the rooms they read, and the one they write in."""

    match_pk: int
    reads: tuple[str, ...]
    writes: str | None


class LineRead(Struct, frozen=True):
    """A line as it is read from the database, with the name of its author."""

    number: int
    room: str
    author: int | None
    seat: int | None
    name: str
    text: str
    at: int


def reader(match_id: str, user: Any) -> Reader | None:
    """Return what ``user`` may do with the chat of this match; None where there is none, or none for them."""
    facts = match_cache.facts_of(match_id)
    if facts is None or not facts.begun or not has_chat(facts):
        return None
    if facts.seat(user.pk) is not None:
        over = Match.objects.filter(pk=facts.pk).exclude(state=Match.State.RUNNING).exists()
        reads: tuple[str, ...] = (Line.Room.PLAYERS, Line.Room.LOOKERS_ON) if over else (Line.Room.PLAYERS,)
        return Reader(facts.pk, reads, Line.Room.PLAYERS)
    if not facts.watchable:
        return None
    return Reader(facts.pk, (Line.Room.LOOKERS_ON,), Line.Room.LOOKERS_ON if opinions.has_account(user) else None)


def is_at(match_id: str) -> bool:
    """Return whether people write to each other at the table of this match, which has begun."""
    facts = match_cache.facts_of(match_id)
    return facts is not None and has_chat(facts)


def has_chat(facts: Facts) -> bool:
    """Return whether people write to each other at a table with these people."""
    persons = sum(seat.kind == MatchSeat.Kind.PERSON for seat in facts.seats)
    return not facts.lesson and persons > 1


def lines_after(match_id: str, rooms: Collection[str], since: int) -> list[LineRead]:
    """Return the lines of these rooms after number ``since``, oldest first, at most the newest :data:`READ_AT_ONCE`."""
    facts = match_cache.facts_of(match_id)
    if facts is None:
        return []
    rows = Line.objects.filter(match=facts.pk, room__in=rooms, pk__gt=since, hidden=False).order_by("-pk")
    columns = ("pk", "room", "author", "seat", "author__display_name", "text", "created")
    return [
        LineRead(pk, room, author, seat, _name(facts, author, seat, name), text, int(created.timestamp()))
        for pk, room, author, seat, name, text, created in reversed(rows.values_list(*columns)[:READ_AT_ONCE])
    ]


def blocked(user_pk: int | None) -> frozenset[int]:
    """Return the people of whom ``user`` wants to hear nothing."""
    return frozenset(opinions.blocked_by(user_pk).values_list("person", flat=True)) if user_pk else frozenset()


def say(match_id: str, user: Any, action_id: str, text: str) -> bool:
    """Write ``text`` at the table and tell all who are there; return whether it is new.

    The same ``action_id`` again changes nothing. Not for the event loop.
    Raises ChatError for a visitor, an empty line, too many lines, a match that has been over for long, and for anything
    but a quick phrase of somebody who is suspended.
    """
    may = reader(match_id, user)
    if may is None:
        raise _no_chat()
    if may.writes is None:
        raise ChatError("not_allowed", "To write to others who look on, sign in with an account.")
    line = one_line(text, MAX_TEXT)
    if not line:
        raise ChatError("not_allowed", "There is nothing to read in this line.")
    if line not in PHRASES and sentence(user):
        raise ChatError("not_allowed", f"{sentence(user)} Quick phrases are yours all the same.")
    facts = match_cache.facts_of(match_id)
    seat = facts.seat_of(user.pk) if facts is not None else None

    def store() -> bool:
        lock_person(user)
        own = Line.objects.filter(author=user)
        if own.filter(match=may.match_pk, action_id=action_id).exists():
            return False
        _refuse_too_many(own, may.match_pk)
        Line.objects.create(
            match_id=may.match_pk, room=may.writes, author=user, seat=seat, text=line, action_id=action_id
        )
        return True

    try:
        new = database.write(store)
        if new:  # else whoever sends one line again and again has all who are there look for it
            notifications.notify_chat(match_id)
        return new
    except IntegrityError:
        return False  # the same line came twice at once
    except database.Busy as error:
        raise ChatError("busy", "The server is busy and did not take the line. Please send it again.") from error


def _refuse_too_many(own: Any, match_pk: int) -> None:
    now = timezone.now()
    finished = Match.objects.values_list("finished", flat=True).get(pk=match_pk)
    if finished is not None and finished < now - CLOSES_AFTER:
        raise ChatError("over", "The match has been over for a day, and the chat is closed.")
    if own.filter(created__gt=now - timedelta(seconds=LINES_SECONDS)).count() >= LINES_AT_ONCE:
        raise ChatError("too_fast", "That were many lines. Please wait a little.")
    if own.filter(match=match_pk).count() >= LINES_OF_ONE:
        raise ChatError("not_allowed", f"You have written {LINES_OF_ONE} lines here, which is the most there can be.")


def block_author(match_id: str, user: Any, number: int) -> str:
    """Let ``user`` hear no more of whoever wrote this line, here and elsewhere; return their name. Raises ChatError."""
    line = _readable(match_id, user, number)
    if line.author is None:
        raise ChatError("not_allowed", "Who wrote this has left.")
    try:
        opinions.block_person(user, line.author)
    except DeckError as error:
        raise ChatError("not_allowed", str(error)) from error
    return str(line.author.display_name)


def report(match_id: str, user: Any, number: int, reason: str, words: str) -> None:
    """Bring this line before moderators, with the lines before it. Raises ChatError."""
    line = _readable(match_id, user, number)
    before = Line.objects.filter(match=line.match_id, room=line.room, pk__lt=line.pk).order_by("-pk")[:CONTEXT]
    told = [f"{one.author or GONE}: {one.text}" for one in (*reversed(before.select_related("author")), line)]
    try:
        moderation.report(
            user, KIND, str(line.pk), author=line.author, told="\n".join(told), reason=reason, words=words
        )
    except DeckError as error:
        raise ChatError("not_allowed", str(error)) from error


def show(subject: str, shown: bool) -> None:
    """Take a line away, or bring it back: what moderators decide."""
    Line.objects.filter(pk=int(subject)).update(hidden=not shown)


def subjects_of(user: Any) -> QuerySet[Any, str]:
    """Return the lines that ``user`` has written, as reports know them."""
    return moderation.numbers_of(Line.objects.filter(author=user))


def forget(user: Any, *, keep: bool) -> None:
    """See to the lines of ``user``, who is leaving: with ``keep`` they stay as nobody's, else they are deleted."""
    own = Line.objects.filter(author=user)
    if keep:
        own.update(author=None)
    else:
        own.delete()


def newest(match_pks: Sequence[int]) -> dict[int, int]:
    """Return the number of the newest line of each of these matches that has any."""
    return dict(Line.objects.filter(match__in=match_pks).order_by().values_list("match").annotate(Max("pk")))


def _readable(match_id: str, user: Any, number: int) -> Line:
    """Return the line, if ``user`` is signed in and was shown it: none that somebody wrote whom they block.

    What that one wrote before they were blocked was shown. Raises ChatError.
    """
    may = reader(match_id, user)
    if may is None:
        raise _no_chat()
    line = Line.objects.filter(pk=number, match=may.match_pk, room__in=may.reads, hidden=False)
    unheard = opinions.blocked_by(user.pk).filter(person=OuterRef("author"), created__lte=OuterRef("created"))
    found = line.filter(~Exists(unheard)).select_related("author").first()
    if found is None or not user.is_authenticated:
        raise ChatError("not_allowed", "There is no such line for you.")
    return found


def _name(facts: Facts, author: int | None, seat: int | None, name: str | None) -> str:
    if author is None:
        return GONE
    if seat is not None and facts.seats[seat].user_id == author:
        return facts.seats[seat].stand_in or facts.seats[seat].name
    return name or GONE


def person(user_id: int | None) -> Any:
    """Return the person with this id, or a visitor."""
    found = get_user_model().objects.filter(pk=user_id, is_active=True).first() if user_id is not None else None
    return found if found is not None else AnonymousUser()
