"""The deck code: a deck in some sixty letters, for addresses, QR codes and chats.

``BSG1-`` and base64 for addresses, of these bytes (numbers are LEB128, words have their length in front):

- the version of the form, 1;
- how many sets there are; for each its code, then how many of its cards come one to four times, each as
  ``step * 4 + copies - 1``, then how many come in other numbers, each as step and copies. Steps lead from one number
  of the set to the next;
- how many cards have no printing any more; for each its id and its copies;
- the base: 0 for none, or 1 more than the place of its set and its number, or 1 more than the last place and its id;
- a check byte (CRC-8), which finds every mistake in a single letter.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator

from decks.exchange.form import MAX_ENTRIES, Entry, Form, FormError, Reader, as_text, known
from decks.lists.deck_list import DeckList
from decks.lists.names import Names

PREFIX = "BSG1-"
VERSION = 1
MAX_LETTERS = 4_000
LARGEST_NUMBER = 1_000_000
SHORT = 4
"""Copies up to which a card takes one number instead of two."""

_CODE = re.compile(rf"{PREFIX}[A-Za-z0-9_-]{{6,{MAX_LETTERS}}}")
_SEEMS = re.compile(rf"{PREFIX}(?![0-9]{{1,4}}\s*\Z)[^ (\n]*\s*")
"""What is to be a code, be it cut off; "BSG1-164" is a card."""
_POLYNOMIAL = 0x07


def encode(deck: DeckList, names: Names) -> str:
    """Return the code of base and cards of ``deck``: equal decks have equal codes."""
    shelves: dict[str, list[tuple[int, int]]] = {}
    strays: list[tuple[str, int]] = []
    for card, copies in sorted(deck.counts.items()):
        if card in names.first:
            code, number = names.first[card]
            shelves.setdefault(code, []).append((number, copies))
        else:
            strays.append((card, copies))
    base = deck.bases[0] if deck.bases else ""
    if base in names.first:
        shelves.setdefault(names.first[base][0], [])
    codes = sorted(shelves)
    said = bytearray([VERSION, *_number(len(codes))])
    for code in codes:
        cards = sorted(shelves[code])
        said += _word(code)
        said += _steps([one for one in cards if 1 <= one[1] <= SHORT], short=True)
        said += _steps([one for one in cards if not 1 <= one[1] <= SHORT], short=False)
    said += _number(len(strays))
    for card, copies in strays:
        said += _word(card) + _number(copies)
    said += _base(base, codes, names)
    said.append(_check(said))
    return PREFIX + base64.urlsafe_b64encode(said).decode().rstrip("=")


def to_text(text: str, names: Names) -> str:
    """Return the text form of the deck with this code; raises FormError."""
    code = "".join(text.split())
    if not _CODE.fullmatch(code):
        raise FormError("This looks like a deck code, but it is cut off or has other signs in it.")
    body = code.removeprefix(PREFIX)
    try:
        said = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
    except binascii.Error:
        raise FormError("This deck code is cut off.") from None
    if len(said) < 3 or _check(said[:-1]) != said[-1]:
        raise FormError("This deck code is not whole: a letter is missing or wrong.")
    if said[0] != VERSION:
        raise FormError("This deck code is of a newer kind than this site can read.")
    return as_text(_Reader(said[1:-1], names).entries())


def write(deck: DeckList, names: Names) -> str:
    """Return the code on a line."""
    return encode(deck, names) + "\n"


class _Reader:
    """Reads the bytes of a code from the left; raises FormError wherever they say what no deck can be."""

    def __init__(self, said: bytes, names: Names) -> None:
        self._said, self._names, self._at, self._read = said, names, 0, 0

    def entries(self) -> list[Entry]:
        """Return all entries; the base first."""
        codes, cards = [], []
        for _ in range(self._number()):
            codes.append(self._word())
            cards += list(self._cards(codes[-1], short=True))
            cards += list(self._cards(codes[-1], short=False))
        for _ in range(self._number()):
            cards.append(known(self._word(), self._names, quantity=self._number()))
        cards[:0] = self._base(codes)
        if self._at != len(self._said):
            raise _bad()
        return cards

    def _cards(self, code: str, short: bool) -> Iterator[Entry]:
        number = 0
        for _ in range(self._number()):
            self._read += 1
            if self._read > MAX_ENTRIES:
                raise _bad()
            step = self._number()
            copies = step % SHORT + 1 if short else self._number()
            number += step // SHORT if short else step
            yield self._entry(code, number, copies)

    def _entry(self, code: str, number: int, copies: int) -> Entry:
        card = self._names.by_printing.get((code.casefold(), number))
        name = self._names.catalog[card].name if card else ""
        return Entry(name=name, printing=(code, number), quantity=copies)

    def _base(self, codes: list[str]) -> list[Entry]:
        place = self._number()
        if place > len(codes) + 1:
            raise _bad()
        if not place:
            return []
        if place > len(codes):
            return [known(self._word(), self._names, part="base")]
        base = self._entry(codes[place - 1], self._number(), 1)
        base.part = "base"
        return [base]

    def _number(self) -> int:
        value = shift = 0
        while True:
            if self._at >= len(self._said) or shift > 21:
                raise _bad()
            byte = self._said[self._at]
            self._at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        if value > LARGEST_NUMBER:
            raise _bad()
        return value

    def _word(self) -> str:
        length = self._number()
        word = self._said[self._at : self._at + length]
        self._at += length
        text = word.decode("ascii", "replace")
        if length > 20 or len(word) < length or not re.fullmatch(r"[A-Za-z0-9-]+", text):
            raise _bad()
        return text


def _bad() -> FormError:
    return FormError("This deck code says what no deck can be.")


def _steps(cards: list[tuple[int, int]], short: bool) -> bytes:
    said, before = bytearray(_number(len(cards))), 0
    for number, copies in cards:
        step, before = number - before, number
        said += _number(step * SHORT + copies - 1) if short else _number(step) + _number(copies)
    return bytes(said)


def _base(base: str, codes: list[str], names: Names) -> bytes:
    if not base:
        return _number(0)
    if base in names.first:
        code, number = names.first[base]
        return _number(codes.index(code) + 1) + _number(number)
    return _number(len(codes) + 1) + _word(base)


def _number(value: int) -> bytes:
    if not 0 <= value <= LARGEST_NUMBER:
        raise FormError("A count in this deck is too large for a deck code.")
    said = bytearray()
    while value > 0x7F:
        said.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*said, value])


def _word(word: str) -> bytes:
    return _number(len(word)) + word.encode("ascii", "replace")


def _check(said: bytes | bytearray) -> int:
    """Return the CRC-8 of ``said``."""
    register = 0
    for byte in said:
        register ^= byte
        for _ in range(8):
            register = (register << 1 ^ _POLYNOMIAL) & 0xFF if register & 0x80 else register << 1
    return register


FORM = Form(
    code="code",
    name="Deck code",
    told="Some sixty letters, for chats and addresses.",
    extension="code.txt",
    media_type="text/plain",
    holds=frozenset(),
    write=write,
    reader=Reader(
        name="deck code",
        seems=lambda glance: bool(_SEEMS.fullmatch(glance)),
        to_text=to_text,
    ),
)
