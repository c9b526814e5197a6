"""Break the rules one at a time and see that the scenarios notice: ``python tools/mutations.py [NAME...]``.

Each entry of tools/mutations.yaml changes one line of the engine. The engine so broken, in a folder of its
own, must fail scenarios in ccg/scenarios; best of all one that names the broken clause. So the files that name
it are run first, and all others only where none of these has noticed. A broken engine that passes everything
("survives") shows that a scenario is missing.

``--write`` writes docs/rules/mutations.md; words after the command run only the entries whose names have
them, and leave the lines of the others on the page. The exit code is 0 only if every entry was caught.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import yaml
from msgspec import Struct

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "tools" / "mutations.yaml"
PAGE = ROOT / "docs" / "rules" / "mutations.md"
RULES = Path("ccg/rules")
COPIED = (Path("ccg/__init__.py"), Path("ccg/native"), RULES, Path("cards_data/sets"))
SCENARIOS = Path("ccg/scenarios")
PROCESSES = 2
TIME_LIMIT, EACH_FILE = 15, 0.06
"""Seconds of processor time to start and for each file of scenarios; a broken engine may run in circles."""

BUSY = 20
"""How many times longer by the clock that may take, on a machine that has much else to do."""

NOTICED = ("FAILED ", "FAULT ", "ERROR ")
"""How lines begin in which the runner reports a scenario. All pass on the sound engine, so the broken one is to blame,
also for an ERROR: a card that a scenario speaks of is not where it should be."""

NOBODY, OTHER_CLAUSE = "**nobody**", " (names another clause)"
COLUMNS = 4
"""How a line of the page looks: who noticed, and into how many columns it falls."""

SUMMARY = re.compile(r"(?m)^\d+ passed, \d+ failed$")
"""The runner has come to its end."""


class Mutation(Struct, frozen=True, forbid_unknown_fields=True):
    """One rule broken: ``line`` of ``file`` (its only one of these words) becomes another."""

    name: str
    clauses: list[str]
    file: str
    line: str
    becomes: str


class Verdict(Struct, frozen=True):
    """A scenario file that noticed, "" for none; ``naming``: it names one of the broken clauses."""

    mutation: Mutation
    caught: str
    naming: bool


class Stale(ValueError):
    """The line that a mutation changes is not there, or there several times."""


def read_table(path: Path = TABLE) -> list[Mutation]:
    """Read the table of mutations."""
    return msgspec.convert(yaml.safe_load(path.read_text(encoding="utf-8")), list[Mutation])


def mutated(mutation: Mutation, source: str) -> str:
    """Return ``source`` with the one line changed; raises :class:`Stale` if there is not exactly one such line."""
    lines = source.splitlines()
    places = [place for place, line in enumerate(lines) if line.strip() == mutation.line]
    if len(places) != 1:
        raise Stale(f"{mutation.name}: {mutation.file} has {len(places)} lines that read {mutation.line!r}")
    whole = lines[places[0]]
    lines[places[0]] = whole[: len(whole) - len(whole.lstrip())] + mutation.becomes
    return "\n".join(lines) + "\n"


def stale(mutations: Iterable[Mutation], root: Path = ROOT) -> list[str]:
    """Return a sentence for each mutation that no longer fits the engine, or breaks no clause that is promised."""
    promised = clause_names(root)
    found = []
    for mutation in mutations:
        try:
            compile(mutated(mutation, (root / RULES / mutation.file).read_text("utf-8")), mutation.file, "exec")
        except (Stale, OSError) as error:
            found.append(str(error))
        except SyntaxError as error:
            found.append(f"{mutation.name}: no Python any more, {error}")
        unknown = [clause for clause in mutation.clauses if clause not in promised]
        if unknown or not mutation.clauses:
            found.append(f"{mutation.name}: no clause {', '.join(unknown) or 'named'}")
    return found


def clause_names(root: Path = ROOT) -> set[str]:
    """Return the clauses of docs/rules/clauses.yaml and, as ruling-1 and on, the rulings."""
    clauses = yaml.safe_load((root / "docs/rules/clauses.yaml").read_text("utf-8"))
    rulings = (root / "docs/rules/rulings.md").read_text("utf-8").splitlines()
    numbers = (line.partition(".")[0] for line in rulings)
    return {clause["id"] for clause in clauses} | {f"ruling-{number}" for number in numbers if number.isdigit()}


# ---------------------------------------------------------------- running


def run(mutations: list[Mutation], *, naming_only: bool = False) -> list[Verdict]:
    """Put every mutation to the test; raises RuntimeError if the sound engine fails a scenario already.

    With ``naming_only``, only the files that name one of a mutation's clauses are run against it.
    """
    with tempfile.TemporaryDirectory(prefix="mutations-") as folder:
        sound = Path(folder, "sound")
        _copy(ROOT, sound, (*COPIED, SCENARIOS))  # others may be at work on the engine meanwhile
        named = _clauses_named(sound)
        naming = [_naming(mutation, named) for mutation in mutations]
        wanted = {path for paths in naming for path in paths} if naming_only else set(named)
        code, output = _scenarios(sound, sorted(wanted))
        if code:
            raise RuntimeError(f"The scenarios fail without any mutation:\n{output[-4000:]}")
        others = [[] if naming_only else sorted(named.keys() - set(paths)) for paths in naming]
        with ThreadPoolExecutor(PROCESSES) as pool:
            return list(pool.map(lambda *one: _put_to_the_test(sound, *one), mutations, naming, others))


def _naming(mutation: Mutation, named: dict[Path, set[str]]) -> list[Path]:
    """Return the files that name one of the clauses that ``mutation`` breaks."""
    return [path for path, clauses in named.items() if clauses.intersection(mutation.clauses)]


def _put_to_the_test(sound: Path, mutation: Mutation, naming: list[Path], others: list[Path]) -> Verdict:
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        broken = Path(folder)
        _copy(sound, broken, COPIED)
        module = broken / RULES / mutation.file
        module.write_text(mutated(mutation, module.read_text("utf-8")), "utf-8")
        shutil.rmtree(module.parent / "__pycache__", ignore_errors=True)  # its time stamp may look unchanged
        if caught := _noticing(broken, naming):
            return Verdict(mutation, caught, naming=True)
        return Verdict(mutation, _noticing(broken, others), naming=False)


def _noticing(engine: Path, paths: list[Path]) -> str:
    """Return the first of the files ``paths`` that fails on ``engine``, or "" if none does.

    Where it stops or runs in circles before it can report on them, a half of them is run, and so on. A file that
    alone is too much for it has failed as well.
    """
    if not paths:
        return ""
    output = _scenarios(engine, paths)[1]
    if SUMMARY.search(output):
        return next((_file(line) for line in output.splitlines() if line.startswith(NOTICED)), "")
    if len(paths) == 1:
        return _file(str(paths[0]))
    half = len(paths) // 2
    return _noticing(engine, paths[:half]) or _noticing(engine, paths[half:])


def _copy(source: Path, target: Path, parts: Iterable[Path]) -> None:
    for part in parts:
        (target / part).parent.mkdir(parents=True, exist_ok=True)
        if (source / part).is_dir():
            shutil.copytree(source / part, target / part)
        else:
            shutil.copy2(source / part, target / part)


def _scenarios(engine: Path, paths: Sequence[Path]) -> tuple[int, str]:
    """Run the files ``paths`` on ``engine``; return the exit code and what was printed."""
    command = [sys.executable, "-B", "-m", "ccg.rules.scenario", *map(str, paths)]
    limit = round(TIME_LIMIT + EACH_FILE * len(paths))
    limited = ["/bin/sh", "-c", 'ulimit -t "$1" && shift && exec "$@"', "sh", str(limit), *command]
    try:
        done = subprocess.run(  # noqa: S603 - our own program
            limited, cwd=engine, env={**os.environ, "CCG_ENGINE": "pure", "PYTHONPATH": str(engine)},
            timeout=BUSY * limit, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return 1, f"nothing within {BUSY * limit} s\n"
    return done.returncode, done.stdout


def _file(line: str) -> str:
    """Return the file of scenarios that ``line`` speaks of, without its folder and its ending."""
    return line.partition(f"{SCENARIOS}/")[2].partition(".yaml")[0]


def _clauses_named(root: Path) -> dict[Path, set[str]]:
    """Return the clauses that each scenario file below ``root`` names."""
    named: dict[Path, set[str]] = {}
    for path in sorted((root / SCENARIOS).rglob("*.yaml")):
        documents = yaml.load_all(path.read_text("utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        named[path] = {rule for document in documents for rule in document.get("rules", [])}
    return named


# ---------------------------------------------------------------- telling


def row(verdict: Verdict) -> str:
    """Write one line of the table of results."""
    one = verdict.caught or NOBODY
    if verdict.caught and not verdict.naming:
        one += OTHER_CLAUSE
    mutation = verdict.mutation
    return f"| {mutation.name} | {', '.join(mutation.clauses)} | `{mutation.file}` | {one} |"


def rows_of(written: str) -> dict[str, str]:
    """Return the lines of the table on a page written before, by what they break."""
    lines = [line for line in written.splitlines() if line.startswith("| ") and line.count(" | ") == COLUMNS - 1]
    return {line.split(" | ")[0].removeprefix("| "): line for line in lines[2:]}


def page(rows: list[str]) -> str:
    """Write the page of results from the lines of its table."""
    caught = [line for line in rows if NOBODY not in line]
    naming = [line for line in caught if OTHER_CLAUSE not in line]
    lines = [
        "# Rules broken on purpose",
        "",
        "Made by `make mutations`; do not edit. Each row breaks one rule by changing one line of the engine",
        "(`tools/mutations.yaml`); the scenarios are then run against the broken engine, and must fail: first those",
        "that name the broken clause, and where all of these pass, all others. The last column names one that failed.",
        "",
        f"**{len(caught)} of {len(rows)} broken engines are caught**, {len(naming)} of them by a scenario",
        "that names the broken clause.",
        "",
        "| broken rule | clauses | module | noticed by |",
        "| --- | --- | --- | --- |",
        *rows,
    ]
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("words", nargs="*", help="only mutations with one of these words in their names")
    parser.add_argument("--write", action="store_true", help="write docs/rules/mutations.md")
    asked = parser.parse_args(arguments)
    table = read_table()
    if wrong := stale(table):
        print("\n".join(wrong), file=sys.stderr)
        return 2
    chosen = [m for m in table if not asked.words or any(word.lower() in m.name.lower() for word in asked.words)]
    try:
        verdicts = run(chosen)
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 2
    for verdict in verdicts:
        print(row(verdict))
    caught = sum(1 for verdict in verdicts if verdict.caught)
    print(f"{caught} of {len(verdicts)} broken engines were caught by the scenarios")
    if asked.write:
        rows = rows_of(PAGE.read_text("utf-8")) if asked.words else {}
        rows |= {verdict.mutation.name: row(verdict) for verdict in verdicts}
        PAGE.write_text(page([rows[mutation.name] for mutation in table if mutation.name in rows]), "utf-8")
    return 0 if caught == len(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
