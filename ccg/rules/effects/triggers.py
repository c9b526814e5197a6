"""When triggered and replacing abilities are set off: from a phrase to kinds of event and what must fit."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ccg.rules.cards.phrases import Occasion, PhraseError
from ccg.rules.core import selectors
from ccg.rules.core.engine import Engine, InstructionKind
from ccg.rules.core.events import Event, EventKind
from ccg.rules.core.selectors import Test
from ccg.rules.core.state import Context, Phase, Stage

Fits = Callable[[Engine, Context, Event], bool]

LEAVING: tuple[EventKind, ...] = ("defeat", "sacrifice", "put", "exchange")


def trigger_condition(
    occasion: Occasion, during: Callable[[Engine, Context], bool] | None = None
) -> tuple[tuple[EventKind, ...], Fits]:
    """Return the kinds of event that ``occasion`` is about, and a test whether one of them sets it off.

    It does so only while ``during`` holds, if that is given.
    """
    if occasion.kind not in _OCCASIONS:
        raise PhraseError(f"{occasion.kind.replace('_', ' ')} cannot set an ability off")
    kinds, make = _OCCASIONS[occasion.kind]
    fits = make(selectors.spoken(selectors.test(occasion.who)) if occasion.who is not None else _anything)
    if during is None:
        return kinds, fits
    return kinds, lambda engine, context, event: during(engine, context) and fits(engine, context, event)


def replacing(occasion: Occasion) -> tuple[InstructionKind, Callable[[Engine, Context, int], bool]]:
    """Return the kind of instruction that may be replaced, and a test whether a subject fits.

    The subject of a defeat is a piece, that of a loss of influence a seat.
    """
    if occasion.kind == "would_be_defeated" and occasion.who is not None:
        return "defeat", partial(_would_be, selectors.spoken(selectors.test(occasion.who)))
    if occasion.kind == "you_would_lose":
        return "lose influence", lambda engine, context, subject: subject == context.you
    raise PhraseError(f"nothing can happen instead of {occasion.kind.replace('_', ' ')}")


def reacting(occasion: Occasion) -> Test:
    """Return a test whether a challenger is one against which a card says that it can be played."""
    if occasion.kind == "challenged_by" and occasion.who is not None:
        return selectors.spoken(selectors.test(occasion.who))
    if occasion.kind == "you_challenged":
        return _anything
    raise PhraseError(f"no card is played as {occasion.kind.replace('_', ' ')}")


def _would_be(who: Test, engine: Engine, context: Context, subject: int) -> bool:
    """The piece is among ``who``, and no earlier replacement has taken it out of play."""
    piece = engine.find(subject)
    return piece is not None and who(engine, context, piece)


def _anything(engine: Engine, context: Context, piece: object) -> bool:
    return True


def _the_piece(who: Test) -> Fits:
    """The piece of the event is among ``who``."""

    def fits(engine: Engine, context: Context, event: Event) -> bool:
        piece = engine.find(event.piece or 0)
        return piece is not None and who(engine, context, piece)

    return fits


def _left(who: Test) -> Fits:
    """The piece of the event is among ``who``, and does not only go to another area."""
    among = _the_piece(who)
    return lambda engine, context, event: event.to != "reserve" and among(engine, context, event)


def _against_you(who: Test) -> Fits:
    return lambda engine, context, event: event.opponent == context.you and event.target is None


def _against_you_by(who: Test) -> Fits:
    among = _the_piece(who)
    return lambda engine, context, event: _against_you(who)(engine, context, event) and among(engine, context, event)


def _undefended(who: Test) -> Fits:
    def fits(engine: Engine, context: Context, event: Event) -> bool:
        challenge = engine.state.challenge
        if challenge is None:
            return False
        context.about = challenge.challenger
        challenger = engine.find(challenge.challenger)
        return challenger is not None and who(engine, context, challenger)

    return fits


def _beats_challenger(who: Test) -> Fits:
    """The challenger is defeated by ``who``, the defender, as the outcome of the challenge."""

    def fits(engine: Engine, context: Context, event: Event) -> bool:
        challenge = engine.state.challenge
        if challenge is None or challenge.stage != Stage.RESULT or event.piece != challenge.challenger:
            return False
        context.x = challenge.margin
        winner = engine.find(challenge.defender)
        return not challenge.threat and challenge.margin > 0 and winner is not None and who(engine, context, winner)

    return fits


def _beats_threat(who: Test) -> Fits:
    """A Cylon threat is defeated by ``who``, the challenger."""

    def fits(engine: Engine, context: Context, event: Event) -> bool:
        challenge = engine.state.challenge
        if challenge is None or challenge.stage != Stage.RESULT or event.piece != challenge.threat:
            return False
        winner = engine.find(challenge.challenger)
        return winner is not None and who(engine, context, winner)

    return fits


def _beaten_by_threat(who: Test) -> Fits:
    """One of ``who`` is defeated by a Cylon threat it has challenged."""
    among = _the_piece(who)

    def fits(engine: Engine, context: Context, event: Event) -> bool:
        challenge = engine.state.challenge
        if challenge is None or not challenge.threat or challenge.stage != Stage.RESULT:
            return False
        return event.piece == challenge.challenger and among(engine, context, event)

    return fits


def _by_you(who: Test) -> Fits:
    return lambda engine, context, event: event.player == context.you


def _ready_begins(who: Test) -> Fits:
    return lambda engine, context, event: event.to == Phase.READY.value


def _by_anyone(who: Test) -> Fits:
    return lambda engine, context, event: True


_OCCASIONS: dict[str, tuple[tuple[EventKind, ...], Callable[[Test], Fits]]] = {
    "you_challenged": (("challenge",), _against_you),
    "challenged_by": (("challenge",), _against_you_by),
    "challenges": (("challenge",), _the_piece),
    "undefended": (("decline",), _undefended),
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
