"""What people do who mean no harm: limits are not for them, and they meet none."""

from __future__ import annotations

import time
from pathlib import Path

from ccg.server.proving.client.visits import Visitor
from tests.running import running_site

LINES = "\n".join(["4 Viper 442", "2 Starbuck", "3 Raptor", "1 No such card", "2 Apollo, CAG", "# Personnel"] * 10)
PAGES = 6


def test_a_guest_pastes_and_looks_at_all_cards_in_less_than_a_minute(tmp_path: Path) -> None:
    with running_site(tmp_path, {"LIMITS": "1"}) as site:
        guest = Visitor(site.url)
        guest.become_guest()
        began = time.monotonic()
        answers = [guest.post("/decks/new/", text=LINES) for _ in range(3)]
        answers += [guest.get(f"/cards/?page={page}") for page in range(1, PAGES + 1)]
        answers += [guest.get("/api/v1/cards/?page_size=400"), guest.get("/play/"), guest.get("/sets/BSG1/")]
        match = guest.play_computer()
        answers += [guest.get(f"/table/{match}/")]
        assert [answer.status for answer in answers] == [200] * len(answers)
        assert b"No such card" in answers[0].body
        assert time.monotonic() - began < 60
        guest.close()
