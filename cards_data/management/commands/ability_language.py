"""``manage.py ability_language``: write what is generated from the schema of card files and abilities."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ccg.rules.authoring.card_files import SETS, set_folders
from ccg.rules.authoring.file_schema import keys_table, schema_json
from ccg.rules.authoring.reference_page import BEGIN, reference

DOCS = Path(__file__).resolve().parents[3] / "docs"
PAGE = DOCS / "ability-language.md"
CARD_FILES = DOCS / "card-files.md"
SCHEMA = DOCS / "card-set.schema.json"
TUTORIAL = DOCS / "make-a-card-set" / "salvage-rights"


def generated() -> dict[Path, str]:
    """Return what each of the files has to hold; what stands around it in the two texts is written by people."""
    before = PAGE.read_text(encoding="utf-8").partition(BEGIN)[0]
    table = keys_table()
    first, head, rest = CARD_FILES.read_text(encoding="utf-8").partition(table.partition("\n")[0])
    return {
        PAGE: before + reference(set_folders(SETS), TUTORIAL),
        CARD_FILES: first + table + rest[rest.index("\n\n") + 1 :] if head else first,
        SCHEMA: schema_json(),
    }


def stale() -> list[Path]:
    """Return the files that do not say what the schema, the grammar and the cards say."""
    return [path for path, text in generated().items() if not path.exists() or path.read_text(encoding="utf-8") != text]


class Command(BaseCommand):
    """Writes the reference of the ability language, and the table of keys and JSON Schema of card set files."""

    help = "Generate the reference in docs/ability-language.md, the table in docs/card-files.md and the JSON Schema."

    def add_arguments(self, parser: CommandParser) -> None:
        """``--check`` writes nothing and fails where something is stale."""
        parser.add_argument("--check", action="store_true", help="Write nothing; fail if a file is stale.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the files, or check them."""
        try:
            wrong = stale()
        except LookupError as error:
            raise CommandError(str(error)) from error
        if options["check"] and wrong:
            raise CommandError(
                f"Run manage.py ability_language: {', '.join(path.name for path in wrong)} would change."
            )
        for path, text in generated().items():
            if path in wrong:
                path.write_text(text, encoding="utf-8")
                self.stdout.write(f"wrote docs/{path.name}")
