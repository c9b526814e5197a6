"""What the engine refuses, and whose fault it is. Each error has a short ``code``."""

from __future__ import annotations


class RulesError(Exception):
    """The root of the engine's errors; ``code`` is short and stable, the text is for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class IllegalOption(RulesError):
    """The caller asked for something that is not legal now; nothing has changed."""


class SetupError(RulesError):
    """The caller wants to start a game with seats, bases or decks that cannot begin one.

    ``seat`` is the seat whose cards they are, where it is one.
    """

    def __init__(self, code: str, message: str, seat: int | None = None) -> None:
        super().__init__(code, message)
        self.seat = seat


class StateError(RulesError):
    """The bytes of a saved game are damaged, of another engine, or of another catalogue."""


class EngineError(RulesError):
    """A fault of the engine or of card data: a game that should go on cannot."""
