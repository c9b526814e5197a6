"""The documents name files and sections that exist, and the pictures of the architecture what the contracts name."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
PACKAGES = ("ccg", "cards_data", "decks", "matches", "tests", "tools", "docs")

WITHOUT_A_ROW = ("management", "migrations", "templatetags")
"""What stands where Django has it."""

ELSEWHERE = re.compile(r"[a-z]+:|/")
"""Other sites, pages of ours, and what the site's own pages make links of (``card:``, ``page:``)."""


@cache
def text(document: Path) -> str:
    """What it says, without examples."""
    return re.sub(r"^```.*?^```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def anchors(document: Path) -> set[str]:
    """The sections of a document, as links name them."""
    headings = re.findall(r"^#+ (.*)$", text(document), re.MULTILINE)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower() for heading in headings]
    return {re.sub(r"[^\w\- ]", "", heading).strip().replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_and_paths_lead_somewhere(document: Path) -> None:
    links = [link for link in re.findall(r"\]\(([^)\s]+)\)", text(document)) if not ELSEWHERE.match(link)]
    for link in links:
        name, _, section = link.partition("#")
        target = (document.parent / name) if name else document
        assert target.exists(), link
        assert not section or section in anchors(target), link
    named = re.findall(rf"`((?:{'|'.join(PACKAGES)})/[\w./-]+)`", text(document))
    assert not [path for path in named if not (ROOT / path).exists()]


def layers(container: str) -> list[list[str]]:
    """The rooms of a package, from the top down, as its import contract has them."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    contract = next(one for one in contracts if one.get("containers") == [container])
    return [layer.split(" | ") for layer in contract["layers"]]


def test_the_picture_of_the_rules_shows_their_rooms() -> None:
    picture = (ROOT / "docs" / "pictures" / "rooms.svg").read_text(encoding="utf-8")
    shown = re.findall(r'font-weight="600"[^>]*>([^<]+)<', picture)
    assert [re.split(r" [|·] ", room.replace(".py", "")) for room in shown] == layers("ccg.rules")


def rows() -> Iterator[tuple[list[Path], list[str]]]:
    """Of each row of the architecture's tables the folders, and where to begin reading there."""
    above = ROOT
    for line in ARCHITECTURE.splitlines():
        cells = line.strip("| ").split(" | ")
        if room := re.match(r"room of `(\w+)`", cells[0]):
            above = ROOT / room[1]
        elif line.startswith("| `"):
            names, _, begin = (re.findall(r"`([^`]+)`", cell) for cell in cells)
            yield [above / name for name in names], begin


def test_the_rows_name_what_there_is() -> None:
    for folders, begin in rows():
        assert all(folder.exists() for folder in folders), folders
        places = [*folders, *(folder.parent for folder in folders), ROOT]
        assert all(any((place / name).exists() for place in places) for name in begin), (folders, begin)


@pytest.mark.parametrize("package", ["decks", "matches"])
def test_every_room_has_a_row(package: str) -> None:
    named = {folder for folders, _ in rows() for folder in folders}
    rooms = {ROOT / package / room for layer in layers(package) for room in layer if room not in WITHOUT_A_ROW}
    assert {room for room in rooms if room.is_dir()} <= named
