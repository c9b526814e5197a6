"""The page of one's notices, what its script sends, and the link in mails that stops them."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST
from msgspec import Struct

from ccg.outbox.services import post
from ccg.rules.decoding import Decoder
from matches.notices import mails, pushing, ways
from matches.notices.models import Subscription, Wishes

MOST_BODY = 4096
BETWEEN_TESTS = timedelta(minutes=1)


class Keys(Struct, frozen=True):
    """The keys of a browser's subscription."""

    p256dh: str
    auth: str


class Browser(Struct, frozen=True):
    """A browser's subscription as it writes it itself; to forget one, its endpoint is enough."""

    endpoint: str
    keys: Keys | None = None


_BROWSER = Decoder(Browser)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings_page(request: HttpRequest) -> HttpResponse:
    """Which notices somebody wants, and by which way."""
    wishes = Wishes.objects.filter(user=request.user).first() or Wishes(user=request.user)
    if request.method == "POST":
        mail = request.POST.get("mail", wishes.mail)
        if mail not in Wishes.Mail.values:
            messages.error(request, "There is no such choice; nothing was changed.")
            return redirect("notices:settings")
        wanted = {"mail": mail, "endings": request.POST.get("endings", "") == "on"}
        Wishes.objects.update_or_create(user=request.user, defaults=wanted)
        messages.success(request, "Your notices are as you set them.")
        return redirect("notices:settings")
    browsers = list(Subscription.objects.filter(user=request.user).values_list("endpoint_hash", flat=True))
    context = {
        "wishes": wishes,
        "choices": Wishes.Mail.choices,
        "can_mail": ways.can_mail(request.user),
        "browsers": browsers,
        "push_key": pushing.public_key(),
        "can_test": ways.can_mail(request.user) or bool(browsers),
    }
    return render(request, "notices/settings.html", context)


@login_required
@require_POST
def test(request: HttpRequest) -> HttpResponse:
    """Send a notice by every way that is open, so that one sees that they arrive; once a minute."""
    now = timezone.now()
    Wishes.objects.get_or_create(user=request.user)
    free = Wishes.objects.filter(user=request.user).exclude(tested__gt=now - BETWEEN_TESTS)
    if not free.update(tested=now):
        messages.error(request, "A test was sent just now. Try it again in a minute.")
        return redirect("notices:settings")
    try:
        browsers = pushing.test(request.user)
    except pushing.TooManyTests:
        messages.error(request, "Many tests are on their way just now. Try it again in a minute.")
        return redirect("notices:settings")
    mailed = ways.can_mail(request.user)
    if mailed:
        post(mails.TEST_TASK, {"user": request.user.pk}, key=f"{mails.TEST_TASK}:{secrets.token_hex(8)}")
    if mailed or browsers:
        messages.success(request, "A test is on its way.")
    else:
        messages.error(request, "There is no way to reach you yet: switch on notices in this browser first.")
    return redirect("notices:settings")


@login_required
@require_http_methods(["POST", "DELETE"])
def browser(request: HttpRequest) -> HttpResponse:
    """Take in or forget the browser whose subscription comes as JSON."""
    try:
        # Of any other type the body may have been read already, by those who look for a form's token in it.
        if request.content_type != "application/json" or len(request.body) > MOST_BODY:
            raise ValueError("no JSON, or too long")
        sent = _BROWSER.from_json(request.body)
    except ValueError:
        return _refused("This is not the subscription of a browser.")
    if request.method == "DELETE":
        pushing.unsubscribe(request.user, sent.endpoint)
        return HttpResponse(status=204)
    if sent.keys is None:
        return _refused("The subscription has no keys.")
    try:
        kept = pushing.subscribe(request.user, sent.endpoint, sent.keys.p256dh, sent.keys.auth)
    except pushing.NotTaken as error:
        return _refused(str(error))
    pushing.bind_to_session(kept, request.session)
    return HttpResponse(status=204)


@never_cache
@csrf_exempt  # programs that read mail send it by themselves (RFC 8058); the link is the proof of who may
@require_http_methods(["GET", "HEAD", "POST"])
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Stop all mails to whose link this is, signed in or not; asked for by a form, so that no preview does it."""
    user_id = mails.user_of(token)
    wishes = Wishes.objects.filter(user=user_id).first() if user_id is not None else None
    if wishes is None:
        raise Http404
    if request.method == "POST":
        Wishes.objects.filter(pk=wishes.pk).update(mail=Wishes.Mail.OFF)
        wishes.mail = Wishes.Mail.OFF
    response = render(request, "notices/stop.html", {"stopped": wishes.mail == Wishes.Mail.OFF})
    response["Referrer-Policy"] = "same-origin"
    return response


def _refused(detail: str) -> HttpResponse:
    answer: dict[str, Any] = {"code": "invalid", "detail": detail}
    return JsonResponse(answer, status=400)
