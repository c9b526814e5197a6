from django.db import migrations

from ccg.people import name_key


def fold_tags(apps, schema_editor):
    """Write tags anew that have letters in other forms than tags are kept in now; a deck keeps each once."""
    tags = apps.get_model("decks", "DeckTag").objects.using(schema_editor.connection.alias)
    for tag in tags.iterator():
        word = name_key(tag.word)[:24]
        if word == tag.word:
            continue
        if tags.filter(deck=tag.deck_id, word=word).exists():
            tags.filter(pk=tag.pk).delete()
        else:
            tags.filter(pk=tag.pk).update(word=word)


class Migration(migrations.Migration):
    dependencies = [
        ("decks", "0017_reports_of_others"),
    ]

    operations = [
        migrations.RunPython(fold_tags, migrations.RunPython.noop, elidable=True),
    ]
