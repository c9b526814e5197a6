"""``manage.py scenarios`` and ``python -m ccg.rules.scenario``: everything that is wrong is told in one run."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from ccg.rules.scenario.__main__ import main

GOOD = "scenario: {name}\ngiven: {{players: [{{name: Ana}}, {{name: Ben}}]}}\nthen: [Ana influence {influence}]\n"
FILE = "---\n".join(
    [
        GOOD.format(name="Right", influence=9),
        GOOD.format(name="Too many", influence=12),
        "scenario: No position\n",
        GOOD.format(name="Too few", influence=1),
        GOOD.format(name="Nonsense", influence="blue"),
        GOOD.format(name="Right again", influence=9),
    ]
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.yaml").write_text(FILE)
    (tmp_path / "b.yaml").write_text("scenario: [\n")
    (tmp_path / "c.yaml").write_text(GOOD.format(name="Right", influence=9))
    return tmp_path


def told(out: str, folder: Path) -> list[str]:
    return [line.replace(f"{folder}/", "") for line in out.splitlines()]


def expected(lines: list[str]) -> None:
    assert len(lines) == 6
    assert lines[0].startswith("FAILED a.yaml: Too many: line 1 of the story")
    assert lines[1].startswith("ERROR  a.yaml: No position: ")
    assert lines[2].startswith("FAILED a.yaml: Too few: line 1 of the story")
    assert lines[3].startswith("ERROR  a.yaml: Nonsense: line 1 of the story")
    assert lines[4].startswith("ERROR  b.yaml")
    assert lines[5] == "3 passed, 5 failed"


def test_the_command_tells_every_failure_of_every_file(folder: Path) -> None:
    out = StringIO()
    with pytest.raises(SystemExit, match="1"):
        call_command("scenarios", folder, stdout=out)
    expected(told(out.getvalue(), folder))


def test_so_does_the_program(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(folder)]) == 1
    expected(told(capsys.readouterr().out, folder))


def test_coverage_is_told_beside_what_cannot_be_read(folder: Path) -> None:
    out = StringIO()
    with pytest.raises(SystemExit, match="1"):
        call_command("scenarios", folder, coverage=True, stdout=out)
    assert "clauses" in out.getvalue().splitlines()[-2]
    assert out.getvalue().splitlines()[-1] == "3 passed, 5 failed"
