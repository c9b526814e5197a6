from django.db import migrations
from django.db.models import Q

from ccg.rules.cards.definitions import fold


def fold_names(apps, schema_editor):
    """Fold anew the names with dashes, also small, raised and upright ones, which part words now as hyphens do."""
    decks = apps.get_model("decks", "Deck").objects.using(schema_editor.connection.alias)
    changed = Q()
    for sign in "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u207b\u208b\ufe31\ufe32\ufe58":
        changed |= Q(name__contains=sign)
    for deck in decks.filter(changed).only("name").iterator():
        decks.filter(pk=deck.pk).update(folded=fold(deck.name)[:160])


class Migration(migrations.Migration):
    dependencies = [
        ("decks", "0022_whose_things_are_reported"),
    ]

    operations = [
        migrations.RunPython(fold_names, migrations.RunPython.noop, elidable=True),
    ]
