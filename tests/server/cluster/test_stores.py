"""PostgreSQL and Redis of a cluster's own, and nginx's configuration."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import psycopg
import pytest

from ccg.server.cluster.nginx import configuration
from ccg.server.cluster.programs import Missing, bring, program
from ccg.server.cluster.stores import Postgres, Redis, Unreachable, account, free_port, own_folder, own_secrets
from ccg.server.cluster.supervisor import Supervisor
from tests.conftest import cannot_run

pytestmark = pytest.mark.full_profile


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder to which the accounts of the programs can come; pytest's own are closed to others."""
    made = Path(tempfile.mkdtemp(prefix="cluster-"))
    made.chmod(0o711)
    yield made
    shutil.rmtree(made)


def needed(*names: str) -> None:
    """End the test where these programs are not installed."""
    for name in names:
        try:
            program(name)
        except Missing as missing:
            cannot_run(str(missing))


@pytest.mark.ci
def test_the_stores_of_a_cluster_keep_what_was_written_and_let_in_nobody_without_the_password(folder: Path) -> None:
    needed("initdb", "postgres", "redis-server")
    passwords = own_secrets(folder / "passwords.json")
    assert own_secrets(folder / "passwords.json") == passwords
    assert (folder / "passwords.json").stat().st_mode & 0o077 == 0
    for start in ("first", "second"):
        database, redis = Postgres(folder, free_port(), passwords, 50), Redis(folder, free_port(), passwords)
        (folder / "postgres.new").mkdir(exist_ok=True)  # as of a first start that was killed
        database.prepare()
        supervisor = Supervisor(print)
        try:
            supervisor.start([database.watched(folder / "postgres.log"), redis.watched(folder / "redis.log")])
            database.give_database()
            with psycopg.connect(database.url, autocommit=True) as site:
                if start == "first":
                    site.execute("CREATE TABLE kept (it int)")
                assert site.execute("SELECT count(*) FROM kept").fetchone() == (0,)
                assert site.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user").fetchone() == (False,)
            with pytest.raises(psycopg.OperationalError, match="password"):
                psycopg.connect(database.url.replace(passwords["fleet"], "wrong"))
        finally:
            supervisor.stop()


def test_nginx_takes_our_configuration(folder: Path) -> None:
    """A word that it does not know would only be found at the next start of a site."""
    needed("nginx")
    for proxies in (0, 1):
        written = folder / "nginx.conf"
        written.write_text(configuration(folder, "127.0.0.1:80", [1, 2], user=account("www-data"), proxies=proxies))
        command = [program("nginx"), "-t", "-c", written, "-e", "stderr"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert ("limit_conn visitors" in written.read_text()) is (proxies == 0)


def test_what_nginx_writes_of_a_request_that_failed_has_no_address_in_it(folder: Path) -> None:
    """Addresses of invitations and private decks let in whoever has them."""
    needed("nginx")
    port = free_port()
    written, log = folder / "nginx.conf", folder / "nginx.log"
    written.write_text(configuration(folder, f"127.0.0.1:{port}", [free_port()], user=account("www-data"), proxies=0))
    with log.open("ab") as output:
        command = [program("nginx"), "-p", folder, "-c", written, "-e", "stderr"]
        proxy = subprocess.Popen(command, stdout=output, stderr=output)
    try:
        assert asked(port, "/play/invite/OPEN-SESAME/") == 503
    finally:
        proxy.terminate()
        proxy.wait(timeout=30)
    said = log.read_text()
    assert re.search(r" 50[23] GET [0-9a-f]{32} in \S+ s, asked 127\.0\.0\.1:\d+", said)
    assert "SESAME" not in said


def test_all_who_come_to_a_table_come_to_the_same_server_and_to_another_one_if_it_is_gone(folder: Path) -> None:
    needed("nginx")
    with ThreadingHTTPServer(("127.0.0.1", 0), Named) as one, ThreadingHTTPServer(("127.0.0.1", 0), Named) as other:
        servers = {str(server.server_port): server for server in (one, other)}
        for server in servers.values():
            Thread(target=server.serve_forever, daemon=True).start()
        port, written = free_port(), folder / "nginx.conf"
        ports = [int(name) for name in servers]
        written.write_text(configuration(folder, f"127.0.0.1:{port}", ports, user=account("www-data"), proxies=0))
        proxy = subprocess.Popen([program("nginx"), "-p", folder, "-c", written, "-e", "stderr"])
        try:
            assert asked(port, "/") == 200
            tables = [f"/ws/matches/{number:016}/" for number in range(20)]
            led = {table: {told(port, table) for _ in range(4)} for table in tables}
            assert {len(names) for names in led.values()} == {1}
            assert {name for names in led.values() for name in names} == set(servers), "both have tables"

            gone = led[tables[0]].pop()
            servers[gone].shutdown()
            servers[gone].server_close()
            assert {told(port, table) for table in tables} == set(servers) - {gone}
        finally:
            proxy.terminate()
            proxy.wait(timeout=30)


class Named(BaseHTTPRequestHandler):
    """Answers with the port at which it listens."""

    def do_GET(self) -> None:
        name = str(self.server.server_address[1]).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(name)))
        self.end_headers()
        self.wfile.write(name)

    def log_message(self, format: str, *args: object) -> None:
        pass


def told(port: int, path: str) -> str:
    with closing(HTTPConnection("127.0.0.1", port, timeout=30)) as line:
        line.request("GET", path)
        with line.getresponse() as answer:
            return answer.read().decode()


def asked(port: int, path: str) -> int:
    """Return the status of what answers at ``port``, waiting for whoever is to listen there."""
    for _ in range(200):
        with closing(HTTPConnection("127.0.0.1", port, timeout=30)) as line, suppress(ConnectionRefusedError):
            line.request("GET", path)
            with line.getresponse() as answer:
                return answer.status
        time.sleep(0.05)
    pytest.fail(f"nothing listens at {port}")


def test_who_cannot_come_to_the_folder_is_said_before_anything_starts(folder: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only root starts programs as somebody else")
    folder.chmod(0o700)
    with pytest.raises(Unreachable, match=f"{folder} is closed to others"):
        own_folder(folder / "redis", account("redis"))


def test_a_missing_program_is_told_with_the_package_that_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccg.server.cluster.programs.PACKAGES", {"fleet-proxy": "fleet-proxy-light"})
    monkeypatch.setattr("ccg.server.cluster.programs.INSTALLER", Path("/nowhere"))
    with pytest.raises(Missing, match="sudo apt-get install fleet-proxy-light"):
        bring(["fleet-proxy"])
