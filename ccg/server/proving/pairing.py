"""Many people look for opponents at once, at several processes: nobody is paired twice, nobody waits for ever.

People are simulated: they come in a stream of their own time, which runs faster than ours, join the queue, and ask as
their pages would until they have a table. Everything below that is the site's code on a real database.
"""

from __future__ import annotations

import random
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec import Struct

from .inside import call
from .proof import Figure, Options, Proof
from .systems import System, running_system

ASK_EVERY = 2.0
"""Seconds of their time between two questions of a page."""
SOME_LEAVE = 0.03
"""The share of people who close their page while they wait."""
STARVED_AFTER = 60.0
PROMISED_SHARE = 99


class Crowd(Struct, frozen=True):
    """So many people come within ``seconds`` of their time, which runs ``faster`` than ours."""

    people: int
    seconds: float
    faster: float
    processes: int
    patience: float = 3 * STARVED_AFTER
    """For so long after all have come the last of them are waited for, in their time."""


class Looked(Struct, frozen=True):
    """What came of it, as the rows of the database tell."""

    paired: int
    matches: int
    left: int
    starved: int
    twice: list[str]
    waits: list[float]
    gaps: list[float]
    seconds: float


def prove(options: Options) -> Proof:
    """Let a crowd look for opponents, and a small one at a site that is broken on purpose."""
    people = options.number("people", 10_000, 80)
    processes = options.number("processes", 4, 2)
    longest = None if options.short else STARVED_AFTER
    patience = (30 if options.short else 3) * STARVED_AFTER
    crowd = Crowd(people, people * 0.4, options.number("faster", 12, 8), processes, patience)
    with running_system(options.profile, options.room("site"), webs=1, workers=0) as system:
        found = looked(system, crowd, options.seed)
    planted = {}
    small = Crowd(40, 8.0, 10, 3)
    for plant in ("nobody_looks_again",) if options.short else ("nobody_looks_again", "nobody_is_found"):
        with running_system(options.profile, options.room(plant), webs=1, workers=0) as broken:
            planted[plant.replace("_", " ")] = bool(misses(looked(broken, small, options.seed, f"{__name__}:{plant}")))
    figures: dict[str, Figure] = {
        "people": people,
        "processes": processes,
        "paired": found.paired,
        "matches": found.matches,
        "left": found.left,
        "starved": found.starved,
        "twice": [*found.twice[:5]],
        "waiting_p50": round(quantile(found.waits, 50), 1),
        "waiting_p99": round(quantile(found.waits, 99), 1),
        "waiting_most": round(max(found.waits, default=0.0), 1),
        "mean_gap": round(statistics.fmean(found.gaps), 1) if found.gaps else None,
        "mean_gap_by_chance": round(_gap_by_chance(options.seed), 1),
        "seconds": round(found.seconds, 1),
        "missed": [*misses(found, longest)],
    }
    return Proof(
        goal=f"{people} people at {processes} processes: nobody is paired twice or left alone, and {PROMISED_SHARE} of"
        f" 100 wait {longest or 'any number of'} s of their time at most",
        passed=not misses(found, longest),
        figures=figures,
        planted=planted,
    )


def misses(found: Looked, longest: float | None = STARVED_AFTER) -> list[str]:
    """Return what of the promise was not kept; with None as the ``longest`` wait, how quick it was is not asked.

    Their time runs faster than ours, so a machine that has much else to do makes everybody wait.
    """
    wrong = ["twice"] if found.twice else []
    wrong += ["lost"] if found.paired != 2 * found.matches or not found.matches else []
    wrong += ["starved"] if found.starved else []
    wrong += ["waiting"] if longest is not None and quantile(found.waits, PROMISED_SHARE) > longest else []
    return wrong


def quantile(values: list[float], percent: int) -> float:
    """Return the value that so many of a hundred do not exceed; 0 for none."""
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)] if values else 0.0


def looked(system: System, crowd: Crowd, seed: int, plant: str = "") -> Looked:
    """Let the crowd look for opponents; return what came of it."""
    call(f"{__name__}:come", {"people": crowd.people, "seed": seed}, system.env)
    start = time.time() + 3
    asked = {
        "start": start,
        "seconds": crowd.seconds,
        "patience": crowd.patience,
        "faster": crowd.faster,
        "processes": crowd.processes,
        "seed": seed,
    }
    with ThreadPoolExecutor(crowd.processes) as pool:
        done = pool.map(
            lambda part: call(f"{__name__}:wait", {**asked, "part": part}, system.env, plant), range(crowd.processes)
        )
        waits = [wait for part in done for wait in part]
    found = call(f"{__name__}:counted", {}, system.env)
    return Looked(
        paired=found["paired"],
        matches=found["matches"],
        left=sum(wait["left"] for wait in waits),
        starved=sum(not wait["left"] and wait["waited"] is None for wait in waits),
        twice=found["twice"],
        waits=[wait["waited"] for wait in waits if wait["waited"] is not None],
        gaps=found["gaps"],
        seconds=time.time() - start,
    )


def _gap_by_chance(seed: int) -> float:
    rng = random.Random(seed)
    return statistics.fmean(40 * abs(rng.gauss(25, 5) - rng.gauss(25, 5)) for _ in range(2000))


# -- in a process of the site's


def come(asked: dict[str, Any]) -> int:
    """Make the people, with ratings as they are after a season."""
    from django.contrib.auth import get_user_model

    from matches.ratings.models import Rating
    from matches.ratings.pools import USUAL

    rng = random.Random(asked["seed"])
    model = get_user_model()
    names = [f"seeker{number}" for number in range(asked["people"])]
    model.objects.bulk_create(model(username=name, display_name=name) for name in names)
    people = model.objects.filter(username__startswith="seeker").order_by("pk")
    Rating.objects.bulk_create(
        Rating(user=user, pool=USUAL.code, mu=rng.gauss(25, 5), sigma=3.0, matches=20) for user in people
    )
    return len(names)


def wait(asked: dict[str, Any]) -> list[dict[str, Any]]:
    """Be one part of the crowd: join, ask, and note how long each has waited in their own time."""
    from django.contrib.auth import get_user_model

    from decks.models import Deck
    from decks.table_decks import take_to_table
    from matches.pairing import services

    rng = random.Random(f"{asked['seed']}/{asked['part']}")
    deck = take_to_table(None, Deck.objects.starters()[0].uid)
    everybody = get_user_model().objects.filter(username__startswith="seeker").order_by("pk")
    people = [user for user in everybody if user.pk % asked["processes"] == asked["part"]]
    noted: dict[int, dict[str, Any]] = {user.pk: {"waited": None, "left": False} for user in people}
    todo: list[tuple[float, int]] = sorted((rng.uniform(0, asked["seconds"]), place) for place in range(len(people)))
    joined: dict[int, float] = {}
    until = asked["seconds"] + asked["patience"]
    while todo:
        todo.sort()
        due, place = todo.pop(0)
        theirs = _their_time(asked)
        if due > theirs:
            time.sleep((due - theirs) / asked["faster"])
        theirs = max(due, _their_time(asked))
        if theirs > until:
            break
        user, now = people[place], datetime.fromtimestamp(asked["start"], UTC) + timedelta(seconds=theirs)
        if place not in joined:
            services.join(user, "ranked", deck, now)
            joined[place] = theirs
        elif rng.random() < SOME_LEAVE / 5:
            # The page is closed: nobody says goodbye. They may have been paired a moment ago.
            noted[user.pk]["left"] = services.state_of(user, now).state != "paired"
            if noted[user.pk]["left"]:
                continue
        if services.here(user, now=now).state == "paired":
            noted[user.pk]["waited"] = max(0.0, theirs - joined[place])
        else:
            todo.append((theirs + ASK_EVERY, place))
    return list(noted.values())


def _their_time(asked: dict[str, Any]) -> float:
    return float((time.time() - asked["start"]) * asked["faster"])


def counted(asked: dict[str, Any]) -> dict[str, Any]:
    """Return who sits at which tables: everybody at one, and at the one that their entry names."""
    from matches.models import MatchSeat
    from matches.pairing.models import QueueEntry

    seats = MatchSeat.objects.filter(user__username__startswith="seeker").order_by("pk")
    tables: dict[int, list[int]] = {}
    people: dict[int, list[int]] = {}
    for match, user in seats.values_list("match_id", "user_id"):
        tables.setdefault(match, []).append(user)
        people.setdefault(user, []).append(match)
    entries = {user: (match, mu) for user, match, mu in QueueEntry.objects.values_list("user_id", "match_id", "mu")}
    twice = [f"{user} sits at {len(own)} tables" for user, own in people.items() if len(own) > 1]
    twice += [f"{user} is sent to another table" for user, own in people.items() if entries[user][0] not in own]
    twice += [
        f"{user} is sent to a table without a seat"
        for user, (match, _) in entries.items()
        if match and user not in people
    ]
    twice += [f"table {match} has {len(sitting)} players" for match, sitting in tables.items() if len(sitting) != 2]
    gaps = [
        40 * abs(entries[one][1] - entries[other][1])
        for one, other in (pair for pair in tables.values() if len(pair) == 2)
    ]
    return {"paired": len(people), "matches": len(tables), "twice": twice, "gaps": gaps}


# -- faults put in on purpose


def nobody_looks_again() -> None:
    """Begin a match without looking whether both still wait, and let all processes look through the queue at once."""
    from matches.pairing import services

    setattr(services, "still_waits", lambda entry, now: True)  # noqa: B010
    setattr(services, "_my_turn", lambda queue, now: True)  # noqa: B010


def nobody_is_found() -> None:
    """Choose no pairs."""
    from matches.pairing import services

    setattr(services, "chosen", lambda waiting, refused: [])  # noqa: B010
