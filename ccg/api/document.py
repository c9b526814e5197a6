"""Record types in the OpenAPI document: the types that write the answers say what they are."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

PREFIX = "#/components/schemas/"
REASONS = {
    400: "The request says something that cannot be; the answer says what could.",
    401: "The token is wrong or has been revoked, or there is none.",
    403: "Who asks may not do this.",
    404: "There is no such thing, or whoever asks may not see it.",
    409: "It cannot be done as things stand.",
    412: "It has changed since (`If-Match`).",
    413: "The body is too large.",
    415: "The body is not JSON.",
    428: "Say on which state the change is based (`If-Match`).",
    429: "Too much was asked for in a short time; `Retry-After` says how many seconds to wait.",
}
_types: dict[str, Any] = {}


def schema_of(kind: Any) -> dict[str, Any]:
    """Return the schema of a record type as a reference, and see to it that the document has what it refers to."""
    return dict(_schema_of(kind))


@cache  # every operation can fail with the same errors, and to describe them anew for each slows the start down
def _schema_of(kind: Any) -> dict[str, Any]:
    (schema,), components = msgspec.json.schema_components([kind], ref_template=PREFIX + "{name}")
    _types.update(components)
    return schema


def with_types(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add all record types to the document; a hook of drf-spectacular."""
    schemas = result.setdefault("components", {}).setdefault("schemas", {})
    schemas.update(sorted(_types.items()))
    return result
