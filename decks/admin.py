"""Formats in the admin site. Decks are not there: they belong to their owners."""

from __future__ import annotations

from django.contrib import admin

from decks.models import Format, FormatEdition


class EditionInline(admin.StackedInline):
    """The editions of a format; saving one has the legality of all decks looked at again."""

    model = FormatEdition
    extra = 0


@admin.register(Format)
class FormatAdmin(admin.ModelAdmin):
    """Formats with their editions."""

    list_display = ["code", "name"]
    inlines = [EditionInline]
