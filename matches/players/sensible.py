"""The computer player that plays sensibly: it weighs each option by a few considerations and takes the best.

It looks one choice ahead with rules of thumb, no search: what a unit, a resource or an influence is worth
(:mod:`worth`), what opponents could answer (:mod:`board`), how likely a challenge is won (:mod:`odds`).
The weights of it all stand in one table, :mod:`weights`. Everything is in points of influence; passing is 0.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

from ccg.rules.cards import RESOURCES, CardDef, Catalog
from ccg.rules.view import OptionView, PieceView, View
from matches.players import worth
from matches.players.board import Board, can_defend, fighters
from matches.players.weights import WEIGHTS

NEVER = -1000.0
CLOSE = 1e-6


class SensiblePlayer:
    """Chooses the option with the best score; among equal ones, any."""

    def __init__(self, rng: random.Random | None = None) -> None:
        self._rng = rng or random.Random()

    def choose(self, view: View, catalog: Catalog) -> str:
        """Give the key of the option that seems best to the player who sees ``view``."""
        decision = view.decision
        assert decision is not None and decision.options
        if len(decision.options) == 1:
            return decision.options[0].key
        if decision.kind == "payment" and decision.proposal:
            return decision.proposal[0]
        score = scores(view, catalog)
        best = max(score.values())
        return self._rng.choice([key for key, points in score.items() if points > best - CLOSE])


def scores(view: View, catalog: Catalog) -> dict[str, float]:
    """Give the points of every option of the decision: what :class:`SensiblePlayer` goes by."""
    assert view.decision is not None
    judge = JUDGES.get(view.decision.kind, _nothing_known)(Board(view, catalog))
    return {option.key: judge(option) for option in view.decision.options}


Judge = Callable[[OptionView], float]


# ---------------------------------------------------------------- setup and ready phase


def _opening_hand(board: Board) -> Judge:
    """Keep a hand with something to play in the first turns: units that the base helps to pay for."""
    base = board.me.stacks[0].makes
    early = [card for card in board.hand if card.is_unit and sum(card.cost) <= 4]
    paid = [card for card in early if base and card.cost[RESOURCES.index(base)] > 0]
    keeps = len(early) >= 2 and bool(paid)

    return lambda option: float((option.verb == "keep") == keeps)


def _resource_card(board: Board) -> Judge:
    """An asset or supply card: what it lets me play now, soon and in the long run, less the card given up."""
    stacks = worth.stacks_of(board.me, fresh=False)
    fleet = board.pieces
    wishes = {card.id: (board.wish(card), card.cost) for card in board.hand}
    before = worth.growth(stacks, board.demand)
    in_hand = WEIGHTS.in_hand * min(1.0, WEIGHTS.hand_of / max(1, len(board.me.hand_cards)))

    @cache
    def playable(after: worth.Stacks, without: str) -> float:
        hand = list(board.me.hand_cards)
        if without:
            hand.remove(without)
        return WEIGHTS.plan * worth.plan(after, [wishes[card] for card in hand])

    @cache
    def outlook(after: worth.Stacks) -> float:
        """What one resource card more would let me play, and what the stacks make in the long run."""
        all_wishes = [wishes[card] for card in board.me.hand_cards]
        soon = max(worth.plan(next_turn, all_wishes) for next_turn in worth.next_turns(after))
        return WEIGHTS.soon * soon + worth.growth(after, board.demand) - before

    def judge(option: OptionView) -> float:
        if option.card is None:
            return playable(stacks, "") + outlook(stacks)
        if option.verb == "asset":
            made, size = board.catalog[option.card].produces, 0
        else:
            stack = fleet[option.target or 0]
            made, size = stack.makes, stack.yields
        assert made is not None
        after = worth.grown(stacks, RESOURCES.index(made), size)
        given_up = in_hand * max(0.0, wishes[option.card][0])
        return playable(after, option.card) + outlook(after) - given_up

    return judge


def _reorder(board: Board) -> Judge:
    """Put a card on top only where it makes a better unit than the one that lies there."""

    def judge(option: OptionView) -> float:
        if option.card is None or option.piece is None:
            return 0.0
        unit = board.pieces[option.piece]
        now = worth.printed_worth(board.card(unit))
        return worth.printed_worth(board.catalog[option.card]) - now - 10 * CLOSE

    return judge


# ---------------------------------------------------------------- actions


def _action(board: Board) -> Judge:
    """The action in the execution phase: whatever gains most, or pass."""
    stacks = worth.stacks_of(board.me, fresh=False)
    wishes = {card.id: (board.wish(card), card.cost) for card in board.hand}
    victims = {player.seat: board.beaten_this_turn(player) for player in board.opponents}

    def play(option: OptionView) -> float:
        """Its own worth, and what can still be played after it, against what could be played without."""
        assert option.card is not None
        gain, cost = wishes[option.card]
        left = worth.afford(stacks, cost)
        if gain <= 0 or left is None:
            return gain
        others = list(board.me.hand_cards)
        others.remove(option.card)
        rest = [wishes[card] for card in others]
        return gain + WEIGHTS.later * worth.plan(left, rest)

    def challenge(option: OptionView) -> float:
        unit = board.pieces[option.piece or 0]
        victim = board.view.players[option.player or 0]
        if unit.power <= 0:
            return NEVER
        push = WEIGHTS.push if victims[victim.seat] else 0.0
        return board.challenge(unit, victim) + push - board.exposure(unit)

    by_verb: dict[str, Judge] = {
        "play": play,
        "challenge": challenge,
        "resolve": lambda option: _resolve(board, board.pieces[option.piece or 0]),
        "boost": lambda option: -WEIGHTS.beneath,  # worth it in a challenge only
        "use": lambda option: _use(board, option),
    }
    return lambda option: by_verb[option.verb](option) if option.verb in by_verb else 0.0


def _resolve(board: Board, mission: PieceView) -> float:
    card = board.card(mission)
    relief = 0.0 if "link" in card.keywords else board.level_change(-mission.threat) - WEIGHTS.threat * mission.threat
    return max(0.0, worth.text_worth(card)) + WEIGHTS.mission + relief


def _use(board: Board, option: OptionView) -> float:
    """Give what playing an ability is worth. The place to value abilities; until then none is used for its own sake."""
    return -0.1


# ---------------------------------------------------------------- challenges


def _defend(board: Board) -> Judge:
    """Defend when it wins, or when the loss would hurt more than losing the defender."""
    challenge = board.view.challenge
    assert challenge is not None
    challenger = board.pieces[challenge.challenger]
    attacker = board.view.players[challenge.challenging]
    sniper = "sniper" in challenger.keywords
    undefended = worth.change(board.me.influence, -max(0, challenger.power))
    if "manipulate" in challenger.keywords:
        undefended = min(undefended, -board.share * worth.change(attacker.influence, max(0, challenger.power)))

    def with_unit(unit: PieceView) -> float:
        wins = 1 - board.odds.wins(challenger.power - unit.power)
        fight = wins * board.share * board.worth(challenger) - (1 - wins) * board.worth(unit)
        return fight - WEIGHTS.guard * board.exposure(unit)

    def judge(option: OptionView) -> float:
        if option.verb == "decline":
            return undefended
        if option.piece is not None:
            return with_unit(board.pieces[option.piece])
        able = [unit for unit in fighters(board.me) if can_defend(unit, challenger, challenge.as_type)]
        return min(map(with_unit, able), default=NEVER) if sniper else 0.0

    return judge


def _sniper(board: Board) -> Judge:
    """Pick the defender that I gain most against."""
    challenge = board.view.challenge
    assert challenge is not None
    challenger = board.pieces[challenge.challenger]
    return lambda option: board.clash(challenger, board.pieces[option.piece]) if option.piece else NEVER


def _strafe(board: Board) -> Judge:
    """Challenge as the type that is harder to answer."""
    challenge = board.view.challenge
    assert challenge is not None and challenge.challenged is not None
    challenger = board.pieces[challenge.challenger]
    victim = board.view.players[challenge.challenged]
    return lambda option: board.challenge(challenger, victim, as_type=option.word or "")


def _effects(board: Board) -> Judge:
    """Boosts, events and abilities in a challenge: by how much they move its outcome, less what they cost."""
    stake = _stake(board)

    def judge(option: OptionView) -> float:
        if option.verb == "boost" and option.piece is not None:
            return stake(option.piece, 1) - WEIGHTS.beneath
        if option.verb == "play" and option.card is not None:
            return worth.text_worth(board.catalog[option.card])
        return _use(board, option) if option.verb == "use" else 0.0

    return judge


def _stake(board: Board) -> Callable[[int, int], float]:
    """Give what more power for a unit is worth to me in the challenge that is going on (0: it takes no part)."""
    challenge = board.view.challenge
    assert challenge is not None
    challenger = board.pieces[challenge.challenger]
    mine_attacks = challenge.challenging == board.me.seat
    defender = board.pieces.get(challenge.defender or challenge.threat or 0)

    def stake(piece: int, more: int) -> float:
        if piece == challenger.id and mine_attacks:
            if defender is None:
                victim = board.view.players[challenge.challenged or 0]
                return board.blow(victim, challenger.power + more) - board.blow(victim, challenger.power)
            prize = worth.change(board.me.influence, 2) if challenge.threat else board.worth(defender)
            lead = challenger.power - defender.power
            return (board.odds.wins(lead + more) - board.odds.wins(lead)) * (prize + board.worth(challenger))
        if defender is not None and piece == defender.id and not challenge.threat:
            lead = challenger.power - defender.power
            swing = board.odds.wins(lead) - board.odds.wins(lead - more)
            return swing * (board.worth(defender) + board.share * board.worth(challenger))
        return 0.0

    return stake


def _manipulate(board: Board) -> Judge:
    """Gain the influence, or let the challenged player lose it."""
    challenge = board.view.challenge
    assert challenge is not None and challenge.challenged is not None
    power = max(0, board.pieces[challenge.challenger].power)
    gain = worth.change(board.me.influence, power)
    blow = board.blow(board.view.players[challenge.challenged], power)
    return lambda option: gain if option.verb == "yes" else blow


# ---------------------------------------------------------------- Cylons


def _cylon(board: Board) -> Judge:
    """Challenge the threat that can be beaten, with the unit that does it at the least risk; or pay 1 to pass."""
    gain = worth.change(board.me.influence, board.reward)

    def judge(option: OptionView) -> float:
        if option.piece is None or option.target is None:
            return worth.change(board.me.influence, -1)
        unit, threat = board.pieces[option.piece], board.pieces[option.target]
        wins = board.odds.wins(unit.power - threat.power)
        return wins * gain - (1 - wins) * board.worth(unit) - CLOSE * board.worth(unit)

    return judge


def _jump(board: Board) -> Judge:
    """Give up the asset or supply card that is missed least."""
    stacks = worth.stacks_of(board.me, fresh=True)

    def judge(option: OptionView) -> float:
        stack = board.pieces[option.piece or option.target or 0]
        if stack.makes is None:
            return 0.0
        resource = RESOURCES.index(stack.makes)
        left = list(stacks[resource])
        left.remove(stack.yields)
        if option.piece is None:
            left.append(stack.yields - 1)
        after = list(stacks)
        after[resource] = tuple(sorted(left))
        return worth.growth((after[0], after[1], after[2]), board.demand) - worth.growth(stacks, board.demand)

    return judge


# ---------------------------------------------------------------- other choices


def _expedite(board: Board) -> Judge:
    """Add a card that something left over would pay for, if its text does something."""
    return lambda option: worth.text_worth(board.catalog[option.card]) if option.card else 0.0


def _choose(board: Board) -> Judge:
    """A choice of no known purpose: my own best unit for what may be good, and what costs least in hand.

    The place to look at what a text does with its target, once texts are played.
    """

    def judge(option: OptionView) -> float:
        if option.piece is not None and option.piece in board.pieces:
            piece = board.pieces[option.piece]
            return board.worth(piece) if piece.controller == board.me.seat else 0.0
        if option.card is not None:
            card: CardDef = board.catalog[option.card]
            return -worth.printed_worth(card)
        return 0.1 if option.verb == "yes" else 0.0

    return judge


def _nothing_known(board: Board) -> Judge:
    return lambda option: 0.0


JUDGES: dict[str, Callable[[Board], Judge]] = {
    "opening_hand": _opening_hand,
    "resource_card": _resource_card,
    "reorder": _reorder,
    "action": _action,
    "defend": _defend,
    "sniper": _sniper,
    "strafe": _strafe,
    "effects": _effects,
    "manipulate": _manipulate,
    "cylon": _cylon,
    "jump": _jump,
    "expedite": _expedite,
    "choose": _choose,
}
"""How the options of each kind of decision are judged."""
