"""From abilities as they are written to scripts as they are performed, once for each card."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ccg.rules import selecting, triggers
from ccg.rules.agenda import NO_SCRIPT, Action, Change, Engine, Frame, Replacement, Script, Trigger, Verb
from ccg.rules.cards import CardDef, Catalog, Requirement, requirement
from ccg.rules.language import phrases
from ccg.rules.language.card_verbs import CARD_VERBS, SacrificeSupplyCard
from ccg.rules.language.course_verbs import COURSE_VERBS
from ccg.rules.language.phrases import PhraseError
from ccg.rules.language.schema import Ability, Step
from ccg.rules.language.verbs import VERBS, continuous, costs, narrow
from ccg.rules.performing import set_off
from ccg.rules.state import Scope, Waiting

ALL_VERBS = {**VERBS, **CARD_VERBS, **COURSE_VERBS}
"""Every verb of the language, from the key of a step to the class that carries it out."""


class AbilityError(ValueError):
    """An ability that cannot be compiled; the message says where in it and why."""


def equip(catalog: Catalog) -> Catalog:
    """Compile every card of ``catalog`` (once) and give it back; raises :class:`AbilityError`."""
    if not catalog.scripts:
        scripts = tuple(compile_card(card) for card in catalog.cards)
        catalog.occasions = frozenset(kind for s in scripts for t in s.triggers for kind in t.kinds)
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
    compiler = _Compiler()
    for number, ability in enumerate(card.abilities):
        try:
            compiler.add(ability)
        except (PhraseError, ValueError) as error:
            raise AbilityError(f"{card.id} {card.name}, abilities[{number}]: {error}") from error
    return compiler.script()


class _Compiler:
    """Collects the parts of one card's script."""

    def __init__(self) -> None:
        self.blocks: list[tuple[Verb, ...]] = []
        self.choices = 0
        self.in_cost = False
        self.effect = -1
        self.adds: str | None = None
        self.counts_as: tuple[Requirement, ...] = ()
        self.helps = ""
        self.excluded: selecting.Test | None = None
        self.react = False
        self.season: Callable[[Engine, Scope], bool] | None = None
        self.red = -1
        self.actions: list[Action] = []
        self.triggers: list[Trigger] = []
        self.changes: list[Change] = []
        self.printed: list[int] = []
        self.replacements: list[Replacement] = []

    # -- what verbs ask for

    def choice(self) -> int:
        """Give the number of a new choice."""
        self.choices += 1
        return self.choices - 1

    def block(self, steps: list[Step], late: bool, cost: bool = False) -> int:
        """Compile ``steps`` and give their number."""
        before, self.in_cost = self.in_cost, cost
        verbs = tuple(self._verb(step, late) for step in steps)
        self.in_cost = before
        if cost:
            narrow(verbs)
        self.blocks.append(verbs)
        return len(self.blocks) - 1

    def join(self, first: int, second: int) -> int:
        """Give the number of a block with the steps of two others, one after the other."""
        self.blocks.append(self.blocks[first] + self.blocks[second])
        return len(self.blocks) - 1

    def change(self, change: Change) -> int:
        """Keep a continuous change and give its number."""
        self.changes.append(change)
        return len(self.changes) - 1

    def _verb(self, step: Step, late: bool) -> Verb:
        said = [name for name in ALL_VERBS if getattr(step, name) is not None and getattr(step, name) is not False]
        if step.x is not None and said != ["x"]:
            said.remove("x")
        if len(said) != 1:
            raise AbilityError(f"a step has exactly one verb, not {' and '.join(said) or 'none'}")
        if step.sacrifice == "a supply card":
            return SacrificeSupplyCard(step, self, late)
        return ALL_VERBS[said[0]](step, self, late)

    # -- the forms of an ability

    def add(self, ability: Ability) -> None:
        """Add one ability of the card."""
        if ability.when is not None:
            self._trigger(ability, ability.when)
        elif ability.instead_of is not None:
            self._replacement(ability, ability.instead_of)
        elif ability.cost is not None:
            cost = self.block(costs(ability.cost), late=False, cost=True)
            effect = self.block(ability.do, late=False)
            self.actions.append(Action(cost, effect, selecting.holds(ability.during), ability.once is not None))
        elif ability.counts_as:
            self.counts_as = tuple(requirement(phrase) for phrase in ability.counts_as)
            self.helps = ability.helps or ""
        elif ability.not_by is not None:
            self.excluded = selecting.test(phrases.selector(ability.not_by))
        elif ability.react is not None:
            self.react = True
        elif ability.always:
            for step in ability.always:
                self.printed.append(self.change(continuous(step, ability.while_)))
        elif ability.red:
            self.red = self.block(ability.red, late=True)
        elif ability.do:
            self.effect = self.block(ability.do, late=False)
            self.season = selecting.holds(ability.during)
        else:
            raise AbilityError("an ability does something: do, always or red")

    def _trigger(self, ability: Ability, when: str) -> None:
        if when == "you spend a resource stack":
            self.adds = next(step.add for step in ability.do)
            return
        kinds, fits = triggers.listening(phrases.occasion(when), selecting.holds(ability.during))
        paid = isinstance(ability.may, (str, list))
        cost = self.block(costs(ability.may), late=False, cost=True) if isinstance(ability.may, (str, list)) else -1
        effect = self.block(ability.do, late=False)
        may = paid or ability.may is True
        once = ability.once is not None
        begin = partial(self._set_off, effect, cost, may, once)
        self.triggers.append(Trigger(kinds, fits, begin, effect, cost, may, once))

    def _set_off(self, effect: int, cost: int, may: bool, once: bool, waiting: Waiting) -> Frame:
        waiting.scope.chosen = [None] * self.choices
        return set_off(waiting, effect, cost, may, once)

    def _replacement(self, ability: Ability, instead_of: str) -> None:
        kind, fits = triggers.replacing(phrases.occasion(instead_of))
        cost = self.block(costs(ability.may), late=False, cost=True) if isinstance(ability.may, (str, list)) else -1
        effect = self.block(ability.do, late=False)
        instead = all(step.reduce is None for step in ability.do)
        self.replacements.append(Replacement(kind, fits, effect, cost, ability.may is not None, instead))

    def script(self) -> Script:
        """Give the script."""
        return Script(
            blocks=tuple(self.blocks),
            choices=self.choices,
            effect=self.effect,
            season=self.season,
            adds=self.adds,
            counts_as=self.counts_as,
            helps=self.helps,
            excluded=self.excluded,
            react=self.react,
            passive=bool(self.triggers or self.printed or self.replacements),
            red=self.red,
            actions=tuple(self.actions),
            triggers=tuple(self.triggers),
            changes=tuple(self.changes),
            printed_changes=tuple(self.printed),
            changing=frozenset(self.changes[number].kind for number in self.printed),
            replacements=tuple(self.replacements),
        )
