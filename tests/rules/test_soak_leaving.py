"""The soak lets everybody concede everywhere, and finds what goes wrong then."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import pytest

from ccg.rules import Catalog
from ccg.rules.core import outcome
from ccg.rules.core.engine import Engine, Frame
from ccg.rules.core.options import Option
from ccg.rules.core.state import SeatNumber
from ccg.rules.rulebook.execution_phase import ExecutionPhase
from ccg.rules.rulebook.payment import Payment
from ccg.rules.soak import __main__ as command
from ccg.rules.soak.playing import LEAVING, MIXTURE, Plan, Story, soak
from ccg.rules.soak.shrinking import retold, shrink
from tests.at_length import thorough
from tests.conftest import PATCHED

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("players", "decks", "games"),
    [(2, "mixed", 2), (3, "legal", 1), thorough(3, "focused", 2), thorough(4, "starter", 1)],
)
def test_nothing_breaks_wherever_somebody_leaves(catalog: Catalog, players: int, decks: str, games: int) -> None:
    for number in range(games):
        plan = Plan(12, number, players, decks, leaving=1)
        story = soak(plan, catalog)

        assert not story.broken, f"{plan}: {story.message}"


def test_games_of_all_kinds_are_among_those_in_which_everybody_leaves() -> None:
    plans = [Plan(1, number, 3, "mixed") for number in range(LEAVING * len(MIXTURE))]
    leaving = [plan for plan in plans if plan.everybody_leaves]

    assert len(leaving) == len(MIXTURE)
    assert sorted(plan.kind for plan in leaving) == sorted(MIXTURE)
    assert not any(Plan(1, plan.number, 3, "mixed", leaving=0).everybody_leaves for plan in plans)
    assert all(Plan(1, plan.number, 3, "mixed", leaving=1).everybody_leaves for plan in plans)


def test_leaving_in_copies_changes_nothing_in_the_game(catalog: Catalog) -> None:
    with_it, without = (soak(Plan(3, 1, 3, "starter", leaving=leaving), catalog) for leaving in (1, 0))

    assert with_it == without


# ---------------------------------------------------------------- planted faults

Leave = Callable[..., None]


def _after_leaving(monkeypatch: pytest.MonkeyPatch, fault: Callable[[Engine, list[Frame]], None]) -> None:
    """Let ``fault`` happen when a player has left and others go on; it gets the agenda as it was before."""
    honest: Leave = outcome.leave

    def leave(engine: Engine, seats: Collection[SeatNumber], **how: Any) -> None:
        before = list(engine.state.agenda)
        honest(engine, seats, **how)
        if engine.state.result is None:
            fault(engine, before)

    monkeypatch.setattr(outcome, "leave", leave)


def _goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A half-made move stays where it is."""

    def fault(engine: Engine, before: list[Frame]) -> None:
        kept = [frame for frame in before if frame.half_made() and not _of_leaver(engine, frame)]
        engine.state.agenda += [frame for frame in kept if frame not in engine.state.agenda]

    _after_leaving(monkeypatch, fault)


def _of_leaver(engine: Engine, frame: Frame) -> bool:
    return any(player.lost and frame.belongs_to(seat) for seat, player in enumerate(engine.state.players))


def _spends(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stack is spent by itself."""
    _after_leaving(monkeypatch, lambda engine, before: engine.emit("spend", engine.seats()[0]))


def _challenge_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands above a challenge of the leaver is not dropped."""
    monkeypatch.setattr(outcome, "_break_off", lambda *anything, **how: None)


def _still_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those who have left can still be challenged."""
    honest = ExecutionPhase.options

    def options(phase: ExecutionPhase, engine: Engine) -> list[Option]:
        gone = [seat for seat, player in enumerate(engine.state.players) if player.lost]
        return [*honest(phase, engine), *(Option("challenge", player=seat) for seat in gone)]

    monkeypatch.setattr(ExecutionPhase, "options", options)


def _nobodys(monkeypatch: pytest.MonkeyPatch) -> None:
    """A payment does not say whose it is."""
    monkeypatch.setattr(Payment, "belongs_to", lambda payment, seat: False)


FAULTS = [
    (_goes_on, "leaving"),
    (_spends, "leaving"),
    (_challenge_goes_on, "leaving"),
    (_still_named, "options"),
    (_nobodys, "half-made"),
]


@pytest.mark.pure_only(PATCHED)
@pytest.mark.parametrize(("plant", "check"), FAULTS)
def test_planted_faults_are_found(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch, plant: Callable[[pytest.MonkeyPatch], None], check: str
) -> None:
    plant(monkeypatch)
    found = {soak(Plan(1, number, 3, "starter", leaving=1), catalog).broken for number in range(3)}

    assert check in found


@pytest.mark.pure_only(PATCHED)
def test_a_failure_in_a_copy_is_told_with_its_moves(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    _goes_on(monkeypatch)
    story = soak(Plan(1, 0, 3, "starter", leaving=1), catalog)
    short = shrink(story, catalog, 20.0)
    stored = Story.from_json(short.to_json())

    assert story.broken == short.broken == "leaving"
    assert short.moves[-1].startswith("concede ")
    assert len(short.moves) <= len(story.moves)
    assert retold(stored, stored.moves, catalog).broken == "leaving"


def test_the_command_can_do_so_in_every_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--games", "1", "--leaving", "1"]) == 0
    assert "0 failures" in capsys.readouterr().out
