"""The page of all lessons, and the button that begins one."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from ccg.guests import let_in
from matches.lessons import files, script
from matches.lobby import lesson_matches
from matches.lobby.begun_lately import refuse_more_begun
from matches.lobby.errors import LobbyError
from matches.models import Match
from matches.playing import match_cache


@never_cache
@require_safe
def learn(request: HttpRequest) -> HttpResponse:
    """All lessons, each with the button that begins it or goes on with it."""
    return _learn(request)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def begin(request: HttpRequest, slug: str) -> HttpResponse:
    """Begin a lesson at once, from its beginning; a link to one leads to the page of all lessons.

    With ``unless=running``, as from a button that does not say that it begins again, somebody who is in the middle of
    it goes on.
    """
    if slug not in files.LESSONS:
        raise Http404
    if request.method != "POST":
        return redirect(f"{reverse('matches:learn')}#{slug}")
    stopped = let_in(request)
    if stopped is not None:
        return stopped
    if request.POST.get("unless") == "running":
        running = lesson_matches.running_lessons(request.user).filter(lesson=slug).first()
        if running is not None:
            return redirect(running)
    try:
        refuse_more_begun(request)
        return redirect(lesson_matches.play_lesson(request.user, slug))
    except LobbyError as error:
        return _learn(request, error)


def of_table(match: Match) -> dict[str, Any] | None:
    """Return what the page of a table is sent of the lesson that ``match`` is; None for an ordinary match."""
    if match.lesson not in files.LESSONS:
        return None
    following = files.after(match.lesson)
    return {
        **script.told_to_page(match.lesson, match_cache.catalog_of(match.catalog)),
        "again": reverse("matches:lesson", args=[match.lesson]),
        "next": {"title": following.title, "url": reverse("matches:lesson", args=[following.slug])}
        if following is not None
        else None,
        "play": reverse("matches:play_computer"),
        "all": reverse("matches:learn"),
        "others": reverse("pairing:queue"),
    }


def _learn(request: HttpRequest, error: LobbyError | None = None) -> HttpResponse:
    user = request.user
    own = lesson_matches.running_lessons(user).only("public_id", "lesson") if user.is_authenticated else []
    running = {match.lesson: match for match in reversed(own)}  # the latest, where one could not be given up
    rows = [{"lesson": one, "running": running.get(one.slug)} for one in files.lessons()]
    context = {"rows": rows, "error": error}
    return render(request, "matches/learn.html", context, status=400 if error else 200)
