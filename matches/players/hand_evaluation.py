"""What each card of the hand would be worth if it were played now."""

from __future__ import annotations

from ccg.rules.cards.definitions import CardDef
from ccg.rules.telling.view import PieceView
from matches.players import evaluation
from matches.players.ability_evaluation import ability_worth
from matches.players.board import UNITS, Board
from matches.players.weights import WEIGHTS


def worth_if_played(board: Board, card: CardDef) -> float:
    """Return the worth of playing ``card`` now: as a unit, as what it adds to a stack, or by its abilities."""
    if card.type == "event":
        return ability_worth(board, card) + (WEIGHTS.no_text if card.ability_pending else 0.0)
    if card.type == "mission":
        return _mission(board, card)
    for lying in (board.me.alert, board.me.reserve):
        for piece in lying:
            top = board.card(piece)
            if card.singular and top.singular and top.title == card.title:
                return _overlay(board, card, piece)
    return evaluation.printed_worth(card) + board.level_change(card.threat or 0)


def worth_if_kept(board: Board, card: CardDef) -> float:
    """Return the worth of keeping ``card`` in hand, where it may do more later than it would now."""
    return max(worth_if_played(board, card), evaluation.printed_worth(card) * 0.5)


def _overlay(board: Board, card: CardDef, piece: PieceView) -> float:
    gain = evaluation.printed_worth(card) - evaluation.unit_worth(piece, board.card(piece)) + WEIGHTS.beneath
    change = (card.threat or 0) - (0 if piece.exhausted else piece.threat)
    return gain + board.level_change(change)


def _mission(board: Board, card: CardDef) -> float:
    """A mission needs units, and time, and adds to the threat while it lies there."""
    threat = card.threat or 0
    price = threat * WEIGHTS.threat + board.level_change(threat)
    if card.ability_pending:
        return WEIGHTS.no_text + price
    likely = 0.8 if could_meet(board, card) else 0.2
    return max(0.0, ability_worth(board, card)) * likely + WEIGHTS.mission * likely + price


def could_meet(board: Board, mission: CardDef) -> bool:
    """Return whether my fleet has a unit for each requirement by itself (a guess: the same unit may serve twice)."""
    units = [piece for lying in (board.me.alert, board.me.reserve) for piece in lying if piece.role in UNITS]
    return len(units) >= len(mission.requires) and all(
        any(
            (not requirement.trait or requirement.trait in board.card(unit).traits)
            and (not requirement.type or requirement.type == unit.role)
            for unit in units
        )
        for requirement in mission.requires
    )
