"""Browsers of two people."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.people import signed_in


@pytest.fixture
def as_alice(alice: Any) -> Client:
    return signed_in(alice)


@pytest.fixture
def as_bob(bob: Any) -> Client:
    return signed_in(bob)
