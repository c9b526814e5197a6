"""Abilities as paragraphs: the forms of an ability, keywords, and what a mission asks for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Literal

from msgspec import Struct

from ccg.rules.cards import phrases
from ccg.rules.cards.definitions import RESOURCES, Cost, Requirement, requirement
from ccg.rules.cards.phrases import Selector
from ccg.rules.cards.schema import Ability, Step
from ccg.rules.effects.word import OF_THEM, TO_YOU, Word
from ccg.rules.effects.words.common import GameChange, PieceChange
from ccg.rules.effects.words.in_play import costs
from ccg.rules.effects.words.influence import Reduce
from ccg.rules.effects.words.structure import ChooseOne
from ccg.rules.telling.wording.marks import capital
from ccg.rules.telling.wording.steps import StepTeller, joined

Kind = Literal["text", "red", "keyword", "requires"]

SPENDING = "you spend a resource stack"
"""An occasion that is no phrase of the grammar."""

ABOUT_THE_CHALLENGER = ("you_challenged", "challenged_by", "undefended")
"""Occasions after which "it" is the challenger."""


class Paragraph(Struct, frozen=True):
    """One paragraph of the words on a card: what kind of words, and the words as marked text."""

    kind: Kind
    text: str


def _choices(steps: Iterable[Step]) -> Iterable[ChooseOne]:
    """Yield the steps that let somebody choose one of several ways, those inside others too."""
    for step in steps:
        if isinstance(step, ChooseOne):
            yield step
        if isinstance(step, Word):
            for inner in step.inner():
                yield from _choices(inner)


class Teller(StepTeller):
    """Tells one ability of one card, or its keywords and requirements."""

    def ways(self) -> list[str]:
        """Return the ways of the one "choose one" of the card, as who chooses is told; none if it has no or several."""
        lists = [steps for ability in self.card.abilities for steps in (ability.do, ability.always, ability.red)]
        found = [step for steps in lists for step in _choices(steps)]
        return [capital(way) for way in found[0].ways(self, TO_YOU)] if len(found) == 1 else []

    def sentences(self, parts: Iterable[str]) -> str:
        """Return ``parts`` as sentences."""
        return self.listed([self.sentence(part) for part in parts], "list.sentences", "list.sentences")

    def sentence(self, text: str) -> str:
        """Return ``text`` as a sentence."""
        return self.say("sentence", text=capital(text))

    def ability(self, ability: Ability) -> Paragraph:
        """Tell one ability."""
        kind: Kind = "red" if ability.red else "text"
        text = self._form(ability)
        return Paragraph(kind, self.say("ability.once", text=text) if ability.once is not None else text)

    def _form(self, ability: Ability) -> str:
        if ability.when is not None:
            return self.sentence(self._trigger(ability, ability.when))
        if ability.instead_of is not None:
            return self.sentence(self._replacement(ability, ability.instead_of))
        if ability.cost is not None:
            return self._action(ability, ability.cost)
        if ability.counts_as:
            return self.sentence(self._counts_as(ability))
        if ability.not_by is not None:
            what = self.bare(phrases.selector(ability.not_by), TO_YOU, "many")
            return self.sentence(self.say("ability.not_by", what=what))
        if ability.react is not None:
            when = self.occasion("when", ability.react)
            return self.sentence(self.say("ability.react", when=when, noun=self.words.NOUNS[self.this].one))
        if ability.always:
            return self.sentences(self._always(ability))
        if ability.red:
            return self.sentences(self._red(ability))
        return self.sentences(self._effect(ability))

    def _effect(self, ability: Ability) -> Iterable[str]:
        if ability.during is not None:
            yield self.say("ability.effect.during", during=self.conditioned("during", ability.during))
        for clause in self.clauses(ability.do, TO_YOU):
            yield clause.text

    def _red(self, ability: Ability) -> Iterable[str]:
        """Red text: "you" is whoever revealed the card, and is spoken of."""
        for clause in self.clauses(ability.red, OF_THEM):
            who = self.say("players.who revealed")
            yield self.say("actor", who=who, clause=clause.text) if clause.acts else clause.text

    def _always(self, ability: Ability) -> Iterable[str]:
        steps = ability.always
        place = 0
        while place < len(steps):
            end = place + 1
            step = steps[place]
            if isinstance(step, PieceChange):
                while end < len(steps) and joined(step, steps[end]):
                    end += 1
                more = [other for other in steps[place + 1 : end] if isinstance(other, PieceChange)]
                yield step.told_change(self, TO_YOU, more, lasting=True, while_=ability.while_)
            elif isinstance(step, GameChange):
                while_ = step.key("while_") or ability.while_
                yield self.holding(lambda step=step: step.changed(self), while_, TO_YOU, None)  # type: ignore[misc]
            place = end

    def _action(self, ability: Ability, cost: str | list[Step]) -> str:
        paid = self.cost(costs(cost))
        text = self.sentence(self.say("ability.action", cost=paid, effect=self.run(ability.do, TO_YOU)))
        if ability.during is None:
            return text
        return self.say("ability.only", text=text, during=self.conditioned("during", ability.during))

    def _trigger(self, ability: Ability, phrase: str) -> str:
        when = self.occasion("when", phrase)
        if ability.during is not None:
            when = self.conditioned("when and", ability.during, when=when)
        return self._optional("ability.trigger", when, ability)

    def _replacement(self, ability: Ability, phrase: str) -> str:
        when = self.occasion("instead", phrase)
        instead = not any(isinstance(step, Reduce) for step in ability.do)
        return self._optional("ability.instead" if instead else "ability.trigger", when, ability)

    def _optional(self, key: str, when: str, ability: Ability) -> str:
        if isinstance(ability.may, (str, list)):
            if not ability.do:
                return self.say(f"{key}.cost alone", when=when, cost=self.cost(costs(ability.may)))
            offer = self.offered(costs(ability.may), ability.do, TO_YOU, instead=key == "ability.instead")
            return self.say("ability.trigger", when=when, effect=offer)
        if not ability.may:
            return self.say(key, when=when, effect=self.run(ability.do, TO_YOU))
        if key == "ability.trigger":
            return self.say(key, when=when, effect=self.freely(ability.do, TO_YOU))
        return self.say(f"{key}.may", when=when, effect=self.run(ability.do, TO_YOU))

    def occasion(self, key: str, phrase: str) -> str:
        """Tell when something happens; what it happens to is "it" from then on."""
        if phrase == SPENDING:
            return self.say("when.you_spend")
        occasion = phrases.occasion(phrase)
        self.x = self.occasion_kind = occasion.kind
        case = "object" if occasion.kind == "undefended" else "subject"
        what = self.selected(occasion.who, TO_YOU, case) if occasion.who is not None else ""
        if occasion.kind in ABOUT_THE_CHALLENGER:
            self.it = Selector(pronoun="the challenger")
        if occasion.kind == "draws":
            self.whom = "player"
        return self.say(f"{key}.{occasion.kind}", what=what)

    def _counts_as(self, ability: Ability) -> str:
        asked = [requirement(phrase) for phrase in ability.counts_as]
        anything = all(not one.trait and not one.type for one in asked)
        units = self.listed([self.required(one, "one", article=True) for one in asked], "list.and")
        cost, _, only_for = (ability.helps or "").partition(" for ")
        places: dict[str, Any] = {"units": units, "number": len(asked)}
        if cost:
            key = "ability.helps.trait" if only_for else "ability.helps"
            places["trait"] = self.trait(only_for) if only_for else ""
            places["cost"] = self.cost(costs(cost))
            return self.say(f"{key}.any" if anything else key, **places)
        key = "ability.counts_as.one" if len(asked) == 1 else "ability.counts_as"
        places["what"] = self._pronoun("this", TO_YOU, "subject")
        return self.say("ability.counts_as.any" if anything else key, **places)

    # ---------------------------------------------------------------- keywords and requirements

    def keywords(self) -> Iterable[Paragraph]:
        """Tell the keywords of the card, without their meaning."""
        for keyword in self.card.keywords:
            name = self.words.KEYWORDS[keyword]
            if keyword == "link":
                what = self.words.NOUNS[self.card.link or "unit"].one
                yield Paragraph("keyword", self.say("keyword.link", keyword=keyword, name=name, what=what))
            elif keyword == "expedite":
                cost = self._cost_words(self.card.expedite or (0, 0, 0))
                yield Paragraph("keyword", self.say("keyword.expedite", keyword=keyword, name=name, cost=cost))
            else:
                yield Paragraph("keyword", self.say("keyword", keyword=keyword, name=name))

    def _cost_words(self, cost: Cost) -> str:
        return self.listed(
            [
                self.say("keyword.cost", number=number, resource=resource, name=self.words.RESOURCES[resource])
                for resource, number in zip(RESOURCES, cost, strict=True)
                if number
            ],
            "list.and",
        )

    def requires(self) -> Iterable[Paragraph]:
        """Tell what the mission is resolved with."""
        if self.card.requires:
            yield Paragraph("requires", self.sentence(self.say("requires", units=self.units(self.card.requires))))

    def units(self, asked: Iterable[Requirement]) -> str:
        """Return the words for what is asked for, equal ones together."""
        units = [
            self.say("requires.units", number=count, what=self.required(one, "one" if count == 1 else "many"))
            for one, count in Counter(asked).items()
        ]
        return self.listed(units, "list.and")
