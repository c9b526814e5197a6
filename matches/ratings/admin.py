"""The ledger of ratings in the admin site: to look at, never to change."""

from __future__ import annotations

from django.contrib import admin

from ccg.read_only import ReadOnly
from matches.ratings.models import RatedMatch, Rating, RatingChange


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
