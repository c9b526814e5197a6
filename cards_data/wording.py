"""Words about cards, ours: what a keyword means, what a mission asks for, what a card costs."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from ccg.rules.cards.definitions import RESOURCES, CardDef, Cost, KeywordName
from ccg.rules.decoding import Decoder
from ccg.rules.telling.wording import card_text, plain

log = logging.getLogger(__name__)

TYPE_NAMES = {
    "base": ("Base", "Bases"),
    "personnel": ("Personnel", "Personnel"),
    "ship": ("Ship", "Ships"),
    "event": ("Event", "Events"),
    "mission": ("Mission", "Missions"),
}

KEYWORDS = Path(__file__).with_name("keywords.json")
"""What each keyword means, in two lengths: on the ``page`` of a card, and on the ``card`` that the browser draws.

``{cost}``, ``{link}`` and ``{other}`` stand for what the card says: the cost to be covered, the kind of unit
it is linked to, the units of the other type.
"""


class _Meaning(Struct, frozen=True):
    page: str
    card: str


_MEANINGS = Decoder(dict[KeywordName, _Meaning]).from_json(KEYWORDS.read_bytes())


def keyword_meanings() -> dict[str, tuple[str, str]]:
    """Return what each keyword means: on the page of a card, and on its picture."""
    return {keyword: (meaning.page, meaning.card) for keyword, meaning in _MEANINGS.items()}


class Reminder(Struct, frozen=True):
    """A keyword of a card: its name as printed, its cost in icons where it has one, what it means."""

    keyword: str
    name: str
    cost: tuple[tuple[str, int], ...]
    text: str


def reminders(card: CardDef) -> list[Reminder]:
    """Return the keywords of ``card`` with their meaning. Rulebook: Keywords."""
    return [
        Reminder(
            keyword,
            f"Link {card.link}" if keyword == "link" else keyword.capitalize(),
            tuple(paid(card.expedite)) if keyword == "expedite" and card.expedite else (),
            _MEANINGS[keyword].page.format(
                cost=cost_words(card.expedite or (0, 0, 0)),
                link=card.link or "unit",
                other="personnel" if card.type == "ship" else "ships",
            ),
        )
        for keyword in card.keywords
    ]


class Words(Struct, frozen=True):
    """The words on a card as marked text: its abilities, one paragraph each, and its red Cylon text."""

    text: list[str] = []
    red: list[str] = []

    @property
    def plain(self) -> str:
        """All of it without marks."""
        return " ".join(plain(paragraph) for paragraph in [*self.text, *self.red])


def words_of(card: CardDef) -> Words:
    """Return the words on ``card``, made from its abilities.

    A card that cannot be told (its set was imported by newer code) has none, and is logged: one card must
    not take the whole catalogue away.
    """
    try:
        paragraphs = card_text(card)
    except (LookupError, ValueError):
        log.exception("no words for the abilities of %s", card.id)
        return Words()
    return Words([p.text for p in paragraphs if p.kind == "text"], [p.text for p in paragraphs if p.kind == "red"])


def requirement_words(requires: Iterable[object]) -> str:
    """Return what a mission asks for: "2 Pilots and 2 ships". Rulebook: Resolve a Mission."""
    counts = Counter(str(one) for one in requires)
    return _listed([f"{count} {_plural(what) if count > 1 else what}" for what, count in counts.items()])


def paid(cost: Cost) -> list[tuple[str, int]]:
    """Return the resources of ``cost`` that are paid at all, with their amounts."""
    return [(resource, amount) for resource, amount in zip(RESOURCES, cost, strict=True) if amount]


def cost_words(cost: Cost) -> str:
    """Return a cost as words: "2 logistics and 1 security"; "nothing" for a free card."""
    return _listed([f"{amount} {resource}" for resource, amount in paid(cost)]) or "nothing"


def describe(card: CardDef) -> str:
    """Return ``card`` in one sentence, for search results and readers: type, traits, numbers."""
    parts = [" ".join([*card.traits, card.type])]
    if card.type not in ("base", "mission"):
        parts.append(f"costs {cost_words(card.cost)}")
    if card.requires:
        parts.append(f"resolved with {requirement_words(card.requires)}")
    numbers = {
        "power": card.power,
        "mystic value": card.mystic,
        "Cylon threat": card.threat,
        "hand size": card.hand,
        "influence": card.influence,
    }
    parts += [f"{name} {number}" for name, number in numbers.items() if number is not None]
    if card.produces:
        parts.append(f"makes {card.produces}")
    sentence = ", ".join(parts)
    return sentence[0].upper() + sentence[1:] + "."


def _plural(what: str) -> str:
    return what if what.endswith(("personnel", "Enlisted")) else f"{what}s"


def _listed(parts: list[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
