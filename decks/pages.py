"""The pages of decks. They work without JavaScript; a deck that may not be seen is a deck that is not there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cards_data import catalog as cards_data
from ccg.rules.cards import CardDef
from decks import legality, services, textlist
from decks.models import Deck, DeckVersion
from decks.stats import groups, known, stats
from decks.textlist import Line, Reading

DECKS_A_PAGE = 24
MAX_PICKERS = 200
"""Undecided lines that one form asks for; a form has a limited number of fields."""
KEPT = "decks_pasted"
"""Where the session keeps a list while somebody without an account becomes a guest."""

KIND_WORDS = {
    "matched": "card",
    "ambiguous": "several cards",
    "unknown": "not known",
    "invalid": "not readable",
    "name": "deck name",
    "format": "format",
    "heading": "heading",
    "comment": "comment",
    "ignored": "left out",
}
VIEWS = (("pictures", "Pictures"), ("list", "List"))


@require_safe
def deck_list(request: HttpRequest) -> HttpResponse:
    """The starter decks, and the public decks of players, newest first."""
    page = Paginator(Deck.objects.listed().with_head(), DECKS_A_PAGE).get_page(request.GET.get("page"))
    starters = Deck.objects.starters().with_head() if page.number == 1 else []
    return render(request, "decks/list.html", {"page": page, "rows": _rows(page), "starters": _rows(starters)})


@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """One's own decks; a visitor is told how to have some."""
    decks = Deck.objects.filter(owner=request.user).with_head() if request.user.is_authenticated else []
    return render(request, "decks/mine.html", {"rows": _rows(decks)})


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Paste a list, see what each line was read as, pick where that is not clear, save."""
    if request.method != "POST":
        kept = request.session.pop(KEPT, None)
        return _paste(request, QueryDict(kept) if kept else QueryDict(), None)
    if request.POST.get("do") == "save" and not request.user.is_authenticated:
        if not textlist.too_long(request.POST.get("text", "")):
            request.session[KEPT] = request.POST.urlencode()
        return render(request, "decks/who.html", {"next": reverse("decks:new")})

    def save(text: str, picks: dict[int, str]) -> Deck:
        return services.create_from_text(
            request.user,
            text,
            name=request.POST.get("name", ""),
            visibility=_visibility(request.POST.get("visibility", "")),
            picks=picks,
        )

    return _paste(request, request.POST, None, save)


@require_safe
def deck(request: HttpRequest, uid: str, number: int | None = None) -> HttpResponse:
    """A deck, or an older version of it: cards, legality, costs, versions, and what its owner can do."""
    found = _visible(request, uid)
    version = _version(found, number)
    cards = cards_data.data()
    problems = services.check_version(version, found)
    named = {version.base, *version.counts, *version.considering}
    withdrawn = cards_data.withdrawn(named - cards.catalog.index.keys())
    is_owner = request.user.is_authenticated and found.owner_id == request.user.pk
    view = request.GET.get("view", "")
    context = {
        "deck": found,
        "version": version,
        "is_head": version.pk == found.head_id,
        "base": known(version.base, cards.catalog) or withdrawn.get(version.base),
        "base_withdrawn": version.base in withdrawn,
        "stats": stats(version.base, version.counts, cards.catalog, withdrawn),
        "considering": list(groups(version.considering, cards.catalog)),
        "considering_withdrawn": [(n, withdrawn[card]) for card, n in version.considering.items() if card in withdrawn],
        "tags": version.tags,
        "problems": problems,
        "rules": legality.RULES,
        "advice": legality.advise(version.counts, cards.catalog),
        "versions": found.versions.only("number", "created", "note", "content_hash")[:50],
        "is_owner": is_owner,
        "can_play": not problems and version.pk == found.head_id and services.may_play(request.user, found),
        "text": services.as_text(found, version),
        "views": VIEWS,
        "view": view if view in dict(VIEWS) else VIEWS[0][0],
        "visibilities": Deck.Visibility.choices,
    }
    return render(request, "decks/deck.html", context)


@require_safe
def text(request: HttpRequest, uid: str, number: int | None = None) -> HttpResponse:
    """A deck as a text file."""
    found = _visible(request, uid)
    response = HttpResponse(services.as_text(found, _version(found, number)), content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slugify(found.name) or "deck"}.txt"'
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, uid: str) -> HttpResponse:
    """Change a deck of one's own by changing its list; what is saved is a new version."""
    found = _own(request, uid)
    if request.method != "POST":
        start = QueryDict(mutable=True)
        start["text"] = services.as_text(found, _version(found, None))
        return _paste(request, start, found, check=False)

    def save(text: str, picks: dict[int, str]) -> Deck:
        services.new_version(found, text, note=request.POST.get("note", ""), picks=picks)
        return found

    return _paste(request, request.POST, found, save)


@require_POST
def settings(request: HttpRequest, uid: str) -> HttpResponse:
    """Rename a deck of one's own, and say who may see it."""
    found = _own(request, uid)
    try:
        services.rename(found, request.POST.get("name", ""))
        services.set_visibility(found, request.POST.get("visibility", ""))
    except services.DeckError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Saved.")
    return redirect(found)


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, uid: str) -> HttpResponse:
    """Ask whether a deck of one's own shall go, and let it go."""
    found = _own(request, uid)
    if request.method != "POST":
        return render(request, "decks/delete.html", {"deck": found, "versions": found.versions.count()})
    services.delete(found)
    messages.success(request, f"{found.name} is deleted. Matches played with it keep their own copy.")
    return redirect("decks:mine")


def _paste(
    request: HttpRequest,
    said: QueryDict,
    deck: Deck | None,
    save: Callable[[str, dict[int, str]], Deck] | None = None,
    check: bool = True,
) -> HttpResponse:
    """Show the paste page with what ``said`` holds, read line by line; save when asked to and all is clear."""
    text, picks = said.get("text", ""), _picks(said)
    reading, wrong = None, ""
    try:
        if save and said.get("do") == "save":
            done = save(text, picks)
            messages.success(request, f"{done.name} is saved.")
            return redirect(done)
    except (services.DeckError, textlist.TextTooLongError) as error:
        wrong = str(error)
    if check and text.strip() and not textlist.too_long(text):
        reading = services.read_text(text, picks)
    elif textlist.too_long(text):
        wrong = textlist.too_long(text)
        text = text[: textlist.MAX_BYTES]
    context = {
        "deck": deck,
        "text": text,
        "wrong": wrong,
        "name": said.get("name", ""),
        "note": said.get("note", ""),
        "visibility": _visibility(said.get("visibility", "")),
        "visibilities": Deck.Visibility.choices,
        **(_report(reading, deck, picks) if reading else {}),
    }
    return render(request, "decks/paste.html", context, status=400 if wrong else 200)


def _report(reading: Reading, deck: Deck | None, picks: dict[int, str]) -> dict[str, Any]:
    """Give what the paste page tells of a list that was read."""
    catalog = cards_data.current()
    said = reading.deck
    if deck and not said.format:
        said.format = deck.format_id
    undecided = [line for line in reading.lines if line.kind in textlist.UNDECIDED or picks.get(line.number)]
    return {
        "reading": reading,
        "lines": [_line(line, catalog) for line in reading.lines if line.kind != "blank"],
        "asked": [_line(line, catalog, picks) for line in undecided[:MAX_PICKERS]],
        "open": len(reading.undecided),
        "read": sum(1 for line in reading.lines if line.kind == "matched"),
        "bases": [catalog[base] for base in said.bases],
        "size": legality.deck_size(said.counts, catalog),
        "problems": services.check_list(said),
        "advice": legality.advise(said.counts, catalog),
        "rules": legality.RULES,
        "leave_out": textlist.LEAVE_OUT,
    }


def _line(line: Line, catalog: Any, picks: dict[int, str] | None = None) -> dict[str, Any]:
    """Give one line as the report shows it; with ``picks``, as a question with what was answered."""
    cards: list[CardDef] = [catalog[card] for card in line.cards]
    picked = (picks or {}).get(line.number, "")
    return {"line": line, "cards": cards, "picked": picked, "words": KIND_WORDS.get(line.kind, line.kind)}


def _picks(said: QueryDict) -> dict[int, str]:
    """Read the fields ``pick-12`` of the form."""
    found = {}
    for key, value in said.items():
        number = key.removeprefix("pick-")
        if key != number and number.isdecimal() and len(number) < 4 and value:
            found[int(number)] = value
    return found


def _visibility(said: str) -> str:
    return said if said in Deck.Visibility.values else "private"


def _visible(request: HttpRequest, uid: str) -> Deck:
    try:
        return services.visible(request.user, uid)
    except Deck.DoesNotExist:
        raise Http404 from None


def _own(request: HttpRequest, uid: str) -> Deck:
    try:
        return services.own(request.user, uid)
    except Deck.DoesNotExist:
        raise Http404 from None


def _version(deck: Deck, number: int | None) -> DeckVersion:
    version = deck.head if number is None else deck.versions.filter(number=number).first()
    if version is None:
        raise Http404
    return version


def _rows(decks: Any) -> list[dict[str, Any]]:
    """Give what a list shows of each deck: its base, what it makes, whether it was legal when last looked at."""
    catalog = cards_data.current()
    rows = []
    for deck in decks:
        version = deck.head
        if version is None:
            continue
        told = stats(version.base, version.counts, catalog)
        base = known(version.base, catalog)
        balance = sorted(told.balance, key=lambda one: -one.makers)
        rows.append({"deck": deck, "version": version, "base": base, "stats": told, "balance": balance})
    return rows
