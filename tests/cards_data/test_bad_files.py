"""Every bad set file gives exactly the messages that are written in it, soon, and nothing is let in."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from cards_data.checking import check
from ccg.rules.authoring.card_files import MOST_TOLD
from ccg.rules.authoring.records import Problem
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


def test_what_is_wrong_is_told_as_records() -> None:
    found = [(bad, problem) for bad in FILES for problem in check([bad.path], known()).problems]
    for bad, problem in found:
        assert problem.file.startswith(bad.path.stem), problem
        assert problem.text, problem
        assert "did you mean" not in problem.text, problem
        assert not problem.text.startswith(("card ", "line ", "abilities")), problem
    assert sum(bool(problem.line) for _, problem in found) > 180
    assert sum(bool(problem.card) for _, problem in found) > 150
    assert sum(bool(problem.path) for _, problem in found) > 100
    assert sum(bool(problem.suggestion) for _, problem in found) > 70


def test_a_record_survives_the_way_from_another_process() -> None:
    told = [problem for bad in FILES for problem in check([bad.path], known()).problems]
    read = msgspec.json.decode(msgspec.json.encode(told), type=list[Problem])
    assert read == told
    assert [str(problem) for problem in read] == [line for bad in FILES for line in bad.says]


PARTS = [
    (
        Problem(("type",), "'shi' is not known", "ship", file="tst/ships.yaml", card="card 8", line=1),
        "tst/ships.yaml, card 8 (line 1): type: 'shi' is not known, did you mean 'ship'?",
    ),
    (
        Problem(("abilities", 0, "do"), "is left empty", file="a.yaml", card="card 3", name="Ann: a Life", line=12),
        "a.yaml, card 3 Ann: a Life (line 12): abilities[0].do: is left empty",
    ),
    (Problem(text="nested deeper than 20", file="x.yaml", line=2), "x.yaml, line 2: nested deeper than 20"),
    (
        Problem(text="card files end in .yaml", advice="rename it", file="s.zip", inside="a.yml"),
        "s.zip, a.yml: card files end in .yaml; rename it",
    ),
    (Problem(text="no words", card="TST-03", name="Haldane Rook"), "TST-03 Haldane Rook: no words"),
    (
        Problem(text="line 4: found 9", file="tst/scenarios/a.yaml", scenario="It comes back"),
        "tst/scenarios/a.yaml: It comes back: line 4: found 9",
    ),
    (Problem(text="something quite different"), "something quite different"),
]


@pytest.mark.parametrize(("problem", "line"), PARTS)
def test_a_problem_in_a_line(problem: Problem, line: str) -> None:
    assert str(problem) == line


HEAD = "set: {code: TST, name: Test Set, year: 2030}\n"
CARD = "- {number: %d, subtitle: Vessel %d, type: ship, rarity: common, cost: {}, power: 1, threat: 1, mystic: 1, "
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
        said = [str(problem) for problem in check([file], known()).problems]
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
    assert str(said) == "tst: more than 2,000 cards"


def test_files_that_would_not_be_read_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "tst"
    folder.mkdir()
    (folder / "set.yaml").write_text("{code: TST, name: Test Set, year: 2030}")
    (folder / "cards.yml").write_text("[]")
    (folder / "README.md").write_text("notes")
    [said] = check([folder], known()).problems
    assert str(said) == "tst/cards.yml: is not read; card files end in .yaml"
