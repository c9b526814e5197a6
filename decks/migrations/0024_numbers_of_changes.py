from django.db import migrations


def number_changes(apps, schema_editor):
    """Keep of each page the number of its last save alone: what it sent is not needed to know what is new."""
    drafts = apps.get_model("decks", "Draft").objects.using(schema_editor.connection.alias)
    for draft in drafts.exclude(senders={}).only("senders").iterator():
        numbers = {sender: last.get("made", 0) for sender, last in draft.senders.items() if isinstance(last, dict)}
        # Not over what a server of the version before has saved since it was read: the code reads both.
        drafts.filter(pk=draft.pk, senders=draft.senders).update(senders={**draft.senders, **numbers})


def forget_numbers(apps, schema_editor):
    """Forget them: the code before reads more than numbers."""
    apps.get_model("decks", "Draft").objects.using(schema_editor.connection.alias).update(senders={})


class Migration(migrations.Migration):
    dependencies = [
        ("decks", "0023_folded_dashes"),
    ]

    operations = [
        migrations.RunPython(number_changes, forget_numbers),
    ]
