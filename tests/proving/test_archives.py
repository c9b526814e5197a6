"""Archives that are played and shown again: the whole proof in its short form, and its parts in this process."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ccg.server.proving import archives
from matches.playing import archive, match_cache
from matches.replays import positions
from tests.proving import short


@pytest.mark.proof
def test_archives_come_to_what_they_were_under_other_cards() -> None:
    figures = short("archives")["figures"]
    assert figures["after"]["same"] == figures["matches"] == 3


def test_matches_are_shown_and_played_again_as_they_were(
    db: None, starters: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashes = archives.play({"numbers": [0], "seed": 1, "part": 0})["hashes"]
    assert archives.compare(hashes) == {"same": 1, "different": []}
    assert archives.import_others(None)
    assert archives.compare(hashes) == {"same": 1, "different": []}
    faults: list[tuple[Callable[[], None], object, str]] = [
        (archives.todays_cards, match_cache, "catalog_of"),
        (archives.a_lost_move, archive, "read_record"),
        (archives.another_influence, positions, "unpacked"),
    ]
    for plant, module, name in faults:
        with monkeypatch.context() as patched:
            patched.setattr(module, name, getattr(module, name))  # put back afterwards what the fault replaces
            plant()
            assert archives.compare(hashes)["different"], plant.__name__
    assert archives.compare(hashes)["same"] == 1
