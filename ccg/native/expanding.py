"""Expanding records: from fields that are declared to plain classes that mypyc makes native.

A module is expanded in the build directory only. It keeps its text but for the declarations of fields, in whose
place stand bare annotations and the methods that follow from them; :func:`expand` tells which line came from
which, so that tracebacks name the lines of the source.
"""

from __future__ import annotations

import ast
import enum
import inspect
import re
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import NODEFAULT, structs

SIMPLE = {int: "an_int", str: "a_str", bool: "a_bool", bytes: "a_bytes"}
KNOWN_TO_MYPYC = (
    "from typing import TYPE_CHECKING as _TYPE_CHECKING",
    "if _TYPE_CHECKING:",  # mypyc sees the import, and nobody needs the package to run what it made
    "    from mypy_extensions import mypyc_attr as _mypyc_attr",
)
BASES = re.compile(r"^class (?:Record|Data|Fixed)\b", re.MULTILINE)
"""The bases of records in :mod:`ccg.native.native_data`."""

MADE = "_made"
"""The name under which a module knows the form of records."""


@dataclass
class Expanded:
    """A module expanded: its ``text``, and for each line (from 1; place 0 is unused) that of the source."""

    text: str
    lines: list[int]


@dataclass
class Expander:
    """What is the same for all modules: the base classes, by their module, and which records can be read back."""

    data: types.ModuleType
    readable: frozenset[type]
    imports: dict[str, set[str]] = field(default_factory=dict)
    names: dict[str, Any] = field(default_factory=dict)
    helpers: list[str] = field(default_factory=list)
    open: bool = False
    """Whether a class of the module can have subclasses that are not compiled."""

    def expand(self, module: types.ModuleType, source: str) -> Expanded:
        """Expand what ``source``, the text of ``module``, declares."""
        self.imports, self.helpers, self.names, self.open = {}, [], vars(module), False
        source = _understood(source)
        tree = ast.parse(source)
        lines = source.split("\n")
        out: list[tuple[str, int]] = [(line, number) for number, line in enumerate(lines, 1)]
        ends: list[str] = []
        for statement in reversed(tree.body):
            if isinstance(statement, ast.ClassDef):
                for one in statement.decorator_list:
                    if ast.unparse(one) == self.data.extended.__name__:
                        out[one.lineno - 1] = ("@_mypyc_attr(allow_interpreted_subclasses=True)", one.lineno)
                        self.open = True
                kind = self.names[statement.name]
                if isinstance(kind, type) and issubclass(kind, (self.data.Data, self.data.Fixed)):
                    made, registered = self._class(statement, kind, lines)
                    out[statement.lineno - 1 : statement.end_lineno] = made
                    ends += registered
        if not ends and not self.open:
            return Expanded(source, list(range(len(lines) + 1)))
        future = [one for one in tree.body if isinstance(one, ast.ImportFrom) and one.module == "__future__"]
        place = future[-1].lineno + 1
        imports = [
            f"import {self.data.__name__} as {MADE}",
            "from typing import cast as _cast",
            *KNOWN_TO_MYPYC,
        ]
        for origin, names in sorted(self.imports.items()):
            imports += [f"from {origin} import {name} as _{name}" for name in sorted(names)]
        out[place - 1 : place - 1] = [(line, place) for line in imports]
        last = len(lines)
        out += [(line, last) for line in [*self.helpers, *reversed(ends)]]
        return Expanded("\n".join(line for line, _ in out) + "\n", [0, *(number for _, number in out)])

    # -- a class

    def _class(self, node: ast.ClassDef, kind: Any, lines: list[str]) -> tuple[list[tuple[str, int]], list[str]]:
        bases = ", ".join(ast.unparse(base) for base in node.bases)
        head = node.lineno
        out = [(f"@_mypyc_attr({_storage(kind)})", head), (f"class {node.name}({bases}):", head)]
        made = [(line, head) for line in self._methods(kind)]
        body = list(node.body)
        if body and _docstring(body[0]):
            first = body.pop(0)
            out += [(lines[i - 1], i) for i in range(first.lineno, (first.end_lineno or 0) + 1)]
        at = (node.body[0].end_lineno or 0) if _docstring(node.body[0]) else node.lineno
        for statement in body:
            start = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", []))])
            if isinstance(statement, ast.AnnAssign) and "ClassVar" not in ast.unparse(statement.annotation):
                if not any(ast.unparse(statement.target) in base.__struct_fields__ for base in _records(kind)[1:]):
                    text = f"    {ast.unparse(statement.target)}: {ast.unparse(statement.annotation)}"
                    out.append((text, statement.lineno))
            else:
                if isinstance(statement, ast.FunctionDef) and made:
                    out += made
                    made = []
                out += [(lines[i - 1], i) for i in range(at + 1, start)]
                out += [(lines[i - 1], i) for i in range(start, (statement.end_lineno or 0) + 1)]
            at = statement.end_lineno or 0
        out += made
        names = kind.__struct_fields__
        registered = [f"{MADE}.FIELDS[{node.name}] = {names!r}"]
        if kind in self.readable and kind.__struct_config__.tag:
            registered.append(f"{MADE}.READERS[{kind.__struct_config__.tag!r}] = {node.name}.read")
        return out, registered

    def _methods(self, kind: Any) -> list[str]:
        infos = {info.name: info for info in structs.fields(kind)}
        fields = [infos[name] for name in kind.__struct_fields__]
        out = ["", *self._init(kind, fields), "", *self._eq(kind, fields)]
        if kind.__struct_config__.frozen:
            mine = ", ".join(f"self.{one.name}" for one in fields)
            out += ["", "    def __hash__(self) -> int:", f"        return hash(({mine}{',' if mine else ''}))"]
        if issubclass(kind, self.data.Data) and (kind in self.readable or not _is_frame(kind)):
            out += ["", *self._plain(kind, fields), "", *self._twin(kind, fields), "", *self._read(kind, fields)]
        return [*out, ""]

    def _init(self, kind: Any, fields: list[Any]) -> list[str]:
        parameters = inspect.signature(kind).parameters
        taken, body, star = [], [], False
        for one in fields:
            annotation = self.annotation(one.type)
            if parameters[one.name].kind == inspect.Parameter.KEYWORD_ONLY and not star:
                taken.append("*")
                star = True
            if one.default_factory is not NODEFAULT:
                taken.append(f"{one.name}: {annotation} | None = None")
                body.append(
                    f"        self.{one.name} = {one.name} if {one.name} is not None else {one.default_factory()!r}"
                )
                continue
            default = "" if one.default is NODEFAULT else f" = {self._value(one.default)}"
            taken.append(f"{one.name}: {annotation}{default}")
            body.append(f"        self.{one.name} = {one.name}")
        if not fields:
            return []
        return [f"    def __init__(self, {', '.join(taken)}) -> None:", *body]

    def _eq(self, kind: Any, fields: list[Any]) -> list[str]:
        same = [f"isinstance(other, {kind.__name__})", "type(other) is type(self)"]
        same += [f"self.{one.name} == other.{one.name}" for one in fields]
        return ["    def __eq__(self, other: object) -> bool:", f"        return {' and '.join(same)}"]

    def _plain(self, kind: Any, fields: list[Any]) -> list[str]:
        tag = [repr(kind.__struct_config__.tag)] if kind.__struct_config__.tag else []
        parts = tag + [self._as_plain(f"self.{one.name}", one.type) for one in fields]
        return ["    def plain(self) -> list[object]:", f"        return [{', '.join(parts)}]"]

    def _twin(self, kind: Any, fields: list[Any]) -> list[str]:
        parts = [f"{one.name}={self._as_twin(f'self.{one.name}', one.type)}" for one in fields]
        made = "self" if kind.__struct_config__.frozen else f"{kind.__name__}({', '.join(parts)})"
        return [f"    def twin(self) -> {self._generic(kind)}:", f"        return {made}"]

    def _read(self, kind: Any, fields: list[Any]) -> list[str]:
        first = 1 if kind.__struct_config__.tag else 0
        parts = [f"{one.name}={self._as_read(f'_v[{i}]', one.type)}" for i, one in enumerate(fields, first)]
        return [
            "    @staticmethod",
            f"    def read(value: object) -> {self._generic(kind)}:",
            f"        _v = {MADE}.parts(value, {len(fields) + first})",
            f"        return {kind.__name__}({', '.join(parts)})",
        ]

    def _generic(self, kind: Any) -> str:
        """A generic record is read with what its parameter may be at most."""
        return f"{kind.__name__}[{self.annotation(Any)}]" if getattr(kind, "__parameters__", ()) else str(kind.__name__)

    # -- types and values

    def annotation(self, type_: Any) -> str:
        """Write ``type_`` down, importing what the module does not know."""
        origin, args = get_origin(type_), get_args(type_)
        if type_ is None or type_ is type(None):
            return "None"
        if type_ is Any:
            return self._known("Any", "typing", Any)
        if isinstance(type_, TypeVar):
            return type_.__name__
        if origin is Literal:
            return f"{self._known('Literal', 'typing', Literal)}[{', '.join(map(repr, args))}]"
        if origin in (Union, types.UnionType):
            return " | ".join(self.annotation(one) for one in args)
        if origin is not None and origin.__module__ == "collections.abc" and origin.__name__ == "Callable":
            taken, given = args
            shown = "..." if taken is ... else f"[{', '.join(self.annotation(one) for one in taken)}]"
            return f"{self._known('Callable', 'collections.abc', origin)}[{shown}, {self.annotation(given)}]"
        if origin is not None:
            shown = ", ".join("..." if one is ... else self.annotation(one) for one in args)
            return f"{self.annotation(origin)}[{shown}]"
        if type_.__module__ == "builtins":
            return str(type_.__name__)
        return self._known(type_.__name__, type_.__module__, type_)

    def _known(self, name: str, module: str, meant: Any) -> str:
        if self.names.get(name) is meant:
            return name
        self.imports.setdefault(module, set()).add(name)
        return f"_{name}"

    def _value(self, value: Any) -> str:
        if isinstance(value, enum.Enum):
            return f"{self.annotation(type(value))}.{value.name}"
        return repr(value)

    def _as_plain(self, value: str, type_: Any) -> str:
        return self._mapped(value, type_, lambda one, kind: f"{one}.plain()", copying=False)

    def _as_twin(self, value: str, type_: Any) -> str:
        return self._mapped(value, type_, self._record_twin, copying=True)

    def _record_twin(self, value: str, type_: Any) -> str:
        return f"_cast({self._quoted(Any)}, {value}.twin())" if isinstance(type_, TypeVar) else f"{value}.twin()"

    def _mapped(self, value: str, type_: Any, record: Callable[[str, Any], str], copying: bool) -> str:
        origin, args = get_origin(type_), get_args(type_)
        if origin in (Union, types.UnionType):
            some = [one for one in args if one is not type(None)]
            inner = (
                self._mapped(value, some[0] if len(some) == 1 else type_, record, copying)
                if len(some) == 1
                else (record(value, None) if all(_is_data(one, self.data) for one in some) else value)
            )
            return inner if inner == value or len(some) == len(args) else f"(None if {value} is None else {inner})"
        if origin is list:
            name = f"_{value.count('for') + len(value)}"
            inner = self._mapped(name, args[0], record, copying)
            if inner == name:
                return f"{value}[:]" if copying else value
            return f"[{inner} for {name} in {value}]"
        if isinstance(type_, TypeVar) or _is_data(type_, self.data):
            return record(value, type_)
        return value

    def _as_read(self, value: str, type_: Any) -> str:
        origin, args = get_origin(type_), get_args(type_)
        if origin in (Union, types.UnionType):
            some = [one for one in args if one is not type(None)]
            if len(some) == 1:
                return f"(None if {value} is None else {self._as_read(value, some[0])})"
            tags = tuple(one.__struct_config__.tag for one in some)
            return f"_cast({self._quoted(type_)}, {MADE}.tagged({value}, {tags!r}))"
        if origin is Literal:
            return f"_cast({self._quoted(type_)}, {MADE}.a_word({value}, {args!r}))"
        if origin is list:
            if args[0] is int:
                return f"{MADE}.ints({value})"
            name = f"_{len(value)}"
            return f"[{self._as_read(name, args[0])} for {name} in {MADE}.a_list({value})]"
        if origin is tuple and args[-1] is ...:
            name = f"_{len(value)}"
            return f"tuple([{self._as_read(name, args[0])} for {name} in {MADE}.a_list({value})])"
        if origin is tuple:
            return f"{self._tuple(type_)}({value})"
        if isinstance(type_, TypeVar):
            return f"_cast({self._quoted(Any)}, {MADE}.tagged({value}))"
        if isinstance(type_, type) and issubclass(type_, enum.Enum):
            return f"{self._members(type_)}[{MADE}.{'an_int' if issubclass(type_, int) else 'a_str'}({value})]"
        if _is_data(type_, self.data):
            return f"{self.annotation(type_)}.read({value})"
        if isinstance(type_, type) and issubclass(type_, tuple):
            return f"{self._named_tuple(type_)}({value})"
        return f"{MADE}.{SIMPLE[type_]}({value})"

    def _quoted(self, type_: Any) -> str:
        return repr(self.annotation(type_))

    def _tuple(self, type_: Any) -> str:
        args = get_args(type_)
        name = "_read_" + "_".join(getattr(one, "__name__", "x") for one in args)
        parts = ", ".join(self._as_read(f"_v[{i}]", one) for i, one in enumerate(args))
        self._helper(name, [
            f"def {name}(value: object) -> {self.annotation(type_)}:",
            f"    _v = {MADE}.parts(value, {len(args)})",
            f"    return ({parts},)",
        ])  # fmt: skip
        return name

    def _named_tuple(self, type_: Any) -> str:
        name = f"_read_{type_.__name__}"
        kinds = list(get_type_hints(type_).values())
        parts = ", ".join(self._as_read(f"_v[{i}]", one) for i, one in enumerate(kinds))
        made = self.annotation(type_)
        self._helper(name, [
            f"def {name}(value: object) -> {made}:",
            f"    _v = {MADE}.parts(value, {len(kinds)})",
            f"    return {made}({parts})",
        ])  # fmt: skip
        return name

    def _members(self, type_: Any) -> str:
        name = f"_{type_.__name__}_members"
        key = "int" if issubclass(type_, int) else "str"
        self._helper(
            name,
            [f"{name}: dict[{key}, {self.annotation(type_)}] = {{one.value: one for one in {self.annotation(type_)}}}"],
        )
        return name

    def _helper(self, name: str, text: list[str]) -> None:
        if text[0] not in self.helpers:
            self.helpers += text


def with_acyclic_bases(source: str) -> str:
    """Return the text of :mod:`ccg.native.native_data` with its bases marked as :func:`_storage` marks records."""
    future = "from __future__ import annotations\n"
    head, _, body = BASES.sub(r"@_mypyc_attr(acyclic=True)\n\g<0>", source).partition(future)
    return "\n".join((head + future, *KNOWN_TO_MYPYC, body))


def _understood(source: str) -> str:
    """Write ``in (*some, *others)``, at which mypyc stumbles, as ``in tuple((*some, *others))``."""
    lines = [line.encode() for line in source.split("\n")]
    places: list[tuple[int, int, bytes]] = []
    for node in ast.walk(ast.parse(source)):
        for operator, right in zip(node.ops, node.comparators, strict=True) if isinstance(node, ast.Compare) else ():
            stars = isinstance(right, (ast.Tuple, ast.List)) and any(isinstance(e, ast.Starred) for e in right.elts)
            if stars and isinstance(operator, (ast.In, ast.NotIn)):
                places.append((right.lineno, right.col_offset, b"tuple("))
                places.append((right.end_lineno or 0, right.end_col_offset or 0, b")"))
    for line, column, text in sorted(places, reverse=True):
        lines[line - 1] = lines[line - 1][:column] + text + lines[line - 1][column:]
    return b"\n".join(lines).decode()


def _docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _records(kind: Any) -> list[Any]:
    return [base for base in kind.__mro__ if issubclass(base, msgspec.Struct) and base is not msgspec.Struct]


def _storage(kind: Any) -> str:
    """Return how instances are stored: the last one freed is used again, and the garbage collector passes them by.

    What is saved is a tree, and what never changes was made after all that it refers to, so records form no cycles.
    mypyc cannot leave generic classes to reference counts alone.
    """
    return "free_list_len=1" if getattr(kind, "__parameters__", ()) else "free_list_len=1, acyclic=True"


def _is_frame(kind: type) -> bool:
    return any(base.__name__ == "Frame" for base in kind.__mro__)


def _is_data(type_: Any, data: types.ModuleType) -> bool:
    type_ = get_origin(type_) or type_
    return isinstance(type_, type) and issubclass(type_, data.Data)
