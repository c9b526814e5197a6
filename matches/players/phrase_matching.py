"""What a phrase of the ability language may mean on a board, as far as one seat can see.

The phrase is read by :mod:`ccg.rules.cards.phrases`; here the records are held against pieces of a view. Which
piece "it" or "this" is, and which were chosen before, a view does not say: there any piece may be meant.
"""

from __future__ import annotations

from collections.abc import Callable

from ccg.rules.cards import phrases
from ccg.rules.cards.phrases import Description, Selector
from ccg.rules.telling.view import ChallengeView, PieceView
from matches.players.board import UNITS, Board

GUESS = 2
"""What an amount is taken to be that nobody can know yet."""

NOUNS: dict[str, tuple[str, ...]] = {
    "unit": UNITS,
    "personnel": ("personnel",),
    "ship": ("ship",),
    "mission": ("mission",),
    "asset": ("asset",),
    "base": ("base",),
    "resource stack": ("base", "asset"),
    "Cylon threat": ("threat",),
    "supply card": (),
}
"""The roles of the pieces that a noun may mean; a card may be of any."""

WORDS: dict[str, Callable[[Board, PieceView], bool]] = {
    "alert": lambda board, piece: piece.id not in board.in_reserve,
    "reserve": lambda board, piece: piece.id in board.in_reserve,
    "exhausted": lambda board, piece: piece.exhausted,
    "restored": lambda board, piece: not piece.exhausted,
    "challenging": lambda board, piece: _challenging(board, piece) is not None,
    "defending": lambda board, piece: board.view.challenge is not None and board.view.challenge.defender == piece.id,
    "singular": lambda board, piece: not piece.exhausted and board.card(piece).singular,
    "unresolved": lambda board, piece: not any(piece in player.persistent for player in board.view.players),
    "persistent": lambda board, piece: "persistent" in piece.keywords,
    "opposing": lambda board, piece: piece.controller != board.me.seat,
    "linked": lambda board, piece: False,  # such missions are no pieces of a view, they lie with their units
}

SUFFIXES: dict[str, Callable[[Board, PieceView, str], bool]] = {
    "yours": lambda board, piece, word: piece.controller == board.me.seat and piece.role != "threat",
    "theirs": lambda board, piece, word: piece.controller != board.me.seat,
    "an_opponents": lambda board, piece, word: piece.controller != board.me.seat,
    "weak": lambda board, piece, word: piece.power <= int(word),
    "bare": lambda board, piece, word: not piece.supplies,
    "supplied": lambda board, piece, word: bool(piece.supplies),
    "without": lambda board, piece, word: word not in piece.traits,
    "with_keyword": lambda board, piece, word: word.lower() in piece.keywords,
    "against_threat": lambda board, piece, word: _against(board, piece, lambda one: one.threat is not None),
    "challenging_you": lambda board, piece, word: _against(board, piece, lambda one: one.challenged == board.me.seat),
    "challenging_you_alone": lambda board, piece, word: _against(
        board, piece, lambda one: one.challenged == board.me.seat and one.defender is None
    ),
}


def fits(board: Board, piece: PieceView, selector: Selector) -> bool:
    """Return whether ``selector`` may mean ``piece``, a card in play."""
    if selector.pronoun:
        return _may_be(board, piece, selector.pronoun)
    return any(_fits(board, piece, description) for description in selector.descriptions)


def is_own(selector: Selector) -> bool:
    """Return whether only what the player of the ability controls is meant."""
    if selector.pronoun:
        return selector.pronoun in ("this", "your base")
    return all(("yours", "") in description.suffixes for description in selector.descriptions)


def speaks_to(who: str | None) -> bool:
    """Return whether the players ``who`` are the player of the ability, or likely so."""
    return who is None or phrases.players(who).kind in ("you", "its_controller")


def number(board: Board, phrase: int | str | None) -> int:
    """Return the value of a number phrase: cards that it counts are counted on the board, unknown ones guessed."""
    if phrase is None or phrase == "hand":  # all of them
        return GUESS
    amount = phrases.amount(phrase)
    if amount.of is not None:
        return amount.base + amount.each * sum(fits(board, piece, amount.of) for piece in board.pieces.values())
    return amount.base + (GUESS if amount.each >= 0 else -GUESS) if amount.value else amount.base


def is_less(phrase: int | str | None) -> bool:
    """Return whether the value of a number phrase is negative, whatever is on the board."""
    if phrase is None or phrase == "hand":
        return False
    amount = phrases.amount(phrase)
    return amount.base < 0 or amount.each < 0


def _fits(board: Board, piece: PieceView, description: Description) -> bool:
    traits = [trait for trait in (description.trait, *description.traits) if trait]
    return (
        (description.noun == "card" or piece.role in NOUNS[description.noun])
        and all(trait in piece.traits or trait == board.card(piece).title for trait in traits)
        and all(WORDS[word](board, piece) for word in description.words if word in WORDS)
        and all(SUFFIXES[name](board, piece, word) for name, word in description.suffixes if name in SUFFIXES)
    )


def _may_be(board: Board, piece: PieceView, pronoun: str) -> bool:
    challenge = board.view.challenge
    if pronoun == "the challenger":
        return challenge is not None and challenge.challenger == piece.id
    if pronoun == "the defender":
        return challenge is not None and challenge.defender == piece.id
    if pronoun == "your base":
        return piece.role == "base" and piece.controller == board.me.seat
    return True


def _challenging(board: Board, piece: PieceView) -> ChallengeView | None:
    """Return the challenge in which ``piece`` is the challenger."""
    challenge = board.view.challenge
    return challenge if challenge is not None and challenge.challenger == piece.id else None


def _against(board: Board, piece: PieceView, whom: Callable[[ChallengeView], bool]) -> bool:
    challenge = _challenging(board, piece)
    return challenge is not None and whom(challenge)
