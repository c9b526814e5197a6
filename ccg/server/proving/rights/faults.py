"""Faults that the proof has to notice: each opens a door that must be shut."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from unittest.mock import patch

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Permission
from django.urls import clear_url_caches, path
from msgspec import Struct

from ccg.outbox.admin import JobAdmin
from ccg.server import admin_guard, urls
from ccg.server.accounts.admin import MailAddressAdmin, PersonAdmin
from decks import services
from decks.models import Deck
from matches import pages
from matches.models import Match
from matches.playing import moves
from matches.sockets import lobby

from . import sockets, table
from .asking import Asker
from .measuring import Measured, measure_pages, measure_rights, missing
from .world import World

Break = Callable[[], AbstractContextManager[Any]]


class Fault(Struct, frozen=True):
    """Something broken on purpose, and where that has to show."""

    name: str
    breaks: Break
    routes: tuple[str, ...] = ()
    """Pages that are asked as every role."""
    right: str = ""
    """A right that is given to staff by itself, on these pages."""
    at_tables: bool = False


def noticed(fault: Fault, world: World, expected: table.Table) -> bool:
    """Return whether the proof, carried out on the pages that the fault affects, fails as it has to."""
    measured, asker = Measured(), Asker(world)
    with fault.breaks(), _addresses_anew():
        if fault.right:
            app, _, codename = fault.right.partition(".")
            rights = Permission.objects.filter(content_type__app_label=app, codename=codename)
            measure_rights(world, asker, rights, lambda right, page: page.route in fault.routes, measured)
        elif fault.at_tables:
            sockets.measure(world, measured, ["watched"])
        else:
            measure_pages(world, asker, lambda page: page.route in fault.routes, measured)
        wrong = [*missing(world), *measured.broken, *table.differences(expected, measured.table, measured.tried)]
    return bool(wrong)


@contextmanager
def _addresses_anew() -> Iterator[None]:
    """Make the addresses of the administration anew: they hold the methods that were there when they were made."""
    others = [known for known in urls.urlpatterns if str(known.pattern) != "admin/"]
    with patch.object(urls, "urlpatterns", [path("admin/", admin.site.urls), *others]):
        clear_url_caches()
        yield
    clear_url_caches()


# --- the faults -----------------------------------------------------------------------------------------


def _password_page_open() -> AbstractContextManager[Any]:
    return patch.object(PersonAdmin, "user_change_password", UserAdmin.user_change_password)


def _addresses_editable() -> AbstractContextManager[Any]:
    return patch.object(MailAddressAdmin, "has_change_permission", admin.ModelAdmin.has_change_permission)


def _owners_changed_by_staff() -> AbstractContextManager[Any]:
    return patch.object(PersonAdmin, "has_change_permission", admin.ModelAdmin.has_change_permission)


def _rights_given_by_staff() -> AbstractContextManager[Any]:
    return patch.object(PersonAdmin, "get_readonly_fields", lambda self, request, obj=None: ("username",))


def _payloads_shown() -> AbstractContextManager[Any]:
    return patch.object(JobAdmin, "get_fields", lambda self, request, obj=None: ["key", "payload", "error"])


def _decks_edited_by_anybody() -> AbstractContextManager[Any]:
    return patch.object(services, "own", lambda user, uid: Deck.objects.with_head().get(uid=uid))


def _private_decks_shown() -> AbstractContextManager[Any]:
    return patch.object(services, "visible", lambda user, uid: Deck.objects.with_head().get(uid=uid))


def _private_tables_open() -> AbstractContextManager[Any]:
    def match_for(request: Any, match_id: str) -> Any:
        match = Match.objects.get(public_id=match_id)
        return match, match.seats.first()

    return patch.object(pages, "_match_for", match_for)


def _moves_without_a_seat() -> AbstractContextManager[Any]:
    return patch.object(moves, "_seat_of", lambda actor, facts: 0)


def _tables_named_to_who_waits() -> AbstractContextManager[Any]:
    return patch.object(lobby, "CHANGED", '{"type":"changed","match":"2222222222222222"}')


@contextmanager
def _route_without_a_row() -> Iterator[None]:
    new = path("canary/<int:number>/", pages.play, name="canary")
    with patch.object(urls, "urlpatterns", [new, *urls.urlpatterns]):
        yield


def _filters_open() -> AbstractContextManager[Any]:
    return patch.multiple(
        admin_guard.Guarded,
        changelist_view=lambda self, request, extra_context=None: super(admin_guard.Guarded, self).changelist_view(
            request, extra_context
        ),
        lookup_allowed=lambda self, lookup, value, request=None: True,
    )


CHANGE = "admin:accounts_user_change"
ADDRESS = "admin:account_emailaddress_change"
FAULTS = (
    Fault("staff set passwords", _password_page_open, ("admin:auth_user_password_change",), "accounts.change_user"),
    Fault("mail addresses are edited", _addresses_editable, (ADDRESS,), "account.change_emailaddress"),
    Fault("staff change owners", _owners_changed_by_staff, (CHANGE,), "accounts.change_user"),
    Fault("staff give rights", _rights_given_by_staff, (CHANGE,), "accounts.change_user"),
    Fault("payloads are shown", _payloads_shown, ("admin:outbox_job_change",), "outbox.view_job"),
    Fault("lists answer anything", _filters_open, ("admin:matches_match_changelist",), "matches.view_match"),
    Fault("decks are edited by anybody", _decks_edited_by_anybody, ("decks:edit", "decks:settings", "decks:delete")),
    Fault("private decks are shown", _private_decks_shown, ("decks:deck", "decks:export", "decks:api_deck")),
    Fault("private tables are open", _private_tables_open, ("matches:table", "matches:withdraw")),
    Fault("a route without a row", _route_without_a_row, ("home",)),
    Fault("moves without a seat", _moves_without_a_seat, at_tables=True),
    Fault("tables are named to who waits", _tables_named_to_who_waits, at_tables=True),
)  # fmt: skip
