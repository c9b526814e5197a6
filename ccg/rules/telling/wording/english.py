"""English: every word and every sentence that the texts of cards are made of.

Another language is another module with the same names. :mod:`~ccg.rules.telling.wording.steps` only
chooses among these templates and fills their ``{places}``; it never puts words together itself.

A message is a template, or a table of them for the forms that a language may need:

- ``do`` and ``does``: said to the player ("ready a ship", also after "may"), or of somebody ("readies a ship");
  :func:`moods` makes both of one template;
- ``you`` and ``they``: seen from the card's player, or from somebody else who is spoken of (:func:`whose`);
- ``one`` and ``many``: the number of what the message is about;
- ``subject`` and ``object``: its place in the sentence;
- ``before`` and ``after``: where a moment or a condition stands; a message that has one of them wants it there;
- ``two``: there are exactly two;  ``pieces`` and ``player``: whether "they" are spoken of because of their cards.

``{your}`` may be used everywhere. ``[[icon:..|..]]``, ``[[trait:..|..]]`` and ``[[keyword:..|..]]`` are marks:
what stands after the bar is shown, what stands before it says what it is (see ``ccg.rules.telling.sentences``).
"""

from __future__ import annotations

import re
from typing import NamedTuple, Union

Message = Union[str, "dict[str, Message]"]


def moods(message: Message) -> Message:
    """Return ``message``, which is about an act, in the forms ``do`` and ``does``.

    >>> moods("draw(s) {number} cards")
    {'do': 'draw {number} cards', 'does': 'draws {number} cards'}
    """
    return {"do": _spelled(message, r"\((e?s)\)", ""), "does": _spelled(message, r"\((e?s)\)", r"\1")}


def whose(message: Message) -> Message:
    """Return ``message`` in the forms ``you`` and ``they``, each with its word for ``{your}``."""
    return {"you": _spelled(message, "{your}", "your"), "they": _spelled(message, "{your}", "their")}


def _spelled(message: Message, pattern: str, instead: str) -> Message:
    """Return ``message`` with ``instead`` for what ``pattern`` matches, in each of its forms."""
    if isinstance(message, dict):
        return {form: _spelled(template, pattern, instead) for form, template in message.items()}
    return re.sub(pattern, instead, message)


class Noun(NamedTuple):
    """A noun in the singular and in the plural."""

    one: str
    many: str


def regular(trait: str) -> Noun:
    """Return the noun of a trait that is not in the table."""
    return Noun(trait, trait if trait.endswith("s") else f"{trait}s")


def article(what: str) -> str:
    """Return the form of "which.one" before ``what``, by how its beginning is spoken."""
    vowel = what[:1].lower() in "aeiou" and not what.lower().startswith(("uni", "one", "eu"))
    return "an" if vowel else "a"


NOUNS: dict[str, Noun] = {
    "asset": Noun("asset", "assets"),
    "base": Noun("base", "bases"),
    "card": Noun("card", "cards"),
    "Cylon threat": Noun("Cylon threat", "Cylon threats"),
    "event": Noun("card", "cards"),
    "mission": Noun("mission", "missions"),
    "personnel": Noun("personnel", "personnel"),
    "resource stack": Noun("resource stack", "resource stacks"),
    "ship": Noun("ship", "ships"),
    "supply card": Noun("supply card", "supply cards"),
    "unit": Noun("unit", "units"),
}

CARDS: dict[str, Noun] = {
    **NOUNS,
    "mission": Noun("mission card", "mission cards"),
    "personnel": Noun("personnel card", "personnel cards"),
    "ship": Noun("ship card", "ship cards"),
    "unit": Noun("unit card", "unit cards"),
}
"""Nouns for cards that are not in play."""

TRAITS: dict[str, Noun] = {
    "Enlisted": Noun("Enlisted", "Enlisted"),
}
"""Traits that do not make their plural with "s"."""

TRAITS_OF_BOTH = frozenset({"Cylon", "Civilian"})
"""Traits that personnel and ships have: one says "a Cylon unit", but "a Pilot"."""

RESOURCES: dict[str, str] = {"persuasion": "persuasion", "logistics": "logistics", "security": "security"}

KEYWORDS: dict[str, str] = {
    "expedite": "Expedite",
    "link": "Link",
    "manipulate": "Manipulate",
    "persistent": "Persistent",
    "scramble": "Scramble",
    "sniper": "Sniper",
    "strafe": "Strafe",
    "vision": "Vision",
    "vulnerable": "Vulnerable",
}

TAKING_PART: dict[str, str] = {
    "is_defending": "defending",
    "is_challenging": "challenging",
    "is_challenging_one": "challenging {whom}",
    "is_challenging_without": "challenging an opponent without {whom}",
    "is_against_threat": "challenging a Cylon threat",
}
"""How a unit takes part in a challenge, as conditions say it."""

WHILE_TAKING_PART: dict[str, Message] = {
    "while": {"before": "while {what} is <part>, {clause}"},
    "while self": {"before": "while <part>, {clause}"},
    "while it": {"after": "{clause} while <part>"},
    "if": "{clause} if {what} is <part>",
    "during": "while {what} is <part>",
    "when and": "{when} and {what} is <part>",
}
"""The conditions that a unit takes part in a challenge, each in every way of :data:`TAKING_PART`."""

MESSAGES: dict[str, Message] = {
    # ------------------------------------------------------------ lists and sentences
    "list.and": "{first} and {last}",
    "list.or": "{first} or {last}",
    "list.changes": "{first} and also {last}",
    "list.more": "{first}, {last}",
    "list.then": "{first}; {last}",
    "list.modes": "{first}; or {last}",
    "list.sentences": "{first} {last}",
    "sentence": "{text}.",
    "nothing": moods("do(es) nothing"),
    "number.signed": {"plus": "+{number}", "minus": "−{number}"},
    "number.x": "X",
    # ------------------------------------------------------------ keywords and requirements
    "keyword": "[[keyword:{keyword}|{name}]]",
    "keyword.link": "[[keyword:{keyword}|{name}]] {what}",
    "keyword.expedite": "[[keyword:{keyword}|{name}]] {cost}",
    "keyword.cost": "{number} [[icon:{resource}|{name}]]",
    "requires": "resolve with {units}",
    "requires.units": "{number} {what}",
    # ------------------------------------------------------------ what
    "noun.trait": "[[trait:{trait}|{shown}]]",
    "noun.of trait": "{trait} {what}",
    "noun.shared": "{which} {what}",
    "which.one": {"a": "a {what}", "an": "an {what}"},
    "which.one.yours": whose("one of {your} {what}"),
    "which.another": "another {what}",
    "which.another.yours": whose("another of {your} {what}"),
    "which.several": "{number} {what}",
    "which.several.yours": whose("{number} of {your} {what}"),
    "which.up to": "up to {number} {what}",
    "which.up to.yours": whose("up to {number} of {your} {what}"),
    "which.any number": "any number of {what}",
    "which.any number.yours": whose("any number of {your} {what}"),
    "which.all": "all {what}",
    "which.all.yours": whose("all {your} {what}"),
    "which.none": "no {what}",
    "which.target": "target {what}",
    "which.another target": "another target {what}",
    "which.target several": "{number} target {what}",
    "which.target up to": "up to {number} target {what}",
    "which.target any number": "any number of target {what}",
    "adjective.alert": "alert {what}",
    "adjective.challenging": "challenging {what}",
    "adjective.defending": "defending {what}",
    "adjective.exhausted": "exhausted {what}",
    "adjective.linked": "linked {what}",
    "adjective.opposing": "{what} of an opponent",
    "adjective.other": "other {what}",
    "adjective.persistent": "persistent {what}",
    "adjective.reserve": "reserve {what}",
    "adjective.restored": "face-up {what}",
    "adjective.singular": "singular {what}",
    "adjective.unresolved": "unresolved {what}",
    "suffix.against_threat": {
        "one": "{what} that is challenging a Cylon threat",
        "many": "{what} that are challenging a Cylon threat",
    },
    "suffix.an_opponents": "{what} of an opponent",
    "suffix.bare": "{what} with no supply cards",
    "suffix.challenging_you": "{what} challenging you",
    "suffix.challenging_you_alone": "{what} challenging you with no defender",
    "suffix.in_play": "{what} in play",
    "suffix.same_title": "{what} of the same title",
    "suffix.supplied": "{what} with a supply card",
    "suffix.theirs": {"pieces": "{what} that its controller has", "player": "{what} of that player"},
    "suffix.weak": "{what} with a [[icon:power|power]] of {word} or less",
    "suffix.with_keyword": "{what} with {keyword}",
    "suffix.without": {"one": "{what} that is not {trait}", "many": "{what} that are not {trait}"},
    "suffix.yours": {"you": "{what} of yours", "they": "{what} of theirs"},
    "pronoun.it": {"one": "it", "many": {"subject": "they", "object": "them"}},
    "pronoun.that": {"one": "that {noun}", "many": "those {noun}"},
    "pronoun.the": "the {noun}",
    "pronoun.them": {"subject": "they", "object": "them"},
    "pronoun.this": "this {noun}",
    "pronoun.the challenger": "the challenger",
    "pronoun.the defender": "the defender",
    "pronoun.your base": whose("{your} base"),
    "your": whose("{your}"),
    # ------------------------------------------------------------ who
    "actor": "{who} {clause}",
    "players.each_opponent": "each opponent",
    "players.each_player": "each player",
    "players.with_most": "each player with the most {what}",
    "most.hand cards": "cards in hand",
    "most.hand highest": "cards of the highest mystic value in any hand",
    "most.hand size": "cards as hand size",
    "players.its_controller": "the player controlling it",
    "players.its_owner": "its owner",
    "players.target_opponent": "target opponent",
    "players.target_player": "target player",
    "players.they": "that player",
    "players.who revealed": "whoever revealed this",
    "deck.its_controller": "its controller's deck",
    "deck.its_owner": "its owner's deck",
    "deck.with_most": "the deck of each player with the most {what}",
    "deck.each_opponent": "each opponent's deck",
    "deck.each_player": "each player's deck",
    "deck.target_opponent": "target opponent's deck",
    "deck.target_player": "target player's deck",
    "deck.they": "that player's deck",
    "deck.you": whose("{your} deck"),
    # ------------------------------------------------------------ how much
    "amount.for_each": "{clause} per {what}",
    "amount.hand_size": whose("{clause}, X being the hand size of {your} base"),
    "amount.hand_cards": whose("{clause}, X being the number of cards in {your} hand"),
    "amount.hand_highest": whose(
        "{clause}, X being the number of cards in {your} hand with the highest mystic value in any hand"
    ),
    "amount.mystic_of": "{clause}, X being the mystic value of {what}",
    "amount.mystic_of.it": "{clause}, X being its mystic value",
    "amount.power_of": "{clause}, X being the power of {what}",
    "amount.power_of.it": "{clause}, X being its power",
    "amount.times_x": "{clause} times X",
    "amount.times_x.pieces": "{clause} for each of them",
    "amount.x.pieces": "{clause}, X being their number",
    "amount.x.beats_challenger": "{clause}, X being the difference of their totals",
    "amount.x.you_lose": "{clause}, X being how much you lose",
    "amount.x.you_reveal": "{clause}, X being that mystic value",
    "amount.x.revealed card": "{clause}, X being the mystic value of that card",
    "amount.x.revealed mystic value": "{clause}, X being that value",
    "amount.x.discarded": "{clause}, X being the number discarded",
    "amount.x.wins": "{clause}, X being its total",
    "x.mystic value": "{clause}, X being the mystic value of {what}",
    "x.supply cards": "{clause}, X being the number of supply cards under {what}",
    "x.named": moods("name(s) a number X"),
    "x.named.discarded": moods("discard(s) any number of cards"),
    "x.up to": "{clause} up to {number}",
    "x.up to.hand cards": whose("{clause} up to the number of cards in {your} hand"),
    "x.up to.hand highest": whose(
        "{clause} up to the number of cards in {your} hand with the highest mystic value in any hand"
    ),
    "x.up to.hand size": whose("{clause} up to the hand size of {your} base"),
    "x.revealed card": moods("reveal(s) the card on top of {your} deck"),
    "x.revealed mystic value": moods("reveal(s) a card for its mystic value"),
    # ------------------------------------------------------------ how long, when, while what
    "until.end of phase": "{clause} this phase",
    "until.end of turn": "{clause} this turn",
    "until.end of challenge": "{clause} for this challenge",
    "at.end of phase": {"after": "{clause} at the end of the phase", "before": "at the end of the phase, {clause}"},
    "at.end of turn": {"after": "{clause} at the end of the turn", "before": "at the end of the turn, {clause}"},
    "at.end of challenge": {
        "after": "{clause} at the end of the challenge",
        "before": "at the end of the challenge, {clause}",
    },
    "while.you_control": {
        "after": {"you": "{clause} while you control {what}", "they": "{clause} while they control {what}"}
    },
    "while.between_ships": {"after": "{clause} during a challenge between two ships"},
    "while.cylon_phase": {"after": "{clause} during the Cylon phase"},
    "while.execution_phase": {"after": "{clause} during the execution phase"},
    "while.in_challenge": {"after": "{clause} during a challenge"},
    "if.you_control": {"you": "{clause} if you control {what}", "they": "{clause} if they control {what}"},
    "if.between_ships": "{clause} if two ships are in a challenge",
    "if.cylon_phase": "{clause} if it is the Cylon phase",
    "if.execution_phase": "{clause} if it is the execution phase",
    "if.in_challenge": "{clause} if there is a challenge",
    "during.you_control": "while you control {what}",
    "during.between_ships": "during a challenge between two ships",
    "during.cylon_phase": "during the Cylon phase",
    "during.execution_phase": "during the execution phase",
    "during.in_challenge": "during a challenge",
    "when and.you_control": "{when} and you control {what}",
    "when and.between_ships": "{when} during a challenge between two ships",
    "when and.cylon_phase": "{when} during the Cylon phase",
    "when and.execution_phase": "{when} during the execution phase",
    "when and.in_challenge": "{when} during a challenge",
    # ------------------------------------------------------------ the forms of an ability
    "ability.action": "{cost}: {effect}",
    "ability.only": "{text} (Only {during}.)",
    "ability.effect.during": "play only {during}",
    "ability.trigger": "{when}, {effect}",
    "ability.instead": "{when}, instead {effect}",
    "ability.instead.may": "{when}, you may instead {effect}",
    "ability.trigger.cost alone": "{when}, you may {cost}",
    "ability.instead.cost alone": "{when}, you may instead {cost}",
    "ability.once": "{text} (Once each turn.)",
    "ability.counts_as": "to resolve a mission, {what} counts either as itself or as {number} units, {units}",
    "ability.counts_as.one": "to resolve a mission, {what} counts either as itself or as {units}",
    "ability.counts_as.any": (
        "to resolve a mission, {what} counts either as itself or as any {number} of the units that the mission asks for"
    ),
    "ability.helps": "when you resolve a mission, you may {cost} to have it count as {units} that the mission asks for",
    "ability.helps.any": (
        "when you resolve a mission, you may {cost} to have it count as any {number} of the units that the mission "
        "asks for"
    ),
    "ability.helps.trait": (
        "when you resolve a {trait} mission, you may {cost} to have it count as {units} that the mission asks for"
    ),
    "ability.helps.trait.any": (
        "when you resolve a {trait} mission, you may {cost} to have it count as any {number} of the units that the "
        "mission asks for"
    ),
    "ability.not_by": "{what} cannot help to meet the requirements of this mission",
    "ability.react": (
        "{when}, you may play this {noun} from your hand; it can defend against that challenger from your reserve area"
    ),
    # ------------------------------------------------------------ occasions
    "when.you_challenged": "when you are challenged",
    "when.challenged_by": "when {what} challenges you",
    "when.challenges": "when {what} challenges",
    "when.undefended": "when nobody defends against {what}",
    "when.enters": "when {what} comes into play",
    "when.defeated": "when {what} is defeated",
    "when.beaten_by_threat": "when a Cylon threat defeats {what}",
    "when.beats_challenger": "when {what} defeats a challenger",
    "when.beats_threat": "when {what} defeats a Cylon threat",
    "when.leaves": "when {what} leaves play",
    "when.wins": "when {what} wins a challenge",
    "when.you_play_event": "when you have played an event",
    "when.you_resolve": "when you resolve a mission",
    "when.ready_begins": "when the ready phase begins",
    "when.you_lose": "when you lose influence",
    "when.draws": "when a player draws a card",
    "when.you_reveal": "when you have revealed a mystic value",
    "when.threats_revealed": "when Cylon threats are revealed",
    "when.you_spend": "when you spend one of your resource stacks",
    "instead.would_be_defeated": "when {what} would be defeated",
    "instead.you_would_lose": "when you would lose influence",
    # ------------------------------------------------------------ what is done to pieces
    "done": "{verb} {what}",
    "verb.ready": {"do": "[[icon:ready|ready]]", "does": "[[icon:ready|readies]]"},
    "verb.commit": moods("[[icon:commit|commit(s)]]"),
    "verb.exhaust": moods("[[icon:exhaust|exhaust(s)]]"),
    "verb.restore": moods("[[icon:restore|restore(s)]]"),
    "verb.defeat": moods("defeat(s)"),
    "verb.sacrifice": moods("[[icon:sacrifice|sacrifice(s)]]"),
    "put.hand": moods(
        {"one": "return(s) {what} to its owner's hand", "many": "return(s) {what} to their owners' hands"}
    ),
    "put.top of deck": moods(
        {
            "one": "return(s) {what} to the top of its owner's deck",
            "many": "return(s) {what} to the top of their owners' decks",
        }
    ),
    "put.bottom of deck": moods(
        {
            "one": "return(s) {what} to the bottom of its owner's deck",
            "many": "return(s) {what} to the bottom of their owners' decks",
        }
    ),
    "put.deck": moods(
        {"one": "shuffle(s) {what} into its owner's deck", "many": "shuffle(s) {what} into their owners' decks"}
    ),
    "put.discard pile": moods(
        {"one": "put(s) {what} on its owner's discard pile", "many": "put(s) {what} on their owners' discard piles"}
    ),
    "put.reserve": moods(
        {"one": "put(s) {what} into its owner's reserve area", "many": "put(s) {what} into their owners' reserve areas"}
    ),
    "put.alert": moods(
        {"one": "put(s) {what} into its owner's alert area", "many": "put(s) {what} into their owners' alert areas"}
    ),
    "choose": moods("choose(s) {what}"),
    "exchange": moods("exchange(s) {what} for {card} {source}, which takes its place"),
    "same.power": "{what} of the same [[icon:power|power]]",
    "same.mystic value": "{what} of the same mystic value",
    "same.Cylon threat": "{what} of the same [[icon:threat|Cylon threat]]",
    "split": moods("take(s) {what} out of one of {your} unit stacks and put(s) it into {your} reserve area"),
    # ------------------------------------------------------------ influence and cards
    "gain": moods("gain(s) {number} [[icon:influence|influence]]"),
    "gain.more": moods("gain(s) {number} more [[icon:influence|influence]]"),
    "lose": moods("lose(s) {number} [[icon:influence|influence]]"),
    "draw": moods({"one": "draw(s) a card", "many": "draw(s) {number} cards"}),
    "draw.as many": moods("then draw(s) as many"),
    "discard": moods({"one": "discard(s) a card", "many": "discard(s) {number} cards"}),
    "discard.hand": moods("discard(s) {your} hand"),
    "mill": moods(
        {
            "one": "put(s) the top card of {your} deck into {your} discard pile",
            "many": "put(s) the top {number} cards of {your} deck into {your} discard pile",
        }
    ),
    "mill.each": moods("put(s) cards from the top of {your} deck into {your} discard pile, {number}"),
    "search": {
        "do": "search {your} deck for {what}; you may reveal it and {into}",
        "does": "searches {your} deck for {what} and may reveal it and {into}",
    },
    "search.any": {
        "do": "search {your} deck for {what}; you may {into}",
        "does": "searches {your} deck for {what} and may {into}",
    },
    "search into.hand": whose("take it into {your} hand"),
    "search into.top of deck": whose("put it on top of {your} deck"),
    "search into.bottom of deck": whose("put it on the bottom of {your} deck"),
    "search into.discard pile": "discard it",
    "search into.deck": "put it back",
    "search into.reserve": whose("put it into {your} reserve area"),
    "look": moods(
        {"one": "look(s) at the card on top of {deck}", "many": "look(s) at the top {number} cards of {deck}"}
    ),
    "reveal_top": moods(
        {"one": "reveal(s) the card on top of {deck}", "many": "reveal(s) the top {number} cards of {deck}"}
    ),
    "then.nothing": "{look}",
    "then.one on top": {
        "do": {
            "two": "{look}; put one back on top and the other on the bottom",
            "many": "{look}; put one back on top and the others on the bottom in any order",
        },
        "does": {
            "two": "{look}, puts one back on top and the other on the bottom",
            "many": "{look}, puts one back on top and the others on the bottom in any order",
        },
    },
    "then.may go to the bottom": {
        "do": "{look}; you may put it on the bottom",
        "does": "{look} and may put it on the bottom",
    },
    "then.one to the bottom": {
        "do": {
            "two": "{look}; put one on the bottom and take the other into {your} hand",
            "many": "{look}; put one on the bottom and take the others into {your} hand",
        },
        "does": {
            "two": "{look}, puts one on the bottom and takes the other into {your} hand",
            "many": "{look}, puts one on the bottom and takes the others into {your} hand",
        },
    },
    "then by.one on top": {
        "two": "{look}; {by} puts one back on top and the other on the bottom of that deck",
        "many": "{look}; {by} puts one back on top and the others on the bottom of that deck in any order",
    },
    "then by.may go to the bottom": "{look}; {by} may put it on the bottom of that deck",
    "then by.nothing": "{look}; {by} looks on",
    "then by.one to the bottom": {
        "two": "{look}; {by} puts one on the bottom of that deck, and the other goes to {your} hand",
        "many": "{look}; {by} puts one on the bottom of that deck, and the others go to {your} hand",
    },
    "reveal_hand": moods("reveal(s) {your} hand"),
    "take.hand": moods("return(s) {what} {source} to {your} hand"),
    "take.top of deck": moods("put(s) {what} {source} on top of {your} deck"),
    "take.bottom of deck": moods("put(s) {what} {source} on the bottom of {your} deck"),
    "take.deck": moods("shuffle(s) {what} {source} into {your} deck"),
    "take.discard pile": moods("discard(s) {what} {source}"),
    "take.reserve": moods("put(s) {what} {source} into {your} reserve area"),
    "take.alert": moods("put(s) {what} {source} into {your} alert area"),
    "from.hand": whose("from {your} hand"),
    "from.discard pile": whose("from {your} discard pile"),
    "from theirs.hand": "of your choice from their hand",
    "from theirs.discard pile": "of your choice from their discard pile",
    "supply.card in hand": moods("put(s) a card from {your} hand under {what} as a supply card"),
    "supply.this card": moods("put(s) this card under {what} as a supply card"),
    "shuffle.discard pile": moods("shuffle(s) {your} discard pile into {your} deck"),
    "contest.mystic value": (
        "each player reveals a mystic value, and those tied for the highest reveal again; whoever has the highest "
        "{effect}"
    ),
    "contest.mystic value.other": (
        "each player reveals a mystic value, and those tied for the highest reveal again; for the highest, {effect}"
    ),
    # ------------------------------------------------------------ changes
    "changed": "{what} {changes}",
    "power": {"one": "gets {number} [[icon:power|power]]", "many": "get {number} [[icon:power|power]]"},
    "threat": {
        "one": "gets {number} [[icon:threat|Cylon threat]]",
        "many": "get {number} [[icon:threat|Cylon threat]]",
    },
    "gains": {"one": "gains the {trait} trait", "many": "gain the {trait} trait"},
    "gains.keyword": {"one": "gains {keyword}", "many": "gain {keyword}"},
    "loses": {"one": "loses the {trait} trait", "many": "lose the {trait} trait"},
    "loses.keyword": {"one": "loses {keyword}", "many": "lose {keyword}"},
    "cannot.challenge": "cannot challenge",
    "cannot.defend": "cannot defend",
    "cannot.be targeted": "cannot be targeted",
    "cannot.be targeted by power": "cannot be targeted",
    "can.challenge": "can challenge",
    "can.defend": "can defend",
    "can.be targeted": "can be targeted",
    "can.be targeted by power": "can be targeted",
    "cannot by.challenge": "{clause}",
    "cannot by.defend": "{clause}",
    "cannot by.be targeted": "{clause} by effects",
    "cannot by.be targeted by power": "{clause} by effects that change its [[icon:power|power]]",
    "fleet": "the fleet defense level gets {number}",
    "prevent.influence loss": "no player can lose [[icon:influence|influence]]",
    "prevent.influence gain": "no player can gain [[icon:influence|influence]]",
    "price": {
        "one": "to challenge you, other players must pay {number} resource of any type each time",
        "many": "to challenge you, other players must pay {number} resources of any type each time",
    },
    "revealed": "each mystic value you reveal gets {number}",
    "revealed.of": "each mystic value you reveal from {what} gets {number}",
    "not_singular": "your {what} are not singular",
    "reduce": moods("lose(s) {number} less [[icon:influence|influence]]"),
    # ------------------------------------------------------------ the course of the game
    "extra": moods(
        {"one": "take(s) another action after this one", "many": "take(s) {number} more actions after this one"}
    ),
    "cheaper": "on your next action, a card costs {number} less of any one resource",
    "convert": (
        "on your next action, each resource stack that makes {number} or more [[icon:{resource}|{name}]] "
        "makes {made} of any one resource instead"
    ),
    "end.challenge": "the challenge ends",
    "end.execution phase": "the execution phase ends",
    "add_phases": "after the Cylon phase, another execution phase and then another Cylon phase are played",
    "goes_first": "{who} is first player in the next Cylon phase of this turn",
    "goes_first.you": "you are first player in the next Cylon phase of this turn",
    "fate.the loser": {
        "exhausted": "the loser of this challenge is exhausted, not defeated",
        "spared": "the loser of this challenge is not defeated",
        "defeated": "the loser of this challenge is defeated",
    },
    "fate.the winner": {
        "exhausted": "the winner of this challenge is exhausted",
        "spared": "the winner of this challenge is not defeated",
        "defeated": "the winner of this challenge is defeated",
    },
    "fate.a losing challenger": {
        "exhausted": "the challenger is exhausted, not defeated, if it loses",
        "spared": "the challenger is not defeated if it loses",
        "defeated": "the challenger is defeated if it loses",
    },
    "fate.a losing defender": {
        "exhausted": "the defender is exhausted, not defeated, if it loses",
        "spared": "the defender is not defeated if it loses",
        "defeated": "the defender is defeated if it loses",
    },
    "fate.a winning challenger": {
        "exhausted": "the challenger is exhausted if it wins",
        "spared": "the challenger is not defeated if it wins",
        "defeated": "the challenger is defeated if it wins",
    },
    "fate.a winning defender": {
        "exhausted": "the defender is exhausted if it wins",
        "spared": "the defender is not defeated if it wins",
        "defeated": "the defender is defeated if it wins",
    },
    "threats": moods({"one": "reveal(s) another Cylon threat", "many": "reveal(s) {number} more Cylon threats"}),
    "immune": "the red text of {what} does not affect {who}",
    "immune.you": "the red text of {what} does not affect you",
    "add": "add 1 [[icon:{resource}|{name}]] to what that stack makes",
    "reveal.again": {"do": "ignore that mystic value and reveal another", "does": "ignores it and reveals another"},
    "reveal.choose": {
        "you": "reveal two and choose which counts",
        "they": "they reveal two and you choose which counts",
    },
    "reveal.skip": {
        "you": "reveal none; instead {what} gets +X [[icon:power|power]] this phase",
        "they": "they reveal none; instead {what} gets +X [[icon:power|power]] this phase",
    },
    "reveal.sum": {"you": "reveal two and add them", "they": "they reveal two and add them"},
    "reveal until.end of turn": {
        "you": "when you next reveal a mystic value in a challenge this turn, {effect}",
        "they": "when {who} next reveals a mystic value in a challenge this turn, {effect}",
    },
    "reveal until.end of phase": {
        "you": "when you reveal a mystic value in a challenge this phase, {effect}",
        "they": "when {who} reveals a mystic value in a challenge this phase, {effect}",
    },
    "reveal until.end of challenge": {
        "you": "when you reveal a mystic value in this challenge, {effect}",
        "they": "when {who} reveals a mystic value in this challenge, {effect}",
    },
    # ------------------------------------------------------------ choices and costs
    "choose_one": "either {modes}",
    "choose_one.other": {"do": "choose one — {modes}", "does": "chooses one — {modes}"},
    "for.other": "for {who}, {effect}",
    "for.target": {
        "target_opponent": moods("choose(s) an opponent, who {effect}"),
        "target_player": moods("choose(s) a player, who {effect}"),
    },
    "may": {"do": "you may {effect}", "does": "may {effect}"},
    "may.other": {"do": "if you like, {effect}", "does": "may decide so: {effect}"},
    "may.once": "once each turn {clause}",
    "may.cost": {"do": "you may {cost} to {effect}", "does": "may {cost} to {effect}"},
    "may.cost.other": {"do": "you may {cost}; if so, {effect}", "does": "may {cost}; if so, {effect}"},
    "may.cost.instead": {"do": "you may {cost} to {effect} instead", "does": "may {cost} to {effect} instead"},
    "may.cost.instead.other": {
        "do": "you may {cost}; if so, instead {effect}",
        "does": "may {cost}; if so, instead {effect}",
    },
    **{
        f"{condition}.{way}": _spelled(message, "<part>", part)
        for condition, message in WHILE_TAKING_PART.items()
        for way, part in TAKING_PART.items()
    },
}
