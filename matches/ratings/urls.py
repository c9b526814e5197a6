"""Addresses of ratings, the ladder and players."""

from django.urls import path

from matches.ratings import api, pages

app_name = "ratings"
urlpatterns = [
    path("ladder/", pages.ladder, name="ladder"),
    path("players/<path:name>/", pages.player, name="player"),
    path("api/v1/matches/<match_id:match_id>/rating/", api.MatchRatingView.as_view(), name="api_rating"),
]
