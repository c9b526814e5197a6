"""Guessing passwords, telling names apart, and closing sockets: as often, as little and as soon as promised.

Names that exist are told from others neither by the words of an answer, nor by how many passwords are hashed for it,
nor by how long it takes: the times of both, taken in turn, are compared by their ranks.
"""

from __future__ import annotations

import asyncio
import re
import time
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus

from .client.tab import Tab
from .client.visits import Visitor, guest
from .processes import Site
from .proof import Figure, Options, Proof, ProofError
from .ranks import p_value
from .systems import running_system

GUESSERS, GUESSES_EACH = 50, 4
ALLOWED = 10
AT_ONCE = 8
"""Requests that a server works on at a time: so many may have been let in when the last guess was counted."""
WITHIN = 2.0
PLANTED_SOCKETS = 16
"""Sockets where a fault is planted: one that hears of nothing is closed by its heartbeat, two times in five in time."""
UNLIKE = 0.01
"""Times as unlike as that by chance once in a hundred are measured anew; twice in a row is a fault."""
RIGHT, WRONG = "raptor in the dark 7", "viper in the light 7"
MARK = "a password was hashed"


def prove(options: Options) -> Proof:
    """Guess at a name from many sides, compare names that exist with others, sign out, and lock people out."""
    sockets = options.number("sockets", 100, 5)
    timings = options.number("timings", 100, 25)
    figures, wrong = _tried(options, "site", "counted", sockets)
    told_apart, unlike = _timed(options, "timed", "unbounded", timings)
    wrong += [f"times tell which names exist: p {told_apart}"] if unlike else []
    planted = {"strangers are answered at once": _timed(options, "hasty", "hasty", 25)[1]}
    for plant in ("no_lock", "unheard_sign_out", "unheard_lock_out"):
        planted[plant.replace("_", " ")] = bool(_tried(options, plant, plant, PLANTED_SOCKETS)[1])
    return Proof(
        goal=f"{GUESSERS} at once guess at one name {GUESSERS * GUESSES_EACH} times: at most {ALLOWED} passwords are"
        f" looked at, and the {AT_ONCE - 1} that were under way; names that exist are told from others neither by words"
        f" nor by work nor by time ({timings} of each, p > {UNLIKE}); {sockets} sockets are closed within"
        f" {WITHIN:.0f} s of signing out, or of being locked out by staff",
        passed=not wrong,
        figures={**figures, "timings": timings, "p_of_times": [*told_apart], "wrong": [*wrong]},
        planted=planted,
    )


def _tried(options: Options, room: str, plant: str, sockets: int) -> tuple[dict[str, Figure], list[str]]:
    """Return figures and what was wrong on a site with this plant."""
    with running_system(options.profile, options.room(room), webs=1, workers=0, plant=f"{__name__}:{plant}") as system:
        site = system.site
        for name in ("kara", "lee"):
            site.env["DJANGO_SUPERUSER_PASSWORD"] = RIGHT
            site.manage("createsuperuser", "--noinput", "--username", name, "--email", "")
        owner = Visitor(site.url)
        if owner.post("/accounts/login/", login="lee", password=RIGHT).status != HTTPStatus.FOUND:
            raise ProofError("the owner could not sign in")
        same, work = _compared(site)
        before = _hashed(site)
        with ThreadPoolExecutor(GUESSERS) as pool:
            list(pool.map(lambda _: [_sign_in(site.url, "kara", WRONG) for _ in range(GUESSES_EACH)], range(GUESSERS)))
        guessed = _hashed(site) - before
        _, inside = _sign_in(site.url, "kara", RIGHT)
        late = asyncio.run(_put_out(site.url, owner, sockets))
    wrong = [
        what
        for what, holds in {
            f"{guessed} passwords were looked at": 0 < guessed < ALLOWED + AT_ONCE,
            "the right password still opened the name": not inside,
            "words tell which names exist": same,
            f"work tells which names exist: {work}": len(set(work)) == 1,
            f"{len(late)} sockets stayed: {late[:3]}": not late,
        }.items()
        if not holds
    ]
    return {"guesses": GUESSERS * GUESSES_EACH, "looked_at": guessed, "sockets": sockets, "late": len(late)}, wrong


def _sign_in(url: str, name: str, password: str) -> tuple[str, bool]:
    """Try to sign in; return what the page says, without what is different on each page, and whether it worked."""
    visitor = Visitor(url)
    answer = visitor.post("/accounts/login/", login=name, password=password)
    return re.sub(r'value="[^"]*"', "", answer.text), "sessionid" in visitor.cookies and answer.status == 302


def _compared(site: Site) -> tuple[bool, list[int]]:
    """Guess at a name that exists and at one that does not; return whether both were told the same, and the hashes."""
    responses, work = [], []
    for name in ("lee", "laura"):
        before = _hashed(site)
        responses.append(_sign_in(site.url, name, WRONG)[0])
        work.append(_hashed(site) - before)
    return responses[0] == responses[1], work


def _timed(options: Options, room: str, plant: str, timings: int) -> tuple[list[float], bool]:
    """Guess in turn at a name that exists and at one that does not, so often each.

    Return how probable the difference between the times of both is by chance, one figure for each try, and whether
    they were unlike in two tries.
    """
    with running_system(options.profile, options.room(room), webs=1, workers=0, plant=f"{__name__}:{plant}") as system:
        site = system.site
        site.env["DJANGO_SUPERUSER_PASSWORD"] = RIGHT
        site.manage("createsuperuser", "--noinput", "--username", "lee", "--email", "")
        tries: list[float] = []
        while len(tries) < 2:
            tries.append(round(p_value(*_times(site.url, timings)), 4))
            if tries[-1] > UNLIKE:
                return tries, False
        return tries, True


def _times(url: str, timings: int) -> tuple[list[float], list[float]]:
    """Return how many seconds it takes to be refused as "lee", who exists, and as "laura", who does not."""
    visitor = Visitor(url)
    taken: dict[str, list[float]] = {"lee": [], "laura": []}
    for turn in range(timings + 1):
        for name in sorted(taken, reverse=bool(turn % 2)):
            began = time.perf_counter()
            answer = visitor.post("/accounts/login/", login=name, password=WRONG)
            if answer.status != HTTPStatus.OK:
                raise ProofError(f"signing in was answered with {answer.status}")
            if turn:  # the first answers of a server take longer
                taken[name].append(time.perf_counter() - began)
    return taken["lee"], taken["laura"]


def _hashed(site: Site) -> int:
    return site.said().count(MARK)


async def _put_out(url: str, owner: Visitor, sockets: int) -> list[str]:
    """Sign out guests who sit at a table each, every second one by the owner of the site, who locks them out.

    Return how those sockets fared that were not closed in time.
    """
    late = []
    for number in range(sockets):
        one = await asyncio.to_thread(guest, url)
        account = await asyncio.to_thread(_newest_guest, owner)
        tab = Tab(url, one.cookie_header, await asyncio.to_thread(one.play_computer))
        await tab.open()
        if number % 2:
            await asyncio.to_thread(owner.post, account, _save="Save")  # without a mark at "Active"
        else:
            await asyncio.to_thread(one.post, "/accounts/logout/")
        end = time.monotonic() + WITHIN
        while tab.close_code is None and time.monotonic() < end:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        if tab.close_code != 4401:
            late.append(f"{tab.close_code} after {WITHIN} s")
        await tab.close()
    return late


def _newest_guest(owner: Visitor) -> str:
    """Return the address at which an owner changes the guest who came last."""
    page = owner.get("/admin/accounts/user/?is_guest__exact=1").text
    found = re.search(r"/admin/accounts/user/\d+/change/", page)
    if found is None:
        raise ProofError("the administration lists no guest")
    return found[0]


# -- what is done to the servers


def counted() -> None:
    """Write down each time that a password is hashed."""
    from django.contrib.auth.hashers import PBKDF2PasswordHasher

    real = PBKDF2PasswordHasher.encode

    def encode(self, password, salt, iterations=None):  # type: ignore[no-untyped-def]
        print(MARK, flush=True)
        return real(self, password, salt, iterations)

    setattr(PBKDF2PasswordHasher, "encode", encode)  # noqa: B010


def no_lock() -> None:
    """Let everybody guess as often as they like."""
    from django.conf import settings

    counted()
    settings.AXES_FAILURE_LIMIT, settings.GUESSES = 10**6, (10**6,) * 3


def unbounded() -> None:
    """Let one visitor guess all the time, as otherwise few answers could be timed."""
    from django.conf import settings

    no_lock()
    settings.ACCOUNT_RATE_LIMITS = False


def hasty() -> None:
    """Answer at once who names nobody, without hashing their password."""
    from ccg.server.accounts.models import User

    unbounded()
    setattr(User, "set_password", lambda self, password: None)  # noqa: B010


def unheard_sign_out() -> None:
    """Tell no socket that its session has ended."""
    from matches.hints import notifications

    counted()
    setattr(notifications, "notify_session_ended", lambda user_id, session_key: None)  # noqa: B010


def unheard_lock_out() -> None:
    """Tell no socket that something about its person has changed."""
    from matches.hints import notifications

    counted()
    setattr(notifications, "notify_person_changed", lambda user_id: None)  # noqa: B010
