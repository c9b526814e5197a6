"""The command: what it prints, and when it fails."""

from __future__ import annotations

import contextlib
import io
import json
import sqlite3
import sys
import types
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from ccg.server.proving import inside, proof
from ccg.server.proving.processes import ROOT, Site, clean_environment
from ccg.server.proving.proof import Options, Proof, ProofError

STATES = ("waiting", "done")
GOOD: dict[str, Any] = {"goal": "all is well", "passed": True, "figures": {"seen": 3}, "planted": {"a fault": True}}


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """A proof that the test gives."""
    module = types.ModuleType("made_up_proof")
    module.prove = lambda options: Proof(**GOOD)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "made_up_proof", module)
    monkeypatch.setitem(proof.PROOFS, "made-up", "made_up_proof")
    return module


def run(*arguments: str) -> dict[str, Any]:
    out = io.StringIO()
    try:
        call_command("prove", "made-up", *arguments, stdout=out)
    finally:
        said = out.getvalue()
    answer: dict[str, Any] = json.loads(said)
    assert said.count("\n") == 1
    return answer


def test_it_prints_one_line(made_up: types.ModuleType) -> None:
    line = run("--seed", "7", "--short")
    assert {key: line[key] for key in GOOD} == GOOD
    assert (line["name"], line["seed"], line["short"], line["profile"]) == ("made-up", 7, True, "embedded")
    assert {"python", "django", "rules", "engine", "commit"} <= line["versions"].keys()


@pytest.mark.parametrize("change", [{"passed": False}, {"planted": {"a fault": False}}, {"planted": {}}])
def test_a_miss_or_a_fault_that_was_not_noticed_ends_with_1(made_up: Any, change: dict[str, Any]) -> None:
    made_up.prove = lambda options: Proof(**{**GOOD, **change})
    with pytest.raises(SystemExit) as ended:
        run()
    assert ended.value.code == 1


def test_options_reach_the_proof_and_its_folder_goes(made_up: Any) -> None:
    seen: list[Options] = []

    def prove(options: Options) -> Proof:
        seen.append(options)
        assert options.room("mine").is_dir()
        assert options.number("kills", 300) == 5
        assert options.number("matches", 100, 4) == 4
        return Proof(**GOOD)

    made_up.prove = prove
    run("--option", "kills=5", "--short")
    assert not seen[0].folder.exists()


@pytest.mark.parametrize("option", ["kills", "=5"])
def test_an_option_without_name_or_value_is_refused(made_up: Any, option: str) -> None:
    with pytest.raises(CommandError, match="NAME=VALUE"):
        call_command("prove", "made-up", "--option", option)


def test_an_option_that_is_no_number_is_named() -> None:
    with pytest.raises(ProofError, match="kills="):
        Options(folder=Path(), more={"kills": "many"}).number("kills", 1)


def test_every_proof_is_there_and_told_of() -> None:
    page = (ROOT / "docs" / "operating.md").read_text("utf-8")
    for name in proof.PROOFS:
        assert callable(proof.proof_named(name))
        assert f"| `{name}`" in page, f"docs/operating.md does not say what {name} proves"


def test_an_installation_of_who_starts_it_is_never_touched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://a.real.one/db")
    monkeypatch.setenv("VAR_DIR", "/a/real/one")
    assert not {"DATABASE_URL", "VAR_DIR"} & clean_environment().keys()


def test_servers_that_are_killed_again_and_again_do_not_compile_their_sources_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    assert "PYTHONDONTWRITEBYTECODE" not in clean_environment()


def test_work_that_waits_in_a_kept_database_is_as_new_as_the_site_that_copies_it(tmp_path: Path) -> None:
    kept, long_ago = tmp_path / "kept.sqlite3", "2020-01-01 00:00:00.000000"
    with contextlib.closing(sqlite3.connect(kept)) as made, made:
        made.execute("CREATE TABLE outbox_job (state, due, posted)")
        made.executemany("INSERT INTO outbox_job VALUES (?, ?, ?)", [(state, long_ago, long_ago) for state in STATES])
    Site(tmp_path / "new").prepare(kept)
    with contextlib.closing(sqlite3.connect(tmp_path / "new" / "var" / "db.sqlite3")) as copy:
        found = {state: (due, posted) for state, due, posted in copy.execute("SELECT * FROM outbox_job")}
    assert min(found["waiting"]) > "2026"
    assert found["done"] == (long_ago, long_ago)


def add_one(number: int) -> int:
    return number + 1


def break_it() -> None:
    globals()["add_one"] = lambda number: number


@pytest.mark.ci
def test_a_function_is_called_in_a_process_of_its_own_broken_where_that_is_wanted(tmp_path: Path) -> None:
    env = {"VAR_DIR": str(tmp_path)}
    here = "tests.proving.test_prove"
    assert inside.call(f"{here}:add_one", 1, env) == 2
    assert inside.call(f"{here}:add_one", 1, env, plant=f"{here}:break_it") == 1
    assert add_one(1) == 2
    with pytest.raises(ProofError, match="failed"):
        inside.call(f"{here}:add_one", "text", env)
