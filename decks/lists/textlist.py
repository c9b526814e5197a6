"""The text form of a deck is read: tolerantly, and every line is reported.

One line is one card; its forms are in :mod:`ccg.rules.authoring.deck_lines` (docs/decks.md tells them in prose).
Nothing is guessed on the reader's behalf: a name that several cards share is *ambiguous* and names its candidates,
a name that no card has is *unknown* and names suggestions, and both wait for somebody to pick. Pure:
no Django, no database; the card names come in as :class:`~decks.lists.names.Names`. :mod:`decks.lists.listing` writes
it back so that it reads the same.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from itertools import pairwise
from typing import Literal

from msgspec import Struct, field

from ccg.rules.authoring.deck_lines import (
    MAX_TAGS,
    Part,
    Words,
    as_it_looks,
    bare_printing,
    counted_behind,
    heading,
    is_quantity,
    is_turned,
    labelled,
    number_of_line,
    stands_aside,
    take_apart,
    total,
    without_bbcode,
    without_escapes,
    without_links,
    without_tags,
)
from ccg.rules.cards.definitions import CardDef, fold
from ccg.words import printable, without_heaps
from decks.lists.deck_list import MAX_NAME, DeckList, clean_name
from decks.lists.names import Names
from decks.lists.tables import DELIMITERS, Table, untitled

MAX_BYTES = 64 * 1024
MAX_LINES = 500
MAX_LINE = 500
MAX_QUANTITY = 99
MAX_SEARCHED = 100
"""Lines of one list for which names that are alike are searched; the others get those with the same words."""

_FENCE = re.compile("(?:```|~~~)[a-z]*")
"""What stands above and below a list in a chat, perhaps with the name of a language."""

_FOR_SPREADSHEETS = re.compile('"?sep=.?"?')
"""What stands above a table to tell a spreadsheet what parts its columns."""

_LONE_ADDRESS = re.compile(r"<?https?://\S+>?")
_LINE_ENDS = re.compile("\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")

Kind = Literal["matched", "ambiguous", "unknown", "invalid", "name", "format", "heading", "comment", "ignored", "blank"]
LEAVE_OUT = "-"
"""The pick that says: leave this line out of the deck."""

UNDECIDED: tuple[Kind, ...] = ("ambiguous", "unknown", "invalid")
"""Kinds of lines for which somebody has to decide before the list is a deck."""


class TextTooLongError(ValueError):
    """A text that is not looked at because it is longer than a list can be; the message says the limit."""


class Bounds(Struct, frozen=True, kw_only=True):
    """How long a list may be, and how many copies one line of it may say."""

    what: str
    bytes: int
    lines: int
    copies: int
    more_copies: str
    """What is said to whoever writes more than that."""


A_DECK = Bounds(
    what="A deck list",
    bytes=MAX_BYTES,
    lines=MAX_LINES,
    copies=MAX_QUANTITY,
    more_copies="A deck may have 4 of most cards; write how many you want.",
)


class Line(Struct, kw_only=True):
    """What became of one line of the text.

    ``cards`` is the card of a matched line, the candidates of an ambiguous one, the suggestions for an
    unknown one. ``notes`` say what was ignored, corrected or is wrong, each in a sentence.
    """

    number: int
    text: str
    kind: Kind
    part: Part = "deck"
    quantity: int = 0
    cards: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class Reading(Struct, kw_only=True):
    """A text as read: the deck of all lines that are clear, and a report of every line."""

    deck: DeckList
    lines: list[Line]
    needless: list[int] = []
    """Numbers of picks that are about no line of the text, or about one that is clear without them."""

    @property
    def undecided(self) -> list[Line]:
        """The lines for which somebody has to pick a card, or leave them out."""
        return [line for line in self.lines if line.kind in UNDECIDED]


class _Section(Struct):
    """The heading that the lines stand under, and what they have held so far."""

    part: Part = "deck"
    line: Line | None = None
    says: int | None = None
    held: int = 0


def read(
    text: str,
    names: Names,
    formats: Collection[str] = (),
    picks: Mapping[int, str] | None = None,
    bounds: Bounds = A_DECK,
) -> Reading:
    """Read a pasted deck; ``picks`` gives, by line number, what was chosen for an undecided line.

    A pick counts only if the line offers that card (or is :data:`LEAVE_OUT`); the reading names those that no line
    asked for, which change nothing. ``formats`` are the codes
    of known formats (empty: any will do). Raises :class:`TextTooLongError` before any work on a text that is
    longer than ``bounds`` allow; every other text, whatever it holds, gets a reading.
    """
    if complaint := too_long(text, bounds):
        raise TextTooLongError(complaint)
    lines = lines_of(text)
    reader = _Reader(names, formats, picks or {}, _are_numbered(lines), bounds)
    for number, line in enumerate(lines, start=1):
        reader.take(number, line)
    return reader.finish()


class _Reader:
    """Reads line after line; holds the section it is in and the deck so far."""

    def __init__(
        self, names: Names, formats: Collection[str], picks: Mapping[int, str], numbered: bool, bounds: Bounds
    ) -> None:
        self.names, self.formats, self.picks, self.numbered, self.bounds = names, formats, picks, numbered, bounds
        self.deck = DeckList()
        self.lines: list[Line] = []
        self.section = _Section()
        self.seen: dict[tuple[Part, str], int] = {}
        self.unclear: set[int] = set()
        self.named = False
        self.about = False
        self.table: Table | None = None
        self.totals: list[tuple[Line, int]] = []
        self.searched: dict[tuple[str, bool], list[str]] = {}

    def take(self, number: int, raw: str) -> None:
        """Read one line and add what it says to the deck."""
        line = Line(number=number, text=" ".join(printable(raw).split()), kind="blank", part=self.section.part)
        self.lines.append(line)
        if number == 1 and raw.startswith("\ufeff"):
            line.notes.append("A byte order mark was ignored.")
        if len(line.text) > MAX_LINE:
            self._unread(line, f"Lines of more than {MAX_LINE} characters are not read.")
        elif is_turned(raw):
            self._unread(line, "There are signs in it that turn text round; write the line anew.")
        elif line.text:
            self._read(line, raw)

    def finish(self) -> Reading:
        """Close the last section and return the whole reading."""
        self._close_section()
        self._check_totals()
        return Reading(deck=self.deck, lines=self.lines, needless=sorted(self.picks.keys() - self.unclear))

    def _check_totals(self) -> None:
        """Say where a list counts its cards otherwise than they were read, with base and what lies aside or without."""
        cards, bases = sum(self.deck.counts.values()), len(self.deck.bases)
        aside = sum(self.deck.considering.values())
        for line, says in self.totals:
            if says not in (cards, cards + bases, cards + aside, cards + bases + aside):
                line.notes.append(f"The list says {says} cards in all, its lines hold {cards}.")

    def _unread(self, line: Line, why: str) -> None:
        line.text = line.text[:MAX_LINE]
        line.kind = "invalid"
        line.notes.append(why)
        self._settle(line)

    def _read(self, line: Line, raw: str) -> None:
        text, raw = _plain(line.text), _plain(raw)
        about, self.about = self.about, False
        label, rest = labelled(text)
        if text.startswith("//"):
            self._comment_or_heading(line, text.lstrip("/ "))
        elif text.startswith("#"):
            self._hash(line, text, raw)
        elif self._is_no_card(line, text, label):
            return
        elif label == "format":
            self._format(line, rest)
        elif label == "name":
            self._name(line, labelled(line.text)[1] if labelled(line.text)[0] else rest)
        elif about and line.text.startswith("Name "):
            self._name(line, line.text.removeprefix("Name ").strip())
        elif fold(text) == "about" and not self.names.find(text):
            line.kind, self.about = "comment", True  # the head of what Magic Arena exports
        elif label == "base" and not heading(text):
            line.part = "base"
            self._card(line, rest, raw, bases_only=True)
        elif self._titles(line, raw):
            return
        elif self.table is not None and (words := self.table.row(raw)) and not self._is_no_row(words, text):
            self._take(line, words, text)
        elif not self._heading(line, text):
            self._card(line, text, raw)

    def _is_no_card(self, line: Line, text: str, label: str) -> bool:
        """Return whether a line frames the list, says something about it or counts its cards, and note that."""
        if _is_frame(text):
            line.kind = "comment"
        elif self.names.find(text):
            return False
        elif label == "about" or _LONE_ADDRESS.fullmatch(text):
            line.kind = "ignored"
            line.notes.append("Passed over: it says something about the deck, and is no card.")
        elif (says := total(text)) is not None:
            line.kind = "comment"
            self.totals += [(line, says)] if says else []
        else:
            return False
        return True

    def _hash(self, line: Line, text: str, raw: str) -> None:
        """Read a line that begins with #: the first one is the deck's name, unless it is a heading or a table's."""
        if raw.lstrip()[1:2] in DELIMITERS and self._titles(line, raw):
            return
        words = line.text.lstrip("#\uff03").strip()  # as it is written: a deck may be called "[[Fury]]"
        level = len(text) - len(text.lstrip("#"))
        if self._heading(line, words):
            line.notes.append("The # in front of the heading was ignored.")
        elif level > 2 and words:
            self._own_heading(line, words)
        elif self.named or not words:
            line.kind = "comment"
            if words and self._has_cards():
                line.notes.append("Read as a comment: the cards below it are of the same deck.")
            self._doubt(line, words)
        else:
            self._name(line, words)
            self._doubt(line, words)

    def _doubt(self, line: Line, words: str) -> None:
        """Say that a line that begins with # is no card, if it looks like one: "#1 Fury x4"."""
        seen = take_apart(words, self.names.codes)
        if seen.quantities and self.names.find(seen.name):
            line.notes.append(f"A line that begins with # is no card; take the # away if you want {seen.name}.")

    def _name(self, line: Line, words: str) -> None:
        if self.named and self._has_cards():
            line.kind = "invalid"
            line.notes.append(f"Another deck begins here, below the cards of {self.deck.name}: paste one at a time.")
            self._settle(line)
            return
        if self.named:
            line.kind = "ignored"
            line.notes.append(f"The deck was already called {self.deck.name}.")
            return
        self.named, line.kind = True, "name"
        self.deck.name = clean_name(words)
        if self.deck.name != words:
            line.notes.append(f"Deck names end after {MAX_NAME} characters.")

    def _has_cards(self) -> bool:
        return bool(self.seen)

    def _titles(self, line: Line, raw: str) -> bool:
        """Begin a table if the line is the titles of its columns."""
        table = Table.titled(raw)
        if table is None:
            return False
        self.table, line.kind = table, "heading"
        line.notes.append(table.told)
        return True

    def _is_no_row(self, row: Words, text: str) -> bool:
        """Return whether a line below a table is none of its rows, and tells count and card by itself."""
        if not row.wrong and row.quantity > 0 and (row.printing or self.names.find(row.name)):
            return False
        alone = take_apart(text, self.names.codes)
        return bool(alone.quantities and self.names.find(alone.name))

    def _comment_or_heading(self, line: Line, words: str) -> None:
        if self._heading(line, words):
            line.notes.append("The // in front of the heading was ignored.")
        else:
            line.kind = "comment"

    def _format(self, line: Line, name: str) -> None:
        code = next((code for code in self.formats if fold(code) == fold(name)), "")
        if not self.formats:
            code = name.casefold()[:MAX_NAME]
        line.kind = "ignored" if not code or self.deck.format not in ("", code) else "format"
        if not code:
            line.notes.append(f"There is no such format; known are {', '.join(sorted(self.formats))}.")
        elif line.kind == "ignored":
            line.notes.append(f"The format was already said to be {self.deck.format}.")
        else:
            self.deck.format = code

    def _heading(self, line: Line, text: str) -> bool:
        """Begin a section if ``text`` is one of the known headings, with or without a count."""
        known = heading(text)
        if known is None:
            return False
        self._begin(line, known.part, known.says)
        return True

    def _begin(self, line: Line, part: Part, says: int | None) -> None:
        self._close_section()
        line.kind, line.part = "heading", part
        self.section = _Section(part=part, line=line, says=says)

    def _close_section(self) -> None:
        section = self.section
        if section.line and section.says is not None and section.says != section.held:
            section.line.notes.append(f"The heading says {section.says}, the lines below it hold {section.held}.")

    def _card(self, line: Line, text: str, raw: str, bases_only: bool = False) -> None:
        if '"' in text:
            row = untitled(raw, self.names.codes)
            if row and not row.wrong and self.names.find(row.name):
                self._take(line, row, text, bases_only)
                return
        words = take_apart(text, self.names.codes)
        printed = words.printing or bare_printing(words.name, self.names.codes)
        if (printed or not self._known(words.name)) and not self.names.find(words.name) and line.part != "base":
            row = untitled(raw, self.names.codes)
            if row and not row.wrong and self.names.find(row.name):
                # A row that names a card with its printing is one; else what is near to a name is not taken for it.
                near = not self._is_printed(row) if printed else self._near(words.name, bases_only)
                words = words if near else row
        self._take(line, words, text, bases_only)

    def _take(self, line: Line, words: Words, text: str, bases_only: bool = False) -> None:
        """Find the card that ``words`` mean, or say why there is none, and add it to the deck."""
        if words.part is not None:
            line.part = words.part
        self._number_behind_set(words)
        line.quantity, line.tags = words.quantity, [without_heaps(tag) for tag in words.tags]
        line.notes += words.notes
        wrong = words.wrong or self._uncounted(words)
        if not wrong:
            self._resolve(line, words, bases_only)
        if line.kind == "matched" and not bases_only and not words.quantities and any(map(is_quantity, words.tags)):
            line.kind = "ambiguous"
            line.notes.append("A number behind # is a tag; a quantity stands in front, as in 4 Fury.")
        if line.kind == "matched" and words.behind_set and words.printing:
            line.kind, shown = "ambiguous", f"({words.printing[0].upper()})"
            line.notes.append(
                f"Behind {shown}, {words.behind_set} may be a number of the set or how many; "
                f"pick the card if it is how many, or write {words.behind_set} {words.name} {shown}."
            )
        if not self._offers(line, words, bases_only) and self._custom_heading(line, text):
            return
        if wrong:
            line.kind, line.quantity = "invalid", 0
            line.notes.append(wrong)
        elif line.kind == "unknown" and not line.cards and words.quantities:
            line.cards = self.names.within(words.name, bases_only)
        self._settle(line)

    def _number_behind_set(self, words: Words) -> None:
        """Read "[BSG1] 28 Fury" as the printing that it is, if the card has that number there."""
        if not words.behind_set or not words.printing:
            return
        printing = words.printing[0], words.behind_set
        card_id = self.names.by_printing.get((printing[0].casefold(), printing[1]))
        if card_id in [card.id for card in self.names.find(words.name)]:
            words.printing, words.behind_set = printing, None
            words.quantity, words.quantities = 1, words.quantities[1:]

    def _offers(self, line: Line, words: Words, bases_only: bool) -> bool:
        """Return whether the line names a card, or comes near to one; else it may be a heading."""
        if line.kind == "blank":
            return bool(words.name) and (self._known(words.name) or bool(self._near(words.name, bases_only)))
        return line.kind != "unknown" or bool(line.cards)

    def _uncounted(self, words: Words) -> str:
        """Return why the quantity cannot be used, as a sentence; "" if it can."""
        if words.quantity > self.bounds.copies:
            return f"A line says from 1 to {self.bounds.copies} copies. {self.bounds.more_copies}"
        if words.quantity < 1:
            return f"A quantity is a number from 1 to {self.bounds.copies}."
        if words.numbering is not None and self.numbered:
            message = f"The lines are numbered, so {words.numbering} may be a number or a quantity"
            return f"{message}; write {words.numbering}x or take the numbers out."
        return ""

    def _known(self, name: str) -> bool:
        return bool(self.names.find(name) or self._by_id(name) or bare_printing(name, self.names.codes))

    def _is_printed(self, words: Words) -> bool:
        """Return whether the card of this name has the printing that stands beside it."""
        code, number = words.printing or ("", None)
        printed = self.names.by_printing.get((code.casefold(), number)) if number is not None else None
        return printed in [card.id for card in self.names.find(words.name)]

    def _near(self, name: str, bases_only: bool) -> list[str]:
        """Return what to offer for an unknown name; the same for the same name, and dear searches only so often."""
        key = (fold(name), bases_only)
        if key not in self.searched:
            alike = len(self.searched) < MAX_SEARCHED
            self.searched[key] = self.names.suggest(name, bases_only, alike)
        return self.searched[key]

    def _custom_heading(self, line: Line, text: str) -> bool:
        """Take "Pilots (12)" or "Pilots:" for a heading of somebody's own: it groups, and means the deck."""
        counted = re.fullmatch(r"[^0-9()][^()]* \([0-9]{1,3}\)", text)
        if not (text[0].isalpha() and (counted or text.endswith(":"))) or is_quantity(text.removesuffix(":")):
            return False
        line.quantity, line.tags, line.notes = 0, [], []
        self._own_heading(line, text)
        return True

    def _own_heading(self, line: Line, text: str) -> None:
        counted = re.search(r" \(([0-9]{1,3})\)$", text)
        part: Part = "considering" if stands_aside(text) else "deck"
        if part == "considering":
            line.notes.append("Read as Considering: the lines below this heading are not part of the deck.")
        elif self.section.part != "deck":
            line.notes.append("The lines below this heading are cards of the deck.")
        self._begin(line, part, int(counted[1]) if counted else None)

    def _resolve(self, line: Line, words: Words, bases_only: bool) -> None:
        """Find the card: by set and number, else by its whole name, else by a title that only it has."""
        candidates = self._named(words.name, line.part, bases_only)
        if not candidates and words.printing is None and (bare := bare_printing(words.name, self.names.codes)):
            words.name, words.printing = bare
            candidates = self._named(words.name, line.part, bases_only)
        if not candidates and not words.quantities and (counted := counted_behind(words.name)):
            candidates = self._counted_behind(line, words, *counted, bases_only)
        if not candidates and words.tags and words.tags[0].isdecimal() and words.printing is None:
            words.name += f" {words.tags[0]}"  # "Raptor #227" is near to that Raptor and to no other
        if words.foreign:
            line.notes.append(f"{words.foreign} (U+{ord(words.foreign):04X}) is no letter of any card's name.")
            self._set_candidates(line, words, [], bases_only)
        elif words.printing:
            self._by_printing(line, words, words.printing, candidates, bases_only)
        else:
            self._set_candidates(line, words, candidates or ([] if bases_only else self._by_id(words.name)), bases_only)

    def _counted_behind(self, line: Line, words: Words, name: str, quantity: int, bases_only: bool) -> list[CardDef]:
        """Find the card of "Name - 4"; nothing unless it is one card by all of its name."""
        candidates = self._named(name, line.part, bases_only)
        if len(candidates) != 1 or not 1 <= quantity <= self.bounds.copies:
            return []
        words.name, words.quantities, line.quantity = name, [quantity], quantity
        line.notes.append(f"{quantity} was read as the quantity.")
        return candidates

    def _named(self, name: str, part: Part, bases_only: bool) -> list[CardDef]:
        """Find what ``name`` can mean; under a heading for bases a base is meant if one has that name."""
        bases = self.names.find(name, bases_only=True) if part == "base" else []
        return bases if bases or bases_only else self.names.find(name)

    def _set_candidates(self, line: Line, words: Words, candidates: list[CardDef], bases_only: bool) -> None:
        line.cards = [card.id for card in candidates]
        if len(candidates) == 1:
            line.kind = "matched"
        elif candidates:
            line.kind = "ambiguous"
            line.notes.append(f"{len(candidates)} cards can be meant; write title and subtitle, or pick one.")
        else:
            line.kind, line.cards = "unknown", list(self._near(words.name, bases_only))
            line.notes.append("There is no base of this name." if bases_only else "There is no card of this name.")
            if not line.cards and not words.quantities and not words.printing:
                self._offer_without_number(line, words.name, bases_only)

    def _offer_without_number(self, line: Line, name: str, bases_only: bool) -> None:
        """Offer the card of "Fury 4" or "(4 Fury)": as many as the number says, if somebody picks it."""
        bare, quantity = _without_number(name)
        line.cards = [card.id for card in self.names.find(bare, bases_only)] if bare else []
        if line.cards:
            line.quantity = quantity
            only = self.names.catalog[line.cards[0]].name if len(line.cards) == 1 else ""
            write = f", or write {quantity} {only}" if only else ""
            line.notes.append(f"If {quantity} is how many, pick the card{write}.")

    def _by_printing(
        self, line: Line, words: Words, printing: tuple[str, int | None], candidates: list[CardDef], bases_only: bool
    ) -> None:
        """Resolve the card by its set and number; if the name means another card, offer both as candidates."""
        code, number = printing[0].casefold(), printing[1]
        shown = f"({code.upper()})" if number is None else f"({code.upper()}) {number}"
        if number is None:
            printed = [card for card in candidates if code in self.names.sets.get(card.id, ())]
        else:
            card_id = self.names.by_printing.get((code, number), "")
            printed = [self.names.catalog[card_id]] if card_id else []
        if bases_only and any(card.type != "base" for card in printed):
            line.notes.append(f"{shown} is {printed[0].name}, which is not a base.")
            printed = []
        if printed and (not words.name or printed[0] in candidates):
            self._set_candidates(line, words, printed, bases_only)
        elif not printed and not candidates:
            if number is not None or code not in self.names.codes:
                line.notes.append(f"There is no printing {shown}.")
            self._set_candidates(line, words, [], bases_only)
        else:
            message = f"{shown} is {printed[0].name}" if printed else f"No card of this name is printed as {shown}"
            line.kind = "ambiguous"
            line.notes.append(f"{message}: name and printing have to agree.")
            near = [] if candidates else self._near(words.name, bases_only)
            line.cards = list(dict.fromkeys([card.id for card in candidates + printed] + near))

    def _by_id(self, name: str) -> list[CardDef]:
        """Find a card by the id of one of its printings, for lists that hold nothing better."""
        code, _, number = name.rpartition("-")
        if not re.fullmatch("[0-9]{1,4}", number):
            return []
        card_id = self.names.by_printing.get((code.casefold(), int(number)))
        return [self.names.catalog[card_id]] if card_id else []

    def _settle(self, line: Line) -> None:
        """Apply a pick to a line that needs one, and add the card of a clear line to the deck."""
        pick = None
        if line.kind in UNDECIDED:
            self.unclear.add(line.number)
            pick = self.picks.get(line.number)
        if pick == LEAVE_OUT:
            line.kind, line.quantity = "ignored", 0
            line.notes.append("Left out, as you chose.")
        elif pick and pick in line.cards and line.kind != "invalid":
            line.kind, line.cards = "matched", [pick]
            line.notes.append("Picked by you.")
        if line.kind == "matched":
            self._add(line)

    def _add(self, line: Line) -> None:
        card = self.names.catalog[line.cards[0]]
        if card.type == "base" and line.part == "deck":
            line.part = "base"
            line.notes.append("This is a base, so it was read as the deck's base.")
        elif card.type != "base" and line.part == "base":
            line.part = "deck"
            line.notes.append("This is not a base, so it was read as a card of the deck.")
        self.section.held += line.quantity
        earlier = self.seen.setdefault((line.part, card.id), line.number)
        if earlier != line.number:
            line.notes.append(f"Also on line {earlier}: the quantities add up.")
        if line.part == "base":
            self.deck.bases += [card.id] * line.quantity
        else:
            held = self.deck.counts if line.part == "deck" else self.deck.considering
            held[card.id] = held.get(card.id, 0) + line.quantity
        tags = self.deck.tags.get(card.id, []) + line.tags
        if tags:
            self.deck.tags[card.id] = sorted(dict.fromkeys(tags))[:MAX_TAGS]


def too_long(text: str, bounds: Bounds = A_DECK) -> str:
    """Say in a sentence why ``text`` is too long to be read; "" if it is not."""
    if len(text) > bounds.bytes or len(text.encode("utf-8", "surrogatepass")) > bounds.bytes:
        return f"{bounds.what} may be {bounds.bytes // 1024} KiB long at most."
    lines = lines_of(text)
    if len(lines) > bounds.lines:
        return f"{bounds.what} may have {bounds.lines} lines at most; this one has {len(lines)}."
    return ""


def lines_of(text: str) -> list[str]:
    return _LINE_ENDS.sub("\n", text).removesuffix("\n").split("\n")


def _is_frame(text: str) -> bool:
    """Return whether a line only sets others off from each other, or tells a program how to read them."""
    framing = _FENCE.fullmatch(text) or _FOR_SPREADSHEETS.fullmatch(text)
    return bool(framing) or (text.isascii() and not any(sign.isalnum() for sign in text))


def _plain(text: str) -> str:
    """Return a line without invisible signs, tags and addresses: what somebody sees who copies it."""
    return without_links(without_escapes(without_bbcode(without_tags(as_it_looks(text)))))


def _are_numbered(lines: list[str]) -> bool:
    """Return whether the lines are counted: "1) Fury", "2) Stims", "3) ..." may be three cards or six.

    They may be counted anew in each section. Numbers that begin above 1 have to be three to look like it.
    """
    counted = (number_of_line(" ".join(printable(_plain(line[:MAX_LINE])).split())) for line in lines)
    numbers = [number for number in counted if number is not None]
    steps = list(pairwise(numbers))
    follow = all(after in (before + 1, 1) for before, after in steps) and any(
        after == before + 1 for before, after in steps
    )
    return follow and (numbers[0] <= 1 or len(numbers) > 2)


def _without_number(name: str) -> tuple[str, int]:
    """Return the name in "4Fury", "(4 Fury)", "Fury 4" and "Raptor 227x3", and the number that may be a quantity."""
    inside = name[1:-1].strip() if name.startswith("(") and name.endswith(")") else name
    front, behind = r"[xX]?([0-9]{1,2})(?=[^0-9])(.+)", r"(.*[^0-9 :\u2013\u2014-])[ :\u2013\u2014-]+([0-9]{1,2})"
    match = re.fullmatch(rf"{front}|{behind}|(.*[0-9a-z])[xX]([0-9]{{1,2}})", inside)
    if not match:
        return "", 0
    number, bare = (match[1], match[2]) if match[1] else (match[4] or match[6], match[3] or match[5])
    return bare.strip(), int(number)
