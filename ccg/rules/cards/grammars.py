"""Parsers made from grammar files, one at a time.

lark reads the literals of a grammar with :func:`ast.literal_eval`. Until CPython 3.11.8 the depth of the tree being
made is counted for the whole interpreter and not for each thread, so that two threads that read grammars at once can
fail with "SystemError: AST constructor recursion depth mismatch" (python/cpython#106905). After a restart each thread
of a server may be the first that needs a parser.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from lark import Lark

_reading = threading.RLock()
_parsers: dict[Path, Lark] = {}


def parser_of(path: Path, **options: Any) -> Lark:
    """Return the parser of the grammar in the file ``path``, made once; ``options`` are those of :class:`lark.Lark`."""
    found = _parsers.get(path)
    if found is None:
        with _reading:
            found = _parsers.get(path)
            if found is None:
                text = path.read_text(encoding="utf-8")
                found = _parsers[path] = Lark(text, parser="lalr", maybe_placeholders=False, **options)
    return found
