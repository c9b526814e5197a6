"""The card database in the admin site: cards to look at, imports (:mod:`cards_data.admin_drafts`), versions
(:mod:`cards_data.admin_versions`) and the audit log. Cards change by import alone."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from cards_data import admin_drafts, admin_versions
from cards_data.admin_parts import ImportPages
from cards_data.models import AuditEntry, Card, Printing, Set
from cards_data.templatetags.imports import in_words as detail_in_words
from ccg.read_only import ReadOnly

__all__ = ["admin_drafts", "admin_versions"]


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

    list_display = ["id", "name", "type", "cost", "power", "threat", "mystic", "state"]
    list_filter = ["type", "produces", "ability_pending", "withdrawn", "printings__set"]
    search_fields = ["id", "name", "folded"]
    inlines = [PrintingInline]

    @admin.display(description="state")
    def state(self, card: Card) -> str:
        """Return what is unusual about ``card``."""
        return ", ".join(
            [*(["withdrawn"] if card.withdrawn else []), *(["ability not yet played"] if card.ability_pending else [])]
        )


@admin.register(AuditEntry)
class AuditEntryAdmin(ImportPages):
    """Who did what to the card database. Entries are never changed."""

    list_display = ["when", "who", "what", "in_words", "of_draft", "of_version"]
    list_display_links = None
    list_filter = ["what", "when"]
    list_per_page = 50
    search_fields = ["who", "draft__file_name", "version__source"]
    search_help_text = "Finds names of people and files, and sources of versions."
    date_hierarchy = "when"

    def get_queryset(self, request: HttpRequest) -> QuerySet[AuditEntry]:
        """Return the entries with the names of what they tell of, without its contents."""
        whole = super().get_queryset(request).select_related("draft", "version")
        return whole.defer("draft__content", "draft__checked", "version__content")

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, object] | None = None) -> HttpResponse:
        """Return the page of the log, under its name."""
        return super().changelist_view(request, {"title": "Audit log of the cards", **(extra_context or {})})

    @admin.display(description="in words")
    def in_words(self, entry: AuditEntry) -> str:
        """Return the detail of ``entry``, as a person would say it."""
        return detail_in_words(entry)

    @admin.display(description="draft")
    def of_draft(self, entry: AuditEntry) -> SafeString | str:
        """The way to the draft's page."""
        if entry.draft_id is None:
            return ""
        address = admin_drafts.draft_address(entry.draft_id)
        return format_html('<a href="{}">{}</a>', address, entry.draft.file_name)

    @admin.display(description="version")
    def of_version(self, entry: AuditEntry) -> SafeString | str:
        """The way to the version's page."""
        if entry.version_id is None:
            return ""
        return format_html('<a href="{}">{}</a>', admin_versions.version_address(entry.version_id), entry.version_id)
