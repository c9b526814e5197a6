"""Whoever begins matches without end is stopped, wherever they begin them."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from matches.lobby import begun_lately
from matches.models import Match
from tests.people import signed_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def few(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.LIMITS = 1
    monkeypatch.setattr(begun_lately, "BEGUN_AN_HOUR", 2)
    cache.clear()


def test_lessons_and_matches_against_the_computer_count_together(alice: Any, starters: None) -> None:
    client = signed_in(alice)
    assert client.post(reverse("matches:play_computer")).status_code == 302
    lesson = reverse("matches:lesson", args=["first-match"])
    assert client.post(lesson).status_code == 302
    before = Match.objects.count()
    for address in (lesson, reverse("matches:play_computer")):
        refused = client.post(address)
        assert refused.status_code == 400
        assert "2 matches were begun from your address within an hour" in refused.content.decode()
    assert Match.objects.count() == before


def test_another_address_may_still_begin_some(alice: Any, starters: None) -> None:
    client = signed_in(alice)
    for _ in range(3):
        client.post(reverse("matches:play_computer"))
    other = Client(REMOTE_ADDR="192.0.2.7")
    other.force_login(alice)
    assert other.post(reverse("matches:play_computer")).status_code == 302
