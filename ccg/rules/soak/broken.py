"""How a check fails."""

from __future__ import annotations


class Broken(AssertionError):
    """Something that must hold does not; ``check`` names what."""

    def __init__(self, check: str, message: str) -> None:
        super().__init__(f"{check}: {message}")
        self.check = check


def difference(one: bytes, other: bytes) -> str:
    """Show the first place where two views differ."""
    place = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"...{one[max(0, place - 60) : place + 40]!r} or {other[max(0, place - 60) : place + 40]!r}"
