"""JSON, with a published schema: what the API says of a deck and what programs send."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct, field

from ccg.rules.authoring.deck_lines import MAX_TAG, MAX_TAGS
from ccg.words import one_line
from decks.exchange.form import Entry, Form, FormError, Part, Reader, as_text, known, quantity_of
from decks.lists.deck_list import MAX_NAME, DeckList, PublishedList
from decks.lists.names import Names
from decks.models import content_hash

SCHEMA = "ragtag-fleet/deck/1"

CardId = Annotated[str, Meta(description="The permanent id of a card.", max_length=15, examples=["BSG1-136"])]
Quantity = Annotated[int, Meta(ge=1, description="How many copies.")]


class DeckCard(Struct, kw_only=True):
    """A card with its count, in a deck or beside it."""

    id: CardId
    qty: Quantity
    tags: Annotated[list[str], Meta(description="Words of the owner's own.")] = field(default_factory=list)


class DeckFile(Struct, kw_only=True):
    """A deck as JSON: what the page of a deck gives out, and what the import takes."""

    schema: Annotated[str, Meta(description="The form and its version.", pattern="^ragtag-fleet/deck/1$")] = SCHEMA
    name: Annotated[str, Meta(max_length=MAX_NAME)] = ""
    format: Annotated[str, Meta(description="The code of the format; empty for the usual one.")] = ""
    base: CardId | None = None
    base_tags: list[str] = field(default_factory=list)
    cards: list[DeckCard] = field(default_factory=list)
    considering: list[DeckCard] = field(default_factory=list)
    notes: Annotated[str, Meta(description="What was noted as this version was published.")] = ""
    version: Annotated[Annotated[int, Meta(ge=1)] | None, Meta(description="Which version of its deck this is.")] = None
    parent: Annotated[Annotated[int, Meta(ge=1)] | None, Meta(description="The version that it was made from.")] = None
    hash: Annotated[str, Meta(description="SHA-256 of base and cards: equal decks have equal ones.")] = ""
    data_version: Annotated[
        Annotated[int, Meta(ge=1)] | None, Meta(description="The number of the card data it is told by.")
    ] = None


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a deck."""
    schema = msgspec.json.schema(DeckFile)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A deck", **schema}


def as_file(deck: DeckList) -> DeckFile:
    """Return ``deck`` as the JSON form has it."""
    base = deck.bases[0] if deck.bases else None
    published = deck.published if isinstance(deck, PublishedList) else None
    return DeckFile(
        name=deck.name,
        format=deck.format,
        base=base,
        base_tags=deck.tags.get(base, []) if base else [],
        cards=_cards(deck.counts, deck.tags),
        considering=_cards(deck.considering, deck.tags),
        notes=published.notes if published else "",
        version=published.version if published else None,
        parent=(published.parent or None) if published else None,
        data_version=published.data_version if published else None,
        hash=content_hash(base or "", deck.counts),
    )


def _cards(counts: dict[str, int], tags: dict[str, list[str]]) -> list[DeckCard]:
    return [DeckCard(id=card, qty=count, tags=tags.get(card, [])) for card, count in sorted(counts.items())]


def write(deck: DeckList, names: Names) -> str:
    """Return ``deck`` as JSON."""
    return msgspec.json.format(msgspec.json.encode(as_file(deck)), indent=1).decode() + "\n"


def to_text(text: str, names: Names) -> str:
    """Return the text form of a deck in JSON: ours, or one with ``base`` and ``deck`` as other sites have them.

    Raises FormError. An entry that says no card is a line of the text all the same, which is then refused there.
    """
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        raise FormError("This looks like JSON, but it is none that can be read.") from None
    if not isinstance(said, dict) or not any(isinstance(said.get(key), list) for key in ("cards", "deck")):
        raise FormError("A deck as JSON is an object with a list of cards.")
    meta = said["metadata"] if isinstance(said.get("metadata"), dict) else said
    name, code = (one if isinstance(one, str) else "" for one in (meta.get("name"), said.get("format")))
    return as_text(_entries(said, names), name=name, format=code)


def _entries(said: dict[str, Any], names: Names) -> Iterator[Entry]:
    base, tags = said.get("base") or said.get("leader"), said.get("base_tags")
    if base:
        yield _entry({"tags": tags, **base} if isinstance(base, dict) else {"id": base, "tags": tags}, "base", names)
    places: tuple[tuple[Part, str], ...] = (
        ("deck", "cards"), ("deck", "deck"), ("considering", "considering"), ("considering", "sideboard"),
    )  # fmt: skip
    for part, key in places:
        rows = said.get(key)
        for row in rows if isinstance(rows, list) else ():
            yield _entry(row, part, names)


def _entry(row: object, part: Part, names: Names) -> Entry:
    if not isinstance(row, dict):
        return known(row, names, part=part)
    quantity = quantity_of(row.get("qty", row.get("count", 1)))
    tags = [tag for tag in row.get("tags") or () if isinstance(tag, str)] if isinstance(row.get("tags"), list) else []
    words = [one_line(tag, MAX_TAG).replace(" ", "-") for tag in tags[:MAX_TAGS]]
    return known(row.get("id", row.get("name", "")), names, quantity=quantity, part=part, tags=[w for w in words if w])


FORM = Form(
    code="json",
    name="JSON",
    told="For programs; its schema is published.",
    extension="json",
    media_type="application/json",
    holds=frozenset({"name", "format", "considering", "tags"}),
    write=write,
    reader=Reader(
        name="JSON",
        seems=lambda glance: glance.startswith("{"),
        to_text=to_text,
    ),
)
