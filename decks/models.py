"""Decks as tables: a deck is a name and a chain of versions, and a version never changes.

Only :mod:`decks.services` writes them. Foreign keys point up to people and sideways within this app;
a match keeps its own copy of a list, so no deck has to be kept for its sake.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Iterable
from typing import Any, ClassVar

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.urls import reverse

from decks.legality import FormatRules

CACHE_FIELDS = frozenset({"legal", "problems", "checked_at", "checked_with"})
"""The columns of a version that may change: what legality said last."""


class ImmutableVersionError(TypeError):
    """Something tried to change or take away a version of a deck."""


def new_uid() -> str:
    """Return a fresh id as it stands in addresses: 128 bits, so that an unlisted deck cannot be guessed."""
    return secrets.token_urlsafe(16)


class Format(models.Model):
    """A way to play, known by its code; what it asks of decks is in its editions."""

    code = models.SlugField(primary_key=True, max_length=40)
    name = models.CharField(max_length=80)

    class Meta:
        ordering = ["code"]

    def __str__(self) -> str:
        return self.name


class FormatEdition(models.Model):
    """What a format asks from one day on, until the next edition begins or it ends."""

    format = models.ForeignKey(Format, models.CASCADE, related_name="editions")
    starts = models.DateField()
    ends = models.DateField(null=True, blank=True, help_text="The first day on which it no longer holds.")
    sets = models.JSONField(default=list, help_text="Codes of the allowed sets.")
    minimum = models.PositiveSmallIntegerField(default=60)
    copies = models.PositiveSmallIntegerField(default=4)
    copies_of = models.JSONField(default=dict, blank=True, help_text="Other limits, by card id.")
    banned = models.JSONField(default=list, blank=True, help_text="Card ids.")
    restricted = models.JSONField(default=list, blank=True, help_text="Card ids: one copy of each.")

    class Meta:
        ordering = ["format", "starts"]
        constraints = (models.UniqueConstraint("format", "starts", name="one_edition_a_day"),)

    def __str__(self) -> str:
        return f"{self.format_id} from {self.starts}"

    def clean(self) -> None:
        """Raise ValidationError unless the lists are lists of words and the dates are in order."""
        wrong = {
            name: "A list of words is expected."
            for name in ("sets", "banned", "restricted")
            if not _are_words(getattr(self, name))
        }
        limits = self.copies_of
        if not (isinstance(limits, dict) and all(type(n) is int and n >= 0 for n in limits.values())):
            wrong["copies_of"] = "Whole numbers by card id are expected."
        if self.ends and self.starts and self.ends <= self.starts:
            wrong["ends"] = "An edition ends after it starts."
        if wrong:
            raise ValidationError(wrong)

    def rules(self, printed_again: Iterable[str] = ()) -> FormatRules:
        """Return this edition as legality reads it; ``printed_again`` are ids of cards reprinted in its sets."""
        return FormatRules(
            code=self.format.code,
            name=self.format.name,
            starts=self.starts,
            ends=self.ends,
            sets=frozenset(self.sets),
            reprints=frozenset(printed_again),
            minimum=self.minimum,
            copies=self.copies,
            copies_of=dict(self.copies_of),
            banned=frozenset(self.banned),
            restricted=frozenset(self.restricted),
        )


def _are_words(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


class DeckQuerySet(models.QuerySet["Deck"]):
    """Which decks somebody may see, and which they may play."""

    def known_as(self, uid: str) -> DeckQuerySet:
        """Match the deck with this id; none for text that can be no id, which the database never sees."""
        return self.filter(uid=uid) if re.fullmatch(r"[\w-]{1,22}", uid, re.ASCII) else self.none()

    def visible_to(self, user: Any) -> DeckQuerySet:
        """Everything that ``user`` may open when they know the address: their own, and all but private ones."""
        return self.filter(~Q(visibility=Deck.Visibility.PRIVATE) | _owned_by(user))

    def playable_by(self, user: Any) -> DeckQuerySet:
        """What ``user`` may take to a table: their own decks, public ones, starter decks."""
        return self.filter(Q(visibility=Deck.Visibility.PUBLIC) | _owned_by(user))

    def listed(self) -> DeckQuerySet:
        """What everybody finds in the lists: public decks of players."""
        return self.filter(visibility=Deck.Visibility.PUBLIC, owner__isnull=False)

    def starters(self) -> DeckQuerySet:
        """The decks that come with the site."""
        return self.filter(owner__isnull=True).order_by("name")

    def with_head(self) -> DeckQuerySet:
        """Fetch what lists show of a deck in the same query."""
        return self.select_related("head", "format", "owner")


def _owned_by(user: Any) -> Q:
    """Match the decks of ``user``; none for a visitor or the computer (None)."""
    return Q(owner_id=user.pk) if user is not None and user.is_authenticated else Q(pk__in=[])


class Deck(models.Model):
    """A deck: its name, whose it is, who may see it. Its cards are those of its ``head`` version.

    A starter deck has no owner and is known by ``starter``, the name of its file.
    """

    class Visibility(models.TextChoices):
        """Who may open a deck's page."""

        PRIVATE = "private", "Private: only you"
        UNLISTED = "unlisted", "Unlisted: everybody who has the link"
        PUBLIC = "public", "Public: everybody, and in the lists"

    uid = models.CharField(max_length=22, unique=True, default=new_uid, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="decks", editable=False
    )
    starter = models.CharField(max_length=60, unique=True, null=True, blank=True, editable=False)
    name = models.CharField(max_length=80)
    visibility = models.CharField(max_length=8, choices=Visibility.choices, default=Visibility.PRIVATE)
    format = models.ForeignKey(Format, models.PROTECT, related_name="decks")
    head = models.ForeignKey("DeckVersion", models.SET_NULL, null=True, related_name="+", editable=False)
    created = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True)

    objects = DeckQuerySet.as_manager()

    class Meta:
        ordering = ["-changed", "-id"]
        constraints = (
            models.CheckConstraint(
                name="owner_or_starter",
                condition=Q(owner__isnull=False, starter__isnull=True) | Q(owner__isnull=True, starter__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the address of the deck's page."""
        return reverse("decks:deck", args=[self.uid])


class VersionQuerySet(models.QuerySet["DeckVersion"]):
    """Versions, of which only the legality cache can be changed."""

    def update(self, **values: Any) -> int:
        """Change the cache; raises ImmutableVersionError for any other column."""
        if not CACHE_FIELDS.issuperset(values):
            raise ImmutableVersionError("a version of a deck never changes")
        return super().update(**values)

    def delete(self) -> tuple[int, dict[str, int]]:
        """Raise ImmutableVersionError: versions go when their deck goes."""
        raise ImmutableVersionError("a version of a deck goes only with its deck")

    def bulk_create(self, objs: Iterable[DeckVersion], *args: Any, **options: Any) -> list[DeckVersion]:
        """Create versions; raises ImmutableVersionError when asked to overwrite."""
        if options.get("update_conflicts"):
            raise ImmutableVersionError("a version of a deck never changes")
        return super().bulk_create(objs, *args, **options)


class DeckVersion(models.Model):
    """The cards of a deck at one time; never changed afterwards, whatever happens to the deck.

    ``counts`` and ``considering`` are copies by permanent card id, ``tags`` words by card id. The last
    four columns are a cache of what legality said, with which data version of the cards, and when.
    """

    deck = models.ForeignKey(Deck, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    parent = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="+")
    base = models.CharField(max_length=15, blank=True)
    counts = models.JSONField(default=dict)
    considering = models.JSONField(default=dict)
    tags = models.JSONField(default=dict)
    content_hash = models.CharField(max_length=64, db_index=True)
    note = models.CharField(max_length=200, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    legal = models.BooleanField(default=False)
    problems = models.JSONField(default=list)
    checked_at = models.DateTimeField(null=True, blank=True)
    checked_with = models.PositiveIntegerField(default=0)

    objects: ClassVar[Any] = VersionQuerySet.as_manager()

    class Meta:
        ordering = ["deck", "-number"]
        constraints = (models.UniqueConstraint("deck", "number", name="one_version_a_number"),)

    def __str__(self) -> str:
        return f"{self.deck} v{self.number}"

    def save(self, *args: Any, **options: Any) -> None:
        """Save for the first and only time; raises ImmutableVersionError after that."""
        if not self._state.adding:
            raise ImmutableVersionError("a version of a deck never changes")
        self.content_hash = content_hash(self.base, self.counts)
        super().save(*args, **{**options, "force_insert": True})

    def delete(self, *args: Any, **options: Any) -> tuple[int, dict[str, int]]:
        """Raise ImmutableVersionError: a version goes when its deck goes."""
        raise ImmutableVersionError("a version of a deck goes only with its deck")

    @property
    def bases(self) -> list[str]:
        """The base as legality and the text form want it: none or one."""
        return [self.base] if self.base else []

    @property
    def size(self) -> int:
        """How many cards there are besides the base."""
        return sum(self.counts.values())

    @property
    def short_hash(self) -> str:
        """The part of the content hash that people compare."""
        return self.content_hash[:10]


def content_hash(base: str, counts: dict[str, int]) -> str:
    """Return the hash of what is played: base, and counts by card, in one order."""
    content = json.dumps([base, sorted(counts.items())], separators=(",", ":"))
    return hashlib.sha256(content.encode()).hexdigest()
