"""The cache of a site with several processes: a table of the database, made by ``manage.py prepare``.

What is in there are counts: wrong passwords, new guests, mails asked for. They belong where people and sessions
are, and not into Redis: then they hold while Redis is away, and also where there is none.
"""

from __future__ import annotations

import base64
import pickle
from typing import Any

from django.core.cache.backends.db import DatabaseCache
from django.db import connections, router, transaction


class SharedCache(DatabaseCache):
    """Django's cache in the database, with counting that loses nothing when many count at once."""

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Add to a number that is there and return the sum; it keeps its time. Raises ``ValueError`` without one."""
        alias = router.db_for_write(self.cache_model_class)
        made = self.make_and_validate_key(key, version=version)
        table = connections[alias].ops.quote_name(self._table)
        with transaction.atomic(using=alias), connections[alias].cursor() as cursor:
            # Whoever comes next waits here; Django's own reads, adds and writes, and of two sums one is lost.
            cursor.execute(f"SELECT 1 FROM {table} WHERE cache_key = %s FOR UPDATE", [made])  # noqa: S608
            held: Any = self.get(key, version=version)
            if held is None:
                raise ValueError(f"there is no count {key!r}")
            value = int(held) + delta
            stored = base64.b64encode(pickle.dumps(value, self.pickle_protocol)).decode()
            cursor.execute(f"UPDATE {table} SET value = %s WHERE cache_key = %s", [stored, made])  # noqa: S608
        return value
