"""Import a library without those packages that it takes whenever they are installed and that nothing here uses.

A server's start is mostly imports, and it is how long a table waits after a crash. What is left out is optional to the
libraries: each of them is imported as on a machine on which it is not installed.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def not_installed(*names: str) -> Iterator[None]:
    """Let those of these modules that are not imported yet raise :class:`ModuleNotFoundError` when they are."""
    hidden = [name for name in names if name not in sys.modules]
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]  # None: there is no such module
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]
