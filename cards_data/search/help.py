"""What the help says of a language, from its fields: for the page, the documents and the API."""

from __future__ import annotations

from typing import NamedTuple

from cards_data.search.errors import MAX_CHARACTERS, MAX_DEPTH, MAX_TERMS
from cards_data.search.kinds import WordsKind, quoted
from cards_data.search.language import Field, Language, Vocabulary
from ccg.rules.cards.definitions import fold

FORMS = [
    ("starbuck", "cards with that in their name"),
    ('"Risk Taker"', "several words, in that order"),
    ('!"Raptor 227"', "exactly that name"),
    ("type:ship", "a field and what it has; without regard to case, accents and punctuation"),
    ("type:ship cost<=3", "both"),
    ("type:ship or cost<=3", "one of them, or both"),
    ("-type:ship", "all cards but those"),
    ("type:ship (trait:scout or pow>=3)", "parentheses hold together"),
    ("trait:officer|pilot", "one of the words"),
    ("pays:logistics&security", "every one of the words"),
    ("trait=cylon&machine", "these words and no others"),
    ("mystic:4..5", "a number from one to the other, both included"),
    ("type:ship ~cost<=3", "what stands behind ~ is switched off: it is kept, and not asked"),
]
"""What can be written, each form with what it finds."""

FORMS_OF_DECKS = [
    ("viper", "decks with that in their name"),
    ('"chain of command"', "several words, in that order"),
    ('!"Viper Wing"', "exactly that name"),
    ("base:galactica", "a field and what it has; without regard to case, accents and punctuation"),
    ("base:galactica legal:now", "both"),
    ("base:galactica or base:cylon", "one of them, or both"),
    ("-base:galactica", "all decks but those"),
    ("legal:now (card:starbuck or card:apollo)", "parentheses hold together"),
    ("tag:rush|scouts", "one of the words"),
    ("card:starbuck&apollo", "every one of the words"),
    ("winrate:50..60", "a number from one to the other, both included"),
    ("base:galactica ~games>=20", "what stands behind ~ is switched off: it is kept, and not asked"),
]
"""The same of decks."""

MISSING = (
    "A card that lacks a number or a word matches no comparison: a mission has no cost, so it is found neither by "
    "cost<3 nor by cost>=3, nor by cost!=3, which asks for another cost. has:cost finds what has one. “-” is always "
    "exactly the rest: -cost<3 finds every card that cost<3 does not, those without a cost among them."
)
MISSING_OF_DECKS = (
    "What a deck lacks matches no comparison: a deck of which no game was played is found neither by winrate<50 nor by "
    "winrate>=50. “-” is always exactly the rest: -winrate<50 finds it."
)
BOUNDS = (
    f"A search has at most {MAX_CHARACTERS} characters, {MAX_TERMS} terms (each word behind a field counts), and "
    f"parentheses {MAX_DEPTH} deep. There are no patterns: what you write is looked for as it stands."
)


class Row(NamedTuple):
    """What the help says of one field."""

    field: Field
    names: tuple[str, ...]
    operators: tuple[str, ...]
    words: tuple[str, ...]


def rows(language: Language, vocabulary: Vocabulary) -> list[Row]:
    """Return what the help says, a row for each field, with the words to choose from."""
    return [
        Row(field, (field.name, *field.aliases), tuple(field.kind.operators), completions(language, field, vocabulary))
        for field in language.fields
    ]


def completions(language: Language, field: Field, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the words that can stand behind a field, as a query writes them; empty where anything can."""
    kind = field.kind
    more = (*kind.synonyms, *kind.meanings) if isinstance(kind, WordsKind) else ()
    return tuple(quoted(fold(word)) for word in (*language.words(field, vocabulary), *more))


def as_markdown(language: Language) -> str:
    """Return the fields as a table in Markdown, for documents and the description of the API."""
    lines = ["| field | asked with | finds | example |", "| --- | --- | --- | --- |"]
    for field in language.fields:
        names = ", ".join(f"`{name}`" for name in (field.name, *field.aliases))
        operators = " ".join(f"`{operator}`" for operator in field.kind.operators)
        lines.append(f"| {names} | {operators} | {field.meaning} | `{field.example.replace('|', chr(92) + '|')}` |")
    return "\n".join(lines) + "\n"
