"""What the admin pages of the card database share."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from cards_data import importing
from ccg.read_only import ReadOnly


class ImportPages(ReadOnly, admin.ModelAdmin):
    """Pages about imports: for whoever may import, go back, or only look."""

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether they have any right to imports."""
        return super().has_view_permission(request, obj) or any(
            importing.allowed(request.user, right) for right in (importing.IMPORT_SET, importing.ROLL_BACK)
        )

    def show(self, request: HttpRequest, template: str, **context: Any) -> HttpResponse:
        """Return a page of the wizard, which says itself what the person looking at it may do."""
        rights = {
            "may_import": importing.allowed(request.user, importing.IMPORT_SET),
            "may_roll_back": importing.allowed(request.user, importing.ROLL_BACK),
        }
        whole = {**self.admin_site.each_context(request), **rights, **context}
        return TemplateResponse(request, f"admin/cards_data/{template}.html", whole)
