"""Positions: a game built as a scenario gives it, at the beginning of a phase."""

from __future__ import annotations

from collections.abc import Iterator

from ccg.rules.cards.definitions import Catalog
from ccg.rules.core import characteristics
from ccg.rules.core.chance import Chance
from ccg.rules.core.engine import Engine, Frame, Script
from ccg.rules.core.state import Area, CardNumber, Phase, Piece, Player, Role, SeatNumber, State, card_of
from ccg.rules.effects.compiling import compile_scripts
from ccg.rules.game import Game
from ccg.rules.rulebook.abilities import use_number
from ccg.rules.rulebook.cylon_phase import CylonPhase
from ccg.rules.rulebook.execution_phase import ExecutionPhase
from ccg.rules.rulebook.ready_phase import ReadyPhase
from ccg.rules.rulebook.setup import UNNAMED, Setup, SetupStep
from ccg.rules.rulebook.turn import Turns
from ccg.rules.scenario.files import USUAL, Given, PieceGiven, PlayerGiven, ScenarioError
from ccg.rules.scenario.naming import card_named, counted, pieces_named

FILL = 30
"""Copies of the ``fill`` card that lie below the given deck."""


def build(given: Given, catalog: Catalog) -> Game:
    """Build the position and let the phase begin; raises :class:`ScenarioError` for unknown cards or players."""
    names = [player.name for player in given.players]
    if not 2 <= len(names) <= 8 or len(set(names)) != len(names):
        raise ScenarioError("a position has 2 to 8 players with different names")
    state: State[Frame] = State(
        [Player(player.name, 0, []) for player in given.players], Chance(f"scenario {given.seed}".encode())
    )
    engine = Engine(state, compile_scripts(catalog))
    for seat, player in enumerate(given.players):
        _Builder(engine, names).fill(seat, player)
    for reference in given.used:
        _use_up(engine, reference)
    first = names.index(_known(given.first, names)) if given.first else UNNAMED
    state.first = first if first != UNNAMED else min(characteristics.lowest_influence(engine))
    if given.phase == "setup":
        first = first if given.shuffled else state.first  # else no chance: ties go to the first listed
    _begin(state, given, first)
    engine.stale()
    engine.advance()
    return Game(engine)


def _begin(state: State[Frame], given: Given, first: SeatNumber) -> None:
    phase = Phase(given.phase)
    state.turn = 0 if phase == Phase.SETUP else given.turn
    state.phase = phase
    if phase == Phase.SETUP:
        state.agenda = [Turns(), Setup(SetupStep.SHUFFLE if given.shuffled else SetupStep.FIRST_PLAYER, named=first)]
    elif phase == Phase.READY:
        state.agenda = [Turns([Phase.EXECUTION, Phase.CYLON], ended=False), ReadyPhase(named=first)]
    elif phase == Phase.EXECUTION:
        state.agenda = [Turns([Phase.CYLON], ended=False), ExecutionPhase(named=first)]
    else:
        state.agenda = [Turns(ended=False), CylonPhase(named=first)]


def _use_up(engine: Engine, reference: str) -> None:
    """Let what the card may do once each turn have been done in this turn."""
    pieces = pieces_named(engine, reference)
    if not pieces:
        raise ScenarioError(f"{reference!r}, which was used, is not in play")
    for piece in pieces:
        numbers = list(_once_each_turn(engine.script(piece.top)))
        if not numbers:
            raise ScenarioError(f"{reference!r} has nothing that is allowed once each turn")
        engine.state.used += [engine.use_of(piece.id, piece.top, number) for number in numbers]


def _once_each_turn(script: Script) -> Iterator[int]:
    """Return the numbers under which it is remembered that what ``script`` allows once each turn was done."""
    yield from (use_number(place) for place, action in enumerate(script.actions) if action.once)
    yield from (place for place, trigger in enumerate(script.triggers) if trigger.once)
    yield from (effect.once_number for block in script.blocks for effect in block if effect.once_number is not None)


class _Builder:
    """Fills one player's zones and fleet from what a scenario gives."""

    def __init__(self, engine: Engine, names: list[str]) -> None:
        self.engine = engine
        self.names = names

    def fill(self, seat: SeatNumber, given: PlayerGiven) -> None:
        catalog = self.engine.catalog
        player = self.engine.player(seat)
        base_card = card_named(catalog, given.base, base=True)
        base = self.engine.enter(Role.BASE, Area.RESOURCE, seat, card_of(catalog.index[base_card.id], seat))
        base.exhausted = given.base_exhausted
        base.supplies = self._supplies(given.base_supplies, seat)
        player.influence = (base_card.influence or 0) if given.influence is None else given.influence
        player.hand = self._cards(given.hand, seat)
        fill = [] if given.fill == "none" else self._cards([f"{FILL} x {given.fill}"], seat)
        player.deck = [*fill, *reversed(self._cards(given.deck, seat))]
        player.discard = self._cards(given.discard, seat)
        player.removed = self._cards(given.removed, seat)
        for area, items in ((Area.ALERT, given.alert), (Area.RESERVE, given.reserve)):
            for item in items:
                self._piece(item, area, seat)
        for item in given.assets:
            self._piece(item, Area.RESOURCE, seat, Role.ASSET)
        for item in given.persistent:
            self._piece(item, Area.RESOURCE, seat, Role.MISSION)

    def _piece(self, item: str | PieceGiven, area: Area, seat: SeatNumber, role: Role | None = None) -> None:
        if isinstance(item, str):
            number, name = counted(item)
            for _ in range(number):
                self._place(PieceGiven(card=name), area, seat, role)
        else:
            self._place(item, area, seat, role)

    def _place(self, given: PieceGiven, area: Area, seat: SeatNumber, role: Role | None) -> Piece:
        owner = self.names.index(_known(given.owner, self.names)) if given.owner else seat
        cards = self._cards(given.stack or [given.card], owner)
        kind = self.engine.card(cards[0]).type
        if role is None and kind not in ("personnel", "ship", "mission"):
            raise ScenarioError(f"{self.engine.card(cards[0]).name} ({kind}) cannot lie in a fleet")
        piece = self.engine.enter(Role[kind.upper()] if role is None else role, area, seat, cards[0])
        piece.cards = cards
        piece.exhausted = given.exhausted
        piece.supplies = self._supplies(given.supplies, seat)
        for link in given.linked:
            name, by = (link, seat) if isinstance(link, str) else (link.card, self._seat(link.owner))
            for card in self._cards([name], by):
                self.engine.link(self.engine.enter(Role.MISSION, Area.RESERVE, by, card), piece)
        return piece

    def _seat(self, name: str) -> SeatNumber:
        return self.names.index(_known(name, self.names))

    def _supplies(self, given: int | list[str], seat: SeatNumber) -> list[CardNumber]:
        if not given:
            return []
        return self._cards([f"{given} x {USUAL['fill']}"] if isinstance(given, int) else given, seat)

    def _cards(self, names: list[str], seat: SeatNumber) -> list[CardNumber]:
        catalog = self.engine.catalog
        cards: list[CardNumber] = []
        for text in names:
            number, name = counted(text)
            cards += [card_of(catalog.index[card_named(catalog, name).id], seat)] * number
        return cards


def _known(name: str, names: list[str]) -> str:
    if name not in names:
        raise ScenarioError(f"there is no player called {name!r}")
    return name
