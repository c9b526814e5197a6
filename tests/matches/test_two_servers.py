"""Two server processes on one database: players at either sit at one table, and write to each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.matches.test_socket import Game, at, choose
from tests.running import Site, running_site


@pytest.mark.full_profile
def test_players_at_two_server_processes_sit_at_one_table(services: dict[str, str], tmp_path: Path) -> None:
    with running_site(tmp_path, services) as one:
        two = Site(tmp_path, services)
        two.start()
        try:
            game = Game(one)
            game.guests[1].browser.url = two.url
            with at(one, game.id, game.guests[0].browser) as first, at(two, game.id, game.guests[1].browser) as second:
                tables = [first.hello(), second.hello()]
                seat = tables[0]["view"]["decision"]["seat"]
                option = tables[seat]["view"]["decision"]["options"][0]["key"]
                (first, second)[seat].ask(choose(0, option, "one"), "accepted")
                assert [tab.receive("table", seconds=3)["version"] for tab in (first, second)] == [1, 1]
                for tab in (first, second):
                    tab.ask({"type": "read_chat"}, "chat")
                first.ask({"type": "say", "id": "c", "text": "Well met"}, "done")
                # Before the next heartbeat, which would say so too.
                assert second.receive("chat", seconds=3)["lines"][0]["text"] == "Well met"
        finally:
            two.stop()
