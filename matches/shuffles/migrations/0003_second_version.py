"""What was committed to under the first version of the format is forgotten: nothing can be checked by it any more."""

from __future__ import annotations

from typing import Any

from django.db import migrations


def forget(apps: Any, schema: Any) -> None:
    """Delete commitments made for the first version. Archives keep theirs, and the page of such a match says so."""
    apps.get_model("shuffles", "Commitment").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("shuffles", "0002_held")]

    operations = [migrations.RunPython(forget, migrations.RunPython.noop)]
