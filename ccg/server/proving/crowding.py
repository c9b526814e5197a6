"""A site with very much on it: invented cards, people and decks by the thousand, written in bulk.

Called with the site's code, on a database that has the cards and the starter decks.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from random import Random
from typing import Any

import msgspec
from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import make_password
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from cards_data import catalog, imports
from cards_data.changes import compare
from ccg.rules.authoring.card_files import CardSet, Printing
from ccg.rules.cards.definitions import fold
from decks.models import Deck, DeckTag, DeckVersion, content_hash

AT_ONCE = 1_000
"""Rows in one statement, and cards in one invented set."""
SWAPPED = 12
"""Cards by which a made-up deck differs from the starter deck that it began as."""
TAGS = ("rush", "control", "budget", "tournament", "for beginners")


def invent_cards(number: int) -> None:
    """Publish ``number`` invented cards in sets of a thousand: those that there are, under other names."""
    with imports.newest() as before:
        known = list(before.catalog)
        sets = [_invented_set(place, known, numbers) for place, numbers in enumerate(_parts(number), 1)]
        after = before.with_sets(sets)
        imports.store(after, compare(before, after), source="invented cards")


def _parts(number: int) -> list[range]:
    """Return the numbers below ``number`` in parts that go into one statement."""
    return [range(at, min(at + AT_ONCE, number)) for at in range(0, number, AT_ONCE)]


def _invented_set(place: int, known: list[Any], numbers: range) -> CardSet:
    code = f"INV{place}"
    cards = tuple(
        msgspec.structs.replace(known[n % len(known)], id=f"{code}-{at:03d}", title=f"Invented {n}")
        for at, n in enumerate(numbers, 1)
    )
    printings = tuple(
        Printing(id=card.id, card=card.id, set=code, number=at, rarity="common") for at, card in enumerate(cards, 1)
    )
    return CardSet(code=code, name=f"Invented {place}", year=2050, cards=cards, printings=printings)


def make_people(number: int, called: str = "collector") -> list[Any]:
    """Make people with accounts and without a password that fits."""
    model = get_user_model()
    names = [f"{called}-{n}" for n in range(number)]
    nothing_fits = make_password(None)
    rows = (model(username=name, display_name=name, password=nothing_fits) for name in names)
    model.objects.bulk_create(rows, batch_size=AT_ONCE)
    return list(model.objects.filter(username__in=names).order_by("pk")) if number < AT_ONCE else _all(called)


def _all(called: str) -> list[Any]:
    return list(get_user_model().objects.filter(username__startswith=f"{called}-").order_by("pk"))


def make_decks(number: int, owners: list[Any], visibility: str = "public", seed: int = 1) -> list[int]:
    """Make decks with one version each and hardly ever the same list twice; most are legal. Return their ids.

    Nothing is asked of legality, and nobody is told of them: that is what a site does one deck at a time.
    """
    random, made = Random(seed), list[int]()
    starters = [(one.head.base, one.head.counts) for one in Deck.objects.starters().select_related("head") if one.head]
    known = [card.id for card in catalog.current() if card.type != "base" and not card.id.startswith("INV")]
    format_code = Deck.objects.starters()[0].format_id
    serial = count(Deck.objects.count())
    for some in _parts(number):
        names = [f"Deck {next(serial)} of the {random.choice(TAGS)} kind" for _ in some]
        decks = Deck.objects.bulk_create(
            Deck(
                owner=random.choice(owners), name=name, folded=fold(name), visibility=visibility,
                format_id=format_code, liked=random.randrange(50), played=random.randrange(200),
            )
            for name in names
        )  # fmt: skip
        DeckVersion.objects.bulk_create(_versions(random, decks, starters, known))
        DeckTag.objects.bulk_create(DeckTag(deck=deck, word=random.choice(TAGS)) for deck in decks)
        made += [deck.pk for deck in decks]
        own = DeckVersion.objects.filter(deck=OuterRef("pk"))
        Deck.objects.filter(pk__in=made[-len(some) :]).update(head=Subquery(own.values("pk")[:1]))
    return made


def _versions(random: Random, decks: list[Deck], starters: list[Any], known: list[str]) -> Iterator[DeckVersion]:
    for deck in decks:
        base, counts = random.choice(starters)
        counts = dict(counts)
        for gone, came in zip(random.sample(sorted(counts), SWAPPED), random.sample(known, SWAPPED), strict=True):
            if came not in counts:
                counts[came] = counts.pop(gone)
        yield DeckVersion(
            deck=deck, number=1, base=base, counts=counts, content_hash=content_hash(base, counts),
            legal=True, checked_at=timezone.now(), checked_with=catalog.current_number(),
        )  # fmt: skip
