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
from ccg.rules import view as engine_views
from ccg.rules.agenda import Engine
from ccg.rules.state import Player
from decks.services import TableDeck
from matches import happened, keeping, seen, services
from matches.models import Match
from matches.protocol import encode
from tests.matches.conftest import Table, person

VIEWERS = (0, None)


def message(match: Match, game: Game, viewer: int | None, version: int, packed: list[tuple[int, bytes]]) -> str:
    """Give what a socket of this viewer would send: the table and, to a seat, why not."""
    sight = seen.Sight(
        match_id=match.public_id,
        version=version,
        viewer=viewer,
        people=[],
        present=[],
        rematch=None,
        game=game,
        saved=b"",
        catalog=game.engine.catalog,
        since=version - len(packed),
        packed=packed,
    )
    return encode(seen.table(sight)) + (encode(seen.why(sight)) if viewer is not None else "")


def dealt_anew(game: Game, viewer: int | None, rng: random.Random) -> Game:
    """Give a copy of ``game`` that is the same to ``viewer``, with everything hidden from them shuffled."""
    twin = game.copy()
    for seat, player in enumerate(twin.engine.state.players):
        if seat == viewer:
            rng.shuffle(player.deck)
        else:
            deal_anew(twin.engine, seat, player, rng)
    twin._decision = None
    return twin


def deal_anew(engine: Engine, seat: int, player: Player, rng: random.Random) -> None:
    """Shuffle a player's deck, hand (but for shown cards) and face-down supply cards into one another."""
    shown = list(player.shown) + [card for card in player.hand if card in named_on_agenda(engine)]
    hidden: list[int] = []
    held: list[int] = []
    for card in player.hand:
        if card in shown:
            shown.remove(card)
            held.append(card)
        else:
            hidden.append(card)
    stacks = [piece for piece in player.resource if piece.supplies]
    sizes = [len(piece.supplies) for piece in stacks]
    hand = len(hidden)
    hidden += [card for piece in stacks for card in piece.supplies] + player.deck
    rng.shuffle(hidden)
    player.hand[:] = held + hidden[:hand]
    at = hand
    for piece, size in zip(stacks, sizes, strict=True):
        piece.supplies[:] = hidden[at : at + size]
        at += size
    player.deck[:] = hidden[at:]


def named_on_agenda(engine: Engine) -> set[int]:
    """Give every number on the agenda: a card that is just being played has to stay where it is."""
    found: set[int] = set()
    todo: list[Any] = [msgspec.to_builtins(engine.state.agenda)]
    while todo:
        one = todo.pop()
        if isinstance(one, int):
            found.add(one)
        elif isinstance(one, dict | list | tuple):
            todo += one.values() if isinstance(one, dict) else one
    return found


def shows_a_card(events: list[Event], viewer: int | None) -> bool:
    """Whether a move showed ``viewer`` a card, so that games that differ in hidden cards may now differ.

    Who has lost shows them all: what lay in their fleet, face-down supply cards too, leaves the game face up.
    """
    return any(event.kind == "lose" or event.card_for(viewer) is not None for event in events)


def run(table: Table, seed: int, viewers: tuple[int | None, ...] = VIEWERS) -> dict[str, int]:
    """Play a match by chance and compare with a twin for each viewer at each version; gives how much was compared."""
    rng = random.Random(seed)
    row = table.row
    game = Game.load(bytes(row.saved), keeping.catalog_of(row.catalog))
    compared = {"views": 0, "moves": 0}
    version = 0
    while game.decision is not None:
        options = [game.key(option) for option in game.decision.options]
        choice = rng.choice(options)
        for viewer in viewers:
            twin = dealt_anew(game, viewer, rng)
            assert message(row, game, viewer, version, []) == message(row, twin, viewer, version, [])
            compared["views"] += 1
            compared["moves"] += compare_move(row, game, twin, choice, viewer, version)
        game.choose(choice)
        version += 1
    return compared


def compare_move(row: Match, game: Game, twin: Game, choice: str, viewer: int | None, version: int) -> bool:
    """Make a move in both games and compare what ``viewer`` is sent, if the move shows them no card."""
    real = game.copy()
    assert twin.decision is not None
    if choice not in [twin.key(option) for option in twin.decision.options]:
        return False
    events, twin_events = real.choose(choice), twin.choose(choice)
    if shows_a_card(events, viewer) or shows_a_card(twin_events, viewer):
        return False
    if (real.decision and real.decision.seat) != (twin.decision and twin.decision.seat):
        return False  # the hidden cards decide who has something to choose; that is known to all at the table
    seats = len(real.engine.state.players)
    packed = [(version + 1, happened.pack(real, events, seats))]
    twin_packed = [(version + 1, happened.pack(twin, twin_events, seats))]
    assert message(row, real, viewer, version + 1, packed) == message(row, twin, viewer, version + 1, twin_packed)
    return True


@pytest.mark.parametrize("seed", range(4))
def test_no_message_depends_on_what_its_reader_may_not_know(table: Table, seed: int) -> None:
    compared = run(table, seed)
    assert compared["views"] > 30 and compared["moves"] > 8, compared


def test_nor_with_four_players(cards: None, deck: TableDeck) -> None:
    people = [person(name) for name in ("ana", "ben", "cleo", "dan")]
    match = services.invite(people[0], deck, 4)
    for one in people[1:]:
        services.join(match, one, deck)
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
    real = engine_views.event_view

    def leaking(engine: Engine, event: Event, viewer: int | None) -> Any:
        return real(engine, event, event.player if event.kind == "draw" else viewer)

    monkeypatch.setattr(engine_views, "event_view", leaking)


def private_events_to_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(packed: bytes, viewer: int | None) -> list[Any]:
        return [next(iter(e.private.values()), e.public) for e in happened._decoder.decode(packed)]

    monkeypatch.setattr(happened, "seen_by", careless)


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
    assert len(seed) == services.SEED_BYTES
    for viewer in (0, 1, None):
        game = Game.load(bytes(table.row.saved), keeping.catalog_of(table.row.catalog))
        packed = [(m.seq, bytes(m.events)) for m in table.row.moves.all()]
        text = message(table.row, game, viewer, 20, packed)
        assert seed.hex() not in text and repr(seed)[2:-1] not in text


def test_nothing_hidden_is_logged(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", logger="matches")
    table.play(moves=60)
    game = Game.load(bytes(table.row.saved), keeping.catalog_of(table.row.catalog))
    hidden = {card for player in game.engine.state.players for card in [*player.hand, *player.deck]}
    for card in map(game.engine.card, hidden):
        assert card.id not in caplog.text and card.name not in caplog.text
