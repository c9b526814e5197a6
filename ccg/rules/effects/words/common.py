"""What several words have in common: things done so many times by players, and changes that last."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from ccg.rules.cards import phrases
from ccg.rules.cards.phrases import Amount, Selector, number_of
from ccg.rules.cards.schema import Step
from ccg.rules.core import selectors
from ccg.rules.core.engine import ContinuousEffect, Effect, Frame
from ccg.rules.core.state import MODIFIER_KINDS, ModifierKind, SeatNumber, Until
from ccg.rules.effects.steps import ByPlayers, ChangeGame, ChangePieces
from ccg.rules.effects.targets import Can
from ccg.rules.effects.word import CHANGES, Checking, Clause, Compiling, If, Lasts, Of, Telling, Voice, While, Who, Word

STACKS = frozenset({"base", "asset", "resource stack"})
"""Nouns for what lies in a resource area."""


class Counted(NamedTuple):
    """What happens so many times: the frames for players and a number, and whether a player could do it."""

    make: Callable[[list[SeatNumber], int], list[Frame]]
    able: Can


class CountedByPlayers(Word):
    """Something that players do, or that happens to them, so many times; the value says how many."""

    does: ClassVar[Counted]

    who: Who = None

    @property
    def whom(self) -> str | None:
        return self.who

    def check(self, check: Checking) -> None:
        check.amount(self.verb, self.argument, least=1)
        check.players("who", self.who)

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return ByPlayers(self.argument, self.who, compiling, late, *self.does)

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        shown, size = teller.amount(self.argument)

        def clause(speaking: Voice) -> str:
            text = teller.tell(self.template(teller), speaking, size, number=shown)
            return teller.measured(text, self.argument, speaking)

        return teller.by(self.who, clause, voice)

    def template(self, teller: Telling) -> str:
        """Return the name of the template that tells it here."""
        return self.verb


class LastingChange(Word):
    """A change: for a while as a step of an effect, or in force as long as a card is face up in play, in ``always``."""

    group: ClassVar[str] = CHANGES
    section: ClassVar[str] = "Effects"
    lasting: ClassVar[bool] = True
    forbids: ClassVar[bool] = False
    """Whether it says what cannot be done: such changes are told apart from others."""

    @property
    def kind(self) -> ModifierKind:
        """The kind of change, as the engine knows it."""
        return next(kind for kind in MODIFIER_KINDS if kind == self.verb)

    @property
    def word(self) -> str:
        """What the change says beside an amount."""
        return ""

    @property
    def quantity(self) -> Amount:
        """How much."""
        return Amount()

    @property
    def on(self) -> str:
        """The phrase for the pieces that it touches."""
        return "this"

    def key(self, name: str) -> str | None:
        """Return what the file says under ``name``, a key that not every change has."""
        value = getattr(self, name, None)
        return str(value) if value is not None else None

    def continuous(self, while_: str | None = None) -> ContinuousEffect:
        """Return the continuous change, seen from its card, ``while`` something holds."""
        fits = selectors.test(phrases.selector(self.on))
        return ContinuousEffect(self.kind, fits, selectors.quantity(self.quantity), self.word,
                      selectors.holds(self.key("while_") or while_))  # fmt: skip

    def beside(self, form: str, late: bool) -> tuple[str, ...]:
        keys = super().beside(form, late)
        return tuple(name for name in keys if (name in ("of", "while") if form == "always" else name != "while"))

    @property
    def ends(self) -> Until:
        """When it ends, as a step of an effect."""
        return Until(self.key("until") or "end of phase")

    @property
    def told_until(self) -> str:
        """The name of the template that says when it ends."""
        return f"until.{self.key('until') or 'end of phase'}"


class GameChange(LastingChange):
    """A change to the game itself."""

    def check(self, check: Checking) -> None:
        check.condition("while", self.key("while_"))

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return ChangeGame(self.kind, self.word, self.quantity, self.ends)

    def changed(self, teller: Telling, until: str = "") -> str:
        """Return the words for the change; ``until`` is the template that says when it ends, if it does."""
        shown, _ = teller.amount(self.argument, signed=True)
        text = ended(teller, teller.say(self.verb_key, number=shown), until)
        return teller.measured(text, self.argument)

    @property
    def verb_key(self) -> str:
        """The name of its template."""
        return self.verb.replace(" ", "_")

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        return Clause(self.changed(teller, self.told_until), acts=False)


class PieceChange(LastingChange):
    """A change to pieces; ``of`` says which."""

    of: Of = None
    until: Lasts = None
    if_: If = None
    while_: While = None

    @property
    def on(self) -> str:
        return self.of or "this"

    @property
    def about(self) -> str | None:
        return self.of

    def beside(self, form: str, late: bool) -> tuple[str, ...]:
        return ("of", "while") if form == "always" else Word.beside(self, form, late)

    def check(self, check: Checking) -> None:
        self.check_pieces(check)
        self.check_argument(check)
        check.condition("if", self.if_)
        check.condition("while", self.while_)

    def check_pieces(self, check: Checking) -> None:
        """Check which pieces it is on; those that are named are "it" in how much and while what."""
        if self.of is None and check.card == "event":
            check.wrong("needs `of`: an event is not in play, so there is no 'this'")
        selector = check.selector("of", self.on, implied=self.of is None)
        for noun in selector.nouns & STACKS:
            check.wrong(f"`{self.verb}` does nothing to {phrases.with_article(noun)}", "of")
        if check.form == "always" or selector.every:
            check.known_before("of", self.kind, self.on)
            self.check_counted(check)
        if check.form != "always" and self.while_ is not None:
            check.known_before("while", self.kind, self.while_)
        if not selector.every:
            check.names(selector)

    def check_counted(self, check: Checking) -> None:
        """Check that a lasting change does not depend on what is worked out after it."""

    def check_argument(self, check: Checking) -> None:
        """Check what stands under the verb."""

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return ChangePieces(
            self.continuous(), self.quantity, self.on, self.ends, self.if_, self.while_ is not None, compiling, late
        )  # fmt: skip

    def joins(self, other: Step) -> bool:
        if not isinstance(other, PieceChange):
            return False
        same = other.on == "it" or (self.on == other.on and bool(phrases.selector(other.on).pronoun))
        until = (self.until, self.if_, self.while_) == (other.until, other.if_, other.while_)
        return same and until and self.forbids == other.forbids

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        return Clause(self.told_change(teller, voice, more, lasting=False, while_=None), acts=False)

    def told_change(
        self, teller: Telling, voice: Voice, more: Sequence[Word], lasting: bool, while_: str | None
    ) -> str:
        """Return the words for this change and ``more`` to the same thing; ``lasting`` ones have no end."""
        of = phrases.selector(self.on)
        number = "many" if of == Selector(pronoun="them") else number_of(teller.meant(of))

        def clause() -> str:
            who = self.told_pieces(teller, of, voice, number)
            steps = [step for step in (self, *more) if isinstance(step, PieceChange)]
            ends = [""] * (len(steps) - 1) + ["" if lasting else self.told_until]
            told = [step.change_words(teller, number, voice, end) for step, end in zip(steps, ends, strict=True)]
            text = teller.say("changed", what=who, changes=teller.listed(told, "list.changes"))
            return teller.explained_x(text, voice)

        text = teller.holding(clause, self.while_ or while_, voice, of)
        return teller.conditioned("if", self.if_, clause=text) if self.if_ is not None else text

    def told_pieces(self, teller: Telling, of: Selector, voice: Voice, number: str) -> str:
        """Return the words for the pieces, as the subject of the change."""
        return teller.selected(of, voice, "subject")

    def change_words(self, teller: Telling, number: str, voice: Voice, until: str) -> str:
        """Return the words for what changes; ``until`` is the template that says when it ends, if it is said here.

        It stands before what X is: "gets +X power this phase, X being its mystic value".
        """
        raise NotImplementedError


def ended(teller: Telling, clause: str, until: str) -> str:
    """Return ``clause`` with when it ends, by the template ``until`` (none says nothing)."""
    return teller.say(until, clause=clause) if until else clause
