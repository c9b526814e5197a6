"""A whole site in one of the two profiles: its processes and services, with data of their own."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from .processes import Site, Worker
from .proof import Profile, ProofError
from .services import Missing, Postgres, Redis, running

MANY_GUESTS = {"GUESTS_PER_HOUR": "1000000"}
"""All guests of a proof come from one address."""


class System:
    """What runs: servers, workers, and in the full profile PostgreSQL and Redis."""

    def __init__(
        self,
        profile: Profile,
        folder: Path,
        *,
        webs: int = 2,
        workers: int = 1,
        env: Mapping[str, str] | None = None,
        plant: str = "",
    ) -> None:
        self.profile = profile
        self.folder = folder
        self.database: Postgres | None = None
        self.redis: Redis | None = None
        self.env = {"VAR_DIR": str(folder / "var"), **MANY_GUESTS, **(env or {})}
        if profile == "full":
            try:
                self.database, self.redis = Postgres(folder), Redis(folder)
            except Missing as missing:
                raise ProofError(str(missing)) from missing
            self.env |= {"DATABASE_URL": self.database.url, "REDIS_URL": self.redis.url}
        else:
            webs, workers = 1, 0
        self.sites = [Site(folder, self.env, plant=plant) for _ in range(webs)]
        self.workers = [
            Worker(folder, self.env, f"worker-{number}", beat=number == 0, plant=plant) for number in range(workers)
        ]

    @property
    def site(self) -> Site:
        """The first server."""
        return self.sites[0]

    @property
    def urls(self) -> list[str]:
        """Where the servers are."""
        return [site.url for site in self.sites]

    @property
    def pids(self) -> dict[str, list[int]]:
        """The numbers of the processes that run, by what they are."""
        groups = {
            "web": [site.pid for site in self.sites],
            "worker": [worker.pid for worker in self.workers],
            "postgresql": [self.database.pid if self.database else None],
            "redis": [self.redis.pid if self.redis else None],
        }
        return {name: running for name, pids in groups.items() if (running := [pid for pid in pids if pid is not None])}

    def said(self) -> str:
        """Return all that servers and workers have written."""
        return "".join(process.said() for process in [*self.sites, *self.workers] if process.log.exists())


@contextlib.contextmanager
def running_system(
    profile: Profile,
    folder: Path,
    *,
    webs: int = 2,
    workers: int = 1,
    env: Mapping[str, str] | None = None,
    plant: str = "",
    ready: Callable[[Postgres], None] | None = None,
) -> Iterator[System]:
    """A prepared system while the block runs: one server in the embedded profile, in the full one ``webs`` and
    ``workers``, with PostgreSQL and Redis. ``plant`` breaks all of its processes (see :mod:`.inside`); ``ready`` is
    called with a PostgreSQL that has nothing in it yet."""
    system = System(profile, folder, webs=webs, workers=workers, env=env, plant=plant)
    with contextlib.ExitStack() as stack:
        for service in (system.database, system.redis):
            if service is not None:
                stack.enter_context(running(service))
        if ready is not None and system.database is not None:
            ready(system.database)
        system.site.prepare(folder.parent / "prepared.sqlite3")  # the next system beside it copies that
        for process in [*system.sites, *system.workers]:
            stack.callback(process.stop)
            process.start()
        yield system
