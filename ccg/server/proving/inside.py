"""Run something with the site's code in a process of its own, broken on purpose where a proof wants that.

    python -m ccg.server.proving.inside --plant MODULE:FUNCTION manage.py serve
    python -m ccg.server.proving.inside --plant MODULE:FUNCTION -m celery …
    python -m ccg.server.proving.inside [--plant MODULE:FUNCTION] --call MODULE:FUNCTION

``--plant`` calls the function once Django is set up, before anything else: it replaces what it wants to break. That is
the only way for a fault into the site's code; no switch in that code could ever be left on. ``--call`` calls the
function with the JSON that comes in, and writes as JSON what it returns.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import runpy
import subprocess
import sys
from collections.abc import Callable, Mapping
from typing import Any

from .processes import ROOT, clean_environment
from .proof import ProofError

MARK = "\x1e"
"""Stands before the answer, after whatever else was printed."""


def call(function: str, argument: Any, env: Mapping[str, str], plant: str = "") -> Any:
    """Call ``module:function`` in a process of the site's with this environment, and return what it returns.

    Argument and answer are what JSON can say. Raises ProofError with what the process said if it fails.
    """
    own = {**clean_environment(), "DJANGO_SETTINGS_MODULE": "ccg.server.settings", "LIMITS": "0", **env}
    done = subprocess.run(
        [sys.executable, "-m", "ccg.server.proving.inside", "--plant", plant, "--call", function],
        cwd=ROOT, env=own, input=json.dumps(argument), capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise ProofError(f"{function} failed:\n{done.stdout}{done.stderr}")
    return json.loads(done.stdout.rpartition(MARK)[2])


def function_named(name: str) -> Callable[..., Any]:
    """Return the function that is called ``module:function``."""
    module, _, attribute = name.partition(":")
    function: Callable[..., Any] = getattr(importlib.import_module(module), attribute)
    return function


def main() -> None:
    """Plant the fault, if one is named; then call the named function, or run the named program."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--plant", default="")
    parser.add_argument("--call", default="")
    # The rest is not declared: what argparse takes as a remainder must not begin with an option such as -m.
    options, program = parser.parse_known_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ccg.server.settings")
    import django

    django.setup()
    if options.plant:
        function_named(options.plant)()
    if options.call:
        answer = function_named(options.call)(json.load(sys.stdin))
        sys.stdout.write(MARK + json.dumps(answer))
    elif program[0] == "-m":
        sys.argv = program[1:]
        runpy.run_module(program[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = program
        runpy.run_path(program[0], run_name="__main__")


if __name__ == "__main__":
    main()
