"""What the admin pages of the card database share."""

from __future__ import annotations

import re
from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from msgspec import Struct

from cards_data import importing


class ReadOnly:
    """What can be looked at, and not added, changed or deleted."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Cards come from files."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Cards come from files."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nothing is ever deleted: decks and replays name it."""
        return False


class ImportPages(ReadOnly, admin.ModelAdmin):
    """Pages about imports: for whoever may import, go back, or only look."""

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Staff with any right to imports."""
        return super().has_view_permission(request, obj) or any(
            importing.allowed(request.user, right) for right in (importing.IMPORT_SET, importing.ROLL_BACK)
        )

    def show(self, request: HttpRequest, template: str, **context: Any) -> HttpResponse:
        """Give a page of the wizard, which says itself what the person looking at it may do."""
        rights = {
            "may_import": importing.allowed(request.user, importing.IMPORT_SET),
            "may_roll_back": importing.allowed(request.user, importing.ROLL_BACK),
        }
        whole = {**self.admin_site.each_context(request), **rights, **context}
        return TemplateResponse(request, f"admin/cards_data/{template}.html", whole)


class Problem(Struct, frozen=True):
    """One line of what is wrong with an upload, taken apart; parts that it does not name are empty."""

    file: str
    where: str
    place: str
    message: str
    suggestion: str


_FILE = re.compile(
    r"(?P<file>[^:]+?\.(?:yaml|yml|zip))(?:, (?P<inside>(?!card |line )[^:]+?))?"
    r"(?:(?:, |: )(?P<where>card .*? \(line \d+\)|line \d+))?: (?P<rest>.+)",
    re.DOTALL,
)
_CARD = re.compile(r"(?P<where>[A-Z][A-Z0-9]{1,9}-\d{1,4}(?: [^:]*)?): (?P<rest>.+)", re.DOTALL)
_PLACE = re.compile(r"(?P<place>[a-z_]+(?:\[\d+\]|\.[a-z_]+(?: [a-z_]+){0,3})*): (?P<rest>.+)", re.DOTALL)
_MEANT = re.compile(r"(?P<message>.+?)[,;] (?P<advice>did you mean .+)", re.DOTALL)
_ADVICE = re.compile(r"(?P<message>.+?); (?P<advice>[^;]+)", re.DOTALL)


def take_apart(problem: str) -> Problem:
    """Give the parts of a line: file, card or line, place inside the card, what is wrong, what to do."""
    file = where = place = suggestion = ""
    rest = problem
    if found := _FILE.fullmatch(rest):
        file = " › ".join(filter(None, (found["file"], found["inside"])))
        where, rest = found["where"] or "", found["rest"]
    elif found := _CARD.fullmatch(rest):
        where, rest = found["where"], found["rest"]
    scenario = "/scenarios/" in file and ": " in rest
    if scenario:
        place, rest = rest.split(": ", 1)
    elif found := _PLACE.fullmatch(rest):
        place, rest = found["place"], found["rest"]
    if found := _MEANT.fullmatch(rest) or (None if scenario else _ADVICE.fullmatch(rest)):
        rest, suggestion = found["message"], found["advice"]
    return Problem(file, re.sub(r" \(line (\d+)\)$", r", line \1", where), place, rest, suggestion)
