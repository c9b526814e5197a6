"""What tests replace in the servers that they start: functions for ``plant`` of :func:`tests.running.running_site`."""

from __future__ import annotations

import time
from typing import Any

from ccg.rules import EngineError, Game
from ccg.server import connections, front


def impatient() -> None:
    """Let a connection that does nothing useful have a few seconds only, as nobody wants to watch it for longer."""
    connections.HEAD_SECONDS, connections.IDLE_SECONDS = 2, 5


def nothing_can_be_chosen() -> None:
    """Let each choice fail as card texts do that never end; whoever wants to can still concede."""
    from matches.playing import moves

    really = moves._play

    def stopped(prepared: moves.Prepared, before: Game, command: moves.Choose | moves.Back) -> Any:
        done = really(prepared, before, command)
        if isinstance(command, moves.Choose):
            raise EngineError("loop", "What Echo does would never end; it was stopped and nothing has changed.")
        return done

    moves._play = stopped


def the_front_page_takes_its_time() -> None:
    """Let the front page take longer than a server that is told to stop waits for it."""
    really = front.parts

    def slow(viewer: Any) -> dict[str, object]:
        time.sleep(8)
        return really(viewer)

    front.parts = slow


def the_clock_is_set() -> None:
    """Let somebody set the clock of the machine ahead by more than a day, when the first socket has opened."""
    from ccg.server.serving import SiteSocket

    really, opened = time.time, SiteSocket.onOpen

    def set_ahead(self: SiteSocket) -> None:
        opened(self)
        time.time = lambda: really() + 100_000

    SiteSocket.onOpen = set_ahead
