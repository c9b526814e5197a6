"""PostgreSQL and Redis of our own, on ports of their own, that can be killed and come back, and are thrown away."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path

from ccg.server.cluster.programs import Missing, program

from .processes import free_port
from .usage import families

__all__ = ["UNSYNCED", "Missing", "Postgres", "Redis", "Service", "program", "running", "running_services"]

START_SECONDS = 60
UNSYNCED = ["fsync=off"]
"""Options of a PostgreSQL that never waits for the disk.

What it has committed survives the end of its processes all the same, though not that of the machine. After a crash it
does not wait either until each of its thousand files is on the disk, which takes a minute where that is busy.
"""
STOP_SECONDS = 10


def _let_through(folder: Path) -> None:
    """Let all users pass through root's folders above ``folder``."""
    for above in folder.parents:
        if above.stat().st_uid == 0 and above != Path("/"):
            above.chmod(above.stat().st_mode | 0o011)


class Service(ABC):
    """A server on a port of its own. It can be ended in any way and started again on the same data and port."""

    def __init__(self, folder: Path, command: Sequence[str], port: int, user: str | None = None) -> None:
        self.folder = folder
        self.port = port
        self._command = list(command)
        self.user = user
        self._process: subprocess.Popen[bytes] | None = None
        self._log = folder / f"{type(self).__name__.lower()}.log"

    def start(self) -> None:
        """Start it and wait until it answers; raises RuntimeError, with the end of its log, if it never does."""
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            # It ends at once while children of a killed predecessor still have its data: then once more.
            if self._process is None or self._process.poll() is not None:
                self._process = self._begun()
            with contextlib.suppress(OSError, TimeoutError):
                if self.answers():
                    return
            time.sleep(0.05)
        said = self._log.read_text(errors="replace")[-2000:]
        raise RuntimeError(f"{self._command[0]} does not answer on port {self.port}:\n{said}")

    def _begun(self) -> subprocess.Popen[bytes]:
        with self._log.open("ab") as log:
            return subprocess.Popen(self._command, user=self.user, cwd=self.folder, stdout=log, stderr=log)

    @abstractmethod
    def answers(self) -> bool:
        """Return whether it is there for clients."""

    def stop(self) -> None:
        """Ask it to end, and insist after a while."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """kill -9."""
        self._end(signal.SIGKILL)

    @property
    def pid(self) -> int | None:
        """Its number, while it runs."""
        return self._process.pid if self._process is not None else None

    def _end(self, how: signal.Signals) -> None:
        if self._process is None:
            return
        self._process.send_signal(how)
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None


class Postgres(Service):
    """A PostgreSQL with everything in ``folder``; ``more`` are options such as :data:`UNSYNCED`."""

    def __init__(self, folder: Path, more: Sequence[str] = ()) -> None:
        initdb, postgres = program("initdb"), program("postgres")
        data, port, user = folder / "postgres", free_port(), None
        data.mkdir()
        if os.getuid() == 0:
            user = "postgres"  # it refuses to run as root
            shutil.chown(data, user)
            _let_through(data)
        making = [initdb, "-D", str(data), "-U", "fleet", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8"]
        subprocess.run([*making, "--no-sync"], user=user, cwd=data, check=True, capture_output=True)
        options = [f"port={port}", "listen_addresses=127.0.0.1", f"unix_socket_directories={data}", *more]
        super().__init__(data, [postgres, "-D", str(data), *(f"-c{option}" for option in options)], port, user)
        self.url = f"postgres://fleet@127.0.0.1:{port}/postgres"

    def start(self) -> None:
        """Start it and wait until it answers."""
        if self.user is not None:
            _let_through(self.folder)  # once more: each pytest that begins shuts the folder of all of them
        super().start()

    def answers(self) -> bool:
        """Return whether it lets somebody in; it listens a moment before it does."""
        import psycopg

        with contextlib.suppress(psycopg.OperationalError), psycopg.connect(self.url, connect_timeout=2):
            return True
        return False

    def clients(self) -> int:
        """Return how many connections it has, besides the one that asks."""
        import psycopg

        with psycopg.connect(self.url, connect_timeout=2) as connection:
            asked = connection.execute("select count(*) from pg_stat_activity where backend_type = 'client backend'")
            row = asked.fetchone()
        return int(row[0]) - 1 if row else 0

    def stop(self) -> None:
        """End it at once, without waiting for its clients to go."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """End it as a crash would: nothing is written any more, and the next start recovers."""
        self._end(signal.SIGQUIT)

    @contextlib.contextmanager
    def frozen(self) -> Iterator[None]:
        """Let it hang until the end of the block: it takes connections, and answers nobody."""
        pids = families([self.pid]) if self.pid else set[int]()
        try:
            for pid in pids:
                os.kill(pid, signal.SIGSTOP)
            yield
        finally:
            for pid in pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)


class Redis(Service):
    """A Redis that keeps nothing on disk."""

    def __init__(self, folder: Path) -> None:
        port = free_port()
        command = [program("redis-server"), "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly"]
        super().__init__(folder, [*command, "no"], port)
        self.url = f"redis://127.0.0.1:{port}/0"

    def answers(self) -> bool:
        """Return whether it answers a ping."""
        return self.say("PING").startswith(b"+PONG")

    def say(self, command: str) -> bytes:
        """Send one command of plain words, such as ``FLUSHALL``, and return the beginning of the answer."""
        with socket.create_connection(("127.0.0.1", self.port), 2) as connection:
            connection.sendall(f"{command}\r\n".encode())
            return connection.recv(4096)


@contextlib.contextmanager
def running(service: Service) -> Iterator[Service]:
    """The service, started, until the end of the block."""
    try:
        service.start()
        yield service
    finally:
        service.stop()


@contextlib.contextmanager
def running_services(folder: Path, more: Sequence[str] = ()) -> Iterator[dict[str, str]]:
    """Start both services, PostgreSQL with options ``more``; yield DATABASE_URL and REDIS_URL. Raises Missing."""
    database, redis = Postgres(folder, more), Redis(folder)
    with running(database), running(redis):
        yield {"DATABASE_URL": database.url, "REDIS_URL": redis.url}
