"""Every bad set file gives exactly the messages that are written in it, soon, and nothing is let in."""

from __future__ import annotations

from pathlib import Path

import pytest

from cards_data.checking import check
from ccg.rules.cardfiles import MOST_TOLD
from tests.cards_data.bad_files import LIST, THEMES, BadFile, bad_files, known, listing, messages
from tests.soon import soon

FILES = bad_files()


@pytest.mark.parametrize("bad", FILES, ids=lambda bad: bad.path.stem)
def test_a_bad_file_gives_its_message(bad: BadFile) -> None:
    known()
    with soon():
        said = messages(bad.path)
    assert said == list(bad.says)
    assert said, "it is refused"
    assert all(bad.path.stem in line and line.isprintable() and len(line) < 600 for line in said)


def test_the_list_of_bad_files_is_as_they_are() -> None:
    assert LIST.read_text(encoding="utf-8") == listing(FILES), "python -m tests.cards_data.bad_files --write"
    assert len(FILES) >= 60
    assert {bad.theme for bad in FILES} == set(THEMES)


def test_each_says_something_of_its_own() -> None:
    """No two files show the same mistake: their messages differ in more than the file."""
    said = [tuple(line.replace(bad.path.stem, "") for line in bad.says) for bad in FILES]
    twice = [bad.path.stem for bad, lines in zip(FILES, said, strict=True) if said.count(lines) > 1]
    assert set(twice) <= {"hostile-alias", "hostile-alias-bomb"}


HEAD = "set: {code: TST, name: Test Set, year: 2030}\n"
CARD = "- {number: %d, subtitle: Ship %d, type: ship, rarity: common, cost: {}, power: 1, threat: 1, mystic: 1, "
LARGE = {
    "a million bytes": "# " + "x" * 1_000_001,
    "many values": HEAD + "cards: [" + "1, " * 300_000 + "1]",
    "many unknown keys": HEAD + "cards: [{" + ", ".join(f"k{i}: 1" for i in range(25_000)) + "}]",
    "many cards that are words": HEAD + "cards: [" + ", ".join("Apollo" for _ in range(50_000)) + "]",
    "many bad cards": HEAD + "cards:\n" + "".join(CARD % (i, i) + "produces: gold}\n" for i in range(1, 2_500)),
    "many bad phrases": HEAD
    + "cards:\n"
    + "".join(
        CARD % (i, i) + f"produces: security, abilities: [{{cost: commit, do: [{{ready: target alrt{i} unit}}]}}]}}\n"
        for i in range(1, 2_000)
    ),
    "a list in every place": HEAD
    + "cards:\n- {"
    + ", ".join(f"{key}: [[[[[[]]]]]]" for key in ("power", "cost"))
    + "}",
    "many files of brackets": HEAD + "cards: " + "[" * 400_000,
    "a long key": HEAD + "cards: [{" + "k" * 1_900 + ": 1}]",
}


@pytest.mark.parametrize("name", LARGE)
def test_large_files_are_refused_soon_and_not_at_length(name: str, tmp_path: Path) -> None:
    file = tmp_path / "large.yaml"
    file.write_text(LARGE[name])
    known()
    with soon():
        said = check([file], known()).problems
    assert 0 < len(said) <= MOST_TOLD + 1
    assert sum(map(len, said)) < 100_000


def test_a_set_of_too_many_cards_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "tst"
    folder.mkdir()
    (folder / "set.yaml").write_text("{code: TST, name: Test Set, year: 2030, digits: 4}")
    for part in range(3):
        numbers = range(1 + 800 * part, 801 + 800 * part)
        (folder / f"{part}.yaml").write_text("".join(CARD % (i, i) + "produces: security}\n" for i in numbers))
    [said] = check([folder], known()).problems
    assert said == "tst: more than 2,000 cards"


def test_files_that_would_not_be_read_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "tst"
    folder.mkdir()
    (folder / "set.yaml").write_text("{code: TST, name: Test Set, year: 2030}")
    (folder / "cards.yml").write_text("[]")
    (folder / "README.md").write_text("notes")
    [said] = check([folder], known()).problems
    assert said == "tst/cards.yml: is not read; card files end in .yaml"
