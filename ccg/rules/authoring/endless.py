"""Abilities that put back what they cost, alone or two or three together: they could be used for ever.

A cost that commits or exhausts is one only as long as nothing readies or restores what paid it, and one that readies
or restores as long as nothing commits or exhausts it. What pays may be the card itself or something chosen, and what
is put back may be "it", which a step before has chosen. Here printed facts are compared, before anything is played:
what an ability does only sometimes (`if`, `choose one`) counts, what comes later (`at`) or only for opponents does
not. What is limited to `once: each turn` is never a loop. In a game a loop ends by ruling 92; a card that begins one
is better not let in. That ruling looks at one phase, so phases that are added without end are found here alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from ccg.rules.authoring.records import Problem
from ccg.rules.cards import phrases
from ccg.rules.cards.definitions import CardDef, stays_in_play
from ccg.rules.cards.phrases import Description, Selector
from ccg.rules.cards.schema import Ability, Step
from ccg.rules.effects.word import Word
from ccg.rules.effects.words.changes import Gains
from ccg.rules.effects.words.course import AddPhases, Choose
from ccg.rules.effects.words.in_play import Commit, Exhaust, Put, Ready, Restore
from ccg.rules.effects.words.structure import At, For
from ccg.rules.effects.words.values import X

UNDONE_BY: dict[str, type[Word]] = {"commit": Ready, "exhaust": Restore, "ready": Commit, "restore": Exhaust}
MOST_COMPARED = 300_000
"""Pairs and threes of abilities that are compared; our own cards have seven abilities to compare with one another."""
MOST_TOLD = 50

ELSEWHERE = ("theirs", "an_opponents", "against_threat", "challenging_you", "challenging_you_alone")
"""Suffixes of what is never a card of the player's own outside a challenge."""
SPOKEN_OF = ("it", "them", "that unit")
"""What stands for what a step before was about."""
UNITS = ("personnel", "ship")


class Paid(Struct, frozen=True):
    """What is committed or exhausted for an ability: its own ``card``, or something that ``selector`` means."""

    part: str
    selector: Selector | None = None


class Played(Struct, frozen=True):
    """An ability of a card in play that may be used more than once a turn: what is paid for it, what it puts back.

    ``names`` are the traits and the title of its card.
    """

    card: CardDef
    names: tuple[str, ...]
    paid: tuple[Paid, ...]
    ready: tuple[Selector, ...]
    restore: tuple[Selector, ...]

    def puts_back(self, other: Played) -> bool:
        """Return whether this undoes all that is paid for the ``other`` ability, that of a different card in play."""
        return all(
            any(other.may_be_paid_with(paid, back) for back in (self.ready if paid.part == "commit" else self.restore))
            for paid in other.paid
        )

    def may_be_paid_with(self, paid: Paid, back: Selector) -> bool:
        """Return whether ``paid``, for this ability, may be what ``back`` means in the text of another card."""
        if paid.selector is not None:
            return _overlap(paid.selector, back)
        return _may_mean(back, self.card.type, self.names)


def undoes_own_cost(ability: Ability, kind: str, names: Sequence[str], others: Sequence[Ability] = ()) -> bool:
    """Return whether an ability in play readies and restores all that is committed and exhausted for it.

    Its card is of this ``kind``, ``names`` are its traits and its title, and ``others`` its abilities, which may be
    set off by what this one does.
    """
    done = _with_set_off(ability.do, others)
    if isinstance(ability.cost, list):
        return bool(ability.cost) and all(_pays_back(step, done) for step in ability.cost)
    parts = _parts(ability)
    named = (*names, *given(others))
    return bool(parts) and all(
        any(_may_mean_this(back, of_step, kind, named) for back, of_step in _spoken_of(done, UNDONE_BY[part]))
        for part in parts
    )


def gives_nothing_up(ability: Ability) -> bool:
    """Return whether all that is paid for an ability is to ready or restore something, or to put it into reserve."""
    return isinstance(ability.cost, list) and all(
        isinstance(step, Ready | Restore) or (isinstance(step, Put) and step.into == "reserve") for step in ability.cost
    )


def may_cost_nothing(ability: Ability) -> bool:
    """Return whether nothing has to be chosen for all that is paid for an ability: "up to two", "any number"."""
    return isinstance(ability.cost, list) and all(
        isinstance(step, Word) and phrases.selector(step.about or "this").least == 0 for step in ability.cost
    )


def given(abilities: Iterable[Ability]) -> tuple[str, ...]:
    """Return the traits that a card may have by its own ``abilities``."""
    words = (word for ability in abilities for word in _done([*ability.do, *ability.always]))
    return tuple(word.gains for word in words if isinstance(word, Gains))


def adds_phases(steps: Sequence[Step]) -> bool:
    """Return whether ``steps``, or what lies in them, add phases to the turn, now or later, for whomever."""
    words = [step for step in steps if isinstance(step, Word)]
    return any(isinstance(word, AddPhases) or any(map(adds_phases, word.inner())) for word in words)


def rounds(cards: Iterable[CardDef], known: Iterable[CardDef]) -> Iterator[Problem]:
    """Yield a problem for each of ``cards`` that goes round for ever with one or two others, of ``cards`` or ``known``.

    Two copies of one card are two cards, unless there is only one of it in play.
    """
    mine = [played for card in cards for played in _played(card)]
    ids = {played.card.id for played in mine}
    others = _Comparison([*mine, *(played for card in known if card.id not in ids for played in _played(card))])
    found: list[set[str]] = []
    for first in range(len(mine)):
        for together in others.rounds_of(first):
            names = {card.id for card in together}
            if others.left < 0 or len(found) >= MOST_TOLD:
                return
            if not any(fewer <= names for fewer in found):
                found.append(names)
                yield _problem(*together)


class _Comparison:
    """Abilities held against one another; ``left`` is how many more comparisons there may be."""

    def __init__(self, abilities: Sequence[Played]) -> None:
        self._abilities = abilities
        self._put_back: dict[int, list[int]] = {}
        self.left = MOST_COMPARED

    def rounds_of(self, first: int) -> Iterator[tuple[CardDef, ...]]:
        """Yield two or three cards, those of the ability ``first`` to begin with, that put back each other's costs."""
        after = self._put_back_by(first)
        for second in after:
            if first in self._put_back_by(second):
                yield self._cards(first, second)
        for second in after:
            for third in self._put_back_by(second):
                self.left -= 1
                if self.left < 0:
                    return
                if first in self._put_back_by(third):
                    yield self._cards(first, second, third)

    def _put_back_by(self, number: int) -> list[int]:
        """Return the abilities whose cost that of this ``number`` puts back."""
        if number not in self._put_back:
            self.left -= len(self._abilities)
            ability = self._abilities[number]
            self._put_back[number] = [
                other
                for other, one in enumerate(self._abilities if self.left >= 0 else ())
                if ability.puts_back(one) and not _never_together(ability.card, one.card)
            ]
        return self._put_back[number]

    def _cards(self, *numbers: int) -> tuple[CardDef, ...]:
        return tuple(self._abilities[number].card for number in numbers)


def _problem(card: CardDef, *others: CardDef) -> Problem:
    """Say that cards go on for ever with one another."""
    others_named = dict.fromkeys(f"{other.name} ({other.id})" for other in others if other.id != card.id)
    named = ["it", *others_named]
    text = f"{', '.join(named[:-1])} and {named[-1]}" if len(named) > 1 else "two of it"
    return Problem(
        text=f"{text} put back each other's cost, so they could be used for ever",
        advice="say once: each turn" + (" in one of them" if len(named) > 1 else ""),
        card=card.id,
        name=card.name,
    )


def _never_together(card: CardDef, other: CardDef) -> bool:
    """Return whether one player cannot have both in play: a base is alone, what is singular is overlaid."""
    if card.type == "base" and other.type == "base":
        return True
    return card.is_unit and other.is_unit and card.singular and other.singular and card.title == other.title


def _played(card: CardDef) -> Iterator[Played]:
    """Yield the abilities of ``card`` that count here; a linked mission's cost is paid by whatever it is linked to."""
    if not stays_in_play(card.type, card.keywords) or "link" in card.keywords:
        return
    names = (*card.traits, card.title, *given(card.abilities))
    for ability in card.abilities:
        paid = tuple(_paid(ability))
        if paid and ability.once is None:
            done = _with_set_off(ability.do, card.abilities)
            ready = tuple(back for back, _ in _spoken_of(done, Ready))
            restore = tuple(back for back, _ in _spoken_of(done, Restore))
            if ready or restore:
                yield Played(card, names, paid, ready, restore)


def _paid(ability: Ability) -> Iterator[Paid]:
    """Yield what is committed and exhausted for an ability; nothing where more than that is paid."""
    if not isinstance(ability.cost, list):
        yield from map(Paid, _parts(ability))
    elif all(isinstance(step, Commit | Exhaust) for step in ability.cost):
        for verb in (Commit, Exhaust):
            for selector, _ in _spoken_of(ability.cost, verb):
                yield Paid(verb.verb, None if selector.pronoun == "this" else selector)


def _parts(ability: Ability) -> tuple[str, ...]:
    """Return "commit" and "exhaust" as far as its card pays them; nothing where it pays with more than that."""
    if ability.when is not None or ability.instead_of is not None or not isinstance(ability.cost, str):
        return ()
    parts = tuple(ability.cost.split(" and "))
    return parts if all(part in UNDONE_BY for part in parts) else ()


def _done(steps: Sequence[Step]) -> Iterator[Word]:
    """Yield the steps that the player of the ability carries out at once, those inside others too."""
    for step in steps:
        if isinstance(step, Word):
            yield step
            later = isinstance(step, At)
            others = isinstance(step, For) and phrases.players(step.for_).kind not in ("you", "each_player")
            if not later and not others:
                for inner in step.inner():
                    yield from _done(inner)


def _with_set_off(steps: Sequence[Step], others: Sequence[Ability]) -> list[Word]:
    """Return what is done in ``steps``, and in those triggers among ``others`` that it sets off every time."""
    done = list(_done(steps))
    occasions = {occasion for word in done for occasion in word.brings_about}
    for other in others:
        if other.when is not None and other.once is None and other.during is None and other.may in (None, True):
            done += _done(other.do) if phrases.occasion(other.when).kind in occasions else ()
    return done


def _spoken_of(steps: Sequence[Step], verb: type[Word]) -> Iterator[tuple[Selector, type[Word]]]:
    """Yield what each step of ``verb`` is about, with the word that said so: "it" may be whatever came before."""
    before: list[tuple[Selector, type[Word]]] = []
    for step in steps:
        if not isinstance(step, Word) or not (phrase := _phrase_of(step)):
            continue
        selector = phrases.selector(phrase)
        meant = before if selector.pronoun in SPOKEN_OF else [(selector, type(step))]
        if isinstance(step, verb):
            yield from meant
        if meant is not before:
            before = [*before, *meant]


def _phrase_of(step: Word) -> str | None:
    """Return the phrase for what is "it" behind the step."""
    if isinstance(step, Choose):
        return step.choose
    return step.of if isinstance(step, X) else step.about


# ---------------------------------------------------------------- phrases and cards


def _may_mean_this(selector: Selector, chosen_by: type[Word], kind: str, names: Sequence[str]) -> bool:
    """Return whether ``selector`` may mean the card itself, which has just paid.

    It was no legal target of what readies or restores before, but may have been one of something else.
    """
    if selector.pronoun:
        return selector.pronoun == "this" or (kind == "base" and selector.pronoun == "your base")
    if selector.target and chosen_by in (Ready, Restore, Commit, Exhaust):
        return False
    return any(_fits(one, kind, names) for one in selector.descriptions if "other" not in one.words)


def _may_mean(selector: Selector, kind: str, names: Sequence[str]) -> bool:
    """Return whether ``selector``, in the text of another card in play, may mean a card of this ``kind`` and names."""
    if selector.pronoun:
        return selector.pronoun == "your base" and kind == "base"
    return any(_fits(description, kind, names) for description in selector.descriptions)


def _fits(description: Description, kind: str, names: Sequence[str]) -> bool:
    kinds = {"unit": UNITS, "card": (*UNITS, "mission", "base"), "resource stack": ("base",)}
    if kind not in kinds.get(description.noun, (description.noun,)) or "opposing" in description.words:
        return False
    for name, word in description.suffixes:
        if name in ELSEWHERE or (name == "without" and word in names):
            return False
    return all(trait in names for trait in (description.trait, *description.traits) if trait)


def _pays_back(step: Step, done: Sequence[Word]) -> bool:
    """Return whether what this step of a cost commits or exhausts may be put back."""
    if not isinstance(step, Word) or step.verb not in UNDONE_BY or step.about is None:
        return False
    paid = phrases.selector(step.about)
    undone = UNDONE_BY[step.verb]
    if any(isinstance(one, undone) and one.about in SPOKEN_OF for one in done):
        return True  # what was paid is "it", unless another step came between, which may have been about it as well
    return any(_overlap(paid, back) for back, _ in _spoken_of(done, undone))


def _overlap(paid: Selector, back: Selector) -> bool:
    """Return whether something may be meant by both phrases."""
    if paid.pronoun or back.pronoun:
        return paid.pronoun == back.pronoun
    return any(_together(one, other) for one in paid.descriptions for other in back.descriptions)


def _together(paid: Description, back: Description) -> bool:
    nouns = {paid.noun, back.noun}
    alike = len(nouns) == 1 or "card" in nouns or ("unit" in nouns and nouns & set(UNITS))
    return bool(alike) and "opposing" not in back.words and not any(name in ELSEWHERE for name, _ in back.suffixes)
