"""What the words in views and events can be: the part of ``docs/protocol.md`` that comes from the rules.

The sentences beside them are those that the table itself shows, with what is filled in between braces.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import get_args

from ccg.rules.core.events import EventKind
from ccg.rules.core.state import WINNING_INFLUENCE
from ccg.rules.telling.templates import EVENTS, OPTIONS, PROMPTS

PHASES: dict[str, str] = {
    "setup": "Opening hands, and who is first.",
    "ready": "Units ready, cards are drawn, one resource card may be played.",
    "execution": "Players act in turn until all have passed.",
    "cylon": "Threats are counted, and the Cylons may attack.",
}
STEPS_OF_CHALLENGES: dict[str, str] = {
    "declared": "It is declared, and what that sets off happens.",
    "defend": "Who is challenged chooses a defender, or nobody.",
    "effects": "Everybody may play events and use abilities, until all have passed.",
    "mystic": "Mystic values are revealed.",
    "result": "The totals are compared, and what follows is carried out.",
}
ROLE_MEANINGS: dict[str, str] = {
    "base": "A player's base.",
    "asset": "A card played as a resource.",
    "personnel": "A unit: personnel.",
    "ship": "A unit: a ship.",
    "mission": "A mission, unresolved or persistent.",
    "threat": "A Cylon threat between the players.",
}
UNTIL: dict[str, str] = {
    "end of phase": "The end of this phase.",
    "end of turn": "The end of this turn.",
    "end of challenge": "The end of this challenge.",
    "next action": "The next action of that player.",
    "in play": "As long as `piece` is in play.",
    "linked": "As long as the mission is linked to `piece`.",
    "": "As long as the rule applies.",
}
USES: dict[str, str] = {
    "play": "The card in hand.",
    "use": "The ability `number` of the piece, or of the mission linked to it.",
    "boost": "A card beneath the piece, for +1 power.",
    "resolve": "The mission.",
    "challenge": "The unit, against a player or a Cylon threat.",
    "defend": "The unit, in a challenge to which whoever asks has to answer.",
}
PLACES: dict[str, str] = {
    "alert": "Among a player's alert units and missions.",
    "reserve": "In a player's reserve.",
    "resource": "Among a player's resource stacks and persistent missions.",
    "supply": "Face down under a resource stack.",
    "center": "Between the players: a Cylon threat.",
    "linked": "On a unit, as a linked mission.",
    "hand": "In a hand.",
    "deck": "In a deck.",
    "top of deck": "On a deck.",
    "bottom of deck": "Under a deck.",
    "discard": "In a discard pile.",
    "discard pile": "The same, where a card says so.",
    "removed": "Out of the game.",
}
REASONS: dict[str, str] = {
    "influence": f"The winners have {WINNING_INFLUENCE} influence or more.",
    "last": "All others have lost or conceded.",
    "time": "All others have lost or conceded, the last one by running out of time.",
    "absent": "All others have lost or conceded, the last one by being away for too long.",
    "draw": "All who were left lost at the same moment; or, if none of those who drew has `lost`, whoever runs the site"
    " has ended the match.",
    "agreed": "The players agreed on a draw.",
    "abandoned": "Nobody came back to the match.",
    "outdated": "The match was begun with an older version of the rules program and was ended by an update.",
}


def sections() -> list[str]:
    """Return the sections of the reference."""
    kinds, verbs = decision_kinds(), option_verbs()
    return [
        "## Values",
        (
            "What the texts in views and events can be. New cards bring new options and sentences, hardly ever new"
            " words; a client shows what it does not know by its `text` or `prompt`."
        ),
        _section("`kind` of a decision, `step` of a view", kinds),
        (
            "`step` is the kind of the decision that is waiting. Of a half-made move others see only the step that it"
            ' belongs to. Without a `decision` (when the match is over) it is "" or the last one, and means nothing.'
        ),
        _section("`verb` of an option", verbs),
        _section("`kind` of an event", event_kinds()),
        _section("`phase` of a view", PHASES),
        _section("`step` of a challenge", STEPS_OF_CHALLENGES),
        _section("`role` of a piece, `as_type` of a challenge", ROLE_MEANINGS),
        _section("`verb` of a use", USES),
        _section("`until` of a cause", UNTIL),
        _section("`source` and `to` of an event", PLACES),
        (
            "`to` is otherwise the phase that begins (`phase`), what a challenger challenges as (`strafe`), or what is"
            " changed and the word gained or lost (`changed`: `power`, `trait Pilot`, `cannot defend`)."
        ),
        _section("`reason` of a result", REASONS),
    ]


def decision_kinds() -> dict[str, str]:
    """Return all kinds of decisions with what their player is asked."""
    return dict(PROMPTS)


def option_verbs() -> dict[str, str]:
    """Return all verbs of options with the texts that options have."""
    return _gathered(OPTIONS, dict.fromkeys(key.split()[0] for key in OPTIONS))


def event_kinds() -> dict[str, str]:
    """Return all kinds of events with their sentences."""
    return _gathered(EVENTS, get_args(EventKind))


def _gathered(texts: Mapping[str, str], words: Iterable[str]) -> dict[str, str]:
    """Return, for each of ``words``, the texts of the keys whose longest prefix among ``words`` it is."""
    texts_by_word: dict[str, list[str]] = {word: [] for word in words}
    for key, text in texts.items():
        whose = max((word for word in texts_by_word if key == word or key.startswith(f"{word} ")), key=len)
        texts_by_word[whose].append(text)
    return {word: " / ".join(some) for word, some in texts_by_word.items()}


def _section(title: str, values: Mapping[str, str]) -> str:
    rows = [
        f"| `{value or chr(34) * 2}` | {meaning.replace('|', chr(92) + '|')} |" for value, meaning in values.items()
    ]
    return "\n".join([f"### {title}", "", "| value | meaning |", "| --- | --- |", *rows])
