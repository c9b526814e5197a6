"""What an ability says has to make sense before a card is let in, so that everything that is let in performs.

Records and phrases are known to be well formed here; what is asked is whether they fit together: one form
to an ability and one verb to a step, only keys that mean something beside that verb (the schema says
which), forms on cards that can use them, words that refer to something, choices made when they can be
made, and nothing that plainly never ends. Problems are collected, none stops the search for others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, get_args

from msgspec import Struct

from ccg.rules import characteristics
from ccg.rules.cards import CardDef, CardType, KeywordName, requirement
from ccg.rules.language import phrases, verbs
from ccg.rules.language.phrases import Amount, Description, Occasion, Selector
from ccg.rules.language.schema import Ability, Step
from ccg.rules.records import Path, Problem, did_you_mean, fields_of, forms_of, phrase_of, verbs_of

MOST_STEPS, MOST_CHOICES, DEEPEST = 30, 8, 5
"""How many steps and choices one ability has at most, and how deep steps lie within steps; ours: 5, 4 and 3."""

IN_PLAY: tuple[CardType, ...] = ("base", "personnel", "ship")
FORMS_ON: dict[str, tuple[CardType, ...]] = {
    "do": ("event", "mission"),
    "cost": (*IN_PLAY, "mission"),
    "when": (*IN_PLAY, "mission"),
    "instead of": (*IN_PLAY, "mission"),
    "always": (*IN_PLAY, "mission"),
    "red": ("event", "mission", "personnel", "ship"),
    "counts as": IN_PLAY,
    "not by": ("mission",),
    "react": ("personnel", "ship"),
}
"""On which cards each form of ability can work: a base is never a Cylon threat, an event never lies in play."""

STAYS = ("cost", "when", "instead of", "always")
"""Forms that work only as long as their card lies in play; a mission does so if it is Persistent or linked."""

ONCE_A_CARD = ("do", "red", "counts as", "not by", "react")

PIECES = tuple(name for name, _, _ in verbs.DONE_TO_PIECES)
COSTS = (*PIECES, "put")
AMOUNTS = ("gain", "lose", "draw", "discard", "mill", "reduce")
LASTING = ("power", "threat", "gains", "loses", "cannot", "fleet", "prevent", "price", "revealed", "not singular")
ON_PIECES = ("power", "threat", "gains", "loses", "cannot")
STACKS = frozenset({"base", "asset", "resource stack"})
UNITS = frozenset({"unit", "personnel", "ship", "mission", "card"})
OUT_OF_PLAY = ("defeat", "sacrifice", "put")
"""Verbs that take pieces out of play or move them, and never do that to a base."""

MAY_BE_BASE = {"card": "'unit', 'mission' or 'asset'", "resource stack": "'asset'"}
"""Nouns that mean bases, too, and what is to be said where no base can be meant."""

NO_BASE = frozenset({
    "alert", "reserve", "challenging", "defending", "singular", "unresolved", "persistent", "linked",
    "against_threat", "challenging_you", "challenging_you_alone",
})  # fmt: skip
"""Words and suffixes that are true of no base."""

IN_RESERVE = frozenset({"unit", "personnel", "ship", "mission"})
AS_PLAYED = ("x", "reveal", "immune", "exchange", "split", "goes first")
"""Verbs whose choices are made as the ability is played and at no other time."""

OF_ONE = ("goes first", "by")
"""Keys that name one player."""

ADDING = "you spend a resource stack"
KEYWORDS = frozenset(get_args(KeywordName))

LAYERS = {"trait": 0, "keyword": 1, "power": 2, "threat": 3}
"""Changes that last are worked out in this order; one may only ask for what is worked out before it."""

TELLS_OF_PIECE = frozenset({
    "you_challenged", "challenges", "undefended", "challenge_ends", "enters", "defeated", "beats_challenger",
    "beats_threat", "beaten_by_threat", "leaves", "wins", "you_resolve", "would_be_defeated",
})  # fmt: skip
TELLS_OF_NOBODY = frozenset({"threats_revealed", "ready_begins", "would_be_defeated", "you_would_lose"})
AGAIN: dict[str, Callable[[Step], bool]] = {
    "you_reveal": lambda step: step.x == "revealed mystic value" or step.reveal == "again" or step.contest is not None,
    "threats_revealed": lambda step: step.threats is not None,
}
"""Occasions, and the steps that bring them about again whatever else happens."""


def check(abilities: Sequence[Ability | None], kind: CardType, keywords: Sequence[str]) -> list[Problem]:
    """Give everything that is wrong with the ``abilities`` of a card of this type; None are those not read."""
    found: list[Problem] = []
    seen: list[str] = []
    for number, ability in enumerate(abilities):
        if ability is None:
            continue
        checker = _Checker(kind, found)
        form = checker.ability(ability, ("abilities", number), keywords)
        if form in ONCE_A_CARD and form in seen:
            found.append(Problem(("abilities", number), f"a card has one ability with `{form}`; put them together"))
        seen.append(form)
    return found


class _Said(Struct):
    """What words can refer to at some point of an ability."""

    it: bool = False
    whom: bool = False
    x: bool = False
    hand: str = ""

    def copy(self) -> _Said:
        return _Said(self.it, self.whom, self.x, self.hand)


class _Where(NamedTuple):
    """Where a step stands: the form of its ability, whether choices are made late, whether it is paid as a cost."""

    form: str
    late: bool = False
    cost: bool = False
    when: str = ""
    depth: int = 1


class _Checker:
    """Looks through one ability and adds to ``found`` what is wrong."""

    def __init__(self, kind: CardType, found: list[Problem]) -> None:
        self.kind = kind
        self.found = found
        self.count = self.choices = self.gone = 0
        self.form = ""

    def wrong(self, path: Path, text: str) -> None:
        """Add a problem."""
        self.found.append(Problem(path, text))

    # -- abilities

    def ability(self, ability: Ability, path: Path, keywords: Sequence[str]) -> str:
        """Check one ability and give its form."""
        said = _said(ability)
        forms = [key for key in forms_of(Ability) if key in said and key != "do"]
        if len(forms) > 1:
            self.wrong(path, f"has {' and '.join(f'`{form}`' for form in forms)}; make each an ability of its own")
            return ""
        if not forms and "do" not in said:
            self.wrong(path, "does nothing; it needs one of " + ", ".join(f"`{form}`" for form in forms_of(Ability)))
            return ""
        form = self.form = (forms or ["do"])[0]
        allowed = {form, *forms_of(Ability)[form]["keys"]}
        for key in said:
            if key not in allowed:
                self.wrong((*path, key), f"has no meaning with `{form}`")
        self._fits_card(ability, form, path, keywords)
        getattr(self, f"_{form.replace(' ', '_')}")(ability, path)
        if self.count > MOST_STEPS:
            self.wrong(path, f"has {self.count} steps; {MOST_STEPS} are the most")
        if self.choices > MOST_CHOICES:
            self.wrong(path, f"lets {self.choices} things be chosen; {MOST_CHOICES} are the most")
        return form

    def _fits_card(self, ability: Ability, form: str, path: Path, keywords: Sequence[str]) -> None:
        if self.kind not in FORMS_ON[form] or (form == "counts as" and self.kind == "base" and not ability.helps):
            more = " without `helps`" if form == "counts as" else ""
            can = [kind for kind in FORMS_ON[form] if kind != "base" or not more]
            self.wrong(path, f"`{form}`{more} does nothing on {_a(self.kind)}; it is for {' and '.join(can)} cards")
        elif form in STAYS and self.kind == "mission" and not {"persistent", "link"}.intersection(keywords):
            self.wrong(path, f"`{form}` works in play, where a mission stays only with the keyword persistent or link")

    def _do(self, ability: Ability, path: Path) -> None:
        if ability.during is not None and self.kind == "mission":
            self.wrong((*path, "during"), "has no meaning on a mission: it takes effect when it is resolved")
        self._condition(ability.during, (*path, "during"), _Said())
        self._steps(ability.do, (*path, "do"), _Where("do"), _Said())

    def _cost(self, ability: Ability, path: Path) -> None:
        said = _Said()
        self._condition(ability.during, (*path, "during"), said)
        self._pay(ability.cost, (*path, "cost"), _Where("cost"), said)
        if not ability.cost and ability.once is None:
            self.wrong((*path, "cost"), "nothing is paid, so it could be used for ever; say once: each turn")
        if ability.once is None and self._undone(ability):
            self.wrong((*path, "do"), "undoes the cost, so it could be used for ever; say once: each turn")
        self._needs_do(ability.do, path)
        self._steps(ability.do, (*path, "do"), _Where("cost"), said)

    def _undone(self, ability: Ability) -> bool:
        """Whether the effect puts the card back as it was before the cost was paid."""
        if not isinstance(ability.cost, str):
            return False
        back = {"commit": "ready", "exhaust": "restore"}
        undo = [back.get(word) for word in ability.cost.split(" and ")]
        return all(name and any(getattr(step, name) == "this" for step in ability.do) for name in undo)

    def _when(self, ability: Ability, path: Path) -> None:
        assert ability.when is not None
        occasion = phrases.occasion(ability.when)
        if occasion.kind == "you_spend":
            self._adding(ability, path)
            return
        if occasion.kind in ("would_be_defeated", "you_would_lose"):
            self.wrong((*path, "when"), f"{ability.when!r} has not happened yet; say `instead of`")
            return
        said = _Said(
            occasion.kind in TELLS_OF_PIECE, occasion.kind not in TELLS_OF_NOBODY, occasion.kind == "beats_challenger"
        )
        self._tested(occasion.who, (*path, "when"), _Said())
        self._condition(ability.during, (*path, "during"), said)
        self._offer(ability.may, path, _Where("when", when=ability.when), said)
        self._needs_do(ability.do, path)
        self._steps(ability.do, (*path, "do"), _Where("when", when=ability.when), said)
        again = AGAIN.get(occasion.kind)
        limited = ability.may is not None or ability.once is not None or ability.during is not None
        if again is not None and not limited and any(map(again, ability.do)):
            self.wrong(path, "sets itself off for ever; say may: true, a cost, or once: each turn")

    def _adding(self, ability: Ability, path: Path) -> None:
        """Check a unit that adds a resource to a stack being spent, which is a form of its own."""
        if self.kind not in ("personnel", "ship"):
            self.wrong((*path, "when"), f"only personnel and ships add to a stack, this is {_a(self.kind)}")
        if len(ability.do) != 1 or _said(ability.do[0]) != ["add"]:
            self.wrong((*path, "do"), "is one step with `add` alone")
        if ability.may != "commit":
            self.wrong(path, f"when: {ADDING} needs may: commit")
        for key in _said(ability):
            if key not in ("when", "may", "do"):
                self.wrong((*path, key), f"has no meaning with when: {ADDING}")

    def _instead_of(self, ability: Ability, path: Path) -> None:
        assert ability.instead_of is not None
        occasion = phrases.occasion(ability.instead_of)
        if occasion.kind not in ("would_be_defeated", "you_would_lose"):
            only = "what would be defeated, or 'you would lose influence'"
            self.wrong((*path, "instead of"), f"nothing can happen instead of {ability.instead_of!r}; it is {only}")
            return
        said = _Said(it=occasion.kind == "would_be_defeated")
        self._tested(occasion.who, (*path, "instead of"), _Said())
        self._offer(ability.may, path, _Where("instead of", when=ability.instead_of), said)
        if not ability.do and ability.may in (None, True):
            self.wrong(path, "needs `do`, or `may` with a cost: what happens instead")
        self._steps(ability.do, (*path, "do"), _Where("instead of", when=ability.instead_of), said)
        if occasion.kind == "would_be_defeated":
            again = any(step.defeat in ("it", "this", "that unit") for step in ability.do)
        else:
            again = any(step.lose is not None and step.who in (None, "you", "each player") for step in ability.do)
        if again:
            self.wrong((*path, "do"), f"brings {ability.instead_of!r} about again, so it would never end")

    def _always(self, ability: Ability, path: Path) -> None:
        self._condition(ability.while_, (*path, "while"), _Said())
        self._steps(ability.always, (*path, "always"), _Where("always"), _Said())
        for number, step in enumerate(ability.always):
            for phrase in (ability.while_, step.while_ if step is not None else None):
                if phrase is not None and any(verb in LASTING for verb in _said(step)):
                    self._layer(step, phrases.condition(phrase), "while", (*path, "always", number))

    def _red(self, ability: Ability, path: Path) -> None:
        self._steps(ability.red, (*path, "red"), _Where("red", late=True), _Said(it=False))

    def _counts_as(self, ability: Ability, path: Path) -> None:
        """Nothing more to check: the phrases are read."""

    def _not_by(self, ability: Ability, path: Path) -> None:
        self._tested(phrases.selector(ability.not_by or ""), (*path, "not by"), _Said())

    def _react(self, ability: Ability, path: Path) -> None:
        """Nothing more to check: there is one thing that it can say."""

    def _needs_do(self, steps: Sequence[Step], path: Path) -> None:
        if not steps:
            self.wrong(path, "needs `do`: what it does")

    # -- costs

    def _offer(self, may: Any, path: Path, where: _Where, said: _Said) -> None:
        if may is False:
            self.wrong((*path, "may"), "is true or a cost; what happens in any case has no `may`")
        elif may not in (None, True):
            self._pay(may, (*path, "may"), where, said)

    def _pay(self, cost: Any, path: Path, where: _Where, said: _Said) -> None:
        """Check a cost, in words or in steps."""
        if isinstance(cost, list):
            self._steps(cost, path, where._replace(cost=True), said)
            return
        words = phrases.cost(cost)
        said.x = True
        if self.kind == "base":
            for word in words:
                if word != "exhaust":
                    self.wrong(path, f"a base can only be exhausted, it has no {word}")

    # -- steps

    def _steps(self, steps: Sequence[Step | None], path: Path, where: _Where, said: _Said) -> None:
        for number, step in enumerate(steps):
            if step is not None:
                self._step(step, (*path, number), where, said)

    def _step(self, step: Step, path: Path, where: _Where, said: _Said) -> None:
        self.count += 1
        keys = _said(step)
        known = verbs_of(Step)
        names = [key for key in keys if key in known]
        if len(names) != 1:
            has = " and ".join(f"`{name}`" for name in names)
            self.wrong(path, f"has {has}; make each a step of its own" if names else "needs a verb")
            return
        verb = names[0]
        allowed = {verb, *self._beside(step, verb, where)}
        for key in keys:
            if key not in allowed:
                self.wrong((*path, key), f"has no meaning with `{verb}`")
        if not self._stands(verb, path, where):
            return
        if where.depth > DEEPEST:
            self.wrong(path, f"lies more than {DEEPEST} steps deep")
            return
        special = getattr(self, f"_v_{verb.replace(' ', '_')}", None)
        if special is not None:
            special(step, path, where, said)
        elif verb in PIECES or verb == "put":
            self._pieces(step, verb, path, where, said)
        elif verb in AMOUNTS:
            self._amount(getattr(step, fields_of(Step)[verb].name), (*path, verb), said, least=1)
            self._people(step.who, (*path, "who"), where, said)
        elif verb in LASTING:
            self._change(step, verb, path, where, said)

    def _beside(self, step: Step, verb: str, where: _Where) -> tuple[str, ...]:
        """Give the keys that mean something beside ``verb`` where it stands."""
        keys: tuple[str, ...] = verbs_of(Step)[verb]["keys"]
        if where.form == "always":
            return tuple(key for key in keys if key in ("of", "while"))
        if verb == "x" and step.x not in ("supply cards", "mystic value"):
            return ()
        if verb == "reveal" and step.reveal == "again":
            return ()
        if verb == "reveal" and step.reveal != "skip":
            return ("who", "until")
        if verb == "look" and step.then in (None, "nothing"):
            return ("who", "then", "shown")
        if verb == "take" and phrases.selector(step.take or "").target and not where.late:
            return ("from", "into")
        return tuple(key for key in keys if key != "while" or verb in ON_PIECES)

    def _stands(self, verb: str, path: Path, where: _Where) -> bool:
        """Whether ``verb`` can stand where it stands."""
        only = verbs_of(Step)[verb]["only"]
        if where.form == "always" and verb not in LASTING:
            self.wrong(path, f"`{verb}` is something that happens; `always` is for {_listed(LASTING)}")
        elif where.cost and verb not in COSTS:
            self.wrong(path, f"`{verb}` cannot be a cost; costs are {_listed(COSTS)}")
        elif only and only != where.form and only != f"when: {where.when}":
            self.wrong(path, f"`{verb}` can only stand in `{only}`")
        elif verb == "reduce" and where.when != "you would lose influence":
            self.wrong(path, "`reduce` is for instead of: you would lose influence")
        else:
            return True
        return False

    # -- verbs on pieces

    def _pieces(self, step: Step, verb: str, path: Path, where: _Where, said: _Said) -> None:
        phrase = getattr(step, verb)
        if verb == "sacrifice" and phrase == "a supply card":
            return
        place = (*path, verb)
        selector = self._things(phrase, place, where, said)
        for noun in _nouns(selector):
            if verb in ("ready", "commit") and noun not in UNITS:
                self.wrong(place, f"{_a(noun)} is neither readied nor committed")
            elif verb in OUT_OF_PLAY and noun == "base":
                self.wrong(place, "a base never leaves play")
            elif step.put is not None and step.into == "reserve" and noun not in IN_RESERVE:
                self.wrong(place, f"{_a(noun)} does not go to reserve; only units and missions lie there")
            elif verb in OUT_OF_PLAY and _may_be_base(selector, noun):
                self.wrong(place, f"{_a(noun)} may be a base, and a base never leaves play; say {MAY_BE_BASE[noun]}")
        base = selector.pronoun == "your base" or (selector.pronoun == "this" and self.kind == "base")
        if base and verb not in ("exhaust", "restore"):
            self.wrong(place, "a base can only be exhausted and restored")
        self._names(selector, said)
        said.x = True

    def _names(self, selector: Selector, said: _Said) -> None:
        """Let what a step was about be "it" from then on."""
        if selector.pronoun != "this":
            said.it = said.whom = True

    def _change(self, step: Step, verb: str, path: Path, where: _Where, said: _Said) -> None:
        """Check a change that lasts."""
        name = fields_of(Step)[verb].name
        lasting = where.form == "always"
        if verb in ON_PIECES:
            self._on_pieces(step, verb, path, where, said)
        elif verb == "not singular":
            self._cards(step.not_singular, (*path, verb))
        elif verb == "revealed":
            self._cards(step.of, (*path, "of"))
        if verb == "loses" and (step.loses or "").lower() in characteristics.KEYWORDS:
            self.wrong((*path, verb), "keywords are gained, not lost; `loses` is for traits")
        if verb in ("power", "threat", "fleet", "revealed"):
            self._amount(getattr(step, name), (*path, verb), said, lasting=lasting)
        self._condition(step.if_, (*path, "if"), said)
        self._condition(step.while_, (*path, "while"), said)

    def _on_pieces(self, step: Step, verb: str, path: Path, where: _Where, said: _Said) -> None:
        """Check which pieces a change is on; those that are named are "it" in how much and while what."""
        if step.of is None and self.kind == "event":
            self.wrong(path, "needs `of`: an event is not in play, so there is no 'this'")
        selector = self._things(step.of or "this", (*path, "of"), where, said, quiet=step.of is None)
        for noun in _nouns(selector):
            if noun in STACKS:
                self.wrong((*path, "of"), f"`{verb}` does nothing to {_a(noun)}")
        if where.form == "always" or selector.every:
            self._layer(step, selector, "of", path)
            if verb in ("power", "threat"):
                self._layer(step, phrases.amount(getattr(step, verb)), verb, path)
        if where.form != "always" and step.while_ is not None:
            self._layer(step, phrases.condition(step.while_), "while", path)
        if not selector.every:
            self._names(selector, said)

    def _layer(self, step: Step, asked: Selector | Amount | Occasion, key: str, path: Path) -> None:
        """Refuse a change that would have to be known before it can be worked out."""
        kind = verbs.change_of(step)[0] if step.price is None else "price"
        own = LAYERS.get(kind, 9)
        needs = _asks(asked)
        if kind == "trait" and key == "of":
            needs -= {0}  # of gained and lost traits the latest counts (ruling 47)
        for layer in sorted(needs):
            if layer >= own:
                word = next(name for name, number in LAYERS.items() if number == layer)
                self.wrong((*path, key), f"asks for {word}, so a lasting change of {kind} cannot depend on it")

    # -- verbs of their own

    def _v_discard(self, step: Step, path: Path, where: _Where, said: _Said) -> None:
        if step.discard != "hand":
            self._amount(step.discard, (*path, "discard"), said, least=1)
        self._people(step.who, (*path, "who"), where, said)

    def _v_search(self, step: Step, path: Path, where: _Where, said: _Said) -> None:
        self._cards(step.search, (*path, "search"))

    def _v_look(self, step: Step, path: Path, where: _Where, said: _Said) -> None:
        self._people(step.who, (*path, "who"), where, said)
        self._people(step.by, (*path, "by"), where, said, one=True)
        if step.then == "may go to the bottom" and step.look != 1:
            self.wrong((*path, "then"), "'may go to the bottom' is for a single card: look: 1")

    def _v_reveal_hand(self, step: Step, path: Path, where: _Where, said: _Said) -> None:
        self._people(step.reveal_hand, (*path, "reveal hand"), where, said)
        said.whom = True
        said.hand = step.reveal_hand or ""

    def _v_take(self, step: Step, path: Path, where: _Where, said: _Said) -> None:
        self._cards(step.take, (*path, "take"), target=True)
        source, into = step.from_ or "discard pile", step.into or "hand"
        if into == source:
            self.wrong((*path, "into"), f"the card is in the {source} already")
        elif into == "reserve":
            self.wrong((*path, "into"), "a card that is not in play comes into play by being played")
        if phrases.selector(step.take or "").target:
            self.choices += 1
            if source == "hand":
                self.wrong((*path, "take"), "a card in hand is no target; leave 'target' out")
        self._people(step.who, (*path, "who"), where, said)
        theirs = step.who not in (None, "you") and source == "hand"
        seen = said.hand and (step.who == "they" or (step.who == said.hand and "target" not in said.hand))
        if theirs and not seen:
            self.wrong((*path, "who"), "nobody sees the hand of another; let `reveal hand` come before, and say 'they'")

    def _v_supply(self, step: Step, path: Path, where: _Where, said: _Said) -> None:
        if step.under is not None:
            selector = self._things(step.under, (*path, "under"), where, said)
            for noun in _nouns(selector):
                if noun not in STACKS:
                    self.wrong((*path, "under"), f"supply cards lie under bases and assets, not under {_a(noun)}")
        if step.supply == "this card" and (self.kind != "event" or where.late):
            self.wrong((*path, "supply"), "'this card' is an event that is just being played; say 'card in hand'")
        if step.supply == "this card":
            self.gone += 1
            if self.gone > 1:
                self.wrong((*path, "supply"), "'this card' can go to one place only")
        said.it = said.whom = True

    def _v_exchange(self, step: Step, path: Path, where: _Where, said: _Said) -> None:
        selector = self._things(step.exchange or "", (*path, "exchange"), where, said, as_played=True)
        mine = all(("yours", "") in description.suffixes for description in selector.descriptions)
        if (
            not selector.target
            or selector.most != 1
            or not mine
            or not _nouns(selector) <= {"unit", "personnel", "ship"}
        ):
            self.wrong((*path, "exchange"), "is one target unit you control, as 'target personnel you control'")
        self.choices += 1
        self._not_late("exchange", path, where)

    def _v_split(self, step: Step, path: Path, where: _Where, said: _Said) -> None:
        self._cards(step.split, (*path, "split"), target=True)
        self.choices += 1
        self._not_late("split", path, where)

    def _v_x(self, step: Step, path: Path, where: _Where, said: _Said) -> None:
        if step.x in ("supply cards", "mystic value"):
            if step.of is None:
                self.wrong(path, f"x: {step.x} needs `of`: of what")
            else:
                selector = self._things(step.of, (*path, "of"), where, said, as_played=True)
                for noun in _nouns(selector):
                    if (noun in STACKS) != (step.x == "supply cards") and noun != "card":
                        self.wrong((*path, "of"), f"{_a(noun)} has no {step.x}")
                self._names(selector, said)
        elif step.x == "named":
            self.choices += 1
            self._not_late("x: named", path, where)
        said.x = True

    def _v_reveal(self, step: Step, path: Path, where: _Where, said: _Said) -> None:
        if step.reveal == "again":
            if where.when != "you reveal a mystic value":
                self.wrong((*path, "reveal"), "'again' is for when: you reveal a mystic value")
            return
        self._people(step.who, (*path, "who"), where, said, as_played=True)
        if step.reveal == "skip":
            if not said.x:
                self.wrong((*path, "reveal"), "'skip' gives X power: a step before it has to say what X is")
            if step.of is None:
                self.wrong(path, "reveal: skip needs `of`: what gets the power instead")
            else:
                self._names(self._things(step.of, (*path, "of"), where, said, as_played=True), said)

    def _v_goes_first(self, step: Step, path: Path, where: _Where, said: _Said) -> None:
        self._people(step.goes_first, (*path, "goes first"), where, said, one=True, as_played=True)

    def _v_immune(self, step: Step, path: Path, where: _Where, said: _Said) -> None:
        self._people(step.immune, (*path, "immune"), where, said, as_played=True)
        selector = self._things(step.of or "target Cylon threat", (*path, "of"), where, said, as_played=True)
        if _nouns(selector) - {"Cylon threat"}:
            self.wrong((*path, "of"), "only Cylon threats have red text")
        self._names(selector, said)

    def _v_choose(self, step: Step, path: Path, where: _Where, said: _Said) -> None:
        selector = self._things(step.choose or "", (*path, "choose"), where, said)
        if selector.pronoun or selector.every:
            self.wrong((*path, "choose"), f"{step.choose!r} leaves nothing to choose")
        self._names(selector, said)

    def _not_late(self, what: str, path: Path, where: _Where) -> None:
        if where.late:
            self.wrong(path, f"`{what}` is chosen as the ability is played; it cannot stand in {_inside(where)}")

    # -- steps within steps

    def _inner(self, steps: Sequence[Step], path: Path, where: _Where, said: _Said, verb: str) -> None:
        if not steps:
            self.wrong(path, f"`{verb}` needs `do`: what then happens")
        self._steps(steps, (*path, "do"), where._replace(late=True, depth=where.depth + 1), said.copy())

    def _v_for(self, step: Step, path: Path, where: _Where, said: _Said) -> None:
        self._people(step.for_, (*path, "for"), where, said)
        self._inner(step.do, path, where, said, "for")

    def _v_at(self, step: Step, path: Path, where: _Where, said: _Said) -> None:
        self._inner(step.do, path, where, said, "at")

    def _v_contest(self, step: Step, path: Path, where: _Where, said: _Said) -> None:
        self._inner(step.do, path, where, said, "contest")

    def _v_may(self, step: Step, path: Path, where: _Where, said: _Said) -> None:
        inner = said.copy()
        inside = where._replace(depth=where.depth + 1)
        self._offer(step.may, path, inside, inner)
        if not step.do:
            self.wrong(path, "`may` needs `do`: what then happens")
        self._steps(step.do, (*path, "do"), inside, inner)

    def _v_choose_one(self, step: Step, path: Path, where: _Where, said: _Said) -> None:
        inside = where._replace(depth=where.depth + 1)
        for number, mode in enumerate(step.choose_one or ()):
            place = (*path, "choose one", number)
            if isinstance(mode, list):
                if not mode:
                    self.wrong(place, "is left empty")
                self._steps(mode, place, inside, said.copy())
            elif mode is not None:
                self._step(mode, place, inside, said.copy())

    # -- phrases

    def _things(
        self, phrase: str, path: Path, where: _Where, said: _Said, as_played: bool = False, quiet: bool = False
    ) -> Selector:
        """Check who or what a step is about, and give it."""
        selector = phrases.selector(phrase)
        chosen = not selector.every and not selector.pronoun
        self.choices += chosen
        self._refers(selector, path, said)
        if phrases.vague(phrase):
            self.wrong(path, f"{phrase!r} does not say which; say 'target', 'a', or 'all' with more than one")
        if "supply card" in _nouns(selector):
            self.wrong(path, "a supply card can only be sacrificed: sacrifice: a supply card")
        if selector.pronoun == "this" and self.kind == "event" and not quiet and where.form != "red":
            self.wrong(path, "an event is not in play, so there is no 'this'")
        if where.form == "always" and not selector.every and selector.pronoun != "this":
            self.wrong(
                path, f"{phrase!r}: what always works is on 'this' or on all of a kind, as 'other ships you control'"
            )
        elif chosen and as_played and (where.late or not selector.target):
            at = f"; it cannot stand in {_inside(where)}" if where.late else ": say 'target'"
            self.wrong(path, f"{phrase!r} is chosen as the ability is played{at}")
        return selector

    def _refers(self, selector: Selector, path: Path, said: _Said) -> None:
        """Check that words which refer to something have something to refer to."""
        if selector.pronoun in ("it", "them") and not said.it:
            self.wrong(path, f"{selector.pronoun!r} refers to nothing; a step before it has to be about something")
        for description in selector.descriptions:
            for suffix, word in description.suffixes:
                if suffix == "theirs" and not said.whom:
                    self.wrong(path, "'they' refers to nobody; a step before it has to be about somebody")
                elif suffix == "same_title" and not said.it:
                    self.wrong(path, "'its' refers to nothing; a step before it has to be about something")
                elif suffix == "with_keyword" and word.lower() not in KEYWORDS:
                    self.wrong(path, f"there is no keyword {word!r}{did_you_mean(word.lower(), KEYWORDS)}")

    def _tested(self, selector: Selector | None, path: Path, said: _Said) -> None:
        """Check what something is only compared with: none of it is chosen, and it is not counted."""
        if selector is None:
            return
        self._refers(selector, path, said)
        if selector.target:
            self.wrong(path, "nothing is chosen here, so nothing is a target; say 'a'")
        elif selector.most != 1 or selector.least != 1:
            self.wrong(path, "nothing is counted here; say 'a'")
        if "supply card" in _nouns(selector):
            self.wrong(path, "supply cards lie face down; nothing is known of them")
        if selector.pronoun == "this" and self.kind == "event":
            self.wrong(path, "an event is not in play, so there is no 'this'")

    def _cards(self, phrase: str | None, path: Path, target: bool = False) -> None:
        """Check a kind of card that is not in play: all that is known of it is its type and its traits."""
        if phrase is None:
            return
        selector = phrases.selector(phrase)
        if selector.pronoun:
            self.wrong(path, f"{phrase!r}: here stands a kind of card, as 'Cylon card'")
        for description in selector.descriptions:
            if description.noun not in UNITS:
                self.wrong(path, f"{_a(description.noun)} is in play; here stands a kind of card, as 'Cylon card'")
            elif description.words or description.suffixes:
                self.wrong(path, f"{phrase!r}: of a card that is not in play only its type and traits are known")
        if selector.most != 1 or selector.least != 1 or (selector.target and not target):
            self.wrong(
                path, f"{phrase!r}: it is one card; say 'card' without a number" + ("" if target else " or 'target'")
            )

    def _people(
        self, phrase: str | None, path: Path, where: _Where, said: _Said, one: bool = False, as_played: bool = False
    ) -> None:
        if phrase is None:
            return
        players = phrases.players(phrase)
        self.choices += players.target
        if players.kind == "they" and not said.whom:
            self.wrong(path, "'they' refers to nobody; a step before it has to be about somebody")
        elif players.kind in ("its_controller", "its_owner") and not said.it:
            self.wrong(path, "'its' refers to nothing; a step before it has to be about something")
        elif one and players.kind.startswith("each"):
            self.wrong(path, f"{phrase!r} are several players; this is for one")
        elif as_played and players.target and where.late:
            self.wrong(path, f"{phrase!r} is chosen as the ability is played; it cannot stand in {_inside(where)}")

    def _amount(
        self, said_amount: Any, path: Path, said: _Said, least: int | None = None, lasting: bool = False
    ) -> None:
        """Check how much; ``least`` where less would be nothing."""
        amount = phrases.amount(said_amount)
        plain = not amount.value and amount.of is None
        each = amount.base if plain else amount.each
        if amount.value != "hand size" and (each == 0 or (least is not None and each < least)):
            self.wrong(path, f"{said_amount} does nothing" if each == 0 else f"{said_amount} is less than nothing")
        if amount.value == "x" and (lasting or not said.x):
            self.wrong(path, "a step before it has to say what X is" if not lasting else "there is no X in `always`")
        if amount.value in ("mystic", "power"):
            self._refers(Selector(pronoun=amount.pronoun), path, said)
            if amount.pronoun == "this" and self.kind == "event":
                self.wrong(path, "an event is not in play, so there is no 'this'")
        self._tested(amount.of, path, said)

    def _condition(self, phrase: str | None, path: Path, said: _Said) -> None:
        if phrase is None:
            return
        condition = phrases.condition(phrase)
        self._tested(condition.who, path, said)
        if condition.kind != "is_challenging_without":
            self._tested(condition.whom, path, said)


def _said(record: Struct) -> list[str]:
    """Give the keys that a record says something with, as they are written."""
    said = ((key, field, getattr(record, field.name)) for key, field in fields_of(type(record)).items())
    return [
        key
        for key, field, value in said
        if value is not None and (value is not False or key == "may") and (value != [] or field.default is None)
    ]


def _nouns(selector: Selector) -> set[str]:
    return {description.noun for description in selector.descriptions}


def _may_be_base(selector: Selector, noun: str) -> bool:
    """Whether one that is chosen could be a base; where all are meant, bases are left out."""
    return (
        not selector.every
        and noun in MAY_BE_BASE
        and any(
            description.noun == noun and not NO_BASE.intersection(description.words, dict(description.suffixes))
            for description in selector.descriptions
        )
    )


def _a(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _listed(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _inside(where: _Where) -> str:
    return "`red`" if where.form == "red" else "`for`, `at` or `contest`"


def _asks(asked: Selector | Amount | Occasion) -> set[int]:
    """Give the layers that have to be worked out to answer a phrase."""
    if isinstance(asked, Amount):
        found = {LAYERS["power"]} if asked.value == "power" else set()
        return found | (_asks(asked.of) if asked.of is not None else set())
    if isinstance(asked, Occasion):
        return {layer for one in (asked.who, asked.whom) if one is not None for layer in _asks(one)}
    return {layer for description in asked.descriptions for layer in _described(description)}


def _described(description: Description) -> Iterator[int]:
    if description.trait or description.traits:
        yield LAYERS["trait"]
    for suffix, _ in description.suffixes:
        layer = {"without": "trait", "with_keyword": "keyword", "weak": "power"}.get(suffix)
        if layer is not None:
            yield LAYERS[layer]


# ---------------------------------------------------------------- words that some card must have


class Known(NamedTuple):
    """The traits and titles that phrases may name."""

    traits: frozenset[str]
    titles: frozenset[str]

    @classmethod
    def of(cls, cards: Iterable[CardDef]) -> Known:
        """Collect them from all cards there are."""
        every = list(cards)
        return cls(
            frozenset(trait for card in every for trait in card.traits),
            frozenset(card.title for card in every if card.title),
        )


def unknown_words(card: CardDef, known: Known) -> Iterator[Problem]:
    """Yield the traits and titles that ``card`` names and no card has, with what may have been meant."""
    every = known.traits | known.titles
    if card.title in known.traits:
        yield Problem(("title",), f"{card.title!r} is a trait, and phrases would mean either; take another title")
    for number, asked in enumerate(card.requires):
        yield from _unknown(asked.trait, known.traits, ("requires", number), "trait")
    for number, ability in enumerate(card.abilities):
        for path, kind, said in _phrases(ability, ("abilities", number)):
            if kind == "requirement":
                yield from _unknown(requirement(said).trait, known.traits, path, "trait")
            elif kind == "help":
                yield from _unknown(phrases.helping(said)[1], known.traits, path, "trait")
            elif kind == "word":
                if said.lower() not in characteristics.KEYWORDS:
                    names = (*known.traits, *(keyword.capitalize() for keyword in characteristics.KEYWORDS))
                    yield from _unknown(said, frozenset(names), path, "trait or keyword")
            else:
                for word in dict.fromkeys(_named(phrases.READERS[kind](said))):
                    yield from _unknown(word, every, path, "trait or title")


def _unknown(word: str, known: frozenset[str], path: Path, what: str) -> Iterator[Problem]:
    if word and word not in known:
        names = {phrases.quoted_if_needed(name): name for name in sorted(known)} if what == "trait or title" else {}
        meant = did_you_mean(word, names or sorted(known))
        yield Problem(path, f"no card has the {what} {word!r}{meant}")


def _named(found: object) -> Iterator[str]:
    """Yield the traits and titles in what a phrase was read as."""
    if isinstance(found, Selector):
        for description in found.descriptions:
            yield from filter(None, (description.trait, *description.traits))
            yield from (word for suffix, word in description.suffixes if suffix == "without")
    elif isinstance(found, Amount):
        yield from _named(found.of)
    elif isinstance(found, Occasion):
        yield from _named(found.who)
        yield from _named(found.whom)


def _phrases(record: Struct, path: Path) -> Iterator[tuple[Path, str, str]]:
    """Yield every phrase in a record, with the way to it and its kind."""
    for key, field in fields_of(type(record)).items():
        value = getattr(record, field.name)
        for place, one in _values(value, (*path, key)):
            if isinstance(one, Struct):
                yield from _phrases(one, place)
            elif isinstance(one, str) and one not in ("hand", "a supply card"):
                kind = "word" if key in ("gains", "loses") else phrase_of(field.type)
                if kind is not None and kind not in ("players", "cost"):
                    yield place, kind, one


def _values(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, list):
        for number, one in enumerate(value):
            yield from _values(one, (*path, number))
    else:
        yield path, value
