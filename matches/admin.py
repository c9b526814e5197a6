"""Matches in the admin site: to look at, and without anything that a player at the table may not know."""

from __future__ import annotations

from django.contrib import admin

from ccg.read_only import ReadOnly
from matches.models import Match, MatchSeat


class SeatInline(ReadOnly, admin.TabularInline):
    """Who sits where. No deck: staff play too, and decks are secret."""

    model = MatchSeat
    fields = ["number", "kind", "name", "user", "policy", "seen"]
    readonly_fields = fields


@admin.register(Match)
class MatchAdmin(ReadOnly, admin.ModelAdmin):
    """Matches, found by their id or somebody who plays. Neither state nor seed, which tell every hand."""

    list_display = ["public_id", "state", "players", "version", "catalog", "created", "changed", "finished"]
    list_filter = ["state", "players", "computer_to_move", "created"]
    search_fields = ["=public_id", "seats__name"]
    ordering = ["-created"]
    fields = [
        "public_id", "state", "players", "watchable", "tempo", "version", "deciders", "deadline", "computer_to_move",
        "engine_version", "catalog", "rematch_of", "rated", "unrated_why", "result", "created", "started", "finished",
        "changed",
    ]  # fmt: skip
    inlines = [SeatInline]
