"""The proof itself, inside a process with the site's code and a database of its own."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import Permission
from django.test import override_settings

from . import faults, routes, sockets, table, world
from .asking import Asker
from .measuring import Measured, measure_pages, measure_rights, missing
from .routes import Page


def carry_out(parameters: dict[str, Any]) -> dict[str, Any]:
    """Measure all pages, rights and sockets, compare them with the stored table, and plant the faults.

    ``parameters``: with ``short``, pages are requested by GET and POST only, and each right is tried only on the pages
    of its own model; with ``write``, the stored table is written anew.
    """
    # How long it takes to check a password, and to hide whether a mail was sent, is not what is proved here.
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"], RESET_SECONDS=0.0):
        return _carried_out(parameters)


def _carried_out(parameters: dict[str, Any]) -> dict[str, Any]:
    place = world.build()
    measured, plain = Measured(), Asker(place)
    rights = list(Permission.objects.select_related("content_type").order_by("content_type__app_label", "codename"))
    measure_pages(place, plain, lambda page: True, measured, thorough=not parameters["short"])
    measure_rights(place, plain, rights, _own if parameters["short"] else _any, measured)
    of_sockets = sockets.measure(place, measured)
    if parameters["write"]:
        table.KEPT.write_text(table.written(measured.table), encoding="utf-8")
    expected = table.read(table.KEPT.read_text(encoding="utf-8"))
    wrong = [*missing(place), *measured.broken, *table.differences(expected, measured.table, measured.tried)]
    wrong += [f"{title}: is in the table, but not on the site" for title in expected if title not in measured.table]
    return {
        "wrong": wrong,
        "cells": measured.cells,
        "routes": len(routes.routes()),
        "rights": len(rights),
        "cells_by_right": measured.by_right,
        "cells_of_sockets": of_sockets,
        "planted": {fault.name: faults.noticed(fault, place, expected) for fault in faults.FAULTS},
    }


def _any(right: Permission, page: Page) -> bool:
    return True


def _own(right: Permission, page: Page) -> bool:
    """Return whether a page is about what the right is about: the model, or for a right of its own kind the app."""
    kind = right.content_type
    usual = right.codename.endswith(f"_{kind.model}")
    return f":{kind.app_label}_{f'{kind.model}_' if usual else ''}" in page.route or page.route == "admin:index"
