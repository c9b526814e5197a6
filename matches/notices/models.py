"""What is kept about notices: who wants which, the browsers that take them, and what has been told."""

from __future__ import annotations

import hashlib

from django.conf import settings
from django.db import models

from matches.models import Match

MOST_ENDPOINT = 1000
"""Characters of a push service's address for one browser."""


class Wishes(models.Model):
    """Which notices somebody wants. Without a row: none by mail, and both kinds by push."""

    class Mail(models.TextChoices):
        """When mails that it is somebody's move are sent."""

        OFF = "off", "Never"
        ONCE = "once", "One, and then none until you have been here"
        DAILY = "daily", "One a day, with all matches that wait for you"

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notice_wishes")
    mail = models.CharField(max_length=5, choices=Mail.choices, default=Mail.OFF)
    endings = models.BooleanField(default=True)
    """Whether to be told that a match is over."""
    mailed = models.DateTimeField(null=True, blank=True)
    """When the last mail was sent after which they have not been here."""
    digested = models.DateTimeField(null=True, blank=True)
    tested = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "wishes"

    def __str__(self) -> str:
        return f"notices of {self.user_id}: mail {self.mail}"


class Subscription(models.Model):
    """A browser that takes push messages for somebody, as its push service made it known."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="push_subscriptions")
    endpoint = models.CharField(max_length=MOST_ENDPOINT)
    endpoint_hash = models.CharField(max_length=64, unique=True, editable=False)
    p256dh = models.CharField(max_length=120)
    auth = models.CharField(max_length=60)
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"push subscription {self.pk} of {self.user_id}"

    @staticmethod
    def hash_of(endpoint: str) -> str:
        """Return by what an endpoint is found."""
        return hashlib.sha256(endpoint.encode()).hexdigest()


class PushKey(models.Model):
    """The key by which push services know this site; one row, made when it is first needed."""

    private = models.CharField(max_length=60, editable=False)
    """Secret."""
    public = models.CharField(max_length=120, editable=False)

    def __str__(self) -> str:
        return "push key"


class Reminder(models.Model):
    """When the next reminder of a match by correspondence is due, as it stands at ``version``; null if none is."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="reminder")
    version = models.PositiveIntegerField()
    due = models.BigIntegerField(null=True, db_index=True)
    """In the time of the site, which stands still while no server is up."""

    def __str__(self) -> str:
        return f"reminder of match {self.match_id} at version {self.version}"


class Told(models.Model):
    """Up to which version of a match those who are waited for have been told, and whether its end was told."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="told")
    version = models.PositiveIntegerField()
    over = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"match {self.match_id} told at version {self.version}"
