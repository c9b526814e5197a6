"""Queries made at random: such as can be read, and such as somebody may write who means harm."""

from __future__ import annotations

import random
from collections.abc import Iterator

from cards_data.search.errors import MAX_CHARACTERS, MAX_TERMS

WORDS = {
    "type": ["base", "personnel", "ship", "event", "mission", "unit", "SHIP"],
    "trait": ["cylon", "Military", '"capital ship"', "officer", "pilot", "machine", "politician", "civilian"],
    "keyword": ["scramble", "vision", "sniper", "link", "persistent", "expedite"],
    "pays": ["persuasion", "logistics", "security"],
    "makes": ["persuasion", "logistics", "Security"],
    "set": ["bsg1", "BSG1L", "bsg1p", "bsg2"],
    "rarity": ["common", "uncommon", "rare", "fixed", "limited", "exclusive"],
    "is": ["singular", "unscripted", "unit", "scripted", "dual", "promo", "starter"],
    "legal": ["now", "standard-2006", "two-sets"],
    "banned": ["now", "standard-2006", "two-sets"],
    "with": ["apollo", '"article 23"', '"raptor 2"'],
    "in": ["deck"],
    "fits": ["deck"],
}
"""The formats, the deck and the decks are those of :func:`ccg.server.proving.search.beside`."""
BESIDE = ("legal", "banned", "with", "in", "fits")
"""Fields of what is known beside the cards: each word is a question of its own."""
SHORT = {"type": "t", "trait": "tr", "keyword": "k", "set": "s", "rarity": "r", "name": "n", "text": "x", "cost": "c"}
TEXTS = {
    "name": ["star", "galactica", '"raptor 2"', "D'Anna", "o", "“Six”", "the", "apollo", "viper-7", "Ünit"],
    "title": ["starbuck", "number", "raptor", "Boomer"],
    "text": ["commit", "exhaust", '"target personnel"', "cylon", "gains", "each player", "+1"],
    "resolve": ["officer", "ship", '"civilian unit"', "cylon"],
}
NUMBERS = ["cost", "per", "log", "sec", "pow", "threat", "mystic", "inf", "hand", "num", "owned"]
OPTIONAL = ["title", "trait", "keyword", "text", "resolve", "cost", "pays", "makes", "pow", "mystic", "inf", "ruling"]

ODD = [
    "(", ")", "-", "!", "|", "&", ":", "=", "!=", "<", "<=", ">", ">=", "..", '"', "“", "”", "'", "or", "and", "not",
    "\0", "\n", "\t", "\u00a0", "\u3000", "\u200b", "\ufeff", "\U0001f680", "é", "İ", "ß", "ﬁ", "①", "٣", "\ud800",
    "%", "_", "\\", "*", ".*", "(a+)+$", "/x/", "[", "]", "{", "}", "{found}", "$", "^", "#", ";", "--", "/*",
    "' OR 1=1",
    "<script>", "&amp;", "99999", "-1", "1e9", "0x10", "3..1", "1..", "..4", "cost", "type", "t:ship", "pwr:3", "c:",
    "has:", "in:deck", "order:cost", "dir:desc", "view:list", "is:", "r>fixed", "t<ship", "t:wombat", "x:♥", "a" * 60,
    "-(", "((", "))", "t:ship|", "&&", "||", "name:", "c:9999", "c<0", "num:0", "mystic:5..4", "c!=3",
    "tr=cylon&machine", "~", "~-", "~t:ship", "-~", "legal:", "banned:now", "with:apollo", "with=", "owned>1",
    "fits:deck",     "unique:title",
]  # fmt: skip


def made_up(seed: int, count: int) -> Iterator[str]:
    """Yield queries that can be read, within all bounds."""
    chance = random.Random(seed)
    made = 0
    while made < count:
        text = _query(chance, 4)
        if chance.random() < 0.1 and " or " not in text:
            text = f"{text} ~{_part(chance, 1)}"
        if len(text) <= MAX_CHARACTERS and _terms(text) <= MAX_TERMS:
            made += 1
            yield text


def hostile(seed: int, count: int) -> Iterator[str]:
    """Yield texts of any kind: odd signs, pieces of the language, queries with something wrong in them."""
    chance = random.Random(seed)
    for _ in range(count):
        kind = chance.randrange(6)
        if kind == 0:
            yield "".join(chance.choice(ODD) for _ in range(chance.randrange(1, 120)))
        elif kind == 1:
            yield " ".join(chance.choice(ODD) for _ in range(chance.randrange(1, 12)))
        elif kind == 2:
            yield _spoilt(chance, _query(chance, 4))
        elif kind == 3:
            yield "".join(chr(chance.randrange(0x110000)) for _ in range(chance.randrange(1, 300)))
        elif kind == 4:
            yield chance.choice(ODD) * chance.randrange(1, 300)
        else:
            yield _heavy(chance)


def _heavy(chance: random.Random) -> str:
    """Return as much work as the bounds allow: many terms that are dear, and as deep as it goes."""
    terms = chance.choices(
        ["-x:e", "-n:e", "-num!=7", "-s=bsg1", "-tr!=cylon&machine", "r=rare", "-is:dual", "-legal:now"], k=12
    )
    return "(" * 5 + chance.choice((" ", " or ")).join(terms) + ")" * 5


def _spoilt(chance: random.Random, text: str) -> str:
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(len(text) + 1)
        text = text[:at] + chance.choice(ODD) + text[at + chance.randrange(3) :]
    return text


def _terms(text: str) -> int:
    """Count generously: every gap may begin a term."""
    return 1 + sum(text.count(sign) for sign in " |&")


def _query(chance: random.Random, depth: int) -> str:
    parts = [_part(chance, depth) for _ in range(chance.choice((1, 1, 2, 2, 3)))]
    return chance.choice((" ", " ", " or ", " and ")).join(parts)


def _part(chance: random.Random, depth: int) -> str:
    minus = chance.choice(("", "", "-"))
    if depth and chance.random() < 0.3:
        return f"{minus}({_query(chance, depth - 1)})"
    return minus + chance.choice((_words, _words, _text, _number, _number, _presence))(chance)


def _words(chance: random.Random) -> str:
    field = chance.choice(list(WORDS))
    known = WORDS[field]
    name = chance.choice((field, SHORT.get(field, field)))
    if field == "rarity" and chance.random() < 0.3:
        return f"{name}{chance.choice(('<', '<=', '>', '>='))}{chance.choice(known[:3])}"
    groups = ["&".join(chance.choices(known, k=chance.choice((1, 1, 2)))) for _ in range(chance.choice((1, 1, 2)))]
    if field in ("is", "type", *BESIDE):  # words that stand for others cannot be asked for as exactly these
        groups = [group.partition("&")[0] for group in groups]
    operator = ":" if field in ("is", *BESIDE) else chance.choice((":", ":", "=", "!="))
    return f"{name}{operator}{'|'.join(groups)}"


def _text(chance: random.Random) -> str:
    field = chance.choice(list(TEXTS))
    text = chance.choice(TEXTS[field]) if field != "text" else chance.choice(TEXTS[field][:5])
    if field == "name" and chance.random() < 0.6:
        return chance.choice(("", "", "!")) + text
    return f"{chance.choice((field, SHORT.get(field, field)))}{chance.choice((':', ':', '=', '!='))}{text}"


def _number(chance: random.Random) -> str:
    field = chance.choice(NUMBERS)
    most = {"num": 170, "inf": 13, "owned": 4}.get(field, 7)
    number = chance.randrange(most + 1)
    if chance.random() < 0.2:
        return f"{field}:{number}..{number + chance.randrange(4)}"
    if chance.random() < 0.1:
        return f"{field}:{number}|{chance.randrange(most + 1)}"
    operators = [one for one in (":", "=", "!=", "<", "<=", ">", ">=") if field != "owned" or one != "!="]
    return f"{field}{chance.choice(operators)}{number}"


def _presence(chance: random.Random) -> str:
    return f"has:{chance.choice(OPTIONAL)}"
