"""The Celery application. Workers: ``celery -A ccg.server.celery worker``; see docs/operating.md."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ccg.server.settings")

app = Celery("ccg")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# The current app is known to one thread only; without this the server's other threads would fall back
# to an app without a broker.
app.set_default()
