"""Why not: all that a player could do with their cards, and what stands in the way of it now.

The reasons are those of the checks that list the options (:mod:`ccg.rules.core.legality`); here is added what
they are about. Only the player who decides is told more than that somebody else does, so that nothing is
said which the options do not say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
from msgspec import Struct

from ccg.rules.cards.definitions import CardDef, Requirement
from ccg.rules.cards.phrases import Description, Selector
from ccg.rules.cards.schema import Ability
from ccg.rules.core import characteristics, loops
from ccg.rules.core.engine import Engine
from ccg.rules.core.legality import Reason
from ccg.rules.core.options import NO_CARD, Option
from ccg.rules.core.state import (
    Area,
    CardNumber,
    Challenge,
    Context,
    Piece,
    Role,
    SeatNumber,
    card_of,
    definition_of,
)
from ccg.rules.effects.language import WORDS
from ccg.rules.effects.steps import OnPieces
from ccg.rules.effects.words.in_play import Done
from ccg.rules.rulebook.abilities import why_not_use
from ccg.rules.rulebook.declaring import price_of, price_payable
from ccg.rules.rulebook.missions import has_resolved, unmet, why_not_resolve
from ccg.rules.rulebook.payment import AvailableResources, reductions
from ccg.rules.rulebook.playing import texts, why_not_play
from ccg.rules.rulebook.resolving import fresh_context, lacking


class Use(Struct):
    """Something a player could do: the ``option`` that would stand for it, with which ``card``, and why not.

    A challenge is one use, whoever is challenged. Of what the ``reason`` is about there may be: resources
    ``missing`` (persuasion, logistics, security, any), requirements ``unmet``, ``what`` is looked for in
    vain (``outside`` play or in it), the ``ability``, and the card (``source``) that forbids it.
    """

    option: Option
    card: CardNumber
    reason: Reason | None = None
    missing: tuple[int, ...] = ()
    unmet: tuple[Requirement, ...] = ()
    what: Selector | None = None
    outside: bool = False
    ability: Ability | None = None
    source: CardNumber | None = None

    def is_offered(self, options: list[Option]) -> bool:
        """Return whether it is among ``options``."""
        if self.option.verb == "challenge":
            return any(option.verb == "challenge" and option.piece == self.option.piece for option in options)
        return self.option in options


def uses(engine: Engine, seat: SeatNumber, options: list[Option]) -> list[Use]:
    """Return everything ``seat`` could do with cards in hand and in play; ``options`` are those of the decision."""
    state = engine.state
    found = [*_plays(engine, seat), *_abilities(engine, seat), *_missions(engine, seat), *_challenges(engine, seat)]
    if state.result is not None:
        return [_for_now(use, "over") for use in found]
    if seat not in engine.deciding():
        return [_for_now(use, "not_your_decision") for use in found]
    if state.question in ("action", "effects", "cylon") and loops.held(engine, seat):
        return [_for_now(use, "loop") for use in found]
    if state.question == "cylon":
        for use in found:
            _in_cylon_phase(engine, use)
    elif state.question in ("action", "effects"):
        for use in found:
            REASONS[use.option.verb](engine, seat, use)
    else:
        others = [use if use.is_offered(options) else _for_now(use, "other_decision") for use in found]
        return others + (unable_to_defend(engine) if state.question == "defend" else [])
    return _each_once(found)


def unable_to_defend(engine: Engine) -> list[Use]:
    """Return the units of the player who is asked to defend that cannot, each with the reason."""
    challenge = engine.state.challenge
    assert challenge is not None
    found = []
    for piece in _fleet(engine, challenge.opponent):
        if piece.is_unit:
            use = Use(Option("defend", piece=piece.id), piece.top)
            _defend(engine, challenge, use)
            if use.reason is not None:
                found.append(use)
    return found


def unable_to_challenge(engine: Engine, seat: SeatNumber) -> list[Use]:
    """Return the units of ``seat`` that cannot challenge now, each with the reason."""
    found = list(_challenges(engine, seat))
    for use in found:
        _pick_challenger(engine, use)
    return [use for use in found if use.reason is not None]


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


def _plays(engine: Engine, seat: SeatNumber) -> Iterator[Use]:
    for definition in sorted({definition_of(card) for card in engine.player(seat).hand}):
        yield Use(Option("play", definition), card_of(definition, seat))


def _fleet(engine: Engine, seat: SeatNumber) -> Iterator[Piece]:
    player = engine.player(seat)
    yield from (*player.alert, *player.reserve, *player.resource)


def _abilities(engine: Engine, seat: SeatNumber) -> Iterator[Use]:
    for piece in _fleet(engine, seat):
        for place, card in enumerate([piece.cards[0], *(link.top for link in piece.links)]):
            for number in range(len(engine.script(card).actions)):
                yield Use(Option("use", definition_of(card) if place else NO_CARD, piece.id, number=number + 1), card)
        for definition in sorted({definition_of(card) for card in piece.cards[1:]}):
            yield Use(Option("boost", definition, piece.id), card_of(definition, seat))


def _missions(engine: Engine, seat: SeatNumber) -> Iterator[Use]:
    for piece in _fleet(engine, seat):
        if piece.role == Role.MISSION and piece.area != Area.RESOURCE:
            yield Use(Option("resolve", piece=piece.id), piece.top)


def _challenges(engine: Engine, seat: SeatNumber) -> Iterator[Use]:
    for piece in _fleet(engine, seat):
        if piece.is_unit:
            yield Use(Option("challenge", piece=piece.id), piece.top)


# ---------------------------------------------------------------- what stands in the way of an action


def _play(engine: Engine, seat: SeatNumber, use: Use) -> None:
    available, cheaper = AvailableResources.of(engine, seat), reductions(engine, seat)
    use.reason = why_not_play(engine, seat, use.option.card, available, cheaper)
    card = engine.card(use.card)
    if use.reason == "cost":
        use.missing = available.missing(card.cost, cheaper)
    elif use.reason == "season":
        use.ability = next(ability for ability in card.abilities if ability.during is not None and ability.do)
    elif use.reason == "ability_cost":
        use.ability = _costly(card)
    elif use.reason == "no_target":
        _look_in_vain(engine, use, Context(seat, use.card), texts(engine, use.card))


def _use(engine: Engine, seat: SeatNumber, use: Use) -> None:
    piece, number = engine.piece(use.option.piece), use.option.number - 1
    use.reason = why_not_use(engine, seat, piece, use.card, number)
    use.ability = _actions(engine.card(use.card))[number]
    commits = isinstance(use.ability.cost, str) and "commit" in use.ability.cost
    if use.reason == "ability_cost" and commits and piece.area != Area.ALERT:
        use.reason = "not_alert"
    elif use.reason == "no_target":
        action = engine.script(use.card).actions[number]
        _look_in_vain(engine, use, Context(seat, use.card, piece.id), (action.cost, action.effect))


def _actions(card: CardDef) -> list[Ability]:
    """Return the abilities of ``card`` that are played, as its script numbers them."""
    return [a for a in card.abilities if a.cost is not None and a.when is None and a.instead_of is None]


def _costly(card: CardDef) -> Ability:
    """Return the ability of an event or mission that is paid for as the card is played or resolved."""
    return next(ability for ability in card.abilities if ability.cost is not None)


def _boost(engine: Engine, seat: SeatNumber, use: Use) -> None:
    """Nothing stands in its way: an action, or in a challenge (ruling 15)."""


def _resolve(engine: Engine, seat: SeatNumber, use: Use) -> None:
    mission = engine.piece(use.option.piece)
    if engine.state.challenge is not None:
        use.reason = "in_challenge"
    elif has_resolved(engine, seat):
        use.reason = "one_mission"
    else:
        use.reason = why_not_resolve(engine, seat, mission)
    if use.reason == "requirements":
        use.unmet = tuple(unmet(engine, seat, mission))
    elif use.reason == "ability_cost":
        use.ability = _costly(engine.card(use.card))
    elif use.reason == "no_target":
        _look_in_vain(engine, use, Context(seat, use.card, mission.id), texts(engine, use.card))


def _challenge(engine: Engine, seat: SeatNumber, use: Use) -> None:
    if engine.state.challenge is not None:
        use.reason = "in_challenge"
        return
    _pick_challenger(engine, use)
    unit, opponents = use.option.piece, engine.opponents(seat)
    if use.reason is None and not any(price_payable(engine, seat, other, unit) for other in opponents):
        use.reason = "price"
        price = min(price_of(engine, other) for other in opponents)
        use.missing = AvailableResources.of(engine, seat, kept=[unit]).missing([0, 0, 0, price])


def _pick_challenger(engine: Engine, use: Use) -> None:
    unit = engine.piece(use.option.piece)
    use.reason = characteristics.why_not_challenge(engine, unit)
    if use.reason == "forbidden":
        active_modifiers = characteristics.modifiers_on(engine, "cannot", unit)
        use.source = next(active.context.card for active in active_modifiers if active.word == "challenge")


def _defend(engine: Engine, challenge: Challenge, use: Use) -> None:
    unit, challenger = engine.piece(use.option.piece), engine.piece(challenge.challenger)
    use.reason = characteristics.why_not_defend(engine, unit, challenger, challenge.role)
    if use.reason == "forbidden_to_defend":
        meant = (unit, characteristics.spoken_of_as(unit, challenge.role))
        barring = (active for piece in meant for active in characteristics.modifiers_on(engine, "cannot", piece))
        use.source = next(active.context.card for active in barring if active.word == "defend")


def _in_cylon_phase(engine: Engine, use: Use) -> None:
    """Going round in the Cylon phase, players only challenge Cylon threats or pass (CYLON-6)."""
    if use.option.verb == "challenge":
        _pick_challenger(engine, use)
    else:
        use.reason = "cylon_phase"


REASONS: dict[str, Callable[[Engine, SeatNumber, Use], None]] = {
    "play": _play,
    "use": _use,
    "boost": _boost,
    "resolve": _resolve,
    "challenge": _challenge,
}


def _look_in_vain(engine: Engine, use: Use, context: Context, blocks: tuple[int, ...]) -> None:
    choice = lacking(engine, fresh_context(engine, context), blocks)
    if choice is None or choice.what is None:
        return
    use.outside = choice.kind == "cards"
    effects = (step for block in engine.script(context.card).blocks for step in block if isinstance(step, OnPieces))
    chosen = next((step.which for step in effects if step.which.number == choice.number), None)
    use.what = _able(
        choice.what, [DONE_BY[able] for able in chosen.needed() if able in DONE_BY] if chosen is not None else []
    )


DONE_BY = {
    does.able: word.verb for word in WORDS.values() if isinstance(does := getattr(word, "does", None), Done)
}  # fmt: skip
"""The verbs, by the question what they can be done to."""

NEEDED = {"ready": "reserve", "commit": "alert", "exhaust": "restored", "restore": "exhausted"}
"""What a piece has to be for a verb to do something to it, in the words that phrases have for it."""


def _able(what: Selector, verbs: list[str]) -> Selector:
    """Return ``what`` as one says it of things to which all of ``verbs`` can be done."""
    described = tuple(_narrowed(description, verbs) for description in what.descriptions)
    return msgspec.structs.replace(what, target=False, descriptions=described)


def _narrowed(description: Description, verbs: list[str]) -> Description:
    needed = [NEEDED[verb] for verb in verbs if verb in NEEDED]
    words = dict.fromkeys([*description.words, *needed])
    suffixes = dict.fromkeys([*description.suffixes, *([("yours", "")] if "sacrifice" in verbs else [])])
    return msgspec.structs.replace(description, words=tuple(words), suffixes=tuple(suffixes))
