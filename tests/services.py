"""PostgreSQL and Redis started for one test run, on ports of their own, and thrown away after it."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from tests.running import free_port


class Missing(Exception):
    """A service is not installed on this machine."""


@contextlib.contextmanager
def running_services(folder: Path) -> Iterator[dict[str, str]]:
    """Both services; gives DATABASE_URL and REDIS_URL. Raises Missing."""
    with _postgres(folder) as database, _redis(folder) as redis:
        yield {"DATABASE_URL": database, "REDIS_URL": redis}


def _program(name: str) -> str:
    """The path of a program, also where Debian hides those of PostgreSQL."""
    found = shutil.which(name)
    if found is None:
        hidden = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
        found = str(hidden[-1]) if hidden else None
    if found is None:
        raise Missing(f"{name} is not installed (PostgreSQL and Redis are needed for this)")
    return found


@contextlib.contextmanager
def _postgres(folder: Path) -> Iterator[str]:
    initdb, postgres = _program("initdb"), _program("postgres")
    data, port, user = folder / "postgres", free_port(), None
    data.mkdir()
    if os.getuid() == 0:
        # It refuses to run as root; all folders above have to let its own user through.
        user = "postgres"
        shutil.chown(data, user)
        for above in data.parents:
            if above.stat().st_uid == 0 and above != Path("/"):
                above.chmod(above.stat().st_mode | 0o011)
    subprocess.run(
        [initdb, "-D", str(data), "-U", "fleet", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8"],
        user=user, cwd=data, check=True, capture_output=True,
    )  # fmt: skip
    options = [f"-cport={port}", "-clisten_addresses=127.0.0.1", f"-cunix_socket_directories={data}"]
    server = subprocess.Popen(
        [postgres, "-D", str(data), *options],
        user=user, cwd=data, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    with _stopping(server):
        _wait_for(port)
        yield f"postgres://fleet@127.0.0.1:{port}/postgres"


@contextlib.contextmanager
def _redis(folder: Path) -> Iterator[str]:
    port = free_port()
    server = subprocess.Popen(
        [_program("redis-server"), "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
        cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    with _stopping(server):
        _wait_for(port)
        yield f"redis://127.0.0.1:{port}/0"


@contextlib.contextmanager
def _stopping(server: subprocess.Popen[bytes]) -> Iterator[None]:
    try:
        yield
    finally:
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _wait_for(port: int) -> None:
    """Wait until somebody listens; PostgreSQL listens a moment before it answers."""
    for _ in range(100):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            time.sleep(0.3)
            return
        time.sleep(0.1)
    raise RuntimeError(f"Nobody listens on port {port}")
