"""What the API says of decks and formats, and what it takes: one record type each, which the document is made from."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from typing import Annotated, Any

from msgspec import Meta, Struct

from cards_data import catalog as cards_data
from cards_data.catalog import CardData
from ccg.rules.cards.definitions import CardDef
from ccg.rules.telling.wording.marks import plain
from decks import formats, judging, links, services
from decks.exchange.json_form import SCHEMA, DeckCard, as_file
from decks.lists import legality
from decks.lists.deck_list import DeckList
from decks.lists.legality import Advice, FixStep, Illegality
from decks.lists.standings import Standing, standings
from decks.lists.textlist import Line
from decks.models import Deck, DeckVersion, Format


class Problem(Struct, kw_only=True):
    """A reason why a deck is not legal; ``words`` and ``fix_words`` are ``text`` and ``fix`` without marks."""

    code: str
    text: str
    rule: str
    fix: str
    cards: tuple[str, ...]
    found: int | None
    required: int | None
    actions: tuple[FixStep, ...]
    words: str
    fix_words: str
    reference: Annotated[str, Meta(description="Where the rule stands.")]


class Legality(Struct, kw_only=True):
    """Whether a list may be played today, every reason if not, and advice."""

    legal: bool
    problems: list[Problem]
    advice: list[Advice]


class DeckRow(Struct, kw_only=True):
    """A deck as lists show it."""

    uid: str
    name: str
    owner: Annotated[str | None, Meta(description="Nobody, where it is a starter deck.")]
    visibility: str
    format: str
    base: str | None
    size: Annotated[int, Meta(description="Cards besides the base.")]
    version: int
    hash: Annotated[str, Meta(description="SHA-256 of base and cards: equal lists have equal ones.")]
    legal: Annotated[bool, Meta(description="As it was when last looked at.")]
    games: Annotated[int, Meta(description="Matches of two people that were played to the end with this list.")]
    winrate: Annotated[int | None, Meta(description="How many of a hundred of those games it won.")]
    changed: datetime
    url: str


class PublicDeck(DeckRow, kw_only=True):
    """A deck as the file of all public ones has it."""

    cards: list[DeckCard]
    considering: list[DeckCard]


class Origin(Struct, kw_only=True):
    """The version of another deck that a deck was copied from."""

    uid: str
    version: int


class DeckAnswer(Struct, kw_only=True):
    """A deck as one of its versions is now."""

    schema: str
    uid: Annotated[str, Meta(description="What stands for it in addresses; the link's token if that has opened it.")]
    name: str
    owner: str | None
    visibility: str
    format: str
    base: str | None
    base_tags: list[str]
    cards: list[DeckCard]
    considering: list[DeckCard]
    version: int
    parent: Annotated[int | None, Meta(description="The version that it was made from.")]
    notes: str
    hash: str
    data_version: Annotated[int, Meta(description="The version of the card data by which it was judged.")]
    legality: Legality
    text: Annotated[str, Meta(description="The list in the text form.")]
    labels: Annotated[list[str], Meta(description="The words by which its owner wants the deck found.")]
    write_up: Annotated[str, Meta(description="What its owner writes about it, in Markdown.")]
    origin: Annotated[Origin | None, Meta(description="What it was copied from, where whoever asks may see that.")]
    url: str
    link: Annotated[str | None, Meta(description="Where the link of an unlisted deck leads; its owner alone is told.")]


class VersionRow(Struct, kw_only=True):
    """A version of a deck; its list never changes."""

    number: int
    parent: int | None
    note: str
    hash: str
    size: int
    created: datetime


class SentList(Struct, kw_only=True):
    """A list that is sent: either as ``text``, in any form that the import page takes, or as cards by id."""

    text: Annotated[str, Meta(description="The list as text.")] | None = None
    base: str | None = None
    base_tags: list[str] = []
    cards: list[DeckCard] = []
    considering: list[DeckCard] = []
    format: str | None = None
    picks: Annotated[dict[str, str], Meta(description="By line number of the text, the card meant, or `-`.")] = {}


class Written(SentList, kw_only=True):
    """A deck that is sent: its list either as ``text``, in any form that the import page takes, or as cards by id.

    What is not there stays as it is, or is as usual for a new deck.
    """

    name: Annotated[str, Meta(max_length=80)] | None = None
    visibility: Annotated[str, Meta(description="private, unlisted or public", examples=["private"])] | None = None
    note: Annotated[str, Meta(max_length=200, description="What is new in this version.")] = ""


class Changed(Struct, kw_only=True):
    """What can be said of a deck besides its list."""

    name: Annotated[str, Meta(max_length=80)] | None = None
    visibility: str | None = None


class ToCheck(SentList, kw_only=True):
    """A list to be read and judged: either as ``text``, in any form that the import page takes, or as cards by id.

    Nothing of it is stored.
    """


class CheckAnswer(Struct, kw_only=True):
    """A list as it was read: the deck, every line, and legality."""

    deck: DeckList
    lines: list[Line]
    undecided: Annotated[list[int], Meta(description="Numbers of lines for which somebody has to decide.")]
    legality: Legality
    data_version: int


class EditionAnswer(Struct, kw_only=True):
    """What a format asks from one day on, until the next edition begins or it ends."""

    starts: date
    ends: Annotated[date | None, Meta(description="The first day on which it no longer holds.")]
    in_force: bool
    sets: list[str]
    minimum: int
    copies: int
    copies_of: Annotated[dict[str, int], Meta(description="Other limits, by card id.")]
    banned: list[str]
    restricted: list[str]


class FormatAnswer(Struct, kw_only=True):
    """A format, with its editions."""

    code: str
    name: str
    editions: list[EditionAnswer]


class CardInFormat(Struct, kw_only=True):
    """A card in a format today."""

    format: str
    name: str
    allowed: bool
    copies: Annotated[int, Meta(description="How many a deck may hold.")]
    reason: Annotated[str, Meta(description="Why it is not allowed, or only once; empty otherwise.")]
    standings: Annotated[list[Standing], Meta(description="What it says over time, past and announced, by date.")]


class CardLegality(Struct, kw_only=True):
    """A card in every format today."""

    card: str
    formats: list[CardInFormat]


def row(deck: Deck) -> DeckRow:
    """Return a deck as lists show it; it has a head."""
    version = deck.head
    assert version is not None
    return DeckRow(
        uid=deck.uid,
        name=deck.name,
        owner=str(deck.owner) if deck.owner else None,
        visibility=deck.visibility,
        format=deck.format_id,
        base=version.base or None,
        size=version.size,
        version=version.number,
        hash=version.content_hash,
        legal=version.legal,
        games=deck.games,
        winrate=deck.winrate,
        changed=deck.changed,
        url=deck.get_absolute_url(),
    )


def public_decks() -> Iterator[PublicDeck]:
    """Yield every public deck and starter deck, for the file of all."""
    decks = Deck.objects.public().filter(head__isnull=False).with_head().order_by("pk")
    for deck in decks.iterator(chunk_size=500):
        assert deck.head is not None
        file, listed = as_file(services.as_list(deck, deck.head)), row(deck)
        yield PublicDeck(
            **{name: getattr(listed, name) for name in DeckRow.__struct_fields__},
            cards=file.cards,
            considering=file.considering,
        )


def whole(deck: Deck, version: DeckVersion, viewer: Any) -> DeckAnswer:
    """Return a deck with the list of one of its versions, as ``viewer`` may see it."""
    origin = services.origin_of(deck, viewer)
    is_owner = viewer.is_authenticated and deck.owner_id == viewer.pk
    file = as_file(services.as_list(deck, version))
    return DeckAnswer(
        schema=SCHEMA,
        uid=deck.ref,
        name=deck.name,
        owner=str(deck.owner) if deck.owner else None,
        visibility=deck.visibility,
        format=deck.format_id,
        base=file.base,
        base_tags=file.base_tags,
        cards=file.cards,
        considering=file.considering,
        version=version.number,
        parent=version.parent.number if version.parent else None,
        notes=version.note,
        hash=version.content_hash,
        data_version=cards_data.current_number(),
        legality=judged(judging.check_version(version, deck), version.counts),
        text=services.as_text(deck, version),
        labels=[label.word for label in deck.labels.all()],
        write_up=deck.write_up,
        origin=Origin(uid=origin.deck.uid, version=origin.number) if origin else None,
        url=deck.get_absolute_url(),
        link=(is_owner and deck.visibility == Deck.Visibility.UNLISTED and links.address_of(deck)) or None,
    )


def version_row(version: DeckVersion) -> VersionRow:
    """Return a version as lists show it."""
    return VersionRow(
        number=version.number,
        parent=version.parent.number if version.parent else None,
        note=version.note,
        hash=version.content_hash,
        size=version.size,
        created=version.created,
    )


def judged(problems: list[Illegality], counts: dict[str, int], *, is_clear: bool = True) -> Legality:
    """Return what legality said: every problem with its words, with and without marks, and the advice.

    Of a list of which lines are not clear nobody can say that it is legal.
    """
    in_words = [
        Problem(
            **{name: getattr(problem, name) for name in Illegality.__struct_fields__},
            words=plain(problem.text),
            fix_words=plain(problem.fix),
            reference=legality.RULES[problem.rule],
        )
        for problem in problems
    ]
    return Legality(
        legal=is_clear and not problems, problems=in_words, advice=legality.advise(counts, cards_data.current())
    )


def in_format(card: CardDef, chosen: Format, cards: CardData, day: date) -> CardInFormat:
    """Return what a format says of a card on a day, and at all times."""
    over_time = standings(card, formats.editions(chosen, cards))
    now = next((one for one in over_time if one.in_force(day)), None)
    return CardInFormat(
        format=chosen.code,
        name=chosen.name,
        allowed=now is not None and now.copies > 0,
        copies=now.copies if now else 0,
        reason=now.reason if now else "The format is not in force today.",
        standings=over_time,
    )


def format_answer(chosen: Any, day: date) -> FormatAnswer:
    """Return a format with its editions, the oldest first."""
    editions = list(chosen.editions.all())
    begun = [one for one in editions if one.starts <= day and (one.ends is None or day < one.ends)]
    return FormatAnswer(
        code=chosen.code,
        name=chosen.name,
        editions=[
            EditionAnswer(
                starts=one.starts,
                ends=one.ends,
                in_force=bool(begun) and one is begun[-1],
                sets=list(one.sets),
                minimum=one.minimum,
                copies=one.copies,
                copies_of=dict(one.copies_of),
                banned=list(one.banned),
                restricted=list(one.restricted),
            )
            for one in editions
        ],
    )
