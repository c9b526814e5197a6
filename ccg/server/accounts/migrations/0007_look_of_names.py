from django.db import migrations, models

from ccg.server.accounts.names import look_key

AT_ONCE = 500


def keep_looks(apps, schema_editor):
    """Fill in what names that there are look like."""
    people = apps.get_model("accounts", "User").objects.using(schema_editor.connection.alias)
    batch = []
    for person in people.only("display_name").iterator(chunk_size=AT_ONCE):
        person.look_key = look_key(person.display_name)
        batch.append(person)
        if len(batch) == AT_ONCE:
            people.bulk_update(batch, ["look_key"])
            batch = []
    people.bulk_update(batch, ["look_key"])


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0006_suspension"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="look_key",
            # Older servers, which do not know it, go on making guests.
            field=models.CharField(db_default="", db_index=True, default="", editable=False, max_length=120),
        ),
        migrations.RunPython(keep_looks, migrations.RunPython.noop),
    ]
