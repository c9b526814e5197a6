"""The JSON Schema of card set files, made from the records that read them: for editors, and to be published."""

from __future__ import annotations

import inspect
import json
from typing import Any, get_args

import msgspec

from ccg.rules.authoring.card_entries import (
    REPRINT_KEYS,
    CardEntry,
    ExpediteEntry,
    LinkEntry,
    SetEntry,
    keys_of,
)
from ccg.rules.cards.definitions import PLAIN_KEYWORDS, CardType
from ccg.rules.cards.schema import Step
from ccg.rules.effects.language import WORDS

Schema = dict[str, Any]


def card_set_schema() -> Schema:
    """Return the schema of a file of a card set: ``set.yaml``, a list of cards, or both in one file."""
    records = (SetEntry, CardEntry, ExpediteEntry, LinkEntry, *WORDS.values())
    refs, parts = msgspec.json.schema_components(records, schema_hook=_special, ref_template="#/$defs/{name}")
    head, card, expedite, link, *steps = refs
    parts["Step"] = {"title": "Step", "description": "A step of what an ability does: one verb.", "anyOf": steps}
    for step, word in zip(steps, WORDS.values(), strict=True):
        parts[step["$ref"].rpartition("/")[2]]["properties"][word.verb].setdefault("description", inspect.getdoc(word))
    plain = {"enum": sorted(PLAIN_KEYWORDS)}
    entry = parts["CardEntry"]
    entry["properties"]["keywords"]["items"] = {"anyOf": [plain, expedite, link]}
    entry["if"] = {"required": ["reprint_of"]}
    entry["then"] = {"propertyNames": {"enum": sorted(REPRINT_KEYS)}}
    entry["else"] = {"required": ["type"], "allOf": [_of_type(kind) for kind in get_args(CardType)]}
    cards = {"type": "array", "items": card}
    whole = {
        "type": "object",
        "properties": {"set": head, "cards": cards},
        "required": ["set", "cards"],
        "additionalProperties": False,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Card set",
        "description": "A file of a card set: set.yaml, a list of cards, or a whole set. The import checks more.",
        "if": {"type": "array"},
        "then": cards,
        "else": {"if": {"required": ["cards"]}, "then": whole, "else": head},
        "$defs": _plainly(parts),
    }


def _special(kind: type) -> Schema:
    """Return the schema of what only the language knows how to read: a step, or one of several ways."""
    step = {"$ref": "#/$defs/Step"}
    return step if kind is Step else {"anyOf": [step, {"type": "array", "items": step}]}


def _of_type(kind: CardType) -> Schema:
    """Say which keys a card of the type ``kind`` needs, and which it may have."""
    needed, allowed = keys_of(kind)
    then = {"required": sorted(needed), "propertyNames": {"enum": sorted(allowed)}}
    return {"if": {"properties": {"type": {"const": kind}}}, "then": then}


def _plainly(schema: Any) -> Any:
    """Return ``schema`` as people write files: no key is left empty, and patterns are those of JavaScript.

    Ways are sorted, since Python may give the parts of a union in another order than written.
    """
    if isinstance(schema, list):
        return [_plainly(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {key: _plainly(value) for key, value in schema.items() if key != "default"}
    if "pattern" in plain and isinstance(plain["pattern"], str):
        plain["pattern"] = plain["pattern"].replace(r"\A", "^").replace(r"\Z", "$")
    if "anyOf" in plain:
        ways = sorted((way for way in plain.pop("anyOf") if way != {"type": "null"}), key=json.dumps)
        plain |= ways[0] if len(ways) == 1 else {"anyOf": ways}
    return plain


def keys_table() -> str:
    """Write the table of a card's keys in Markdown: each with the types of card that have it."""
    kinds = get_args(CardType)
    rows = ["| Key | On | What it says |", "|---|---|---|"]
    for key, schema in msgspec.json.schema(CardEntry, schema_hook=_special)["$defs"]["CardEntry"]["properties"].items():
        on = [kind for kind in kinds if key in keys_of(kind)[1]]
        where = "all" if len(on) == len(kinds) else ", ".join(on) or "reprints"
        rows.append(f"| `{key}` | {where} | {schema['description']} |")
    return "\n".join(rows) + "\n"


def schema_json() -> str:
    """Return the schema as the text of a file."""
    return json.dumps(card_set_schema(), indent=2, ensure_ascii=False) + "\n"
