"""The text form of a deck: read tolerantly, every line reported; written back so that it reads the same.

One line is one card; its form is the small grammar below (docs/decks.md tells it in prose). Nothing is
guessed on the reader's behalf: a name that several cards share is *ambiguous* and names its candidates,
a name that no card has is *unknown* and names suggestions, and both wait for somebody to pick. Pure:
no Django, no database; the card names come in as :class:`Names`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Literal

from lark import Lark, Token, UnexpectedInput
from msgspec import Struct, field
from rapidfuzz import fuzz, process

from ccg.rules.cardfiles import Printing
from ccg.rules.cards import CardDef, Catalog, fold

MAX_BYTES = 64 * 1024
MAX_LINES = 500
MAX_LINE = 500
MAX_QUANTITY = 99
MAX_NAME = 80
MAX_TAGS = 8
MAX_TAG = 32

Kind = Literal["matched", "ambiguous", "unknown", "invalid", "name", "format", "heading", "comment", "ignored", "blank"]
Part = Literal["deck", "base", "considering"]

LEAVE_OUT = "-"
"""The pick that says: leave this line out of the deck."""

UNDECIDED: tuple[Kind, ...] = ("ambiguous", "unknown", "invalid")
"""Kinds of lines for which somebody has to decide before the list is a deck."""

# The lexer asks the parser which tokens can come next, so a number is a quantity only in front, and a
# word of the name ("Raptor 227") once the name has begun. No pattern can match one text in two ways.
GRAMMAR = r"""
line: [LEAD] quantity? (name tail* | printing tail*)
quantity: QUANTITY
name: WORD+
?tail: printing | times | tag | extra
printing: SET NUMBER?
times: TIMES
tag: TAG
extra: BRACKETS | STARS

LEAD.5: /SB:/i
QUANTITY.4: /[0-9]+( ?x)?(?=[ ])/i
TIMES.4: /x[0-9]+(?![^ \#])/i
SET.3: /\([A-Za-z0-9]{1,8}\)/
NUMBER.3: /[0-9]{1,4}(?![^ \#])/
BRACKETS.3: /\[[^\[\]]*\]/
STARS.3: /\*[A-Za-z]{1,8}\*/
TAG.3: /\#[^ \#]*/
WORD.1: /[^ \#]+/
%ignore / +/
"""
_line = Lark(GRAMMAR, start="line", parser="lalr", lexer="contextual", propagate_positions=True)

_HEADINGS: dict[str, Part] = {
    **dict.fromkeys(("base", "bases"), "base"),
    **dict.fromkeys(("considering", "considered", "maybe", "maybeboard", "sideboard"), "considering"),
    **dict.fromkeys(("deck", "main", "maindeck", "mainboard", "main deck", "cards", "decklist"), "deck"),
    **dict.fromkeys(("personnel", "ship", "ships", "event", "events", "mission", "missions", "units"), "deck"),
    **dict.fromkeys(("events and missions", "missions and events", "personnel and ships"), "deck"),
}
_TYPES: tuple[tuple[str, str], ...] = (
    ("personnel", "Personnel"),
    ("ship", "Ships"),
    ("mission", "Missions"),
    ("event", "Events"),
    ("base", "Bases"),
)


class TextTooLongError(ValueError):
    """A text that is not looked at because it is longer than a deck can be; the message says the limit."""


class DeckList(Struct, kw_only=True):
    """A deck as the text form can tell it; ``counts``, ``considering`` and ``tags`` go by permanent card id."""

    name: str = ""
    format: str = ""
    bases: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    considering: dict[str, int] = field(default_factory=dict)
    tags: dict[str, list[str]] = field(default_factory=dict)


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

    @property
    def undecided(self) -> list[Line]:
        """The lines for which somebody has to pick a card, or leave them out."""
        return [line for line in self.lines if line.kind in UNDECIDED]


class Names:
    """Finds cards by what people write: full name, title, printing. Built once for a card data version."""

    def __init__(self, catalog: Catalog, printings: Iterable[Printing]) -> None:
        """Take the cards and where they are printed; a printing of a card not in ``catalog`` is left out."""
        self.catalog = catalog
        self.by_printing: dict[tuple[str, int], str] = {}
        self.first: dict[str, tuple[str, int]] = {}
        self.sets: dict[str, set[str]] = {}
        self._titles: dict[str, list[CardDef]] = {}
        self._folded: dict[str, list[str]] = {}
        for printing in printings:
            if printing.card in catalog:
                self.by_printing[printing.set.casefold(), printing.number] = printing.card
                self.sets.setdefault(printing.card, set()).add(printing.set.casefold())
                if printing.id == printing.card:
                    self.first[printing.card] = (printing.set, printing.number)
        for card in catalog:
            self._titles.setdefault(fold(card.title), []).append(card)
            for known in {fold(card.name), fold(card.title)} - {""}:
                self._folded.setdefault(known, []).append(card.id)
        self._titles.pop("", None)

    def find(self, name: str, bases_only: bool = False) -> list[CardDef]:
        """Give the cards that ``name`` can mean: those of this full name, else those of this title."""
        for found in (self.catalog.named(name), self._titles.get(fold(name), [])):
            cards = [card for card in found if card.type == "base" or not bases_only]
            if cards:
                return cards
        return []

    def suggest(self, name: str, bases_only: bool = False, limit: int = 5) -> list[str]:
        """Give ids of cards whose names are close to ``name``; never one with other digits in its name."""
        wanted, digits = fold(name)[:MAX_NAME], _digits(name)
        if not wanted:
            return []
        near = process.extract(wanted, list(self._folded), scorer=fuzz.ratio, score_cutoff=70, limit=40)
        found = (card_id for known, _, _ in near if _digits(known) == digits for card_id in self._folded[known])
        cards = [self.catalog[card_id] for card_id in dict.fromkeys(found)]
        return [card.id for card in cards if card.type == "base" or not bases_only][:limit]


class _Section(Struct):
    """The heading that the lines stand under, and what they have held so far."""

    part: Part = "deck"
    line: Line | None = None
    says: int | None = None
    held: int = 0


class _Words(Struct):
    """One line, taken apart by the grammar."""

    quantity: int = 1
    name: str = ""
    printing: tuple[str, int | None] | None = None
    tags: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    sideboard: bool = False


def read(text: str, names: Names, formats: Collection[str] = (), picks: Mapping[int, str] | None = None) -> Reading:
    """Read a pasted deck; ``picks`` gives, by line number, what was chosen for an undecided line.

    A pick counts only if the line offers that card (or is :data:`LEAVE_OUT`). ``formats`` are the codes
    of known formats (empty: any will do). Raises :class:`TextTooLongError` before any work on a text that is
    too long; every other text, whatever it holds, gets a reading.
    """
    if said := too_long(text):
        raise TextTooLongError(said)
    reader = _Reader(names, formats, picks or {})
    for number, line in enumerate(_lines(text), start=1):
        reader.take(number, line)
    return reader.finish()


def write(deck: DeckList, names: Names) -> str:
    """Give ``deck`` as text that :func:`read` reads as the same deck; a card not known stands by its id."""
    lines = [f"# {deck.name}"] if deck.name else []
    lines += [f"Format: {deck.format}"] if deck.format else []
    lines += [f"Base: {_written(base, names)}{_written_tags(base, deck)}" for base in deck.bases]
    for kind, heading in _TYPES:
        cards = [card for card in deck.counts if card in names.catalog and names.catalog[card].type == kind]
        lines += _block(f"{heading} ({sum(deck.counts[card] for card in cards)})", cards, deck.counts, deck, names)
    strange = [card for card in deck.counts if card not in names.catalog]
    lines += _block("Cards", strange, deck.counts, deck, names)
    lines += _block("Considering", deck.considering, deck.considering, deck, names)
    return "\n".join(lines).lstrip("\n") + "\n"


def clean_name(name: str) -> str:
    """Give ``name`` as a deck can carry it."""
    return clean(name, MAX_NAME)


def clean(words: str, limit: int) -> str:
    """Give ``words`` as one line of at most ``limit`` characters: single spaces, nothing that cannot be seen."""
    return " ".join(_plain(words).split())[:limit].rstrip()


class _Reader:
    """Reads line after line; holds the section it is in and the deck so far."""

    def __init__(self, names: Names, formats: Collection[str], picks: Mapping[int, str]) -> None:
        self.names, self.formats, self.picks = names, formats, picks
        self.deck = DeckList()
        self.lines: list[Line] = []
        self.section = _Section()
        self.seen: dict[tuple[Part, str], int] = {}
        self.named = False

    def take(self, number: int, raw: str) -> None:
        """Read one line and add what it says to the deck."""
        line = Line(number=number, text=" ".join(_plain(raw).split()), kind="blank", part=self.section.part)
        self.lines.append(line)
        if number == 1 and raw.startswith("\ufeff"):
            line.notes.append("A byte order mark was ignored.")
        if len(line.text) > MAX_LINE:
            self._too_long(line)
        elif line.text:
            self._read(line)

    def finish(self) -> Reading:
        """Close the last section and give everything."""
        self._close_section()
        return Reading(deck=self.deck, lines=self.lines)

    def _too_long(self, line: Line) -> None:
        line.text = line.text[:MAX_LINE]
        line.kind = "invalid"
        line.notes.append(f"Lines of more than {MAX_LINE} characters are not read.")
        self._settle(line)

    def _read(self, line: Line) -> None:
        text = line.text
        head, colon, rest = text.partition(":")
        if text.startswith("//"):
            self._comment_or_heading(line, text.lstrip("/ "))
        elif text.startswith("#"):
            self._hash(line, text.lstrip("#").strip())
        elif colon and head.strip().casefold() == "format":
            self._format(line, rest.strip())
        elif colon and head.strip().casefold() == "base" and rest.strip():
            line.part = "base"
            self._card(line, rest.strip(), bases_only=True)
        elif not self._heading(line, text):
            self._card(line, text)

    def _hash(self, line: Line, words: str) -> None:
        if self.named or not words:
            line.kind = "comment"
            return
        self.named, line.kind = True, "name"
        self.deck.name = clean_name(words)
        if self.deck.name != words:
            line.notes.append(f"Deck names end after {MAX_NAME} characters.")

    def _comment_or_heading(self, line: Line, words: str) -> None:
        if self._heading(line, words):
            line.notes.append("The // in front of the heading was ignored.")
        else:
            line.kind = "comment"

    def _format(self, line: Line, said: str) -> None:
        code = next((code for code in self.formats if fold(code) == fold(said)), "")
        if not self.formats:
            code = said.casefold()[:MAX_NAME]
        line.kind = "ignored" if not code or self.deck.format not in ("", code) else "format"
        if not code:
            line.notes.append(f"There is no such format; known are {', '.join(sorted(self.formats))}.")
        elif line.kind == "ignored":
            line.notes.append(f"The format was already said to be {self.deck.format}.")
        else:
            self.deck.format = code

    def _heading(self, line: Line, text: str) -> bool:
        """Begin a section if ``text`` is one of the known headings, with or without a count."""
        words = fold(text).removesuffix(" cards").split()
        says = next((int(word) for word in (words[:1] + words[-1:]) if word.isdecimal() and len(word) < 4), None)
        label = " ".join(word for word in words if not word.isdecimal())
        if label not in _HEADINGS:
            return False
        self._begin(line, _HEADINGS[label], says)
        return True

    def _begin(self, line: Line, part: Part, says: int | None) -> None:
        self._close_section()
        line.kind, line.part = "heading", part
        self.section = _Section(part=part, line=line, says=says)

    def _close_section(self) -> None:
        section = self.section
        if section.line and section.says is not None and section.says != section.held:
            section.line.notes.append(f"The heading says {section.says}, the lines below it hold {section.held}.")

    def _card(self, line: Line, text: str, bases_only: bool = False) -> None:
        try:
            words = _parse(text)
        except UnexpectedInput:
            line.kind = "invalid"
            line.notes.append('This cannot be read as a card; a line looks like "4 Raptor 227 (BSG1) 164".')
            self._settle(line)
            return
        if words.sideboard:
            line.part = "considering"
            line.notes.append("SB: means a sideboard elsewhere; the card was read as Considering.")
        line.quantity, line.tags = words.quantity, words.tags
        line.notes += words.notes
        if 1 <= words.quantity <= MAX_QUANTITY:
            self._resolve(line, words, bases_only)
        else:
            line.kind, line.quantity = "invalid", 0
            line.notes.append(f"A quantity is a number from 1 to {MAX_QUANTITY}.")
        if line.kind == "unknown" and not line.cards and self._custom_heading(line, text):
            return
        self._settle(line)

    def _custom_heading(self, line: Line, text: str) -> bool:
        """Take "Pilots (12)" or "Pilots:" for a heading of somebody's own: it groups, and means the deck."""
        counted = re.fullmatch(r"[^0-9()][^()]* \(([0-9]{1,3})\)", text)
        if not counted and not (text.endswith(":") and not text[0].isdigit()):
            return False
        line.quantity, line.tags, line.notes = 0, [], []
        self._begin(line, "deck", int(counted[1]) if counted else None)
        return True

    def _resolve(self, line: Line, words: _Words, bases_only: bool) -> None:
        """Find the card: by set and number, else by its whole name, else by a title that only it has."""
        found = self._named(words.name, line.part, bases_only)
        if words.printing:
            self._by_printing(line, words, words.printing, found, bases_only)
            return
        if not found and not bases_only:
            found = self._by_id(words.name)
        self._found(line, words, found, bases_only)

    def _named(self, name: str, part: Part, bases_only: bool) -> list[CardDef]:
        """Find what ``name`` can mean; under a heading for bases a base is meant if one has that name."""
        found = self.names.find(name, bases_only=True) if part == "base" else []
        return found if found or bases_only else self.names.find(name)

    def _found(self, line: Line, words: _Words, found: list[CardDef], bases_only: bool) -> None:
        line.cards = [card.id for card in found]
        if len(found) == 1:
            line.kind = "matched"
        elif found:
            line.kind = "ambiguous"
            line.notes.append(f"{len(found)} cards can be meant; write title and subtitle, or pick one.")
        else:
            line.kind, line.cards = "unknown", self.names.suggest(words.name, bases_only)
            line.notes.append("There is no base of this name." if bases_only else "There is no card of this name.")

    def _by_printing(
        self, line: Line, words: _Words, printing: tuple[str, int | None], found: list[CardDef], bases_only: bool
    ) -> None:
        """Let the printing decide, unless it contradicts the name: then both are candidates."""
        code, number = printing[0].casefold(), printing[1]
        shown = f"({code.upper()})" if number is None else f"({code.upper()}) {number}"
        if number is None:
            printed = [card for card in found if code in self.names.sets.get(card.id, ())]
        else:
            card_id = self.names.by_printing.get((code, number), "")
            printed = [self.names.catalog[card_id]] if card_id else []
        if bases_only and any(card.type != "base" for card in printed):
            line.notes.append(f"{shown} is {printed[0].name}, which is not a base.")
            printed = []
        if printed and (not words.name or printed[0] in found):
            self._found(line, words, printed, bases_only)
        elif not printed and not found:
            line.notes.append(f"There is no printing {shown}.")
            self._found(line, words, [], bases_only)
        else:
            said = f"{shown} is {printed[0].name}" if printed else f"No card of this name is printed as {shown}"
            line.kind = "ambiguous"
            line.notes.append(f"{said}: name and printing have to agree.")
            near = [] if found else self.names.suggest(words.name, bases_only)
            line.cards = list(dict.fromkeys([card.id for card in found + printed] + near))

    def _by_id(self, name: str) -> list[CardDef]:
        """Find a card by the id of one of its printings, for lists that hold nothing better."""
        code, _, number = name.rpartition("-")
        if not re.fullmatch("[0-9]{1,4}", number):
            return []
        card_id = self.names.by_printing.get((code.casefold(), int(number)))
        return [self.names.catalog[card_id]] if card_id else []

    def _settle(self, line: Line) -> None:
        """Apply a pick to a line that needs one, and add the card of a clear line to the deck."""
        pick = self.picks.get(line.number) if line.kind in UNDECIDED else None
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


def too_long(text: str) -> str:
    """Say in a sentence why ``text`` is too long to be read; "" if it is not."""
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        return f"A deck list may be {MAX_BYTES // 1024} KiB long at most."
    lines = _lines(text)
    if len(lines) > MAX_LINES:
        return f"A deck list may have {MAX_LINES} lines at most; this one has {len(lines)}."
    return ""


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")


def _plain(text: str) -> str:
    """Put a space for every character that is no text: control, surrogate, formatting, other white space."""
    return "".join(c if c.isprintable() else " " for c in text)


def _parse(text: str) -> _Words:
    """Take a line apart by the grammar; raises lark's UnexpectedInput where it has another form."""
    words = _Words()
    named: list[str] = []
    quantities: list[int] = []
    for part in _line.parse(text).children:
        if part is None:
            continue
        if isinstance(part, Token):
            words.sideboard = True
            continue
        tokens = [str(token) for token in part.children]
        if part.data in ("quantity", "times"):
            quantities.append(_number(tokens[0]))
        elif part.data == "name":
            named = tokens
        elif part.data == "printing":
            words.printing = (tokens[0].strip("()"), int(tokens[1]) if len(tokens) > 1 else None)
        elif part.data == "tag":
            _tag(tokens[0][1:], words)
        else:
            words.notes.append(f"{tokens[0]} was ignored.")
    words.name = " ".join(named)
    if quantities:
        words.quantity = quantities[0]
    if len(set(quantities)) > 1:
        words.notes.append(f"Two quantities; the first one, {quantities[0]}, counts.")
    return words


def _tag(tag: str, words: _Words) -> None:
    if not tag or len(tag) > MAX_TAG or len(words.tags) >= MAX_TAGS:
        words.notes.append(
            f"#{tag[:MAX_TAG]} was ignored: a card has up to {MAX_TAGS} tags of up to {MAX_TAG} characters."
        )
    elif tag not in words.tags:
        words.tags.append(tag)


def _number(token: str) -> int:
    """Give the number of "4", "4x" or "x4"; one of many digits is as good as any that is too large."""
    return int(token.strip("xX")[:4])


def _digits(name: str) -> list[str]:
    """Give the numbers in a name: "Raptor 227" and "Raptor 272" differ by more than a slip."""
    return sorted(re.findall("[0-9]+", name))


def _block(heading: str, cards: Iterable[str], counts: Mapping[str, int], deck: DeckList, names: Names) -> list[str]:
    order = sorted(cards, key=lambda card: (names.catalog[card].name if card in names.catalog else "", card))
    if not order:
        return []
    lines = ["", heading]
    for card in order:
        whole, rest = divmod(counts[card], MAX_QUANTITY)
        quantities = [MAX_QUANTITY] * whole + [rest] * bool(rest)
        lines += [f"{quantity} {_written(card, names)}{_written_tags(card, deck)}" for quantity in quantities]
    return lines


def _written(card_id: str, names: Names) -> str:
    if card_id not in names.catalog:
        return card_id
    name, printing = names.catalog[card_id].name, names.first.get(card_id)
    return f"{name} ({printing[0]}) {printing[1]}" if printing else name


def _written_tags(card_id: str, deck: DeckList) -> str:
    return "".join(f" #{tag}" for tag in deck.tags.get(card_id, ()))
