"""The door of the table: the one way to change a running match.

:func:`act` opens the table, checks who asks, what for and at which version, lets the engine choose, and
stores the new state together with the move in one transaction that is conditional on the version. Any
process can do it at any time; whoever comes second finds the version changed and is told so. Nothing is
told to anybody before the commit.

It has three steps, so that a server can run each where it belongs: :func:`open_table` reads the
database, :func:`play` only computes, :func:`store` writes. :func:`act` is all three in a row.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from msgspec import Struct

from ccg.outbox.services import post
from ccg.rules import Catalog, Event, Game, IllegalOption, StateError
from matches import happened, keeping, news, storing, waiting
from matches.models import Match, Move
from matches.protocol import Back, Choose, Concede, RefusalCode
from matches.work import on_database, on_engine

Command = Choose | Back | Concede

TRIES = 5
"""How often a command that met a newer version is looked at again before the table counts as busy."""

ARCHIVE_TASK = "matches.archive"


class Actor(Struct, frozen=True):
    """Who wants something: a person, who may act on their own seat only, or the computer at ``seat``."""

    user_id: int | None = None
    seat: int | None = None

    @classmethod
    def person(cls, user_id: int | None) -> Actor:
        """Give the actor for somebody who is signed in (None: who is not)."""
        return cls(user_id=user_id)

    @classmethod
    def computer(cls, seat: int) -> Actor:
        """Give the actor for the computer player at ``seat``."""
        return cls(seat=seat)


class Accepted(Struct, frozen=True):
    """The move is part of the match and made ``version``."""

    version: int
    over: bool = False


class Refusal(Struct, frozen=True):
    """The move was refused and nothing has changed; ``version`` is where the match stands."""

    code: RefusalCode
    message: str
    version: int = 0


Outcome = Accepted | Refusal


class Opened(Struct, frozen=True):
    """A table as it was read, with a command that may be tried on it."""

    match_pk: int
    match_id: str
    version: int
    players: int
    seat: int
    computers: frozenset[int]
    command: Command
    game: Game | None
    saved: bytes
    catalog: Catalog


class Played(Struct, frozen=True):
    """What a command made of the table: to be stored."""

    opened: Opened
    game: Game
    saved: bytes
    digest: str
    events: bytes


class Moved(Exception):
    """The match went on while we looked; look again."""


OUTDATED = "This match was begun with an older version of the rules program and cannot go on."
NO_TABLE = Refusal("no_such_table", "There is no such table, or it is not for you.")


def act(match_id: str, actor: Actor, command: Command) -> Outcome:
    """Let ``actor`` do ``command`` at the table, completely or not at all.

    The same action id from the same seat again gives the same answer without doing it again. Refusals
    are answers, not errors; what is raised is a fault of ours (engine, card data, database), and
    nothing has changed then either.
    """
    for tried in range(TRIES):
        try:
            opened = open_table(match_id, actor, command, again=tried > 0)
            if not isinstance(opened, Opened):
                return opened
            played = play(opened)
            return store(played) if isinstance(played, Played) else played
        except Moved:
            continue
        except storing.Busy:
            break
    return busy()


async def act_from_loop(match_id: str, actor: Actor, command: Command) -> Outcome:
    """Do what :func:`act` does, from an event loop: each step on the threads that are meant for it."""
    for tried in range(TRIES):
        try:
            opened = await on_database(partial(open_table, match_id, actor, command, again=tried > 0))
            if not isinstance(opened, Opened):
                return opened
            played = await on_engine(play, opened)
            return await on_database(store, played) if isinstance(played, Played) else played
        except Moved:
            continue
        except storing.Busy:
            break
    return busy()


def busy() -> Refusal:
    """Give the answer for a command that could not be stored in time."""
    return Refusal("busy", "The server is busy and did not take the move. Please try again.")


def open_table(match_id: str, actor: Actor, command: Command, *, again: bool = False) -> Opened | Outcome:
    """Read the table and check the command as far as that needs no rules. Reads only.

    For a command that answers the newest version its action id is looked up only if this is tried
    ``again``: if it was used before, storing it will fail and lead to just that.
    Raises :class:`Moved` if the match went on between two reads.
    """
    facts = keeping.facts_of(match_id)
    if facts is None:
        return NO_TABLE
    state, version = Match.objects.filter(pk=facts.pk).values_list("state", "version").get()
    seat = _seat_of(actor, facts)
    if seat is None:
        return Refusal("no_seat", "You look on and have no seat.", version) if facts.watchable else NO_TABLE
    if again or isinstance(command, Concede) or command.version != version or state != Match.State.RUNNING:
        before = Move.objects.filter(match=facts.pk, seat=seat, action_id=command.id).defer("events").first()
        if before is not None:
            return _answer_again(before, command, state, version)
    refusal = _not_now(state, version, command)
    if refusal is not None:
        return refusal
    game = keeping.kept(match_id, version)
    return Opened(
        match_pk=facts.pk,
        match_id=match_id,
        version=version,
        players=facts.players,
        seat=seat,
        computers=facts.computers,
        command=command,
        game=game,
        saved=b"" if game is not None else _saved(facts.pk, version),
        catalog=keeping.catalog_of(facts.catalog),
    )


def play(opened: Opened) -> Played | Refusal:
    """Let the engine do the command on a copy of the game. Computes only."""
    try:
        before = opened.game or Game.load(opened.saved, opened.catalog)
    except StateError as error:
        if error.code != "engine":
            raise
        return Refusal("outdated", OUTDATED, opened.version)
    command, seat = opened.command, opened.seat
    decision = before.decision
    if not isinstance(command, Concede) and (decision is None or decision.seat != seat):
        return Refusal("not_your_decision", "Somebody else has to choose now.", opened.version)
    game = before.copy()
    try:
        events = _do(game, seat, command)
    except IllegalOption as error:
        return _illegal(error, command, opened.version)
    saved = game.save()
    return Played(opened, game, saved, game.digest(), happened.pack(game, events, opened.players))


def store(played: Played) -> Outcome:
    """Write the new state and the move, if the match is still where it was opened; then tell the table.

    Raises :class:`Moved` if it is not, and :class:`matches.storing.Busy`.
    """
    try:
        return storing.write(lambda: _store(played))
    except IntegrityError as error:
        # Two of the same move at once: the other one is there by now, and opening again will find it.
        raise Moved from error


# -- checks


def _seat_of(actor: Actor, facts: keeping.Facts) -> int | None:
    """Give the seat on which ``actor`` may act: their own, and for a computer only one that is a computer's."""
    if actor.seat is not None:
        return actor.seat if actor.seat in facts.computers else None
    return facts.seat_of(actor.user_id)


def _answer_again(before: Move, command: Command, state: str, version: int) -> Outcome:
    """Answer a command whose id this seat has used already."""
    same = (before.kind, before.option) == (kind_of(command), option_of(command))
    if not same or (not isinstance(command, Concede) and command.version != before.seq - 1):
        return Refusal("id_reused", "This action id was used for another move before.", version)
    return Accepted(before.seq, state == Match.State.FINISHED)


def _not_now(state: str, version: int, command: Command) -> Refusal | None:
    """Say why the match as it stands takes no such command, or None."""
    if state == Match.State.OPEN:
        return Refusal("not_running", "The match has not begun yet.", version)
    if state != Match.State.RUNNING:
        return Refusal("over", "The match is over.", version)
    if isinstance(command, Concede) or command.version == version:
        return None
    if command.version < version:
        return Refusal("late", "The table has moved on since then; nothing was changed.", version)
    return Refusal("ahead", "The table has not come that far.", version)


def _illegal(error: IllegalOption, command: Command, version: int) -> Refusal:
    """Say in the table's words what the engine refused."""
    if isinstance(command, Choose):
        return Refusal("not_offered", "This is not one of the options offered now.", version)
    return Refusal("not_allowed", error.message, version)


def kind_of(command: Command) -> str:
    """Give how the command is called among the stored moves."""
    match command:
        case Choose():
            return str(Move.Kind.CHOOSE)
        case Back():
            return str(Move.Kind.BACK)
        case Concede():
            return str(Move.Kind.CONCEDE)


def option_of(command: Command) -> str:
    """Give the option that the command chooses, "" if it chooses none."""
    return command.option if isinstance(command, Choose) else ""


# -- doing it


def _saved(match_pk: int, version: int) -> bytes:
    saved = Match.objects.filter(pk=match_pk, version=version).values_list("saved", flat=True).first()
    if saved is None:
        raise Moved
    return bytes(saved)


def _do(game: Game, seat: int, command: Command) -> list[Event]:
    match command:
        case Choose():
            return game.choose(command.option)
        case Back():
            return game.take_back()
        case Concede():
            return game.concede(seat)


def _store(played: Played) -> Accepted:
    opened, game = played.opened, played.game
    version = opened.version + 1
    updated = Match.objects.filter(pk=opened.match_pk, version=opened.version, state=Match.State.RUNNING).update(
        version=version, saved=played.saved, digest=played.digest, **standing(game, opened.computers)
    )
    if not updated:
        raise Moved
    Move.objects.create(
        match_id=opened.match_pk,
        seq=version,
        seat=opened.seat,
        kind=kind_of(opened.command),
        option=option_of(opened.command),
        action_id=opened.command.id,
        digest=played.digest,
        events=played.events,
    )
    settle(opened.match_id, version, game, opened.computers, played.events)
    return Accepted(version, game.result is not None)


def standing(game: Game, computers: frozenset[int]) -> dict[str, Any]:
    """Give what the row of a match says about ``game``, so that questions about it need no engine."""
    now = timezone.now()
    decision, result = game.decision, game.result
    row: dict[str, Any] = {
        "deciding": decision.seat if decision else None,
        "computer_to_move": decision is not None and decision.seat in computers,
        "changed": now,
    }
    if result is not None:
        row |= {
            "state": Match.State.FINISHED,
            "finished": now,
            "result": {"winners": list(result.winners), "losers": list(result.losers), "reason": result.reason},
        }
    return row


def settle(match_id: str, version: int, game: Game, computers: frozenset[int], packed: bytes | None = None) -> None:
    """Inside the transaction that brought a match to ``version``: post its follow-up work, and arrange for
    everybody to be told once it is committed."""
    decision = game.decision
    if game.result is not None:
        post(ARCHIVE_TASK, {"match": match_id}, key=f"{ARCHIVE_TASK}:{match_id}")
    elif decision is not None and decision.seat in computers:
        waiting.computer_at(match_id, version, decision)
    transaction.on_commit(partial(_tell, match_id, version, game, packed))


def _tell(match_id: str, version: int, game: Game, packed: bytes | None) -> None:
    keeping.keep(match_id, version, game, packed)
    news.tell_version(match_id, version)
