"""What tests replace in the servers that they start: functions for ``plant`` of :func:`tests.running.running_site`."""

from __future__ import annotations

from ccg.server import connections


def impatient() -> None:
    """Let a connection that does nothing useful have a few seconds only, as nobody wants to watch it for longer."""
    connections.HEAD_SECONDS, connections.IDLE_SECONDS = 2, 5
