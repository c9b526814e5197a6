"""What is kept of playtests. Only :mod:`matches.playtests.services` writes them."""

from __future__ import annotations

import re
import secrets
from typing import Any

import msgspec
from django.conf import settings
from django.db import models
from django.urls import reverse
from msgspec import Struct

from ccg.rules.decoding import Decoder
from matches.playtests.games import GameResult, PlayedList


class Opponent(Struct, frozen=True, kw_only=True):
    """A deck that is played against, as it was when the playtest was asked for."""

    name: str
    base: str
    counts: dict[str, int]
    version: str

    @property
    def played(self) -> PlayedList:
        """The list that is played."""
        return PlayedList(self.base, self.counts)


_UID = re.compile(r"[\w-]{22}", re.ASCII)
_RESULTS = Decoder(list[GameResult])
_OPPONENTS = Decoder(list[Opponent])


def new_uid() -> str:
    """Return a fresh id as it stands in addresses: 128 bits that nobody can guess."""
    return secrets.token_urlsafe(16)


class Playtest(models.Model):
    """Games of one list against the starter decks, the same for everybody who asks about this list.

    ``conditions`` names all that the results depend on besides the list: cards, engine, opponents and the number of
    games. Playtests under the same conditions can be compared. ``results_kept`` is JSON of
    :class:`~matches.playtests.games.GameResult`; ``slices`` counts the pieces of work written down, ``news`` is
    when something last came of it.
    """

    class State(models.TextChoices):
        """How far it is."""

        WAITING = "waiting", "Waiting for others"
        PLAYING = "playing", "Being played"
        STOPPED = "stopped", "Stopped"
        DONE = "done", "Done"

    uid = models.CharField(max_length=22, unique=True, default=new_uid, editable=False)
    conditions = models.CharField(max_length=64, editable=False)
    base = models.CharField(max_length=15)
    counts = models.JSONField(default=dict)
    content_hash = models.CharField(max_length=64)
    data_version = models.PositiveIntegerField()
    engine_version = models.CharField(max_length=32)
    opponents_kept = models.JSONField(default=list)
    games = models.PositiveIntegerField(help_text="Against each opponent.")
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING, db_index=True)
    began_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", editable=False)
    slices = models.PositiveIntegerField(default=0)
    played = models.PositiveIntegerField(default=0)
    results_kept = models.TextField(default="[]")
    created = models.DateTimeField(auto_now_add=True)
    asked = models.DateTimeField()
    """When it was last asked to be played: those who asked first are first."""
    news = models.DateTimeField()
    finished = models.DateTimeField(null=True)

    class Meta:
        ordering = ["asked", "id"]
        constraints = (models.UniqueConstraint("content_hash", "conditions", name="tested_once"),)

    def __str__(self) -> str:
        return f"playtest {self.content_hash[:10]}"

    def get_absolute_url(self) -> str:
        """Return the address of its page."""
        return reverse("playtests:playtest", args=[self.uid])

    @property
    def deck(self) -> PlayedList:
        """The tested list."""
        return PlayedList(self.base, self.counts)

    @property
    def opponents(self) -> list[Opponent]:
        """The decks that it plays against, in the order in which results count them."""
        return _OPPONENTS.from_plain(self.opponents_kept)

    @property
    def results(self) -> list[GameResult]:
        """The games played so far, in the order in which they came in."""
        return _RESULTS.from_json(self.results_kept.encode())

    def keep(self, results: list[GameResult]) -> None:
        """Put ``results`` in the place of those so far; not yet saved."""
        self.results_kept = msgspec.json.encode(results).decode()
        self.played = len(results)

    @property
    def of(self) -> int:
        """How many games it has in all."""
        return self.games * len(self.opponents_kept)

    @property
    def percent(self) -> int:
        """How much of it is done."""
        return 100 * self.played // max(1, self.of)


class AskedFor(models.Model):
    """Somebody asked for a playtest, of a list that they call ``label`` and come from ``address``."""

    playtest = models.ForeignKey(Playtest, models.CASCADE, related_name="askers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="playtests", editable=False)
    label = models.CharField(max_length=120)
    address = models.CharField(max_length=200, blank=True)
    """The page of the deck or the builder, on this site; without the site's name."""
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created", "-id"]
        constraints = (models.UniqueConstraint("playtest", "user", name="asked_once_by_a_person"),)

    def __str__(self) -> str:
        return f"{self.user}: {self.label}"


def of(user: Any, uid: str) -> AskedFor:
    """Return what ``user`` asked for under this id; raises AskedFor.DoesNotExist for anything else."""
    # Other signs never reach the database: PostgreSQL fails on some of them.
    if not user.is_authenticated or not _UID.fullmatch(uid):
        raise AskedFor.DoesNotExist
    return AskedFor.objects.select_related("playtest").get(user=user, playtest__uid=uid)
