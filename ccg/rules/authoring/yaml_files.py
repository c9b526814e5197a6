"""YAML as card files use it: plain lists, keys and values, read within limits and refused with the line.

Of YAML's many ways to surprise, none is let in: no aliases and anchors (a few lines can stand for millions
of values), no tags (a file says what, never which Python), no merge keys, no dates or base-60 numbers made
of what looks like text, no key said twice, no sign that cannot be seen, no comment that may have been meant as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from ccg.rules.cards import phrases

MAX_BYTES = 1_000_000
MAX_DEPTH = 20
MAX_SCALAR = 2_000
MAX_VALUES = 60_000
"""Values in one file: our largest has 4,000. A file of a million brackets takes seconds to build."""

MAX_DIGITS = 9

_UNSEEN = re.compile(
    "[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\ud800-\udfff"
    "\U000e0000-\U000e0fff]"
)
"""Signs that cannot be seen or that turn the direction of what follows: nothing in a card file needs one."""

_CUT_OFF = re.compile(r"[ \t]+(#[^\s#]\S*)")
"""What stands behind text without quotes and is a comment to YAML, though people write comments with a space."""

_PLAINLY: dict[str, tuple[str, str]] = {
    "mapping values are not allowed in this context": ("a colon where none can be", "put text with a colon in quotes"),
    "could not find expected ':'": ("a key without a colon", ""),
    "did not find expected key": ("expected a key here", "look at the spaces at the beginning of the lines"),
    "did not find expected '-' indicator": ("expected a '-' here", "look at the spaces at the beginning of the lines"),
    "did not find expected ',' or ']'": ("a list in [ ] lacks a comma or its end", ""),
    "did not find expected ',' or '}'": ("keys in { } lack a comma or their end", ""),
    "did not find expected node content": ("a value is missing between the commas or at the end", ""),
    "found character that cannot start any token": ("a sign that no value begins with (tab, @, %, `)", "use quotes"),
    "but found another document": ("a second document", "a file holds one, so take out this and what follows"),
    "found unexpected end of stream": ("text in quotes that has no end", ""),
    "found unknown escape character": ('a backslash in "quotes" that means nothing', "put the text in 'single quotes'"),
}
"""What the YAML library says, in other words: what is wrong and, for some, what to do about it."""


class YamlError(ValueError):
    """A file that is not read: what is wrong, in which ``line`` (0: of the whole file), and what to do about it."""

    def __init__(self, text: str, line: int = 0, advice: str = "") -> None:
        where = f"line {line}: " if line else ""
        super().__init__(where + phrases.message(text, advice=advice))
        self.text = text
        self.line = line
        self.advice = advice


def _plainly(problem: str, line: int) -> tuple[str, int, str]:
    """Return what the library says is wrong in ``line``, as a :class:`YamlError` takes it."""
    text, advice = _PLAINLY.get(problem, (problem, ""))
    return text, line, advice


_WORDS = ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:null")
"""Tags of what is a word as a key: `on`, `off`, `yes`, `no` and `null`."""
_TEXT = "tag:yaml.org,2002:str"


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """A safe loader that knows text, whole numbers, numbers with a point, true, false and null."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.MarkedYAMLError(problem="a key is a word, not a list or a map", problem_mark=key.start_mark)
            if key.tag in _WORDS:
                key.tag = _TEXT
            if str(key.value) in seen:
                problem = f"the key {str(key.value)[:60]!r} is said twice"
                raise yaml.MarkedYAMLError(problem=problem, problem_mark=key.start_mark)
            seen.add(str(key.value))
        mapping: dict[Any, Any] = super().construct_mapping(node, deep)
        return mapping


def _plain(digits: str) -> re.Pattern[str]:
    return re.compile(f"^(?:{digits})$")


Loader.yaml_implicit_resolvers = {}
for _tag, _regexp, _first in (
    ("bool", _plain("yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF"), "yYnNtTfFoO"),
    ("int", _plain("[-+]?(?:0|[1-9][0-9]*)"), "-+0123456789"),
    (
        "float",
        _plain(r"[-+]?[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"),
        "-+.0123456789",
    ),
    ("null", _plain("~|null|Null|NULL|"), ["~", "n", "N", ""]),
):
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", _regexp, list(_first))


def load(path: Path) -> tuple[Any, yaml.Node]:
    """Return what the file says, and the nodes that know the lines. Raises :class:`YamlError`."""
    return parse(_bytes(path))


def load_all(path: Path) -> list[Any]:
    """Return what each document of the file says. Raises :class:`YamlError`."""
    text = _text(_bytes(path))
    with _with_lines():
        _check_events(text)
        return list(yaml.load_all(text, Loader))


def parse(data: bytes) -> tuple[Any, yaml.Node]:
    """Do what :func:`load` does with the bytes of a file."""
    text = _text(data)
    with _with_lines():
        _check_events(text)
        loader = Loader(text)
        try:
            node = loader.get_single_node()
            if node is None:
                raise YamlError("the file is empty")
            return loader.construct_document(node), node
        finally:
            loader.dispose()


def _bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise YamlError(f"cannot be read: {error.strerror}") from error


def _text(data: bytes) -> str:
    if len(data) > MAX_BYTES:
        raise YamlError(f"larger than {MAX_BYTES:,} bytes")
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise YamlError("not UTF-8", line, advice="save the file as UTF-8") from error
    unseen = _UNSEEN.search(text)
    if unseen:
        line = text.count("\n", 0, unseen.start()) + 1
        raise YamlError(f"a sign that cannot be seen (U+{ord(unseen.group()):04X})", line, advice="take it out")
    return text.replace("\r\n", "\n").replace("\r", "\n")  # lines are told as YAML and editors count them


@contextmanager
def _with_lines() -> Iterator[None]:
    """Tell what YAML itself refuses as a :class:`YamlError`."""
    try:
        yield
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 0
        problem = str(error.problem or error.context)
        raise YamlError(*_plainly(problem, line)) from error
    except (yaml.YAMLError, RecursionError) as error:
        raise YamlError(" ".join(str(error).split())) from error


def _check_events(text: str) -> None:
    """Refuse what no card needs and what makes a small file expensive.

    The C parser builds nested nodes on the stack, where enough of them end the process: so the stream of
    events is looked at before anything is built.
    """
    depth, lines = 0, [*text.split("\n"), ""]  # what "?" alone asks for ends on the line after the last
    for number, event in enumerate(yaml.parse(text, Loader)):
        line = event.start_mark.line + 1 if event.start_mark else 0
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise YamlError("YAML aliases (&, *) are not used in card files", line, advice="write it out")
        tag = getattr(event, "tag", None)
        if tag is not None:
            shown = tag.replace("tag:yaml.org,2002:", "!!")[:40]
            raise YamlError(f"YAML tags ({shown}) are not used in card files", line)
        if isinstance(event, yaml.ScalarEvent):
            if len(event.value) > MAX_SCALAR:
                raise YamlError(f"a value longer than {MAX_SCALAR:,} characters", line)
            plain = event.implicit[0]
            if plain and len(event.value) > MAX_DIGITS and event.value.lstrip("+-").isdecimal():
                raise YamlError(f"a number with more than {MAX_DIGITS} digits", line)
            if plain and event.end_mark and (cut := _CUT_OFF.match(lines[event.end_mark.line], event.end_mark.column)):
                advice = "put the text in quotes, or a space behind the #"
                raise YamlError(f"what begins with {cut[1][:40]} would be left out as a comment", line, advice=advice)
            if plain and event.value == "<<":
                raise YamlError("YAML merge keys (<<) are not used in card files", line, advice="write it out")
        if number > MAX_VALUES:
            raise YamlError(f"more than {MAX_VALUES:,} values in one file", line)
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise YamlError(f"nested deeper than {MAX_DEPTH}", line)


def line_of(node: yaml.Node, path: tuple[str | int, ...]) -> int:
    """Return the line where what ``path`` leads to begins, or the nearest above it that there is."""
    for step in path:
        below: yaml.Node | None = None
        if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            below = node.value[step]
        elif isinstance(node, yaml.MappingNode):
            below = next((value for key, value in node.value if key.value == step), None)
        if below is None:
            break
        node = below
    return int(node.start_mark.line) + 1
