"""Drawing the preview of a deck, in the child process that :mod:`cards_data.isolated` starts.

The client's own drawings are run by an engine for JavaScript, and made into pixels by one for SVG; both are given only
what the build made (``ccg/client/tools/preview.ts``) and the facts of one deck. docs/decisions/0009-previews.md says
why.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

MEGABYTES = 64
SECONDS = 10
"""Bounds of the script, within those of the child."""


class Request(Struct):
    """What is to be drawn: the facts of a deck as the script takes them, and the folder of script and fonts."""

    facts: dict[str, Any]
    folder: str


class Drawn(Struct):
    """The picture, as PNG."""

    png: bytes


def work(request: Request) -> Iterator[Drawn]:
    """Draw what is asked for."""
    import quickjs  # here, so that only the child loads them
    import resvg_py

    folder = Path(request.folder)
    script = quickjs.Context()
    script.set_memory_limit(MEGABYTES * 2**20)
    script.set_time_limit(SECONDS)
    script.eval((folder / "draw.js").read_text(encoding="utf-8"))
    svg = script.get("drawPreview")(json.dumps(request.facts))
    fonts = sorted(str(font) for font in folder.glob("*.ttf"))
    # The fonts of the machine are left out, so that a deck looks the same wherever it is drawn.
    yield Drawn(bytes(resvg_py.svg_to_bytes(svg_string=svg, font_files=fonts, skip_system_fonts=True)))
