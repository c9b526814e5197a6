"""What every page of the site may show."""

from django.conf import settings
from django.http import HttpRequest

from matches.table_settings import TableSettings, read_stored

from .accounts import own_settings
from .accounts.guessing import closed


def site(request: HttpRequest) -> dict[str, object]:
    """Values for all templates: what mail can do, whether one's own name is closed, and what one has set."""
    return {
        "mail_works": bool(settings.EMAIL_HOST),
        "name_closed": lambda: _name_closed(request),
        "look": lambda: _look(request),
        "kept_settings": lambda: _kept_settings(request),
    }


def _look(request: HttpRequest) -> TableSettings | None:
    """Return the settings by which every page looks; None for visitors, whose browser alone knows theirs."""
    user = getattr(request, "user", None)
    return read_stored(user.table_settings) if user is not None and user.is_authenticated else None


def _kept_settings(request: HttpRequest) -> str:
    user = getattr(request, "user", None)
    return own_settings.kept(user) if user is not None else ""


def _name_closed(request: HttpRequest) -> bool:
    user = getattr(request, "user", None)
    return user is not None and user.is_authenticated and not user.is_guest and closed(user)
