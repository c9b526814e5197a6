"""The ASGI application: HTTP by Django, WebSockets by Channels. ``manage.py serve`` runs it."""

import os

import django
from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import OriginValidator
from django.conf import settings
from django.urls import re_path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ccg.server.settings")
django.setup(set_prefix=False)

# Consumers use models, so they can only be imported once Django is set up.
from matches.routing import websocket_urlpatterns  # noqa: E402

from .addresses import RealAddresses  # noqa: E402
from .admission import Admission  # noqa: E402
from .guard import SocketGuard, refuse  # noqa: E402
from .handling import SiteHandler  # noqa: E402
from .monitoring.logs import Traced  # noqa: E402
from .outages import SocketOutage  # noqa: E402

sockets = SocketOutage(AuthMiddlewareStack(URLRouter([*websocket_urlpatterns, re_path(r"", refuse)])))

application = Traced(
    RealAddresses(
        ProtocolTypeRouter(
            {
                "http": Admission(SiteHandler()),
                "websocket": SocketGuard(OriginValidator(sockets, settings.SITE_ORIGINS)),
            }
        ),
        settings.TRUSTED_PROXIES,
    ),
    settings.TRUSTED_PROXIES,
)
