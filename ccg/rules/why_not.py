"""Why not: all that a player could do with their cards, and what stands in the way of it now.

The reasons are those of the checks that list the options (:mod:`ccg.rules.reasons`); here is added what
they are about. Only the player who decides is told more than that somebody else does, so that nothing is
said which the options do not say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
from msgspec import Struct

from ccg.rules import characteristics
from ccg.rules.abilities import why_not_use
from ccg.rules.agenda import Engine
from ccg.rules.cards import CardDef, Requirement
from ccg.rules.challenge import price_of, price_payable
from ccg.rules.execution_phase import ExecutionPhase
from ccg.rules.language.phrases import Description, Selector
from ccg.rules.language.schema import Ability
from ccg.rules.language.verbs import DONE_TO_PIECES, OnPieces
from ccg.rules.missions import unmet, why_not_resolve
from ccg.rules.options import NO_CARD, Option
from ccg.rules.payment import Means, discount
from ccg.rules.performing import fresh_scope, lacking
from ccg.rules.playing import why_not_play
from ccg.rules.reasons import Reason
from ccg.rules.state import Area, Card, Piece, Role, Scope, Seat


class Use(Struct):
    """Something a player could do: the ``option`` that would stand for it, with which ``card``, and why not.

    A challenge is one use, whoever is challenged. Of what the ``reason`` is about there may be: resources
    ``missing`` (persuasion, logistics, security, any), requirements ``unmet``, ``what`` is looked for in
    vain (``outside`` play or in it), the ``ability``, and the card (``source``) that forbids it.
    """

    option: Option
    card: Card
    reason: Reason | None = None
    missing: tuple[int, ...] = ()
    unmet: tuple[Requirement, ...] = ()
    what: Selector | None = None
    outside: bool = False
    ability: Ability | None = None
    source: Card | None = None

    def is_offered(self, options: list[Option]) -> bool:
        """Whether it is among ``options``."""
        if self.option.verb == "challenge":
            return any(option.verb == "challenge" and option.piece == self.option.piece for option in options)
        return self.option in options


def uses(engine: Engine, seat: Seat, options: list[Option]) -> list[Use]:
    """Give everything ``seat`` could do with cards in hand and in play; ``options`` are those of the decision."""
    state = engine.state
    found = [*_plays(engine, seat), *_abilities(engine, seat), *_missions(engine, seat), *_challenges(engine, seat)]
    if state.result is not None:
        return [_for_now(use, "over") for use in found]
    if state.asking != seat:
        return [_for_now(use, "not_your_decision") for use in found]
    if state.question == "cylon":
        for use in found:
            _in_cylon_phase(engine, use)
    elif state.question in ("action", "effects"):
        for use in found:
            REASONS[use.option.verb](engine, seat, use)
    else:
        return [use if use.is_offered(options) else _for_now(use, "other_decision") for use in found]
    return _each_once(found)


def _for_now(use: Use, reason: Reason) -> Use:
    use.reason = reason
    return use


def _each_once(found: list[Use]) -> list[Use]:
    """Leave one of uses that are the same option (of equal missions linked to one unit): one that is possible."""
    by_option: dict[Option, Use] = {}
    for use in found:
        if use.option not in by_option or use.reason is None:
            by_option[use.option] = use
    return list(by_option.values())


# ---------------------------------------------------------------- what there is


def _plays(engine: Engine, seat: Seat) -> Iterator[Use]:
    for definition in sorted({card >> 3 for card in engine.player(seat).hand}):
        yield Use(Option("play", definition), definition << 3 | seat)


def _fleet(engine: Engine, seat: Seat) -> Iterator[Piece]:
    player = engine.player(seat)
    yield from (*player.alert, *player.reserve, *player.resource)


def _abilities(engine: Engine, seat: Seat) -> Iterator[Use]:
    for piece in _fleet(engine, seat):
        for place, card in enumerate([piece.cards[0], *(link.top for link in piece.links)]):
            for number in range(len(engine.script(card).actions)):
                yield Use(Option("use", card >> 3 if place else NO_CARD, piece.id, number=number + 1), card)
        for definition in sorted({card >> 3 for card in piece.cards[1:]}):
            yield Use(Option("boost", definition, piece.id), definition << 3 | seat)


def _missions(engine: Engine, seat: Seat) -> Iterator[Use]:
    for piece in _fleet(engine, seat):
        if piece.role == Role.MISSION and piece.area != Area.RESOURCE:
            yield Use(Option("resolve", piece=piece.id), piece.top)


def _challenges(engine: Engine, seat: Seat) -> Iterator[Use]:
    for piece in _fleet(engine, seat):
        if piece.is_unit:
            yield Use(Option("challenge", piece=piece.id), piece.top)


# ---------------------------------------------------------------- what stands in the way of an action


def _play(engine: Engine, seat: Seat, use: Use) -> None:
    means, cheaper = Means.of(engine, seat), discount(engine, seat)
    use.reason = why_not_play(engine, seat, use.option.card, means, cheaper)
    card = engine.card(use.card)
    if use.reason == "cost":
        use.missing = means.missing(card.cost, cheaper)
    elif use.reason == "season":
        use.ability = next(ability for ability in card.abilities if ability.during is not None and ability.do)
    elif use.reason == "no_target":
        _look_in_vain(engine, use, Scope(seat, use.card), (engine.script(use.card).effect,))


def _use(engine: Engine, seat: Seat, use: Use) -> None:
    piece, number = engine.piece(use.option.piece), use.option.number - 1
    use.reason = why_not_use(engine, seat, piece, use.card, number)
    use.ability = _actions(engine.card(use.card))[number]
    commits = isinstance(use.ability.cost, str) and "commit" in use.ability.cost
    if use.reason == "ability_cost" and commits and piece.area != Area.ALERT:
        use.reason = "not_alert"
    elif use.reason == "no_target":
        action = engine.script(use.card).actions[number]
        _look_in_vain(engine, use, Scope(seat, use.card, piece.id), (action.cost, action.effect))


def _actions(card: CardDef) -> list[Ability]:
    """Give the abilities of ``card`` that are played, as its script numbers them."""
    return [a for a in card.abilities if a.cost is not None and a.when is None and a.instead_of is None]


def _boost(engine: Engine, seat: Seat, use: Use) -> None:
    """Nothing stands in its way: an action, or in a challenge (ruling 15)."""


def _resolve(engine: Engine, seat: Seat, use: Use) -> None:
    mission = engine.piece(use.option.piece)
    execution = engine.state.agenda[-1]
    if not isinstance(execution, ExecutionPhase):
        use.reason = "in_challenge"
    elif execution.has_resolved(seat):
        use.reason = "one_mission"
    else:
        use.reason = why_not_resolve(engine, seat, mission)
    if use.reason == "requirements":
        use.unmet = tuple(unmet(engine, seat, mission))
    elif use.reason == "no_target":
        _look_in_vain(engine, use, Scope(seat, use.card, mission.id), (engine.script(use.card).effect,))


def _challenge(engine: Engine, seat: Seat, use: Use) -> None:
    if engine.state.challenge is not None:
        use.reason = "in_challenge"
        return
    _pick_challenger(engine, use)
    if use.reason is None and not any(price_payable(engine, seat, other) for other in engine.opponents(seat)):
        use.reason = "price"
        price = min(price_of(engine, other) for other in engine.opponents(seat))
        use.missing = Means.of(engine, seat).missing([0, 0, 0, price])


def _pick_challenger(engine: Engine, use: Use) -> None:
    unit = engine.piece(use.option.piece)
    use.reason = characteristics.why_not_challenge(engine, unit)
    if use.reason == "forbidden":
        forces = characteristics.forces_on(engine, "cannot", unit)
        use.source = next(force.scope.card for force in forces if force.word == "challenge")


def _in_cylon_phase(engine: Engine, use: Use) -> None:
    """Going round in the Cylon phase, players only challenge Cylon threats or pass (CYLON-6)."""
    if use.option.verb == "challenge":
        _pick_challenger(engine, use)
    else:
        use.reason = "cylon_phase"


REASONS: dict[str, Callable[[Engine, Seat, Use], None]] = {
    "play": _play,
    "use": _use,
    "boost": _boost,
    "resolve": _resolve,
    "challenge": _challenge,
}


def _look_in_vain(engine: Engine, use: Use, scope: Scope, blocks: tuple[int, ...]) -> None:
    choice = lacking(engine, fresh_scope(engine, scope), blocks)
    if choice is None or choice.what is None:
        return
    use.outside = choice.kind == "cards"
    verbs = (verb for block in engine.script(scope.card).blocks for verb in block if isinstance(verb, OnPieces))
    chosen = next((verb.which for verb in verbs if verb.which.number == choice.number), None)
    use.what = _able(choice.what, [DONE_BY[able] for able in chosen.must] if chosen is not None else [])


DONE_BY = {able: verb for verb, _, able in DONE_TO_PIECES}
"""The verbs, by the question what they can be done to."""

NEEDED = {"ready": "reserve", "commit": "alert", "exhaust": "restored", "restore": "exhausted"}
"""What a piece has to be for a verb to do something to it, in the words that phrases have for it."""


def _able(what: Selector, verbs: list[str]) -> Selector:
    """Give ``what`` as one says it of things to which all of ``verbs`` can be done."""
    described = tuple(_narrowed(description, verbs) for description in what.descriptions)
    return msgspec.structs.replace(what, target=False, descriptions=described)


def _narrowed(description: Description, verbs: list[str]) -> Description:
    needed = [NEEDED[verb] for verb in verbs if verb in NEEDED]
    words = dict.fromkeys([*description.words, *needed])
    suffixes = dict.fromkeys([*description.suffixes, *([("yours", "")] if "sacrifice" in verbs else [])])
    return msgspec.structs.replace(description, words=tuple(words), suffixes=tuple(suffixes))
