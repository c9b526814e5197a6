"""What is kept of the queues. Only :mod:`matches.pairing.services` writes them."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from decks.services import TableDeck
from matches.models import Match
from matches.shuffles.fair import MOST_WORDS, Given

RANKED, CASUAL = "ranked", "casual"
QUEUES = {RANKED: "Ranked", CASUAL: "For fun"}
"""What is played for: the queues by their codes."""


class QueueEntry(models.Model):
    """Somebody waits for an opponent, or has got one: then ``match`` says at which table. One row for each person.

    It holds its own copy of the deck. ``until`` is renewed by the page that waits: who has closed it is gone then, and
    is not paired.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="queue_entry", editable=False)
    queue = models.CharField(max_length=8, choices=list(QUEUES.items()))
    base = models.CharField(max_length=40)
    cards = models.JSONField(default=list)
    deck_label = models.CharField(max_length=120, blank=True)
    deck_version = models.CharField(max_length=64, blank=True)
    mu = models.FloatField()
    """How strong they are, as the rating said when they joined."""
    last_opponent = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", editable=False
    )
    """Whom they have just played, and are not paired with again."""
    commitment = models.CharField(max_length=64, blank=True, default="")
    words = models.CharField(max_length=MOST_WORDS, blank=True, default="")
    """What they add to the shuffles, after the server's commitment."""
    joined = models.DateTimeField()
    until = models.DateTimeField()
    match = models.ForeignKey(Match, models.SET_NULL, null=True, related_name="+", editable=False)

    class Meta:
        verbose_name_plural = "queue entries"
        indexes: ClassVar = [
            models.Index(fields=["queue", "joined"], condition=models.Q(match=None), name="queue_waiting")
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.queue})"

    @property
    def given(self) -> Given | None:
        """Their words for the shuffles; None for who has given none."""
        return Given(self.commitment, self.words) if self.commitment else None

    @property
    def deck(self) -> TableDeck:
        """The deck that they take to the table."""
        return TableDeck(
            base=self.base, cards=tuple(self.cards), label=self.deck_label, version=self.deck_version
        )  # fmt: skip


class Round(models.Model):
    """When the people of a queue were last paired, so that many processes do not all look at once."""

    queue = models.CharField(max_length=8, primary_key=True)
    last = models.DateTimeField()

    def __str__(self) -> str:
        return self.queue
