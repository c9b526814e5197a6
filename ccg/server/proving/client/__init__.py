"""A client of the site that knows docs/protocol.md and nothing else: the standard library and ``websockets``.

It imports nothing of this project, so that what it can do, any program can do that was written from that page.
"""
