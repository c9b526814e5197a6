"""Sitting down: the rows of seats, whom they are for, and what is locked and refused before somebody has one."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet

from ccg.locking import lock_people, lock_person
from ccg.suspension import refuse_suspended
from decks.table_decks import TableDeck
from matches.clocks import tempo as tempos
from matches.clocks.tempo import Tempo
from matches.lobby.errors import LobbyError, SatDownAlready
from matches.models import Match, MatchSeat, by_correspondence
from matches.seats import stand_ins
from matches.seats.stand_ins import COMPUTER_NAME
from matches.shuffles import services as shuffles
from matches.shuffles.fair import Given


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


def running_matches(user: Any) -> QuerySet[Match]:
    """Return the matches of ``user`` that go on for them, without lessons, latest first.

    Where others play on without them there is nothing left to play or to concede.
    """
    own = Q(seats__user=user, seats__out_at=None)
    return Match.objects.filter(own, state=Match.State.RUNNING, lesson="").order_by("-changed")


def locked_row(match: Match) -> Match:
    """Return ``match`` read anew, locked until the transaction ends, which there has to be."""
    return Match.objects.select_for_update().get(pk=match.pk)


def lock_all(match: Match, user: Any) -> None:
    """Lock ``user`` and all who sit at a table, before any of them alone: it may be with them that the match begins.

    What they have begun together within a day is counted then (``matches.seats.rated``).
    """
    lock_people([user.pk, *match.seats.exclude(user=None).values_list("user_id", flat=True)])


def own_seat(match: Match, user: Any) -> MatchSeat | None:
    """Return where ``user`` sits, None if they have no seat."""
    return match.seats.filter(user=user).first()


def take_words(match: Match, user: Any, given: Given | None) -> None:
    """Keep what somebody who has just sat down gave for the shuffles.

    Raises LobbyError if it cannot be taken, and SatDownAlready if it was taken meanwhile, from the same form of theirs.
    """
    try:
        shuffles.take(match.seats.get(user=user), given)
    except shuffles.NotTaken as error:
        raise not_taken(user, given, error) from error


def not_taken(user: Any, given: Given | None, error: shuffles.NotTaken) -> LobbyError | SatDownAlready:
    """Return what to raise where the words of ``user`` could not be taken."""
    match = shuffles.match_of(user, given) if given is not None else None
    return LobbyError("shuffle", str(error)) if match is None else SatDownAlready(match)


def person(match: Match, number: int, user: Any, deck: TableDeck, seat: MatchSeat | None = None) -> MatchSeat:
    """Return a seat, not saved, with ``user`` and their ``deck``: a new one, or ``seat``, which was free."""
    seat = seat or MatchSeat(match=match, number=number)
    seat.kind, seat.user, seat.joined = MatchSeat.Kind.PERSON, user, True
    seat.name = stand_ins.name_of(user)
    for field, value in deck_columns(deck).items():
        setattr(seat, field, value)
    return seat


def computer(match: Match, number: int, deck: TableDeck, policy: str, of: int) -> MatchSeat:
    """Return a seat, not saved, with one ``of`` so many computers, which plays as ``policy`` does."""
    return MatchSeat(
        match=match,
        number=number,
        kind=MatchSeat.Kind.COMPUTER,
        joined=True,
        policy=policy,
        name=f"{COMPUTER_NAME} {number}" if of > 1 else COMPUTER_NAME,
        **deck_columns(deck),
    )


def store(seats: list[MatchSeat]) -> None:
    """Save new seats."""
    MatchSeat.objects.bulk_create(seats)


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
