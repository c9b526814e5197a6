"""What other processes have done, learned once for all sockets of this process, before they are told.

A process that remembers the version before does the move again, and the digest says whether that came to the same;
so nothing is read for most of what others do. Else the table is read: while some are read the next ones gather, so many
hints cost few queries. If reading fails, the sockets are told all the same, and each finds out for itself or waits for
its heartbeat.
"""

from __future__ import annotations

import asyncio
import logging

from matches.hints.listeners import listeners
from matches.hints.wire import Hint, NewVersion
from matches.playing import match_cache, replication
from matches.storage.executors import on_database

log = logging.getLogger(__name__)


class Reader:
    """Learns of the tables at which this process has sockets."""

    def __init__(self) -> None:
        self._wanted: dict[str, int] = {}
        self._reading: asyncio.Task[None] | None = None

    def hear(self, hints: list[Hint]) -> None:
        """Take the hints of another process. Call it on the loop."""
        for hint in hints:
            if not isinstance(hint, NewVersion):
                listeners.tell(hint)
            elif not listeners.at(hint.match_id):
                continue
            elif _done_again(hint):
                listeners.tell(hint)
            else:
                self._wanted[hint.match_id] = max(hint.version, self._wanted.get(hint.match_id, 0))
        if self._wanted and (self._reading is None or self._reading.done()):
            self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        while self._wanted:
            wanted, self._wanted = self._wanted, {}
            try:
                await on_database(match_cache.learn, list(wanted))
            except Exception as error:
                log.info("%d tables were not read: %s", len(wanted), error)
            for match_id, version in wanted.items():
                listeners.tell(NewVersion(match_id, version))


def _done_again(hint: NewVersion) -> bool:
    if hint.made is None:
        return False
    try:
        return replication.do_again(hint.match_id, hint.version, hint.made)
    except Exception as error:
        log.warning("version %d of match %s could not be made again: %s", hint.version, hint.match_id, error)
        return False


_reader = Reader()
hear = _reader.hear
