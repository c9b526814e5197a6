"""Standing orders: which seats have some, and whether the site is to look at a question."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    """Matches say for whom the site may answer."""

    dependencies = [("matches", "0007_clocks")]

    operations = [
        migrations.AddField("match", "orders", models.PositiveSmallIntegerField(default=0, editable=False)),
        migrations.AddField("match", "answer_due", models.BooleanField(default=False, editable=False)),
        migrations.AddIndex(
            "match",
            models.Index(
                condition=models.Q(("answer_due", True), ("state", "running")),
                fields=["changed"],
                name="match_answer_due",
            ),
        ),
    ]
