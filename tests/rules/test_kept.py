"""Games that once broke the engine, shrunk by the soak and kept: ``tests/rules/kept``, one file each.

A failure of the soak becomes a test by moving its file there, under a name that says what was wrong.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ccg.rules import Catalog
from ccg.rules.soak.playing import Story
from ccg.rules.soak.shrinking import retold

KEPT = sorted((Path(__file__).parent / "kept").glob("*.json"))


@pytest.mark.slow
@pytest.mark.parametrize("path", KEPT, ids=[path.stem for path in KEPT])
def test_it_is_not_broken_any_more(path: Path, catalog: Catalog) -> None:
    story = Story.from_json(path.read_bytes())
    again = retold(story, story.moves, catalog)

    assert not again.broken, again.message
    assert again.moves
