"""Background work in the admin site: to look at, and to try again what was given up.

Rows are the memory of what was asked for; ``manage.py outbox --forget`` deletes what was done long ago.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from ccg.read_only import ReadOnly
from ccg.staff_work import Waiting

from .models import Job
from .services import retry


@admin.register(Job)
class JobAdmin(ReadOnly, admin.ModelAdmin):
    """What waits, what was done, and what failed with its error."""

    waiting = Waiting("state", "failed", "failed piece of work", "failed pieces of work")
    list_display = ["task", "state", "attempts", "posted", "due", "finished"]
    list_filter = ["state", "task"]
    search_fields = ["task"]
    ordering = ["-id"]
    readonly_fields = ["kind_of_error"]
    actions = ["try_again"]

    @admin.action(description="Try failed work again", permissions=["retry"])
    def try_again(self, request: HttpRequest, chosen: QuerySet[Job]) -> None:
        """Try the failed ones among the chosen rows again."""
        count = retry(chosen)
        messages.info(request, f"{count} {'piece' if count == 1 else 'pieces'} of failed work will be tried again.")

    def get_list_display(self, request: HttpRequest) -> list[str]:
        """Return the columns; keys for owners only: that of a match has its address, which may be secret."""
        return [*self.list_display, "key"] if request.user.is_superuser else self.list_display

    def get_search_fields(self, request: HttpRequest) -> list[str]:
        """Return what is searched: only what is shown, as what can be found tells as much."""
        return [*self.search_fields, "key"] if request.user.is_superuser else self.search_fields

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Return what is shown of a row; the whole for owners only: staff play, and an error may name a hidden card."""
        if request.user.is_superuser:
            return [*self.list_display, "key", "payload", "error"]
        return [*self.list_display, "kind_of_error"]

    @admin.display(description="error")
    def kind_of_error(self, job: Job) -> str:
        """Return the name of the error without what it says."""
        last = job.error.strip().rpartition("\n")[2]
        return last.partition(":")[0] if last else "none"

    def has_retry_permission(self, request: HttpRequest) -> bool:
        """Return whether rows may be tried again: by whoever has the right to change them."""
        return bool(request.user.has_perm("outbox.change_job"))

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether rows may be looked at: whoever may try them again has to."""
        return super().has_view_permission(request, obj) or self.has_retry_permission(request)
