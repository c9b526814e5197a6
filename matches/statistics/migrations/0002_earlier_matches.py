"""Matches that were played before there were statistics are counted, by the outbox."""

from __future__ import annotations

from typing import Any

from django.db import migrations


def fill_and_post(apps: Any, schema_editor: Any) -> None:
    """Say of earlier seats what is known of their decks, and have every archived match counted.

    A list that is public now is taken for one that was public then, unless the deck was private. What decks said of
    their lists was counted by a looser rule, so that begins anew as well.
    """
    seats = apps.get_model("matches", "MatchSeat")
    versions = apps.get_model("decks", "DeckVersion")
    for list_hash in seats.objects.exclude(deck_version="").values_list("deck_version", flat=True).distinct():
        known = versions.objects.filter(content_hash=list_hash)
        public = known.filter(deck__visibility="public").order_by("deck_id").first()
        version = public or known.order_by("deck_id").first()
        if version is not None:
            played = seats.objects.filter(deck_version=list_hash)
            played.update(deck_format=version.deck.format_id)
            if public is not None:
                played.filter(deck_private=False).update(deck_public=True)
    apps.get_model("decks", "ListRecord").objects.all().delete()
    apps.get_model("decks", "Deck").objects.exclude(games=0).update(games=0, winrate=None, standing=0)
    jobs = apps.get_model("outbox", "Job")
    archived = apps.get_model("matches", "Archive").objects.values_list("match__public_id", flat=True)
    task = "statistics.count"
    jobs.objects.bulk_create(
        [jobs(key=f"{task}:{match}", task=task, payload={"match": match}) for match in archived.iterator()],
        batch_size=500,
    )


class Migration(migrations.Migration):
    dependencies = [
        ("statistics", "0001_initial"),
        ("decks", "0017_reports_of_others"),
        ("outbox", "0001_initial"),
    ]

    operations = [migrations.RunPython(fill_and_post, migrations.RunPython.noop)]
