from django.db import migrations
from django.db.models import CharField, F, OuterRef, Subquery, Value
from django.db.models.functions import Cast, Concat


def name_decks_and_comments(apps, schema_editor):
    """Let reports of decks and comments name what they are about as all others do.

    What is gone gets the number of its report with a minus: no deck or comment is called that, nor any other report's.
    """
    alias = schema_editor.connection.alias
    decks = apps.get_model("decks", "Deck").objects.using(alias)
    reports = apps.get_model("decks", "Report").objects.using(alias).filter(kind="")
    gone = Concat(Value("-"), Cast("pk", CharField()))
    of_comments, of_decks = reports.filter(of_comment=True), reports.filter(of_comment=False)
    of_comments.filter(comment=None).update(kind="comment", subject=gone)
    of_comments.update(kind="comment", subject=Cast(F("comment_id"), CharField()))
    of_decks.filter(deck=None).update(kind="deck", subject=gone)
    uid = decks.filter(pk=OuterRef("deck_id")).values("uid")[:1]
    of_decks.update(kind="deck", subject=Subquery(uid))


class Migration(migrations.Migration):
    dependencies = [
        ("decks", "0019_reports_of_one_form"),
    ]

    operations = [
        migrations.RunPython(name_decks_and_comments, migrations.RunPython.noop),
    ]
