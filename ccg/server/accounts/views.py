"""Getting in: as a guest, with an account, and from one to the other."""

from __future__ import annotations

import time
from typing import Any, cast

from allauth.account.adapter import get_adapter
from allauth.account.views import LoginView, PasswordResetView, SignupView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import get_user_model, login
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from ccg.server.addresses import group_of
from ccg.server.limits import counted

from .forms import DisplayNameForm
from .guessing import open_again


@require_POST
def guest(request: HttpRequest) -> HttpResponse:
    """Let somebody in without an account, and on to the page named in ``next``."""
    if not request.user.is_authenticated:
        address = group_of(request.META.get("REMOTE_ADDR", ""))
        if not counted("guests", address, settings.GUESTS_PER_HOUR, 3600):
            return render(request, "too_many.html", status=429)
        login(request, get_user_model().objects.create_guest(), backend=settings.AUTHENTICATION_BACKENDS[-1])
    return HttpResponseRedirect(_wanted(request))


def _wanted(request: HttpRequest) -> str:
    """Return the page of this site that ``next`` names, or the home page."""
    wanted = request.POST.get("next", "")
    # Not `redirect`, which would take any word for the name of a page, and fail.
    return wanted if get_adapter(request).is_safe_url(wanted) else reverse("home")


class _ForVisitors:
    """A view for visitors and guests; users with an account are redirected to the home page with a message."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated and not request.user.is_guest:
            messages.info(request, f"You are signed in as {request.user}.")
            return redirect("home")
        return super().dispatch(request, *args, **kwargs)  # type: ignore[misc]


class SignIn(_ForVisitors, LoginView):
    """Sign in. A guest who does so leaves the guest behind."""


class SignUp(_ForVisitors, SignupView):
    """Make an account. A guest who does so stays the same user and keeps matches and decks."""


class ForgottenPassword(PasswordResetView):
    """Send a mail to choose a new password. How long that takes does not tell whether there is such an address."""

    def form_valid(self, form: Any) -> HttpResponse:
        began = time.monotonic()
        try:
            return cast(HttpResponse, super().form_valid(form))
        finally:
            time.sleep(max(0.0, settings.RESET_SECONDS - (time.monotonic() - began)))


@login_required
@require_POST
def open_name(request: HttpRequest) -> HttpResponse:
    """Let people sign in with one's own name again, after somebody has guessed at its password."""
    open_again(request.user)
    messages.success(request, "Signing in with your name is open again. A long password keeps guessers out.")
    return redirect("account_me")


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
