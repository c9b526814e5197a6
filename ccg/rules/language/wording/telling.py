"""Steps as sentences: which template for which verb, and which steps are told together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ccg.rules.language import phrases
from ccg.rules.language.phrases import Description, Selector
from ccg.rules.language.schema import Step
from ccg.rules.language.wording.describing import (
    OF_THEM,
    TO_YOU,
    WHAT_THEY_MAY,
    Describer,
    MissingWordsError,
    Voice,
    number_of,
)

PIECE_VERBS = ("ready", "commit", "exhaust", "restore", "defeat", "sacrifice")
PLAYER_VERBS = ("gain", "lose", "draw", "discard", "mill")
CHANGES = ("power", "threat", "gains", "loses", "cannot")
_WITH_A_VERB = frozenset({
    "into", "once", "who", "of", "while_", "if_", "until", "then", "by", "shown", "from_", "under", "do",
})  # fmt: skip
"""Keys of a step that go with its verb."""

VERBS = tuple(name for name in Step.__struct_fields__ if name not in _WITH_A_VERB)


class Clause(NamedTuple):
    """A piece of a sentence. ``acts`` says that whoever acts is still to be named, or left out."""

    text: str
    acts: bool = True
    simple: bool = True


class StepTeller(Describer):
    """Tells what an ability does. A verb ``v`` is told by the method ``tell_v``."""

    def clauses(self, steps: Sequence[Step], voice: Voice) -> list[Clause]:
        """Tell ``steps``, those together that are done to the same thing."""
        told: list[Clause] = []
        place = 0
        while place < len(steps):
            end = place + 1
            while end < len(steps) and goes_on(steps[place], steps[end]):
                end += 1
            clause = self.clause(steps[place:end], voice)
            if clause is not None:
                told.append(clause)
            place = end
        return told or [Clause(self.say("nothing", *voice))]

    def clause(self, steps: Sequence[Step], voice: Voice) -> Clause | None:
        """Tell one step, or several that belong together; None if it is told with the next one."""
        verb = verb_of(steps[0])
        if verb in PIECE_VERBS:
            return self._done(steps, voice)
        if verb in CHANGES:
            return Clause(self.changed(steps, voice), acts=False)
        if verb in PLAYER_VERBS:
            return self._by_players(steps[0], verb, voice)
        tell: Callable[[Step, Voice], Clause | None] | None = getattr(self, f"tell_{verb}", None)
        if tell is None:
            raise MissingWordsError(f"the verb {verb or '(none)'}")
        return tell(steps[0], voice)

    def run(self, steps: Sequence[Step], voice: Voice) -> str:
        """Tell ``steps`` as parts of one sentence."""
        return self.listed([clause.text for clause in self.clauses(steps, voice)], "list.then", "list.then")

    def _done(self, steps: Sequence[Step], voice: Voice) -> Clause:
        """Ready, commit, exhaust, restore, defeat or sacrifice something; several of them to one thing."""
        selector = phrases.selector(getattr(steps[0], verb_of(steps[0])))
        owned = verb_of(steps[0]) == "sacrifice"
        self.x = "pieces"
        if owned and any(rule == "an_opponents" for kind in selector.descriptions for rule, _ in kind.suffixes):
            return self._each_opponent_sacrifices(selector)
        names = list(dict.fromkeys(verb_of(step) for step in steps))
        verbs = self.listed([self.say(f"verb.{name}", *voice) for name in names], "list.and")
        objects = [selector] if len(names) > 1 else [phrases.selector(getattr(step, names[0])) for step in steps]
        what = self.listed([self.things(one, voice, owned=owned) for one in objects], "list.and")
        return Clause(self.say("done", verb=verbs, what=what))

    def _each_opponent_sacrifices(self, selector: Selector) -> Clause:
        kinds = tuple(
            Description(kind.noun, kind.trait, kind.words, kind.traits,
                        tuple(suffix for suffix in kind.suffixes if suffix[0] != "an_opponents"))
            for kind in selector.descriptions
        )  # fmt: skip
        mine = Selector("", kinds, selector.target, selector.every, selector.least, selector.most)
        clause = self.say("done", verb=self.say("verb.sacrifice", *OF_THEM), what=self.things(mine, OF_THEM))
        return Clause(self.say("actor", who=self.say("players.each_opponent"), clause=clause), acts=False)

    def tell_put(self, step: Step, voice: Voice) -> Clause:
        """Tell ``put``."""
        selector = phrases.selector(step.put or "")
        what = self.things(selector, voice)
        return Clause(self.say(f"put.{step.into or 'discard pile'}", *voice, number_of(selector), what=what))

    def changed(self, steps: Sequence[Step], voice: Voice, lasting: bool = False, while_: str | None = None) -> str:
        """Tell changes to one thing; ``lasting`` ones have no end."""
        first = steps[0]
        of = phrases.selector(first.of or "this")
        number = "many" if of == Selector(pronoun="them") else number_of(self._meant(of))

        def clause() -> str:
            if first.cannot is not None and of.every:
                who = self.say("which.none", what=self.kinds(of, voice, number, owner=True))
                self.mention(of)
            else:
                who = self.things(of, voice, "subject")
            changes = self.listed([self._change(step, number, voice) for step in steps], "list.and")
            text = self.say("changed", what=who, changes=changes)
            text = self.explained_x(text, voice)
            if lasting:
                return text
            key = "forbidden until" if first.cannot is not None else "until"
            return self.say(f"{key}.{first.until or 'end of phase'}", clause=text)

        text = self.holding(clause, first.while_ or while_, voice, of)
        return self.conditioned("if", first.if_, clause=text) if first.if_ is not None else text

    def _meant(self, selector: Selector) -> Selector:
        return self.it if selector.pronoun in ("it", "them") and self.it is not None else selector

    def _change(self, step: Step, number: str, voice: Voice) -> str:
        verb = verb_of(step)
        if verb == "cannot":
            every = phrases.selector(step.of or "this").every
            return self.say(f"can.{step.cannot}" if every else f"cannot.{step.cannot}", number)
        if verb in ("gains", "loses"):
            word = getattr(step, verb)
            if word.lower() in self.words.KEYWORDS:
                return self.say(f"{verb}.keyword", number, keyword=self.keyword(word.lower()))
            return self.say(verb, number, trait=self.trait(word))
        amount = phrases.amount(getattr(step, verb))
        shown, _ = self.number(amount, signed=True)
        return self.measured(self.say(verb, number, number=shown), amount, voice)

    def _by_players(self, step: Step, verb: str, voice: Voice) -> Clause:
        """Gain, lose, draw, discard, mill."""
        players = phrases.players(step.who or "you")
        who = "" if players.kind == "you" else self.who(players)
        speaking = OF_THEM if who else voice
        said = getattr(step, verb)
        if said == "hand":
            text = self.tell("discard.hand", speaking)
        else:
            amount = phrases.amount(said)
            shown, size = self.number(amount)
            text = self.measured(self.tell(verb, speaking, size, number=shown), amount, speaking)
        return Clause(self.say("actor", who=who, clause=text), acts=False) if who else Clause(text)

    def tell_for_(self, step: Step, voice: Voice) -> Clause:
        """Tell ``for``."""
        players = phrases.players(step.for_ or "you")
        if players.kind == "you":
            told = self.clauses(step.do, voice)
            return Clause(self._joined(told), acts=told[0].acts, simple=False)
        who = self.who(players)
        effect, acts = self.doing(step.do)
        if not acts:
            return Clause(self.say("for.other", who=who, effect=effect), acts=False, simple=False)
        if players.target and voice.mood == "does":
            return Clause(self.tell("for.target", voice, who=who, effect=effect))
        return Clause(self.say("actor", who=who, clause=effect), acts=False)

    def doing(self, steps: Sequence[Step]) -> tuple[str, bool]:
        """Tell what somebody named before does, and whether they are the subject of that."""
        told = self.clauses(steps, OF_THEM)
        return self._joined(told), told[0].acts

    def _joined(self, told: Sequence[Clause]) -> str:
        texts = [clause.text for clause in told]
        if all(clause.acts for clause in told):
            return self.listed(texts, "list.and")
        return self.listed(texts, "list.then", "list.then")

    def tell_choose_one(self, step: Step, voice: Voice) -> Clause:
        """Tell ``choose one``."""
        modes = []
        speaking = TO_YOU if voice.mood == "do" else WHAT_THEY_MAY
        for mode in step.choose_one or []:
            before = self.last, self.it
            told = self.clauses(mode if isinstance(mode, list) else [mode], speaking)
            modes.append(self.listed([clause.text for clause in told], "list.and"))
            self.last, self.it = before
        return Clause(self.tell("choose_one", voice, modes=self.listed(modes, "list.modes", "list.then")), simple=False)

    def tell_may(self, step: Step, voice: Voice) -> Clause:
        """Tell ``may``."""
        if isinstance(step.may, bool):
            text = self.freely(step.do, voice)
        else:
            speaking = Voice("do", voice.seen)
            cost = self.cost(costs(step.may), speaking)
            text = self.tell("may.cost", voice, cost=cost, effect=self.run(step.do, speaking))
        if step.once is not None:
            text = self.say("may.once", clause=text)
        return Clause(text, voice.mood == "does", isinstance(step.may, bool))

    def freely(self, steps: Sequence[Step], voice: Voice) -> str:
        """Tell what may be done or not."""
        told = self.clauses(steps, Voice("do", voice.seen))
        effect = self.listed([clause.text for clause in told], "list.then", "list.then")
        return self.tell("may" if told[0].acts else "may.other", voice, effect=effect)

    def tell_at(self, step: Step, voice: Voice) -> Clause:
        """Tell ``at``."""
        told = self.clauses(step.do, voice)
        place = "after" if len(told) == 1 and told[0].simple else "before"
        text = self.listed([clause.text for clause in told], "list.and")
        return Clause(self.say(f"at.{step.at}", place, clause=text), acts=told[0].acts)

    def tell_search(self, step: Step, voice: Voice) -> Clause:
        """Tell ``search``."""
        key = "search.any" if step.search == "card" else "search"
        return Clause(self.tell(key, voice, what=self.cards(phrases.selector(step.search or "card"))))

    def tell_look(self, step: Step, voice: Voice) -> Clause:
        """Tell ``look``."""
        deck = self.say(f"deck.{phrases.players(step.who or 'you').kind}", *voice)
        size = "one" if step.look == 1 else "two" if step.look == 2 else "many"
        key = "look.shown" if step.shown else "look"
        look = self.tell(key, voice, size, "many", number=step.look, deck=deck)
        by = phrases.players(step.by or "you")
        then = step.then or "nothing"
        if by.kind != "you":
            return Clause(self.tell(f"then by.{then}", voice, size, "many", look=look, by=self.who(by)), simple=False)
        return Clause(self.tell(f"then.{then}", voice, size, "many", look=look), simple=then == "nothing")

    def tell_reveal_hand(self, step: Step, voice: Voice) -> Clause:
        """Tell ``reveal hand``."""
        players = phrases.players(step.reveal_hand or "you")
        if players.kind == "you":
            return Clause(self.tell("reveal_hand", voice))
        text = self.tell("reveal_hand", OF_THEM)
        return Clause(self.say("actor", who=self.who(players), clause=text), acts=False)

    def tell_take(self, step: Step, voice: Voice) -> Clause:
        """Tell ``take``."""
        source, into = step.from_ or "discard pile", step.into or "hand"
        what = self.cards(phrases.selector(step.take or "card"))
        if step.who is None:
            said = self.say(f"from.{source}", *voice)
            return Clause(self.tell(f"take.{into}", voice, what=what, source=said))
        said = self.say(f"from theirs.{source}")
        theirs = self.say(f"take.{into}", *voice, your=self.say("your", "they"), what=what, source=said)
        return Clause(theirs)

    def tell_supply(self, step: Step, voice: Voice) -> Clause:
        """Tell ``supply``."""
        what = self.things(phrases.selector(step.under or "a resource stack you control"), voice)
        return Clause(self.tell(f"supply.{step.supply}", voice, what=what))

    def tell_shuffle(self, step: Step, voice: Voice) -> Clause:
        """Tell ``shuffle``."""
        return Clause(self.tell(f"shuffle.{step.shuffle}", voice))

    def tell_exchange(self, step: Step, voice: Voice) -> Clause:
        """Choose or exchange something in play."""
        verb = verb_of(step)
        return Clause(self.tell(verb, voice, what=self.things(phrases.selector(getattr(step, verb)), voice)))

    tell_choose = tell_exchange

    def tell_split(self, step: Step, voice: Voice) -> Clause:
        """Tell ``split``."""
        return Clause(self.tell("split", voice, what=self.cards(phrases.selector(step.split or "card"))), simple=False)

    def tell_x(self, step: Step, voice: Voice) -> Clause | None:
        """A number is read or named: X from now on. What is only read is told where X is used."""
        self.x = step.x or ""
        if step.x in ("supply cards", "mystic value"):
            self.waiting_x = step
            return None
        return Clause(self.tell(f"x.{step.x}", voice))

    def tell_reveal(self, step: Step, voice: Voice) -> Clause:
        """Tell ``reveal``."""
        if step.reveal == "again":
            return Clause(self.tell("reveal.again", voice))
        who = self._somebody(step.who, voice)
        seen = "they" if who else "you"
        what = self.things(phrases.selector(step.of or "this"), voice, "subject") if step.reveal == "skip" else ""
        effect = self.explained_x(self.say(f"reveal.{step.reveal}", seen, what=what), voice)
        key = f"reveal until.{step.until or 'end of turn'}"
        return Clause(self.say(key, seen, who=who, effect=effect), acts=False, simple=False)

    def tell_extra(self, step: Step, voice: Voice) -> Clause:
        """Extra actions, more threats: a verb with a number."""
        verb = verb_of(step)
        number = getattr(step, verb)
        return Clause(self.tell(verb, voice, "one" if number == 1 else "many", number=number))

    tell_threats = tell_extra

    def tell_cheaper(self, step: Step, voice: Voice) -> Clause:
        """What happens to the game itself, told with a number if there is one."""
        verb = verb_of(step)
        said = getattr(step, verb)
        if isinstance(said, str) and self.has(f"{verb}.{said}"):
            return Clause(self.say(f"{verb}.{said}"), acts=False)
        return Clause(self.say(verb, number=said), acts=False)

    tell_convert = tell_cheaper
    tell_end = tell_cheaper
    tell_add_phases = tell_cheaper
    tell_fate = tell_cheaper

    def tell_fleet(self, step: Step, voice: Voice) -> Clause:
        """The fleet defense level, what influence may do, what a challenge costs, what mystic values are."""
        return Clause(self.game_changed(step, lasting=False), acts=False)

    tell_prevent = tell_fleet
    tell_price = tell_fleet
    tell_revealed = tell_fleet
    tell_not_singular = tell_fleet

    def game_changed(self, step: Step, lasting: bool) -> str:
        """Tell a change to the game itself; a ``lasting`` one has no end."""
        verb = verb_of(step)
        if verb == "prevent":
            text, key = self.say(f"prevent.{step.prevent}"), "forbidden until"
        elif verb == "not_singular":
            text, key = (
                self.say(verb, what=self.bare(phrases.selector(step.not_singular or ""), TO_YOU, "many")),
                "until",
            )
        else:
            amount = phrases.amount(getattr(step, verb))
            shown, _ = self.number(amount, signed=verb != "price")
            key = "until"
            if verb == "revealed" and step.of not in (None, "card"):
                text = self.say("revealed.of", number=shown, what=self.cards(phrases.selector(step.of or "")))
            else:
                text = self.say(verb, number=shown)
            text = self.measured(text, amount)
        return text if lasting else self.say(f"{key}.{step.until or 'end of phase'}", clause=text)

    def tell_goes_first(self, step: Step, voice: Voice) -> Clause:
        """Tell ``goes first``."""
        who = self._somebody(step.goes_first, voice)
        return Clause(self.say("goes_first", who=who) if who else self.say("goes_first.you"), acts=False)

    def tell_immune(self, step: Step, voice: Voice) -> Clause:
        """Tell ``immune``."""
        what = self.things(phrases.selector(step.of or "target Cylon threat"), voice)
        who = self._somebody(step.immune, voice)
        return Clause(self.say("immune", what=what, who=who) if who else self.say("immune.you", what=what), acts=False)

    def _somebody(self, phrase: str | None, voice: Voice) -> str:
        """Give the words for the players meant; none for "you"."""
        players = phrases.players(phrase or "you")
        if players.kind != "you":
            return self.who(players)
        return self.say("players.they") if voice.mood == "does" else ""

    def tell_contest(self, step: Step, voice: Voice) -> Clause:
        """Tell ``contest``."""
        effect, acts = self.doing(step.do)
        key = f"contest.{step.contest}" if acts else f"contest.{step.contest}.other"
        return Clause(self.say(key, effect=effect), acts=False, simple=False)

    def tell_add(self, step: Step, voice: Voice) -> Clause:
        """Tell ``add``."""
        return Clause(self.say("add", resource=step.add, name=self.words.RESOURCES[step.add or ""]))

    def tell_reduce(self, step: Step, voice: Voice) -> Clause:
        """Tell ``reduce``."""
        amount = phrases.amount(step.reduce or 0)
        shown, _ = self.number(amount)
        return Clause(self.measured(self.tell("reduce", voice, number=shown), amount, voice))

    def cost(self, steps: Sequence[Step], voice: Voice = TO_YOU) -> str:
        """Tell what is to be done first, all of it together."""
        return self.listed([clause.text for clause in self.clauses(steps, voice)], "list.and")


def verb_of(step: Step) -> str:
    """Give the verb of ``step``; "x" only where nothing else is said."""
    said = [name for name in VERBS if (word := getattr(step, name)) is not None and word is not False]
    return next((name for name in said if name != "x"), said[0] if said else "")


def told_verbs() -> frozenset[str]:
    """Give the verbs for which there are words."""
    told = (name.removeprefix("tell_") for name in vars(StepTeller) if name.startswith("tell_"))
    return frozenset((*PIECE_VERBS, *PLAYER_VERBS, *CHANGES, *told))


def costs(said: bool | str | list[Step] | None) -> list[Step]:
    """Give a cost as steps: "commit and exhaust" means doing both to this card, true costs nothing."""
    if isinstance(said, list):
        return said
    if isinstance(said, bool) or said is None:
        return []
    return [Step(**{word: "this"}) for word in said.split(" and ") if word]  # type: ignore[arg-type]


def goes_on(first: Step, second: Step) -> bool:
    """Whether ``second`` does something more to what ``first`` is about, so that both are told together."""
    verb, other = verb_of(first), verb_of(second)
    if verb in PIECE_VERBS and other in PIECE_VERBS:
        one, two = getattr(first, verb), getattr(second, other)
        if verb == other:
            return bool(phrases.selector(one).pronoun and phrases.selector(two).pronoun)
        return two == "it" or (one == two and bool(phrases.selector(two).pronoun))
    if verb in CHANGES and other in CHANGES:
        one, two = first.of or "this", second.of or "this"
        same = two == "it" or (one == two and bool(phrases.selector(two).pronoun))
        return same and (first.until, first.if_, first.while_) == (second.until, second.if_, second.while_) and (
            (verb == "cannot") == (other == "cannot")
        )  # fmt: skip
    return False
