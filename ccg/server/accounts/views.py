"""Getting in: as a guest, with an account, and from one to the other."""

from __future__ import annotations

from typing import Any

from allauth.account.views import LoginView, SignupView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import get_user_model, login
from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from .forms import DisplayNameForm


@require_POST
def guest(request: HttpRequest) -> HttpResponse:
    """Let somebody in without an account, and on to the page named in ``next``."""
    if not request.user.is_authenticated:
        if not _may_make_guest(request.META.get("REMOTE_ADDR", "")):
            return render(request, "too_many.html", status=429)
        login(request, get_user_model().objects.create_guest(), backend=settings.AUTHENTICATION_BACKENDS[-1])
    wanted = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure()):
        wanted = "home"
    return redirect(wanted)


def _may_make_guest(address: str) -> bool:
    """Count one more guest from this address, and say whether that is within the limit of this hour."""
    key = f"guests:{address}"
    cache.add(key, 0, timeout=3600)
    try:
        return cache.incr(key) <= settings.GUESTS_PER_HOUR
    except ValueError:
        return True  # the hour ended between the two lines


class _ForVisitors:
    """A view for visitors and guests; who has an account already is sent home with a word."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated and not request.user.is_guest:
            messages.info(request, f"You are signed in as {request.user}.")
            return redirect("home")
        return super().dispatch(request, *args, **kwargs)  # type: ignore[misc]


class SignIn(_ForVisitors, LoginView):
    """Sign in. A guest who does so leaves the guest behind."""


class SignUp(_ForVisitors, SignupView):
    """Make an account. A guest who does so stays the same user and keeps matches and decks."""


@login_required
def me(request: HttpRequest) -> HttpResponse:
    """One's own account: the name others see, password, signing out."""
    if request.user.is_guest:
        return redirect("account_upgrade")
    form = DisplayNameForm(request.POST or None, instance=request.user)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, f"You are now called {request.user}.")
        return redirect("account_me")
    return render(request, "account/me.html", {"form": form})
