"""Loops that the rules end: the whole proof in its short form, and one deck with rules that end less."""

from __future__ import annotations

import pytest

from ccg.rules.core import loops as rules
from ccg.server.proving import loops
from ccg.server.proving.loops import Deck, Played
from tests.proving import short

ROUND = [["readies itself", 2, 20]]


def test_fifty_decks_are_fifty_and_every_way_is_among_them() -> None:
    decks = loops.decks_of(50)
    assert len({deck.name for deck in decks}) == 50
    assert {deck.way for deck in decks} == set(loops.WAYS)
    assert {deck.players for deck in decks} == set(loops.SIZES)


@pytest.mark.pure_only("replaces a function inside the rules")
def test_a_loop_that_is_ended_passes_and_one_that_is_not_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    (good,) = loops.play(ROUND)
    good["slowest"] = 0.0  # how quick it was, a busy machine decides
    assert loops.misses(Played(**good)) == []
    assert good["ended"]["held"] > 0
    monkeypatch.setattr(rules, "_hold", rules._hold)
    loops.nobody_is_held()
    (bad,) = loops.play(ROUND)
    assert any("does not end" in miss for miss in loops.misses(Played(**bad)))


def test_slow_choices_and_decks_that_never_went_round_are_misses() -> None:
    assert Deck("readies itself", 2, 20) in loops.decks_of(50)
    assert loops.misses(Played("one")) == ["nothing went round"]
    slow = Played("one", ended={"held": 1}, slowest=2.0, most_events=30_000)
    assert len(loops.misses(slow)) == 2


@pytest.mark.proof
def test_loops_are_ended_by_rule() -> None:
    figures = short("loops")["figures"]
    assert figures["ended_by_rule"] == figures["decks"] == 8
