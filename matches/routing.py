"""Addresses of sockets."""

from __future__ import annotations

from django.urls import re_path

from matches.models import ID_ALPHABET, ID_LENGTH
from matches.sockets.consumers import TableConsumer

websocket_urlpatterns = [
    re_path(rf"^ws/matches/(?P<match_id>[{ID_ALPHABET}]{{{ID_LENGTH}}})/$", TableConsumer.as_asgi()),
]
