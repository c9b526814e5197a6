"""The rules as data for the drawer at the table: clauses, rulings, and what each phase is about."""

from __future__ import annotations

import json
from functools import lru_cache
from html import unescape

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from django.utils.html import strip_tags
from django.views.decorators.http import require_safe

from ccg.rules.telling.clauses import PHASES
from ccg.server.card_rulings import rulings
from ccg.server.rules_pages import clauses

KEPT_FOR = 3600
"""Seconds for which browsers keep it: rules change with a new version of the site only."""


@lru_cache(maxsize=1)
def written() -> bytes:
    """Return it as JSON; rulings as plain text, without marks and links."""
    told = [{"id": one.id, "section": one.section, "rule": one.rule, "ruling": one.ruling} for one in clauses()]
    ruled = [{"number": one.number, "text": unescape(strip_tags(one.html))} for one in rulings().values()]
    return json.dumps({"clauses": told, "rulings": ruled, "phases": PHASES}, ensure_ascii=False).encode()


@require_safe
def data(request: HttpRequest) -> HttpResponse:
    """Return the clauses and rulings: the same for everybody."""
    response = HttpResponse(written(), content_type="application/json")
    patch_cache_control(response, public=True, max_age=KEPT_FOR)
    return response
