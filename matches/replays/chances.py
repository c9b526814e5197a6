"""What chance decided in a move: which card came from which pool.

The order of a deck is made when it is shuffled, but nobody knows it then; what a player meets as chance is the card
that comes off the top. So each such card is noted with all that could have come, and each shuffle with what was
shuffled. Both are worked out from the decks before and after a move and the events between.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from ccg.rules import Catalog, Event, Game
from ccg.rules.core.state import definition_of, owner_of

SHUFFLES = frozenset({"shuffle", "reshuffle", "redraw"})
"""Events with which a deck is shuffled."""

STAYS = frozenset({"reveal"})
"""Events that show a card of a deck and leave it there."""

Decks = Sequence[Counter[int]]
"""The deck of each seat: how often it has which card, by number of the definition."""


class Chance(Struct, frozen=True, omit_defaults=True):
    """Something that chance decided.

    ``kind`` is that of the event ("draw", "mystic", "threat", "mill", "reveal", …) or a shuffle ("shuffle",
    "reshuffle", "redraw"). ``pool`` counts, by card id, what the deck of ``seat`` held then; ``card`` is the one that
    came. For "first" there is no pool: one of the seats that tied was picked.
    """

    kind: str
    seat: int
    card: str | None = None
    pool: dict[str, int] = {}


def decks_of(game: Game) -> list[Counter[int]]:
    """Return the decks of ``game`` as :func:`chances` takes them, with what lies beside a deck and has not left it."""
    state = game.engine.state
    decks = [Counter(map(definition_of, player.deck)) for player in state.players]
    for seat, deck in enumerate(decks):
        for frame in state.agenda:
            if frame.looked_at(seat):
                deck.update(map(definition_of, frame.held()))
    return decks


def chances(before: Decks, events: Sequence[Event], after: Decks, catalog: Catalog) -> list[Chance]:
    """Return what chance decided between two states of the decks, in order.

    Up to the first shuffle of a deck its pool follows from ``before``, after that from ``after``. Where its player has
    left in the same move there is no deck after it any more, and what came from the new one is not told.
    """
    left = {event.player for event in events if event.kind == "lose"}
    touched = [(place, event, seat) for place, event in enumerate(events) if (seat := _deck_of(event)) is not None]
    pools: dict[int, Counter[int]] = {}
    for number, (old, new) in enumerate(zip(before, after, strict=True)):
        own = [(place, event) for place, event, seat in touched if seat == number]
        pools |= _pools(old, own, None if number in left and not new else new)
    return [_chance(event, seat, pools[place], catalog) for place, event, seat in touched if place in pools]


def beginning(game: Game) -> list[Chance]:
    """Return what chance decided before the first decision: the decks shuffled, who is first, the hands drawn."""
    after = decks_of(game)
    events = game.beginning
    whole = [Counter(deck) for deck in after]
    for event in events:
        seat = _deck_of(event)
        if seat is not None and event.card is not None:
            whole[seat][definition_of(event.card)] += 1
    shuffled = [Chance("shuffle", seat, pool=_by_id(deck, game.engine.catalog)) for seat, deck in enumerate(whole)]
    first = [Chance("first", event.player) for event in events if event.kind == "first" and event.player is not None]
    return shuffled + first + chances(whole, events, after, game.engine.catalog)


def _deck_of(event: Event) -> int | None:
    """Return whose deck the event takes a card from or shuffles; None if neither."""
    if event.kind in SHUFFLES:
        return event.player
    if event.source == "deck" and event.card is not None and event.kind != "search":
        return owner_of(event.card)
    return None


def _pools(
    before: Counter[int], events: Sequence[tuple[int, Event]], after: Counter[int] | None
) -> Mapping[int, Counter[int]]:
    """Return what the deck held just before each of its ``events``; at a shuffle, just after it.

    Of what is held from the first shuffle on nothing is known where there is no deck ``after`` the move.
    """
    shuffles = [at for at, (_, event) in enumerate(events) if event.kind in SHUFFLES]
    first = shuffles[0] if shuffles else len(events)
    pools: dict[int, Counter[int]] = {}
    pool = Counter(before)
    for place, event in events[:first]:
        pools[place] = Counter(pool)
        pool.subtract(_taken(event))
    if after is None:
        return pools
    pool = Counter(after)
    for place, event in reversed(events[first:]):
        pool.update(_taken(event))
        pools[place] = Counter(pool)
    return pools


def _taken(event: Event) -> dict[int, int]:
    gone = event.card is not None and event.kind not in SHUFFLES | STAYS
    return {definition_of(event.card): 1} if gone and event.card is not None else {}


def _chance(event: Event, seat: int, pool: Counter[int], catalog: Catalog) -> Chance:
    card = None
    if event.kind not in SHUFFLES and event.card is not None:
        card = catalog.ids[definition_of(event.card)]
    return Chance(event.kind, seat, card, _by_id(pool, catalog))


def _by_id(pool: Counter[int], catalog: Catalog) -> dict[str, int]:
    return {catalog.ids[number]: count for number, count in sorted(pool.items()) if count > 0}
