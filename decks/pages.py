"""The pages of decks. They work without JavaScript; a deck that may not be seen is a deck that is not there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import resolve, reverse
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cards_data import catalog as cards_data
from ccg.rules.cards.definitions import CardDef
from decks import legality, services, textlist
from decks.models import Deck, DeckVersion
from decks.stats import groups, known, stats
from decks.textlist import Line, Reading

DECKS_A_PAGE = 24
MAX_PICKERS = 200
"""Undecided lines that one form asks for; a form has a limited number of fields."""
MAX_NOTE = 200

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
SAVING = ("save", "save as guest")
MAX_PICK = 20
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
        return _paste(request, QueryDict(), None)
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


def _can_be_stored(form: QueryDict) -> bool:
    """Return whether the list is clear: nobody is asked who they are for one that is refused anyway."""
    try:
        services.read_clear_text(form.get("text", ""), _picks(form))
    except (services.DeckError, textlist.TextTooLongError):
        return False
    return True


def again(request: HttpRequest) -> HttpResponse | None:
    """Return the paste page with the list that a form without a valid token brought; None for other forms.

    Most often somebody signed in elsewhere meanwhile. Nothing is saved, and the list is not lost.
    """
    if request.path != reverse("decks:new") or not request.POST.get("text"):
        return None
    messages.warning(request, "This page was older than your signing in or out. Nothing is saved yet: save again.")
    response = _paste(request, request.POST, None)
    response.status_code = 403
    return response


@require_safe
def deck(request: HttpRequest, uid: str, number: int | None = None) -> HttpResponse:
    """A deck, or an older version of it: cards, legality, costs, versions, and what its owner can do."""
    row = _visible(request, uid)
    version = _version(row, number)
    cards = cards_data.data()
    problems = services.check_version(version, row)
    named = {version.base, *version.counts, *version.considering}
    withdrawn = cards_data.withdrawn(named - cards.catalog.index.keys())
    is_owner = request.user.is_authenticated and row.owner_id == request.user.pk
    view = request.GET.get("view", "")
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
        "versions": row.versions.only("number", "created", "note", "content_hash")[:50],
        "is_owner": is_owner,
        "can_play": not problems and version.pk == row.head_id and services.may_play(request.user, row),
        "text": services.as_text(row, version),
        "views": VIEWS,
        "view": view if view in dict(VIEWS) else VIEWS[0][0],
        "visibilities": Deck.Visibility.choices,
    }
    return render(request, "decks/deck.html", context)


@require_safe
def text(request: HttpRequest, uid: str, number: int | None = None) -> HttpResponse:
    """A deck as a text file."""
    row = _visible(request, uid)
    response = HttpResponse(services.as_text(row, _version(row, number)), content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slugify(row.name) or "deck"}.txt"'
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, uid: str) -> HttpResponse:
    """Change a deck of one's own by changing its list; what is saved is a new version."""
    row = _own(request, uid)
    if request.method != "POST":
        start = QueryDict(mutable=True)
        start["text"] = services.as_text(row, _version(row, None))
        return _paste(request, start, row, check=False)

    def save(text: str, picks: dict[int, str]) -> Deck:
        services.new_version(row, text, note=request.POST.get("note", ""), picks=picks)
        return row

    return _paste(request, request.POST, row, save)


@require_POST
def settings(request: HttpRequest, uid: str) -> HttpResponse:
    """Rename a deck of one's own, and say who may see it."""
    row = _own(request, uid)
    try:
        services.rename(row, request.POST.get("name", ""))
        services.set_visibility(row, request.POST.get("visibility", ""))
    except services.DeckError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Saved.")
    return redirect(row)


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, uid: str) -> HttpResponse:
    """Show the confirmation page for deleting one's own deck; delete it on POST."""
    row = _own(request, uid)
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
) -> HttpResponse:
    """Show the paste page with what ``form`` holds, read line by line; save when asked to and all is clear."""
    text, picks = form.get("text", ""), _picks(form)
    reading, wrong = None, ""
    try:
        if save and form.get("do") in SAVING:
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
        "name": form.get("name", "")[: textlist.MAX_NAME],
        "note": form.get("note", "")[:MAX_NOTE],
        "visibility": _visibility(form.get("visibility", "")),
        "visibilities": Deck.Visibility.choices,
        **(_report(reading, deck, picks) if reading else {}),
    }
    return render(request, "decks/paste.html", context, status=400 if wrong else 200)


def _report(reading: Reading, deck: Deck | None, picks: dict[int, str]) -> dict[str, Any]:
    """Return what the paste page tells of a list that was read."""
    catalog = cards_data.current()
    listed = reading.deck
    if deck and not listed.format:
        listed.format = deck.format_id
    undecided = [line for line in reading.lines if line.kind in textlist.UNDECIDED or picks.get(line.number)]
    return {
        "reading": reading,
        "lines": [_line(line, catalog) for line in reading.lines if line.kind != "blank"],
        "asked": [_line(line, catalog, picks) for line in undecided[:MAX_PICKERS]],
        "open": len(reading.undecided),
        "read": sum(1 for line in reading.lines if line.kind == "matched"),
        "bases": [catalog[base] for base in listed.bases],
        "size": legality.deck_size(listed.counts, catalog),
        "problems": services.check_list(listed),
        "advice": legality.advise(listed.counts, catalog),
        "rules": legality.RULES,
        "leave_out": textlist.LEAVE_OUT,
    }


def _line(line: Line, catalog: Any, picks: dict[int, str] | None = None) -> dict[str, Any]:
    """Return one line as the report shows it; with ``picks``, as a question with what was answered."""
    cards: list[CardDef] = [catalog[card] for card in line.cards]
    picked = (picks or {}).get(line.number, "")
    return {"line": line, "cards": cards, "picked": picked, "words": KIND_WORDS.get(line.kind, line.kind)}


def _picks(form: QueryDict) -> dict[int, str]:
    """Read the fields ``pick-12`` of the form."""
    picks = {}
    for key, value in form.items():
        number = key.removeprefix("pick-")
        if key != number and number.isdecimal() and len(number) < 4 and 0 < len(value) <= MAX_PICK:
            picks[int(number)] = value
    return dict(list(picks.items())[:MAX_PICKERS])


def _draft(form: QueryDict) -> list[tuple[str, str]]:
    """Return the fields of the paste page, each as short as it may be."""
    fields = [("text", form.get("text", "")), ("name", form.get("name", "")[: textlist.MAX_NAME])]
    fields.append(("visibility", _visibility(form.get("visibility", ""))))
    return fields + [(f"pick-{number}", value) for number, value in _picks(form).items()]


def _visibility(value: str) -> str:
    return value if value in Deck.Visibility.values else "private"


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
        rows.append({"deck": deck, "version": version, "base": base, "stats": listed_stats, "balance": balance})
    return rows
