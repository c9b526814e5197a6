"""What must hold at every decision of every game, each as a function that raises :class:`Broken`.

They look at the engine from outside and work things out for themselves, slowly: that is their use.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ccg.rules.core.engine import Engine
from ccg.rules.core.events import Event
from ccg.rules.core.state import (
    WINNING_INFLUENCE,
    Area,
    CardNumber,
    Piece,
    Role,
    SeatNumber,
    owner_of,
)
from ccg.rules.game import Game
from ccg.rules.soak import affordable, hidden, loops, numbers
from ccg.rules.soak.broken import Broken, difference
from ccg.rules.soak.hidden import Viewer, viewers
from ccg.rules.telling import viewing
from ccg.rules.telling.view import View

Count = Counter[CardNumber]
"""How many there are of each card."""


def all_checks(game: Game, brought: Count) -> Looked:
    """Make every check that needs nothing but a game, and the cards that were ``brought`` to it.

    Returns what was seen and made on the way.
    """
    cards_are_conserved(game, brought)
    pieces_are_in_order(game)
    somebody_can_choose(game)
    half_made_moves_are_asked_about(game)
    loops.only_passes(game)
    data = game.save()
    copied = keeping_is_lossless(game, data)
    seen = {viewer: game.view(viewer) for viewer in viewers(game)}
    numbers.nothing_is_stale(game)
    numbers.agree(game, seen[None])
    numbers.are_explained(game, seen[None])
    hidden.stays_hidden(game, seen, data)
    reasons_fit_options(game)
    payments_are_right(game)
    return Looked(data, seen, copied)


class Looked(NamedTuple):
    """A game as it was looked at: saved, as each viewer sees it, and copied."""

    data: bytes
    seen: dict[Viewer, View]
    copied: Game


# ---------------------------------------------------------------- cards


def brought_by(game: Game) -> Count:
    """Count all cards, to be compared later; each says whose it is."""
    engine = game.engine
    cards: list[CardNumber] = []
    for player in engine.state.players:
        for zone in (player.deck, player.hand, player.discard, player.removed, player.gone):
            cards += zone
    for piece in engine.pieces():
        cards += piece.cards
        cards += piece.supplies
    for frame in engine.state.agenda:
        cards += frame.held()
    return Counter(cards)


def cards_are_conserved(game: Game, brought: Count) -> None:
    """Each card is in exactly one place, none has come or gone, and everybody's piles hold their own cards."""
    now = brought_by(game)
    if now != brought:
        raise Broken("conservation", f"vanished: {_named(game, brought - now)}; new: {_named(game, now - brought)}")
    for seat, player in enumerate(game.engine.state.players):
        for name in ("deck", "hand", "discard", "removed"):
            strange = [card for card in getattr(player, name) if owner_of(card) != seat]
            if strange:
                raise Broken("owner", f"the {name} of seat {seat} holds {_named(game, strange)} of others")
        if Counter(player.shown) - Counter(player.hand):
            raise Broken("shown", f"seat {seat} has shown cards that are not in hand: {_named(game, player.shown)}")
    if game.result is None:
        _nothing_left_behind(game)


def _nothing_left_behind(game: Game) -> None:
    """Whoever has left has no card in the game, and commands nothing (ruling 5)."""
    players = game.engine.state.players
    for seat, player in enumerate(players):
        if player.lost and (player.deck or player.hand or player.discard or player.resource):
            raise Broken("leaving", f"seat {seat} has left the game and still has cards in it")
    for piece in game.engine.pieces():
        lost = [card for card in (*piece.cards, *piece.supplies) if players[owner_of(card)].lost]
        if lost or players[piece.controller].lost:
            raise Broken("leaving", f"of players who have left there is in play {_named(game, lost or piece.cards)}")


def pieces_are_in_order(game: Game) -> None:
    """Pieces have numbers of their own, lie where they say, and are what their card can be."""
    engine = game.engine
    seen: set[int] = set()
    for piece, player, area in _places(engine):
        if piece.id in seen or not 0 < piece.id < engine.state.next_piece:
            raise Broken("piece id", f"piece {piece.id} ({_name(game, piece.top)}) is not the only one of its number")
        seen.add(piece.id)
        if piece.area != area or (player is not None and piece.controller != player):
            raise Broken("piece place", f"piece {piece.id} lies with {player} in {area.name}, and says {piece}")
        if engine.find(piece.id) is not piece:
            raise Broken("piece index", f"piece {piece.id} is not found by its number")
        _check_role(game, piece, area)


def _places(engine: Engine) -> Iterator[tuple[Piece, SeatNumber | None, Area]]:
    for seat, player in enumerate(engine.state.players):
        for area in (Area.ALERT, Area.RESERVE, Area.RESOURCE):
            for piece in player.area(area):
                yield piece, seat, area
    for piece in engine.state.threats:
        yield piece, None, Area.CENTER


def _check_role(game: Game, piece: Piece, area: Area) -> None:
    definition = game.engine.definition(piece)
    type_of = {Role.BASE: ("base",), Role.ASSET: ("personnel", "ship"), Role.MISSION: ("mission",)}
    allowed = type_of.get(piece.role, (definition.type,) if piece.role == Role.THREAT else (piece.role.name.lower(),))
    in_resource = piece.role in (Role.BASE, Role.ASSET) or (piece.role == Role.MISSION and area == Area.RESOURCE)
    if definition.type not in allowed or (area == Area.RESOURCE) != in_resource:
        raise Broken("role", f"{definition.name} is a {piece.role.name.lower()} in {area.name}")
    titles = {game.engine.card(card).title for card in piece.cards}
    if (piece.links and not piece.is_unit) or (piece.supplies and not piece.is_stack) or len(titles) != 1:
        raise Broken("stack", f"{definition.name} has with it what cannot be: {piece}")


# ---------------------------------------------------------------- decisions


def somebody_can_choose(game: Game) -> None:
    """The game is over, or a player who is still in it has at least one option, each with a key of its own."""
    decision, result, state = game.decision, game.result, game.engine.state
    if (decision is None) == (result is None):
        raise Broken("decision", f"the game is {'not over' if result is None else 'over'}, and asks {decision}")
    if decision is None:
        _check_result(game)
        return
    if game.deciding[0] != decision.seat or len(set(game.deciding)) != len(game.deciding):
        raise Broken("decision", f"seat {decision.seat} is asked, of the seats {game.deciding}")
    if any(state.players[seat].lost for seat in game.deciding):
        raise Broken("decision", f"of the seats {game.deciding} that are asked one has left the game")
    keys = [game.key(option) for option in decision.options]
    if not keys or len(set(keys)) != len(keys):
        raise Broken("options", f"{decision.kind} of seat {decision.seat} offers {keys}")
    gone = [option.player for option in decision.options if option.player >= 0 and state.players[option.player].lost]
    if gone:
        raise Broken("options", f"{decision.kind} of seat {decision.seat} names seats {gone}, who have left")
    if game.engine.in_one_instruction():
        return  # who has won or lost by it is seen when all have carried it out (rulings 4 and 94)
    for seat, player in enumerate(state.players):
        if not player.lost and not 0 < player.influence < WINNING_INFLUENCE:
            raise Broken("influence", f"seat {seat} has {player.influence} influence and the game goes on")


def half_made_moves_are_asked_about(game: Game) -> None:
    """A half-made move lies on top of everything, and its player is the one who is asked."""
    decision, agenda = game.decision, game.engine.state.agenda
    begun = next((place for place, frame in enumerate(agenda) if frame.half_made()), None)
    if decision is None or begun is None:
        return
    strange = [frame for frame in agenda[begun:] if not (frame.half_made() and frame.belongs_to(decision.seat))]
    if strange:
        names = ", ".join(type(frame).__name__ for frame in agenda[begun:])
        raise Broken("half-made", f"seat {decision.seat} is asked ({decision.kind}) above a half-made move: {names}")


def _check_result(game: Game) -> None:
    result = game.result
    assert result is not None
    seats = range(len(game.engine.state.players))
    drawn = set(seats).difference(result.winners, result.losers)
    won = bool(result.winners)
    fits = won != bool(drawn) and won == (result.reason != "draw") and not set(result.winners) & set(result.losers)
    if not fits:
        raise Broken("result", f"{result}")


USES = ("play", "use", "boost", "resolve", "challenge")
"""The verbs of what players are told why they cannot do it."""


def reasons_fit_options(game: Game) -> None:
    """Whoever may act has an option for exactly that against which there is no reason; others can do nothing."""
    decision = game.decision
    if decision is None:
        return
    for seat in game.engine.seats():
        uses = {(use.verb, use.card, use.piece, use.number): use for use in game.reasons(seat)}
        able = {key for key, use in uses.items() if use.reason is None}
        offered = set()
        if seat in game.deciding:
            shown = [viewing.option_view(game.engine, option) for option in decision.options if option.verb in USES]
            offered = {(option.verb, option.card, option.piece, option.number) for option in shown}
        if able != offered:
            raise Broken("reasons", f"seat {seat} ({decision.kind}): no reason against {able}, offered {offered}")
        for use in uses.values():
            if (use.reason is None) != (not use.text) or (use.reason in ("cost", "price")) != any(use.missing.values()):
                raise Broken("reasons", f"seat {seat} is told {use}")


def payments_are_right(game: Game) -> None:
    """What can be paid for, and the ways offered to pay it, are those that a search through all of them finds."""
    mistake = affordable.mistaken(game)
    if mistake:
        raise Broken("paying", mistake)


# ---------------------------------------------------------------- keeping


def keeping_is_lossless(game: Game, data: bytes) -> Game:
    """Saved (as ``data``) and read back, or copied, it is the same game: same bytes, same decision.

    Returns the copy. What it does next is compared by :func:`same_again`, the views of a loaded game by
    :func:`~ccg.rules.soak.hidden.stays_hidden`.
    """
    copied = game.copy()
    for name, other in (("loaded", Game.load(data, game.engine.catalog)), ("copied", copied)):
        if other.save() != data:
            raise Broken("saving", f"the {name} game is not the saved one")
        if other.decision != game.decision or other.result != game.result:
            raise Broken("saving", f"the {name} game asks {other.decision}, the game itself {game.decision}")
    return copied


def same_again(before: Game, move: str, events: Sequence[Event], after: bytes) -> None:
    """The same move in the copied game tells the same events and leads to the same game, saved as ``after``."""
    again = before.move(move)
    if list(events) != again:
        raise Broken("repeating", f"{move!r} tells {_kinds(again)} in the copy, {_kinds(events)} in the game")
    if before.save() != after:
        raise Broken("repeating", f"{move!r} leads to another game in the copy")


def taken_back_whole(before: bytes, after: bytes, events: Sequence[Event]) -> None:
    """A half-made move that has been taken back leaves nothing behind: the game, saved, is as ``before`` it began."""
    if events or before != after:
        raise Broken("taking back", f"it tells {_kinds(events)}; the game is another: {difference(before, after)}")


def _kinds(events: Iterable[Event]) -> list[str]:
    return [event.kind for event in events]


# ---------------------------------------------------------------- words for people


def _name(game: Game, card: CardNumber) -> str:
    return game.engine.card(card).name


def _named(game: Game, cards: Counter[CardNumber] | Sequence[CardNumber]) -> str:
    return ", ".join(f"{count} x {_name(game, card)}" for card, count in Counter(cards).items()) or "nothing"
