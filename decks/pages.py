"""The pages of decks. They work without JavaScript; a deck that may not be seen is a deck that is not there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Sum
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import resolve, reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cards_data import catalog as cards_data
from cards_data import saved_pages
from cards_data.search import help as search_texts
from cards_data.search.asking import asked
from decks import builder as building
from decks import (
    collection_pages,
    drafts,
    embedding,
    export_pages,
    importing,
    legality,
    links,
    results,
    search,
    services,
    social_pages,
    textlist,
)
from decks.differences import difference
from decks.exchange.form import FormError
from decks.finding import own_or_404, version_or_404, visible_or_404
from decks.keeping import kept_if_public
from decks.line_reports import picks_of, report
from decks.models import Deck, Draft
from decks.stats import groups, known, stats
from decks.textlist import Reading
from decks.winning import ENOUGH

DECKS_A_PAGE = 24
OWN_A_PAGE = 60
VERSIONS_SHOWN = 50
MAX_NOTE = 200

SAVING = ("save", "save as guest")
VIEWS = (("pictures", "Pictures"), ("list", "List"))


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
    decks = decks.filter(owner__display_name__iexact=name) if name.isprintable() and len(name) <= 40 else decks.none()
    page = Paginator(decks, DECKS_A_PAGE).get_page(request.GET.get("page"))
    if not page.object_list:
        raise Http404
    person = page.object_list[0].owner
    likes = decks.aggregate(likes=Sum("liked"))["likes"]
    context = {"person": person, "page": page, "rows": _rows(page), "likes": likes, "is_self": person == request.user}
    return render(request, "decks/author.html", context)


@require_safe
def search_help(request: HttpRequest) -> HttpResponse:
    """How to search for decks, as the search itself knows it."""
    context = {
        "rows": search_texts.rows(search.LANGUAGE, search.vocabulary()),
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


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Build a deck; or paste a list, see what each line was read as, pick where that is not clear, save."""
    if request.method != "POST":
        given = _from_link(request)
        return _paste(request, given, None, builder=None if given["text"] else building.begun(request))
    do = request.POST.get("do")
    if do in SAVING and not request.user.is_authenticated and _can_be_stored(request.POST):
        if do == "save":
            # The list goes along in the page and is nowhere kept: what visitors fill in must not fill the database.
            return render(request, "decks/who.html", {"draft": _draft(request.POST), "here": reverse("decks:new")})
        # The site's own page for guests decides who may be one; this app knows nothing of the site above it.
        answer: HttpResponse = resolve(reverse("guest")).func(request)
        if not request.user.is_authenticated:
            return answer

    def save(text: str, picks: dict[int, str]) -> Deck:
        return services.create_from_text(
            request.user,
            text,
            name=request.POST.get("name", ""),
            visibility=_visibility(request.POST.get("visibility", "")),
            picks=picks,
        )

    return _paste(request, request.POST, None, save)


def _from_link(request: HttpRequest) -> QueryDict:
    """Return the form of the paste page as a link with a deck code asks for it."""
    form = QueryDict(mutable=True)
    form["text"] = request.GET.get("code", "")
    return form


def _can_be_stored(form: QueryDict) -> bool:
    """Return whether the list is clear: nobody is asked who they are for one that is refused anyway."""
    try:
        services.read_clear_text(form.get("text", ""), picks_of(form))
    except (services.DeckError, textlist.TextTooLongError):
        return False
    return True


def again(request: HttpRequest) -> HttpResponse | None:
    """Return the page that a form without a valid token came from, to be sent again; None for forms of other pages.

    Most often somebody signed in elsewhere meanwhile, as who copies a deck or pastes a list is asked to. Nothing is
    saved, and the list is not lost.
    """
    page = request.resolver_match
    if page is not None and page.view_name in ("decks:copy", "decks:version_copy"):
        return render(request, "decks/who.html", {"draft": [], "here": request.path}, status=403)
    if page is None or page.view_name not in ("decks:new", "decks:edit") or not request.POST.get("text"):
        return None
    deck = None
    if page.view_name == "decks:edit":
        try:
            deck = services.own(request.user, page.kwargs["uid"])
        except Deck.DoesNotExist:
            return _not_own(request, status=403)
    messages.warning(request, "This page was older than your signing in or out. Nothing is saved yet: save again.")
    response = _paste(request, request.POST, deck)
    response.status_code = 403
    return response


@require_safe
def deck(request: HttpRequest, uid: str, number: int | None = None) -> HttpResponse:
    """A deck, or an older version of it: cards, legality, costs, versions, and what its owner can do."""
    row = visible_or_404(request, uid)
    version = version_or_404(row, number)
    cards = cards_data.data()
    problems = services.check_version(version, row)
    named = {version.base, *version.counts, *version.considering}
    withdrawn = cards_data.withdrawn(named - cards.catalog.index.keys())
    is_owner = request.user.is_authenticated and row.owner_id == request.user.pk
    view = request.GET.get("view", "")
    versions = list(row.versions.only("deck", "number", "created", "note", "content_hash")[:VERSIONS_SHOWN])
    records = results.of_each([version.content_hash, *(one.content_hash for one in versions)])
    context = {
        "deck": row,
        "version": version,
        "is_head": version.pk == row.head_id,
        "base": known(version.base, cards.catalog) or withdrawn.get(version.base),
        "base_withdrawn": version.base in withdrawn,
        "stats": stats(version.base, version.counts, cards.catalog, withdrawn),
        "considering": list(groups(version.considering, cards.catalog)),
        "considering_withdrawn": [(n, withdrawn[card]) for card, n in version.considering.items() if card in withdrawn],
        "tags": version.tags,
        "problems": problems,
        "rules": legality.RULES,
        "advice": legality.advise(version.counts, cards.catalog),
        "versions": versions,
        "record": records[version.content_hash],
        "records": records,
        "origin": services.origin_of(row, request.user),
        "labels": row.labels.all(),
        "similar": services.similar_to(row, version),
        "is_owner": is_owner,
        "is_unpublished": is_owner and bool(drafts.unpublished(request.user, deck=row)),
        "can_play": not problems and version.pk == row.head_id and services.may_play(request.user, row),
        "text": services.as_text(row, version),
        "exports": export_pages.menu(row, version),
        "views": VIEWS,
        "view": view if view in dict(VIEWS) else VIEWS[0][0],
        "visibilities": Deck.Visibility.choices,
        "address": request.build_absolute_uri(row.get_absolute_url()),
        "picture": embedding.picture_of(request, row),
        "link": request.build_absolute_uri(address) if is_owner and (address := links.address_of(row)) else "",
    }
    context |= social_pages.discussion(request, row)
    context |= collection_pages.lacking(request, version.base, version.counts)
    return kept_if_public(render(request, "decks/deck.html", context), row)


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, uid: str) -> HttpResponse:
    """Go on with a deck of one's own in the builder, or change its list; what is saved as a list is a new version."""
    try:
        row = services.own(request.user, uid)
    except Deck.DoesNotExist:
        if request.POST.get("text"):
            return _not_own(request, status=404)
        return _edit_draft(request, uid)
    if request.method != "POST":
        start = QueryDict(mutable=True)
        start["text"] = services.as_text(row, version_or_404(row, None))
        return _paste(request, start, row, check=False, builder=building.gone_on_with(request, row.uid))

    def save(text: str, picks: dict[int, str]) -> Deck:
        services.new_version(row, text, note=request.POST.get("note", ""), picks=picks)
        return row

    return _paste(request, request.POST, row, save)


def _edit_draft(request: HttpRequest, uid: str) -> HttpResponse:
    """Go on with a deck that is begun and not yet published."""
    try:
        return _paste(request, QueryDict(), None, builder=building.gone_on_with(request, uid))
    except Draft.DoesNotExist:
        raise Http404 from None


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
    """Show the confirmation page for deleting one's own deck; delete it on POST."""
    row = own_or_404(request, uid)
    if request.method != "POST":
        return render(request, "decks/delete.html", {"deck": row, "versions": row.versions.count()})
    services.delete(row)
    messages.success(request, f"{row.name} is deleted. Matches played with it keep their own copy.")
    return redirect("decks:mine")


def _paste(
    request: HttpRequest,
    form: QueryDict,
    deck: Deck | None,
    save: Callable[[str, dict[int, str]], Deck] | None = None,
    check: bool = True,
    builder: dict[str, Any] | None = None,
) -> HttpResponse:
    """Show the paste page with what ``form`` holds, read line by line; save when asked to and all is clear.

    With what the ``builder`` needs, its page is shown, and pasting is what it has without scripts.
    """
    text, picks = form.get("text", ""), picks_of(form)
    reading, wrong, was, do = None, "", "", form.get("do", "")
    try:
        came = importing.take_in_more(request, text, form.get("how", "")) if do == "import" else None
        came = came or importing.take_in(request, text)
        text, was = came.text, came.was
        if was or do == "import":
            picks = {}  # they were for other lines
        elif save and do in SAVING:
            done = save(text, picks)
            messages.success(request, f"{done.name} is saved.")
            return redirect(done)
    except (services.DeckError, textlist.TextTooLongError) as error:
        wrong = str(error)
    except FormError as error:
        wrong, check = str(error), do == "import"  # what is of another form is not read as a list
    if check and text.strip() and not textlist.too_long(text):
        reading = services.read_text(text, picks)
    elif textlist.too_long(text):
        wrong = textlist.too_long(text)
        text = text[: textlist.MAX_BYTES]
    context = {
        "deck": deck,
        "text": text,
        "wrong": wrong,
        "was": was,
        "how": form.get("how", ""),
        "imported": do == "import",
        "name": form.get("name", "")[: textlist.MAX_NAME],
        "note": form.get("note", "")[:MAX_NOTE],
        "visibility": _visibility(form.get("visibility", "")),
        "visibilities": Deck.Visibility.choices,
        **(_report(reading, deck, picks) if reading else {}),
    }
    if builder is not None:
        return render(request, building.TEMPLATE, {**context, **builder})
    return render(request, "decks/paste.html", context, status=400 if wrong else 200)


def _not_own(request: HttpRequest, status: int) -> HttpResponse:
    """Give a changed list back to somebody whose deck it is not, who may sign in beside the page and save it then.

    It says nothing of the deck, so that a forbidden one and a missing one are answered alike.
    """
    form = request.POST
    context = {
        "not_own": True,
        "text": form.get("text", "")[: textlist.MAX_BYTES],
        "note": form.get("note", "")[:MAX_NOTE],
        "wrong": "You are not signed in as the owner of this deck. Perhaps you signed out on another page, or were away"
        " for long. Sign in on the page that opens beside this one, come back here, and check the list again.",
    }
    return render(request, "decks/paste.html", context, status=status)


def _report(reading: Reading, deck: Deck | None, picks: dict[int, str]) -> dict[str, Any]:
    """Return what the paste page tells of a list that was read."""
    catalog = cards_data.current()
    listed = reading.deck
    if deck and not listed.format:
        listed.format = deck.format_id
    return {
        **report(reading, catalog, picks),
        "bases": [catalog[base] for base in listed.bases],
        "size": legality.deck_size(listed.counts, catalog),
        "problems": services.check_list(listed),
        "difference": difference(services.as_list(deck, deck.head), listed) if deck and deck.head else None,
        "advice": legality.advise(listed.counts, catalog),
        "rules": legality.RULES,
    }


def _draft(form: QueryDict) -> list[tuple[str, str]]:
    """Return the fields of the paste page, each as short as it may be."""
    fields = [("text", form.get("text", "")), ("name", form.get("name", "")[: textlist.MAX_NAME])]
    fields.append(("visibility", _visibility(form.get("visibility", ""))))
    return fields + [(f"pick-{number}", value) for number, value in picks_of(form).items()]


def _visibility(value: str) -> str:
    return value if value in Deck.Visibility.values else "private"


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
