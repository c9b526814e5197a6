"""Adding one list to another: what is read anew comes below what was there, and lines that repeat a card add up."""

from __future__ import annotations

from ccg.rules.authoring.deck_lines import total
from decks.lists import listing, textlist
from decks.lists.deck_list import DeckList
from decks.lists.names import Names
from decks.lists.textlist import Line

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
        if line.kind in HEAD:
            head += [] if has[line.kind] else [lines[line.number - 1]]
        elif line.part == "base":
            if not before.deck.bases:
                head += _base(line, lines[line.number - 1], names)
            elif line.cards and line.cards[0] not in before.deck.bases:
                body.append(f"// {line.text} was not taken: the deck has a base")
        else:
            body.append(lines[line.number - 1])
    return "\n".join([*head, there.rstrip("\n"), "", "Cards", *body]).rstrip("\n") + "\n"


def _base(line: Line, written: str, names: Names) -> list[str]:
    """Return a line about the base, which leaves the heading or the titles of a table that it stood below."""
    if line.kind == "heading":
        return []
    if line.kind != "matched":
        return [written]
    [base] = line.cards
    return listing.write(DeckList(bases=[base] * line.quantity, tags={base: line.tags}), names).splitlines()
