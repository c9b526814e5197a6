"""What is kept of the queues. Only :mod:`matches.pairing.services` writes them."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from decks.table_decks import TableDeck
from matches.models import Match
from matches.pairing.queues import CORRESPONDENCE, LIVE, QUEUES
from matches.shuffles.fair import MOST_WORDS, Given


class QueueEntry(models.Model):
    """Somebody waits for an opponent, or has got one: then ``match`` says at which table; or was ``sent_away``.

    One row for each person and tempo: who waits for a match by correspondence may play live meanwhile. It holds its
    own copy of the deck. ``until`` is renewed by the page that waits: who has closed it is gone then, and is not
    paired. Without it (by correspondence) somebody waits until they say that they do no more.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="queue_entries", editable=False)
    queue = models.CharField(max_length=24, choices=[(queue.code, queue.name) for queue in QUEUES.values()])
    tempo = models.CharField(
        max_length=16, choices=[(LIVE, "live"), (CORRESPONDENCE, "by correspondence")], default=LIVE, db_default=LIVE
    )
    """The kind of tempo of that queue."""
    base = models.CharField(max_length=40)
    cards = models.JSONField(default=list)
    deck_label = models.CharField(max_length=120, blank=True)
    deck_version = models.CharField(max_length=64, blank=True)
    deck_private = models.BooleanField(default=True)
    """Whether it was not public as they joined; whether it still is, is asked as the match begins."""
    deck_public = models.BooleanField(default=False)
    deck_format = models.CharField(max_length=40, blank=True, default="")
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
    until = models.DateTimeField(null=True, blank=True)
    match = models.ForeignKey(Match, models.SET_NULL, null=True, related_name="+", editable=False)

    sent_away = models.CharField(max_length=200, blank=True, default="", db_default="")
    """Why they wait no more, without having said so; kept to be told until they join again."""

    class Meta:
        verbose_name_plural = "queue entries"
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "tempo"], name="queue_one_entry_of_a_tempo")]
        indexes: ClassVar = [
            models.Index(fields=["queue", "joined"], condition=models.Q(match=None), name="queue_waiting")
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.queue})"

    @property
    def given(self) -> Given | None:
        """Their words for the shuffles; None for whoever has given none."""
        return Given(self.commitment, self.words) if self.commitment else None

    @property
    def deck(self) -> TableDeck:
        """The deck that they take to the table."""
        return TableDeck(
            base=self.base,
            cards=tuple(self.cards),
            label=self.deck_label,
            version=self.deck_version,
            private=self.deck_private,
            public=self.deck_public,
            format=self.deck_format,
        )


class Round(models.Model):
    """When the people of a queue were last paired, so that many processes do not all look at once."""

    queue = models.CharField(max_length=24, primary_key=True)
    last = models.DateTimeField()

    def __str__(self) -> str:
        return self.queue
