"""Pages under /rules/played/: a scenario at a table, its positions for the client, and which scenarios show something.

A scenario is the same for everybody and as long as the program is: the page tells it in words too, and names its
positions by their content, so that a browser keeps them for good.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import condition, require_safe

from ccg.api.caching import keep_version
from ccg.numbers import whole_number
from ccg.rules import CardDef
from ccg.rules.telling.view import PieceView, View
from ccg.server.card_rulings import rulings
from ccg.server.played.library import Shipped, proofs, shipped, showing
from ccg.server.played.recording import Moment, kept
from ccg.server.rules_pages import clauses
from ccg.server.texts import own_cards
from matches.storage import stored_events

MOST_NAMED = 100
"""Scenarios that a search lists."""


class Area(NamedTuple):
    """Where cards lie at the beginning, and which."""

    name: str
    cards: list[CardDef]


class Side(NamedTuple):
    """A player at the beginning."""

    name: str
    base: CardDef | None
    influence: int
    areas: list[Area]


class MoveInWords(NamedTuple):
    """A move in words: who, asked what, does what, the sentences of what happened, and what is expected then."""

    who: str
    asked: str
    does: str
    events: list[str]
    expects: list[str]


class Shown(NamedTuple):
    """A clause, ruling or card that a scenario shows: what it is called, what it says, and its page."""

    name: str
    text: str
    url: str


@require_safe
def page(request: HttpRequest, address: str) -> HttpResponse:
    """A scenario at a table; without JavaScript, in words."""
    one = _shipped(address)
    recording = kept(one).recording
    context = {
        "one": one,
        "shows": shows(one),
        "sides": list(_sides(recording.moments[0].table.view)),
        "moments": [_told(moment, recording.moments[0].table.view) for moment in recording.moments],
        "data": f"{reverse('played_data', args=[address])}?v={kept(one).mark}",
        "more": more(one),
    }
    return render(request, "rules/played.html", context)


def _mark(request: HttpRequest, address: str) -> str:
    return f'"{kept(_shipped(address)).mark}"'


@require_safe
@gzip_page
@condition(etag_func=_mark)
def data(request: HttpRequest, address: str) -> HttpResponse:
    """The positions of a scenario, one after another, as messages of the table (docs/protocol.md)."""
    recorded = kept(_shipped(address))
    answer = HttpResponse(recorded.body, content_type="application/json")
    return keep_version(answer, asked=request.GET.get("v"), version=recorded.mark)


class Listed(NamedTuple):
    """What can be seen played: its name for the address and for people, what it says, and how many scenarios."""

    id: str
    name: str
    text: str
    scenarios: int


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The scenarios that show a clause, a ruling or a card (``shows``), the clearest first.

    Without, all of what can be seen played; or what of it, and which scenarios, have all words of a search (``q``).
    """
    what, asked = request.GET.get("shows", "")[:40], request.GET.get("q", "")[:80]
    words = asked.casefold().split()
    context = {"what": what, "asked": asked.strip(), "count": len(shipped())}
    if what:
        context |= {"shown": _named(what), "found": showing(what)}
    else:
        context["kinds"] = [
            (name, rows)
            for name, listed in kinds()
            if (rows := [one for one in listed if _has(words, one.id, one.name, one.text)])
        ]
        named = [one for one in shipped().values() if _has(words, one.name)] if words else []
        context |= {"scenarios": named[:MOST_NAMED], "more_scenarios": max(0, len(named) - MOST_NAMED)}
    return render(request, "rules/played_index.html", context)


@lru_cache(maxsize=1)
def kinds() -> tuple[tuple[str, list[Listed]], ...]:
    """Return all clauses, rulings and cards that can be seen played; cards by name."""
    known = proofs()
    found = [("Clauses", known.clauses), ("Rulings", known.rulings), ("Cards", known.cards)]
    return tuple((kind, sorted(_listed(names), key=_by_name(kind))) for kind, names in found)


def _listed(names: Iterable[str]) -> Iterator[Listed]:
    for name in names:
        shown, count = _named(name), len(showing(name))
        if shown is not None and count:
            yield Listed(name, shown.name, shown.text, count)


def _by_name(kind: str) -> Callable[[Listed], tuple[int, str]]:
    """Return what to sort by: rulings by their numbers, all else by name."""
    return lambda one: (int(one.id.removeprefix("ruling-")) if kind == "Rulings" else 0, one.name)


def _has(words: Sequence[str], *texts: str) -> bool:
    """Return whether all ``words`` stand in ``texts``."""
    text = " ".join(texts).casefold()
    return all(word in text for word in words)


def shows(one: Shipped) -> list[Shown]:
    """Return what a scenario shows."""
    return [shown for name in (*one.rules, *one.cards) if (shown := _named(name)) is not None]


def more(one: Shipped) -> list[tuple[str, list[Shipped]]]:
    """Return for each thing that a scenario shows the other scenarios that show it."""
    found = ((name, [other for other in showing(name) if other != one]) for name in (*one.rules, *one.cards))
    return [(name, others) for name, others in found if others]


def _shipped(address: str) -> Shipped:
    one = shipped().get(address)
    if one is None:
        raise Http404("There is no such scenario.")
    return one


def _named(name: str) -> Shown | None:
    """Return the clause, ruling or card of this name; None if there is none."""
    number = name.removeprefix("ruling-")
    if number != name:
        known = whole_number(number, 4) in rulings()
        return Shown(f"Ruling {number}", "", f"{reverse('rules_rulings')}#{name}") if known else None
    clause = next((clause for clause in clauses() if clause.id == name), None)
    if clause is not None:
        return Shown(name, clause.rule, f"{reverse('rules_clauses')}#{name}")
    if name in own_cards():
        return Shown(own_cards()[name].name, "", reverse("cards_data:card", args=[name]))
    return None


def _told(moment: Moment, beginning: View) -> MoveInWords:
    who = beginning.players[moment.by].name if moment.by is not None else ""
    events = [event for one in moment.table.events for event in one.events]
    return MoveInWords(who, moment.asked, moment.does, stored_events.sentences(events), moment.expects)


def _sides(view: View) -> Iterator[Side]:
    for player in view.players:
        base = next((piece for piece in player.stacks if piece.role == "base"), None)
        areas = {
            "Alert": _lying(player.alert),
            "Reserve": _lying(player.reserve),
            "Assets": _lying([piece for piece in player.stacks if piece.role != "base"]),
            "Persistent missions": _lying(player.persistent),
            "Hand": player.hand_cards,
            "Discard pile": player.discard,
        }
        named = [Area(name, [own_cards()[card] for card in cards]) for name, cards in areas.items() if cards]
        yield Side(player.name, own_cards()[base.card] if base else None, player.influence, named)


def _lying(pieces: list[PieceView]) -> list[str]:
    return [card for piece in pieces for card in (piece.card, *piece.beneath, *(link.card for link in piece.links))]
