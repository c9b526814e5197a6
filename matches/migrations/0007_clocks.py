"""Tempos and clocks: columns of matches and moves."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    """Matches get a tempo, what stands at the table and a deadline; moves what stood after them."""

    dependencies = [("matches", "0006_deciders")]

    operations = [
        migrations.AddField("match", "tempo", models.CharField(default="untimed", editable=False, max_length=40)),
        migrations.AddField("match", "standing", models.BinaryField(default=b"")),
        migrations.AddField("match", "deadline", models.BigIntegerField(blank=True, null=True)),
        migrations.AddField("move", "standing", models.BinaryField(default=b"")),
        migrations.AlterField(
            "move",
            "kind",
            models.CharField(
                choices=[
                    ("choose", "Choose"),
                    ("back", "Back"),
                    ("concede", "Concede"),
                    ("time", "Time"),
                    ("claim", "Claim"),
                    ("offer", "Offer"),
                    ("agree", "Agree"),
                    ("decline", "Decline"),
                    ("resume", "Resume"),
                    ("vacation", "Vacation"),
                ],
                max_length=8,
            ),
        ),
        migrations.AddIndex(
            "match",
            models.Index(
                condition=models.Q(("deadline__isnull", False), ("state", "running")),
                fields=["deadline"],
                name="match_deadline",
            ),
        ),
    ]
