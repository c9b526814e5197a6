"""TypeScript and words for the protocol, written from the message structs.

The structs of ``matches.protocol.messages`` become a JSON schema (msgspec does that), the schema becomes TypeScript
interfaces, the shapes by which a client fills in what the server leaves out, and a reference for people. Only
the parts of JSON schema that msgspec writes are understood; anything else raises, so that nothing is left out
in silence.
"""

from __future__ import annotations

import json
import types
from typing import Any, get_args

import msgspec

from ccg.rules.telling import clauses
from matches.protocol import messages, values

Schema = dict[str, Any]

REF = "#/$defs/{name}"

HEAD = """\
/**
 * Messages between a browser and its table at `/ws/matches/<id>/`.
 *
 * Generated from matches/protocol/messages.py by `manage.py protocol`: change that file, not this one.
 */

/* eslint-disable */
// biome-ignore-all format: generated
"""

CLAUSES_HEAD = """\
/**
 * The clauses behind prompts, events and reasons.
 *
 * Generated from ccg/rules/telling/clauses.py by `manage.py protocol`: change that file, not this one.
 */

// biome-ignore-all format: generated
"""


def schema() -> Schema:
    """Return one JSON schema for both directions, with every struct among its definitions."""
    directions = {"ClientMessage": messages.FromClient, "ServerMessage": messages.FromServer}
    references, components = msgspec.json.schema_components(directions.values(), ref_template=REF)
    unions = {name: _union(one) for name, one in zip(directions, references, strict=True)}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Ragtag Fleet table protocol",
        "$defs": {**unions, **components},
    }


def typescript() -> str:
    """Return the whole of ``protocol.ts``."""
    whole = schema()
    sent = _names(messages.FromClient)
    parts = [HEAD]
    for name, one in whole["$defs"].items():
        if "anyOf" in one:
            parts.append(f"export type {name} = {' | '.join(_type(option) for option in one['anyOf'])};\n")
        else:
            parts.append(_interface(name, one, optional=name in sent))
    return "\n".join([*parts, _shapes(whole["$defs"])])


def clauses_typescript() -> str:
    """Return the module by which the table knows the clause behind what is asked, told and refused."""
    tables = {
        "PROMPT_CLAUSES": clauses.PROMPTS,
        "EVENT_CLAUSES": clauses.EVENTS,
        "REASON_CLAUSES": clauses.REASONS | clauses.REASONS_OF_VERBS,
        "CAUSE_CLAUSES": clauses.CAUSES,
    }
    parts = [f"export const {name}: Record<string, string> = {json.dumps(one)};\n" for name, one in tables.items()]
    return "\n".join([CLAUSES_HEAD, *parts])


def schema_json() -> str:
    """Return the schema as it is published."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


def reference() -> str:
    """Return the reference part of ``docs/protocol.md``: every message, code and type."""
    whole = schema()["$defs"]
    parts = ["## From the client", *_messages(messages.FromClient, whole)]
    parts += ["## From the server", *_messages(messages.FromServer, whole)]
    parts += ["## Codes of refusals", _table(("code", "meaning"), messages.REFUSALS.items())]
    parts += ["## Close codes", _table(("code", "meaning"), messages.CLOSE_CODES.items())]
    shown = _names(messages.FromClient) | _names(messages.FromServer)
    others = {name: one for name, one in whole.items() if name not in shown and "properties" in one}
    parts += ["## Types", *(_section(name, one) for name, one in others.items())]
    parts += values.sections()
    return "\n\n".join(parts) + "\n"


def _union(one: Schema) -> Schema:
    return {"anyOf": one["anyOf"], **{key: one[key] for key in ("discriminator",) if key in one}}


def _names(union: types.UnionType) -> set[str]:
    return {member.__name__ for member in get_args(union)}


# -- TypeScript


def _interface(name: str, one: Schema, *, optional: bool) -> str:
    """Write one struct. What a client may leave out is optional; what a server leaves out has been filled in."""
    lines = [_comment(one.get("description", ""), ""), f"export interface {name} {{"]
    required = set(one.get("required", ()))
    for field, kind in one["properties"].items():
        if "description" in kind:
            lines.append(_comment(kind["description"], "  "))
        mark = "?" if optional and field not in required else ""
        lines.append(f"  {field}{mark}: {_type(kind)};")
    return "\n".join([*filter(None, lines), "}", ""])


def _comment(text: str, indent: str) -> str:
    lines = " ".join(text.split("\n\n", maxsplit=1)[0].split()).replace("``", "`")
    if not lines:
        return ""
    return f"{indent}/** {lines} */"


def _type(kind: Schema) -> str:
    """Return the TypeScript type of a piece of schema; raises ValueError for what it does not know."""
    if "$ref" in kind:
        return str(kind["$ref"]).rsplit("/", 1)[1]
    if "anyOf" in kind:
        return " | ".join(_type(option) for option in kind["anyOf"])
    if "enum" in kind:
        return " | ".join(json.dumps(value) for value in kind["enum"])
    if "const" in kind:
        return json.dumps(kind["const"])
    match kind.get("type"):
        case "integer" | "number":
            return "number"
        case "string":
            return "string"
        case "boolean":
            return "boolean"
        case "null":
            return "null"
        case "array":
            return _array(kind)
        case "object" if isinstance(kind.get("additionalProperties"), dict):
            return f"Record<{_key(kind)}, {_type(kind['additionalProperties'])}>"
    raise ValueError(f"no TypeScript for {kind}")


def _array(kind: Schema) -> str:
    if "prefixItems" in kind:
        return f"[{', '.join(_type(item) for item in kind['prefixItems'])}]"
    inner = _type(kind["items"])
    return f"({inner})[]" if " | " in inner else f"{inner}[]"


def _key(kind: Schema) -> str:
    return _type(kind["propertyNames"]) if "enum" in kind.get("propertyNames", {}) else "string"


SHAPES = """\
/** How a struct is made whole: what its fields are where they were left out, and the structs that they hold. */
export interface Shape {
  defaults: Record<string, unknown>;
  holds: Record<string, string>;
}

/** The shapes of all from which something is left out: messages of the server by their type, structs by their name. */
export const SHAPES: Record<string, Shape> = {
"""


def _shapes(whole: dict[str, Schema]) -> str:
    """Write down how everything that a server sends is made whole."""
    shapes: dict[str, str] = {}
    for member in get_args(messages.FromServer):
        one = whole[member.__name__]
        _add_shape(shapes, one["properties"]["type"]["enum"][0], one, whole)
    return SHAPES + "".join(f"  {name}: {shape},\n" for name, shape in shapes.items()) + "};\n"


def _add_shape(shapes: dict[str, str], name: str, one: Schema, whole: dict[str, Schema]) -> bool:
    """Add the shape of a struct after those that it holds. False if nothing is ever left out of it."""
    required = set(one.get("required", ()))
    defaults = {field: kind["default"] for field, kind in one["properties"].items() if field not in required}
    defaults.pop("type", None)
    held = {field: _held(kind) for field, kind in one["properties"].items()}
    holds = {field: inner for field, inner in held.items() if inner and _add_shape(shapes, inner, whole[inner], whole)}
    if defaults or holds:
        shapes[name] = f"{{ defaults: {json.dumps(defaults)}, holds: {json.dumps(holds)} }}"
    return name in shapes


def _held(kind: Schema) -> str | None:
    """Return the struct that a field holds, alone or in a list."""
    if "$ref" in kind:
        return str(kind["$ref"]).rsplit("/", 1)[1]
    inner = [*kind.get("anyOf", ()), *([kind["items"]] if kind.get("items") else [])]
    names = [name for name in map(_held, inner) if name]
    if len(names) > 1 or _held_elsewhere(kind):
        raise ValueError(f"no shape for {kind}")
    return names[0] if names else None


def _held_elsewhere(kind: Schema) -> bool:
    """Return whether structs are where nobody looks for them: in a tuple or a mapping."""
    elsewhere = [*kind.get("prefixItems", ()), kind.get("additionalProperties")]
    return any(_held(inner) for inner in elsewhere if isinstance(inner, dict))


# -- words


def _messages(union: types.UnionType, whole: dict[str, Schema]) -> list[str]:
    sections = []
    for member in get_args(union):
        one = whole[member.__name__]
        sections.append(_section(f"`{one['properties']['type']['enum'][0]}`", one))
    return sections


def _section(title: str, one: Schema) -> str:
    rows = []
    required = set(one.get("required", ()))
    for field, kind in one["properties"].items():
        if field == "type" and "enum" in kind and len(kind["enum"]) == 1:
            continue
        default = "" if field in required else f"If left out: `{json.dumps(kind.get('default'))}`."
        note = " ".join(filter(None, (kind.get("description", ""), _bounds(kind), default)))
        rows.append((f"`{field}`", f"`{_type(kind)}`".replace("|", "\\|"), note))
    fields = _table(("field", "type", "note"), rows) if rows else "No fields besides `type`."
    return f"### {title}\n\n{_paragraphs(one.get('description', ''))}\n\n{fields}"


def _bounds(kind: Schema) -> str:
    options = [kind, *kind.get("anyOf", ())]
    sentences = []
    for option in options:
        if "maxLength" in option:
            sentences.append(f"At most {option['maxLength']} characters.")
        if "maximum" in option and "minimum" in option:
            sentences.append(f"From {option['minimum']} to {option['maximum']}.")
    return " ".join(sentences)


def _paragraphs(text: str) -> str:
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n")).replace("``", "`")


def _table(head: tuple[str, ...], rows: Any) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)
