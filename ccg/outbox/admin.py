"""Background work in the admin site: to look at, and to try again what was given up."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from .models import Job
from .services import retry


@admin.register(Job)
class JobAdmin(admin.ModelAdmin):
    """What waits, what was done, and what failed with its error."""

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
        """Keys are for owners: those of a match have its address, which may be a secret of its players."""
        return [*self.list_display, "key"] if request.user.is_superuser else self.list_display

    def get_search_fields(self, request: HttpRequest) -> list[str]:
        """What can be found tells as much as what is shown."""
        return [*self.search_fields, "key"] if request.user.is_superuser else self.search_fields

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Keys, payloads and what errors say are for owners: staff play, and an error may name a hidden card."""
        if request.user.is_superuser:
            return [*self.list_display, "key", "payload", "error"]
        return [*self.list_display, "kind_of_error"]

    @admin.display(description="error")
    def kind_of_error(self, job: Job) -> str:
        """The name of the error without what it says."""
        last = job.error.strip().rpartition("\n")[2]
        return last.partition(":")[0] if last else "none"

    def has_retry_permission(self, request: HttpRequest) -> bool:
        """Whoever may change rows may have them tried again."""
        return super().has_change_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Work is posted by the site."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Rows are the memory of what was asked for."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """``manage.py outbox --forget`` deletes what was done long ago."""
        return False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Who may change them may look at them."""
        return super().has_view_permission(request, obj) or super().has_change_permission(request, obj)
