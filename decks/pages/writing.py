"""The pages on which a deck is made or changed: the builder, and a list that is pasted where there are no scripts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from cards_data import catalog as cards_data
from ccg.guests import AS_GUEST, let_in
from decks import judging, services
from decks.building import builder as building
from decks.building import importing
from decks.exchange.form import FormError
from decks.finding import version_or_404
from decks.lists import deck_list, legality, textlist
from decks.lists.differences import difference
from decks.lists.line_reports import picks_of, report
from decks.lists.textlist import Reading
from decks.models import Deck, Draft

MAX_NOTE = 200
SAVING = ("save", AS_GUEST)


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
        stopped = let_in(request)
        if stopped is not None:
            return stopped

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
    text, picks, was, wrong = form.get("text", ""), picks_of(form), "", ""
    imported = form.get("do") == "import"
    try:
        came = importing.take_in_more(request, text, form.get("how", "")) if imported else None
        came = came or importing.take_in(request, text)
        text, was = came.text, came.was
        if was or imported:
            picks = {}  # they were for other lines
        elif save and form.get("do") in SAVING:
            done = save(text, picks)
            messages.success(request, f"{done.name} is saved.")
            return redirect(done)
    except (services.DeckError, textlist.TextTooLongError) as error:
        wrong = str(error)
    except FormError as error:
        wrong, check = str(error), imported  # what is of another form is not read as a list
    context = {
        **_fields(form),
        **_read(text, picks, deck, check=check),
        "deck": deck,
        "wrong": textlist.too_long(text) or wrong,
        "was": was,
        "imported": imported,
    }
    if builder is not None:
        return render(request, building.TEMPLATE, {**context, **builder})
    return render(request, "decks/paste.html", context, status=400 if context["wrong"] else 200)


def _fields(form: QueryDict) -> dict[str, Any]:
    """Return what the paste page holds besides the list, each as long as it may be."""
    return {
        "how": form.get("how", ""),
        "name": form.get("name", "")[: deck_list.MAX_NAME],
        "note": form.get("note", "")[:MAX_NOTE],
        "visibility": _visibility(form.get("visibility", "")),
        "visibilities": Deck.Visibility.choices,
    }


def _read(text: str, picks: dict[int, str], deck: Deck | None, *, check: bool) -> dict[str, Any]:
    """Return the list as the paste page shows it, and what each line was read as if that is to be looked at."""
    if textlist.too_long(text):
        return {"text": text[: textlist.MAX_BYTES]}
    if not check or not text.strip():
        return {"text": text}
    return {"text": text, **_report(services.read_text(text, picks), deck, picks)}


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
        "problems": judging.check_list(listed),
        "difference": difference(services.as_list(deck, deck.head), listed) if deck and deck.head else None,
        "advice": legality.advise(listed.counts, catalog),
        "rules": legality.RULES,
    }


def _draft(form: QueryDict) -> list[tuple[str, str]]:
    """Return the fields of the paste page, each as short as it may be."""
    fields = [("text", form.get("text", "")), ("name", form.get("name", "")[: deck_list.MAX_NAME])]
    fields.append(("visibility", _visibility(form.get("visibility", ""))))
    return fields + [(f"pick-{number}", value) for number, value in picks_of(form).items()]


def _visibility(value: str) -> str:
    return value if value in Deck.Visibility.values else "private"
