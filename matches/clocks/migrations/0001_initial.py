"""The time of the site."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    """Make the table of its one row."""

    initial = True
    dependencies: list[tuple[str, str]] = []

    operations = [
        migrations.CreateModel(
            name="UpTime",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("beat", models.DateTimeField()),
                ("stopped", models.BigIntegerField(default=0)),
                ("since", models.DateTimeField()),
            ],
        ),
    ]
