"""Two who want the same at the same moment: exactly one of them gets it."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from uuid import uuid4

from .client.tab import Message, Tab
from .client.visits import Visitor, guest
from .proof import Options, Proof
from .systems import running_system

KINDS = ("two tabs", "two tabs", "sent twice", "same on two tabs")
"""What is done at each version of a match in turn."""
TABLES = 25


class Tally:
    """How many pairs of each kind were tried, and what was wrong."""

    def __init__(self) -> None:
        self.tried: Counter[str] = Counter()
        self.wrong: list[str] = []

    def note(self, kind: str, right: bool, what: object) -> None:
        """Count one pair."""
        self.tried[kind] += 1
        if not right:
            self.wrong.append(f"{kind}: {what}")


def prove(options: Options) -> Proof:
    """Race pairs of tabs, and pairs of guests for one seat."""
    pairs = options.number("pairs", 10_000, 120)
    joins = options.number("joins", 300, 4)
    with running_system(options.profile, options.room("site"), webs=2, workers=0) as system:
        tally = raced(system.urls, options.seed, pairs, joins)
        output = system.said()
    planted = {}
    for plant in (
        ("late_is_accepted",) if options.short else ("late_is_accepted", "nothing_is_repeated", "every_seat_is_free")
    ):
        with running_system("embedded", options.room(plant), plant=f"{__name__}:{plant}") as broken:
            planted[plant.replace("_", " ")] = bool(raced(broken.urls, options.seed, 40, 3).wrong)
    crashed = output.count("Traceback")
    return Proof(
        goal=f"{pairs} pairs of choices and {joins} of guests at the same moment: exactly one of each is accepted",
        passed=not tally.wrong and not crashed and sum(tally.tried.values()) >= pairs + joins,
        figures={**tally.tried, "wrong": len(tally.wrong), "tracebacks": crashed, "examples": [*tally.wrong[:5]]},
        planted=planted,
    )


def raced(urls: Sequence[str], seed: int, pairs: int, joins: int) -> Tally:
    """Race so many pairs at servers of one site."""
    tally = Tally()
    asyncio.run(_all(urls, random.Random(seed), pairs, joins, tally))
    return tally


async def _all(urls: Sequence[str], rng: random.Random, pairs: int, joins: int, tally: Tally) -> None:
    for _ in range(joins):
        await _join(urls, tally)
    tables = max(1, min(TABLES, pairs // 20))
    share = [pairs // tables + (number < pairs % tables) for number in range(tables)]
    await asyncio.gather(*(_at_one_table(urls, random.Random(rng.random()), count, tally) for count in share))


async def _join(urls: Sequence[str], tally: Tally) -> None:
    """Two guests follow the same link to the last seat."""
    host, *others = [await asyncio.to_thread(guest, url) for url in (urls[0], urls[0], urls[-1])]
    match, link = await asyncio.to_thread(host.invite)
    answers = await asyncio.gather(*(asyncio.to_thread(other.post, link) for other in others))
    let_in = [answer.location for answer in answers].count(f"/table/{match}/")
    seats = [(await asyncio.to_thread(one.table, match))["you"] for one in (host, *others)]
    right = let_in == 1 and sorted(seats, key=str) == [0, 1, None] and all(a.status < 500 for a in answers)
    tally.note("join", right, ([answer.status for answer in answers], seats))


async def _at_one_table(urls: Sequence[str], rng: random.Random, pairs: int, tally: Tally) -> None:
    """Race at one table after another until so many pairs were tried."""
    people: list[Visitor] = [await asyncio.to_thread(guest, url) for url in (urls[0], urls[-1])]
    done = 0
    while done < pairs:
        match, link = await asyncio.to_thread(people[0].invite)
        await asyncio.to_thread(people[1].accept, link)
        tabs = [[Tab(url, one.cookie_header, match) for url in (urls[0], urls[-1])] for one in people]
        await asyncio.gather(*(tab.open() for seat in tabs for tab in seat))
        try:
            done += await _play(tabs, rng, pairs - done, tally)
        finally:
            await asyncio.gather(*(tab.close() for seat in tabs for tab in seat))


async def _play(tabs: list[list[Tab]], rng: random.Random, pairs: int, tally: Tally) -> int:
    """Race at each version until the match is over, or the last pair but one; then somebody concedes."""
    version = 0
    for done in range(pairs):
        tables = [(await asyncio.gather(*(tab.until(version) for tab in seat)))[0] for seat in tabs]
        if tables[0]["over"]:
            return done
        seat = tables[0]["view"]["decision"]["seat"]
        keys = [option["key"] for option in tables[seat]["view"]["decision"]["options"]]
        if done == pairs - 1 or rng.random() < 0.01:
            await _concede(tabs, seat, version, rng.choice(keys), tally)
            return done + 1
        await asyncio.sleep(0.05)  # within the 20 frames a second that a socket may send
        version = await _race(tabs[seat], rng.choice(KINDS), version, rng.sample(keys * 2, 2), tally)
    return pairs


def _choice(version: int, option: str) -> Message:
    return {"type": "choose", "id": str(uuid4()), "version": version, "option": option}


async def _race(tabs: list[Tab], kind: str, version: int, options: Sequence[str], tally: Tally) -> int:
    """Let two tabs of a seat choose at once; return the version that this made."""
    one, two = _choice(version, options[0]), _choice(version, options[1])
    if kind == "two tabs":
        answers = await asyncio.gather(tabs[0].ask(one), tabs[1].ask(two))
        over = (await tabs[0].until(version + 1))["over"]
        wanted = [("accepted", None), ("refused", "over" if over else "late")]
    else:
        second = tabs[0] if kind == "sent twice" else tabs[1]
        answers = await asyncio.gather(tabs[0].ask(one), second.ask(one))
        wanted = [("accepted", None), ("accepted", None)]
    got = sorted(((answer["type"], answer.get("code")) for answer in answers), key=str)
    made = {answer["version"] for answer in answers if answer["type"] == "accepted"}
    tally.note(kind, got == wanted and made == {version + 1}, answers)
    return version + 1


async def _concede(tabs: list[list[Tab]], seat: int, version: int, option: str, tally: Tally) -> None:
    """One chooses while the other gives up: the match ends, and the choice counts before that or not at all."""
    choice = _choice(version, option)
    leave = {"type": "concede", "id": str(uuid4())}
    chosen, left = await asyncio.gather(tabs[seat][0].ask(choice), tabs[1 - seat][1].ask(leave))
    accepted = sorted(answer["version"] for answer in (chosen, left) if answer["type"] == "accepted")
    after = await tabs[seat][1].until(version + len(accepted))
    right = left["type"] == "accepted" and accepted == list(range(version + 1, after["version"] + 1)) and after["over"]
    tally.note("concede", bool(right), (chosen, left, after["version"]))


# -- planted faults


def late_is_accepted() -> None:
    """Tell who comes too late that the choice was accepted."""
    from .plants import rewritten

    rewritten(lambda content: {**content, "type": "accepted"} if content.get("code") == "late" else content)


def nothing_is_repeated() -> None:
    """Take the same choice sent again for another one."""
    from .plants import forgotten_ids

    forgotten_ids()


def every_seat_is_free() -> None:
    """Tell everybody who follows a link that there is a seat for them."""
    from matches.lobby import services as lobby

    real = lobby.join

    def join(match, user, deck, given=None):  # type: ignore[no-untyped-def]
        try:
            return real(match, user, deck, given)
        except lobby.LobbyError:
            return match

    lobby.join = join
