"""What every page of the site may show."""

from django.conf import settings
from django.http import HttpRequest

from ccg import suspension
from matches.clocks import waiting
from matches.table.table_settings import TableSettings, read_stored

from .accounts import own_settings
from .accounts.guessing import closed


def site(request: HttpRequest) -> dict[str, object]:
    """Return values for all templates: what mail can do, what waits for whoever is here, and what they have set."""
    return {
        "mail_works": bool(settings.EMAIL_HOST),
        "name_closed": lambda: _name_closed(request),
        "suspended": lambda: suspension.sentence(getattr(request, "user", None)),
        "look": lambda: _look(request),
        "waiting_for_me": lambda: _waiting_for(request),
        "kept_settings": lambda: _kept_settings(request),
    }


def _look(request: HttpRequest) -> TableSettings | None:
    """Return the settings by which every page looks; None for visitors, whose browser alone knows theirs."""
    user = getattr(request, "user", None)
    return read_stored(user.table_settings) if user is not None and user.is_authenticated else None


def _kept_settings(request: HttpRequest) -> str:
    user = getattr(request, "user", None)
    return own_settings.kept(user) if user is not None else ""


def _waiting_for(request: HttpRequest) -> int:
    """Return how many matches wait for whoever is here."""
    user = getattr(request, "user", None)
    return waiting.count_for(user) if user is not None and user.is_authenticated else 0


def _name_closed(request: HttpRequest) -> bool:
    user = getattr(request, "user", None)
    return user is not None and user.is_authenticated and not user.is_guest and closed(user)
