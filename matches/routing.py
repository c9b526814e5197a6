"""Addresses of sockets."""

from __future__ import annotations

from django.urls import re_path

from matches.models import ID_ALPHABET, ID_LENGTH
from matches.sockets.consumers import TableConsumer
from matches.sockets.lobby import LobbyConsumer

MATCH_ID = rf"(?P<match_id>[{ID_ALPHABET}]{{{ID_LENGTH}}})"

websocket_urlpatterns = [
    re_path(rf"^ws/matches/{MATCH_ID}/$", TableConsumer.as_asgi()),
    re_path(r"^ws/lobby/$", LobbyConsumer.as_asgi()),
    re_path(rf"^ws/lobby/{MATCH_ID}/$", LobbyConsumer.as_asgi()),
]
