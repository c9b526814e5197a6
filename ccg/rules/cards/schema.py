"""The ability language as it is written in card files: typed records, one for each form.

An ability is an effect (what an event or a mission does), an action (``cost``), a trigger (``when``), a
continuous effect (``always``), a replacement (``instead of``), or red Cylon threat text (``red``). What
it does is a list of steps, each one word of the language: a verb of the rulebook with a phrase for who or
what (:mod:`~ccg.rules.cards.phrases`). The words themselves are in :mod:`ccg.rules.effects.words`, each a
record of its own; here they are only known as :class:`Step`.

What each key means stands beside it: the reference in docs/ability-language.md and the JSON Schema for
editors are made from these records (:mod:`~ccg.rules.authoring.reference`).
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct


def _phrase(rule: str) -> Meta:
    """Return the limits of a phrase, and which of :data:`ccg.rules.cards.phrases.READERS` reads it."""
    return Meta(min_length=1, max_length=120, extra={"phrase": rule})


SelectorPhrase = Annotated[str, _phrase("selector")]
"""Who or what in play: "target alert personnel", "this"."""
CardsPhrase = Annotated[str, _phrase("cards")]
"""A kind of card that is not in play: "Cylon card"."""
PlayersPhrase = Annotated[str, _phrase("players")]
"""Players: "you", "each opponent"."""
AmountPhrase = Annotated[str, _phrase("amount")]
"""How much: "X", "+1 for each ship you control"."""
OccasionPhrase = Annotated[str, _phrase("occasion")]
"""What sets an ability off, or would happen: "this enters play"."""
ConditionPhrase = Annotated[str, _phrase("condition")]
"""What holds or does not: "this is defending"."""
CostPhrase = Annotated[str, _phrase("cost")]
"""A cost in words: "commit and exhaust"."""
HelpPhrase = Annotated[str, _phrase("help")]
"""What helping with a mission costs: "exhaust", "sacrifice for Cylon"."""
RequirementPhrase = Annotated[str, _phrase("requirement")]
"""A unit that a mission may ask for: "Officer", "Cylon personnel"."""
TraitOrKeyword = Annotated[str, Meta(min_length=1, max_length=30)]
"""A trait or a keyword."""
Number = Annotated[int, Meta(ge=-20, le=20)] | AmountPhrase
Until = Literal["end of phase", "end of turn", "end of challenge"]
Moment = Literal["end of challenge", "end of phase", "end of turn"]
Destination = Literal["hand", "top of deck", "bottom of deck", "deck", "discard pile", "reserve"]


class Step:
    """One step of what an ability does: one word of the language with what goes with it.

    Records are read with the hook of :mod:`ccg.rules.effects.language`, which knows all words.
    """

    __slots__ = ()


class Mode(list[Step]):
    """One of several ways to choose from: a step in a file, or a list of steps."""


def written(name: str) -> str:
    """Return how the field ``name`` is written in a file: ``for_`` is "for", ``goes_first`` "goes first"."""
    return name.rstrip("_").replace("_", " ")


def _form(name: str, section: str, meaning: str, *keys: str) -> Meta:
    """Return what the form of ability is that is known by a key, and the keys that may go with it."""
    return Meta(description=meaning, extra={"form": name, "section": section, "keys": keys})


def key(meaning: str) -> Meta:
    """Return the meaning of a key that goes with others."""
    return Meta(description=meaning, extra={})


class Ability(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, rename=written):
    """One ability of a card; see the module for its forms."""

    cost: Annotated[
        CostPhrase | list[Step] | None,
        _form(
            "An action", "Play an Ability",
            "The player may use it as an action or in a challenge. `commit`, `exhaust` and `sacrifice`, or two of "
            "them with \"and\", are done to this card (a linked mission: to its unit); other costs are lists of steps. "
            "On an event, and on a mission that does not stay in play, the cost is a list of steps that is paid as the "
            "card is played or resolved. What a cost names is no target of an effect.",
            "do", "during", "once",
        ),
    ] = None  # fmt: skip
    when: Annotated[
        OccasionPhrase | None,
        _form(
            "A trigger", "Effects",
            "It is set off by an occasion and waits until what caused it is done. With `may` the player decides, and "
            "pays the cost that it names.",
            "may", "do", "during", "once",
        ),
    ] = None  # fmt: skip
    instead_of: Annotated[
        OccasionPhrase | None,
        _form(
            "A replacement", "Effects",
            "It steps in before something happens, and that does not happen; with `reduce` less of it does.",
            "may", "do",
        ),
    ] = None  # fmt: skip
    always: Annotated[
        list[Step],
        Meta(max_length=6),
        _form(
            "A continuous effect", "Effects",
            "Changes that are there as long as the card is face up in play, and `while` its condition holds.",
            "while",
        ),
    ] = []  # fmt: skip
    while_: Annotated[ConditionPhrase | None, key("All of it works only while this condition holds.")] = None
    red: Annotated[
        list[Step],
        Meta(max_length=12),
        _form(
            "Red text", "Red Cylon threat text",
            "What happens as the card comes up as a Cylon threat; \"you\" is whoever revealed it.",
        ),
    ] = []  # fmt: skip
    may: Annotated[
        CostPhrase | list[Step] | bool | None,
        key("The player may: a cost as under `cost`, or `true` for none. Without it, it happens in any case."),
    ] = None
    do: Annotated[
        list[Step],
        Meta(max_length=12),
        _form(
            "An effect", "Effects",
            "What an event does as it is played, or a mission as it is resolved. In the other forms it is what "
            "follows: the steps of the ability.",
            "during",
        ),
    ] = []  # fmt: skip
    during: Annotated[
        ConditionPhrase | None, key("It can be played, or is set off, only while this condition holds.")
    ] = None
    once: Annotated[Literal["each turn"] | None, key("It can be used once a turn; counted for each card in play.")] = (
        None
    )
    counts_as: Annotated[
        Annotated[list[RequirementPhrase], Meta(min_length=1, max_length=4)],
        _form(
            "Help with missions", "Resolve a Mission",
            "To resolve a mission the card counts as these units, one requirement each (`unit` meets any). With "
            "`helps` it does so at a cost, wherever it lies face up.",
            "helps",
        ),
    ] = []  # fmt: skip
    helps: Annotated[
        HelpPhrase | None,
        key('What helping costs this card: `exhaust` or `sacrifice`; with "for" and a trait, only such missions.'),
    ] = None
    not_by: Annotated[
        SelectorPhrase | None,
        _form("Nobody of this kind", "Resolve a Mission", "Units of this kind cannot help to resolve this mission."),
    ] = None
    react: Annotated[
        OccasionPhrase | None,
        _form(
            "Played as you are challenged", "Challenge Procedure",
            "The card can be played from hand as the player is challenged, at its cost, and defend from reserve.",
        ),
    ] = None  # fmt: skip
