"""All forms of decks, in the order of menus; pages, API, documents and tests go by this list."""

from __future__ import annotations

from decks.exchange import cockatrice, code, csv_rows, json_form, lackey, markdown, octgn, text, webpage
from decks.exchange.form import GLANCE, Form, FormError, Reader
from decks.lists.deck_list import DeckList, clean_name
from decks.lists.names import Names

MAX_FILE = 192 * 1024
"""Bytes of a file that are looked at: a deck of 250 cards, the most that is played, has less in the wordiest form."""

FORMS: tuple[Form, ...] = (
    text.FORM, code.FORM, json_form.FORM, octgn.FORM, lackey.FORM, cockatrice.FORM, csv_rows.FORM, markdown.FORM,
)  # fmt: skip
BY_CODE = {form.code: form for form in FORMS}
READERS: tuple[Reader, ...] = (*(form.reader for form in FORMS if form.reader), webpage.READER)
"""Forms that are found by looking at a text; all else is taken for the text form, which reads tables and Markdown."""


def reader_of(text: str) -> Reader | None:
    """Return what reads the form that ``text`` seems to be in; None for the text form and what comes near to it."""
    glance = text.lstrip("\ufeff \t\r\n")[:GLANCE]
    return next((reader for reader in READERS if reader.seems(glance)), None)


def to_text(pasted: str, names: Names) -> tuple[str, str]:
    """Return the text form of whatever was pasted or uploaded, and what form that was in, "" if it was that one.

    Raises FormError where it seems to be of a form and cannot be read, or is too long to be looked at.
    """
    if len(pasted) > MAX_FILE:
        raise FormError(f"A deck may be {MAX_FILE // 1024} KiB long at most, in any form.")
    reader = reader_of(pasted)
    if reader is None:
        return pasted, ""
    return reader.to_text(pasted.lstrip("\ufeff").strip(), names), reader.name


def text_of_file(content: bytes) -> str:
    """Return what a file says; raises FormError for what is no text, or longer than a deck can be."""
    if len(content) > MAX_FILE:
        raise FormError(f"A deck may be {MAX_FILE // 1024} KiB long at most, in any form.")
    wide = content[:2] in (b"\xff\xfe", b"\xfe\xff")
    try:
        read = content.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError:
        raise FormError("This file is not text in UTF-8. Save it as UTF-8, or paste what is in it.") from None
    if "\0" in read:
        raise FormError("This file is not text.")
    return read


def file_name(deck: DeckList, form: Form) -> str:
    """Return the name of the file in which ``deck`` is kept, in letters that every system takes."""
    words = "".join(sign if sign.isascii() and sign.isalnum() else " " for sign in clean_name(deck.name)).split()
    return f"{'-'.join(words).lower() or 'deck'}.{form.extension}"
