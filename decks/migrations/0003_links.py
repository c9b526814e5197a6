"""Unlisted decks are opened by a link that can be revoked, and no more by their own id."""

import base64
import hashlib
import secrets

from django.db import migrations, models
from django.utils.crypto import salted_hmac


def give_links(apps, schema_editor):
    """Give each unlisted deck a link; see decks/links.py, whose formula this was when the column came."""
    decks = apps.get_model("decks", "Deck").objects.using(schema_editor.connection.alias)
    for deck in decks.filter(visibility="unlisted").only("uid").iterator():
        nonce = secrets.token_urlsafe(16)
        made = salted_hmac("decks.link", f"{deck.uid}:{nonce}", algorithm="sha256").digest()
        token = base64.urlsafe_b64encode(made[:16]).decode().rstrip("=")
        decks.filter(pk=deck.pk).update(link_nonce=nonce, link_hash=hashlib.sha256(token.encode()).hexdigest())


class Migration(migrations.Migration):
    dependencies = [("decks", "0002_lineage")]

    operations = [
        migrations.AddField(
            model_name="deck",
            name="link_nonce",
            field=models.CharField(blank=True, default="", editable=False, max_length=22),
        ),
        migrations.AddField(
            model_name="deck",
            name="link_hash",
            field=models.CharField(blank=True, editable=False, max_length=64, null=True, unique=True),
        ),
        migrations.RunPython(give_links, migrations.RunPython.noop),
    ]
