"""XML as other programs write it, read without anything in it being able to harm us."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from decks.exchange.form import FormError

MAX_DEPTH = 12
_DECLARED = re.compile(r"\s*<\?xml[^>]*\?>")


def read(text: str, root: str, called: str) -> Element:
    """Return the tree of ``text``, whose outermost element is ``root``.

    Raises FormError, which calls the form ``called``, for what is no XML, has a document type (and so perhaps
    entities), is nested deeper than any deck, or is of another kind.
    """
    try:
        # It is text already: an encoding that it declares is of no use, and could be a wrong one.
        tree: Element = fromstring(_DECLARED.sub("", text, count=1), forbid_dtd=True)
    except DefusedXmlException:
        raise FormError(f"A deck of {called} has no document type and no entities; this file is not read.") from None
    except (ParseError, ValueError, RecursionError) as error:
        raise FormError(f"This looks like a deck of {called}, but it is no XML that can be read: {error}.") from None
    if _depth(tree) > MAX_DEPTH:
        raise FormError(f"A deck of {called} is not nested as deep as this file.")
    if tree.tag != root:
        raise FormError(f"A deck of {called} begins with <{root}>, and this file with <{tree.tag[:40]}>.")
    return tree


def seems(glance: str, root: str) -> bool:
    """Return whether a text begins like XML whose outermost element is ``root``."""
    return glance.startswith("<") and bool(re.search(rf"<{root}[\s>/]", glance))


def words_of(element: Element | None) -> str:
    """Return the text in an element, in single spaces; "" for none."""
    return " ".join("".join(element.itertext()).split()) if element is not None else ""


def _depth(tree: Element) -> int:
    """Return how deep a tree is nested, as far as is of interest, without nesting calls as deep."""
    level, depth = [tree], 0
    while level and depth <= MAX_DEPTH:
        level = [child for element in level for child in _children(element)]
        depth += 1
    return depth


def _children(element: Element) -> Iterator[Element]:
    return iter(element)
