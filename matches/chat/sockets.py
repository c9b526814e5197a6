"""The chat of one socket: what its client asks for, and what it is told.

A hint says that somebody has written; what was written is read from the database, once for all sockets of this process
that have read equally far. Where a hint is lost, the heartbeat says that there is more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from msgspec import Struct

from matches.chat import services
from matches.chat.models import Line
from matches.chat.services import ChatError, LineRead, Reader
from matches.protocol.messages import (
    BlockWriter,
    Chat,
    ChatLine,
    Done,
    FromServer,
    ReadChat,
    RefusalCode,
    ReportLine,
    Say,
)
from matches.storage.executors import on_database


class Socket(Struct, frozen=True):
    """What a chat needs of the socket that it belongs to."""

    match_id: str
    user_id: int | None
    send: Callable[[FromServer], Awaitable[None]]
    refuse: Callable[[RefusalCode, str, str | None], Awaitable[None]]
    still_here: Callable[[], Awaitable[bool]]
    """Closes the socket of whoever is no longer signed in; whether it is open."""


Key = tuple[str, tuple[str, ...], int]
_reading: dict[Key, asyncio.Task[list[LineRead]]] = {}
"""What is being read now: others who want the same wait for it."""


async def _lines_after(match_id: str, rooms: tuple[str, ...], since: int) -> list[LineRead]:
    key = (match_id, rooms, since)
    task = _reading.get(key)
    if task is None or task.get_loop() is not asyncio.get_running_loop():
        task = asyncio.create_task(on_database(services.lines_after, match_id, rooms, since))
        _reading[key] = task
        task.add_done_callback(lambda done: _reading.pop(key, None) if _reading.get(key) is done else None)
    return await asyncio.shield(task)


class TableChat:
    """What a socket has told of the chat, once its client has asked for it."""

    def __init__(self, socket: Socket) -> None:
        self._socket = socket
        self._reader: Reader | None = None
        self._blocked: frozenset[int] = frozenset()
        self._told: int | None = None
        """The newest line that was looked at for this client; None while it has asked for nothing."""
        self._asked = 0
        self._known = 0

    async def read(self, message: ReadChat) -> None:
        """Tell what was written after ``since``, and go on with what will be."""
        await self._look_up()
        if self._reader is None:
            await self._socket.send(Chat(reads=False, writes=False, lines=[], phrases=[]))
            return
        self._told = message.since
        await self._tell(first=True)

    async def say(self, message: Say) -> None:
        """Write a line; everybody is told once it is stored."""
        await self._carry_out(message.id, "said", services.say, message.id, message.text)

    async def block(self, message: BlockWriter) -> None:
        """Let this person hear no more of whoever wrote a line."""
        await self._carry_out(message.id, "blocked", services.block_author, message.line)
        await self._look_up()

    async def report(self, message: ReportLine) -> None:
        """Bring a line before moderators."""
        await self._carry_out(message.id, "reported", services.report, message.line, message.reason, message.words)

    def expect(self, newest: int) -> bool:
        """Note that the newest line has this number; return whether the client has not been told so far."""
        self._known = max(self._known, newest)
        return self._told is not None and self._known > max(self._told, self._asked)

    async def catch_up(self) -> None:
        """Tell what is new, if the client has asked for the chat at all."""
        if self._told is None or self._reader is None:
            return
        reads = self._reader.reads
        if reads == (Line.Room.PLAYERS,):
            await self._look_up()  # the match may be over by now, and whoever looks on be heard
        elif self._socket.user_id is not None:
            self._blocked = await on_database(services.blocked, self._socket.user_id)  # on another page, perhaps
        if self._reader is not None and self._reader.reads != reads:
            self._told = 0
        await self._tell()

    async def _tell(self, first: bool = False) -> None:
        if self._reader is None or self._told is None:
            return
        self._asked = self._known
        lines = await _lines_after(self._socket.match_id, self._reader.reads, self._told)
        self._told = max([self._told, *(line.number for line in lines)])
        shown = [self._line(line) for line in lines if line.author not in self._blocked]
        if first or shown:
            phrases = list(services.PHRASES) if first else []
            writes = self._reader.writes is not None
            await self._socket.send(Chat(reads=True, writes=writes, lines=shown, phrases=phrases))

    def _line(self, line: LineRead) -> ChatLine:
        return ChatLine(
            number=line.number,
            to="players" if line.room == Line.Room.PLAYERS else "lookers_on",
            seat=line.seat,
            name=line.name,
            text=line.text,
            phrase=line.text in services.PHRASES,
            at=line.at,
            mine=line.author is not None and line.author == self._socket.user_id,
        )

    async def _look_up(self) -> None:
        self._reader, self._blocked = await on_database(_look_up, self._socket.match_id, self._socket.user_id)

    async def _carry_out(self, action_id: str, did: Any, function: Callable[..., Any], *arguments: Any) -> None:
        if not await self._socket.still_here():
            return
        try:
            await on_database(_as_person, self._socket.user_id, function, self._socket.match_id, *arguments)
        except ChatError as error:
            await self._socket.refuse(error.code, error.message, action_id)
            return
        await self._socket.send(Done(id=action_id, did=did))


def _look_up(match_id: str, user_id: int | None) -> tuple[Reader | None, frozenset[int]]:
    return services.reader(match_id, services.person(user_id)), services.blocked(user_id)


def _as_person(user_id: int | None, function: Callable[..., Any], match_id: str, *arguments: Any) -> Any:
    return function(match_id, services.person(user_id), *arguments)


async def read(socket: Any, message: ReadChat) -> None:
    """Handle ``read_chat``."""
    await socket.chat.read(message)


async def say(socket: Any, message: Say) -> None:
    """Handle ``say``."""
    await socket.chat.say(message)


async def block(socket: Any, message: BlockWriter) -> None:
    """Handle ``block_writer``."""
    await socket.chat.block(message)


async def report(socket: Any, message: ReportLine) -> None:
    """Handle ``report_line``."""
    await socket.chat.report(message)


COMMANDS: dict[type, Callable[[Any, Any], Awaitable[None]]] = {
    ReadChat: read,
    Say: say,
    BlockWriter: block,
    ReportLine: report,
}
"""What clients ask for, and who does it."""

COSTS: dict[type, float] = {ReadChat: 10, Say: 10, BlockWriter: 10, ReportLine: 20}
"""In frames of all sockets of one visitor, besides the frame itself."""
