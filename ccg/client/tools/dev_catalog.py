"""Write the project's own card sets as the catalogue file that the gallery and the tests of pictures read.

    .venv/bin/python ccg/client/tools/dev_catalog.py

It becomes ``ccg/client/dev/catalog.json``, which git ignores: a site asks the server for it instead.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))

from ccg.rules.cardfiles import SETS, Printing, read_sets, set_folders  # noqa: E402
from ccg.rules.cards import RESOURCES, CardDef, Cost  # noqa: E402


def amounts(cost: Cost) -> dict[str, int]:
    """Give a cost by the names of its resources, without those it does not have."""
    return {resource: amount for resource, amount in zip(RESOURCES, cost, strict=True) if amount}


def facts(card: CardDef, printing: Printing) -> dict[str, Any]:
    """Give one card as ``/api/cards/catalog.json`` does."""
    keywords: list[dict[str, Any]] = []
    for name in card.keywords:
        entry: dict[str, Any] = {"name": name}
        if name == "expedite" and card.expedite:
            entry["cost"] = amounts(card.expedite)
        if name == "link":
            entry["link"] = card.link
        keywords.append(entry)
    return {
        "id": card.id,
        "type": card.type,
        "title": card.title,
        "subtitle": card.subtitle,
        "name": card.name,
        "traits": card.traits,
        "cost": amounts(card.cost),
        "power": card.power,
        "threat": card.threat,
        "mystic": card.mystic,
        "produces": card.produces,
        "hand": card.hand,
        "influence": card.influence,
        "keywords": keywords,
        "requires": [str(one) for one in card.requires],
        "pending": card.ability_pending,
        "set": printing.set,
        "number": printing.number,
        "rarity": printing.rarity,
        "text": "",
    }


def main() -> None:
    """Read all sets of the project and write the file."""
    sets = read_sets(set_folders(SETS))
    printings = {printing.card: printing for one in reversed(sets) for printing in reversed(one.printings)}
    cards = {card.id: facts(card, printings[card.id]) for one in sets for card in one.cards}
    target = ROOT / "ccg" / "client" / "dev" / "catalog.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps({"version": "dev", "cards": cards}))
    print(f"{len(cards)} cards in {target.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
