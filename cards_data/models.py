"""The card database as tables: what exists now (:class:`Set`, :class:`Card`, :class:`Printing`), how it was
at every import (:class:`DataVersion`), what was uploaded to become an import (:class:`ImportDraft`), and
who did what (:class:`AuditEntry`). Only :mod:`cards_data.imports` writes the first four, only
:mod:`cards_data.importing` and :mod:`cards_data.trials` the drafts."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any, ClassVar

import msgspec
from django.conf import settings
from django.db import models
from django.urls import reverse

from cards_data.fields import WordsField
from cards_data.older import problems_up_to_date, up_to_date
from cards_data.wording import words_of
from ccg.rules.authoring.records import Problem
from ccg.rules.cards.definitions import UNIT_TYPES, CardDef, fold
from ccg.rules.decoding import Decoder
from ccg.rules.effects.language import read_special

TYPES = [(name, name.capitalize()) for name in ("base", "personnel", "ship", "event", "mission")]
RESOURCES = [(name, name.capitalize()) for name in ("persuasion", "logistics", "security")]
RARITIES = [(name, name.capitalize()) for name in ("common", "uncommon", "rare", "fixed", "limited", "exclusive")]


_CARD = Decoder(CardDef, read_special)
_PROBLEMS = Decoder(list[Problem])


class Set(models.Model):
    """A card set; its code begins the ids of its printings."""

    code = models.CharField(primary_key=True, max_length=10)
    name = models.CharField(max_length=60)
    year = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["year", "code"]

    def __str__(self) -> str:
        return f"{self.name} ({self.code})"

    def get_absolute_url(self) -> str:
        """Return the address of the set's page."""
        return reverse("cards_data:set", args=[self.code])


class Card(models.Model):
    """A card, the same through all its printings; ``id`` is that of the first one and never changes.

    The columns are for queries; :attr:`definition` is what the rules and the pages read. Numbers that the
    card does not print are null, so that they match no comparison.
    """

    id = models.CharField(primary_key=True, max_length=15)
    type = models.CharField(max_length=10, choices=TYPES, db_index=True)
    title = models.CharField(max_length=80, blank=True)
    subtitle = models.CharField(max_length=80, blank=True)
    name = models.CharField(max_length=170)
    folded = models.CharField(max_length=170, db_index=True, help_text="The name without case, accents, punctuation.")
    folded_title = models.CharField(max_length=80, blank=True, db_index=True)
    traits = WordsField()
    keywords = WordsField()
    requires = WordsField(max_length=900)
    folded_text = models.TextField(blank=True, default="", help_text="What it does in our words, as names are folded.")
    folded_requires = models.CharField(max_length=900, blank=True, default="")
    cost_persuasion = models.PositiveSmallIntegerField(null=True, blank=True)
    cost_logistics = models.PositiveSmallIntegerField(null=True, blank=True)
    cost_security = models.PositiveSmallIntegerField(null=True, blank=True)
    cost = models.PositiveSmallIntegerField(null=True, blank=True, help_text="The whole cost, all resources.")
    power = models.PositiveSmallIntegerField(null=True, blank=True)
    threat = models.PositiveSmallIntegerField(null=True, blank=True)
    mystic = models.PositiveSmallIntegerField(null=True, blank=True)
    produces = models.CharField(max_length=10, choices=RESOURCES, blank=True, db_index=True)
    hand = models.PositiveSmallIntegerField(null=True, blank=True)
    influence = models.PositiveSmallIntegerField(null=True, blank=True)
    ability_pending = models.BooleanField(default=False, help_text="Its printed ability is not yet played.")
    withdrawn = models.BooleanField(default=False, help_text="No longer in any set file; kept for old decks.")
    facts = models.JSONField(help_text="The whole definition, as the rules read it.")

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.name} ({self.id})"

    def get_absolute_url(self) -> str:
        """Return the address of the card's page."""
        return reverse("cards_data:card", args=[self.id])

    @property
    def definition(self) -> CardDef:
        """The card as the rules know it."""
        return _CARD.from_plain(up_to_date(self.facts))

    @classmethod
    def from_definition(cls, card: CardDef) -> Card:
        """Return the row for ``card``, not yet saved."""
        has_cost = card.type == "event" or card.type in UNIT_TYPES
        costs: list[Any] = list(card.cost) if has_cost else [None, None, None]
        return cls(
            id=card.id,
            type=card.type,
            title=card.title,
            subtitle=card.subtitle,
            name=card.name,
            folded=fold(card.name),
            folded_title=fold(card.title),
            traits=list(card.traits),
            keywords=list(card.keywords),
            requires=[str(requirement) for requirement in card.requires],
            folded_text=fold(words_of(card).plain),
            folded_requires=fold(" ".join(str(requirement) for requirement in card.requires)),
            cost_persuasion=costs[0],
            cost_logistics=costs[1],
            cost_security=costs[2],
            cost=sum(card.cost) if has_cost else None,
            power=card.power,
            threat=card.threat,
            mystic=card.mystic,
            produces=card.produces or "",
            hand=card.hand,
            influence=card.influence,
            ability_pending=card.ability_pending,
            facts=msgspec.to_builtins(card),
        )


class Printing(models.Model):
    """A card in one set: number and rarity there. Ids are never given to another card."""

    id = models.CharField(primary_key=True, max_length=15)
    card = models.ForeignKey(Card, models.PROTECT, related_name="printings")
    set = models.ForeignKey(Set, models.PROTECT, related_name="printings")
    number = models.PositiveSmallIntegerField()
    rarity = models.CharField(max_length=10, choices=RARITIES)
    withdrawn = models.BooleanField(default=False)

    class Meta:
        ordering = ["set", "number"]
        constraints = [models.UniqueConstraint("set", "number", name="one_printing_a_number")]

    def __str__(self) -> str:
        return self.id

    @property
    def first(self) -> bool:
        """Whether the card was first printed here."""
        return self.id == self.card_id


class DataVersion(models.Model):
    """The card database after one import that changed something, whole and for ever.

    Matches name the ``number`` they began with. ``fingerprint`` is that of the cards alone (what saved
    games are bound to), ``digest`` that of all of ``content``: sets and printings too.
    """

    number = models.PositiveIntegerField(primary_key=True)
    fingerprint = models.CharField(max_length=16, db_index=True)
    digest = models.CharField(max_length=64)
    created = models.DateTimeField(auto_now_add=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", editable=False
    )
    restores = models.PositiveIntegerField(
        null=True, blank=True, help_text="The older version to which this one goes back."
    )
    source = models.CharField(max_length=200, help_text="Which sets were imported from where.")
    changes = models.JSONField(default=dict, help_text="What is new, changed, gone against the version before.")
    content = models.BinaryField(help_text="All sets with their cards and printings, as JSON.")

    class Meta:
        ordering = ["-number"]

    def __str__(self) -> str:
        return f"data version {self.number} ({self.fingerprint})"


class BulkFile(models.Model):
    """A whole collection as JSON, made in the background (:mod:`cards_data.bulk`)."""

    name = models.CharField(primary_key=True, max_length=20)
    revision = models.PositiveIntegerField(default=0, help_text="How often making it has begun.")
    content = models.BinaryField(default=bytes, help_text="The JSON, with gzip.")
    size = models.PositiveIntegerField(default=0, help_text="Bytes of the JSON.")
    count = models.PositiveIntegerField(default=0)
    etag = models.CharField(max_length=40, blank=True)
    built = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["name"]
        default_permissions = ()

    def __str__(self) -> str:
        return self.name


class ImportDraft(models.Model):
    """An uploaded card set on its way to a data version: checked, tried in simulated games, published.

    ``content`` is what was uploaded, ``checked`` the sets that were read from it, as
    :meth:`cards_data.catalog.CardData.encode` writes them. All that the check found holds against the
    data version ``base``. ``trial`` is a :class:`cards_data.trials.Trial`, empty before the first one.
    """

    class State(models.TextChoices):
        """How far a draft has come. Refused, published and discarded ones never change again."""

        REFUSED = "refused", "Refused: there are problems"
        CHECKED = "checked", "Checked: can be tried"
        TRYING = "trying", "Simulated games are being played"
        TRIED = "tried", "Tried: can be published"
        PUBLISHED = "published", "Published"
        DISCARDED = "discarded", "Discarded"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", editable=False
    )
    file_name = models.CharField(max_length=100)
    content = models.BinaryField()
    created = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True)
    state = models.CharField(max_length=10, choices=State.choices)
    base = models.PositiveIntegerField(help_text="The data version against which it was checked.")
    checked = models.BinaryField(default=bytes)
    sets = models.JSONField(default=list, help_text="Code, name and number of cards of each set in it.")
    problems = models.JSONField(default=list, help_text="Everything that is wrong, a line each.")
    changes = models.JSONField(default=dict, help_text="What would be new, changed, gone.")
    uses = models.JSONField(default=dict, help_text="How many decks, by kind of use, hold changed or gone cards.")
    scenarios = models.JSONField(default=list, help_text="The set's own scenarios and how each went.")
    trial = models.JSONField(default=dict, help_text="The simulated games: progress and report.")
    version = models.OneToOneField(DataVersion, models.PROTECT, null=True, blank=True, related_name="draft")

    class Meta:
        ordering = ["-created"]
        default_permissions = ("view",)
        permissions = [
            ("import_set", "Can upload, try and publish card sets"),
            ("roll_back", "Can go back to an older version of the card data"),
        ]

    def __str__(self) -> str:
        return f"{self.file_name} ({self.state})"

    @property
    def found(self) -> list[Problem]:
        """The problems, as records."""
        problems: list[Problem] = _PROBLEMS.from_plain(problems_up_to_date(self.problems))
        return problems


class AppendOnlyError(TypeError):
    """Something tried to change or take away an entry of the audit log."""


class AuditQuerySet(models.QuerySet["AuditEntry"]):
    """Entries, which can be read and added."""

    def update(self, **values: Any) -> int:
        """Cut the link to accounts that go, as Django does when it deletes one; raises AppendOnlyError for all else."""
        if values == {"user": None}:
            return super().update(user=None)
        raise AppendOnlyError("an entry of the audit log never changes")

    def _update(self, values: Any) -> int:
        """Raise AppendOnlyError: this is how ``save_base`` would change an entry."""
        raise AppendOnlyError("an entry of the audit log never changes")

    def delete(self) -> tuple[int, dict[str, int]]:
        """Raise AppendOnlyError."""
        raise AppendOnlyError("an entry of the audit log is never deleted")

    def _raw_delete(self, using: str | None) -> int:
        """Raise AppendOnlyError: this is how Django would delete entries together with something else."""
        raise AppendOnlyError("an entry of the audit log is never deleted")

    def bulk_create(self, objs: Iterable[AuditEntry], *args: Any, **options: Any) -> list[AuditEntry]:
        """Add entries; raises AppendOnlyError when asked to overwrite."""
        if options.get("update_conflicts"):
            raise AppendOnlyError("an entry of the audit log never changes")
        return super().bulk_create(objs, *args, **options)


class AuditEntry(models.Model):
    """Who did what to the card database, and when. Entries are added, never changed, never deleted.

    ``who`` is the whole user name as it was then (or "command line"): it stays when the account goes, and
    ``user`` becomes empty.
    """

    class What(models.TextChoices):
        """What can be done, and being refused it."""

        UPLOADED = "uploaded"
        REFUSED = "refused"
        CHECKED = "checked"
        TRIAL_BEGUN = "trial begun"
        TRIAL_FINISHED = "trial finished"
        PUBLISHED = "published"
        ROLLED_BACK = "rolled back"
        DISCARDED = "discarded"
        DENIED = "permission denied"

    when = models.DateTimeField(auto_now_add=True, db_index=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", editable=False
    )
    who = models.CharField(max_length=40)
    what = models.CharField(max_length=20, choices=What.choices)
    draft = models.ForeignKey(ImportDraft, models.PROTECT, null=True, blank=True, related_name="audit")
    version = models.ForeignKey(DataVersion, models.PROTECT, null=True, blank=True, related_name="audit")
    detail = models.JSONField(default=dict)

    objects: ClassVar[Any] = AuditQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        base_manager_name = "objects"
        default_permissions = ("view",)
        verbose_name_plural = "audit entries"

    def __str__(self) -> str:
        return f"{self.when:%Y-%m-%d %H:%M} {self.who}: {self.what}"

    def save(self, *args: Any, **options: Any) -> None:
        """Save for the first and only time; raises AppendOnlyError after that."""
        if not self._state.adding:
            raise AppendOnlyError("an entry of the audit log never changes")
        super().save(*args, **{**options, "force_insert": True})

    def delete(self, *args: Any, **options: Any) -> tuple[int, dict[str, int]]:
        """Raise AppendOnlyError."""
        raise AppendOnlyError("an entry of the audit log is never deleted")


class SavedSearch(models.Model):
    """A search that somebody has given a name. Only :mod:`cards_data.saved` writes it."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="searches")
    about = models.CharField(max_length=10)
    name = models.CharField(max_length=40)
    query = models.CharField(max_length=256)

    class Meta:
        ordering = ["name", "id"]
        default_permissions = ()
        constraints = (models.UniqueConstraint("owner", "about", "name", name="one_search_of_a_name"),)

    def __str__(self) -> str:
        return self.name
