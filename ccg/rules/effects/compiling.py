"""From abilities as they are written to scripts as they are performed, once for each card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ccg.rules.cards import phrases
from ccg.rules.cards.definitions import CardDef, Catalog, Requirement, requirement, stays_in_play
from ccg.rules.cards.phrases import PhraseError
from ccg.rules.cards.schema import Ability, Step
from ccg.rules.core import selectors
from ccg.rules.core.engine import (
    NO_SCRIPT,
    ActivatedAbility,
    ContinuousEffect,
    Effect,
    Engine,
    Frame,
    Replacement,
    Script,
    Trigger,
)
from ccg.rules.core.state import Context, Waiting
from ccg.rules.effects import triggers
from ccg.rules.effects.steps import OnPieces, collect_parts
from ccg.rules.effects.word import Paying, Word
from ccg.rules.effects.words.common import LastingChange
from ccg.rules.effects.words.course import Add
from ccg.rules.effects.words.in_play import costs
from ccg.rules.effects.words.influence import Reduce
from ccg.rules.effects.worth import only_harms, only_helps
from ccg.rules.rulebook.resolving import set_off


class AbilityError(ValueError):
    """An ability that cannot be compiled; the message says where in it and why."""


def compile_scripts(catalog: Catalog) -> Catalog:
    """Compile every card of ``catalog``, once, and return ``catalog``; raises :class:`AbilityError`."""
    if not catalog.scripts:
        scripts = tuple(compile_card(card) for card in catalog.cards)
        catalog.occasions = frozenset(kind for s in scripts for t in s.triggers for kind in t.kinds)
        catalog.helping = frozenset(number for number, script in enumerate(scripts) if script.helps)
        catalog.passive = frozenset(number for number, script in enumerate(scripts) if script.passive)
        catalog.adders = any(s.adds is not None for s in scripts)
        catalog.replaced = frozenset(r.kind for s in scripts for r in s.replacements)
        catalog.changes = frozenset(kind for s in scripts for kind in s.changing)
        # Last, as it says that all is there: other threads may begin games with the same new catalogue.
        catalog.scripts = scripts
    return catalog


def compile_card(card: CardDef) -> Script:
    """Compile the abilities of ``card``; raises :class:`AbilityError` naming card and place."""
    if not card.abilities:
        return NO_SCRIPT
    compiler = _Compiler(stays_in_play(card.type, card.keywords))
    for number, ability in enumerate(card.abilities):
        try:
            compiler.add(ability)
        except (PhraseError, ValueError) as error:
            raise AbilityError(f"{card.id} {card.name}, abilities[{number}]: {error}") from error
    return compiler.script(only_helps(card), only_harms(card))


class _Compiler:
    """Collects the parts of one card's script."""

    def __init__(self, stays: bool = True) -> None:
        self.stays = stays
        self.blocks: list[tuple[Effect, ...]] = []
        self.choices = 0
        self.in_cost = self.untargeted = False
        self.paid: tuple[Paying, ...] = ()
        self.effect = self.cost = -1
        self.adds: str | None = None
        self.counts_as: tuple[Requirement, ...] = ()
        self.helps = ""
        self.excluded: selectors.Test | None = None
        self.react: selectors.Test | None = None
        self.condition: Callable[[Engine, Context], bool] | None = None
        self.red = -1
        self.actions: list[ActivatedAbility] = []
        self.triggers: list[Trigger] = []
        self.changes: list[ContinuousEffect] = []
        self.printed: list[int] = []
        self.replacements: list[Replacement] = []

    # -- what words ask for

    def choice(self) -> int:
        """Return the number of a new choice."""
        self.choices += 1
        return self.choices - 1

    def block(self, steps: Sequence[Step], late: bool, cost: bool = False) -> int:
        """Compile ``steps`` as a block and return its number."""
        before, self.in_cost = self.in_cost, cost
        effects = tuple(_word(step).compiled(self, late) for step in steps)
        self.in_cost = before
        collect_parts(effects)
        if cost:
            self.paid += tuple(effect for effect in effects if isinstance(effect, OnPieces))
        self.blocks.append(effects)
        return len(self.blocks) - 1

    def join(self, first: int, second: int) -> int:
        """Return the number of a block with the steps of two others, one after the other."""
        self.blocks.append(self.blocks[first] + self.blocks[second])
        return len(self.blocks) - 1

    def change(self, change: ContinuousEffect) -> int:
        """Add a continuous effect to the script and return its number."""
        self.changes.append(change)
        return len(self.changes) - 1

    # -- the forms of an ability

    def add(self, ability: Ability) -> None:
        """Add one ability of the card."""
        self.paid = ()
        if ability.when is not None:
            self._trigger(ability, ability.when)
        elif ability.instead_of is not None:
            self._replacement(ability, ability.instead_of)
        elif ability.cost is not None:
            cost = self._paid(ability.cost)
            effect = self.block(ability.do, late=False)
            if not self.stays:
                self.cost, self.effect, self.condition = cost, effect, selectors.holds(ability.during)
                return
            self.actions.append(
                ActivatedAbility(cost, effect, selectors.holds(ability.during), ability.once is not None)
            )
        elif ability.counts_as:
            self.counts_as = tuple(requirement(phrase) for phrase in ability.counts_as)
            self.helps = ability.helps or ""
        elif ability.not_by is not None:
            self.excluded = selectors.test(phrases.selector(ability.not_by))
        elif ability.react is not None:
            self.react = triggers.reacting(phrases.occasion(ability.react))
        elif ability.always:
            self._always(ability)
        elif ability.red:
            self.red = self.block(ability.red, late=True)
        elif ability.do:
            self.effect = self.block(ability.do, late=False)
            self.condition = selectors.holds(ability.during)
        else:
            raise AbilityError("an ability does something: do, always or red")

    def _always(self, ability: Ability) -> None:
        for step in ability.always:
            if not isinstance(step, LastingChange):
                raise AbilityError(f"`{_word(step).verb}` is something that happens, and no change that lasts")
            self.printed.append(self.change(step.continuous(ability.while_)))

    def _paid(self, cost: str | list[Step]) -> int:
        """Compile a cost that stands before an effect; it is no effect itself, so it has no targets (ruling 74)."""
        self.untargeted = True
        block = self.block(costs(cost), late=False, cost=True)
        self.untargeted = False
        return block

    def _trigger(self, ability: Ability, when: str) -> None:
        if when == "you spend a resource stack":
            self.adds = next(step.add for step in ability.do if isinstance(step, Add))
            return
        kinds, fits = triggers.trigger_condition(phrases.occasion(when), selectors.holds(ability.during))
        paid = isinstance(ability.may, (str, list))
        cost = self.block(costs(ability.may), late=False, cost=True) if isinstance(ability.may, (str, list)) else -1
        effect = self.block(ability.do, late=False)
        may = paid or ability.may is True
        once = ability.once is not None
        begin = partial(self._set_off, effect, cost, may, once)
        self.triggers.append(Trigger(kinds, fits, begin, effect, cost, may, once))

    def _set_off(self, effect: int, cost: int, may: bool, once: bool, waiting: Waiting) -> Frame:
        waiting.context.chosen = [None] * self.choices
        return set_off(waiting, effect, cost, may, once)

    def _replacement(self, ability: Ability, instead_of: str) -> None:
        kind, fits = triggers.replacing(phrases.occasion(instead_of))
        cost = self.block(costs(ability.may), late=False, cost=True) if isinstance(ability.may, (str, list)) else -1
        effect = self.block(ability.do, late=False)
        instead = not any(isinstance(step, Reduce) for step in ability.do)
        self.replacements.append(Replacement(kind, fits, effect, cost, ability.may is not None, instead))

    def script(self, only_helps: bool, only_harms: bool) -> Script:
        """Return the script of a card that ``only_helps`` what it targets, or ``only_harms`` it, or neither."""
        return Script(
            blocks=tuple(self.blocks),
            choices=self.choices,
            effect=self.effect,
            cost=self.cost,
            condition=self.condition,
            adds=self.adds,
            counts_as=self.counts_as,
            helps=self.helps,
            only_helps=only_helps,
            only_harms=only_harms,
            excluded=self.excluded,
            react=self.react,
            hears=frozenset(kind for trigger in self.triggers for kind in trigger.kinds),
            passive=bool(self.triggers or self.printed or self.replacements),
            red=self.red,
            actions=tuple(self.actions),
            triggers=tuple(self.triggers),
            changes=tuple(self.changes),
            printed_changes=tuple(self.printed),
            changing=frozenset(self.changes[number].kind for number in self.printed),
            replacements=tuple(self.replacements),
        )


def _word(step: Step) -> Word:
    """Return ``step`` as a word of the language; raises :class:`AbilityError` if it is none."""
    if not isinstance(step, Word):
        raise AbilityError(f"{type(step).__name__} is no word of the language")
    return step
