"""Resolving missions: requirements met by different units, then where the mission goes (Resolve a Mission)."""

from __future__ import annotations

from msgspec import field

from ccg.rules import characteristics
from ccg.rules.agenda import Choice, Engine, Frame
from ccg.rules.cards import Requirement
from ccg.rules.options import Option
from ccg.rules.outcome import to_discard
from ccg.rules.performing import Chooser, Perform, announceable, fresh_scope, next_announced, tell_targets
from ccg.rules.state import Area, Piece, Role, Scope, Seat


class ResolveMission(Chooser, kw_only=True):
    """A player resolves a mission. ``used`` are the units named so far, in printed order.

    ``step``: 0 units are named, 1 the unit to link to, 2 the choices of its text; 3 it takes effect.
    """

    used: list[int] = field(default_factory=list)
    step: int = 0
    linked: int = 0

    def run(self, engine: Engine) -> None:
        mission = engine.piece(self.scope.piece)
        if self.step == 0:
            if len(self.used) < len(self._requires(engine)) and _several_ways(engine, self.scope.you, mission):
                engine.ask(self.scope.you, "mission_units")
            else:
                self.step = 1
        elif self.step == 1:
            if "link" in engine.definition(mission).keywords and not self.linked:
                engine.ask(self.scope.you, "choose")
            else:
                self.step = 2
        elif self.settled(engine):
            self._take_effect(engine, mission)

    def _take_effect(self, engine: Engine, mission: Piece) -> None:
        engine.end(self)
        effect = engine.script(mission.top).effect
        engine.tell("resolve", self.scope.you, mission.top, mission.id)
        tell_targets(engine, self.scope, (effect,))
        frames: list[Frame] = [] if effect < 0 else [Perform(scope=self.scope, block=effect)]
        engine.push(*frames, MissionGoes(self.scope.you, mission.id, self.linked))

    def wanted(self, engine: Engine) -> Choice | None:
        return next_announced(engine, self.scope, (engine.script(self.scope.card).effect,))

    def options(self, engine: Engine) -> list[Option]:
        if self.step == 2:
            return super().options(engine)
        if self.step == 1:
            units = linkable(engine, engine.piece(self.scope.piece))
        else:
            units = next_units(engine, self.scope.you, self._requires(engine), self.used)
        return [Option("choose", piece=unit.id) for unit in units]

    def take(self, engine: Engine, option: Option) -> None:
        if self.step == 2:
            super().take(engine, option)
        elif self.step == 1:
            self.linked = option.piece
        else:
            self.used.append(option.piece)

    def half_made(self) -> bool:
        return True

    def belongs_to(self, seat: Seat) -> bool:
        return seat == self.scope.you

    def _requires(self, engine: Engine) -> tuple[Requirement, ...]:
        return engine.card(self.scope.card).requires


class MissionGoes(Frame):
    """A mission has taken effect: it stays (Persistent), is linked, or goes to its owner's discard pile."""

    seat: Seat
    piece: int
    linked: int

    def run(self, engine: Engine) -> None:
        engine.end(self)
        mission = engine.find(self.piece)
        if mission is None:  # its own effect has moved it
            return
        unit = engine.find(self.linked)
        if "persistent" in engine.definition(mission).keywords:
            engine.move(mission, Area.RESOURCE)
            engine.tell("persist", self.seat, mission.top, mission.id, source="alert", to="resource")
        elif unit is not None:
            engine.remove(mission)
            unit.links.append(mission.top)
            engine.tell("link", self.seat, mission.top, mission.id, target=unit.id, target_card=unit.top)
        else:
            engine.remove(mission)
            to_discard(engine, mission.cards)
            engine.tell("mission over", self.seat, mission.top, mission.id, source="alert", to="discard")


def resolve(engine: Engine, seat: Seat, piece: int) -> None:
    """Begin to resolve a mission."""
    engine.push(ResolveMission(scope=fresh_scope(engine, Scope(seat, engine.piece(piece).top, piece))))


def resolvable(engine: Engine, seat: Seat) -> list[Option]:
    """List the missions that ``seat`` can resolve: alert, face up, every requirement met (MISSION-1, -3)."""
    return [
        Option("resolve", piece=piece.id)
        for piece in engine.player(seat).alert
        if piece.role == Role.MISSION and not piece.exhausted and can_resolve(engine, seat, piece)
    ]


def can_resolve(engine: Engine, seat: Seat, mission: Piece) -> bool:
    """Whether the requirements are met, and for a Link mission whether there is a unit to link it to."""
    definition = engine.definition(mission)
    if "link" in definition.keywords and not linkable(engine, mission):
        return False
    script = engine.script(mission.top)
    if not announceable(engine, fresh_scope(engine, Scope(seat, mission.top, mission.id)), -1, script.effect):
        return False
    return _matchable(engine, definition.requires, helpers(engine, seat))


def linkable(engine: Engine, mission: Piece) -> list[Piece]:
    """Give the units in play, of any player, that a Link mission may be put on (rulings 23, 48)."""
    kind = engine.definition(mission).link
    return [piece for piece in engine.pieces() if piece.is_unit and (kind == "unit" or piece.role.name.lower() == kind)]


def helpers(engine: Engine, seat: Seat) -> list[Piece]:
    """Give the units that count for requirements: face up, alert, controlled by ``seat`` (MISSION-4)."""
    return [piece for piece in engine.player(seat).alert if piece.is_unit and not piece.exhausted]


def meets(engine: Engine, unit: Piece, requirement: Requirement) -> bool:
    """Whether ``unit`` is what ``requirement`` asks for."""
    if requirement.trait and requirement.trait not in characteristics.traits(engine, unit):
        return False
    return not requirement.type or unit.role.name.lower() == requirement.type


def next_units(engine: Engine, seat: Seat, requires: tuple[Requirement, ...], used: list[int]) -> list[Piece]:
    """Give the units that may meet the next requirement so that the rest can still be met.

    Where the same thing is asked for several times, units are named in board order, so that one set of
    units is offered once.
    """
    units = helpers(engine, seat)
    place = len(used)
    after = 0
    if place and requires[place] == requires[place - 1]:
        after = next(i + 1 for i, unit in enumerate(units) if unit.id == used[-1])
    free = [unit for unit in units if unit.id not in used]
    found = []
    for unit in units[after:]:
        if unit.id in used or not meets(engine, unit, requires[place]):
            continue
        alike = requires[place + 1 : place + 2] == requires[place : place + 1]
        left = units[units.index(unit) + 1 :] if alike else free
        rest = [other for other in left if other is not unit and other.id not in used]
        if _completable(engine, requires[place + 1 :], rest, free, unit, requires[place]):
            found.append(unit)
    return found


def _completable(
    engine: Engine,
    requires: tuple[Requirement, ...],
    later: list[Piece],
    free: list[Piece],
    taken: Piece,
    asked: Requirement,
) -> bool:
    """Whether ``requires`` can be met: those like the one just ``asked`` from ``later``, others from ``free``."""
    allowed = [
        (later if requirement == asked else [unit for unit in free if unit is not taken]) for requirement in requires
    ]
    return _match(engine, requires, allowed)


def _matchable(engine: Engine, requires: tuple[Requirement, ...], units: list[Piece]) -> bool:
    return _match(engine, requires, [units] * len(requires))


def _match(engine: Engine, requires: tuple[Requirement, ...], allowed: list[list[Piece]]) -> bool:
    """Whether each requirement can get a unit of its own (a matching found by augmenting paths)."""
    fits = [
        [unit.id for unit in units if meets(engine, unit, requirement)]
        for requirement, units in zip(requires, allowed, strict=True)
    ]
    meeting: dict[int, int] = {}

    def give(place: int, tried: set[int]) -> bool:
        for unit in fits[place]:
            if unit not in tried:
                tried.add(unit)
                if unit not in meeting or give(meeting[unit], tried):
                    meeting[unit] = place
                    return True
        return False

    return all(give(place, set()) for place in range(len(requires)))


def _several_ways(engine: Engine, seat: Seat, mission: Piece) -> bool:
    """Whether more than one set of units could meet the requirements: some choice on the way is open."""
    requires = engine.definition(mission).requires
    used: list[int] = []
    for _ in requires:
        units = next_units(engine, seat, requires, used)
        if len(units) != 1:
            return True
        used.append(units[0].id)
    return False
