"""The page of the statistics."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from matches.statistics import showing
from matches.statistics.showing import Choices, Filters

ROWS_A_PAGE = 50
HEADS = {
    "bases": "Bases",
    "matchups": "Base against base",
    "cards": "Cards",
    "decks": "Decks",
}


@require_safe
def statistics(request: HttpRequest) -> HttpResponse:
    """How often bases, cards and decks win; what is asked for and is not there is as if it was not asked for."""
    asked = request.GET
    show = asked.get("show", "")
    show = show if show in showing.SHOWS else "bases"
    there = showing.choices(show)
    sort = asked.get("sort", "")
    sort = sort if sort in showing.SORTS else "games"
    base = showing.base_of(asked.get("base", "")) if show == "matchups" else ""
    filters = _filters(asked, there)
    kept = {name: asked[name] for name in ("season", "format", "pool", "played") if asked.get(name)}
    if base:
        kept["base"] = base
    page = Paginator(showing.rows(show, filters, sort=sort, base=base), ROWS_A_PAGE).get_page(asked.get("page"))
    context: dict[str, Any] = {
        "show": show,
        "sort": sort,
        "base": base,
        "filters": filters,
        "choices": there,
        "page": page,
        "tabs": [(code, words, _address(kept, show=code)) for code, words in HEADS.items()],
        "sorts": {one: _address(kept, show=show, sort=one) for one in showing.SORTS},
        "turn": _address(kept, show=show, sort=sort),
        "shown_from": showing.SHOWN_FROM,
        "few": showing.FEW,
        "lists": showing.LISTS,
    }
    return render(request, "statistics/statistics.html", context)


def _filters(asked: Any, there: Choices) -> Filters:
    def known(name: str, codes: list[tuple[Any, str]]) -> Any:
        return next((code for code, _ in codes if str(code) == asked.get(name)), None)

    return Filters(
        season=known("season", there.seasons),
        format=known("format", there.formats),
        pool=known("pool", there.pools),
        ranked=showing.PLAYED.get(asked.get("played", "")),
    )


def _address(kept: dict[str, str], **more: str) -> str:
    return "?" + urlencode({**more, **kept})
