"""Simulated games in the background: in slices, resumed where they stopped, counted once, and stopped if need be."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from cards_data import importing, isolated, trials
from cards_data.importing import NotNow
from cards_data.imports import import_sets
from cards_data.isolated import Done
from cards_data.models import AuditEntry, ImportDraft
from cards_data.trials import Trial
from ccg.outbox.handlers import LEASE
from ccg.outbox.models import Job
from ccg.outbox.services import drain
from ccg.rules.soak.trials import Crash, TrialReport
from tests.cards_data.archives import WHOLE
from tests.cards_data.conftest import APOLLO, BASE, WriteSet

pytestmark = pytest.mark.django_db

State = ImportDraft.State


@pytest.fixture
def draft(write_set: WriteSet) -> ImportDraft:
    """A checked draft of one new card, over a set of two."""
    import_sets([write_set("OLD", cards=APOLLO.replace("Apollo", "Helo") + BASE)])
    drain()
    return importing.upload(None, "tst.yaml", WHOLE.encode())


def trial_of(draft: ImportDraft) -> Trial:
    draft.refresh_from_db()
    trial = Trial.of(draft)
    assert trial is not None
    return trial


def job() -> Job:
    """The slice that is asked for."""
    return Job.objects.get(task=trials.TASK, state=Job.State.WAITING)


def two_games(task: str, request: Any, answer: type, seconds: float) -> Done:
    """Two games of a slice, as a child would tell of them."""
    number = min(2, request.games)
    return Done([TrialReport(games=number, uses={"TST-01": number}, never_played=[], unused=[("TST-01", "always")])])


@pytest.fixture
def quick(draft: ImportDraft, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that are told and not played."""
    monkeypatch.setattr(isolated, "run", two_games)


def test_games_are_played_slice_by_slice(draft: ImportDraft, monkeypatch: pytest.MonkeyPatch) -> None:
    """With no time for more, a slice is one real game; the next one goes on where it stopped."""
    monkeypatch.setattr(trials, "SLICE_SECONDS", 0.0)
    monkeypatch.setattr(trials, "GRACE_SECONDS", 40.0)
    importing.begin_trial(draft, None, games=3)
    progress = []
    while drain(limit=1):
        trial = trial_of(draft)
        progress.append((trial.played, trial.slices, trial.percent, draft.state))
    assert progress == [(1, 1, 33, "trying"), (2, 2, 66, "trying"), (3, 3, 100, "tried")]
    assert trial_of(draft).passed
    assert trial_of(draft).ended is not None


def test_the_same_trial_in_slices_or_in_one(draft: ImportDraft, monkeypatch: pytest.MonkeyPatch) -> None:
    plays = []
    for seconds in (0.0, 60.0):
        monkeypatch.setattr(trials, "SLICE_SECONDS", seconds)
        trial = trials.new(["TST-01"], games=3)
        trial.seed = 5
        while not trial.done:
            trials.add(trial, trials.play(trial, trials.together(draft)))
        plays.append((trial.plays, trial.unused, trial.crashes, trial.endless))
    assert plays[0] == plays[1]


@pytest.mark.usefixtures("quick")
def test_a_slice_done_twice_counts_once(draft: ImportDraft) -> None:
    importing.begin_trial(draft, None, games=5)
    payload = job().payload
    trials.handle(payload)
    trials.handle(payload)
    assert (trial_of(draft).played, trial_of(draft).slices) == (2, 1)
    assert Job.objects.filter(task=trials.TASK).count() == 2
    drain()
    assert (trial_of(draft).played, trial_of(draft).plays, draft.state) == (5, {"TST-01": 5}, State.TRIED)
    assert AuditEntry.objects.filter(what="trial finished").count() == 1


def test_a_slice_of_a_worker_taken_for_dead_is_not_counted(draft: ImportDraft, monkeypatch: pytest.MonkeyPatch) -> None:
    """While it was away another has played the same slice."""
    importing.begin_trial(draft, None, games=5)
    payload = job().payload

    def slow(*request: Any) -> Done:
        monkeypatch.setattr(isolated, "run", two_games)
        trials.handle(payload)
        return two_games(*request)

    monkeypatch.setattr(isolated, "run", slow)
    trials.handle(payload)
    assert (trial_of(draft).played, trial_of(draft).slices) == (2, 1)


def test_a_worker_that_dies_leaves_its_slice_to_the_next(draft: ImportDraft, monkeypatch: pytest.MonkeyPatch) -> None:
    importing.begin_trial(draft, None, games=4)

    def die(*request: Any) -> Done:
        raise SystemExit

    monkeypatch.setattr(isolated, "run", two_games)
    drain(limit=1)
    monkeypatch.setattr(isolated, "run", die)
    with pytest.raises(SystemExit):
        drain(limit=1)
    monkeypatch.setattr(isolated, "run", two_games)
    assert drain() == 0
    assert trial_of(draft).played == 2
    Job.objects.filter(pk=job().pk).update(due=timezone.now() - LEASE)
    drain()
    assert (trial_of(draft).played, trial_of(draft).slices, draft.state) == (4, 2, State.TRIED)


def test_a_slice_fits_into_the_lease_of_its_row() -> None:
    longest = isolated.PATIENCE * (trials.SLICE_SECONDS + trials.GRACE_SECONDS)
    assert timedelta(seconds=longest) < LEASE


@pytest.mark.parametrize("done_before", [0, 1])
def test_a_game_that_stops_the_child_is_told_and_the_next_ones_are_played(
    draft: ImportDraft, monkeypatch: pytest.MonkeyPatch, done_before: int
) -> None:
    asked: list[int] = []

    def stopped(task: str, request: Any, answer: type, seconds: float) -> Done:
        asked.append(request.start)
        if len(asked) > 1:
            return two_games(task, request, answer, seconds)
        report = TrialReport(games=1, uses={"TST-01": 1}, unused=[("TST-01", "always")])
        return Done([report] * done_before, "it needs more memory than it may have")

    monkeypatch.setattr(isolated, "run", stopped)
    importing.begin_trial(draft, None, games=done_before + 3)
    drain()
    trial = trial_of(draft)
    assert asked == [0, done_before + 1]
    assert (trial.played, trial.crashes, trial.passed) == (done_before + 3, 1, False)
    [finding] = trial.findings
    assert (finding.game, finding.message) == (
        done_before, "The game was stopped: it needs more memory than it may have.",
    )  # fmt: skip
    with pytest.raises(NotNow, match="1 broke and 0 did not end"):
        importing.publish(draft, None)


def test_what_the_games_find_is_added_up(draft: ImportDraft, monkeypatch: pytest.MonkeyPatch) -> None:
    crash = Crash(1, 1, 3, 17, "KeyError in there", "KeyError: 'x'", ["TST-01"])
    reports = [
        TrialReport(games=2, broken=1, crashes=[crash], uses={"TST-01": 2}, unused=[("TST-01", "a"), ("TST-01", "b")]),
        TrialReport(games=2, endless=1, uses={"TST-01": 3}, unused=[("TST-01", "b"), ("TST-01", "c")]),
    ]
    monkeypatch.setattr(isolated, "run", lambda *request: Done([reports.pop(0)]))
    importing.begin_trial(draft, None, games=4)
    drain()
    trial = trial_of(draft)
    assert (trial.played, trial.crashes, trial.endless, trial.plays) == (4, 1, 1, {"TST-01": 5})
    assert trial.unused == [("TST-01", "b")]
    assert [(one.kind, one.game, one.message, one.cards) for one in trial.findings] == [
        ("crash", 1, "KeyError: 'x'", ["TST-01"])
    ]
    assert AuditEntry.objects.get(what="trial finished").detail == {
        "games": 4, "crashes": 1, "endless": 1, "never_played": 0,
    }  # fmt: skip


@pytest.mark.usefixtures("quick")
def test_a_trial_is_begun_once_and_can_be_repeated(draft: ImportDraft) -> None:
    importing.begin_trial(draft, None, games=2)
    with pytest.raises(NotNow, match="being played already"):
        importing.begin_trial(draft, None)
    drain()
    first = trial_of(draft)
    importing.begin_trial(draft, None, games=4)
    drain()
    second = trial_of(draft)
    assert (first.played, second.played, draft.state) == (2, 4, State.TRIED)
    assert first.run != second.run


@pytest.mark.usefixtures("quick")
def test_a_trial_without_news_can_be_begun_anew(draft: ImportDraft) -> None:
    importing.begin_trial(draft, None, games=2)
    old = job()
    Job.objects.filter(pk=old.pk).update(state=Job.State.FAILED)
    draft.refresh_from_db()
    draft.trial["news"] = (timezone.now() - 2 * trials.STALE).isoformat()
    draft.save()
    assert trial_of(draft).stale
    importing.begin_trial(draft, None, games=2)
    trials.handle(old.payload)
    assert trial_of(draft).played == 0
    drain()
    assert draft.pk and trial_of(draft).played == 2


@pytest.mark.parametrize("games", [0, -1, trials.MOST_GAMES + 1])
def test_a_trial_has_a_sensible_number_of_games(draft: ImportDraft, games: int) -> None:
    with pytest.raises(NotNow, match="1 to 2,000 games"):
        importing.begin_trial(draft, None, games)


def test_cards_without_any_base_are_told_not_hidden(db: None, tmp_path: Path) -> None:
    """Nobody can sit down: the games break, and say so."""
    draft = importing.begin_trial(importing.upload(None, "tst.yaml", WHOLE.encode()), None, games=1)
    drain()
    assert trial_of(draft).crashes == 1
    assert trial_of(draft).findings
