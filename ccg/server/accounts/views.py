"""Getting in: as a guest, with an account, and from one to the other."""

from __future__ import annotations

import time
from typing import Any, cast

from allauth.account.adapter import get_adapter
from allauth.account.views import (
    EmailView,
    LoginView,
    PasswordChangeView,
    PasswordResetView,
    PasswordSetView,
    SignupView,
)
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import get_user_model, login, logout
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError, transaction
from django.forms import PasswordInput
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST
from django.views.generic import FormView

from ccg.counting import counted, group_of
from ccg.numbers import whole_number
from ccg.server.api import tokens as api_tokens
from ccg.server.too_often import HOUR, MINUTE, not_before, too_often, wants_json
from ccg.suspension import refuse_suspended
from matches.notices import pushing

from .forms import DisplayNameForm, LeavingForm
from .guessing import open_again
from .leaving import leave
from .names import why_taken
from .own_data import archive

FILES_AN_HOUR = 6
"""How often somebody is sent the file with all of their data."""


@require_POST
def guest(request: HttpRequest) -> HttpResponse:
    """Let somebody in without an account, and on to the page named in ``next``."""
    if not request.user.is_authenticated:
        address = group_of(request.META.get("REMOTE_ADDR", ""))
        if not counted("guests", address, settings.GUESTS_PER_HOUR, 3600):
            return too_often(request, "too_many.html", HOUR, "Too many new guests from your address in the last hour.")
        login(request, get_user_model().objects.create_guest(), backend=settings.AUTHENTICATION_BACKENDS[-1])
    return HttpResponseRedirect(_wanted(request))


def _wanted(request: HttpRequest) -> str:
    """Return the page of this site that ``next`` names, or the home page."""
    wanted = request.POST.get("next") or request.GET.get("next", "")
    # Not `redirect`, which would take any word for the name of a page, and fail.
    return wanted if get_adapter(request).is_safe_url(wanted) else reverse("home")


class _ForVisitors:
    """A view for visitors and guests; users with an account are redirected to the page named in ``next``.

    They have signed in in another tab, and the page in this one still offers to.
    """

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated and not request.user.is_guest:
            messages.info(request, f"You are signed in as {request.user}.")
            return HttpResponseRedirect(_wanted(request))
        answer: HttpResponseBase = super().dispatch(request, *args, **kwargs)  # type: ignore[misc]
        return self._kept(request) if answer.status_code == 429 and not wants_json(request) else answer

    def _kept(self, request: HttpRequest) -> HttpResponse:
        """Return the form as it was sent, but for passwords, to whoever sent it too often from one address."""
        view = cast("FormView[Any]", self)
        fields = view.get_form_class()().fields
        typed = {
            name: request.POST[name]
            for name, field in fields.items()
            if name in request.POST and not isinstance(field.widget, PasswordInput)
        }
        form = view.get_form_class()(**view.get_form_kwargs() | {"data": None, "files": None, "initial": typed})
        page = view.render_to_response(view.get_context_data(form=form, too_often=True))
        page.status_code = 429
        return not_before(page, MINUTE)


class SignIn(_ForVisitors, LoginView):
    """Sign in. A guest who does so leaves the guest behind, and with it the notices that came to this browser."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Sign in, which empties the session of the guest and says so to nobody."""
        guest, session = self.request.user, dict(self.request.session.items())
        answer = cast(HttpResponse, super().form_valid(form))
        if guest.is_authenticated and self.request.user.pk != guest.pk:
            pushing.forget_session(guest, session)
        return answer


class SignUp(_ForVisitors, SignupView):
    """Make an account. A guest who does so stays the same user and keeps matches and decks."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Make it, unless somebody has taken the name since the form was checked: perhaps a second click.

        A guest who is suspended gets no other name.
        """
        refuse_suspended(self.request.user)
        self.request.was_guest = self.request.user.is_authenticated  # for what the next page says
        try:
            return cast(HttpResponse, super().form_valid(form))
        except IntegrityError:
            if self.request.user.is_authenticated:
                self.request.user.refresh_from_db()  # still a guest
            form.add_error("username", why_taken(form.cleaned_data["username"], self.request.user.pk))
            return cast(HttpResponse, self.form_invalid(form))


class _ForAccounts:
    """A view for users with an account; a guest is sent to the page on which to make one.

    A guest has their browser and nothing else to be known by: somebody who had it for a moment could otherwise leave
    a password or a mail address behind, and come back from elsewhere.
    """

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated and request.user.is_guest:
            return redirect("account_upgrade")
        answer: HttpResponseBase = super().dispatch(request, *args, **kwargs)  # type: ignore[misc]
        return answer


class Addresses(_ForAccounts, EmailView):
    """One's mail addresses."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return {**context, "unconfirmed": any(not address.verified for address in context["emailaddresses"])}


class NewPassword(_ForAccounts, PasswordChangeView):
    """Change one's password."""


class FirstPassword(_ForAccounts, PasswordSetView):
    """Choose a password where there is none."""


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
def delete(request: HttpRequest) -> HttpResponse:
    """Delete one's own account, after saying what becomes of public decks. Staff are asked to lay down their rights."""
    user = request.user
    if user.is_guest:
        return redirect("account_upgrade")
    if user.is_staff:
        messages.error(
            request, "Staff cannot delete their account. Ask an owner of the site to take your rights first."
        )
        return redirect("account_me")
    form = LeavingForm(user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        person = get_user_model().objects.filter(pk=user.pk).first()
        logout(request)
        if person is not None:
            leave(
                person, keep_decks=form.cleaned_data["decks"] == "leave", keep_chat=form.cleaned_data["chat"] == "leave"
            )
        messages.success(request, "Your account is deleted.")
        return redirect("home")
    return render(request, "account/delete.html", {"form": form})


@login_required
def own_data(request: HttpRequest) -> HttpResponseBase:
    """Say what is stored about whoever asks, and on POST send it as a file: a guest's as well."""
    if request.method != "POST":
        return render(request, "account/own_data.html")
    if not counted("own-data", str(request.user.pk), FILES_AN_HOUR, 3600):
        detail = "Your data was sent to you several times within this hour."
        return too_often(request, "account/own_data.html", HOUR, detail, {"too_often": True})
    return FileResponse(archive(request.user), as_attachment=True, filename="ragtag-fleet-my-data.zip")


@login_required
def me(request: HttpRequest) -> HttpResponse:
    """Return the page of one's own account: the name others see, password, signing out."""
    if request.user.is_guest:
        return redirect("account_upgrade")
    # A form writes into what it is given even where it refuses: not into the user that the page's header names.
    person = get_user_model().objects.get(pk=request.user.pk)
    form = DisplayNameForm(request.POST or None, instance=person)
    if request.method == "POST" and form.is_valid():
        refuse_suspended(request.user)
        try:
            with transaction.atomic():
                form.save()
        except IntegrityError:
            form.add_error("display_name", why_taken(form.cleaned_data["display_name"], person.pk))
        else:
            messages.success(request, f"You are now called {person}.")
            return redirect("account_me")
    return render(request, "account/me.html", {"form": form})


@login_required
def tokens(request: HttpRequest) -> HttpResponse:
    """Return the page of one's own tokens; make one, which is shown once, or revoke one."""
    if request.user.is_guest:
        return redirect("account_upgrade")
    token, wrong = "", ""
    if request.method == "POST":
        revoked, name = request.POST.get("revoke", ""), " ".join(request.POST.get("name", "").split())[:60]
        if revoked:
            number = whole_number(revoked, 17)
            if number is not None:
                api_tokens.revoke(request.user, number)
            messages.success(request, "The token is revoked.")
            return redirect("account_tokens")
        lifetime, scope = request.POST.get("lifetime", api_tokens.USUAL_LIFETIME), request.POST.get("scope", "all")
        if not (name.isprintable() and name):
            wrong = "Say what the token is for."
        elif lifetime not in api_tokens.LIFETIMES or scope not in ("all", "read"):
            wrong = "Choose how long the token is for, and what it may do."
        else:
            try:
                token = api_tokens.make(request.user, name, lifetime=lifetime, read_only=scope == "read")
            except api_tokens.TooManyTokens as error:
                wrong = str(error)
    context = {
        "tokens": request.user.api_tokens.all(),
        "token": token,
        "wrong": wrong,
        "lifetimes": api_tokens.LIFETIMES.items(),
        "usual": api_tokens.USUAL_LIFETIME,
    }
    return render(request, "account/tokens.html", context, status=400 if wrong else 200)
