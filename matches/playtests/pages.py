"""The pages of playtests, and what the builder's "Try it" and "Test it" ask for.

Who has not asked for a playtest does not find its page: it shows a list that may be nobody else's business.
"""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from rest_framework.request import Request
from rest_framework.response import Response

from cards_data import catalog as card_data
from ccg.guests import let_in
from decks.building import drafts
from decks.building.draft_pages import DraftView
from decks.finding import version_or_404, visible_or_404
from decks.lists.merging import Content
from decks.models import content_hash
from decks.table_decks import TableDeck
from matches.lobby import services as lobby
from matches.lobby.begun_lately import refuse_more_begun
from matches.lobby.errors import LobbyError
from matches.players import NORMAL, player_at
from matches.playtests import models, services
from matches.playtests.figures import figures, impact_order, paired
from matches.playtests.games import PlayedList
from matches.playtests.models import AskedFor, Playtest
from matches.playtests.services import PlaytestError

SHOWN = 50
ACTIVE = (Playtest.State.WAITING, Playtest.State.PLAYING)


@login_required
@never_cache
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """What somebody has had tested, newest first."""
    asked = AskedFor.objects.filter(user=request.user).select_related("playtest").defer("playtest__counts")[:SHOWN]
    rows = [{"asked": one, "figures": _figures(one.playtest)} for one in asked]
    return render(request, "playtests/mine.html", {"rows": rows})


@never_cache
@require_safe
def playtest(request: HttpRequest, uid: str) -> HttpResponse:
    """How far a playtest is, and what its games say; with ``with`` compared to another one."""
    asked = _asked_or_404(request, uid)
    tested, cards = asked.playtest, card_data.current()
    known = {card: cards[card] for card in tested.deck.kinds if card in cards}
    found = _figures(tested)
    others = services.comparable(tested, request.user)
    other = next((one for one in others if one.playtest.uid == request.GET.get("with")), None)
    context = {
        "asked": asked,
        "playtest": tested,
        "active": tested.state in ACTIVE,
        "before": services.before(tested) if tested.state == Playtest.State.WAITING else 0,
        "may_stop": tested.state in ACTIVE and tested.began_by_id == request.user.pk,
        "figures": found,
        "opponents": list(zip(tested.opponents, found.by_opponent, strict=True)),
        "lengths": _bars(found.lengths),
        "cards": [(known.get(one.card), one) for one in impact_order(found.cards)],
        "never_paid": [known[one.card] for one in found.never_paid if one.card in known],
        "others": others,
        "other": other,
        "compared": paired(tested.results, other.playtest.results) if other else None,
        "other_figures": _figures(other.playtest) if other else None,
    }
    return render(request, "playtests/playtest.html", context)


@require_POST
def stop(request: HttpRequest, uid: str) -> HttpResponse:
    """Stop a playtest that one began."""
    asked = _asked_or_404(request, uid)
    try:
        services.stop(request.user, asked.playtest)
    except PlaytestError as error:
        messages.error(request, str(error))
    return redirect(asked.playtest)


@require_POST
def go_on(request: HttpRequest, uid: str) -> HttpResponse:
    """Go on with a playtest that was stopped."""
    asked = _asked_or_404(request, uid)
    try:
        tested = services.ask(request.user, asked.playtest.deck, asked.label, asked.address)
    except PlaytestError as error:
        messages.error(request, str(error))
        return redirect(asked.playtest)
    # With newer cards or starter decks it is another playtest.
    return redirect(tested)


@require_POST
def deck(request: HttpRequest, uid: str, number: int | None = None) -> HttpResponse:
    """Have a version of a deck tested that one may see."""
    found = visible_or_404(request, uid)
    version = version_or_404(found, number)
    played = PlayedList(version.base, dict(version.counts))
    label = f"{found.name}, version {version.number}"
    # The link of an unlisted deck is stored nowhere, and may be revoked: there is no way back by it.
    address = "" if found.link else found.get_absolute_url()
    try:
        if not request.user.is_authenticated:
            services.refuse_newcomer(played)
        stopped = let_in(request)
        if stopped is not None:
            return stopped
        tested = services.ask(request.user, played, label, address)
    except PlaytestError as error:
        messages.error(request, str(error))
        return redirect(found)
    return redirect(tested)


class TestDraft(DraftView):
    """``POST /decks/drafts/<uid>/test/``: have the draft tested as it is saved; the answer says where."""

    def post(self, request: Request, uid: str) -> Response:
        """Ask for the playtest; 400 with a sentence where it cannot be."""
        content = drafts.find(request.user, uid).content
        try:
            tested = services.ask(request.user, _list_of(content), _label(content), reverse("decks:edit", args=[uid]))
        except PlaytestError as error:
            return Response({"detail": str(error), "code": "not_tested"}, status=400)
        return Response({"url": tested.get_absolute_url()})


class TryDraft(DraftView):
    """``POST /decks/drafts/<uid>/try/``: begin a match of the draft, as it is saved, against the computer."""

    def post(self, request: Request, uid: str) -> Response:
        """Begin it, whether or not a format allows the list; 400 with a sentence where no game can begin.

        ``level`` in what is sent says how well the computer plays.
        """
        content = drafts.find(request.user, uid).content
        deck = _list_of(content)
        others = services.starters()
        try:
            refuse_more_begun(request)
            computer = _computer_player(request)
            services.check(deck, card_data.data())
            if not others:
                raise PlaytestError("There are no starter decks to play against.")
            mine = table_deck(deck, _label(content))
            other = secrets.choice(others)
            match = lobby.play_computer(request.user, mine, [table_deck(other.played, other.name)], computer)
        except (PlaytestError, LobbyError) as error:
            return Response({"detail": str(error), "code": "not_played"}, status=400)
        return Response({"url": match.get_absolute_url()})


def table_deck(deck: PlayedList, label: str) -> TableDeck:
    """Return a list as a match keeps it."""
    version = content_hash(deck.base, deck.counts)
    return TableDeck(base=deck.base, cards=tuple(deck.cards), label=label, version=version)


# --- inside -------------------------------------------------------------------------------------------


def _asked_or_404(request: HttpRequest, uid: str) -> AskedFor:
    try:
        return models.of(request.user, uid)
    except AskedFor.DoesNotExist:
        raise Http404 from None


def _list_of(content: Content) -> PlayedList:
    return PlayedList(content.base, dict(content.counts))


def _computer_player(request: Request) -> str:
    """Return the name of the computer player of the level that is asked for; raises PlaytestError."""
    level = request.data.get("level", NORMAL) if isinstance(request.data, dict) else NORMAL
    try:
        return player_at(level if isinstance(level, str) else "")
    except KeyError:
        raise PlaytestError("The computer plays at the level easy or normal.") from None


def _label(content: Content) -> str:
    return f"{content.name or 'Unnamed deck'} (draft)"


def _figures(tested: Playtest) -> Any:
    return figures(tested.results, tested.deck.kinds, len(tested.opponents_kept))


def _bars(lengths: dict[int, int]) -> list[tuple[int, int, int]]:
    """Return turn, games and percent of the longest bar, for each turn in which a game could end."""
    if not lengths:
        return []
    most = max(lengths.values())
    return [
        (turn, lengths.get(turn, 0), round(100 * lengths.get(turn, 0) / most))
        for turn in range(min(lengths), max(lengths) + 1)
    ]
