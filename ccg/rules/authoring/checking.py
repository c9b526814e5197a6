"""What an ability says has to make sense before a card is let in, so that everything that is let in performs.

Records and phrases are known to be well formed here; what is asked is whether they fit together: one form
to an ability and one verb to a step, only keys that mean something beside that verb (the schema says
which), forms on cards that can use them, words that refer to something, choices made when they can be
made, and nothing that plainly never ends. Problems are collected, none stops the search for others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

from msgspec import Struct

from ccg.rules.authoring import endless
from ccg.rules.authoring.phrase_checking import PhraseChecker, Referents, Surroundings, late_places
from ccg.rules.authoring.records import KeyPath, Problem, fields_of, forms_of
from ccg.rules.cards import phrases
from ccg.rules.cards.definitions import CardType, stays_in_play
from ccg.rules.cards.phrases import Amount, Occasion, Selector
from ccg.rules.cards.schema import Ability, Step
from ccg.rules.effects.language import WORDS
from ccg.rules.effects.word import Word
from ccg.rules.effects.words.common import LastingChange
from ccg.rules.effects.words.course import Add
from ccg.rules.effects.words.in_play import Defeat
from ccg.rules.effects.words.influence import Lose

MOST_STEPS, MOST_CHOICES, DEEPEST = 30, 8, 5
"""How many steps and choices one ability has at most, and how deep steps lie within steps; ours: 5, 4 and 3."""

IN_PLAY: tuple[CardType, ...] = ("base", "personnel", "ship")
FORMS_ON: dict[str, tuple[CardType, ...]] = {
    "do": ("event", "mission"),
    "cost": (*IN_PLAY, "event", "mission"),
    "when": (*IN_PLAY, "mission"),
    "instead of": (*IN_PLAY, "mission"),
    "always": (*IN_PLAY, "mission"),
    "red": ("event", "mission", "personnel", "ship"),
    "counts as": IN_PLAY,
    "not by": ("mission",),
    "react": ("personnel", "ship"),
}
"""On which cards each form of ability can work: a base is never a Cylon threat, an event never lies in play.

A ``cost`` on an event, or on a mission that does not stay, is paid for what is under ``do``.
"""

STAYS = ("when", "instead of", "always")
"""Forms that work only as long as their card lies in play; a mission does so if it is Persistent or linked."""

ONCE_A_CARD = ("do", "red", "counts as", "not by", "react")

PAYABLE = tuple(word.verb for word in WORDS.values() if word.payable)
LASTING = tuple(word.verb for word in WORDS.values() if word.lasting)

ADDING = "you spend a resource stack"
TELLS_OF_PIECE = frozenset({
    "you_challenged", "challenged_by", "challenges", "undefended", "enters", "defeated", "beats_challenger",
    "beats_threat", "beaten_by_threat", "leaves", "wins", "you_resolve", "would_be_defeated",
})  # fmt: skip
TELLS_OF_NOBODY = frozenset({"threats_revealed", "ready_begins", "would_be_defeated", "you_would_lose"})


def check(
    abilities: Sequence[Ability | None], kind: CardType, keywords: Sequence[str], names: Sequence[str] = ()
) -> list[Problem]:
    """Return everything that is wrong with the ``abilities`` of a card of this type; None are those not read.

    ``names`` are its traits and its title, by which its own text may mean it.
    """
    found: list[Problem] = []
    seen: list[str] = []
    for number, ability in enumerate(abilities):
        if ability is None:
            continue
        checker = _Checker(kind, found, names, [one for one in abilities if one is not None])
        form = checker.ability(ability, ("abilities", number), keywords)
        if form in ONCE_A_CARD and form in seen:
            found.append(
                Problem(("abilities", number), f"a card has one ability with `{form}`", advice="put them together")
            )
        seen.append(form)
    return found


class _Checker(PhraseChecker):
    """Checks one ability and adds to ``found`` what is wrong."""

    def __init__(
        self, kind: CardType, found: list[Problem], names: Sequence[str], abilities: Sequence[Ability]
    ) -> None:
        super().__init__(kind, found)
        self.names, self.all = names, abilities
        self.count = self.gone = 0
        self.form = ""

    # -- abilities

    def ability(self, ability: Ability, path: KeyPath, keywords: Sequence[str]) -> str:
        """Check one ability and return its form."""
        keys = _keys_set(ability)
        forms = [key for key in forms_of(Ability) if key in keys and key != "do"]
        if len(forms) > 1:
            self.wrong(
                path, f"has {' and '.join(f'`{form}`' for form in forms)}", advice="make each an ability of its own"
            )
            return ""
        if not forms and "do" not in keys:
            known = ", ".join(f"`{form}`" for form in forms_of(Ability))
            self.wrong(path, "does nothing", advice=f"it needs one of {known}")
            return ""
        form = self.form = (forms or ["do"])[0]
        allowed = {form, *forms_of(Ability)[form]["keys"]}
        for key in keys:
            if key not in allowed:
                self.wrong((*path, key), f"has no meaning with `{form}`")
        self._fits_card(ability, form, path, keywords)
        at_once = form == "cost" and not stays_in_play(self.kind, keywords)
        if at_once:
            self._costly_effect(ability, path)
        else:
            self.forms[form](self, ability, path)
            self._adds_phases(ability, form, path)
        if self.count > MOST_STEPS:
            self.wrong(path, f"has {self.count} steps", advice=f"{MOST_STEPS} are the most")
        if self.choices > MOST_CHOICES:
            self.wrong(path, f"lets {self.choices} things be chosen", advice=f"{MOST_CHOICES} are the most")
        return "do" if at_once else form

    def _adds_phases(self, ability: Ability, form: str, path: KeyPath) -> None:
        """Check that no ability adds phases in which it would do so again: that turn would never end."""
        if form == "do" or ability.once is not None or not endless.adds_phases([*ability.do, *ability.red]):
            return
        advice = (
            "say once: each turn" if "once" in forms_of(Ability)[form]["keys"] else "it is for `do`, `cost` and `when`"
        )
        self.wrong(path, "adds phases in which it could add more, so a turn would never end", advice=advice)

    def _fits_card(self, ability: Ability, form: str, path: KeyPath, keywords: Sequence[str]) -> None:
        if self.kind not in FORMS_ON[form] or (form == "counts as" and self.kind == "base" and not ability.helps):
            more = " without `helps`" if form == "counts as" else ""
            can = [kind for kind in FORMS_ON[form] if kind != "base" or not more]
            self.wrong(
                path,
                f"`{form}`{more} does nothing on {phrases.with_article(self.kind)}",
                advice=f"it is for {' and '.join(can)} cards",
            )
        elif form in STAYS and not stays_in_play(self.kind, keywords):
            self.wrong(path, f"`{form}` works in play, where a mission stays only with the keyword persistent or link")

    def _do(self, ability: Ability, path: KeyPath) -> None:
        self._when_played(ability, path)
        self.steps(ability.do, (*path, "do"), Surroundings("do"), Referents())

    def _when_played(self, ability: Ability, path: KeyPath) -> None:
        """Check when an event may be played."""
        if ability.during is not None and self.kind == "mission":
            self.wrong((*path, "during"), "has no meaning on a mission: it takes effect when it is resolved")
        self.condition(ability.during, (*path, "during"), Referents())

    def _costly_effect(self, ability: Ability, path: KeyPath) -> None:
        """Check an effect with a cost of its own, paid as an event is played or a mission is resolved."""
        referents = Referents()
        self._when_played(ability, path)
        if not isinstance(ability.cost, list):
            self.wrong(
                (*path, "cost"), f"{ability.cost!r} is done to a card that lies in play", advice="here stand steps"
            )
        elif not ability.cost:
            self.wrong((*path, "cost"), "nothing is paid", advice="leave `cost` out")
        else:
            self._pay(ability.cost, (*path, "cost"), Surroundings("cost"), referents)
        if ability.once is not None:
            self.wrong((*path, "once"), "has no meaning here: the card goes when it has taken effect")
        self._needs_do(ability.do, path)
        self.steps(ability.do, (*path, "do"), Surroundings("do"), referents)

    def _cost(self, ability: Ability, path: KeyPath) -> None:
        referents = Referents()
        self.condition(ability.during, (*path, "during"), referents)
        self._pay(ability.cost, (*path, "cost"), Surroundings("cost"), referents)
        if not ability.cost and ability.once is None:
            self.wrong((*path, "cost"), "nothing is paid, so it could be used for ever", advice="say once: each turn")
        elif ability.once is None and endless.undoes_own_cost(ability, self.kind, self.names, self.all):
            self.wrong((*path, "do"), "undoes the cost, so it could be used for ever", advice="say once: each turn")
        elif ability.once is None and endless.gives_nothing_up(ability):
            self.wrong(
                (*path, "cost"), "nothing is given up, so it could be used for ever", advice="say once: each turn"
            )
        elif ability.cost and ability.once is None and endless.may_cost_nothing(ability):
            self.wrong(
                (*path, "cost"), "nothing has to be paid, so it could be used for ever", advice="say once: each turn"
            )
        self._needs_do(ability.do, path)
        self.steps(ability.do, (*path, "do"), Surroundings("cost"), referents)

    def _when(self, ability: Ability, path: KeyPath) -> None:
        assert ability.when is not None
        occasion = phrases.occasion(ability.when)
        if occasion.kind == "you_spend":
            self._adding(ability, path)
            return
        if occasion.kind in ("would_be_defeated", "you_would_lose"):
            self.wrong((*path, "when"), f"{ability.when!r} has not happened yet", advice="say `instead of`")
            return
        referents = Referents(
            occasion.kind in TELLS_OF_PIECE, occasion.kind not in TELLS_OF_NOBODY, occasion.kind == "beats_challenger"
        )
        self._tested(occasion.who, (*path, "when"), Referents())
        self.condition(ability.during, (*path, "during"), referents)
        self.offer(ability.may, path, Surroundings("when", when=ability.when), referents)
        self._needs_do(ability.do, path)
        self.steps(ability.do, (*path, "do"), Surroundings("when", when=ability.when), referents)
        again = any(occasion.kind in _word(step).brings_about for step in ability.do)
        limited = ability.may is not None or ability.once is not None or ability.during is not None
        if again and not limited:
            self.wrong(path, "sets itself off for ever", advice="say may: true, a cost, or once: each turn")

    def _adding(self, ability: Ability, path: KeyPath) -> None:
        """Check a unit that adds a resource to a stack being spent, which is a form of its own."""
        if self.kind not in ("personnel", "ship"):
            self.wrong(
                (*path, "when"), f"only personnel and ships add to a stack, this is {phrases.with_article(self.kind)}"
            )
        if len(ability.do) != 1 or not isinstance(ability.do[0], Add):
            self.wrong((*path, "do"), "is one step with `add` alone")
        if ability.may != "commit":
            self.wrong(path, f"when: {ADDING} needs may: commit")
        for key in _keys_set(ability):
            if key not in ("when", "may", "do"):
                self.wrong((*path, key), f"has no meaning with when: {ADDING}")

    def _instead_of(self, ability: Ability, path: KeyPath) -> None:
        assert ability.instead_of is not None
        occasion = phrases.occasion(ability.instead_of)
        if occasion.kind not in ("would_be_defeated", "you_would_lose"):
            only = "what would be defeated, or 'you would lose influence'"
            self.wrong(
                (*path, "instead of"), f"nothing can happen instead of {ability.instead_of!r}", advice=f"it is {only}"
            )
            return
        referents = Referents(it=occasion.kind == "would_be_defeated")
        self._tested(occasion.who, (*path, "instead of"), Referents())
        self.offer(ability.may, path, Surroundings("instead of", when=ability.instead_of), referents)
        if not ability.do and ability.may in (None, True):
            self.wrong(path, "needs `do`, or `may` with a cost: what happens instead")
        self.steps(ability.do, (*path, "do"), Surroundings("instead of", when=ability.instead_of), referents)
        if occasion.kind == "would_be_defeated":
            again = any(isinstance(step, Defeat) and step.defeat in ("it", "this", "that unit") for step in ability.do)
        else:
            again = any(isinstance(step, Lose) and step.who in (None, "you", "each player") for step in ability.do)
        passed_on = ability.may is None and not self.choices and any(isinstance(step, Lose) for step in ability.do)
        if again:
            self.wrong((*path, "do"), f"brings {ability.instead_of!r} about again, so it would never end")
        elif passed_on and occasion.kind == "you_would_lose":
            text = "is a loss of others, who may have the same card: it would be passed on for ever"
            self.wrong((*path, "do"), text, advice="say may, with a cost")

    def _always(self, ability: Ability, path: KeyPath) -> None:
        self.condition(ability.while_, (*path, "while"), Referents())
        self.steps(ability.always, (*path, "always"), Surroundings("always"), Referents())
        for number, step in enumerate(ability.always):
            if isinstance(step, LastingChange):
                for phrase in filter(None, (ability.while_, step.key("while_"))):
                    self.layer(step.kind, phrases.condition(phrase), (*path, "always", number, "while"))

    def _red(self, ability: Ability, path: KeyPath) -> None:
        self.steps(ability.red, (*path, "red"), Surroundings("red", late=True), Referents(it=False))

    def _counts_as(self, ability: Ability, path: KeyPath) -> None:
        """Nothing more to check: the phrases are read."""

    def _not_by(self, ability: Ability, path: KeyPath) -> None:
        self._tested(phrases.selector(ability.not_by or ""), (*path, "not by"), Referents())

    def _react(self, ability: Ability, path: KeyPath) -> None:
        occasion = phrases.occasion(ability.react or "")
        if occasion.kind not in ("you_challenged", "challenged_by"):
            only = "'you are challenged' or 'you are challenged by a ship'"
            self.wrong((*path, "react"), f"nothing is played from hand as {ability.react!r}", advice=f"it is {only}")
        self._tested(occasion.who, (*path, "react"), Referents())

    forms: ClassVar[dict[str, Callable[[_Checker, Ability, KeyPath], None]]] = {
        "do": _do,
        "cost": _cost,
        "when": _when,
        "instead of": _instead_of,
        "always": _always,
        "red": _red,
        "counts as": _counts_as,
        "not by": _not_by,
        "react": _react,
    }
    """How each form of ability is checked."""

    def _needs_do(self, steps: Sequence[Step], path: KeyPath) -> None:
        if not steps:
            self.wrong(path, "needs `do`: what it does")

    # -- costs

    def offer(self, may: Any, path: KeyPath, where: Surroundings, referents: Referents) -> None:
        if may is False:
            self.wrong((*path, "may"), "is true or a cost", advice="what happens in any case has no `may`")
        elif may not in (None, True):
            self._pay(may, (*path, "may"), where, referents)

    def _pay(self, cost: Any, path: KeyPath, where: Surroundings, referents: Referents) -> None:
        """Check a cost, in words or in steps."""
        if isinstance(cost, list):
            self.steps(cost, path, where._replace(cost=True), referents)
            return
        words = phrases.cost(cost)
        referents.x = True
        if self.kind == "base":
            for word in words:
                if word != "exhaust":
                    self.wrong(path, f"a base can only be exhausted, it has no {word}")

    # -- steps

    def steps(
        self,
        steps: Sequence[Step | None],
        path: KeyPath,
        where: Surroundings,
        referents: Referents,
        single: bool = False,
    ) -> None:
        """Check steps one after another; a ``single`` one stands at the path itself."""
        for number, step in enumerate(steps):
            if step is not None:
                self._step(step, path if single else (*path, number), where, referents)

    def _step(self, step: Step, path: KeyPath, where: Surroundings, referents: Referents) -> None:
        self.count += 1
        word = _word(step)
        allowed = {word.verb, *word.beside(where.form, where.late)}
        for key in _keys_set(word):
            if key not in allowed:
                self.wrong((*path, key), f"has no meaning with `{word.verb}`")
        if not self._stands(word, path, where):
            return
        if where.depth > DEEPEST:
            self.wrong(path, f"lies more than {DEEPEST} steps deep")
            return
        word.check(_At(self, word, path, where, referents))

    def _stands(self, word: Word, path: KeyPath, where: Surroundings) -> bool:
        """Return whether ``word`` can stand where it stands."""
        if where.form == "always" and not word.lasting:
            self.wrong(path, f"`{word.verb}` is something that happens", advice=f"`always` is for {_listed(LASTING)}")
        elif where.cost and not word.payable:
            self.wrong(path, f"`{word.verb}` cannot be a cost", advice=f"costs are {_listed(PAYABLE)}")
        elif word.only and word.only not in (where.form, f"{where.form}: {where.when}"):
            self.wrong(path, f"`{word.verb}` can only stand in `{word.only}`")
        else:
            return True
        return False


class _At:
    """A place where a word stands: what :class:`~ccg.rules.effects.word.Checking` promises to words."""

    def __init__(self, checker: _Checker, word: Word, path: KeyPath, where: Surroundings, referents: Referents) -> None:
        self.checker, self.word, self.path, self.where, self.before = checker, word, path, where, referents
        self.card = checker.kind
        self.form, self.when, self.late = where.form, where.when, where.late

    @property
    def x(self) -> bool:
        """Whether an earlier step has said what X is."""
        return self.before.x

    @x.setter
    def x(self, value: bool) -> None:
        self.before.x = value

    @property
    def hand(self) -> str:
        """Whose hand an earlier step has shown, as the phrase says it."""
        return self.before.hand

    @hand.setter
    def hand(self, value: str) -> None:
        self.before.hand = value

    def wrong(self, text: str, *keys: str | int, advice: str = "") -> None:
        """Add a problem with the step, or with what stands at ``keys`` in it, and what to do about it."""
        self.checker.wrong((*self.path, *keys), text, advice=advice)

    def selector(self, key: str, phrase: str, *, as_played: bool = False, implied: bool = False) -> Selector:
        """Check who or what the step is about, and return it; ``implied`` says that the file does not say it."""
        return self.checker.things(phrase, (*self.path, key), self.where, self.before, as_played, implied)

    def names(self, selector: Selector) -> None:
        """Let ``selector`` be "it" in the steps that follow."""
        if selector.pronoun != "this":
            self.has_names()

    def has_names(self) -> None:
        """Let "it" and "they" mean something in the steps that follow."""
        self.before.it = self.before.whom = True

    def has_player(self) -> None:
        """Let "they" mean a player in the steps that follow."""
        self.before.whom = True

    def cards(self, key: str, phrase: str | None, *, target: bool = False) -> None:
        """Check a kind of card that is not in play."""
        self.checker.cards(phrase, (*self.path, key), target)

    def players(self, key: str, phrase: str | None, *, one: bool = False, as_played: bool = False) -> None:
        """Check a phrase for players."""
        self.checker.people(phrase, (*self.path, key), self.where, self.before, one, as_played)

    def amount(self, key: str, amount: int | str, *, least: int | None = None, lasting: bool = False) -> None:
        """Check how much; ``least`` where less would be nothing."""
        self.checker.amount(amount, (*self.path, key), self.before, least, lasting)

    def condition(self, key: str, phrase: str | None) -> None:
        """Check a condition."""
        self.checker.condition(phrase, (*self.path, key), self.before)

    def known_before(self, key: str, kind: str, phrase: str | int) -> None:
        """Refuse a lasting change of ``kind`` that depends on what is worked out after it."""
        if key == "of":
            asked: Selector | Amount | Occasion = phrases.selector(str(phrase))
        else:
            asked = phrases.condition(str(phrase)) if key == "while" else phrases.amount(phrase)
        self.checker.layer(kind, asked, (*self.path, key))

    def chooses(self) -> None:
        """Count one more thing that is chosen."""
        self.checker.choices += 1

    def only_as_played(self, what: str) -> None:
        """Refuse ``what`` where choices are made late."""
        if self.late:
            inside = late_places(self.where)
            self.wrong(f"`{what}` is chosen as the ability is played", advice=f"it cannot stand in {inside}")

    def moves_this_card(self) -> bool:
        """Return whether an earlier step of the ability has already moved the card that is being played."""
        self.checker.gone += 1
        return self.checker.gone > 1

    def inside(self, key: str, steps: Sequence[Step], *, late: bool = False, offered: Any = None) -> None:
        """Check steps inside the step, with a cost that is ``offered`` before them."""
        where = self.where._replace(late=late or self.late, depth=self.where.depth + 1)
        referents = self.before.copy()
        if offered is not None:
            self.checker.offer(offered, self.path, where, referents)
        if not steps:
            self.wrong(f"`{self.word.verb}` needs `{key}`: what then happens")
        self.checker.steps(steps, (*self.path, key), where, referents)

    def modes(self, key: str, modes: Sequence[Sequence[Step]]) -> None:
        """Check the ways of a choice."""
        where = self.where._replace(depth=self.where.depth + 1)
        for number, mode in enumerate(modes):
            self.checker.steps(mode, (*self.path, key, number), where, self.before.copy(), single=len(mode) == 1)


def _keys_set(record: Struct) -> list[str]:
    """Return the keys that are set in a record, as they are written."""
    fields = ((key, field, getattr(record, field.name)) for key, field in fields_of(type(record)).items())
    return [
        key
        for key, field, value in fields
        if value is not None and (value is not False or key == "may") and (value != [] or field.default is None)
    ]


def _word(step: Step) -> Word:
    assert isinstance(step, Word)
    return step


def _listed(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)
