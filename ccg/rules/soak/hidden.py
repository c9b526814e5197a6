"""What must stay hidden: the hidden cards are shuffled, and nobody may see that they were."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from ccg.rules.core.events import Event
from ccg.rules.core.state import CardNumber, Piece, Player, SeatNumber, owner_of
from ccg.rules.game import Game
from ccg.rules.soak.broken import Broken, difference
from ccg.rules.telling import viewing
from ccg.rules.telling.view import View

Viewer = SeatNumber | None
"""Who looks: a player, or None for a spectator."""


def viewers(game: Game) -> Sequence[Viewer]:
    """Return everybody who may look: a spectator and each player."""
    return (None, *range(len(game.engine.state.players)))


def stays_hidden(game: Game, seen: Mapping[Viewer, View], data: bytes | None = None) -> None:
    """What each viewer has ``seen``, options included, is seen again when all that is hidden from them is shuffled.

    It is shuffled in a game read back from ``data``, the saved game, so this compares the views of a loaded
    game as well.
    """
    data = game.save() if data is None else data
    rng = random.Random(data)  # the same game is always shuffled in the same way, so that a failure comes again
    twin = Game.load(data, game.engine.catalog)
    known = _hidden_zones(twin)
    for viewer, view in seen.items():
        shuffle(twin, viewer, rng)
        twin = Game(twin.engine)  # what it has worked out about its options is of another shuffle
        twin.engine.stale()
        if viewer in game.deciding:
            again = twin.view(viewer)
        else:  # the other's own options may well be others now; the viewer gets none
            again = viewing.view(twin.engine, viewer, [], can_take_back=False)
        if again != view:
            where = difference(msgspec.json.encode(view), msgspec.json.encode(again))
            raise Broken("secrets", f"viewer {viewer} sees what is hidden: {where}")
        if viewer is not None and viewer in game.deciding and twin.reasons(viewer) != game.reasons(viewer):
            raise Broken("secrets", f"what viewer {viewer} is told of why not depends on what is hidden")
        for zone, cards in known:
            zone[:] = cards


def _hidden_zones(game: Game) -> list[tuple[list[CardNumber], list[CardNumber]]]:
    """Return all that :func:`shuffle` may shuffle, each list with a copy of what is in it."""
    players = game.engine.state.players
    zones = [zone for player in players for zone in (player.deck, player.hand)]
    return [(zone, list(zone)) for zone in (*zones, *(stack.supplies for stack in _stacks(players)))]


def half_made_is_hidden(game: Game, before: Mapping[Viewer, View], now: Mapping[Viewer, View]) -> None:
    """Of a move that can still be taken back others see nothing: all is as it was ``before`` it was begun."""
    decision = game.decision
    if decision is None or not decision.can_take_back:
        return
    for viewer in viewers(game):
        if viewer != decision.seat and now[viewer] != before[viewer]:
            where = difference(msgspec.json.encode(before[viewer]), msgspec.json.encode(now[viewer]))
            raise Broken("half-made", f"viewer {viewer} sees the half-made move ({decision.kind}): {where}")


def shuffle(game: Game, viewer: Viewer, rng: random.Random) -> None:
    """Shuffle, in place, what ``viewer`` may not know: orders of decks, others' hands and supply cards.

    Of every other player the cards in deck, hand (unless shown) and under stacks change places with each
    other; of the viewer only the order of the deck.
    """
    players = game.engine.state.players
    under = [stack.supplies for stack in _stacks(players) if stack.controller != viewer]
    for seat, player in enumerate(players):
        if seat == viewer:
            _shuffle(player.deck, rng)
            continue
        shown = list((Counter(player.hand) & Counter(player.shown)).elements()) if player.shown else []
        hand = list((Counter(player.hand) - Counter(shown)).elements()) if shown else player.hand
        pool = [*player.deck, *hand, *(card for supplies in under for card in supplies if owner_of(card) == seat)]
        _shuffle(pool, rng)
        player.deck[:] = [pool.pop() for _ in player.deck]
        player.hand[:] = _replaced(player.hand, shown, pool)
        for supplies in under:
            supplies[:] = [pool.pop() if owner_of(card) == seat else card for card in supplies]


def _replaced(hand: list[CardNumber], shown: list[CardNumber], pool: list[CardNumber]) -> list[CardNumber]:
    """Return ``hand`` with every card that is not ``shown`` replaced by one from ``pool``, where it lies."""
    new = []
    for card in hand:
        if card in shown:
            shown.remove(card)
            new.append(card)
        else:
            new.append(pool.pop())
    return new


def _shuffle(cards: list[CardNumber], rng: random.Random) -> None:
    """Shuffle in place, faster than ``rng.shuffle``: the soak does it thousands of times a second."""
    chance = rng.random
    cards.sort(key=lambda card: chance())


def _stacks(players: Iterable[Player]) -> Iterator[Piece]:
    for player in players:
        yield from (piece for piece in player.resource if piece.is_stack)


def events_keep_secrets(game: Game, events: Iterable[Event]) -> None:
    """Nobody is told which card went from one hidden place to another, unless it has been shown."""
    for event in events:
        secret = event.source in ("deck", "hand", "supply") and event.to in ("deck", "hand", "supply")
        if not secret or event.player is None or event.card is None:
            continue
        if event.card in game.engine.player(event.player).shown or event.card == event.target_card:
            continue
        name = game.engine.card(event.card).name
        under = game.engine.card(event.target_card).name if event.target_card is not None else ""
        for viewer in viewers(game):
            seen = game.seen(event, viewer)
            text = seen.text.replace(under, "")  # its name may have the other's within it
            if viewer != event.player and (seen.card is not None or name in text):
                raise Broken("secrets", f"viewer {viewer} is told of {event.kind}: {seen.text}")
