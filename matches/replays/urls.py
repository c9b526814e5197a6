"""Addresses of replays."""

from __future__ import annotations

from django.urls import path

from matches import urls as _of_matches  # noqa: F401 - knows how ids of matches are read
from matches.replays import api

app_name = "replays"
urlpatterns = [
    path("api/v1/matches/<match_id:match_id>/replay/", api.MatchReplay.as_view(), name="api_replay"),
]
