"""Words about numbers and mystic values: x, reveal, contest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from ccg.rules.cards import phrases
from ccg.rules.cards.schema import AmountPhrase, SelectorPhrase, Step, Until, key
from ccg.rules.core import characteristics, selectors
from ccg.rules.core import state as states
from ccg.rules.core.engine import Branch, Choice, Effect, Engine, Frame
from ccg.rules.core.state import ComingReveal, Context, Piece
from ccg.rules.effects.targets import PieceSelector, PlayerSelector
from ccg.rules.effects.word import VALUES, Checking, Clause, Compiling, Do, Telling, Voice, Who, Word, Worth
from ccg.rules.effects.words.common import STACKS
from ccg.rules.effects.words.hands_and_decks import Discard
from ccg.rules.rulebook import mystic_values
from ccg.rules.rulebook.hands_and_decks import top_card
from ccg.rules.rulebook.resolving import Perform, part_of

READ = ("supply cards", "mystic value")
"""Values that are read from cards in play."""


class X(Word):
    """A number is X from now on: one from 0 `up to` so many, `named` by the player as the ability is played, how many
    `supply cards` lie under `of`, the `mystic value` of `of`, a `revealed mystic value`, or that of the `revealed
    card` on top of the player's deck, which stays there. How many a step was done to is X as well.
    """

    verb: ClassVar[str] = "x"
    group: ClassVar[str] = VALUES
    section: ClassVar[str] = "Meeting Requirements"

    x: Literal["named", "supply cards", "mystic value", "revealed mystic value", "revealed card"]
    of: Annotated[SelectorPhrase | None, key("Which cards it is read from.")] = None
    up_to: Annotated[
        AmountPhrase | Annotated[int, Meta(ge=1, le=20)] | None, key("The largest number that can be named.")
    ] = None

    @property
    def brings_about(self) -> tuple[str, ...]:
        return ("you_reveal",) if self.x == "revealed mystic value" else ()

    def beside(self, form: str, late: bool) -> tuple[str, ...]:
        if self.x in READ:
            return ("of",)
        return ("up to",) if self.x == "named" else ()

    def check(self, check: Checking) -> None:
        if self.x in READ:
            self._check_read(check)
        elif self.x == "named":
            check.chooses()
            check.only_as_played("x: named")
            self._check_named(check)
        check.x = True

    def _check_named(self, check: Checking) -> None:
        if self.up_to is None:
            check.wrong("x: named needs `up to`: the largest number that can be named")
            return
        check.amount("up to", self.up_to, least=1)
        if not phrases.amount(self.up_to).known:
            check.wrong(f"{self.up_to!r} is not known when X is named", "up to")

    def _check_read(self, check: Checking) -> None:
        if self.of is None:
            check.wrong(f"x: {self.x} needs `of`: of what")
            return
        selector = check.selector("of", self.of, as_played=True)
        for noun in selector.nouns:
            if (noun in STACKS) != (self.x == "supply cards") and noun != "card":
                check.wrong(f"{phrases.with_article(noun)} has no {self.x}", "of")
        check.names(selector)

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return ReadValue(self, compiling, late)

    def joins(self, other: Step) -> bool:
        """As many cards as one likes: the number is not named by itself, but by discarding so many."""
        named = (self.x, self.up_to) == ("named", "cards in your hand")
        return named and isinstance(other, Discard) and (other.discard, other.who) == ("X", None)

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause | None:
        teller.x = "discarded" if more else self.x
        if more:
            return Clause(teller.tell("x.named.discarded", voice))
        if self.x in READ:
            teller.explain_x_later(self.x, self.of or "this")
            return None
        text = teller.tell(f"x.{self.x}", voice)
        return Clause(self._bounded(teller, text, self.up_to, voice) if self.up_to is not None else text)

    def _bounded(self, teller: Telling, clause: str, most: str | int, voice: Voice) -> str:
        """Return ``clause`` with the largest number that can be named."""
        amount = phrases.amount(most)
        if amount.value:
            return teller.say(f"x.up to.{amount.value}", *voice, clause=clause)
        shown, _ = teller.amount(most)
        return teller.measured(teller.say("x.up to", clause=clause, number=shown), most, voice)


class ReadValue(Effect):
    """A number is named or read, and is X from then on."""

    def __init__(self, word: X, compiling: Compiling, late: bool) -> None:
        self.kind = word.x
        self.which = PieceSelector(word.of, compiling, late) if word.of is not None else None
        self.number = compiling.choice() if self.kind == "named" else -1
        self.most = selectors.quantity(phrases.amount(word.up_to if word.up_to is not None else 0))

    def announced(self, engine: Engine, context: Context) -> Iterator[Choice]:
        if self.which is not None:
            yield from self.which.announced()
        if self.number >= 0:
            yield Choice(self.number, "number", self._numbers)

    def _numbers(self, engine: Engine, context: Context) -> list[int]:
        """Return what can be named: from nothing up to what the card says (ruling 40)."""
        return list(range(max(0, self.most(engine, context, None)) + 1))

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        if self.kind == "named":
            context.x = (context.chosen[self.number] or [0])[0]
        elif self.kind == "revealed mystic value":
            return [mystic_values.RevealValue(context.you)]
        elif self.kind == "revealed card":
            card = top_card(engine, context.you)
            context.x = 0 if card is None else engine.card(card).mystic or 0
            if card is not None:
                engine.emit("reveal", context.you, card, number=context.x, source="deck")
        elif self.which is not None:
            context.x = sum(self._read(engine, engine.piece(piece)) for piece in self.which.found(engine, context))
        return []

    def _read(self, engine: Engine, piece: Piece) -> int:
        if self.kind == "supply cards":
            return len(piece.supplies)
        return characteristics.mystic(engine, piece)


class Reveal(Word):
    """When `who` next reveals a mystic value for a challenge: one more is revealed and both add up (`sum`), or the
    player chooses which counts (`choose`), or none is revealed and `of` gets X power instead (`skip`). `again`
    replaces the value just revealed by another.
    """

    verb: ClassVar[str] = "reveal"
    group: ClassVar[str] = VALUES
    section: ClassVar[str] = "Revealing a Mystic Value"
    worth: ClassVar[Worth] = Worth("flat", 0.5)

    reveal: Literal["sum", "choose", "skip", "again"]
    who: Who = None
    of: Annotated[SelectorPhrase | None, key("Which cards get the power instead.")] = None
    until: Annotated[Until | None, key("When it ends; `end of turn` if it is not said.")] = None

    @property
    def whom(self) -> str | None:
        return self.who

    @property
    def brings_about(self) -> tuple[str, ...]:
        return ("you_reveal",) if self.reveal == "again" else ()

    def beside(self, form: str, late: bool) -> tuple[str, ...]:
        if self.reveal == "again":
            return ()
        return super().beside(form, late) if self.reveal == "skip" else ("who", "until")

    def check(self, check: Checking) -> None:
        if self.reveal == "again":
            if check.when != "you reveal a mystic value":
                check.wrong("'again' is for when: you reveal a mystic value", "reveal")
            return
        check.players("who", self.who, as_played=True)
        if self.reveal == "skip":
            if not check.x:
                check.wrong("'skip' gives X power: a step before it has to say what X is", "reveal")
            if self.of is None:
                check.wrong("reveal: skip needs `of`: what gets the power instead")
            else:
                check.names(check.selector("of", self.of, as_played=True))

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return ChangeReveal(self, compiling, late)

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        if self.reveal == "again":
            return Clause(teller.tell("reveal.again", voice))
        who = teller.players(self.who, voice)
        seen = "they" if who else "you"
        what = teller.selected(self.of or "this", voice, "subject") if self.reveal == "skip" else ""
        effect = teller.explained_x(teller.say(f"reveal.{self.reveal}", seen, what=what), voice)
        until = f"reveal until.{self.until or 'end of turn'}"
        return Clause(teller.say(until, seen, who=who, effect=effect), acts=False, simple=False)


class ChangeReveal(Effect):
    """What happens when players next reveal a mystic value for a challenge."""

    def __init__(self, word: Reveal, compiling: Compiling, late: bool) -> None:
        self.how = word.reveal
        self.until = states.Until(word.until or "end of turn")
        self.whose = PlayerSelector(word.who, compiling, late)
        self.which = PieceSelector(word.of, compiling, late) if word.of is not None else None
        if self.which is not None:
            self.which.for_power = True

    def announced(self, engine: Engine, context: Context) -> Iterator[Choice]:
        yield from self.whose.announced()
        if self.which is not None:
            yield from self.which.announced()

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        if self.how == "again":
            return [mystic_values.RevealAgain(context.you, context.value)]
        x = context.x
        pieces = self.which.found(engine, context) if self.which is not None else []
        for seat in self.whose.found(engine, context):
            made = part_of(context)
            made.x = x
            engine.state.granted.reveals.append(ComingReveal(seat, self.how, made, pieces, self.until))
        return []


class Contest(Word):
    """Each player reveals a mystic value, anew where they tie; in `do`, "you" is whoever has the highest."""

    verb: ClassVar[str] = "contest"
    group: ClassVar[str] = VALUES
    section: ClassVar[str] = "Revealing a Mystic Value"

    contest: Literal["mystic value"]
    do: Do = []

    @property
    def brings_about(self) -> tuple[str, ...]:
        return ("you_reveal",)

    def inner(self) -> list[Sequence[Step]]:
        return [self.do]

    def check(self, check: Checking) -> None:
        check.inside("do", self.do, late=True)

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return MysticContest(self.do, compiling)

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        effect, acts = teller.doing(self.do)
        template = f"contest.{self.contest}" if acts else f"contest.{self.contest}.other"
        return Clause(teller.say(template, effect=effect), acts=False, simple=False)


class MysticContest(Effect):
    """Each player reveals a mystic value; the steps are for whoever has the highest."""

    def __init__(self, steps: Sequence[Step], compiling: Compiling) -> None:
        self.block = compiling.block(steps, late=True)

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        return [mystic_values.Contest(Perform(context=part_of(context), block=self.block), engine.seats())]

    def branches(self) -> Iterator[Branch]:
        yield Branch("contest won", self.block)
