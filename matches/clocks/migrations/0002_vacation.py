"""Vacations."""

from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Make the table of vacations."""

    dependencies = [("clocks", "0001_initial"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            name="Vacation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("begin", models.DateTimeField()),
                ("end", models.DateTimeField()),
                ("over", models.BooleanField(default=False)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="vacations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ["-begin"]},
        ),
        migrations.AddConstraint(
            "vacation",
            models.UniqueConstraint(
                fields=["user"], condition=models.Q(("over", False)), name="vacation_one_at_a_time"
            ),
        ),
    ]
