"""Those who look on at a match with a delay are that many turns behind, whatever they ask."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any
from unittest.mock import Mock

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from ccg.rules import Game
from ccg.server import front
from matches.lobby import rematches
from matches.models import Match, MatchSeat
from matches.playing import match_cache, moves
from matches.protocol.messages import Choose, Concede
from matches.sockets import consumers
from matches.sockets.consumers import TableConsumer, access_of
from matches.sockets.heartbeat import beats_of
from matches.table import table_view
from matches.watching import delay
from matches.watching.models import TurnBegan
from tests.matches.watching.conftest import Chooser, play, sensible

Begin = Callable[[int], Match]
SAME_UNTIL = 2
"""The turn at whose beginning the twins part."""


def seen(match: Match, stranger: Any) -> str:
    """Return everything that somebody without a seat can find out about a match, without its id."""
    MatchSeat.objects.filter(match=match).update(seen=timezone.now())
    snapshot = table_view.read(match.public_id, None, None)
    assert isinstance(snapshot, table_view.Snapshot)
    beat = beats_of([match.public_id], [])[match.public_id]
    access = access_of(match.public_id, None)
    assert access is not None
    tried = Choose(id="x", version=Match.objects.get(pk=match.pk).version, option="pass")
    refused = moves.act(match.public_id, moves.Actor.person(stranger.pk), tried)
    front.forget()
    home = Client().get("/").content.decode()
    home = home[home.index('<section class="home-watch"') : home.index("</section>")]
    page = Client().get("/watch/").content.decode()
    page = page[page.index('<ul class="rows') : page.index("</ul>", page.index('<ul class="rows'))]
    api = Client().get(f"/api/v1/matches/{match.public_id}/").content.decode()
    told = [table_view.written(snapshot), api, beat.watched, access.version, refused.version, home, page]
    return json.dumps(told).replace(match.public_id, "ID")


def otherwise() -> Chooser:
    """A chooser that plays on until a turn, and from there as if it was another player."""
    as_before = sensible()

    def choose(game: Game, seat: int) -> str:
        view = game.view(seat)
        assert view.decision is not None
        return as_before(game, seat) if view.turn < SAME_UNTIL else view.decision.options[-1].key

    return choose


def told_by_turn(match: Match, choose: Chooser, stranger: Any) -> dict[int, set[str]]:
    """Play a match up to the turn after next and return what a stranger was told in each turn."""
    told: dict[int, set[str]] = defaultdict(set)
    game = table_view.current_game(Match.objects.get(pk=match.pk))[1]
    for _ in range(400):
        told[game.engine.state.turn].add(seen(match, stranger))
        after = play(match, choose)
        assert after is not None
        game = after
        if game.engine.state.turn > SAME_UNTIL + 1 or game.result is not None:
            break
    Match.objects.filter(pk=match.pk).delete()
    return told


def test_nothing_of_a_turn_is_known_until_a_full_turn_later(begun: Begin, charlie: Any) -> None:
    """Twins part as turn 2 begins: what a stranger is told in turns 2 and 3 is the same, and one thing a turn."""
    one = told_by_turn(begun(1), sensible(), charlie)
    two = told_by_turn(begun(1), otherwise(), charlie)
    for turn in range(SAME_UNTIL + 2):
        assert len(one[turn]) == 1
        assert turn not in two or one[turn] == two[turn]
    assert SAME_UNTIL + 1 in two


def test_without_a_delay_the_same_comparison_finds_a_difference(begun: Begin, charlie: Any) -> None:
    one, two = told_by_turn(begun(0), sensible(), charlie), told_by_turn(begun(0), otherwise(), charlie)
    assert len(one[1]) > 1 and one[1] == two[1]
    assert one[SAME_UNTIL] != two[SAME_UNTIL]


def test_players_are_not_behind_and_at_the_end_nobody_is(begun: Begin, alice: Any) -> None:
    match, choose = begun(1), sensible()
    for _ in range(12):
        play(match, choose)
    own = table_view.read(match.public_id, alice.pk, None)
    assert isinstance(own, table_view.Snapshot) and own.version == 12
    moves.act(match.public_id, moves.Actor.person(alice.pk), Concede(id="enough"))
    public = table_view.read(match.public_id, None, None)
    assert isinstance(public, table_view.Snapshot) and public.version == 13
    assert beats_of([match.public_id], [])[match.public_id].watched == 13


def test_only_what_will_be_shown_is_kept(begun: Begin) -> None:
    match, choose = begun(1), sensible()
    while (game := play(match, choose)) is not None and game.engine.state.turn < 4 and game.result is None:
        turns = list(TurnBegan.objects.filter(match=match).values_list("turn", flat=True))
        assert turns == list(range(max(0, game.engine.state.turn - 1), game.engine.state.turn + 1))
    plain = begun(0)
    for _ in range(10):
        play(plain, choose)
    assert not TurnBegan.objects.filter(match=plain).exists()


def done(something: Coroutine[Any, Any, Any]) -> None:
    """Do what never has to wait, without an event loop, in which tests may not use the database."""
    with pytest.raises(StopIteration):
        something.send(None)


@pytest.fixture
def socket(charlie: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[[Match], TableConsumer]:
    """Opens a socket of somebody without a seat, which keeps what it is sent in ``frames``."""

    async def at_once(function: Any, *arguments: Any) -> Any:
        return function(*arguments)

    async def nothing() -> None:
        return None

    monkeypatch.setattr(consumers, "on_database", at_once)
    for name in ("heartbeat", "listeners", "notifications", "computer_runner"):
        monkeypatch.setattr(consumers, name, Mock())

    def opened(match: Match) -> TableConsumer:
        made = TableConsumer()
        made.frames = []

        async def send(text_data: str) -> None:
            made.frames.append(json.loads(text_data))

        made.send, made.accept, made.turn, made._do_soon = send, nothing, asyncio.Lock(), done
        made.scope = {"url_route": {"kwargs": {"match_id": match.public_id}}, "user": charlie}
        monkeypatch.setattr(made, "_check_session", nothing)
        monkeypatch.setattr(moves, "act_from_loop", partial(at_once, moves.act))
        done(made.connect())
        done(made.hello(consumers.Hello(since=None)))
        return made

    return opened


def test_a_socket_is_sent_nothing_until_something_may_be_shown(
    begun: Begin, socket: Callable[[Match], TableConsumer]
) -> None:
    """Not even a message that says nothing: when moves are made is nobody's business either."""
    match, choose, turn = begun(1), sensible(), 0
    looking = socket(match)
    while turn < 3:
        game = play(match, choose)
        assert game is not None
        version, before = Match.objects.get(pk=match.pk).version, len(looking.frames)
        looking.hear_of_version(version)
        shown = looking.frames[before:]
        assert len(shown) == (game.engine.state.turn > max(turn, 1))
        assert all(frame["view"]["turn"] == turn for frame in shown)
        turn = game.engine.state.turn
        done(looking.beat(beats_of([match.public_id], [])[match.public_id]))
        done(looking.move(Choose(id=f"x{version}", version=version, option="pass")))
        assert [frame["version"] for frame in looking.frames[-2:]] == [looking.sent, looking.sent]


def test_a_rematch_keeps_the_delay(begun: Begin, alice: Any) -> None:
    match = begun(1)
    moves.act(match.public_id, moves.Actor.person(alice.pk), Concede(id="enough"))
    assert rematches.rematch(Match.objects.get(pk=match.pk), alice).delay == 1


def test_the_page_says_to_who_looks_on_how_much_later_it_is(begun: Begin, alice: Any, charlie: Any) -> None:
    match = begun(1)
    looks_on, plays = Client(), Client()
    looks_on.force_login(charlie)
    plays.force_login(alice)
    assert b'data-delay="1"' in looks_on.get(match.get_absolute_url()).content
    assert b"data-delay" not in plays.get(match.get_absolute_url()).content
    moves.act(match.public_id, moves.Actor.person(alice.pk), Concede(id="enough"))
    assert b"data-delay" not in looks_on.get(match.get_absolute_url()).content


def test_a_turn_that_begins_while_its_match_is_read_takes_nothing_away(begun: Begin) -> None:
    """What was shown before it is forgotten then: whoever looks on would be told of a fault of ours."""
    match = begun(1)
    for turn in (1, 2):
        delay.keep(match.pk, 1, turn, 10 * turn, b"turn %d" % turn)
    reads: list[str] = []

    def begins_between(execute: Any, sql: str, *more: Any) -> Any:
        if "watching_turnbegan" in sql:
            reads.append(sql)
            if len(reads) == 2:
                delay.keep(match.pk, 1, 3, 30, b"turn 3")
        return execute(sql, *more)

    with connection.execute_wrapper(begins_between):
        assert delay.watched(match.pk, 1) == delay.Watched(10, b"turn 1")
    delay.keep(match.pk, 1, 3, 30, b"turn 3")
    assert delay.watched(match.pk, 1) == delay.Watched(20, b"turn 2")


def test_a_match_that_goes_on_while_its_beginning_is_read_is_shown_as_it_began(begun: Begin) -> None:
    match = begun(1)
    facts = match_cache.facts_of(match.public_id)
    assert facts is not None
    for _ in range(2):
        play(match, sensible())
    match_cache.clear()
    version, _, saved, _ = table_view._shown_state(match.public_id, facts, None, 0)
    assert (version, saved) == (0, bytes(TurnBegan.objects.get(turn=0).saved))
