"""No card has code: the engine's Python names no card, neither by id nor by name."""

from __future__ import annotations

import re
from pathlib import Path

from ccg.rules import Catalog

ENGINE = Path(__file__).resolve().parents[2] / "ccg" / "rules"
SHORTEST = 3
"""Names with fewer letters are everyday words too."""


def _named(catalog: Catalog) -> re.Pattern[str]:
    """Return what finds any card id, and any title, subtitle or full name as whole words with its capitals."""
    names = {name for card in catalog for name in (card.name, card.title, card.subtitle) if len(name) >= SHORTEST}
    ids = sorted({card.id.split("-")[0] for card in catalog})
    longest_first = sorted(names, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:(?:{'|'.join(ids)})-?\d+|{'|'.join(map(re.escape, longest_first))})(?!\w)")


def test_the_engine_names_no_card(catalog: Catalog) -> None:
    named = _named(catalog)
    found = [
        f"{path.relative_to(ENGINE)}:{number}: {line.strip()}"
        for path in sorted(ENGINE.rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if named.search(line)
    ]

    assert not found


def test_a_name_or_an_id_would_be_found(catalog: Catalog) -> None:
    named = _named(catalog)

    for card in catalog:
        assert named.search(f'if card.id == "{card.id}":')
        assert named.search(f"# {card.name} is special")
