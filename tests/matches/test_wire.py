"""Hints between processes: what one loop says, another hears, also after the layer has forgotten everything."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from channels.layers import InMemoryChannelLayer

from matches import wire
from matches.wire import Hint, NewVersion, PersonChanged, Wire

SECONDS = 10.0


@pytest.fixture
def layer(monkeypatch: pytest.MonkeyPatch) -> InMemoryChannelLayer:
    """A layer between two wires of this process, taken for one that others can reach."""
    layer = InMemoryChannelLayer()
    monkeypatch.setattr(wire, "get_channel_layer", lambda: layer)
    monkeypatch.setattr(wire, "JOIN_SECONDS", 0.01)
    monkeypatch.setattr(wire, "PAUSE_SECONDS", 0.01)
    return layer


async def until(what: Any) -> None:
    async with asyncio.timeout(SECONDS):
        while not what():  # noqa: ASYNC110 - what is waited for belongs to the layer
            await asyncio.sleep(0.005)


async def listening(layer: InMemoryChannelLayer, wires: int) -> None:
    await until(lambda: len(layer.groups.get(wire.GROUP, {})) == wires)


def test_one_hears_what_the_other_says_and_not_itself(layer: InMemoryChannelLayer) -> None:
    async def talk() -> tuple[list[Hint], list[Hint]]:
        here: list[Hint] = []
        there: list[Hint] = []
        one, _ = Wire(here.extend), Wire(there.extend)
        await listening(layer, 2)
        for version in range(3):
            one.pass_on(NewVersion("m", version))
        one.pass_on(PersonChanged(7))
        await until(lambda: len(there) == 4)
        return here, there

    here, there = asyncio.run(talk())
    assert here == []
    assert there == [NewVersion("m", 0), NewVersion("m", 1), NewVersion("m", 2), PersonChanged(7)]


def test_many_hints_at_once_are_few_messages(layer: InMemoryChannelLayer, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[int] = []

    async def send(hints: list[Hint], sender: str) -> None:
        await asyncio.sleep(0)
        sent.append(len(hints))

    async def talk() -> None:
        monkeypatch.setattr(wire, "send", send)
        one = Wire(lambda hint: None)
        for version in range(400):
            one.pass_on(NewVersion("m", version))
        await until(lambda: sum(sent) == 400)

    asyncio.run(talk())
    assert len(sent) == 1


def test_a_layer_that_comes_back_empty_is_joined_again(layer: InMemoryChannelLayer) -> None:
    async def talk() -> list[Hint]:
        there: list[Hint] = []
        one, _ = Wire(lambda hint: None), Wire(there.extend)
        await listening(layer, 2)
        layer.groups.clear()
        await listening(layer, 2)
        one.pass_on(NewVersion("m", 1))
        await until(lambda: there)
        return there

    assert asyncio.run(talk()) == [NewVersion("m", 1)]


def test_a_layer_that_fails_is_listened_to_again(layer: InMemoryChannelLayer, monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(channel: str) -> dict[str, Any]:
        raise ConnectionError("the layer is away")

    async def talk() -> list[Hint]:
        there: list[Hint] = []
        with monkeypatch.context() as broken:
            broken.setattr(layer, "receive", away)
            one, _ = Wire(lambda hint: None), Wire(there.extend)
            await asyncio.sleep(0.05)
        while not there:
            one.pass_on(NewVersion("m", 2))
            await asyncio.sleep(0.01)
        return there

    assert asyncio.run(talk())[0] == NewVersion("m", 2)
