"""What docs/fair-shuffles.md promises, in bytes: commitments, and seats and seed of a match from secrets and words."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

FORMAT = "ragtag-fleet/shuffles/2"
"""Names the algorithm; it is hashed into everything, and raised when anything of it changes."""

SECRET_BYTES = 32
MOST_WORDS = 200
"""Characters of a player's words."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_DIGEST = re.compile(r"[0-9a-f]{64}")


class Given(Struct, frozen=True):
    """What a player's browser sends as its player sits down: the commitment it was shown before, and its words."""

    commitment: str
    words: str

    @property
    def fault(self) -> str:
        """What is wrong with it, in a sentence; "" for nothing."""
        if not _DIGEST.fullmatch(self.commitment):
            return "Words for the shuffle need the server's commitment, which your browser fetches before."
        if not self.words or len(self.words) > MOST_WORDS or _CONTROL.search(self.words):
            return f"Words for the shuffle are 1 to {MOST_WORDS} characters in one line."
        return ""


class Part(Struct, frozen=True):
    """What one seat adds to the seed: a secret of the server (b"" for none) and the words of the player."""

    secret: bytes = b""
    words: str = ""


def commitment_of(secret: bytes) -> str:
    """Return the hash by which the server commits to ``secret``."""
    return hashlib.sha256(f"{FORMAT} commitment\n".encode() + secret).hexdigest()


def order_of(parts: Sequence[Part]) -> list[int]:
    """Return in which order those who add ``parts``, which stand as people sat down, have their seats in the match.

    Who gives words comes first, by a hash of their own part, which nobody can foresee before the words come; who gives
    none follows as they sat down.
    """
    return sorted(range(len(parts)), key=lambda number: _place(parts[number]))


def _place(part: Part) -> tuple[bool, bytes]:
    return not part.words, hashlib.sha256(f"{FORMAT} seat\n".encode() + _joined(part)).digest() if part.words else b""


def seed_of(parts: Iterable[Part]) -> bytes:
    """Return the 64 bytes from which all orders of a match follow; ``parts`` are those of its seats, in order.

    Nothing else goes in: all of it stands before anybody knows the last words.
    """
    return hashlib.sha512(f"{FORMAT} seed\n".encode() + b"".join(map(_joined, parts))).digest()


def _joined(part: Part) -> bytes:
    return b"".join(len(piece).to_bytes(2, "big") + piece for piece in (part.secret, part.words.encode()))


def seal_of(file: dict[str, Any]) -> str:
    """Return the hash over all else that a published file says, so that a changed bit anywhere shows."""
    rest = {key: value for key, value in file.items() if key != "seal"}
    text = json.dumps(rest, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
