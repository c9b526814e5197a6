"""The computer player that plays sensibly: it weighs each option by a few considerations and takes the best.

It looks one choice ahead with rules of thumb, no search: what a unit, a resource or an influence is worth
(:mod:`evaluation`), what opponents could answer (:mod:`board`), how likely a challenge is won (:mod:`odds`).
The weights of it all stand in one table, :mod:`weights`. Everything is in points of influence; passing is 0.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

from ccg.rules.cards.definitions import RESOURCES, CardDef, Catalog
from ccg.rules.telling.view import OptionView, PieceView, View
from matches.players import ability_evaluation, evaluation
from matches.players.ability_evaluation import ability_worth
from matches.players.board import Board, can_defend, fighters
from matches.players.hand_evaluation import worth_if_kept, worth_if_played
from matches.players.weights import WEIGHTS

NEVER = -1000.0
CLOSE = 1e-6


class HeuristicPlayer:
    """Chooses the option with the best score; among equal ones, any."""

    def __init__(self, rng: random.Random | None = None) -> None:
        self._rng = rng or random.Random()

    def choose(self, view: View, catalog: Catalog) -> str:
        """Return the key of the option that seems best to the player who sees ``view``."""
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
    """Return the points of every option of the decision: what :class:`HeuristicPlayer` goes by."""
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
    stacks = evaluation.stacks_of(board.me, fresh=False)
    fleet = board.pieces
    candidates = {card.id: (worth_if_played(board, card), card.cost) for card in board.hand}
    before = evaluation.growth(stacks, board.demand)
    in_hand = WEIGHTS.in_hand * min(1.0, WEIGHTS.hand_of / max(1, len(board.me.hand_cards)))

    @cache
    def playable(after: evaluation.Stacks, without: str) -> float:
        hand = list(board.me.hand_cards)
        if without:
            hand.remove(without)
        return WEIGHTS.plan * evaluation.plan(after, [candidates[card] for card in hand])

    @cache
    def outlook(after: evaluation.Stacks) -> float:
        """Return what one resource card more would let me play, and what the stacks make in the long run."""
        all_candidates = [candidates[card] for card in board.me.hand_cards]
        soon = max(evaluation.plan(next_turn, all_candidates) for next_turn in evaluation.next_turns(after))
        return WEIGHTS.soon * soon + evaluation.growth(after, board.demand) - before

    def judge(option: OptionView) -> float:
        if option.card is None:
            return playable(stacks, "") + outlook(stacks)
        if option.verb == "asset":
            made, size = board.catalog[option.card].produces, 0
        else:
            stack = fleet[option.target or 0]
            made, size = stack.makes, stack.yields
        assert made is not None
        after = evaluation.grown(stacks, RESOURCES.index(made), size)
        given_up = in_hand * worth_if_kept(board, board.catalog[option.card])
        return playable(after, option.card) + outlook(after) - given_up

    return judge


def _reorder(board: Board) -> Judge:
    """Put a card on top only where it makes a better unit than the one that lies there."""

    def judge(option: OptionView) -> float:
        if option.card is None or option.piece is None:
            return 0.0
        unit = board.pieces[option.piece]
        now = evaluation.printed_worth(board.card(unit))
        return evaluation.printed_worth(board.catalog[option.card]) - now - 10 * CLOSE

    return judge


# ---------------------------------------------------------------- actions


def _action(board: Board) -> Judge:
    """The action in the execution phase: whatever gains most, or pass."""
    stacks = evaluation.stacks_of(board.me, fresh=False)
    candidates = {card.id: (worth_if_played(board, card), card.cost) for card in board.hand}
    victims = {player.seat: board.beaten_this_turn(player) for player in board.opponents}

    def play(option: OptionView) -> float:
        """Its own worth, and what can still be played after it, against what could be played without."""
        assert option.card is not None
        gain, cost = candidates[option.card]
        left = evaluation.afford(stacks, cost)
        if board.catalog[option.card].type == "event":
            gain -= WEIGHTS.effort
        if gain <= 0 or left is None:
            return gain
        others = list(board.me.hand_cards)
        others.remove(option.card)
        rest = [candidates[card] for card in others]
        return gain + WEIGHTS.later * evaluation.plan(left, rest)

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
        "use": lambda option: _use(board, option, None),
    }
    return lambda option: by_verb[option.verb](option) if option.verb in by_verb else 0.0


def _resolve(board: Board, mission: PieceView) -> float:
    card = board.card(mission)
    relief = 0.0 if "link" in card.keywords else board.level_change(-mission.threat) - WEIGHTS.threat * mission.threat
    return ability_worth(board, card) + WEIGHTS.mission + relief


def _use(board: Board, option: OptionView, stake: Stake | None) -> float:
    """An ability of a unit, a base or a linked mission: what its steps do, less its cost."""
    piece = board.pieces[option.piece or 0]
    card = board.catalog[option.card] if option.card else board.card(piece)
    known = ability_evaluation.actions(card)
    number = (option.number or 1) - 1
    if number >= len(known):
        return 0.0
    return ability_evaluation.use_worth(board, piece, known[number], stake) - WEIGHTS.effort


# ---------------------------------------------------------------- challenges


def _defend(board: Board) -> Judge:
    """Defend when it wins, or when the loss would hurt more than losing the defender."""
    challenge = board.view.challenge
    assert challenge is not None
    challenger = board.pieces[challenge.challenger]
    attacker = board.view.players[challenge.challenging]
    sniper = "sniper" in challenger.keywords
    undefended = evaluation.change(board.me.influence, -max(0, challenger.power))
    if "manipulate" in challenger.keywords:
        undefended = min(undefended, -board.share * evaluation.change(attacker.influence, max(0, challenger.power)))

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
    """Challenge as the type that is harder to answer, by whichever opponent: there is no challenge yet."""
    decision = board.view.decision
    assert decision is not None
    challenger = board.pieces[decision.piece or 0]
    return lambda option: sum(
        board.challenge(challenger, victim, as_type=option.word or "") for victim in board.opponents
    )


def _effects(board: Board) -> Judge:
    """Boosts, events and abilities in a challenge: by how much they move its outcome, less what they cost."""
    stake = _stake(board)

    def judge(option: OptionView) -> float:
        if option.verb == "boost" and option.piece is not None:
            return stake(option.piece, 1) - WEIGHTS.beneath
        if option.verb == "play" and option.card is not None:
            return ability_worth(board, board.catalog[option.card], stake) - WEIGHTS.effort
        return _use(board, option, stake) if option.verb == "use" else 0.0

    return judge


Stake = Callable[[int, int], float]
"""What so much more power for a piece is worth to me in the challenge that is going on."""


def _stake(board: Board) -> Stake:
    """Compare what the challenge is worth to me now and with more power on one side."""
    challenge = board.view.challenge
    assert challenge is not None
    defender = challenge.defender or challenge.threat or 0
    now = _outcome(board, 0, 0)

    def stake(piece: int, more: int) -> float:
        if piece == challenge.challenger:
            return _outcome(board, more, 0) - now
        return _outcome(board, 0, more) - now if piece == defender else 0.0

    return stake


def _outcome(board: Board, attack: int, defense: int) -> float:
    """Return what the challenge is worth to me, on average, with so much more power for challenger and defender."""
    challenge = board.view.challenge
    assert challenge is not None
    challenger = board.pieces[challenge.challenger]
    defender = board.pieces.get(challenge.defender or challenge.threat or 0)
    mine = challenge.challenging == board.me.seat
    if defender is None:
        power = challenger.power + attack
        victim = board.view.players[challenge.challenged if challenge.challenged is not None else board.me.seat]
        if victim.seat == board.me.seat:
            return evaluation.change(board.me.influence, -max(0, power))
        return board.blow(victim, power) * (1.0 if mine else 0.3)
    wins = board.odds.wins(challenger.power + attack - defender.power - defense)
    prize = (
        evaluation.change(board.me.influence, board.reward) if challenge.threat else board.share * board.worth(defender)
    )
    if mine:
        return wins * prize - (1 - wins) * board.worth(challenger)
    loss = board.share * board.worth(challenger)
    if challenge.threat:  # somebody else's luck with the Cylons
        return (1 - wins) * loss * 0.5 - wins * board.share
    if challenge.challenged == board.me.seat:
        return (1 - wins) * loss - wins * board.worth(defender)
    return 0.0


def _manipulate(board: Board) -> Judge:
    """Gain the influence, or let the challenged player lose it."""
    challenge = board.view.challenge
    assert challenge is not None and challenge.challenged is not None
    power = max(0, board.pieces[challenge.challenger].power)
    gain = evaluation.change(board.me.influence, power)
    blow = board.blow(board.view.players[challenge.challenged], power)
    return lambda option: gain if option.verb == "yes" else blow


# ---------------------------------------------------------------- Cylons


def _cylon(board: Board) -> Judge:
    """Challenge the threat that can be beaten, with the unit that does it at the least risk; or pay 1 to pass."""
    gain = evaluation.change(board.me.influence, board.reward)

    def judge(option: OptionView) -> float:
        if option.piece is None or option.target is None:
            return evaluation.change(board.me.influence, -1)
        unit, threat = board.pieces[option.piece], board.pieces[option.target]
        wins = board.odds.wins(unit.power - threat.power)
        return wins * gain - (1 - wins) * board.worth(unit) - CLOSE * board.worth(unit)

    return judge


def _jump(board: Board) -> Judge:
    """Give up the asset or supply card that is missed least."""
    stacks = evaluation.stacks_of(board.me, fresh=True)

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
        return evaluation.growth((after[0], after[1], after[2]), board.demand) - evaluation.growth(stacks, board.demand)

    return judge


# ---------------------------------------------------------------- other choices


def _expedite(board: Board) -> Judge:
    """Add a card that something left over would pay for, if its text does something here."""
    stake = _stake(board) if board.view.challenge is not None else None
    return lambda option: (
        ability_worth(board, board.catalog[option.card], stake) - WEIGHTS.effort if option.card else 0.0
    )


def _asking(board: Board) -> CardDef | None:
    """Return the card that asks."""
    decision = board.view.decision
    assert decision is not None
    return board.catalog[decision.card] if decision.card is not None else None


def _choose(board: Board) -> Judge:
    """A choice that a text asks for: mine for what helps, an opponent's for what harms, my least as a price."""
    card = _asking(board)
    decision = board.view.decision
    assert decision is not None
    sides = {board.pieces[o.piece].controller == board.me.seat for o in decision.options if o.piece in board.pieces}
    aim = ability_evaluation.aim_of(card) if card is not None else ""
    price = sides == {True} and (card is None or ability_evaluation.spends_units(card)) and aim != "help"

    def judge(option: OptionView) -> float:
        if option.piece in board.pieces:
            piece = board.pieces[option.piece or 0]
            mine = piece.controller == board.me.seat
            if price:
                return -board.worth(piece)
            return board.worth(piece) if mine == (aim == "help") else -board.worth(piece)
        if option.player is not None:
            friendly = card is not None and aim == "help"
            mine = option.player == board.me.seat
            return float(mine == friendly) * 10 + board.view.players[option.player].influence / 10
        if option.card is not None:
            return evaluation.printed_worth(board.catalog[option.card])
        return float(option.number or 0) / 100

    return judge


def _may(board: Board) -> Judge:
    """An offer is taken, unless it is paid for with a unit."""
    card = _asking(board)
    wanted = card is None or not ability_evaluation.offers_at_a_price(card)
    return lambda option: float((option.verb == "yes") == wanted)


def _give_up(board: Board) -> Judge:
    """Return the card that is missed least."""
    return lambda option: -worth_if_kept(board, board.catalog[option.card]) if option.card is not None else -10.0


def _highest_mystic(board: Board) -> Judge:
    """Return the mystic value that is highest."""

    def judge(option: OptionView) -> float:
        if option.card is not None:
            return float(board.catalog[option.card].mystic or 0)
        return float(option.number or 0)

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
    "search": _choose,
    "take": _choose,
    "look": _choose,
    "may": _may,
    "discard": _give_up,
    "which_supply": _give_up,
    "mystic_value": _highest_mystic,
    "react": _expedite,
}
"""How the options of each kind of decision are judged."""
