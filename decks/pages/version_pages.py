"""Pages about versions of decks: what changed between two of them, going back to one, a copy with its origin."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from ccg.guests import AS_GUEST, let_in
from ccg.numbers import whole_number
from decks import services
from decks.finding import own_or_404, version_or_404, visible_or_404
from decks.keeping import kept_if_public
from decks.lists.differences import difference
from decks.models import Deck, DeckVersion

CHOICES = 50
"""Versions of one deck that the page of comparisons offers; older ones have their addresses."""
_ADDRESS = re.compile(r"/decks/([^/]+)/(?:v(\d{1,6})/)?")


@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    """What two versions differ in, of one deck or of two: ``?from=UID@2&to=UID@3``, without a number the newest."""
    before = _named(request, request.GET.get("from", ""))
    after = _named(request, _address(request.GET.get("address", "")) or request.GET.get("to", ""))
    decks = list({one.deck.pk: one.deck for one in (before, after) if one is not None}.values())
    origins = [origin for deck in decks if (origin := services.origin_of(deck, request.user)) is not None]
    context = {
        "before": before,
        "after": after,
        "selects": [("from", "From", _ref(before)), ("to", "To", _ref(after))],
        "owners": [_whose(one.deck, request.user) if one else "" for one in (before, after)],
        "choices": _choices(request.user, decks, origins),
        "difference": _between(before, after) if before and after else None,
    }
    response = render(request, "decks/compare.html", context)
    for deck in [*decks, *(origin.deck for origin in origins)]:
        kept_if_public(response, deck)
    return response


@require_POST
def revert(request: HttpRequest, uid: str, number: int) -> HttpResponse:
    """Make an older version of one's own deck its newest one again."""
    deck = own_or_404(request, uid)
    try:
        version = services.revert(deck, version_or_404(deck, number))
    except services.DeckError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"Version {version.number} has the list of version {number} again.")
    return redirect(deck)


@require_POST
def fork(request: HttpRequest, uid: str, number: int | None = None) -> HttpResponse:
    """Make a deck of one's own from one that one sees, and open it for editing."""
    version = version_or_404(visible_or_404(request, uid), number)
    if not request.user.is_authenticated and request.POST.get("do") != AS_GUEST:
        return kept_if_public(render(request, "decks/who.html", {"draft": [], "here": request.path}), version.deck)
    stopped = let_in(request)
    if stopped is not None:
        return stopped
    try:
        made = services.fork(request.user, version)
    except services.DeckError as error:
        messages.error(request, str(error))
        return redirect("decks:mine")
    messages.success(request, f"This is your own copy of {made.name} now. Only you see it.")
    return redirect("decks:edit", made.uid)


def _between(before: DeckVersion, after: DeckVersion) -> Any:
    return difference(services.as_list(before.deck, before), services.as_list(after.deck, after))


def _named(request: HttpRequest, ref: str) -> DeckVersion | None:
    """Return the version that ``UID@NUMBER`` or ``UID`` means; None for nothing; raises Http404."""
    if not ref:
        return None
    uid, _, number = ref.partition("@")
    deck = visible_or_404(request, uid)
    return version_or_404(deck, whole_number(number, 6))


def _address(url: str) -> str:
    """Return what the pasted address of a deck's page names, in the form of ``to``; "" if it is none."""
    try:
        match = _ADDRESS.fullmatch(urlsplit(url.strip()[:300]).path)
    except ValueError:
        return ""
    return "@".join(filter(None, match.groups())) if match else ""


def _ref(version: DeckVersion | None) -> str:
    return f"{version.deck.ref}@{version.number}" if version else ""


def _choices(user: Any, decks: list[Deck], origins: list[DeckVersion]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return what can be chosen, in groups: what these decks were copied from, their versions, one's own, starters."""
    groups = [
        (
            f"{deck.name} ({_whose(deck, user)})",
            [_choice(deck, one) for one in deck.versions.only("deck", "number", "note")[:CHOICES]],
        )
        for deck in decks
    ]
    for origin in origins:
        deck = origin.deck
        newest = (deck.uid, f"{deck.name}, as it is now")
        groups.append((f"Copied from {deck.name} ({_whose(deck, user)})", [newest, _choice(deck, origin)]))
    own = Deck.objects.filter(owner=user) if user.is_authenticated else Deck.objects.none()
    for heading, more in (("Your decks", own), ("Starter decks", Deck.objects.starters())):
        named = more.filter(head__isnull=False).exclude(pk__in=[deck.pk for deck in decks])
        groups.append((heading, list(named.values_list("uid", "name"))))
    return [group for group in groups if group[1]]


def _whose(deck: Deck, user: Any) -> str:
    """Return whose ``deck`` is, as copies have the name of what they were made from."""
    if deck.owner is not None:
        return "yours" if deck.owner == user else f"by {deck.owner}"
    return "starter deck" if deck.starter else "by somebody who has left"


def _choice(deck: Deck, version: DeckVersion) -> tuple[str, str]:
    note = f": {version.note[:60]}" if version.note else ""
    return f"{deck.ref}@{version.number}", f"{deck.name}, v{version.number}{note}"
