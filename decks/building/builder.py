"""The builder's pages: a new deck, or one that is gone on with. What happens there is in ``ccg/client/src/builder``."""

from __future__ import annotations

from typing import Any

import msgspec
from django.http import HttpRequest
from django.urls import reverse

from cards_data import catalog as cards_data
from cards_data.search import known
from decks import owning, services
from decks.building import drafts
from decks.building.drafts import Saved
from decks.building.rules_data import rules_data
from decks.lists.merging import Content
from decks.models import Deck, new_uid

TEMPLATE = "decks/builder.html"


def begun(request: HttpRequest) -> dict[str, Any]:
    """Return what the page of a new deck needs: an id that the draft gets with its first save."""
    return _context(request, Saved(uid=new_uid(), revision=0, content=Content()), None)


def gone_on_with(request: HttpRequest, uid: str) -> dict[str, Any]:
    """Return what the page of somebody's own draft or deck needs; raises Draft.DoesNotExist."""
    saved = drafts.find(request.user, uid)
    return _context(request, saved, Deck.objects.with_head().filter(owner=request.user, uid=uid).first())


def _context(request: HttpRequest, saved: Saved, deck: Deck | None) -> dict[str, Any]:
    cards, content = cards_data.data(), saved.content
    published = None
    if deck is not None and deck.head is not None:
        published = {
            "number": deck.head.number,
            "content": msgspec.to_builtins(drafts.of_version(deck, deck.head)),
            "labels": [label.word for label in deck.labels.all()],
            "visibility": deck.visibility,
            "origin": _origin(deck, request.user),
        }
    named = {content.base, *content.counts, *content.considering} - {""}
    gone = cards_data.withdrawn(named - cards.catalog.index.keys())
    return {
        "rules_data": rules_data(cards),
        "start": {
            "saved": msgspec.to_builtins(saved),
            "published": published,
            "owned": owning.owned_by(request.user),
            "ruled": sorted(known.told(cards).groups("has").get("ruling", ())),
            "withdrawn": {card_id: card.name for card_id, card in gone.items()},
        },
        "user_key": str(request.user.pk) if request.user.is_authenticated else "",
        "address": reverse("decks:edit", args=["UID"]),
    }


def _origin(deck: Deck, user: Any) -> dict[str, str] | None:
    """Return which deck ``deck`` was copied from and whose it is; None if from none that ``user`` may see."""
    origin = services.origin_of(deck, user)
    if origin is None:
        return None
    owner = origin.deck.owner
    return {"uid": origin.deck.uid, "name": origin.deck.name, "owner": str(owner) if owner is not None else ""}
