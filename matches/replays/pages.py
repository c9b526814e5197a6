"""Pages of replays. A match that is not over, that is not there and that is not for the viewer give the same answer."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from ccg.guests import let_in
from ccg.numbers import whole_number
from ccg.suspension import Suspended
from decks.models import Report
from decks.services import DeckError
from decks.social import moderation
from matches.lobby.begun_lately import refuse_more_begun
from matches.lobby.errors import LobbyError
from matches.players import LEVELS, NORMAL
from matches.replays import forms, notes, playing_on, showing
from matches.replays.models import LONGEST_NOTE, REPORTED, NoteSheet
from matches.replays.showing import Access, Replay
from matches.seats import former
from matches.seats.former import FORMER_PLAYER
from matches.seats.stand_ins import name_of
from matches.storage import stored_events

MADE_WITHIN = timedelta(minutes=2)
"""How long after the end of a match its page waits for the replay; what is not there by then comes late or never."""

MOST_SENT = 20
"""How many texts of a note a page may name as those that it has sent without an answer."""


class MoveInWords(NamedTuple):
    """A move in words: its number, and the sentences of what happened."""

    move: int
    events: list[str]


class TurnInWords(NamedTuple):
    """A turn in words; the one with the number 0 is the setup."""

    turn: int
    moves: list[MoveInWords]


@never_cache
@require_safe
def page(request: HttpRequest, match_id: str) -> HttpResponse:
    """The replay of a match at a table; with ``words``, as everybody or the own seat saw it, in sentences."""
    found = _access_or_404(request, match_id)
    film = showing.film_of(found.match)
    context = {"access": found, "match": found.match, "seats": _named(found), "film": film, "result": _result(found)}
    if film is None:
        ended = found.match.finished
        context["soon"] = ended is not None and timezone.now() - ended < MADE_WITHIN
        return render(request, "replays/not_kept.html", context, status=404)
    if "words" in request.GET:
        told = showing.replay(found, film, found.usual)
        return render(request, "replays/words.html", {**context, "turns": _told(told)})
    token = request.GET.get("notes", "")
    context |= {
        "notes": _notes(request, found, token),
        "play_on": playing_on.can_play_on(found),
        "levels": LEVELS,
        "level": NORMAL,
        # For other sites and search engines; notes that a link opens are none of their business.
        "address": found.match.watchable and request.build_absolute_uri(request.path),
        "indexed": found.match.watchable and found.match.listed and not token,
    }
    response = render(request, "replays/replay.html", context)
    if token:
        response["Referrer-Policy"] = "same-origin"  # the address opens somebody's notes
    return response


@require_POST
def keep_notes(request: HttpRequest, match_id: str) -> HttpResponse:
    """Keep a note of a player, or share their notes, or share them no more; answer with the notes as they are then."""
    found = _access_or_404(request, match_id)
    if found.seat is None:
        raise Http404
    try:
        wanted = request.POST.get("do")
        if wanted == "keep":
            move = forms.number(request, "move")
            text, was = request.POST.get("text", ""), request.POST.getlist("was")[-MOST_SENT:]
            sheet = notes.keep(found.match, request.user, move, text, was)
        elif wanted in ("share", "hide"):
            sheet = notes.share(found.match, request.user, wanted == "share")
        else:
            raise LobbyError("do", "Notes are kept, shared, or shared no more.")
    except Suspended as error:
        return JsonResponse({"wrong": str(error)}, status=403)
    except LobbyError as error:
        if error.code != "stale":
            return JsonResponse({"wrong": error.message}, status=400)
        now = notes.sheet_of(found.match, request.user)
        told = {"wrong": error.message, "lines": notes.lines(now), "link": _link(request, found, now)}
        return JsonResponse(told, status=409)
    return JsonResponse({"lines": notes.lines(sheet), "link": _link(request, found, sheet)})


@require_POST
def play_on(request: HttpRequest, match_id: str) -> HttpResponse:
    """Begin a match against the computer at a point of this one, and go to its table."""
    found = _access_or_404(request, match_id)
    film = showing.film_of(found.match)
    if film is None:
        raise Http404
    try:
        move, seat = forms.number(request, "move"), forms.number(request, "seat", found.seat or 0)
        policy = forms.computer(request)
        if not request.user.is_authenticated:
            playing_on.check(found, film, move, seat)  # so that nobody becomes a guest only to be refused
        stopped = let_in(request)
        if stopped is not None:
            return stopped
        refuse_more_begun(request)
        return redirect(playing_on.play_on(request.user, found, film, move, seat, policy))
    except LobbyError as error:
        messages.error(request, error.message)
        return redirect("replays:replay", found.match.public_id)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, match_id: str) -> HttpResponse:
    """Tell those who run the site that something went wrong at a point of a match."""
    found = _access_or_404(request, match_id)
    asked = request.POST.get("move") or request.GET.get("move", "0")
    move = whole_number(asked, 6) or 0
    address = f"{reverse('replays:replay', args=[found.match.public_id])}#move={min(move, found.match.version)}"
    wrong = ""
    if request.method == "POST":
        try:
            moderation.report(
                request.user, REPORTED, address, told=_about(found), reason=str(Report.Reason.MISTAKE),
                words=request.POST.get("words", ""),
            )  # fmt: skip
        except DeckError as error:
            wrong = str(error)
        else:
            messages.success(request, "Thank you. Those who look after the rules will look at it.")
            return redirect(address)
    context = {
        "match": found.match,
        "seats": _named(found),
        "move": min(move, found.match.version),
        "address": address,
        "words": request.POST.get("words", "")[: moderation.MAX_WORDS],
        "wrong": wrong,
    }
    return render(request, "replays/report.html", context, status=400 if wrong else 200)


# -- inside


def _access_or_404(request: HttpRequest, match_id: str) -> Access:
    found = showing.access(match_id, request.user.pk if request.user.is_authenticated else None)
    if found is None:
        raise Http404
    return found


def _named(found: Access) -> list[dict[str, Any]]:
    """Return the seats with the names that may be shown."""
    gone = former.seats_of(found.match.pk)
    return [
        {
            "number": seat.number,
            "name": FORMER_PLAYER if seat.number in gone else seat.name,
            "level": "" if seat.stand_in else seat.level,
        }
        for seat in found.seats
    ]


def _result(found: Access) -> str:
    names = [seat["name"] for seat in _named(found) if seat["number"] in found.match.winners]
    return f"{' and '.join(names)} won." if names else "Nobody won."


def _notes(request: HttpRequest, found: Access, token: str) -> dict[str, Any] | None:
    """Return the notes to show: those that a link opens, else one's own; None where there can be none."""
    others = notes.shared(found.match, token)
    if others is not None and others.writer_id != request.user.pk:
        return _as_data(others, name_of(others.writer), None, None)
    if found.seat is None:
        return None
    sheet = notes.sheet_of(found.match, request.user)
    return _as_data(sheet, "", reverse("replays:notes", args=[found.match.public_id]), _link(request, found, sheet))


def _as_data(sheet: NoteSheet | None, writer: str, address: str | None, link: str | None) -> dict[str, Any]:
    return {"lines": notes.lines(sheet), "writer": writer, "address": address, "link": link, "longest": LONGEST_NOTE}


def _link(request: HttpRequest, found: Access, sheet: NoteSheet | None) -> str | None:
    if sheet is None or not sheet.nonce:
        return None
    address = reverse("replays:replay", args=[found.match.public_id])
    return request.build_absolute_uri(f"{address}?notes={notes.token_of(sheet)}")


def _told(told: Replay) -> list[TurnInWords]:
    begins = {turn.move: turn.turn for turn in told.turns}
    turns = [TurnInWords(0, [])]
    for number, move in enumerate(told.moves):
        if number in begins:
            turns.append(TurnInWords(begins[number], []))
        events = stored_events.sentences(move.events)
        if events:
            turns[-1].moves.append(MoveInWords(number, events))
    return turns


def _about(found: Access) -> str:
    """Return what a moderator has to know of a match: versions, not what anybody held."""
    match = found.match
    return f"Match {match.public_id}, engine {match.engine_version}, cards {match.catalog}, {match.version} moves"
