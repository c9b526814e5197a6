"""The builder judges and merges decks in the browser as the server does: the same decks, told in the same words."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from datetime import date
from pathlib import Path
from typing import Any

import msgspec

from ccg.rules import Catalog
from ccg.rules.cards.definitions import CardDef
from decks.building.rules_data import as_data, sentences
from decks.lists.deck_list import clean_name
from decks.lists.legality import FormatRules, check
from decks.lists.merging import Content, merge
from tests.at_length import examples
from tests.conftest import cannot_run

ROOT = Path(__file__).resolve().parents[2]
DAY = date(2026, 11, 23)
DECKS = examples(1000)
TWINS = [
    CardDef(id="TWIN-001", type="event", subtitle="Été à Caprica"),
    CardDef(id="TWIN-002", type="event", subtitle="Ete a Caprica"),
    CardDef(id="TWIN-003", type="ship", title="Raptor's", subtitle="Nest-1"),
    CardDef(id="TWIN-004", type="ship", title="Raptors", subtitle="nest 1"),
]
SIGNS = [*"Vi7ß戦  \t\n\xa0\u200b\u200d\u2028\u3000\x00\xad\ue000\ufe0f\u0378\U0001f680", "\u0301", "\u0301"]
"""What names are made of: letters, and what is not seen, or too much of it."""
GONE = {"GONE-001": CardDef(id="GONE-001", type="ship", title="Lost Raptor")}


def asked_of_the_builder(question: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return what the builder's own code answers."""
    node = shutil.which("node")
    if node is None or not (ROOT / "node_modules" / "vite").exists():
        cannot_run("there is no Node with the client's packages")
    asked, answered = folder / "asked.json", folder / "answered.json"
    asked.write_text(json.dumps(question), encoding="utf-8")
    tool = ROOT / "ccg" / "client" / "tools" / "builder.mjs"
    subprocess.run([node, tool, asked, answered], check=True, timeout=120, cwd=ROOT)
    answers: dict[str, Any] = json.loads(answered.read_text(encoding="utf-8"))
    return answers


def some_formats(chance: random.Random, cards: list[CardDef]) -> list[FormatRules]:
    """Formats of every kind: in force, ended, not begun, with lists of their own."""
    ids = [card.id for card in cards]
    days = [(date(2006, 1, 1), None), (date(2006, 1, 1), DAY), (date(2027, 1, 1), None), (DAY, date(2026, 12, 1))]
    return [
        FormatRules(
            code=f"format-{number}",
            name=f"Format {number}",
            starts=days[number % len(days)][0],
            ends=days[number % len(days)][1],
            sets=frozenset(chance.sample(["BSG1", "BSG1L", "BSG1P", "BSG2", "TWIN"], chance.randint(1, 5))),
            reprints=frozenset(chance.sample(ids, 5)),
            minimum=chance.choice([0, 1, 40, 60]),
            copies=chance.choice([1, 2, 4]),
            copies_of={card: chance.randint(0, 9) for card in chance.sample(ids, 8)},
            banned=frozenset(chance.sample(ids, 20)),
            restricted=frozenset(chance.sample(ids, 20)),
        )
        for number in range(12)
    ]


def some_deck(chance: random.Random, cards: list[CardDef]) -> tuple[str, dict[str, int]]:
    """A base and counts, most often with something wrong."""
    bases = [card.id for card in cards if card.type == "base"]
    base = chance.choice([*bases[:20], *bases[:20], "", "NONE-900", "GONE-001", cards[0].id])
    picked = chance.sample(cards, chance.randint(0, 25))
    counts = {card.id: chance.choice([1, 2, 3, 4, 4, 4, 4, 5, 9]) for card in picked}
    for card, often in (("NONE-001", 0.1), ("GONE-001", 0.1), ("TWIN-001", 0.3), ("TWIN-002", 0.3), (bases[0], 0.1)):
        if chance.random() < often:
            counts[card] = chance.randint(1, 4)
    if counts and chance.random() < 0.05:
        counts[chance.choice(list(counts))] = chance.choice([0, -1])
    return base, counts


def some_content(chance: random.Random) -> Content:
    cards = ["A-1", "A-2", "A-3", "B-10"]

    def pile() -> dict[str, int]:
        return {card: chance.randint(1, 4) for card in cards if chance.random() < 0.6}

    tags = {card: chance.sample(["core", "maybe"], chance.randint(1, 2)) for card in cards if chance.random() < 0.4}
    name, base = chance.choice(["", "Vipers", "Raptors"]), chance.choice(["", "X-1", "X-2"])
    return Content(name=name, base=base, counts=pile(), considering=pile(), tags=tags)


def test_the_builder_judges_decks_as_the_server_does(catalog: Catalog, tmp_path: Path) -> None:
    chance = random.Random(60)
    cards = [*catalog, *TWINS]
    known, formats = Catalog(cards), some_formats(chance, cards)
    decks = [(chance.choice(formats), *some_deck(chance, cards)) for _ in range(DECKS)]
    merges = [[some_content(chance) for _ in range(3)] for _ in range(DECKS)]
    names = ["".join(chance.choices(SIGNS, k=chance.choice([3, 20, 100]))) for _ in range(DECKS)]

    answers = asked_of_the_builder(
        {
            "rules": {
                **sentences(),
                "formats": [{"code": one.code, "name": one.name, "editions": [as_data(one)]} for one in formats],
                "standard": formats[0].code,
                "today": DAY.isoformat(),
            },
            "cards": [{"id": card.id, "type": card.type, "name": card.name} for card in cards],
            "withdrawn": {card_id: card.name for card_id, card in GONE.items()},
            "decks": [{"format": rules.code, "base": base, "counts": counts} for rules, base, counts in decks],
            "merges": [
                dict(zip(("common", "theirs", "ours"), map(msgspec.to_builtins, three), strict=True))
                for three in merges
            ],
            "names": names,
        },
        tmp_path,
    )

    expected = [
        msgspec.to_builtins(check([base] if base else [], counts, rules, known, DAY, GONE))
        for rules, base, counts in decks
    ]
    assert answers["problems"] == json.loads(json.dumps(expected))
    told = {problem["code"] for problems in expected for problem in problems}
    assert len(told) >= 15, "nearly every kind of problem is among them"
    assert answers["merged"] == [json.loads(json.dumps(msgspec.to_builtins(merge(*three)))) for three in merges]
    assert answers["names"] == [clean_name(name) for name in names]
