"""The queue of moderators in the admin site: what was reported, what is done with it, and who did what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html

from ccg.read_only import ReadOnly
from ccg.staff_work import Waiting
from decks.models import Moderation, Report
from decks.services import DeckError
from decks.social import moderation


@admin.register(Report)
class ReportAdmin(ReadOnly, admin.ModelAdmin):
    """What was reported. Staff who may change reports take things down and bring them back, but for their own."""

    waiting = Waiting("state", "open", "open report", "open reports")
    list_display = ["created", "what", "author", "reason", "words", "state", "reporter"]
    list_filter = ["state", "reason", "created"]
    list_select_related = ["reporter"]
    search_fields = ["author"]
    fields = ["created", "what", "where", "author", "told", "reason", "words", "state", "reporter"]
    actions = ["take_down", "dismiss", "bring_back"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        """Return the reports: for staff, those of what others have made. Owners of the site see all."""
        reports: QuerySet[Report] = super().get_queryset(request)
        return reports if request.user.is_superuser else moderation.others(request.user, reports)

    @admin.display(description="what", ordering="kind")
    def what(self, report: Report) -> str:
        """Return what kind of thing it is about."""
        return moderation.kind_of(report).name

    @admin.display(description="where")
    def where(self, report: Report) -> str:
        """Return a link to the thing, or which one it is where there is no page of it."""
        find = moderation.kind_of(report).find
        if find is None:
            return report.subject
        place = find(report.subject)
        if place is None:
            return "gone since"
        return format_html('<a href="{}">{}</a>', *place) if place.address else place.name

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show a report, to whoever may judge it with what can be done about it."""
        acts = [(name, words) for name, (_, _, words) in self.get_actions(request).items()]
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), "acts": acts})

    def has_moderate_permission(self, request: HttpRequest) -> bool:
        """Return whether they may judge what was reported."""
        return bool(request.user.has_perm("decks.change_report"))

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether they may look: who judges has to."""
        return super().has_view_permission(request, obj) or self.has_moderate_permission(request)

    @admin.action(description="Take it down: hide the comment or line, make the deck private", permissions=["moderate"])
    def take_down(self, request: HttpRequest, queryset: QuerySet[Report]) -> None:
        """Take down what the chosen reports are about."""
        self._judge(request, queryset, moderation.take_down, "taken down")

    @admin.action(description="Dismiss: it may stay", permissions=["moderate"])
    def dismiss(self, request: HttpRequest, queryset: QuerySet[Report]) -> None:
        """Dismiss the chosen reports."""
        self._judge(request, queryset, moderation.dismiss, "dismissed")

    @admin.action(description="Bring back what was taken down", permissions=["moderate"])
    def bring_back(self, request: HttpRequest, queryset: QuerySet[Report]) -> None:
        """Bring back what the chosen reports are about."""
        self._judge(request, queryset, moderation.bring_back, "brought back")

    def _judge(
        self, request: HttpRequest, reports: QuerySet[Report], verb: Callable[[Any, Report], None], done: str
    ) -> None:
        count = 0
        for report in reports:
            try:
                verb(request.user, report)
                count += 1
            except DeckError as error:
                messages.error(request, str(error))
        if count:
            messages.success(request, f"{count} {done}.")


@admin.register(Moderation)
class ModerationAdmin(ReadOnly, admin.ModelAdmin):
    """Who judged what, and when."""

    actions = None
    list_display = ["when", "who", "what", "report"]
    list_filter = ["when"]
    list_select_related = ["report"]
    fields = ["when", "who", "what", "report"]
