"""A site with very much on it: lists of many decks and cards are quick, and after a change of the cards all decks are
judged anew while the pages go on answering."""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
import urllib.request
from itertools import cycle
from typing import Any

from .inside import call
from .proof import Options, Proof, ProofError
from .systems import System, running_system

LISTS_MS = 200.0
"""Within how long a list has to be there."""
ASKED = 15
"""How often each list is asked for. The quickest time counts: other work on the machine makes a list slow, and nothing
makes it quick."""
PAGES_MS = 300.0
"""Within how long 99 of 100 pages have to be there while decks are judged."""
PATIENCE = 3600.0
PAUSE = 0.05
"""Between two pages that are asked for, in seconds."""


def lists(options: Options) -> Proof:
    """Show that lists of 10,000 decks and 5,000 cards are quick, also for somebody who has 500 decks."""
    asked = {
        "decks": options.number("decks", 10_000, 2_000),
        "of_one": options.number("of_one", 500, 100),
        "cards": options.number("cards", 5_000, 500),
        "seed": options.seed,
    }
    with running_system(options.profile, options.room("site"), webs=1, workers=0) as system:
        call(f"{__name__}:filled", asked, system.env)
        call(f"{__name__}:collected", asked, system.env)
        found = call(f"{__name__}:timed", {}, system.env)
        planted = call(f"{__name__}:timed", {"only": "all decks"}, system.env, f"{__name__}:counts_by_hand")
    return Proof(
        goal=f"lists of {asked['decks']} decks and {asked['cards']} invented cards are there within {LISTS_MS:.0f} ms",
        passed=_slowest(found) <= LISTS_MS,
        figures={**asked, "quickest_ms": found, "slowest_ms": _slowest(found)},
        planted={"a list counts its rows by hand": _slowest(planted) > _slowest({"": found["all decks"]}) * 2},
    )


def rejudging(options: Options) -> Proof:
    """Show that all decks are judged anew after a change of the cards, and how the site answers meanwhile."""
    asked = {"decks": options.number("decks", 100_000, 3_000), "seed": options.seed}
    with running_system(options.profile, options.room("site"), webs=2, workers=1) as system:
        found = _rejudged(system, asked)
    few = {"decks": min(asked["decks"], 2_000), "seed": options.seed}
    planted = {}
    for plant, wrong in (("forgetful", lambda it: it["wrong"] > 0), ("holding", lambda it: it["p99_ms"] > PAGES_MS)):
        with running_system(options.profile, options.room(plant), plant=f"{__name__}:{plant}") as system:
            planted[plant] = wrong(_rejudged(system, few))
    return Proof(
        goal=f"after a change of the cards {asked['decks']} decks are judged anew, and 99 of 100 pages are there within"
        f" {PAGES_MS:.0f} ms meanwhile",
        passed=not found["wrong"] and not found["errors"] and found["p99_ms"] <= PAGES_MS,
        figures=found,
        planted={
            "some decks are left out": planted["forgetful"],
            "the judging holds up the pages": planted["holding"],
        },
    )


def _slowest(found: dict[str, float]) -> float:
    return max(found.values())


def _rejudged(system: System, asked: dict[str, Any]) -> dict[str, Any]:
    """Fill the site, take a card away, and ask for pages until the background work is done.

    ``load`` is how many processes of the whole machine wanted to run at the end: with more than there are processors,
    times tell of those.
    """
    addresses = call(f"{__name__}:filled", {**asked, "cards": 0}, system.env)
    _until_idle(system)
    calm = _asked_for(system, addresses, until=time.monotonic() + 3)
    call(f"{__name__}:taken_away", {}, system.env)
    began = time.monotonic()
    times = _asked_for(system, addresses)
    took = time.monotonic() - began
    told = call(f"{__name__}:judged_wrongly", {}, system.env)
    return {
        **asked,
        "seconds": round(took, 1),
        "decks_a_second": round(asked["decks"] / took),
        "changed": told["illegal"],
        "wrong": told["wrong"],
        "pages": len(times),
        "errors": times.count(-1.0),
        "median_ms": round(statistics.median(times), 1),
        "p99_ms": _p99(times),
        "longest_ms": round(max(times), 1),
        "p99_before_ms": _p99(calm),
        "load": round(os.getloadavg()[0], 1),
    }


def _p99(times: list[float]) -> float:
    return round(sorted(times)[len(times) * 99 // 100], 1)


def _asked_for(system: System, addresses: list[str], until: float | None = None) -> list[float]:
    """Ask for these pages in turn until then, or until no background work waits; return milliseconds, -1 for errors."""
    times: list[float] = []
    end = until or time.monotonic() + PATIENCE
    for number, address in enumerate(cycle(addresses)):
        began = time.perf_counter()
        try:
            with urllib.request.urlopen(system.urls[number % len(system.urls)] + address, timeout=30) as answer:
                answer.read()
            times.append((time.perf_counter() - began) * 1000)
        except OSError:
            times.append(-1.0)
        if until is None and number % 10 == 9 and not _waiting(system):
            return times
        if time.monotonic() > end:
            break
        time.sleep(PAUSE)
    if until is None:
        raise ProofError(f"Background work was not done within {PATIENCE:.0f} s")
    return times


def _until_idle(system: System) -> None:
    end = time.monotonic() + PATIENCE
    while _waiting(system):
        if time.monotonic() > end:
            raise ProofError("Background work does not end")
        time.sleep(0.2)


def _waiting(system: System) -> int:
    with urllib.request.urlopen(f"{system.site.url}/healthz", timeout=30) as answer:
        told: dict[str, Any] = json.loads(answer.read())
    return int(told["outbox"]["waiting"])


# -- with the site's code


def filled(asked: dict[str, Any]) -> list[str]:
    """Put decks and invented cards on the site; return addresses of pages."""
    from decks.models import Deck

    from .crowding import invent_cards, make_decks, make_people

    if asked["cards"]:
        invent_cards(asked["cards"])
    people = make_people(max(1, asked["decks"] // 20))
    make_decks(asked["decks"] * 9 // 10, people, seed=asked["seed"])
    make_decks(asked["decks"] - asked["decks"] * 9 // 10, people, "private", asked["seed"] + 1)
    public = Deck.objects.listed()[:3]
    return [
        "/",
        "/decks/",
        "/cards/",
        "/decks/?q=order:liked",
        "/rules/",
        *(deck.get_absolute_url() for deck in public),
    ]


def collected(asked: dict[str, Any]) -> None:
    """Give one person very many decks."""
    from .crowding import make_decks

    make_decks(asked["of_one"], [_collector()], "private", asked["seed"] + 2)


def _collector() -> Any:
    """Return the person who has very many decks, and who asks for the lists."""
    from django.contrib.auth import get_user_model

    return get_user_model().objects.get(username="collector-0")


def timed(asked: dict[str, Any]) -> dict[str, float]:
    """Return the quickest time of each list, in milliseconds."""
    from django.conf import settings
    from django.test import Client

    from decks.models import Deck

    client = Client(headers={"host": settings.ALLOWED_HOSTS[0]})
    owner = _collector()
    client.force_login(owner, backend=settings.AUTHENTICATION_BACKENDS[-1])
    last = Deck.objects.listed().count() // 24
    addresses = {
        "all decks": "/decks/",
        "the last decks": f"/decks/?page={last}",
        "decks by likes": "/decks/?q=order:liked",
        "decks with a card": '/decks/?q=card:"condition one"',
        "decks without a card": "/decks/?q=-card:starbuck legal:now",
        "decks with a tag": "/decks/?q=tag:rush order:played",
        "decks by name": "/decks/?q=control",
        "own decks": "/decks/mine/",
        "an author": f"/decks/by/{owner.display_name}/",
        "a deck": f"/decks/{Deck.objects.listed()[0].uid}/",
        "all cards": "/cards/",
        "the last cards": "/cards/?page=80",
        "cards by cost": "/cards/?q=t:ship order:cost",
        "cards by a word": "/cards/?q=invented view:list",
        "cards by what they do": "/cards/?q=text:exhaust -t:mission order:name",
        "API: decks": "/api/v1/decks/?page_size=100",
        "API: cards": "/api/v1/cards/?q=t:personnel&page_size=100",
        "lobby": "/play/",
        "a new deck": "/decks/new/",
        "a deck in the builder": f"/decks/{Deck.objects.filter(owner=owner)[0].uid}/edit/",
    }
    wanted = {name: one for name, one in addresses.items() if asked.get("only", name) == name}
    return {name: _quickest(client, address) for name, address in wanted.items()}


def _quickest(client: Any, address: str) -> float:
    times = []
    for number in range(ASKED + 1):
        began = time.perf_counter()
        answer = client.get(address)
        if answer.status_code != 200:
            raise ProofError(f"{address} is answered with {answer.status_code}")
        if number:  # the first time, something is made that is kept
            times.append((time.perf_counter() - began) * 1000)
    return round(min(times), 1)


def taken_away(_: Any) -> None:
    """Publish the cards without the one that most decks have, so that many of them are legal no more."""
    from collections import Counter

    import msgspec

    from cards_data import imports
    from cards_data.changes import compare
    from decks.models import Deck

    counts: Counter[str] = Counter()
    for deck in Deck.objects.starters().select_related("head"):
        counts.update((deck.head.counts if deck.head else {}).keys())
    (card, _), *_ = counts.most_common(1)
    with imports.newest() as before:
        first = before.first_printings[card]
        one = next(one for one in before.sets if one.code == first.set)
        kept = msgspec.structs.replace(
            one,
            cards=tuple(known for known in one.cards if known.id != card),
            printings=tuple(printing for printing in one.printings if printing.card != card),
        )
        after = before.with_sets([kept])
        imports.store(after, compare(before, after), source="without a card")


def judged_wrongly(_: Any) -> dict[str, int]:
    """Return how many decks are judged by older cards or otherwise than one by one, and how many are illegal."""
    from random import Random

    from cards_data import catalog
    from decks import judging
    from decks.models import DeckVersion

    stale = DeckVersion.objects.exclude(checked_with=catalog.current_number()).count()
    known = list(DeckVersion.objects.values_list("pk", flat=True))
    some = DeckVersion.objects.filter(pk__in=Random(1).sample(known, min(300, len(known)))).select_related("deck")
    otherwise = sum(version.legal != (not judging.check_version(version, version.deck)) for version in some)
    return {"wrong": stale + otherwise, "illegal": DeckVersion.objects.filter(legal=False).count()}


# -- faults on purpose


def counts_by_hand() -> None:
    """Lists of decks read all decks to count them."""
    from django.core.paginator import Paginator

    Paginator.count = property(lambda self: len(list(self.object_list)))


def forgetful() -> None:
    """Every second batch of decks is passed over."""
    from decks import rechecking

    look, turns = rechecking.recheck_all, cycle((True, False))

    def sometimes(after: int = 0, limit: int | None = None) -> int | None:
        from decks.models import DeckVersion

        if next(turns):
            return look(after, limit)
        passed = list(DeckVersion.objects.filter(pk__gt=after).order_by("pk").values_list("pk", flat=True)[:limit])
        return passed[-1] if passed else None

    rechecking.recheck_all = sometimes


def holding() -> None:
    """Nothing else runs in a process that judges; and where another process does, pages are slow by themselves."""
    from decks import rechecking
    from decks.searching import search

    look, find = rechecking.recheck_all, search.find

    def alone(after: int = 0, limit: int | None = None) -> int | None:
        sys.setswitchinterval(10)
        end = time.perf_counter() + 0.7
        while time.perf_counter() < end:
            pass
        return look(after, limit)

    def slowly(*asked: Any) -> Any:
        time.sleep(0.4)
        return find(*asked)

    rechecking.recheck_all, search.find = alone, slowly  # type: ignore[assignment]
