"""How a finished match went: influence and threat from turn to turn, what decided it, and the cards that did most.

Everything is told from the stored events that all may know, so no engine is needed and everybody is told the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta, Struct

from ccg.rules import EventView
from ccg.rules.decoding import Decoder
from matches.clocks.earlier import versions_to
from matches.models import ENDED_BY_SITE, Match, Move
from matches.playing import match_cache
from matches.seats import former
from matches.storage import stored_events

MOST_CARDS = 5
ACTING = frozenset({"resolve", "play", "use", "trigger", "red"})
"""Events of a card that may change influence next."""
OVER = frozenset({"challenge", "challenge over", "mission over", "event over", "threat over", "phase", "pass"})
"""Events after which what happens is not the doing of that card any more."""
DECIDING = frozenset({"concede", "out of time", "absent", "agreed draw", "abandoned"})
"""Events with which people end a match themselves, or one of them leaves it."""


class TurnEnd(Struct, frozen=True):
    """A turn as it ended: influence by seat, and the threat level against the fleet defense level."""

    turn: int
    influence: Annotated[list[int], Meta(description="By seat.")]
    threat: Annotated[int | None, Meta(description="Null where the match was over before the Cylon phase.")] = None
    defense: int | None = None


class CardDeeds(Struct, frozen=True):
    """What a card has done for the player at ``seat``: challenges won, and influence gained or taken from others."""

    seat: int
    card: str
    won: int = 0
    influence: int = 0


class Ending(Struct, frozen=True):
    """How a finished match went.

    ``decided`` are the sentences (marked text, as in the log) of what decided it. ``cards`` are those that did most,
    the best first.
    """

    turns: int
    decided: list[str]
    course: list[TurnEnd]
    cards: list[CardDeeds]


_ENDING = Decoder(Ending)


def finished(match_id: str, user_id: int | None) -> Match | None:
    """Return the match with this id if it is over and this person (None: a visitor) may see how it went; else None."""
    facts = match_cache.facts_of(match_id)
    if facts is None or not facts.is_shown_to(user_id):
        return None
    over: Match | None = Match.objects.defer("saved", "seed").filter(pk=facts.pk, state=Match.State.FINISHED).first()
    return over


def of(match: Match) -> Ending:
    """Return how a finished ``match`` went. Reads its moves, and the influence at the beginning from its cards.

    Raises ``cards_data.catalog.UnknownVersion`` if its card data are gone.
    """
    rows = list(match.moves.order_by("seq").only("kind", "option", "seat", "events"))
    line = versions_to([row.as_recorded() for row in rows])  # what was taken back has not happened
    events = [event for at in line for event in stored_events.seen_by(bytes(rows[at - 1].events), None)]
    last = rows[line[-1] - 1] if line else None
    by_site = last is not None and last.kind == Move.Kind.CONCEDE and last.option == ENDED_BY_SITE
    ending = told(events, _starting_influence(match), by_site=by_site)
    return former.nameless(ending, former.seats_of(match.pk), _ENDING)


def _starting_influence(match: Match) -> list[int]:
    """Return the influence that each seat begins with: what is printed on its base."""
    catalog = match_cache.catalog_of(match.catalog)
    bases = match.seats.order_by("number").values_list("base", flat=True)
    return [catalog[base].influence or 0 for base in bases]


def told(events: Iterable[EventView], influence: list[int], *, by_site: bool = False) -> Ending:
    """Tell the course of a match from its public ``events`` and the ``influence`` that each seat begins with.

    ``by_site`` says that whoever runs the site has ended it, as a draw.
    """
    course = _Course(influence, DECIDING | {"draw game"} if by_site else DECIDING)
    for event in events:
        course.take(event)
    return course.ending()


class _Course:
    """The events of a match, taken one after another."""

    def __init__(self, influence: list[int], deciding: frozenset[str]) -> None:
        self.influence = list(influence)
        self.deciding = deciding
        self.turn = 0
        self.course = [TurnEnd(0, list(influence))]
        self.levels: tuple[int | None, int | None] = (None, None)
        self.acting: EventView | None = None
        self.challenging: EventView | None = None
        self.deeds: dict[tuple[int, str], list[int]] = {}
        self.decided: list[str] = []

    def take(self, event: EventView) -> None:
        """Count one event."""
        if event.kind == "phase" and event.to == "ready":
            self._turn_over()
            self.turn = event.number or self.turn + 1
        elif event.kind in ("attack", "no attack"):
            self.levels = (event.number, event.against)
        elif event.kind in ("gain", "lose influence"):
            self._influence(event)
        elif event.kind == "wins" and event.player is not None and event.card is not None:
            self._count(event.player, event.card, won=1)
        elif event.kind in self.deciding:
            self.decided = [event.text]
        if event.kind in ("challenge", "challenge over"):
            self.challenging = event if event.kind == "challenge" else None
        if event.kind in ACTING:
            self.acting = event
        elif event.kind in OVER:
            self.acting = None

    def _influence(self, event: EventView) -> None:
        seat, amount = event.player, event.number or 0
        if seat is None or not 0 <= seat < len(self.influence):
            return
        self.influence[seat] += amount if event.kind == "gain" else -amount
        acting = self.acting or self.challenging
        self.decided = [acting.text, event.text] if acting is not None else [event.text]
        if acting is None or acting.player is None or acting.card is None:
            return
        if (event.kind == "gain") == (seat == acting.player):
            self._count(acting.player, acting.card, influence=amount)

    def _count(self, seat: int, card: str, won: int = 0, influence: int = 0) -> None:
        deeds = self.deeds.setdefault((seat, card), [0, 0])
        deeds[0] += won
        deeds[1] += influence

    def _turn_over(self) -> None:
        if self.turn:
            self.course.append(TurnEnd(self.turn, list(self.influence), *self.levels))
        self.levels = (None, None)

    def ending(self) -> Ending:
        """Return what has been counted."""
        self._turn_over()
        best = sorted(self.deeds.items(), key=lambda item: (-sum(item[1]), -item[1][0], item[0]))[:MOST_CARDS]
        cards = [CardDeeds(seat, card, won, influence) for (seat, card), (won, influence) in best]
        return Ending(self.turn, self.decided, self.course, cards)
