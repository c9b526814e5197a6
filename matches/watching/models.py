"""What is kept for those who look on at matches."""

from __future__ import annotations

from django.db import models

from matches.models import Match


class TurnBegan(models.Model):
    """Where a turn of a match with a delay began: what those who look on are shown until a later one is due.

    Written by :mod:`matches.watching.delay`, with the move that began the turn; turn 0 is the setup.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="turns_began")
    turn = models.PositiveIntegerField()
    version = models.PositiveIntegerField()
    saved: models.BinaryField[bytes, bytes] = models.BinaryField(editable=False)

    class Meta:
        ordering = ["match_id", "turn"]
        constraints = [models.UniqueConstraint(fields=["match", "turn"], name="turn_began_once")]

    def __str__(self) -> str:
        return f"turn {self.turn} of match {self.match_id}"


class Onlookers(models.Model):
    """How many sockets without a seat one process has open at a match, and when it last said so."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="onlookers")
    process = models.CharField(max_length=32)
    sockets = models.PositiveIntegerField()
    seen = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "process"], name="onlookers_once_for_each_process")]

    def __str__(self) -> str:
        return f"{self.sockets} look on at match {self.match_id}"
