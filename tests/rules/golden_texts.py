"""Write the words of every card to golden_texts.yaml: ``python -m tests.rules.golden_texts``.

Every line of that file has been read against what the card means; whoever changes it reads the difference.
Icons, traits and keywords are shown by their words.
"""

from __future__ import annotations

from pathlib import Path

import yaml

from ccg.rules.authoring.card_files import read_catalog
from ccg.rules.cards.definitions import Catalog
from ccg.rules.telling.wording import card_text, plain

GOLDEN = Path(__file__).with_name("golden_texts.yaml")


def texts(catalog: Catalog) -> dict[str, list[str]]:
    """Return the words of every card that has some; red text and what a mission asks for say so."""
    return {
        card.id: [
            plain(paragraph.text) if paragraph.kind == "text" else f"{paragraph.kind}: {plain(paragraph.text)}"
            for paragraph in told
        ]
        for card in catalog
        if (told := card_text(card))
    }


def main() -> None:
    """Write the file."""
    said = yaml.safe_dump(texts(read_catalog()), allow_unicode=True, sort_keys=True, width=118)
    GOLDEN.write_text(f"# Made by `python -m tests.rules.golden_texts`; read what changes.\n{said}", encoding="utf-8")


if __name__ == "__main__":
    main()
