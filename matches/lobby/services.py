"""What can be done with matches besides playing them: one verb a function. Rematches and lessons are beside it.

Each checks, writes in one short transaction, and arranges for what follows to happen after the commit.
What cannot be done raises :class:`LobbyError` with a sentence for people.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from ccg.locking import lock_people
from decks.table_decks import TableDeck
from matches.clocks import standing as standings
from matches.clocks import tempo as tempos
from matches.clocks.manners import StandIn
from matches.clocks.tempo import Tempo
from matches.hints.notifications import notify_table
from matches.lobby import attendance, beginning, invites, seating
from matches.lobby.errors import LobbyError
from matches.models import Match, MatchSeat, new_nonce
from matches.players import DEFAULT
from matches.playing import moves
from matches.seats import stand_ins
from matches.seats.rated import NEEDS_ACCOUNT, NEEDS_CLOCKS
from matches.shuffles.fair import Given
from matches.storage import database
from matches.storage.seat_sets import seats_of

RATED_DELAY = 1
"""Full turns that those who look on at a rated match are behind."""

OPEN_INVITES = 20
"""Tables at which one person may wait at a time, their own and those of others."""


def play_computer(
    user: Any, deck: TableDeck, computers: Iterable[TableDeck], policy: str = DEFAULT, given: Given | None = None
) -> Match:
    """Begin a match of ``user`` against the computer, with one opponent for each of its decks.

    ``given`` are the words of ``user`` for the shuffles, here as in all that sits somebody down.
    """
    decks = list(computers)

    def begin() -> Match:
        seating.refuse_more(user)
        match = Match.objects.create(players=1 + len(decks))
        seats = [seating.person(match, 0, user, deck)]
        seats += [seating.computer(match, number, other, policy, len(decks)) for number, other in enumerate(decks, 1)]
        seating.store(seats)
        seating.take_words(match, user, given)
        beginning.begin(match)
        return match

    return database.write(begin)


def has_played(user: Any) -> bool:
    """Whether ``user`` has ever sat down at a match that is no lesson."""
    return Match.objects.filter(seats__user=user, lesson="").exists()


def invite(
    user: Any,
    deck: TableDeck,
    players: int,
    *,
    watchable: bool = True,
    listed: bool = False,
    rated: bool = False,
    tempo: Tempo = tempos.UNTIMED,
    given: Given | None = None,
) -> Match:
    """Open a table for 2 to 8 ``players`` with ``user`` in the first seat; the others come by its link.

    With ``listed`` anybody may join it, from the list of open tables. With ``rated`` it counts for ratings, and only
    people with an account may sit down; LobbyError (``account``) for a guest who wants that, ``tempo`` without clocks.
    """
    if not 2 <= players <= 8:
        raise LobbyError("players", "A match has two to eight players.")
    _refuse_guests(user, rated)
    if rated and not tempo.timed:
        raise LobbyError("tempo", NEEDS_CLOCKS)

    def begin() -> Match:
        seating.refuse_more(user, tempo)
        _refuse_more_waiting(user)
        match = Match.objects.create(
            players=players,
            watchable=watchable,
            listed=listed,
            rated=rated,
            tempo=str(tempo),
            delay=_delay_of(rated),
        )
        invites.open_link(match)
        free = [MatchSeat(match=match, number=number) for number in range(1, players)]
        seating.store([seating.person(match, 0, user, deck), *free])
        attendance.here(match, user)
        seating.take_words(match, user, given)
        notify_table(match.public_id, listed)
        return match

    return database.write(begin)


def begin_between(people: Sequence[tuple[Any, TableDeck, Given | None]], *, rated: bool, tempo: Tempo) -> Match:
    """Begin a match of these people with their decks and words: what the queues begin.

    Inside a transaction. Raises LobbyError if it cannot begin.
    """
    lock_people(user.pk for user, _, _ in people)
    match = Match.objects.create(
        players=len(people),
        rated=rated,
        listed=True,
        from_queue=True,
        tempo=str(tempo),
        delay=_delay_of(rated),
    )
    seating.store([seating.person(match, number, user, deck) for number, (user, deck, _) in enumerate(people)])
    for user, _, given in people:
        seating.take_words(match, user, given)
    beginning.begin(match)
    return match


def invited(token: str) -> Match:
    """Return the match that an invite link belongs to; raises ``Match.DoesNotExist``."""
    if len(token) != invites.TOKEN_LENGTH:
        raise Match.DoesNotExist
    return Match.objects.get(invite_hash=invites.hash_of(token))


def join(match: Match, user: Any, deck: TableDeck, given: Given | None = None) -> Match:
    """Take a free seat at an open table. The match begins when that was the last one.

    Locks the match, so that of two people for one seat only one gets it. Raises LobbyError if there is
    none free (``full``), the user has one (``seated``), the table is open no more (``closed``), it is rated and
    the user a guest (``account``), or they play or wait at too many tables (``too_many``). Where the match cannot begin
    because of somebody else who sits there (``setup``, ``suspended``, ``not_legal``, ``gone``), that one leaves the
    table, so that it does not wait for ever.
    """
    _refuse_guests(user, match.rated)

    def take() -> Match:
        locked = seating.locked_row(match)
        if seating.own_seat(locked, user) is not None:
            raise LobbyError("seated", "You have a seat at this table already.")
        free = free_seat(locked)
        seating.lock_all(locked, user)
        seating.refuse_more(user, tempos.read(locked.tempo))
        _refuse_more_waiting(user)
        _refuse_gone(locked)
        seating.person(locked, free.number, user, deck, free).save()
        attendance.here(locked, user)
        seating.take_words(locked, user, given)
        beginning.begin_if_complete(locked)
        notify_table(locked.public_id, locked.listed)
        return locked

    return begun(take, lambda: match)


def free_seat(match: Match) -> MatchSeat:
    """Return the first free seat of a table that waits for somebody; raises LobbyError (``full``, ``closed``)."""
    if match.state == Match.State.ABANDONED:
        raise LobbyError("closed", "This invitation has been withdrawn.")
    free = match.seats.filter(kind=MatchSeat.Kind.FREE).order_by("number").first()
    if match.state != Match.State.OPEN or free is None:
        raise LobbyError("full", "All seats at this table are taken.")
    return free


def withdraw(match: Match, user: Any) -> bool:
    """Close an open table: its host takes the invitation back, or a guest gets up again.

    Whoever sits in the first seat ends it for all; anybody else frees their own seat. Return whether the table is now
    closed. Raises LobbyError (``closed``) if it was open no more, or ``user`` has no seat there.
    """

    def leave() -> bool:
        locked = seating.locked_row(match)
        seat = seating.own_seat(locked, user)
        if seat is None or locked.state != Match.State.OPEN:
            raise LobbyError("closed", "This table is not waiting any more.")
        closes = seat.number == 0 or locked.rematch_of_id is not None
        if closes:
            # Out of the way of a new invitation, or of another offer of a rematch.
            locked.state, locked.invite_hash, locked.rematch_of = Match.State.ABANDONED, None, None
            locked.finished = timezone.now()
            locked.save(update_fields=["state", "invite_hash", "rematch_of", "finished", "changed"])
        else:
            MatchSeat.objects.filter(pk=seat.pk).delete()
            MatchSeat.objects.create(match=locked, number=seat.number)
        notify_table(locked.public_id, locked.listed)
        return closes

    return database.write(leave)


def begin_now(match: Match, user: Any, computers: Callable[[], TableDeck] | None = None) -> Match:
    """Begin an open table at which seats are free: without them, or with the computer in them.

    ``computers`` returns the deck of one computer. Raises LobbyError for anybody but the host, and if the table is open
    no more or has no free seat (``closed``); for fewer than two players (``players``); for computers at a rated table
    (``rated``); and as :func:`join` does where the match cannot begin.
    """

    def begin() -> Match:
        locked = seating.locked_row(match)
        own = seating.own_seat(locked, user)
        free = locked.seats.filter(kind=MatchSeat.Kind.FREE)
        if own is None or own.number != 0 or locked.state != Match.State.OPEN or not free:
            raise LobbyError("closed", "This table is not waiting any more.")
        seating.lock_all(locked, user)
        seating.refuse_more(user, tempos.read(locked.tempo))
        _refuse_gone(locked)
        if computers is None:
            _leave_out(locked, free)
        else:
            _give_to_computers(locked, free, computers)
        beginning.begin_if_complete(locked)
        notify_table(locked.public_id, locked.listed)
        return locked

    return begun(begin, lambda: match)


def take_seat(match: Match, user: Any) -> Match:
    """Let ``user`` play on in a seat that those at the table have left free for somebody else.

    They see its hand from then on, and are not rated for the match. Raises LobbyError if no seat is free any more
    (``full``), they have one (``seated``), or they had another one and know the hand there (``knows``).
    """
    if seating.own_seat(match, user) is not None:
        raise LobbyError("seated", "You have a seat at this table already.")
    free, had = free_seats(match), set(match.left_seats.filter(user=user).values_list("seat", flat=True))
    if had and not had.intersection(free):
        raise LobbyError("knows", "You have played here before, and know a hand that is not that of this seat.")
    database.write(partial(seating.refuse_more, user, tempos.read(match.tempo)))
    why = "No seat at this table is free any more."
    for seat in had.intersection(free) or free:
        command = StandIn(
            id=f"seat-{secrets.token_hex(8)}", seat=seat, user=user.pk, name=stand_ins.name_of(user)
        )  # fmt: skip
        outcome = moves.act(match.public_id, moves.Actor.runs_the_site(), command)
        if isinstance(outcome, moves.Accepted):
            return match
        if outcome.code == "busy":
            raise LobbyError("busy", outcome.message)
        why = outcome.message
    raise LobbyError("full", why)


def free_seats(match: Match) -> tuple[int, ...]:
    """Return the seats of a running match that somebody else may take."""
    if match.state != Match.State.RUNNING:
        return ()
    return seats_of(standings.read(bytes(match.standing), match.players, match.version).free)


def new_link(match: Match, user: Any) -> None:
    """Replace the invite link of an open table; the old one opens nothing any more.

    Raises LobbyError (``closed``) for anybody but its host, and if the table is open no more.
    """

    def renew() -> None:
        locked = seating.locked_row(match)
        seat = seating.own_seat(locked, user)
        if seat is None or seat.number != 0 or locked.state != Match.State.OPEN:
            raise LobbyError("closed", "This table is not waiting any more.")
        locked.invite_nonce = new_nonce()
        locked.invite_hash = invites.hash_of(invites.token_of(locked))
        locked.save(update_fields=["invite_nonce", "invite_hash", "changed"])

    database.write(renew)


def open_invites(user: Any) -> QuerySet[Match]:
    """Return the open tables at which ``user`` sits and waits, newest first."""
    return Match.objects.filter(state=Match.State.OPEN, seats__user=user).order_by("-created")


# -- inside


def _delay_of(rated: bool) -> int:
    """Return how many full turns those who look on are behind; at a rated table they could help a player."""
    return RATED_DELAY if rated else 0


def _refuse_guests(user: Any, rated: bool) -> None:
    if rated and user.is_guest:
        raise LobbyError("account", NEEDS_ACCOUNT)


def _refuse_more_waiting(user: Any) -> None:
    """Raise LobbyError (``too_many``) if ``user`` waits at as many tables as they may.

    A rematch that others have asked for counts only once ``user`` has said yes.
    """
    waiting = Match.objects.filter(state=Match.State.OPEN, seats__user=user, seats__joined=True)
    if waiting.count() >= OPEN_INVITES:
        raise LobbyError("too_many", f"You wait at {OPEN_INVITES} tables, which is the most there can be. Leave one.")


def _refuse_gone(match: Match) -> None:
    """Raise LobbyError (``gone``) if somebody who sits at an open table is there no more, and has to be."""
    seat = attendance.gone(match).first() if attendance.needed(match) else None
    if seat is not None:
        whole = seat.number == 0 or match.rematch_of_id is not None
        then = "so the table is closed. Look for another one." if whole else "and the seat is free. Sit down once more."
        raise LobbyError("gone", f"{seat.name} has left this table, {then}", seat.user_id)


def _leave_out(match: Match, free: QuerySet[MatchSeat]) -> None:
    """Take the ``free`` seats of an open table away, and let the others move up."""
    players = match.players - len(free)
    if players < 2:
        raise LobbyError("players", "A match has two players at least: wait for somebody, or play with the computer.")
    free.delete()
    for number, seat in enumerate(match.seats.order_by("number")):
        MatchSeat.objects.filter(pk=seat.pk).update(number=number)
    match.players = players
    match.save(update_fields=["players", "changed"])


def _give_to_computers(match: Match, free: QuerySet[MatchSeat], deck: Callable[[], TableDeck]) -> None:
    """Let a computer sit down on each of the ``free`` seats of an open table."""
    if match.rated:
        raise LobbyError("rated", "The computer plays in no rated match.")
    numbers = sorted(free.values_list("number", flat=True))
    free.delete()
    seating.store([seating.computer(match, number, deck(), DEFAULT, len(numbers)) for number in numbers])


def begun(work: Callable[[], Match], waiting: Callable[[], Match | None]) -> Match:
    """Do ``work``, with which a match may begin, in a transaction; raises the LobbyError that it raises.

    Who stands in the way of all at the table that is ``waiting`` leaves it, so that it does not wait for ever.
    """
    try:
        return database.write(work)
    except LobbyError as error:
        table = waiting() if error.at_fault is not None else None
        if table is not None:
            with suppress(LobbyError):  # they do not sit there: they were about to
                withdraw(table, error.at_fault)
        raise
