"""Building the compiled engine: ``python -m ccg.native``.

Records are expanded (:mod:`ccg.native.expanding`) in a copy of the rules, mypyc turns the modules into C, and the
machine's C compiler makes one library of them, file by file and as many at once as there are processors.
``--profiled`` compiles twice: a first library counts, while games are played, which way its branches go, and the
second is arranged for that.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import json
import math
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from ccg import native

TRACE = re.compile(r'("(ccg/rules/[\w/]+\.py)", "[^"\n]*", )(\d+)')
"""Where C names a line of a module."""

KEPT = 4
"""How many builds are kept."""

PROFILED = "profiled"
"""The mark of a build for which a profile was asked, so that a compiler that makes none is not asked at each start."""

GAMES = """
import random, sys
from pathlib import Path
from ccg import native
native.BUILDS = (Path(sys.argv[1]),)
from ccg.rules import Game
from ccg.rules.authoring.card_files import read_catalog
from ccg.rules.soak import dealing
catalog, rng = read_catalog(), random.Random(1)
for number, (kind, players) in enumerate([("starter", 2)] * 60 + [("legal", 2)] * 20 + [("legal", 4)] * 5):
    game = Game.start(dealing.seats(kind, players, catalog, rng), catalog, b"%d" % number)
    for choices in range(300):
        if game.decision is None:
            break
        game.choose(rng.choice(game.decision.options))
        if choices % 10 == 0:
            views = [game.view(seat) for seat in range(players)]
            game = Game.load(game.save(), catalog)
"""
"""The games that are played while the first library counts."""


class BuildError(Exception):
    """The engine could not be compiled here; the message says why."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Compile unless there is a build already; the exit code is 1 where it fails."""
    parser = argparse.ArgumentParser(prog="python -m ccg.native", description="Compile the engine.")
    parser.add_argument("--again", action="store_true", help="even if there is a build of these sources")
    parser.add_argument("--optimize", default="2", help="how much the C compiler does (default: 2)")
    parser.add_argument("--seconds", type=float, default=900, help="give up after so many (default: 900)")
    parser.add_argument("--if-possible", action="store_true", help="be content where there is no C compiler")
    parser.add_argument("--profiled", action="store_true", help="compile for what games do most; takes twice as long")
    parser.add_argument("--keep", type=Path, help="a folder to leave the work in, to be looked at")
    given = parser.parse_args(arguments)
    if given.if_possible and not c_compiler():
        print("There is no C compiler here; the engine runs as pure Python.")
        return 0
    begun = time.perf_counter()
    try:
        with one_at_a_time():
            there = native.build()
            if there is not None and not given.again and (not given.profiled or (there / PROFILED).exists()):
                print(f"The engine is compiled: {there}")
                return 0
            with contextlib.ExitStack() as stack:
                work = given.keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ragtag-")))
                work.mkdir(parents=True, exist_ok=True)
                folder = make(work, given.optimize, begun + given.seconds, profiled=given.profiled)
    except BuildError as error:
        print(f"{error}\nThe engine runs as pure Python.", file=sys.stderr)
        return 1
    print(f"Compiled in {time.perf_counter() - begun:.0f} s: {folder}")
    return 0


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """Let other processes that want to build wait until the block is done; they find that build then."""
    native.BUILDS[0].mkdir(parents=True, exist_ok=True)
    with (native.BUILDS[0] / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def c_compiler() -> list[str]:
    """Return the command of the C compiler that this Python was built with, or else of any, or nothing."""
    own = (sysconfig.get_config_var("CC") or "cc").split()
    others = ([name] for name in ("cc", "gcc", "clang"))
    return next((command for command in (own, *others) if shutil.which(command[0])), [])


def make(work: Path, optimize: str = "2", end: float = math.inf, *, profiled: bool = False) -> Path:
    """Build in ``work`` and return the folder of the finished build; raises BuildError, also if not done at ``end``.

    Where a ``profiled`` build is asked for and the C compiler cannot make one, it is an ordinary one.
    """
    if not c_compiler():
        raise BuildError("There is no C compiler here.")
    name = native.key()
    lines = expand(work)
    out = work / "out"
    run = Run(work, end)
    libraries = translate(run, optimize, lines)
    counted = profiled and _count(run, libraries, work / "counting" / name)
    link(run, libraries, out, ["-fprofile-use", "-fprofile-correction"] if counted else [])
    if profiled:
        (out / PROFILED).touch()
    (out / "built").write_text(native.listed(out), "utf-8")
    folder = native.BUILDS[0] / name
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as near:  # on the same disk, so that it appears all at once
        shutil.copytree(out, Path(near) / name)
        os.sync()
        if folder.exists():
            folder.rename(Path(near) / "before")
        (Path(near) / name).rename(folder)
    forget(folder.parent)
    return folder


def forget(builds: Path) -> None:
    """Delete all but the newest builds: what runs may still use the one before."""
    by_age = sorted((mark.stat().st_mtime, mark.parent) for mark in builds.glob("*/built"))
    for _, folder in by_age[:-KEPT]:
        (folder / "built").unlink(missing_ok=True)  # first, so that nobody takes what is half deleted
        shutil.rmtree(folder, ignore_errors=True)


def expand(work: Path) -> dict[str, list[int]]:
    """Copy the rules to ``work`` with their records expanded; return where each module's lines come from."""
    from ccg.native.expanding import Expander, with_acyclic_bases

    os.environ[native.CHOICE] = "pure"
    saving = import_module("ccg.rules.saving")
    data = import_module("ccg.rules.core.data")
    readable = frozenset([*saving.FRAMES, import_module("ccg.rules.core.state").State])
    expander = Expander(data, readable)
    chosen = set(native.sources())
    lines: dict[str, list[int]] = {}
    for path in sorted(native.RULES.rglob("*.py")):
        place = path.relative_to(native.ROOT)
        text = path.read_text()
        if path == Path(data.__file__ or ""):
            text = with_acyclic_bases((Path(__file__).parent / "native_data.py").read_text())
        elif path in chosen:
            module = import_module(".".join(place.with_suffix("").parts))
            made = expander.expand(module, text)
            text, lines[place.as_posix()] = made.text, made.lines
        (work / place).parent.mkdir(parents=True, exist_ok=True)
        (work / place).write_text(text)
    (work / "ccg" / "__init__.py").touch()
    return lines


MYPYC = """
import json, sys
from mypyc.build import mypycify
made = mypycify(json.loads(sys.argv[1]), opt_level=sys.argv[2], debug_level="0", multi_file=True, target_dir="c")
json.dump([[e.name, e.sources, e.include_dirs, e.extra_compile_args] for e in made], open("made.json", "w"))
"""


class Run(NamedTuple):
    """How commands are run: in the folder ``work``, and none of them for longer than until ``end``."""

    work: Path
    end: float

    def __call__(self, command: Sequence[str], refused: str, **environment: str) -> None:
        """Run ``command``; raises BuildError, beginning with ``refused``, if it fails."""
        left = None if self.end == math.inf else max(1.0, self.end - time.perf_counter())
        try:
            done = subprocess.run(  # noqa: S603
                command,
                cwd=self.work,
                env={**os.environ, **environment},
                capture_output=True,
                text=True,
                check=False,
                timeout=left,
            )
        except subprocess.TimeoutExpired:
            raise BuildError("Compiling took too long and was given up.") from None
        if done.returncode:
            raise BuildError(f"{refused}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


class Library(NamedTuple):
    """A library to be made: its module's name, its C files, and the flags to compile those with."""

    module: str
    sources: list[str]
    flags: list[str]


def translate(run: Run, optimize: str, lines: dict[str, list[int]]) -> list[Library]:
    """Turn the modules in the folder of ``run`` into C; return what libraries are to be made of it."""
    work = run.work
    (work / "mypy.ini").write_text(
        "[mypy]\nexplicit_package_bases = True\nnamespace_packages = True\nfollow_imports = silent\n"
        "ignore_missing_imports = True\n"
    )
    files = [str(path.relative_to(native.ROOT)) for path in native.sources()]
    words = json.dumps(["--config-file", "mypy.ini", "--python-version", f"3.{sys.version_info.minor}", *files])
    command = [sys.executable, "-c", MYPYC, words, optimize]
    run(command, "mypyc refused:")
    for path in work.glob("c/**/*.c"):
        text = path.read_text()
        path.write_text(TRACE.sub(lambda found: found[1] + str(_line(lines, found[2], int(found[3]))), text))
    include = f"-I{sysconfig.get_paths()['include']}"
    return [
        Library(module, sources, ["-fPIC", "-w", "-DNDEBUG", *flags, *(f"-I{one}" for one in folders), include])
        for module, sources, folders, flags in json.loads((work / "made.json").read_text())
    ]


def link(run: Run, libraries: Sequence[Library], out: Path, more: Sequence[str]) -> None:
    """Compile and link ``libraries`` into ``out``, with ``more`` flags for both."""
    compiler = c_compiler()

    def compiled(arguments: list[str]) -> None:
        run([*compiler, *arguments, *more], f"The C compiler refused: {' '.join(arguments)}")

    jobs = [(source, library.flags) for library in libraries for source in library.sources]
    jobs.sort(key=lambda job: -(run.work / job[0]).stat().st_size)
    shared = ["-bundle", "-undefined", "dynamic_lookup"] if sys.platform == "darwin" else ["-shared"]
    links: list[list[str]] = []
    for library in libraries:
        target = out / (library.module.replace(".", "/") + native.SUFFIX)
        target.parent.mkdir(parents=True, exist_ok=True)
        links.append([*shared, *(f"{source}.o" for source in library.sources), "-o", str(target)])
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        list(pool.map(lambda job: compiled(["-c", *job[1], job[0], "-o", f"{job[0]}.o"]), jobs))
        list(pool.map(compiled, links))


def _count(run: Run, libraries: Sequence[Library], out: Path) -> bool:
    """Let ``libraries`` count, in games, how often each of their branches is taken; return whether they could.

    Half of the time that is left is kept for a build without these counts.
    """
    now = time.perf_counter()
    run = run._replace(end=now + (run.end - now) / 2)
    try:
        link(run, libraries, out, ["-fprofile-generate"])
        (out / "built").write_text(native.listed(out), "utf-8")
        command = [sys.executable, "-P", "-c", GAMES, str(out.parent)]  # not what lies expanded in the folder
        run(command, "The games failed:", **{"PYTHONPATH": str(native.ROOT), native.CHOICE: "compiled"})
    except BuildError as error:
        print(f"Compiled without a profile. {error}", file=sys.stderr)
        return False
    return any(run.work.rglob("*.gcda"))


def _line(lines: dict[str, list[int]], file: str, line: int) -> int:
    known = lines.get(file, [])
    return known[line] if 0 <= line < len(known) else line
