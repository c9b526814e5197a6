"""``docs/cards.md``: the words of all cards in one file, so that a change of wording shows as a difference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import msgspec

from cards_data.wording import describe, keyword_meanings
from ccg.rules.authoring.card_files import CardSet
from ccg.rules.cards.definitions import CardDef
from ccg.rules.telling.wording import card_text, english, plain

PAGE = Path(__file__).resolve().parents[1] / "docs" / "cards.md"

HEAD = """\
# The words on the cards

Made by `make words` from the card files; do not edit it by hand. Whoever changes it reads the difference: who plays by
these words alone must play the card right.

- *Your* cards are those that you control; *yours* as well.
- A *target* is chosen as the card or ability is played, of a mission as it is resolved, and of red text as its turn
  comes. So is what pays for it: of an event whether you do what you *may*, with what, and how many *any number* is.
  Everything else is chosen as it takes effect.
- What is counted for a change that ends is counted once, as it takes effect; for a change without an end, at any time.
- What stands before a colon is the cost of an action; nothing else stands there.
- *This phase*, *this turn* and *for this challenge* say when a change ends. A change without an end works as long as
  its card lies face up in play.
- In red text, "you" is nobody: it says who does something.
"""


def words_page(sets: Iterable[CardSet]) -> str:
    """Return the page: what the keywords mean, then every card in its set, in the order of its number."""
    parts = [HEAD, *_keywords()]
    for one in sorted(sets, key=lambda one: one.code):
        if one.cards:
            parts += [f"## {one.name} ({one.code})\n", *chain.from_iterable(map(_card, _in_order(one.cards)))]
    return "\n".join(parts)


def _keywords() -> Iterator[str]:
    yield "## Keywords\n"
    yield "What a card says of its keyword, on its page and, where that differs, on its picture.\n"
    for keyword, (page, card) in sorted(keyword_meanings().items()):
        shown = page if page == card else f"{page} / {card}"
        yield f"- **{english.KEYWORDS[keyword]}**: {shown}"
    yield ""


def _in_order(cards: Iterable[CardDef]) -> list[CardDef]:
    return sorted(cards, key=lambda card: _number(card.id))


def _number(card_id: str) -> int:
    return int(card_id.rpartition("-")[2])


def _card(card: CardDef) -> Iterator[str]:
    yield f"### {_number(card.id)}. {card.name}\n"
    yield f"{describe(msgspec.structs.replace(card, requires=()))}\n"
    for paragraph in card_text(card):
        text = plain(paragraph.text)
        if paragraph.kind == "keyword":
            text = f"**{text}**"
        elif paragraph.kind == "red":
            text = f"*Red:* {text}"
        yield f"> {text}\n"
