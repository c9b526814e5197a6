"""Addresses of the lobby, the tables and their API."""

from __future__ import annotations

from django.urls import path

from matches import api, pages
from matches.clocks import pages as clock_pages
from matches.lobby import lesson_pages, watch_pages

app_name = "matches"
urlpatterns = [
    path("play/", pages.play, name="play"),
    path("play/computer/", pages.play_computer, name="play_computer"),
    path("play/invite/", pages.invite, name="invite"),
    path("play/invite/<invite_token:token>/", pages.invited, name="invited"),
    path("play/mine/", pages.mine, name="mine"),
    path("play/next/", pages.next_match, name="next"),
    path("play/vacation/", clock_pages.begin, name="vacation"),
    path("play/vacation/end/", clock_pages.end, name="vacation_end"),
    path("learn/", lesson_pages.learn, name="learn"),
    path("learn/<slug:slug>/", lesson_pages.begin, name="lesson"),
    path("watch/", watch_pages.watch, name="watch"),
    path("table/<match_id:match_id>/", pages.table, name="table"),
    path("table/<match_id:match_id>/rematch/", pages.rematch, name="rematch"),
    path("table/<match_id:match_id>/withdraw/", pages.withdraw, name="withdraw"),
    path("table/<match_id:match_id>/begin/", pages.begin_now, name="begin_now"),
    path("table/<match_id:match_id>/link/", pages.new_link, name="new_link"),
    path("api/v1/matches/<match_id:match_id>/", api.MatchDetail.as_view(), name="api_match"),
    path("api/v1/matches/<match_id:match_id>/ending/", api.MatchEnding.as_view(), name="api_ending"),
]
