"""What the lobby says where something cannot be done."""

from __future__ import annotations

from typing import Any


class LobbyError(Exception):
    """Something cannot be done; ``code`` is short and stable, the text is for people.

    ``at_fault`` is the id of the person who stands in the way of all at a table, where it is one alone.
    """

    def __init__(self, code: str, message: str, at_fault: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.at_fault = at_fault


class SatDownAlready(Exception):
    """These words were used by whoever sends them again, to sit down at ``match``: their form came twice at a moment.

    No LobbyError, as nothing is to be said: :func:`matches.lobby.shuffle_words.leads_to_one_match` goes there.
    """

    def __init__(self, match: Any) -> None:
        super().__init__(match.public_id)
        self.match = match
