"""What every page of the site may show."""

from django.conf import settings
from django.http import HttpRequest

from .accounts.guessing import closed


def site(request: HttpRequest) -> dict[str, object]:
    """Values for all templates: whether passwords can be reset by mail, and whether one's own name is closed."""
    return {"mail_works": bool(settings.EMAIL_HOST), "name_closed": lambda: _name_closed(request)}


def _name_closed(request: HttpRequest) -> bool:
    user = getattr(request, "user", None)
    return user is not None and user.is_authenticated and not user.is_guest and closed(user)
