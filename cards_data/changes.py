"""What is different between two states of the card database, in words that a person can check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
import yaml
from msgspec import Struct

from cards_data.catalog import CardData
from cards_data.wording import words_of
from ccg.rules.authoring.records import nearest
from ccg.rules.cards.definitions import RESOURCES, CardDef
from ccg.rules.cards.schema import Ability
from ccg.rules.decoding import Decoder
from ccg.rules.effects.language import read_special


class FieldChange(Struct, frozen=True):
    """One fact of a card, before and after, as words."""

    field: str
    before: str
    after: str


class CardChange(Struct, frozen=True):
    """What an import changed on one card."""

    card: str
    name: str
    fields: tuple[FieldChange, ...]


class NewTrait(Struct, frozen=True):
    """A trait that no card had before, how many have it now, and the known one that may have been meant."""

    trait: str
    cards: int
    meant: str = ""


class Changes(Struct, frozen=True, kw_only=True):
    """What an import did: cards and printings by id, sets by code; ``names`` are those of new and gone cards."""

    new: tuple[str, ...] = ()
    changed: tuple[CardChange, ...] = ()
    gone: tuple[str, ...] = ()
    unchanged: int = 0
    new_printings: tuple[str, ...] = ()
    changed_printings: tuple[str, ...] = ()
    gone_printings: tuple[str, ...] = ()
    new_sets: tuple[str, ...] = ()
    changed_sets: tuple[str, ...] = ()
    gone_sets: tuple[str, ...] = ()
    new_traits: tuple[NewTrait, ...] = ()
    names: dict[str, str] = {}

    @property
    def nothing(self) -> bool:
        """Whether everything was there already."""
        return not any(getattr(self, field) for field in self.__struct_fields__ if field not in ("unchanged", "names"))

    @property
    def played(self) -> tuple[str, ...]:
        """The cards that will play otherwise than before: new ones and changed ones."""
        return (*self.new, *(one.card for one in self.changed))

    @property
    def taking_out(self) -> str:
        """Which cards go, in words: "164 cards of BSG2"; "" if none does."""
        codes = Counter(card_id.rpartition("-")[0] for card_id in self.gone)
        return " and ".join(f"{n} {'card' if n == 1 else 'cards'} of {code}" for code, n in sorted(codes.items()))

    def agreed(self, number: int | None) -> bool:
        """Return whether somebody who said that ``number`` cards go has seen what goes; nothing is said of none."""
        return not self.gone or number == len(self.gone)

    def why_not(self, how: str) -> str:
        """Say to somebody who has not said how many cards go what goes, and ``how`` to let it."""
        return (
            f"This would take {self.taking_out} out, and no new deck could use them. If the file has the wrong set "
            f"code, mend it; if they shall go, {how}. Nothing was changed."
        )


CHANGES = Decoder(Changes, read_special)


def compare(before: CardData, after: CardData, codes: set[str] | None = None) -> Changes:
    """Return what changes from ``before`` to ``after``; ``unchanged`` counts cards of the sets ``codes`` only."""
    old, new = ({card.id: card for card in one.catalog} for one in (before, after))
    changed = [
        CardChange(card.id, card.name, _fields(old[card.id], card))
        for card in after.catalog
        if card.id in old and card != old[card.id]
    ]
    looked_at = [c.id for one in after.sets if codes is None or one.code in codes for c in one.cards]
    old_printings, new_printings = ({p.id: p for p in one.printings} for one in (before, after))
    old_sets, new_sets = ({s.code: (s.name, s.year) for s in one.sets} for one in (before, after))
    fresh, gone = sorted(new.keys() - old.keys()), sorted(old.keys() - new.keys())
    return Changes(
        new=tuple(fresh),
        changed=tuple(changed),
        gone=tuple(gone),
        unchanged=sum(1 for card_id in looked_at if card_id in old and old[card_id] == new[card_id]),
        new_printings=tuple(sorted(new_printings.keys() - old_printings.keys())),
        changed_printings=_differing(old_printings, new_printings),
        gone_printings=tuple(sorted(old_printings.keys() - new_printings.keys())),
        new_sets=tuple(sorted(new_sets.keys() - old_sets.keys())),
        changed_sets=_differing(old_sets, new_sets),
        gone_sets=tuple(sorted(old_sets.keys() - new_sets.keys())),
        new_traits=_new_traits(old.values(), new.values()),
        names={**{card_id: new[card_id].name for card_id in fresh}, **{card_id: old[card_id].name for card_id in gone}},
    )


def _new_traits(before: Iterable[CardDef], after: Iterable[CardDef]) -> tuple[NewTrait, ...]:
    """Return the traits that no card had before, which may be slips; those of the very first cards are known."""
    known = {trait for card in before for trait in card.traits}
    counted = Counter(trait for card in after for trait in card.traits if known and trait not in known)
    return tuple(NewTrait(trait, number, nearest(trait, known)) for trait, number in sorted(counted.items()))


def _differing(old: Mapping[str, object], new: Mapping[str, object]) -> tuple[str, ...]:
    return tuple(sorted(key for key in old.keys() & new.keys() if old[key] != new[key]))


def _fields(before: CardDef, after: CardDef) -> tuple[FieldChange, ...]:
    changes = [
        FieldChange(name, in_words(getattr(before, name)), in_words(getattr(after, name)))
        for name in CardDef.__struct_fields__
        if getattr(before, name) != getattr(after, name)
    ]
    texts = words_of(before).plain, words_of(after).plain
    if texts[0] != texts[1]:
        changes.append(FieldChange("words on the card", *(words or "none" for words in texts)))
    return tuple(changes)


def in_words(value: object) -> str:
    """Return a fact as a person would say it: "2 security", "Cylon, Pilot", "no", "none"; abilities as in a file."""
    match value:
        case None | "" | ():
            return "none"
        case bool():
            return "yes" if value else "no"
        case (int(), int(), int()):
            amounts = [f"{n} {resource}" for n, resource in zip(value, RESOURCES, strict=True) if n]
            return " and ".join(amounts) or "none"
        case (Ability(), *_):
            return yaml.safe_dump(_plain(value), sort_keys=False, allow_unicode=True, width=100).strip()
        case tuple():
            return ", ".join(str(one) for one in value)
        case _:
            return str(value)


def _plain(abilities: object) -> Any:
    return list(msgspec.to_builtins(abilities))
