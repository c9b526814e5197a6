"""Addresses of the queues and of the open tables."""

from django.urls import path

from matches.pairing import pages

app_name = "pairing"
urlpatterns = [
    path("play/others/", pages.queue, name="queue"),
    path("play/others/join/", pages.join, name="join"),
    path("play/others/leave/", pages.leave, name="leave"),
    path("play/others/here/", pages.here, name="here"),
    path("play/tables/", pages.open_tables, name="tables"),
    path("play/tables/<match_id:match_id>/", pages.table, name="table"),
    path("play/tables/<match_id:match_id>/here/", pages.table_here, name="table_here"),
]
