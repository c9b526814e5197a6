"""Moves: the one way to change a running match.

:func:`act` reads the match, checks who asks, what for and at which version, lets the engine choose, and
stores the new state together with the move in one transaction that is conditional on the version. Any
process can do it at any time; whoever comes second finds the version changed and is refused. Nobody is
notified before the commit.

It has three steps: :func:`prepare` reads the database, :func:`apply` only computes, and what it made is stored
(``matches.playing.committing``). A server that remembers the match at the version that is answered skips the first
(:func:`remembered`): if it was wrong, the condition on the version says so, and the match is read after all.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from django.db import IntegrityError
from msgspec import Struct, structs

from ccg.rules import Catalog, Game, IllegalOption, StateError, digest_of
from matches.clocks import afterwards, earlier, manners, presence, site_time
from matches.clocks import standing as standings
from matches.clocks.afterwards import How
from matches.clocks.at import At, Earlier
from matches.clocks.manners import ClockStrikes, Done, EndInDraw, Manner, NotAllowed, StandIn, Vacation
from matches.clocks.standing import Standing
from matches.hints.wire import Made, NewVersion, written
from matches.models import Match, Move, draw_option
from matches.playing import answer_queue, consequences, match_cache
from matches.playing.committing import Change, commit, committer
from matches.playing.match_cache import Facts
from matches.playing.statements import NewMove
from matches.protocol.messages import Agree, Back, Choose, Claim, Concede, Decline, OfferIt, RefusalCode, Resume
from matches.seats import out, stand_ins
from matches.storage import database, seat_sets, stored_events
from matches.storage.executors import on_database
from matches.watching import delay

Command = Choose | Back | Manner
PLAYS = (Choose, Back)
"""What answers a question of the game; everything else is done at any time."""

PASSES = ("pass", "decline")
"""The options, by their keys, that clients take for their players by themselves."""

TRIES = 5
"""How often a command that met a newer version is looked at again before the table counts as busy."""


class Actor(Struct, frozen=True):
    """Who wants something: a person, who may act on their own seat only, the computer at ``seat``, or the operator."""

    user_id: int | None = None
    seat: int | None = None
    operator: bool = False
    answers: bool = False
    """The site answers for the person at ``seat``."""

    @classmethod
    def person(cls, user_id: int | None) -> Actor:
        """Return the actor for somebody who is signed in (None: who is not)."""
        return cls(user_id=user_id)

    @classmethod
    def computer(cls, seat: int) -> Actor:
        """Return the actor for the computer player at ``seat``."""
        return cls(seat=seat)

    @classmethod
    def answers_for(cls, seat: int) -> Actor:
        """Return the actor for the site where it answers for the person at ``seat``."""
        return cls(seat=seat, answers=True)

    @classmethod
    def runs_the_site(cls) -> Actor:
        """Return the actor for whoever runs the site, who may end any match; it is noted at the first seat."""
        return cls(operator=True)


def site_id(*words: object) -> str:
    """Return the id of an action of the site: ``words`` with spaces between, which no id of a client has.

    A player whose own move had that id could otherwise keep the site from ever acting at their seat.
    """
    assert len(words) > 1
    return " ".join(map(str, words))


class SiteChooses(Choose, frozen=True, tag="site_chooses"):
    """What the site chooses for a player: by their order, or as there is nothing else to choose.

    A takeback goes back to what the player chose before that.
    """

    by_hand: bool = False


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

    match_id: str
    facts: Facts
    version: int
    seat: int
    command: Command
    standing: Standing
    game: Game | None
    """None where this process does not remember it; then it is read from ``saved``."""
    saved: bytes = b""
    now: int = 0
    """Time of the site; 0 where there are no clocks."""
    claimable: frozenset[int] = frozenset()
    """Seats that have been away for so long that they may be taken out."""
    earlier: Earlier | None = None
    """The table as a takeback would bring it back."""

    @property
    def catalog(self) -> Catalog:
        """The cards with which the match is played; raises ``cards_data.catalog.UnknownVersion`` if they are gone."""
        return match_cache.catalog_of(self.facts.catalog) if self.game is None else self.game.engine.catalog


class Applied(Struct, frozen=True):
    """What a command made of the match, to be stored: as a move of this kind, of this seat."""

    prepared: Prepared
    done: Done
    saved: bytes
    digest: str
    turn: Callable[[], object] | None = None
    """What is to be written for those who look on, where a turn began."""
    out: Callable[[], object] | None = None
    """What is to be written where somebody is out while others play on."""


class VersionConflict(Exception):
    """The match has moved on since it was read; read it again."""


PAUSED = "The match is paused. It goes on once all players have asked for it."
TOO_OFTEN_BACK = "You have begun a move and left it too often. Make this one, and the next can be left again."
OUTDATED = "This match was begun with an older version of the rules program and cannot go on."
NO_TABLE = Refusal("no_such_table", "There is no such table, or it is not for you.")


def act(match_id: str, actor: Actor, command: Command) -> Outcome:
    """Let ``actor`` do ``command`` at the table, completely or not at all.

    The same action id from the same seat again gives the same answer without doing it again. Refusals
    are answers, not errors; what is raised is a fault of ours (engine, card data, database), and
    nothing has changed then either.
    """

    async def read(reading: Callable[[], Prepared | Outcome]) -> Prepared | Outcome:
        return reading()

    async def store(change: Change) -> bool:
        return commit([change])[0]

    try:
        _acted(match_id, actor, command, read, store).send(None)
    except StopIteration as ended:
        outcome: Outcome = ended.value
        return outcome
    raise AssertionError("neither of these two waits")


async def act_from_loop(match_id: str, actor: Actor, command: Command) -> Outcome:
    """Do what :func:`act` does, from an event loop: what waits at the same time is stored together."""
    return await _acted(match_id, actor, command, on_database, committer.commit)


async def _acted(
    match_id: str,
    actor: Actor,
    command: Command,
    read: Callable[[Callable[[], Prepared | Outcome]], Awaitable[Prepared | Outcome]],
    store: Callable[[Change], Awaitable[bool]],
) -> Outcome:
    """Let ``actor`` do ``command``, with the database read and written by ``read`` and ``store``."""
    for tried in range(TRIES + 1):
        try:
            prepared = (
                await read(partial(prepare, match_id, actor, command, again=tried > 1))
                if tried
                else remembered(match_id, actor, command)
            )
            made = apply(prepared) if isinstance(prepared, Prepared) else prepared
            if isinstance(made, Applied):
                return accepted(made, await store(change_of(made)))
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
    """Return what :func:`prepare` would, without the database, if this process knows the question that is answered.

    It may be old, so it is good for trying, and not for refusing.
    """
    facts = match_cache.cached_facts(match_id)
    if facts is None or not isinstance(command, PLAYS):
        return None
    seat, held = _seat_of(actor, facts), match_cache.newest(match_id)
    now = site_time.now_if_known() if facts.tempo.timed else 0
    if seat is None or held is None or held.game.result is not None or now is None:
        return None
    standing = standings.read(held.standing, facts.players, held.version)
    if standing.seated != facts.seated or not standing.asked[seat] <= command.version <= held.version:
        return None
    return Prepared(match_id, facts, held.version, seat, command, standing, held.game, now=now)


def prepare(match_id: str, actor: Actor, command: Command, *, again: bool = False) -> Prepared | Outcome:
    """Read the table and check the command as far as that needs no rules. Reads only.

    For a command that answers the newest version its action id is looked up only if this is tried
    ``again``: if it was used before, storing it will fail and lead to just that.
    Raises :class:`VersionConflict` if the match went on between two reads.
    """
    columns = ("state", "version", "players", "standing")
    row = Match.objects.filter(public_id=match_id).values_list(*columns).first()
    if row is None:
        return NO_TABLE
    state, version, players, stored = row
    standing = standings.read(bytes(stored), players, version)
    facts = match_cache.facts_of(match_id, standing.seated)
    if facts is None:
        return NO_TABLE
    seat = _seat_of(actor, facts)
    if seat is None:
        seen = delay.version_for(facts.pk, facts.delay, version)
        why = stand_ins.without_seat(facts.pk, actor.user_id, "You look on and have no seat.")
        return Refusal("no_seat", why, seen) if facts.watchable else NO_TABLE
    if again or not isinstance(command, PLAYS) or command.version != version or state != Match.State.RUNNING:
        before = Move.objects.filter(match=facts.pk, seat=seat, action_id=command.id).defer("events").first()
        if before is not None:
            return _answer_again(before, command, state, version)
    refusal = _not_now(state, version, standing.asked[seat], command)
    if refusal is not None:
        return refusal
    game = match_cache.game_at(match_id, version)
    saved = b"" if game is not None else _saved(facts.pk, version)
    now = site_time.now() if facts.tempo.timed else 0
    asks = isinstance(command, Claim | StandIn)
    asks |= isinstance(command, OfferIt | Agree) and command.what in manners.SEATS
    claimable = presence.claimable(facts.pk, facts.tempo.kind, standing) if asks else frozenset()
    prepared = Prepared(match_id, facts, version, seat, command, standing, game, saved, now, claimable)
    return _with_earlier(prepared) if isinstance(command, OfferIt | Agree) and command.what == "takeback" else prepared


def apply(prepared: Prepared) -> Applied | Refusal:
    """Let the engine do the command on a copy of the game. Computes only."""
    try:
        before = prepared.game or Game.load(prepared.saved, prepared.catalog)
    except StateError as error:
        if error.code != "engine":
            raise
        return Refusal("outdated", OUTDATED, prepared.version)
    try:
        if isinstance(prepared.command, PLAYS):
            done = _play(prepared, before, prepared.command)
        else:
            done = manners.do(_at(prepared, before), prepared.command)
    except NotAllowed as error:
        return Refusal(error.code, error.message, prepared.version)
    except IllegalOption as error:
        return _illegal(error, prepared.command, prepared.version)
    saved, facts, version = done.game.save(), prepared.facts, prepared.version + 1
    turn = delay.note(facts.pk, facts.delay, before, done.game, version, saved)
    gone = out.note(facts.pk, version, before, done.game, facts.people)
    return Applied(prepared, done, saved, digest_of(saved), turn, gone)


def _play(prepared: Prepared, before: Game, command: Choose | Back) -> Done:
    """Answer the question of the game. Raises :class:`NotAllowed` and ``ccg.rules.IllegalOption``."""
    seat, standing, facts = prepared.seat, prepared.standing, prepared.facts
    if not seat_sets.has(seat_sets.deciding_in(before), seat):
        raise NotAllowed("Somebody else has to choose now.", "not_your_decision")
    if standing.paused:
        raise NotAllowed(PAUSED, "paused")
    manners.refuse_out_of_time(standing, seat, prepared.now)
    if isinstance(command, Back) and standing.backs >= standings.MOST_BACKS:
        raise NotAllowed(TOO_OFTEN_BACK)
    game = before.trial()
    events = game.take_back() if isinstance(command, Back) else game.choose(command.option, seat)
    after = afterwards.after_move(_at(prepared, before), game, _how(command))
    if after.began[seat] == prepared.version and not facts.rated:  # in a rated match nothing of before is brought back
        match_cache.remember_earlier(prepared.match_id, prepared.version, before.save(), after.began)
    packed = stored_events.pack(game, events, facts.players)
    return Done(kind_of(command), option_of(command), seat, game, after, packed)


def _how(command: Choose | Back) -> How:
    """Return how the question is answered: above all, whether a player has chosen this themselves.

    Clients say that they pass by themselves. What they say of anything else is not believed: others agree to a takeback
    of the last move, and it would be that of a much older one.
    """
    if isinstance(command, Back):
        return "left"
    if isinstance(command, SiteChooses):
        return "by site"
    return "by hand" if command.by_hand or command.option not in PASSES else "by client"


def _at(prepared: Prepared, game: Game) -> At:
    """Return the table as something is done there that is no answer to a question of the game."""
    return At(
        game=game,
        standing=prepared.standing,
        version=prepared.version,
        seat=prepared.seat,
        names=prepared.facts.names,
        tempo=prepared.facts.tempo,
        people=prepared.facts.people,
        computers=prepared.facts.computers,
        now=prepared.now,
        claimable=prepared.claimable,
        earlier=prepared.earlier,
        rated=prepared.facts.rated,
    )


def accepted(applied: Applied, stored: bool) -> Accepted:
    """Return the answer for what was stored; raises :class:`VersionConflict` if it was not."""
    if not stored:
        raise VersionConflict
    return Accepted(applied.prepared.version + 1, applied.done.game.result is not None)


# -- checks


def _seat_of(actor: Actor, facts: Facts) -> int | None:
    """Return the seat on which ``actor`` may act: their own, and for a computer only one that is a computer's."""
    if actor.operator:
        return 0
    if actor.answers:
        return actor.seat if actor.seat in facts.people else None
    if actor.seat is not None:
        return actor.seat if actor.seat in facts.computers else None
    return facts.seat_of(actor.user_id)


def _answer_again(before: Move, command: Command, state: str, version: int) -> Outcome:
    """Answer a command whose id this seat has used already."""
    same = _same(before, command)
    if not same or (isinstance(command, PLAYS) and command.version >= before.seq):
        return Refusal("id_reused", "This action id was used for another move before.", version)
    return Accepted(before.seq, state == Match.State.FINISHED)


def _same(before: Move, command: Command) -> bool:
    """Return whether ``before`` is what came of ``command``; an agreement may have done what was offered."""
    if isinstance(command, OfferIt | Agree):
        kinds = (Move.Kind.OFFER, Move.Kind.AGREE) if isinstance(command, OfferIt) else (Move.Kind.AGREE,)
        return before.kind in kinds and before.option.split(" ")[0] == command.what
    return (before.kind, before.option) == (kind_of(command), option_of(command))


def _not_now(state: str, version: int, asked: int, command: Command) -> Refusal | None:
    """Return the refusal of a command that the match does not accept in its present state, or None.

    ``asked`` is the version with which the seat was put the question that it has now: what answers an older one is
    late, whatever else has happened at the table.
    """
    if state == Match.State.OPEN:
        return Refusal("not_running", "The match has not begun yet.", version)
    if state != Match.State.RUNNING:
        return Refusal("over", "The match is over.", version)
    if not isinstance(command, PLAYS) or asked <= command.version <= version:
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
        case ClockStrikes():
            return str(Move.Kind.TIME)
        case OfferIt():
            return str(Move.Kind.OFFER)
        case Agree():
            return str(Move.Kind.AGREE)
        case Decline():
            return str(Move.Kind.DECLINE)
        case Resume():
            return str(Move.Kind.RESUME)
        case Vacation():
            return str(Move.Kind.VACATION)
        case StandIn():
            return str(Move.Kind.SEAT)
        case Claim():
            return str(Move.Kind.CLAIM)


def option_of(command: Command) -> str:
    """Return the option that the command chooses, "" if it chooses none."""
    match command:
        case Choose():
            return command.option
        case EndInDraw():
            return draw_option(command.why)
        case OfferIt() | Agree() | Decline():
            return command.what
        case Claim() | StandIn():
            return str(command.seat)
        case Vacation():
            return "begins" if command.away else "ends"
    return ""


# -- doing it


def _with_earlier(prepared: Prepared) -> Prepared:
    """Return what was prepared with the table that it may bring back, which has to be read and played again."""
    game = prepared.game
    if game is None:
        try:
            game = Game.load(prepared.saved, prepared.catalog)
        except StateError:
            return prepared  # it is refused as the match is looked at
    assert not isinstance(prepared.command, PLAYS)
    to = manners.needs_earlier(_at(prepared, game), prepared.command)
    if to is None:
        return prepared
    known = match_cache.earlier_games(prepared.match_id)
    table = earlier.table_at(prepared.facts.pk, prepared.facts.players, to, prepared.catalog, known)
    match_cache.remember_earlier(prepared.match_id, to, table.game.save(), prepared.standing.began)
    return structs.replace(prepared, earlier=table)


def _saved(match_pk: int, version: int) -> bytes:
    saved = Match.objects.filter(pk=match_pk, version=version).values_list("saved", flat=True).first()
    if saved is None:
        raise VersionConflict
    return bytes(saved)


def change_of(applied: Applied) -> Change:
    """Return what is to be stored, if the match is still where it was prepared; then the table is told."""
    prepared, done, game = applied.prepared, applied.done, applied.done.game
    facts, lesson = prepared.facts, bool(prepared.facts.lesson)
    computers = facts.computers | ({done.stand_in} if isinstance(done.stand_in, int) else frozenset())
    version, columns = prepared.version + 1, consequences.match_columns(game, computers, lesson=lesson)
    standing = standings.written(done.standing)
    made = Made(done.seat, str(done.kind), done.option, applied.digest, standing)
    move = NewMove(
        match=facts.pk,
        seq=version,
        seat=done.seat,
        kind=made.kind,
        option=done.option,
        action_id=prepared.command.id,
        digest=applied.digest,
        events=done.events,
        saved=applied.saved,
        deciders=columns["deciders"],
        standing=standing,
        deadline=standings.deadline(done.standing),
        computer_to_move=columns["computer_to_move"],
        forced=consequences.answers_itself(game, facts.tempo, facts.computers),
        now=columns["changed"],
        state=columns.get("state", Match.State.RUNNING).value,
        result=columns.get("result"),
        hint=written(NewVersion(prepared.match_id, version, made)),
    )
    return Change(
        move,
        tell=partial(consequences.tell, prepared.match_id, version, game, standing, done.events),
        more=_all_of(
            applied.turn,
            applied.out,
            _reseat(facts.pk, version, done.stand_in),
            consequences.follow_up(prepared.match_id, version, game, computers, rated=facts.rated, lesson=lesson),
        ),
        request_answer=partial(answer_queue.request, prepared.match_id),
    )


def _reseat(match_pk: int, version: int, stand_in: StandIn | int | None) -> Callable[[], object] | None:
    """Return what is to be written together with ``version`` where somebody else has a seat from then on."""
    if stand_in is None:
        return None
    if isinstance(stand_in, int):
        return partial(stand_ins.write, match_pk, version, stand_in)
    return partial(stand_ins.write, match_pk, version, stand_in.seat, stand_in.user, stand_in.name)


def _all_of(*parts: Callable[[], object] | None) -> Callable[[], object] | None:
    """Return what does all of it; None where there is nothing to do."""
    there = [part for part in parts if part is not None]
    return (lambda: [part() for part in there]) if there else None
