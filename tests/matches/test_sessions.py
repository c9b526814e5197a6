"""Who is still behind a socket: sessions that end, passwords that change, people who are locked out."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from django.test import Client

from matches.hints import notifications
from matches.hints.wire import EndedSession, Hint, PersonChanged
from matches.sockets import consumers
from matches.sockets.heartbeat import Beat
from matches.sockets.sessions import is_signed_in
from tests.people import signed_in


@pytest.fixture
def client(alice: Any) -> Client:
    return signed_in(alice)


def key(client: Client) -> str:
    found = client.session.session_key
    assert found is not None
    return found


def test_a_good_session_is_good(client: Client, alice: Any) -> None:
    assert is_signed_in(key(client), alice.pk)


def test_it_is_good_for_its_own_person_only(client: Client, bob: Any) -> None:
    assert not is_signed_in(key(client), bob.pk)


@pytest.mark.parametrize("session_key", ["", "nothing", "x" * 500])
def test_a_session_that_is_not_there_is_not_good(alice: Any, session_key: str) -> None:
    assert not is_signed_in(session_key, alice.pk)


def test_not_after_signing_out(client: Client, alice: Any) -> None:
    before = key(client)
    client.logout()
    assert not is_signed_in(before, alice.pk)


def test_not_after_a_new_password_and_looking_ends_no_session(client: Client, alice: Any) -> None:
    alice.set_password("another-passphrase-9")
    alice.save()
    assert not is_signed_in(key(client), alice.pk)
    assert client.session.session_key, "whoever is just changing the password keeps the session"


def test_not_when_locked_out(client: Client, alice: Any) -> None:
    alice.is_active = False
    alice.save()
    assert not is_signed_in(key(client), alice.pk)


def test_sockets_hear_of_it(client: Client, alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[Hint] = []
    monkeypatch.setattr(notifications, "_send", sent.append)
    session_key = key(client)
    client.logout()
    alice.is_active = False
    alice.save()
    assert PersonChanged(alice.pk) in sent
    assert EndedSession(alice.pk, notifications.session_mark(session_key)) in sent
    assert session_key not in str(sent)


async def test_a_heartbeat_that_had_read_the_session_before_a_change_does_not_hide_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    closed: list[int] = []

    async def ended(*asked: Any) -> bool:
        return False

    async def send(*said: Any, **more: Any) -> None:
        pass

    monkeypatch.setattr(consumers, "on_database", ended)
    socket = consumers.TableConsumer()
    socket.turn, socket.tasks, socket.left = asyncio.Lock(), set(), False
    socket.user_id, socket.session_key, socket.signed_in_until = 1, "key", time.monotonic() + 60
    socket.sent, socket.known, socket.beats, socket.action_id = None, 0, 0, None
    socket.chat = consumers.chat.TableChat(consumers.chat.Socket("m", 1, send, send, send))
    monkeypatch.setattr(socket, "send", send)
    monkeypatch.setattr(socket, "_leave", lambda code: asyncio.sleep(0, closed.append(code)))
    async with socket.turn:  # as something else is being done
        socket.hear_of_change()
        await socket.beat(Beat(version=1, present=[], rematch=None, watched=1, onlookers=0, signed_in=True))
    await asyncio.gather(*socket.tasks)
    assert closed == [4401]


def test_what_does_not_matter_to_sockets_they_do_not_hear_of(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them would look in the database whether its person may be there, at each click on a setting."""
    sent: list[Hint] = []
    monkeypatch.setattr(notifications, "_send", sent.append)
    alice.table_settings = {"speed": "half"}
    alice.save(update_fields=["table_settings"])
    signed_in(alice)
    assert not sent
    alice.save(update_fields=["table_settings", "is_active"])
    assert sent == [PersonChanged(alice.pk)]
