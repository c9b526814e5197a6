"""Vacations: clocks of correspondence stand still for so many days, at every table, and everybody sees it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from ccg.outbox.services import drain
from ccg.rules import StateError
from decks.table_decks import TableDeck
from matches.clocks import arithmetic, showing, vacations
from matches.clocks.models import Vacation
from matches.clocks.tempo import DAY, Tempo
from matches.clocks.vacations import NoVacation
from matches.lobby import rematches
from matches.lobby import services as lobby
from matches.models import Match
from matches.playing import archive, match_cache, moves
from matches.playing.moves import Accepted
from matches.protocol.messages import Concede, OfferIt
from matches.runners import clock_sweep, vacation_moves
from tests.matches.clocks.conftest import Clock, standing_of
from tests.matches.conftest import Table

LIVE = Tempo("live", bank=600, increment=10)
DAYS = Tempo("correspondence", bank=2 * DAY, allowance=DAY)

Timed = Callable[[Tempo], Table]


@pytest.fixture
def slow(timed: Timed) -> Table:
    """A match by correspondence."""
    return timed(DAYS).only_one_decides()


@pytest.fixture
def who(slow: Table, alice: Any, bob: Any) -> Any:
    """The person who must decide in it."""
    return (alice, bob)[slow.deciding]


def left(table: Table, clock: Clock) -> int:
    """Return the seconds that who must decide has left."""
    clocks = standing_of(table).clocks
    assert clocks is not None
    return arithmetic.left(clocks, table.deciding, clock.now) // arithmetic.SECOND


def test_a_clock_stands_still_until_its_player_is_back(slow: Table, who: Any, clock: Clock) -> None:
    clock.pass_by(DAY / 2)
    vacations.begin(who, 10)
    drain()
    clock.pass_by(8 * DAY)
    assert clock_sweep.sweep() == 0
    assert left(slow, clock) == 2.5 * DAY
    shown = showing.clocks(standing_of(slow), DAYS, clock.now)
    assert shown is not None
    assert [one.vacation for one in shown.seats] == [seat == slow.deciding for seat in (0, 1)]
    vacations.end(who)
    drain()
    clock.pass_by(DAY)
    assert left(slow, clock) == 1.5 * DAY
    assert slow.row.deadline == clock.now + 1.5 * DAY * arithmetic.SECOND
    slow.act(0, Concede(id="c"))
    assert archive.replay(slow.row).difference is None


def test_no_vacation_stops_a_clock_that_has_run_out(slow: Table, who: Any, clock: Clock, client: Any) -> None:
    """Between the end of the time and the sweep that finds it."""
    late = slow.deciding
    clock.pass_by(3 * DAY)
    client.force_login(who)
    assert client.post("/play/vacation/", {"days": "1"}).status_code == 302
    drain()
    clocks = standing_of(slow).clocks
    assert clocks is not None and clocks.away == 0
    assert clock_sweep.sweep() == 1
    assert slow.row.result == {"winners": [1 - late], "losers": [late], "reason": "time"}


def test_a_vacation_that_is_ended_at_once_takes_a_day(slow: Table, who: Any, settings: Any) -> None:
    settings.VACATION_DAYS = 2
    for left_then in (1, 0):
        vacations.begin(who, 1)
        vacations.end(who)
        assert vacations.days_left(who) == left_then
    with pytest.raises(NoVacation):
        vacations.begin(who, 1)


def test_no_id_that_a_player_has_used_keeps_a_vacation_from_ending(slow: Table, who: Any, clock: Clock) -> None:
    vacation = vacations.begin(who, 10)
    drain()
    slow.act(slow.deciding, OfferIt(id=f"vacation-{vacation.pk}-False", what="draw"))
    vacations.end(who)
    drain()
    before = left(slow, clock)
    clock.pass_by(DAY)
    assert left(slow, clock) == before - DAY


def test_who_is_asked_while_away_has_the_whole_turn_when_back(slow: Table, alice: Any, bob: Any, clock: Clock) -> None:
    first = slow.deciding
    other = (alice, bob)[1 - first]
    vacations.begin(other, 5)
    drain()
    while slow.deciding == first:
        assert isinstance(slow.act(first, slow.choice(f"at {slow.row.version}")), Accepted)
    clock.pass_by(4 * DAY)
    assert left(slow, clock) == 3 * DAY
    vacations.end(other)
    drain()
    assert left(slow, clock) == 3 * DAY


def test_live_matches_go_on_and_new_ones_begin_with_the_clock_standing(
    slow: Table, timed: Timed, who: Any, clock: Clock
) -> None:
    live = timed(LIVE)
    vacations.begin(who, 3)
    drain()
    assert live.row.version == 0
    again = timed(DAYS)
    clocks = standing_of(again).clocks
    assert clocks is not None and clocks.away == 1 << slow.deciding


def test_told_twice_it_is_told_once(slow: Table, who: Any) -> None:
    before = slow.row.version
    vacation = vacations.begin(who, 3)
    for _ in range(2):
        vacation_moves.handle({"vacation": vacation.pk, "away": True})
    assert slow.row.version == before + 1
    vacations.end(who)
    vacation_moves.handle({"vacation": vacation.pk, "away": True})
    drain()
    assert slow.row.version == before + 2
    clocks = standing_of(slow).clocks
    assert clocks is not None and clocks.away == 0


def test_a_broken_match_keeps_no_other_one_from_being_told(
    slow: Table, who: Any, charlie: Any, deck: TableDeck
) -> None:
    other = Table(lobby.join(lobby.invite(charlie, deck, 2, tempo=DAYS), who, deck))
    Match.objects.filter(pk=slow.row.pk).update(saved=b"broken")
    match_cache.clear()
    vacation = vacations.begin(who, 3)
    with pytest.raises(StateError):
        vacation_moves.handle({"vacation": vacation.pk, "away": True})
    clocks = standing_of(other).clocks
    assert clocks is not None and clocks.away == 1 << 1


def test_one_that_ends_while_tables_are_told_leaves_no_clock_standing_still(
    slow: Table, who: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another thread may be quicker: what it says of the end finds nobody away yet."""
    act = moves.act
    ended: list[bool] = []

    def after_the_end(*args: Any) -> Any:
        if not ended:
            ended.append(True)
            vacations.end(who)
            vacation_moves.handle({"vacation": vacation.pk, "away": False})
        return act(*args)

    monkeypatch.setattr(moves, "act", after_the_end)
    vacation = vacations.begin(who, 5)
    vacation_moves.handle({"vacation": vacation.pk, "away": True})
    clocks = standing_of(slow).clocks
    assert ended and clocks is not None and not clocks.away


def test_the_end_of_an_earlier_one_that_is_told_late_starts_no_clock(slow: Table, who: Any) -> None:
    earlier = vacations.begin(who, 5)
    drain()
    vacations.end(who)
    vacations.begin(who, 5)
    vacation_moves.handle({"vacation": earlier.pk + 1, "away": True})
    vacation_moves.handle({"vacation": earlier.pk, "away": False})
    clocks = standing_of(slow).clocks
    assert clocks is not None and clocks.away == 1 << slow.deciding
    vacations.end(who)
    drain()
    clocks = standing_of(slow).clocks
    assert clocks is not None and not clocks.away


def test_days_are_bounded_and_unused_ones_are_kept(who: Any, settings: Any) -> None:
    settings.VACATION_DAYS = 30
    for wrong in (0, 31, -1):
        with pytest.raises(NoVacation):
            vacations.begin(who, wrong)
    vacations.begin(who, 20)
    with pytest.raises(NoVacation):
        vacations.begin(who, 1)
    assert vacations.days_left(who) == 10
    Vacation.objects.update(begin=timezone.now() - timedelta(days=3))
    vacations.end(who)
    assert vacations.days_left(who) in (26, 27)
    Vacation.objects.update(begin=timezone.now() - timedelta(days=400), end=timezone.now() - timedelta(days=380))
    assert vacations.days_left(who) == 30


def test_it_ends_by_itself(slow: Table, who: Any) -> None:
    vacations.begin(who, 1)
    assert vacations.end_due() == 0
    Vacation.objects.update(end=timezone.now())
    assert (vacations.end_due(), vacations.end_due()) == (1, 0)
    assert vacations.present(who) is None


def test_one_that_cannot_be_ended_keeps_no_other_from_its_end_nor_a_server_from_its_sweep(
    who: Any, alice: Any, bob: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    now = timezone.now()
    broken = Vacation.objects.create(user=bob if who == alice else alice, begin=now, end=now)
    Vacation.objects.create(user=who, begin=now, end=now)
    real = vacations._end

    def end(vacation: Vacation) -> None:
        if vacation.pk == broken.pk:
            raise ValueError("odd")
        real(vacation)

    monkeypatch.setattr(vacations, "_end", end)
    assert vacations.end_due() == 1
    assert vacations.present(who) is None
    assert f"vacation {broken.pk} could not be ended" in caplog.text

    swept: list[str] = []
    monkeypatch.setattr(vacations, "end_due", lambda: 1 / 0)
    monkeypatch.setattr(clock_sweep, "end_abandoned", lambda: swept.append("abandoned"))
    clock_sweep.Ticker()._sweep()
    assert swept == ["abandoned"]


def test_the_page_of_matches_has_the_forms(slow: Table, who: Any, client: Any, settings: Any) -> None:
    client.force_login(who)
    assert b"Begin now" in client.get("/play/mine/").content
    settings.VACATION_DAYS = 1
    assert b"1 day is left" in client.get("/play/mine/").content
    settings.VACATION_DAYS = 30
    assert b"30 days are left" in client.get("/play/mine/").content
    for wrong in ("", "0", "99", "x", "1e1", "9" * 5_000):
        client.post("/play/vacation/", {"days": wrong})
        assert vacations.present(who) is None
    assert client.post("/play/vacation/", {"days": "7"}).url == "/play/mine/"
    assert b"I am back" in client.get("/play/mine/").content
    client.post("/play/vacation/end/")
    assert vacations.present(who) is None


def test_visitors_take_none(cards: None, client: Any) -> None:
    for address in ("/play/vacation/", "/play/vacation/end/"):
        assert client.post(address, {"days": "3"}).url == "/play/mine/"
    assert not Vacation.objects.exists()


def test_a_rematch_is_open_to_who_is_on_vacation(slow: Table, alice: Any, bob: Any, clock: Clock) -> None:
    slow.act(0, Concede(id="c"))
    vacations.begin(alice, 3)
    rematches.rematch(slow.row, alice)
    again = rematches.rematch(slow.row, bob)
    clocks = standing_of(Table(again)).clocks
    assert clocks is not None and clocks.away == 1
