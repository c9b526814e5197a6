"""Archives for tests: good ones, and ones that nobody packs by accident."""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Iterable
from pathlib import Path

from tests.cards_data.conftest import APOLLO, SET

HEAD = SET.format(code="TST")
WHOLE = "set: {code: TST, name: The TST Set, year: 2030, digits: 2}\ncards:" + APOLLO
"""A whole set in one file."""


def zipped(folder: Path) -> bytes:
    """Pack a folder as people do: with its own name in front."""
    files = [(path.relative_to(folder.parent).as_posix(), path.read_bytes()) for path in sorted(folder.rglob("*.*"))]
    return archive(files)


def archive(files: Iterable[tuple[str | zipfile.ZipInfo, str | bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Pack files under these names, whatever they are."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as packed:
        for name, content in files:
            packed.writestr(name, content)
    return data.getvalue()


def entry(name: str, mode: int = stat.S_IFREG | 0o644, method: int = zipfile.ZIP_DEFLATED) -> zipfile.ZipInfo:
    """Return the heading of a file with a mode of its own."""
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    info.create_system = 3
    info.compress_type = method
    return info


GOOD = [("tst/set.yaml", HEAD), ("tst/cards.yaml", APOLLO)]
