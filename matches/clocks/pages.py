"""The forms by which a vacation begins and ends; they stand on the page of one's matches."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from ccg.numbers import whole_number
from matches.clocks import vacations
from matches.clocks.vacations import NoVacation
from matches.models import Match, by_correspondence

MOST_SIGNS = 3


@require_POST
def begin(request: HttpRequest) -> HttpResponse:
    """Let a vacation begin, of as many ``days`` as were chosen."""
    if not request.user.is_authenticated:
        return redirect("matches:mine")
    days = whole_number(request.POST.get("days", ""), MOST_SIGNS) or 0
    try:
        vacation = vacations.begin(request.user, days)
    except NoVacation as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"You are on vacation until {vacation.end:%-d %B}. Your clocks stand still.")
    return redirect("matches:mine")


@require_POST
def end(request: HttpRequest) -> HttpResponse:
    """Let the vacation of whoever is here be over."""
    if request.user.is_authenticated:
        vacations.end(request.user)
        messages.success(request, "Welcome back. Your clocks go on.")
    return redirect("matches:mine")


def context(user: Any) -> dict[str, Any]:
    """Return what the page of one's matches shows of vacations: nothing to whoever plays nothing by correspondence."""
    vacation = vacations.present(user)
    plays = Match.objects.filter(
        by_correspondence(), seats__user=user, state__in=[Match.State.OPEN, Match.State.RUNNING]
    )
    shown = vacation is not None or plays.exists()
    return {"vacation": vacation, "vacation_shown": shown, "vacation_days": vacations.days_left(user) if shown else 0}
