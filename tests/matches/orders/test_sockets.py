"""Standing orders over the socket of a real server: given, answered while nobody is there, after a kill, private."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tests.matches.live import Game, Message, at
from tests.running import Site

ids = (f"x{number}" for number in itertools.count())


@pytest.fixture(scope="module")
def game(site: Site) -> Game:
    """A match of two guests, by correspondence, in its first execution phase."""
    game = Game(site, tempo="correspondence 86400+259200")
    while True:
        with game.tab(0) as tab:
            phase = tab.hello()["view"]["phase"]
        if phase == "execution":
            return game
        do_little(game)


def do_little(game: Game) -> int:
    """Let whoever must decide keep or pass; return whose decision it was."""
    version, seat, options = game.decision()
    little = next(key for key in options if key in ("keep", "pass", "decline", "no"))
    with game.tab(seat) as tab:
        answer = tab.ask(
            {"type": "choose", "id": next(ids), "version": version, "option": little}, "accepted", "refused"
        )
        assert answer["type"] == "accepted", answer
    return seat


def order(version: int, **changes: Any) -> Message:
    terms = {"decision": "action", "when": "always", "scope": "phase", "until": "end"}
    return {"type": "set_order", "id": next(ids), "version": version, **terms, **changes}


def wait_for(tab: Any, version: int) -> Message:
    """Return the first table from this version on."""
    while True:
        table: Message = tab.receive("table")
        if table["version"] >= version:
            return table


def test_an_order_answers_though_its_owner_is_away_and_nobody_else_hears_of_it(game: Game) -> None:
    version, seat, _ = game.decision()
    with game.tab(1 - seat) as owner:
        owner.hello()
        given = owner.ask(order(version), "orders", "refused")
        assert [one["why"] for one in given["orders"]] == [""]
        assert given["version"] == version, "it is no move"
        assert any(one["text"] == "Pass, if all others pass" for one in given["offered"])
    with game.tab(seat) as other:
        heard = other.hello()
        assert "order" not in str(heard)
        assert other.ask({"type": "read_orders", "id": next(ids)}, "orders")["orders"] == []
        other.send({"type": "choose", "id": next(ids), "version": version, "option": "pass"})
        table = wait_for(other, version + 2)
    (answer,) = [happened["events"] for happened in table["events"] if happened["version"] == version + 2]
    assert any((event["kind"], event.get("player")) == ("pass", 1 - seat) for event in answer)


def test_kinds_that_no_order_can_answer_are_refused_with_the_reason(game: Game) -> None:
    version, seat, _ = game.decision()
    with game.tab(seat) as tab:
        tab.hello()
        refused = tab.ask(order(version, decision="opening_hand"), "orders", "refused")
        assert refused["code"] == "not_allowed" and "opening hand" in refused["message"]
        assert tab.ask(order(version, when="they_pass"), "orders", "refused")["code"] == "not_allowed"
        assert tab.ask(order(version, when="often"), "orders", "refused")["code"] == "malformed"


def test_a_spectator_has_no_orders(site: Site, game: Game) -> None:
    with at(site, game.id) as tab:
        assert tab.ask({"type": "read_orders", "id": next(ids)}, "orders", "refused")["code"] == "no_seat"


@pytest.mark.slow
def test_an_order_survives_a_kill_and_answers_after_it(site: Site, game: Game) -> None:
    while game.decision()[2] == [] or "pass" not in game.decision()[2]:
        do_little(game)
    version, seat, _ = game.decision()
    with game.tab(1 - seat) as owner:
        owner.hello()
        for decision in ("action", "cylon", "resource_card"):
            until = "end" if decision == "action" else "event"
            assert owner.ask(order(version, decision=decision, until=until), "orders", "refused")["type"] == "orders"
    with game.tab(seat) as other:
        other.hello()
        choice = {"type": "choose", "id": next(ids), "version": version, "option": "pass"}
        assert other.ask(choice, "accepted", "refused")["type"] == "accepted"
    site.kill()
    site.start()
    with game.tab(seat) as other:
        table = other.hello()
        while table["version"] < version + 2:
            table = other.receive("table")
    assert table["version"] >= version + 2
