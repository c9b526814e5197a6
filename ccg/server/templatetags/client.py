"""Template tags that bring the built client (ccg/client, made by Vite) onto a page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()

FONTS = (
    "/saira-condensed-latin-500-normal.woff2",
    "/saira-condensed-latin-600-normal.woff2",
    "/saira-condensed-latin-700-normal.woff2",
    "/ibm-plex-sans-latin-400-normal.woff2",
)
"""How the names of the fonts end that every page has (ccg/client/src/look/fonts.css)."""

_manifests: dict[tuple[Path, int], dict[str, Any]] = {}


def manifest_path() -> Path:
    """Where Vite writes which files belong to which entry."""
    return Path(settings.CLIENT_DIST) / "manifest.json"


def manifest() -> dict[str, Any]:
    """Vite's manifest; empty while the client has not been built (a system check says so)."""
    path = manifest_path()
    try:
        key = (path, path.stat().st_mtime_ns)
    except FileNotFoundError:
        return {}
    if key not in _manifests:
        _manifests.clear()
        _manifests[key] = json.loads(path.read_text())
    return _manifests[key]


@register.simple_tag
def client_entry(name: str) -> SafeString:
    """The links and the script of the client's entry ``name`` ("site", "table").

    Style sheets come first so that the page is not drawn without them; shared chunks are fetched early. So are the
    fonts that every page has: one that comes after the page is drawn makes its lines break elsewhere.
    """
    chunks = manifest()
    entry = next((chunk for chunk in chunks.values() if chunk.get("isEntry") and chunk.get("name") == name), None)
    if entry is None:
        return format_html("<!-- client entry {} has not been built -->", name)
    needed = _with_imports(entry, chunks)
    styles = dict.fromkeys(css for chunk in needed for css in chunk.get("css", ()))
    fonts = [chunk["file"] for key, chunk in chunks.items() if key.endswith(FONTS)] if styles else []
    return format_html(
        "{}{}{}{}",
        format_html_join(
            "", '<link rel="preload" href="{}" as="font" type="font/woff2" crossorigin>', ((static(f),) for f in fonts)
        ),
        format_html_join("", '<link rel="stylesheet" href="{}">', ((static(css),) for css in styles)),
        format_html_join("", '<link rel="modulepreload" href="{}">', ((static(c["file"]),) for c in needed[:-1])),
        format_html('<script type="module" src="{}"></script>', static(entry["file"])),
    )


def _with_imports(chunk: dict[str, Any], chunks: dict[str, Any]) -> list[dict[str, Any]]:
    """Return all chunks that this one needs, before it, and then itself; each once."""
    needed_chunks: list[dict[str, Any]] = []
    for key in chunk.get("imports", ()):
        needed_chunks += [needed for needed in _with_imports(chunks[key], chunks) if needed not in needed_chunks]
    return [*needed_chunks, chunk]


@register.simple_tag
def icon(name: str, label: str = "", size: int = 18) -> SafeString:
    """One of the project's icons (ccg/client/src/cards/icon-shapes.ts); with ``label``, a name for listeners."""
    heard = format_html('role="img" aria-label="{}"', label) if label else format_html('aria-hidden="{}"', "true")
    return format_html(
        '<svg class="icon icon-{}" width="{}" height="{}" {}><use href="{}#{}"></use></svg>',
        name, size, size, heard, static("icons.svg"), name,
    )  # fmt: skip


@register.simple_tag(takes_context=True)
def current(context: template.Context, prefix: str) -> str:
    """``aria-current`` for a link of the navigation when the page lies under ``prefix``."""
    request = context.get("request")
    here = request is not None and request.path.startswith(prefix)
    return format_html('aria-current="{}"', "page") if here else ""
