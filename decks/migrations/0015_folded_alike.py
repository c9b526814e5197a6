from django.db import migrations
from django.db.models import Q

from ccg.rules.cards.definitions import fold


def fold_names(apps, schema_editor):
    """Fold anew the names whose letters and accents are folded in another way than they were."""
    decks = apps.get_model("decks", "Deck").objects.using(schema_editor.connection.alias)
    changed = Q()
    for sign in "ßẞ´`":
        changed |= Q(name__contains=sign)
    for deck in decks.filter(changed).only("name").iterator():
        decks.filter(pk=deck.pk).update(folded=fold(deck.name)[:160])


class Migration(migrations.Migration):
    dependencies = [
        ("decks", "0014_gone_decks"),
    ]

    operations = [
        migrations.RunPython(fold_names, migrations.RunPython.noop, elidable=True),
    ]
