"""The table of rights: what is asked, and what comes of it for whom; written, read and compared.

``table.txt`` holds all of it in lines that can be read. What is asked is a title (``GET decks:edit private``,
``SOCKET choose watched``) with a line for each outcome and those who get it; a right (``RIGHT matches.view_match``) has
a line for each thing that it changes for staff who have no other right.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

KEPT = Path(__file__).with_name("table.txt")

Table = dict[str, dict[str, str]]
"""For each title the outcome for each role; for a right, for each thing that can be asked."""

NOTHING = "nothing that staff without it cannot do"


def written(table: Table) -> str:
    """Return the table as text."""
    return "".join(f"{title}\n{''.join(_lines(title, cells))}\n" for title, cells in table.items())


def read(text: str) -> Table:
    """Return the table that :func:`written` wrote."""
    table: Table = {}
    for block in text.split("\n\n"):
        if not block.strip():
            continue
        title, *lines = block.strip().splitlines()
        cells = table.setdefault(title, {})
        for line in lines:
            key, _, rest = line.strip().partition(" :: ")
            if title.startswith("RIGHT "):
                if line.strip() != NOTHING:
                    cells[key] = rest
            else:
                cells.update(dict.fromkeys(rest.split(), key))
    return table


def differences(expected: Table, measured: Table, tried: Collection[str]) -> list[str]:
    """Return in words every cell of ``measured`` that is not as ``expected``.

    ``tried`` holds what each right was tried on, as its title and the key of the cell; cells of rights that were not
    tried are not compared.
    """
    wrong: list[str] = []
    for title, cells in measured.items():
        if title not in expected:
            wrong.append(f"{title}: has no row")
            continue
        if title.startswith("RIGHT "):
            known = {key: value for key, value in expected[title].items() if f"{title} {key}" in tried}
        else:
            known = expected[title]
        wrong += [
            f"{title}, {key}: {cells.get(key, 'as without')}; expected: {known.get(key, 'as without')}"
            for key in sorted(known.keys() | cells.keys())
            if known.get(key) != cells.get(key)
        ]
    return wrong


def _lines(title: str, cells: dict[str, str]) -> Iterator[str]:
    if title.startswith("RIGHT "):
        yield from (f"    {key} :: {value}\n" for key, value in cells.items())
        if not cells:
            yield f"    {NOTHING}\n"
        return
    outcomes: dict[str, list[str]] = {}
    for role, outcome in cells.items():
        outcomes.setdefault(outcome, []).append(role)
    yield from (f"    {outcome} :: {' '.join(roles)}\n" for outcome, roles in outcomes.items())
