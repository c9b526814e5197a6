"""Verbs about hands, decks, discard piles and supply cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ccg.rules import characteristics, selecting
from ccg.rules.agenda import Choice, Engine, Frame, Verb
from ccg.rules.cards import CardDef
from ccg.rules.hidden_cards import AddSupply, Look, RevealHand, Take, move_card
from ccg.rules.instructions import SacrificeSupply, Search, shuffle_discard_pile, take_out, top_card
from ccg.rules.language import phrases
from ccg.rules.language.schema import Step
from ccg.rules.language.verbs import Compiling, Which, Whose, has_deck, holds_cards
from ccg.rules.mystic_values import Contest, RevealValue
from ccg.rules.performing import Perform, part_of
from ccg.rules.playing import not_singular
from ccg.rules.ready_phase import take_from_hand
from ccg.rules.state import ROLES, Area, Card, Piece, Scope, Seat


def card_test(phrase: str) -> Callable[[CardDef], bool]:
    """Give the question whether a card that is not in play is of the kind that ``phrase`` speaks of."""
    selector = phrases.selector(phrase)
    return lambda card: selecting.is_card(card, selector)


class SearchDeck(Verb):
    """``search: card``: the player looks for a card of that kind in their deck and takes it into hand."""

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        assert step.search is not None
        self.any_card = step.search == "card"
        self.fits = card_test(step.search)

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        deck = {card >> 3 for card in engine.player(scope.you).deck}
        wanted = sorted(number for number in deck if self.fits(engine.catalog.cards[number]))
        return [Search(scope.you, wanted, not self.any_card)]


class LookAt(Verb):
    """``look: 2, who: ..., then: ...``: the top cards of a deck are looked at, or ``shown`` to all, and arranged."""

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        assert step.look is not None
        self.number = step.look
        self.then = step.then or "nothing"
        self.shown = step.shown
        self.whose = Whose(step.who, compiling, late, has_deck)
        self.by = Whose(step.by, compiling, late)

    def announced(self, engine: Engine, scope: Scope) -> Iterator[Choice]:
        yield from self.whose.announced()
        yield from self.by.announced()

    def resolved(self, engine: Engine, scope: Scope) -> Choice | None:
        for choice in (self.whose.resolved(), self.by.resolved()):
            if choice is not None and scope.chosen[choice.number] is None:
                return choice
        return None

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        by = next(iter(self.by.found(engine, scope)), scope.you)
        return [
            Look(scope.you, seat, self.number, self.then, by, self.shown) for seat in self.whose.found(engine, scope)
        ]

    def possible(self, engine: Engine, scope: Scope) -> bool:
        return self.whose.exist(engine, scope)


class ShowHand(Verb):
    """``reveal hand: target player``: they show their hand to all."""

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        self.whose = Whose(step.reveal_hand, compiling, late, holds_cards)

    def announced(self, engine: Engine, scope: Scope) -> Iterator[Choice]:
        return self.whose.announced()

    def resolved(self, engine: Engine, scope: Scope) -> Choice | None:
        return self.whose.resolved()

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        seats = self.whose.found(engine, scope)
        if len(seats) == 1:
            scope.whom = seats[0]
        return [RevealHand(seats)]

    def possible(self, engine: Engine, scope: Scope) -> bool:
        return self.whose.exist(engine, scope)


class TakeCard(Verb):
    """``take: Cylon card, from: discard pile, into: hand``: a card of that kind moves from one zone to another.

    A target in a discard pile is chosen as the ability is played, anything else as it resolves.
    """

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        assert step.take is not None
        self.selector = phrases.selector(step.take)
        self.source = step.from_ or "discard pile"
        self.into = step.into or "hand"
        self.whose = Whose(step.who, compiling, late, self._can)
        self.early = self.selector.target and not late
        self.number = compiling.choice() if self.early else -1

    def candidates(self, engine: Engine, scope: Scope) -> list[int]:
        """Give the cards that may be the target, one of each kind."""
        found: dict[int, Card] = {}
        for card in engine.player(scope.you).discard:
            if selecting.is_card(engine.card(card), self.selector):
                found.setdefault(card >> 3, card)
        return sorted(found.values())

    def announced(self, engine: Engine, scope: Scope) -> Iterator[Choice]:
        if self.early:
            yield Choice(self.number, "cards", self.candidates, what=self.selector)

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        if self.early:
            for card in scope.chosen[self.number] or []:
                if card in engine.player(scope.you).discard:
                    move_card(engine, card, self.source, self.into, scope.you)
            return []
        return [
            Take(scope.you, seat, self._wanted(engine, seat), self.source, self.into)
            for seat in self.whose.found(engine, scope)
        ]

    def _wanted(self, engine: Engine, seat: Seat) -> list[int]:
        player = engine.player(seat)
        zone = player.hand if self.source == "hand" else player.discard
        return sorted({card >> 3 for card in zone if selecting.is_card(engine.card(card), self.selector)})

    def possible(self, engine: Engine, scope: Scope) -> bool:
        return bool(self.candidates(engine, scope)) if self.early else self.whose.exist(engine, scope)

    def _can(self, engine: Engine, scope: Scope, seat: Seat) -> bool:
        """Whether there may be such a card: what lies in the hand of another is not known."""
        hidden = self.source == "hand" and seat != scope.you
        return holds_cards(engine, scope, seat) if hidden else bool(self._wanted(engine, seat))


class Supply(Verb):
    """``supply: card in hand, under: ...``: a card goes face down under a base or an asset."""

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        self.this = step.supply == "this card"
        self.which = Which(step.under or "a resource stack you control", compiling, late)

    def announced(self, engine: Engine, scope: Scope) -> Iterator[Choice]:
        return self.which.announced()

    def resolved(self, engine: Engine, scope: Scope) -> Choice | None:
        return self.which.resolved()

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        card = scope.card if self.this else None
        return [AddSupply(scope.you, stack, card) for stack in self.which.found(engine, scope)]

    def possible(self, engine: Engine, scope: Scope) -> bool:
        return self.which.exists(engine, scope) and (self.this or holds_cards(engine, scope, scope.you))


class SacrificeSupplyCard(Verb):
    """``sacrifice: a supply card``: one of the player's supply cards goes to its owner's discard pile.

    The stack is chosen here, and which of the cards under it as it is sacrificed, as in a jump (ruling 31).
    """

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        self.number = compiling.choice()

    def resolved(self, engine: Engine, scope: Scope) -> Choice | None:
        return Choice(self.number, "supplies", self._stacks)

    def _stacks(self, engine: Engine, scope: Scope) -> list[int]:
        return [piece.id for piece in engine.player(scope.you).resource if piece.supplies]

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        return [SacrificeSupply(scope.you, stack) for stack in scope.chosen[self.number] or []]

    def possible(self, engine: Engine, scope: Scope) -> bool:
        return bool(self._stacks(engine, scope))


class ShuffleIn(Verb):
    """``shuffle: discard pile``: the player's discard pile is shuffled into their deck."""

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        """Nothing to keep."""

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        shuffle_discard_pile(engine, scope.you)
        return []


class ReadValue(Verb):
    """``x: ...``: a number is named or read, and is X from then on."""

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        self.kind = step.x
        self.which = Which(step.of, compiling, late) if step.of is not None else None
        self.number = compiling.choice() if self.kind == "named" else -1

    def announced(self, engine: Engine, scope: Scope) -> Iterator[Choice]:
        if self.which is not None:
            yield from self.which.announced()
        if self.number >= 0:
            yield Choice(self.number, "number", self._numbers)

    def _numbers(self, engine: Engine, scope: Scope) -> list[int]:
        """X cards can be discarded from the rest of the hand (ruling 40)."""
        return list(range(selecting.in_hand(engine, scope, scope.you) + 1))

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        if self.kind == "named":
            scope.x = (scope.chosen[self.number] or [0])[0]
        elif self.kind == "revealed mystic value":
            return [RevealValue(scope.you)]
        elif self.kind == "revealed card":
            card = top_card(engine, scope.you)
            scope.x = 0 if card is None else engine.card(card).mystic or 0
            if card is not None:
                engine.tell("reveal", scope.you, card, number=scope.x, source="deck")
        elif self.which is not None:
            scope.x = sum(self._read(engine, engine.piece(piece)) for piece in self.which.found(engine, scope))
        return []

    def _read(self, engine: Engine, piece: Piece) -> int:
        if self.kind == "supply cards":
            return len(piece.supplies)
        return characteristics.mystic(engine, piece)


class MysticContest(Verb):
    """``contest: mystic value, do: [...]``: each player reveals one; the steps are for whoever has the highest."""

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        self.block = compiling.block(step.do, late=True)

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        return [Contest(Perform(scope=part_of(scope), block=self.block), engine.seats())]


class Exchange(Verb):
    """``exchange: target personnel you control``: it and a personnel card of its power in hand change places.

    The card from hand takes the other's area and state (ruling 43); the other goes with all that lies in it
    (ruling 67).
    """

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        assert step.exchange is not None
        self.which = Which(step.exchange, compiling, late, self._has_match)
        self.number = compiling.choice()

    def _has_match(self, engine: Engine, scope: Scope, piece: Piece) -> bool:
        return bool(self._matches(engine, scope.you, piece))

    def _matches(self, engine: Engine, seat: Seat, unit: Piece) -> list[Card]:
        power = characteristics.power(engine, unit)
        same: dict[int, Card] = {}
        for card in engine.player(seat).hand:
            definition = engine.card(card)
            if definition.type == ROLES[unit.role] and definition.power == power:
                same.setdefault(card >> 3, card)
        return sorted(same.values())

    def announced(self, engine: Engine, scope: Scope) -> Iterator[Choice]:
        yield from self.which.announced()
        chosen = scope.chosen[self.which.number]
        if chosen:
            unit = engine.piece(chosen[0])
            yield Choice(self.number, "cards", lambda engine, scope: self._matches(engine, scope.you, unit))

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        for number in self.which.found(engine, scope):
            for card in scope.chosen[self.number] or []:
                if card in engine.player(scope.you).hand:  # an earlier step may have taken it
                    self._exchange(engine, scope.you, engine.piece(number), card)
        return []

    def _exchange(self, engine: Engine, seat: Seat, unit: Piece, card: Card) -> None:
        take_from_hand(engine, seat, card >> 3)
        engine.tell("exchange", seat, card, unit.id, target_card=unit.top)
        take_out(engine, unit, "hand")
        entered = engine.enter(unit.role, unit.area, seat, card)
        entered.exhausted = unit.exhausted
        engine.tell("enter", seat, card, entered.id, source="hand", to=unit.area.name.lower())


class Split(Verb):
    """``split: target ...``: a card of a unit stack becomes a unit of its own in reserve (ruling 43)."""

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        assert step.split is not None
        self.selector = phrases.selector(step.split)
        self.fits = selecting.test(self.selector)
        self.number = compiling.choice()

    def _cards(self, engine: Engine, scope: Scope) -> list[int]:
        player = engine.player(scope.you)
        found: dict[int, Card] = {}
        for piece in (*player.alert, *player.reserve):
            if (
                len(piece.cards) > 1
                and not piece.exhausted
                and not characteristics.forbidden(engine, "be targeted", piece)
            ):
                for card in piece.cards:
                    if self._means(engine, scope, piece, card):
                        found.setdefault(card >> 3, card)
        return sorted(found.values())

    def _means(self, engine: Engine, scope: Scope, stack: Piece, card: Card) -> bool:
        """Whether ``card`` of a face-up ``stack`` may be taken: the top one as it now is, others as printed."""
        if card == stack.top:
            return self.fits(engine, scope, stack) and selecting.WORDS["singular"](engine, scope, stack)
        definition = engine.card(card)
        fits = definition.singular and selecting.is_card(definition, self.selector)
        return fits and not not_singular(engine, scope.you, definition)

    def announced(self, engine: Engine, scope: Scope) -> Iterator[Choice]:
        yield Choice(self.number, "cards", self._cards, what=self.selector)

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        for card in scope.chosen[self.number] or []:
            player = engine.player(scope.you)
            for piece in (*player.alert, *player.reserve):
                if len(piece.cards) > 1 and card in piece.cards:
                    piece.cards.remove(card)
                    piece.role = engine.role(piece.top)
                    unit = engine.enter(engine.role(card), Area.RESERVE, scope.you, card)
                    engine.tell("split", scope.you, card, unit.id, to="reserve")
                    break
        return []


CARD_VERBS: dict[str, Callable[[Step, Compiling, bool], Verb]] = {
    "search": SearchDeck,
    "look": LookAt,
    "reveal_hand": ShowHand,
    "take": TakeCard,
    "supply": Supply,
    "shuffle": ShuffleIn,
    "x": ReadValue,
    "contest": MysticContest,
    "exchange": Exchange,
    "split": Split,
}
