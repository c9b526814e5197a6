"""Addresses of replays."""

from __future__ import annotations

from django.urls import path

from matches.replays import api, pages

app_name = "replays"
urlpatterns = [
    path("matches/<match_id:match_id>/replay/", pages.page, name="replay"),
    path("matches/<match_id:match_id>/replay/notes/", pages.keep_notes, name="notes"),
    path("matches/<match_id:match_id>/replay/play-on/", pages.play_on, name="play_on"),
    path("matches/<match_id:match_id>/replay/report/", pages.report, name="report"),
    path("api/v1/matches/<match_id:match_id>/replay/", api.MatchReplay.as_view(), name="api_replay"),
]
