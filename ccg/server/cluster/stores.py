"""PostgreSQL and Redis of a cluster, with their data in its folder."""

from __future__ import annotations

import contextlib
import json
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
from collections.abc import Mapping
from pathlib import Path

from .programs import program
from .supervisor import NotStarted, Program

ROLE = "fleet"


class Unreachable(Exception):
    """A program that must not run as root could not get to its data."""


def account(*names: str) -> str | None:
    """Return the account for a program that is not to run as root; None where we are somebody else already.

    That is the first of ``names`` that this machine has, else ``nobody``.
    """
    if os.getuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in names if name in known), "nobody")


def own_folder(path: Path, user: str | None) -> Path:
    """Make a folder for what ``user`` keeps and return it. Raises Unreachable if they cannot come there."""
    path.mkdir(parents=True, exist_ok=True)
    if user is not None:
        entry = pwd.getpwnam(user)
        for above in path.parents:
            state = above.stat()
            if not state.st_mode & 0o001 and state.st_uid != entry.pw_uid:
                raise Unreachable(
                    f"{user}, as whom a program runs that must not be root, cannot come to {path}: {above} is closed to"
                    f" others. Start the cluster as another user, or give it a folder elsewhere with VAR_DIR=…"
                )
        os.chown(path, entry.pw_uid, entry.pw_gid)
    path.chmod(0o700)
    return path


def own_secrets(path: Path) -> dict[str, str]:
    """Return the passwords of this cluster's stores: made at its first start, in a file that only its owner reads."""
    if not path.exists():
        made = {name: secrets.token_urlsafe(24) for name in ("postgres", ROLE, "redis")}
        new = path.with_suffix(".new")
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(made, file)
        new.replace(path)
    kept: dict[str, str] = json.loads(path.read_text())
    return kept


class Postgres:
    """A PostgreSQL with all its data in ``folder``."""

    def __init__(self, folder: Path, port: int, passwords: Mapping[str, str], clients: int) -> None:
        self._user = account("postgres")
        self._data = folder / "postgres"
        self._port = port
        self._passwords = passwords
        self._clients = clients
        self.url = f"postgres://{ROLE}:{passwords[ROLE]}@127.0.0.1:{port}/{ROLE}"

    def prepare(self) -> None:
        """Make its folder at the first start; one that was not finished is made anew. Raises NotStarted."""
        if self._data.exists():
            return
        new = self._data.with_suffix(".new")
        shutil.rmtree(new, ignore_errors=True)
        own_folder(new, self._user)
        password = new.parent / "initdb"
        password.write_text(self._passwords["postgres"])
        if self._user is not None:
            shutil.chown(password, self._user)
        password.chmod(0o600)
        command = [program("initdb"), "-D", str(new), "-U", "postgres", "--auth=scram-sha-256", "--encoding=UTF8"]
        command += ["--locale=C.UTF-8", f"--pwfile={password}"]
        done = subprocess.run(command, user=self._user, cwd=new, capture_output=True, text=True, check=False)
        password.unlink()
        if done.returncode:
            raise NotStarted(f"PostgreSQL could not make its folder: {done.stderr.strip()}")
        new.rename(self._data)

    def watched(self, log: Path) -> Program:
        """Return how it is run."""
        options = [f"port={self._port}", "listen_addresses=127.0.0.1", "unix_socket_directories="]
        options += [f"max_connections={self._clients}"]
        return Program(
            name="PostgreSQL",
            command=[program("postgres"), "-D", str(self._data), *(f"-c{option}" for option in options)],
            env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8"},
            folder=self._data,
            log=log,
            ready=self._answers,
            user=self._user,
            stop_signal=signal.SIGINT,  # without waiting for its clients to go
        )

    def give_database(self) -> None:
        """Make the site's role and database, if they are not there."""
        import psycopg
        from psycopg import sql

        name = sql.Identifier(ROLE)
        with psycopg.connect(self._admin_url, autocommit=True) as admin:
            if admin.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [ROLE]).fetchone() is None:
                password = sql.Literal(self._passwords[ROLE])
                admin.execute(sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(name, password))
            if admin.execute("SELECT 1 FROM pg_database WHERE datname = %s", [ROLE]).fetchone() is None:
                admin.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(name, name))

    @property
    def _admin_url(self) -> str:
        return f"postgres://postgres:{self._passwords['postgres']}@127.0.0.1:{self._port}/postgres"

    def _answers(self) -> bool:
        import psycopg

        with contextlib.suppress(psycopg.OperationalError), psycopg.connect(self._admin_url, connect_timeout=2):
            return True
        return False


class Redis:
    """A Redis that keeps nothing on disk: nothing in it has to survive."""

    def __init__(self, folder: Path, port: int, passwords: Mapping[str, str]) -> None:
        self._user = account("redis")
        self._folder = folder / "redis"
        self._port = port
        self._password = passwords["redis"]
        self.url = f"redis://:{self._password}@127.0.0.1:{port}/0"

    def watched(self, log: Path) -> Program:
        """Return how it is run. Its settings, with the password, are read from standard input: ``ps`` shows none."""
        told = ["bind 127.0.0.1", f"port {self._port}", 'save ""', "appendonly no", f"requirepass {self._password}"]
        return Program(
            name="Redis",
            command=[program("redis-server"), "-"],
            env={"PATH": os.environ.get("PATH", "")},
            folder=own_folder(self._folder, self._user),
            log=log,
            ready=self._answers,
            user=self._user,
            says="\n".join([*told, ""]).encode(),
        )

    def _answers(self) -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self._port), 2) as connection:
            connection.sendall(f"AUTH {self._password}\r\n".encode())
            return connection.recv(64).startswith(b"+OK")
        return False


def free_port() -> int:
    """Return a port of this machine that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def is_free(host: str, port: int) -> bool:
    """Return whether somebody may listen there."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True
