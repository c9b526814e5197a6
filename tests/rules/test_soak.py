"""The soak: a few games of every kind, and proof that it finds what is broken."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from ccg.rules import Catalog
from ccg.rules.core import characteristics, loops, zones
from ccg.rules.core.engine import Engine
from ccg.rules.core.state import Piece
from ccg.rules.rulebook import hands_and_decks, payment
from ccg.rules.rulebook.execution_phase import ExecutionPhase
from ccg.rules.soak import __main__ as command
from ccg.rules.soak import dealing
from ccg.rules.soak.playing import Plan, Story, soak
from ccg.rules.soak.shrinking import retold, shrink
from tests.at_length import AT_LENGTH
from tests.conftest import PATCHED

GAMES = [
    (2, "legal", 6, 2),
    (2, "starter", 6, 1),
    (2, "nonsense", 6, 1),
    (2, "mixed", 6, 2),
    (2, "equal", 6, 1),
    (3, "legal", 4, 1),
    (3, "nonsense", 3, 1),
    (3, "mixed", 4, 1),
    (4, "legal", 3, 1),
    (4, "nonsense", 2, 1),
    (4, "mixed", 3, 1),
    (8, "starter", 1, 1),
]
"""Players, decks, games of a test, and tests: 62 games, in chunks that several processes can share. `make test` plays a
third of each chunk, `make thorough` all.

Enough to see that the soak works with every kind of deck; what finds rare faults are its long runs (docs/soak.md).
"""


QUICK = (2, "starter", 0)
"""The chunk that `make quick` plays too; all others are slow."""


def marks_of(players: int, decks: str, chunk: int) -> list[pytest.MarkDecorator]:
    """Return the marks of a chunk; that of eight players takes as long as all others of `make test`."""
    if (players, decks, chunk) == QUICK:
        return []
    return [pytest.mark.slow, *([pytest.mark.thorough] if players == 8 else [])]


def numbers_of(chunk: int, games: int) -> range:
    """Return the numbers of a chunk's games, or of the first third of them."""
    return range(chunk * games, chunk * games + (games if AT_LENGTH else -(-games // 3)))


@pytest.mark.parametrize(
    ("players", "decks", "numbers"),
    [
        pytest.param(
            players,
            decks,
            numbers_of(chunk, games),
            id=f"{players}-{decks}-{chunk}",
            marks=marks_of(players, decks, chunk),
        )
        for players, decks, games, chunks in GAMES
        for chunk in range(chunks)
    ],
)
def test_nothing_breaks(catalog: Catalog, players: int, decks: str, numbers: range) -> None:
    for number in numbers:
        plan = Plan(11, number, players, decks)
        story = soak(plan, catalog)

        assert not story.broken, f"{plan}: {story.message}"
        assert story.moves


@pytest.mark.slow
def test_the_same_plan_is_the_same_game(catalog: Catalog) -> None:
    one, again = (soak(Plan(5, 3, 2, "legal"), catalog) for _ in range(2))

    assert one == again
    assert one.moves != soak(Plan(5, 4, 2, "legal"), catalog).moves


@pytest.mark.parametrize("decks", ["starter", "mixed"])
def test_nothing_breaks_lightly(catalog: Catalog, decks: str) -> None:
    for number in range(10):
        story = soak(Plan(11, number, 3, decks, lightly=True), catalog)

        assert not story.broken, story.message
        assert story.moves


@pytest.mark.pure_only(PATCHED)
def test_a_game_that_is_played_lightly_is_shown_to_all(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = characteristics.fleet_defense

    def of_those_who_began(engine: Engine) -> int:
        return honest(engine) // (engine.state.turn < 3)

    monkeypatch.setattr(characteristics, "fleet_defense", of_those_who_began)

    assert "ZeroDivisionError" in soak(Plan(11, 1, 2, "starter", lightly=True), catalog).message


@pytest.mark.parametrize("kind", dealing.KINDS)
def test_decks_are_what_they_are_called(catalog: Catalog, kind: str) -> None:
    for number in range(20):
        plan = Plan(1, number, 3, kind)
        focus = plan.focus(catalog)
        assert bool(focus) == (kind == "focused")
        for seat in plan.seats(catalog):
            assert catalog[seat.base].type == "base"
            assert all(catalog[card].type != "base" for card in seat.deck)
            assert set(focus) <= {seat.base, *seat.deck} | {card.id for card in catalog if card.type == "base"}
            if kind in ("legal", "starter"):
                assert len(seat.deck) >= 60
                assert max(map(seat.deck.count, seat.deck)) <= 4


def test_focused_games_go_round_all_cards(catalog: Catalog) -> None:
    def about(number: int) -> list[str]:
        return Plan(1, number, 2, "focused").focus(catalog)

    assert about(3) == about(3) != about(4)
    assert {card for number in range(1000) for card in about(number)} == set(catalog.ids)


def test_a_mixed_run_has_games_of_every_kind(catalog: Catalog) -> None:
    plans = [Plan(1, number, 2, "mixed") for number in range(16)]

    assert {plan.kind for plan in plans} == set(dealing.KINDS)
    of_focused = [plan.focus(catalog) for plan in plans if plan.kind == "focused"]
    assert of_focused == [Plan(1, number, 2, "focused").focus(catalog) for number in range(len(of_focused))]


# ---------------------------------------------------------------- planted faults


def _card_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = zones.to_discard
    monkeypatch.setattr(zones, "to_discard", lambda engine, cards: honest(engine, [*cards, *cards]))


def _card_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zones, "to_discard", lambda engine, cards: None)


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
    monkeypatch.setattr(hands_and_decks, "only", lambda seat: 0xFF)


def _no_way_to_pay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(payment, "useful_stacks", lambda *anything: [])


def _not_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ExecutionPhase, "taken_back", lambda phase: None)


@pytest.mark.slow
@pytest.mark.pure_only(PATCHED)
@pytest.mark.parametrize(
    ("plant", "check"),
    [
        (_not_taken_back, "taking back"),
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


def _one_resource_is_as_good_as_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        payment.AvailableResources,
        "cover",
        lambda available, owed, discounts=(): sum(available.totals) + sum(available.added) >= sum(owed),
    )


def _units_add_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = payment.AvailableResources.of
    monkeypatch.setattr(
        payment.AvailableResources, "of", lambda *who: msgspec.structs.replace(honest(*who), added=(0, 0, 0))
    )


def _any_stack_may_be_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    def unspent(engine: Engine, paying: payment.Payment) -> list[Piece]:
        stacks = engine.player(paying.seat).resource
        return [piece for piece in stacks if piece.is_stack and not piece.exhausted and piece.id not in paying.spent]

    monkeypatch.setattr(payment, "useful_stacks", unspent)


def _help_may_always_be_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(payment.Payment, "_refusable", lambda *anything: True)


def _nothing_is_cheaper(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(payment, "discounts", lambda *whose: [])


def _one_stack_is_proposed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(payment, "_fewest", lambda owed, stacks: [stack for stack, _ in stacks[:1]])


@pytest.mark.pure_only(PATCHED)
@pytest.mark.parametrize(
    ("plant", "about"),
    [
        (_one_resource_is_as_good_as_another, "BSG2-157"),
        (_units_add_nothing, "BSG1-161+BSG2-157"),
        (_any_stack_may_be_spent, "BSG2-157"),
        (_help_may_always_be_refused, "BSG1-161+BSG2-157"),
        (_one_stack_is_proposed, "BSG2-157"),
        (_nothing_is_cheaper, "BSG2-164+BSG2-157"),
    ],
)
def test_wrong_payments_are_found(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch, plant: Callable[[pytest.MonkeyPatch], None], about: str
) -> None:
    plant(monkeypatch)
    stories = (soak(Plan(1, number, 2, "focused", (about,)), catalog) for number in range(12))

    assert any(story.broken == "paying" for story in stories)


def _everybody_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loops, "held", lambda *who: True)


def _held_the_first_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loops, "SAME_POSITION", 1)


def _held_after_three_deeds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loops, "MOST_DEEDS", 3)


def _all_positions_are_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loops, "_position", lambda engine: 0)


def _no_position_stands_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loops, "_position", lambda engine: len(engine.state.deeds.positions))


def _who_is_held_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loops, "held", lambda *who: False)


@pytest.mark.pure_only(PATCHED)
@pytest.mark.parametrize(
    ("plant", "check"),
    [
        (_everybody_is_held, "paying"),
        (_held_the_first_time, "loops"),
        (_held_after_three_deeds, "loops"),
        (_all_positions_are_equal, "loops"),
        (_no_position_stands_again, "loops"),
        (_who_is_held_goes_on, "loops"),
    ],
)
def test_who_is_held_wrongly_is_found(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch, plant: Callable[[pytest.MonkeyPatch], None], check: str
) -> None:
    """The kept game ends as a player is held (ruling 92) who could pay for a card."""
    kept = Path(__file__).parent / "kept" / "payable-while-held-by-a-loop.json"
    story = Story.from_json(kept.read_bytes())
    assert not retold(story, story.moves, catalog, looked_at=4).broken

    plant(monkeypatch)

    assert retold(story, story.moves, catalog, looked_at=4).broken == check


# ---------------------------------------------------------------- failures told so that anyone can replay them


@pytest.mark.slow
@pytest.mark.pure_only(PATCHED)
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


@pytest.mark.slow
@pytest.mark.pure_only(PATCHED)
def test_a_shrunk_failure_needs_each_of_its_moves(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    _card_lost(monkeypatch)
    story = shrink(soak(Plan(2, 0, 2, "starter"), catalog), catalog, 60.0)

    for place in range(len(story.moves)):
        shorter = retold(story, [*story.moves[:place], *story.moves[place + 1 :]], catalog)
        assert shorter.broken != story.broken or len(shorter.moves) >= len(story.moves)


@pytest.mark.slow
def test_the_command_says_how_it_went(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert command.main(["--games", "2", "--players", "3", "--seed", "7", "--keep", str(tmp_path / "none")]) == 0
    said = capsys.readouterr().out

    assert "2 games" in said
    assert "0 failures" in said
    assert not (tmp_path / "none").exists()


@pytest.mark.slow
def test_the_table_of_uses_is_written_and_what_was_not_used_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    arguments = ["--games", "2", "--decks", "focused", "--seed", "7", "--uses", str(tmp_path / "uses.csv")]
    assert command.main([*arguments, "--jobs", "2"]) == 0
    said, table = capsys.readouterr().out, (tmp_path / "uses.csv").read_text()
    assert command.main([*arguments, "--least", "1"]) == 1
    again = (tmp_path / "uses.csv").read_text()

    assert table == again
    rows = table.splitlines()
    assert rows[0] == "card,ability,what,branch,count"
    assert any(row.endswith(",0") for row in rows)
    assert len([row for row in rows[1:] if not row.endswith(",0")]) > 10
    unused = sum(row.endswith(",0") for row in rows)
    assert f"{unused} abilities used less than 1 times or branches never taken" in said
    assert said.count("TOO SELDOM 0 x ") == unused


@pytest.mark.slow
def test_games_can_be_about_named_cards(catalog: Catalog, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    ship = next(card.id for card in catalog if card.type == "ship")
    event = next(card.id for card in catalog if card.type == "event")
    decks = [Plan(1, number, 2, "focused", (ship, f"{event}+{ship}")).seats(catalog)[0].deck for number in range(2)]

    assert ship in decks[0]
    assert {ship, event} <= set(decks[1])
    assert command.main(["--games", "1", "--about", ship, "--keep", str(tmp_path)]) == 0
    assert command.main(["--games", "1", "--about", "NO-1"]) == 2
    assert "There is no card NO-1" in capsys.readouterr().err
