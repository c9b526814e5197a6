"""What can be wrong with a query: where, what was expected, what may have been meant.

The sentences stand here for the server and the browser alike.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rapidfuzz.distance import OSA

MAX_CHARACTERS = 256
MAX_TERMS = 20
MAX_DEPTH = 5
MAX_NUMBER = 9999
MOST_LISTED = 60

MESSAGES = {
    "too long": "A search has at most {characters} characters; this one has {found}.",
    "too many terms": "A search has at most {terms} terms.",
    "too deep": "Parentheses go at most {depth} deep.",
    "open quotation": "This quotation mark is not closed.",
    "open parenthesis": "This parenthesis is not closed.",
    "closed parenthesis": "This parenthesis closes nothing.",
    "unexpected": "“{found}” cannot stand here.",
    "unfinished": "Something is missing at the end.",
    "unknown field": "There is no field “{found}”.",
    "unknown value": "“{found}” is nothing that “{field}” can be.",
    "unknown operator": "“{field}” cannot be asked with “{found}”.",
    "no order": "“{found}” is neither more nor less than others.",
    "no number": "“{found}” is no number from 0 to {number}.",
    "no date": "“{found}” is no date.",
    "empty range": "The range “{found}” ends before it begins.",
    "nothing to find": "“{found}” has neither letters nor digits.",
    "not inside": "“{field}” cannot stand inside parentheses, behind “-” or as one side of “or”.",
    "no deck": "No deck is open here: “{field}” is for the deck builder.",
    "no decks": "“{field}” asks the decks of the site: on the page of cards, and in the API.",
    "no collection": "“{field}” asks for your own cards: say under My decks, signed in, which you own.",
    "too many cards": "“{found}” is part of more than {cards} names of cards: say more of the name.",
}
"""Every code an error can have, and its sentence."""

TOKENS = {
    "WORD": "a word",
    "PHRASE": "a phrase in quotation marks",
    "OPEN": "“(”",
    "CLOSE": "“)”",
    "MINUS": "“-”",
    "EXACT": "“!”",
    "OPERATOR": "one of : = != < <= > >=",
    "OR": "“or”",
    "AND": "“and”",
    "BAR": "“|”",
    "AMPERSAND": "“&”",
    "$END": "the end",
}
"""What the terminals of the grammar are called in errors, in the order in which they are listed.

"~" is none of them: buttons write it, and nobody is told to.
"""


class QueryError(ValueError):
    """A query that cannot be read: ``code`` (a key of MESSAGES), what is wrong in a sentence, from where to where.

    Positions count characters from 0; ``end`` is the first one behind. ``expected`` is what could stand there, in
    words, and ``suggestion`` what may have been meant in place of the text there; both may be empty.
    """

    def __init__(
        self, code: str, start: int, end: int, *, expected: Iterable[str] = (), suggestion: str = "", **facts: Any
    ) -> None:
        bounds = {"characters": MAX_CHARACTERS, "terms": MAX_TERMS, "depth": MAX_DEPTH, "number": MAX_NUMBER}
        self.code = code
        self.message = MESSAGES[code].format(**(bounds | facts))
        self.start = start
        self.end = end
        self.expected = list(expected)[:MOST_LISTED]
        self.suggestion = suggestion
        super().__init__(self.message)

    def as_json(self) -> dict[str, Any]:
        """Return it as answers of the API say it."""
        return {
            "code": self.code.replace(" ", "_"),
            "message": self.message,
            "start": self.start,
            "end": self.end,
            "expected": self.expected,
            "suggestion": self.suggestion,
        }


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the one of ``known`` that was most likely meant by ``word``, or "".

    Shortenings ("pwr" for "power") come before slips of the finger; of several that are as near, the first by
    the alphabet. Of a single sign nobody knows what was meant. The browser does the same.
    """
    word = word.lower()
    ranked = []
    for one in known if len(word) > 1 else ():
        shortened = one[:1] == word[0] and _within(word, one)
        distance = OSA.distance(word, one)
        if shortened or distance <= max(1, len(word) // 3):
            ranked.append((not shortened, distance, one))
    return min(ranked)[2] if ranked else ""


def _within(short: str, long: str) -> bool:
    """Return whether the letters of ``short`` stand in ``long`` in that order."""
    letters = iter(long)
    return all(letter in letters for letter in short)
