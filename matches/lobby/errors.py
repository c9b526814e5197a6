"""What the lobby says where something cannot be done."""

from __future__ import annotations


class LobbyError(Exception):
    """Something cannot be done; ``code`` is short and stable, the text is for people.

    ``at_fault`` is the id of the person who stands in the way of all at a table, where it is one alone.
    """

    def __init__(self, code: str, message: str, at_fault: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.at_fault = at_fault
