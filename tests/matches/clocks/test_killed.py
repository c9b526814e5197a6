"""Clocks of a real server, through kill -9: no time is lost while it is down, and deadlines hold after it."""

from __future__ import annotations

import pytest

from matches.clocks import site_time
from tests.matches.live import Game, Message, at, choose
from tests.running import Site

AN_HOUR_AGO = """
from datetime import timedelta
from django.db.models import F
from msgspec import structs
from matches.clocks import standing as standings
from matches.clocks.models import UpTime
from matches.models import Match
hour = 3_600_000
UpTime.objects.update(beat=F("beat") - timedelta(hours=1), since=F("since") - timedelta(hours=1))
match = Match.objects.get(public_id={match!r})
standing = standings.read(bytes(match.standing), 2, match.version)
clocks = structs.replace(standing.clocks, since=standing.clocks.since - hour)
match.standing = standings.written(structs.replace(standing, clocks=clocks))
match.deadline -= hour
match.save(update_fields=["standing", "deadline"])
"""
"""Makes all that was stored an hour older: as if the server had been down for that long."""

NEARLY_OUT = """
from msgspec import structs
from matches.clocks import site_time, standing as standings
from matches.clocks.arithmetic import SeatTime
from matches.models import Match
match = Match.objects.get(public_id={match!r})
standing = standings.read(bytes(match.standing), 2, match.version)
seats = tuple(SeatTime(500) for _ in standing.clocks.seats)
clocks = structs.replace(standing.clocks, seats=seats, since=site_time.now())
standing = structs.replace(standing, clocks=clocks)
match.standing, match.deadline = standings.written(standing), standings.deadline(standing)
match.save(update_fields=["standing", "deadline"])
"""
"""Leaves everybody half a second."""


def shown(game: Game) -> Message:
    """Return the table as a visitor is shown it."""
    with at(game.site, game.id) as tab:
        return tab.hello()


@pytest.mark.slow
@pytest.mark.ci
def test_time_stands_still_while_the_server_is_killed_and_runs_out_after_it(site: Site) -> None:
    game = Game(site, tempo="live 600+10")
    version, seat, options = game.decision()
    with game.tab(seat) as tab:  # of the two who are asked at once one is left, who then runs out of time alone
        tab.ask(choose(version, options[0], "first"), "accepted")
    before = {one["seat"]: one["left"] for one in shown(game)["clocks"]["seats"]}
    assert max(before.values()) == 600_000

    site.kill()
    site.manage("shell", "-c", AN_HOUR_AGO.format(match=game.id))
    site.start()
    after = {one["seat"]: one["left"] for one in shown(game)["clocks"]["seats"]}
    assert all(before[seat] - after[seat] < 60_000 for seat in before), (before, after)
    # What went by since the server last said that it is up counts as time in which it was down.
    assert all(after[seat] <= before[seat] + 1_000 * site_time.GRACE_SECONDS for seat in before)

    # Killed with half a second left, it gives everybody time to come back and choose.
    site.kill()
    site.manage("shell", "-c", NEARLY_OUT.format(match=game.id))
    site.start()
    with game.tab(0) as tab:
        assert not tab.hello()["over"]
    with game.tab(0) as tab:
        table = tab.hello()
        while not table["over"]:
            table = tab.receive("table", seconds=30)
    assert table["view"]["result"]["reason"] == "time"
