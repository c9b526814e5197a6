"""Choosing a deck in a form: which ones are offered, and what was chosen."""

from __future__ import annotations

import re
import secrets
from typing import Any

from django.http import HttpRequest

from decks.models import Deck
from decks.table_decks import NotLegal, TableDeck, take_to_table
from matches.lobby.errors import LobbyError

DECK_REF = re.compile(r"[A-Za-z0-9_-]{1,40}")


def deck_choices(request: HttpRequest) -> dict[str, Any]:
    """Return the decks to choose from: one's own, those of the site, and one that a link names.

    ``linked`` is the one that the link names, whosever it is; None if the page was not opened by such a link.
    """
    user = request.user
    named = ref_of(request.POST.get("deck") or request.GET.get("deck") or "")
    own = (
        Deck.objects.with_head().filter(owner=user, head__legal=True).order_by("name") if user.is_authenticated else []
    )
    starters = Deck.objects.with_head().starters()
    known = {deck.uid: deck for deck in [*own, *starters]}
    other = None
    if named and named not in known:
        other = Deck.objects.with_head().visible_to(user).filter(uid=named).first()
    linked = other or known.get(named) if request.method == "GET" else None
    return {"own_decks": own, "starters": starters, "other_deck": other, "chosen": named, "linked": linked}


def chosen_deck(request: HttpRequest, field: str, *, easy: bool = False) -> TableDeck:
    """Return the deck chosen in a form, or a starter deck by chance, an ``easy`` one if wanted; raises LobbyError."""
    ref = ref_of(request.POST.get(field, ""))
    return taken(request.user, ref) if ref else starter_by_chance(easy=easy)


def ref_of(text: str) -> str:
    """Return what was sent as the id of a deck; what cannot be one never comes near the database."""
    return text if not text or DECK_REF.fullmatch(text) else "-"


def taken(user: Any, ref: str) -> TableDeck:
    """Return the deck with this id as ``user`` takes it to a table; raises LobbyError."""
    try:
        return take_to_table(user, ref)
    except Deck.DoesNotExist:
        raise LobbyError("no_deck", "There is no such deck, or it is not yours to play.") from None
    except NotLegal as error:
        raise LobbyError("not_legal", str(error)) from None


def starter_by_chance(but_not: str = "", *, easy: bool = False) -> TableDeck:
    """Return a starter deck by chance; raises LobbyError.

    As far as there are such, it is another one than the list ``but_not``, and one that is ``easy`` to play.
    """
    starters = list(Deck.objects.starters().filter(head__legal=True).select_related("head"))
    others = [deck for deck in starters if deck.head is not None and deck.head.content_hash != but_not]
    if easy:
        light = [deck for deck in others if deck.starter_note is not None and deck.starter_note.difficulty == "easy"]
        others = light or others
    if not starters:
        raise LobbyError("no_deck", "There are no starter decks on this site yet. Please choose a deck of your own.")
    return taken(None, secrets.choice(others or starters).uid)
