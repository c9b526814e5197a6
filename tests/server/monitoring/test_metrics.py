"""/healthz, /readyz and /metrics, as whoever runs a site asks for them."""

from __future__ import annotations

from datetime import timedelta
from ipaddress import ip_network
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from ccg.outbox.models import Job
from ccg.server.monitoring import figures, readiness
from ccg.server.monitoring.readiness import Readiness
from matches.models import Match
from matches.pairing.models import QueueEntry
from matches.sockets import measures
from tests.matches.conftest import person

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each question be answered anew."""
    monkeypatch.setattr("ccg.server.monitoring.views.readiness", Readiness())
    monkeypatch.setattr(figures, "KEPT_SECONDS", 0)


def told(client: Client) -> dict[tuple[str, str], float]:
    """The figures by their name and the first of their labels."""
    answer = client.get("/metrics")
    assert answer.status_code == 200
    return {
        (sample.name, next(iter(sample.labels.values()), "")): sample.value
        for family in text_string_to_metric_families(answer.content.decode())
        for sample in family.samples
    }


def job(due_seconds_ago: float, **fields: object) -> Job:
    due = timezone.now() - timedelta(seconds=due_seconds_ago)
    return Job.objects.create(key=f"job {due_seconds_ago} {fields}", task="t", due=due, **fields)


def test_figures_are_those_of_the_site(client: Client) -> None:
    Match.objects.create(players=2)
    Match.objects.create(players=3, state=Match.State.ABANDONED)
    for queue, seconds in (("casual", 10), ("ranked", -10)):
        until = timezone.now() + timedelta(seconds=seconds)
        QueueEntry.objects.create(
            user=person(queue), queue=queue, base="BSG1-001", mu=25, joined=timezone.now(), until=until
        )
    job(100)
    job(500, state=Job.State.DONE)
    job(500, state=Job.State.FAILED)
    job(-50)  # somebody has it in hand, or it is for later
    found = told(client)
    assert found["fleet_matches", "open"] == 1
    assert found["fleet_matches", "running"] == 0
    assert found["fleet_matches", "abandoned"] == 1
    assert found["fleet_queue_waiting", "casual"] == 1
    assert found["fleet_queue_waiting", "ranked"] == 0, "who has closed the page waits no more"
    assert found["fleet_outbox_waiting", ""] == 2
    assert found["fleet_outbox_failed", ""] == 1
    assert 100 <= found["fleet_outbox_lag_seconds", ""] < 110
    assert found["fleet_database_up", ""] == 1
    assert found["fleet_sockets", "players"] == 0
    assert found["process_resident_memory_bytes", ""] > 1_000_000
    assert ("fleet_gc_pause_seconds_count", "") in found


def test_choices_and_refusals_are_counted(client: Client) -> None:
    before = told(client)
    measures.moved("choose", 0.003)
    measures.moved("concede", 0.3)
    measures.move_refused(0.001)
    measures.refused("late")
    after = told(client)
    rise = {key: value - before.get(key, 0.0) for key, value in after.items()}
    assert rise["fleet_moves_total", "choose"] == 1
    assert rise["fleet_moves_total", "concede"] == 1
    assert rise["fleet_refusals_total", "late"] == 1
    assert rise["fleet_move_seconds_count", ""] == 3
    assert rise["fleet_move_seconds_bucket", "0.005"] == 2


def test_figures_are_there_while_the_database_is_away(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """When it is away is when they are looked at."""

    def away() -> None:
        raise OperationalError("away")

    monkeypatch.setattr(figures, "backlog", away)
    found = told(client)
    assert found["fleet_database_up", ""] == 0
    assert ("fleet_matches", "open") not in found
    assert ("fleet_sockets", "players") in found


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("::1", {}, 200),
        ("::ffff:127.0.0.1", {}, 200),
        ("203.0.113.9", {}, 404),
        ("203.0.113.9", {"Authorization": "Bearer right-token"}, 200),
        ("203.0.113.9", {"Authorization": "Bearer wrong-token"}, 404),
        ("203.0.113.9", {"Authorization": "Bearer "}, 404),
        ("127.0.0.1", {"Authorization": "Bearer wrong-token"}, 404),
        ("127.0.0.1", {"X-Forwarded-For": "127.0.0.1"}, 404),
        ("10.1.2.3", {}, 200),
        ("", {}, 404),
    ],
)
def test_figures_are_for_who_may_read_them(
    client: Client, settings: Any, address: str, headers: dict[str, str], status: int
) -> None:
    settings.METRICS_TOKEN = "right-token"
    settings.METRICS_NETWORKS = [*settings.METRICS_NETWORKS, ip_network("10.0.0.0/8")]
    assert client.get("/metrics", headers=headers, REMOTE_ADDR=address).status_code == status


def test_without_a_token_none_is_right(client: Client) -> None:
    assert client.get("/metrics", headers={"Authorization": "Bearer "}, REMOTE_ADDR="203.0.113.9").status_code == 404


def test_a_server_is_ready_when_everything_is_there(client: Client) -> None:
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (200, {"ready": True, "reasons": []})


def test_it_is_not_while_background_work_is_far_behind(client: Client) -> None:
    job(301)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert "due since 301 seconds" in answer.json()["reasons"][0]


def test_it_is_not_while_migrations_are_missing(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server of the new program before `manage.py prepare` would answer with errors."""
    monkeypatch.setattr("django.db.migrations.loader.MigrationLoader.check_consistent_history", lambda *_: None)
    from django.db.migrations.recorder import MigrationRecorder

    MigrationRecorder.Migration.objects.filter(app="outbox").delete()
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["reasons"]) == (
        503,
        ["Migrations are missing in the database; manage.py prepare applies them."],
    )


def test_it_is_not_while_the_database_is_away(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> float:
        raise OperationalError("connection to server at 10.0.0.5 failed")

    monkeypatch.setattr(readiness, "lag", away)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["reasons"]) == (503, ["The database cannot be reached."])
