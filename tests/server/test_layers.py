"""The borders that import-linter cannot see."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

from ccg.spared import not_installed
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


def test_an_embedded_server_imports_nothing_that_it_does_not_use() -> None:
    """Libraries take these whenever they are installed; that was a quarter of the time until the first answer."""
    loaded = modules_after("import django\nfrom ccg.server import serving, asgi")
    assert "daphne" in loaded
    assert not loaded.intersection({"requests", "urllib3", "psycopg", "pygments", "OpenSSL", "service_identity"})


def test_what_is_hidden_while_others_are_imported_can_be_imported_afterwards() -> None:
    with not_installed("zipapp", "sys"):
        import sys as still_there  # what is imported already stays

        with pytest.raises(ModuleNotFoundError):
            importlib.import_module("zipapp")
    assert still_there is sys
    importlib.import_module("zipapp")
