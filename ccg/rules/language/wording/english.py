"""English: every word and every sentence that the texts of cards are made of.

Another language is another module with the same names. :mod:`~ccg.rules.language.wording.telling` only
chooses among these templates and fills their ``{places}``; it never puts words together itself.

A message is a template, or a table of them for the forms of a language:

- ``do`` and ``does``: said to the player ("ready a ship", also after "may"), or of somebody ("readies a ship");
- ``you`` and ``they``: seen from the card's player, or from somebody else of whom is spoken;
- ``one`` and ``many``: the number of what the sentence is about.

``[[icon:..|..]]``, ``[[trait:..|..]]`` and ``[[keyword:..|..]]`` are marks (see ``ccg.rules.words``).
"""

from __future__ import annotations

from typing import NamedTuple


class Noun(NamedTuple):
    """A noun in the singular and in the plural."""

    one: str
    many: str


Message = str | dict[str, "Message"]

NOUNS: dict[str, Noun] = {
    "asset": Noun("asset", "assets"),
    "base": Noun("base", "bases"),
    "card": Noun("card", "cards"),
    "Cylon threat": Noun("Cylon threat", "Cylon threats"),
    "event": Noun("event", "events"),
    "mission": Noun("mission", "missions"),
    "personnel": Noun("personnel", "personnel"),
    "resource stack": Noun("resource stack", "resource stacks"),
    "ship": Noun("ship", "ships"),
    "supply card": Noun("supply card", "supply cards"),
    "unit": Noun("unit", "units"),
}

TRAITS: dict[str, Noun] = {
    "Enlisted": Noun("Enlisted", "Enlisted"),
}
"""Traits that do not make their plural with "s"."""

TRAITS_OF_BOTH = frozenset({"Cylon", "Civilian"})
"""Traits that personnel and ships have: one says "a Cylon unit", but "a Pilot"."""

BEFORE_VOWELS = "aeiouAEIOU"
NOT_LIKE_VOWELS = ("uni", "Uni", "one", "eu", "Eu")
"""Beginnings that are written with a vowel, but spoken without: "a unit"."""

MINUS = "−"

MESSAGES: dict[str, Message] = {
    # ------------------------------------------------------------ lists and sentences
    "list.and": "{first} and {last}",
    "list.or": "{first} or {last}",
    "list.more": "{first}, {last}",
    "list.then": "{first}; {last}",
    "list.options": "{first}; or {last}",
    "list.two sentences": "{first} {last}",
    "sentence": "{text}.",
    "actor": "{who} {does}",
    # ------------------------------------------------------------ who and what
    "noun.trait": "[[trait:{trait}|{shown}]]",
    "trait of": "{trait} {what}",
    "shared noun": "{which} {what}",
    "number.one": "1",
    "a": {"a": "a {what}", "an": "an {what}"},
    "another": "another {what}",
    "several": "{number} {what}",
    "up to": "up to {number} {what}",
    "any number": "any number of {what}",
    "all": "all {what}",
    "each": "{what}",
    "none": "no {what}",
    "target": {"one": "a target {what}", "many": "{number} target {what}"},
    "target.other": {"one": "another target {what}", "many": "{number} other target {what}"},
    "target.up to": "up to {number} target {what}",
    "target.any number": "any number of target {what}",
    "adjective.alert": "alert {what}",
    "adjective.reserve": "reserve {what}",
    "adjective.exhausted": "exhausted {what}",
    "adjective.restored": "face-up {what}",
    "adjective.challenging": "challenging {what}",
    "adjective.defending": "defending {what}",
    "adjective.singular": "singular {what}",
    "adjective.unresolved": "unresolved {what}",
    "adjective.persistent": "persistent {what}",
    "adjective.opposing": "opposing {what}",
    "adjective.linked": "linked {what}",
    "adjective.other": "other {what}",
    "suffix.yours": {"you": "{what} you control", "they": "{what} they control"},
    "suffix.theirs": "{what} that player controls",
    "suffix.an_opponents": "{what} an opponent controls",
    "suffix.in_play": "{what} in play",
    "suffix.weak": "{what} with {word} or less [[icon:power|power]]",
    "suffix.bare": "{what} with no supply cards",
    "suffix.supplied": "{what} with a supply card",
    "suffix.without": "{what} without the {word} trait",
    "suffix.with_keyword": "{what} with {word}",
    "suffix.against_threat": "{what} challenging a Cylon threat",
    "suffix.challenging_you": "{what} challenging you",
    "suffix.challenging_you_alone": "{what} challenging you without a defender",
    "pronoun.this": "this {noun}",
    "pronoun.it": {"one": "it", "many": "them"},
    "pronoun.that": {"one": "that {noun}", "many": "those {noun}"},
    "pronoun.the challenger": "the challenger",
    "pronoun.the defender": "the defender",
    "pronoun.your base": {"you": "your base", "they": "their base"},
    "players.target_player": "a target player",
    "players.target_opponent": "a target opponent",
    "players.each_player": "each player",
    "players.each_opponent": "each opponent",
    "players.its_controller": "its controller",
    "players.its_owner": "its owner",
    "players.they": "that player",
    "your": {"you": "your", "they": "their"},
    # ------------------------------------------------------------ how much, how long, under which condition
    "amount.for_each": "{clause} for each {what}",
    "amount.mystic": "{clause}, X being the mystic value of {what}",
    "amount.mystic.it": "{clause}, X being its mystic value",
    "amount.power": "{clause}, X being the power of {what}",
    "amount.power.it": "{clause}, X being its power",
    "until.end of phase": "{clause}",
    "until.end of turn": "{clause} until the end of the turn",
    "until.end of challenge": "{clause} until the end of the challenge",
    "forbidden.end of phase": "{clause} this phase",
    "forbidden.end of turn": "{clause} this turn",
    "forbidden.end of challenge": "{clause} this challenge",
    "moment.end of phase": {"after": "{clause} at the end of the phase", "before": "at the end of the phase, {clause}"},
    "moment.end of turn": {"after": "{clause} at the end of the turn", "before": "at the end of the turn, {clause}"},
    "moment.end of challenge": {
        "after": "{clause} at the end of the challenge",
        "before": "at the end of the challenge, {clause}",
    },
    "while": "while {condition}, {clause}",
    "if": "{clause} if {condition}",
    "during": "during {condition}, {clause}",
    "only during": "play only during {condition}",
    "condition.is_defending": "{what} is defending",
    "condition.is_challenging": "{what} is challenging",
    "condition.is_against_threat": "{what} is challenging a Cylon threat",
    "condition.you_control": {"you": "you control {what}", "they": "they control {what}"},
    "condition.self.is_defending": "defending",
    "condition.self.is_challenging": "challenging",
    "condition.self.is_against_threat": "challenging a Cylon threat",
    "season.execution_phase": "the execution phase",
    "season.cylon_phase": "the Cylon phase",
    "season.in_challenge": "a challenge",
    # ------------------------------------------------------------ the forms of an ability
    "ability.action": "{cost}: {effect}",
    "ability.trigger": "{when}, {effect}",
    "ability.trigger.may": "{when}, you may {effect}",
    "ability.trigger.cost": "{when}, you may {cost}: {effect}",
    "ability.instead": "{when}, {effect} instead",
    "ability.instead.may": "{when}, you may {effect} instead",
    "ability.instead.cost": "{when}, you may {cost} instead",
    "ability.instead.cost and effect": "{when}, you may {cost}: {effect} instead",
    "ability.change.may": "{when}, you may {effect}",
    "ability.change.cost": "{when}, you may {cost}: {effect}",
    "ability.change": "{when}, {effect}",
    "ability.once": "{text} (Once each turn.)",
    "requires": "Resolve with {units}.",
    "requires.one": "{number} {what}",
    # ------------------------------------------------------------ occasions
    "when.you_challenged": "when you are challenged",
    "when.challenges": "when {what} challenges",
    "when.undefended": "when {what} challenges and there is no defender",
    "when.enters": "when {what} enters play",
    "when.defeated": "when {what} is defeated",
    "when.leaves": "when {what} leaves play",
    "when.wins": "when {what} wins a challenge",
    "when.you_play_event": "when you play an event",
    "when.you_resolve": "when you resolve a mission",
    "when.ready_begins": "when the ready phase begins",
    "when.you_lose": "when you lose influence",
    "when.draws": "when a player draws a card",
    "when.you_reveal": "when you reveal a mystic value",
    "when.threats_revealed": "when Cylon threats are revealed",
    "instead.would_be_defeated": "when {what} would be defeated",
    "instead.you_would_lose": "when you would lose influence",
    # ------------------------------------------------------------ what is done to pieces
    "done": "{verb} {what}",
    "verb.ready": {"do": "[[icon:ready|ready]]", "does": "[[icon:ready|readies]]"},
    "verb.commit": {"do": "[[icon:commit|commit]]", "does": "[[icon:commit|commits]]"},
    "verb.exhaust": {"do": "[[icon:exhaust|exhaust]]", "does": "[[icon:exhaust|exhausts]]"},
    "verb.restore": {"do": "[[icon:restore|restore]]", "does": "[[icon:restore|restores]]"},
    "verb.defeat": {"do": "defeat", "does": "defeats"},
    "verb.sacrifice": {"do": "[[icon:sacrifice|sacrifice]]", "does": "[[icon:sacrifice|sacrifices]]"},
    "put.hand": {
        "do": {"one": "put {what} into its owner's hand", "many": "put {what} into their owners' hands"},
        "does": {"one": "puts {what} into its owner's hand", "many": "puts {what} into their owners' hands"},
    },
    "put.top of deck": {
        "do": {"one": "put {what} on top of its owner's deck", "many": "put {what} on top of their owners' decks"},
        "does": {"one": "puts {what} on top of its owner's deck", "many": "puts {what} on top of their owners' decks"},
    },
    "put.bottom of deck": {
        "do": {"one": "put {what} under its owner's deck", "many": "put {what} under their owners' decks"},
        "does": {"one": "puts {what} under its owner's deck", "many": "puts {what} under their owners' decks"},
    },
    "put.deck": {
        "do": {"one": "shuffle {what} into its owner's deck", "many": "shuffle {what} into their owners' decks"},
        "does": {"one": "shuffles {what} into its owner's deck", "many": "shuffles {what} into their owners' decks"},
    },
    "put.discard pile": {
        "do": {
            "one": "put {what} into its owner's discard pile",
            "many": "put {what} into their owners' discard piles",
        },
        "does": {
            "one": "puts {what} into its owner's discard pile",
            "many": "puts {what} into their owners' discard piles",
        },
    },
    "put.reserve": {"do": "put {what} into reserve", "does": "puts {what} into reserve"},
    "put.alert": {"do": "put {what} on alert", "does": "puts {what} on alert"},
    # ------------------------------------------------------------ influence and cards
    "gain": {
        "do": "gain {number} [[icon:influence|influence]]",
        "does": "gains {number} [[icon:influence|influence]]",
    },
    "lose": {
        "do": "lose {number} [[icon:influence|influence]]",
        "does": "loses {number} [[icon:influence|influence]]",
    },
    "draw": {
        "do": {"one": "draw a card", "many": "draw {number} cards"},
        "does": {"one": "draws a card", "many": "draws {number} cards"},
    },
    "discard": {
        "do": {"one": "discard a card", "many": "discard {number} cards"},
        "does": {"one": "discards a card", "many": "discards {number} cards"},
    },
    "discard.hand": {"do": "discard {your} hand", "does": "discards {your} hand"},
    "mill": {
        "do": {
            "one": "put the top card of {your} deck into {your} discard pile",
            "many": "put the top {number} cards of {your} deck into {your} discard pile",
        },
        "does": {
            "one": "puts the top card of {your} deck into {your} discard pile",
            "many": "puts the top {number} cards of {your} deck into {your} discard pile",
        },
    },
    "search": {
        "do": "search {your} deck for {what}, show it and take it into hand",
        "does": "searches {your} deck for {what}, shows it and takes it into hand",
    },
    "search.any": {
        "do": "search {your} deck for {what} and take it into hand",
        "does": "searches {your} deck for {what} and takes it into hand",
    },
    # ------------------------------------------------------------ changes for a while
    "changed": "{what} {changes}",
    "power": {"one": "gets {number} [[icon:power|power]]", "many": "get {number} [[icon:power|power]]"},
    "threat": {
        "one": "gets {number} [[icon:threat|Cylon threat]]",
        "many": "get {number} [[icon:threat|Cylon threat]]",
    },
    "gains.trait": {"one": "gains the {word} trait", "many": "gain the {word} trait"},
    "gains.keyword": {"one": "gains {word}", "many": "gain {word}"},
    "loses.trait": {"one": "loses the {word} trait", "many": "lose the {word} trait"},
    "cannot.challenge": "cannot challenge",
    "cannot.defend": "cannot defend",
    "cannot.be targeted": "cannot be a target",
    "cannot.be targeted by power": "cannot be a target of what changes its power",
    "cannot.all": "no {what} {changes}",
    "cannot.challenge.all": "can challenge",
    "cannot.defend.all": "can defend",
    "cannot.be targeted.all": "can be a target",
    "cannot.be targeted by power.all": "can be a target of what changes its power",
    "fleet": "the fleet defense level gets {number}",
    "prevent.influence loss": "no player can lose [[icon:influence|influence]]",
    "prevent.influence gain": "no player can gain [[icon:influence|influence]]",
    # ------------------------------------------------------------ choices, costs and the rest
    "choose one": {"do": "choose one: {modes}", "does": "chooses one: {modes}"},
    "for": "{who} {does}",
    "for.target": {"do": "choose {who}, who {does}", "does": "chooses {who}, who {does}"},
    "may": {"do": "you may {effect}", "does": "may {effect}"},
    "may.cost": {"do": "you may {cost}: {effect}", "does": "may {cost}: {effect}"},
    "reduce": {"do": "lose {number} less", "does": "loses {number} less"},
}
