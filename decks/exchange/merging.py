"""Adding one list to another: what is read anew comes below what was there, and lines that repeat a card add up."""

from __future__ import annotations

from ccg.rules.authoring.deck_lines import total
from decks.lists import textlist
from decks.lists.names import Names

HEAD = ("name", "format")


def merged(there: str, new: str, names: Names) -> str:
    """Return the list ``there`` with the cards of the list ``new``.

    Name, format and base stay as they are where ``there`` has them; another base is told in a comment. Raises
    textlist.TextTooLongError.
    """
    if not there.strip():
        return new
    before, added = textlist.read(there, names), textlist.read(new, names)
    has = {"name": before.deck.name, "format": before.deck.format}
    lines = textlist.lines_of(new)
    head, body = [], []
    for line in added.lines:
        if line.kind == "comment" and total(line.text) is not None:
            continue  # that is no longer how many there are
        if line.kind in HEAD or line.part == "base":
            if not (before.deck.bases if line.part == "base" else has[line.kind]):
                head.append(lines[line.number - 1])
            elif line.part == "base" and line.cards and line.cards[0] not in before.deck.bases:
                body.append(f"// {line.text} was not taken: the deck has a base")
        else:
            body.append(lines[line.number - 1])
    return "\n".join([*head, there.rstrip("\n"), "", "Cards", *body]).rstrip("\n") + "\n"
