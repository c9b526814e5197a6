"""Addresses about notices."""

from __future__ import annotations

from django.urls import path, register_converter

from matches.notices import pages


class StopToken:
    """Tokens of links that stop mails."""

    regex = r"[0-9]{1,18}-[A-Za-z0-9_-]{22}"

    def to_python(self, value: str) -> str:
        """Take the token as it stands."""
        return value

    def to_url(self, value: str) -> str:
        """Write the token as it is."""
        return value


register_converter(StopToken, "stop_token")

app_name = "notices"
urlpatterns = [
    path("accounts/notices/", pages.settings_page, name="settings"),
    path("accounts/notices/test/", pages.test, name="test"),
    path("accounts/notices/browser/", pages.browser, name="browser"),
    path("notices/stop/<stop_token:token>/", pages.stop, name="stop"),
]
