"""The borders that import-linter cannot see."""

from __future__ import annotations

import subprocess
import sys

from tests.running import ROOT

FRAMEWORKS = ("django", "celery", "channels", "redis", "asgiref", "twisted", "daphne", "psycopg", "rest_framework")


def modules_after(statement: str) -> set[str]:
    """The top-level names of all modules that are loaded once a fresh process has run the statement."""
    script = f"import sys\n{statement}\nprint(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_rules_load_no_framework() -> None:
    """Loading a parent package is no import statement: a line in ccg/__init__.py would pass every contract."""
    assert not modules_after(
        "import ccg.rules, ccg.rules.cards.definitions, ccg.rules.authoring.card_files"
    ).intersection(FRAMEWORKS)


def test_the_package_of_everything_is_empty() -> None:
    assert (ROOT / "ccg" / "__init__.py").read_text().strip() == ""


def test_this_test_would_notice() -> None:
    assert "django" in modules_after("import ccg.server.settings")
