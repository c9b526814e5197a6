"""Resolving missions: requirements met by different units, then where the mission goes (Resolve a Mission)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import field

from ccg.rules import characteristics
from ccg.rules.agenda import Choice, Engine, Frame
from ccg.rules.cards import Requirement
from ccg.rules.instructions import Exhaust, Sacrifice
from ccg.rules.options import Option
from ccg.rules.outcome import to_discard
from ccg.rules.performing import Chooser, Perform, fresh_scope, next_announced, tell_targets, why_not_announce
from ccg.rules.reasons import Reason
from ccg.rules.state import ROLES, Area, Piece, Role, Scope, Seat


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
            if len(self.used) < len(self._requires(engine)) and several_ways(engine, self.scope.you, mission):
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
        self._pay_help(engine, mission)
        engine.tell("resolve", self.scope.you, mission.top, mission.id)
        tell_targets(engine, self.scope, (effect,))
        frames: list[Frame] = [] if effect < 0 else [Perform(scope=self.scope, block=effect)]
        engine.push(*frames, MissionGoes(self.scope.you, mission.id, self.linked))

    def _pay_help(self, engine: Engine, mission: Piece) -> None:
        """Exhaust or sacrifice what was named and helps at that cost."""
        costs = {aid.piece: aid.cost for aid in helpers(engine, self.scope.you, mission) if aid.cost}
        for piece in dict.fromkeys(self.used):
            if piece in costs:
                Exhaust([piece]).happen(engine) if costs[piece] == "exhaust" else Sacrifice([piece]).happen(engine)

    def wanted(self, engine: Engine) -> Choice | None:
        return next_announced(engine, self.scope, (engine.script(self.scope.card).effect,))

    def options(self, engine: Engine) -> list[Option]:
        if self.step == 2:
            return super().options(engine)
        if self.step == 1:
            units = linkable(engine, engine.piece(self.scope.piece))
        else:
            mission = engine.piece(self.scope.piece)
            helps = next_helps(engine, self.scope.you, mission, self.used)
            return [Option("choose", piece=aid.piece) for aid in helps]
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
            engine.link(mission, unit)
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
    player = engine.player(seat)
    return [
        Option("resolve", piece=piece.id)
        for lying in (player.alert, player.reserve)
        for piece in lying
        if piece.role == Role.MISSION and why_not_resolve(engine, seat, piece) is None
    ]


def why_not_resolve(engine: Engine, seat: Seat, mission: Piece) -> Reason | None:
    """Give what keeps ``seat`` from resolving a mission of theirs that lies alert or in reserve.

    It must be alert and face up, its requirements met, and there must be a legal unit to link it to and a
    target where one is needed.
    """
    if mission.area != Area.ALERT:
        return "not_alert"
    if mission.exhausted:
        return "exhausted"
    definition = engine.definition(mission)
    if "link" in definition.keywords and not linkable(engine, mission):
        return "no_link"
    if not matchable(definition.requires, helpers(engine, seat, mission)):
        return "requirements"
    script = engine.script(mission.top)
    return why_not_announce(engine, fresh_scope(engine, Scope(seat, mission.top, mission.id)), -1, script.effect)


def unmet(engine: Engine, seat: Seat, mission: Piece) -> list[Requirement]:
    """Give the requirements of ``mission`` that are missing, when as many as possible of the others are met."""
    requires = engine.definition(mission).requires
    met = _matched(requires, helpers(engine, seat, mission))
    return [asked for asked, has_help in zip(requires, met, strict=True) if not has_help]


def linkable(engine: Engine, mission: Piece) -> list[Piece]:
    """Give the units in play, of any player, that a Link mission may be put on (rulings 23, 48)."""
    kind = engine.definition(mission).link
    units = [piece for piece in engine.pieces() if piece.is_unit]
    return [
        unit
        for unit in units
        if kind in ("unit", ROLES[unit.role]) and not characteristics.forbidden(engine, "be targeted", unit)
    ]


class Help(NamedTuple):
    """Something that can meet one requirement of a mission: the ``piece`` it comes from, and what it counts as.

    A unit gives one. Some cards give several, or help at a ``cost`` (exhaust, sacrifice); ``any`` meets
    whatever is asked.
    """

    piece: int
    traits: tuple[str, ...] = ()
    type: str = ""
    cost: str = ""
    any: bool = False

    def meets(self, asked: Requirement) -> bool:
        """Whether this is what ``asked`` asks for."""
        if self.any:
            return True
        if asked.trait and asked.trait not in self.traits:
            return False
        return not asked.type or self.type == asked.type


def helpers(engine: Engine, seat: Seat, mission: Piece) -> list[Help]:
    """Give everything of ``seat`` that can help to resolve ``mission``: what is free first, then what costs.

    Face-up alert units count (MISSION-4), except those that the mission excludes; some cards count as others.
    """
    excluded = engine.script(mission.top).excluded
    scope = Scope(seat, mission.top, mission.id)
    free: list[Help] = []
    for piece in engine.player(seat).alert:
        if piece.is_unit and not piece.exhausted and not (excluded and excluded(engine, scope, piece)):
            free += _help_of(engine, piece)
    player = engine.player(seat)
    paid = [
        aid
        for source in (player.resource[0], *player.alert, *player.reserve)
        if engine.script(source.top).helps and any(card == source.top for _, card, _ in engine.speaking(source))
        for aid in _paid_help(engine, source, mission)
    ]
    return free + paid


def _help_of(engine: Engine, unit: Piece) -> list[Help]:
    kind = ROLES[unit.role]
    script = engine.script(unit.top)
    if script.counts_as and not script.helps:
        return [Help(unit.id, (asked.trait,), asked.type or kind) for asked in script.counts_as]
    return [Help(unit.id, characteristics.traits(engine, unit), kind)]


def _paid_help(engine: Engine, source: Piece, mission: Piece) -> list[Help]:
    """Give the help of a card that costs something: a base that exhausts, a ship that is sacrificed."""
    script = engine.script(source.top)
    cost, _, only_for = script.helps.partition(" for ")
    if (cost == "exhaust" and source.exhausted) or (only_for and only_for not in engine.definition(mission).traits):
        return []
    return [
        Help(source.id, (asked.trait,), asked.type, cost, any=not asked.trait and not asked.type)
        for asked in script.counts_as
    ]


def next_helps(engine: Engine, seat: Seat, mission: Piece, used: list[int]) -> list[Help]:
    """Give what may meet the next requirement so that the rest can still be met.

    ``used`` are the pieces named for the requirements before. Where the same thing is asked for several
    times, pieces are named in board order, so that one set of them is offered once.
    """
    requires = engine.definition(mission).requires
    left = helpers(engine, seat, mission)
    for piece, asked in zip(used, requires, strict=False):
        left.remove(next(aid for aid in left if aid.piece == piece and aid.meets(asked)))
    place = len(used)
    found: list[Help] = []
    for aid in left:
        if not aid.meets(requires[place]) or any(aid.piece == other.piece for other in found):
            continue
        rest = _without(left, aid)
        if _in_order(aid, requires, used, place) and matchable(requires[place + 1 :], rest, requires[place], aid.piece):
            found.append(aid)
    return found


def _in_order(aid: Help, requires: tuple[Requirement, ...], used: list[int], place: int) -> bool:
    """Whether naming ``aid`` now does not only repeat an earlier set of pieces in another order."""
    return not place or requires[place] != requires[place - 1] or aid.piece >= used[-1]


def _without(helps: list[Help], taken: Help) -> list[Help]:
    place = helps.index(taken)
    return helps[:place] + helps[place + 1 :]


def matchable(
    requires: tuple[Requirement, ...], helps: list[Help], same: Requirement | None = None, least: int = 0
) -> bool:
    """Whether each requirement can get a help of its own.

    What is the ``same`` as asked before is met by pieces from number ``least`` on, to keep them in order.
    """
    return len(requires) <= len(helps) and all(_matched(requires, helps, same, least))


def _matched(
    requires: tuple[Requirement, ...], helps: list[Help], same: Requirement | None = None, least: int = 0
) -> Iterator[bool]:
    """Say for one requirement after the other whether it can get a help of its own as well.

    It is a matching found by augmenting paths: what has got help keeps it, if from another piece.
    """
    fits = [
        [place for place, aid in enumerate(helps) if aid.meets(asked) and (asked != same or aid.piece >= least)]
        for asked in requires
    ]
    meeting: dict[int, int] = {}

    def give(asked: int, tried: set[int]) -> bool:
        for aid in fits[asked]:
            if aid not in tried:
                tried.add(aid)
                if aid not in meeting or give(meeting[aid], tried):
                    meeting[aid] = asked
                    return True
        return False

    return (give(asked, set()) for asked in range(len(requires)))


def several_ways(engine: Engine, seat: Seat, mission: Piece) -> bool:
    """Whether more than one set of pieces could meet the requirements, or help that costs is needed."""
    used: list[int] = []
    for _ in engine.definition(mission).requires:
        helps = next_helps(engine, seat, mission, used)
        if len(helps) != 1 or helps[0].cost:
            return True
        used.append(helps[0].piece)
    return False
