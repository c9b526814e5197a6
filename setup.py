"""Makes a wheel bring the engine compiled where there is a C compiler; everything else is in pyproject.toml.

Without one, or with ``CCG_ENGINE=pure``, the wheel is one of pure Python.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

sys.path.insert(0, str(Path(__file__).parent))

from ccg import native
from ccg.native import building

COMPILES = os.environ.get(native.CHOICE) != "pure" and bool(building.c_compiler())


class BuildWithEngine(build_py):
    """Adds the compiled engine to the Python modules."""

    def run(self) -> None:
        super().run()
        if COMPILES:
            folder = native.build()
            if folder is None:
                with tempfile.TemporaryDirectory(prefix="ragtag-") as work:
                    folder = building.make(Path(work), profiled=True)
            shutil.copytree(folder, Path(self.build_lib, "ccg", "native", "built", folder.name), dirs_exist_ok=True)


class WithEngine(Distribution):
    """Says that the wheel is for this system and this Python, if the engine in it is."""

    def has_ext_modules(self) -> bool:
        return COMPILES


setup(cmdclass={"build_py": BuildWithEngine}, distclass=WithEngine)
