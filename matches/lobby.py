"""Everything that can be done with matches besides playing them: one verb a function.

Each checks, writes in one short transaction, and arranges for what follows to happen after the commit.
What cannot be done raises :class:`LobbyError` with a sentence for people.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from cards_data import catalog as card_data
from ccg.rules import Catalog, Game, Seat, SetupError
from ccg.rules.saving import ENGINE_VERSION
from ccg.rules.scenario.files import ScenarioError
from decks.services import TableDeck
from matches import database, invites, match_cache, moves
from matches.clocks import site_time, vacations
from matches.clocks import standing as standings
from matches.clocks import tempo as tempos
from matches.clocks.tempo import Tempo
from matches.former import FORMER_PLAYER
from matches.lessons import files as lesson_files
from matches.lessons import script
from matches.lessons.files import Lesson
from matches.models import Match, MatchSeat, new_nonce
from matches.players import DEFAULT
from matches.protocol import Choose, Concede
from matches.rated import NEEDS_ACCOUNT, settle
from matches.shuffles import services as shuffles
from matches.shuffles.fair import Given
from matches.watching import delay

RATED_DELAY = 1
"""Full turns that those who look on at a rated match are behind."""

OPEN_INVITES = 20
"""Tables one person may have waiting at a time."""

COMPUTER_NAME = "Computer"

OUTDATED = "outdated"
"""The reason of a result: the match was ended because the engine that began it is no longer there."""

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
)
"""What a seat of a rematch has from the seat before."""


class LobbyError(Exception):
    """Something cannot be done; ``code`` is short and stable, the text is for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def play_computer(
    user: Any, deck: TableDeck, computers: Iterable[TableDeck], policy: str = DEFAULT, given: Given | None = None
) -> Match:
    """Begin a match of ``user`` against the computer, with one opponent for each of its decks.

    ``given`` are the words of ``user`` for the shuffles, here as in all that sits somebody down.
    """
    decks = list(computers)

    def begin() -> Match:
        match = Match.objects.create(players=1 + len(decks))
        seats = [_person(match, 0, user, deck)]
        seats += [_computer(match, number, other, policy, len(decks)) for number, other in enumerate(decks, 1)]
        _seat(seats)
        _take_words(match, user, given)
        _begin(match)
        return match

    return database.write(begin)


def play_lesson(user: Any, slug: str) -> Match:
    """Begin a lesson for ``user``; lessons of the same name that still run for them are given up.

    Nobody may watch it, and no record of a deck counts it. Raises KeyError for a lesson that does not exist,
    LobbyError if it cannot begin with the cards of this site.
    """
    told = lesson_files.lesson(slug)
    for old in running_lessons(user).filter(lesson=slug).values_list("public_id", flat=True):
        moves.act(old, moves.Actor.person(user.pk), Concede(id=f"again-{secrets.token_hex(8)}"))

    def begin() -> Match:
        match = Match.objects.create(players=2, watchable=False, lesson=slug)
        _seat([_person(match, 0, user, you), _computer(match, 1, computer, DEFAULT, 1)])
        _begin(match)
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
    people with an account may sit down; LobbyError (``account``) for a guest who wants that.
    """
    if not 2 <= players <= 8:
        raise LobbyError("players", "A match has two to eight players.")
    _refuse_guests(user, rated)

    def begin() -> Match:
        if open_invites(user).count() >= OPEN_INVITES:
            raise LobbyError("too_many", f"You have {OPEN_INVITES} tables waiting. Withdraw one of them first.")
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
        _take_words(match, user, given)
        return match

    return database.write(begin)


def begin_between(people: Sequence[tuple[Any, TableDeck, Given | None]], *, rated: bool, tempo: Tempo) -> Match:
    """Begin a match of these people with their decks and words, seated by chance: what the queues begin.

    Inside a transaction. Raises LobbyError if it cannot begin.
    """
    seated = list(people)
    secrets.SystemRandom().shuffle(seated)
    match = Match.objects.create(
        players=len(seated), rated=rated, listed=True, tempo=str(tempo), delay=_delay_of(rated)
    )
    _seat([_person(match, number, user, deck) for number, (user, deck, _) in enumerate(seated)])
    for user, _, given in seated:
        _take_words(match, user, given)
    _begin(match)
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
    the user a guest (``account``).
    """
    _refuse_guests(user, match.rated)

    def take() -> Match:
        locked = _locked(match)
        if _own_seat(locked, user) is not None:
            raise LobbyError("seated", "You have a seat at this table already.")
        if locked.state == Match.State.ABANDONED:
            raise LobbyError("closed", "This invitation has been withdrawn.")
        free = locked.seats.filter(kind=MatchSeat.Kind.FREE).order_by("number").first()
        if locked.state != Match.State.OPEN or free is None:
            raise LobbyError("full", "All seats at this table are taken.")
        _person(locked, free.number, user, deck, free).save()
        _take_words(locked, user, given)
        _begin_if_complete(locked)
        return locked

    return database.write(take)


def withdraw(match: Match, user: Any) -> None:
    """Close an open table: its host takes the invitation back, or a guest gets up again.

    Whoever sits in the first seat ends it for all; anybody else frees their own seat.
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


def leave_all(user: Any) -> None:
    """Leave all tables of ``user``, whose account is deleted: open ones are left, matches conceded.

    In matches that are over, the name of the seat becomes that of nobody in particular.
    """
    own = MatchSeat.objects.filter(user=user)
    for seat in own.filter(match__state=Match.State.OPEN).select_related("match"):
        withdraw(seat.match, user)
    for public_id in own.filter(match__state=Match.State.RUNNING).values_list("match__public_id", flat=True):
        moves.act(public_id, moves.Actor.person(user.pk), Concede(id=f"left-{secrets.token_hex(8)}"))
    own.update(name=FORMER_PLAYER)


def new_link(match: Match, user: Any) -> None:
    """Replace the invite link of an open table; the old one opens nothing any more."""

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

    It begins when all have said yes; computers always do. Two who ask at once get the same match.
    A lesson is begun anew. Raises LobbyError while the match is not over, or for somebody who did not play.
    """
    if match.lesson in lesson_files.LESSONS and match.state == Match.State.FINISHED and _own_seat(match, user):
        return play_lesson(user, match.lesson)

    def again() -> Match:
        old = _locked(match)
        if old.state != Match.State.FINISHED:
            raise LobbyError("not_over", "The match is not over yet.")
        if _own_seat(old, user) is None:
            raise LobbyError("no_seat", "Only those who played can play it again.")
        new = Match.objects.filter(rematch_of=old).first() or _copy(old)
        if new.state == Match.State.OPEN:
            locked = _locked(new)
            MatchSeat.objects.filter(match=locked, user=user).update(joined=True)
            _take_words(locked, user, given)
            _begin_if_complete(locked)
            return locked
        return new

    return database.write(again)


def end_outdated() -> int:
    """End every running match that an older engine has saved, as this one cannot go on with it; return how many.

    Nobody wins or loses. Moves and result are kept, and players find them among their finished matches.
    """
    now = timezone.now()
    old = Match.objects.filter(state=Match.State.RUNNING).exclude(engine_version=str(ENGINE_VERSION))
    return database.write(
        lambda: old.update(
            state=Match.State.FINISHED,
            finished=now,
            changed=now,
            deciders=0,
            deadline=None,
            computer_to_move=False,
            rated=False,
            unrated_why=OUTDATED,
            result={"winners": [], "losers": [], "reason": OUTDATED},
        )
    )


def open_invites(user: Any) -> QuerySet[Match]:
    """Return the open tables at which ``user`` sits and waits, newest first."""
    return Match.objects.filter(state=Match.State.OPEN, seats__user=user).order_by("-created")


def record_seats(match: Match) -> list[Seat]:
    """Return the seats of a match as the engine is started with them."""
    return [Seat(seat.name, seat.base, tuple(seat.cards)) for seat in match.seats.order_by("number")]


# -- inside


def _locked(match: Match) -> Match:
    return Match.objects.select_for_update().get(pk=match.pk)


def _delay_of(rated: bool) -> int:
    """Return how many full turns those who look on are behind; at a rated table they could help a player."""
    return RATED_DELAY if rated else 0


def _refuse_guests(user: Any, rated: bool) -> None:
    if rated and user.is_guest:
        raise LobbyError("account", NEEDS_ACCOUNT)


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
    seat.name = str(user.get_short_name() or user.get_username())[:80]
    for field, value in _copy_of(deck).items():
        setattr(seat, field, value)
    return seat


def _computer(match: Match, number: int, deck: TableDeck, policy: str, of: int) -> MatchSeat:
    return MatchSeat(
        match=match,
        number=number,
        kind=MatchSeat.Kind.COMPUTER,
        joined=True,
        policy=policy,
        name=f"{COMPUTER_NAME} {number}" if of > 1 else COMPUTER_NAME,
        **_copy_of(deck),
    )


def _copy_of(deck: TableDeck) -> dict[str, Any]:
    """Return the columns of a seat that hold its own copy of ``deck``."""
    return {
        "base": deck.base,
        "cards": list(deck.cards),
        "deck_label": deck.label[:120],
        "deck_version": deck.version,
        "deck_private": deck.private,
    }


def _make_first_moves(match: Match, user: Any) -> None:
    """Make the moves of a lesson that come before the player does; a move that somebody else made meanwhile is fine."""
    told = script.script(match.lesson, match_cache.catalog_of(match.catalog))
    for version, move in enumerate(told.moves[: told.before]):
        person = move.seat == script.LEARNER
        actor = moves.Actor.person(user.pk) if person else moves.Actor.computer(move.seat)
        moves.act(match.public_id, actor, Choose(id=f"before-{version}", version=version, option=move.option))


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
        rated=old.rated,
        delay=old.delay,
        tempo=old.tempo,
        rematch_of=old,
    )
    new.invite_hash = invites.hash_of(invites.token_of(new))
    new.save(update_fields=["invite_hash"])
    seats = []
    for seat in old.seats.order_by("number"):
        if seat.kind == MatchSeat.Kind.PERSON and seat.user_id is None:
            seats.append(MatchSeat(match=new, number=seat.number))
            continue
        same = {field: getattr(seat, field) for field in SEAT_FIELDS}
        seats.append(MatchSeat(match=new, joined=seat.kind == MatchSeat.Kind.COMPUTER, **same))
    _seat(seats)
    return new


def _begin_if_complete(match: Match) -> None:
    if not match.seats.filter(joined=False).exists():
        _begin(match)


def _begin(match: Match) -> None:
    """Inside a transaction: start the game of a table at which every seat is taken."""
    catalog: Catalog = card_data.current()
    seed = script.seed_of(match.lesson) or shuffles.seed_for(match)
    try:
        game = Game.start(record_seats(match), catalog, seed)
    except SetupError as error:
        raise LobbyError("setup", f"The match cannot begin: {error.message}") from error
    computers = frozenset(match.seats.filter(kind=MatchSeat.Kind.COMPUTER).values_list("number", flat=True))
    match.catalog, match.engine_version, match.seed = catalog.fingerprint, str(ENGINE_VERSION), seed
    match.saved, match.digest, match.version = game.save(), game.digest(), 0
    match.state, match.started = Match.State.RUNNING, timezone.now()
    settle(match, match.seats.select_related("user").defer("cards"))
    tempo = tempos.read(match.tempo)
    now, away = (site_time.now(), vacations.away_at(match)) if tempo.timed else (0, 0)
    standing = standings.begin(game, match.players, tempo, computers, now, away)
    match.standing, match.deadline = standings.written(standing), standings.deadline(standing)
    for field, value in moves.match_columns(game, computers).items():
        setattr(match, field, value)
    match.save()
    if match.delay:
        delay.keep(match.pk, match.delay, 0, 0, match.saved)
    more = moves.follow_up(match.public_id, 0, game, computers)
    if more is not None:
        more()
    transaction.on_commit(partial(moves.tell, match.public_id, 0, game, match.standing))
