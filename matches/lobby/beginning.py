"""Beginning the game of a table at which every seat is taken."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from django.db import transaction
from django.utils import timezone

from cards_data import catalog as card_data
from ccg.rules import Catalog, Game, SetupError
from ccg.rules.saving import ENGINE_VERSION
from ccg.suspension import sentence
from decks.table_decks import TableDeck, check_taken, is_public_now
from matches.clocks import site_time, vacations
from matches.clocks import standing as standings
from matches.clocks import tempo as tempos
from matches.lessons import script
from matches.lobby.errors import LobbyError
from matches.models import Match, MatchSeat
from matches.playing import consequences
from matches.seats.rated import settle
from matches.shuffles import services as shuffles
from matches.watching import delay


def begin(match: Match) -> None:
    """Inside a transaction that has locked all who sit there: start the game of a table with every seat taken.

    Raises LobbyError for whoever was suspended or locked out since they sat down (``suspended``), for a deck that is
    legal no more (``not_legal``), and for cards with which no game can begin (``setup``).
    """
    catalog: Catalog = card_data.current()
    shuffles.give_seats(match)
    seats = list(match.seats.select_related("user"))
    for seat in seats:
        if sentence(seat.user) or (seat.user is not None and not seat.user.is_active):
            why = "Somebody at this table can begin no match just now. Look for another one."
            raise LobbyError("suspended", why, seat.user_id)
    _refuse_illegal(seats)
    _hide_what_is_not_public(seats)
    seed = script.seed_of(match.lesson) or shuffles.seed_for(match)
    try:
        game = Game.start(match.record_seats(), catalog, seed)
    except SetupError as error:
        at_fault = seats[error.seat].user_id if error.seat is not None else None
        raise LobbyError("setup", f"The match cannot begin: {error.message}", at_fault) from error
    computers = frozenset(match.seats.filter(kind=MatchSeat.Kind.COMPUTER).values_list("number", flat=True))
    match.catalog, match.engine_version, match.seed = catalog.fingerprint, str(ENGINE_VERSION), seed
    match.saved, match.digest, match.version = game.save(), game.digest(), 0
    match.state, match.started = Match.State.RUNNING, timezone.now()
    settle(match, seats)
    tempo = tempos.read(match.tempo)
    now, away = (site_time.now(), vacations.away_at(match)) if tempo.timed else (0, 0)
    standing = standings.begin(game, match.players, tempo, computers, now, away)
    match.standing, match.deadline = standings.written(standing), standings.deadline(standing)
    for field, value in consequences.match_columns(game, computers, lesson=bool(match.lesson)).items():
        setattr(match, field, value)
    match.save()
    if match.delay:
        delay.keep(match.pk, match.delay, 0, 0, match.saved)
    more = consequences.follow_up(match.public_id, 0, game, computers, lesson=bool(match.lesson))
    if more is not None:
        more()
    transaction.on_commit(partial(consequences.tell, match.public_id, 0, game, match.standing))


def begin_if_complete(match: Match) -> None:
    """Do as :func:`begin` does, if every seat of the table is taken."""
    if not match.seats.filter(joined=False).exists():
        begin(match)


def _refuse_illegal(seats: Iterable[MatchSeat]) -> None:
    """Raise LobbyError (``not_legal``) for a deck that cards or formats have made illegal since it was taken along.

    That may be days ago: with who waited in a queue or at a table, and with the decks of a rematch.
    """
    for seat in seats:
        deck = TableDeck(base=seat.base, cards=tuple(seat.cards), label="", version="", format=seat.deck_format)
        if check_taken(deck):
            # Not what it is called: others at the table are told, and it may be private.
            why = f"The deck of {seat.name} is not legal any more: choose another one."
            raise LobbyError("not_legal", why, seat.user_id)


def _hide_what_is_not_public(seats: Iterable[MatchSeat]) -> None:
    """Note which decks are not public now; none that was not as it was taken along becomes public here.

    Whoever waited for days, in a queue or at a table, may have made theirs private meanwhile. Of those who have waited
    since before it was asked (docs/decisions/0020), an unlisted deck is not noted as private yet. The decks of lessons
    are no lists of anybody, and have no version.
    """
    for seat in seats:
        is_open = not seat.deck_private and seat.deck_version
        if is_open and not (seat.deck_public and is_public_now(seat.deck_version)):
            seat.deck_private, seat.deck_public = True, False
            seat.save(update_fields=["deck_private", "deck_public"])
