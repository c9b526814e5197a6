"""What is kept of finished matches beside their archive."""

from __future__ import annotations

from django.db import models

from matches.models import Archive


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
