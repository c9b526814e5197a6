"""The text form itself, among the others."""

from __future__ import annotations

from decks.exchange.form import Form
from decks.lists import listing

FORM = Form(
    code="text",
    name="Text",
    told="One card a line, which nearly every tool reads.",
    extension="txt",
    media_type="text/plain",
    holds=frozenset({"name", "format", "considering", "tags"}),
    write=listing.write,
)
