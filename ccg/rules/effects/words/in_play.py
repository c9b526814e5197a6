"""Words about cards in play: ready, commit, exhaust, restore, defeat, sacrifice, put, exchange, split."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, ClassVar, Literal, NamedTuple

from ccg.rules.cards import phrases
from ccg.rules.cards.definitions import CardDef
from ccg.rules.cards.phrases import Description, Selector, number_of
from ccg.rules.cards.schema import CardsPhrase, Destination, SelectorPhrase, Step, key
from ccg.rules.core import characteristics, selectors
from ccg.rules.core.engine import Choice, Effect, Engine, Frame
from ccg.rules.core.state import Area, CardNumber, Context, Piece, SeatNumber, definition_of
from ccg.rules.core.zones import leave_play
from ccg.rules.effects import targets
from ccg.rules.effects.steps import OnPieces
from ccg.rules.effects.targets import Able, PieceSelector
from ccg.rules.effects.word import IN_PLAY, OF_THEM, Checking, Clause, Compiling, Telling, Voice, Word, Worth
from ccg.rules.rulebook import instructions
from ccg.rules.rulebook.hands_and_decks import take_from_hand
from ccg.rules.rulebook.playing import not_singular

STACKS = frozenset({"base", "asset", "resource stack"})
FLEET = frozenset({"unit", "personnel", "ship", "mission", "card"})
"""What lies in an alert or reserve area."""

IN_RESERVE = frozenset({"unit", "personnel", "ship", "mission"})

MAY_BE_BASE = {"card": "'unit', 'mission' or 'asset'", "resource stack": "'asset'"}
"""Nouns that mean bases, too, and what is to be said where no base can be meant."""

NO_BASE = frozenset({
    "alert", "reserve", "challenging", "defending", "singular", "unresolved", "persistent", "linked",
    "against_threat", "challenging_you", "challenging_you_alone",
})  # fmt: skip
"""Words and suffixes that are true of no base."""

SUPPLY = "a supply card"


class Done(NamedTuple):
    """What a word does to pieces: the instruction that does it, and what a piece must be able to."""

    make: Callable[[list[int]], Frame]
    able: Able


class DoneToPieces(Word):
    """Something that one instruction does to pieces in play; the value says which."""

    group: ClassVar[str] = IN_PLAY
    section: ClassVar[str] = "Ready vs. Commit"
    payable: ClassVar[bool] = True
    does: ClassVar[Done]
    of_fleet: ClassVar[bool] = False
    """Whether it is done only to what lies in an alert or reserve area."""
    leaving: ClassVar[bool] = False
    """Whether the pieces leave play or go elsewhere, as a base never does."""
    of_bases: ClassVar[bool] = False
    """Whether it can be done to a base."""

    @property
    def about(self) -> str:
        return str(self.argument)

    def check(self, check: Checking) -> None:
        selector = check.selector(self.verb, self.about)
        for noun in selector.nouns:
            self._check_noun(check, selector, noun)
        base = selector.pronoun == "your base" or (selector.pronoun == "this" and check.card == "base")
        if base and not self.of_bases:
            check.wrong("a base can only be exhausted and restored", self.verb)
        check.names(selector)
        check.x = True

    def _check_noun(self, check: Checking, selector: Selector, noun: str) -> None:
        if self.of_fleet and noun not in FLEET:
            check.wrong(f"{phrases.with_article(noun)} is neither readied nor committed", self.verb)
        elif self.leaving and noun == "base":
            check.wrong("a base never leaves play", self.verb)
        elif self.leaving and _may_be_base(selector, noun):
            meant = f"say {MAY_BE_BASE[noun]}"
            check.wrong(
                f"{phrases.with_article(noun)} may be a base, and a base never leaves play",
                self.verb,
                advice=f"{meant}",
            )

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return OnPieces(self.about, compiling, late, *self.does)

    def joins(self, other: Step) -> bool:
        if not isinstance(other, DoneToPieces) or isinstance(other, Put) or isinstance(self, Put):
            return False
        pronoun = bool(phrases.selector(other.about).pronoun)
        if self.verb == other.verb:
            return pronoun and bool(phrases.selector(self.about).pronoun)
        return other.about == "it" or (other.about == self.about and pronoun)

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        return self._told(teller, voice, [self, *more], owned=False)

    def _told(self, teller: Telling, voice: Voice, steps: Sequence[Word], owned: bool) -> Clause:
        teller.x = "pieces"
        verbs = list(dict.fromkeys(step.verb for step in steps))
        done = teller.listed([teller.say(f"verb.{verb}", *voice) for verb in verbs], "list.and")
        things = [self.about] if len(verbs) > 1 else [str(step.about) for step in steps]
        what = teller.listed([teller.selected(one, voice, owned=owned) for one in things], "list.and")
        return Clause(teller.say("done", verb=done, what=what))


class Ready(DoneToPieces):
    """Reserve cards go to their controller's alert area."""

    verb: ClassVar[str] = "ready"
    worth: ClassVar[Worth] = Worth("help", 0.3)
    does: ClassVar[Done] = Done(instructions.Ready, targets.in_reserve)
    of_fleet: ClassVar[bool] = True

    ready: SelectorPhrase


class Commit(DoneToPieces):
    """Alert cards go to their controller's reserve."""

    verb: ClassVar[str] = "commit"
    worth: ClassVar[Worth] = Worth("harm", 0.25)
    unwanted: ClassVar[bool] = True
    does: ClassVar[Done] = Done(instructions.Commit, targets.alert)
    of_fleet: ClassVar[bool] = True

    commit: SelectorPhrase


class Exhaust(DoneToPieces):
    """Cards are turned face down."""

    verb: ClassVar[str] = "exhaust"
    section: ClassVar[str] = "Exhaust vs. Restore"
    worth: ClassVar[Worth] = Worth("harm", 0.4)
    unwanted: ClassVar[bool] = True
    does: ClassVar[Done] = Done(instructions.Exhaust, targets.face_up)
    of_bases: ClassVar[bool] = True

    exhaust: SelectorPhrase


class Restore(DoneToPieces):
    """Face-down cards are turned face up."""

    verb: ClassVar[str] = "restore"
    section: ClassVar[str] = "Exhaust vs. Restore"
    worth: ClassVar[Worth] = Worth("help", 0.2)
    does: ClassVar[Done] = Done(instructions.Restore, targets.face_down)
    of_bases: ClassVar[bool] = True

    restore: SelectorPhrase


class Defeat(DoneToPieces):
    """Cards go from play to their owners' discard piles, as beaten ones do."""

    verb: ClassVar[str] = "defeat"
    section: ClassVar[str] = "Glossary"
    worth: ClassVar[Worth] = Worth("harm", 1.0)
    unwanted: ClassVar[bool] = True
    does: ClassVar[Done] = Done(instructions.Defeat, targets.leaves)
    leaving: ClassVar[bool] = True

    defeat: SelectorPhrase


class Sacrifice(DoneToPieces):
    """Cards of the player's own go to their owners' discard piles; this defeats nothing. `a supply card` is one
    that lies under any stack of theirs.
    """

    verb: ClassVar[str] = "sacrifice"
    section: ClassVar[str] = "Glossary"
    worth: ClassVar[Worth] = Worth("price")
    does: ClassVar[Done] = Done(instructions.Sacrifice, targets.mine)
    leaving: ClassVar[bool] = True

    sacrifice: SelectorPhrase

    def check(self, check: Checking) -> None:
        if self.sacrifice != SUPPLY:
            super().check(check)

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        if self.sacrifice == SUPPLY:
            return SacrificeSupplyCard(compiling)
        return super().compiled(compiling, late)

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        selector = phrases.selector(self.sacrifice)
        if any(rule == "an_opponents" for kind in selector.descriptions for rule, _ in kind.suffixes):
            return self._by_each_opponent(teller, selector)
        return self._told(teller, voice, [self, *more], owned=True)

    def _by_each_opponent(self, teller: Telling, selector: Selector) -> Clause:
        teller.x = "pieces"
        kinds = tuple(
            Description(kind.noun, kind.trait, kind.words, kind.traits,
                        tuple(suffix for suffix in kind.suffixes if suffix[0] != "an_opponents"))
            for kind in selector.descriptions
        )  # fmt: skip
        mine = Selector("", kinds, selector.target, selector.every, selector.least, selector.most)
        done = teller.say("done", verb=teller.say("verb.sacrifice", *OF_THEM), what=teller.selected(mine, OF_THEM))
        return Clause(teller.say("actor", who=teller.say("players.each_opponent"), clause=done), acts=False)


class SacrificeSupplyCard(Effect):
    """One of the player's supply cards goes to its owner's discard pile.

    The stack is chosen here, and which of the cards under it as it is sacrificed, as in a jump (ruling 31).
    """

    def __init__(self, compiling: Compiling) -> None:
        self.number = compiling.choice()

    def resolved(self, engine: Engine, context: Context) -> Choice | None:
        return Choice(self.number, "supplies", self._stacks)

    def _stacks(self, engine: Engine, context: Context) -> list[int]:
        return [piece.id for piece in engine.player(context.you).resource if piece.supplies]

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        return [instructions.SacrificeSupply(context.you, stack) for stack in context.chosen[self.number] or []]

    def possible(self, engine: Engine, context: Context) -> bool:
        return bool(self._stacks(engine, context))


class Put(DoneToPieces):
    """Cards go from play to a zone of their owners, the discard pile if none is said."""

    verb: ClassVar[str] = "put"
    section: ClassVar[str] = "Game Zones"
    worth: ClassVar[Worth] = Worth("harm", 0.75)
    leaving: ClassVar[bool] = True

    put: SelectorPhrase
    into: Annotated[Destination | None, key("Where to; `deck` is shuffled.")] = None

    def _check_noun(self, check: Checking, selector: Selector, noun: str) -> None:
        if self.into == "reserve" and noun != "base" and noun not in IN_RESERVE:
            named = phrases.with_article(noun)
            check.wrong(f"{named} does not go to reserve", self.verb, advice="only units and missions lie there")
        else:
            super()._check_noun(check, selector, noun)

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        place = self.into or "discard pile"
        able = targets.elsewhere if place == "reserve" else targets.leaves
        return OnPieces(self.put, compiling, late, lambda pieces: instructions.Put(pieces, place), able)

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        selector = phrases.selector(self.put)
        what = teller.selected(selector, voice)
        return Clause(teller.say(f"put.{self.into or 'discard pile'}", *voice, number_of(selector), what=what))


class Exchange(Word):
    """A unit of the player's and a card of theirs that is not in play change places, and states."""

    verb: ClassVar[str] = "exchange"
    group: ClassVar[str] = IN_PLAY
    section: ClassVar[str] = "Game Zones"
    worth: ClassVar[Worth] = Worth("flat", 0.5)

    exchange: SelectorPhrase
    with_: Annotated[CardsPhrase | None, key("The kind of card that comes into play.")] = None
    from_: Annotated[Literal["hand", "discard pile"] | None, key("Where from; `hand` if it is not said.")] = None
    same: Annotated[
        Literal["power", "mystic value", "Cylon threat"] | None,
        key("What is to be the same: printed on the card that comes into play, and of the unit as it is now."),
    ] = None

    @property
    def about(self) -> str:
        return self.exchange

    def check(self, check: Checking) -> None:
        selector = check.selector("exchange", self.exchange, as_played=True)
        mine = all(("yours", "") in description.suffixes for description in selector.descriptions)
        one = selector.target and selector.most == 1
        if not one or not mine or not selector.nouns <= {"unit", "personnel", "ship"}:
            check.wrong("is one target unit you control, as 'target personnel you control'", "exchange")
        if self.with_ is None:
            check.wrong("exchange needs `with`: the kind of card that comes into play")
        else:
            check.cards("with", self.with_)
            if not phrases.selector(self.with_).nouns <= {"unit", "personnel", "ship"}:
                check.wrong("is a kind of unit, as 'personnel'", "with")
        check.chooses()
        check.only_as_played("exchange")

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return ExchangeUnit(self, compiling, late)

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        what = teller.selected(self.exchange, voice)
        card = teller.cards(self.with_ or "unit")
        if self.same is not None:
            card = teller.say(f"same.{self.same}", what=card)
        source = teller.say(f"from.{self.from_ or 'hand'}", *voice)
        return Clause(teller.tell("exchange", voice, what=what, card=card, source=source))


class ExchangeUnit(Effect):
    """A unit and a card that is not in play change places.

    The card takes the other's area and state (ruling 43); the other goes with all that lies in it (ruling 67).
    """

    def __init__(self, word: Exchange, compiling: Compiling, late: bool) -> None:
        self.selector = phrases.selector(word.with_ or "unit")
        self.source = word.from_ or "hand"
        self.same = SAME[word.same] if word.same is not None else None
        self.which = PieceSelector(word.exchange, compiling, late, self._has_match)
        self.number = compiling.choice()

    def _has_match(self, engine: Engine, context: Context, piece: Piece) -> bool:
        return bool(self._matches(engine, context.you, piece))

    def _matches(self, engine: Engine, seat: SeatNumber, unit: Piece) -> list[CardNumber]:
        found: dict[int, CardNumber] = {}
        for card in self._zone(engine, seat):
            definition = engine.card(card)
            if selectors.is_card(definition, self.selector) and self._is_same(engine, unit, definition):
                found.setdefault(definition_of(card), card)
        return sorted(found.values())

    def _zone(self, engine: Engine, seat: SeatNumber) -> list[CardNumber]:
        player = engine.player(seat)
        return player.hand if self.source == "hand" else player.discard

    def _is_same(self, engine: Engine, unit: Piece, definition: CardDef) -> bool:
        if self.same is None:
            return True
        now, printed = self.same
        return now(engine, unit) == printed(definition)

    def announced(self, engine: Engine, context: Context) -> Iterator[Choice]:
        yield from self.which.announced()
        chosen = context.chosen[self.which.number]
        if chosen:
            unit = engine.piece(chosen[0])
            yield Choice(self.number, "cards", lambda engine, context: self._matches(engine, context.you, unit))

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        for number in self.which.found(engine, context):
            for card in context.chosen[self.number] or []:
                if card in self._zone(engine, context.you):  # an earlier step may have taken it
                    self._exchange(engine, context.you, engine.piece(number), card)
        return []

    def _exchange(self, engine: Engine, seat: SeatNumber, unit: Piece, card: CardNumber) -> None:
        if self.source == "hand":
            take_from_hand(engine, card)
        else:
            engine.player(seat).discard.remove(card)
        engine.emit("exchange", seat, card, unit.id, target_card=unit.top)
        leave_play(engine, unit, self.source)
        entered = engine.enter(engine.role(card), unit.area, seat, card)
        engine.turn(entered, unit.exhausted)
        engine.emit("enter", seat, card, entered.id, source=self.source.split()[0], to=unit.area.name.lower())


SAME: dict[str, tuple[Callable[[Engine, Piece], int], Callable[[CardDef], int | None]]] = {
    "power": (characteristics.power, lambda card: card.power),
    "mystic value": (characteristics.mystic, lambda card: card.mystic),
    "Cylon threat": (characteristics.threat, lambda card: card.threat),
}
"""What a unit has now, and what a card that is not in play has printed on it."""


class Split(Word):
    """A card of that kind in a unit stack of the player becomes a unit of its own, in reserve."""

    verb: ClassVar[str] = "split"
    group: ClassVar[str] = IN_PLAY
    section: ClassVar[str] = "Overlaying cards"
    worth: ClassVar[Worth] = Worth("flat", 0.2)

    split: CardsPhrase

    def check(self, check: Checking) -> None:
        check.cards("split", self.split, target=True)
        check.chooses()
        check.only_as_played("split")

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return SplitStack(self.split, compiling)

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        return Clause(teller.tell("split", voice, what=teller.cards(self._meant)), simple=False)

    @property
    def _meant(self) -> Selector:
        """What may be taken: of the cards that the file names, those that are singular (rulebook: Overlaying Cards)."""
        selector = phrases.selector(self.split)
        kinds = tuple(
            Description(kind.noun, kind.trait, ("singular", *kind.words), kind.traits, kind.suffixes)
            for kind in selector.descriptions
        )
        return Selector("", kinds, selector.target, selector.every, selector.least, selector.most)


class SplitStack(Effect):
    """A card of a unit stack becomes a unit of its own in reserve (rulings 43 and 75)."""

    def __init__(self, phrase: str, compiling: Compiling) -> None:
        self.selector = phrases.selector(phrase)
        self.fits = selectors.test(self.selector)
        self.number = compiling.choice()
        self.stack = compiling.choice()

    def _stacks(self, engine: Engine, context: Context) -> Iterator[tuple[Piece, CardNumber]]:
        """Return the cards that may be taken, each with the stack it lies in."""
        player = engine.player(context.you)
        for piece in (*player.alert, *player.reserve):
            if len(piece.cards) < 2 or piece.exhausted or characteristics.forbidden(engine, "be targeted", piece):
                continue
            for card in piece.cards:
                if self._means(engine, context, piece, card):
                    yield piece, card

    def _cards(self, engine: Engine, context: Context) -> list[int]:
        found: dict[int, CardNumber] = {}
        for _, card in self._stacks(engine, context):
            found.setdefault(definition_of(card), card)
        return sorted(found.values())

    def _with_it(self, engine: Engine, context: Context) -> list[int]:
        """Return the stacks from which the chosen card may be taken (ruling 75)."""
        chosen = context.chosen[self.number] or []
        return list(dict.fromkeys(piece.id for piece, card in self._stacks(engine, context) if card in chosen))

    def _means(self, engine: Engine, context: Context, stack: Piece, card: CardNumber) -> bool:
        """Return whether ``card`` of a face-up ``stack`` may be taken: the top one as it now is, others as printed."""
        if card == stack.top:
            return self.fits(engine, context, stack) and selectors.WORDS["singular"](engine, context, stack)
        definition = engine.card(card)
        fits = definition.singular and selectors.is_card(definition, self.selector)
        return fits and not not_singular(engine, context.you, definition)

    def announced(self, engine: Engine, context: Context) -> Iterator[Choice]:
        yield Choice(self.number, "cards", self._cards, what=self.selector)
        if context.chosen[self.stack] is not None or len(self._with_it(engine, context)) > 1:
            yield Choice(self.stack, "pieces", self._with_it, what=self.selector)

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        named = context.chosen[self.stack]
        for card in context.chosen[self.number] or []:
            player = engine.player(context.you)
            for piece in (*player.alert, *player.reserve):
                if len(piece.cards) > 1 and card in piece.cards and (named is None or piece.id in named):
                    unit = engine.enter(engine.role(card), Area.RESERVE, context.you, card)
                    engine.take_from_stack(piece, piece.cards.index(card), becoming=unit.id)
                    engine.emit("split", context.you, card, unit.id, to="reserve")
                    break
        return []


def costs(cost: bool | str | Sequence[Step] | None) -> list[Step]:
    """Return a cost as steps: "commit and exhaust" means doing both to this card, true costs nothing."""
    if cost is None or isinstance(cost, bool):
        return []
    if not isinstance(cost, str):
        return list(cost)
    made: dict[str, Step] = {
        "commit": Commit(commit="this"),
        "exhaust": Exhaust(exhaust="this"),
        "sacrifice": Sacrifice(sacrifice="this"),
    }
    return [made[word] for word in cost.split(" and ") if word]


def _may_be_base(selector: Selector, noun: str) -> bool:
    """Return whether one that is chosen could be a base; where all are meant, bases are left out."""
    return (
        not selector.every
        and noun in MAY_BE_BASE
        and any(
            description.noun == noun and not NO_BASE.intersection(description.words, dict(description.suffixes))
            for description in selector.descriptions
        )
    )
