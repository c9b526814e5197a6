"""The chat over real sockets."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError

from ccg.server.proving.client.visits import Visitor
from matches.sockets.consumers import TableConsumer
from matches.sockets.heartbeat import Beat
from tests.matches.conftest import MOSTLY_EMBEDDED
from tests.matches.live import Game, Message, Socket, at
from tests.running import Site


@pytest.fixture(scope="module")
def game(site: Site) -> Game:
    return Game(site)


def say(text: str, action: str) -> Message:
    return {"type": "say", "id": action, "text": text}


def reading(tab: Socket) -> Message:
    tab.hello()
    return tab.ask({"type": "read_chat"}, "chat")


def texts(chat: Message) -> list[str]:
    return [line["text"] for line in chat["lines"]]


def test_what_one_player_writes_the_other_reads_at_once_and_who_looks_on_never(site: Site, game: Game) -> None:
    with game.tab(0) as first, game.tab(1) as second, at(site, game.id) as visitor:
        assert reading(first)["writes"] and reading(second)["reads"]
        begun = reading(visitor)
        assert (begun["reads"], begun["writes"], begun["lines"]) == (True, False, [])
        assert first.ask(say("Hello, have fun!", "a1"), "done")["did"] == "said"
        line = second.receive("chat", seconds=4)["lines"][0]
        assert (line["text"], line["seat"], line["mine"], line["phrase"]) == ("Hello, have fun!", 0, False, True)
        own = first.receive("chat")["lines"][0]
        assert own["mine"] and own["number"] == line["number"]
        assert visitor.ask(say("me too", "v1"), "refused")["code"] == "not_allowed"
        assert reading(visitor)["lines"] == []
        assert first.ask(say("Hello, have fun!", "a1"), "done")["did"] == "said"
        assert texts(reading(second)) == ["Hello, have fun!"]
        assert texts(second.ask({"type": "read_chat", "since": line["number"]}, "chat")) == []


def test_a_blocked_player_is_heard_no_more_without_being_told(game: Game) -> None:
    with game.tab(0) as first, game.tab(1) as second:
        reading(first), reading(second)
        first.ask(say("rude words", "b1"), "done")
        number = second.receive("chat")["lines"][0]["number"]
        assert second.ask({"type": "report_line", "id": "r", "line": number, "reason": "offensive"}, "done")
        assert second.ask({"type": "block_writer", "id": "b", "line": number}, "done")["did"] == "blocked"
        assert first.ask(say("more of it", "b2"), "done")["did"] == "said"
        assert "more of it" in texts(first.ask({"type": "read_chat"}, "chat"))
        assert texts(reading(second)) == []


def test_whom_somebody_blocks_on_another_page_is_heard_no_more_by_them_who_looks_on(site: Site, game: Game) -> None:
    writer, reader = _with_account(site, "writer"), _with_account(site, "reader")
    with at(site, game.id, writer) as writes, at(site, game.id, reader) as reads:
        reading(writes), reading(reads)
        writes.ask(say("hello there", "l1"), "done")
        assert texts(reads.receive("chat")) == ["hello there"]
        assert reader.post("/decks/blocks/", name="writer").status == 302
        writes.ask(say("more of it", "l2"), "done")
        with pytest.raises(TimeoutError):
            reads.receive("chat", seconds=2)


def test_a_fault_carries_the_id_of_the_line() -> None:
    """Else whoever wrote it waits for an answer, and can write nothing more."""

    async def fail(message: Any) -> None:
        raise RuntimeError("a fault of ours")

    async def asked() -> list[Message]:
        sent: list[Message] = []

        async def send(message: Message) -> None:
            sent.append(json.loads(message["text"]))

        table: Any = TableConsumer()
        table.scope, table.base_send, table.match_id = {}, send, "a-match"
        table.chat = SimpleNamespace(say=fail)
        await table._do(table.receive(json.dumps(say("hello", "a1"))))
        return sent

    assert [(said["code"], said["id"]) for said in asyncio.run(asked())] == [("fault", "a1")]


def test_a_socket_hears_its_next_heartbeats_though_lines_cannot_be_read() -> None:
    """Else its player, who sits there, would count as away, and the others could claim the match."""

    async def fail() -> None:
        raise OperationalError("the database has gone since the beat was read")

    async def heard() -> list[Message]:
        sent: list[Message] = []

        async def send(message: Message) -> None:
            sent.append(json.loads(message["text"]))

        table: Any = TableConsumer()
        table.scope, table.base_send, table.match_id = {}, send, "a-match"
        table.chat = SimpleNamespace(expect=lambda newest: True, catch_up=fail)
        await table.beat(Beat(version=1, present=[], rematch=None, watched=1, onlookers=0))
        await asyncio.gather(*table.tasks)
        return sent

    assert [said["type"] for said in asyncio.run(heard())] == ["heartbeat", "refused"]


def _with_account(site: Site, name: str) -> Visitor:
    visitor = Visitor(site.url)
    password = "Correct horse 9 battery"
    assert visitor.post("/accounts/signup/", username=name, password1=password, password2=password).status == 302
    return visitor


@MOSTLY_EMBEDDED
@pytest.mark.parametrize(
    "message",
    [
        {"type": "say", "id": "1", "text": ""},
        {"type": "say", "id": "1", "text": "x" * 601},
        {"type": "say", "id": "1", "text": 5},
        {"type": "say", "id": "1", "text": "half a sign: \ud83d"},
        {"type": "read_chat", "since": -1},
        {"type": "report_line", "id": "1", "line": 1, "reason": "because"},
    ],
)
def test_what_is_no_message_of_the_chat_is_refused(game: Game, message: Message) -> None:
    with game.tab(0) as tab:
        answer = tab.ask(message, "refused")
        assert (answer["code"], answer["id"]) == ("malformed", message.get("id"))
        assert ("half of an emoji" in answer["message"]) == ("half" in str(message.get("text")))
        assert tab.is_open()


@MOSTLY_EMBEDDED
def test_a_line_that_is_not_there_is_refused_and_the_socket_stays(game: Game) -> None:
    with game.tab(0) as tab:
        tab.hello()
        answer = tab.ask({"type": "block_writer", "id": "n", "line": 2**53}, "refused")
        assert (answer["code"], answer["id"]) == ("not_allowed", "n")
        assert tab.is_open()


@MOSTLY_EMBEDDED
def test_against_the_computer_there_is_none(site: Site, game: Game) -> None:
    match = game.guests[0].play_computer()
    with at(site, match, game.guests[0]) as tab:
        assert reading(tab)["reads"] is False
        assert tab.ask(say("hello?", "c"), "refused")["code"] == "no_chat"
