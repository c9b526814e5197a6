from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0008_no_two_look_alike"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="settings_revision",
            # Older servers, which do not know it, go on making guests.
            field=models.PositiveIntegerField(db_default=0, default=0, editable=False),
        ),
    ]
