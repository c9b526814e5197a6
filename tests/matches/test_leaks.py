"""No hidden byte: what a viewer is sent does not depend on what that viewer may not know.

Twin runs: at each decision of a match, all that a viewer may not know is dealt anew in a second copy of the
game. Every message to that viewer, built by the code that builds the real ones, must be the same byte for
byte; so must what is told of a move that shows no card. The checker itself is tested with planted leaks.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from ccg.rules import Event, Game, View
from ccg.rules.core.engine import Engine
from ccg.server.proving import leaks
from decks.table_decks import TableDeck
from matches.lobby import services as lobby
from matches.models import Match
from matches.playing import match_cache
from matches.storage import stored_events
from tests.matches.conftest import Table, person


def run(table: Table, seed: int, viewers: tuple[int | None, ...] = leaks.VIEWERS) -> dict[str, int]:
    """Play the match by chance, with a twin for each viewer."""
    row = table.row
    game = Game.load(bytes(row.saved), match_cache.catalog_of(row.catalog))
    return leaks.run(row.public_id, game, random.Random(seed), viewers)


@pytest.mark.parametrize("seed", range(4))
def test_no_message_depends_on_what_its_reader_may_not_know(table: Table, seed: int) -> None:
    compared = run(table, seed)
    assert compared["views"] > 30 and compared["moves"] > 8, compared


def test_nor_with_four_players(cards: None, deck: TableDeck) -> None:
    people = [person(name) for name in ("ana", "ben", "cleo", "dan")]
    match = lobby.invite(people[0], deck, 4)
    for one in people[1:]:
        lobby.join(match, one, deck)
    compared = run(Table(Match.objects.get(pk=match.pk)), 7, (2, None))
    assert compared["views"] > 60 and compared["moves"] > 15, compared


def run_some(table: Table) -> None:
    for seed in range(4):
        run(table, seed)


# -- the checker sees leaks when there are some

Plant = Callable[[pytest.MonkeyPatch], None]


def leak_in_view(change: Callable[[Engine, View], View]) -> Plant:
    def plant(monkeypatch: pytest.MonkeyPatch) -> None:
        real = Game.view
        monkeypatch.setattr(Game, "view", lambda self, seat: change(self.engine, real(self, seat)))

    return plant


def top_of_deck(engine: Engine, view: View) -> View:
    return msgspec.structs.replace(view, step=str(engine.state.players[1].deck[-1:]))


def others_hand(engine: Engine, view: View) -> View:
    players = list(view.players)
    hand = [engine.card(card).id for card in engine.state.players[1].hand]
    players[1] = msgspec.structs.replace(players[1], hand_cards=hand)
    return msgspec.structs.replace(view, players=players)


def sum_of_hidden_mystic(engine: Engine, view: View) -> View:
    total = sum(engine.card(card).mystic or 0 for card in engine.state.players[1].hand)
    return msgspec.structs.replace(view, threat_level=view.threat_level + total)


def drawn_cards_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Game.seen

    def leaking(self: Game, event: Event, seat: int | None) -> Any:
        return real(self, event, event.player if event.kind == "draw" else seat)

    monkeypatch.setattr(Game, "seen", leaking)


def private_events_to_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(packed: bytes, viewer: int | None) -> list[Any]:
        return [next(iter(e.private.values()), e.public) for e in stored_events._decoder.decode(packed)]

    monkeypatch.setattr(stored_events, "seen_by", careless)


@pytest.mark.parametrize(
    "plant",
    [
        pytest.param(leak_in_view(top_of_deck), id="top of the deck"),
        pytest.param(leak_in_view(others_hand), id="hand"),
        pytest.param(leak_in_view(sum_of_hidden_mystic), id="a number computed from the hand"),
        pytest.param(drawn_cards_shown, id="drawn cards in the log"),
        pytest.param(private_events_to_all, id="private form of an event to everybody"),
    ],
)
def test_a_planted_leak_is_found(table: Table, plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        run_some(table)


# -- whatever is stored or said elsewhere


def test_the_seed_is_in_no_message(table: Table) -> None:
    table.play(moves=20)
    seed = bytes(table.row.seed)
    assert len(seed) == 64
    for viewer in (0, 1, None):
        game = Game.load(bytes(table.row.saved), match_cache.catalog_of(table.row.catalog))
        packed = [(m.seq, bytes(m.events)) for m in table.row.moves.all()]
        text = leaks.message(table.id, game, viewer, 20, packed)
        assert seed.hex() not in text and repr(seed)[2:-1] not in text


def test_nothing_hidden_is_logged(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", logger="matches")
    table.play(moves=60)
    game = Game.load(bytes(table.row.saved), match_cache.catalog_of(table.row.catalog))
    hidden = {card for player in game.engine.state.players for card in [*player.hand, *player.deck]}
    for card in map(game.engine.card, hidden):
        assert card.id not in caplog.text and card.name not in caplog.text
