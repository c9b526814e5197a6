"""What holds on every page of the admin site, whoever wrote it: Django, a library or one of our apps.

:class:`.admin_site.FleetAdminSite` puts :class:`Guarded` in front of each class that is registered. Django lets whoever
may look at a list ask anything of the table behind it (``?seed__startswith=…``), and so read bit by bit what no page
shows. Here a list can be asked what its own filters offer, and nothing else; what cannot be meant is refused as such.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, cast

from django.contrib.admin import FieldListFilter, ListFilter, ModelAdmin, SimpleListFilter
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import IS_FACETS_VAR, IS_POPUP_VAR, TO_FIELD_VAR, IncorrectLookupParameters
from django.contrib.admin.utils import get_fields_from_path
from django.contrib.admin.views.main import ALL_VAR, ORDER_VAR, PAGE_VAR, SEARCH_VAR
from django.core.exceptions import BadRequest, ValidationError
from django.db.models import Field, QuerySet
from django.http import HttpRequest, HttpResponse

LONGEST = 200
"""Signs in a filter, a search or an id."""
MOST_WORDS = 10
"""Words in a search: each is looked for in every field of the search, and databases bound what can be asked at once."""
YEARS = range(1970, 2201)
"""Far from the ends of the calendar, where times of another zone cannot be told any more."""
LINKS = {"True", "False", "1", "0"}


class Guarded:
    """Goes before a ModelAdmin: bounds what can be asked, and gives away nothing beside what the class shows.

    A class with a list of its own making names in ``list_parameters`` all that this takes in its address.
    """

    view_on_site = False
    """Addresses of matches and decks are secrets of those who play."""

    # --- lists ----------------------------------------------------------------------------------------

    def changelist_view(self: Any, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Return the list; raises BadRequest for query parameters that its own links could not contain."""
        if self.has_view_or_change_permission(request):
            check_asked(self, request)
        answer: HttpResponse = super().changelist_view(request, extra_context)  # type: ignore[misc]
        return answer

    def get_changelist_instance(self: Any, request: HttpRequest) -> Any:
        """Return the list as asked for; Django would answer what it does not understand with the whole list."""
        try:
            return super().get_changelist_instance(request)  # type: ignore[misc]
        except IncorrectLookupParameters as error:
            raise BadRequest("This list cannot be asked that.") from error

    def lookup_allowed(self: Any, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Return whether ``lookup`` is a query parameter of one of the list's own filters."""
        offered = request is not None and lookup in lookups(self, request)
        return offered and bool(super().lookup_allowed(lookup, value, request))  # type: ignore[misc]

    def to_field_allowed(self: Any, request: HttpRequest, to_field: str) -> bool:
        """Return whether a window for choosing may know a row by this: its primary key alone, as links tell it."""
        return bool(to_field == self.opts.pk.name)

    def get_search_results(
        self: Any, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Return the search results; raises BadRequest for terms that are too long or that no database can compare."""
        if len(search_term) > LONGEST or len(search_term.split()) > MOST_WORDS or not is_text(search_term):
            raise BadRequest("This is too much to search for, or has signs that cannot be searched for.")
        result: tuple[QuerySet[Any], bool] = super().get_search_results(request, queryset, search_term)  # type: ignore[misc]
        return result

    def response_action(self: Any, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
        """Do something with the rows that were chosen; each has to be named by what can be a row's name."""
        for chosen in request.POST.getlist(ACTION_CHECKBOX_NAME):
            _cleaned(self.opts.pk, chosen)
        answer: HttpResponse | None = super().response_action(request, queryset)  # type: ignore[misc]
        return answer

    # --- one row --------------------------------------------------------------------------------------

    def get_object(self: Any, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Return the row; None, as for one that is missing, where the id is no id."""
        if len(object_id) > LONGEST or not is_text(object_id):
            return None
        return super().get_object(request, object_id, from_field)  # type: ignore[misc]

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, str | list[str]]:
        """Return nothing: a link must not fill in a form that an owner then only has to save."""
        return {}

    def get_deleted_objects(self: Any, objs: Any, request: HttpRequest) -> tuple[Any, Any, Any, Any]:
        """Return what would be deleted, with the protected objects as a count only, as their names may be private."""
        to_delete, counts, missing, protected = super().get_deleted_objects(objs, request)  # type: ignore[misc]
        if protected:
            protected = [f"{len(protected)} that use it"]
        return to_delete, counts, missing, protected


def guarded(admin_class: type[ModelAdmin[Any]]) -> type[ModelAdmin[Any]]:
    """Return ``admin_class`` with the guard before it."""
    if issubclass(admin_class, Guarded):
        return admin_class
    made = type(admin_class.__name__, (Guarded, admin_class), {"__module__": admin_class.__module__})
    made.__doc__ = admin_class.__doc__
    return cast("type[ModelAdmin[Any]]", made)


def is_text(text: str) -> bool:
    """Return whether nothing is in ``text`` that a database refuses, or that stands for what could not be read."""
    return "\ufffd" not in text and not any(unicodedata.category(sign) in ("Cc", "Cs") for sign in text)


def lookups(model_admin: Any, request: HttpRequest) -> dict[str, Callable[[str], Any]]:
    """Return the query parameters that the filters of a list accept, each with the function that checks a value."""
    checks: dict[str, Callable[[str], Any]] = {}
    for declared in model_admin.get_list_filter(request):
        spec = _filter(declared, model_admin, request)
        for parameter in spec.expected_parameters():
            checks[str(parameter)] = _check_of(spec, str(parameter))
    if model_admin.date_hierarchy:
        bounds = {"year": YEARS, "month": range(1, 13), "day": range(1, 32)}
        checks.update({f"{model_admin.date_hierarchy}__{part}": _among(map(str, bounds[part])) for part in bounds})
    return checks


def check_asked(model_admin: Any, request: HttpRequest) -> None:
    """Raise BadRequest unless the list accepts every query parameter of the request, each once, with its value."""
    own = getattr(model_admin, "list_parameters", None)
    checks = _always_asked(model_admin, request) if own is None else dict.fromkeys(own, _text)
    if own is None and not checks.keys() >= request.GET.keys():
        checks.update(lookups(model_admin, request))
    for name, values in request.GET.lists():
        if name not in checks:
            raise BadRequest("This list has no such filter.")
        if len(values) != 1:
            raise BadRequest("Each filter of a list can be given once.")
        checks[name](_text(values[0]))


def _always_asked(model_admin: Any, request: HttpRequest) -> dict[str, Callable[[str], Any]]:
    """Return the checks of the query parameters that every Django list has beside its filters."""
    columns = len(model_admin.get_list_display(request))
    return {
        SEARCH_VAR: _text,
        ORDER_VAR: lambda value: _order(value, columns),
        PAGE_VAR: _page,
        ALL_VAR: _among([""]),
        IS_POPUP_VAR: _among(["1"]),
        TO_FIELD_VAR: _among([model_admin.opts.pk.name]),
        IS_FACETS_VAR: _among(["True"]),
    }


def _filter(declared: Any, model_admin: Any, request: HttpRequest) -> ListFilter:
    """Return the filter that ``declared``, an item of ``list_filter``, stands for, with nothing selected."""
    if isinstance(declared, type) and issubclass(declared, ListFilter):
        return declared(request, {}, model_admin.model, model_admin)
    path, make = declared if isinstance(declared, list | tuple) else (declared, FieldListFilter.create)
    field = get_fields_from_path(model_admin.model, path)[-1]
    spec: ListFilter = make(field, request, {}, model_admin.model, model_admin, field_path=path)
    return spec


def _check_of(spec: ListFilter, parameter: str) -> Callable[[str], Any]:
    """Return a function that raises BadRequest for a value that this parameter of the filter cannot have."""
    if isinstance(spec, SimpleListFilter):
        return _among(str(value) for value, _ in spec.lookup_choices)
    if parameter.endswith("__isnull"):
        return _among(LINKS)
    field = cast(FieldListFilter, spec).field
    field = getattr(field, "target_field", field)
    return lambda raw: _cleaned(field, raw)


def _cleaned(field: Field[Any, Any], raw: str) -> Any:
    """Return the parameter ``raw`` as a value of ``field``; raises BadRequest if it cannot be one."""
    try:
        value = field.clean(_text(raw), None)
    except (ValidationError, ValueError, OverflowError) as error:
        raise BadRequest("This is no value that could be looked for.") from error
    if isinstance(value, datetime) and (value.tzinfo is None or value.year not in YEARS):
        raise BadRequest("This is no time that could be looked for.")
    return value


def _text(value: str) -> str:
    if len(value) > LONGEST or not is_text(value):
        raise BadRequest("This is too long, or has signs that cannot be looked for.")
    return value


def _among(values: Iterable[str]) -> Callable[[str], None]:
    known = set(values)

    def check(value: str) -> None:
        if value not in known:
            raise BadRequest("This is none of the values to choose from.")

    return check


def _order(value: str, columns: int) -> None:
    """Check which columns a list is ordered by: each at most once."""
    if not value:
        return
    if not re.fullmatch(r"-?[0-9]{1,2}(\.-?[0-9]{1,2})*", value):
        raise BadRequest("A list cannot be ordered by that.")
    named = [int(part.lstrip("-")) for part in value.split(".")]
    # Django counts its column of checkboxes as the first one.
    if max(named) > columns or len(set(named)) < len(named):
        raise BadRequest("The list has no such columns to be ordered by.")


def _page(value: str) -> None:
    if not re.fullmatch(r"[1-9][0-9]{0,5}", value):
        raise BadRequest("There is no such page.")
