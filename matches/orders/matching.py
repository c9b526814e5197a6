"""When a standing order answers, and when it ends. Pure: terms, public facts and public events in, a verdict out.

Everything here is looked up in what anybody at the table may know. So the moment at which an order answers, stays
silent or is disarmed says nothing about any hand, its owner's included.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from ccg.rules import EventView, View
from ccg.rules.core.state import WINNING_INFLUENCE
from ccg.rules.telling.view import ChallengeView
from matches.protocol.messages import OrderScope, OrderUntil, OrderWhen

Challenge = Literal["", "own", "other"]
"""Whether a challenge was going on as an order was given, and whether its owner had declared it."""

PHASES = ("setup", "ready", "execution", "cylon")


class Terms(Struct, frozen=True):
    """What an order says: which kind of decision it answers, when, for how long, and what disarms it.

    ``number`` is that of ``at_most``. ``until`` an "event" that it was not meant for, or the "end" of its ``scope``
    whatever others do.
    """

    decision: str
    when: OrderWhen = "always"
    number: int = 0
    scope: OrderScope = "phase"
    until: OrderUntil = "event"


class Order(Struct, frozen=True):
    """An order that was given at the version ``since``, for the ``phase`` of a ``turn``.

    ``begun`` says that its owner saw that phase going on as they gave it.
    """

    terms: Terms
    seat: int
    since: int
    turn: int
    phase: str
    challenge: Challenge = ""
    begun: bool = False


class Answer(Struct, frozen=True):
    """The question is answered with this verb."""

    verb: str


class Silent(Struct, frozen=True):
    """The order has nothing to say now, and stays."""


class Ended(Struct, frozen=True):
    """The order is over (its time has come), or disarmed (something unforeseen has happened)."""

    state: Literal["over", "disarmed"]
    why: str


Verdict = Answer | Silent | Ended
SILENT = Silent()


class Kind(Struct, frozen=True):
    """What an order for one kind of decision can be: in which phases, with which answers and conditions.

    ``answers`` are the verbs that do nothing, by the kind of decision; ``meant_for`` is what an order of this kind is
    given for, so that it does not disarm it; with ``only_in_challenges`` nothing outside of a challenge does.
    """

    phases: tuple[str, ...]
    answers: dict[str, str]
    whens: tuple[OrderWhen, ...] = ("always",)
    scopes: tuple[OrderScope, ...] = ("phase",)
    meant_for: frozenset[str] = frozenset()
    only_in_challenges: bool = False


DEEDS: dict[str, str] = {
    "play": "played a card",
    "resolve": "resolved a mission",
    "use": "used an ability",
    "boost": "used a card for power",
    "challenge": "challenged",
}
"""What others do, by the kind of the event, in the words with which it is told."""

UNFORESEEN: dict[str, str] = {
    "trigger": "An ability has been triggered.",
    "red": "The red text of a Cylon threat took effect.",
    "defeat": "A card was defeated.",
    "sacrifice": "A card was sacrificed.",
    "gain": "Somebody has gained influence.",
    "lose influence": "Somebody has lost influence.",
}
"""What happens, whoever did it."""

ALWAYS_UNFORESEEN: dict[str, str] = {
    "taken back": "A move was taken back.",
    "lose": "A player is out of the game.",
    "concede": "A player has left the game.",
    "out of time": "A player has left the game.",
    "absent": "A player has left the game.",
}
"""What disarms every order, also those that hold until their end."""

IN_CHALLENGES = frozenset(UNFORESEEN)
"""What comes of challenges, and is no surprise to whoever has answered beforehand for them."""

KINDS: dict[str, Kind] = {
    "action": Kind(("execution",), {"action": "pass"}, ("always", "they_pass")),
    "effects": Kind(
        ("execution", "cylon"),
        {"effects": "pass"},
        ("always", "undefended"),
        ("phase", "challenge"),
        meant_for=frozenset({"challenge"}),
        only_in_challenges=True,
    ),
    "defend": Kind(
        ("execution",),
        {"defend": "decline", "react": "no"},
        ("always", "not_by_ship", "not_by_personnel", "at_most"),
        meant_for=frozenset(DEEDS) | IN_CHALLENGES,
    ),
    "cylon": Kind(
        ("cylon",), {"cylon": "pass"}, meant_for=frozenset({"challenge", "play", "use", "boost"}) | IN_CHALLENGES
    ),
    "resource_card": Kind(("ready",), {"resource_card": "pass"}, meant_for=frozenset(DEEDS) | IN_CHALLENGES),
}
"""The kinds of decision that an order can answer. In each of them one answer does nothing, and is always there."""

CANNOT: dict[str, str] = {
    "opening_hand": "An opening hand has to be seen before anybody can say whether to keep it.",
    "payment": "A payment is part of a move of your own.",
    "reorder": "Which card is to lie on top depends on what is there then.",
    "mystic_value": "A mystic value is chosen among cards that only the challenge will show.",
}
OTHERWISE = "This asks for a choice among things that nobody knows beforehand, so no order can answer it."


LOST_BY_PASSING = 1
"""What it costs to leave the Cylon threats alone, once."""


class NotPossible(Exception):
    """No order can say that; the message is a sentence for whoever tried."""


def check(terms: Terms, view: View, seat: int) -> tuple[int, str]:
    """Return the turn and phase for which an order with these ``terms`` would be, given at the table of ``view``.

    Raises :class:`NotPossible`. That the order fits nothing now is no reason: it may be for a phase that comes next.
    """
    kind = KINDS.get(terms.decision)
    if kind is None:
        raise NotPossible(CANNOT.get(terms.decision, OTHERWISE))
    if terms.when not in kind.whens or terms.scope not in kind.scopes:
        raise NotPossible("An order for this kind of decision cannot say that.")
    if (terms.when == "at_most") != (terms.number > 0):
        raise NotPossible("A number belongs to “at most” and to nothing else.")
    if terms.when == "they_pass" and terms.until == "end":
        raise NotPossible("“If they pass” ends as soon as they do anything else.")
    if view.result is not None or view.players[seat].lost:
        raise NotPossible("You are not in the game any more.")
    if terms.scope == "challenge" and view.challenge is None:
        raise NotPossible("There is no challenge now.")
    if terms.scope == "challenge":
        return view.turn, view.phase
    here = PHASES.index(view.phase)
    later = next((phase for phase in kind.phases if PHASES.index(phase) >= here), None)
    return (view.turn, later) if later is not None else (view.turn + 1, kind.phases[0])


def challenge_of(view: View, seat: int) -> Challenge:
    """Return whether there is a challenge, and whether it is one of ``seat``."""
    if view.challenge is None:
        return ""
    return "own" if view.challenge.challenging == seat else "other"


def has_begun(view: View, turn: int, phase: str, events: Iterable[EventView]) -> bool:
    """Return whether the ``phase`` of a ``turn`` was going on for whoever saw the table before these ``events``."""
    return (view.turn, view.phase) == (turn, phase) and all(event.kind != "phase" for event in events)


def judge(order: Order, view: View, events: Sequence[tuple[int, EventView]]) -> Verdict:
    """Return what ``order`` says at the table of ``view``, as anybody sees it.

    ``events`` are the public ones, with their versions; those up to ``order.since`` are passed over.
    """
    happened = [event for version, event in events if version > order.since]
    ended = _ended(order, view, happened)
    if ended is not None:
        return ended
    decision, kind = view.decision, KINDS[order.terms.decision]
    if decision is None or decision.seat != order.seat or decision.kind not in kind.answers:
        return SILENT
    if (view.turn, view.phase) != (order.turn, order.phase):
        return SILENT
    costs = _would_cost_the_game(order, view)
    if costs is not None:
        return costs
    return Answer(kind.answers[decision.kind]) if _fits(order, view, happened) else SILENT


def _ended(order: Order, view: View, happened: Sequence[EventView]) -> Ended | None:
    for event in happened:
        if event.kind in ALWAYS_UNFORESEEN:
            return Ended("disarmed", ALWAYS_UNFORESEEN[event.kind])
    over = _over(order, view, happened)
    unforeseen = _unforeseen(order, happened) if order.terms.until == "event" else None
    if over is not None and order.terms.scope == "phase":
        return over
    return unforeseen or over


def _over(order: Order, view: View, happened: Iterable[EventView]) -> Ended | None:
    if order.terms.scope == "challenge" and any(event.kind == "challenge over" for event in happened):
        return Ended("over", "The challenge is over.")
    if _phase_is_over(order, view, happened):
        return Ended("over", "The phase is over.")
    return Ended("over", "The game is over.") if view.result is not None else None


def _phase_is_over(order: Order, view: View, happened: Iterable[EventView]) -> bool:
    """Return whether the phase of the order is over, also where a turn has another one of its kind."""
    if (view.turn, PHASES.index(view.phase)) > (order.turn, PHASES.index(order.phase)):
        return True
    begun = order.begun
    for event in happened:
        if event.kind != "phase" or event.to not in PHASES:
            continue
        if begun or (event.number == order.turn and PHASES.index(event.to) > PHASES.index(order.phase)):
            return True
        begun = (event.number, event.to) == (order.turn, order.phase)
    return False


def _unforeseen(order: Order, happened: Iterable[EventView]) -> Ended | None:
    """Return why the order is disarmed, if anything has happened for which it was not given.

    What comes of the owner's own deeds is no surprise to them.
    """
    kind, in_challenge, own = KINDS[order.terms.decision], order.challenge != "", order.challenge == "own"
    for event in happened:
        in_challenge = event.kind == "challenge" or (in_challenge and event.kind != "challenge over")
        deed = event.kind in DEEDS
        own = own or (deed and event.player == order.seat)
        if event.kind in kind.meant_for or not (in_challenge or not kind.only_in_challenges):
            continue
        if deed and event.player != order.seat:
            return Ended("disarmed", f"Somebody else {DEEDS[event.kind]}.")
        if event.kind in UNFORESEEN and not own:
            return Ended("disarmed", UNFORESEEN[event.kind])
    return None


def _have_passed(order: Order, happened: Iterable[EventView]) -> set[int | None]:
    """Return who has passed an action since anybody did anything; passes within a challenge are none."""
    passed: set[int | None] = set()
    in_challenge = order.challenge != ""
    for event in happened:
        in_challenge = event.kind == "challenge" or (in_challenge and event.kind != "challenge over")
        if event.kind in DEEDS or event.kind == "phase":
            passed.clear()
        elif event.kind == "pass" and not in_challenge:
            passed.add(event.player)
    return passed


def _would_cost_the_game(order: Order, view: View) -> Ended | None:
    """Return why the order is disarmed, if its answer could end the game for its owner there and then.

    What may be gained instead of the loss counts as well: somebody else wins by that.
    """
    influence = view.players[order.seat].influence
    if order.terms.decision == "cylon":
        return Ended("disarmed", "To pass would cost you all your influence.") if influence <= LOST_BY_PASSING else None
    challenge = view.challenge
    if challenge is None or challenge.challenged != order.seat:
        return None
    lethal, winning = challenge.stake >= influence, _could_win_by_manipulate(challenge, view)
    match order.terms.decision:
        case "defend" if lethal:
            return Ended("disarmed", "Not to defend would cost you all your influence.")
        case "defend" if winning:
            return Ended("disarmed", "Not to defend would let somebody else win.")
        case "effects" if lethal and challenge.defender is None:
            return Ended("disarmed", "Nobody defends, and that would cost you all your influence.")
        case "effects" if winning and challenge.defender is None:
            return Ended("disarmed", "Nobody defends, and that would let somebody else win.")
    return None


def _could_win_by_manipulate(challenge: ChallengeView, view: View) -> bool:
    """Return whether gaining what is at stake, instead of the challenged player losing it, would be enough to win."""
    player = view.players[challenge.challenging]
    challenger = next((piece for piece in (*player.alert, *player.reserve) if piece.id == challenge.challenger), None)
    manipulates = challenger is not None and "manipulate" in challenger.keywords
    return manipulates and challenge.stake > 0 and player.influence + challenge.stake >= WINNING_INFLUENCE


def _fits(order: Order, view: View, happened: Sequence[EventView]) -> bool:
    """Return whether the condition of the order holds."""
    challenge, terms = view.challenge, order.terms
    match terms.when:
        case "always":
            return True
        case "they_pass":
            others = {player.seat for player in view.players if not player.lost and player.seat != order.seat}
            return others <= _have_passed(order, happened)
        case "undefended":
            return challenge is not None and challenge.challenged is not None and challenge.defender is None
        case "not_by_ship":
            return challenge is not None and challenge.as_type != "ship"
        case "not_by_personnel":
            return challenge is not None and challenge.as_type != "personnel"
        case "at_most":
            return challenge is not None and challenge.stake <= terms.number
