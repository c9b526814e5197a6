from django.db import migrations, models


class Migration(migrations.Migration):
    # Of the decks in matches before this one nobody knows any more whether they were private, so they count as that.
    dependencies = [
        ("matches", "0003_ratings"),
    ]

    operations = [
        migrations.AddField(
            model_name="matchseat",
            name="deck_private",
            field=models.BooleanField(default=True),
        ),
    ]
