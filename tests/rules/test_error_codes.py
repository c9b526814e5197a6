"""docs/errors.md names every code that the engine raises, with its class, and no other."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

from ccg.rules import errors
from ccg.rules.core import engine, work

ROOT = Path(errors.__file__).parents[2]
PAGE = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
CLASSES = {
    name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, errors.RulesError)
}


def raised() -> dict[str, set[str]]:
    """Find the first argument of every engine error that is made anywhere in the project, by class."""
    found: dict[str, set[str]] = defaultdict(set)
    for folder in ("ccg", "cards_data", "decks", "matches"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            for node in ast.walk(ast.parse(text)) if any(f"{name}(" in text for name in CLASSES) else ():
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CLASSES:
                    code = node.args[0]
                    assert isinstance(code, ast.Constant), f"{path}:{node.lineno}: a code is a plain word"
                    found[node.func.id].add(str(code.value))
    return found


def documented() -> dict[str, set[str]]:
    """Read the tables of the page: under a heading, each row begins with a code and may name its class."""
    found: dict[str, set[str]] = defaultdict(set)
    for section in PAGE.split("\n## ")[1:]:
        named = [name for name in re.findall(r"`(\w+)`", section.splitlines()[0]) if name in CLASSES]
        for code, second in re.findall(r"^\| `(\w+)` \| (?:`(\w+)` \|)?", section, re.MULTILINE):
            found[second if second in CLASSES else named[0]].add(code)
    return found


def test_every_code_is_documented_under_its_class_and_no_other_is() -> None:
    assert raised()
    assert documented() == raised()


def test_the_limits_of_the_page_are_those_of_the_engine() -> None:
    for limit in (engine.STEP_LIMIT, engine.EVENT_LIMIT, engine.DEPTH_LIMIT, work.WORK_LIMIT):
        assert f"{limit:,} " in PAGE
