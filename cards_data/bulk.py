"""Whole collections as files, made in the background and kept: cards, printings, sets, and what other apps register.

Each file has a revision. Whoever changes something asks for the file to be made again, which is one row of the outbox
for each revision, however many ask; making it begins by counting the revision up, so that whoever changes something
after that asks for one more.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from msgspec import Struct

from cards_data.imports import after_import
from cards_data.models import BulkFile
from ccg.api.answers import etag_of
from ccg.outbox.handlers import register as register_task
from ccg.outbox.services import post

TASK = "cards_data.bulk"


class Kind(Struct, frozen=True):
    """A file: what is in it, in a sentence, the type of one of its rows, and what gives all of them."""

    told: str
    row: Any
    rows: Callable[[], Iterable[Any]]


KINDS: dict[str, Kind] = {}
"""All files there are, by name."""


def register(name: str, told: str, row: Any, rows: Callable[[], Iterable[Any]]) -> None:
    """Let there be a file ``name`` with what ``rows`` gives. Called once, at start."""
    KINDS[name] = Kind(told, row, rows)


def connect() -> None:
    """Register the work with the outbox, and listen for imports. Called once, at start."""
    register_task(TASK, handle)
    after_import.connect(_cards_changed, dispatch_uid=TASK)


def request(name: str, delay: timedelta = timedelta(0)) -> bool:
    """Ask for a file to be made again; return whether nobody else has asked yet."""
    return post(TASK, {"name": name}, key=f"{TASK}:{name}:{_revision(name)}", delay=delay)


def handle(payload: dict[str, Any]) -> None:
    """Make one file. A second run makes the same again.

    Where another making has begun meanwhile, which may be done by now and know of more, it is made once more.
    """
    name = payload["name"]
    kind = KINDS.get(name)
    if kind is None:
        return  # it was asked for by another release
    BulkFile.objects.get_or_create(pk=name)
    revision = _begin(name)
    rows = [msgspec.Raw(msgspec.json.encode(row)) for row in kind.rows()]
    body = msgspec.json.encode({"name": name, "count": len(rows), "results": rows})
    BulkFile.objects.filter(pk=name).update(
        content=gzip.compress(body, mtime=0), size=len(body), count=len(rows), etag=etag_of(body), built=timezone.now()
    )
    if _revision(name) != revision:
        request(name)


def _begin(name: str) -> int:
    """Count the revision of a file up, and return it."""
    with transaction.atomic():
        BulkFile.objects.filter(pk=name).update(revision=F("revision") + 1)
        return _revision(name)


def _revision(name: str) -> int:
    """Return how often making a file has begun."""
    return BulkFile.objects.filter(pk=name).values_list("revision", flat=True).first() or 0


def request_all() -> None:
    """Ask for every file."""
    for name in KINDS:
        request(name)


def request_missing() -> None:
    """Ask for every file that is not there yet."""
    for name in KINDS.keys() - set(BulkFile.objects.filter(built__isnull=False).values_list("pk", flat=True)):
        request(name)


def _cards_changed(**_: Any) -> None:
    request_all()
