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

from ccg.rules.cards.definitions import fold
from decks.lists.legality import FormatRules
from decks.lists.starter_notes import StarterNote, notes

MAX_FOLDED = 160
"""Some signs become several letters when a name is folded; what is beyond this is not searched."""
CACHE_FIELDS = frozenset({"legal", "problems", "checked_at", "checked_with"})
"""The columns of a version that may change: what legality said last."""


class ImmutableVersionError(TypeError):
    """Something tried to change or take away a version of a deck."""


def new_uid() -> str:
    """Return a fresh id as it stands in addresses: 128 bits that nobody can guess."""
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

    def public(self) -> DeckQuerySet:
        """Return what everybody may open: public decks, those of the site among them."""
        return self.filter(_PUBLIC)

    def visible_to(self, user: Any) -> DeckQuerySet:
        """Return what ``user`` may open without a link, and take to a table: their own, and public ones."""
        return self.filter(_PUBLIC | _owned_by(user))

    def opened_by(self, link_hash: str) -> DeckQuerySet:
        """Return the deck that a link opens, by the hash of its token."""
        return self.exclude(visibility=Deck.Visibility.PRIVATE).filter(link_hash=link_hash)

    def listed(self) -> DeckQuerySet:
        """Return what everybody finds in the lists: public decks of players."""
        return self.public().filter(starter__isnull=True)

    def starters(self) -> DeckQuerySet:
        """Return the decks that come with the site."""
        return self.filter(starter__isnull=False).order_by("name")

    def with_head(self) -> DeckQuerySet:
        """Fetch what lists show of a deck in the same query."""
        return self.select_related("head", "format", "owner")


_PUBLIC = Q(visibility="public")


def _owned_by(user: Any) -> Q:
    """Match the decks of ``user``; none for a visitor or the computer (None)."""
    return Q(owner_id=user.pk) if user is not None and user.is_authenticated else Q(pk__in=[])


class Deck(models.Model):
    """A deck: its name, whose it is, who may see it. Its cards are those of its ``head`` version.

    A starter deck has no owner and is known by ``starter``, the name of its file; nor has a public deck whose owner
    has left and let it stay. One that moderators have ``taken_down`` is private for as long as they say. A deck that
    was copied from another is ``derived``, and ``origin`` is the version it began as, for as long as that exists.

    ``ref`` is what stands for the deck in addresses: its id, or the link by which somebody has opened it.
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
    starter = models.CharField(max_length=60, null=True, blank=True, editable=False)  # noqa: DJ001 - unique
    name = models.CharField(max_length=80)
    folded = models.CharField(max_length=MAX_FOLDED, blank=True, default="", editable=False)
    visibility = models.CharField(max_length=8, choices=Visibility.choices, default=Visibility.PRIVATE)
    format = models.ForeignKey(Format, models.PROTECT, related_name="decks")
    head = models.ForeignKey("DeckVersion", models.SET_NULL, null=True, related_name="+", editable=False)
    derived = models.BooleanField(default=False, editable=False)
    origin = models.ForeignKey("DeckVersion", models.SET_NULL, null=True, related_name="copies", editable=False)
    write_up = models.TextField(blank=True, default="", editable=False)
    liked = models.PositiveIntegerField(default=0, editable=False)
    """How many like it: a copy of the number of its likes, for lists in that order."""
    taken_down = models.BooleanField(default=False, editable=False)
    played = models.PositiveIntegerField(default=0, editable=False)
    """How many matches people have played with it; those that go on are not told."""
    games = models.PositiveIntegerField(default=0, editable=False)
    """How many finished matches there are of two people with the list of its head: a copy, as the next two are."""
    winrate = models.PositiveSmallIntegerField(null=True, editable=False)
    """How many of a hundred of those games it won."""
    standing = models.FloatField(default=0, editable=False)
    """What lists in the order of winning go by (:mod:`decks.lists.winning`)."""
    link_nonce = models.CharField(max_length=22, blank=True, default="", editable=False)
    link_hash = models.CharField(max_length=64, unique=True, null=True, blank=True, editable=False)
    created = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True)

    link: str = ""
    """Of whoever looks at it: the link by which they opened it."""

    objects = DeckQuerySet.as_manager()

    class Meta:
        ordering = ["-changed", "-id"]
        indexes = (
            models.Index(fields=["visibility", "-changed", "-id"], name="decks_by_change"),
            models.Index(fields=["visibility", "-liked", "-id"], name="decks_by_likes"),
            models.Index(fields=["visibility", "-played", "-id"], name="decks_by_matches"),
            models.Index(fields=["visibility", "-standing", "-id"], name="decks_by_winning"),
            models.Index(fields=["visibility", "-created", "-id"], name="decks_by_age"),
            models.Index(fields=["visibility", "folded", "id"], name="decks_by_name"),
        )
        constraints = (
            # Only of those that have one: SQLite would look for all other decks by it, and sort them.
            models.UniqueConstraint("starter", name="one_starter_a_file", condition=Q(starter__isnull=False)),
            models.CheckConstraint(
                name="nobodys_deck_is_public",
                condition=Q(owner__isnull=False, starter__isnull=True)
                | (Q(owner__isnull=True) & (_PUBLIC | Q(taken_down=True))),
            ),
        )

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **options: Any) -> None:
        """Save, with the name as the search compares it."""
        self.folded = fold(self.name)[:MAX_FOLDED]
        if "name" in (options.get("update_fields") or ()):
            options["update_fields"] = [*options["update_fields"], "folded"]
        super().save(*args, **options)

    def get_absolute_url(self) -> str:
        """Return the address of the deck's page."""
        return reverse("decks:deck", args=[self.ref])

    @property
    def is_public(self) -> bool:
        """Whether everybody may open it."""
        return self.visibility == Deck.Visibility.PUBLIC

    @property
    def starter_note(self) -> StarterNote | None:
        """How it is played, of a starter deck."""
        return notes().get(self.starter) if self.starter else None

    @property
    def ref(self) -> str:
        """What stands for this deck in addresses, for whoever looks at it."""
        return self.link or self.uid


class GoneDeck(models.Model):
    """The id of a deck that was deleted, as a hash: nobody else's deck may ever be found where it was.

    Builders choose the ids of drafts, and decks have theirs from them. A row comes with each deck that is deleted,
    however that happens, and stays; it tells nothing of the deck or its owner.
    """

    hash = models.CharField(max_length=64, primary_key=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.hash[:10]

    @classmethod
    def remember(cls, instance: Deck, **_: Any) -> None:
        """Keep the id of a deck that is being deleted, in the same transaction; receives Django's signal."""
        cls.objects.bulk_create([cls(hash=cls._hash(instance.uid))], ignore_conflicts=True)

    @classmethod
    def had(cls, uid: str) -> bool:
        """Return whether there was a deck with this id."""
        return cls.objects.filter(hash=cls._hash(uid)).exists()

    @staticmethod
    def _hash(uid: str) -> str:
        return hashlib.sha256(uid.encode()).hexdigest()


class Preview(models.Model):
    """The picture that other sites show of a public deck. Only :mod:`decks.pictures.previews` writes it."""

    deck = models.OneToOneField(Deck, models.CASCADE, related_name="preview")
    mark = models.CharField(max_length=16)
    """Stands for all that it was drawn from."""
    png: models.BinaryField[bytes, bytes] = models.BinaryField()
    drawn = models.DateTimeField()

    def __str__(self) -> str:
        return f"picture of {self.deck_id}"


class ListRecord(models.Model):
    """How many games were played with a list, and how many it won. Only :mod:`decks.results` writes it."""

    content_hash = models.CharField(max_length=64, primary_key=True)
    games = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.won} of {self.games} won with {self.content_hash[:10]}"


class DeckTag(models.Model):
    """A word by which the owner of a deck wants it found."""

    deck = models.ForeignKey(Deck, models.CASCADE, related_name="labels")
    word = models.CharField(max_length=24, db_index=True)

    class Meta:
        ordering = ["word"]
        constraints = (models.UniqueConstraint("deck", "word", name="one_tag_of_a_word"),)

    def __str__(self) -> str:
        return self.word


class Like(models.Model):
    """Somebody likes a deck."""

    deck = models.ForeignKey(Deck, models.CASCADE, related_name="likes")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="likes")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (models.UniqueConstraint("deck", "user", name="one_like_of_a_person"),)

    def __str__(self) -> str:
        return f"{self.user} likes {self.deck}"


class Comment(models.Model):
    """What somebody has to say about a deck, in Markdown."""

    deck = models.ForeignKey(Deck, models.CASCADE, related_name="comments")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="comments")
    text = models.TextField()
    hidden = models.BooleanField(default=False)
    """Taken away by moderators, who can bring it back."""
    created = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        ordering = ["-created", "-id"]

    def __str__(self) -> str:
        return f"{self.author} about {self.deck}"


class Block(models.Model):
    """Somebody does not want to hear of somebody else."""

    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="blocks")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created"]
        constraints = (models.UniqueConstraint("by", "person", name="one_block_of_a_person"),)

    def __str__(self) -> str:
        return f"{self.by} blocks {self.person}"


class Report(models.Model):
    """Somebody says that a thing on the site should not be there, or is a mistake.

    ``told`` is what it said then, and stays, also when the thing itself is gone.
    """

    class Reason(models.TextChoices):
        """What is wrong with it."""

        OFFENSIVE = "offensive", "It offends or threatens somebody"
        SPAM = "spam", "It is advertising or nonsense"
        PRIVATE = "private", "It tells private things of somebody"
        OTHER = "other", "Something else"
        MISTAKE = "mistake", "The rules were not kept"

    class State(models.TextChoices):
        """What has come of it."""

        OPEN = "open", "Open"
        TAKEN_DOWN = "taken down", "Taken down"
        DISMISSED = "dismissed", "Dismissed"

    reporter = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", editable=False)
    kind = models.CharField(max_length=20, editable=False)
    """What it is about: a kind of things that an app has registered."""
    subject = models.CharField(max_length=120, editable=False)
    """Which of these, as that app knows it: the id of a deck, the number of a line, a point in a match."""
    author = models.CharField(max_length=40, blank=True, editable=False)
    whose = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", editable=False)
    """Who made it, if that is known: also once the thing itself is gone."""
    told = models.TextField(blank=True, editable=False)
    reason = models.CharField(max_length=10, choices=Reason.choices)
    words = models.CharField(max_length=500, blank=True, editable=False)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN, db_index=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created", "-id"]

    def __str__(self) -> str:
        return f"{self.kind} of {self.author}: {self.reason}" if self.author else f"{self.kind}: {self.reason}"


class Moderation(models.Model):
    """What a moderator did, and when. Added and never changed; ``who`` stays when the account goes."""

    when = models.DateTimeField(auto_now_add=True, db_index=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", editable=False)
    who = models.CharField(max_length=40)
    what = models.CharField(max_length=20)
    report = models.ForeignKey(Report, models.PROTECT, related_name="done")

    class Meta:
        ordering = ["-id"]
        default_permissions = ("view",)

    def __str__(self) -> str:
        return f"{self.when:%Y-%m-%d %H:%M} {self.who}: {self.what}"


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


class Draft(models.Model):
    """What its owner last worked on: a deck as it is to be published next. Only :mod:`decks.building.drafts` writes it.

    ``uid`` is that of the deck, which has it from its draft. ``parent`` is the version that the content began with.
    ``revision`` grows with every save, and a save names the one that it knows. ``senders`` has, by the id of a page
    that saves, the number of its last change that is in the content.
    """

    uid = models.CharField(max_length=22, unique=True, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="drafts", editable=False)
    deck = models.OneToOneField(Deck, models.CASCADE, null=True, related_name="draft", editable=False)
    parent = models.ForeignKey(DeckVersion, models.SET_NULL, null=True, related_name="+", editable=False)
    revision = models.PositiveIntegerField(default=0)
    content = models.JSONField(default=dict)
    senders = models.JSONField(default=dict)
    created = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-changed", "-id"]

    def __str__(self) -> str:
        return f"draft of {self.content.get('name') or self.uid}"

    def get_absolute_url(self) -> str:
        """Return the address at which its owner goes on with it."""
        return reverse("decks:edit", args=[self.uid])


class Collection(models.Model):
    """What somebody owns, if they have said so: copies by permanent card id. Only :mod:`decks.owning` writes it."""

    owner = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="collection", editable=False)
    counts = models.JSONField(default=dict)
    changed = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"collection of {self.owner}"


def content_hash(base: str, counts: dict[str, int]) -> str:
    """Return the hash of what is played: base, and counts by card, in one order."""
    content = json.dumps([base, sorted(counts.items())], separators=(",", ":"))
    return hashlib.sha256(content.encode()).hexdigest()
