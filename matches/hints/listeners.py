"""The sockets of this process, by table and by person: who is to be told when something is new.

Used from the event loop only. Telling a socket costs what that socket costs, however many others there are.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

from matches.hints.wire import EndedSession, Hint, Listening, NewLine, NewVersion, PersonChanged, TableChanged

Key = TypeVar("Key")
Told = TypeVar("Told")

ALL_TABLES = ""
"""Where whoever looks at the list of open tables waits; whoever looks at one table waits at its id."""


class Listener(Protocol):
    """An open socket, as hints reach it. None of these may wait for anything."""

    match_id: str
    user_id: int | None

    def hear_of_version(self, version: int) -> None:
        """The match has reached this version."""

    def hear_of_ended_session(self, mark: str) -> None:
        """The session of this person with this mark is over."""

    def hear_of_change(self) -> None:
        """Something about the person has changed."""

    def hear_of_line(self) -> None:
        """Somebody has written in the chat of the match."""


class Waiting(Protocol):
    """An open socket of a page that waits for players."""

    place: str
    """The id of the table, or ``ALL_TABLES``."""

    def hear_of_tables(self) -> None:
        """The table, or the list of open tables, has changed."""


class Listeners:
    """Sockets that want to be told."""

    def __init__(self) -> None:
        self._waiting: dict[str, set[Waiting]] = {}
        self._at_match: dict[str, set[Listener]] = {}
        self._of_person: dict[int, set[Listener]] = {}

    def add(self, listener: Listener) -> None:
        """Tell ``listener`` from now on."""
        self._at_match.setdefault(listener.match_id, set()).add(listener)
        if listener.user_id is not None:
            self._of_person.setdefault(listener.user_id, set()).add(listener)

    def remove(self, listener: Listener) -> None:
        """Let ``listener`` go; one that is not there does no harm."""
        _remove(self._at_match, listener.match_id, listener)
        if listener.user_id is not None:
            _remove(self._of_person, listener.user_id, listener)

    def wait(self, page: Waiting) -> None:
        """Tell ``page`` from now on what happens at its place."""
        self._waiting.setdefault(page.place, set()).add(page)

    def wait_no_more(self, page: Waiting) -> None:
        """Let ``page`` go; one that is not there does no harm."""
        _remove(self._waiting, page.place, page)

    def waiting(self, place: str) -> int:
        """Return how many pages wait at ``place``."""
        return len(self._waiting.get(place, ()))

    def at(self, match_id: str) -> bool:
        """Return whether there is a socket at this table."""
        return match_id in self._at_match

    def tell(self, hint: Hint) -> None:
        """Pass ``hint`` on to the sockets of its match or user."""
        match hint:
            case NewVersion(match_id, version):
                for listener in tuple(self._at_match.get(match_id, ())):
                    listener.hear_of_version(version)
            case NewLine(match_id):
                for listener in tuple(self._at_match.get(match_id, ())):
                    listener.hear_of_line()
            case EndedSession(user_id, mark):
                for listener in tuple(self._of_person.get(user_id, ())):
                    listener.hear_of_ended_session(mark)
            case PersonChanged(user_id):
                for listener in tuple(self._of_person.get(user_id, ())):
                    listener.hear_of_change()
            case TableChanged() | Listening():
                for page in self._pages_that_hear(hint):
                    page.hear_of_tables()

    def _pages_that_hear(self, hint: TableChanged | Listening) -> list[Waiting]:
        """Return the pages that ``hint`` is for: all, where something may be lost, as pages have no heartbeat."""
        if isinstance(hint, Listening):
            return [page for pages in self._waiting.values() for page in pages]
        places = (hint.match_id, ALL_TABLES) if hint.listed else (hint.match_id,)
        return [page for place in places for page in self._waiting.get(place, ())]


def _remove(groups: dict[Key, set[Told]], key: Key, listener: Told) -> None:
    group = groups.get(key)
    if group is None:
        return
    group.discard(listener)
    if not group:
        del groups[key]


listeners = Listeners()
"""Those of this process."""
