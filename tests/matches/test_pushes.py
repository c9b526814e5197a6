"""What tables that are pushed cost whoever has opened sockets there."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from matches.sockets import consumers
from matches.sockets.consumers import PUSHED, TableConsumer
from matches.table import table_view
from tests.matches.conftest import Table


def test_a_table_that_is_pushed_is_charged_to_its_visitor(
    table: Table, alice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a hundred sockets at a table of one's own each move is written a hundred times."""
    table.play(moves=2)
    snapshot = table_view.read(table.id, alice.pk, None)

    async def read(*_: Any) -> Any:
        return snapshot

    monkeypatch.setattr(consumers, "on_database", read)
    monkeypatch.setattr(table_view, "from_cache", lambda *_: None)
    charged: list[float] = []
    socket, sent = TableConsumer(), []

    async def send(message: Any) -> None:
        sent.append(message)

    async def nothing_new() -> None:
        pass

    socket.scope, socket.base_send = {"charge": charged.append}, send
    socket.match_id, socket.user_id, socket.seat, socket.left, socket.delayed = table.id, alice.pk, 0, False, False
    socket.known, socket.unanswered, socket.present, socket.sent, socket.news = 0, 0, [], 0, 2
    socket.seat = snapshot.viewer
    socket.orders = type("Orders", (), {"catch_up": staticmethod(nothing_new)})()
    asyncio.run(socket._catch_up())
    assert len(sent) == 1 and charged == [PUSHED]
    asyncio.run(socket._catch_up())
    assert charged == [PUSHED], "nothing new, nothing to pay"
