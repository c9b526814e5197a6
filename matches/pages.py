"""The lobby: pages to begin a match, to find one's matches again, and the page of the table.

A table that is missing and one that is not for the viewer give the same answer, byte for byte.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from ccg.guests import let_in
from ccg.numbers import whole_number
from ccg.rules import StateError
from decks.exchange import qr
from decks.table_decks import TableDeck
from matches.chat import services as chat
from matches.clocks import pages as clock_pages
from matches.clocks import tempo as tempos
from matches.clocks import waiting
from matches.clocks.arithmetic import SECOND
from matches.lessons import files as lessons
from matches.lobby import attendance, invites, lesson_pages, rematches, seating
from matches.lobby import services as lobby
from matches.lobby.begun_lately import refuse_more_begun
from matches.lobby.deck_choice import chosen_deck, deck_choices, ref_of, starter_by_chance, taken
from matches.lobby.errors import LobbyError
from matches.lobby.outdated import OUTDATED
from matches.lobby.shuffle_words import given_in, leads_to_one_match
from matches.lobby.tempo_choice import chosen_tempo, tempo_choices
from matches.models import LeftSeat, Match, MatchSeat
from matches.notices.waiting import visited
from matches.players import LEVELS, NORMAL, player_at
from matches.ratings import devices
from matches.seats.rated import why_it_will_not
from matches.shuffles import publishing
from matches.shuffles import services as shuffles
from matches.table import table_view

log = logging.getLogger(__name__)

MOST_COMPUTERS = 3
FINISHED_SHOWN = 50
RUNNING_SHOWN = 3


@never_cache
@require_safe
def play(request: HttpRequest) -> HttpResponse:
    """Everything from which a match can begin."""
    return _lobby(request)


@require_POST
@leads_to_one_match
def play_computer(request: HttpRequest) -> HttpResponse:
    """Begin a match against the computer at once, with starter decks by chance where none is chosen.

    With ``unless=running``, as from a button that promises to play at once, somebody who is in a match is shown
    that one first, and somebody who has never played gets a deck that is easy to play.
    """
    stopped = let_in(request)
    if stopped is not None:
        return stopped
    at_once = request.POST.get("unless") == "running"
    if at_once and seating.running_matches(request.user).exists():
        return redirect("matches:play")
    try:
        refuse_more_begun(request)
        deck = chosen_deck(request, "deck", easy=at_once and not lobby.has_played(request.user))
        number = _number(request, "opponents", 1, 1, MOST_COMPUTERS)
        player = _computer_player(request)
        computers = [_computers_deck(request, deck) for _ in range(number)]
        match = lobby.play_computer(request.user, deck, computers, player, given_in(request))
    except LobbyError as error:
        return _lobby(request, error)
    return redirect(match)


@require_POST
@leads_to_one_match
def invite(request: HttpRequest) -> HttpResponse:
    """Open a table for friends and show its link."""
    stopped = let_in(request)
    if stopped is not None:
        return stopped
    try:
        players = _number(request, "players", 2, 2, 8)
        watchable = request.POST.get("watchable", "") == "on"
        deck, tempo = chosen_deck(request, "deck"), chosen_tempo(request)
        match = lobby.invite(request.user, deck, players, watchable=watchable, tempo=tempo, given=given_in(request))
    except LobbyError as error:
        return _lobby(request, error)
    return redirect(match)


@never_cache
@leads_to_one_match
def invited(request: HttpRequest, token: str) -> HttpResponse:
    """Follow an invite link: see who invites, pick a deck, sit down."""
    try:
        match = lobby.invited(token)
    except Match.DoesNotExist:
        return _no_referrer(render(request, "matches/no_invitation.html", status=404))
    if request.method == "POST":
        return _take_seat(request, match, token) if lobby.free_seats(match) else _sit_down(request, match, token)
    if _seat_of(match, request.user) is not None:
        return redirect(match)
    return _invitation(request, match, token)


@never_cache
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """The matches of whoever is here: waiting, running, finished."""
    if not request.user.is_authenticated:
        return render(request, "matches/mine.html", {"nobody": True})
    visited(request.user)
    own = Match.objects.filter(seats__user=request.user).prefetch_related(
        Prefetch("seats", MatchSeat.objects.defer("cards").order_by("number"))
    )
    finished = own.filter(state=Match.State.FINISHED).order_by("-finished")
    left = (
        LeftSeat.objects.filter(user=request.user)
        .order_by("-left")
        .prefetch_related(
            Prefetch("match", Match.objects.defer("saved", "seed")),
            Prefetch("match__seats", MatchSeat.objects.defer("cards").order_by("number")),
        )
    )
    context = {
        "waiting": [_row(m, request.user) for m in own.filter(state=Match.State.OPEN).order_by("-created")],
        "running": _running(own.filter(state=Match.State.RUNNING).order_by("-changed"), request.user),
        "finished": [_row(m, request.user) for m in finished[:FINISHED_SHOWN]],
        "more": max(0, finished.count() - FINISHED_SHOWN),
        "left": [_left_row(seat) for seat in left[:FINISHED_SHOWN]],
        **clock_pages.context(request.user),
    }
    return render(request, "matches/mine.html", context)


@never_cache
@require_safe
def next_match(request: HttpRequest) -> HttpResponse:
    """Go to the match that waits most urgently for whoever asks, another than ``after``; to the list if none does."""
    after = request.GET.get("after", "")
    match = waiting.next_for(request.user, after=after) if request.user.is_authenticated else None
    return redirect(match or "matches:mine")


@never_cache
@require_safe
def table(request: HttpRequest, match_id: str) -> HttpResponse:
    """The table of a match; before it begins, who is there already."""
    match, seat = _match_for(request, match_id)
    visited(request.user)
    if match.outdated:
        return render(request, "matches/outdated.html", _row(match, request.user))
    if match.state in (Match.State.RUNNING, Match.State.FINISHED):
        lesson = lesson_pages.of_table(match) if seat is not None else None
        context = {"match": match, "match_id": match.public_id, "seat": seat, "lesson": lesson}
        context["shuffles"] = shuffles.commitments_of(match)
        context["later"] = match.delay if seat is None and match.state == Match.State.RUNNING else 0
        context["chat"] = chat.is_at(match.public_id)
        if seat is not None and match.players > 2 and match.invite_hash:
            context["invitation"] = reverse("matches:invited", args=[invites.open_link(match)])
        if seat is not None:
            context["others_waiting"] = waiting.count_for(request.user, besides=match.public_id)
        return render(request, "matches/table.html", context)
    if seat is None:
        raise Http404
    if match.state == Match.State.ABANDONED:
        return render(request, "matches/withdrawn.html", {"match": match})
    seats = list(match.seats.select_related("user").defer("cards").order_by("number"))
    link = request.build_absolute_uri(reverse("matches:invited", args=[invites.open_link(match)]))
    context = {
        "match": match,
        "seat": seat,
        "seats": seats,
        "is_host": seat.number == 0,
        "unrated": why_it_will_not(match, seats),
        "missing": sum(not one.joined for one in seats),
        "free": sum(one.kind == MatchSeat.Kind.FREE for one in seats),
        "here": sum(one.kind != MatchSeat.Kind.FREE for one in seats),
        "link": link,
        "says_here": seat.joined and (match.listed or attendance.needed(match)),
        "shuffles": publishing.file_of(match, request.user.pk),
        "tempo": tempos.read(match.tempo),
        "qr": qr.data_uri(link),
    }
    return _no_referrer(render(request, "matches/waiting.html", context))


@require_POST
@leads_to_one_match
def rematch(request: HttpRequest, match_id: str) -> HttpResponse:
    """Ask for another match of the same people, or agree to one."""

    def again(match: Match) -> HttpResponse:
        refuse_more_begun(request)
        return _noted(request, rematches.rematch(match, request.user, given_in(request)))

    return _do(request, match_id, again)


@require_POST
def withdraw(request: HttpRequest, match_id: str) -> HttpResponse:
    """Take an invitation back, or get up from a table that has not begun."""

    def leave(match: Match) -> str:
        closed = lobby.withdraw(match, request.user)
        messages.success(request, "The table is closed." if closed else "You have left the table.")
        return reverse("matches:play")

    return _do(request, match_id, leave)


@require_POST
def begin_now(request: HttpRequest, match_id: str) -> HttpResponse:
    """Begin a table with free seats: ``who`` is "here" (without them) or "computers" (in them)."""

    def begin(match: Match) -> HttpResponse:
        who = request.POST.get("who", "")
        if who not in ("here", "computers"):
            raise LobbyError("who", "Say who is to play: those who are here, or the computer too.")
        return _noted(request, lobby.begin_now(match, request.user, starter_by_chance if who == "computers" else None))

    return _do(request, match_id, begin)


@require_POST
def new_link(request: HttpRequest, match_id: str) -> HttpResponse:
    """Replace the invite link of a table by a new one."""

    def renew(match: Match) -> Match:
        lobby.new_link(match, request.user)
        messages.success(request, "There is a new link now. The old one does not work any more.")
        return match

    return _do(request, match_id, renew)


# -- inside


def _noted(request: HttpRequest, match: Match) -> HttpResponse:
    """Go to the table of ``match``; where it is to be rated, note the device from which somebody sat down there."""
    response = redirect(match)
    if match.rated:
        devices.note(request, response)
    return response


def _do(request: HttpRequest, match_id: str, action: Any) -> HttpResponse:
    """Do something with a match at which the viewer has a seat, and go where it leads."""
    match, seat = _match_for(request, match_id)
    if seat is None:
        raise Http404
    try:
        done = action(match)
        return done if isinstance(done, HttpResponse) else redirect(done)
    except LobbyError as error:
        messages.error(request, error.message)
        return redirect(match)


def _match_for(request: HttpRequest, match_id: str) -> tuple[Match, MatchSeat | None]:
    """Return the match and the viewer's seat; raises Http404 alike for what is missing and what is forbidden."""
    match = Match.objects.defer("saved", "seed").filter(public_id=match_id).first()
    if match is None:
        raise Http404
    seat = _seat_of(match, request.user)
    if seat is None and not match.watchable:
        raise Http404
    return match, seat


def _seat_of(match: Match, user: Any) -> MatchSeat | None:
    return match.seats.filter(user=user).first() if user.is_authenticated else None


def _lobby(request: HttpRequest, error: LobbyError | None = None) -> HttpResponse:
    """Show the page from which matches begin, with what was filled in and what was wrong with it."""
    user = request.user
    waiting = lobby.open_invites(user).prefetch_related("seats") if user.is_authenticated else []
    running = seating.running_matches(user).prefetch_related("seats")[:RUNNING_SHOWN] if user.is_authenticated else []
    context = {
        **deck_choices(request),
        "error": error,
        "players": _entered(request, "players", "2"),
        "opponents": _entered(request, "opponents", "1"),
        "computer_deck": _entered(request, "computer_deck", ""),
        "levels": LEVELS,
        "level": _entered(request, "level", NORMAL),
        **tempo_choices(request),
        "watchable": request.method != "POST" or request.POST.get("watchable", "") == "on",
        "numbers": [str(number) for number in range(2, 9)],
        "opponent_numbers": [str(number) for number in range(1, MOST_COMPUTERS + 1)],
        "waiting": [_row(match, user) for match in waiting],
        "running": _running(running, user),
    }
    return render(request, "matches/play.html", context, status=400 if error else 200)


def _entered(request: HttpRequest, name: str, default: str) -> str:
    return str(request.POST.get(name, default))


def _computers_deck(request: HttpRequest, not_this: TableDeck) -> TableDeck:
    """Return the deck chosen for the computer, or another starter deck than the player's by chance."""
    ref = ref_of(request.POST.get("computer_deck", ""))
    return taken(request.user, ref) if ref else starter_by_chance(not_this.version)


def _computer_player(request: HttpRequest) -> str:
    """Return the name of the computer player of the level chosen in a form; raises LobbyError."""
    try:
        return player_at(request.POST.get("level", "") or NORMAL)
    except KeyError:
        raise LobbyError("level", "The computer plays at the level easy or normal.") from None


def _number(request: HttpRequest, field: str, default: int, least: int, most: int) -> int:
    """Return a whole number from a form; raises LobbyError if it is none or out of bounds."""
    text = request.POST.get(field, "") or str(default)
    number = whole_number(text, 2)
    if number is None or not least <= number <= most:
        raise LobbyError(field, f"The number of {field} must be from {least} to {most}.")
    return number


def _sit_down(request: HttpRequest, match: Match, token: str) -> HttpResponse:
    try:
        if not request.user.is_authenticated:
            lobby.free_seat(match)  # before a visitor is made a guest who would be refused
        stopped = let_in(request)
        if stopped is not None:
            return stopped
        return _noted(request, lobby.join(match, request.user, chosen_deck(request, "deck"), given_in(request)))
    except LobbyError as error:
        if error.code == "seated":
            return redirect(match)
        match.refresh_from_db()
        return _invitation(request, match, token, error)


def _take_seat(request: HttpRequest, match: Match, token: str) -> HttpResponse:
    """Play on for somebody who has left, with their deck."""
    stopped = let_in(request)
    if stopped is not None:
        return stopped
    try:
        return redirect(lobby.take_seat(match, request.user))
    except LobbyError as error:
        if error.code == "seated":
            return redirect(match)
        match.refresh_from_db()
        return _invitation(request, match, token, error)


def _invitation(request: HttpRequest, match: Match, token: str, error: LobbyError | None = None) -> HttpResponse:
    seats = list(match.seats.defer("cards").order_by("number"))
    context = {
        **deck_choices(request),
        "match": match,
        "token": token,
        "plays_on_for": [seats[number].player for number in lobby.free_seats(match)],
        "seats": seats,
        "host": seats[0].name,
        "tempo": tempos.read(match.tempo),
        "unrated": why_it_will_not(match, seats, request.user),
        "free": match.state == Match.State.OPEN and any(seat.kind == MatchSeat.Kind.FREE for seat in seats),
        "watch": match.watchable and match.state in (Match.State.RUNNING, Match.State.FINISHED),
        "error": error,
    }
    return _no_referrer(render(request, "matches/invitation.html", context, status=409 if error else 200))


def _no_referrer(response: HttpResponse) -> HttpResponse:
    """Keep the address of a page that holds a secret, or shows one, from other sites and from logs there.

    Not ``no-referrer``: with that a browser sends the forms of the page with ``Origin: null``, which the
    guard against forged requests refuses, so that nobody could sit down.
    """
    response["Referrer-Policy"] = "same-origin"
    return response


def _running(matches: Iterable[Match], user: Any) -> list[dict[str, Any]]:
    """Return the rows of running matches of ``user``: first what waits for them, with the least time first."""
    seats = [(match, next((s.number for s in match.seats.all() if s.user_id == user.pk), None)) for match in matches]
    return [_row(match, user) | {"left": _time_words(left)} for match, _, left in waiting.urgent_first(seats)]


def _time_words(left: int | None) -> str:
    """Return a time that is left, in the two largest units; "" where there are no clocks."""
    if left is None:
        return ""
    minutes = left // (tempos.MINUTE * SECOND)
    days, hours = minutes // (24 * 60), minutes // 60 % 24
    if days:
        return f"{days} d {hours} h"
    return f"{hours} h {minutes % 60} min" if hours else f"{minutes} min"


def _row(match: Match, user: Any) -> dict[str, Any]:
    """Return what a list shows of a match to one of its players."""
    seats = list(match.seats.all())
    own = next((seat for seat in seats if seat.user_id == user.pk), None)
    number = own.number if own else None
    return {
        "match": match,
        "own": own,
        "tempo": tempos.read(match.tempo),
        "others": [seat for seat in seats if seat.number != number],
        "missing": sum(not seat.joined for seat in seats),
        "your_turn": match.state == Match.State.RUNNING and match.must_decide(number) and not waiting.is_paused(match),
        "paused": match.state == Match.State.RUNNING and waiting.is_paused(match),
        "out": number is not None and _is_out(match, number),
        "outcome": _outcome(match, number),
        "reason": (match.result or {}).get("reason", ""),
        "lesson": lessons.lesson(match.lesson).title if match.lesson in lessons.LESSONS else "",
    }


def _left_row(left: LeftSeat) -> dict[str, Any]:
    """Return what a list shows of a match to somebody in whose seat another one plays on."""
    seats = {seat.number: seat for seat in left.match.seats.all()}
    own = seats.pop(left.seat)
    return {"match": left.match, "others": list(seats.values()), "stand_in": own, "when": left.left}


def _is_out(match: Match, number: int) -> bool:
    """Return whether ``number`` has lost already, and the others play on."""
    # Only where it can be: the game is read from what is stored of it.
    if match.state != Match.State.RUNNING or match.players == 2 or match.must_decide(number):
        return False
    try:
        _, game, _ = table_view.current_game(match)
    except StateError as error:
        log.warning("match %s cannot be read: %s", match.public_id, error)
        return False
    return game.engine.state.players[number].lost


def _outcome(match: Match, number: int | None) -> str:
    """Return what a list says came of a match for this seat; "" while it is not over, or for whoever has none."""
    if not match.result or number is None:
        return ""
    return "Ended" if match.result["reason"] == OUTDATED else match.outcome(number)
