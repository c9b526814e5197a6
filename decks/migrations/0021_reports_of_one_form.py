from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("decks", "0020_reports_by_kind"),
    ]

    operations = [
        migrations.RemoveField(model_name="report", name="deck"),
        migrations.RemoveField(model_name="report", name="comment"),
        migrations.RemoveField(model_name="report", name="of_comment"),
        migrations.AlterField(model_name="report", name="kind", field=models.CharField(editable=False, max_length=20)),
        migrations.AlterField(
            model_name="report", name="subject", field=models.CharField(editable=False, max_length=120)
        ),
    ]
