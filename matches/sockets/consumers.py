"""The socket of a table: thin, and hard to break.

Three parts: what the socket does (connect, frames, disconnect), what clients ask for (one method for each message), and
what it hears of (``matches.hints.listeners``). Nothing here knows rules or builds views: commands go through
``matches.playing.moves``, tables come from ``matches.table.table_view``. Whatever a client sends, it gets an answer,
and the socket stays open.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any
from urllib.parse import parse_qs

from channels.generic.websocket import AsyncWebsocketConsumer
from msgspec import Struct

from ccg.rules import EngineError, StateError
from matches.chat import sockets as chat
from matches.hints import notifications
from matches.hints.listeners import listeners
from matches.models import Match
from matches.orders import sockets as orders
from matches.playing import match_cache, moves
from matches.protocol.messages import (
    Accepted,
    Agree,
    AskWhy,
    Back,
    Choose,
    Claim,
    Concede,
    Decline,
    FromServer,
    Heartbeat,
    Hello,
    Malformed,
    OfferIt,
    Ping,
    Pong,
    RefusalCode,
    Refused,
    Resume,
    decode,
    encode,
)
from matches.runners import computer_runner
from matches.sockets import measures, news
from matches.sockets.heartbeat import Beat, heartbeat, record_presence
from matches.sockets.sessions import SessionOf, is_signed_in
from matches.storage.executors import on_database
from matches.storage.outages import Outage, outage_of
from matches.table import table_view
from matches.table.table_view import Snapshot
from matches.watching import delay

log = logging.getLogger(__name__)

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

FRAMES_A_SECOND = 20
FRAMES_AT_ONCE = 40
"""How many frames a client may send in the long run, and in one burst."""

LONG_FRAME = 512
"""How many characters count as one frame more: what is long costs more to read, and to refuse."""

COSTS: dict[type, float] = {Hello: 20, AskWhy: 20, OfferIt: 20, Agree: 20, **chat.COSTS, **orders.COSTS}
"""What asking for a whole table costs, or for one of an earlier version, in frames of all sockets of one visitor,
besides the frame itself."""

PUSHED = 0.2
"""What each table that is pushed to a socket costs its visitor, in the same measure: who opens a hundred sockets at a
table of their own has each of their moves written a hundred times."""

FLOOD = 200
"""How many frames above that are refused one by one before the socket is closed."""

BEHIND_LIMIT = 50
"""How many versions a client may be behind what it was sent before it is cut off."""

UNANSWERED_LIMIT = 200
"""How many tables are sent to a client that does not say anything."""

SESSION_CHECK_SECONDS = 6.0
"""How long a look at the session holds when somebody acts: from one heartbeat to the next, which looks at those of
all who have acted lately."""

ACTIVE_BEATS = 6
"""For how many heartbeats who acted counts as active, and after how many the session of others is looked at."""

FAULTS_OF_CARDS = ("loop", "work")
"""Codes of engine errors that tell which cards are at fault, so that players may read them."""

OTHERWISE = (
    "Choose something else, or concede. If nothing is possible, whoever runs this site can end the match as a draw."
)

# Those below 4000 are the standard's, which daphne sends only as ``ccg.server.serving`` has it fitted.
FLOODED, FAULT, TRY_LATER, TOO_FAR_BEHIND, LOGGED_OUT, NO_TABLE, NOT_BEGUN = 1008, 1011, 1013, 1013, 4401, 4404, 4409


class TableAccess(Struct, frozen=True):
    """What somebody may do at a table: sit on a seat, or (None) look on; and how far the match is."""

    seat_pk: int | None
    begun: bool
    version: int
    delayed: bool = False
    """Whether what happens is shown later; ``version`` is what is shown now."""
    seat: int | None = None


def access_of(match_id: str, user_id: int | None) -> TableAccess | None:
    """Return what this person may do at the table, or None if there is no such table for them."""
    facts = match_cache.facts_of(match_id)
    if facts is None or not facts.is_shown_to(user_id):
        return None
    seat = facts.seat(user_id)
    if seat is not None:
        record_presence([seat.pk])
    version: int = Match.objects.values_list("version", flat=True).get(pk=facts.pk)
    if seat is not None:
        return TableAccess(seat.pk, facts.begun, version, seat=seat.number)
    return TableAccess(None, facts.begun, delay.version_for(facts.pk, facts.delay, version), bool(facts.delay))


class Allowance:
    """How many frames a client may still send: some at once, and so many a second in the long run.

    Refused frames count too, so whoever goes on all the same falls ever deeper, until ``flooding``.
    """

    def __init__(self) -> None:
        self._left = float(FRAMES_AT_ONCE)
        self._then = time.monotonic()

    def spend(self, cost: float) -> bool:
        """Take so many frames; False if there are not as many left."""
        now = time.monotonic()
        self._left = min(FRAMES_AT_ONCE, self._left + (now - self._then) * FRAMES_A_SECOND)
        self._then = now
        self._left -= cost
        return self._left >= 0

    @property
    def flooding(self) -> bool:
        """Whether refusing is of no use any more."""
        return self._left < -FLOOD


class TableConsumer(AsyncWebsocketConsumer):
    """One socket at one table; ``chat`` and ``orders`` are there once it is connected."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.match_id = "?"
        self.user_id: int | None = None
        self.session_key = ""
        self.signed_in_until = time.monotonic() + SESSION_CHECK_SECONDS  # the session has just been read
        self.seat_pk: int | None = None
        self.seat: int | None = None
        self.delayed = False
        self.left = False
        self.allowance = Allowance()
        self.turn = asyncio.Lock()
        """Held while something is done, so that what is sent keeps its order."""
        self.tasks: set[asyncio.Task[None]] = set()
        self.action_id: str | None = None
        """The client's id of the move that is being handled."""
        self.sent: int | None = None
        """The version of the table that the client was sent last."""
        self.known = 0
        """The newest version that this viewer may hear of."""
        self.news = 0
        """The newest version of which a hint has said that it is there."""
        self.present: list[int] = []
        self.unanswered = 0
        """Tables sent since the client has said anything."""
        self.beats = 0
        self.acted_at_beat = -ACTIVE_BEATS

    # -- the socket

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Handle one frame after the other, until the socket ends."""
        self.scope, self.base_send = scope, send
        try:
            while True:
                message = await receive()
                if message["type"] == "websocket.disconnect":
                    return
                if message["type"] == "websocket.connect":
                    await self._do(self.connect(), opening=True)
                else:
                    await self._do(self.receive(message.get("text"), message.get("bytes")))
        finally:
            self.left = True
            self._forget()

    async def _do(self, something: Coroutine[Any, Any, None], opening: bool = False) -> None:
        """Do one thing; what goes wrong is said, and the socket stays open unless it is just ``opening``."""
        async with self.turn:
            self.action_id = None
            try:
                await something
                self.action_id = None
                await self._catch_up()
            except Exception as error:
                code = await self._answer_failure(error)
                if opening:
                    await self._leave(code)

    def _do_soon(self, something: Coroutine[Any, Any, None]) -> None:
        """Do one thing as soon as what is being done now is done."""
        task = asyncio.create_task(self._do(something))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _answer_failure(self, error: Exception) -> int:
        """Send the client the reason of the failure; return the close code for a socket that is not open yet."""
        outage = outage_of(error)
        if outage is not None:
            log.warning("the database is %s for a socket of match %s: %s", outage.value, self.match_id, error)
            await self._refuse(outage.value, outage.message, self.action_id)
            return TRY_LATER
        reference = secrets.token_hex(4)
        log.error("fault %s at a socket of match %s", reference, self.match_id, exc_info=error)
        message = f"Something went wrong on our side (reference {reference}). Nothing changed."
        if isinstance(error, EngineError) and error.code in FAULTS_OF_CARDS:
            message = f"{error.message} {OTHERWISE} (Reference {reference}.)"
        await self._refuse("fault", message, self.action_id)
        return FAULT

    async def connect(self) -> None:
        """Let the client in; where there is no table for it, say so and close."""
        self.match_id = self.scope["url_route"]["kwargs"]["match_id"]
        user = self.scope.get("user")
        self.user_id = user.pk if user is not None and user.is_authenticated else None
        self.session_key = getattr(self.scope.get("session"), "session_key", None) or ""
        socket = chat.Socket(self.match_id, self.user_id, self._send_message, self._refuse, self._still_here)
        self.chat, self.orders = chat.TableChat(socket), orders.TableOrders(socket)
        await self.accept()
        if not self._is_of_its_page():
            await self._close_signed_out()
            return
        access = await on_database(access_of, self.match_id, self.user_id)
        if access is None:
            await self._refuse("no_such_table", moves.NO_TABLE.message)
            await self._leave(NO_TABLE)
            return
        if not access.begun:
            await self._refuse("not_running", "The match has not begun yet.")
            await self._leave(NOT_BEGUN)
            return
        self.seat_pk, self.known, self.delayed = access.seat_pk, access.version, access.delayed
        self.seat = access.seat
        notifications.listen_here(news.hear)
        computer_runner.ensure_running()
        listeners.add(self)
        heartbeat.add(self)

    def _is_of_its_page(self) -> bool:
        """Return whether the page, if it says whose it is, is of who is signed in: else it would send what is theirs.

        A page that was without a line comes back with the session of whoever uses the browser by then.
        """
        asked = parse_qs(self.scope.get("query_string", b"").decode("latin-1")).get("as")
        return asked is None or asked == [str(self.user_id)]

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Take one frame."""
        if self.left:
            return
        self.unanswered = 0
        frame = text_data if text_data is not None else bytes_data or b""
        frames = 1 + len(frame) / LONG_FRAME
        if not self.allowance.spend(frames) or not self._shared(frames):
            if self.allowance.flooding:
                log.warning("closed a flooding socket at match %s", self.match_id)
                await self._leave(FLOODED)
            else:
                await self._refuse("too_fast", "Too many messages at once. Please wait a second.")
            return
        try:
            message = decode(frame)
        except Malformed as error:
            await self._refuse(error.code, error.message, error.action_id)
            return
        if not self._shared(COSTS.get(type(message), 0)):
            await self._refuse("too_fast", "Too many messages at once. Please wait a second.")
            return
        self.action_id = getattr(message, "id", None)
        await self.COMMANDS[type(message)](self, message)

    def _shared(self, cost: float) -> bool:
        """Take ``cost`` from what all sockets of this visitor may ask for; the site above knows whose they are."""
        spend: Callable[[float], bool] | None = self.scope.get("spend")
        return spend is None or spend(cost)

    def _forget(self) -> None:
        """Unsubscribe from all hints. Nothing depends on this: it is not called when a process dies."""
        heartbeat.remove(self)
        listeners.remove(self)

    # -- what clients ask for

    async def hello(self, message: Hello) -> None:
        """Show the table, with what happened since."""
        await self._show(message.since)

    async def move(self, message: Choose | Back | Concede | OfferIt | Agree | Decline | Resume | Claim) -> None:
        """Make the move, and send the answer."""
        began = time.perf_counter()
        self.acted_at_beat = self.beats
        await self._check_session()
        if self.left:
            return
        outcome = await moves.act_from_loop(self.match_id, moves.Actor.person(self.user_id), message)
        self.known = max(self.known, outcome.version)
        if isinstance(outcome, moves.Accepted):
            await self._send_message(Accepted(id=message.id, version=outcome.version))
            measures.moved(moves.kind_of(message), time.perf_counter() - began)
        else:
            await self._refuse(outcome.code, outcome.message, message.id)
            measures.move_refused(time.perf_counter() - began)

    async def ping(self, message: Ping) -> None:
        """Answer, unless the client has fallen hopelessly behind."""
        if message.seen is not None and self.sent is not None and self.sent - message.seen > BEHIND_LIMIT:
            await self._leave(TOO_FAR_BEHIND)
            return
        await self._send_message(Pong())

    async def why(self, message: AskWhy) -> None:
        """Tell a player why they cannot do this or that, in the table as they see it."""
        snapshot = await on_database(table_view.read, self.match_id, self.user_id, message.version)
        if not isinstance(snapshot, Snapshot) or snapshot.viewer is None:
            await self._refuse("no_seat", "Only who has a seat is told why not.")
        elif message.version != snapshot.version:
            self.known = max(self.known, snapshot.version)
            await self._refuse(
                "late" if message.version < snapshot.version else "ahead", "The table is at another version."
            )
        else:
            await self._send_made(_why_written, snapshot)

    COMMANDS: dict[type, Callable[[Any, Any], Awaitable[None]]] = {
        Hello: hello,
        Choose: move,
        Back: move,
        Concede: move,
        OfferIt: move,
        Agree: move,
        Decline: move,
        Resume: move,
        Claim: move,
        Ping: ping,
        AskWhy: why,
        **chat.COMMANDS,
        **orders.COMMANDS,
    }

    # -- what it hears of

    def hear_of_version(self, version: int) -> None:
        """The match has gone on: show the table, unless that version was shown already."""
        if not self.delayed:
            self.known = max(self.known, version)
        self.news = max(self.news, version)
        if self._has_news and not self.turn.locked():
            self._do_soon(self._catch_up())

    def hear_of_ended_session(self, mark: str) -> None:
        """Somebody signed out: was it here?"""
        if self.session_key and mark == notifications.session_mark(self.session_key):
            self._do_soon(self._close_signed_out())

    def hear_of_change(self) -> None:
        """Something about this person changed: are they still signed in?"""
        self._do_soon(self._check_session_anew())

    def hear_of_line(self) -> None:
        """Somebody has written: tell what."""
        if not self.left:
            self._do_soon(self.chat.catch_up())

    @property
    def session_to_check(self) -> SessionOf | None:
        """The session that the next heartbeat is to look at, if any."""
        if self.user_id is None or self.left:
            return None
        due = self.beats - self.acted_at_beat <= ACTIVE_BEATS or (self.beats + 1) % ACTIVE_BEATS == 0
        return (self.session_key, self.user_id) if due else None

    async def beat(self, beat: Beat) -> None:
        """Tell the client where the match stands and who is there."""
        if self.left:
            return
        version = beat.version if self.seat_pk is not None else beat.watched
        self.known, self.present = max(self.known, version), beat.present
        self.beats += 1
        if beat.signed_in is False:
            await self._close_signed_out()
            return
        if beat.signed_in:
            self.signed_in_until = time.monotonic() + SESSION_CHECK_SECONDS
        await self._send_message(
            Heartbeat(
                version=version,
                present=beat.present,
                rematch=beat.rematch,
                onlookers=beat.onlookers,
                # Those of the newest version, which who looks on with a delay knows nothing of.
                clocks=beat.clocks if version == beat.version else None,
                absent=beat.absent if version == beat.version else [],
            )
        )
        if self.chat.expect(beat.line):
            # By itself: a socket in whose beat something fails counts as gone, and its player as away.
            self._do_soon(self.chat.catch_up())

    async def no_beat(self, outage: Outage) -> None:
        """Tell the client why there is no heartbeat this time."""
        if not self.left:
            await self._refuse(outage.value, outage.message)

    # -- inside

    @property
    def _has_news(self) -> bool:
        return not self.left and self.sent is not None and self.news > self.sent

    async def _catch_up(self) -> None:
        """Send the table until no newer version is known: hints may arrive while it is read."""
        while self._has_news:
            assert self.sent is not None
            news, self.news = self.news, 0  # one try for each hint: what cannot be shown is told once
            self.unanswered += 1
            if self.unanswered > UNANSWERED_LIMIT:
                await self._leave(TOO_FAR_BEHIND)
                return
            charge: Callable[[float], None] | None = self.scope.get("charge")
            if charge is not None:
                charge(PUSHED)
            # What this process has just stored itself need not be read again.
            snapshot = table_view.from_cache(self.match_id, self.user_id, self.sent, news, self.present)
            if snapshot is not None:
                await self._show_snapshot(snapshot)
            else:
                await self._show(self.sent, news=True)
            await self.orders.catch_up()

    async def _show(self, since: int | None, *, news: bool = False) -> None:
        """Show the table; as ``news``, only if there is something new for whoever looks on later."""
        snapshot = await on_database(table_view.read, self.match_id, self.user_id, since)
        if snapshot is None:
            await self._refuse("no_such_table", moves.NO_TABLE.message)
            await self._leave(NO_TABLE)
            return
        if snapshot == "open":
            await self._refuse("not_running", "The match has not begun yet.")
            return
        if news and self.delayed and self.sent is not None and snapshot.version <= self.sent:
            return
        await self._show_snapshot(snapshot)

    async def _show_snapshot(self, snapshot: Snapshot) -> None:
        if snapshot.viewer != self.seat:
            # Somebody else plays on in this seat, or this person in another's: they come back as who they are now.
            await self._leave(TRY_LATER)
            return
        if await self._send_made(table_view.written, snapshot):
            self.sent, self.present = snapshot.version, snapshot.present
            self.known = max(self.known, snapshot.version)

    async def _send_made(self, make: Callable[[Snapshot], str], snapshot: Snapshot) -> bool:
        """Send what ``make`` makes of the table as it was read; False if this program cannot read it any more."""
        try:
            text = make(snapshot)
        except StateError as error:
            if error.code != "engine":
                raise
            await self._refuse("outdated", moves.OUTDATED)
            return False
        await self.send(text_data=text)
        return True

    async def _signed_in(self) -> bool:
        """Return whether the session is still valid, checked every few seconds; who is not signed in needs none."""
        if self.user_id is None:
            return True
        now = time.monotonic()
        if now >= self.signed_in_until:
            if not await on_database(is_signed_in, self.session_key, self.user_id):
                return False
            self.signed_in_until = now + SESSION_CHECK_SECONDS
        return True

    async def _check_session(self) -> None:
        if not self.left and not await self._signed_in():
            await self._close_signed_out()

    async def _check_session_anew(self) -> None:
        # Not as soon as it is heard: a heartbeat that had read the session before the change would say it is valid.
        self.signed_in_until = 0.0
        await self._check_session()

    async def _still_here(self) -> bool:
        """Close the socket of who is no longer signed in; return whether it is open."""
        await self._check_session()
        return not self.left

    async def _close_signed_out(self) -> None:
        await self._refuse("logged_out", "You are no longer signed in here.")
        await self._leave(LOGGED_OUT)

    async def _refuse(self, code: RefusalCode, message: str, action_id: str | None = None) -> None:
        measures.refused(code)
        await self._send_message(Refused(id=action_id, code=code, message=message, version=self.known))

    async def _send_message(self, message: FromServer) -> None:
        await self.send(text_data=encode(message))

    async def _leave(self, code: int) -> None:
        self.left = True
        self._forget()
        await self.close(code)


def _why_written(snapshot: Snapshot) -> str:
    return encode(table_view.why(snapshot))
