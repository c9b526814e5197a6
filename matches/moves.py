"""Moves: the one way to change a running match.

:func:`act` reads the match, checks who asks, what for and at which version, lets the engine choose, and
stores the new state together with the move in one transaction that is conditional on the version. Any
process can do it at any time; whoever comes second finds the version changed and is refused. Nobody is
notified before the commit.

It has three steps: :func:`prepare` reads the database, :func:`apply` only computes, and what it made is stored
(``matches.committing``). A server that remembers the match at the version that is answered skips the first
(:func:`remembered`): if it was wrong, the condition on the version says so, and the match is read after all.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.db import IntegrityError
from django.utils import timezone
from msgspec import Struct

from ccg.outbox.services import post
from ccg.rules import Catalog, Event, Game, IllegalOption, StateError, digest_of
from matches import computer_queue, database, match_cache, notifications, seat_sets, stored_events
from matches.committing import Change, commit, committer
from matches.executors import on_database
from matches.models import Match, Move
from matches.protocol import Back, Choose, Concede, RefusalCode
from matches.statements import NewMove
from matches.watching import delay
from matches.wire import Made, NewVersion, written


class EndInDraw(Struct, frozen=True):
    """What no player can ask for: the match ends without winner or loser. It is stored as a concession of all."""

    id: str


Command = Choose | Back | Concede | EndInDraw
AT_ANY_TIME = (Concede, EndInDraw)
ALL = "all"

TRIES = 5
"""How often a command that met a newer version is looked at again before the table counts as busy."""

ARCHIVE_TASK = "matches.archive"
RATE_TASK = "ratings.rate"
SHUFFLES_TASK = "matches.shuffles"


class Actor(Struct, frozen=True):
    """Who wants something: a person, who may act on their own seat only, the computer at ``seat``, or the operator."""

    user_id: int | None = None
    seat: int | None = None
    operator: bool = False

    @classmethod
    def person(cls, user_id: int | None) -> Actor:
        """Return the actor for somebody who is signed in (None: who is not)."""
        return cls(user_id=user_id)

    @classmethod
    def computer(cls, seat: int) -> Actor:
        """Return the actor for the computer player at ``seat``."""
        return cls(seat=seat)

    @classmethod
    def runs_the_site(cls) -> Actor:
        """Return the actor for whoever runs the site, who may end any match; it is noted at the first seat."""
        return cls(operator=True)


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


class Prepared(Struct, frozen=True):
    """A match as it was read, with a command that passed the checks that need no rules."""

    match_pk: int
    match_id: str
    version: int
    players: int
    seat: int
    computers: frozenset[int]
    delay: int
    command: Command
    game: Game | None
    saved: bytes
    catalog: Catalog


class Applied(Struct, frozen=True):
    """What a command made of the match, to be stored."""

    prepared: Prepared
    game: Game
    saved: bytes
    digest: str
    events: bytes
    turn: Callable[[], object] | None = None
    """What is to be written for those who look on, where a turn began."""


class VersionConflict(Exception):
    """The match has moved on since it was read; read it again."""


OUTDATED = "This match was begun with an older version of the rules program and cannot go on."
NO_TABLE = Refusal("no_such_table", "There is no such table, or it is not for you.")


def act(match_id: str, actor: Actor, command: Command) -> Outcome:
    """Let ``actor`` do ``command`` at the table, completely or not at all.

    The same action id from the same seat again gives the same answer without doing it again. Refusals
    are answers, not errors; what is raised is a fault of ours (engine, card data, database), and
    nothing has changed then either.
    """
    for tried in range(TRIES + 1):
        try:
            prepared = (
                prepare(match_id, actor, command, again=tried > 1) if tried else remembered(match_id, actor, command)
            )
            made = apply(prepared) if isinstance(prepared, Prepared) else prepared
            if isinstance(made, Applied):
                return accepted(made, commit([change_of(made)])[0])
            if tried and made is not None:
                return made
        except (VersionConflict, IntegrityError):
            continue
        except database.Busy:
            break
    return busy()


async def act_from_loop(match_id: str, actor: Actor, command: Command) -> Outcome:
    """Do what :func:`act` does, from an event loop: what waits at the same time is stored together."""
    for tried in range(TRIES + 1):
        try:
            prepared = (
                await on_database(partial(prepare, match_id, actor, command, again=tried > 1))
                if tried
                else remembered(match_id, actor, command)
            )
            made = apply(prepared) if isinstance(prepared, Prepared) else prepared
            if isinstance(made, Applied):
                return accepted(made, await committer.commit(change_of(made)))
            if tried and made is not None:
                return made
        except (VersionConflict, IntegrityError):
            continue
        except database.Busy:
            break
    return busy()


def busy() -> Refusal:
    """Return the answer for a command that could not be stored in time."""
    return Refusal("busy", "The server is busy and did not take the move. Please try again.")


def remembered(match_id: str, actor: Actor, command: Command) -> Prepared | None:
    """Return what :func:`prepare` would, without the database, if this process knows the version that is answered.

    It may be old, so it is good for trying, and not for refusing.
    """
    facts = match_cache.cached_facts(match_id)
    if facts is None or isinstance(command, AT_ANY_TIME):
        return None
    seat, game = _seat_of(actor, facts), match_cache.game_at(match_id, command.version)
    if seat is None or game is None or game.result is not None:
        return None
    return _prepared(facts, match_id, command.version, seat, command, game)


def prepare(match_id: str, actor: Actor, command: Command, *, again: bool = False) -> Prepared | Outcome:
    """Read the table and check the command as far as that needs no rules. Reads only.

    For a command that answers the newest version its action id is looked up only if this is tried
    ``again``: if it was used before, storing it will fail and lead to just that.
    Raises :class:`VersionConflict` if the match went on between two reads.
    """
    facts = match_cache.facts_of(match_id)
    if facts is None:
        return NO_TABLE
    state, version = Match.objects.filter(pk=facts.pk).values_list("state", "version").get()
    seat = _seat_of(actor, facts)
    if seat is None:
        seen = delay.version_for(facts.pk, facts.delay, version)
        return Refusal("no_seat", "You look on and have no seat.", seen) if facts.watchable else NO_TABLE
    if again or isinstance(command, AT_ANY_TIME) or command.version != version or state != Match.State.RUNNING:
        before = Move.objects.filter(match=facts.pk, seat=seat, action_id=command.id).defer("events").first()
        if before is not None:
            return _answer_again(before, command, state, version)
    refusal = _not_now(state, version, command)
    if refusal is not None:
        return refusal
    game = match_cache.game_at(match_id, version)
    saved = b"" if game is not None else _saved(facts.pk, version)
    return _prepared(facts, match_id, version, seat, command, game, saved)


def apply(prepared: Prepared) -> Applied | Refusal:
    """Let the engine do the command on a copy of the game. Computes only."""
    try:
        before = prepared.game or Game.load(prepared.saved, prepared.catalog)
    except StateError as error:
        if error.code != "engine":
            raise
        return Refusal("outdated", OUTDATED, prepared.version)
    command, seat = prepared.command, prepared.seat
    decision = before.decision
    if not isinstance(command, AT_ANY_TIME) and (decision is None or decision.seat != seat):
        return Refusal("not_your_decision", "Somebody else has to choose now.", prepared.version)
    game = before.trial()
    try:
        events = _do(game, seat, command)
    except IllegalOption as error:
        return _illegal(error, command, prepared.version)
    saved = game.save()
    turn = delay.note(prepared.match_pk, prepared.delay, before, game, prepared.version + 1, saved)
    return Applied(prepared, game, saved, digest_of(saved), stored_events.pack(game, events, prepared.players), turn)


def accepted(applied: Applied, stored: bool) -> Accepted:
    """Return the answer for what was stored; raises :class:`VersionConflict` if it was not."""
    if not stored:
        raise VersionConflict
    return Accepted(applied.prepared.version + 1, applied.game.result is not None)


# -- checks


def _seat_of(actor: Actor, facts: match_cache.Facts) -> int | None:
    """Return the seat on which ``actor`` may act: their own, and for a computer only one that is a computer's."""
    if actor.operator:
        return 0
    if actor.seat is not None:
        return actor.seat if actor.seat in facts.computers else None
    return facts.seat_of(actor.user_id)


def _answer_again(before: Move, command: Command, state: str, version: int) -> Outcome:
    """Answer a command whose id this seat has used already."""
    same = (before.kind, before.option) == (kind_of(command), option_of(command))
    if not same or (not isinstance(command, AT_ANY_TIME) and command.version != before.seq - 1):
        return Refusal("id_reused", "This action id was used for another move before.", version)
    return Accepted(before.seq, state == Match.State.FINISHED)


def _not_now(state: str, version: int, command: Command) -> Refusal | None:
    """Return the refusal of a command that the match does not accept in its present state, or None."""
    if state == Match.State.OPEN:
        return Refusal("not_running", "The match has not begun yet.", version)
    if state != Match.State.RUNNING:
        return Refusal("over", "The match is over.", version)
    if isinstance(command, AT_ANY_TIME) or command.version == version:
        return None
    if command.version < version:
        return Refusal("late", "The table has moved on since then; nothing was changed.", version)
    return Refusal("ahead", "The table has not come that far.", version)


def _illegal(error: IllegalOption, command: Command, version: int) -> Refusal:
    """Return the refusal for a command that the engine rejected, worded as the table words it."""
    if isinstance(command, Choose):
        return Refusal("not_offered", "This is not one of the options offered now.", version)
    return Refusal("not_allowed", error.message, version)


def kind_of(command: Command) -> str:
    """Return how the command is called among the stored moves."""
    match command:
        case Choose():
            return str(Move.Kind.CHOOSE)
        case Back():
            return str(Move.Kind.BACK)
        case Concede() | EndInDraw():
            return str(Move.Kind.CONCEDE)


def option_of(command: Command) -> str:
    """Return the option that the command chooses, "" if it chooses none."""
    if isinstance(command, EndInDraw):
        return ALL
    return command.option if isinstance(command, Choose) else ""


# -- doing it


def _prepared(
    facts: match_cache.Facts,
    match_id: str,
    version: int,
    seat: int,
    command: Command,
    game: Game | None,
    saved: bytes = b"",
) -> Prepared:
    return Prepared(
        match_pk=facts.pk,
        match_id=match_id,
        version=version,
        players=facts.players,
        seat=seat,
        computers=facts.computers,
        delay=facts.delay,
        command=command,
        game=game,
        saved=saved,
        catalog=match_cache.catalog_of(facts.catalog) if game is None else game.engine.catalog,
    )


def _saved(match_pk: int, version: int) -> bytes:
    saved = Match.objects.filter(pk=match_pk, version=version).values_list("saved", flat=True).first()
    if saved is None:
        raise VersionConflict
    return bytes(saved)


def _do(game: Game, seat: int, command: Command) -> list[Event]:
    match command:
        case Choose():
            return game.choose(command.option)
        case Back():
            return game.take_back()
        case Concede():
            return game.concede(seat)
        case EndInDraw():
            return game.draw()


def change_of(applied: Applied) -> Change:
    """Return what is to be stored, if the match is still where it was prepared; then the table is told."""
    prepared, game = applied.prepared, applied.game
    version, columns = prepared.version + 1, match_columns(game, prepared.computers)
    kind, option = kind_of(prepared.command), option_of(prepared.command)
    move = NewMove(
        match=prepared.match_pk,
        seq=version,
        seat=prepared.seat,
        kind=kind,
        option=option,
        action_id=prepared.command.id,
        digest=applied.digest,
        events=applied.events,
        saved=applied.saved,
        deciders=columns["deciders"],
        computer_to_move=columns["computer_to_move"],
        now=columns["changed"],
        state=columns.get("state", Match.State.RUNNING).value,
        result=columns.get("result"),
        hint=written(NewVersion(prepared.match_id, version, Made(prepared.seat, kind, option, applied.digest))),
    )
    return Change(
        move,
        tell=partial(tell, prepared.match_id, version, game, applied.events),
        more=_both(applied.turn, follow_up(prepared.match_id, version, game, prepared.computers)),
    )


def match_columns(game: Game, computers: frozenset[int]) -> dict[str, Any]:
    """Return what the row of a match says about ``game``, so that questions about it need no engine."""
    now = timezone.now()
    deciders, result = seat_sets.deciding_in(game), game.result
    row: dict[str, Any] = {
        "deciders": deciders,
        "computer_to_move": bool(deciders & seat_sets.bits_of(computers)),
        "changed": now,
    }
    if result is not None:
        row |= {
            "state": Match.State.FINISHED,
            "finished": now,
            "result": {"winners": list(result.winners), "losers": list(result.losers), "reason": result.reason},
        }
    return row


def follow_up(match_id: str, version: int, game: Game, computers: frozenset[int]) -> Callable[[], object] | None:
    """Return what is to be written together with ``version``, so that the work that follows from it gets done."""
    decision = game.decision
    if game.result is not None:
        return partial(_post_ending, match_id, among_people=not computers)
    if decision is not None and decision.seat in computers:
        return partial(computer_queue.request_turn, match_id, version, decision)
    return None


def _post_ending(match_id: str, *, among_people: bool) -> None:
    """Write down what is to be done for a match that is over."""
    for task in (ARCHIVE_TASK, SHUFFLES_TASK, *([RATE_TASK] if among_people else [])):
        post(task, {"match": match_id}, key=f"{task}:{match_id}")


def _both(first: Callable[[], object] | None, second: Callable[[], object] | None) -> Callable[[], object] | None:
    """Return what does both, or the one that there is."""
    if first is None or second is None:
        return first or second
    return lambda: (first(), second())


def tell(match_id: str, version: int, game: Game, packed: bytes | None = None) -> None:
    """After the commit: cache the match at its new version, and notify the sockets of this process."""
    match_cache.remember(match_id, version, game, ((version, packed),) if packed is not None else ())
    notifications.notify_version(match_id, version)


# -- what another process has stored


def do_again(match_id: str, version: int, made: Made) -> bool:
    """Remember the match at ``version``, by doing again what brought it there; False if that cannot be known here.

    What is remembered is what is stored: the digests are equal. Computes only.
    """
    if match_cache.game_at(match_id, version) is not None:
        return True
    facts, before = match_cache.cached_facts(match_id), match_cache.game_at(match_id, version - 1)
    if facts is None or before is None:
        return False
    again = apply(_prepared(facts, match_id, version - 1, made.seat, _command(version - 1, made), before))
    if not isinstance(again, Applied) or again.digest != made.digest:
        return False
    match_cache.remember(match_id, version, again.game, ((version, again.events),))
    return True


def _command(version: int, made: Made) -> Command:
    match made.kind:
        case Move.Kind.CHOOSE:
            return Choose(id="again", version=version, option=made.option)
        case Move.Kind.BACK:
            return Back(id="again", version=version)
        case _:
            return EndInDraw(id="again") if made.option == ALL else Concede(id="again")
