"""Everything that can be done with matches besides playing them: one verb a function.

Each checks, writes in one short transaction, and arranges for what follows to happen after the commit.
What cannot be done raises :class:`LobbyError` with a sentence for people.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from cards_data import catalog as card_data
from ccg.locking import lock_people, lock_person
from ccg.rules.scenario.files import ScenarioError
from ccg.suspension import refuse_suspended
from decks.social import opinions
from decks.table_decks import TableDeck, is_public_now
from matches.clocks import standing as standings
from matches.clocks import tempo as tempos
from matches.clocks.manners import StandIn
from matches.clocks.tempo import Tempo
from matches.lessons import files as lesson_files
from matches.lessons import script
from matches.lessons.files import Lesson
from matches.lobby import attendance, beginning, invites
from matches.lobby.errors import LobbyError
from matches.models import Match, MatchSeat, by_correspondence, new_nonce
from matches.players import DEFAULT
from matches.playing import match_cache, moves
from matches.protocol.messages import Choose, Concede
from matches.seats import stand_ins
from matches.seats.rated import NEEDS_ACCOUNT, NEEDS_CLOCKS, is_asked_for
from matches.seats.stand_ins import COMPUTER_NAME
from matches.shuffles import services as shuffles
from matches.shuffles.fair import Given
from matches.storage import database
from matches.storage.seat_sets import seats_of

RATED_DELAY = 1
"""Full turns that those who look on at a rated match are behind."""

OPEN_INVITES = 20
"""Tables one person may have waiting at a time."""

SEAT_FIELDS = (
    "number",
    "kind",
    "user",
    "policy",
    "name",
    "base",
    "cards",
    "deck_label",
    "deck_version",
    "deck_private",
    "deck_public",
    "deck_format",
)
"""What a seat of a rematch has from the seat before."""


def play_computer(
    user: Any, deck: TableDeck, computers: Iterable[TableDeck], policy: str = DEFAULT, given: Given | None = None
) -> Match:
    """Begin a match of ``user`` against the computer, with one opponent for each of its decks.

    ``given`` are the words of ``user`` for the shuffles, here as in all that sits somebody down.
    """
    decks = list(computers)

    def begin() -> Match:
        refuse_more(user)
        match = Match.objects.create(players=1 + len(decks))
        seats = [_person(match, 0, user, deck)]
        seats += [_computer(match, number, other, policy, len(decks)) for number, other in enumerate(decks, 1)]
        _seat(seats)
        _take_words(match, user, given)
        beginning.begin(match)
        return match

    return database.write(begin)


def play_lesson(user: Any, slug: str) -> Match:
    """Begin a lesson for ``user``; lessons of the same name that still run for them are given up.

    Nobody may watch it, and no record of a deck counts it. Raises KeyError for a lesson that does not exist,
    LobbyError if it cannot begin with the cards of this site.
    """
    told = lesson_files.lesson(slug)
    refuse_suspended(user)
    for old in running_lessons(user).filter(lesson=slug).values_list("public_id", flat=True):
        moves.act(old, moves.Actor.person(user.pk), Concede(id=f"again-{secrets.token_hex(8)}"))

    def begin() -> Match:
        match = Match.objects.create(players=2, watchable=False, lesson=slug)
        seats = [_person(match, 0, user, you), _computer(match, 1, computer, DEFAULT, 1)]
        for seat, deck in zip(seats, (you, computer), strict=True):
            seat.cards = list(deck.cards)  # as it has to lie, so that the lesson's cards come
        _seat(seats)
        beginning.begin(match)
        return match

    try:
        you, computer = _lesson_decks(told)
    except ScenarioError as error:
        raise LobbyError("setup", f"The lesson cannot begin: {error}.") from error
    match = database.write(begin)
    _make_first_moves(match, user)
    return match


def running_lessons(user: Any) -> QuerySet[Match]:
    """Return the lessons that ``user`` has begun and not ended, latest first."""
    return Match.objects.filter(state=Match.State.RUNNING, seats__user=user).exclude(lesson="").order_by("-changed")


def running_matches(user: Any) -> QuerySet[Match]:
    """Return the matches of ``user`` that go on, without lessons, latest first."""
    return Match.objects.filter(state=Match.State.RUNNING, seats__user=user, lesson="").order_by("-changed")


def has_played(user: Any) -> bool:
    """Whether ``user`` has ever sat down at a match that is no lesson."""
    return Match.objects.filter(seats__user=user, lesson="").exists()


def refuse_more(user: Any, tempo: Tempo = tempos.UNTIMED) -> None:
    """Inside the transaction that begins a match for ``user``: raise LobbyError (``too_many``) if they play too many.

    Nobody plays more than a few at a time, and each holds memory and work of the site. Matches by correspondence are
    what one has many of, and are counted apart; lessons end each other. Raises ``ccg.suspension.Suspended`` for whoever
    is suspended.
    """
    refuse_suspended(user)
    slow = tempo.kind == "correspondence"
    most = settings.CORRESPONDENCE_MATCHES if slow else settings.RUNNING_MATCHES
    if not most:
        return
    lock_person(user)
    alike = by_correspondence() if slow else ~by_correspondence()
    if running_matches(user).filter(alike).count() >= most:
        kind = "running matches by correspondence" if slow else "running matches"
        raise LobbyError("too_many", f"You have as many {kind} as you may ({most}). Play or concede one of them first.")


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
        if open_invites(user).count() >= OPEN_INVITES:
            raise LobbyError("too_many", f"You have {OPEN_INVITES} tables waiting. Withdraw one of them first.")
        refuse_more(user, tempo)
        match = Match.objects.create(
            players=players,
            watchable=watchable,
            listed=listed,
            rated=rated,
            tempo=str(tempo),
            delay=_delay_of(rated),
        )
        match.invite_hash = invites.hash_of(invites.token_of(match))
        match.save(update_fields=["invite_hash"])
        _seat([_person(match, 0, user, deck)] + [MatchSeat(match=match, number=n) for n in range(1, players)])
        attendance.here(match, user)
        _take_words(match, user, given)
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
    _seat([_person(match, number, user, deck) for number, (user, deck, _) in enumerate(people)])
    for user, _, given in people:
        _take_words(match, user, given)
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
    none free (``full``), the user has one (``seated``), the table is open no more (``closed``), or it is rated and
    the user a guest (``account``). Where the match cannot begin because of somebody else who sits there (``setup``,
    ``suspended``, ``not_legal``, ``gone``), that one leaves the table, so that it does not wait for ever.
    """
    _refuse_guests(user, match.rated)

    def take() -> Match:
        locked = _locked(match)
        if _own_seat(locked, user) is not None:
            raise LobbyError("seated", "You have a seat at this table already.")
        free = free_seat(locked)
        _lock_all(locked, user)
        refuse_more(user, tempos.read(locked.tempo))
        _refuse_gone(locked)
        _person(locked, free.number, user, deck, free).save()
        attendance.here(locked, user)
        _take_words(locked, user, given)
        beginning.begin_if_complete(locked)
        return locked

    return _begun(take, lambda: match)


def free_seat(match: Match) -> MatchSeat:
    """Return the first free seat of a table that waits for somebody; raises LobbyError (``full``, ``closed``)."""
    if match.state == Match.State.ABANDONED:
        raise LobbyError("closed", "This invitation has been withdrawn.")
    free = match.seats.filter(kind=MatchSeat.Kind.FREE).order_by("number").first()
    if match.state != Match.State.OPEN or free is None:
        raise LobbyError("full", "All seats at this table are taken.")
    return free


def withdraw(match: Match, user: Any) -> None:
    """Close an open table: its host takes the invitation back, or a guest gets up again.

    Whoever sits in the first seat ends it for all; anybody else frees their own seat. Raises LobbyError (``closed``) if
    the table is open no more, or ``user`` has no seat there.
    """

    def leave() -> None:
        locked = _locked(match)
        seat = _own_seat(locked, user)
        if seat is None or locked.state != Match.State.OPEN:
            raise LobbyError("closed", "This table is not waiting any more.")
        if seat.number == 0 or locked.rematch_of_id is not None:
            # Out of the way of a new invitation, or of another offer of a rematch.
            locked.state, locked.invite_hash, locked.rematch_of = Match.State.ABANDONED, None, None
            locked.finished = timezone.now()
            locked.save(update_fields=["state", "invite_hash", "rematch_of", "finished", "changed"])
        else:
            MatchSeat.objects.filter(pk=seat.pk).delete()
            MatchSeat.objects.create(match=locked, number=seat.number)

    database.write(leave)


def begin_now(match: Match, user: Any, computers: Callable[[], TableDeck] | None = None) -> Match:
    """Begin an open table at which seats are free: without them, or with the computer in them.

    ``computers`` returns the deck of one computer. Raises LobbyError for anybody but the host, and if the table is open
    no more or has no free seat (``closed``); for fewer than two players (``players``); for computers at a rated table
    (``rated``); and as :func:`join` does where the match cannot begin.
    """

    def begin() -> Match:
        locked = _locked(match)
        own = _own_seat(locked, user)
        free = locked.seats.filter(kind=MatchSeat.Kind.FREE)
        if own is None or own.number != 0 or locked.state != Match.State.OPEN or not free:
            raise LobbyError("closed", "This table is not waiting any more.")
        _lock_all(locked, user)
        refuse_more(user, tempos.read(locked.tempo))
        _refuse_gone(locked)
        if computers is None:
            _leave_out(locked, free)
        else:
            _give_to_computers(locked, free, computers)
        beginning.begin_if_complete(locked)
        return locked

    return _begun(begin, lambda: match)


def take_seat(match: Match, user: Any) -> Match:
    """Let ``user`` play on in a seat that those at the table have left free for somebody else.

    They see its hand from then on, and are not rated for the match. Raises LobbyError if no seat is free any more
    (``full``), or they have one (``seated``).
    """
    if _own_seat(match, user) is not None:
        raise LobbyError("seated", "You have a seat at this table already.")
    database.write(partial(refuse_more, user, tempos.read(match.tempo)))
    for seat in free_seats(match):
        command = StandIn(
            id=f"seat-{secrets.token_hex(8)}", seat=seat, user=user.pk, name=stand_ins.name_of(user)
        )  # fmt: skip
        outcome = moves.act(match.public_id, moves.Actor.runs_the_site(), command)
        if isinstance(outcome, moves.Accepted):
            return match
        if outcome.code == "busy":
            raise LobbyError("busy", outcome.message)
    raise LobbyError("full", "No seat at this table is free any more.")


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
        locked = _locked(match)
        seat = _own_seat(locked, user)
        if seat is None or seat.number != 0 or locked.state != Match.State.OPEN:
            raise LobbyError("closed", "This table is not waiting any more.")
        locked.invite_nonce = new_nonce()
        locked.invite_hash = invites.hash_of(invites.token_of(locked))
        locked.save(update_fields=["invite_nonce", "invite_hash", "changed"])

    database.write(renew)


def rematch(match: Match, user: Any, given: Given | None = None) -> Match:
    """Ask for, or agree to, another match of the same people with the same decks.

    It begins when all have said yes; computers always do. Two who ask at once get the same match. Where that takes
    that all are there (``attendance.needed``), who has said yes and gone is asked again. A lesson is begun anew.
    Raises LobbyError while the match is not over, for somebody who did not play, and where one of them blocks another;
    where it cannot begin because of one of them (``suspended``, ``not_legal``), the offer is taken back, so that nobody
    waits for it.
    """
    if match.lesson in lesson_files.LESSONS and match.state == Match.State.FINISHED and _own_seat(match, user):
        return play_lesson(user, match.lesson)

    def again() -> Match:
        old = _locked(match)
        if old.state != Match.State.FINISHED:
            raise LobbyError("not_over", "The match is not over yet.")
        own = _own_seat(old, user)
        if own is None:
            raise LobbyError("no_seat", "Only those who played can play it again.")
        if own.stand_in:
            raise LobbyError("no_seat", "You played on for somebody else, with their deck: others ask for a rematch.")
        _lock_all(old, user)
        new = Match.objects.filter(rematch_of=old).first()
        if new is None or new.state == Match.State.OPEN:
            _refuse_blocked(old, user)
            refuse_more(user, tempos.read(old.tempo))
        new = new or _copy(old)
        if new.state == Match.State.OPEN:
            locked = _locked(new)
            MatchSeat.objects.filter(match=locked, user=user).update(joined=True)
            attendance.here(locked, user)
            if attendance.needed(locked):
                attendance.gone(locked).update(joined=False)
            _take_words(locked, user, given)
            beginning.begin_if_complete(locked)
            return locked
        return new

    return _begun(again, lambda: Match.objects.filter(rematch_of=match, state=Match.State.OPEN).first())


def open_invites(user: Any) -> QuerySet[Match]:
    """Return the open tables at which ``user`` sits and waits, newest first."""
    return Match.objects.filter(state=Match.State.OPEN, seats__user=user).order_by("-created")


def deck_columns(deck: TableDeck) -> dict[str, Any]:
    """Return the columns that hold a copy of ``deck`` for a seat, in order of ids: nobody chooses how it lies."""
    return {
        "base": deck.base,
        "cards": sorted(deck.cards),
        "deck_label": deck.label[:120],
        "deck_version": deck.version,
        "deck_private": deck.private,
        "deck_public": deck.public,
        "deck_format": deck.format,
    }


# -- inside


def _locked(match: Match) -> Match:
    return Match.objects.select_for_update().get(pk=match.pk)


def _lock_all(match: Match, user: Any) -> None:
    """Lock ``user`` and all who sit at a table, before any of them alone: it may be with them that the match begins.

    What they have begun together within a day is counted then (``matches.seats.rated``).
    """
    lock_people([user.pk, *match.seats.exclude(user=None).values_list("user_id", flat=True)])


def _refuse_blocked(match: Match, user: Any) -> None:
    """Raise LobbyError (``blocked``) if somebody who played blocks another of them."""
    blocks = opinions.blocks_among(match.seats.exclude(user=None).values_list("user_id", flat=True))
    if any(by == user.pk for by, _ in blocks):
        raise LobbyError("blocked", "You block somebody who played here, so they are not asked.")
    if blocks:
        raise LobbyError("blocked", "Not everybody who played here wants to hear from the others.")


def _delay_of(rated: bool) -> int:
    """Return how many full turns those who look on are behind; at a rated table they could help a player."""
    return RATED_DELAY if rated else 0


def _refuse_guests(user: Any, rated: bool) -> None:
    if rated and user.is_guest:
        raise LobbyError("account", NEEDS_ACCOUNT)


def _refuse_gone(match: Match) -> None:
    """Raise LobbyError (``gone``) if somebody who sits at an open table is there no more, and has to be."""
    seat = attendance.gone(match).first() if attendance.needed(match) else None
    if seat is not None:
        whole = seat.number == 0 or match.rematch_of_id is not None
        then = "so the table is closed. Look for another one." if whole else "and the seat is free. Sit down once more."
        raise LobbyError("gone", f"{seat.name} has left this table, {then}", seat.user_id)


def _take_words(match: Match, user: Any, given: Given | None) -> None:
    """Keep what somebody who has just sat down gave for the shuffles; raises LobbyError if it cannot be taken."""
    try:
        shuffles.take(match.seats.get(user=user), given)
    except shuffles.NotTaken as error:
        raise LobbyError("shuffle", str(error)) from error


def _own_seat(match: Match, user: Any) -> MatchSeat | None:
    return match.seats.filter(user=user).first()


def _person(match: Match, number: int, user: Any, deck: TableDeck, seat: MatchSeat | None = None) -> MatchSeat:
    seat = seat or MatchSeat(match=match, number=number)
    seat.kind, seat.user, seat.joined = MatchSeat.Kind.PERSON, user, True
    seat.name = stand_ins.name_of(user)
    for field, value in deck_columns(deck).items():
        setattr(seat, field, value)
    return seat


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
    _seat([_computer(match, number, deck(), DEFAULT, len(numbers)) for number in numbers])


def _computer(match: Match, number: int, deck: TableDeck, policy: str, of: int) -> MatchSeat:
    return MatchSeat(
        match=match,
        number=number,
        kind=MatchSeat.Kind.COMPUTER,
        joined=True,
        policy=policy,
        name=f"{COMPUTER_NAME} {number}" if of > 1 else COMPUTER_NAME,
        **deck_columns(deck),
    )


def _make_first_moves(match: Match, user: Any) -> None:
    """Make the moves of a lesson that come before the player does; a move that somebody else made meanwhile is fine."""
    told = script.script(match.lesson, match_cache.catalog_of(match.catalog))
    for version, move in enumerate(told.moves[: told.before]):
        person = move.seat == script.LEARNER
        actor = moves.Actor.person(user.pk) if person else moves.Actor.computer(move.seat)
        moves.act(
            match.public_id, actor, Choose(id=moves.site_id("before", version), version=version, option=move.option)
        )


def _lesson_decks(told: Lesson) -> list[TableDeck]:
    """Return what the two players of a lesson sit down with; raises ScenarioError for cards that are not there."""
    seats = script.seats(told, card_data.current())
    labels = (told.you.label, told.computer.label)
    return [
        TableDeck(base=seat.base, cards=tuple(seat.deck), label=label, version="", private=False)
        for seat, label in zip(seats, labels, strict=True)
    ]


def _seat(seats: list[MatchSeat]) -> None:
    MatchSeat.objects.bulk_create(seats)


def _copy(old: Match) -> Match:
    """Make the open table of a rematch; whoever has left the site meanwhile leaves a free seat."""
    new = Match.objects.create(
        players=old.players,
        watchable=old.watchable,
        rated=is_asked_for(old),
        delay=old.delay,
        tempo=old.tempo,
        rematch_of=old,
    )
    new.invite_hash = invites.hash_of(invites.token_of(new))
    new.save(update_fields=["invite_hash"])
    seats = []
    for seat in old.seats.select_related("user").order_by("number"):
        if seat.stand_in or (seat.kind == MatchSeat.Kind.PERSON and seat.user_id is None):
            seats.append(MatchSeat(match=new, number=seat.number))
            continue
        same = {field: getattr(seat, field) for field in SEAT_FIELDS}
        if seat.user is not None:
            same["name"] = stand_ins.name_of(seat.user)  # whoever was called otherwise then
            same["deck_public"] = is_public_now(seat.deck_version)
            same["deck_private"] = not same["deck_public"]
        seats.append(MatchSeat(match=new, joined=seat.kind == MatchSeat.Kind.COMPUTER, **same))
    _seat(seats)
    return new


def _begun(work: Callable[[], Match], waiting: Callable[[], Match | None]) -> Match:
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
