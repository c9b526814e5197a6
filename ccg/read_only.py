"""Admin pages for rows that are looked at and never edited: a mixin for every such page of the site."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest


class ReadOnly:
    """A mixin for ``ModelAdmin`` and its inlines, named before them: rows are not added, changed or deleted.

    A class that allows one of these again, to some people, defines that method itself.
    """

    opts: Any

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False, to everybody."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False, to everybody: there is no form to fill in."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False, to everybody."""
        return False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether they have the right to view. Django takes the right to change for it too; this does not."""
        return bool(request.user.has_perm(f"{self.opts.app_label}.view_{self.opts.model_name}"))
