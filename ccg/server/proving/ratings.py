"""Ratings: each finish counts once, whatever is killed meanwhile and however often it is delivered; and farms show.

Finished matches become due for rating one after another, and processes that rate them are killed with -9 while they do;
what they had begun is delivered again, and some matches are delivered twice from the start. Afterwards the ledger has a
row for each match and all ratings are what it comes to.

Farms are simulated in another database: accounts that throw matches to one of them, in several ways, among honest
people. The signs for staff have to show the farms, and hardly any honest person.
"""

from __future__ import annotations

import random
import time
from typing import Any

from msgspec import Struct

from .inside import call
from .processes import Process
from .proof import Figure, Options, Proof
from .systems import System, running_system

PACE = 0.05
"""Seconds between two matches that are over, at least."""
KILLED_EVERY = 1.0
"""Seconds between two kills, at least: two cores need nearly as long to start what was killed."""
PATIENCE = 120.0
DRAINERS = 3

LAG_SECONDS = 10.0
"""Within so long after its end a match is rated, whatever is killed meanwhile."""

CAUGHT, FLAGGED = 0.95, 0.01
"""The share of farms that have to be caught, and of honest people that may be flagged."""


class Farms(Struct, frozen=True):
    """Who is simulated: so many honest people, and farms of each kind."""

    honest: int
    of_each_kind: int


def prove(options: Options) -> Proof:
    """Finish and kill; then farm."""
    matches, kills = options.number("matches", 1_000, 60), options.number("kills", 100, 3)
    farms = Farms(options.number("honest", 400, 40), options.number("farms", 25, 2))
    with running_system(options.profile, options.room("site"), webs=1, workers=0) as system:
        system.site.kill()  # it would rate them as well, and not be killed
        found = rated(system, matches, kills, options.seed)
        tampered = {
            name.replace("_", " "): bool(wrong(call(f"{__name__}:tampered", {"how": name}, system.env), matches))
            for name in ("a_change_lost", "a_rating_moved", "a_match_rated_late", "a_match_rated_twice")
        }
    with running_system(options.profile, options.room("half"), webs=1, workers=0) as broken:
        broken.site.kill()
        half = rated(broken, min(matches, 60), 5, options.seed, "drain_without_transactions")
    with running_system(options.profile, options.room("farms"), webs=1, workers=0) as system:
        asked = {"honest": farms.honest, "farms": farms.of_each_kind, "seed": options.seed}
        signs = call(f"{__name__}:farmed", asked, system.env)
    with running_system(options.profile, options.room("blind"), webs=1, workers=0) as blind:
        unseen = call(f"{__name__}:farmed", {**asked, "honest": 4}, blind.env, f"{__name__}:nothing_shows")
    missed = wrong(found, matches)
    caught, flagged = signs["caught"] / signs["farms"], signs["flagged"] / signs["honest"]
    missed += [f"only {caught:.1%} of the farms are caught"] if caught < CAUGHT else []
    missed += [f"{flagged:.1%} of the honest people are flagged"] if flagged > FLAGGED else []
    figures: dict[str, Figure] = {**found, **signs, "missed": [*missed]}
    return Proof(
        goal=f"{matches} finishes with {kills} kills and duplicates make {matches} rows of the ledger within"
        f" {LAG_SECONDS:g} s, from which all ratings follow to the last digit; {CAUGHT:.0%} of simulated farms are"
        f" shown to staff, and {FLAGGED:.0%} of honest people at most",
        passed=not missed,
        figures=figures,
        planted={
            **tampered,
            "without a transaction": bool(wrong(half, min(matches, 60))),
            "nothing shows": unseen["caught"] < CAUGHT * unseen["farms"],
        },
    )


def wrong(found: dict[str, Any], matches: int) -> list[str]:
    """Return what of the promise about the ledger was not kept."""
    expected = {"rows": matches, "changes": 2 * matches, "counted": 2 * matches, "won": matches, "differences": 0}
    expected |= {"jobs_left": 0}
    missed = [f"{name} {found[name]}, not {count}" for name, count in expected.items() if found[name] != count]
    late = found["lag_most"] > LAG_SECONDS
    return missed + ([f"a match was rated {found['lag_most']} s after it was over"] if late else [])


def rated(system: System, matches: int, kills: int, seed: int, how: str = "drain") -> dict[str, Any]:
    """Let so many matches be over while those that rate them are killed; return what is in the ledger then."""
    rng = random.Random(seed)
    pace = max(PACE, KILLED_EVERY * kills / matches)
    call(f"{__name__}:finish", {"matches": matches, "seed": seed, "pace": pace}, system.env)
    drainers = [_Drainer(system, number, how) for number in range(DRAINERS)]
    for one in drainers:
        one.start()
    until = time.monotonic() + matches * pace
    for number in range(kills):
        time.sleep(max(0.1, rng.uniform(0.5, 1.5) * (until - time.monotonic()) / (kills - number)))
        victim = rng.choice(drainers)
        victim.kill()
        victim.start()
    end = until + PATIENCE
    found: dict[str, Any] = call(f"{__name__}:ledger", {}, system.env)
    while found["jobs_left"] and time.monotonic() < end:
        time.sleep(1)
        found = call(f"{__name__}:ledger", {}, system.env)
    for one in drainers:
        one.kill()
    return {**found, "kills": kills}


class _Drainer(Process):
    """A process that does nothing but rate what is due: the function ``how`` never returns to a program."""

    def __init__(self, system: System, number: int, how: str) -> None:
        log = system.folder / f"drainer-{number}.log"
        super().__init__("manage.py", "check", env=system.env, log=log, plant=f"{__name__}:{how}")


# -- with the site's code


def finish(asked: dict[str, Any]) -> None:
    """Write down matches that are over, with what is to be done for them: each becomes due a moment after the other."""
    from datetime import timedelta

    from django.contrib.auth import get_user_model
    from django.db import transaction
    from django.utils import timezone

    from ccg.outbox.models import Job
    from matches.playing.consequences import RATE_TASK

    rng = random.Random(asked["seed"])
    model = get_user_model()
    people = [model.objects.create(username=f"rated{n}", display_name=f"rated{n}") for n in range(12)]
    begin = timezone.now() + timedelta(seconds=1)
    for number in range(asked["matches"]):
        with transaction.atomic():
            match = over(rng.sample(people, 2), first_wins=True)
            due = begin + timedelta(seconds=number * asked["pace"])
            job = {"task": RATE_TASK, "payload": {"match": match.public_id}, "due": due, "posted": due, "attempts": 1}
            Job.objects.create(key=f"{RATE_TASK}:{match.public_id}", **job)
            if rng.random() < 0.3:  # delivered twice: by brokers that do so, or after a lease that has run out
                Job.objects.create(key=f"again:{match.public_id}", **job)


def over(people: list[Any], *, first_wins: bool, moves: int = 300, when: Any = None) -> Any:
    """Return a finished match of two that is to be rated, with a result and without a game."""
    from django.utils import timezone

    from matches.models import Match, MatchSeat

    winner = 0 if first_wins else 1
    when = when or timezone.now()
    match = Match.objects.create(
        players=2, state=Match.State.FINISHED, finished=when, started=when, rated=True, version=moves,
        tempo="live 1200+15", result={"winners": [winner], "losers": [1 - winner], "reason": "influence"},
    )  # fmt: skip
    MatchSeat.objects.bulk_create(
        MatchSeat(match=match, number=n, kind=MatchSeat.Kind.PERSON, user=user, joined=True, name=str(user))
        for n, user in enumerate(people)
    )
    return match


def drain() -> None:
    """Rate what is due until killed."""
    from django.db import DatabaseError

    from ccg.outbox import services

    while True:
        try:
            if not services.drain(limit=20):
                time.sleep(0.02)
        except DatabaseError:
            time.sleep(0.05)


def ledger(_: object) -> dict[str, int | float]:
    """Return what the ledger has and what it comes to."""
    from django.db.models import Sum

    from ccg.outbox.models import Job
    from matches.playing.consequences import RATE_TASK
    from matches.ratings.models import RatedMatch, Rating, RatingChange

    sums = Rating.objects.aggregate(matches=Sum("matches"), won=Sum("won"))
    jobs = Job.objects.filter(task=RATE_TASK)
    left = jobs.exclude(state=Job.State.DONE).count()
    lags = [(job.finished - job.posted).total_seconds() for job in jobs if job.finished]
    return {
        "rows": RatedMatch.objects.count(),
        "changes": RatingChange.objects.count(),
        "counted": sums["matches"] or 0,
        "won": sums["won"] or 0,
        "differences": _differences(),
        "jobs": jobs.count(),
        "jobs_left": left,
        "delivered_again": sum(job.attempts > 2 for job in jobs) + jobs.filter(key__startswith="again").count(),
        "lag_most": round(max(lags, default=0.0), 1),
    }


def _differences() -> int:
    """Return in how many rows what is stored is not what the ledger comes to; one that comes to nothing is one."""
    from matches.ratings import services

    try:
        return len(services.computed_again()[1])
    except ValueError:
        return 1


def tampered(asked: dict[str, str]) -> dict[str, int | float]:
    """Change one thing in the ledger, look, and put it back."""
    from datetime import timedelta

    from django.db import transaction

    from ccg.outbox.models import Job
    from matches.models import Match
    from matches.playing.consequences import RATE_TASK
    from matches.ratings.models import RatedMatch, Rating, RatingChange

    with transaction.atomic():
        if asked["how"] == "a_change_lost":
            RatingChange.objects.latest("pk").delete()
        elif asked["how"] == "a_rating_moved":
            rating = Rating.objects.latest("pk")
            Rating.objects.filter(pk=rating.pk).update(mu=rating.mu + 1e-9)
        elif asked["how"] == "a_match_rated_late":
            job = Job.objects.filter(task=RATE_TASK).latest("pk")
            Job.objects.filter(pk=job.pk).update(finished=job.posted + timedelta(seconds=LAG_SECONDS + 1))
        else:
            row = RatedMatch.objects.latest("pk")
            again = Match.objects.create(players=2, state=Match.State.FINISHED, result=row.match.result)
            RatedMatch.objects.create(match=again, pool=row.pool, season=row.season)
        found = ledger(None)
        transaction.set_rollback(True)
    return found


# -- farms


class _Accounts:
    """People as they are simulated: accounts with a strength of their own, and the matches between them."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.made = 0
        self.word = f"{time.monotonic_ns():x}"

    def account(self, name: str) -> Any:
        """Make an account."""
        from django.contrib.auth import get_user_model

        self.made += 1
        name = f"{name}{self.made}-{self.word}"
        return get_user_model().objects.create(username=name, display_name=name)

    def play(self, one: Any, other: Any, *, one_wins: bool, given_up: bool = False) -> None:
        """Let two accounts play a match, and rate it."""
        from matches.models import Move
        from matches.ratings import services

        match = over([one, other], first_wins=one_wins, moves=self.rng.randint(4, 30) if given_up else 250)
        if given_up:
            loser = 1 if one_wins else 0
            Move.objects.create(
                match=match, seq=match.version, seat=loser, kind="concede", action_id="c", digest="", events=b""
            )
        services.write_down(match, [1, 2] if one_wins else [2, 1])


def farmed(asked: dict[str, int]) -> dict[str, Any]:
    """Let honest people play for a month, and farms of every kind; return how many of whom staff are shown."""
    from django.db import transaction

    from matches.ratings.models import Sign

    accounts = _Accounts(random.Random(asked["seed"]))
    with transaction.atomic():
        honest = _honest(accounts, asked["honest"])
        farms = [(kind, farm(accounts)) for kind, farm in FARMS.items() for _ in range(asked["farms"])]
    shown = set(Sign.objects.values_list("user", flat=True)) | set(Sign.objects.values_list("other", flat=True))
    caught = {kind: sum(main.pk in shown for one, main in farms if one == kind) for kind in FARMS}
    return {
        "honest": len(honest),
        "flagged": sum(one.pk in shown for one in honest),
        "farms": len(farms),
        "caught": sum(caught.values()),
        "caught_by_kind": caught,
        "signs": {kind: Sign.objects.filter(kind=kind).count() for kind in Sign.Kind.values},
    }


def _honest(accounts: _Accounts, count: int) -> list[Any]:
    """Honest people: most meet whom the queue gives them, some have a friend, and some live with that friend.

    Some give up early now and then. Who wins is what their strengths make of a game with as much luck as this one.
    """
    from matches.ratings.skills import SIGMA, Skill, expected

    rng = accounts.rng
    people = [accounts.account("honest") for _ in range(count)]
    strength = {one.pk: Skill(rng.gauss(25, SIGMA), 0.1) for one in people}
    impatient = {one.pk: rng.random() < 0.1 for one in people}

    def play(one: Any, other: Any) -> None:
        one_wins = rng.random() < expected(strength[one.pk], strength[other.pk])
        loser = other if one_wins else one
        accounts.play(one, other, one_wins=one_wins, given_up=impatient[loser.pk] and rng.random() < 0.1)

    for one in people:
        for _ in range(rng.randint(2, 20)):
            play(one, rng.choice([other for other in people if other is not one]))
    for one, other in zip(people[::2], people[1::2], strict=False):
        if rng.random() < 0.15:
            for _ in range(rng.randint(4, 20)):
                play(one, other)
            if rng.random() < 0.1:
                _share(one, other, rng)
    return people


def _share(one: Any, other: Any, rng: random.Random) -> None:
    """Let two accounts have asked for rated matches from one browser."""
    from django.utils import timezone

    from matches.ratings.devices import hash_of
    from matches.ratings.models import Device

    mark = hash_of(f"{rng.random()}")
    Device.objects.bulk_create(Device(user=user, mark=mark, seen=timezone.now()) for user in (one, other))


def _early(accounts: _Accounts) -> Any:
    """One other account that gives up at once."""
    main, other = accounts.account("early"), accounts.account("thrower")
    for _ in range(accounts.rng.randint(5, 20)):
        accounts.play(main, other, one_wins=True, given_up=True)
    return main


def _played_out(accounts: _Accounts) -> Any:
    """One other account that plays on and loses."""
    main, other = accounts.account("patient"), accounts.account("loser")
    for _ in range(accounts.rng.randint(10, 30)):
        accounts.play(main, other, one_wins=True)
    return main


def _sly(accounts: _Accounts) -> Any:
    """One other account that wins one match in eight, so that it does not look like a farm."""
    main, other = accounts.account("sly"), accounts.account("actor")
    for number in range(accounts.rng.randint(16, 40)):
        accounts.play(main, other, one_wins=number % 8 != 3)
    return main


def _ring(accounts: _Accounts) -> Any:
    """Several other accounts, each of which loses a few times."""
    main = accounts.account("ring")
    for _ in range(accounts.rng.randint(3, 6)):
        other = accounts.account("member")
        for _ in range(accounts.rng.randint(3, 5)):
            accounts.play(main, other, one_wins=True)
    return main


def _one_browser(accounts: _Accounts) -> Any:
    """One other account in the same browser, too few matches for anything else."""
    main, other = accounts.account("browser"), accounts.account("second")
    _share(main, other, accounts.rng)
    for _ in range(accounts.rng.randint(4, 7)):
        accounts.play(main, other, one_wins=True)
    return main


def _many_friends(accounts: _Accounts) -> Any:
    """Many other accounts, each of which gives up early once or twice and plays honestly otherwise."""
    main = accounts.account("loved")
    for _ in range(accounts.rng.randint(7, 12)):
        friend = accounts.account("friend")
        for _ in range(accounts.rng.randint(2, 4)):
            accounts.play(friend, accounts.account("other"), one_wins=accounts.rng.random() < 0.5)
        for _ in range(accounts.rng.randint(1, 2)):
            accounts.play(main, friend, one_wins=True, given_up=True)
    return main


def _sinking(accounts: _Accounts) -> Any:
    """Somebody who gives up early against whoever the queue brings, to be rated lower than they are."""
    main = accounts.account("sinking")
    for number in range(accounts.rng.randint(9, 20)):
        accounts.play(accounts.account("other"), main, one_wins=number % 4 != 3, given_up=number % 4 != 3)
    return main


FARMS = {
    "gives up early": _early,
    "plays on and loses": _played_out,
    "wins one in eight": _sly,
    "several losers": _ring,
    "one browser": _one_browser,
    "many give up": _many_friends,
    "gives up to anybody": _sinking,
}
"""The kinds of farms, each with the function that makes one and returns the account that gains, or sinks."""


# -- planted faults


def drain_without_transactions() -> None:
    """Write the rows of a match one after another, each for itself, and slowly."""
    from django.db.models import Model

    from matches.storage import database

    setattr(database, "write", lambda change, **_: change())  # noqa: B010
    save = Model.save

    def slowly(self: Model, *args: Any, **more: Any) -> None:
        save(self, *args, **more)
        time.sleep(0.02)

    Model.save = slowly
    drain()


def nothing_shows() -> None:
    """Look for no signs."""
    from matches.ratings import signs

    setattr(signs, "look", lambda row: None)  # noqa: B010
