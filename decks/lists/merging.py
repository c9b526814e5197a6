"""Merging: two changes of one deck, made apart, become one, card by card.

Pure: no Django, no database. A deck's draft is edited in several tabs and on several devices, some of them offline
for days. Each says which content it began with, so that what *it* changed can be told from what others changed
meanwhile. ``ccg/client/src/builder/merging.ts`` does the same in the browser, and a test holds both to the same cases.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct, field

Part = Literal["name", "format", "base", "counts", "considering", "tags"]
SINGLE: tuple[Part, ...] = ("name", "format", "base")
"""What a deck has one of."""
BY_CARD: tuple[Part, ...] = ("counts", "considering", "tags")
"""What it has for each card."""


class Content(Struct, frozen=True, kw_only=True):
    """What a draft holds. Copies and tags go by permanent card id; no copies and no tags are left out."""

    name: str = ""
    format: str = ""
    base: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    considering: dict[str, int] = field(default_factory=dict)
    tags: dict[str, list[str]] = field(default_factory=dict)


class Brought(Struct, frozen=True, kw_only=True):
    """One thing that others changed: where, the card if it is about one, and what it was and is now.

    ``kept`` is what stands instead where both sides changed the same thing, and None everywhere else.
    """

    part: Part
    card: str = ""
    was: Any = None
    now: Any = None
    kept: Any = None


class Merged(Struct, frozen=True):
    """The merged content, and what of it ``ours`` did not know."""

    content: Content
    brought: list[Brought]


def merge(common: Content, theirs: Content, ours: Content) -> Merged:
    """Return ``theirs`` and ``ours`` as one content, both having begun with ``common``.

    What only one side changed is taken as that side has it. Where both changed the same thing differently, ours
    stands (it was saved later), and ``brought`` says what it displaced.
    """
    brought: list[Brought] = []
    merged: dict[str, Any] = {}
    for part in SINGLE:
        merged[part] = _pick(part, "", *_of(part, common, theirs, ours), brought)
    for part in BY_CARD:
        merged[part] = dict(_merged_cards(part, *_of(part, common, theirs, ours), brought))
    return Merged(Content(**merged), brought)


def _of(part: Part, *contents: Content) -> tuple[Any, Any, Any]:
    common, theirs, ours = (getattr(content, part) for content in contents)
    return common, theirs, ours


def _merged_cards(
    part: Part, common: Mapping[str, Any], theirs: Mapping[str, Any], ours: Mapping[str, Any], brought: list[Brought]
) -> Iterator[tuple[str, Any]]:
    for card in sorted({*theirs, *ours}):
        value = _pick(part, card, common.get(card), theirs.get(card), ours.get(card), brought)
        if value is not None:
            yield card, value


def _pick(part: Part, card: str, common: Any, theirs: Any, ours: Any, brought: list[Brought]) -> Any:
    if theirs in (common, ours):
        return ours
    if ours == common:
        brought.append(Brought(part=part, card=card, was=common, now=theirs))
        return theirs
    brought.append(Brought(part=part, card=card, was=common, now=theirs, kept=0 if ours is None else ours))
    return ours
