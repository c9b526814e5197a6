"""Settings as an operator meets them: through the environment."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from ccg.server.proving.processes import SITE_VARIABLES
from tests.running import ROOT

FULL = {"DATABASE_URL": "postgres://fleet:secret@db.example/fleet", "REDIS_URL": "redis://cache.example/0"}


def ask(expression: str, tmp_path: Path, **env: str) -> str:
    """The value of an expression over the settings in a process with this environment."""
    clean = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    done = subprocess.run(
        [sys.executable, "-c", f"from ccg.server import settings as s\nprint({expression})"],
        cwd=ROOT, env={**clean, "VAR_DIR": str(tmp_path / "var"), **env}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return (done.stdout or done.stderr.strip().splitlines()[-1]).strip()


def test_with_nothing_configured_everything_is_in_one_process(tmp_path: Path) -> None:
    assert ask("s.DATABASES['default']['ENGINE']", tmp_path).endswith("sqlite3")
    assert ask("s.DATABASES['default']['OPTIONS']['transaction_mode']", tmp_path) == "IMMEDIATE"
    assert ask("(s.OUTBOX_THREADS, s.CELERY_BROKER_URL, s.DEBUG)", tmp_path) == "(2, None, False)"
    assert ask("s.ALLOWED_HOSTS", tmp_path) == "['127.0.0.1', 'localhost']"
    assert ask("s.SITE_ORIGINS", tmp_path, PORT="8123") == "['http://127.0.0.1:8123', 'http://localhost:8123']"


def test_two_addresses_make_the_full_profile(tmp_path: Path) -> None:
    assert ask("s.DATABASES['default']['ENGINE']", tmp_path, **FULL).endswith("postgresql")
    assert ask("(s.OUTBOX_THREADS, s.CELERY_BROKER_URL)", tmp_path, **FULL) == "(0, 'redis://cache.example/0')"


def test_several_processes_need_a_real_database(tmp_path: Path) -> None:
    assert "set DATABASE_URL too" in ask("s.DEBUG", tmp_path, REDIS_URL="redis://cache.example/0")


def test_the_secret_key_is_made_once_and_kept_from_others(tmp_path: Path) -> None:
    first = ask("s.SECRET_KEY", tmp_path)
    assert len(first) > 50
    assert ask("s.SECRET_KEY", tmp_path) == first
    assert stat.S_IMODE((tmp_path / "var" / "secret_key").stat().st_mode) == 0o600
    assert [path.name for path in (tmp_path / "var").iterdir()] == ["secret_key"]
    assert ask("s.SECRET_KEY", tmp_path, SECRET_KEY="given") == "given"


@pytest.mark.parametrize(
    "origin", ["play.example.org", "https://", "nonsense", "https://play.example.org/fleet", "https://a.example/"]
)
def test_a_wrong_origin_is_named(tmp_path: Path, origin: str) -> None:
    assert "SITE_ORIGINS" in ask("s.DEBUG", tmp_path, SITE_ORIGINS=origin)


def test_a_site_on_https_passes_the_check_for_deployment(tmp_path: Path) -> None:
    env = {
        **os.environ, **FULL, "DJANGO_SETTINGS_MODULE": "ccg.server.settings", "VAR_DIR": str(tmp_path),
        "SITE_ORIGINS": "https://play.example.org", "BEHIND_PROXY": "1",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING", "--tag", "security"],
        cwd=ROOT, env=env, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "eighty"), ("PORT", "99999"), ("DATABASE_POOL", "0"), ("OUTBOX_THREADS", "-1"),
        ("GUESTS_PER_HOUR", "-5"), ("LIMITS", "-1"), ("LIMITS", "nan"), ("LIMITS", "x"), ("LIMITS", "1e9"),
        ("TRUSTED_PROXIES", "-1"), ("TRUSTED_PROXIES", "yes"), ("TRUSTED_PROXIES", "٢"), ("EMAIL_PORT", "x"),
        ("DATABASE_URL", "mysql://fleet@db.example/fleet"), ("DATABASE_URL", "fleet"),
    ],
)  # fmt: skip
def test_a_value_that_means_nothing_is_named_and_nothing_starts(tmp_path: Path, name: str, value: str) -> None:
    said = ask(
        "s.DEBUG", tmp_path, **{"DATABASE_URL": FULL["DATABASE_URL"] if name == "DATABASE_POOL" else "", name: value}
    )

    assert said.startswith(f"django.core.exceptions.ImproperlyConfigured: {name}"), said


@pytest.mark.parametrize(("value", "factor"), [("", "1.0"), ("0", "0.0"), ("5", "5.0"), (" 0.5 ", "0.5")])
def test_limits_are_multiplied_by_any_number_from_nothing_on(tmp_path: Path, value: str, factor: str) -> None:
    assert ask("s.LIMITS", tmp_path, LIMITS=value) == factor


def test_all_that_configures_a_site_is_told_and_no_site_of_a_proof_has_it_from_whoever_starts_that() -> None:
    source = (ROOT / "ccg" / "server" / "settings.py").read_text("utf-8")
    read = set(re.findall(r'(?:environ\.get|env_[a-z]+)\(\s*"([A-Z_]+)"', source))
    assert len(read) > 30
    page = (ROOT / "docs" / "operating.md").read_text("utf-8")
    assert {name for name in read if f"`{name}" not in page} == set()
    assert read - set(SITE_VARIABLES) == set()
