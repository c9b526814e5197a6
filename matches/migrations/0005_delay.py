from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0004_replays"),
    ]

    operations = [
        migrations.AddField(
            model_name="match",
            name="delay",
            field=models.PositiveSmallIntegerField(default=0),
        ),
    ]
