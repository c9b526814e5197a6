"""Addresses of looking on."""

from __future__ import annotations

from django.urls import path

from matches.watching import pages

app_name = "watching"
urlpatterns = [path("watch/", pages.watch, name="watch")]
