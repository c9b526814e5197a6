"""A view as the sensible player reads it: whose units can challenge and defend, and what that costs whom."""

from __future__ import annotations

from functools import cached_property

from ccg.rules.cards.definitions import CardDef, Catalog
from ccg.rules.telling.view import PieceView, PlayerView, View
from matches.players import evaluation
from matches.players.odds import odds_of
from matches.players.weights import WEIGHTS


class Board:
    """One seat's view of a game, with what follows from it, worked out when asked for."""

    def __init__(self, view: View, catalog: Catalog) -> None:
        assert view.viewer is not None
        self.view = view
        self.catalog = catalog
        self.odds = odds_of(catalog)
        self.me = view.players[view.viewer]
        self.opponents = [player for player in view.players if not player.lost and player.seat != view.viewer]

    @cached_property
    def pieces(self) -> dict[int, PieceView]:
        """Every piece that can be seen, by its number."""
        by_id = {piece.id: piece for piece in self.view.threats}
        for player in self.view.players:
            for lying in (player.alert, player.reserve, player.stacks, player.persistent):
                by_id.update((piece.id, piece) for piece in lying)
        return by_id

    @cached_property
    def in_reserve(self) -> frozenset[int]:
        """The pieces that lie in reserve areas, by their numbers."""
        return frozenset(piece.id for player in self.view.players for piece in player.reserve)

    @property
    def hand(self) -> list[CardDef]:
        """My cards in hand."""
        return [self.catalog[card] for card in self.me.hand_cards]

    @cached_property
    def share(self) -> float:
        """How much an opponent's loss is my gain: all of it with two players, less with more."""
        return max(0.5, 1 / max(1, len(self.opponents)))

    def card(self, piece: PieceView) -> CardDef:
        """Return the card on top of ``piece``."""
        return self.catalog[piece.card]

    def worth(self, unit: PieceView) -> float:
        """Return what ``unit`` is worth to its controller."""
        return evaluation.unit_worth(unit, self.card(unit))

    # -- challenges

    @cached_property
    def mine_alert(self) -> list[PieceView]:
        """My units that can challenge and defend now."""
        return fighters(self.me)

    def blow(self, victim: PlayerView, power: int) -> float:
        """Return what it is worth to me that an opponent loses ``power`` influence."""
        return -evaluation.change(victim.influence, -max(0, power)) * self.share

    def clash(self, challenger: PieceView, defender: PieceView, boost: int = 0) -> float:
        """Return what a defended challenge by ``challenger`` is worth to its controller, on average."""
        wins = self.odds.wins(challenger.power + boost - defender.power)
        return wins * self.worth(defender) - (1 - wins) * self.worth(challenger)

    def challenge(self, challenger: PieceView, victim: PlayerView, as_type: str = "") -> float:
        """Return what challenging ``victim`` is worth to me, as they will answer mostly as it hurts me most."""
        undefended = self.blow(victim, challenger.power)
        if "manipulate" in challenger.keywords:
            undefended = max(undefended, evaluation.change(self.me.influence, max(0, challenger.power)))
        role = as_type or challenger.role
        guards = [unit for unit in fighters(victim) if can_defend(unit, challenger, role)]
        clashes = [self.clash(challenger, guard) for guard in guards]
        if "sniper" in challenger.keywords and clashes:
            clashes = [max(clashes)]
        answers = [undefended, *clashes]
        surely = WEIGHTS.worst_answer
        return surely * min(answers) + (1 - surely) * sum(answers) / len(answers)

    def danger(self, guards: list[PieceView]) -> float:
        """Return the influence that opponents' alert units could still take from me with ``guards`` alert."""
        free = list(guards)
        loss = 0.0
        for enemy in self._enemies:
            able = [unit for unit in free if can_defend(unit, enemy, enemy.role)]
            best = max(able, key=lambda unit: -self.clash(enemy, unit), default=None)
            if best is not None and self.clash(enemy, best) < enemy.power:
                free.remove(best)
                loss += max(0.0, self.clash(enemy, best))
            else:
                loss += max(0, enemy.power)
        return loss / max(1, len(self.opponents))

    @cached_property
    def _enemies(self) -> list[PieceView]:
        units = [unit for player in self.opponents for unit in fighters(player)]
        return sorted(units, key=lambda unit: -unit.power)

    @cached_property
    def _danger_now(self) -> float:
        return self.danger(self.mine_alert)

    def exposure(self, unit: PieceView) -> float:
        """Return what it costs me that ``unit`` is no longer alert: others challenge, Cylons come."""
        rest = [other for other in self.mine_alert if other.id != unit.id]
        more = self.danger(rest) - self._danger_now
        here = self.me.influence
        price = WEIGHTS.guard * more
        if here - self.danger(rest) <= 0 < here - self._danger_now:
            price += WEIGHTS.guard * WEIGHTS.all / 4
        if self.attack_is_coming:
            ranks = WEIGHTS.fighter
            price += ranks[min(len(rest), len(ranks) - 1)]
        return price

    def beaten_this_turn(self, victim: PlayerView) -> bool:
        """Return whether my alert units could beat ``victim`` now, even if each defender stops the strongest it can."""
        guards = fighters(victim)
        left = 0
        for unit in sorted(self.mine_alert, key=lambda unit: -unit.power):
            stopper = next((guard for guard in guards if can_defend(guard, unit, unit.role)), None)
            if stopper is not None:
                guards.remove(stopper)
            else:
                left += max(0, unit.power)
        return left >= victim.influence

    # -- Cylons

    @property
    def attack_is_coming(self) -> bool:
        """Whether the Cylons will attack as things stand."""
        return self.view.threat_level > self.view.fleet_defense

    @cached_property
    def attack_worth(self) -> float:
        """Return what a Cylon attack would be worth to me, by who has units alert to stand it."""
        mine = self._readiness(self.me)
        theirs = max((self._readiness(player) for player in self.opponents), default=0.0)
        return mine - self.share * theirs

    def _readiness(self, player: PlayerView) -> float:
        """Return what an attack would be worth to ``player``: passing costs 1, a threat beaten gains."""
        chances = sorted((self.against_cylons(unit) for unit in fighters(player)), reverse=True)
        return max(-1.0, sum(max(0.0, gain) for gain in chances[:2])) if chances else -1.0

    def against_cylons(self, unit: PieceView) -> float:
        """Return what ``unit`` can be expected to make of a Cylon threat that nobody has seen yet."""
        wins = self.odds.against_threat(unit.power)
        return wins * self.reward - (1 - wins) * self.worth(unit)

    @property
    def reward(self) -> int:
        """Influence for beating a Cylon threat."""
        return 2 if len(self.opponents) == 1 else 1

    def level_change(self, by: int) -> float:
        """Return what it is worth that the threat level changes ``by`` so much: what tips it over counts."""
        before = self.attack_is_coming
        after = self.view.threat_level + by > self.view.fleet_defense
        if before == after:
            return 0.0
        return WEIGHTS.attack * (self.attack_worth if after else -self.attack_worth)

    # -- resources

    @cached_property
    def demand(self) -> list[float]:
        """How much of what my cards cost is persuasion, logistics, security, from all my cards that I can see."""
        wanted = [1.0, 1.0, 1.0]
        mine = [*self.me.hand_cards, *self.me.discard]
        mine += [
            card
            for lying in (self.me.alert, self.me.reserve)
            for piece in lying
            for card in (piece.card, *piece.beneath)
        ]
        for card in mine:
            definition = self.catalog[card]
            if definition.is_unit or not definition.ability_pending:
                wanted = [total + cost for total, cost in zip(wanted, definition.cost, strict=True)]
        return [3 * share / sum(wanted) for share in wanted]


UNITS = ("personnel", "ship")


def fighters(player: PlayerView) -> list[PieceView]:
    """Return the units of ``player`` that can challenge and defend now."""
    return [
        piece
        for piece in player.alert
        if piece.role in UNITS and not piece.exhausted and "vision" not in piece.keywords
    ]


def can_defend(unit: PieceView, challenger: PieceView, role: str) -> bool:
    """Return whether ``unit``, which is alert, can defend against ``challenger`` as a ``role``."""
    return unit.role == role or "scramble" in unit.keywords or "vulnerable" in challenger.keywords
