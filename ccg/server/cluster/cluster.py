"""What a cluster consists of, and how it comes up and goes down."""

from __future__ import annotations

import contextlib
import fcntl
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from django.conf import settings
from msgspec import Struct

from .nginx import configuration
from .programs import ROOT, bring, program
from .stores import Postgres, Redis, account, free_port, is_free, own_folder, own_secrets
from .supervisor import NotStarted, Program, Say, Supervisor

CLIENTS_OF_A_PROCESS = 30
"""Connections to PostgreSQL that one of our processes may have at most, with some to spare."""
HEALTH = "/healthz"
STILL_SECONDS = 4.0
"""How long a server may take to say that it is there: one says within three that its database is not."""


class AlreadyRuns(Exception):
    """Another cluster has the folder."""


class Plan(Struct, frozen=True):
    """How many processes, and where everything is."""

    folder: Path
    host: str
    port: int
    webs: int
    workers: int

    @property
    def web_ports(self) -> list[int]:
        """The ports of the server processes, those after that of the site: whoever collects figures asks there."""
        return [self.port + number for number in range(1, self.webs + 1)]

    def log(self, name: str) -> Path:
        """Return the log file of the program with this name."""
        return self.folder / "logs" / f"{name}.log"


class Cluster:
    """All processes of one site on this machine.

    PostgreSQL and Redis are its own, unless the environment names others (``DATABASE_URL``, ``REDIS_URL``).
    """

    def __init__(self, plan: Plan, say: Say) -> None:
        self._plan = plan
        self._say = say
        self._supervisor = Supervisor(say)

    def run(self, listening: Callable[[], None]) -> None:
        """Start everything, call ``listening``, and come back once it was told to stop and nothing runs any more.

        Raises :class:`~.programs.Missing`, :class:`~.supervisor.NotStarted`, :class:`~.stores.Unreachable` or
        :class:`AlreadyRuns`, with a sentence for whoever started it; nothing is left running then either.
        """
        own_stores = not settings.DATABASE_URL
        bring(["nginx", *(["postgres", "initdb", "redis-server"] if own_stores else [])])
        with _only_one_in(self._plan.folder):
            self._supervisor.stop_on_signals()
            try:
                self._start(own_stores)
                if not self._supervisor.stopping:
                    listening()
                self._supervisor.watch()
            finally:
                workers = [f"worker {number}" for number in range(1, self._plan.workers + 1)]
                webs = [f"web {number}" for number in range(1, self._plan.webs + 1)]
                self._supervisor.stop([["nginx"], [*webs, *workers, "beat"], ["Redis"]])

    def _start(self, own_stores: bool) -> None:
        plan = self._plan
        for port in (plan.port, *plan.web_ports):
            if not is_free(plan.host if port == plan.port else "127.0.0.1", port):
                raise NotStarted(f"Port {port} is in use; PORT=8123, or any number with free ones after it, moves all.")
        (plan.folder / "logs").mkdir(exist_ok=True)
        if own_stores:
            database_url, redis_url = self._start_stores()
        else:
            database_url, redis_url = settings.DATABASE_URL, settings.REDIS_URL
        env = self._environment(database_url, redis_url)
        self._write_environment(env)
        if self._supervisor.stopping:
            return
        self._prepare(env)
        self._supervisor.start([self._web(number, env) for number in range(1, plan.webs + 1)])
        self._supervisor.start([*(self._worker(number, env) for number in range(1, plan.workers + 1)), self._beat(env)])
        self._supervisor.start([self._nginx()])

    def _start_stores(self) -> tuple[str, str]:
        plan = self._plan
        passwords = own_secrets(plan.folder / "passwords.json")
        clients = CLIENTS_OF_A_PROCESS * (plan.webs + plan.workers + 1)
        database = Postgres(plan.folder, free_port(), passwords, clients)
        redis = Redis(plan.folder, free_port(), passwords)
        database.prepare()
        self._supervisor.start([database.watched(plan.log("postgres")), redis.watched(plan.log("redis"))])
        if not self._supervisor.stopping:
            database.give_database()
        return database.url, redis.url

    def _environment(self, database_url: str, redis_url: str) -> dict[str, str]:
        """Return the environment of the site's processes."""
        return {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "ccg.server.settings",
            "PYTHONUNBUFFERED": "1",
            "DATABASE_URL": database_url,
            "REDIS_URL": redis_url,
            "VAR_DIR": str(settings.VAR_DIR),
            "HOST": "127.0.0.1",
            "SITE_ORIGINS": ",".join(settings.SITE_ORIGINS),
            # We, and whoever collects figures, ask the servers by their own addresses.
            "ALLOWED_HOSTS": ",".join(dict.fromkeys([*settings.ALLOWED_HOSTS, "127.0.0.1"])),
            "TRUSTED_PROXIES": str(settings.TRUSTED_PROXIES + 1),
        }

    def _write_environment(self, env: Mapping[str, str]) -> None:
        """Write down what commands beside the cluster need: ``. var/cluster/environment; manage.py outbox``."""
        path = self._plan.folder / "environment"
        lines = [f"export {name}='{env[name]}'\n" for name in ("DATABASE_URL", "REDIS_URL", "VAR_DIR", "SITE_ORIGINS")]
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.writelines(lines)

    def _prepare(self, env: Mapping[str, str]) -> None:
        """Bring the database up to date, as after each update. Raises NotStarted."""
        command = [sys.executable, "manage.py", "prepare"]
        log = self._plan.log("prepare")
        self._supervisor.run_through(Program(name="prepare", command=command, env=env, folder=ROOT, log=log))

    def _web(self, number: int, env: Mapping[str, str]) -> Program:
        port = self._plan.web_ports[number - 1]
        return Program(
            name=f"web {number}",
            command=[sys.executable, "manage.py", "serve"],
            env={**env, "PORT": str(port)},
            folder=ROOT,
            log=self._plan.log(f"web-{number}"),
            ready=lambda: _answers("127.0.0.1", port, HEALTH),
            # Also that the database is away is an answer: the server needs no new start for that.
            answers=lambda: _status("127.0.0.1", port, HEALTH, timeout=STILL_SECONDS) is not None,
        )

    def _worker(self, number: int, env: Mapping[str, str]) -> Program:
        return Program(
            name=f"worker {number}",
            command=[*_celery(), "worker", "--concurrency", "1", "--hostname", f"worker-{number}@%h"],
            env=env,
            folder=ROOT,
            log=self._plan.log(f"worker-{number}"),
        )

    def _beat(self, env: Mapping[str, str]) -> Program:
        return Program(
            name="beat",
            command=[*_celery(), "beat", "--schedule", str(self._plan.folder / "beat"), "--pidfile="],
            env=env,
            folder=ROOT,
            log=self._plan.log("beat"),
        )

    def _nginx(self) -> Program:
        plan = self._plan
        folder = own_folder(plan.folder / "nginx", account("www-data"))
        host = f"[{plan.host}]" if ":" in plan.host else plan.host
        written = folder / "nginx.conf"
        written.write_text(
            configuration(
                folder,
                f"{host}:{plan.port}",
                plan.web_ports,
                user=account("www-data"),
                proxies=settings.TRUSTED_PROXIES,
            )
        )
        asked = "127.0.0.1" if plan.host in ("0.0.0.0", "::", "") else plan.host  # noqa: S104 - compared, not listened at
        return Program(
            name="nginx",
            command=[program("nginx"), "-p", str(folder), "-c", str(written), "-e", "stderr"],
            env={"PATH": os.environ.get("PATH", "")},
            folder=folder,
            log=plan.log("nginx"),
            ready=lambda: _answers(asked, plan.port, HEALTH),
        )


def _celery() -> list[str]:
    return [sys.executable, "-m", "celery", "--app", "ccg.server.celery"]


def _answers(host: str, port: int, path: str) -> bool:
    """Return whether the site answers there that all is well."""
    return _status(host, port, path) == 200


def _status(host: str, port: int, path: str, timeout: float = 5) -> int | None:
    """Return the status with which the site answers there, None if it does not in ``timeout`` seconds."""
    connection = HTTPConnection(host, port, timeout=timeout)
    try:
        connection.request("GET", path, headers={"Host": settings.ALLOWED_HOSTS[0]})
        return connection.getresponse().status
    except (OSError, HTTPException):
        return None
    finally:
        connection.close()


@contextlib.contextmanager
def _only_one_in(folder: Path) -> Iterator[None]:
    """Hold ``folder`` for this cluster; raises AlreadyRuns. The lock is the system's and ends with the process."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AlreadyRuns(
                f"A cluster already runs on the data in {folder}. Stop that one, or give this one data of its own with"
                " VAR_DIR=…"
            ) from None
        yield
