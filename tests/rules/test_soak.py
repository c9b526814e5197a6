"""The soak: a few games of every kind, and proof that it finds what is broken."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ccg.rules import Catalog, characteristics, instructions, outcome, payment
from ccg.rules.agenda import Engine
from ccg.rules.soak import __main__ as command
from ccg.rules.soak import dealing
from ccg.rules.soak.playing import Plan, Story, soak
from ccg.rules.soak.shrinking import retold, shrink


@pytest.mark.parametrize(
    ("players", "decks", "games"),
    [(2, "legal", 8), (2, "starter", 4), (2, "nonsense", 4), (3, "legal", 3), (4, "legal", 2), (8, "starter", 1)],
)
def test_nothing_breaks(catalog: Catalog, players: int, decks: str, games: int) -> None:
    for number in range(games):
        story = soak(Plan(11, number, players, decks), catalog)

        assert not story.broken, story.message
        assert story.moves


def test_the_same_plan_is_the_same_game(catalog: Catalog) -> None:
    one, again = (soak(Plan(5, 3, 2, "legal"), catalog) for _ in range(2))

    assert one == again
    assert one.moves != soak(Plan(5, 4, 2, "legal"), catalog).moves


@pytest.mark.parametrize("kind", dealing.KINDS)
def test_decks_are_what_they_are_called(catalog: Catalog, kind: str) -> None:
    for number in range(20):
        for seat in dealing.seats(kind, 3, catalog, Plan(1, number, 3, kind).rng("decks")):
            assert catalog[seat.base].type == "base"
            assert all(catalog[card].type != "base" for card in seat.deck)
            if kind != "nonsense":
                assert len(seat.deck) >= 60
                assert max(map(seat.deck.count, seat.deck)) <= 4


# ---------------------------------------------------------------- planted faults


def _card_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = outcome.to_discard
    monkeypatch.setattr(instructions.outcome, "to_discard", lambda engine, cards: honest(engine, [*cards, *cards]))


def _card_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instructions.outcome, "to_discard", lambda engine, cards: None)


def _power_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = characteristics.power
    monkeypatch.setattr(
        characteristics, "power", lambda engine, piece: honest(engine, piece) + (piece.is_unit and piece.area == 1)
    )


def _level_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = characteristics.threat_level

    def with_assets(engine: Engine) -> int:
        return honest(engine) + sum(len(player.resource) > 3 for player in engine.state.players)

    monkeypatch.setattr(characteristics, "threat_level", with_assets)


def _draw_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instructions, "only", lambda seat: 0xFF)


def _no_way_to_pay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(payment, "useful_stacks", lambda *anything: [])


@pytest.mark.parametrize(
    ("plant", "check"),
    [
        (_card_twice, "conservation"),
        (_card_lost, "conservation"),
        (_power_wrong, "numbers"),
        (_level_wrong, "numbers"),
        (_draw_shown, "secrets"),
        (_no_way_to_pay, "options"),
    ],
)
def test_planted_faults_are_found(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch, plant: Callable[[pytest.MonkeyPatch], None], check: str
) -> None:
    plant(monkeypatch)
    found = {soak(Plan(1, number, 2, "starter"), catalog).broken for number in range(6)}

    assert check in found


# ---------------------------------------------------------------- failures told so that anyone can replay them


def test_a_failure_is_shrunk_kept_and_replayed(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "SHRINK_SECONDS", 4.0)
    with monkeypatch.context() as planted:
        _card_lost(planted)
        arguments = ["--games", "1", "--decks", "starter", "--keep", str(tmp_path)]
        assert command.main(arguments) == 1
        said = capsys.readouterr().out
        kept = next(tmp_path.glob("*.json"))
        assert command.main(["--replay", str(kept)]) == 1
    short, whole = Story.from_json(kept.read_bytes()), soak(Plan(1, 0, 2, "starter"), catalog)

    assert "conservation" in said
    assert "--replay" in said
    assert short.broken == "conservation"
    assert 0 < len(short.moves) < len(whole.moves)
    assert all(f"  {move}" in said for move in short.moves)
    assert command.main(["--replay", str(kept)]) == 0
    assert "nothing is broken any more" in capsys.readouterr().out


def test_a_shrunk_failure_needs_each_of_its_moves(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    _card_lost(monkeypatch)
    story = shrink(soak(Plan(2, 0, 2, "starter"), catalog), catalog, 60.0)

    for place in range(len(story.moves)):
        shorter = retold(story, [*story.moves[:place], *story.moves[place + 1 :]], catalog)
        assert shorter.broken != story.broken or len(shorter.moves) >= len(story.moves)


def test_the_command_says_how_it_went(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert command.main(["--games", "2", "--players", "3", "--seed", "7", "--keep", str(tmp_path / "none")]) == 0
    said = capsys.readouterr().out

    assert "2 games" in said
    assert "0 failures" in said
    assert not (tmp_path / "none").exists()
