"""The published schema of downloaded replays, made from the records that are sent."""

from __future__ import annotations

import json

import msgspec

from matches.replays.showing import FORMAT, Replay

REF = "#/$defs/{name}"


def schema_json() -> str:
    """Return the JSON schema as it stands in ``docs/replay.schema.json``."""
    (whole,), components = msgspec.json.schema_components([Replay], ref_template=REF)
    components["Replay"]["properties"]["format"] |= {"const": FORMAT}
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Ragtag Fleet replay",
        **whole,
        "$defs": components,
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
