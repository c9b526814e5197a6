"""Bodies of requests: JSON objects of a bounded size, of a declared type."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping
from typing import IO, Any, TypeVar

import msgspec
from rest_framework.parsers import BaseParser

from ccg.api.errors import Refused

MAX_BODY = 384 * 1024
"""A deck list may have 64 KiB, and JSON may write one byte of text as six (``\\u0041``)."""

Kind = TypeVar("Kind")
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


class BoundedJSONParser(BaseParser):
    """Reads JSON objects up to :data:`MAX_BODY`, whatever the headers say of the length."""

    media_type = "application/json"

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """Return the object; raises Refused."""
        body = (stream or io.BytesIO()).read(MAX_BODY + 1)
        if len(body) > MAX_BODY:
            raise Refused(413, "too_large", f"A body may have {MAX_BODY // 1024} KiB at most.")
        try:
            parsed = json.loads(body.decode(), object_pairs_hook=_each_once)
            if _SURROGATE.search(body):
                # Half a pair is read as text, but could be written into no answer: it is left out.
                whole = json.dumps(parsed, ensure_ascii=False).encode(errors="ignore")
                parsed = json.loads(whole, object_pairs_hook=_each_once)
        except (ValueError, RecursionError):
            raise Refused(400, "not_json", "This is not JSON.") from None
        if not isinstance(parsed, dict):
            raise Refused(400, "not_an_object", "A JSON object is expected.")
        return parsed


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON; raises Refused if a key stands there twice, of which one would be passed over."""
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            shown = name.encode(errors="ignore").decode()[:40]
            raise Refused(400, "repeated_field", f"The field “{shown}” stands there twice.", parameter=shown)
        fields[name] = value
    return fields


def taken(data: Any, reader: Any, kind: type[Kind]) -> Kind:
    """Return the body as a record; raises Refused with what is wrong in it, unknown fields included.

    ``reader`` is a decoder of ``kind`` that takes plain data (``ccg.rules.decoding.Decoder.from_plain``).
    """
    known = list(kind.__struct_fields__)  # type: ignore[attr-defined]
    fields = data if isinstance(data, dict) else {}
    for name in fields:
        if name not in known:
            raise Refused(
                400, "unknown_field", f"There is no field “{name[:40]}”.", parameter=name[:40], expected=known
            )
    try:
        read: Kind = reader(fields)
    except msgspec.ValidationError as error:
        wrong, _, at = str(error).partition(" - at `$")
        place = at.rstrip("`").lstrip(".")
        more = {"parameter": place[:60]} if place else {}
        raise Refused(400, "wrong_value", f"{wrong}.", **more) from None
    return read
