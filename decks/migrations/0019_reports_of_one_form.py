from django.db import migrations, models
from django.db.models import F


def name_matches(apps, schema_editor):
    """Let reports of mistakes name their match as all others name what they are about."""
    reports = apps.get_model("decks", "Report").objects.using(schema_editor.connection.alias)
    reports.exclude(address="").update(kind="match", subject=F("address"))


class Migration(migrations.Migration):
    dependencies = [
        ("decks", "0018_tags_in_plain_signs"),
    ]

    operations = [
        migrations.AlterField(
            model_name="report",
            name="subject",
            field=models.CharField(blank=True, default="", editable=False, max_length=120),
        ),
        migrations.RunPython(name_matches, migrations.RunPython.noop),
        migrations.RemoveField(model_name="report", name="address"),
    ]
