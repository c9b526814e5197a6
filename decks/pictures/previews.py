"""Pictures that other sites show of public decks: drawn in the background, kept as rows.

A picture has a mark of all that it was drawn from: the name, the list, the cards and the drawings themselves. It is
drawn again where the mark has changed, and goes as soon as the deck is not public any more.
"""

from __future__ import annotations

import hashlib
import json
import logging
import secrets
import threading
from collections import Counter
from collections.abc import Collection
from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from cards_data import catalog as cards_data
from cards_data import isolated
from cards_data.catalog import CardData
from cards_data.export import all_facts
from ccg.outbox.handlers import NotNow, register
from ccg.outbox.services import count_waiting, is_asked_for, post
from ccg.rules.cards.definitions import CardDef
from ccg.rules.decoding import Decoder
from decks.lists.stats import TYPE_ORDER, stats
from decks.models import Deck, Preview
from decks.pictures.drawing import Drawn, Request

log = logging.getLogger(__name__)

TASK, ROUND = "decks.preview", "decks.previews"
SECONDS = 20.0
"""Of processor time, for one picture; one takes a second or two."""
CARDS = 5
BATCH = 200
DRAWN_FROM = frozenset({"name", "head", "format", "visibility"})
"""Columns of a deck that its picture, or whether there is one, depends on."""
LATER = timedelta(seconds=5)
"""After which a picture is looked at again at the earliest, while another one is drawn."""
ONE_OF_MANY = timedelta(seconds=1)
"""How much later for each that waits: looking in vain costs little, but not nothing."""
_SHOWN = Q(visibility=Deck.Visibility.PUBLIC, head__isnull=False)
_DRAWN = Decoder(Drawn)
_drawing = threading.Lock()


class NotDrawnError(Exception):
    """A picture could not be drawn; the message says why."""


def connect() -> None:
    """Register the work with the outbox. Called once, at start."""
    register(TASK, handle)
    register(ROUND, handle_round)


def deck_changed(deck: Deck, columns: Collection[str] | None) -> None:
    """Have the picture of ``deck`` drawn, or take it away, where these columns (None: all) mean that."""
    if columns is not None and DRAWN_FROM.isdisjoint(columns):
        return
    if not deck.is_public:
        Preview.objects.filter(deck=deck).delete()
    elif deck.head_id is not None:
        ask_for(deck.pk)


def ask_for(pk: int) -> None:
    """Ask for the picture of the deck with this key, if it is not what the deck is by then.

    One row that waits is enough for any number of changes: who changes a deck without end asks for one picture at a
    time.
    """
    key = f"{TASK}:{pk}:"
    if not is_asked_for(key):
        post(TASK, {"deck": pk}, key=f"{key}{secrets.token_hex(8)}")


def ask_for_all() -> None:
    """Ask for the pictures of all public decks that are not drawn from what there is now: cards, drawings, decks."""
    run = hashlib.sha256(f"{_mark_of_drawings()} {cards_data.current_number()}".encode()).hexdigest()[:16]
    post(ROUND, {"run": run, "after": 0}, key=f"{ROUND}:{run}:0")


def handle_round(payload: dict[str, Any]) -> None:
    """Draw the next picture of a round that is missing or old, and ask for those after it.

    One at a time, so that other work never waits behind all of them. A site that draws none looks at no deck.
    """
    if not _draws():
        return
    if _drawing.locked():
        raise NotNow(LATER)
    public = Deck.objects.filter(_SHOWN, pk__gt=payload["after"])
    batch = [*public.select_related("head", "format", "preview").defer("preview__png").order_by("pk")[:BATCH]]
    last = None
    for deck in batch:
        last = deck.pk
        if not hasattr(deck, "preview") or deck.preview.mark != mark_of(facts_of(deck)):
            _draw_or_ask(deck.pk)
            break
    if last is not None:
        run = payload["run"]
        post(ROUND, {"run": run, "after": last}, key=f"{ROUND}:{run}:{last}")


def _draw_or_ask(pk: int) -> None:
    try:
        handle({"deck": pk})
    except NotDrawnError as error:
        log.warning("%s", error)
        ask_for(pk)  # it is tried again by itself; the round goes on


def handle(payload: dict[str, Any]) -> None:
    """Draw the picture of a deck, unless there is that picture already, or nothing to show.

    One at a time in each process: a second one waits on in its row, so that a thread is left for other work.
    """
    if not _drawing.acquire(blocking=False):
        raise NotNow(LATER + ONE_OF_MANY * count_waiting(TASK))
    try:
        _draw(payload["deck"])
    finally:
        _drawing.release()


def _draw(pk: int) -> None:
    deck = _public(pk)
    if deck is None or not _draws():
        return
    facts = facts_of(deck)
    mark = mark_of(facts)
    if Preview.objects.filter(deck=deck, mark=mark).exists():
        return
    asked = Request(facts, str(_folder()))
    done = isolated.run("decks.pictures.drawing", asked, _DRAWN, SECONDS, isolated.NICEST)
    if done.stopped:
        raise NotDrawnError(f"the preview of deck {deck.uid} was not drawn: {done.stopped}")
    (drawn,) = done.answers
    with transaction.atomic():
        # Drawing takes seconds: the deck may have been deleted or made private meanwhile.
        if Deck.objects.select_for_update().filter(_SHOWN, pk=pk).first() is not None:
            defaults = {"mark": mark, "png": drawn.png, "drawn": timezone.now()}
            Preview.objects.update_or_create(deck_id=pk, defaults=defaults)


def facts_of(deck: Deck) -> dict[str, Any]:
    """Return what the picture of ``deck`` is drawn from; it has a head."""
    version, data = deck.head, cards_data.data()
    assert version is not None
    told = stats(version.base, version.counts, data.catalog)
    known = [(data.catalog[card], copies) for card, copies in version.counts.items() if card in data.catalog]
    types = Counter[str]()
    for card, copies in known:
        types[card.type] += copies
    makers = sorted(((one.resource, one.makers) for one in told.balance if one.makers), key=lambda one: -one[1])
    return {
        "name": deck.name,
        "format": deck.format.name,
        "size": version.size,
        "base": _facts(version.base, data),
        "cards": [_facts(card.id, data) for card, _ in sorted(known, key=_shown_first)[:CARDS]],
        "types": dict(types),
        "makes": makers,
    }


def mark_of(facts: dict[str, Any]) -> str:
    """Return the mark of a picture: the hash of its facts and of the drawing script."""
    return hashlib.sha256(f"{_mark_of_drawings()}{json.dumps(facts, sort_keys=True)}".encode()).hexdigest()[:16]


def _shown_first(row: tuple[CardDef, int]) -> tuple[int, int, int, str]:
    """Order cards as a picture shows them: what there is most of, people before ships, what costs most."""
    card, copies = row
    return -copies, TYPE_ORDER.index(card.type), -sum(card.cost or ()), card.id


def _facts(card: str, data: CardData) -> dict[str, Any] | None:
    found = all_facts(data).get(card)
    return msgspec.to_builtins(found) if found else None


def _public(pk: int) -> Deck | None:
    return Deck.objects.filter(_SHOWN, pk=pk).select_related("head", "format").first()


def _folder() -> Path:
    return Path(settings.CLIENT_DIST) / "preview"


def _draws() -> bool:
    """Return whether this site draws pictures: its operator wants them, and its client is built."""
    return settings.DECK_PREVIEWS and bool(_mark_of_drawings())


def _mark_of_drawings() -> str:
    """Return the hash of the drawing script that the client's build made; "" where it made none."""
    script = _folder() / "draw.js"
    try:
        return _hash_of(script, script.stat().st_mtime_ns)
    except FileNotFoundError:
        return ""


@lru_cache(maxsize=2)
def _hash_of(script: Path, changed: int) -> str:
    return hashlib.sha256(script.read_bytes()).hexdigest()
