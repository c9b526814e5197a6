"""One's own settings for the table: a page of the account, and what the table itself reads and saves."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

import msgspec
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import parse_etags
from django.views.decorators.cache import never_cache
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import IsAuthenticated
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ccg.api.bodies import BoundedJSONParser
from ccg.locking import lock_person
from matches.table.table_settings import SETTINGS, Setting, TableSettings, read_sent, read_stored, written


def kept(user: Any) -> str:
    """Return the settings of ``user`` as JSON for the table; empty for whoever has none kept, and for visitors."""
    if not user.is_authenticated or not user.table_settings:
        return ""
    return json.dumps(written(read_stored(user.table_settings)))


def keep(user: Any, settings: TableSettings, marks: Collection[str] | None = None) -> bool:
    """Keep ``settings`` with the account, or the guest; with ``marks``, only if what is kept has one of them.

    Returns whether they are kept; ``user`` has what is in any case.
    """
    with transaction.atomic():
        lock_person(user)
        user.refresh_from_db(fields=["table_settings", "settings_revision"])
        if marks is not None and mark(user) not in marks:
            return False
        user.table_settings = written(settings)
        user.settings_revision += 1
        user.save(update_fields=["table_settings", "settings_revision"])
    return True


def mark(user: Any) -> str:
    """Return the ``ETag`` of the settings of ``user``: another one after each change, even back to what was."""
    return f'"{user.settings_revision}"'


class SettingsForm(forms.Form):
    """All settings as radio buttons and boxes."""

    def __init__(self, data: Any, now: TableSettings) -> None:
        super().__init__(data, initial=written(now))
        for one in SETTINGS:
            self.fields[one.name] = _field(one)

    def settings(self) -> TableSettings:
        """Return what was chosen, once it is known to be valid; what was chosen twice counts once."""
        chosen = self.cleaned_data
        return read_sent(
            {**chosen, **{one.name: list(dict.fromkeys(chosen[one.name])) for one in SETTINGS if one.many}}
        )


def _field(one: Setting) -> forms.Field:
    if one.many:
        return forms.MultipleChoiceField(
            label=one.label,
            choices=one.choices,
            required=False,
            widget=forms.CheckboxSelectMultiple,
            help_text=one.help,
        )
    return forms.ChoiceField(label=one.label, choices=one.choices, widget=forms.RadioSelect, help_text=one.help)


@login_required
@never_cache
def settings_page(request: HttpRequest) -> HttpResponse:
    """Show one's settings, and keep what is chosen; it works for guests as well."""
    form = SettingsForm(request.POST or None, read_stored(request.user.table_settings))
    if request.method == "POST" and form.is_valid():
        keep(request.user, form.settings())
        messages.success(request, "Your settings are kept.")
        return redirect("account_settings")
    return render(request, "account/settings.html", {"form": form}, status=400 if form.errors else 200)


class KeptSettings(APIView):
    """``PUT /accounts/settings/kept/``: the table keeps what was set at it. Only one's own."""

    authentication_classes = (SessionAuthentication,)
    permission_classes = (IsAuthenticated,)
    renderer_classes = (JSONRenderer,)
    parser_classes = (BoundedJSONParser,)
    schema = None
    """Not part of the API: it is between our pages and the site."""

    def put(self, request: Request) -> Response:
        """Keep the settings that are sent, all of them; 400 with a sentence for anything else.

        With ``If-Match``, 412 unless that is the mark of what is kept: a page names what it knows, so that settings
        which it has given up waiting for do not come late and take back what it has sent since.
        """
        try:
            settings = read_sent(request.data)
        except msgspec.ValidationError as error:
            return Response({"detail": str(error), "code": "not_settings"}, status=400)
        asked = request.headers.get("If-Match")
        # A proxy that compresses answers makes marks weak, and they are what the page has.
        known = None if asked is None else {one.removeprefix("W/") for one in parse_etags(asked)}
        if not keep(request.user, settings, known):
            detail = "Something else was set meanwhile."
            return Response({"detail": detail, "code": "stale"}, status=412, headers={"ETag": mark(request.user)})
        return Response(written(settings), headers={"ETag": mark(request.user)})
