"""The card database in the admin site: to look at. Cards change by import alone."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from cards_data.models import Card, DataVersion, Printing, Set


class ReadOnly:
    """What can be looked at, and not added, changed or deleted."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Cards come from files."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Cards come from files."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nothing is ever deleted: decks and replays name it."""
        return False


class PrintingInline(ReadOnly, admin.TabularInline):
    """The printings of a card."""

    model = Printing


@admin.register(Set)
class SetAdmin(ReadOnly, admin.ModelAdmin):
    """Sets."""

    list_display = ["code", "name", "year"]


@admin.register(Card)
class CardAdmin(ReadOnly, admin.ModelAdmin):
    """Cards, found by name or id."""

    list_display = ["id", "name", "type", "cost", "power", "threat", "mystic", "ability_pending", "withdrawn"]
    list_filter = ["type", "produces", "ability_pending", "withdrawn", "printings__set"]
    search_fields = ["id", "name", "folded"]
    inlines = [PrintingInline]


@admin.register(DataVersion)
class DataVersionAdmin(ReadOnly, admin.ModelAdmin):
    """What was imported when."""

    list_display = ["number", "fingerprint", "created", "source"]
    exclude = ["content"]
