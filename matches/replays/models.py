"""What is kept of finished matches beside their archive."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from matches.models import Archive, Match

LONGEST_NOTE = 500
REPORTED = "match"
"""What mistakes of the rules are reported as: the kind of :mod:`decks.social.moderation`."""


class Film(models.Model):
    """All positions of an archived match, as :mod:`matches.replays.positions` packs them.

    ``form`` is the form of ``content``, ``digest`` the hash of what it says.
    """

    archive = models.OneToOneField(Archive, on_delete=models.CASCADE, related_name="film")
    form = models.PositiveSmallIntegerField()
    content: models.BinaryField[bytes, bytes] = models.BinaryField()
    digest = models.CharField(max_length=32)
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"film of the archive {self.archive_id}"


class NoteSheet(models.Model):
    """The notes of one player on one match. With a ``nonce``, whoever has the link made of it may read them.

    Only a hash of what the link says is stored (``matches.replays.notes``).
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="note_sheets")
    writer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    nonce = models.CharField(max_length=64, default="", blank=True, editable=False)
    link_hash = models.CharField(max_length=64, null=True, unique=True, editable=False)  # noqa: DJ001 - unique

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "writer"], name="one_note_sheet_for_each_writer")]

    def __str__(self) -> str:
        return f"notes on match {self.match_id}"


class Note(models.Model):
    """What a player says of the position after so many moves."""

    sheet = models.ForeignKey(NoteSheet, on_delete=models.CASCADE, related_name="lines")
    move = models.PositiveIntegerField()
    text = models.CharField(max_length=LONGEST_NOTE)

    class Meta:
        ordering = ["sheet_id", "move"]
        constraints = [models.UniqueConstraint(fields=["sheet", "move"], name="one_note_on_each_move")]

    def __str__(self) -> str:
        return f"note on move {self.move}"
