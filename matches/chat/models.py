"""Lines of a chat, kept with the match."""

from __future__ import annotations

from django.conf import settings
from django.db import models

MAX_TEXT = 300
"""Signs in one line."""


class Line(models.Model):
    """Something that somebody wrote at a table. ``author`` is nobody once they have left and said that it may stay."""

    class Room(models.TextChoices):
        """Who reads it."""

        PLAYERS = "players"
        LOOKERS_ON = "lookers_on"

    match = models.ForeignKey("matches.Match", models.CASCADE, related_name="chat_lines")
    room = models.CharField(max_length=10, choices=Room.choices)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="chat_lines")
    seat = models.PositiveSmallIntegerField(null=True)
    """The seat of a player who wrote it."""
    text = models.CharField(max_length=MAX_TEXT)
    action_id = models.CharField(max_length=64)
    """The client's name for it: sent again, it is the same line."""
    hidden = models.BooleanField(default=False)
    """Taken away by moderators, who can bring it back."""
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = (models.UniqueConstraint("match", "author", "action_id", name="chat_line_written_once"),)
        indexes = (
            models.Index("match", "id", name="chat_line_of_match"),
            models.Index("author", "created", name="chat_line_of_author"),
        )

    def __str__(self) -> str:
        return f"line {self.pk} of match {self.match_id}"
