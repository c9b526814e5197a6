"""The ability language as it is written in card files: typed records, one for each form.

An ability is an effect (what an event or a mission does), an action (``cost``), a trigger (``when``), a
continuous effect (``always``), a replacement (``instead of``), or red Cylon threat text (``red``). What
it does is a list of steps, each one verb of the rulebook with a phrase for who or what
(:mod:`~ccg.rules.language.phrases`). docs/ability-language.md is made from these records.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Phrase = Annotated[str, Meta(min_length=1, max_length=120)]
Number = Annotated[int, Meta(ge=-20, le=20)] | Phrase
Until = Literal["end of phase", "end of turn", "end of challenge"]
Moment = Literal["end of challenge", "end of phase", "end of turn"]
Place = Literal["hand", "top of deck", "bottom of deck", "deck", "discard pile", "reserve", "alert"]

_RENAMED = {
    "for_": "for",
    "while_": "while",
    "if_": "if",
    "choose_one": "choose one",
    "instead_of": "instead of",
    "from_": "from",
    "reveal_hand": "reveal hand",
    "add_phases": "add phases",
    "goes_first": "goes first",
    "not_singular": "not singular",
    "counts_as": "counts as",
    "not_by": "not by",
}


class Step(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, rename=_RENAMED):
    """One step of what an ability does: exactly one verb, with the words that go with it."""

    # moving cards in play; the value says which (Ready vs. Commit, Exhaust vs. Restore)
    ready: Phrase | None = None
    commit: Phrase | None = None
    exhaust: Phrase | None = None
    restore: Phrase | None = None
    defeat: Phrase | None = None
    sacrifice: Phrase | None = None
    put: Phrase | None = None
    into: Place | None = None
    # influence and cards; the value says how much, ``who`` says whose
    gain: Number | None = None
    lose: Number | None = None
    draw: Number | None = None
    discard: Number | None = None
    mill: Number | None = None
    who: Phrase | None = None
    # changes for a while
    power: Number | None = None
    gains: Phrase | None = None
    loses: Phrase | None = None
    cannot: Literal["challenge", "defend", "be targeted", "be targeted by power"] | None = None
    fleet: Number | None = None
    prevent: Literal["influence loss", "influence gain"] | None = None
    threat: Number | None = None
    of: Phrase | None = None
    while_: Phrase | None = None
    if_: Phrase | None = None
    until: Until | None = None
    # hands, decks and discard piles
    search: Phrase | None = None
    look: Annotated[int, Meta(ge=1, le=10)] | None = None
    then: Literal["one on top", "may go to the bottom", "one to the bottom", "nothing"] | None = None
    by: Phrase | None = None
    shown: bool = False
    reveal_hand: Phrase | None = None
    take: Phrase | None = None
    from_: Literal["hand", "discard pile"] | None = None
    supply: Literal["this card", "card in hand"] | None = None
    under: Phrase | None = None
    shuffle: Literal["discard pile"] | None = None
    exchange: Phrase | None = None
    split: Phrase | None = None
    # a value read on the way, called X from then on
    x: Literal["named", "supply cards", "mystic value", "revealed mystic value", "revealed card"] | None = None
    # mystic values
    reveal: Literal["sum", "choose", "skip", "again"] | None = None
    revealed: Number | None = None
    # the course of the game
    extra: Annotated[int, Meta(ge=1, le=5)] | None = None
    cheaper: Annotated[int, Meta(ge=1, le=5)] | None = None
    convert: Annotated[int, Meta(ge=1, le=5)] | None = None
    end: Literal["challenge", "execution phase"] | None = None
    add_phases: bool = False
    goes_first: Phrase | None = None
    fate: Literal["the loser is exhausted", "the defender is spared", "a winning challenger is defeated"] | None = None
    threats: Annotated[int, Meta(ge=1, le=5)] | None = None
    immune: Phrase | None = None
    choose: Phrase | None = None
    contest: Literal["mystic value"] | None = None
    add: Literal["persuasion", "logistics", "security"] | None = None
    price: Annotated[int, Meta(ge=1, le=5)] | None = None
    not_singular: Phrase | None = None
    # only instead of something
    reduce: Number | None = None
    # structure
    for_: Phrase | None = None
    choose_one: Annotated[list[Step | list[Step]], Meta(min_length=2, max_length=6)] | None = None
    may: bool | str | list[Step] | None = None
    once: Literal["each turn"] | None = None
    at: Moment | None = None
    do: Annotated[list[Step], Meta(max_length=12)] = []


class Ability(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, rename=_RENAMED):
    """One ability of a card; see the module for its forms."""

    cost: str | list[Step] | None = None
    when: Phrase | None = None
    instead_of: Phrase | None = None
    always: list[Step] = []
    while_: Phrase | None = None
    red: list[Step] = []
    may: str | list[Step] | bool | None = None
    do: Annotated[list[Step], Meta(max_length=12)] = []
    during: Phrase | None = None
    once: Literal["each turn"] | None = None
    counts_as: Annotated[list[Phrase], Meta(min_length=1, max_length=4)] = []
    helps: Phrase | None = None
    not_by: Phrase | None = None
    react: Phrase | None = None
