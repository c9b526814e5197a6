"""Faults in what goes over sockets, put around the whole site, so that they do not depend on how it is made inside."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

Message = Any
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Socket = Callable[[Any, Receive, Send], Awaitable[None]]


def around_sockets(wrap: Callable[[Socket], Socket]) -> None:
    """Put ``wrap`` around the site's application for WebSockets."""
    from ccg.server import asgi

    site: Socket = asgi.application
    sockets = wrap(site)

    async def application(scope: Any, receive: Receive, send: Send) -> None:
        await (sockets if scope["type"] == "websocket" else site)(scope, receive, send)

    vars(asgi)["application"] = application


def _read(message: Message) -> dict[str, Any]:
    try:
        content = json.loads(message.get("text") or message.get("bytes") or b"null")
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}


def before_each_choice(work: Callable[[], object]) -> None:
    """Call ``work`` before each choice of a game."""
    from ccg.rules import Game

    real = Game.choose

    def choose(self: Game, *chosen: Any, **more: Any) -> Any:
        work()
        return real(self, *chosen, **more)

    setattr(Game, "choose", choose)  # noqa: B010


def ack_before_commit() -> None:
    """Answer a choice at once, and hand it on a moment later: what is killed in between was promised and is lost."""

    def wrap(inner: Socket) -> Socket:
        async def socket(scope: Any, receive: Receive, send: Send) -> None:
            async def slow_receive() -> Message:
                message = await receive()
                choice = _read(message) if message["type"] == "websocket.receive" else {}
                if choice.get("type") == "choose":
                    accepted = {"type": "accepted", "id": choice["id"], "version": choice["version"] + 1}
                    await send({"type": "websocket.send", "text": json.dumps(accepted)})
                    await asyncio.sleep(0.4)
                return message

            await inner(scope, slow_receive, send)

        return socket

    around_sockets(wrap)


def forgotten_ids() -> None:
    """Give each choice an id of our own: the same choice sent again is another one, and does not find its answer."""

    def wrap(inner: Socket) -> Socket:
        async def socket(scope: Any, receive: Receive, send: Send) -> None:
            theirs: dict[str, str] = {}

            async def receive_renamed() -> Message:
                message = await receive()
                choice = _read(message) if message["type"] == "websocket.receive" else {}
                if choice.get("type") == "choose":
                    own = f"own-{id(theirs)}-{len(theirs)}"
                    theirs[own] = choice["id"]
                    message = {**message, "text": json.dumps({**choice, "id": own})}
                return message

            async def send_renamed(message: Message) -> None:
                answer = _read(message) if message["type"] == "websocket.send" else {}
                if answer.get("type") in ("accepted", "refused") and answer.get("id") in theirs:
                    message = {**message, "text": json.dumps({**answer, "id": theirs[answer["id"]]})}
                await send(message)

            await inner(scope, receive_renamed, send_renamed)

        return socket

    around_sockets(wrap)


def rewritten(change: Callable[[dict[str, Any]], dict[str, Any] | None]) -> None:
    """Replace each outgoing message by what ``change`` returns for it; where that is None, send nothing."""

    def wrap(inner: Socket) -> Socket:
        async def socket(scope: Any, receive: Receive, send: Send) -> None:
            async def send_changed(message: Message) -> None:
                if message["type"] == "websocket.send":
                    content = _read(message)
                    changed = change(content)
                    if changed is None:
                        return
                    if changed is not content:
                        message = {"type": "websocket.send", "text": json.dumps(changed)}
                await send(message)

            await inner(scope, receive, send_changed)

        return socket

    around_sockets(wrap)


def unheard(*types: str) -> Callable[[], None]:
    """Return a plant that keeps back messages of these types."""
    return lambda: rewritten(lambda content: None if content.get("type") in types else content)
