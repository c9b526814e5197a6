from django.db import migrations, models

from ccg.people import name_key

LONGEST = 40


def free(people, name):
    """Return ``name`` with the first number behind it that nobody has."""
    number = 2
    while people.filter(name_key=name_key(other := f"{name[: LONGEST - len(str(number)) - 1]} {number}")).exists():
        number += 1
    return other


def keep_keys(apps, schema_editor):
    """Fill in the keys of the names that there are. Where two are the same now, the older account keeps its name."""
    people = apps.get_model("accounts", "User").objects.using(schema_editor.connection.alias)
    for person in people.only("display_name").order_by("is_guest", "date_joined", "pk").iterator():
        name = person.display_name
        if people.filter(name_key=name_key(name)).exclude(pk=person.pk).exists():
            name = free(people, name)
        people.filter(pk=person.pk).update(display_name=name, name_key=name_key(name))


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0004_table_settings"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="name_key",
            field=models.CharField(db_index=True, editable=False, max_length=120, null=True),
        ),
        migrations.RunPython(keep_keys, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="user",
            name="name_key",
            field=models.CharField(editable=False, max_length=120),
        ),
        migrations.RemoveConstraint(model_name="user", name="accounts_user_display_name"),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.UniqueConstraint("name_key", name="accounts_user_name_key"),
        ),
    ]
