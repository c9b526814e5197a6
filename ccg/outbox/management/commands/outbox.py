"""``manage.py outbox``: what waits, what failed, and draining by hand."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.db.models import Count

from ccg.outbox.models import Job
from ccg.outbox.services import drain, forget, retry_failed


class Command(BaseCommand):
    """Shows the outbox; with an option, works on it."""

    help = "Show the state of the outbox, or drain it by hand."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--drain", action="store_true", help="do everything that is due now")
        parser.add_argument("--retry-failed", action="store_true", help="let failed rows be tried again")
        parser.add_argument("--forget", type=int, metavar="DAYS", help="delete rows done more than DAYS days ago")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["retry_failed"]:
            self.stdout.write(f"{retry_failed()} failed rows will be tried again.")
        if options["forget"] is not None:
            self.stdout.write(f"{forget(timedelta(days=options['forget']))} rows deleted.")
        if options["drain"]:
            self.stdout.write(f"{drain()} rows done.")
        self._show()

    def _show(self) -> None:
        counts = Job.objects.values_list("task", "state").annotate(number=Count("id")).order_by("task", "state")
        if not counts:
            self.stdout.write("The outbox is empty.")
        for task, state, number in counts:
            self.stdout.write(f"{number:6} {state:8} {task}")
        for job in Job.objects.filter(state=Job.State.FAILED).order_by("finished")[:20]:
            self.stdout.write(f"\nfailed {job.task} {job.key} after {job.attempts} attempts:\n{job.error.strip()}")
