"""Addresses of the lobby, the tables and their API."""

from __future__ import annotations

from django.urls import path, register_converter

from matches import api, lesson_pages, pages
from matches.clocks import pages as clock_pages
from matches.models import ID_ALPHABET, ID_LENGTH


class MatchId:
    """Ids of matches: anything else in their place is no address at all."""

    regex = f"[{ID_ALPHABET}]{{{ID_LENGTH}}}"

    def to_python(self, value: str) -> str:
        """Take the id as it stands."""
        return value

    def to_url(self, value: str) -> str:
        """Write the id as it is."""
        return value


class InviteToken(MatchId):
    """Tokens of invite links."""

    regex = r"[A-Za-z0-9_-]{22}"


register_converter(MatchId, "match_id")
register_converter(InviteToken, "invite_token")

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
    path("table/<match_id:match_id>/", pages.table, name="table"),
    path("table/<match_id:match_id>/rematch/", pages.rematch, name="rematch"),
    path("table/<match_id:match_id>/withdraw/", pages.withdraw, name="withdraw"),
    path("table/<match_id:match_id>/link/", pages.new_link, name="new_link"),
    path("api/v1/matches/<match_id:match_id>/", api.MatchDetail.as_view(), name="api_match"),
    path("api/v1/matches/<match_id:match_id>/ending/", api.MatchEnding.as_view(), name="api_ending"),
]
