"""Winning, losing and leaving the game (Victory Conditions; rulings 4 and 5)."""

from __future__ import annotations

from collections.abc import Collection

from ccg.rules.core.engine import Engine, Frame
from ccg.rules.core.state import WINNING_INFLUENCE, CardNumber, Result, SeatNumber, owner_of
from ccg.rules.core.zones import leave_play, to_discard


def judge(engine: Engine) -> None:
    """Check, after an instruction has changed influence, who has won, who has lost and who leaves.

    An instruction to several players is done when all have carried it out (ruling 4).
    """
    if engine.in_one_instruction():
        return
    players = engine.state.players
    seats = engine.seats(0)
    winners = [seat for seat in seats if players[seat].influence >= WINNING_INFLUENCE]
    if winners:
        finish(engine, winners, "influence")
        return
    fallen = [seat for seat in seats if players[seat].influence <= 0]
    if fallen:
        leave(engine, fallen)


def leave(engine: Engine, seats: Collection[SeatNumber], conceding: bool = False, reason: str = "last") -> None:
    """Take players who have lost out of the game, together; the last one left wins, the last ones draw (ruling 4).

    ``reason`` is that of the result if the game is over with that.

    Moves that are only half made are taken back first, whoever makes them; a challenge that ends with a leaver
    ends at once, or when the effect is done that made them lose (ruling 90).
    """
    going_on = [frame for frame in engine.state.agenda if not frame.breaks_off(engine)]
    for seat in seats:
        engine.leave(seat)
        engine.emit("lose", seat)
    remaining = engine.seats(0)
    if not remaining:
        finish(engine, [], "draw", drawn=seats)
        return
    if len(remaining) == 1:
        finish(engine, remaining, reason)
        return
    take_back(engine)
    for seat in seats:
        _clear_fleet(engine, seat)
        _drop_frames(engine, seat)
    _break_off(engine, going_on, finishing=not conceding)
    engine.state.waiting = [waiting for waiting in engine.state.waiting if waiting.context.you not in seats]
    engine.state.asking = None
    judge(engine)  # others may have done their part of an instruction that goes with its player


def take_back(engine: Engine) -> None:
    """Take back the move that is only half made, if there is one; its player is asked again what to do."""
    agenda = engine.state.agenda
    begun = len(agenda)
    while agenda[-1].half_made():
        agenda.pop()
    if len(agenda) < begun:
        agenda[-1].taken_back()
    agenda[-1].unmade(engine)


def finish(engine: Engine, winners: list[SeatNumber], reason: str, drawn: Collection[SeatNumber] = ()) -> None:
    """End the game at once; nothing more on the agenda is carried out (WIN-4)."""
    everybody = range(len(engine.state.players))
    losers = tuple(seat for seat in everybody if seat not in winners and seat not in drawn)
    engine.state.result = Result(tuple(winners), losers, reason)
    engine.state.asking = None
    for seat in winners:
        engine.emit("win", seat)
    if not winners:
        engine.emit("draw game")


def _clear_fleet(engine: Engine, seat: SeatNumber) -> None:
    """Take the leaver's cards out of the game; cards of others go to their owners' discard piles."""
    leaver = engine.player(seat)
    for piece in list(engine.pieces()):
        if engine.find(piece.id) is None:
            continue
        if piece.controller == seat or piece.owner == seat:
            leave_play(engine, piece)
        else:
            _pull(engine, seat, piece.supplies)
    for zone in (leaver.deck, leaver.hand, leaver.discard):
        leaver.gone.extend(zone)
        zone.clear()
    leaver.shown.clear()


def _pull(engine: Engine, seat: SeatNumber, cards: list[CardNumber]) -> None:
    theirs = [card for card in cards if owner_of(card) == seat]
    cards[:] = [card for card in cards if owner_of(card) != seat]
    to_discard(engine, theirs)


def _drop_frames(engine: Engine, seat: SeatNumber) -> None:
    """Drop the frames of a player who leaves, with all frames that these have pushed (rulings 5 and 54).

    Triggered abilities of other players stay, even if the leaver set them off.
    """
    agenda = engine.state.agenda
    kept: list[Frame] = []
    dropping = False
    for frame in agenda:
        if frame.belongs_to(seat) and not dropping:
            dropping = True
        elif frame.stands_alone:
            dropping = False
        if dropping:
            _drop(engine, frame)
        else:
            frame.forget(seat)
            kept.append(frame)
    agenda[:] = kept


def _drop(engine: Engine, frame: Frame) -> None:
    frame.dropped(engine)
    to_discard(engine, frame.held())


def _break_off(engine: Engine, going_on: list[Frame], finishing: bool) -> None:
    """Drop what stands above that of the frames ``going_on`` which breaks off now that somebody has left (ruling 90).

    ``finishing`` says that an effect has made them lose; the effect that is being carried out goes on to its end.
    """
    broken = next((frame for frame in going_on if frame.breaks_off(engine)), None)
    if broken is None:
        return
    agenda = engine.state.agenda
    above = next(place for place, frame in enumerate(agenda, start=1) if frame is broken)
    rounds = [place for place, frame in enumerate(agenda, start=1) if frame.stands_alone]
    end = max([above, *rounds]) if finishing else len(agenda)
    for frame in agenda[above:end]:
        _drop(engine, frame)
    del agenda[above:end]
