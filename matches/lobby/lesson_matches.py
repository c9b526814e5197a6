"""Lessons as matches: they begin with cards that are arranged, and nobody counts or watches them."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from cards_data import catalog as card_data
from ccg.locking import lock_person
from ccg.rules.scenario.files import ScenarioError
from ccg.suspension import refuse_suspended
from decks.table_decks import TableDeck
from matches.lessons import files as lesson_files
from matches.lessons import script
from matches.lessons.files import Lesson
from matches.lobby import beginning, seating
from matches.lobby.conceding import concede
from matches.lobby.errors import LobbyError
from matches.models import Match
from matches.players import DEFAULT
from matches.playing import match_cache, moves
from matches.protocol.messages import Choose
from matches.storage import database


def play_lesson(user: Any, slug: str) -> Match:
    """Begin a lesson for ``user``; lessons of the same name that still run for them are given up.

    Two who ask at once get the same: it was a second click.
    Nobody may watch it, and no record of a deck counts it. Raises KeyError for a lesson that does not exist,
    LobbyError if it cannot begin with the cards of this site.
    """
    told = lesson_files.lesson(slug)
    refuse_suspended(user)
    before = list(running_lessons(user).filter(lesson=slug).values_list("public_id", flat=True))
    for old in before:
        concede(old, user, "again")

    def begin() -> Match:
        lock_person(user)
        meanwhile = running_lessons(user).filter(lesson=slug).exclude(public_id__in=before).first()
        if meanwhile is not None:
            return meanwhile
        match = Match.objects.create(players=2, watchable=False, lesson=slug)
        seats = [seating.person(match, 0, user, you), seating.computer(match, 1, computer, DEFAULT, 1)]
        for seat, deck in zip(seats, (you, computer), strict=True):
            seat.cards = list(deck.cards)  # as it has to lie, so that the lesson's cards come
        seating.store(seats)
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
