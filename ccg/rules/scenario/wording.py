"""What a scenario expects, in sentences for readers: the lines of checks are short, and made to be written."""

from __future__ import annotations

from collections.abc import Sequence

from ccg.rules.scenario import checks

AREAS: dict[str, str] = {
    "hand": "in {player}'s hand",
    "deck": "in {player}'s deck",
    "discard": "in {player}'s discard pile",
    "removed": "among {player}'s cards that are removed from the game",
    "alert": "in {player}'s alert area",
    "reserve": "in {player}'s reserve area",
    "assets": "among {player}'s assets",
    "persistent": "among {player}'s persistent missions",
}
"""Where something lies, by the words that checks have for it."""

SENTENCES: dict[str, str] = {
    "P influence N": "{player} has {number} influence",
    "P deck top REST": "{rest} lies on top of {player}'s deck",
    "P supplies CARD N": "{player}'s stack of {card} has supply cards: {number}",
    "P ZONE N": "Cards {area}: {number}",
    "P ZONE has REST": "{rest} is {area}",
    "P ZONE lacks REST": "{rest} is not {area}",
    "nobody was asked": "Nobody was asked anything",
    "P was asked nothing but REST": "{player} was asked nothing but: {rest}",
    "P was asked REST": "{player} was asked: {rest}",
    "P is asked REST": "{player} is asked: {rest}",
    "P decides": "It is {player} who decides next",
    "P may not CARD because REST": "{player} may not {card}, because of: {rest}",
    "P lost": "{player} has lost",
    "phase REST": "It is the {rest} phase",
    "turn N": "It is turn {number}",
    "first P": "{player} is first player",
    "fleet defense N": "The fleet defense level is {number}",
    "fleet defense because REST": "The fleet defense level is changed by {rest}",
    "P pays less because REST": "{player} pays less by {rest}",
    "threat level N": "The threat level is {number}",
    "threats REST": "The Cylon threats are {rest}",
    "no threats": "There are no Cylon threats",
    "winner P": "{player} wins the game",
    "winners REST": "{rest} win the game together",
    "draw": "The game is a draw",
    "draw of REST": "The game is a draw of {rest}",
    "no winner": "The game goes on",
    "stack CARD: REST": "The unit stack of {card} is, from the top: {rest}",
    "CARD power because REST": "The power of {card} is changed by {rest}",
    "CARD power N": "{card} has power {number}",
    "CARD threat N": "{card} has Cylon threat {number}",
    "CARD mystic N": "{card} has mystic value {number}",
    "CARD has trait REST": "{card} has the trait {rest}",
    "CARD lacks trait REST": "{card} does not have the trait {rest}",
    "CARD has keyword REST": "{card} has the keyword {rest}",
    "CARD lacks keyword REST": "{card} does not have the keyword {rest}",
    "CARD linked REST": "{rest} is linked to {card}",
    "CARD exhausted": "{card} is exhausted",
    "CARD restored": "{card} is not exhausted",
}
"""The sentence of each form of check that does not read like one already."""

CODED = frozenset(form for form in SENTENCES if " asked " in form or form.endswith("CARD because REST"))
"""Forms whose last words are a name of the program: a kind of decision, a reason."""


def sentence(line: str, players: Sequence[str]) -> str:
    """Return what the check ``line`` says as a sentence; ``players`` are their names.

    Raises :class:`~ccg.rules.scenario.files.ScenarioError` if no form of check fits it.
    """
    form, parts = checks.read(line, players)
    if form in CODED:
        parts["rest"] = parts["rest"].replace("_", " ")
    if "zone" in parts:
        parts["area"] = AREAS[parts["zone"]].format_map(parts)
    said = SENTENCES[form].format_map(parts) if form in SENTENCES else line
    return said[0].upper() + said[1:] + "."
