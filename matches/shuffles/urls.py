"""Addresses about shuffles."""

from __future__ import annotations

from django.urls import path

from matches.shuffles import api, pages

app_name = "shuffles"
urlpatterns = [
    path("shuffles/", pages.check, name="check"),
    path("table/<match_id:match_id>/shuffles/", pages.of_match, name="match"),
    path("api/v1/matches/<match_id:match_id>/shuffles/", api.MatchShuffles.as_view(), name="api_match"),
    path("api/v1/shuffles/commitments/", api.Commitments.as_view(), name="api_commitments"),
]
