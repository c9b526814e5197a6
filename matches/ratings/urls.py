"""Addresses of ratings."""

from django.urls import path

from matches.ratings import api

app_name = "ratings"
urlpatterns = [
    path("api/v1/matches/<match_id:match_id>/rating/", api.MatchRatingView.as_view(), name="api_rating"),
]
