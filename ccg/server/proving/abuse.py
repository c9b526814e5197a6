"""Cheap harm: one visitor who asks for as much as a few connections can, while others play.

Against running matches, one attack after the other, each from an address of its own: pastes, searches and big answers
over HTTP, also by whoever hangs up, sends on without reading or has a whole /64 of addresses, forms that want to be
kept, and sockets that shout, send rubbish, answer what nobody asked, or ask and never read. Others must hardly notice,
which is measured twice: by how soon they are answered, and by the processor time that goes to the visitor.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any, cast

from .client.abuse import ATTACKS, HOUSEHOLD, Visitor, unread
from .client.load import Crowd
from .inside import call
from .processes import ROOT
from .proof import Figure, Options, Proof, ProofError
from .systems import System, running_system
from .usage import memory_bytes, processor_seconds

SLOWER = 2.0
"""How many times as long the slowest of a hundred answers may take."""
FLOOR_MS = 50.0
"""Below this nobody notices."""
SHARE, AT_ONCE = 0.25, 2.0
"""Seconds of processor time that one visitor may cost in a second and at once, all of the server's work included."""
MEMORY = 50 * 1024 * 1024
SESSION_BYTES = 4096
UNREAD_SECONDS = 120
"""Asking is limited too: it takes a while until so much is unread that it counts."""
PLANTED_SECONDS = 10.0
WARMING_SECONDS = 1.0
RESTING_SECONDS = 10
SHORT_ATTACKS = ("tags", "draft", "all cards", "send on", "hello", "rubbish", "pongs")

SITE = {"LIMITS": "1"}
PROXIED = {**SITE, "TRUSTED_PROXIES": "1"}
"""A site that believes a proxy; who comes without one is known by their own address."""


def prove(options: Options) -> Proof:
    """Attack, and measure how those who play fare."""
    matches = options.number("matches", 50, 4)
    seconds = options.number("seconds", 20, 5)
    with running_system(options.profile, options.room("site"), env=SITE) as system:
        figures = asyncio.run(_attacked(system, matches, seconds, options))
        figures["stored"] = call(f"{__name__}:stored", None, system.env)
    if not options.short:
        with running_system(options.profile, options.room("proxied"), env=PROXIED) as system:
            attacks = cast(dict[str, Figure], figures["attacks"])
            attacks[HOUSEHOLD] = asyncio.run(_of_a_household(system, matches, seconds, options))
    misses = missed(figures, seconds, timed=not options.short)
    return Proof(
        goal=f"one visitor with four connections, against {matches} matches: their p99 at most doubles (or stays below"
        f" {FLOOR_MS:.0f} ms), the visitor costs at most {AT_ONCE:g} s of processor time and {SHARE} of a processor,"
        f" memory grows by at most 50 MB, nothing is stored, who does not read is closed within {UNREAD_SECONDS} s",
        passed=not misses,
        figures={**figures, "missed": [*misses]},
        planted={plant: _noticed(options, plant, attack) for plant, attack in PLANTED.items()},
    )


async def _attacked(system: System, matches: int, seconds: float, options: Options) -> dict[str, Figure]:
    """Let a crowd play, alone and with one attack after the other."""
    crowd = Crowd(system.urls, matches, 2.0 if not options.short else 0.5, options.seed)
    await crowd.sit_down()
    await asyncio.sleep(3)
    attacks = [name for name in ATTACKS if (name in SHORT_ATTACKS if options.short else name != HOUSEHOLD)]
    for number, attack in enumerate(attacks):
        # What is made once, and the memory for it, is no harm.
        await _Attack(system.site.url, f"127.9.2.{number + 1}", attack, WARMING_SECONDS).carried_out()
    memory = memory_bytes(system.pids["web"])
    calm = await _measured(system, crowd, seconds, None)
    by_attack: dict[str, Figure] = {}
    for number, name in enumerate(attacks):
        visitor = _Attack(system.site.url, f"127.9.0.{number + 1}", name, seconds)
        await visitor.comes()
        by_attack[name] = await _measured(system, crowd, seconds, visitor.carried_out)
    addresses = [f"127.9.1.{number}" for number in range(1, 5)]
    silent = await asyncio.gather(*(asyncio.to_thread(Visitor, system.site.url, address) for address in addresses))
    began = time.monotonic()
    open_still = sum(await asyncio.gather(*(unread(visitor, UNREAD_SECONDS) for visitor in silent)))
    grown = memory_bytes(system.pids["web"]) - memory
    figures: dict[str, Figure] = {
        "calm": calm, "attacks": by_attack, "memory_grown": grown, "unread_open": open_still,
        "unread_closed_after": round(time.monotonic() - began, 1),
        "lost": crowd.measured.lost, "refused": dict(crowd.measured.refused),
        "faults": system.said().count("Traceback"),
    }  # fmt: skip
    await crowd.stop()
    return figures


async def _of_a_household(system: System, matches: int, seconds: float, options: Options) -> dict[str, Figure]:
    """Let a crowd play while one household asks from ever new addresses, with ever new sessions."""
    crowd = Crowd(system.urls, matches, 2.0, options.seed)
    await crowd.sit_down()
    await _Attack(system.site.url, "127.9.3.1", HOUSEHOLD, WARMING_SECONDS).carried_out()
    visitor = _Attack(system.site.url, "127.9.3.1", HOUSEHOLD, seconds)
    await visitor.comes()
    await asyncio.sleep(RESTING_SECONDS)  # so that they have their whole burst
    figures = await _measured(system, crowd, seconds, visitor.carried_out)
    await crowd.stop()
    return figures


class _Attack:
    """An attack in a process of its own."""

    def __init__(self, url: str, address: str, name: str, seconds: float) -> None:
        self._command = ["-m", "ccg.server.proving.client.abuse", url, address, name, str(seconds)]
        self._process: asyncio.subprocess.Process | None = None

    async def comes(self) -> None:
        """Start, and wait until the visitor is there."""
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, *self._command, cwd=ROOT, stdin=pipe, stdout=pipe
        )
        assert self._process.stdout is not None
        if await self._process.stdout.readline() != b"here\n":
            raise ProofError("the visitor did not find a table")

    async def carried_out(self) -> dict[str, int]:
        """Attack now; return the number of answers of each kind."""
        if self._process is None:
            await self.comes()
        assert self._process is not None
        answers, _ = await self._process.communicate(b"now\n")
        counts: dict[str, int] = json.loads(answers or b"{}")
        return counts


async def _measured(
    system: System, crowd: Crowd, seconds: float, attack: Callable[[], Awaitable[dict[str, int]]] | None
) -> dict[str, Figure]:
    """Return the answer times of the crowd during an attack, what the servers use then, and the attacker's answers."""
    pids = [pid for group in system.pids.values() for pid in group]
    crowd.measured.answered.clear()
    crowd.measured.counting = True
    began, used = time.monotonic(), processor_seconds(pids)
    answers = await attack() if attack else await asyncio.sleep(seconds, {})
    used = (processor_seconds(pids) - used) / (time.monotonic() - began)
    crowd.measured.counting = False
    ordered = sorted(crowd.measured.answered)
    p99 = round(1000 * ordered[int(0.99 * (len(ordered) - 1))], 1) if ordered else None
    memory = memory_bytes(system.pids["web"])
    return {
        "choices": len(ordered), "p99_ms": p99, "processor": round(used, 3), "memory": memory, "answers": {**answers},
    }  # fmt: skip


def missed(figures: dict[str, Figure], seconds: float, timed: bool) -> list[str]:
    """Return what was not as promised of attacks of so many seconds; without ``timed``, p99 is no question."""
    share = SHARE + AT_ONCE / seconds
    calm, attacks, stored = figures["calm"], figures["attacks"], figures["stored"]
    assert isinstance(calm, dict)
    assert isinstance(attacks, dict)
    assert isinstance(stored, dict)
    wrong = [name for name in ("lost", "refused", "unread_open", "faults") if figures[name]]
    wrong += ["memory_grown"] if _number(figures["memory_grown"]) > MEMORY else []
    wrong += ["longest_session"] if _number(stored["longest_session"]) > SESSION_BYTES else []
    wrong += ["sessions"] if _number(stored["sessions_of_nobody"]) else []
    for name, attack in attacks.items():
        assert isinstance(attack, dict)
        answers = attack["answers"]
        assert isinstance(answers, dict)
        wrong += [] if answers else [f"{name}: was not carried out"]
        wrong += [f"{name}: 5xx"] if any(code.startswith("5") for code in answers) else []
        wrong += [f"{name}: processor"] if _number(attack["processor"]) - _number(calm["processor"]) > share else []
        slow = _number(attack["p99_ms"]) > max(FLOOR_MS, SLOWER * _number(calm["p99_ms"]))
        wrong += [f"{name}: p99"] if timed and slow else []
    return wrong


def _number(figure: Figure) -> float:
    return float(figure) if isinstance(figure, int | float) else 0.0


def stored(nothing: None) -> dict[str, int]:
    """Return what of visitors is in the database. Runs inside the site."""
    from django.contrib.auth import SESSION_KEY
    from django.contrib.sessions.models import Session

    sessions = list(Session.objects.all())
    return {
        "longest_session": max((len(one.session_data) for one in sessions), default=0),
        "sessions_of_nobody": sum(SESSION_KEY not in one.get_decoded() for one in sessions),
    }


# -- what is done to the servers


def _noticed(options: Options, plant: str, attack: str) -> bool:
    """Return whether a proof against servers with this fault, and this attack alone, misses what it must."""
    name = f"{__name__}:{plant}"
    with running_system("embedded", options.room(plant), env=SITE, plant=name) as system:
        figures = asyncio.run(_planted(system, attack))
        kept = call(f"{__name__}:stored", None, system.env)
    calm: dict[str, Figure] = {"p99_ms": None, "processor": 0.0}
    usual: dict[str, Figure] = {
        "lost": 0,
        "refused": {},
        "unread_open": 0,
        "faults": 0,
        "memory_grown": 0,
        "calm": calm,
    }
    return bool(missed({**usual, "attacks": {}, **figures, "stored": kept}, PLANTED_SECONDS, timed=False))


async def _planted(system: System, attack: str) -> dict[str, Figure]:
    if attack == "unread":
        visitor = await asyncio.to_thread(Visitor, system.site.url, "127.9.0.1")
        return {"unread_open": await unread(visitor, UNREAD_SECONDS / 3)}
    crowd = Crowd(system.urls, 0, 1.0, 1)
    attacking = _Attack(system.site.url, "127.9.0.2", attack, PLANTED_SECONDS)
    await attacking.comes()
    return {"attacks": {attack: await _measured(system, crowd, 0, attacking.carried_out)}}


def unlimited() -> None:
    """Give each visitor as much as they ask for."""
    from django.conf import settings

    settings.LIMITS = 0.0


def unbounded() -> None:
    """Keep whatever a socket does not read."""
    from django.conf import settings

    from ccg.server import serving

    settings.LIMITS = 0.0
    vars(serving)["UNSENT_BYTES"] = 2**60


def kept() -> None:
    """Keep in the session what a visitor filled in, however long."""
    from ccg.server import sessions
    from decks.pages import writing

    vars(sessions)["MAX_BYTES"] = 2**60
    real = writing.new

    def new(request: Any) -> Any:
        request.session["pasted"] = request.POST.urlencode()
        return real(request)

    vars(writing)["new"] = new


PLANTED = {"unlimited": "tags", "unbounded": "unread", "kept": "draft"}
"""Faults, and the attack that has to show each."""
