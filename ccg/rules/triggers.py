"""When triggered and replacing abilities are set off: from a phrase to kinds of event and what must fit."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ccg.rules import selecting
from ccg.rules.agenda import Engine
from ccg.rules.events import Event
from ccg.rules.language.phrases import Occasion, PhraseError
from ccg.rules.selecting import Test
from ccg.rules.state import Phase, Scope, Stage

Fits = Callable[[Engine, Scope, Event], bool]

LEAVING = ("defeat", "sacrifice", "put", "exchange")


def listening(
    occasion: Occasion, during: Callable[[Engine, Scope], bool] | None = None
) -> tuple[tuple[str, ...], Fits]:
    """Give the kinds of event that ``occasion`` is about, and the question whether one of them sets it off.

    It does so only while ``during`` holds, if that is given.
    """
    if occasion.kind not in _OCCASIONS:
        raise PhraseError(f"{occasion.kind.replace('_', ' ')} cannot set an ability off")
    kinds, make = _OCCASIONS[occasion.kind]
    fits = make(selecting.test(occasion.who) if occasion.who is not None else _anything)
    if during is None:
        return kinds, fits
    return kinds, lambda engine, scope, event: during(engine, scope) and fits(engine, scope, event)


def replacing(occasion: Occasion) -> tuple[str, Callable[[Engine, Scope, int], bool]]:
    """Give the kind of instruction that may be replaced, and the question whether a subject fits.

    The subject of a defeat is a piece, that of a loss of influence a seat.
    """
    if occasion.kind == "would_be_defeated" and occasion.who is not None:
        return "defeat", partial(_would_be, selecting.test(occasion.who))
    if occasion.kind == "you_would_lose":
        return "lose influence", lambda engine, scope, subject: subject == scope.you
    raise PhraseError(f"nothing can happen instead of {occasion.kind.replace('_', ' ')}")


def _would_be(who: Test, engine: Engine, scope: Scope, subject: int) -> bool:
    """The piece is among ``who``, and no earlier replacement has taken it out of play."""
    piece = engine.find(subject)
    return piece is not None and who(engine, scope, piece)


def _anything(engine: Engine, scope: Scope, piece: object) -> bool:
    return True


def _the_piece(who: Test) -> Fits:
    """The piece of the event is among ``who``."""

    def fits(engine: Engine, scope: Scope, event: Event) -> bool:
        piece = engine.find(event.piece or 0)
        return piece is not None and who(engine, scope, piece)

    return fits


def _left(who: Test) -> Fits:
    """The piece of the event is among ``who``, and does not only go to another area."""
    among = _the_piece(who)
    return lambda engine, scope, event: event.to != "reserve" and among(engine, scope, event)


def _against_you(who: Test) -> Fits:
    return lambda engine, scope, event: event.opponent == scope.you and event.target is None


def _undefended(who: Test) -> Fits:
    def fits(engine: Engine, scope: Scope, event: Event) -> bool:
        challenge = engine.state.challenge
        if challenge is None:
            return False
        scope.about = challenge.challenger
        challenger = engine.find(challenge.challenger)
        return challenger is not None and who(engine, scope, challenger)

    return fits


def _beats_challenger(who: Test) -> Fits:
    """The challenger is defeated by ``who``, the defender, as the outcome of the challenge."""

    def fits(engine: Engine, scope: Scope, event: Event) -> bool:
        challenge = engine.state.challenge
        if challenge is None or challenge.stage != Stage.RESULT or event.piece != challenge.challenger:
            return False
        scope.x = challenge.margin
        winner = engine.find(challenge.defender)
        return not challenge.threat and challenge.margin > 0 and winner is not None and who(engine, scope, winner)

    return fits


def _beats_threat(who: Test) -> Fits:
    """A Cylon threat is defeated by ``who``, the challenger."""

    def fits(engine: Engine, scope: Scope, event: Event) -> bool:
        challenge = engine.state.challenge
        if challenge is None or challenge.stage != Stage.RESULT or event.piece != challenge.threat:
            return False
        winner = engine.find(challenge.challenger)
        return winner is not None and who(engine, scope, winner)

    return fits


def _beaten_by_threat(who: Test) -> Fits:
    """One of ``who`` is defeated by a Cylon threat it has challenged."""
    among = _the_piece(who)

    def fits(engine: Engine, scope: Scope, event: Event) -> bool:
        challenge = engine.state.challenge
        if challenge is None or not challenge.threat or challenge.stage != Stage.RESULT:
            return False
        return event.piece == challenge.challenger and among(engine, scope, event)

    return fits


def _by_you(who: Test) -> Fits:
    return lambda engine, scope, event: event.player == scope.you


def _ready_begins(who: Test) -> Fits:
    return lambda engine, scope, event: event.to == Phase.READY.value


def _by_anyone(who: Test) -> Fits:
    return lambda engine, scope, event: True


_OCCASIONS: dict[str, tuple[tuple[str, ...], Callable[[Test], Fits]]] = {
    "you_challenged": (("challenge",), _against_you),
    "challenges": (("challenge",), _the_piece),
    "undefended": (("decline",), _undefended),
    "challenge_ends": (("challenge over",), _the_piece),
    "enters": (("enter", "overlay"), _the_piece),
    "defeated": (("defeat",), _the_piece),
    "beats_challenger": (("defeat",), _beats_challenger),
    "beats_threat": (("defeat",), _beats_threat),
    "beaten_by_threat": (("defeat",), _beaten_by_threat),
    "leaves": (LEAVING, _left),
    "wins": (("wins",), _the_piece),
    "you_play_event": (("event over",), _by_you),
    "you_resolve": (("resolve",), _by_you),
    "ready_begins": (("phase",), _ready_begins),
    "you_lose": (("lose influence",), _by_you),
    "draws": (("draw",), _by_anyone),
    "you_reveal": (("mystic",), _by_you),
    "threats_revealed": (("threats",), _by_anyone),
}
