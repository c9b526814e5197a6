"""Giving standing orders, taking them off, and reading them: what players do with them.

Whoever writes an order locks the row of the match, as a move does. So of an order and a move that come at once the
second one sees the first: the move finds the seat in ``Match.orders``, or the order finds its seat among those that
must decide.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from django.db.models import F, Q, QuerySet
from msgspec import Struct

from ccg.rules import EventView, Game
from matches.models import Match, Move
from matches.orders import wording
from matches.orders.matching import Ended, NotPossible, Order, Terms, Verdict, challenge_of, check, has_begun, judge
from matches.orders.models import MARK, StandingOrder, mark_in
from matches.playing import answer_queue, match_cache
from matches.protocol.messages import RefusalCode
from matches.seats import stand_ins
from matches.storage import database, seat_sets, stored_events
from matches.table import table_view

Judged = tuple[StandingOrder, Verdict]

MOST = 8
"""Orders that a player may have armed in one match."""

NO_SEAT = "Only who has a seat can give orders."

State = StandingOrder.State


class OrderError(Exception):
    """What was asked was not done; the text says why."""

    def __init__(self, code: RefusalCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class ShownOrder(Struct, frozen=True):
    """An order as its owner is told of it: ``why`` is what has disarmed it, if anything."""

    number: int
    text: str
    answered: int
    why: str


class Listing(Struct, frozen=True):
    """The orders of a player in a match, and those that they could give now."""

    version: int
    told: list[ShownOrder]
    offered: list[Order]


def give(match_id: str, user_id: int | None, action_id: str, version: int, terms: Terms) -> None:
    """Arm an order for this player, who saw the table at ``version``; raises :class:`OrderError`.

    With an ``action_id`` that was used before it is the same order. One with equal terms takes the place of an older
    one.
    """
    match, seat = _match_and_seat(match_id, user_id)
    _, game, _ = table_view.current_game(match)
    view = game.view(None)
    try:
        turn, phase = check(terms, view, seat)
    except NotPossible as error:
        raise OrderError("not_allowed", str(error)) from error
    unseen = [event for _, event in public_events(match.pk, version)]
    given = StandingOrder(
        match=match, seat=seat, action_id=action_id, since=version, turn=turn, phase=phase,
        challenge=challenge_of(view, seat), begun=has_begun(view, turn, phase, unseen), decision=terms.decision,
        when=terms.when, number=terms.number, scope=terms.scope, until=terms.until,
    )  # fmt: skip
    if database.write(lambda: _arm(given, user_id)):
        answer_queue.request(match_id)


def drop(match_id: str, user_id: int | None, number: int) -> None:
    """Take an order off, or forget one that was disarmed; one that is gone already does no harm."""
    match, seat = _match_and_seat(match_id, user_id)

    def change() -> None:
        _lock(match.pk)
        StandingOrder.objects.filter(match=match, seat=seat, pk=number).delete()
        _note_seat(match.pk, seat)

    database.write(change)


def listing(match_id: str, user_id: int | None) -> Listing:
    """Return the orders of this player, as they stand at the table as it is; raises :class:`OrderError`."""
    match, seat = _match_and_seat(match_id, user_id)
    version, game, _ = table_view.current_game(match)
    view = game.view(None)
    close(match.pk, seat, judged(match.pk, seat, game))
    rows = StandingOrder.objects.filter(match=match, seat=seat)
    answers = _answers(match.pk, seat)
    told = [ShownOrder(row.pk, wording.told(row.order), answers[row.mark], row.why) for row in rows]
    return Listing(version, told, wording.offered(view, seat))


def judged(match_pk: int, seat: int, game: Game) -> list[Judged]:
    """Return what each armed order of ``seat`` says at the table of ``game``; the oldest is the first."""
    rows = list(_armed(match_pk, seat))
    if not rows:
        return []
    view, events = game.view(None), public_events(match_pk, min(row.since for row in rows))
    return [(row, judge(row.order, view, events)) for row in rows]


def public_events(match_pk: int, since: int) -> list[tuple[int, EventView]]:
    """Return what has happened after version ``since``, as anybody may know it."""
    moves = Move.objects.filter(match=match_pk, seq__gt=since).order_by("seq").values_list("seq", "events")
    return [(seq, event) for seq, packed in moves for event in stored_events.seen_by(bytes(packed), None)]


def close(match_pk: int, seat: int, verdicts: Sequence[Judged]) -> None:
    """Store which orders have ended: what is over is gone, what was disarmed stays until its owner has seen why."""
    ended = [(row.pk, verdict) for row, verdict in verdicts if isinstance(verdict, Ended)]
    if not ended:
        return

    def change() -> None:
        _lock(match_pk)
        for pk, verdict in ended:
            row = StandingOrder.objects.filter(pk=pk, state=State.ARMED)
            if verdict.state == "over":
                row.delete()
            else:
                row.update(state=State.DISARMED, why=verdict.why)
        _note_seat(match_pk, seat)

    database.write(change)


def nothing_to_answer(match_pk: int, version: int, seat: int, looked_at: Sequence[int]) -> None:
    """Note that the question asked at ``version`` is for the player, by the orders ``looked_at`` and no newer one."""

    def change() -> None:
        _lock(match_pk)
        armed = set(_armed(match_pk, seat).values_list("pk", flat=True))
        if armed <= set(looked_at):
            Match.objects.filter(pk=match_pk, version=version).update(answer_due=False)

    database.write(change)


def by_site() -> Q:
    """Return which moves the site has made for players: ids of clients hold no space."""
    return Q(action_id__contains=" ")


def disarmed(match_pk: int, seat: int) -> str:
    """Return in a sentence which order of ``seat`` was disarmed last, and why; "" if there is none to tell of."""
    row = StandingOrder.objects.filter(match=match_pk, seat=seat, state=State.DISARMED).last()
    return "" if row is None else f"Your order “{wording.sentence(row.terms)}” holds no more. {row.why}"


# -- inside


def _match_and_seat(match_id: str, user_id: int | None) -> tuple[Match, int]:
    facts = match_cache.facts_of(match_id)
    seat = facts.seat_of(user_id) if facts is not None else None
    if facts is None:
        raise OrderError("no_seat", NO_SEAT)
    if seat is None:
        raise OrderError("no_seat", stand_ins.without_seat(facts.pk, user_id, NO_SEAT))
    if facts.lesson:
        raise OrderError("not_allowed", "There are no orders in a lesson.")
    match = Match.objects.get(pk=facts.pk)
    if match.state != Match.State.RUNNING:
        raise OrderError("over", "The match is over.")
    if match.outdated:
        raise OrderError("outdated", "This match was begun with an older version of the rules program.")
    return match, seat


def _arm(given: StandingOrder, user_id: int | None) -> bool:
    """Store a new order; return whether its owner must decide now. Raises :class:`OrderError`."""
    match = _lock(given.match_id)
    if not match.seats.filter(number=given.seat, user=user_id).exists():
        # Somebody else has come to sit there since the table was read, and would have it answer for them.
        raise OrderError("no_seat", stand_ins.without_seat(match.pk, user_id, NO_SEAT))
    orders = StandingOrder.objects.filter(match=match, seat=given.seat)
    before = orders.filter(action_id=given.action_id).first()
    if before is not None:
        if before.terms != given.terms:
            raise OrderError("id_reused", "This action id was used for another order before.")
        return False
    if match.state != Match.State.RUNNING:
        raise OrderError("over", "The match is over.")
    if given.since > match.version:
        raise OrderError("ahead", "The table has not come that far.")
    same = [row.pk for row in orders if (row.terms, row.turn, row.phase) == (given.terms, given.turn, given.phase)]
    orders.filter(pk__in=same).delete()
    if orders.filter(state=State.ARMED).count() >= MOST:
        raise OrderError("not_allowed", f"Nobody can have more than {MOST} orders. Take one off first.")
    given.pk = None  # this may be tried twice
    given.save(force_insert=True)
    _note_seat(match.pk, given.seat)
    decides = match.must_decide(given.seat)
    if decides:
        Match.objects.filter(pk=match.pk).update(answer_due=True)
    return decides


def _lock(match_pk: int) -> Match:
    """Let moves and other orders of this match wait until the transaction ends."""
    return Match.objects.select_for_update(no_key=True).defer("saved", "seed").get(pk=match_pk)


def _note_seat(match_pk: int, seat: int) -> None:
    """Note at the match whether ``seat`` has orders, so that a move finds that out without looking for them."""
    bit = seat_sets.bits_of([seat])
    has_some = _armed(match_pk, seat).exists()
    bits = F("orders").bitor(bit) if has_some else F("orders").bitand(~bit & seat_sets.bits_of(range(seat_sets.MOST)))
    Match.objects.filter(pk=match_pk).update(orders=bits)


def _armed(match_pk: int, seat: int) -> QuerySet[StandingOrder]:
    return StandingOrder.objects.filter(match=match_pk, seat=seat, state=State.ARMED)


def _answers(match_pk: int, seat: int) -> Counter[str]:
    """Return how many moves the orders of ``seat`` have made, by the mark of each order."""
    moves = Move.objects.filter(match=match_pk, seat=seat, action_id__startswith=MARK)
    return Counter(mark_in(name) for name in moves.values_list("action_id", flat=True))
