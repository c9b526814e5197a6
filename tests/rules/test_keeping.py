"""Copying, saving, loading and replaying: the same game in every respect, or a clear error."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccg.rules import Catalog, Game, IllegalOption, Record, StateError
from ccg.rules.core.state import card_of
from ccg.rules.saving import ENGINE_VERSION
from tests.at_length import examples
from tests.reading import own_cards
from tests.rules.tables import keys, restless, start, walk

SIZES = [(2, "starter"), (2, "nonsense"), (3, "legal"), (4, "legal"), (8, "legal")]


@pytest.mark.parametrize(("players", "decks"), SIZES)
def test_a_kept_game_is_the_same_game_at_every_decision(catalog: Catalog, players: int, decks: str) -> None:
    for number, game in enumerate(walk(catalog, "kept", players, decks, most=250)):
        data = game.save()
        for other in (game.copy(), Game.load(data, catalog)):
            assert other.save() == data
            assert other.digest() == game.digest()
            assert other.decision == game.decision
            assert other.result == game.result
            if number % 5 == 0:
                for viewer in (None, *range(players)):
                    assert other.view(viewer) == game.view(viewer)


@pytest.mark.parametrize("players", [2, 4])
def test_a_copy_goes_its_own_way(catalog: Catalog, players: int) -> None:
    for game in walk(catalog, "ways", players, most=120):
        before = game.save()
        for key in keys(game):
            other = game.copy()
            other.choose(key)
            assert other.save() != before
        assert game.save() == before


@pytest.mark.parametrize("players", [2, 4])
def test_a_trial_is_a_copy_for_one_move(catalog: Catalog, players: int) -> None:
    for game in walk(catalog, "trials", players, most=120):
        before = game.save()
        for key in keys(game):
            tried, copied = game.trial(), game.copy()

            assert tried.decision == game.decision
            assert tried.choose(key) == copied.choose(key)
            assert tried.save() == copied.save()
            assert tried.decision == copied.decision
        assert game.save() == before


@pytest.mark.parametrize("players", [2, 3, 8])
def test_a_loaded_game_goes_on_in_the_same_way(catalog: Catalog, players: int) -> None:
    for game in walk(catalog, "on", players, most=150):
        for key in keys(game)[:4]:
            copied, loaded = game.copy(), Game.load(game.save(), catalog)

            assert copied.choose(key) == loaded.choose(key)
            assert copied.digest() == loaded.digest()


# ---------------------------------------------------------------- records


@pytest.mark.parametrize("players", [2, 3, 4, 8])
def test_a_record_played_again_ends_in_the_same_state(catalog: Catalog, players: int) -> None:
    seats, seed, moves, game = restless(catalog, players, players)
    record = Record(ENGINE_VERSION, catalog.fingerprint, seed, seats, moves)
    stored = msgspec.json.decode(msgspec.json.encode(record), type=Record)

    again = Game.replay(stored, catalog)

    assert "back" in moves
    assert again.digest() == game.digest()
    assert again.result == game.result


def test_a_record_that_does_not_fit_says_so(catalog: Catalog) -> None:
    seats, seed, moves, _ = restless(catalog, "unfit")
    record = Record(ENGINE_VERSION, catalog.fingerprint, seed, seats, ["resolve 1000", *moves])

    with pytest.raises(IllegalOption):
        Game.replay(record, catalog)


# ---------------------------------------------------------------- bytes that are no game of ours


@pytest.mark.parametrize("data", [b"", b"\x00", b"{}", b"not a game", b"\x93\x01\x02\x03", b"\xff" * 1000, b"\x90"])
def test_what_is_no_saved_game_is_refused(catalog: Catalog, data: bytes) -> None:
    with pytest.raises(StateError) as refused:
        Game.load(data, catalog)

    assert refused.value.code == "damaged"


def test_a_game_of_another_engine_or_other_cards_is_refused(catalog: Catalog) -> None:
    data = start(catalog).save()
    engine, fingerprint, *rest = msgspec.msgpack.decode(data)
    older = msgspec.msgpack.encode([engine - 1, fingerprint, *rest])
    fewer = Catalog(list(catalog)[:-1])

    with pytest.raises(StateError) as refused:
        Game.load(older, catalog)
    assert refused.value.code == "engine"
    with pytest.raises(StateError) as refused:
        Game.load(data, fewer)
    assert refused.value.code == "catalog"


@pytest.mark.parametrize("card", [-1, card_of(0, 2), card_of(1_000_000, 0)], ids=["negative", "owner", "definition"])
@pytest.mark.parametrize("zone", ["deck", "hand", "removed", "gone", "supplies"])
def test_a_card_that_is_in_no_catalogue_or_has_no_owner_is_refused(catalog: Catalog, card: int, zone: str) -> None:
    game = start(catalog)
    player = game.engine.player(1)
    cards = player.resource[0].supplies if zone == "supplies" else getattr(player, zone)
    cards.append(card)

    with pytest.raises(StateError, match="names cards"):
        Game.load(game.save(), catalog)


CATALOG = own_cards()
SAVED = [game.save() for number, game in enumerate(walk(CATALOG, "saved", 3, most=200)) if number % 23 == 0]


@st.composite
def damaged(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """A saved game, and the same with some bytes changed, left out, put in or cut off."""
    data = draw(st.sampled_from(SAVED))
    hurt = bytearray(data)
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, max(0, len(hurt) - 1)))
        how = draw(st.sampled_from(["change", "remove", "insert", "cut", "double"]))
        if how == "change" and hurt:
            hurt[place] = draw(st.integers(0, 255))
        elif how == "remove":
            del hurt[place : place + draw(st.integers(1, 8))]
        elif how == "insert":
            hurt[place:place] = draw(st.binary(min_size=1, max_size=8))
        elif how == "cut":
            del hurt[place:]
        else:
            hurt[place:place] = hurt[place : place + 16]
    return data, bytes(hurt)


@pytest.mark.slow
@settings(max_examples=examples(1500))
@given(damaged())
def test_damaged_bytes_are_refused_or_mean_the_same_game(both: tuple[bytes, bytes]) -> None:
    data, hurt = both
    try:
        loaded = Game.load(hurt, CATALOG).save()
    except StateError as refused:
        loaded = data
        known = refused.code in ("damaged", "engine", "catalog")
    else:
        known = True

    assert loaded == data
    assert known


@settings(max_examples=examples(300))
@given(st.binary(max_size=300))
def test_any_bytes_at_all_are_refused(data: bytes) -> None:
    with pytest.raises(StateError):
        Game.load(data, CATALOG)
