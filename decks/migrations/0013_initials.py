from django.db import migrations

from ccg.rules.cards.definitions import fold


def fold_names(apps, schema_editor):
    """Fold the names that there are anew: initials now stand together."""
    decks = apps.get_model("decks", "Deck").objects.using(schema_editor.connection.alias)
    for deck in decks.only("name", "folded").iterator():
        folded = fold(deck.name)[:160]
        if folded != deck.folded:
            decks.filter(pk=deck.pk).update(folded=folded)


class Migration(migrations.Migration):
    dependencies = [
        ("decks", "0012_previews"),
    ]

    operations = [
        migrations.RunPython(fold_names, migrations.RunPython.noop, elidable=True),
    ]
