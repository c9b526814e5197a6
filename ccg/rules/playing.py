"""Playing a card from hand: choose, pay, add expedite cards, resolve in order (Play a Card, Expedite)."""

from __future__ import annotations

from ccg.rules import selecting
from ccg.rules.agenda import Choice, Engine, Frame
from ccg.rules.cards import CardDef
from ccg.rules.hidden_cards import Conclude
from ccg.rules.instructions import EnterPlay, Overlay
from ccg.rules.language import phrases
from ccg.rules.options import NO, Option
from ccg.rules.payment import Amounts, Means, Payer, Payment, covers, discount, discount_used
from ccg.rules.performing import Chooser, Perform, fresh_scope, next_announced, part_of, tell_targets, why_not_announce
from ccg.rules.ready_phase import take_from_hand
from ccg.rules.reasons import Reason
from ccg.rules.state import Card, Piece, Scope, Seat


class Play(Chooser, Payer, kw_only=True):
    """A player plays a card: what its text lets them choose, then the payment. Until then it stays in hand."""

    paying: bool = False

    def run(self, engine: Engine) -> None:
        if self.paying or not self.settled(engine):
            return
        self.paying = True
        cost = engine.card(self.scope.card).cost
        if any(cost):
            cheaper = discount(engine, self.scope.you)
            engine.push(Payment(self.scope.you, [*cost, 0], self.scope.card, cheaper))
        else:
            self.paid(engine, [0, 0, 0])

    def paid(self, engine: Engine, excess: Amounts) -> None:
        engine.end(self)
        if any(engine.card(self.scope.card).cost):
            discount_used(engine, self.scope.you)
        take_from_hand(engine, self.scope.you, self.scope.card >> 3)
        announce(engine, self.scope)
        engine.push(PaidTogether(scope=self.scope, excess=excess, queue=[part_of(self.scope)]))

    def wanted(self, engine: Engine) -> Choice | None:
        return next_announced(engine, self.scope, (engine.script(self.scope.card).effect,))

    def half_made(self) -> bool:
        return True

    def belongs_to(self, seat: Seat) -> bool:
        return seat == self.scope.you


class PaidTogether(Chooser, kw_only=True):
    """Cards paid for by one payment: expedite cards are added as long as its ``excess`` covers them (ruling 11).

    All are announced before the first resolves; then the ``queue`` resolves in the order in which they were
    played. ``step``: 0 offer, 1 choices of an added card, whose scope is ``scope``, 2 resolve. The cards are
    in no zone until they have resolved.
    """

    excess: Amounts
    queue: list[Scope]
    step: int = 0

    def run(self, engine: Engine) -> None:
        if self.step == 0:
            if self._addable(engine):
                engine.ask(self.scope.you, "expedite")
            else:
                self.step = 2
        elif self.step == 1:
            if self.settled(engine):
                self.step = 0
                self.queue.append(part_of(self.scope))
                announce(engine, self.scope)
        elif self.queue:
            resolve_card(engine, self.queue.pop(0))
        else:
            engine.end(self)

    def wanted(self, engine: Engine) -> Choice | None:
        return next_announced(engine, self.scope, (engine.script(self.scope.card).effect,))

    def options(self, engine: Engine) -> list[Option]:
        if self.step:
            return super().options(engine)
        return [Option("play", definition) for definition in self._addable(engine)] + [NO]

    def take(self, engine: Engine, option: Option) -> None:
        if self.step:
            super().take(engine, option)
        elif option == NO:
            self.step = 2
        else:
            cost = engine.catalog.cards[option.card].expedite
            assert cost is not None
            self.excess = [have - price for have, price in zip(self.excess, cost, strict=True)]
            card = take_from_hand(engine, self.scope.you, option.card)
            self.scope = fresh_scope(engine, Scope(self.scope.you, card))
            self.step = 1

    def belongs_to(self, seat: Seat) -> bool:
        return seat == self.scope.you

    def held(self) -> list[Card]:
        announcing = [self.scope.card] if self.step == 1 else []
        return [scope.card for scope in self.queue] + announcing

    def _addable(self, engine: Engine) -> list[int]:
        """Give the definitions in hand whose expedite cost the excess covers."""
        if not any(self.excess):
            return []
        return [
            definition
            for definition in sorted({card >> 3 for card in engine.player(self.scope.you).hand})
            if (cost := engine.catalog.cards[definition].expedite)
            and covers(self.excess, cost)
            and why_not_now(engine, self.scope.you, definition) is None
        ]


def announce(engine: Engine, scope: Scope) -> None:
    """Show a card that has been paid for, and what was chosen for it (PLAY-1)."""
    engine.tell("play", scope.you, scope.card, source="hand")
    tell_targets(engine, scope, (engine.script(scope.card).effect,))


def why_not_now(engine: Engine, seat: Seat, definition: int) -> Reason | None:
    """Give what keeps a card from being played at this moment, whatever it costs.

    In a challenge only events are played (CHAL-2b); an event has its season, and needs legal targets.
    """
    card = engine.catalog.cards[definition]
    if card.type != "event":
        if card.type == "base":
            return "base"
        return None if engine.state.challenge is None else "in_challenge"
    script = engine.scripts[definition]
    scope = fresh_scope(engine, Scope(seat, definition << 3 | seat))
    if script.season is not None and not script.season(engine, scope):
        return "season"
    if script.effect < 0 or not script.choices:
        return None
    return why_not_announce(engine, scope, -1, script.effect)


def why_not_play(engine: Engine, seat: Seat, definition: int, means: Means, cheaper: int) -> Reason | None:
    """Give what keeps ``seat``, who has these ``means``, from playing a card, which is ``cheaper`` by so much."""
    card = engine.catalog.cards[definition]
    if card.type != "event":
        reason = why_not_now(engine, seat, definition)
        if reason is not None:
            return reason
    if not means.cover(card.cost, cheaper):
        return "cost"
    return why_not_now(engine, seat, definition) if card.type == "event" else None  # its targets take longest


def play_options(engine: Engine, seat: Seat) -> list[Option]:
    """List the cards that ``seat`` can play from hand: legal now, and payable (PAY-6)."""
    means = Means.of(engine, seat)
    cheaper = discount(engine, seat)
    return [
        Option("play", definition)
        for definition in sorted({card >> 3 for card in engine.player(seat).hand})
        if why_not_play(engine, seat, definition, means, cheaper) is None
    ]


def play(engine: Engine, seat: Seat, definition: int) -> None:
    """Begin to play a card from hand."""
    engine.push(Play(scope=fresh_scope(engine, Scope(seat, definition << 3 | seat))))


def resolve_card(engine: Engine, scope: Scope) -> None:
    """Let a card that was played and paid for take effect (PLAY-2 to PLAY-4)."""
    definition = engine.card(scope.card)
    if definition.type == "event":
        effect = engine.script(scope.card).effect
        frames: list[Frame] = [] if effect < 0 else [Perform(scope=scope, block=effect)]
        engine.push(*frames, Conclude(scope.you, scope.card))
        return
    covered = overlaid_units(engine, scope.you, definition)
    if len(covered) > 1:
        engine.push(ChooseStack(scope.you, scope.card))
    elif covered:
        engine.push(Overlay(covered[0].id, scope.card))
    else:
        engine.push(EnterPlay(scope.you, scope.card))


def overlaid_units(engine: Engine, seat: Seat, definition: CardDef) -> list[Piece]:
    """Give the units of ``seat`` that a singular unit of this title must be put on (Overlaying cards)."""
    if not (definition.is_unit and definition.singular) or not_singular(engine, seat, definition):
        return []
    player = engine.player(seat)
    return [
        piece
        for lying in (player.alert, player.reserve)
        for piece in lying
        if piece.is_unit and engine.definition(piece).title == definition.title and engine.definition(piece).singular
    ]


def not_singular(engine: Engine, seat: Seat, definition: CardDef) -> bool:
    """Whether something in force says that this card of ``seat`` is not singular."""
    return any(
        force.scope.you == seat and selecting.is_card(definition, phrases.selector(force.word))
        for force in engine.in_force("not singular")
    )


class ChooseStack(Frame):
    """``seat`` has several units of the title and chooses which one the card goes on."""

    seat: Seat
    card: Card

    def run(self, engine: Engine) -> None:
        engine.ask(self.seat, "choose")

    def options(self, engine: Engine) -> list[Option]:
        units = overlaid_units(engine, self.seat, engine.card(self.card))
        return [Option("choose", piece=unit.id) for unit in units]

    def take(self, engine: Engine, option: Option) -> None:
        engine.end(self)
        engine.push(Overlay(option.piece, self.card))

    def belongs_to(self, seat: Seat) -> bool:
        return seat == self.seat

    def held(self) -> list[Card]:
        return [self.card]
