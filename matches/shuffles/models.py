"""What is kept of the shuffles of matches. None of it has a page in the administration: secrets tell every order."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from matches.models import Match, MatchSeat
from matches.shuffles.fair import MOST_WORDS


class Commitment(models.Model):
    """A secret of the server, made when a player was about to sit down, and what became of it.

    The row is there, and its hash is sent, before the words come; it takes words once, together with the seat.
    """

    digest = models.CharField(max_length=64, unique=True, editable=False)
    """Its hash, which may be shown."""
    secret = models.BinaryField(editable=False)
    """Never in a view, a log or an answer before the match is over."""
    seat = models.OneToOneField(MatchSeat, null=True, on_delete=models.CASCADE, related_name="commitment")
    words = models.CharField(max_length=MOST_WORDS, default="", blank=True)
    made = models.DateTimeField(auto_now_add=True)
    held = models.BooleanField(default=False, db_default=False)
    """Whether somebody has given words for it and waits, maybe for days, until they sit down."""

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(words="") | Q(seat__isnull=False), name="shuffle_words_have_a_seat"),
        ]
        indexes = [models.Index(fields=["made"], condition=Q(seat__isnull=True), name="shuffle_unused")]

    def __str__(self) -> str:
        return f"commitment {self.digest[:12]}"


class Shuffled(models.Model):
    """What chance has decided in a finished match, worked out from its moves by a background worker."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="shuffled")
    drawings: models.BinaryField[bytes, bytes] = models.BinaryField()
    """Compressed JSON: a list of ``matches.shuffles.publishing.Drawn``; empty where no engine can tell any more."""

    def __str__(self) -> str:
        return f"shuffles of match {self.match_id}"
