"""What is kept of ratings. Only :mod:`matches.ratings.services` writes them.

:class:`RatedMatch` and :class:`RatingChange` are the ledger: a row for each match that counted and one for each of its
players, with all that went in and what came out. It never changes, and all ratings can be computed from it anew.
:class:`Rating` is where that has led. People who delete their accounts leave the rows without a name.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from matches.models import Match
from matches.ratings.pools import POOLS
from matches.ratings.skills import Skill, season_name


class Rating(models.Model):
    """How strong somebody is in one pool, as of the last match that counted."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="ratings", editable=False
    )
    pool = models.CharField(max_length=20)
    season = models.PositiveIntegerField(default=0)
    """Of the last match that counted."""
    mu = models.FloatField()
    sigma = models.FloatField()
    matches = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(default=0)
    changed = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = (
            models.UniqueConstraint("user", "pool", condition=Q(user__isnull=False), name="one_rating_in_a_pool"),
        )
        indexes = (models.Index(fields=["pool", "season", "-mu"], name="rating_ladder"),)

    def __str__(self) -> str:
        return f"{self.user or 'nobody'}: {self.skill.points} ({self.pool})"

    @property
    def skill(self) -> Skill:
        """Mu and sigma."""
        return Skill(self.mu, self.sigma)

    @property
    def provisional(self) -> bool:
        """Whether too few matches have counted for this to say much."""
        return self.matches < POOLS[self.pool].settles_after


class RatedMatch(models.Model):
    """A match that counted, once. Ids are in the order in which matches that share a player were rated."""

    match = models.OneToOneField(Match, models.PROTECT, related_name="rating")
    pool = models.CharField(max_length=20)
    season = models.PositiveIntegerField()
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        verbose_name_plural = "rated matches"

    def __str__(self) -> str:
        return f"{self.match_id} ({self.pool}, {season_name(self.season)})"


class RatingChange(models.Model):
    """What a match has made of the rating of one of its players; ``rank`` is their place, 1 the first."""

    rated = models.ForeignKey(RatedMatch, models.PROTECT, related_name="changes")
    rating = models.ForeignKey(Rating, models.PROTECT, related_name="changes")
    seat = models.PositiveSmallIntegerField()
    rank = models.PositiveSmallIntegerField()
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu = models.FloatField()
    sigma = models.FloatField()
    matches = models.PositiveIntegerField()
    """How many matches had counted with this one."""

    class Meta:
        ordering = ["rated_id", "seat"]
        constraints = (
            models.UniqueConstraint("rated", "seat", name="one_change_of_a_seat"),
            models.UniqueConstraint("rated", "rating", name="one_change_of_a_rating"),
        )
        indexes = (models.Index(fields=["rating", "rated"], name="change_history"),)

    def __str__(self) -> str:
        return f"{self.before.points} to {self.after.points}"

    @property
    def before(self) -> Skill:
        """The skill that the match began with, after the reset of a new season."""
        return Skill(self.mu_before, self.sigma_before)

    @property
    def after(self) -> Skill:
        """The skill after it."""
        return Skill(self.mu, self.sigma)

    @property
    def points(self) -> int:
        """How many points were won, or lost."""
        return self.after.points - self.before.points


class Device(models.Model):
    """Somebody has asked for a rated match from this device; only :mod:`matches.ratings.devices` writes it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", editable=False)
    mark = models.CharField(max_length=64, db_index=True)
    """A keyed hash of the random number that the device was given."""
    seen = models.DateTimeField(db_index=True)

    class Meta:
        constraints = (models.UniqueConstraint("user", "mark", name="one_device_of_a_person"),)

    def __str__(self) -> str:
        return f"a device of {self.user}"


class KeptRating(models.Model):
    """Whose rating a seat moves, as whoever sat there has deleted their account before the match was counted."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="+")
    seat = models.PositiveSmallIntegerField()
    rating = models.ForeignKey(Rating, models.PROTECT, related_name="+")

    class Meta:
        constraints = (models.UniqueConstraint("match", "seat", name="one_kept_rating_of_a_seat"),)

    def __str__(self) -> str:
        return f"seat {self.seat} of match {self.match_id}"


class RunOut(models.Model):
    """Somebody has let a match of two run out; only :mod:`matches.ratings.stalling` writes it."""

    match = models.OneToOneField(Match, models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", editable=False)
    behind = models.BooleanField()
    """Whether they had lost more influence than the other by then."""
    noted = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = (models.Index(fields=["user", "noted"], name="run_out_of_person"),)

    def __str__(self) -> str:
        return f"match {self.match_id}, let run out by {self.user}"


class Sign(models.Model):
    """Something about rated matches that staff should look at; nothing follows from it by itself.

    ``user`` is who gained by it, or does it; ``other`` at whose cost, None where it was at that of many. One row for
    each kind and pair, renewed when it shows again.
    """

    class Kind(models.TextChoices):
        """What was seen."""

        SHORT = "short", "Gave up early, again and again"
        ONE_SIDED = "one_sided", "Met often, and the same one won more than chance explains"
        FED = "fed", "One of several who play nobody else, and lose"
        DEVICE = "device", "Play from one device, and the same one wins"
        THROWS = "throws", "Gives up early, again and again, whoever they meet"
        GIVEN = "given", "Wins, again and again, as others give up early"
        STALLS = "stalls", "Lets matches run out, again and again, when behind"

    class State(models.TextChoices):
        """What staff have said of it."""

        OPEN = "open", "Open"
        LOOKED_AT = "looked_at", "Looked at"

    kind = models.CharField(max_length=10, choices=Kind.choices)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", editable=False)
    other = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+", editable=False)
    matches = models.PositiveIntegerField()
    """How many matches show it."""
    last = models.ForeignKey(RatedMatch, models.CASCADE, null=True, related_name="+", editable=False)
    """The last one of these; None where they need not have counted."""
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    changed = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-changed"]
        constraints = (
            models.UniqueConstraint("kind", "user", "other", name="one_sign_of_a_pair"),
            models.UniqueConstraint("kind", "user", condition=Q(other=None), name="one_sign_of_a_person"),
        )

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {f'{self.other} against ' if self.other else ''}{self.user}"
