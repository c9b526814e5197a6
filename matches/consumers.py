"""The socket of a table: thin, and hard to break.

Three parts: what the socket does (connect, frames, disconnect), what clients ask for (one method for each
message), and what groups say. Nothing here knows rules or builds views: commands go through
``matches.door``, tables come from ``matches.seen``. Whatever a client sends, it gets an answer, and the
socket stays open.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any

from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from msgspec import Struct

from ccg.rules import StateError
from matches import bots, door, keeping, news, seen
from matches.models import Match
from matches.people import is_signed_in
from matches.protocol import (
    Accepted,
    AskWhy,
    Back,
    Choose,
    Concede,
    FromServer,
    Heartbeat,
    Hello,
    Malformed,
    Ping,
    Pong,
    RefusalCode,
    Refused,
    decode,
    encode,
)
from matches.pulse import Beat, note, pulse
from matches.work import on_database, on_engine

log = logging.getLogger(__name__)

FRAMES_A_SECOND = 20
FRAMES_AT_ONCE = 40
"""How many frames a client may send in the long run, and in one burst."""

FLOOD = 200
"""How many frames above that are refused one by one before the socket is closed."""

BEHIND_LIMIT = 50
"""How many versions a client may be behind what it was sent before it is cut off."""

UNANSWERED_LIMIT = 200
"""How many tables are sent to a client that does not say anything."""

SESSION_CHECK_SECONDS = 5.0
"""How long a look at the session holds when somebody acts."""

IDLE_CHECK_BEATS = 6
"""After how many heartbeats the session of somebody who only watches is looked at."""

# Those below 4000 are the standard's, which daphne sends only as ``ccg.server.serving`` has it fitted.
FLOODED, FAULT, TOO_FAR_BEHIND, LOGGED_OUT, NO_TABLE, NOT_BEGUN = 1008, 1011, 1013, 4401, 4404, 4409


class Place(Struct, frozen=True):
    """Where somebody is at a table: on a seat, or (None) looking on."""

    seat_pk: int | None
    begun: bool
    version: int


def place_of(match_id: str, user_id: int | None) -> Place | None:
    """Give where this person is at the table, or None if there is no such table for them."""
    facts = keeping.facts_of(match_id)
    if facts is None:
        return None
    seat = facts.seat(user_id)
    if seat is None and not facts.watchable:
        return None
    if seat is not None:
        note([seat.pk])
    version: int = Match.objects.values_list("version", flat=True).get(pk=facts.pk)
    return Place(seat.pk if seat is not None else None, facts.begun, version)


class Allowance:
    """How many frames a client may still send: some at once, and so many a second in the long run.

    Refused frames count too, so whoever goes on all the same falls ever deeper, until ``flooding``.
    """

    def __init__(self) -> None:
        self._left = float(FRAMES_AT_ONCE)
        self._then = time.monotonic()

    def spend(self) -> bool:
        """Take one frame; False if there is none left."""
        now = time.monotonic()
        self._left = min(FRAMES_AT_ONCE, self._left + (now - self._then) * FRAMES_A_SECOND)
        self._then = now
        self._left -= 1
        return self._left >= 0

    @property
    def flooding(self) -> bool:
        """Whether refusing is of no use any more."""
        return self._left < -FLOOD


class TableConsumer(AsyncWebsocketConsumer):
    """One socket at one table."""

    match_id: str
    seat_pk: int | None = None

    # -- the socket

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Handle whatever comes; a fault of ours is logged under a number, and the socket stays open."""
        try:
            await super().dispatch(message)
        except StopConsumer:
            raise
        except Exception:
            reference = secrets.token_hex(4)
            log.exception("fault %s at a socket of match %s", reference, getattr(self, "match_id", "?"))
            await self._refuse("fault", f"Something went wrong on our side (reference {reference}). Nothing changed.")
            if message["type"] == "websocket.connect":
                await self._leave(FAULT)

    async def connect(self) -> None:
        """Let the client in; where there is no table for it, say so and close."""
        self.match_id = self.scope["url_route"]["kwargs"]["match_id"]
        user = self.scope.get("user")
        self.user_id: int | None = user.pk if user is not None and user.is_authenticated else None
        self.session_key: str = getattr(self.scope.get("session"), "session_key", None) or ""
        self.left = False
        self.sent: int | None = None
        self.known = 0
        self.present: list[int] = []
        self.unanswered = 0
        self.beats = 0
        self.signed_in_until = 0.0
        self.allowance = Allowance()
        await self.accept()
        place = await on_database(place_of, self.match_id, self.user_id)
        if place is None:
            await self._refuse("no_such_table", door.NO_TABLE.message)
            await self._leave(NO_TABLE)
            return
        if not place.begun:
            await self._refuse("not_running", "The match has not begun yet.")
            await self._leave(NOT_BEGUN)
            return
        self.seat_pk, self.known = place.seat_pk, place.version
        news.listen_here()
        bots.ensure_running()
        await self.channel_layer.group_add(news.match_group(self.match_id), self.channel_name)
        if self.user_id is not None:
            await self.channel_layer.group_add(news.person_group(self.user_id), self.channel_name)
        pulse.add(self)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Take one frame."""
        if self.left:
            return
        self.unanswered = 0
        if not self.allowance.spend():
            if self.allowance.flooding:
                await self._leave(FLOODED)
            else:
                await self._refuse("too_fast", "Too many messages at once. Please wait a second.")
            return
        try:
            message = decode(text_data if text_data is not None else bytes_data or b"")
        except Malformed as error:
            await self._refuse(error.code, error.message)
            return
        await self.COMMANDS[type(message)](self, message)

    async def disconnect(self, code: int) -> None:
        """Forget the socket. May never be called when a process or a line dies; nothing depends on it."""
        pulse.remove(self)
        await self.channel_layer.group_discard(news.match_group(self.match_id), self.channel_name)
        if self.user_id is not None:
            await self.channel_layer.group_discard(news.person_group(self.user_id), self.channel_name)

    # -- what clients ask for

    async def hello(self, message: Hello) -> None:
        """Show the table, with what happened since."""
        await self._show(message.since)

    async def move(self, message: Choose | Back | Concede) -> None:
        """Carry the command to the door, and the answer back."""
        if not await self._signed_in():
            await self._close_signed_out()
            return
        outcome = await door.act_from_loop(self.match_id, door.Actor.person(self.user_id), message)
        self.known = max(self.known, outcome.version)
        if isinstance(outcome, door.Accepted):
            await self._tell(Accepted(id=message.id, version=outcome.version))
        else:
            await self._refuse(outcome.code, outcome.message, message.id)

    async def ping(self, message: Ping) -> None:
        """Answer, unless the client has fallen hopelessly behind."""
        if message.seen is not None and self.sent is not None and self.sent - message.seen > BEHIND_LIMIT:
            await self._leave(TOO_FAR_BEHIND)
            return
        await self._tell(Pong())

    async def why(self, message: AskWhy) -> None:
        """Tell a player why they cannot do this or that, in the table as they see it."""
        sight = await on_database(seen.read, self.match_id, self.user_id, message.version)
        if not isinstance(sight, seen.Sight) or sight.viewer is None:
            await self._refuse("no_seat", "Only who has a seat is told why not.")
        elif message.version != sight.version:
            self.known = max(self.known, sight.version)
            await self._refuse(
                "late" if message.version < sight.version else "ahead", "The table is at another version."
            )
        else:
            await self._send_made(seen.why, sight)

    COMMANDS: dict[type, Callable[[Any, Any], Awaitable[None]]] = {
        Hello: hello,
        Choose: move,
        Back: move,
        Concede: move,
        Ping: ping,
        AskWhy: why,
    }

    # -- what groups say, and the pulse

    async def match_version(self, message: dict[str, Any]) -> None:
        """The match has gone on: show the table, unless that version was shown already."""
        version = message["version"]
        self.known = max(self.known, version)
        if self.left or self.sent is None or version <= self.sent:
            return
        self.unanswered += 1
        if self.unanswered > UNANSWERED_LIMIT:
            await self._leave(TOO_FAR_BEHIND)
            return
        # What this process has just stored itself need not be read again.
        sight = seen.remembered(self.match_id, self.user_id, self.sent, version, self.present)
        if sight is not None:
            await self._show_sight(sight)
        else:
            await self._show(self.sent)

    async def session_ended(self, message: dict[str, Any]) -> None:
        """Somebody signed out: was it here?"""
        if self.session_key and message["mark"] == news.session_mark(self.session_key):
            await self._close_signed_out()

    async def session_check(self, message: dict[str, Any]) -> None:
        """Something about this person changed: are they still signed in?"""
        self.signed_in_until = 0.0
        if not self.left and not await self._signed_in():
            await self._close_signed_out()

    async def beat(self, beat: Beat) -> None:
        """Tell the client where the match stands and who is there."""
        if self.left:
            return
        self.known, self.present = max(self.known, beat.version), beat.present
        self.beats += 1
        if self.beats % IDLE_CHECK_BEATS == 0 and not await self._signed_in():
            await self._close_signed_out()
            return
        await self._tell(Heartbeat(version=beat.version, present=beat.present, rematch=beat.rematch))

    # -- inside

    async def _show(self, since: int | None) -> None:
        sight = await on_database(seen.read, self.match_id, self.user_id, since)
        if sight is None:
            await self._refuse("no_such_table", door.NO_TABLE.message)
            await self._leave(NO_TABLE)
            return
        if sight == "open":
            await self._refuse("not_running", "The match has not begun yet.")
            return
        await self._show_sight(sight)

    async def _show_sight(self, sight: seen.Sight) -> None:
        if await self._send_made(seen.table, sight):
            self.sent, self.present = sight.version, sight.present
            self.known = max(self.known, sight.version)

    async def _send_made(self, make: Callable[[seen.Sight], FromServer], sight: seen.Sight) -> bool:
        """Send what ``make`` makes of the table as it was read; False if this program cannot read it any more."""
        try:
            text = await on_engine(_written, make, sight)
        except StateError as error:
            if error.code != "engine":
                raise
            await self._refuse("outdated", door.OUTDATED)
            return False
        await self.send(text_data=text)
        return True

    async def _signed_in(self) -> bool:
        """Whether the session is still good; a look holds for a few seconds. Who looks on without one is welcome."""
        if self.user_id is None:
            return True
        now = time.monotonic()
        if now >= self.signed_in_until:
            if not await on_database(is_signed_in, self.session_key, self.user_id):
                return False
            self.signed_in_until = now + SESSION_CHECK_SECONDS
        return True

    async def _close_signed_out(self) -> None:
        await self._refuse("logged_out", "You are no longer signed in here.")
        await self._leave(LOGGED_OUT)

    async def _refuse(self, code: RefusalCode, message: str, action_id: str | None = None) -> None:
        known = getattr(self, "known", 0)
        await self._tell(Refused(id=action_id, code=code, message=message, version=known))

    async def _tell(self, message: FromServer) -> None:
        await self.send(text_data=encode(message))

    async def _leave(self, code: int) -> None:
        self.left = True
        pulse.remove(self)
        await self.close(code)


def _written(make: Callable[[seen.Sight], FromServer], sight: seen.Sight) -> str:
    return encode(make(sight))
