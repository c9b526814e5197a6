"""The rules of the game as a library: pure, deterministic, and the same on every machine.

Start with :class:`Game`. Modules of ``rulebook`` carry the rulebook's names: ``setup``, ``ready_phase``,
``execution_phase``, ``challenge``, ``cylon_phase``, ``missions``, ``payment``.
"""

from ccg import native

native.use()

from ccg.rules.cards.definitions import CardDef, Catalog
from ccg.rules.core.events import Event
from ccg.rules.core.options import Decision, Option
from ccg.rules.core.state import Result
from ccg.rules.errors import EngineError, IllegalOption, RulesError, SetupError, StateError
from ccg.rules.game import Game, digest_of
from ccg.rules.record import Record, Seat
from ccg.rules.telling.view import EventView, UseView, View

__all__ = [
    "CardDef",
    "Catalog",
    "Decision",
    "EngineError",
    "Event",
    "EventView",
    "Game",
    "IllegalOption",
    "Option",
    "Record",
    "Result",
    "RulesError",
    "Seat",
    "SetupError",
    "StateError",
    "UseView",
    "View",
    "digest_of",
]
