"""What a word of the ability language is: a record that says everything about the word, once.

A step of an ability is a record of a subclass of :class:`Word`. Its fields are the keys that a card file may
write, its docstring is what the reference says of it, and its methods say how it is checked, compiled and put
into words. The schema of card files, the importer's checks, the compiler, the words on the cards, the reference,
what the soak counts and what a computer player thinks of a text are all derived from these classes;
:data:`ccg.rules.effects.language.WORDS` has them all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Protocol, dataclass_transform

from msgspec import Struct

from ccg.rules.cards.definitions import CardType
from ccg.rules.cards.phrases import Amount, Players, Selector
from ccg.rules.cards.schema import ConditionPhrase, PlayersPhrase, SelectorPhrase, Step, Until, key, written
from ccg.rules.core.engine import ContinuousEffect, Effect, Engine
from ccg.rules.core.state import Context, Piece

IN_PLAY = "Cards in play"
INFLUENCE = "Influence"
CARDS = "Hands, decks and discard piles"
CHANGES = "Changes"
VALUES = "Numbers and mystic values"
COURSE = "The course of the game"
STRUCTURE = "Steps within steps"
GROUPS = (IN_PLAY, INFLUENCE, CARDS, CHANGES, VALUES, COURSE, STRUCTURE)
"""The groups of words, in the order in which the reference tells them."""


# ---------------------------------------------------------------- keys that several words take

Who = Annotated[PlayersPhrase | None, key("Which players; `you` if it is not said.")]
Of = Annotated[SelectorPhrase | None, key("Which cards the step is about; `this` if it is not said.")]
While = Annotated[ConditionPhrase | None, key("The change works only while this condition holds.")]
If = Annotated[ConditionPhrase | None, key("The change is made only if this condition holds as the step resolves.")]
Lasts = Annotated[Until | None, key("When the change ends; `end of phase` if it is not said.")]
Do = Annotated[list[Step], key("The steps inside this one.")]


# ---------------------------------------------------------------- what a computer player thinks of it


class Worth(NamedTuple):
    """What a step is worth to the player of the ability, as a rule of thumb.

    ``kind`` says how to read ``value``: "flat" is worth about that on any board; "harm" and "help" are shares of
    the worth of the piece that it is done to; "cards" is for each card, to the player it happens to; "influence"
    for each influence; "power" counts in a challenge alone; "price" is what is given up.
    """

    kind: Literal["flat", "harm", "help", "cards", "influence", "power", "price"] = "flat"
    value: float = 0.0


# ---------------------------------------------------------------- how it is checked


class Checking(Protocol):
    """What a word asks of the importer's check, at the place where the word stands.

    ``card`` is the type of the card; ``late`` says that nothing is chosen here before the step resolves, ``form``
    and ``when`` which ability the step is part of. The first argument of most methods is the key that is checked.
    """

    card: CardType
    form: str
    when: str
    late: bool
    x: bool
    """Whether an earlier step has said what X is."""
    hand: str
    """Whose hand an earlier step has shown, as the phrase says it."""

    def wrong(self, text: str, *keys: str | int, advice: str = "") -> None:
        """Add a problem with the step, or with what stands at ``keys`` in it, and what to do about it."""

    def selector(self, key: str, phrase: str, *, as_played: bool = False, implied: bool = False) -> Selector:
        """Check who or what the step is about, and return it; ``implied`` says that the file does not say it."""

    def names(self, selector: Selector) -> None:
        """Let ``selector`` be "it" in the steps that follow."""

    def has_names(self) -> None:
        """Let "it" and "they" mean something in the steps that follow."""

    def has_player(self) -> None:
        """Let "they" mean a player in the steps that follow."""

    def cards(self, key: str, phrase: str | None, *, target: bool = False) -> None:
        """Check a kind of card that is not in play."""

    def players(self, key: str, phrase: str | None, *, one: bool = False, as_played: bool = False) -> None:
        """Check a phrase for players."""

    def amount(self, key: str, amount: int | str, *, least: int | None = None, lasting: bool = False) -> None:
        """Check how much; ``least`` where less would be nothing."""

    def condition(self, key: str, phrase: str | None) -> None:
        """Check a condition."""

    def known_before(self, key: str, kind: str, phrase: str | int) -> None:
        """Refuse a lasting change of ``kind`` that depends on what is worked out after it."""

    def chooses(self) -> None:
        """Count one more thing that is chosen."""

    def only_as_played(self, what: str) -> None:
        """Refuse ``what`` where choices are made late."""

    def moves_this_card(self) -> bool:
        """Return whether an earlier step of the ability has already moved the card that is being played."""

    def inside(self, key: str, steps: Sequence[Step], *, late: bool = False, offered: Any = None) -> None:
        """Check steps inside the step, with a cost that is ``offered`` before them."""

    def modes(self, key: str, modes: Sequence[Sequence[Step]]) -> None:
        """Check the ways of a choice."""


# ---------------------------------------------------------------- how it is compiled


class Paying(Protocol):
    """What a step of a cost says of the pieces that it is done to."""

    able: Callable[[Engine, Context, Piece], bool]

    @property
    def gives_away(self) -> bool:
        """Whether it makes pieces leave play."""

    def named(self, context: Context) -> list[int]:
        """Return the pieces that are known to be meant as the ability is played."""


class Compiling(Protocol):
    """What a word asks of the compiler: numbers for its choices, and blocks for the steps inside it."""

    in_cost: bool
    """Whether a cost is being compiled: everything in it is chosen as the ability is played."""
    paid: tuple[Paying, ...]
    """What the cost of the ability that is being compiled does to pieces."""
    untargeted: bool
    """Whether that cost stands before an effect: what it names is no target of an effect (ruling 74)."""

    def choice(self) -> int:
        """Return the number of a new choice."""

    def block(self, steps: Sequence[Step], late: bool, cost: bool = False) -> int:
        """Compile ``steps`` and return their number; ``late``: nothing in them is chosen before they resolve."""

    def join(self, first: int, second: int) -> int:
        """Return the number of a block with the steps of two others, one after the other."""

    def change(self, change: ContinuousEffect) -> int:
        """Keep a continuous change and return its number."""


# ---------------------------------------------------------------- how it is put into words


class Voice(NamedTuple):
    """How an act is worded: to them ("do") or of them ("does"), and whether "your" is "their"."""

    mood: Literal["do", "does"] = "do"
    seen: Literal["you", "they"] = "you"


TO_YOU = Voice()
OF_THEM = Voice("does", "they")
WHAT_THEY_MAY = Voice("do", "they")


class Clause(NamedTuple):
    """A piece of a sentence. ``acts`` says that whoever acts is still to be named, or left out; ``later`` that it
    happens at a moment that is yet to come.
    """

    text: str
    acts: bool = True
    simple: bool = True
    later: bool = False


class Telling(Protocol):
    """What a word asks of the teller, which has the templates of one language and knows what was mentioned."""

    words: ModuleType
    last: object
    it: Selector | None
    x: str
    occasion_kind: str
    """The kind of occasion that the ability follows on; nothing where it follows on none."""

    def say(self, key: str, *forms: str, **places: object) -> str:
        """Return the template ``key`` in the form that fits ``forms``, filled."""

    def tell(self, key: str, voice: Voice, *forms: str, **places: object) -> str:
        """Return a template about somebody's doing, filled."""

    def listed(self, parts: Sequence[str], joint: str, before: str = "list.more") -> str:
        """Return ``parts`` joined, the last one by ``joint``."""

    def selected(
        self, phrase: str | Selector, voice: Voice = TO_YOU, place: str = "object", owned: bool = False
    ) -> str:
        """Return the words for pieces, and keep them in mind."""

    def cards(self, phrase: str | Selector) -> str:
        """Return the words for a card of that kind outside play."""

    def kind(self, phrase: str, voice: Voice, number: str) -> str:
        """Return the words for a kind of card, without how many."""

    def players(self, phrase: str | None, voice: Voice) -> str:
        """Return the words for the players meant; none for "you"."""

    def most(self, players: Players) -> str:
        """Return the words for what ``players`` have the most of; nothing where that is not said."""

    def by(self, phrase: str | None, clause: Callable[[Voice], str], voice: Voice) -> Clause:
        """Return what players do: told to the player, or of those whom ``phrase`` names."""

    def amount(self, amount: int | str, signed: bool = False) -> tuple[str, str]:
        """Return the digits of an amount, and whether they are one or many."""

    def measured(self, clause: str, amount: int | str | Amount, voice: Voice = TO_YOU) -> str:
        """Return ``clause`` with what an amount counts or reads."""

    def explained_x(self, clause: str, voice: Voice) -> str:
        """Return ``clause`` with what X is, if that is still to be said."""

    def explain_x_later(self, key: str, phrase: str) -> None:
        """Keep in mind what X is: it is said where X is used."""

    def conditioned(self, key: str, phrase: str, **places: str) -> str:
        """Return the template ``key`` for the kind of the condition ``phrase``."""

    def holding(self, clause: Callable[[], str], phrase: str | None, voice: Voice, of: Selector | None) -> str:
        """Return ``clause`` while the condition ``phrase`` holds; ``of`` is what it is about."""

    def meant(self, selector: Selector) -> Selector:
        """Return what "it" is, if that is what ``selector`` says."""

    def mention(self, selector: Selector) -> None:
        """Keep in mind what was named last, and what "it" then is."""

    def kinds(self, selector: Selector, voice: Voice, number: str, owner: bool = False) -> str:
        """Return the words for the kinds that ``selector`` speaks of, with "other" if it says so."""

    def trait(self, trait: str) -> str:
        """Return the marked noun of a trait."""

    def keyword(self, keyword: str) -> str:
        """Return the marked name of a keyword."""

    def clauses(self, steps: Sequence[Step], voice: Voice) -> list[Clause]:
        """Return the clauses for ``steps``, those together that are done to the same thing."""

    def run(self, steps: Sequence[Step], voice: Voice) -> str:
        """Return ``steps`` as parts of one sentence."""

    def doing(self, steps: Sequence[Step]) -> tuple[str, bool]:
        """Return what somebody named before does, and whether they are the subject of that."""

    def joined(self, clauses: Sequence[Clause]) -> str:
        """Return clauses as one."""

    def freely(self, steps: Sequence[Step], voice: Voice) -> str:
        """Return what may be done or not."""

    def cost(self, steps: Any, voice: Voice = TO_YOU) -> str:
        """Return what is to be done first, all of it together."""

    def offered(self, cost: Any, steps: Sequence[Step], voice: Voice, instead: bool = False) -> str:
        """Return what may be paid, and what is had for it: ``instead`` of what would happen, or beside it."""


# ---------------------------------------------------------------- the word


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Word(
    Struct, Step, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, rename=written
):  # fmt: skip
    """A word of the language; subclasses are the words, and their docstrings what the reference says of them.

    ``verb`` is the key by which a step is known; it has a ``group`` and a ``section`` of the rulebook. ``only``
    names the one form of ability in which it can stand, perhaps with the one occasion ("when: you are challenged").
    """

    verb: ClassVar[str]
    group: ClassVar[str]
    section: ClassVar[str]
    only: ClassVar[str] = ""
    lasting: ClassVar[bool] = False
    """Whether it is a change, which can stand in ``always``."""
    payable: ClassVar[bool] = False
    """Whether it can be a cost."""
    worth: ClassVar[Worth] = Worth()
    unwanted: ClassVar[bool] = False
    """Whether nobody wants it for cards of their own. One that returns to the hand may be wanted: to be played anew."""

    @property
    def argument(self) -> Any:
        """What the file says under the verb."""
        return getattr(self, field_of(type(self), self.verb))

    @property
    def about(self) -> str | None:
        """The phrase for the pieces that it is about, or None."""
        return None

    @property
    def whom(self) -> str | None:
        """The phrase for the players that it is about; None is the player of the ability."""
        return None

    @property
    def brings_about(self) -> tuple[str, ...]:
        """The kinds of occasion that the step brings about whatever else happens."""
        return ()

    def inner(self) -> list[Sequence[Step]]:
        """Return the lists of steps inside this one."""
        return []

    def beside(self, form: str, late: bool) -> tuple[str, ...]:
        """Return the keys that mean something beside the verb where it stands."""
        return tuple(name for name in keys_of(type(self)) if name != self.verb)

    def check(self, check: Checking) -> None:
        """Tell ``check`` everything that is wrong with what is said."""

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        """Return what it does; ``late``: nothing in it is chosen before it resolves."""
        raise NotImplementedError

    def joins(self, other: Step) -> bool:
        """Return whether ``other``, the next step, is told together with this one."""
        return False

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause | None:
        """Return the words for it and for ``more`` steps that join it; None if it is told with the next one."""
        raise NotImplementedError


def keys_of(kind: type[Struct]) -> tuple[str, ...]:
    """Return the keys of a record as they are written."""
    return kind.__struct_encode_fields__


def field_of(kind: type[Struct], key: str) -> str:
    """Return the name of the field that is written as ``key``."""
    return kind.__struct_fields__[kind.__struct_encode_fields__.index(key)]
