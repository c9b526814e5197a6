"""Running matches, for the tests of looking on."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from ccg.rules import Game
from decks.table_decks import TableDeck
from matches.lobby import services as lobby
from matches.models import Match
from matches.players import DEFAULT, PLAYERS
from matches.playing import moves
from matches.protocol.messages import Choose
from matches.shuffles import services as shuffles
from matches.table import table_view

Chooser = Callable[[Game, int], str]


@pytest.fixture
def cards(db: None, starters: None) -> None:
    """The project's sets and starter decks; nothing here needs real transactions."""


@pytest.fixture
def begun(alice: Any, bob: Any, deck: TableDeck, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], Match]:
    """Begins a match that those who look on see so many turns later; the cards come the same each time."""
    monkeypatch.setattr(shuffles, "seed_for", lambda match: b"always the same " * 4)

    def begin(delay: int) -> Match:
        match = lobby.invite(alice, deck, 2)
        Match.objects.filter(pk=match.pk).update(delay=delay)
        return lobby.join(match, bob, deck)

    return begin


def sensible() -> Chooser:
    """A chooser for both seats that gets on with the game, the same each time."""
    players = [PLAYERS[DEFAULT](random.Random(seat)) for seat in (0, 1)]
    return lambda game, seat: players[seat].choose(game.view(seat), game.engine.catalog)


def play(match: Match, choose: Chooser) -> Game | None:
    """Make one move in the match as it stands; return the game it then is, None if it was over before."""
    row = Match.objects.get(pk=match.pk)
    if row.state != Match.State.RUNNING:
        return None
    _, game, _ = table_view.current_game(row)
    seat = game.deciding[0]
    user = row.seats.get(number=seat).user_id
    command = Choose(id=f"m{row.version}", version=row.version, option=choose(game, seat))
    assert isinstance(moves.act(row.public_id, moves.Actor.person(user), command), moves.Accepted)
    return table_view.current_game(Match.objects.get(pk=match.pk))[1]
