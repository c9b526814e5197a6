"""A finished match with its archive, for the tests of replays."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from django.utils import timezone

from cards_data import catalog as card_data
from ccg.outbox.services import drain
from ccg.rules import Game
from ccg.rules.saving import ENGINE_VERSION
from decks.table_decks import TableDeck
from matches.lobby import services as lobby
from matches.models import Match, MatchSeat, Move
from matches.players import DEFAULT, PLAYERS
from matches.playing import consequences
from matches.replays import showing
from matches.replays.showing import Access, Replay, Sees
from matches.storage import stored_events

SEED = b"a match that is always the same" * 2


class Finished:
    """A match that is over, with what each viewer was shown at each version."""

    def __init__(self, match: Match, shown: list[dict[int | None, Any]]) -> None:
        self.pk = match.pk
        self.id = match.public_id
        self.shown = shown

    @property
    def row(self) -> Match:
        """The match as it stands in the database."""
        return Match.objects.get(pk=self.pk)


@pytest.fixture
def cards(db: None, starters: None) -> None:
    """The project's sets and starter decks; nothing here needs real transactions."""


@pytest.fixture
def finished(alice: Any, bob: Any, deck: TableDeck) -> Finished:
    """A match of Alice (seat 0) and Bob (seat 1) with public decks, played to its end, archived and packed."""
    match = lobby.join(lobby.invite(alice, deck, 2), bob, deck)
    shown = play_to_the_end(match)
    drain()
    return Finished(match, shown)


def play_to_the_end(match: Match, stop: int = 10_000) -> list[dict[int | None, Any]]:
    """Let computers play a match that has just begun, and store what they did; it is given up after ``stop`` moves.

    What is stored is what ``matches.playing.moves`` would store, without its transactions, which take most of the time.
    """
    game = Game.start(match.record_seats(), card_data.current(), SEED)
    players = [PLAYERS[DEFAULT](random.Random(seat)) for seat in range(match.players)]
    shown, rows = [_shown(game)], []
    while (decision := game.decision) is not None:
        seat, giving_up = decision.seat, len(rows) >= stop
        choice = "" if giving_up else players[seat].choose(game.view(seat), game.engine.catalog)
        events = game.concede(seat) if giving_up else game.choose(choice)
        packed = stored_events.pack(game, events, match.players)
        kind = Move.Kind.CONCEDE if giving_up else Move.Kind.CHOOSE
        number = len(rows) + 1
        rows.append(
            Move(
                match=match, seq=number, seat=seat, kind=kind, option=choice, action_id=f"m{number}",
                digest=game.digest(), events=packed,
            )
        )  # fmt: skip
        shown.append(_shown(game))
    Move.objects.bulk_create(rows)
    columns = consequences.match_columns(game, frozenset())
    Match.objects.filter(pk=match.pk).update(
        seed=SEED, engine_version=str(ENGINE_VERSION), version=len(rows), saved=game.save(), digest=game.digest(),
        started=timezone.now(), **columns,
    )  # fmt: skip
    more = consequences.follow_up(match.public_id, len(rows), game, frozenset())
    assert more is not None
    more()
    return shown


def _shown(game: Game) -> dict[int | None, Any]:
    return {seat: plain(game.view(seat)) for seat in (None, *range(len(game.engine.state.players)))}


def plain(view: Any) -> Any:
    """Return a view as it is read from JSON."""
    return msgspec.json.decode(msgspec.json.encode(view))


def access(match: Finished, user: Any = None) -> Access:
    """Return what ``user`` may see of the match."""
    found = showing.access(match.id, user.pk if user else None)
    assert found is not None
    return found


def replayed(match: Finished, user: Any = None, sees: Sees | None = None) -> Replay:
    """Return the replay of the match as ``user`` sees it."""
    found = access(match, user)
    film = showing.film_of(found.match)
    assert film is not None
    return showing.replay(found, film, sees or found.usual)


def keep_private(match: Finished, seat: int) -> None:
    """Have the deck of a seat been private."""
    MatchSeat.objects.filter(match__public_id=match.id, number=seat).update(deck_private=True)
