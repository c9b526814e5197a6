"""How often the seat to decide changes in a match: what decides how many days a match by correspondence lasts.

Computers play starter decks against each other. Each match is counted as it would be at tables of several kinds
(:data:`MODES`), which differ only in who is asked: the same is chosen at all of them. Where an order would have
answered otherwise than its player then chose, they count as asked.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct, field

from ccg.rules import Catalog, EventView, Game, Seat, View
from matches.orders.matching import Answer, Ended, NotPossible, Order, Terms, challenge_of, check, has_begun, judge
from matches.players import DEFAULT, PLAYERS
from matches.players.duel import MOST_CHOICES, Deck

Mode = Literal["none", "page", "forced", "orders"]

MODES: dict[Mode, str] = {
    "none": "every question goes to its player",
    "page": "an open page passes where nothing else is possible",
    "forced": "the site answers what is forced",
    "orders": "and players give sensible orders",
}

PASSES = ("pass", "decline")


class Tally(Struct):
    """What was counted for one kind of table: hand-overs in each match, and by the kind of decision that was asked."""

    matches: list[int] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    answered: int = 0
    """Questions that went to nobody."""
    regretted: int = 0
    """Questions that an order would have answered otherwise than the player did."""

    @property
    def mean(self) -> float:
        """Hand-overs in a match."""
        return self.each(sum(self.matches))

    @property
    def p90(self) -> int:
        """So many or fewer there are in nine of ten matches."""
        return sorted(self.matches)[-(-len(self.matches) * 9 // 10) - 1] if self.matches else 0

    def each(self, number: int) -> float:
        """Return ``number`` for each match."""
        return number / max(1, len(self.matches))


class Watch:
    """One kind of table, along a match: who was asked last, and which orders there are."""

    def __init__(self, mode: Mode, tally: Tally) -> None:
        self._mode, self._tally = mode, tally
        self._last: int | None = None
        self._orders: list[Order] = []
        tally.matches.append(0)

    def decided(self, game: Game, view: View, events: Sequence[tuple[int, EventView]], version: int, key: str) -> None:
        """Count the decision of ``game`` at ``version``; its player, who sees ``view``, chooses ``key``."""
        decision = game.decision
        assert decision is not None
        answer = self._answer(game, events)
        if answer == key:
            self._tally.answered += 1
            return
        self._tally.regretted += answer is not None
        if self._last is not None and decision.seat != self._last:
            self._tally.matches[-1] += 1
            self._tally.kinds[decision.kind] += 1
        self._last = decision.seat
        if self._mode == "orders":
            self._give(view, decision.seat, version, key)

    def _answer(self, game: Game, events: Sequence[tuple[int, EventView]]) -> str | None:
        """Return what is answered without asking the player, if anything is."""
        assert game.decision is not None
        keys = [game.key(option) for option in game.decision.options]
        if self._mode == "page":
            return keys[0] if len(keys) == 1 and keys[0] in PASSES else None
        if self._mode != "none" and game.forced:
            return keys[0]
        return self._ordered(game, keys, events) if self._mode == "orders" else None

    def _ordered(self, game: Game, keys: Sequence[str], events: Sequence[tuple[int, EventView]]) -> str | None:
        table, seat = game.view(None), game.decision.seat if game.decision is not None else -1
        verdicts = [(order, judge(order, table, events)) for order in self._orders if order.seat == seat]
        ended = [order for order, verdict in verdicts if isinstance(verdict, Ended)]
        self._orders = [order for order in self._orders if order not in ended]
        verbs = [verdict.verb for _, verdict in verdicts if isinstance(verdict, Answer)]
        return next((verb for verb in verbs if verb in keys), None)

    def _give(self, view: View, seat: int, version: int, key: str) -> None:
        """Give the orders that whoever chooses ``key`` would, by what they see and no more."""
        for terms in sensible(view, key):
            try:
                turn, phase = check(terms, view, seat)
            except NotPossible:
                continue
            given = [one for one in self._orders if (one.seat, one.terms, one.turn) == (seat, terms, turn)]
            if not given:
                begun = has_begun(view, turn, phase, [])
                self._orders.append(Order(terms, seat, version, turn, phase, challenge_of(view, seat), begun))


def sensible(view: View, key: str) -> list[Terms]:
    """Return the orders that a sensible person gives as they choose ``key``, right after that.

    Who has nothing left that they could do, passes for the rest of the phase; who has passed all the same wants to be
    asked when something happens. Effects where nobody defends are left alone, and in a challenge in which they were
    left alone once. Whoever leaves the Cylon threats alone does so until something happens.
    """
    decision = view.decision
    assert decision is not None
    useful = [one for one in decision.options if one.verb not in PASSES and not one.helps_opponent and one.key != key]
    chosen = next(one for one in decision.options if one.key == key)
    through = all((one.card, one.piece) == (chosen.card, chosen.piece) for one in useful)
    match decision.kind:
        case "action" if through:
            return [Terms("action", until="end"), Terms("effects", "undefended" if useful else "always")]
        case "action" if key == "pass":
            return [Terms("action"), Terms("effects", "undefended")]
        case "action" | "defend":
            return [Terms("effects", "undefended")]
        case "effects" if key == "pass":
            return [Terms("effects", "undefended"), Terms("effects", scope="challenge")]
        case "cylon" if key == "pass":
            return [Terms("cylon")]
    return []


def count(matches: int, seed: int, decks: Sequence[Deck], catalog: Catalog, players: int = 2) -> dict[Mode, Tally]:
    """Play so many matches, and count what would be asked at each kind of table; the same seed plays the same."""
    chance = random.Random(seed)
    tallies = {mode: Tally() for mode in MODES}
    for number in range(matches):
        dealt = [chance.choice(decks) for _ in range(players)]
        seats = [Seat(f"{deck.name} {seat}", deck.base, deck.cards) for seat, deck in enumerate(dealt)]
        game = Game.start(seats, catalog, f"handovers {seed} {number}".encode())
        choosing = [PLAYERS[DEFAULT](random.Random(chance.random())) for _ in seats]
        watches = [Watch(mode, tally) for mode, tally in tallies.items()]
        events: list[tuple[int, EventView]] = []
        version = 0
        while (decision := game.decision) is not None and version < MOST_CHOICES:
            view = game.view(decision.seat)
            key = choosing[decision.seat].choose(view, catalog)
            for watch in watches:
                watch.decided(game, view, events, version, key)
            version += 1
            events += [(version, game.seen(event, None)) for event in game.choose(key)]
    return tallies


def report(tallies: dict[Mode, Tally]) -> str:
    """Say what was counted, one line for each kind of table and one for each kind of decision."""
    lines = [f"{'hand-overs in a match':52} {'mean':>6} {'p90':>5} {'answered':>9} {'otherwise':>10}"]
    for mode, tally in tallies.items():
        answered, regretted = tally.each(tally.answered), tally.each(tally.regretted)
        lines.append(f"{MODES[mode]:52} {tally.mean:6.1f} {tally.p90:5d} {answered:9.1f} {regretted:10.2f}")
    asked: Counter[str] = sum((tally.kinds for tally in tallies.values()), Counter())
    lines.append(f"\n{'by the kind of decision':24} " + " ".join(f"{mode:>8}" for mode in tallies))
    for kind, _ in asked.most_common():
        lines.append(f"{kind:24} " + " ".join(f"{tally.each(tally.kinds[kind]):8.1f}" for tally in tallies.values()))
    return "\n".join(lines)
