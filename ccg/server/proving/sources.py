"""What must not stand in the site's own sources: ways past escaping, past the ORM, past limits."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from .processes import ROOT

PYTHON = ("ccg", "matches", "decks", "cards_data")
NOT_OURS = ("/dist/", "/node_modules/", "/migrations/", "/server/proving/")

ALLOWED = {
    ("ccg/server/texts.py", "mark_safe"),
    ("ccg/server/rules_pages.py", "mark_safe"),
    ("ccg/server/card_rulings.py", "mark_safe"),
    ("decks/social/prose.py", "mark_safe"),
    ("decks/templatetags/decks.py", "mark_safe"),
    ("decks/pictures/drawing.py", "eval"),
    ("ccg/rules/authoring/yaml_files.py", "yaml.load_all()"),
    ("ccg/server/shared_cache.py", "pickle"),
    ("ccg/server/shared_cache.py", ".execute()"),
    ("matches/playing/statements.py", ".execute()"),
    ("matches/playing/statements.py", ".executemany()"),
    ("ccg/server/cluster/stores.py", ".execute()"),
    ("matches/notices/pages.py", "csrf_exempt"),
}
"""Looked at, and right: HTML made of files of this project, of parts that are escaped, or cleaned by nh3; YAML with a
safe loader; QuickJS, which runs a script of this project and is given texts as JSON; numbers as Django's cache keeps
them; statements that are constants, or that hold the name of a table of ours; names and a password of our own, put in
by psycopg; the link that stops mails, which programs that read mail send without a token (RFC 8058)."""

NAMES = {
    "mark_safe": "text that is not escaped",
    "csrf_exempt": "a form without a token",
    "eval": "code from text",
    "exec": "code from text",
    "pickle": "objects from bytes",
    "marshal": "objects from bytes",
    "mktemp": "a file name that somebody else may take first",
    "RawSQL": "SQL by hand",
}
"""Names that are used nowhere, and why."""

METHODS = {
    "raw": "SQL by hand", "extra": "SQL by hand", "system": "a shell", "popen": "a shell",
}  # fmt: skip
"""Methods of the ORM and of ``os`` that are called nowhere."""

TEMPLATE = {
    r"\|\s*safe(seq)?\b": "text that is not escaped",
    r"\{%\s*autoescape\s+off": "text that is not escaped",
    r"<script(?![^>]*\bsrc=)(?![^>]*application/json)": "a script in the page",
    r"<style\b": "styles in the page",
    r"\sstyle=": "styles in the page",
    r"<[^>]*\son[a-z]+=": "a script in the page",
    r"javascript:": "a script in an address",
    r"<form(?=[^>]*method=\"post\")(?![\s\S]*?csrf(_|middleware)token[\s\S]*?</form>)": "a form without a token",
}
CLIENT = {
    r"\binnerHTML\b|\bouterHTML\b|insertAdjacentHTML|document\.write": "HTML from text",
    r"dangerouslySetInnerHTML": "HTML from text",
    r"\beval\(|new Function\(": "code from text",
}


def findings() -> list[str]:
    """Return what stands in the sources of the site and must not, with its place."""
    lines: list[str] = []
    for path in _files("*.py"):
        name = path.relative_to(ROOT).as_posix()
        lines += [
            f"{name}:{line}: {word} ({why})"
            for line, word, why in in_python(path.read_text("utf-8"))
            if (name, word) not in ALLOWED
        ]
    for pattern, rules in (("*.html", TEMPLATE), ("*.ts", CLIENT), ("*.tsx", CLIENT)):
        for path in _files(pattern):
            if ".test." not in path.name:
                name = path.relative_to(ROOT).as_posix()
                lines += [f"{name}: {what}" for what in in_text(path.read_text("utf-8"), rules)]
    return lines


def in_python(source: str) -> Iterator[tuple[int, str, str]]:
    """Yield line, word and reason of what must not stand in this Python source."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Name(id=name) if name in NAMES:
                yield node.lineno, name, NAMES[name]
            case ast.Attribute(attr=name) if name in NAMES:
                yield node.lineno, name, NAMES[name]
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                for alias in names:
                    if alias.name in NAMES and alias.name != "mark_safe":  # using it is what counts
                        yield node.lineno, alias.name, NAMES[alias.name]
            case ast.Call():
                yield from _in_call(node)


def _in_call(node: ast.Call) -> Iterator[tuple[int, str, str]]:
    if any(word.arg == "shell" and not _is_false(word.value) for word in node.keywords):
        yield node.lineno, "shell=", "a shell"
    if not isinstance(node.func, ast.Attribute):
        return
    name = node.func.attr
    if name in METHODS:
        yield node.lineno, f".{name}()", METHODS[name]
    if name in ("execute", "executemany") and node.args and not isinstance(node.args[0], ast.Constant):
        yield node.lineno, f".{name}()", "SQL put together"
    for word in node.keywords:
        if word.arg and re.search(r"__i?regex$", word.arg):
            yield node.lineno, word.arg, "a pattern for the database"
    owner = node.func.value
    if name in ("load", "load_all", "unsafe_load") and isinstance(owner, ast.Name) and owner.id == "yaml":
        yield node.lineno, f"yaml.{name}()", "objects from text"


def in_text(text: str, rules: dict[str, str]) -> list[str]:
    """Return the reasons against this template or client source."""
    return [f"{why}: {match[0][:60]!r}" for rule, why in rules.items() for match in [re.search(rule, text)] if match]


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def _files(pattern: str) -> list[Path]:
    paths = [path for folder in PYTHON for path in (ROOT / folder).rglob(pattern)]
    return sorted(path for path in paths if not any(part in path.as_posix() for part in NOT_OURS))
