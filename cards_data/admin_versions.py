"""Data versions in the admin site: what each import changed, and the way back to an older one."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path, reverse

from cards_data import catalog, importing, uses
from cards_data.admin_parts import ImportPages
from cards_data.changes import CHANGES, Changes, compare
from cards_data.importing import NotNow
from cards_data.models import Card, DataVersion
from ccg.numbers import whole_number

VERSIONS_A_PAGE = 25
VERSION = "admin:cards_data_dataversion_change"


class RollBackForm(forms.Form):
    """Why, for the audit log, and what was the newest version when the difference was shown."""

    reason = forms.CharField(
        label="Reason",
        max_length=150,
        help_text="For the audit log and the list of versions: what was wrong?",
    )
    newest = forms.IntegerField(widget=forms.HiddenInput)


@admin.register(DataVersion)
class DataVersionAdmin(ImportPages):
    """The card database after each import."""

    list_parameters = ("page",)

    def get_urls(self) -> list[URLPattern]:
        """Return the address for going back, before Django's own."""
        view = self.admin_site.admin_view(self.roll_back_view)
        return [path("<int:number>/roll-back/", view, name="cards_data_dataversion_roll_back"), *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Return the page of all versions, newest first."""
        self._may_look(request)
        page = Paginator(_versions(), VERSIONS_A_PAGE).get_page(request.GET.get("page"))
        rows = [(version, _changes(version)) for version in page]
        newest = catalog.current_number()
        return self.show(request, "versions", title="Versions of the cards", page=page, rows=rows, newest=newest)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Return the page of a version: what it changed, who made it and how."""
        self._may_look(request)
        version = _version(object_id)
        context = {
            **_changes_context(_changes(version)),
            "version": version,
            "newest": catalog.current_number(),
            "history": version.audit.all(),
            "before": version.number - 1,
        }
        return self.show(request, "version", title=f"Version {version.number} of the cards", **context)

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        """The version's page tells its history."""
        return redirect(VERSION, object_id)

    def roll_back_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """Show what going back to version ``number`` would change, and go back."""
        if request.method == "POST" or not importing.allowed(request.user, importing.ROLL_BACK):
            return self._roll_back(request, number)
        return self._ask(request, number, RollBackForm(initial={"newest": catalog.current_number()}))

    def _roll_back(self, request: HttpRequest, number: int) -> HttpResponse:
        form = RollBackForm(request.POST)
        if not form.is_valid() and importing.allowed(request.user, importing.ROLL_BACK):
            return self._ask(request, number, form)
        form_data = form.cleaned_data
        try:
            version = importing.roll_back(number, request.user, form_data.get("reason", ""), form_data.get("newest"))
        except NotNow as error:
            messages.error(request, str(error))
            return redirect(VERSION, number)
        except catalog.UnknownVersion as error:
            raise Http404(str(error)) from error
        messages.success(request, f"The cards are as they were in version {number}. This is {version}.")
        return redirect(VERSION, version.number)

    def _ask(self, request: HttpRequest, number: int, form: RollBackForm) -> HttpResponse:
        older, now = _data(number), catalog.data()
        changes = compare(now, older)
        touched = uses.count({*(one.card for one in changes.changed), *changes.gone})
        context = {
            **_changes_context(changes),
            "number": number,
            "newest": now.number,
            "form": form,
            "uses": list(touched.items()),
        }
        return self.show(request, "roll_back", title=f"Go back to version {number}?", **context)

    def _may_look(self, request: HttpRequest) -> None:
        if not self.has_view_permission(request):
            raise PermissionDenied("Versions are for staff with the right to them.")


def _versions() -> Any:
    return DataVersion.objects.select_related("author").defer("content")


def _version(number: str) -> DataVersion:
    known = whole_number(number, 8)
    if known is None:
        raise Http404("There is no such version.")
    return get_object_or_404(_versions(), pk=known)


def _data(number: int) -> catalog.CardData:
    try:
        return catalog.data(number or -1)
    except catalog.UnknownVersion as error:
        raise Http404(str(error)) from error


def _changes(version: DataVersion) -> Changes:
    return CHANGES.from_plain(version.changes)


def _changes_context(changes: Changes) -> dict[str, Any]:
    """Return what pages show of ``changes``: new and gone cards with their names."""
    known = dict(Card.objects.filter(pk__in=[*changes.new, *changes.gone]).values_list("pk", "name"))
    names = {**known, **changes.names}
    return {
        "changes": changes,
        "new_names": [(card_id, names.get(card_id, card_id)) for card_id in changes.new],
        "gone": [(card_id, names.get(card_id, card_id)) for card_id in changes.gone],
    }


def version_address(number: int) -> str:
    """Return the address of a version's page."""
    return reverse(VERSION, args=[number])
