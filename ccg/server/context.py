"""What every page of the site may show."""

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, object]:
    """Values for all templates: whether passwords can be reset by mail."""
    return {"mail_works": bool(settings.EMAIL_HOST)}
