"""Adding one list to another: what is read anew comes below what was there, and lines that repeat a card add up."""

from __future__ import annotations

from decks.lists import textlist
from decks.lists.names import Names

HEAD = ("name", "format")


def merged(there: str, new: str, names: Names) -> str:
    """Return the list ``there`` with the cards of the list ``new``.

    Name, format and base stay as they are where ``there`` has them. Raises textlist.TextTooLongError.
    """
    if not there.strip():
        return new
    before, added = textlist.read(there, names), textlist.read(new, names)
    has = {"name": before.deck.name, "format": before.deck.format}
    lines = new.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    head, body = [], []
    for line in added.lines:
        if line.kind in HEAD or line.part == "base":
            if not (before.deck.bases if line.part == "base" else has[line.kind]):
                head.append(lines[line.number - 1])
        else:
            body.append(lines[line.number - 1])
    return "\n".join([*head, there.rstrip("\n"), "", "Cards", *body]).rstrip("\n") + "\n"
