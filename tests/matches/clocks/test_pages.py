"""The pages around clocks: choosing a tempo, what waits for whom, and the way to the next match."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.clocks import waiting
from matches.clocks.tempo import DAY, UNTIMED, Tempo
from matches.models import Match
from matches.protocol.messages import Agree, OfferIt
from tests.matches.clocks.conftest import Clock
from tests.matches.conftest import Table, person

LIVE = Tempo("live", bank=600, increment=10)
DAYS = Tempo("correspondence", bank=2 * DAY, allowance=DAY)

Timed = Callable[[Tempo], Table]


def test_the_invitation_says_the_tempo_and_only_offered_ones_are_taken(cards: None, client: Any) -> None:
    client.force_login(person("dora"))
    assert client.post("/play/invite/", {"players": "2", "tempo": "live 1200+15"}).status_code == 302
    assert Match.objects.latest("pk").tempo == "live 1200+15"
    for wrong in ("live 1+1", "correspondence", "x" * 5_000, "\x00"):
        assert client.post("/play/invite/", {"players": "2", "tempo": wrong}).status_code == 400
    assert client.post("/play/invite/", {"players": "2"}).status_code == 302
    assert Match.objects.latest("pk").tempo == str(UNTIMED)


def test_what_waits_for_me_is_counted_and_the_most_urgent_comes_first(
    timed: Timed, clock: Clock, alice: Any, bob: Any, client: Any
) -> None:
    tables = [timed(tempo).only_one_decides() for tempo in (DAYS, LIVE, UNTIMED)]
    seat = tables[0].deciding
    client.force_login((alice, bob)[seat])
    mine = [table for table in tables if table.deciding == seat]
    page = client.get("/play/mine/")
    addresses = [row["match"].public_id for row in page.context["running"] if row["your_turn"]]
    order = [table.id for table in (tables[1], tables[0], tables[2]) if table in mine]
    assert addresses == order
    assert f"{len(mine)}<span" in page.content.decode()
    assert client.get("/play/next/").url == f"/table/{order[0]}/"
    others = order[1:]
    after = client.get(f"/play/next/?after={order[0]}").url
    assert after == (f"/table/{others[0]}/" if others else "/play/mine/")
    with CaptureQueriesContext(connection) as queries:
        assert client.get("/play/next/?after=strange%00text").url == f"/table/{order[0]}/"
    assert not any("strange" in one["sql"] for one in queries), "PostgreSQL takes no text with that sign"


def test_nothing_waits_for_anybody_in_a_pause(timed: Timed, alice: Any, bob: Any, client: Any) -> None:
    table = timed(DAYS).only_one_decides()
    client.force_login((alice, bob)[table.deciding])
    assert waiting.count_for((alice, bob)[table.deciding]) == 1
    table.act(0, OfferIt(id="p", what="pause"))
    table.act(1, Agree(id="a", what="pause"))
    page = client.get("/play/mine/")
    assert [(row["your_turn"], row["paused"]) for row in page.context["running"]] == [(False, True)]
    assert "your decision" not in page.content.decode() and ">paused<" in page.content.decode()
    assert waiting.count_for((alice, bob)[table.deciding]) == 0
    assert client.get("/play/next/").url == "/play/mine/"


def test_the_next_match_comes_to_all_in_turn(timed: Timed, alice: Any, bob: Any, client: Any) -> None:
    """Whoever leaves the most urgent one for later is not led back to it from the second, again and again."""
    tables = [timed(DAYS) for _ in range(3)]
    client.force_login(alice)
    way = [client.get("/play/next/").url]
    for _ in tables:
        way.append(client.get(f"/play/next/?after={way[-1].split('/')[2]}").url)
    assert len(set(way[:3])) == 3 and way[3] == way[0]
