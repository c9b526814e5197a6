"""Made-up input: requests and frames as a hostile or broken client would send them, by chance but repeatable."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote, urlencode

ODD_TEXTS = (
    "", " ", "0", "-1", "1", "999999999999999999999", "1e400", "NaN", "null", "true", "é", "\x00", "a\x00b", "\ufeff",
    "\u202e",
    "\ud800", "'", '"', "';--", "<script>", "{{7*7}}", "%s%s%n", "../../etc/passwd", "//evil.example", "javascript:1",
    "(" * 300,
    "a:b", "type:", "power>=", 'text:"', "[" * 40, "NOT " * 80, "OR " * 80, "𝔸" * 50, "1:30", "2026-02-31", "٤",
    "0x10", "\r\nX-A: b", "//[::1", "http://[",
    "[[card:x|y]]", "4 Fury", "# " * 400, "x" * 5000, "1,2,3", "=cmd|' /C'!A0", "\U0001f9d1\u200d\U0001f680", "%",
    "%zz", "+", "&", "=",
)  # fmt: skip
NAMES = (
    "q", "page", "page_size", "since", "next", "deck", "players", "opponents", "computer_deck", "watchable", "text",
    "name", "who",
    "sort", "set", "type", "format", "login", "password", "password1", "username", "email", "display_name", "o", "p",
    "e",
    "id__exact", "state__exact", "seed__startswith", "user__password__regex", "_popup", "_to_field",
    "csrfmiddlewaretoken",
    "action", "_selected_action", "games", "reason", "list", "visibility", "notes", "order", "view", "a__b__c",
    "after", "base", "days", "do", "endings", "hidden", "level", "lifetime", "mail", "move", "played", "pool", "queue",
    "rated",
    "revoke", "scope", "season", "seat", "sees", "show", "shuffle_commitment", "shuffle_words", "tempo", "unless",
    "words",
    "cards", "code", "comments", "folder", "from", "mine", "note", "only", "tags", "to", "toggle", "url", "v", "with",
    "faster",
    "about", "address", "back", "fewer", "more", "query", "seed", "shows", "turns",
)  # fmt: skip
TYPES = (
    "application/x-www-form-urlencoded", "application/json", "multipart/form-data; boundary=x", "multipart/form-data",
    "text/plain",
    "application/x-www-form-urlencoded; charset=utf-16", "application/x-www-form-urlencoded; charset=nothing", "é", "",
    "application/octet-stream",
)  # fmt: skip
HEADERS = (
    ("Accept", "application/xml"), ("Accept", "\x7f"), ("Accept-Language", "x" * 300), ("Range", "bytes=9-1"),
    ("If-None-Match", '"'),
    ("If-Modified-Since", "yesterday"), ("X-Forwarded-For", "a, b"), ("X-Forwarded-Proto", "gopher"),
    ("Cookie", "sessionid=\x01;;=;a"),
    ("Cookie", "sessionid=" + "x" * 3000), ("Authorization", "Basic é"), ("Origin", "null"), ("Referer", "http://["),
    ("Host", "evil.example"), ("Host", "127.0.0.1:99999"), ("Host", "[::1"), ("X-HTTP-Method-Override", "PUT"),
    ("Expect", "x"), ("Daphne-Root-Path", "é"), ("Daphne-Root-Path", "http://evil.example"),
    ("Accept-Encoding", "identity;q=0, *;q=0"), ("Content-Encoding", "gzip"),
)  # fmt: skip
METHODS = ("GET",) * 10 + ("POST",) * 7 + ("HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND")


def text(rng: random.Random) -> str:
    """Return a text that somebody may not have thought of."""
    if rng.random() < 0.7:
        return rng.choice(ODD_TEXTS)
    return "".join(
        chr(rng.choice((rng.randrange(128), rng.randrange(0x3000), rng.randrange(0xD800)))) for _ in range(20)
    )


def encoded(some: str) -> str:
    """Return the text as it stands in an address; what has no encoding, in that of the lax."""
    return quote(some.encode("utf-8", "surrogatepass"), safe="")


def path(rng: random.Random, routes: Sequence[str], known: Sequence[str]) -> str:
    """Return an address: a route with its blanks filled in, rightly or not, and perhaps a query."""
    parts = rng.choice(routes).split("\x00")
    filled = parts[0]
    for part in parts[1:]:
        filled += (encoded(text(rng)) if rng.random() < 0.4 else rng.choice(known)) + part
    if rng.random() < 0.05:
        filled += encoded(text(rng))
    if rng.random() < 0.6:
        filled += "?" + "&".join(f"{rng.choice(NAMES)}={encoded(text(rng))}" for _ in range(rng.randrange(1, 5)))
    return "/" + filled.lstrip("/")[:6000]


def body(rng: random.Random, token: str) -> tuple[str, bytes]:
    """Return a content type, and a body that fits it or does not."""
    fields = {rng.choice(NAMES): text(rng) for _ in range(rng.randrange(6))} | {"csrfmiddlewaretoken": token}
    form = urlencode({name: value.encode("utf-8", "surrogatepass") for name, value in fields.items()}).encode()
    if rng.random() < 0.6:
        return TYPES[0], form
    noise = rng.randbytes(rng.randrange(200))
    return rng.choice(TYPES), rng.choice(
        (form, noise, json.dumps(fields).encode(), b"--x\r\n\r\n" + noise, b"", form * 200)
    )


def headers(rng: random.Random) -> dict[str, str]:
    """Return some headers of which hardly any is what it should be."""
    return dict(rng.sample(HEADERS, rng.choice((0, 0, 1, 2))))


# Not to concede: the table would be over for all that follows.
GOOD: tuple[dict[str, Any], ...] = (
    {"type": "hello", "since": None}, {"type": "hello", "since": 3}, {"type": "ping", "seen": 2},
    {"type": "back", "id": "b", "version": 0},
    {"type": "choose", "id": "c-1", "version": 1, "option": "pass"}, {"type": "why", "version": 1}, {"type": "hello"},
    {"type": "resume", "id": "r"}, {"type": "claim", "id": "e", "seat": 1},
    {"type": "offer", "id": "o", "what": "draw"}, {"type": "offer", "id": "s", "what": "substitute", "seat": 1},
    {"type": "agree", "id": "a", "what": "draw"}, {"type": "decline", "id": "n", "what": "pause"},
    {"type": "read_chat", "since": 0}, {"type": "say", "id": "y", "text": "Hello"},
    {"type": "block_writer", "id": "w", "line": 1}, {"type": "report_line", "id": "p", "line": 1, "reason": "spam"},
    {"type": "read_orders", "id": "l"}, {"type": "drop_order", "id": "f", "number": 1},
    {"type": "set_order", "id": "g", "version": 1, "decision": "action", "when": "always", "scope": "phase",
     "until": "end"},
)  # fmt: skip
ODD_VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 1, 10**9, 10**9 + 1, 10**30, 1.5, 1e308, [], {}, [[[[]]]], {"a": {}}, "pass", "", "x" * 201,
    "\x00", "é", "\ud800",
    "choose", "card", "p1 p2", "t0 #", "play BSG1-001", "pay 99999999999999999999", "back", "concede 1", "1", "٤",
)  # fmt: skip


def frame(rng: random.Random) -> str | bytes:
    """Return what a client sends: nearly a message, hardly one, or none at all."""
    luck = rng.random()
    if luck < 0.1:
        return rng.randbytes(rng.randrange(300))
    if luck < 0.2:
        return text(rng).encode("utf-8", "replace").decode()
    message = dict(rng.choice(GOOD))
    for _ in range(rng.randrange(4)):
        message[rng.choice((*message, "type", "id", "version", "option", "since", "more"))] = rng.choice(ODD_VALUES)
    written = json.dumps(message)
    if luck < 0.35:
        place = rng.randrange(len(written))
        written = (
            written[:place]
            + rng.choice(('"', "}", "{", "\\u0000", "[" * 2000, "", "9" * 500, "x" * 17_000))
            + written[place:]
        )
    return written.encode() if rng.random() < 0.1 else written
