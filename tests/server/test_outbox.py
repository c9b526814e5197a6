"""Background work: written with the change, done at least once, by whoever comes first."""

from __future__ import annotations

import threading
import time
from datetime import timedelta
from io import StringIO
from typing import Any

import celery
import pytest
from celery.beat import ScheduleEntry, Scheduler, SchedulingError
from django.core.management import call_command
from django.db import OperationalError, connections, transaction
from django.utils import timezone

from ccg.companion import CompanionError
from ccg.outbox import deleting, handlers, services, sweeps
from ccg.outbox.handlers import KEPT, LEASE, NotNow, Task, UnknownTask, handler_of, register
from ccg.outbox.models import Job
from ccg.outbox.services import ATTEMPTS, drain, forget, is_asked_for, post, retry_failed
from ccg.outbox.tasks import drain_task
from ccg.outbox.threads import Drainers
from ccg.outbox.wake import DRAIN_TASK, call_worker
from ccg.server.celery import app
from decks import background
from matches.playing.computer_queue import TURN_TASK

TASK = "test.note"


class Noted(list[dict[str, Any]]):
    """The payloads that a handler was given, and how often it is still to fail."""

    failures = 0

    def note(self, payload: dict[str, Any]) -> None:
        """A handler."""
        if self.failures:
            self.failures -= 1
            raise ConnectionError("not yet")
        self.append(payload)


@pytest.fixture
def noted(monkeypatch: pytest.MonkeyPatch) -> Noted:
    done = Noted()
    monkeypatch.setitem(handlers._tasks, TASK, Task(done.note, LEASE))
    return done


def make_due(key: str) -> None:
    """Let the time pass that a row still has to wait."""
    Job.objects.filter(key=key).update(due=timezone.now())


@pytest.mark.django_db
def test_posted_work_is_done_once(noted: Noted) -> None:
    assert post(TASK, {"number": 1}, key="a")
    assert drain() == 1
    assert drain() == 0
    assert noted == [{"number": 1}]
    job = Job.objects.get()
    assert (job.state, job.attempts) == (Job.State.DONE, 1)
    assert job.finished is not None


@pytest.mark.django_db
def test_the_same_work_posted_twice_is_one_row(noted: Noted) -> None:
    post(TASK, {"number": 1}, key="a")
    assert not post(TASK, {"number": 2}, key="a")
    drain()
    assert not post(TASK, {"number": 3}, key="a")
    drain()
    assert noted == [{"number": 1}]


@pytest.mark.django_db
def test_work_that_cannot_begin_yet_waits_in_its_row(monkeypatch: pytest.MonkeyPatch) -> None:
    def not_now(payload: dict[str, Any]) -> None:
        raise NotNow(timedelta(minutes=5))

    monkeypatch.setitem(handlers._tasks, TASK, Task(not_now, LEASE))
    post(TASK, {}, key="a:1")
    assert is_asked_for("a:")
    assert not is_asked_for("b:")
    for _ in range(2 * ATTEMPTS):
        make_due("a:1")
        assert drain() == 1
    job = Job.objects.get()
    assert (job.state, job.attempts, job.error) == (Job.State.WAITING, 0, "")
    assert timedelta(minutes=4) < job.due - timezone.now() <= timedelta(minutes=5)


@pytest.mark.django_db
def test_work_that_cannot_begin_yet_waits_also_after_the_clock_has_gone_back(monkeypatch: pytest.MonkeyPatch) -> None:
    def not_now(payload: dict[str, Any]) -> None:
        raise NotNow(timedelta(minutes=1))

    monkeypatch.setitem(handlers._tasks, TASK, Task(not_now, LEASE))
    post(TASK, {}, key="a")
    ahead = timezone.now() + timedelta(hours=1)
    Job.objects.update(posted=ahead, due=ahead)
    assert drain(limit=5) == 1


@pytest.mark.django_db
def test_work_that_somebody_has_in_hand_may_be_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    monkeypatch.setitem(handlers._tasks, TASK, Task(lambda payload: asked.append(is_asked_for("a:")), LEASE))
    post(TASK, {}, key="a:1")
    drain()
    assert asked == [False]


class Gone:
    """A database that is lost as the outcome of work is to be written down, ``times`` times."""

    def __init__(self, times: int) -> None:
        self.times = times
        self._close = services._close

    def close(self, job: Job, **changes: object) -> None:
        if self.times:
            self.times -= 1
            raise OperationalError("the connection is closed")
        self._close(job, **changes)


@pytest.mark.django_db
@pytest.mark.parametrize("failures", [0, 1], ids=["done", "failed"])
def test_what_was_in_hand_as_the_database_went_is_due_when_it_is_back(
    noted: Noted, monkeypatch: pytest.MonkeyPatch, failures: int
) -> None:
    """Somebody may wait for it at a table, for whom two minutes are long."""
    noted.failures = failures
    monkeypatch.setattr(services, "_close", Gone(1).close)
    post(TASK, {}, key="a")
    with pytest.raises(OperationalError):
        drain()
    assert drain() == 1
    assert Job.objects.get().state == Job.State.DONE
    assert noted == [{}] * (2 - failures)
    assert drain() == 0


@pytest.mark.django_db
def test_what_another_has_done_meanwhile_is_not_given_back(noted: Noted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "_close", Gone(1).close)
    post(TASK, {}, key="a")
    with pytest.raises(OperationalError):
        drain()
    Job.objects.update(state=Job.State.DONE, attempts=2)
    assert drain() == 0
    assert noted == [{}]


@pytest.mark.django_db
def test_work_that_people_wait_for_has_a_lease_of_its_own(noted: Noted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(handlers._tasks, TASK, Task(noted.note, timedelta(seconds=10)))
    post(TASK, {}, key="a")
    before = timezone.now()
    job = services._claim()
    assert job is not None
    assert job.due - before < timedelta(minutes=1)


@pytest.mark.django_db(transaction=True)
def test_work_goes_with_the_change_that_asked_for_it(noted: Noted) -> None:
    with transaction.atomic():
        post(TASK, {}, key="a")
        transaction.set_rollback(True)
    assert drain() == 0
    assert not Job.objects.exists()


@pytest.mark.django_db
def test_work_for_later_waits(noted: Noted) -> None:
    post(TASK, {}, key="a", delay=timedelta(minutes=1))
    assert drain() == 0
    make_due("a")
    assert drain() == 1


@pytest.mark.django_db
def test_what_was_posted_before_the_clock_went_back_is_done_now_and_once(noted: Noted) -> None:
    later = timezone.now() + timedelta(hours=1)
    post(TASK, {"number": 1}, key="a")
    noted.failures = 1
    Job.objects.update(posted=later, due=later)
    assert drain() == 1
    assert noted == []
    assert drain() == 0, "what has failed waits, as always"
    make_due("a")
    assert drain() == 1
    assert noted == [{"number": 1}]


@pytest.mark.django_db
def test_what_fails_is_tried_again_later_and_later(noted: Noted, monkeypatch: pytest.MonkeyPatch) -> None:
    now = timezone.now()
    monkeypatch.setattr("ccg.outbox.services.timezone.now", lambda: now)
    noted.failures = 2
    post(TASK, {"number": 1}, key="a")
    waits = []
    for _ in range(2):
        make_due("a")
        drain()
        job = Job.objects.get()
        assert job.state == Job.State.WAITING
        assert "ConnectionError: not yet" in job.error
        waits.append((job.due - now).total_seconds())
    assert waits == [2, 4]
    make_due("a")
    drain()
    assert noted == [{"number": 1}]
    assert Job.objects.get().error == ""


@pytest.mark.django_db
@pytest.mark.parametrize(("error", "traced"), [
    (OperationalError("gone"), False), (CompanionError("ended"), False), (ValueError("odd"), True),
])  # fmt: skip
def test_a_job_that_loses_what_it_needs_is_one_line_and_no_crash(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception, traced: bool
) -> None:
    def fail(payload: dict[str, Any]) -> None:
        raise error

    monkeypatch.setattr(services, "handler_of", lambda task: fail)
    post(TASK, {}, key="a")
    assert drain() == 1
    assert f"failed, again in 0:00:02: {error}" in caplog.text
    assert ("Traceback" in caplog.text) is traced
    assert "Traceback" in Job.objects.get().error, "kept with the job in either case"


@pytest.mark.django_db
def test_what_never_works_is_given_up_loudly_and_can_be_tried_again(
    noted: Noted, caplog: pytest.LogCaptureFixture
) -> None:
    noted.failures = ATTEMPTS
    post(TASK, {}, key="a")
    for _ in range(ATTEMPTS):
        make_due("a")
        drain()
    assert Job.objects.get().state == Job.State.FAILED
    assert any(record.levelname == "ERROR" and "gave up" in record.message for record in caplog.records)
    assert drain() == 0
    assert retry_failed() == 1
    assert drain() == 1
    assert Job.objects.get().state == Job.State.DONE


@pytest.mark.django_db
def test_an_unknown_task_waits_for_a_version_that_knows_it() -> None:
    post("test.unknown", {}, key="a")
    assert drain() == 1
    job = Job.objects.get()
    assert job.state == Job.State.WAITING
    assert "UnknownTask" in job.error
    with pytest.raises(UnknownTask):
        handler_of("test.unknown")


@pytest.mark.django_db
def test_a_row_whose_drainer_died_is_done_by_another(noted: Noted) -> None:
    post(TASK, {}, key="a")
    abandoned = services._claim()
    assert abandoned is not None
    assert drain() == 0, "nobody takes it while the lease runs"
    assert Job.objects.get().due > timezone.now() + LEASE - timedelta(seconds=10)
    make_due("a")
    assert drain() == 1
    assert Job.objects.get().attempts == 2


@pytest.mark.django_db
def test_a_drainer_that_outlived_its_lease_does_not_overwrite_the_next_one(
    noted: Noted, caplog: pytest.LogCaptureFixture
) -> None:
    post(TASK, {}, key="a")
    slow = services._claim()
    make_due("a")
    quick = services._claim()
    assert slow is not None
    assert quick is not None
    noted.failures = 1
    services._run(slow)
    assert Job.objects.get().error == ""
    assert "took longer than its lease" in caplog.text
    services._run(quick)
    assert Job.objects.get().state == Job.State.DONE


@pytest.mark.django_db
def test_a_handler_is_registered_once() -> None:
    def other(payload: dict[str, Any]) -> None: ...

    register("test.register", other)
    register("test.register", other)
    with pytest.raises(ValueError, match="already has a handler"):
        register("test.register", lambda payload: None)


@pytest.mark.django_db(transaction=True)
def test_many_drainers_at_once_do_each_row_once(noted: Noted) -> None:
    for number in range(60):
        post(TASK, {"number": number}, key=f"row {number}")
    start = threading.Barrier(4)

    def work() -> None:
        start.wait()
        drain()
        connections.close_all()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(payload["number"] for payload in noted) == list(range(60))
    assert set(Job.objects.values_list("state", "attempts")) == {(Job.State.DONE, 1)}


@pytest.mark.django_db(transaction=True)
def test_threads_of_the_server_do_work_as_soon_as_it_is_committed(noted: Noted, settings: Any) -> None:
    settings.OUTBOX_SWEEP_SECONDS = 3600  # woken, not found by the sweep
    post(TASK, {"number": 0}, key="left over from before")
    drainers = Drainers(2)
    drainers.start()
    try:
        with transaction.atomic():
            post(TASK, {"number": 1}, key="new")
        end = time.monotonic() + 30
        while len(noted) < 2 and time.monotonic() < end:
            time.sleep(0.01)
    finally:
        drainers.stop()
    assert sorted(payload["number"] for payload in noted) == [0, 1]


@pytest.mark.django_db(transaction=True)
def test_threads_survive_a_database_that_is_away(
    noted: Noted, monkeypatch: pytest.MonkeyPatch, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.OUTBOX_SWEEP_SECONDS = 0.05
    answers = iter([OSError("the database is away")])

    def flaky_drain(**options: Any) -> int:
        for error in answers:
            raise error
        return drain(**options)

    monkeypatch.setattr("ccg.outbox.threads.drain", flaky_drain)
    post(TASK, {}, key="a")
    drainers = Drainers(1)
    drainers.start()
    end = time.monotonic() + 30
    while not noted and time.monotonic() < end:
        time.sleep(0.01)
    drainers.stop()
    assert len(noted) == 1
    assert "draining stopped" in caplog.text


@pytest.mark.django_db
def test_the_task_of_the_workers_drains(noted: Noted) -> None:
    post(TASK, {}, key="a")
    assert drain_task() == 1
    assert DRAIN_TASK in app.tasks
    assert app.conf.beat_schedule["sweep"]["task"] == DRAIN_TASK
    assert not app.conf.task_always_eager


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_is_away_loses_nothing(noted: Noted, settings: Any, caplog: pytest.LogCaptureFixture) -> None:
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"

    def away(*args: Any, **options: Any) -> None:
        raise ConnectionError("no broker")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "send_task", away)
        assert post(TASK, {}, key="a")
        assert not call_worker()
    assert "the sweep will find the work" in caplog.text
    assert drain() == 1


@pytest.mark.django_db(transaction=True)
def test_nobody_waits_for_a_broker_that_does_not_answer(
    noted: Noted, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    asked, answers = threading.Event(), threading.Event()

    def hang(*args: Any, **options: Any) -> None:
        asked.set()
        answers.wait(30)

    monkeypatch.setattr(app, "send_task", hang)
    try:
        assert post(TASK, {}, key="a")  # would not return before 30 s if it waited
        assert asked.wait(30)
        assert post(TASK, {}, key="b")
        assert not answers.is_set()
    finally:
        answers.set()
    assert drain() == 2


def test_every_thread_has_our_celery_app() -> None:
    """A current app is known to one thread only; requests and sockets run in others."""
    found = []
    thread = threading.Thread(target=lambda: found.append(celery.current_app._get_current_object()))
    thread.start()
    thread.join()
    assert found == [app]


@pytest.mark.django_db
def test_a_worker_whose_database_is_away_says_so_in_one_line(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away() -> None:
        raise OperationalError("the database server is away")

    monkeypatch.setattr(services, "_claim", away)
    assert drain_task() == 0
    [record] = caplog.records
    assert "the database server is away" in record.getMessage()
    assert not record.exc_info


def test_the_clock_of_celery_says_in_one_line_that_the_broker_is_away(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(Scheduler):
        """A clock whose broker is away."""

        def apply_async(self, entry: Any, producer: Any = None, advance: bool = True, **options: Any) -> Any:
            raise SchedulingError("Couldn't apply scheduled task sweep: Connection refused.")

    entry = ScheduleEntry(name="sweep", task=DRAIN_TASK, schedule=5, app=app)
    Broken(app, lazy=True).apply_entry(entry)
    [record] = caplog.records
    assert record.getMessage() == "Message Error: Couldn't apply scheduled task sweep: Connection refused."
    assert not record.exc_info


@pytest.mark.django_db
def test_the_command_shows_and_drains(noted: Noted) -> None:
    def outbox(*options: str) -> str:
        out = StringIO()
        call_command("outbox", *options, stdout=out)
        return out.getvalue()

    assert "empty" in outbox()
    post(TASK, {}, key="a")
    assert f"1 waiting  {TASK}" in outbox()
    assert "1 rows done." in outbox("--drain")
    Job.objects.update(state=Job.State.FAILED, error="Traceback …\nboom", finished=timezone.now())
    assert "boom" in outbox()
    assert "1 failed rows will be tried again." in outbox("--retry-failed")
    outbox("--drain")
    assert "0 rows deleted." in outbox("--forget", "1")
    Job.objects.update(finished=timezone.now() - timedelta(days=2))
    assert "1 rows deleted." in outbox("--forget", "1")
    assert forget(timedelta(0)) == 0


@pytest.mark.django_db
def test_what_was_done_is_forgotten_when_nobody_asks_for_it_again(
    noted: Noted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deleting, "BATCH", 2)
    monkeypatch.setitem(handlers._tasks, "test.often", Task(noted.note, LEASE, kept=timedelta(days=1)))
    for number in range(5):
        post(TASK, {}, key=f"a{number}")
        post("test.often", {}, key=f"b{number}")
    drain()
    post(TASK, {}, key="waits")
    Job.objects.update(finished=timezone.now() - timedelta(days=2))
    Job.objects.filter(key="b0").update(state=Job.State.FAILED)
    services.sweep()
    assert {*Job.objects.values_list("key", flat=True)} == {"a0", "a1", "a2", "a3", "a4", "b0", "waits"}
    Job.objects.filter(key__startswith="a").update(finished=timezone.now() - KEPT)
    services.sweep()
    assert {*Job.objects.values_list("key", flat=True)} == {"b0", "waits"}


def test_rows_are_kept_for_as_long_as_the_same_work_may_be_asked_for_again() -> None:
    assert timedelta(days=2 * background.DAYS_LOOKED_BACK) <= KEPT
    assert handlers.kept_of()[TURN_TASK] < KEPT


def test_what_is_over_is_swept_in_both_profiles() -> None:
    """Sweeps run on every thread that drains, in a server without a broker as in workers."""
    assert {"outbox", "sessions"} <= {*sweeps._sweeps}


def test_sweeps_look_in_their_time_and_one_that_fails_keeps_nobody_from_looking(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    looked: list[str] = []

    def fail() -> None:
        looked.append("broken")
        raise OperationalError("away") if looked.count("broken") == 1 else ValueError("wrong")

    monkeypatch.setattr(sweeps, "_sweeps", {})
    sweeps.register_sweep("broken", fail, seconds=0)
    sweeps.register_sweep("seldom", lambda: looked.append("seldom"), seconds=3600)
    sweeps.look_around()
    sweeps.look_around()
    assert looked == ["broken", "seldom", "broken"]
    assert "sweep broken: the database does not do what it should: away" in caplog.text
    assert "sweep broken failed" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_sweeps_look_in_their_time_also_where_work_does_not_end(noted: Noted, monkeypatch: pytest.MonkeyPatch) -> None:
    done_by_then: list[int] = []
    monkeypatch.setattr(sweeps, "_sweeps", {})
    sweeps.register_sweep("often", lambda: done_by_then.append(len(noted)), seconds=0)
    for number in range(3):
        post(TASK, {"number": number}, key=str(number))
    Drainers(1)._drain()
    assert (done_by_then, len(noted)) == ([0, 1, 2, 3], 3)
