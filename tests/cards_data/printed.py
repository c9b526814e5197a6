"""What is printed on the cards, as facts: printed.json, written once from a transcription checked against scans.

``python -m tests.cards_data.printed FILE`` writes it anew from such a transcription (a list of records, one a
printing, with the printed words). The words stay out of the project: only what can be counted is kept.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from ccg.rules.cards.definitions import RESOURCES

PRINTED = Path(__file__).with_name("printed.json")
KEYWORDS = {
    "expedite", "link", "manipulate", "persistent", "scramble", "sniper", "strafe", "vision", "vulnerable",
}  # fmt: skip


def record_of(record: dict[str, Any]) -> dict[str, Any]:
    """Return what is kept of one record: its place, its facts, and whether it has a text and a red text."""
    red = bool(record.get("printed_red_text"))
    return {
        "id": record["id"],
        "set": record["set"],
        "number": record["number"],
        "rarity": record["rarity"],
        "facts": facts_of(record),
        "ability": bool(_keywords(record)[1]) or red,
        "red": red,
    }


def facts_of(record: dict[str, Any]) -> dict[str, Any]:
    """The facts of a record of the reference, its keywords and requirement read from the printed words."""
    facts = {
        "type": record["type"],
        "title": record.get("title", ""),
        "subtitle": record.get("subtitle", ""),
        "traits": record.get("traits", []),
        "cost": record.get("cost", {}),
        "keywords": _keywords(record)[0],
        "requires": _requirement(record.get("printed_requirement", "")),
    }
    return facts | {name: record.get(name) for name in ("power", "threat", "mystic", "produces", "hand", "influence")}


def _keywords(record: dict[str, Any]) -> tuple[list[list[Any]], str]:
    """The keywords that the text begins with, each with its reminder in brackets; and the rest of the text."""
    found: list[list[Any]] = []
    rest = record.get("printed_text", "")
    while match := re.match(r"\s*([A-Z][a-z]+)(?: (Personnel|Ship|Unit))?(?:\.|\s*(\([^)]*\)))\s*", rest):
        keyword = match[1].lower()
        assert keyword in KEYWORDS, record["id"]
        more: Any = None
        if keyword == "expedite":
            more = [match[3].count(f"[{resource}]") for resource in RESOURCES]
        elif keyword == "link":
            more = match[2].lower()
        found.append([keyword, more])
        rest = rest[match.end() :]
    return found, rest


def _requirement(words: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for amount, what in re.findall(r"(\d) ([A-Za-z ]+?)(?= and |\.)", words):
        found[what.removesuffix("s") if int(amount) > 1 else what] += int(amount)
    return found


def main(path: Path) -> None:
    """Write printed.json from the transcription at ``path``, one printing a line."""
    records = [json.dumps(record_of(record)) for record in json.loads(path.read_text(encoding="utf-8"))]
    PRINTED.write_text("[\n" + ",\n".join(records) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
