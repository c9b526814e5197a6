from django.db import migrations, models
from django.db.models import Q

from ccg.people import name_key
from ccg.server.accounts.names import look_key

LONGEST = 40


def free(people, seen, name):
    """Return ``name`` with the first number behind it that makes it nobody else's, and like none."""
    number = 2
    while True:
        other = f"{name[: LONGEST - len(str(number)) - 1]} {number}"
        taken = people.filter(Q(look_key=look_key(other)) | Q(name_key=name_key(other)))
        if look_key(other) not in seen and not taken.exists():
            return other
        number += 1


def keep_apart(apps, schema_editor):
    """Where two names look alike, from before that was looked at or at the same moment, the older account keeps its own.

    What older servers have made meanwhile is filled in. They may go on beside the migration, so on PostgreSQL nobody writes
    until it ends: a name taken between the look and the index would make it fail.
    """
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("LOCK TABLE accounts_user IN SHARE ROW EXCLUSIVE MODE")
    people = apps.get_model("accounts", "User").objects.using(schema_editor.connection.alias)
    seen = set()
    for person in people.only("display_name", "look_key").order_by("is_guest", "date_joined", "pk").iterator():
        name, key = person.display_name, look_key(person.display_name)
        if key in seen:
            name = free(people, seen, name)
            key = look_key(name)
        seen.add(key)
        if key != person.look_key or name != person.display_name:
            people.filter(pk=person.pk).update(display_name=name, name_key=name_key(name), look_key=key)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0007_look_of_names"),
    ]

    operations = [
        migrations.RunPython(keep_apart, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.UniqueConstraint(
                fields=["look_key"], condition=~Q(look_key=""), name="accounts_user_look_key"
            ),
        ),
    ]
