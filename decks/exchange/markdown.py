"""Markdown, for forums and chats: what the text form says, as headings and lists. The text form's reader takes it."""

from __future__ import annotations

from ccg.rules.authoring.deck_lines import heading
from decks.exchange.form import Entry, Form, entries_of
from decks.lists.deck_list import DeckList
from decks.lists.names import Names


def write(deck: DeckList, names: Names) -> str:
    """Return ``deck`` as Markdown."""
    entries = entries_of(deck, names)
    blocks = [f"Name: {deck.name}" if heading(deck.name) else f"# {deck.name}"] if deck.name else []
    blocks += [f"Format: {deck.format}"] if deck.format else []
    for part, above in (("base", "Base"), ("deck", "Cards"), ("considering", "Considering")):
        of_part = [one for one in entries if one.part == part]
        if of_part:
            total = sum(one.quantity for one in of_part)
            blocks += [f"## {above} ({total})", "\n".join(_item(one, n) for one in of_part for n in _counts(one))]
    return "\n\n".join(blocks) + "\n"


def _counts(entry: Entry) -> list[int]:
    whole, rest = divmod(entry.quantity, 99)
    return [99] * whole + [rest] * bool(rest)


def _item(entry: Entry, quantity: int) -> str:
    printing = f" ({entry.printing[0]}) {entry.printing[1]}" if entry.printing else ""
    return f"- {quantity} {entry.name}{printing}" + "".join(f" #{tag}" for tag in entry.tags)


FORM = Form(
    code="markdown",
    name="Markdown",
    told="Headings and lists, for forums and chats.",
    extension="md",
    media_type="text/markdown",
    holds=frozenset({"name", "format", "considering", "tags"}),
    write=write,
)
