"""Formats in the admin site. Decks are not there: they belong to their owners."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from decks.administration.format_effects import Effects, effects
from decks.administration.format_forms import EditionForm
from decks.administration.moderation_admin import ModerationAdmin, ReportAdmin
from decks.models import Format, FormatEdition

__all__ = ["FormatAdmin", "ModerationAdmin", "ReportAdmin"]

AGREED = "agreed"
"""The field with what somebody who saves a format has seen that it does to decks."""


class NotAgreed(Exception):
    """A format was saved that makes decks illegal, and nobody has been asked; undoes what was saved."""

    def __init__(self, result: Effects) -> None:
        super().__init__()
        self.effects = result


class EditionInline(admin.StackedInline):
    """The editions of a format; saving one has the legality of all decks looked at again."""

    model = FormatEdition
    form = EditionForm
    extra = 0


@admin.register(Format)
class FormatAdmin(admin.ModelAdmin):
    """Formats with their editions. What makes decks illegal is shown before it is kept."""

    list_display = ["code", "name"]
    inlines = [EditionInline]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """The code of a format stays: decks and their lists name it."""
        return ["code"] if obj else []

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """The form; or, when it has been sent and makes decks illegal, how many, and whether that is meant."""
        try:
            answer: HttpResponse = super().changeform_view(request, object_id, form_url, extra_context)
        except NotAgreed as error:
            # Django saves in a transaction, which has ended with this: nothing of it is kept.
            return self._ask(request, error.effects)
        return answer

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Save the editions; raises NotAgreed, which takes them back, if that makes decks illegal unseen."""
        before = list(FormatEdition.objects.filter(format=form.instance).select_related("format"))
        super().save_related(request, form, formsets, change)
        after = list(FormatEdition.objects.filter(format=form.instance).select_related("format"))
        result = effects(form.instance, before, after)
        if result.harm and request.POST.get(AGREED, "") != result.token:
            raise NotAgreed(result)

    def _ask(self, request: HttpRequest, result: Effects) -> HttpResponse:
        form_data = [(name, value) for name, values in request.POST.lists() for value in values]
        context = {
            **self.admin_site.each_context(request),
            "title": "Decks become illegal",
            "opts": self.opts,
            "effects": result,
            "form_data": [pair for pair in form_data if pair[0] not in (AGREED, "csrfmiddlewaretoken")],
            "agreed": AGREED,
        }
        return TemplateResponse(request, "admin/decks/format_effects.html", context)
