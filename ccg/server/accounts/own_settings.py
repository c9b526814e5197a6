"""One's own settings for the table: a page of the account, and what the table itself reads and saves."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import IsAuthenticated
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ccg.api.bodies import BoundedJSONParser
from matches.table.table_settings import SETTINGS, Setting, TableSettings, read_sent, read_stored, written


def kept(user: Any) -> str:
    """Return the settings of ``user`` as JSON for the table; empty for whoever has none kept, and for visitors."""
    if not user.is_authenticated or not user.table_settings:
        return ""
    return json.dumps(written(read_stored(user.table_settings)))


def keep(user: Any, settings: TableSettings) -> None:
    """Keep ``settings`` with the account, or the guest."""
    user.table_settings = written(settings)
    user.save(update_fields=["table_settings"])


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
        """Keep the settings that are sent, all of them; 400 with a sentence for anything else."""
        try:
            settings = read_sent(request.data)
        except msgspec.ValidationError as error:
            return Response({"detail": str(error), "code": "not_settings"}, status=400)
        keep(request.user, settings)
        return Response(written(settings))
