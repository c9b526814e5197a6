"""The ability language as it is written in card files: typed records, one for each form.

An ability is an effect (what an event or a mission does), an action (``cost``), a trigger (``when``), a
continuous effect (``always``), a replacement (``instead of``), or red Cylon threat text (``red``). What
it does is a list of steps, each one verb of the rulebook with a phrase for who or what
(:mod:`~ccg.rules.language.phrases`).

What each key means stands beside it: the reference in docs/ability-language.md and the JSON Schema for
editors are made from these records (:mod:`~ccg.rules.language.reference`).
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct


def _phrase(rule: str) -> Meta:
    """Give the limits of a phrase, and which of :data:`ccg.rules.language.phrases.READERS` reads it."""
    return Meta(min_length=1, max_length=120, extra={"phrase": rule})


Things = Annotated[str, _phrase("selector")]
"""Who or what in play: "target alert personnel", "this"."""
Cards = Annotated[str, _phrase("cards")]
"""A kind of card that is not in play: "Cylon card"."""
People = Annotated[str, _phrase("players")]
"""Players: "you", "each opponent"."""
Amount = Annotated[str, _phrase("amount")]
"""How much: "X", "+1 for each ship you control"."""
Occasion = Annotated[str, _phrase("occasion")]
"""What sets an ability off, or would happen: "this enters play"."""
Condition = Annotated[str, _phrase("condition")]
"""What holds or does not: "this is defending"."""
CostWords = Annotated[str, _phrase("cost")]
"""A cost in words: "commit and exhaust"."""
Help = Annotated[str, _phrase("help")]
"""What helping with a mission costs: "exhaust", "sacrifice for Cylon"."""
Unit = Annotated[str, _phrase("requirement")]
"""A unit that a mission may ask for: "Officer", "Cylon personnel"."""
Word = Annotated[str, Meta(min_length=1, max_length=30)]
"""A trait or a keyword."""
Number = Annotated[int, Meta(ge=-20, le=20)] | Amount
Until = Literal["end of phase", "end of turn", "end of challenge"]
Moment = Literal["end of challenge", "end of phase", "end of turn"]
Place = Literal["hand", "top of deck", "bottom of deck", "deck", "discard pile", "reserve"]

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


IN_PLAY = "Cards in play"
INFLUENCE = "Influence"
CARDS = "Hands, decks and discard piles"
CHANGES = "Changes"
VALUES = "Numbers and mystic values"
COURSE = "The course of the game"
STRUCTURE = "Steps within steps"
GROUPS = (IN_PLAY, INFLUENCE, CARDS, CHANGES, VALUES, COURSE, STRUCTURE)
"""The verbs in the order in which the reference tells them."""


def _verb(group: str, section: str, meaning: str, *keys: str, only: str = "") -> Meta:
    """Say what a verb means, the rulebook's section that it is from, and the keys that may go with it.

    ``only`` names the one form of ability in which it can stand.
    """
    return Meta(description=meaning, extra={"verb": group, "section": section, "keys": keys, "only": only})


def _form(name: str, section: str, meaning: str, *keys: str) -> Meta:
    """Say what the form of ability is that is known by a key, and the keys that may go with it."""
    return Meta(description=meaning, extra={"form": name, "section": section, "keys": keys})


def _key(meaning: str) -> Meta:
    """Say what a key means that goes with others."""
    return Meta(description=meaning, extra={})


class Step(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, rename=_RENAMED):
    """One step of what an ability does: exactly one verb, with the words that go with it."""

    # moving cards in play; the value says which (Ready vs. Commit, Exhaust vs. Restore)
    ready: Annotated[
        Things | None, _verb(IN_PLAY, "Ready vs. Commit", "Reserve cards go to their controller's alert area.")
    ] = None
    commit: Annotated[
        Things | None, _verb(IN_PLAY, "Ready vs. Commit", "Alert cards go to their controller's reserve.")
    ] = None
    exhaust: Annotated[Things | None, _verb(IN_PLAY, "Exhaust vs. Restore", "Cards are turned face down.")] = None
    restore: Annotated[Things | None, _verb(IN_PLAY, "Exhaust vs. Restore", "Face-down cards are turned face up.")] = (
        None
    )
    defeat: Annotated[
        Things | None,
        _verb(IN_PLAY, "Glossary", "Cards go from play to their owners' discard piles, as beaten ones do."),
    ] = None
    sacrifice: Annotated[
        Things | None,
        _verb(
            IN_PLAY, "Glossary",
            "Cards of the player's own go to their owners' discard piles; this defeats nothing. `a supply card` is "
            "one that lies under any stack of theirs.",
        ),
    ] = None  # fmt: skip
    put: Annotated[
        Things | None,
        _verb(
            IN_PLAY,
            "Game Zones",
            "Cards go from play to a zone of their owners, the discard pile if none is said.",
            "into",
        ),
    ] = None
    into: Annotated[Place | None, _key("Where to; `deck` is shuffled. With `take` it is `hand` if it is not said.")] = (
        None
    )
    # influence and cards; the value says how much, ``who`` says whose
    gain: Annotated[Number | None, _verb(INFLUENCE, "Victory Conditions", "Players gain influence.", "who")] = None
    lose: Annotated[Number | None, _verb(INFLUENCE, "Victory Conditions", "Players lose influence.", "who")] = None
    draw: Annotated[Number | None, _verb(CARDS, "Glossary", "Players draw cards.", "who")] = None
    discard: Annotated[
        Number | Literal["hand"] | None,
        _verb(CARDS, "Glossary", "Players discard cards of their choice; `hand` is all that they hold.", "who"),
    ] = None
    mill: Annotated[
        Number | None,
        _verb(CARDS, "Depleting Your Deck", "The top cards of players' decks go to their discard piles.", "who"),
    ] = None
    who: Annotated[People | None, _key("Which players; `you` if it is not said.")] = None
    # changes for a while
    power: Annotated[
        Number | None, _verb(CHANGES, "Effects", "The power of cards changes by so much.", "of", "until", "if", "while")
    ] = None
    gains: Annotated[
        Word | None, _verb(CHANGES, "Effects", "Cards gain a trait or a keyword.", "of", "until", "if", "while")
    ] = None
    loses: Annotated[Word | None, _verb(CHANGES, "Effects", "Cards lose a trait.", "of", "until", "if", "while")] = None
    cannot: Annotated[
        Literal["challenge", "defend", "be targeted", "be targeted by power"] | None,
        _verb(
            CHANGES, "Effects",
            "Cards cannot do something, or it cannot be done to them; `be targeted by power` is about effects that "
            "change power.",
            "of", "until", "if", "while",
        ),
    ] = None  # fmt: skip
    fleet: Annotated[
        Number | None,
        _verb(CHANGES, "Fleet Defense Level", "The fleet defense level changes by so much.", "until", "while"),
    ] = None
    prevent: Annotated[
        Literal["influence loss", "influence gain"] | None,
        _verb(INFLUENCE, "Effects", "No player loses, or no player gains, influence for a while.", "until"),
    ] = None
    threat: Annotated[
        Number | None,
        _verb(CHANGES, "Effects", "The Cylon threat of cards changes by so much.", "of", "until", "if", "while"),
    ] = None
    of: Annotated[Things | None, _key("Which cards the step is about; `this` if it is not said.")] = None
    while_: Annotated[Condition | None, _key("The change works only while this condition holds.")] = None
    if_: Annotated[Condition | None, _key("The change is made only if this condition holds as the step resolves.")] = (
        None
    )
    until: Annotated[
        Until | None, _key("When the change ends; `end of phase` if it is not said, and `end of turn` with `reveal`.")
    ] = None
    # hands, decks and discard piles
    search: Annotated[
        Cards | None,
        _verb(CARDS, "Glossary", "The player may take a card of that kind from their deck to hand, and shuffles."),
    ] = None
    look: Annotated[
        Annotated[int, Meta(ge=1, le=10)] | None,
        _verb(CARDS, "Glossary", "The player looks at so many top cards of a deck.", "who", "then", "by", "shown"),
    ] = None
    then: Annotated[
        Literal["one on top", "may go to the bottom", "one to the bottom", "nothing"] | None,
        _key(
            "What is done with the cards: `one on top` and the others to the bottom, a single card "
            "`may go to the bottom`, or `one to the bottom` and the others to hand."
        ),
    ] = None
    by: Annotated[People | None, _key("Which player decides about the cards; `you` if it is not said.")] = None
    shown: Annotated[bool, _key("All players see the cards.")] = False
    reveal_hand: Annotated[
        People | None, _verb(CARDS, "Glossary", "Players show their hands to all; the value says which players.")
    ] = None
    take: Annotated[
        Cards | None,
        _verb(
            CARDS, "Game Zones",
            "A card of that kind goes from a hand or discard pile to another zone. It is the player's own, or `who` "
            "says whose; the player chooses. A target is chosen from their discard pile as the ability is played.",
            "from", "into", "who",
        ),
    ] = None  # fmt: skip
    from_: Annotated[Literal["hand", "discard pile"] | None, _key("Where from; `discard pile` if it is not said.")] = (
        None
    )
    supply: Annotated[
        Literal["this card", "card in hand"] | None,
        _verb(CARDS, "Resources", "A card goes under a base or an asset as a supply card.", "under"),
    ] = None
    under: Annotated[Things | None, _key("Under which stack; `a resource stack you control` if it is not said.")] = None
    shuffle: Annotated[
        Literal["discard pile"] | None,
        _verb(CARDS, "Depleting Your Deck", "The player's discard pile is shuffled into their deck."),
    ] = None
    exchange: Annotated[
        Things | None,
        _verb(
            IN_PLAY, "Game Zones",
            "A unit and a card of its type and power from the player's hand change places, and states.",
        ),
    ] = None  # fmt: skip
    split: Annotated[
        Cards | None,
        _verb(
            IN_PLAY, "Overlaying cards",
            "A card of that kind in a unit stack of the player becomes a unit of its own, in reserve.",
        ),
    ] = None  # fmt: skip
    # a value read on the way, called X from then on
    x: Annotated[
        Literal["named", "supply cards", "mystic value", "revealed mystic value", "revealed card"] | None,
        _verb(
            VALUES, "Meeting Requirements",
            "A number is X from now on: one that the player `named` as the ability is played, how many `supply cards` "
            "lie under `of`, the `mystic value` of `of`, a `revealed mystic value`, or that of the `revealed card` on "
            "top of the player's deck, which stays there. How many a step was done to is X as well.",
            "of",
        ),
    ] = None  # fmt: skip
    # mystic values
    reveal: Annotated[
        Literal["sum", "choose", "skip", "again"] | None,
        _verb(
            VALUES, "Revealing a Mystic Value",
            "When `who` next reveals a mystic value for a challenge: one more is revealed and both add up (`sum`), or "
            "the player chooses which counts (`choose`), or none is revealed and `of` gets X power instead (`skip`). "
            "`again` replaces the value just revealed by another.",
            "who", "of", "until",
        ),
    ] = None  # fmt: skip
    revealed: Annotated[
        Number | None,
        _verb(
            CHANGES, "Revealing a Mystic Value",
            "Each mystic value that the player reveals changes by so much; `of` says of which cards, else of all.",
            "of", "while", only="always",
        ),
    ] = None  # fmt: skip
    # the course of the game
    extra: Annotated[
        Annotated[int, Meta(ge=1, le=5)] | None,
        _verb(COURSE, "Execution Phase", "The player takes so many more actions, directly after this one."),
    ] = None
    cheaper: Annotated[
        Annotated[int, Meta(ge=1, le=5)] | None,
        _verb(COURSE, "Paying Costs", "A card costs so much less of one resource on the player's next action."),
    ] = None
    convert: Annotated[
        Annotated[int, Meta(ge=1, le=5)] | None,
        _verb(
            COURSE, "Generating Resources",
            "On the player's next action a stack that makes so many logistics makes 3 of any one resource instead.",
        ),
    ] = None  # fmt: skip
    end: Annotated[
        Literal["challenge", "execution phase"] | None,
        _verb(COURSE, "Challenge Procedure", "The challenge or the phase is over when this effect is done."),
    ] = None
    add_phases: Annotated[
        bool, _verb(COURSE, "Turn Structure", "After the Cylon phase follow another execution and another Cylon phase.")
    ] = False
    goes_first: Annotated[
        People | None,
        _verb(COURSE, "First Player", "That player is first player in the next Cylon phase of this turn."),
    ] = None
    fate: Annotated[
        Literal["the loser is exhausted", "the defender is spared", "a winning challenger is defeated"] | None,
        _verb(COURSE, "Challenge Procedure", "The challenge that is going on ends otherwise for one who takes part."),
    ] = None
    threats: Annotated[
        Annotated[int, Meta(ge=1, le=5)] | None,
        _verb(COURSE, "Resolving Cylon Threats", "The player reveals so many more Cylon threats.", only="red"),
    ] = None
    immune: Annotated[
        People | None,
        _verb(
            COURSE,
            "Red Cylon threat text",
            "The red text of `of`, a Cylon threat, does not affect those players.",
            "of",
        ),
    ] = None
    choose: Annotated[
        Things | None, _verb(STRUCTURE, "Effects", 'Something is only named: it is "it" in the steps that follow.')
    ] = None
    contest: Annotated[
        Literal["mystic value"] | None,
        _verb(
            VALUES, "Revealing a Mystic Value",
            "Each player reveals a mystic value, anew where they tie; in `do`, \"you\" is whoever has the highest.",
            "do",
        ),
    ] = None  # fmt: skip
    add: Annotated[
        Literal["persuasion", "logistics", "security"] | None,
        _verb(
            COURSE, "Generating Resources", "The stack being spent makes one more of that resource.",
            only="when: you spend a resource stack",
        ),
    ] = None  # fmt: skip
    price: Annotated[
        Annotated[int, Meta(ge=1, le=5)] | None,
        _verb(
            CHANGES, "Challenge", "Others pay so many resources of any type for each challenge against the player.",
            "while", only="always",
        ),
    ] = None  # fmt: skip
    not_singular: Annotated[
        Cards | None,
        _verb(CHANGES, "Overlaying cards", "The player's cards of that kind are not singular.", "while", only="always"),
    ] = None
    # only instead of something
    reduce: Annotated[
        Number | None,
        _verb(INFLUENCE, "Effects", "The loss that is about to happen is so much smaller.", only="instead of"),
    ] = None
    # structure
    for_: Annotated[
        People | None,
        _verb(
            STRUCTURE, "Effects",
            "Each of these players is \"you\" in `do`, one after another in turn order, and makes the choices there.",
            "do",
        ),
    ] = None  # fmt: skip
    choose_one: Annotated[
        Annotated[list[Step | list[Step]], Meta(min_length=2, max_length=6)] | None,
        _verb(STRUCTURE, "Effects", "One of these, of those that are possible: a step each, or a list of steps."),
    ] = None
    may: Annotated[
        bool | CostWords | list[Step] | None,
        _verb(
            STRUCTURE, "Effects",
            "The player may pay a cost, and only then `do` follows; `true` costs nothing.",
            "do", "once",
        ),
    ] = None  # fmt: skip
    once: Annotated[Literal["each turn"] | None, _key("The offer can be taken once a turn.")] = None
    at: Annotated[
        Moment | None, _verb(STRUCTURE, "Effects", "What is in `do` happens later, at that moment.", "do")
    ] = None
    do: Annotated[list[Step], Meta(max_length=12), _key("The steps inside this one.")] = []


class Ability(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, rename=_RENAMED):
    """One ability of a card; see the module for its forms."""

    cost: Annotated[
        CostWords | list[Step] | None,
        _form(
            "An action", "Play an Ability",
            "The player may use it as an action or in a challenge. `commit`, `exhaust` and `sacrifice`, or two of "
            "them with \"and\", are done to this card (a linked mission: to its unit); other costs are lists of steps.",
            "do", "during", "once",
        ),
    ] = None  # fmt: skip
    when: Annotated[
        Occasion | None,
        _form(
            "A trigger", "Effects",
            "It is set off by an occasion and waits until what caused it is done. With `may` the player decides, and "
            "pays the cost that it names.",
            "may", "do", "during", "once",
        ),
    ] = None  # fmt: skip
    instead_of: Annotated[
        Occasion | None,
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
    while_: Annotated[Condition | None, _key("All of it works only while this condition holds.")] = None
    red: Annotated[
        list[Step],
        Meta(max_length=12),
        _form(
            "Red text", "Red Cylon threat text",
            "What happens as the card comes up as a Cylon threat; \"you\" is whoever revealed it.",
        ),
    ] = []  # fmt: skip
    may: Annotated[
        CostWords | list[Step] | bool | None,
        _key("The player may: a cost as under `cost`, or `true` for none. Without it, it happens in any case."),
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
    during: Annotated[Condition | None, _key("It can be played, or is set off, only while this condition holds.")] = (
        None
    )
    once: Annotated[Literal["each turn"] | None, _key("It can be used once a turn; counted for each card in play.")] = (
        None
    )
    counts_as: Annotated[
        Annotated[list[Unit], Meta(min_length=1, max_length=4)],
        _form(
            "Help with missions", "Resolve a Mission",
            "To resolve a mission the card counts as these units, one requirement each (`unit` meets any). With "
            "`helps` it does so at a cost, wherever it lies face up.",
            "helps",
        ),
    ] = []  # fmt: skip
    helps: Annotated[
        Help | None,
        _key('What helping costs this card: `exhaust` or `sacrifice`; with "for" and a trait, only such missions.'),
    ] = None
    not_by: Annotated[
        Things | None,
        _form("Nobody of this kind", "Resolve a Mission", "Units of this kind cannot help to resolve this mission."),
    ] = None
    react: Annotated[
        Literal["you are challenged by a ship"] | None,
        _form(
            "Played as you are challenged", "Challenge Procedure",
            "The card can be played from hand at this moment, at its cost, and defend from reserve.",
        ),
    ] = None  # fmt: skip
