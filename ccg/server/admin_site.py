"""The admin site: where staff look after cards, people, formats and background work.

Whoever is staff signs in as everybody else does, so that the limits on guessing passwords hold here too.
Each app says in its own ``admin`` module what of it is to be seen and changed; :mod:`.admin_guard` bounds them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, cast
from urllib.parse import urlencode

from django.contrib.admin import AdminSite, ModelAdmin
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.core.exceptions import BadRequest, PermissionDenied, SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, URLResolver, reverse
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache

from ccg.staff_work import Waiting

from .admin_guard import guarded

APPS = {
    "cards_data": "Card database",
    "decks": "Decks",
    "matches": "Matches",
    "ratings": "Ratings",
    "accounts": "People",
    "auth": "Groups of rights",
    "account": "Mail addresses",
    "axes": "Signing in",
    "outbox": "Background work",
}
"""What there is, in the order of how often it is looked for, and what it is called."""


class FleetAdminSite(AdminSite):
    """Django's admin site with the site's own way of signing in and out."""

    site_title = "Ragtag Fleet"
    site_header = "Ragtag Fleet: administration"
    index_title = "Administration"

    def register(
        self, model_or_iterable: Any, admin_class: type[ModelAdmin[Any]] | None = None, **options: Any
    ) -> None:
        """Register models, Django's and the libraries' own as well, with the guard before their class."""
        super().register(model_or_iterable, guarded(admin_class or ModelAdmin), **options)

    def admin_view(self, view: Callable[..., Any], cacheable: bool = False) -> Callable[..., Any]:
        """Return ``view`` with Django's check of who is here; what it cannot be asked is answered by 400."""

        @wraps(view)
        def understood(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            try:
                return view(request, *args, **kwargs)
            except (BadRequest, SuspiciousOperation):
                # Raised further, each would be a traceback in the log.
                return render(request, "400.html", status=400)

        return cast("Callable[..., Any]", super().admin_view(understood, cacheable))

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Django's addresses but the one that leads from any row of any table to its page on the site.

        It asks for no right, and addresses of private matches and of decks shared by link are secrets.
        """
        return [one for one in super().get_urls() if getattr(one, "name", None) != "view_on_site"]

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Return the front page, with how much there is to look after in the lists that say what waits in them."""
        return super().index(request, {**(extra_context or {}), "waiting": list(self._waiting(request))})

    def _waiting(self, request: HttpRequest) -> Iterator[dict[str, Any]]:
        for shown in self._registry.values():
            waiting: Waiting | None = getattr(shown, "waiting", None)
            if waiting is None or not shown.has_view_permission(request):
                continue
            count = shown.get_queryset(request).filter(**{waiting.field: waiting.value}).count()
            if count:
                address = reverse(f"admin:{shown.opts.app_label}_{shown.opts.model_name}_changelist")
                query = urlencode({f"{waiting.field}__exact": waiting.value})
                words = waiting.one if count == 1 else waiting.several
                yield {"count": count, "words": words, "url": f"{address}?{query}"}

    @method_decorator(never_cache)
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Send visitors and guests to the site's own page for signing in, and back when they have.

        Raises PermissionDenied for an account that is not staff's: signing in again would not help it.
        """
        wanted = request.GET.get(REDIRECT_FIELD_NAME) or reverse("admin:index")
        if self.has_permission(request):
            return redirect("admin:index")
        if request.user.is_authenticated and not request.user.is_guest:
            raise PermissionDenied("The administration is for staff.")
        return redirect(f"{reverse('account_login')}?{urlencode({REDIRECT_FIELD_NAME: wanted})}")

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[dict[str, Any]]:
        """Return the apps that ``request`` may look into, in our order and by our names."""
        apps = super().get_app_list(request, app_label)
        for app in apps:
            app["name"] = APPS.get(app["app_label"], app["name"])
        return sorted(apps, key=lambda app: [*APPS, app["app_label"]].index(app["app_label"]))

    def logout(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Send to the site's own page for signing out, which asks first."""
        return redirect("account_logout")

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Send to the site's own page for a new password."""
        return redirect("account_change_password")
