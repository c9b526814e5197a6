"""The Celery application. Workers: ``celery -A ccg.server.celery worker``; see docs/operating.md."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_process_init, worker_process_shutdown
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ccg.server.settings")

app = Celery("ccg")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# The current app is known to one thread only; without this the server's other threads would fall back
# to an app without a broker.
app.set_default()

NICENESS = 10
"""By how much a worker gives way to servers on the same machine: players wait for those."""

_drainers: list[Any] = []
"""The thread of this worker process that looks for work by itself."""


@worker_process_init.connect
def _give_way(**kwargs: Any) -> None:
    """Leave the processors to the servers of this machine as long as they have something to do."""
    os.nice(NICENESS)


@worker_process_init.connect
def _look_for_work(**kwargs: Any) -> None:
    """Look for work without being told, as nothing reaches a worker while Redis is away."""
    # Models can only be imported once Django is set up, which reads this module.
    from ccg.outbox.threads import Drainers

    _keep_pool()
    _drainers[:] = [Drainers(1, settings.OUTBOX_WORKER_SWEEP_SECONDS)]
    _drainers[0].start()


def _keep_pool() -> None:
    """Let tasks of this process share the pool of connections with the thread that looks for work.

    Celery closes it before and after each task, also under that thread. One that came with the fork is of no use here.
    """
    from ccg.server.postgresql.base import DatabaseWrapper

    own = connections[DEFAULT_DB_ALIAS]
    if isinstance(own, DatabaseWrapper):
        own.close()
        own.close_pool()
        DatabaseWrapper.pool_stays = True


@worker_process_shutdown.connect
def _stop_looking(**kwargs: Any) -> None:
    for drainers in _drainers:
        drainers.stop()
