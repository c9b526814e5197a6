"""Pieces of web pages, as people copy them: the text of a list, a line for each item, row or paragraph."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from decks.exchange.form import Reader
from decks.lists.names import Names

_LINES = {
    *("p", "div", "li", "ul", "ol", "tr", "br", "table", "h1", "h2", "h3", "h4", "h5", "h6", "section", "dt", "dd"),
    *("pre", "blockquote", "article", "title"),
}
_STRUCK = {"s", "del", "strike"}
_MARK = "~~"
"""Stands around what is struck out: it means something, and whoever reads the list has to say what."""
_SILENT = {"script", "style", "head", "template", "noscript"}
_BEGINS = re.compile(
    r"<(?:!doctype html|html|body|ul|ol|li|table|tbody|tr|p|div|br|pre|h[1-6]|section|span)[\s>/]", re.IGNORECASE
)
_BROKEN_LINE = re.compile(r"[^\r\n]*<br ?/?>[^\r\n]*\s*", re.IGNORECASE)
"""All lines of a list in one of the source."""


class _Text(HTMLParser):
    """Collects what a page says, in lines."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._silent = 0
        self._kept = 0
        self._struck = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        """Begin a line where the page begins one."""
        self._silent += tag in _SILENT
        self._kept += tag == "pre"
        if tag in _LINES:
            self.parts.append(self._line_end)
        elif tag in ("td", "th"):
            self.parts.append("\t")
        elif tag in _STRUCK:
            self._struck += 1
            self.parts.append(_MARK)

    def handle_endtag(self, tag: str) -> None:
        """End a line where the page ends one."""
        self._silent -= tag in _SILENT and self._silent > 0
        self._kept -= tag == "pre" and self._kept > 0
        if tag in _LINES:
            self.parts.append(self._line_end)
        elif tag in _STRUCK:
            self._struck -= self._struck > 0
            self.parts.append(_MARK)

    def handle_data(self, data: str) -> None:
        """Take in text; line ends of the source mean nothing, but in what is set as it is."""
        if not self._silent:
            said = data if self._kept else re.sub(r"\s+", " ", data)
            self.parts.append(said.replace("\n", self._line_end))

    @property
    def _line_end(self) -> str:
        """What is struck out is so on each of its lines."""
        return f"{_MARK}\n{_MARK}" if self._struck else "\n"


def to_text(text: str, names: Names) -> str:
    """Return what a piece of a web page says, as lines without blank ones."""
    page = _Text()
    page.feed(text)
    page.close()
    lines = (_line(line) for line in "".join(page.parts).split("\n"))
    return "\n".join(line for line in lines if line.replace(_MARK, "")) + "\n"


def _line(said: str) -> str:
    """Return a line in single spaces, with a tab between the cells of a table."""
    cells = [" ".join(cell.split()) for cell in said.split("\t")]
    return "\t".join(cells if cells[0] else cells[1:]).rstrip("\t")


def _seems(glance: str) -> bool:
    return bool(_BEGINS.match(glance) or _BROKEN_LINE.fullmatch(glance))


READER = Reader(name="a web page", seems=_seems, to_text=to_text)
