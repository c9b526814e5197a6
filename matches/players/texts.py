"""What a card's text is worth on this board: a rough reading of the ability language, verb by verb.

It does not play the text out. Each step has a value by its verb and by whom it is about: what helps is
looked for on my side, what harms on an opponent's, and power counts by what it does in the challenge that
is going on. A text that finds nothing to work on is worth less than nothing: the card is better kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from ccg.rules.cards import CardDef
from ccg.rules.language.schema import Ability, Step
from ccg.rules.view import PieceView
from matches.players import worth
from matches.players.board import UNITS, Board

Aim = Literal["help", "harm", ""]
"""Whether a step is good or bad for the piece it is about."""

NOTHING_THERE = -0.6
"""A text that has nothing to work on."""

LATER = 0.15
"""A change that only shows in a challenge or later, for each point, while there is none."""

HARM: dict[str, float] = {"defeat": 1.0, "put": 0.75, "exhaust": 0.4, "commit": 0.25, "cannot": 0.2, "loses": 0.1}
"""How much of a unit's worth is lost when this is done to it."""

HELP: dict[str, float] = {"ready": 0.3, "restore": 0.2, "gains": 0.1}
"""How much of a unit's worth is gained when this is done for it."""

CARDS: dict[str, float] = {"draw": 0.8, "discard": -0.5, "mill": -0.1}
"""A card drawn, discarded or put from the deck into the discard pile, to the player it happens to."""

OTHER: dict[str, float] = {
    "search": 1.2, "take": 1.0, "look": 0.4, "shuffle": 0.2, "reveal_hand": 0.1, "supply": 0.8,
    "extra": 0.9, "prevent": 0.4, "cheaper": 0.5, "convert": 0.4, "add": 0.6,
    "reveal": 0.5, "revealed": 0.4, "fate": 0.6, "end": 0.1,
    "threats": 0.0, "add_phases": 0.0, "goes_first": 0.1,
    "exchange": 0.5, "split": 0.2, "not_singular": 0.2, "immune": 0.4,
}  # fmt: skip
"""Verbs that are worth about the same on any board."""


def text_worth(board: Board, card: CardDef, stake: Callable[[int, int], float] | None = None) -> float:
    """Give what it is worth to play the event ``card`` or to resolve the mission ``card`` now.

    ``stake`` says what power is worth to a piece in the challenge that is going on (None: there is none).
    """
    if card.ability_pending:
        return 0.0
    total = 0.0
    for ability in card.abilities:
        if ability.always:  # a mission that stays, or is linked
            total += 1.2
        elif ability.cost is not None or ability.when is not None or ability.instead_of is not None:
            total += 0.8
        elif ability.do:
            total += _steps(board, ability.do, stake)
    return total


def use_worth(board: Board, piece: PieceView, ability: Ability, stake: Callable[[int, int], float] | None) -> float:
    """Give what it is worth to play an ability of ``piece``, less its cost."""
    return _steps(board, ability.do, stake) - _cost(board, piece, ability)


def actions(card: CardDef) -> list[Ability]:
    """Give the abilities of ``card`` that are played at a cost, in the order in which options number them."""
    return [a for a in card.abilities if a.cost is not None and a.when is None and a.instead_of is None]


def aim_of(card: CardDef) -> Aim:
    """Say whether what ``card`` targets is better mine or an opponent's."""
    for ability in card.abilities:
        for step in _all_steps([*ability.do, *ability.red]):
            for verb in (*HARM, *HELP, "power"):
                phrase = step.of if verb == "power" else getattr(step, verb)
                if isinstance(phrase, str) and getattr(step, verb) is not None and "you control" not in phrase:
                    return "help" if verb in HELP or (verb == "power" and not _negative(step.power)) else "harm"
    return ""


def spends_units(card: CardDef) -> bool:
    """Whether ``card`` has its player give up, commit or exhaust something of their own."""
    for ability in card.abilities:
        if ability.cost is not None:
            return True
        for step in _all_steps(ability.do):
            if any("you control" in (getattr(step, verb) or "") for verb in ("sacrifice", "commit", "exhaust")):
                return True
    return False


def offers_at_a_price(card: CardDef) -> bool:
    """Whether an offer that ``card`` makes ("you may") is paid for with more than a moment's readiness."""
    return any(isinstance(ability.may, list) or ability.may == "sacrifice" for ability in card.abilities)


# ---------------------------------------------------------------- steps


def _steps(board: Board, steps: Iterable[Step], stake: Callable[[int, int], float] | None) -> float:
    return sum(_step(board, step, stake) for step in steps)


def _step(board: Board, step: Step, stake: Callable[[int, int], float] | None) -> float:
    """Give the worth of one step to me."""
    if step.choose_one is not None:
        modes = [mode if isinstance(mode, list) else [mode] for mode in step.choose_one]
        worths = [_steps(board, mode, stake) for mode in modes]
        return -max(-one for one in worths) if step.by is not None else max(worths)
    if step.for_ is not None:
        inside = _steps(board, step.do, stake)
        return abs(inside) * 0.1 if step.for_ == "each player" else -inside * board.share
    inside = _steps(board, step.do, stake) * (0.5 if step.if_ is not None else 1.0) if step.do else 0.0
    return inside + _verbs(board, step, stake)


def _verbs(board: Board, step: Step, stake: Callable[[int, int], float] | None) -> float:
    total = 0.0
    for verb, factor in HARM.items():
        if (phrase := getattr(step, verb)) is not None:
            total += _harm(board, step.of if verb in ("cannot", "loses") else phrase, factor)
    for verb, factor in HELP.items():
        if (phrase := getattr(step, verb)) is not None:
            total += _help(board, step.of if verb == "gains" else phrase, factor)
    if step.sacrifice is not None:
        total += -_least(board, step.sacrifice) if "you control" in step.sacrifice or step.sacrifice == "this" else 0.5
    if step.power is not None:
        total += _power(board, step, stake)
    return total + _influence(board, step) + _cards(step) + sum(
        value for verb, value in OTHER.items() if getattr(step, verb) not in (None, False)
    )  # fmt: skip


def _influence(board: Board, step: Step) -> float:
    mine = board.me.influence
    total = 0.0
    if step.gain is not None:
        amount = _amount(step.gain)
        total += worth.change(mine, amount) if _is_me(step.who) else -amount * board.share
    if step.lose is not None:
        amount = _amount(step.lose)
        victims = [board.blow(player, amount) for player in board.opponents]
        total += worth.change(mine, -amount) if step.who is None else max(victims, default=0.0)
    return total


def _cards(step: Step) -> float:
    total = 0.0
    for verb, value in CARDS.items():
        if (number := getattr(step, verb)) is not None:
            sign = 1.0 if _is_me(step.who) or (step.who == "target player" and value > 0) else -0.6
            total += sign * value * _amount(number)
    return total


def _power(board: Board, step: Step, stake: Callable[[int, int], float] | None) -> float:
    """More or less power counts in a challenge, for who takes part in it."""
    amount = _amount(step.power)
    challenge = board.view.challenge
    if stake is None or challenge is None:
        return LATER * abs(amount) if step.of is None or step.until is not None else NOTHING_THERE / 2
    part = [piece for piece in (challenge.challenger, challenge.defender or challenge.threat) if piece]
    wanted = step.of or "this"
    worths = [stake(piece, amount) for piece in part if _fits(board, board.pieces[piece], wanted)]
    return max(worths, default=0.0) or NOTHING_THERE / 2


# ---------------------------------------------------------------- whom it is about


def _harm(board: Board, phrase: str | None, factor: float) -> float:
    """The best of an opponent's that it can be done to; to one's own it is a price."""
    if phrase is None or phrase in ("it", "them"):
        return 0.0
    if phrase == "this" or "you control" in phrase:
        return -factor * _least(board, phrase)
    if phrase.startswith("all"):
        mine, theirs = _total(board, phrase, mine=True), _total(board, phrase, mine=False)
        return factor * (board.share * theirs - mine)
    best = max((board.worth(piece) for piece in _found(board, phrase, mine=False)), default=None)
    return NOTHING_THERE if best is None else factor * best * max(board.share, 0.7)


def _help(board: Board, phrase: str | None, factor: float) -> float:
    if phrase is None or phrase in ("it", "them", "this"):
        return 0.3
    if phrase.startswith("all"):
        return factor * (_total(board, phrase, mine=True) - board.share * _total(board, phrase, mine=False))
    best = max((board.worth(piece) for piece in _found(board, phrase, mine=True)), default=None)
    return NOTHING_THERE if best is None else factor * best


def _least(board: Board, phrase: str) -> float:
    return min((board.worth(piece) for piece in _found(board, phrase, mine=True)), default=0.5)


def _total(board: Board, phrase: str, mine: bool) -> float:
    return sum(board.worth(piece) for piece in _found(board, phrase, mine))


def _found(board: Board, phrase: str, mine: bool) -> Iterator[PieceView]:
    """Give the units in fleets, mine or opponents', that ``phrase`` may mean."""
    for player in [board.me] if mine else board.opponents:
        for lying in (player.alert, player.reserve):
            for piece in lying:
                if piece.role in UNITS and _fits(board, piece, phrase):
                    yield piece


def _fits(board: Board, piece: PieceView, phrase: str) -> bool:
    """Whether ``piece`` may be meant: by kind, area, side, and by the traits that the phrase names."""
    words = set(re.findall(r"[A-Za-z]+", phrase))
    for kind in ("personnel", "ship"):
        if {kind, f"{kind}s"} & words and piece.role not in (kind, "threat"):
            return False
    if {"mission", "missions", "asset", "assets", "stack"} & words or ("threat" in words and piece.role != "threat"):
        return False
    if "exhausted" in words and not piece.exhausted:
        return False
    ids = {one.id for one in board.me.reserve} | {one.id for other in board.opponents for one in other.reserve}
    if ("alert" in words and piece.id in ids) or ("reserve" in words and piece.id not in ids):
        return False
    traits = {word.rstrip("s") for word in words if word[0].isupper() and word.rstrip("s") in TRAITS}
    return traits <= set(piece.traits) or piece.role == "threat"


TRAITS = frozenset("Cylon Pilot Officer Politician Civilian Enlisted Fighter Military".split())


# ---------------------------------------------------------------- costs and numbers


def _cost(board: Board, piece: PieceView, ability: Ability) -> float:
    """What it costs to play the ability: the unit itself, its readiness, or what is given up."""
    if isinstance(ability.cost, str):
        price = 0.0
        if "commit" in ability.cost:
            price += board.exposure(piece) + 0.3
        if "exhaust" in ability.cost:
            price += 0.6 if piece.makes is None else 0.4 * piece.yields * _wants_more(board)
        return price + (board.worth(piece) if "sacrifice" in ability.cost else 0.0)
    price = 0.0
    for step in ability.cost or []:
        if step.sacrifice is not None:
            price += _least(board, step.sacrifice) if step.sacrifice != "this" else board.worth(piece)
        elif step.commit is not None:
            price += board.exposure(piece) + 0.3 if step.commit == "this" else 0.6
        else:
            price += 0.5
    return price


def _wants_more(board: Board) -> float:
    """How much my hand could still make of a stack that is spent on something else."""
    stacks = worth.stacks_of(board.me, fresh=False)
    return float(any(card.is_unit and worth.afford(stacks, card.cost) is not None for card in board.hand))


def _is_me(who: str | None) -> bool:
    return who is None or who in ("you", "its controller")


def _negative(number: int | str | None) -> bool:
    return isinstance(number, int) and number < 0


def _amount(number: int | str | None) -> int:
    """A number as written; what depends on the board counts as 2."""
    return number if isinstance(number, int) else 2


def _all_steps(steps: Iterable[Step]) -> Iterator[Step]:
    for step in steps:
        yield step
        yield from _all_steps(step.do)
        for mode in step.choose_one or []:
            yield from _all_steps(mode if isinstance(mode, list) else [mode])
