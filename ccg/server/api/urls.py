"""Addresses of the API that belong to no app."""

from django.urls import path, re_path

from . import views

urlpatterns = [
    path("api/v1/", views.Index.as_view(), name="api_start"),
    path("api/v1/schema/", views.Document.as_view(), name="api_schema"),
    path("api/docs/", views.docs, name="api_docs"),
]
nothing_else = [re_path(r"^api/(?P<rest>(?s:.*))\Z", views.Missing.as_view(), name="api_missing")]
"""The last of all: what no address below ``/api/`` is."""
