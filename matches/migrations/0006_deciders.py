"""Who must decide becomes a set of seats."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models

SEATS = range(8)


def as_sets(apps: Any, schema_editor: Any) -> None:
    """Turn the number of the seat into the set of that one seat."""
    match = apps.get_model("matches", "Match")
    for seat in SEATS:
        match.objects.filter(deciding=seat).update(deciders=1 << seat)


def as_numbers(apps: Any, schema_editor: Any) -> None:
    """Turn sets of one seat back into its number."""
    match = apps.get_model("matches", "Match")
    for seat in SEATS:
        match.objects.filter(deciders=1 << seat).update(deciding=seat)


class Migration(migrations.Migration):
    """Add the set, fill it, drop the number."""

    dependencies = [("matches", "0005_delay")]

    operations = [
        migrations.AddField("match", "deciders", models.PositiveSmallIntegerField(default=0)),
        migrations.RunPython(as_sets, as_numbers),
        migrations.RemoveField("match", "deciding"),
    ]
