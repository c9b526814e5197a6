"""How ids of matches and tokens of invite links are read in addresses."""

from __future__ import annotations

from matches.models import ID_ALPHABET, ID_LENGTH


class MatchId:
    """Ids of matches: anything else in their place is no address at all."""

    regex = f"[{ID_ALPHABET}]{{{ID_LENGTH}}}"

    def to_python(self, value: str) -> str:
        """Take the id as it stands."""
        return value

    def to_url(self, value: str) -> str:
        """Write the id as it is."""
        return value


class InviteToken(MatchId):
    """Tokens of invite links."""

    regex = r"[A-Za-z0-9_-]{22}"
