"""Pages for those who make cards, under /docs/: how to make a set, what a file may say, the ability language.

The texts are Markdown files of docs/, read by :mod:`ccg.server.texts`; the schema of card files is for editors.
"""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ccg.server.texts import DOCS, Text, read_text

SALVAGE_RIGHTS = DOCS / "make-a-card-set" / "salvage-rights"
SCHEMA = DOCS / "card-set.schema.json"
PAGES = {
    "make_a_card_set": DOCS / "make-a-card-set" / "README.md",
    "ability_language": DOCS / "ability-language.md",
    "card_files": DOCS / "card-files.md",
    "scenarios": DOCS / "scenarios.md",
}
"""The file of each page, by the name of its address."""
NAMES = {
    "make_a_card_set": "Make a card set",
    "ability_language": "The ability language",
    "card_files": "Card set files",
    "scenarios": "Scenarios",
}


@lru_cache(maxsize=len(PAGES))
def _text(path: Path) -> Text:
    return read_text(path)


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """One of the texts, with the way to the others."""
    match = request.resolver_match
    assert match is not None and match.url_name is not None
    text = _text(PAGES[match.url_name])
    return render(request, "docs/page.html", {"text": text, "pages": NAMES.items(), "here": match.url_name})


@require_safe
def salvage_rights(request: HttpRequest) -> HttpResponse:
    """The set that the tutorial makes, as a zip that can be uploaded."""
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for path in sorted(SALVAGE_RIGHTS.rglob("*.yaml")):
            archive.write(path, path.relative_to(SALVAGE_RIGHTS.parent))
    answer = HttpResponse(packed.getvalue(), content_type="application/zip")
    answer["Content-Disposition"] = 'attachment; filename="salvage-rights.zip"'
    return answer


@require_safe
def schema(request: HttpRequest) -> HttpResponse:
    """The JSON Schema of card set files, which editors may read from anywhere."""
    answer = HttpResponse(SCHEMA.read_bytes(), content_type="application/schema+json")
    answer["Access-Control-Allow-Origin"] = "*"
    answer["Cache-Control"] = "public, max-age=3600"
    return answer
