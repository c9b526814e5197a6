"""Winning, losing and leaving (Victory Conditions; rulings 4 and 5)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ccg.rules.agenda import Engine, Frame
from ccg.rules.state import WINNING_INFLUENCE, Card, Piece, Result, Seat, owner_of


def judge(engine: Engine) -> None:
    """Look at influence after one instruction has changed it: who has won, who has lost, who leaves."""
    players = engine.state.players
    seats = engine.seats(0)
    winners = [seat for seat in seats if players[seat].influence >= WINNING_INFLUENCE]
    if winners:
        finish(engine, winners, "influence")
        return
    fallen = [seat for seat in seats if players[seat].influence <= 0]
    if fallen:
        leave(engine, fallen)


def leave(engine: Engine, seats: Collection[Seat]) -> None:
    """Take players who have lost out of the game, together; the last one left wins, the last ones draw (ruling 4)."""
    for seat in seats:
        engine.player(seat).lost = True
        engine.tell("lose", seat)
    remaining = engine.seats(0)
    if not remaining:
        finish(engine, [], "draw", drawn=seats)
        return
    if len(remaining) == 1:
        finish(engine, remaining, "last")
        return
    for seat in seats:
        _clear_fleet(engine, seat)
        _drop_frames(engine, seat)
    engine.state.asking = None


def finish(engine: Engine, winners: list[Seat], reason: str, drawn: Collection[Seat] = ()) -> None:
    """End the game at once; nothing more on the agenda is carried out (WIN-4)."""
    everybody = range(len(engine.state.players))
    losers = tuple(seat for seat in everybody if seat not in winners and seat not in drawn)
    engine.state.result = Result(tuple(winners), losers, reason)
    engine.state.asking = None
    for seat in winners:
        engine.tell("win", seat)
    if not winners:
        engine.tell("draw game")


def to_discard(engine: Engine, cards: Iterable[Card]) -> None:
    """Put each of ``cards`` on its own owner's discard pile; a card whose owner has left leaves the game."""
    for card in cards:
        owner = engine.player(owner_of(card))
        (owner.gone if owner.lost else owner.discard).append(card)


def cards_of(piece: Piece) -> list[Card]:
    """Give every card that lies in ``piece``: the stack, supply cards and linked missions."""
    return [*piece.cards, *piece.supplies, *(card for link in piece.links for card in link.cards)]


def _clear_fleet(engine: Engine, seat: Seat) -> None:
    """Take the leaver's cards out of the game; cards of others go to their owners' discard piles."""
    leaver = engine.player(seat)
    for piece in list(engine.pieces()):
        if engine.find(piece.id) is None:
            continue
        if piece.controller == seat or piece.owner == seat:
            engine.remove(piece)
            to_discard(engine, cards_of(piece))
        else:
            _pull(engine, seat, piece.supplies)
    for zone in (leaver.deck, leaver.hand, leaver.discard):
        leaver.gone.extend(zone)
        zone.clear()
    leaver.shown.clear()


def _pull(engine: Engine, seat: Seat, cards: list[Card]) -> None:
    theirs = [card for card in cards if owner_of(card) == seat]
    cards[:] = [card for card in cards if owner_of(card) != seat]
    to_discard(engine, theirs)


def _drop_frames(engine: Engine, seat: Seat) -> None:
    """Let the leaver's half-done doings vanish, with whatever they had set going (rulings 5 and 54).

    What they set off of others stays: those resolve their own abilities. A move that was only half made was
    no action.
    """
    agenda = engine.state.agenda
    kept: list[Frame] = []
    dropping = False
    for frame in agenda:
        if frame.belongs_to(seat) and not dropping:
            dropping = True
            if frame.half_made():
                kept[-1].taken_back()
        elif frame.stands_alone:
            dropping = False
        if dropping:
            to_discard(engine, frame.held())
        else:
            frame.forget(seat)
            kept.append(frame)
    agenda[:] = kept
