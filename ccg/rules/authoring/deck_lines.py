"""Lines of deck lists: what one line says by its form alone, before any card is looked up.

Deck lists are read by :mod:`decks.lists.textlist`, which knows the cards; what must not depend on the cards stands
here, so that the importer can ask the same reader whether a deck list would carry a new card's name
(:func:`misread`). Forms are peeled off both ends of a line, and what is left is the name: a number at its end
belongs to it ("Name 227"), a number in front of it never does.

Nothing is left out silently. What is ignored has a note, and a sign that could mean something ("~~", "∞")
makes the line unreadable instead of being passed over.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Container
from itertools import groupby
from typing import Literal, NamedTuple

from msgspec import Struct, field

from ccg.rules.authoring.names import NAME_SIGNS, is_latin
from ccg.rules.cards.definitions import fold

MAX_TAGS = 8
MAX_TAG = 32
MOST_NESTED = 5
"""How deep tags of forums are looked for in one another."""

Part = Literal["deck", "base", "considering"]

HEADINGS: dict[str, Part] = {
    **dict.fromkeys(("base", "bases", "basis", "leader", "commander", "identity"), "base"),
    **dict.fromkeys(("considering", "considered", "consider", "maybe", "maybeboard", "maybe board"), "considering"),
    **dict.fromkeys(("sideboard", "side board", "side", "sidedeck", "side deck", "nodeck"), "considering"),
    **dict.fromkeys(("wishlist", "wish list", "acquireboard", "removed", "cuts", "not in deck", "sb"), "considering"),
    **dict.fromkeys(("beilage", "vielleicht", "peut etre", "banquillo", "quizas", "tal vez"), "considering"),
    **dict.fromkeys(
        ("reserve", "reserva", "riserva"), "considering"
    ),  # what a sideboard is called in Romance languages
    **dict.fromkeys(("deck", "main", "maindeck", "mainboard", "main board", "main deck", "cards", "decklist"), "deck"),
    **dict.fromkeys(("personnel", "ship", "ships", "event", "events", "mission", "missions", "units"), "deck"),
    **dict.fromkeys(("events and missions", "missions and events", "personnel and ships"), "deck"),
}
"""Words that alone on a line begin a section, and where its cards belong."""

_ASIDE = frozenset(("sideboard", "sidedeck", "maybeboard", "maybe", "considering", "wishlist", "beilage", "banquillo"))
"""Words that make any heading one of cards that are not in the deck: "My sideboard (4)"."""

_ABOUT_THE_DECK = frozenset((
    "author", "creator", "created by", "made by", "by", "player", "date", "created", "updated", "last updated",
    "description", "note", "notes", "comment", "comments", "source", "url", "link", "tournament", "archetype",
))  # fmt: skip
"""Labels of what a list says about itself, which is no card: "Author: somebody"."""

COLUMNS: dict[str, str] = {
    **dict.fromkeys(("quantity", "qty", "count", "amount", "copies", "how many"), "quantity"),
    **dict.fromkeys(("anzahl", "menge", "quantite", "cantidad", "quantita", "quantidade", "aantal"), "quantity"),
    **dict.fromkeys(("name", "card", "card name", "cardname", "full name"), "name"),
    **dict.fromkeys(("karte", "kartenname", "nom", "carte", "nombre", "nome", "carta", "naam", "kaart"), "name"),
    **dict.fromkeys(("title",), "title"),
    **dict.fromkeys(("subtitle", "sub title"), "subtitle"),
    **dict.fromkeys(("set", "set code", "setcode", "edition", "expansion", "edition code"), "set"),
    **dict.fromkeys(
        ("number", "no", "num", "collector", "collector number", "collectors number", "card number", "cn"), "number"
    ),
    **dict.fromkeys(("id", "card id", "printing"), "id"),
    **dict.fromkeys(("section", "board", "category", "zone", "part", "list"), "section"),
    **dict.fromkeys(("sideboarded", "sideboard", "maybeboard"), "sideboarded"),
    **dict.fromkeys(("tag", "tags"), "tags"),
}
"""Titles of the columns of a table, and what they mean here."""

_TIMES = "xX*×✕✖⨯ｘＸхХ"
_SET = r"(?=[A-Za-z0-9]*[A-Za-z])[A-Za-z0-9]{1,10}"
_FRONTS = tuple(
    re.compile(form)
    for form in (
        rf"(\d+)[{_TIMES}]? (?:(?:copies|copy) )?of ",  # 4 copies of Name
        rf"(\d+)[{_TIMES}](?: |(?=\S))",  # 4x Name, 4xName
        rf"(\d+) [{_TIMES}] ",  # 4 x Name
        rf"[{_TIMES}](\d+)[:.)]? ",  # x4 Name
        rf"[(\[][{_TIMES}]?(\d+)[{_TIMES}]?[)\]] ?(?=\S)",  # (4) Name, [4x] Name
    )
)
_COUNTED = re.compile(r"(\d+)(?:([).]) ?(?=[^\d ])|[:,;|] ?(?=[^\d ])| [-\u2013\u2014:|] (?=\S)| )")
_NUMBERED = re.compile(r"(\d+)[).](?: |(?=[^\d ]))")
_NUMBER_OF_LINE = re.compile(r"(\d+)(?:[).:,;|] ?| [-\u2013\u2014:|] )(?=[^\d ])|[(\[](\d+)[)\]] ?(?=[^\d ])")
_SIGNED = re.compile(r"[-+\u2212\u2013\u2014] ?\d")
_LABEL = re.compile(r"(?:\*\*|__)?([A-Za-z][A-Za-z ]{0,19})(?:\*\*|__)?:(?:\*\*|__)?(.*)")
_BULLET = re.compile(r"(?:> ?)*(?:[-*•·‣▪●◦○■\u2013] )?(?:(?:\[[ xX]?\]|[☐☑]) )?")
_KEYCAP = re.compile("(\\d)\ufe0f?\u20e3")
_HEAD = re.compile(r"(?:[^#]|(?<=&)#)*")
_ENTITY = re.compile(r"&#?[A-Za-z0-9]{1,8};")
_ADDRESS = r"<?(?:https?://|www\.|/|\.{1,2}/|#)(?:[^\s()]|\([^\s()]*\))*>?"
_LINK = re.compile(rf"!?\[([^\[\]]+)\]\({_ADDRESS}(?: [\"'][^\"']*[\"'])?\)|\[\[([^\[\]|]+)\]\]")
_ATTRIBUTES = r"(?:\s[^<>]*)?/?>"
_INLINE_TAG = re.compile(rf"</?(?:a|b|big|code|em|font|i|mark|small|span|strong|tt|u){_ATTRIBUTES}", re.IGNORECASE)
_BLOCK_TAG = rf"</?(?:br|dd|div|dl|dt|h[1-6]|hr|li|ol|p|pre|section|table|tbody|td|th|thead|tr|ul){_ATTRIBUTES}"
_BLOCK_TAGS_IN_FRONT = re.compile(rf"(?:\s*{_BLOCK_TAG})+\s*", re.IGNORECASE)
_BLOCK_TAGS_BEHIND = re.compile(rf"{_BLOCK_TAG}(?:\s*{_BLOCK_TAG})*\s*$", re.IGNORECASE)
_EMPHASIS = re.compile(r"(\*\*|__|`)(?=\S)(.+?)(?<=\S)\1")
_TAIL_QUANTITY = re.compile(rf"[{_TIMES}](\d+)|(\d+)[{_TIMES}]")
_IN_BRACKETS = re.compile(rf"[{_TIMES}]?(\d{{1,20}})(?:[{_TIMES}]| copies| copy)?")
_PRINTED = re.compile(rf"({_SET})([-:/ ]) ?#?(\d{{1,4}})")
_PRINTING_IN_FRONT = re.compile(rf"[(\[]({_SET})(?:[-:/ ]#?(\d{{1,4}}))?[)\]] (?=[^\d#])")
_SET_IN_FRONT = re.compile(rf"[(\[]({_SET})[)\]] (\d{{1,4}})([{_TIMES}])? (?=[^\d#{_TIMES}])")
_PRINTING_BEHIND = re.compile(rf"[(\[]({_SET})[)\]] ?#?(\d{{1,4}})([A-Za-z★]?(?: F)?)$")
_BARE_PRINTING = re.compile(rf"(?:(.*) )?({_SET})[- ]#?(\d{{1,4}})")
_BARE_IN_FRONT = re.compile(rf"({_SET})-(\d{{1,4}}) (.+)")
_COUNTED_BEHIND = re.compile(r"(.*[^ :\u2013\u2014-])(?: ?: ?| [-\u2013\u2014] )(\d{1,4})")
_COMMENT = re.compile(r"(?:^| )//.*")
_MONEY = r"(?:(?:US)?[$€£¥] ?\d+(?:[.,]\d+)*|\d+(?:[.,]\d+)* ?(?:[$€£¥]|USD|EUR|GBP|tix))"
_PRICE = re.compile(rf"(?: [-@\u2013\u2014:])? (\({_MONEY}(?: each| ea\.?)?\)|{_MONEY}(?: each| ea\.?)?)$")
_ALL_CARDS = r"(?:total|deck size|card count|number of cards|cards in (?:all|total|deck))"
_TOTAL = re.compile(
    rf"{_ALL_CARDS}(?: (?:cards|deck|main deck|mainboard))?(?: (\d{{1,4}})(?: cards)?)?"
    r"|(\d{1,4}) cards(?: in (?:all|total|deck)| total)?"
)
_IN_MONEY = re.compile(rf"{_ALL_CARDS}(?: price| value| cost)?(?: ?[:=])? {_MONEY}", re.IGNORECASE)
_BB_LOOKS = "b|i|u|color|colour|size|font|center|left|right|code|quote|spoiler"
_BB_FRAMES = r"list|ul|ol|\*|table|tbody|deck|decklist"
_BB_PAIR = re.compile(
    rf"\[({_BB_LOOKS}|c|cards?|mtgcard|url|align|h[1-6])(?:[= ][^\[\]]*)?\](.*?)\[/\1\]", re.IGNORECASE
)
_BB_CELL = re.compile(r"\[/?(?:td|th|tr|li)\]", re.IGNORECASE)
_BB_ALONE = rf"(?:{_BB_LOOKS}|{_BB_FRAMES})"
_BB_TAGS = re.compile(rf"\[/{_BB_ALONE}\]|\[{_BB_ALONE}[= ][^\[\]]*\]|^(?:\[{_BB_ALONE}\] ?)+", re.IGNORECASE)
_BB_PICTURE = re.compile(r"\[img[^\[\]]*\][^\[\]]*\[/img\]", re.IGNORECASE)
_ESCAPED = re.compile(r"\\([*_.()\[\]+>-])|\\$")
_TAGS = re.compile(r" #(?!\d+\\?$)")
_COLOURED = re.compile(r" \^[^^,#]{1,40},#[0-9A-Fa-f]{3,8}\^")
_FOIL = re.compile(r"\*[A-Za-z]{1,8}\*")
_WRAPPERS = ("**", "__", "*", "_", "`", '"', "'")
_OPENING = {")": "(", "]": "[", "}": "{", "^": "^"}
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3001: ","}
"""The signs of ASCII as they are written between Chinese and Japanese letters, and the comma that is used there."""
_HYPHENS = dict.fromkeys((0x2010, 0x2011, 0x2212), ord("-"))
"""What other programs put in the place of the hyphen of a name."""
_OVERLAY = 1
"""The combining class of marks across a letter: the name is struck out with them, as in "F\u0336ury"."""
_TURNING = "\u202d\u202e"
_QUOTES = frozenset("\u2018\u201c\u201d\u201e`\u00b4\u00b7")
_FIRST = frozenset(".\u2026'\u2019\"(") | _QUOTES


class Words(Struct, kw_only=True):
    """One line, taken apart. ``wrong`` says why it is no card's; ``foreign`` is a letter that is in no name.

    ``part`` is where the line itself says that the card belongs, ``numbering`` what may be its number in a list,
    ``ordinal`` the same as it is written where that is the usual way ("1.", "1)"),
    ``behind_set`` the quantity that may be the number of the card in the set;
    ``quantities`` are all that stand on the line, from left to right, of which ``quantity`` is the one that counts.
    """

    quantity: int = 1
    quantities: list[int] = field(default_factory=list)
    name: str = ""
    printing: tuple[str, int | None] | None = None
    tags: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    part: Part | None = None
    numbering: int | None = None
    ordinal: str = ""
    behind_set: int | None = None
    foreign: str = ""
    wrong: str = ""


class Heading(NamedTuple):
    """A heading: where the cards below it belong, and how many it says there are."""

    part: Part
    says: int | None


def heading(text: str) -> Heading | None:
    """Return which section begins with ``text``, if it is one of the known headings, with or without a count."""
    words = fold(text).removesuffix(" cards").split()
    says = next((int(word) for word in (words[:1] + words[-1:]) if word.isdecimal() and len(word) < 4), None)
    label = " ".join(word for word in words if not word.isdecimal())
    part = HEADINGS.get(label) or HEADINGS.get(label.removesuffix(" noprice").removesuffix(" nodeck"))
    return Heading(part, says) if part else None


def stands_aside(text: str) -> bool:
    """Return whether a heading of somebody's own, such as "My sideboard (4)", is one of cards not in the deck."""
    return not _ASIDE.isdisjoint(fold(text).split())


def labelled(text: str) -> tuple[str, str]:
    """Return the label and the rest of "Base: Name"; the label is "" where there is none that means something.

    Labels are ``format``, ``base``, ``name``, ``about`` (what a list says about itself), and those of sections, for a
    card beside one ("Sideboard: 2 Name").
    """
    found = _LABEL.fullmatch(text)
    if not found:
        return "", text
    label, rest = fold(found[1]), found[2].strip()
    if not rest and label not in ("format", "name", "title"):
        return "", text
    if label in ("name", "title", "deck name", "decklist name") or (label == "deck" and not rest[0].isdigit()):
        return "name", rest
    if HEADINGS.get(label) == "base":
        return "base", rest
    if label in _ABOUT_THE_DECK:
        return "about", rest
    return (label, rest) if label == "format" or label in HEADINGS else ("", text)


def total(text: str) -> int | None:
    """Return how many cards a list says that it has in all, as in "Total: 60" or "(60 cards)"; None if it does not.

    It is 0 where that is told in money.
    """
    if _IN_MONEY.fullmatch(text):
        return 0
    found = _TOTAL.fullmatch(fold(text))
    return int(found[1] or found[2] or 0) if found and (found[1] or found[2]) else None


def columns(fields: list[str]) -> list[str]:
    """Return what each column means if ``fields`` are the titles of a table, else nothing; "" is a column of no use.

    A table has names (or ids, or sets with numbers), and at least two columns that are known.
    """
    found = [COLUMNS.get(fold(one) if one.strip() != "#" else "number", "") for one in fields]
    if found.count("set") > 1:  # "Set" is then the name of the set, and "Set Code" is what we know
        found = [
            "" if known == "set" and "code" not in fold(one) else known
            for one, known in zip(fields, found, strict=True)
        ]
    if "quantity" not in found and "set" not in found and found.count("number") == 1:
        found[found.index("number")] = "quantity"
    named = {"name", "title", "subtitle", "id"} & set(found) or {"set", "number"} <= set(found)
    known = [one for one in found if one]
    return found if named and len(known) > 1 and len(known) == len(set(known)) else []


def take_apart(text: str, codes: Container[str] = frozenset()) -> Words:
    """Return what a line for a card says; ``codes`` are those of known sets, in lower case."""
    words = Words()
    text, coloured = _COLOURED.subn("", _COMMENT.sub("", text))
    if coloured:
        words.notes.append("A coloured mark was ignored.")
    words.numbering = number_of_line(text)
    head = _HEAD.match(text)[0]  # type: ignore[index]
    rest = _lead(_unwrapped(numerals(without_markup(head)).translate(_HYPHENS) + text[len(head) :]), words)
    rest = _set_in_front(rest, words, codes) if not words.quantities else _printing_in_front(rest, words, codes)
    rest = _tail(rest, words, codes)
    words.name = _unwrapped(rest)
    _number_in_front(words)
    if words.quantities:
        words.quantity = words.quantities[0]
    if len(set(words.quantities)) > 1:
        words.notes.append(f"Two quantities; the first one, {words.quantity}, counts.")
    if not words.wrong:
        _judge(words)
    return words


def bare_printing(name: str, codes: Container[str]) -> tuple[str, tuple[str, int]] | None:
    """Return name and printing of "Name SET1-7", "Name SET1 7" or "SET1-7 Name".

    Only for a name that no card has as it stands.
    """
    if (found := _BARE_IN_FRONT.fullmatch(name)) and found[1].casefold() in codes:
        return found[3], (found[1], int(found[2]))
    found = _BARE_PRINTING.fullmatch(name)
    if not found or found[2].casefold() not in codes:
        return None
    return (found[1] or "").rstrip(" ,-"), (found[2], int(found[3]))


def counted_behind(name: str) -> tuple[str, int] | None:
    """Return name and quantity of "Name - 4" or "Name: 4": only for a name that no card has as it stands."""
    found = _COUNTED_BEHIND.fullmatch(name)
    return (found[1], _number(found[2])) if found else None


def is_quantity(field: str) -> bool:
    """Return whether the field of a table is a quantity by its form: "4", "4x", "x4"."""
    return bool(_IN_BRACKETS.fullmatch(numerals(field)))


def without_markup(text: str) -> str:
    """Return ``text`` without what only makes it look good: "**4** Name", "4&nbsp;Name"; a keycap is "(4)"."""
    if "&" in text:
        text = _ENTITY.sub(lambda found: html.unescape(found[0]).replace("\xa0", " "), text)
    text = _EMPHASIS.sub(r"\2", text)
    return text if text.isascii() else _KEYCAP.sub(r"(\1)", text)


def as_it_looks(text: str) -> str:
    """Return ``text`` without signs that nobody sees; those of full width ("4\uff0cName") are the usual ones."""
    if text.isascii():
        return text
    return "".join(sign for sign in text.translate(_FULL_WIDTH) if unicodedata.category(sign) != "Cf")


def is_turned(text: str) -> bool:
    """Return whether signs in ``text`` turn it round, so that 21 would look like 12."""
    return any(sign in text for sign in _TURNING)


def without_bbcode(text: str) -> str:
    """Return ``text`` without the tags of forums that only make it look good: "[b]4x[/b] [card]Name[/card]".

    What strikes out stays, as it means something.
    """
    if "[" not in text:
        return text
    text = _BB_CELL.sub(" ", _BB_PICTURE.sub("", text))
    for _ in range(MOST_NESTED):
        text, pairs = _BB_PAIR.subn(r"\2", text)
        if not pairs:
            break
    return _BB_TAGS.sub("", text).strip()


def without_escapes(text: str) -> str:
    """Return ``text`` without the backslashes that keep signs from being Markdown, or end a line: "\\* 4 Name".

    Tags behind the name stay as they are.
    """
    if "\\" not in text:
        return text
    tags = _TAGS.search(text)
    head = text[: tags.start()] if tags else text
    return _ESCAPED.sub(r"\1", head) + text[len(head) :]


def without_tags(text: str) -> str:
    """Return ``text`` without the tags of HTML that only make it look good: "<li>4 <b>Name</b></li>".

    What strikes out stays, as it means something, and so do blocks within a line: those are several lines.
    """
    if "<" not in text:
        return text
    text = _INLINE_TAG.sub("", text)
    if front := _BLOCK_TAGS_IN_FRONT.match(text):
        text = text[front.end() :]
    return _BLOCK_TAGS_BEHIND.sub("", text)


def without_links(text: str) -> str:
    """Return ``text`` with the words of links in place of them: "4 [Name](https://...)", "4 [[Name]]"."""
    return _LINK.sub(lambda found: found[1] or found[2], text) if "[" in text else text


def table_words(quantity: str | None, name: str) -> Words:
    """Return the words of a row of a table, whose fields say by themselves what they are."""
    words = Words(name=_unwrapped(numerals(name.strip()).translate(_HYPHENS)))
    if quantity is not None:
        bracketed = _IN_BRACKETS.fullmatch(numerals(quantity.strip()))
        words.quantity = _number(bracketed[1]) if bracketed else 0
        words.quantities = [words.quantity]
    if words.name:
        _judge(words)
    return words


def misread(name: str) -> str:
    """Return how a deck list would read the card's name ``name`` otherwise than as that name; "" if it would not.

    A name is good when the reader gives exactly it back, whether it stands alone or in the form in which
    decks are written.
    """
    if heading(name):
        return "the heading of a section"
    if columns(name.split(",")) or columns(name.split(";")):
        return "the titles of a table"
    if name.startswith("#"):
        return "the name of a deck"
    if total(name) is not None:
        return "how many cards there are"
    if labelled(name)[0]:
        return f"something else after {name.partition(':')[0]!r}"
    for line, quantity in ((name, 1), (f"47 {name}", 47), (f"{name} x47", 47), (f"47 {name} (ZZ9) 7 #tag", 47)):
        words = take_apart(line, _EveryCode())
        reading = _read_as(words, name, quantity, ("ZZ9", 7) if "ZZ9" in line else None)
        if reading:
            return reading
    return ""


def numerals(text: str) -> str:
    """Return ``text`` with the whole numbers of all scripts and shapes as digits: "➍" and "٤" are 4.

    Only digits that make up numbers together stand side by side: "4²" is no 42, and stays as it is.
    """
    if text.isascii():
        return text
    runs = ((is_numeral, "".join(signs)) for is_numeral, signs in groupby(text, _is_numeral))
    return "".join(_number_in_digits(run) if is_numeral else run for is_numeral, run in runs)


def number_of_line(text: str) -> int | None:
    """Return the number that may count the line in "1) Name", "1: Name", "1 - Name", "(1) Name" or "\u2460 Name".

    Whether it is one, or a quantity, only the lines around it can tell.
    """
    text = without_markup(text)
    text = text[_BULLET.match(text).end() :].removeprefix("|").lstrip()  # type: ignore[union-attr]
    first = numerals(text[:1])
    if first != text[:1] and unicodedata.category(text[0]) == "No":
        return None if text[1:2].isnumeric() else int(first)
    found = _NUMBER_OF_LINE.match(numerals(text))
    return _number(found[1] or found[2]) if found else None


def tagged(tags: list[str], words: Words) -> None:
    """Give ``tags`` to the line, as many and as long as a card may have."""
    for tag in tags:
        if not tag or len(tag) > MAX_TAG or len(words.tags) >= MAX_TAGS:
            words.notes.append(
                f"#{tag[:MAX_TAG]} was ignored: a card has up to {MAX_TAGS} tags of up to {MAX_TAG} characters."
            )
        elif tag not in words.tags:
            words.tags.append(tag)


# --- inside -------------------------------------------------------------------------------------------


class _EveryCode:
    """Codes of sets that there may be one day."""

    def __contains__(self, code: object) -> bool:
        return True


def _read_as(words: Words, name: str, quantity: int, printing: tuple[str, int] | None) -> str:
    if words.wrong or words.foreign:
        return "no card at all"
    if words.quantity != quantity:
        return f"{words.quantity} of {words.name!r}" if words.name in name else f"the quantity {words.quantity}"
    if words.printing != printing:
        return f"{words.name!r} with a set and number"
    if words.tags not in ([], ["tag"]):
        return f"{words.name!r} with the tag #{words.tags[0]}"
    return "" if fold(words.name) == fold(name) else f"{words.name!r}"


def _is_numeral(sign: str) -> bool:
    return unicodedata.category(sign) in ("Nd", "No")


def _number_in_digits(signs: str) -> str:
    """Return a run of numerals in ASCII digits; as it is if one of them is a number by itself beside others."""
    if len(signs) > 1 and not signs.isdecimal():
        return signs
    number = [unicodedata.numeric(sign) for sign in signs]
    return "".join(str(int(one)) for one in number) if all(one >= 0 and one == int(one) for one in number) else signs


def _unwrapped(text: str) -> str:
    """Return ``text`` without the marks of emphasis or quotation that stand around all of it."""
    for mark in _WRAPPERS:
        inside = text[len(mark) : -len(mark)]
        if len(text) > 2 * len(mark) and text.startswith(mark) and text.endswith(mark) and mark not in inside:
            if mark == "*" and _FOIL.fullmatch(text):
                return text
            return inside.strip()
    return text


def _lead(text: str, words: Words) -> str:
    """Take bullet, section and quantity from the front of a line."""
    text = text[_BULLET.match(text).end() :]  # type: ignore[union-attr]
    label, rest = labelled(text)
    if label in HEADINGS:
        words.part = HEADINGS[label]
        if words.part == "considering":
            words.notes.append(f"{text.partition(':')[0].strip('*_')}: was read as Considering: not part of the deck.")
        text = rest
    for form in _FRONTS:
        if found := form.match(text):
            words.quantities.append(_number(found[1]))
            return text[found.end() :].lstrip()
    if numbered := _NUMBERED.match(text):
        behind = _quantity_behind(text[numbered.end() :], words)
        if behind is not None:
            words.notes.append(f"{numbered[0].strip()} was taken for the number of the line.")
            return behind
    if found := _COUNTED.match(text):
        words.quantities.append(_number(found[1]))
        if found[2]:
            words.ordinal = found[0].strip()
            words.notes.append(f"{words.ordinal} was read as the quantity.")
        return text[found.end() :].lstrip()
    if _SIGNED.match(text):
        words.wrong = "A number with + or - in front is a change of a deck, not a quantity; write 4 and the name."
    return text


def _number_in_front(words: Words) -> None:
    """Take "1." or "1)" in front of "Name x4" for the number of the line: somebody who counts lines says more."""
    number = words.ordinal
    if number and len(words.quantities) > 1:
        del words.quantities[0]
        words.numbering = None
        words.notes.remove(f"{number} was read as the quantity.")
        words.notes.append(f"{number} was taken for the number of the line.")


def _quantity_behind(text: str, words: Words) -> str | None:
    """Take a quantity from ``text``, which follows the number of a line; None if there is none."""
    for form in (*_FRONTS, re.compile(r"(\d+) ")):
        if found := form.match(text):
            words.quantities.append(_number(found[1]))
            return text[found.end() :].lstrip()
    return None


def _printing_in_front(text: str, words: Words, codes: Container[str]) -> str:
    """Take "[BSG1:136]" or "(BSG1)" from between the quantity and the name."""
    found = _PRINTING_IN_FRONT.match(text)
    if not found or (found[2] is None and found[1].casefold() not in codes):
        return text
    words.printing = (found[1], int(found[2]) if found[2] else None)
    return text[found.end() :]


def _set_in_front(text: str, words: Words, codes: Container[str]) -> str:
    """Take "[SET1] 4x" from the front; where the x is missing, 4 may be a number of the set as well."""
    found = _SET_IN_FRONT.match(text)
    if not found or found[1].casefold() not in codes:
        return _printing_in_front(text, words, codes)
    words.printing = (found[1], None)
    words.quantities.append(_number(found[2]))
    words.behind_set = None if found[3] else words.quantities[0]
    return text[found.end() :]


def _tail(text: str, words: Words, codes: Container[str]) -> str:
    """Take tags, printing, quantity and marks of other sites from the end of a line, as often as there are any."""
    tags: list[str] = []
    front = len(words.quantities)
    while text:
        rest = _printing_off(text, words)
        if rest is None:
            rest = _price_off(text, words)
        if rest is None:
            rest = _tag_off(text, tags)
        if rest is None:
            rest = _quantity_off(text, words, front)
        if rest is None:
            rest = _mark_off(text, words, codes, front)
        if rest is None:
            break
        text = rest.rstrip()
    tagged(tags[::-1], words)
    return text


def _price_off(text: str, words: Words) -> str | None:
    found = _PRICE.search(text[-40:])
    if not found or len(found[0]) == len(text):
        return None
    words.notes.append(f"The price {found[1]} was ignored.")
    return text[: -len(found[0])]


def _tag_off(text: str, tags: list[str]) -> str | None:
    place = text.rfind("#")
    if place < 0 or " " in text[place:]:
        return None
    tags.append(text[place + 1 :])
    return text[:place].rstrip()


def _quantity_off(text: str, words: Words, place: int) -> str | None:
    rest, _, last = text.rpartition(" ")
    if not rest:
        return None
    if found := _TAIL_QUANTITY.fullmatch(numerals(last)):
        words.quantities.insert(place, _number(found[1] or found[2]))
        return rest
    before, _, sign = rest.rpartition(" ")
    if before and last.isdecimal() and sign in _TIMES:
        words.quantities.insert(place, _number(numerals(last)))
        return before
    if before and last in _TIMES and sign.isdecimal() and sign.isascii():
        words.quantities.insert(place, _number(sign))
        return before
    return None


def _printing_off(text: str, words: Words) -> str | None:
    """Take "(BSG1) 136", "[BSG1] #136" or "(BSG1) 136 F" from the end.

    What stands behind the number may make it another printing, so it is ignored only where a name says which card.
    """
    found = _PRINTING_BEHIND.search(text[-24:])
    if not found or words.printing is not None:
        return None
    rest = text[: -len(found[0])]
    if found[3]:
        if not rest.strip():
            return None
        words.notes.append(f"{found[3].strip()} behind the number {found[2]} was ignored.")
    words.printing = (found[1], int(found[2]))
    return rest


def _mark_off(text: str, words: Words, codes: Container[str], place_of_quantity: int) -> str | None:
    """Take what stands in brackets from the end: a printing, a quantity, a section, or what other sites add."""
    last = text.rpartition(" ")[2]
    if _FOIL.fullmatch(last):
        words.notes.append(f"{last} was ignored.")
        return text[: -len(last)]
    opening = _OPENING.get(text[-1])
    place = text.rfind(opening, 0, -1) if opening else -1
    if place < 0:
        return None
    mark, inside, rest = text[place:], text[place + 1 : -1].strip(), text[:place]
    if quantity := _IN_BRACKETS.fullmatch(numerals(inside)):
        if not rest.strip():
            return None
        words.quantities.insert(place_of_quantity, _number(quantity[1]))
        if inside.isdecimal():
            words.notes.append(f"{mark} was read as the quantity.")
        return rest
    printed = _PRINTED.fullmatch(inside)
    if printed and words.printing is None and (printed[2] != " " or printed[1].casefold() in codes):
        words.printing = (printed[1], int(printed[3]))
        return rest
    if HEADINGS.get(fold(inside)) == "base" and inside.casefold() not in codes:
        words.part = "base"
        return rest
    is_set = re.fullmatch(_SET, inside) and words.printing is None
    if is_set and (opening == "(" or inside.casefold() in codes):
        words.printing = (inside, None)
        return rest
    if opening == "(" or any(sign.isnumeric() for sign in inside):
        return None  # a number that is none of these could be a quantity
    if any(HEADINGS.get(fold(one)) == "considering" for one in re.split(r"[,{}\[\]]", inside)):
        words.part = "considering"
        words.notes.append(f"{mark} was read as Considering: not part of the deck.")
    else:
        words.notes.append(f"{mark} was ignored.")
    return rest


def _judge(words: Words) -> None:
    """Find what makes a name unreadable: nothing there, or signs that no name has and that could mean something."""
    name = words.name
    if not name.strip():
        words.wrong = "" if words.printing else 'There is no name; a line looks like "4 Name of a Card (BSG1) 164".'
        return
    if not (name[0].isalnum() or name[0] in _FIRST):
        words.wrong = f"A line begins with a quantity or a name, not with {name.split()[0][:20]!r}."
        return
    for sign in name:
        if (sign.isascii() and sign.isalnum()) or sign in NAME_SIGNS or sign in _QUOTES:
            continue
        if unicodedata.combining(sign) > _OVERLAY:
            continue
        if not sign.isalpha():
            words.wrong = f"No card has the sign {sign} (U+{ord(sign):04X}) in its name, and it could mean something."
            return
        if not is_latin(unicodedata.normalize("NFKC", sign)[0]):
            words.foreign = sign


def _number(token: str) -> int:
    """Return the number that ``token`` says; one of many digits is as good as any that is too large."""
    return int(token.lstrip("0")[:4] or "0")
