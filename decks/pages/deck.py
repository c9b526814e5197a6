"""The page of a deck, and what its owner does there. A deck that may not be seen is a deck that is not there."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cards_data import catalog as cards_data
from decks import judging, links, results, services, table_decks
from decks.building import collection_pages, drafts
from decks.finding import own_or_404, version_or_404, visible_or_404
from decks.keeping import kept_if_public
from decks.lists import legality
from decks.lists.stats import groups, known, stats
from decks.models import Deck, DeckVersion, Draft
from decks.pages import export_pages
from decks.pictures import embedding
from decks.social import pages as social_pages

VERSIONS_SHOWN = 50
VIEWS = (("pictures", "Pictures"), ("list", "List"))


@require_safe
def deck(request: HttpRequest, uid: str, number: int | None = None) -> HttpResponse:
    """A deck, or an older version of it: cards, legality, costs, versions, and what its owner can do."""
    row = visible_or_404(request, uid)
    version = version_or_404(row, number)
    view = request.GET.get("view", "")
    context = {
        **_cards(version),
        **_legality(request, row, version),
        **_versions(row, version),
        **_ways_out(request, row, version),
        **social_pages.discussion(request, row),
        **collection_pages.lacking(request, version.base, version.counts),
        "views": VIEWS,
        "view": view if view in dict(VIEWS) else VIEWS[0][0],
    }
    return kept_if_public(render(request, "decks/deck.html", context), row)


def _cards(version: DeckVersion) -> dict[str, Any]:
    """Return what the page shows of the cards of a version, those that were withdrawn since included."""
    catalog = cards_data.current()
    named = {version.base, *version.counts, *version.considering}
    withdrawn = cards_data.withdrawn(named - catalog.index.keys())
    return {
        "base": known(version.base, catalog) or withdrawn.get(version.base),
        "base_withdrawn": version.base in withdrawn,
        "stats": stats(version.base, version.counts, catalog, withdrawn),
        "considering": list(groups(version.considering, catalog)),
        "considering_withdrawn": [(n, withdrawn[card]) for card, n in version.considering.items() if card in withdrawn],
        "tags": version.tags,
        "advice": legality.advise(version.counts, catalog),
    }


def _legality(request: HttpRequest, row: Deck, version: DeckVersion) -> dict[str, Any]:
    """Return why a version may not be played, if so, and whether this person can play with it."""
    problems = judging.check_version(version, row)
    return {
        "problems": problems,
        "rules": legality.RULES,
        "can_play": not problems and version.pk == row.head_id and table_decks.may_play(request.user, row),
    }


def _versions(row: Deck, version: DeckVersion) -> dict[str, Any]:
    """Return the versions of a deck, latest first, and what came of the matches with each."""
    versions = list(row.versions.only("deck", "number", "created", "note", "content_hash")[:VERSIONS_SHOWN])
    records = results.of_each([version.content_hash, *(one.content_hash for one in versions)])
    return {
        "deck": row,
        "version": version,
        "is_head": version.pk == row.head_id,
        "versions": versions,
        "record": records[version.content_hash],
        "records": records,
    }


def _ways_out(request: HttpRequest, row: Deck, version: DeckVersion) -> dict[str, Any]:
    """Return whose deck it is and where it came from, and what leads away from it: exports, links, decks like it."""
    is_owner = request.user.is_authenticated and row.owner_id == request.user.pk
    address = reverse("decks:deck", args=[row.uid if row.is_public else row.ref])
    link = (is_owner and row.visibility == Deck.Visibility.UNLISTED and links.address_of(row)) or ""
    shared = address if row.is_public else link
    if shared and version.pk != row.head_id:
        shared += f"v{version.number}/"
    return {
        "is_owner": is_owner,
        "is_unpublished": is_owner and bool(drafts.unpublished(request.user, deck=row)),
        "visibilities": Deck.Visibility.choices,
        "origin": services.origin_of(row, request.user),
        "labels": row.labels.all(),
        "similar": services.similar_to(row, version),
        "text": services.as_text(row, version),
        "exports": export_pages.menu(row, version),
        "address": request.build_absolute_uri(address),
        "picture": embedding.picture_of(request, row),
        "link": link,
        "shared": shared and request.build_absolute_uri(shared),
    }


@require_POST
def settings(request: HttpRequest, uid: str) -> HttpResponse:
    """Rename a deck of one's own, and say who may see it."""
    row = own_or_404(request, uid)
    try:
        services.settle(row, name=request.POST.get("name", ""), visibility=request.POST.get("visibility", ""))
    except services.DeckError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Saved.")
    return redirect(row)


@require_http_methods(["GET", "HEAD", "POST"])
def link(request: HttpRequest, uid: str) -> HttpResponse:
    """Replace the link of an unlisted deck of one's own, or revoke it, which makes the deck private.

    A link that was given away cannot be had again, so a page asks first; POST does it.
    """
    row = own_or_404(request, uid)
    if request.method != "POST":
        return render(request, "decks/sure.html", {**_asked_of_link(request), "back": row.get_absolute_url()})
    try:
        if request.POST.get("do") == "revoke":
            services.revoke_link(row)
            messages.success(request, "The link is revoked, and the deck is private.")
        else:
            services.renew_link(row)
            messages.success(request, "There is a new link now. The old one does not work any more.")
    except services.DeckError as error:
        messages.error(request, str(error))
    return redirect(row)


def _asked_of_link(request: HttpRequest) -> dict[str, str]:
    """Return what the page says that asks before a link is replaced or revoked."""
    if request.GET.get("do") == "revoke":
        words = "Whoever has the link no longer sees the deck: it becomes private. The same link cannot be had again."
        return {
            "do": "revoke",
            "question": "Revoke the link?",
            "words": words,
            "button": "Revoke it",
            "keep": "Keep it",
        }
    words = "The deck gets a new link. Whoever has the old one no longer sees the deck, and it cannot be had again."
    return {"do": "renew", "question": "Replace the link?", "words": words, "button": "Replace it", "keep": "Keep it"}


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, uid: str) -> HttpResponse:
    """Show the confirmation page for deleting one's own deck, or what one has begun; delete it on POST."""
    try:
        row = services.own(request.user, uid)
    except Deck.DoesNotExist:
        return _delete_begun(request, uid)
    if request.method != "POST":
        return render(request, "decks/delete.html", {"deck": row, "versions": row.versions.count()})
    services.delete(row)
    messages.success(request, f"{row.name} is deleted. Matches played with it keep their own copy.")
    return redirect("decks:mine")


def _delete_begun(request: HttpRequest, uid: str) -> HttpResponse:
    try:
        draft = drafts.never_published(request.user, uid)
        name = draft.content.get("name") or services.UNNAMED
        if request.method != "POST":
            return render(request, "decks/delete.html", {"draft": draft, "name": name})
        drafts.delete(request.user, uid)
    except Draft.DoesNotExist:
        raise Http404 from None
    messages.success(request, f"{name} is deleted.")
    return redirect("decks:mine")
