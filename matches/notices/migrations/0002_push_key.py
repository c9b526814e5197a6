"""Make the key by which push services know this site, at its first start."""

from __future__ import annotations

from typing import Any

from django.db import migrations


def make_key(apps: Any, schema_editor: Any) -> None:
    """Make the only row, unless it is there."""
    from matches.notices.pushing import new_key

    apps.get_model("notices", "PushKey").objects.get_or_create(pk=1, defaults=new_key())


class Migration(migrations.Migration):
    dependencies = [("notices", "0001_initial")]
    operations = [migrations.RunPython(make_key, migrations.RunPython.noop)]
