"""The ledger of ratings in the admin site: to look at, never to change."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from ccg.read_only import ReadOnly
from matches.ratings.models import RatedMatch, Rating, RatingChange, RunOut, Sign


class ChangeInline(ReadOnly, admin.TabularInline):
    """What a match has made of ratings."""

    model = RatingChange
    fields = ["seat", "rating", "rank", "mu_before", "sigma_before", "mu", "sigma", "matches"]
    readonly_fields = fields
    ordering = ["seat"]


@admin.register(RatedMatch)
class RatedMatchAdmin(ReadOnly, admin.ModelAdmin):
    """Matches that counted, with what they did."""

    list_display = ["id", "pool", "season", "created"]
    list_filter = ["pool", "season"]
    search_fields = ["changes__rating__user__display_name"]
    ordering = ["-id"]
    fields = ["pool", "season", "created"]
    inlines = [ChangeInline]


@admin.register(Rating)
class RatingAdmin(ReadOnly, admin.ModelAdmin):
    """Ratings by pool."""

    list_display = ["user", "pool", "season", "mu", "sigma", "matches", "won", "changed"]
    list_filter = ["pool", "season"]
    search_fields = ["user__display_name"]
    ordering = ["pool", "-mu"]
    fields = list_display


@admin.register(Sign)
class SignAdmin(ReadOnly, admin.ModelAdmin):
    """Signs of farmed ratings and thrown games: staff look, and decide what to make of them."""

    list_display = ["kind", "user", "other", "matches", "state", "changed"]
    list_filter = ["state", "kind"]
    search_fields = ["user__display_name", "other__display_name"]
    fields = [*list_display, "last", "run_out"]
    actions = ["looked_at"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Sign]:
        """Return the signs: for staff, those about others. Owners of the site see all."""
        found: QuerySet[Sign] = super().get_queryset(request)
        if request.user.is_superuser:
            return found
        return found.exclude(user=request.user).exclude(other=request.user)

    @admin.display(description="Matches that were let run out")
    def run_out(self, sign: Sign) -> str:
        """Return the latest matches that this person let run out, those in which they were behind with a mark."""
        rows = RunOut.objects.filter(user=sign.user_id).select_related("match").defer("match__saved").order_by("-pk")
        return ", ".join(f"{row.match.public_id}{' (behind)' if row.behind else ''}" for row in rows[:20]) or "None"

    @admin.action(description="Note that these were looked at", permissions=["look"])
    def looked_at(self, request: HttpRequest, chosen: QuerySet[Sign]) -> None:
        """Close the chosen signs; one that shows again is opened anew."""
        count = chosen.filter(state=Sign.State.OPEN).update(state=Sign.State.LOOKED_AT)
        messages.info(request, f"{count} sign{'' if count == 1 else 's'} noted as looked at.")

    def has_look_permission(self, request: HttpRequest) -> bool:
        """Return whether signs may be closed: by whoever has the right to change them."""
        return bool(request.user.has_perm("ratings.change_sign"))

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether signs may be looked at: whoever may close them has to."""
        return super().has_view_permission(request, obj) or self.has_look_permission(request)
