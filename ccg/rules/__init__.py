"""The rules of the game as a library: pure, deterministic, and the same on every machine.

Start with :class:`Game`. Modules carry the rulebook's names: ``setup``, ``ready_phase``,
``execution_phase``, ``challenge``, ``cylon_phase``, ``missions``, ``payment``.
"""

from ccg.rules.cards import CardDef, Catalog
from ccg.rules.errors import EngineError, IllegalOption, RulesError, SetupError, StateError
from ccg.rules.events import Event
from ccg.rules.game import Game, Record, Seat
from ccg.rules.options import Decision, Option
from ccg.rules.state import Result
from ccg.rules.view import EventView, UseView, View

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
]
