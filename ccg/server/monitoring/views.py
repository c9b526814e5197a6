"""The addresses for watchers: ``/healthz``, ``/readyz``, ``/metrics``. docs/operating.md says what they answer."""

from __future__ import annotations

from pathlib import Path

from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from ccg import native
from ccg.outbox.models import Job

from . import figures
from .readiness import readiness


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """For proxies and watchers: 200 while the database answers, with what work waits and which engine runs."""
    _ask_anew_where_the_file_is_gone()
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    waiting = Job.objects.filter(state=Job.State.WAITING).count()
    failed = Job.objects.filter(state=Job.State.FAILED).count()
    outbox = {"waiting": waiting, "failed": failed}
    return JsonResponse({"ok": True, "outbox": outbox, "engine": native.running()})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """For whoever deploys: 200 if visitors can be sent here, else 503 with the reasons."""
    reasons = readiness.reasons()
    return JsonResponse({"ready": not reasons, "reasons": reasons}, status=503 if reasons else 200)


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """For Prometheus: the figures of this process, and 404 for whoever may not read them."""
    if not figures.may_read(request):
        raise Http404
    return HttpResponse(figures.written(), content_type=CONTENT_TYPE_PLAIN_0_0_4)


def _ask_anew_where_the_file_is_gone() -> None:
    """Close a connection to SQLite whose file was put away: who has opened it before could go on reading it."""
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        *_, path = cursor.execute("PRAGMA database_list").fetchone()
    if path and not Path(path).exists():
        connection.close()
