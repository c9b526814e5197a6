from django.db import migrations, models

from ccg.rules.cards.definitions import fold


def fold_names(apps, schema_editor):
    """Fold the names that there are; decks/models.py folds new ones."""
    decks = apps.get_model("decks", "Deck").objects.using(schema_editor.connection.alias)
    for deck in decks.only("name").iterator():
        decks.filter(pk=deck.pk).update(folded=fold(deck.name)[:160])


class Migration(migrations.Migration):
    dependencies = [
        ("decks", "0003_links"),
    ]

    operations = [
        migrations.AddField(
            model_name="deck",
            name="folded",
            field=models.CharField(blank=True, default="", editable=False, max_length=160),
        ),
        migrations.RunPython(fold_names, migrations.RunPython.noop),
    ]
