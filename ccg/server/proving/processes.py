"""Processes of our own, started for a proof or a test: servers, workers, commands, with data of their own."""

from __future__ import annotations

import contextlib
import fcntl
import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parents[3]
START_SECONDS = 60
STOP_SECONDS = 15

SITE_VARIABLES = (
    "ALLOWED_HOSTS", "BEHIND_PROXY", "CORRESPONDENCE_MATCHES", "DATABASE_POOL", "DATABASE_URL", "DEBUG",
    "DECK_PREVIEWS", "DEFAULT_FROM_EMAIL", "EMAIL_HOST", "EMAIL_HOST_PASSWORD", "EMAIL_HOST_USER", "EMAIL_PORT",
    "EMAIL_USE_TLS", "GUESTS_PER_HOUR", "HOST", "LIMITS", "LOG_FORMAT", "LOG_LEVEL", "MAILS_PER_HOUR",
    "MATCH_ABANDONED_DAYS", "METRICS_NETWORKS", "METRICS_TOKEN", "NOTICE_AFTER_SECONDS", "OUTBOX_THREADS",
    "PLAYTESTS_A_DAY", "PLAYTEST_GAMES", "PLAYTEST_PROCESSES", "PORT", "PUSH_HOSTS", "QUEUE_CORRESPONDENCE_MATCHES",
    "READY_LAG_SECONDS", "REDIS_URL", "RUNNING_MATCHES", "SECRET_KEY", "SITE_ORIGINS", "TRUSTED_PROXIES",
    "VACATION_DAYS", "VAR_DIR",
)  # fmt: skip
"""What configures an installation (docs/operating.md): that of who starts us is never ours."""

KEPT = "PREPARED_DATABASE"
"""The variable that names a file: a prepared SQLite database, made by the first site and copied by all others. Whoever
sets it sees to it that the file is no older than the sources."""

PORTS = range(20_000, 32_000)
"""Below those that systems give to clients: of what is started again on its port, nobody takes that meanwhile."""


def free_port() -> int:
    """Return a port of this machine that nobody uses; raises RuntimeError if there is none."""
    for port in random.sample(PORTS, len(PORTS)):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise RuntimeError("All ports are in use")


def clean_environment() -> dict[str, str]:
    """Return our environment without anything that says where the data of an installation is.

    Nor does it forbid Python to keep compiled modules: a server that is killed three hundred times would compile its
    sources three hundred times, which takes longer than all else that it does to start.
    """
    left_out = {*SITE_VARIABLES, "PYTHONDONTWRITEBYTECODE"}
    return {name: value for name, value in os.environ.items() if name not in left_out}


class Process:
    """One process of ours (``manage.py serve``, a worker) with its log in a file; what it starts ends with it.

    ``plant`` is a function, as ``module:function``, that breaks something in this process (see :mod:`.inside`).
    """

    def __init__(self, *command: str, env: Mapping[str, str], log: Path, plant: str = "") -> None:
        self.command = ("-m", "ccg.server.proving.inside", "--plant", plant, *command) if plant else command
        # All clients of a proof or a test come from one address: there are no limits for that, unless given.
        # Each would draw the starter decks first, which is most of what two cores do in the first seconds.
        settings = {
            "DJANGO_SETTINGS_MODULE": "ccg.server.settings",
            "PYTHONUNBUFFERED": "1",
            "LIMITS": "0",
            "DECK_PREVIEWS": "0",
        }
        self.env = {**clean_environment(), **settings, **env}
        self.log = log
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; its output is added to the log."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, *self.command],
                cwd=ROOT, env=self.env, stdout=log, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip

    def kill(self) -> None:
        """kill -9, and nothing else: the shutdown that counts."""
        self._end(signal.SIGKILL)

    def crash(self) -> None:
        """What a fault in a library's C code does to it."""
        self._end(signal.SIGSEGV)

    def stop(self) -> bool:
        """Ask it to stop, and insist after a while; whether it stopped by itself."""
        return self._end(signal.SIGTERM)

    @property
    def running(self) -> bool:
        """Whether it has not ended by itself."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int | None:
        """Its number, while it runs."""
        return self._process.pid if self._process is not None else None

    def said(self) -> str:
        """Return all it has written."""
        return self.log.read_text(errors="replace")

    def _end(self, how: signal.Signals) -> bool:
        if self._process is None:
            return True
        self._process.send_signal(how)
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            return False
        finally:
            # A worker that is killed leaves the processes behind in which it works.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process = None
        return True


class Site(Process):
    """``manage.py serve`` on a port of its own with data of its own."""

    def __init__(
        self, folder: Path, env: Mapping[str, str] | None = None, port: int | None = None, plant: str = ""
    ) -> None:
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        own = {"VAR_DIR": str(folder / "var"), "PORT": str(self.port), **(env or {})}
        super().__init__("manage.py", "serve", env=own, log=folder / f"serve-{self.port}.log", plant=plant)

    def manage(self, *command: str) -> str:
        """Run a management command on the same data; returns what it printed, raises when it fails."""
        done = subprocess.run(
            [sys.executable, "manage.py", *command], cwd=ROOT, env=self.env, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"manage.py {' '.join(command)} failed:\n{done.stdout}{done.stderr}")
        return done.stdout

    def prepare(self, kept: Path | None = None) -> None:
        """Migrate and import. On SQLite once for all who name the same file to keep it in, and then copied."""
        if kept is None and KEPT in os.environ:
            kept = Path(os.environ[KEPT])
        if kept is None or "DATABASE_URL" in self.env:
            self.manage("prepare")
            return
        own = Path(self.env["VAR_DIR"]) / "db.sqlite3"
        with kept.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not kept.exists():
                self.manage("prepare")
                part = kept.with_suffix(".part")
                with (
                    contextlib.closing(sqlite3.connect(own)) as made,
                    contextlib.closing(sqlite3.connect(part)) as copy,
                ):
                    made.backup(copy)
                part.rename(kept)
                return
        own.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(kept, own)
        now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")
        with contextlib.closing(sqlite3.connect(own)) as made, made:
            # Otherwise the site would be behind with it from its first second on, and say so (/readyz).
            made.execute("UPDATE outbox_job SET due = ?, posted = ? WHERE state = 'waiting'", (now, now))

    def start(self) -> None:
        """Start, and wait until it answers."""
        super().start()
        end = time.monotonic() + START_SECONDS
        while not self._answers():
            if not self.running or time.monotonic() > end:
                raise RuntimeError(f"The server did not start:\n{self.said()[-3000:]}")
            time.sleep(0.05)

    def _answers(self) -> bool:
        try:
            with urlopen(f"{self.url}/healthz", timeout=5) as answer:
                return bool(answer.status == 200)
        except (HTTPError, URLError, OSError):
            return False


class Worker(Process):
    """A Celery worker on the data in ``folder``, with the beat inside it if it is the one for that."""

    def __init__(
        self, folder: Path, env: Mapping[str, str], name: str = "worker", *, beat: bool = True, plant: str = ""
    ) -> None:
        command = ["-m", "celery", "--app", "ccg.server.celery", "worker", "--concurrency", "1"]
        command += ["--hostname", f"{name}@%h"]
        if beat:
            command += ["--beat", "--schedule", str(folder / f"beat-{name}")]
        own = {"VAR_DIR": str(folder / "var"), **env}
        super().__init__(*command, env=own, log=folder / f"{name}.log", plant=plant)


@contextlib.contextmanager
def running_site(
    folder: Path, env: Mapping[str, str] | None = None, plant: str = "", *, prepared: bool = False
) -> Iterator[Site]:
    """A site that serves while the block runs, with its data in ``folder``; ``prepared``: its database is, already."""
    site = Site(folder, env, plant=plant)
    if not prepared:
        site.prepare()
    try:
        site.start()
        yield site
    finally:
        site.stop()
