"""People in the admin site. Accounts are made by signing up; what somebody may do is given by owners alone.

An owner is a superuser. Staff with the right to change users can rename, suspend and lock out players, but neither
staff nor owners, and they give nobody a right: whoever could would have all rights. Nor do they set passwords
or change mail addresses, to which new passwords are sent: whoever could would sign in as anybody, and see their hand.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import Any

from allauth.account.admin import EmailAddress
from axes.admin import AccessAttemptAdmin
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from ccg.read_only import ReadOnly
from ccg.suspension import NO_END, sentence
from matches.lobby import leaving
from matches.pairing import services as queues
from matches.pairing.queues import CORRESPONDENCE, LIVE

from .forms import free_display_name
from .models import User

RIGHTS = ("is_staff", "is_superuser", "groups", "user_permissions")
KEPT = ("username", "email", "is_guest", "last_login", "date_joined")
"""Names for signing in and addresses belong to their owners; the rest is the site's memory."""


class PersonForm(UserChangeForm):
    """Change a person; the name that others see has to be as good as if they had chosen it."""

    def clean_display_name(self) -> str:
        """Return the name, checked and free; one from before a check came stands in the way of no other change."""
        name = str(self.cleaned_data["display_name"])
        return name if name == self.instance.display_name else free_display_name(name, self.instance)


@admin.register(User)
class PersonAdmin(UserAdmin):
    """People who play, guests too."""

    form = PersonForm
    list_display = [
        "display_name",
        "username",
        "email",
        "is_guest",
        "is_staff",
        "is_active",
        "suspended_until",
        "last_login",
    ]
    list_filter = ["is_staff", "is_superuser", "is_guest", "is_active", "groups"]
    search_fields = ["username", "display_name", "email"]
    ordering = ["-date_joined"]
    fieldsets = [
        (None, {"fields": ["username", "display_name", "email", "is_guest", "password"]}),
        ("What they may do", {"fields": ["is_active", "suspended_until", "suspended_why", *RIGHTS]}),
        ("When", {"fields": ["last_login", "date_joined"]}),
    ]

    actions = ("suspend_for_a_week", "suspend_without_end", "end_suspension")

    @admin.action(permissions=["change"], description="Suspend for a week: they finish what runs and begin nothing")
    def suspend_for_a_week(self, request: HttpRequest, people: QuerySet[User]) -> None:
        """Suspend these people until this day next week."""
        self._suspend(request, people, timezone.now() + timedelta(days=7), "Suspended for a week.")

    @admin.action(permissions=["change"], description="Suspend without end")
    def suspend_without_end(self, request: HttpRequest, people: QuerySet[User]) -> None:
        """Suspend these people until somebody ends it."""
        self._suspend(request, people, NO_END, "Suspended without end.")

    @admin.action(permissions=["change"], description="End the suspension")
    def end_suspension(self, request: HttpRequest, people: QuerySet[User]) -> None:
        """Let these people do again what they could before."""
        self._suspend(request, people, None, "No longer suspended.")

    def _suspend(self, request: HttpRequest, people: QuerySet[User], until: datetime | None, told: str) -> None:
        """Suspend those of ``people`` whom this member of staff may change, and write down who did.

        The reason of a suspension that is over goes with it, into the history: it is none of the next one.
        """
        chosen = [person for person in people if self.has_change_permission(request, person)]
        for person in chosen:
            why = person.suspended_why
            if until is None or not sentence(person):
                person.suspended_why = ""
            person.suspended_until = until
            person.save(update_fields=["suspended_until", "suspended_why"])
            gone = f" The reason was: {why}" if why and not person.suspended_why else ""
            self.log_change(request, person, told + gone)
            _let_wait_no_more(person)
        self.message_user(request, f"{told} Accounts: {len(chosen)}.")

    def changeform_view(self, request: HttpRequest, *args: Any, **options: Any) -> HttpResponse:
        """Change a person. Where somebody has taken the name since the form was checked, it is checked once more."""
        try:
            answer: HttpResponse = super().changeform_view(request, *args, **options)
        except IntegrityError:
            answer = super().changeform_view(request, *args, **options)
        return answer

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save a person; who is suspended waits at no table and in no queue any more."""
        if obj.suspended_until is None:
            obj.suspended_why = ""
        super().save_model(request, obj, form, change)
        # Only now: who sits down locks the table before the people, and here the person's row is written first.
        transaction.on_commit(partial(_let_wait_no_more, obj))

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False: accounts are made by signing up, the first owner by ``manage.py createsuperuser``."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Return False: matches and decks name them; who must not come in again is made inactive."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Return whether they may change ``obj``: owners everybody, other staff those who are not staff."""
        if request.user.is_superuser:
            return True
        return super().has_change_permission(request, obj) and not (obj and (obj.is_staff or obj.is_superuser))

    def has_view_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Return whether they may look at people, or may change this one."""
        return bool(request.user.has_perm("accounts.view_user")) or self.has_change_permission(request, obj)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        """Set somebody's password: for owners. Others could sign in as a player, and see what they may not know."""
        if not request.user.is_superuser:
            raise PermissionDenied("Passwords are set by their owners, and by owners of the site.")
        answer: HttpResponse = super().user_change_password(request, id, form_url)
        return answer

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Return what is shown: all but the password, for those who may not set it."""
        shown = super().get_fieldsets(request, obj)
        if request.user.is_superuser:
            return shown
        return [
            (name, {**group, "fields": [field for field in group["fields"] if field != "password"]})
            for name, group in shown
        ]

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        """Return what they may not change. Owners give rights, to accounts only: who has a guest's browser is it."""
        if obj is not None and obj.is_guest:
            return (*KEPT, *RIGHTS, "display_name")
        return KEPT if request.user.is_superuser else (*KEPT, *RIGHTS)


def _let_wait_no_more(person: User) -> None:
    """Take who is suspended, or locked out, away from where they wait: a match would begin for them."""
    if sentence(person) or not person.is_active:
        leaving.leave_open_tables(person)
        for kind in (LIVE, CORRESPONDENCE):
            queues.leave(person, kind=kind)


# What the libraries registered when their classes were imported above.
admin.site.unregister([Group, EmailAddress, AccessAttempt, AccessLog, AccessFailureLog])


@admin.register(Group)
class OwnersGroupAdmin(GroupAdmin):
    """Groups of rights: for owners, as somebody in a group could add to it."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Return whether this is an owner."""
        return bool(request.user.is_superuser)

    def _owner(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)

    has_add_permission = has_view_permission = has_change_permission = has_delete_permission = _owner


@admin.register(EmailAddress)
class MailAddressAdmin(ReadOnly, admin.ModelAdmin):
    """Mail addresses, which people change themselves: who could change one would have a new password sent there."""

    actions = None
    list_display = ["email", "user", "primary", "verified"]
    list_filter = ["primary", "verified"]
    list_select_related = ["user"]
    search_fields = ["email", "user__username", "user__display_name"]
    fields = list_display


@admin.register(AccessAttempt)
class LockOutAdmin(ReadOnly, AccessAttemptAdmin):
    """Wrong passwords, and who is locked out by them; deleting a row lets that name in again.

    Without what was sent along: the address behind ``next`` may be an invitation, and what was typed a password.
    """

    actions = None
    fieldsets = [(None, {"fields": ["username", "path_info", "failures_since_start", "attempt_time", "ip_address"]})]

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether they may let in somebody who is locked out."""
        return bool(request.user.has_perm("axes.delete_accessattempt"))
