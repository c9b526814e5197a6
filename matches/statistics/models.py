"""What is kept of statistics. Only :mod:`matches.statistics.services` writes it, and all of it can be counted anew."""

from __future__ import annotations

from django.db import models

from matches.models import Match

LIST, BASE, CARD, MATCHUP = "list", "base", "card", "matchup"
KINDS = {LIST: "Decks", BASE: "Bases", CARD: "Cards", MATCHUP: "Base against base"}
"""What is counted, by its code."""


class Counted(models.Model):
    """A match that has been counted, once: the row goes in with the numbers, or neither does."""

    match = models.OneToOneField(Match, models.PROTECT, related_name="counted")
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return str(self.match_id)


class Tally(models.Model):
    """Games of something, and how many of them it won, for matches that are alike: one row for each such kind.

    ``subject`` is the content hash of a list, or the id of a base or a card; of a ``matchup`` it is the base that has
    won, and ``against`` the other one. No row says who has played, and none is of a list that was not public.
    """

    kind = models.CharField(max_length=8, choices=list(KINDS.items()))
    subject = models.CharField(max_length=64)
    against = models.CharField(max_length=40, blank=True, default="")
    season = models.PositiveIntegerField()
    pool = models.CharField(max_length=20)
    format = models.CharField(max_length=40, blank=True)
    """That of both decks; "" where they were made for two different ones."""
    ranked = models.BooleanField()
    games = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "tallies"
        constraints = (
            models.UniqueConstraint(
                "kind", "subject", "against", "season", "pool", "format", "ranked", name="one_tally_of_a_kind"
            ),
        )
        indexes = (models.Index(fields=["kind", "season"], name="tallies_of_a_season"),)

    def __str__(self) -> str:
        return f"{self.won} of {self.games}: {self.kind} {self.subject[:20]} ({self.pool}, {self.season})"
