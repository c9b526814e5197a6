"""The pages that list decks: public ones, those of a person, one's own. They work without JavaScript."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.db.models import Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from cards_data import catalog as cards_data
from cards_data import saved_pages
from cards_data.search import help as search_texts
from cards_data.search.asking import asked
from ccg.people import called
from decks.building import drafts
from decks.lists.stats import known, stats
from decks.lists.winning import ENOUGH
from decks.models import Deck
from decks.searching import search
from decks.social import opinions

DECKS_A_PAGE = 24
OWN_A_PAGE = 60


@require_safe
def deck_list(request: HttpRequest) -> HttpResponse:
    """The starter decks, and the public decks of players, newest first; of both those that are searched for."""
    listing = asked(request.GET.dict(), search.read)
    found = search.find(listing.query, Deck.objects.listed().with_head())
    page = Paginator(found, DECKS_A_PAGE).get_page(request.GET.get("page"))
    starters = search.find(listing.query, Deck.objects.starters().with_head()) if page.number == 1 else []
    context = {
        "listing": listing,
        "page": page,
        "rows": _rows(page),
        "starters": _rows(starters),
        "orders": search.by_order(listing.query),
        **saved_pages.shown(request, "decks"),
        "by_winning": listing.query.display.get("order") == "winning",
        "enough": ENOUGH,
    }
    return render(request, "decks/list.html", context, status=400 if listing.wrong else 200)


@require_safe
def author(request: HttpRequest, name: str) -> HttpResponse:
    """The public decks of somebody; a person without any is a person whom nobody has heard of."""
    decks = Deck.objects.listed().with_head()
    decks = decks.filter(called(name, "owner"))
    page = Paginator(decks, DECKS_A_PAGE).get_page(request.GET.get("page"))
    if not page.object_list:
        raise Http404
    person = page.object_list[0].owner
    likes = decks.aggregate(likes=Sum("liked"))["likes"]
    context = {
        "person": person,
        "page": page,
        "rows": _rows(page),
        "likes": likes,
        "is_self": person == request.user,
        "is_blocked": opinions.blocks(request.user, person),
    }
    return render(request, "decks/author.html", context)


@require_safe
def search_help(request: HttpRequest) -> HttpResponse:
    """How to search for decks, as the search itself knows it."""
    context = {
        "rows": search_texts.rows(search.LANGUAGE, search.vocabulary()),
        "forms": search_texts.FORMS_OF_DECKS,
        "missing": search_texts.MISSING_OF_DECKS,
        "bounds": search_texts.BOUNDS,
    }
    return render(request, "decks/search_help.html", context)


@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """One's own decks; a visitor is told how to have some."""
    listing = asked(request.GET.dict(), search.read)
    decks = Deck.objects.none()
    context: dict[str, Any] = {}
    if request.user.is_authenticated:
        decks = Deck.objects.filter(owner=request.user).with_head()
        context = {"begun": drafts.begun(request.user), "unpublished": drafts.unpublished(request.user)}
    page = Paginator(search.find(listing.query, decks), OWN_A_PAGE).get_page(request.GET.get("page"))
    context |= {"listing": listing, "page": page, "rows": _rows(page)}
    return render(request, "decks/mine.html", context, status=400 if listing.wrong else 200)


def _rows(decks: Any) -> list[dict[str, Any]]:
    """Return what a list shows of each deck: its base, what it makes, whether it was legal when last looked at."""
    catalog = cards_data.current()
    rows = []
    for deck in decks:
        version = deck.head
        if version is None:
            continue
        listed_stats = stats(version.base, version.counts, catalog)
        base = known(version.base, catalog)
        balance = sorted(listed_stats.balance, key=lambda one: -one.makers)
        winrate = deck.winrate if deck.games >= ENOUGH else None
        rows.append(
            {
                "deck": deck,
                "version": version,
                "base": base,
                "stats": listed_stats,
                "balance": balance,
                "winrate": winrate,
            }
        )
    return rows
