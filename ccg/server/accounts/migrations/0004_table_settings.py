from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0003_tokens_for_a_time"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="table_settings",
            field=models.JSONField(blank=True, default=dict, editable=False),
        ),
    ]
