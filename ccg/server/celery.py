"""The Celery application. Workers: ``celery -A ccg.server.celery worker``; see docs/operating.md."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_process_init, worker_process_shutdown
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ccg.server.settings")

app = Celery("ccg")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# The current app is known to one thread only; without this the server's other threads would fall back
# to an app without a broker.
app.set_default()

_drainers: list[Any] = []
"""The thread of this worker process that looks for work by itself."""


@worker_process_init.connect
def _look_for_work(**kwargs: Any) -> None:
    """Look for work without being told, as nothing reaches a worker while Redis is away."""
    # Models can only be imported once Django is set up, which reads this module.
    from ccg.outbox.threads import Drainers

    _drainers[:] = [Drainers(1, settings.OUTBOX_WORKER_SWEEP_SECONDS)]
    _drainers[0].start()


@worker_process_shutdown.connect
def _stop_looking(**kwargs: Any) -> None:
    for drainers in _drainers:
        drainers.stop()
