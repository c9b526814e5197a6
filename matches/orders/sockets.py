"""The standing orders of one socket: what its client asks for, and what it is told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from matches.chat.sockets import Socket
from matches.orders import services, wording
from matches.orders.matching import Terms
from matches.orders.services import Listing, OrderError
from matches.protocol.messages import DropOrder, GivenOrder, OfferedOrder, Orders, ReadOrders, SetOrder
from matches.storage.executors import on_database


class TableOrders:
    """What a socket has told of its player's orders, once its client has asked for them."""

    def __init__(self, socket: Socket) -> None:
        self._socket = socket
        self._told: Orders | None = None

    async def read(self, message: ReadOrders) -> None:
        """Tell which orders there are, and which could be given."""
        await self._tell(message.id)

    async def give(self, message: SetOrder) -> None:
        """Arm an order."""
        terms = Terms(message.decision, message.when, message.number, message.scope, message.until)
        await self._carry_out(message.id, services.give, message.id, message.version, terms)

    async def drop(self, message: DropOrder) -> None:
        """Take an order off."""
        await self._carry_out(message.id, services.drop, message.number)

    async def catch_up(self) -> None:
        """The table has gone on: tell what has become of the orders, if there are any that could have changed."""
        if self._told is None or all(order.why for order in self._told.orders):
            return
        try:
            found = _written(await on_database(services.listing, self._socket.match_id, self._socket.user_id))
        except OrderError:
            return  # the match is over
        if found.orders != self._told.orders:
            await self._socket.send(found)
        self._told = found

    async def _carry_out(self, action_id: str, function: Callable[..., Any], *arguments: Any) -> None:
        if not await self._socket.still_here():
            return
        try:
            await on_database(function, self._socket.match_id, self._socket.user_id, *arguments)
        except OrderError as error:
            await self._socket.refuse(error.code, error.message, action_id)
            return
        await self._tell(action_id)

    async def _tell(self, action_id: str) -> None:
        try:
            found = await on_database(services.listing, self._socket.match_id, self._socket.user_id)
        except OrderError as error:
            await self._socket.refuse(error.code, error.message, action_id)
            return
        self._told = _written(found)
        await self._socket.send(self._told)


def _written(found: Listing) -> Orders:
    given = [GivenOrder(number=one.number, text=one.text, answered=one.answered, why=one.why) for one in found.told]
    return Orders(version=found.version, orders=given, offered=[_offered(order.terms) for order in found.offered])


def _offered(terms: Terms) -> OfferedOrder:
    return OfferedOrder(
        decision=terms.decision, when=terms.when, number=terms.number, scope=terms.scope, until=terms.until,
        about=wording.ABOUT[terms.decision],
        text=wording.sentence(terms),
    )  # fmt: skip


async def read(socket: Any, message: ReadOrders) -> None:
    """Handle ``read_orders``."""
    await socket.orders.read(message)


async def give(socket: Any, message: SetOrder) -> None:
    """Handle ``set_order``."""
    await socket.orders.give(message)


async def drop(socket: Any, message: DropOrder) -> None:
    """Handle ``drop_order``."""
    await socket.orders.drop(message)


COMMANDS: dict[type, Callable[[Any, Any], Awaitable[None]]] = {ReadOrders: read, SetOrder: give, DropOrder: drop}
"""What clients ask for, and who does it."""

COSTS: dict[type, float] = {ReadOrders: 10, SetOrder: 10, DropOrder: 10}
"""In frames of all sockets of one visitor, besides the frame itself."""
