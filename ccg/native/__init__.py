"""The compiled engine: found where it was built for just these sources, and otherwise passed by.

``python -m ccg.native`` compiles the modules of the rules that :data:`COMPILED` names. A build lies in a folder of
its own, named after a hash of the sources and of this Python: another source, another folder, so what is stale is
never found. ``CCG_ENGINE=pure`` leaves a build alone, ``CCG_ENGINE=compiled`` insists on one.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "ccg" / "rules"
DATA = RULES / "core" / "data.py"
"""The form of records, which is another one in a compiled engine."""

BUILDS = (ROOT / "build" / "native", Path(__file__).resolve().parent / "built")
"""Where builds are looked for: what was built here, then what came with a wheel."""

STRUCT = re.compile(r"^class [^:]*\bStruct\b", re.MULTILINE)
SUFFIX: str = sysconfig.get_config_var("EXT_SUFFIX") or ".so"
CHOICE = "CCG_ENGINE"

COMPILED = ("core/*.py", "effects/*.py", "rulebook/*.py", "telling/*.py", "game.py")
"""The modules that are compiled, as patterns of paths below ``ccg/rules``."""


def sources() -> list[Path]:
    """Return the modules that are compiled."""
    return sorted({path for pattern in COMPILED for path in RULES.glob(pattern) if _compiles(path)})


def _compiles(path: Path) -> bool:
    """Return whether it can be compiled: mypyc does not understand msgspec Structs, which have a metaclass."""
    return path.name != "__init__.py" and (path == DATA or not STRUCT.search(path.read_text("utf-8")))


def key() -> str:
    """Return the name of the build for these sources and this Python."""
    digest = hashlib.sha256(SUFFIX.encode())
    for path in (*sources(), *sorted(Path(__file__).parent.glob("*.py"))):
        data = path.read_bytes()
        digest.update(f"{path.relative_to(ROOT).as_posix()} {len(data)}\n".encode())
        digest.update(data)
    return digest.hexdigest()[:20]


def build() -> Path | None:
    """Return the folder of the build for these sources and this Python, if there is one that lacks nothing."""
    name = key()
    return next((folder / name for folder in BUILDS if _whole(folder / name)), None)


def listed(folder: Path) -> str:
    """Return a line for each compiled file in ``folder`` with its size; a finished build holds this as ``built``."""
    files = sorted(folder.rglob(f"*{SUFFIX}"))
    return "".join(f"{path.stat().st_size} {path.relative_to(folder).as_posix()}\n" for path in files)


def _whole(folder: Path) -> bool:
    """Return whether the build in ``folder`` is as it was finished: a file cut off or lost would end every process."""
    try:
        return (folder / "built").read_text("utf-8") == listed(folder) != ""
    except OSError:
        return False


class Finder:
    """Finds compiled modules in one build, before Python looks for their sources."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._found: dict[str, Path] = dict(_modules(folder))

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Say where module ``name`` is, if it is compiled."""
        file = self._found.get(name)
        if file is None:
            return None
        return spec_from_file_location(name, file, loader=ExtensionFileLoader(name, str(file)))


def _modules(folder: Path) -> Iterator[tuple[str, Path]]:
    for path in folder.rglob(f"*{SUFFIX}"):
        yield ".".join(path.relative_to(folder).parts).removesuffix(SUFFIX), path


def use() -> None:
    """Let the modules of the rules be found compiled, if they have been; called before the first is imported."""
    chosen = os.environ.get(CHOICE, "")
    if chosen not in ("", "pure", "compiled"):
        raise ImportError(f"{CHOICE}={chosen}: neither pure nor compiled")
    if chosen == "pure" or running() == "compiled":
        return
    folder = build()
    if folder is not None:
        sys.meta_path.insert(0, Finder(folder))
    elif chosen == "compiled":
        raise ImportError(f"{CHOICE}=compiled, but there is no build of these sources: python -m ccg.native makes one")


def running() -> str:
    """Return which engine this process uses: ``compiled`` or ``pure``."""
    return "compiled" if any(isinstance(finder, Finder) for finder in sys.meta_path) else "pure"
