"""What pages show: their words, their tags and whether these are harmless, and how many queries they take."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

PAYLOADS = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    '"><script>alert(1)</script>',
    "' onmouseover='alert(1)",
    "[a](javascript:alert(1))",
    "[a](JaVaScRiPt:alert(1))",
    "[a](java\tscript:alert(1))",
    "[a](&#106;avascript:alert(1))",
    "[a](data:text/html;base64,PHNjcmlwdD4=)",
    "[a](vbscript:x)",
    "[a](//evil.example/x)",
    "[a](/\\evil.example)",
    "<javascript:alert(1)>",
    '[a](https://ok.example "x\\" onclick=alert(1)")',
    '[a](https://ok.example/" onclick="alert(1))',
    "![x](javascript:alert(1))",
    "![x](https://evil.example/pixel.gif)",
    '[[Fury"><script>alert(1)</script>]]',
    "[[<img src=x onerror=alert(1)>]]",
    '```"><script>alert(1)</script>\ncode\n```',
    "[x]: javascript:alert(1)\n\n[x]",
    "<a href='javascript:alert(1)'>x</a>",
    "<style>*{display:none}</style>",
    "<iframe src=//evil.example></iframe>",
    "<form action=//evil.example><input></form>",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "\u202ereversed\u0000nul",
)
"""What somebody may send into any field for text, so that a browser obeys it."""


def words(response: Any) -> str:
    """What a page says, without its tags."""
    return " ".join(re.sub(r"<[^>]*>", " ", response.content.decode()).split())


def queries(client: Client, url: str) -> int:
    """How many queries a page takes when what does not change is known already."""
    assert client.get(url).status_code == 200
    with CaptureQueriesContext(connection) as asked:
        client.get(url)
    return len(asked)


class Found(HTMLParser):
    """Every tag of a text with its attributes, in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def harmless(page: Any) -> bool:
    """Return whether a page has no scripts, handlers or addresses that it should not have."""
    tags = Found(page.content.decode()).tags
    scripts = [one for tag, one in tags if tag == "script"]
    return (
        all((one.get("src") or "").startswith("/static/") for one in scripts)
        and not any(name.startswith("on") for _, attributes in tags for name in attributes)
        and not any("javascript:" in (one.get("href") or "").lower() for _, one in tags)
        and not {"iframe", "style", "math", "object"} & {tag for tag, _ in tags}
        and all((one.get("action") or "/").startswith("/") for tag, one in tags if tag == "form")
    )
