"""Occasions that the language does not have: what may have been meant instead, and what it cannot say yet."""

from __future__ import annotations

import difflib
import re
from typing import NamedTuple

from ccg.rules.cards import phrases
from ccg.rules.cards.phrases import PhraseError

KNOWN = tuple(
    """
    you are challenged; you are challenged by a ship; this challenges; a ship challenges and there is no defender;
    this enters play; a ship you control enters play; this is defeated; a Cylon threat defeats a personnel you control;
    this defeats a challenger; this defeats a Cylon threat; a ship you control would be defeated; this leaves play;
    this wins a challenge; you play an event; you resolve a mission; the ready phase begins; you lose influence;
    you would lose influence; a player draws a card; you reveal a mystic value; you spend a resource stack;
    Cylon threats are revealed
    """.replace("\n   ", "")
    .strip()
    .split("; ")
)
"""A phrase of each kind of occasion."""

SLIP = 0.87
"""How alike an occasion and a known one are that differ by a slip of the pen only."""

DELAYED = "what comes later is a step: `at: end of challenge`, `at: end of phase` or `at: end of turn`, with `do`"
PHASES = "only 'the ready phase begins' sets something off; within a phase say `during`"

NOT_YET = "no text is set off by it yet"


class Missing(NamedTuple):
    """Something that people want to hear of and no text can: how it is recognized, and what there is instead."""

    pattern: str
    what: str
    instead: str


CANNOT = (
    Missing(
        r"\b(turn|phase|challenge)s? (is over|ends?|finish\w*)\b|\bend of\b",
        "the end of a turn, phase or challenge",
        DELAYED,
    ),
    Missing(r"\bchallenge (begins|starts)\b", "that any challenge begins", "say who: 'a unit challenges'"),
    Missing(r"\b(phase|turn) (begins|starts)\b", "the beginning of another phase", PHASES),
    Missing(r"\b(readied|readies)\b|\bready (?!phase)", "that a card is readied", NOT_YET),
    Missing(r"\b(committed|commits?)\b", "that a card is committed", NOT_YET),
    Missing(r"\b(exhausted|exhausts?|restored|restores?)\b", "that a card is exhausted or restored", NOT_YET),
    Missing(r"\bgains? influence\b", "that influence is gained", "there is 'you lose influence'"),
    Missing(r"\b(discards?|discarded|milled)\b", "that cards are discarded", "there is 'a player draws a card'"),
    Missing(r"\bis challenged\b", "that a card is challenged", "players are: 'you are challenged'"),
    Missing(r"\b(defends|is defending)\b", "that a unit defends", "there is 'you are challenged'"),
    Missing(
        r"\btarget(s|ed)\b|\bbecomes? (a|the) target\b",
        "that a card becomes a target",
        "there is the change `cannot: be targeted`",
    ),
    Missing(r"\bsacrifice[sd]?\b", "that a card is sacrificed", "there is 'this leaves play', by whatever means"),
    Missing(r"\bjumps?\b", "that the fleet jumps", "there is 'Cylon threats are revealed'"),
    Missing(r"\buses?\b|\bused\b", "that an ability is used", NOT_YET),
)
"""What the language cannot say yet; the reference lists it."""


IN_OTHER_WORDS = (
    (r"\b(wins?|beats?)( challenge)?$", "this wins a challenge"),
    (r"\b(dies?|destroyed|killed|beaten)$", "this is defeated"),
    (r"\bmissions? (is|are) resolved\b", "you resolve a mission"),
    (r"\bthreats? (is|are|gets?) revealed\b", "Cylon threats are revealed"),
    (r"\bplays? an? event\b", "you play an event"),
    (r"\bdraws?( (a|one) card)?$", "a player draws a card"),
)
"""What other games say, by how it is recognized, and the occasion that there is for it."""

_BEFORE = re.compile(r"(?:each time|every time|whenever|when|if|as) (?=\S)", re.IGNORECASE)
"""What a card may begin with before it names an occasion; the key `when` says it already."""


def told(phrase: str, error: PhraseError) -> tuple[str, str, str]:
    """Return what is wrong with an occasion that is not understood, what may be meant, and what to do about it."""
    bare = _BEFORE.sub("", phrase, count=1)
    if bare != phrase and _can_be_read(bare):
        return error.text, bare, ""
    for pattern, what, instead in CANNOT:
        if re.search(pattern, phrase, re.IGNORECASE):
            return f"{phrase[:80]!r}: the language cannot say {what} as an occasion", "", instead
    near = difflib.get_close_matches(phrase, KNOWN, n=3, cutoff=0.6)
    if near and difflib.SequenceMatcher(None, near[0], phrase).ratio() >= SLIP:
        return error.text, near[0], ""
    for pattern, occasion in IN_OTHER_WORDS:
        if re.search(pattern, phrase, re.IGNORECASE):
            return error.text, occasion, ""
    first = phrase.partition(" ")[0]
    if error.text.startswith(f"{phrase!r}: {first!r} is "):  # not even who does it is understood
        if len(near) == 1:
            return error.text, near[0], ""
        return error.text, "", f"{'the nearest ' if near else ''}occasions are: {'; '.join(near or KNOWN)}"
    return error.text, error.meant, error.advice


def _can_be_read(phrase: str) -> bool:
    try:
        phrases.occasion(phrase)
    except PhraseError:
        return False
    return True
