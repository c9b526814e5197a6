"""Phrases as words: what and who is meant, how much, and while what.

Nothing here is English; all words come from a language module (:mod:`~ccg.rules.telling.wording.english`).
What has been mentioned is kept in mind in reading order, so that "it" is only said of what was named last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from types import ModuleType
from typing import Literal

from ccg.rules.cards import phrases
from ccg.rules.cards.definitions import CardDef, Requirement
from ccg.rules.cards.phrases import ANY, Amount, Description, Occasion, Players, Selector, number_of
from ccg.rules.effects.word import TO_YOU, Voice
from ccg.rules.telling.wording import english
from ccg.rules.telling.wording.marks import plain, unmarked


class MissingWordsError(LookupError):
    """There is no template for something that the language of abilities can say."""


THIS = Selector(pronoun="this")


class Describer:
    """Puts phrases into words, for one paragraph of the words on one card."""

    def __init__(self, card: CardDef, words: ModuleType = english) -> None:
        self.card = card
        self.words = words
        self.last: object = None
        """What was named last: a selector, or a pronoun that stands for itself."""
        self.it: Selector | None = None
        """What "it" is."""
        self.whom: Literal["pieces", "player"] = "player"
        """Whether "they" are spoken of because of what they control."""
        self.x = ""
        """What gave X its value: an occasion, a kind of value, or "pieces"."""
        self.occasion_kind = ""
        """The kind of occasion that the ability follows on."""
        self.waiting_x: tuple[str, str] | None = None
        """What X is and of what, to be explained where X is used."""

    # ---------------------------------------------------------------- templates

    def say(self, key: str, *forms: str, **places: object) -> str:
        """Fill the template ``key`` in the form that fits ``forms``."""
        message = self.words.MESSAGES.get(key)
        if message is None:
            raise MissingWordsError(f"{self.words.__name__} has no words for {key!r}")
        while not isinstance(message, str):
            form = next((form for form in forms if form in message), None)
            if form is None:
                missing = f"{key!r} as {' or '.join(forms) or 'it is'}, but as {' and '.join(message)}"
                raise MissingWordsError(f"{self.words.__name__} has no words for {missing}")
            message = message[form]
        return message.format(**places)

    def tell(self, key: str, voice: Voice, *forms: str, **places: object) -> str:
        """Fill a template about somebody's doing."""
        return self.say(key, *voice, *forms, your=self.say("your", voice.seen), **places)

    def has(self, key: str) -> bool:
        """Return whether there is a template ``key``."""
        return key in self.words.MESSAGES

    def listed(self, parts: Sequence[str], joint: str, before: str = "list.more") -> str:
        """Join ``parts``, the last one by ``joint``."""
        if len(parts) < 2:
            return "".join(parts)
        head = reduce(lambda first, last: self.say(before, first=first, last=last), parts[:-1])
        return self.say(joint, first=head, last=parts[-1])

    # ---------------------------------------------------------------- what

    def trait(self, trait: str, number: str = "one") -> str:
        """Return the marked noun of a trait."""
        trait = unmarked(trait)
        noun = self.words.TRAITS.get(trait) or self.words.regular(trait)
        return self.say("noun.trait", trait=trait, shown=getattr(noun, number))

    def keyword(self, keyword: str) -> str:
        """Return the marked name of a keyword."""
        return self.say("keyword", keyword=keyword, name=self.words.KEYWORDS[keyword])

    def bare(
        self,
        selector: Selector,
        voice: Voice,
        number: str,
        nouns: str = "NOUNS",
        owner: bool = False,
        any_: bool = False,
    ) -> str:
        """Return the kinds that ``selector`` speaks of, without how many; with ``owner``, whose they are.

        ``any_``: one of several kinds, even where all are meant.
        """
        kinds = selector.descriptions
        joint = "list.and" if selector.every and not any_ else "list.or"
        if len({kind.suffixes for kind in kinds}) > 1:
            parts = [self._ending(self._kind(kind, number, nouns), kind, voice, number, owner) for kind in kinds]
            return self.listed(parts, joint)
        if len({kind.noun for kind in kinds}) == 1 and len(kinds) > 1 and all(_counts(kind) for kind in kinds):
            which = [self._wrapped(kind, "").strip() for kind in kinds]
            noun = self._noun(kinds[0].noun, number, nouns)
            what = self.say("noun.shared", which=self.listed(which, joint), what=noun)
        else:
            what = self.listed([self._kind(kind, number, nouns) for kind in kinds], joint)
        return self._ending(what, kinds[-1], voice, number, owner)

    def _ending(self, what: str, kind: Description, voice: Voice, number: str, owner: bool) -> str:
        """Put what stands after the noun."""
        for rule, word in sorted(kind.suffixes, key=lambda suffix: suffix[0] == "theirs"):
            if rule == "yours" and not owner:
                continue
            places = {"word": word}
            if rule == "without":
                trait = self.trait(word, number)
                one = number == "one"
                places["trait"] = self.say("which.one", self.words.article(plain(trait)), what=trait) if one else trait
            elif rule == "with_keyword":
                places["keyword"] = self.keyword(word.lower())
            what = self.say(f"suffix.{rule}", *voice, self.whom, number, what=what, **places)
        return what

    def kind(self, phrase: str, voice: Voice, number: str) -> str:
        """Return the words for a kind of card, without how many."""
        return self.bare(phrases.selector(phrase), voice, number)

    def meant(self, selector: Selector) -> Selector:
        """Return what "it" is, if that is what ``selector`` says."""
        return self.it if selector.pronoun in ("it", "them") and self.it is not None else selector

    def kinds(self, selector: Selector, voice: Voice, number: str, owner: bool = False) -> str:
        """Return the kinds that ``selector`` speaks of, with "other" if it says so."""
        what = self.bare(selector, voice, number, owner=owner, any_=number == "one")
        return self.say("adjective.other", what=what) if _other(selector) else what

    def noun(self, noun: str) -> str:
        """Return the noun for one of a kind of card."""
        return self._noun(noun, "one", "NOUNS")

    def _noun(self, noun: str, number: str, nouns: str) -> str:
        found = getattr(self.words, nouns).get(noun)
        if found is None:
            raise MissingWordsError(f"{self.words.__name__} has no {noun!r} in {nouns}")
        word: str = getattr(found, number)
        return word

    def _kind(self, kind: Description, number: str, nouns: str) -> str:
        noun = self._noun(kind.noun, number, nouns)
        if not kind.trait:
            return self._wrapped(kind, noun)
        if kind.noun == "unit" and kind.trait not in self.words.TRAITS_OF_BOTH and nouns == "NOUNS":
            return self._wrapped(kind, "", self.trait(kind.trait, number))
        return self._wrapped(kind, noun)

    def _wrapped(self, kind: Description, noun: str, trait_noun: str = "") -> str:
        """Put traits and adjectives around a noun; with ``trait_noun`` the last trait is the noun."""
        what = trait_noun or noun
        traits = [trait for trait in (*kind.traits, "" if trait_noun else kind.trait) if trait]
        for trait in reversed(traits):
            what = self.say("noun.of trait", trait=self.trait(trait), what=what).strip()
        for word in reversed(kind.words):
            if word != "other":
                what = self.say(f"adjective.{word}", what=what)
        return what

    def selected(
        self, phrase: str | Selector, voice: Voice = TO_YOU, place: str = "object", owned: bool = False
    ) -> str:
        """Return the words for the pieces that ``phrase`` means, and keep them in mind.

        ``place`` is subject or object; ``owned`` says that it could only be the actor's own.
        """
        selector = phrases.selector(phrase) if isinstance(phrase, str) else phrase
        if selector.pronoun:
            return self._pronoun(selector.pronoun, voice, place)
        amount, mine = _amount_word(selector), _mine(selector)
        number = number_of(selector)
        single = _other(selector) and amount == "one"
        if selector.target and not selector.every:
            key = "which.another target" if single else "which.target" if amount == "one" else f"which.target {amount}"
        else:
            key = "which.another" if single else f"which.{amount}"
            if mine and not (owned and key == "which.one"):
                key, number = f"{key}.yours", "many"
        tell = self.bare if single else self.kinds
        what = tell(selector, voice, number, owner=selector.target or not mine)
        text = self.say(key, *voice, self.words.article(plain(what)), what=what, number=selector.most)
        self.mention(selector)
        return text

    def cards(self, phrase: str | Selector) -> str:
        """Return the words for a card of that kind outside play."""
        selector = phrases.selector(phrase) if isinstance(phrase, str) else phrase
        if selector.pronoun:
            return self.selected(selector)
        what = self.bare(selector, TO_YOU, "one", "CARDS")
        key = "which.target" if selector.target else "which.one"
        return self.say(key, self.words.article(plain(what)), what=what)

    def mention(self, selector: Selector) -> None:
        """Keep in mind what was named last, and what "it" then is."""
        self.last = self.it = selector
        self.whom = "pieces"

    def _pronoun(self, word: str, voice: Voice, place: str) -> str:
        if word == "this":
            if self.last is THIS:
                return self.say("pronoun.it", "one", place)
            self.last = THIS
            return self.say("pronoun.this", noun=self.words.NOUNS[self.this].one)
        if word not in ("it", "them"):
            self.last = word
            self.it = Selector(pronoun=word)
            return self.say(f"pronoun.{word}", voice.seen)
        if self.it is None:
            return self.say(f"pronoun.{word}", "one", place)
        if self.last is not self.it:
            after_this = self.last is THIS
            self.last = self.it
            if self.it.pronoun:
                return self.say(f"pronoun.{self.it.pronoun}", voice.seen)
            number = number_of(self.it)
            noun = self._that_noun(self.it, number)
            clear = after_this and number == "one" and noun != self.noun(self.this)
            return self.say("pronoun.the" if clear else "pronoun.that", number, noun=noun)
        return self.say("pronoun.it", number_of(self.it), place)

    def _that_noun(self, selector: Selector, number: str) -> str:
        nouns = {kind.noun for kind in selector.descriptions}
        noun = nouns.pop() if len(nouns) == 1 else "card"
        trait = selector.descriptions[0].trait
        if noun == "unit" and len(selector.descriptions) == 1 and trait and trait not in self.words.TRAITS_OF_BOTH:
            return self.trait(trait, number)
        return self._noun(noun, number, "NOUNS")

    @property
    def this(self) -> str:
        """What "this" is: the card, or the unit that the mission is linked to."""
        return self.card.link or self.card.type

    # ---------------------------------------------------------------- who, how much, while what

    def players(self, phrase: str | None, voice: Voice) -> str:
        """Return the words for the players meant; none for "you"."""
        players = phrases.players(phrase or "you")
        if players.kind != "you":
            return self.who(players)
        return self.say("players.they") if voice.mood == "does" else ""

    def amount(self, amount: int | str, signed: bool = False) -> tuple[str, str]:
        """Return the digits of an amount, and whether they are one or many."""
        return self.number(phrases.amount(amount), signed)

    def who(self, players: Players) -> str:
        """Return the words for ``players``, who are not "you"."""
        self.whom = "player"
        return self.say(f"players.{players.kind}", what=self.most(players))

    def most(self, players: Players) -> str:
        """Return the words for what ``players`` have the most of; none where that is not asked."""
        if players.most is None:
            return ""
        if players.most.of is not None:
            return self.kinds(players.most.of, TO_YOU, "many")
        return self.say(f"most.{players.most.value}")

    def number(self, amount: Amount, signed: bool = False) -> tuple[str, str]:
        """Return the digits of ``amount``, and whether they are one or many."""
        if amount.value and not (amount.value == "x" and abs(amount.each) > 1):
            shown, size, minus = self.say("number.x"), "many", amount.each < 0
        else:
            value = amount.each or amount.base
            shown, size, minus = str(abs(value)), "one" if abs(value) == 1 else "many", value < 0
        if signed or minus:
            shown = self.say("number.signed", "minus" if minus else "plus", number=shown)
        return shown, size

    def measured(self, clause: str, amount: int | str | Amount, voice: Voice = TO_YOU) -> str:
        """Return ``clause`` with what an amount counts or reads."""
        amount = amount if isinstance(amount, Amount) else phrases.amount(amount)
        if amount.of is not None:
            return self.say("amount.for_each", clause=clause, what=self._counted(amount.of, voice))
        if amount.value in ("mystic", "power"):
            same = self.last is (THIS if amount.pronoun == "this" else self.it)
            key = f"amount.{amount.value}_of"
            if same:
                return self.say(f"{key}.it", clause=clause)
            return self.say(key, clause=clause, what=self._pronoun(amount.pronoun, voice, "object"))
        if amount.value == "hand size":
            return self.say("amount.hand_size", *voice, clause=clause)
        if amount.value in ("hand cards", "hand highest"):
            return self.say(f"amount.{amount.value.replace(' ', '_')}", *voice, clause=clause)
        if amount.value == "x":
            return self._times_x(clause, amount, voice)
        return clause

    def _times_x(self, clause: str, amount: Amount, voice: Voice) -> str:
        if abs(amount.each) > 1:
            key = f"amount.times_x.{self.x}"
            return self.say(key if self.has(key) else "amount.times_x", clause=clause)
        key = f"amount.x.{self.x}"
        if self.waiting_x is not None:
            return self.explained_x(clause, voice)
        return self.say(key, clause=clause) if self.has(key) else clause

    def explained_x(self, clause: str, voice: Voice) -> str:
        """Add to ``clause`` what X is, if that is still to be said."""
        waiting, self.waiting_x = self.waiting_x, None
        if waiting is None:
            return clause
        key, phrase = waiting
        return self.say(f"x.{key}", clause=clause, what=self.selected(phrase, voice))

    def explain_x_later(self, key: str, phrase: str) -> None:
        """Keep in mind what X is: it is said where X is used."""
        self.waiting_x = key, phrase

    def _counted(self, selector: Selector, voice: Voice) -> str:
        what = self.kinds(selector, voice, "one", owner=True)
        return what if selector.descriptions[-1].suffixes else self.say("suffix.in_play", what=what)

    def holding(self, clause: Callable[[], str], phrase: str | None, voice: Voice, of: Selector | None) -> str:
        """Say ``clause`` while the condition ``phrase`` holds; ``of`` is what it is about."""
        if phrase is None:
            return clause()
        condition = phrases.condition(phrase)
        key = f"while.{condition.kind}"
        if condition.who is not None and condition.who.pronoun and self.has(f"while self.{condition.kind}"):
            if condition.who == of == THIS:
                key = f"while self.{condition.kind}"
            elif condition.who.pronoun in ("it", "them"):
                key = f"while it.{condition.kind}"
        place = next(iter(self.words.MESSAGES.get(key, {"missing": ""})))
        first = clause() if place == "after" else ""
        named = key.startswith("while.")
        what = self.selected(condition.who, voice, "subject") if condition.who is not None and named else ""
        whom = self._whom(condition, voice)
        return self.say(key, place, *voice, what=what, whom=whom, clause=first or clause())

    def _whom(self, condition: Occasion, voice: Voice) -> str:
        if condition.whom is None:
            return ""
        if condition.kind == "is_challenging_without":
            return self.bare(condition.whom, voice, "many")
        return self.selected(condition.whom, voice)

    def conditioned(self, key: str, phrase: str, **places: str) -> str:
        """Fill the template ``key`` for the kind of the condition ``phrase``."""
        condition = phrases.condition(phrase)
        what = self.selected(condition.who, TO_YOU, "subject") if condition.who is not None else ""
        return self.say(f"{key}.{condition.kind}", *TO_YOU, what=what, whom=self._whom(condition, TO_YOU), **places)

    def required(self, asked: Requirement, number: str, article: bool = False) -> str:
        """Return the words for a unit that a mission asks for."""
        both = asked.trait in self.words.TRAITS_OF_BOTH or not asked.trait
        noun = self._noun(asked.type or "unit", number, "NOUNS") if asked.type or both else ""
        what = noun
        if asked.trait:
            trait = self.trait(asked.trait, "one" if noun else number)
            what = self.say("noun.of trait", trait=trait, what=noun).strip()
        return self.say("which.one", self.words.article(plain(what)), what=what) if article else what


def _other(selector: Selector) -> bool:
    return any("other" in kind.words for kind in selector.descriptions)


def _mine(selector: Selector) -> bool:
    """Return whether all that is meant is the player's own."""
    return all(any(rule == "yours" for rule, _ in kind.suffixes) for kind in selector.descriptions)


def _amount_word(selector: Selector) -> str:
    if selector.every:
        return "all"
    if selector.most == ANY:
        return "any number"
    if selector.least < selector.most:
        return "up to"
    return "one" if selector.most == 1 else "several"


def _counts(kind: Description) -> bool:
    """Return whether the noun of ``kind`` could be said once for several kinds: something stands before it."""
    qualified = any(word != "other" for word in kind.words) or bool(kind.traits or kind.trait)
    return qualified and not (kind.noun == "unit" and kind.trait)
