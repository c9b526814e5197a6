"""A client of the site that knows docs/protocol.md and nothing else.

It imports nothing of this project, so that what it can do, any program can do that was written from that page: the
standard library and ``websockets``, and ``msgspec`` where a crowd may not cost much.
"""
