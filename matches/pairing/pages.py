"""The pages on which one looks for an opponent: the queues, and the list of open tables."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from ccg.guests import let_in
from matches.clocks import tempo as tempos
from matches.lobby import attendance
from matches.lobby import services as lobby
from matches.lobby.deck_choice import chosen_deck, deck_choices
from matches.lobby.errors import LobbyError
from matches.lobby.shuffle_words import given_in, leads_to_one_match
from matches.lobby.tempo_choice import chosen_tempo, tempo_choices
from matches.models import Match
from matches.notices import ways
from matches.pairing import prospects, services, tables
from matches.pairing.queues import CASUAL, CASUAL_DAYS, CORRESPONDENCE, LIVE, QUEUES, RANKED, RANKED_DAYS
from matches.pairing.services import QueueState
from matches.ratings import devices
from matches.seats.rated import NEEDS_ACCOUNT, why_it_will_not


@never_cache
@require_safe
def queue(request: HttpRequest) -> HttpResponse:
    """Choose a deck and a queue; or wait, or go to the table that was found.

    Whoever has been at that table finds it by themselves, and may wait for a match by correspondence meanwhile.
    """
    queued = _state(request)
    if queued.match is not None and _is_news(request, queued.match):
        return redirect(queued.match)
    if queued.state == "waiting":
        return render(request, "pairing/waiting.html", {"entry": queued.entry, "words": _words(queued)})
    return _form(request)


@require_POST
@leads_to_one_match
def join(request: HttpRequest) -> HttpResponse:
    """Begin to wait in a queue."""
    name = request.POST.get("queue", "")
    try:
        if name not in QUEUES:
            raise LobbyError("queue", "Choose whether the match is ranked or for fun.")
        _refuse_visitors(request, rated=QUEUES[name].rated)
        stopped = let_in(request)
        if stopped is not None:
            return stopped
        queued = services.join(request.user, name, chosen_deck(request, "deck"), given=given_in(request))
    except LobbyError as error:
        return _form(request, error)
    response = redirect(queued.match) if queued.match is not None else redirect("pairing:queue")
    if QUEUES[name].rated:
        devices.note(request, response)
    return response


@require_POST
def leave(request: HttpRequest) -> HttpResponse:
    """Wait no more, at the ``tempo`` of a form; whoever has an opponent by then goes to the table."""
    kind = CORRESPONDENCE if request.POST.get("tempo", "") == CORRESPONDENCE else LIVE
    queued = services.leave(request.user, kind=kind) if request.user.is_authenticated else QueueState("none")
    return redirect(queued.match) if queued.match is not None else redirect("pairing:queue")


@never_cache
@require_POST
def here(request: HttpRequest) -> HttpResponse:
    """Say that the page still waits; the answer has the table to go to, once there is one."""
    queued = QueueState("none")
    if request.user.is_authenticated:
        queued = services.here(request.user, hidden=request.POST.get("hidden") == "yes")
    table = queued.match.get_absolute_url() if queued.state == "paired" and queued.match else None
    words = _words(queued) if queued.state == "waiting" else ""
    return JsonResponse({"state": queued.state, "table": table, "words": words})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@leads_to_one_match
def open_tables(request: HttpRequest) -> HttpResponse:
    """The open tables; with POST one more is opened."""
    error = None
    if request.method == "POST":
        try:
            rated = request.POST.get("rated", "") == "on"
            _refuse_visitors(request, rated=rated)
            stopped = let_in(request)
            if stopped is not None:
                return stopped
            deck, players, tempo = chosen_deck(request, "deck"), _players(request), chosen_tempo(request)
            opened = redirect(
                tables.open_table(request.user, deck, players, rated=rated, tempo=tempo, given=given_in(request))
            )
            if rated:
                devices.note(request, opened)
            return opened
        except LobbyError as refused:
            error = refused
    rows = [_row(match, request.user) for match in tables.listed(request.user)]
    context = {
        **deck_choices(request),
        **tempo_choices(request),
        "rows": rows,
        "error": error,
        "numbers": [str(number) for number in range(2, 9)],
        "players": request.POST.get("players", "3"),
        "rated": request.POST.get("rated", "") == "on",
    }
    return render(request, "pairing/tables.html", context, status=400 if error else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@leads_to_one_match
def table(request: HttpRequest, match_id: str) -> HttpResponse:
    """Sit down at an open table: see who is there, pick a deck."""
    try:
        match = tables.find(request.user, match_id)
    except Match.DoesNotExist:
        raise Http404 from None
    error = None
    if request.user.is_authenticated and match.seats.filter(user=request.user).exists():
        return redirect(match)
    if request.method == "POST":
        try:
            lobby.free_seat(match)  # before a visitor is made a guest who would be refused
            _refuse_visitors(request, rated=match.rated)
            stopped = let_in(request)
            if stopped is not None:
                return stopped
            joined = redirect(lobby.join(match, request.user, chosen_deck(request, "deck"), given_in(request)))
            if match.rated:
                devices.note(request, joined)
            return joined
        except LobbyError as refused:
            if refused.code == "seated":
                return redirect(match)
            error = refused
            match.refresh_from_db()
    seats = list(match.seats.defer("cards").order_by("number"))
    context = {
        **deck_choices(request),
        "match": match,
        "seats": seats,
        "host": seats[0].name,
        "tempo": tempos.read(match.tempo),
        "unrated": why_it_will_not(match, seats, request.user),
        "free": match.state == Match.State.OPEN and any(seat.kind == "free" for seat in seats),
        "watch": match.watchable and match.state in (Match.State.RUNNING, Match.State.FINISHED),
        "error": error,
    }
    return render(request, "matches/invitation.html", context, status=409 if error else 200)


@never_cache
@require_POST
def table_here(request: HttpRequest, match_id: str) -> HttpResponse:
    """Say that somebody still waits at a table; the answer has the table to go to, once the match has begun."""
    match = Match.objects.defer("saved").filter(public_id=match_id).first()
    seat = match.seats.filter(user=request.user).first() if match and request.user.is_authenticated else None
    if match is None or seat is None:
        raise Http404
    waits = match.state == Match.State.OPEN and seat.joined
    if waits:
        attendance.here(match, request.user)
    begun = match.state == Match.State.RUNNING
    state = "waiting" if waits else "paired" if begun else "none"
    return JsonResponse({"state": state, "table": match.get_absolute_url() if begun else None, "words": ""})


# -- inside


def _refuse_visitors(request: HttpRequest, *, rated: bool) -> None:
    """Raise LobbyError before a visitor is made a guest who would be refused."""
    if rated and not request.user.is_authenticated:
        raise LobbyError("account", NEEDS_ACCOUNT)


def _state(request: HttpRequest) -> QueueState:
    return services.state_of(request.user) if request.user.is_authenticated else QueueState("none")


def _is_news(request: HttpRequest, match: Match | None) -> bool:
    """Whether somebody has not been at the table that was found for them."""
    return match is not None and match.seats.filter(user=request.user, seen=None).exists()


def _form(request: HttpRequest, error: LobbyError | None = None) -> HttpResponse:
    slow = services.state_of(request.user, kind=CORRESPONDENCE) if request.user.is_authenticated else None
    waits = slow.entry if slow is not None and slow.state == "waiting" else None
    found = slow.match if slow is not None and _is_news(request, slow.match) else None
    context = {
        **deck_choices(request),
        "error": error,
        "waiting": {name: services.count_waiting(name) for name in (RANKED, CASUAL)},
        "slow_tempo": QUEUES[RANKED_DAYS].tempo.words.capitalize(),
        "slow_waiting": _others(sum(services.count_waiting(name) for name in (RANKED_DAYS, CASUAL_DAYS))),
        "waits": waits,
        "found": found,
        "sent_away": services.sent_away(request.user) if request.user.is_authenticated else [],
        "prospects": prospects.words(waits, timezone.now()) if waits is not None else "",
        "is_told": waits is not None and ways.reaches(request.user),
        "needs_account": not request.user.is_authenticated or request.user.is_guest,
    }
    return render(request, "pairing/queue.html", context, status=400 if error else 200)


def _others(count: int) -> str:
    return f"{count} waiting now" if count else "Nobody waits now"


def _words(queued: QueueState) -> str:
    """Return how long somebody has waited, who else does, and why they are not paired, in sentences."""
    entry = queued.entry
    if entry is None:
        return ""
    now = timezone.now()
    seconds = max(0, int((now - entry.joined).total_seconds()))
    waited = f"{seconds // 60}:{seconds % 60:02}"
    return f"You have waited {waited}. {prospects.words(entry, now)}"


def _players(request: HttpRequest) -> int:
    text = request.POST.get("players", "")
    if text not in {str(number) for number in range(2, 9)}:
        raise LobbyError("players", "The number of players must be from 2 to 8.")
    return int(text)


def _row(match: Match, viewer: Any) -> dict[str, Any]:
    seats = sorted(match.seats.all(), key=lambda seat: seat.number)
    return {
        "match": match,
        "tempo": tempos.read(match.tempo),
        "seats": [seat for seat in seats if seat.joined],
        "missing": sum(not seat.joined for seat in seats),
        "own": any(seat.user_id is not None and seat.user_id == viewer.pk for seat in seats),
        "address": reverse("pairing:table", args=[match.public_id]),
    }
