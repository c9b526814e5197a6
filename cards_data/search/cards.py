"""The search for cards: every field they can be asked for, and what the data have in them."""

from __future__ import annotations

import re
from functools import lru_cache

from django.db.models import Case, F, OrderBy, Q, QuerySet, When, Window
from django.db.models.functions import Length, RowNumber

from cards_data import catalog
from cards_data.catalog import CardData
from cards_data.export import all_facts
from cards_data.fields import WordsField
from cards_data.models import Card, Printing
from cards_data.search.columns import (
    AmountsColumn,
    ChoiceColumn,
    FlagsColumn,
    NumberColumn,
    RelatedColumn,
    TextColumn,
    WordsColumn,
)
from cards_data.search.database import condition
from cards_data.search.kinds import (
    CompanionKind,
    CountKind,
    DisplayKind,
    GroupKind,
    NumberKind,
    PresenceKind,
    TextKind,
    WordsKind,
)
from cards_data.search.known import NOTHING, Known
from cards_data.search.language import Facts, Field, Language, Query, Vocabulary
from cards_data.search.memory import Cards
from ccg.rules.cards.definitions import KEYWORDS, RESOURCES, fold

WordsField.register_lookup(Length)

PAID = ("personnel", "ship", "event")
"""The types of card that have a cost, be it nothing."""

SORTS = {
    "number": ("Set and number", "id", False),
    "name": ("Name", "folded", False),
    "type": ("Type", "type", False),
    "cost": ("Cost", "cost", False),
    "pow": ("Power", "power", True),
    "mystic": ("Mystic value", "mystic", True),
    "threat": ("Cylon threat", "threat", True),
}
"""Orders of results: their name, the column, and whether the greatest comes first unless ``dir`` says otherwise."""
VIEWS = {"grid": "Grid", "list": "List"}


def _printed(name: str) -> RelatedColumn:
    return RelatedColumn(Printing.objects.filter(withdrawn=False), "card", name)


def _number(name: str, meaning: str, example: str, aliases: tuple[str, ...], fact: str) -> Field:
    """Return the field of a number that some cards print, called alike among the facts and in the table."""
    return Field(
        name, NumberKind(), meaning, example, aliases, Facts((fact,)), NumberColumn(fact), optional=True
    )  # fmt: skip


def _amount(name: str, resource: str) -> Field:
    return Field(
        name, NumberKind(), f"How much {resource} it costs.", f"{name}>=2", (resource,),
        Facts((f"cost.{resource}",), of=PAID), NumberColumn(f"cost_{resource}"),
    )  # fmt: skip


LANGUAGE = Language([
    Field(
        "name", TextKind(), "A part of its name: of the title or the subtitle. A bare word asks the same, and a word "
        "behind “!” is the whole name.", 'starbuck or !"Raptor 227"', ("n",), Facts(("name",)), TextColumn("folded"),
    ),
    Field(
        "title", TextKind(), "A part of its title, which all versions of a character share; with “=” the whole of it.",
        "title=starbuck", (), Facts(("title",)), TextColumn("folded_title"), optional=True,
    ),
    Field(
        "type", WordsKind(("base", "personnel", "ship", "event", "mission"), {"unit": ("personnel", "ship")}),
        "What kind of card it is; a unit is a personnel or a ship.", "t:ship|mission", ("t",), Facts(("type",)),
        ChoiceColumn("type"), facet="Type",
    ),
    Field(
        "trait", WordsKind(), "One of its traits.", "tr:cylon -tr:machine", ("tr",), Facts(("traits",)),
        WordsColumn("traits"), optional=True, facet="Trait",
    ),
    Field(
        "keyword", WordsKind(tuple(KEYWORDS)), "One of its keywords.", "k:scramble", ("k",), Facts(("keywords.name",)),
        WordsColumn("keywords"), optional=True,
    ),
    Field(
        "text", TextKind(), "A part of what it does, in our words; the red text too.", 'x:"target personnel"', ("x",),
        Facts(("text", "threat_text"), marked=True), TextColumn("folded_text"), optional=True,
    ),
    Field(
        "resolve", TextKind(), "What a mission is resolved with.", "resolve:officer", ("requires",),
        Facts(("requires",)), TextColumn("folded_requires"), optional=True,
    ),
    Field(
        "cost", NumberKind(), "What it costs in all. Missions and bases have no cost.", "c<=3", ("c",),
        Facts(("cost",), of=PAID), NumberColumn("cost"), optional=True,
    ),
    _amount("per", "persuasion"),
    _amount("log", "logistics"),
    _amount("sec", "security"),
    Field(
        "pays", WordsKind(RESOURCES), "A resource that it costs; several with “&”.", "pays:logistics&security", (),
        Facts(("cost",)), AmountsColumn({one: f"cost_{one}" for one in RESOURCES}), optional=True, facet="Costs",
    ),
    Field(
        "makes", WordsKind(RESOURCES), "The resource that it makes, as an asset or as a base.", "makes:persuasion",
        ("produces",), Facts(("produces",)), ChoiceColumn("produces"), optional=True, facet="Makes",
    ),
    _number("pow", "Its power.", "pow>=3", ("power", "p"), "power"),
    _number("threat", "Its Cylon threat.", "ct<=1", ("ct",), "threat"),
    _number("mystic", "Its mystic value.", "mv:4..5", ("mv",), "mystic"),
    _number("inf", "The influence that a base starts with.", "t:base inf>=11", ("influence",), "influence"),
    _number("hand", "The hand size of a base.", "hand>=4", (), "hand"),
    Field(
        "set", WordsKind(), "A set in which it was printed; “=” means in no other.", "s:bsg2", ("s",),
        Facts(("set", "reprints.set")), _printed("set"), facet="Set",
    ),
    Field(
        "num", NumberKind(), "Its number in a set.", "s:bsg1 num:98..100", ("number",),
        Facts(("number", "reprints.number")), _printed("number"),
    ),
    Field(
        "rarity", WordsKind(
            ("common", "uncommon", "rare", "fixed", "limited", "exclusive"), rising=("common", "uncommon", "rare"),
        ), "How rare it is in some set. Common, uncommon and rare have an order.", "r>=uncommon", ("r",),
        Facts(("rarity", "reprints.rarity")), _printed("rarity"),
    ),
    Field(
        "is", WordsKind(
            ("singular", "unscripted"),
            loose=True,
            meanings={
                "unit": "type:personnel|ship",
                "scripted": "-is:unscripted",
                "dual": "pays:persuasion&logistics|persuasion&security|logistics&security",
                "promo": "rarity:limited|exclusive",
                "starter": "rarity:fixed",
            },
        ), "What else is so: a unit; singular (title and subtitle); scripted (all it does is played here, or "
        "nothing is to be played); dual (costs several resources); promo; starter (found in "
        "starter decks only).", "is:singular is:dual", (),
        Facts(flags={"singular": ("title", "subtitle"), "unscripted": ("pending",)}),
        FlagsColumn({"singular": ~Q(title="") & ~Q(subtitle=""), "unscripted": Q(ability_pending=True)}),
    ),
    Field(
        "has", PresenceKind(), "Whether it has that at all; has:ruling finds what a ruling concerns.",
        "has:cost -has:trait",
    ),
    Field(
        "legal", GroupKind(missing="no decks"), "What may be in a deck today: in the format that is named, or, with "
        "now, in some format. Restricted cards may.", "legal:now",
    ),
    Field(
        "banned", GroupKind(missing="no decks"), "What is banned today: in the format that is named, or, with now, in "
        "some format.", "-banned:now",
    ),
    Field(
        "with", CompanionKind("no decks"), "What is in public decks and starter decks together with a card, by a part "
        "of its name; with “=” by the whole of it. Of public decks the 500 changed last are asked. Not in the deck "
        "builder.", "with:starbuck t:event",
    ),
    Field(
        "owned", CountKind("no collection"), "How many copies of it you own, if you have said so (My decks, "
        "Cards that you own). Whoever has not said so, or is not signed in, cannot ask.", "owned>=2", here_only=True,
    ),
    Field(
        "in", GroupKind(("deck",)), "Whether it is in the deck that is open, in the deck builder.", "in:deck",
        here_only=True,
    ),
    Field(
        "fits", GroupKind(("deck",)), "What the deck that is open in the deck builder can still take: its "
        "format allows it, there is room for another copy, and, once the deck makes resources, it makes all that the "
        "card costs.", "fits:deck", here_only=True,
    ),
    Field(
        "order", DisplayKind(tuple(SORTS), {
            "set": ("number",), "power": ("pow",), "mv": ("mystic",), "ct": ("threat",), "c": ("cost",),
        }),
        "In which order cards are shown.", "order:cost", ("sort",),
    ),
    Field("dir", DisplayKind(("asc", "desc")), "Which end comes first: the least or the greatest.", "dir:desc"),
    Field(
        "unique", DisplayKind(("title",)), "Of the cards that share a title only the first in this order.",
        "t:personnel order:pow unique:title",
    ),
    Field("view", DisplayKind(tuple(VIEWS)), "As pictures, or as a list.", "view:list"),
])  # fmt: skip
"""Every field of cards. The first is what bare words ask."""


@lru_cache(maxsize=catalog.KEPT)
def vocabulary(data: CardData) -> Vocabulary:
    """Return the words that these cards have in fields whose words come with the data."""
    return {
        "trait": tuple(sorted({trait for card in data.catalog for trait in card.traits})),
        "set": tuple(one.code for one in data.sets),
    }


@lru_cache(maxsize=2)
def in_memory(data: CardData) -> Cards:
    """Return the cards of ``data``, by id, to be searched without the database."""
    return Cards(LANGUAGE, list(all_facts(data).values()))


@lru_cache(maxsize=2)
def names(data: CardData) -> dict[str, str]:
    """Return the folded names of all cards, by id."""
    return {card.id: fold(card.name) for card in data.catalog}


@lru_cache(maxsize=2)
def words_of_names(data: CardData) -> tuple[str, ...]:
    """Return all folded words of names that are long enough to be mistaken, and the names themselves."""
    words = {word for name in names(data).values() for word in re.findall(r"\w{3,}", name)}
    return tuple(sorted(words.union(names(data).values())))


def read(text: str, data: CardData, known: Known = NOTHING) -> Query:
    """Return what ``text`` asks of the cards of ``data``; raises :class:`~cards_data.search.errors.QueryError`.

    ``known`` is what is known of them beyond what is printed, to be handed to the evaluations too.
    """
    return LANGUAGE.read(text, vocabulary(data), known, lambda: names(data))


def find(query: Query, known: Known = NOTHING) -> QuerySet[Card]:
    """Return the rows of the cards that ``query`` asks for, in the order it asks for."""
    rows = Card.objects.filter(condition(LANGUAGE, query.node, known), withdrawn=False)
    order = _order(query)
    if "unique" in query.display:
        # A card without a title shares none: it stands for itself.
        title = Case(When(folded_title="", then=F("id")), default=F("folded_title"))
        nth = Window(RowNumber(), partition_by=[title], order_by=order)
        rows = rows.alias(nth_of_title=nth).filter(nth_of_title=1)
    return rows.order_by(*order)


def _order(query: Query) -> list[OrderBy]:
    """Return the order of rows; cards that lack a value come last either way."""
    _, column, falling = SORTS[query.display.get("order", "number")]
    direction = query.display.get("dir", "desc" if falling else "asc")
    first = F(column).desc(nulls_last=True) if direction == "desc" else F(column).asc(nulls_last=True)
    return [first, *(() if column in ("id", "folded") else (F("folded").asc(),)), F("id").asc()]
