"""Statistics for programs."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from ccg.api import parameters
from ccg.api.answers import json_answer
from ccg.api.pages import PAGING, Page, page_of
from ccg.api.views import ApiView, operation
from matches.ratings.pools import POOLS
from matches.statistics import showing
from matches.statistics.showing import Filters, Row


class StatisticsView(ApiView):
    """How often bases, cards and decks win."""

    @operation(
        "How often bases, pairs of bases, cards and public decks win, with intervals and sample sizes",
        Page[Row],
        parameters=[
            parameters.choice("show", "Of what.", list(showing.SHOWS), "bases"),
            parameters.number("season", "Only one season: the year and the quarter, as 20264.", 1, 99_999_999),
            parameters.text("format", "Only where both decks were made for this format, by its code.", most=40),
            parameters.choice("pool", "Only one size of tables and tempo.", list(POOLS)),
            parameters.choice("played", "Only matches that were rated, or only others.", list(showing.PLAYED)),
            parameters.text("base", "Of pairs of bases, those of this one, from its side.", most=40),
            parameters.choice("sort", "In which order.", showing.SORTS, "games"),
            *PAGING,
        ],
        errors=[404],
        more="Finished matches between two people. Of bases, pairs and cards nothing is told before there are "
        f"{showing.SHOWN_FROM} games. What both players have does not count. The numbers are kept up as matches end.",
    )
    def get(self, request: Request) -> HttpResponse:
        """Return a page of them."""
        asked = self.asked
        filters = Filters(
            season=asked["season"],
            format=asked["format"],
            pool=asked["pool"],
            ranked=showing.PLAYED.get(asked["played"] or ""),
        )
        base = (asked["base"] or "") if asked["show"] == "matchups" else ""
        rows = showing.rows(asked["show"], filters, sort=asked["sort"], base=base)
        return json_answer(request, page_of(request, asked, rows, lambda some: some))
