"""What a card's text is worth on this board: a rough reading of the ability language, verb by verb.

It does not play the text out. Each step has a value by its verb and by whom it is about: what helps is
looked for on my side, what harms on an opponent's, and power counts by what it does in the challenge that
is going on. A text that finds nothing to work on is worth less than nothing: the card is better kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from ccg.rules.cards import phrases
from ccg.rules.cards.definitions import CardDef, stays_in_play
from ccg.rules.cards.phrases import Selector
from ccg.rules.cards.schema import Ability, Step
from ccg.rules.effects.word import Word
from ccg.rules.effects.words.in_play import Commit, Exhaust, Ready, Restore, Sacrifice
from ccg.rules.effects.words.structure import ChooseOne, For
from ccg.rules.telling.view import PieceView
from matches.players import evaluation
from matches.players.board import UNITS, Board
from matches.players.phrase_matching import fits, is_less, is_own, number, speaks_to

Aim = Literal["help", "harm", ""]
"""Whether a step is good or bad for the piece it is about."""

NOTHING_THERE = -0.6
"""A text that has nothing to work on."""

LATER = 0.15
"""A change that only shows in a challenge or later, for each point, while there is none."""


def ability_worth(board: Board, card: CardDef, stake: Callable[[int, int], float] | None = None) -> float:
    """Return what it is worth to play the event ``card`` or to resolve the mission ``card`` now.

    ``stake`` says what power is worth to a piece in the challenge that is going on (None: there is none).
    """
    if card.ability_pending:
        return 0.0
    total = 0.0
    for ability in card.abilities:
        if ability.always:  # a mission that stays, or is linked
            total += 1.2
        elif isinstance(ability.cost, list) and not stays_in_play(card.type, card.keywords):
            total += _steps(board, [*ability.cost, *ability.do], stake)
        elif ability.cost is not None or ability.when is not None or ability.instead_of is not None:
            total += 0.8
        elif ability.do:
            total += _steps(board, ability.do, stake)
    return total


def use_worth(board: Board, piece: PieceView, ability: Ability, stake: Callable[[int, int], float] | None) -> float:
    """Return what it is worth to play an ability of ``piece``, less its cost."""
    return _steps(board, ability.do, stake) - _cost(board, piece, ability)


def actions(card: CardDef) -> list[Ability]:
    """Return the abilities of ``card`` that are played at a cost, in the order in which options number them."""
    return [a for a in card.abilities if a.cost is not None and a.when is None and a.instead_of is None]


def aim_of(card: CardDef) -> Aim:
    """Return whether what ``card`` targets is better mine or an opponent's."""
    for ability in card.abilities:
        for step in _all_steps([*ability.do, *ability.red]):
            if step.about is None or _yours(phrases.selector(step.about)):
                continue
            if step.worth.kind == "power":
                return "harm" if is_less(step.argument) else "help"
            if step.worth.kind in ("help", "harm"):
                return "help" if step.worth.kind == "help" else "harm"
    return ""


def spends_units(card: CardDef) -> bool:
    """Return whether ``card`` has its player give up, commit or exhaust something of their own."""
    for ability in card.abilities:
        if ability.cost is not None:
            return True
        for step in _all_steps(ability.do):
            if isinstance(step, (Sacrifice, Commit, Exhaust)) and _yours(phrases.selector(step.about)):
                return True
    return False


def offers_at_a_price(card: CardDef) -> bool:
    """Return whether an offer that ``card`` makes ("you may") is paid for with more than a moment's readiness."""
    return any(isinstance(ability.may, list) or ability.may == "sacrifice" for ability in card.abilities)


# ---------------------------------------------------------------- steps


def _steps(board: Board, steps: Iterable[Step], stake: Callable[[int, int], float] | None) -> float:
    return sum(_step(board, step, stake) for step in steps if isinstance(step, Word))


def _step(board: Board, step: Word, stake: Callable[[int, int], float] | None) -> float:
    """Return the worth of one step to me."""
    inside = [_steps(board, steps, stake) for steps in step.inner()]
    if isinstance(step, ChooseOne):
        return max(inside)
    if isinstance(step, For):
        return abs(inside[0]) * 0.1 if phrases.players(step.for_).kind == "each_player" else -inside[0] * board.share
    return sum(inside) + _worth(board, step, stake)


def _worth(board: Board, step: Word, stake: Callable[[int, int], float] | None) -> float:
    """Return the worth of a step without what is inside it, by the kind of worth that its word gives."""
    kind, value = step.worth
    selector = phrases.selector(step.about) if step.about is not None else None
    if kind == "flat":
        return value
    if kind == "harm":
        return _harm(board, selector, value)
    if kind == "help":
        return _help(board, step, selector, value)
    if kind == "price":
        return -_least(board, selector) if selector is not None and is_own(selector) else 0.5
    if kind == "influence":
        return _influence(board, step)
    if kind == "cards":
        chosen = step.whom is not None and phrases.players(step.whom).kind == "target_player"
        sign = 1.0 if speaks_to(step.whom) or (chosen and value > 0) else -0.6
        return sign * value * number(board, step.argument)
    return _power(board, step, selector, stake)


def _influence(board: Board, step: Word) -> float:
    amount = number(board, step.argument)
    if step.worth.value > 0:
        mine = speaks_to(step.whom)
        return evaluation.change(board.me.influence, amount) if mine else -amount * board.share
    if step.whom is None:
        return evaluation.change(board.me.influence, -amount)
    return max((board.blow(player, amount) for player in board.opponents), default=0.0)


def _power(board: Board, step: Word, selector: Selector | None, stake: Callable[[int, int], float] | None) -> float:
    """More or less power counts in a challenge, for whoever takes part in it."""
    amount = number(board, step.argument)
    challenge = board.view.challenge
    if stake is None or challenge is None:
        lasting = selector is None or getattr(step, "until", None) is not None
        return LATER * abs(amount) if lasting else NOTHING_THERE / 2
    part = [piece for piece in (challenge.challenger, challenge.defender or challenge.threat) if piece]
    worths = [stake(piece, amount) for piece in part if selector is None or fits(board, board.pieces[piece], selector)]
    return max(worths, default=0.0) or NOTHING_THERE / 2


# ---------------------------------------------------------------- whom it is about


def _harm(board: Board, selector: Selector | None, factor: float) -> float:
    """Return the best of an opponent's that it can be done to; to one's own it is a price."""
    if selector is None or selector.pronoun in SPOKEN_OF:
        return 0.0
    if is_own(selector):
        return -factor * _least(board, selector)
    if selector.every:
        mine, theirs = _total(board, selector, mine=True), _total(board, selector, mine=False)
        return factor * (board.share * theirs - mine)
    best = _best(board, selector, mine=False)
    return NOTHING_THERE if best is None else factor * best * max(board.share, 0.7)


def _help(board: Board, step: Word, selector: Selector | None, factor: float) -> float:
    """Return the best of mine; of all, those that are not yet what the step makes of them: the rest leads nowhere."""
    if selector is None or selector.pronoun in (*SPOKEN_OF, "this"):
        return 0.3
    if selector.every:
        mine, theirs = (_changed(board, step, selector, mine=mine) for mine in (True, False))
        return factor * (mine - board.share * theirs)
    best = _best(board, selector, mine=True)
    return NOTHING_THERE if best is None else factor * best


def _changed(board: Board, step: Word, selector: Selector, mine: bool) -> float:
    """Return the total worth of the pieces that the step would change."""
    pieces = _matching_units(board, selector, mine)
    if isinstance(step, Ready):
        pieces = (piece for piece in pieces if piece.id in board.in_reserve)
    elif isinstance(step, Restore):
        pieces = (piece for piece in pieces if piece.exhausted)
    return sum(board.worth(piece) for piece in pieces)


SPOKEN_OF = ("it", "them")
"""Pronouns for what a step before was about, whose worth was counted there."""


def _yours(selector: Selector) -> bool:
    """Return whether it speaks of what its player controls, in so many words."""
    return not selector.pronoun and is_own(selector)


def _least(board: Board, selector: Selector) -> float:
    return min((board.worth(piece) for piece in _matching_units(board, selector, mine=True)), default=0.5)


def _best(board: Board, selector: Selector, mine: bool) -> float | None:
    """Return the total worth of the best pieces, as many as may be chosen; None if there are none."""
    worths = sorted((board.worth(piece) for piece in _matching_units(board, selector, mine)), reverse=True)
    return sum(worths[: selector.most]) if worths else None


def _total(board: Board, selector: Selector, mine: bool) -> float:
    return sum(board.worth(piece) for piece in _matching_units(board, selector, mine))


def _matching_units(board: Board, selector: Selector, mine: bool) -> Iterator[PieceView]:
    """Yield the units in my fleet, or in the opponents' fleets, that ``selector`` may match."""
    for player in [board.me] if mine else board.opponents:
        for lying in (player.alert, player.reserve):
            for piece in lying:
                if piece.role in UNITS and fits(board, piece, selector):
                    yield piece


# ---------------------------------------------------------------- costs and numbers


def _cost(board: Board, piece: PieceView, ability: Ability) -> float:
    """Return what it costs to play the ability: the unit itself, its readiness, or what is given up."""
    if isinstance(ability.cost, str):
        price, costs = 0.0, phrases.cost(ability.cost)
        if "commit" in costs:
            price += board.exposure(piece) + 0.3
        if "exhaust" in costs:
            price += 0.6 if piece.makes is None else 0.4 * piece.yields * _wants_more(board)
        return price + (board.worth(piece) if "sacrifice" in costs else 0.0)
    price = 0.0
    for step in ability.cost or []:
        if isinstance(step, Sacrifice):
            given_up = phrases.selector(step.about)
            price += _least(board, given_up) if given_up.pronoun != "this" else board.worth(piece)
        elif isinstance(step, Commit):
            price += board.exposure(piece) + 0.3 if phrases.selector(step.about).pronoun == "this" else 0.6
        else:
            price += 0.5
    return price


def _wants_more(board: Board) -> float:
    """Return how much my hand could still make of a stack that is spent on something else."""
    stacks = evaluation.stacks_of(board.me, fresh=False)
    return float(any(card.is_unit and evaluation.afford(stacks, card.cost) is not None for card in board.hand))


def _all_steps(steps: Iterable[Step]) -> Iterator[Word]:
    for step in steps:
        if isinstance(step, Word):
            yield step
            for inner in step.inner():
                yield from _all_steps(inner)
