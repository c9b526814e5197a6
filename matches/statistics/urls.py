"""Addresses of the statistics."""

from django.urls import path

from matches.statistics import api, pages

app_name = "statistics"
urlpatterns = [
    path("stats/", pages.statistics, name="statistics"),
    path("api/v1/statistics/", api.StatisticsView.as_view(), name="api_statistics"),
]
