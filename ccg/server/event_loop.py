"""The event loop of the server: uvloop, with which a choice costs a tenth less than with that of asyncio.

Twisted, on which daphne is built, keeps the first reactor that is installed. So this module is imported before anything
of theirs, and installs it: on uvloop, or on asyncio's own loop where uvloop is not to be had (Windows).
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from twisted.internet import asyncioreactor

THREADS = 8
"""For everything that is not asynchronous and brings no thread of its own."""


def _new_loop() -> asyncio.AbstractEventLoop:
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


loop = _new_loop()
loop.set_default_executor(ThreadPoolExecutor(THREADS))
asyncioreactor.install(loop)
