"""Matches in the admin site: to look at, and without anything that a player at the table may not know."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from matches.models import Match, MatchSeat


class LookOnly:
    """Nothing is added, changed or deleted: matches change at their tables alone."""

    opts: Any

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Matches begin on the site."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Matches change at their tables."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Replays and ladders name them."""
        return False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whoever may look. To Django whoever may change may look as well, but here that is a right to nothing."""
        return bool(request.user.has_perm(f"{self.opts.app_label}.view_{self.opts.model_name}"))


class SeatInline(LookOnly, admin.TabularInline):
    """Who sits where. No deck: staff play too, and decks are secret."""

    model = MatchSeat
    fields = ["number", "kind", "name", "user", "policy", "seen"]
    readonly_fields = fields


@admin.register(Match)
class MatchAdmin(LookOnly, admin.ModelAdmin):
    """Matches, found by their id or somebody who plays. Neither state nor seed, which tell every hand."""

    list_display = ["public_id", "state", "players", "version", "catalog", "created", "changed", "finished"]
    list_filter = ["state", "players", "computer_to_move", "created"]
    search_fields = ["=public_id", "seats__name"]
    ordering = ["-created"]
    fields = [
        "public_id", "state", "players", "watchable", "version", "deciding", "computer_to_move", "engine_version",
        "catalog", "rematch_of", "result", "created", "started", "finished", "changed",
    ]  # fmt: skip
    inlines = [SeatInline]
