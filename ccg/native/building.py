"""Building the compiled engine: ``python -m ccg.native``.

Records are expanded (:mod:`ccg.native.expanding`) in a copy of the rules, mypyc turns the modules into C, and the
machine's C compiler makes one library of them, file by file and as many at once as there are processors.
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


class BuildError(Exception):
    """The engine could not be compiled here; the message says why."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Compile unless there is a build already; the exit code is 1 where it fails."""
    parser = argparse.ArgumentParser(prog="python -m ccg.native", description="Compile the engine.")
    parser.add_argument("--again", action="store_true", help="even if there is a build of these sources")
    parser.add_argument("--optimize", default="2", help="how much the C compiler does (default: 2)")
    parser.add_argument("--seconds", type=float, default=900, help="give up after so many (default: 900)")
    parser.add_argument("--if-possible", action="store_true", help="be content where there is no C compiler")
    parser.add_argument("--keep", type=Path, help="a folder to leave the work in, to be looked at")
    given = parser.parse_args(arguments)
    if given.if_possible and not c_compiler():
        print("There is no C compiler here; the engine runs as pure Python.")
        return 0
    begun = time.perf_counter()
    try:
        with one_at_a_time():
            if native.build() is not None and not given.again:
                print(f"The engine is compiled: {native.build()}")
                return 0
            with contextlib.ExitStack() as stack:
                work = given.keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ragtag-")))
                work.mkdir(parents=True, exist_ok=True)
                folder = make(work, given.optimize, begun + given.seconds)
    except BuildError as error:
        print(error, file=sys.stderr)
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


def make(work: Path, optimize: str = "2", end: float = math.inf) -> Path:
    """Build in ``work`` and return the folder of the finished build; raises BuildError, also if not done at ``end``."""
    if not c_compiler():
        raise BuildError("There is no C compiler here; the engine runs as pure Python.")
    name = native.key()
    lines = expand(work)
    out = work / "out"
    translate(Run(work, end), optimize, lines, out)
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

    def __call__(self, command: Sequence[str], refused: str) -> None:
        """Run ``command``; raises BuildError, beginning with ``refused``, if it fails."""
        left = None if self.end == math.inf else max(1.0, self.end - time.perf_counter())
        try:
            done = subprocess.run(  # noqa: S603
                command, cwd=self.work, capture_output=True, text=True, check=False, timeout=left
            )
        except subprocess.TimeoutExpired:
            raise BuildError("Compiling took too long and was given up; the engine runs as pure Python.") from None
        if done.returncode:
            raise BuildError(f"{refused}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def translate(run: Run, optimize: str, lines: dict[str, list[int]], out: Path) -> None:
    """Turn the modules in the folder of ``run`` into C and that into libraries in ``out``."""
    work, compiler = run.work, c_compiler()
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
    made = json.loads((work / "made.json").read_text())
    include = [f"-I{sysconfig.get_paths()['include']}"]
    jobs: list[tuple[str, list[str]]] = []
    links: list[tuple[list[str], str]] = []
    for module, sources, folders, flags in made:
        target = out / (module.replace(".", "/") + native.SUFFIX)
        target.parent.mkdir(parents=True, exist_ok=True)
        objects = []
        for source in sources:
            objects.append(f"{source}.o")
            jobs.append((source, ["-c", "-fPIC", "-w", "-DNDEBUG", *flags, *(f"-I{one}" for one in folders), *include]))
        links.append((objects, str(target)))

    def compiled(command: list[str]) -> None:
        run([*compiler, *command], f"The C compiler refused: {' '.join(command)}")

    jobs.sort(key=lambda job: -(work / job[0]).stat().st_size)
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        list(pool.map(lambda job: compiled([*job[1], job[0], "-o", f"{job[0]}.o"]), jobs))
        link = ["-bundle", "-undefined", "dynamic_lookup"] if sys.platform == "darwin" else ["-shared"]
        list(pool.map(lambda one: compiled([*link, *one[0], "-o", one[1]]), links))


def _line(lines: dict[str, list[int]], file: str, line: int) -> int:
    known = lines.get(file, [])
    return known[line] if 0 <= line < len(known) else line
