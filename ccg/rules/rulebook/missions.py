"""Resolving missions: requirements met by different units, then where the mission goes (Resolve a Mission)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from itertools import combinations
from typing import ClassVar

from msgspec import field

from ccg.rules.cards.definitions import Requirement
from ccg.rules.core import characteristics
from ccg.rules.core.data import Fixed
from ccg.rules.core.engine import Choice, Engine, Frame
from ccg.rules.core.legality import Reason
from ccg.rules.core.options import Option
from ccg.rules.core.state import ROLES, Area, Context, Piece, Role, SeatNumber, definition_of
from ccg.rules.core.zones import leave_play
from ccg.rules.rulebook.instructions import Exhaust, Sacrifice
from ccg.rules.rulebook.resolving import (
    Chooser,
    Perform,
    fresh_context,
    next_announced,
    payment_of,
    tell_targets,
    why_not_announce,
)


class MissionStep(IntEnum):
    """What is named as a mission is resolved: units for its requirements, one to link it to, what its text asks for."""

    UNITS = 0
    LINK = 1
    CHOICES = 2


class ResolveMission(Chooser, kw_only=True):
    """A player resolves a mission. ``used`` are the units named so far, in printed order; then it takes effect."""

    chooses: ClassVar[str] = "link"

    used: list[int] = field(default_factory=list)
    step: MissionStep = MissionStep.UNITS
    linked: int = 0

    def run(self, engine: Engine) -> None:
        mission = engine.piece(self.context.piece)
        if self.step == MissionStep.UNITS:
            if len(self.used) < len(self._requires(engine)) and several_ways(engine, self.context.you, mission):
                engine.ask(self.context.you, "mission_units")
            else:
                self.step = MissionStep.LINK
        elif self.step == MissionStep.LINK:
            if "link" in engine.definition(mission).keywords and not self.linked:
                engine.ask(self.context.you, "choose")
            else:
                self.step = MissionStep.CHOICES
        elif self.settled(engine):
            self._take_effect(engine, mission)

    def choosing(self, engine: Engine) -> Choice | None:
        return super().choosing(engine) if self.step == MissionStep.CHOICES else None

    def _take_effect(self, engine: Engine, mission: Piece) -> None:
        engine.end(self)
        script = engine.script(mission.top)
        cost, effect = script.cost, script.effect
        self._pay_help(engine, mission)
        engine.emit("resolve", self.context.you, mission.top, mission.id)
        tell_targets(engine, self.context, (cost, effect))
        frames: list[Frame] = [] if effect < 0 else [Perform(context=self.context, block=effect)]
        engine.push(*payment_of(self.context, cost), *frames, MissionGoes(mission.id, self.linked))

    def _pay_help(self, engine: Engine, mission: Piece) -> None:
        """Exhaust or sacrifice what was named and helps only at that cost.

        That happens at once and not as frames: it belongs to the step in which the mission is resolved, and what it
        sets off comes after that step.
        """
        for piece, cost in self._paid_help(engine, mission):
            (Exhaust if cost == "exhaust" else Sacrifice)([piece]).happen(engine)

    def _paid_help(self, engine: Engine, mission: Piece) -> list[tuple[int, str]]:
        """Return what was named and helps only at a cost, with that cost."""
        helps = helpers(engine, self.context.you, mission)
        costs = {aid.piece: aid.cost for aid in helps if aid.cost}
        paid = []
        for piece in dict.fromkeys(self.used):
            for_nothing = [aid for aid in helps if aid.piece != piece or not aid.cost]
            if matchable(engine, mission, for_nothing, self.used):
                helps = for_nothing
            else:
                paid.append((piece, costs[piece]))
        return paid

    def _linkable(self, engine: Engine, mission: Piece) -> list[Piece]:
        """Return the units to link the mission to; one that is given up for it only if there is no other."""
        units = linkable(engine, mission)
        going = [piece for piece, cost in self._paid_help(engine, mission) if cost == "sacrifice"]
        return [unit for unit in units if unit.id not in going] or units

    def wanted(self, engine: Engine) -> Choice | None:
        script = engine.script(self.context.card)
        return next_announced(engine, self.context, (script.cost, script.effect))

    def options(self, engine: Engine) -> list[Option]:
        if self.step == MissionStep.CHOICES:
            return super().options(engine)
        if self.step == MissionStep.LINK:
            units = self._linkable(engine, engine.piece(self.context.piece))
        else:
            mission = engine.piece(self.context.piece)
            helps = next_helps(engine, self.context.you, mission, self.used)
            return [Option("choose", piece=aid.piece) for aid in helps]
        return [Option("choose", piece=unit.id) for unit in units]

    def take(self, engine: Engine, option: Option) -> None:
        if self.step == MissionStep.CHOICES:
            super().take(engine, option)
        elif self.step == MissionStep.LINK:
            self.linked = option.piece
        else:
            self.used.append(option.piece)

    def requirement(self, engine: Engine) -> Requirement | None:
        return self._requires(engine)[len(self.used)] if self.step == MissionStep.UNITS else None

    def half_made(self) -> bool:
        return True

    def announcing(self) -> Context:
        return self.context

    def belongs_to(self, seat: SeatNumber) -> bool:
        return seat == self.context.you

    def _requires(self, engine: Engine) -> tuple[Requirement, ...]:
        return engine.card(self.context.card).requires


class MissionGoes(Frame):
    """A mission has taken effect: it stays (Persistent), is linked, or goes to its owner's discard pile."""

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
            engine.emit_about("persist", mission, source="alert", to="resource")
        elif unit is not None:
            engine.link(mission, unit)
            engine.emit_about("link", mission, on=unit)
        else:
            leave_play(engine, mission)
            engine.emit_about("mission over", mission, source="alert", to="discard")


def resolve(engine: Engine, seat: SeatNumber, piece: int) -> None:
    """Begin to resolve a mission."""
    engine.push(ResolveMission(context=fresh_context(engine, Context(seat, engine.piece(piece).top, piece))))


def has_resolved(engine: Engine, seat: SeatNumber) -> bool:
    """Return whether ``seat`` has resolved their one mission of this execution phase (MISSION-2)."""
    return seat in engine.state.resolved


def resolvable(engine: Engine, seat: SeatNumber) -> list[Option]:
    """List the missions that ``seat`` can resolve: alert, face up, every requirement met (MISSION-1, -3)."""
    player = engine.player(seat)
    return [
        Option("resolve", piece=piece.id)
        for lying in (player.alert, player.reserve)
        for piece in lying
        if piece.role == Role.MISSION and why_not_resolve(engine, seat, piece) is None
    ]


def why_not_resolve(engine: Engine, seat: SeatNumber, mission: Piece) -> Reason | None:
    """Return what keeps ``seat`` from resolving a mission of theirs that lies alert or in reserve.

    It must be alert and face up, its requirements met, and there must be a legal unit to link it to and a
    target where one is needed, and its own cost must be payable (ruling 74).
    """
    if mission.area != Area.ALERT:
        return "not_alert"
    if mission.exhausted:
        return "exhausted"
    definition = engine.definition(mission)
    if "link" in definition.keywords and not linkable(engine, mission):
        return "no_link"
    if not matchable(engine, mission, helpers(engine, seat, mission)):
        return "requirements"
    script = engine.script(mission.top)
    context = fresh_context(engine, Context(seat, mission.top, mission.id))
    return why_not_announce(engine, context, script.cost, script.effect)


def unmet(engine: Engine, seat: SeatNumber, mission: Piece) -> list[Requirement]:
    """Return the requirements of ``mission`` that are missing, when as many as possible of the others are met."""
    requires = engine.definition(mission).requires
    tried: list[list[bool]] = []
    for way in _ways(engine, mission, helpers(engine, seat, mission)):
        matching = _Matching(requires, way)
        tried.append([matching.meet(asked) for asked in range(len(requires))])
    met = max(tried, key=sum)
    return [asked for asked, has_help in zip(requires, met, strict=True) if not has_help]


def linkable(engine: Engine, mission: Piece) -> list[Piece]:
    """Return the units in play, of any player, that a Link mission may be put on (rulings 23, 48)."""
    kind = engine.definition(mission).link
    units = [piece for piece in engine.pieces() if piece.is_unit]
    return [
        unit
        for unit in units
        if kind in ("unit", ROLES[unit.role]) and not characteristics.forbidden(engine, "be targeted", unit)
    ]


class Help(Fixed, frozen=True):
    """Something that can meet one requirement of a mission: the ``piece`` it comes from, and what it counts as.

    A unit gives one. Some cards give several, or help at a ``cost`` (exhaust, sacrifice); ``any`` meets
    whatever is asked. ``alone`` is what such a card is in itself, which it is instead of the others (ruling 71).
    """

    piece: int
    traits: tuple[str, ...] = ()
    type: str = ""
    cost: str = ""
    any: bool = False
    alone: bool = False

    def meets(self, asked: Requirement) -> bool:
        """Return whether this is what ``asked`` asks for."""
        if self.any:
            return True
        if asked.trait and asked.trait not in self.traits:
            return False
        return not asked.type or self.type == asked.type


def helpers(engine: Engine, seat: SeatNumber, mission: Piece) -> list[Help]:
    """Return everything of ``seat`` that can help to resolve ``mission``: what is free first, then what costs.

    Face-up alert units count (MISSION-4), except those that the mission excludes; some cards count as others.
    """
    excluded = engine.script(mission.top).excluded
    context = Context(seat, mission.top, mission.id)
    helps: list[Help] = []
    player = engine.player(seat)
    for piece in player.alert:
        if piece.is_unit and not piece.exhausted and not (excluded and excluded(engine, context, piece)):
            helps += _help_of(engine, piece)
    helping = engine.catalog.helping
    for source in (player.resource[0], *player.alert, *player.reserve):
        if definition_of(source.cards[0]) in helping and engine.says(source, source.top):
            helps += _paid_help(engine, source, mission)
    return helps


def _help_of(engine: Engine, unit: Piece) -> list[Help]:
    """Return what an alert unit counts as: itself, or the units that its text says, which are no more than units."""
    counts_as = engine.script(unit.top).counts_as
    itself = Help(unit.id, characteristics.traits(engine, unit), ROLES[unit.role], alone=bool(counts_as))
    if not counts_as or engine.script(unit.top).helps:
        return [itself]
    return [itself, *(Help(unit.id, (asked.trait,), asked.type) for asked in counts_as)]


def _paid_help(engine: Engine, source: Piece, mission: Piece) -> list[Help]:
    """Return the help of a card that costs something: a base that exhausts, a ship that is sacrificed."""
    script = engine.script(source.top)
    cost, _, only_for = script.helps.partition(" for ")
    if (cost == "exhaust" and source.exhausted) or (only_for and only_for not in engine.definition(mission).traits):
        return []
    return [
        Help(source.id, (asked.trait,), asked.type, cost, any=not asked.trait and not asked.type)
        for asked in script.counts_as
    ]


def next_helps(engine: Engine, seat: SeatNumber, mission: Piece, used: list[int]) -> list[Help]:
    """Return what may meet the next requirement so that the rest can still be met.

    ``used`` are the pieces named for the requirements before. Where the same thing is asked for several
    times, pieces are named in board order, so that one set of them is offered once.
    """
    requires = engine.definition(mission).requires
    helps = helpers(engine, seat, mission)
    place = len(used)
    found: list[Help] = []
    for aid in helps:
        if not aid.meets(requires[place]) or any(aid.piece == other.piece for other in found):
            continue
        if _in_order(aid, requires, used, place) and matchable(engine, mission, helps, [*used, aid.piece]):
            found.append(aid)
    return found


def _in_order(aid: Help, requires: tuple[Requirement, ...], used: list[int], place: int) -> bool:
    """Return whether choosing ``aid`` now does more than repeat an earlier set of pieces in another order."""
    return not place or requires[place] != requires[place - 1] or aid.piece >= used[-1]


def matchable(engine: Engine, mission: Piece, helps: list[Help], used: Sequence[int] = ()) -> bool:
    """Return whether each requirement of ``mission`` can get one of ``helps``, the first from the pieces ``used``."""
    requires = engine.definition(mission).requires
    if len(requires) > len(helps):
        return False
    for way in _ways(engine, mission, helps):
        matching = _Matching(requires, way, used)
        if all(matching.meet(asked) for asked in range(len(requires))):
            return True
    return False


def _ways(engine: Engine, mission: Piece, helps: list[Help]) -> Iterator[list[Help]]:
    """Return those of ``helps`` that can be had together: a card is itself, or what it counts as (ruling 71).

    No more of them need be themselves than ``mission`` asks for. There are as many ways as sets of such cards, so each
    is counted as work.
    """
    double = sorted({aid.piece for aid in helps if aid.alone})
    for number in range(min(len(double), len(engine.definition(mission).requires)) + 1):
        for alone in combinations(double, number):
            engine.worked(mission.top, len(helps))
            yield [aid for aid in helps if aid.piece not in double or aid.alone == (aid.piece in alone)]


class _Matching:
    """Which requirements can be met by different helps: bipartite matching by augmenting paths.

    The first requirements are met by the pieces ``used``. A requirement equal to the last of these takes only pieces
    from that one on, so that each set of pieces is found in one order only.
    """

    def __init__(self, requires: tuple[Requirement, ...], helps: list[Help], used: Sequence[int] = ()) -> None:
        self._requires = requires
        self._helps = helps
        self._used = used
        self._met_by: dict[int, int] = {}
        """For each help that is given, the requirement that it meets; both by their places."""

    def meet(self, asked: int) -> bool:
        """Return whether the requirement at place ``asked`` can be met beside all that were met before.

        If so it stays met, though perhaps by another help later on.
        """
        return self._give(asked, set())

    def _give(self, asked: int, tried: set[int]) -> bool:
        for number, aid in enumerate(self._helps):
            if number not in tried and aid.meets(self._requires[asked]) and self._may_meet(asked, aid):
                tried.add(number)
                if number not in self._met_by or self._give(self._met_by[number], tried):
                    self._met_by[number] = asked
                    return True
        return False

    def _may_meet(self, asked: int, aid: Help) -> bool:
        used = self._used
        if asked < len(used):
            return aid.piece == used[asked]
        return not used or self._requires[asked] != self._requires[len(used) - 1] or aid.piece >= used[-1]


def several_ways(engine: Engine, seat: SeatNumber, mission: Piece) -> bool:
    """Return whether more than one set of pieces could meet the requirements, or help that costs is needed."""
    used: list[int] = []
    for _ in engine.definition(mission).requires:
        helps = next_helps(engine, seat, mission, used)
        if len(helps) != 1 or helps[0].cost:
            return True
        used.append(helps[0].piece)
    return False
