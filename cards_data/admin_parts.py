"""What the admin pages of the card database share."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from cards_data import importing


class ReadOnly:
    """What can be looked at, and not added, changed or deleted."""

    opts: Any

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Cards come from files."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Cards come from files."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nothing is ever deleted: decks and replays name it."""
        return False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whoever may look. To Django whoever may change may look as well, but here that is a right to nothing."""
        return bool(request.user.has_perm(f"{self.opts.app_label}.view_{self.opts.model_name}"))


class ImportPages(ReadOnly, admin.ModelAdmin):
    """Pages about imports: for whoever may import, go back, or only look."""

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Staff with any right to imports."""
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
