"""Words about hands, decks, discard piles and supply cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from ccg.rules.cards import phrases
from ccg.rules.cards.definitions import CardDef
from ccg.rules.cards.schema import CardsPhrase, Destination, Number, PlayersPhrase, SelectorPhrase, key
from ccg.rules.core import selectors
from ccg.rules.core.engine import Branch, Choice, Effect, Engine, Frame
from ccg.rules.core.state import CardNumber, Context, SeatNumber, definition_of
from ccg.rules.effects.steps import AboutPlayers
from ccg.rules.effects.targets import PieceSelector, PlayerSelector, has_deck, holds_cards
from ccg.rules.effects.word import CARDS, Checking, Clause, Compiling, Telling, Voice, Who, Word, Worth
from ccg.rules.effects.words.common import STACKS, Counted, CountedByPlayers
from ccg.rules.rulebook import hands_and_decks, hidden_cards
from ccg.rules.rulebook.sequence import in_sequence

ANY_STACK = "a resource stack you control"
NOT_PUT = "a card that is not in play comes into play by being played"


class Draw(CountedByPlayers, kw_only=True):
    """Players draw cards."""

    verb: ClassVar[str] = "draw"
    group: ClassVar[str] = CARDS
    section: ClassVar[str] = "Glossary"
    worth: ClassVar[Worth] = Worth("cards", 0.8)
    does: ClassVar[Counted] = Counted(lambda seats, amount: [hands_and_decks.Draw(seats, amount)], has_deck)

    draw: Number

    @property
    def brings_about(self) -> tuple[str, ...]:
        return ("draws",)

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        if (self.draw, self.who, teller.x) == ("X", None, "discarded"):
            return Clause(teller.tell("draw.as many", voice))
        return super().wording(teller, voice, more)


class Discard(CountedByPlayers, kw_only=True):
    """Players discard cards of their choice; `hand` is all that they hold."""

    verb: ClassVar[str] = "discard"
    group: ClassVar[str] = CARDS
    section: ClassVar[str] = "Glossary"
    worth: ClassVar[Worth] = Worth("cards", -0.5)
    does: ClassVar[Counted] = Counted(
        lambda seats, amount: in_sequence([hands_and_decks.Discard(seat, amount) for seat in seats]), holds_cards
    )

    discard: Number | Literal["hand"]

    def check(self, check: Checking) -> None:
        if self.discard == "hand":
            check.players("who", self.who)
        else:
            super().check(check)

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        if self.discard == "hand":
            return teller.by(self.who, lambda speaking: teller.tell("discard.hand", speaking), voice)
        return super().wording(teller, voice, more)


class Mill(CountedByPlayers, kw_only=True):
    """The top cards of players' decks go to their discard piles."""

    verb: ClassVar[str] = "mill"
    group: ClassVar[str] = CARDS
    section: ClassVar[str] = "Depleting Your Deck"
    worth: ClassVar[Worth] = Worth("cards", -0.1)
    does: ClassVar[Counted] = Counted(lambda seats, amount: [hands_and_decks.Mill(seats, amount)], has_deck)

    mill: Number

    def template(self, teller: Telling) -> str:
        return "mill" if phrases.amount(self.mill).of is None else "mill.each"


class Search(Word):
    """The player may take a card of that kind from their deck into another zone, and shuffles what is left. A card
    that is sought by its kind is shown to all.
    """

    verb: ClassVar[str] = "search"
    group: ClassVar[str] = CARDS
    section: ClassVar[str] = "Glossary"
    worth: ClassVar[Worth] = Worth("flat", 1.2)

    search: CardsPhrase
    into: Annotated[Destination | None, key("Where to; it is `hand` if it is not said.")] = None

    def check(self, check: Checking) -> None:
        check.cards("search", self.search)
        if self.into == "deck":
            check.wrong("the card is in the deck already", "into")
        elif self.into == "reserve":
            check.wrong(NOT_PUT, "into")

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return SearchDeck(self)

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        any_card = "search.any" if self.search == "card" else "search"
        into = teller.say(f"search into.{self.into or 'hand'}", voice.seen)
        return Clause(teller.tell(any_card, voice, what=teller.cards(self.search), into=into))


class SearchDeck(Effect):
    """The player looks for a card of a kind in their deck and takes it."""

    def __init__(self, word: Search) -> None:
        self.any_card = word.search == "card"
        self.fits = card_test(word.search)
        self.into = word.into or "hand"

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        deck = {definition_of(card) for card in engine.player(context.you).deck}
        wanted = sorted(number for number in deck if self.fits(engine.cards[number]))
        return [hands_and_decks.Search(context.you, wanted, not self.any_card, self.into)]


class TopOfDeck(Word):
    """The top cards of a deck are seen, and arranged; the value says how many."""

    group: ClassVar[str] = CARDS
    section: ClassVar[str] = "Glossary"
    worth: ClassVar[Worth] = Worth("flat", 0.4)

    who: Who = None
    then: Annotated[
        hidden_cards.Then | None,
        key(
            "What is done with the cards: `one on top` and the others to the bottom, a single card "
            "`may go to the bottom`, or `one to the bottom` and the others to hand."
        ),
    ] = None
    by: Annotated[PlayersPhrase | None, key("Which player decides about the cards; `you` if it is not said.")] = None

    @property
    def whom(self) -> str | None:
        return self.who

    def beside(self, form: str, late: bool) -> tuple[str, ...]:
        return ("who", "then") if self.then in (None, "nothing") else super().beside(form, late)

    def check(self, check: Checking) -> None:
        check.players("who", self.who)
        check.players("by", self.by, one=True)
        if self.then == "may go to the bottom" and self.argument != 1:
            check.wrong("'may go to the bottom' is for a single card: look: 1", "then")

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        players = phrases.players(self.who or "you")
        deck = teller.say(f"deck.{players.kind}", *voice, what=teller.most(players))
        size = "one" if self.argument == 1 else "two" if self.argument == 2 else "many"
        verb = self.verb.replace(" ", "_")
        look = teller.tell(verb, voice, size, "many", number=self.argument, deck=deck)
        then = self.then or "nothing"
        by = teller.players(self.by, voice) if self.by is not None else ""
        if by:
            return Clause(teller.tell(f"then by.{then}", voice, size, "many", look=look, by=by), simple=False)
        return Clause(teller.tell(f"then.{then}", voice, size, "many", look=look), simple=then == "nothing")


class Look(TopOfDeck, kw_only=True):
    """The player looks at so many top cards of a deck."""

    verb: ClassVar[str] = "look"

    look: Annotated[int, Meta(ge=1, le=10)]

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return SeeTopOfDeck(self, hidden_cards.Look, compiling, late)


class RevealTop(TopOfDeck, kw_only=True):
    """The player shows so many top cards of a deck to all. Unlike looking it goes on with the new deck where the old
    one ends.
    """

    verb: ClassVar[str] = "reveal top"

    reveal_top: Annotated[int, Meta(ge=1, le=10)]

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return SeeTopOfDeck(self, hidden_cards.RevealTop, compiling, late)


class SeeTopOfDeck(Effect):
    """The top cards of a deck are looked at, or shown to all, and arranged."""

    def __init__(self, word: TopOfDeck, frame: type[hidden_cards.TopCards], compiling: Compiling, late: bool) -> None:
        self.number: int = word.argument
        self.frame = frame
        self.then: hidden_cards.Then = word.then or "nothing"
        self.whose = PlayerSelector(word.who, compiling, late, has_deck)
        self.by = PlayerSelector(word.by, compiling, late)

    def announced(self, engine: Engine, context: Context) -> Iterator[Choice]:
        yield from self.whose.announced()
        yield from self.by.announced()

    def resolved(self, engine: Engine, context: Context) -> Choice | None:
        for choice in (self.whose.resolved(), self.by.resolved()):
            if choice is not None and context.chosen[choice.number] is None:
                return choice
        return None

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        by = next(iter(self.by.found(engine, context)), context.you)
        return [self.frame(context.you, seat, self.number, self.then, by) for seat in self.whose.found(engine, context)]

    def possible(self, engine: Engine, context: Context) -> bool:
        return self.whose.exist(engine, context)

    def branches(self) -> Iterator[Branch]:
        if self.then == "may go to the bottom":
            yield Branch("to the bottom", word="yes")
            yield Branch("stays", word="no")


class RevealHand(Word):
    """Players show their hands to all; the value says which players."""

    verb: ClassVar[str] = "reveal hand"
    group: ClassVar[str] = CARDS
    section: ClassVar[str] = "Glossary"
    worth: ClassVar[Worth] = Worth("flat", 0.1)

    reveal_hand: PlayersPhrase

    @property
    def whom(self) -> str | None:
        return self.reveal_hand

    def check(self, check: Checking) -> None:
        check.players("reveal hand", self.reveal_hand)
        check.has_player()
        check.hand = self.reveal_hand

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return ShowHand(self.reveal_hand, compiling, late)

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        return teller.by(self.reveal_hand, lambda speaking: teller.tell("reveal_hand", speaking), voice)


class ShowHand(AboutPlayers):
    """Players show their hands to all."""

    def __init__(self, who: str, compiling: Compiling, late: bool) -> None:
        self.whose = PlayerSelector(who, compiling, late, holds_cards)

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        seats = self.whose.found(engine, context)
        if len(seats) == 1:
            context.whom = seats[0]
        return [hidden_cards.RevealHand(seats)]


class Take(Word):
    """A card of that kind goes from a hand or discard pile to another zone. It is the player's own, or `who` says
    whose; the player chooses. A target is chosen from their discard pile as the ability is played.
    """

    verb: ClassVar[str] = "take"
    group: ClassVar[str] = CARDS
    section: ClassVar[str] = "Game Zones"
    worth: ClassVar[Worth] = Worth("flat", 1.0)

    take: CardsPhrase
    from_: Annotated[
        Literal["hand", "discard pile"] | None, key("Where from; `discard pile` if it is not said.")
    ] = None  # fmt: skip
    into: Annotated[Destination | None, key("Where to; `deck` is shuffled. It is `hand` if it is not said.")] = None
    who: Who = None

    @property
    def whom(self) -> str | None:
        return self.who

    @property
    def source(self) -> Literal["hand", "discard pile"]:
        """Where the card comes from."""
        return self.from_ or "discard pile"

    def beside(self, form: str, late: bool) -> tuple[str, ...]:
        if phrases.selector(self.take).target and not late:
            return ("from", "into")
        return super().beside(form, late)

    def check(self, check: Checking) -> None:
        check.cards("take", self.take, target=True)
        into = self.into or "hand"
        if into == self.source:
            check.wrong(f"the card is in the {self.source} already", "into")
        elif into == "reserve":
            check.wrong(NOT_PUT, "into")
        if phrases.selector(self.take).target:
            check.chooses()
            if self.source == "hand":
                check.wrong("a card in hand is no target", "take", advice="leave 'target' out")
        check.players("who", self.who)
        theirs = self.who not in (None, "you") and self.source == "hand"
        seen = check.hand and (self.who == "they" or (self.who == check.hand and "target" not in check.hand))
        if theirs and not seen:
            check.wrong(
                "nobody sees the hand of another", "who", advice="let `reveal hand` come before, and say 'they'"
            )

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return TakeCard(self, compiling, late)

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        into = self.into or "hand"
        what = teller.cards(self.take)
        if self.who is None:
            place = teller.say(f"from.{self.source}", *voice)
            return Clause(teller.tell(f"take.{into}", voice, what=what, source=place))
        place = teller.say(f"from theirs.{self.source}")
        return Clause(
            teller.say(f"take.{into}", *voice, your=teller.say("your", "they"), what=what, source=place)
        )  # fmt: skip


class TakeCard(Effect):
    """A card of a kind moves from one zone to another.

    A target in a discard pile is chosen as the ability is played, anything else as it resolves.
    """

    def __init__(self, word: Take, compiling: Compiling, late: bool) -> None:
        self.selector = phrases.selector(word.take)
        self.source = word.source
        self.into = word.into or "hand"
        self.whose = PlayerSelector(word.who, compiling, late, self._can)
        self.early = self.selector.target and not late
        self.number = compiling.choice() if self.early else -1

    def candidates(self, engine: Engine, context: Context) -> list[int]:
        """Return the cards that may be the target, one of each kind."""
        found: dict[int, CardNumber] = {}
        for card in engine.player(context.you).discard:
            if selectors.is_card(engine.card(card), self.selector):
                found.setdefault(definition_of(card), card)
        return sorted(found.values())

    def announced(self, engine: Engine, context: Context) -> Iterator[Choice]:
        if self.early:
            yield Choice(self.number, "cards", self.candidates, what=self.selector)

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        if self.early:
            for card in context.chosen[self.number] or []:
                if card in engine.player(context.you).discard:
                    hidden_cards.move_card(engine, card, self.source, self.into, context.you)
            return []
        return [
            hidden_cards.Take(context.you, seat, self._wanted(engine, seat), self.source, self.into)
            for seat in self.whose.found(engine, context)
        ]

    def _wanted(self, engine: Engine, seat: SeatNumber) -> list[int]:
        player = engine.player(seat)
        zone = player.hand if self.source == "hand" else player.discard
        return sorted({definition_of(card) for card in zone if selectors.is_card(engine.card(card), self.selector)})

    def possible(self, engine: Engine, context: Context) -> bool:
        return bool(self.candidates(engine, context)) if self.early else self.whose.exist(engine, context)

    def _can(self, engine: Engine, context: Context, seat: SeatNumber) -> bool:
        """Return whether there may be such a card: what lies in the hand of another is not known."""
        hidden = self.source == "hand" and seat != context.you
        return holds_cards(engine, context, seat) if hidden else bool(self._wanted(engine, seat))


class Supply(Word):
    """A card goes under a base or an asset as a supply card."""

    verb: ClassVar[str] = "supply"
    group: ClassVar[str] = CARDS
    section: ClassVar[str] = "Resources"
    worth: ClassVar[Worth] = Worth("flat", 0.8)

    supply: Literal["this card", "card in hand"]
    under: Annotated[SelectorPhrase | None, key(f"Under which stack; `{ANY_STACK}` if it is not said.")] = None

    def check(self, check: Checking) -> None:
        if self.under is not None:
            for noun in check.selector("under", self.under).nouns - STACKS:
                named = phrases.with_article(noun)
                check.wrong(f"supply cards lie under bases and assets, not under {named}", "under")
        if self.supply == "this card":
            if check.card != "event" or check.late:
                check.wrong("'this card' is an event that is just being played", "supply", advice="say 'card in hand'")
            if check.moves_this_card():
                check.wrong("'this card' can go to one place only", "supply")
        check.has_names()

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return AddSupplyCard(self, compiling, late)

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        return Clause(
            teller.tell(f"supply.{self.supply}", voice, what=teller.selected(self.under or ANY_STACK, voice))
        )  # fmt: skip


class AddSupplyCard(Effect):
    """A card goes face down under a base or an asset."""

    def __init__(self, word: Supply, compiling: Compiling, late: bool) -> None:
        self.this = word.supply == "this card"
        self.which = PieceSelector(word.under or ANY_STACK, compiling, late)

    def announced(self, engine: Engine, context: Context) -> Iterator[Choice]:
        return self.which.announced()

    def resolved(self, engine: Engine, context: Context) -> Choice | None:
        return self.which.resolved() if self.this or holds_cards(engine, context, context.you) else None

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        card = context.card if self.this else None
        return [hidden_cards.AddSupply(context.you, stack, card) for stack in self.which.found(engine, context)]

    def possible(self, engine: Engine, context: Context) -> bool:
        return self.which.exists(engine, context) and (self.this or holds_cards(engine, context, context.you))


class Shuffle(Word):
    """The player's discard pile is shuffled into their deck."""

    verb: ClassVar[str] = "shuffle"
    group: ClassVar[str] = CARDS
    section: ClassVar[str] = "Depleting Your Deck"
    worth: ClassVar[Worth] = Worth("flat", 0.2)

    shuffle: Literal["discard pile"]

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return ShuffleIn()

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        return Clause(teller.tell(f"shuffle.{self.shuffle}", voice))


class ShuffleIn(Effect):
    """The player's discard pile is shuffled into their deck."""

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        hands_and_decks.shuffle_discard_pile(engine, context.you)
        return []


def card_test(phrase: str) -> Callable[[CardDef], bool]:
    """Return a function that tells whether a card outside play is of the kind that ``phrase`` describes."""
    selector = phrases.selector(phrase)
    return lambda card: selectors.is_card(card, selector)
