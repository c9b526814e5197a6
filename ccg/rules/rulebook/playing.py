"""Playing a card from hand: choose, pay, add expedite cards, resolve in order (Play a Card, Expedite)."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import ClassVar

from ccg.rules.cards import phrases
from ccg.rules.cards.definitions import CardDef, Cost
from ccg.rules.core import selectors
from ccg.rules.core.engine import Choice, Engine, Frame, Returned, Source
from ccg.rules.core.legality import Reason
from ccg.rules.core.options import NO, Option
from ccg.rules.core.state import CardNumber, Context, Piece, SeatNumber, card_of, definition_of
from ccg.rules.rulebook.hands_and_decks import put_back, take_from_hand
from ccg.rules.rulebook.hidden_cards import Conclude
from ccg.rules.rulebook.instructions import EnterPlay, Overlay
from ccg.rules.rulebook.payment import Amounts, AvailableResources, Paid, Payment, affords, reductions
from ccg.rules.rulebook.resolving import (
    Chooser,
    CostPaid,
    Perform,
    claimed,
    fresh_context,
    next_announced,
    part_of,
    payment_of,
    tell_targets,
    why_not_announce,
)


class Play(Chooser, kw_only=True):
    """A player plays a card: what its text lets them choose, then the payment. Until then it stays in hand."""

    paying: bool = False

    def run(self, engine: Engine) -> None:
        if self.paying or not self.settled(engine):
            return
        self.paying = True
        cost = engine.card(self.context.card).cost
        if any(cost):
            cheaper = reductions(engine, self.context.you)
            kept = claimed(engine, self.context, as_played(engine, self.context.card)[0])
            expedite = expedite_costs(engine, self.context.you, self.context.card)
            engine.push(Payment(self.context.you, [*cost, 0], expedite, cheaper, kept=kept))
        else:
            self._paid(engine, [0, 0, 0])

    def receive(self, engine: Engine, returned: Returned) -> None:
        if isinstance(returned, Paid):
            self._paid(engine, returned.excess)
        else:
            super().receive(engine, returned)

    def _paid(self, engine: Engine, excess: Amounts) -> None:
        engine.end(self)
        take_from_hand(engine, self.context.card)
        self.context.played = True
        announce(engine, self.context)
        played = part_of(self.context)
        engine.push(PaidTogether(context=self.context, excess=excess, queue=[played]))
        engine.push(*payment_of(played, as_played(engine, played.card)[0]))

    def wanted(self, engine: Engine) -> Choice | None:
        return next_announced(engine, self.context, as_played(engine, self.context.card))

    def _left(self, engine: Engine, choice: Choice) -> list[int]:
        """Leave out pieces that cannot pay the card's own cost because they are needed to pay its resource cost."""
        left = super()._left(engine, choice)
        if as_played(engine, self.context.card)[0] < 0 or choice.kind != "pieces":
            return left
        payable = payable_beside(engine, self.context.card, reductions(engine, self.context.you))
        found = []
        for candidate in left:
            self.context.chosen[choice.number] = [*self.picked, candidate]
            if payable(self.context):
                found.append(candidate)
        self.context.chosen[choice.number] = None
        return found

    def half_made(self) -> bool:
        return True

    def announcing(self) -> Context:
        return self.context

    def belongs_to(self, seat: SeatNumber) -> bool:
        return seat == self.context.you


class PaidStep(IntEnum):
    """What comes next for cards that are paid together: an expedite card may be added, its choices; they resolve."""

    OFFER = 0
    CHOICES = 1
    RESOLVE = 2


class PaidTogether(Chooser, kw_only=True):
    """Cards paid for by one payment: expedite cards are added as long as its ``excess`` covers them (ruling 11).

    So many of it are ``bound`` to be left, of any types, for what the payment was made for (ruling 98). All are
    announced before the first resolves; then the ``queue`` resolves in the order in which they were played.
    ``context`` is that of the card being added, which all have ``seen`` if the hand was shown. The cards are in no zone
    until they have resolved.
    """

    excess: Amounts
    queue: list[Context]
    bound: int = 0
    step: PaidStep = PaidStep.OFFER
    seen: bool = False

    def run(self, engine: Engine) -> None:
        if self.step == PaidStep.OFFER:
            if self._addable(engine):
                engine.ask(self.context.you, "expedite")
            else:
                self.step = PaidStep.RESOLVE
        elif self.step == PaidStep.CHOICES:
            if self.settled(engine):
                self.step = PaidStep.OFFER
                played = part_of(self.context)
                self.queue.append(played)
                announce(engine, self.context)
                engine.push(*payment_of(played, as_played(engine, played.card)[0]))
        elif self.queue:
            resolve_card(engine, self.queue.pop(0))
        else:
            engine.end(self)

    def receive(self, engine: Engine, returned: Returned) -> None:
        """The last card played is the one whose cost has been paid."""
        if isinstance(returned, CostPaid):
            self.queue[-1] = returned.context
        else:
            super().receive(engine, returned)

    def wanted(self, engine: Engine) -> Choice | None:
        return next_announced(engine, self.context, as_played(engine, self.context.card))

    def options(self, engine: Engine) -> list[Option]:
        if self.step == PaidStep.CHOICES:
            return super().options(engine)
        return [Option("play", definition) for definition in self._addable(engine)] + [NO]

    def take(self, engine: Engine, option: Option) -> None:
        if self.step == PaidStep.CHOICES:
            super().take(engine, option)
        elif option == NO:
            self.step = PaidStep.RESOLVE
        else:
            cost = engine.cards[option.card].expedite
            assert cost is not None
            self.excess = [have - price for have, price in zip(self.excess, cost, strict=True)]
            card = card_of(option.card, self.context.you)
            self.seen = take_from_hand(engine, card)
            self.context = fresh_context(engine, Context(self.context.you, card, played=True))
            self.step = PaidStep.CHOICES

    def unmade(self, engine: Engine) -> None:
        """The card that is being added goes back to the hand."""
        if self.step == PaidStep.CHOICES:
            self.step = PaidStep.OFFER
            self.picked = []
            cost = engine.card(self.context.card).expedite
            assert cost is not None
            self.excess = [have + price for have, price in zip(self.excess, cost, strict=True)]
            put_back(engine, self.context.card, self.seen)

    def belongs_to(self, seat: SeatNumber) -> bool:
        return seat == self.context.you

    def held(self) -> list[CardNumber]:
        announcing = [self.context.card] if self.step == PaidStep.CHOICES else []
        return [context.card for context in self.queue] + announcing

    def _addable(self, engine: Engine) -> list[int]:
        """Return the definitions in hand whose expedite cost the excess covers."""
        if not any(self.excess):
            return []
        return [
            definition
            for definition in sorted({card >> 3 for card in engine.player(self.context.you).hand})
            if (cost := engine.cards[definition].expedite)
            and affords(self.excess, self.bound, cost)
            and why_not_now(engine, self.context.you, definition) is None
        ]


def expedite_costs(engine: Engine, seat: SeatNumber, paid_for: CardNumber | None = None) -> list[Cost]:
    """Return the expedite costs of the cards in hand that could be played now beside the card that is ``paid_for``.

    Units that add to stacks may pay for them; where no card has such a text, nobody asks.
    """
    if not engine.catalog.adders:
        return []
    hand = list(engine.player(seat).hand)
    if paid_for is not None:
        hand.remove(paid_for)
    return [
        cost
        for card in hand
        if (cost := engine.card(card).expedite) is not None and why_not_now(engine, seat, definition_of(card)) is None
    ]


def announce(engine: Engine, context: Context) -> None:
    """Show a card that has been paid for, and what was chosen for it (PLAY-1)."""
    engine.emit("play", context.you, context.card, source="hand")
    tell_targets(engine, context, as_played(engine, context.card))


def texts(engine: Engine, card: CardNumber) -> tuple[int, int]:
    """Return the blocks for which choices are made as what ``card`` says is done: its own cost, then its effect."""
    script = engine.script(card)
    return script.cost, script.effect


def as_played(engine: Engine, card: CardNumber) -> tuple[int, int]:
    """Return the blocks for which choices are made as ``card`` is played from hand: those of an event.

    What a mission does is chosen for, and its own cost paid, as it is resolved (ruling 89).
    """
    return texts(engine, card) if engine.card(card).type == "event" else (-1, -1)


def payable_beside(engine: Engine, card: CardNumber, cheaper: list[int]) -> Callable[[Context], bool]:
    """Return a test whether the resources can be paid without what is chosen to pay the card's own cost."""
    cost, own = engine.card(card).cost, engine.script(card).cost

    def ask(context: Context) -> bool:
        kept = claimed(engine, context, own)
        return not kept or AvailableResources.of(engine, context.you, kept=kept).cover(cost, cheaper)

    return ask


def why_not_now(engine: Engine, seat: SeatNumber, definition: int, cheaper: list[int] | None = None) -> Reason | None:
    """Return what keeps a card from being played at this moment, whatever it costs.

    In a challenge only events are played (CHAL-2b). The condition of an event must hold, it needs legal targets, and
    whoever plays it must be able to pay what it costs besides resources. If resources are to be paid as well,
    ``cheaper`` by so much, both must be payable together.
    """
    card = engine.cards[definition]
    if card.type != "event":
        if card.type == "base":
            return "base"
        return None if engine.state.challenge is None else "in_challenge"
    script = engine.scripts[definition]
    context = fresh_context(engine, Context(seat, card_of(definition, seat)))
    if script.condition is not None and not script.condition(engine, context):
        return "season"
    if script.effect < 0 or (script.cost < 0 and not script.choices):
        return None
    both = script.cost >= 0 and cheaper is not None
    payable = payable_beside(engine, context.card, cheaper or []) if both else None
    return why_not_announce(engine, context, script.cost, script.effect, payable)


def why_not_play(
    engine: Engine, seat: SeatNumber, definition: int, available: AvailableResources, cheaper: list[int]
) -> Reason | None:
    """Return what keeps ``seat``, who has these ``available`` and discounts, from playing a card."""
    card = engine.cards[definition]
    if card.type != "event":
        reason = why_not_now(engine, seat, definition)
        if reason is not None:
            return reason
    if not available.cover(card.cost, cheaper):
        return "cost"
    return why_not_now(engine, seat, definition, cheaper) if card.type == "event" else None  # its targets take longest


def play_options(engine: Engine, seat: SeatNumber) -> list[Option]:
    """List the cards that ``seat`` can play from hand: legal now, and payable (PAY-6)."""
    available = AvailableResources.of(engine, seat)
    cheaper = reductions(engine, seat)
    return [
        Option("play", definition)
        for definition in sorted({card >> 3 for card in engine.player(seat).hand})
        if why_not_play(engine, seat, definition, available, cheaper) is None
    ]


def play(engine: Engine, seat: SeatNumber, definition: int) -> None:
    """Begin to play a card from hand."""
    engine.push(Play(context=fresh_context(engine, Context(seat, card_of(definition, seat)))))


def resolve_card(engine: Engine, context: Context) -> None:
    """Let a card that was played and paid for take effect (PLAY-2 to PLAY-4)."""
    definition = engine.card(context.card)
    if definition.type == "event":
        effect = engine.script(context.card).effect
        frames: list[Frame] = [] if effect < 0 else [Perform(context=context, block=effect)]
        engine.push(*frames, Conclude(context.you, context.card))
        return
    engine.push(ChooseStack(context.you, context.card))


def overlaid_units(engine: Engine, seat: SeatNumber, definition: CardDef) -> list[Piece]:
    """Return the units of ``seat`` that a singular unit of this title must be put on (Overlaying cards)."""
    if not (definition.is_unit and definition.singular) or not_singular(engine, seat, definition):
        return []
    player = engine.player(seat)
    return [
        piece
        for lying in (player.alert, player.reserve)
        for piece in lying
        if piece.is_unit and engine.definition(piece).title == definition.title and engine.definition(piece).singular
    ]


def not_singular(engine: Engine, seat: SeatNumber, definition: CardDef) -> bool:
    """Return whether something in force says that this card of ``seat`` is not singular."""
    return any(
        active.context.you == seat and selectors.is_card(definition, phrases.selector(active.word))
        for active in engine.active_modifiers("not singular")
    )


class ChooseStack(Frame):
    """A card goes on a unit of its title, which ``seat`` chooses if there are several; else it is a new one."""

    chooses: ClassVar[str] = "stack"

    seat: SeatNumber
    card: CardNumber

    def run(self, engine: Engine) -> None:
        units = self._units(engine)
        if len(units) > 1:
            engine.ask(self.seat, "choose")
        else:
            engine.end(self)
            engine.push(Overlay(units[0].id, self.card) if units else EnterPlay(self.seat, self.card))

    def asked_by(self, engine: Engine) -> Source | None:
        return Source(self.card)

    def options(self, engine: Engine) -> list[Option]:
        return [Option("choose", piece=unit.id) for unit in self._units(engine)]

    def take(self, engine: Engine, option: Option) -> None:
        engine.end(self)
        engine.push(Overlay(option.piece, self.card))

    def _units(self, engine: Engine) -> list[Piece]:
        return overlaid_units(engine, self.seat, engine.card(self.card))

    def belongs_to(self, seat: SeatNumber) -> bool:
        return seat == self.seat

    def held(self) -> list[CardNumber]:
        return [self.card]
