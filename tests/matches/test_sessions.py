"""Who is still behind a socket: sessions that end, passwords that change, people who are locked out."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from matches.hints import notifications
from matches.hints.wire import EndedSession, Hint, PersonChanged
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
