"""Searches in numbers: database, memory and browser find the same, a minus is the rest, and no text is too odd."""

from __future__ import annotations

import json
import random
import subprocess
import time
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from .inside import call
from .processes import ROOT
from .proof import Options, Proof
from .search_queries import WORDS, hostile, made_up
from .systems import running_system

BROWSER = ROOT / "ccg" / "client" / "tools" / "search.mjs"
LONGEST_MS = 250.0
TRIES = 3
"""Other work on the machine makes anything slow once; what is slow by itself is slow again."""
PLANTS = ("range_without_end", "forgotten_reprints", "owned_without_none", "minus_without_missing", "crash", "slow")


def prove(options: Options) -> Proof:
    """Ask made-up queries of all evaluations, and odd ones of the site."""
    asked = {
        "seed": options.seed,
        "queries": options.number("queries", 10_000, 300),
        "hostile": options.number("hostile", 100_000, 500),
        "folder": str(options.folder),
    }
    with running_system(options.profile, options.room("site"), webs=1, workers=0) as system:
        found = call(f"{__name__}:tried", asked, system.env)
        few = {**asked, "queries": 200, "hostile": 200}
        planted = {
            plant.replace("_", " "): _wrong(call(f"{__name__}:tried", few, system.env, f"{__name__}:{plant}"))
            for plant in PLANTS
        }
    return Proof(
        goal=f"{asked['queries']} queries find the same cards in the database, in memory and in the browser, and the"
        f" rest with a minus; {asked['hostile']} odd ones are answered without an error of the server, each within"
        f" {LONGEST_MS:.0f} ms",
        passed=not _wrong(found),
        figures=found,
        planted=planted,
    )


def _wrong(found: dict[str, Any]) -> bool:
    counts = ("database", "browser", "rest", "errors")
    return any(found[name] for name in counts) or found["longest_ms"] > LONGEST_MS


def in_browser(cards: Any, queries: list[str], folder: Path, known: Any = None) -> list[Any]:
    """Return what the browser's search finds for each query among ``cards``: ids in their order, or an error.

    ``known`` is what it knows beside them, as :func:`beside` returns it.
    """
    import msgspec

    asked, answered = folder / "asked.json", folder / "answered.json"
    asked.write_bytes(msgspec.json.encode({"cards": cards, "queries": queries, "known": known}))
    subprocess.run(["node", str(BROWSER), str(asked), str(answered)], check=True, cwd=ROOT)
    answers: list[Any] = json.loads(answered.read_bytes())
    return answers


def told_alike(queries: Iterable[str]) -> list[str]:
    """Return the queries of which Python and a browser think the same: those of letters that this Python knows."""
    return [query for query in queries if not any(unicodedata.category(sign) in ("Cn", "Cs") for sign in query)]


# -- with the site's code


def tried(asked: dict[str, Any]) -> dict[str, Any]:
    """Return how many queries went wrong in which way, with the first ones, and how long answers took."""
    queries = list(made_up(asked["seed"], asked["queries"]))
    found = compared(queries, Path(asked["folder"]))
    return {"queries": len(queries)} | found | answered(asked["seed"], asked["hostile"])


def compared(queries: list[str], folder: Path) -> dict[str, Any]:
    """Return how many of ``queries`` find other cards in the database or the browser than in memory."""
    from cards_data import catalog
    from cards_data.export import all_facts
    from cards_data.search import cards, nodes
    from cards_data.search.language import Query

    data = catalog.data()
    memory = cards.in_memory(data)
    given = beside(list(data.catalog.index))
    known = known_from(given)
    browser = in_browser(list(all_facts(data).values()), queries, folder, given)
    everything = {card.id for card in memory.cards}
    wrong: dict[str, list[str]] = {"database": [], "browser": [], "rest": []}
    for query, seen in zip(queries, browser, strict=True):
        read = cards.read(query, data, known)
        found = [card.id for card in memory.matching(read.node, known)]
        rest = cards.find(Query(node=nodes.Not(read.node)), known)
        if sorted(cards.find(read, known).values_list("pk", flat=True)) != found:
            wrong["database"].append(query)
        if sorted(seen) != found:
            wrong["browser"].append(query)
        if set(rest.values_list("pk", flat=True)) != everything - set(found):
            wrong["rest"].append(query)
    return {name: len(some) for name, some in wrong.items()} | {
        "examples": [q for some in wrong.values() for q in some[:3]]
    }


def beside(ids: Sequence[str], seed: int = 1) -> dict[str, Any]:
    """Return something to be known beside the cards with these ``ids``: groups by field and word, and counts."""
    from cards_data import catalog
    from cards_data.search import cards
    from ccg.rules.cards.definitions import fold

    chance = random.Random(seed)
    some = {share: sorted(chance.sample(list(ids), len(ids) * share // 100)) for share in (1, 20, 50, 90)}
    formats = {"now": some[90], "standard-2006": some[50], "two-sets": []}
    named = {
        " ".join(card for card, name in cards.names(catalog.data()).items() if fold(word) in name)
        for word in WORDS["with"]
    }
    return {
        "groups": {
            "legal": formats,
            "banned": {**formats, "now": some[1]},
            "in": {"deck": some[20]},
            "fits": {"deck": some[50]},
            "has": {"ruling": some[20]},
            "with": {key: sorted(chance.sample(list(ids), 60)) for key in sorted(named)},
        },
        "counts": {"owned": {card: chance.randrange(1, 6) for card in some[50]}},
    }


def known_from(given: dict[str, Any]) -> Any:
    """Return what :func:`beside` returned as the evaluations of the server take it."""
    from cards_data.search.known import Known

    groups: dict[str, Any] = {field: partial(dict, words) for field, words in given["groups"].items()}
    counts: dict[str, Any] = {field: partial(dict, some) for field, some in given["counts"].items()}
    return Known(groups, counts)


def answered(seed: int, count: int) -> dict[str, Any]:
    """Return how the API and the page answer odd queries: errors of the server, and the times in milliseconds."""
    from django.conf import settings
    from django.test import Client

    client = Client(raise_request_exception=False, headers={"host": settings.ALLOWED_HOSTS[0]})
    times, errors, again, statuses = [], 0, 0, {200: 0, 302: 0, 400: 0}
    client.get("/api/v1/cards/?page_size=1")  # what is made once
    client.get("/cards/")
    for number, query in enumerate(hostile(seed, count)):
        address = "/cards/" if number % 4 == 0 else "/api/v1/cards/"
        for _ in range(TRIES):
            began = time.perf_counter()
            status = client.get(address, {"q": query.encode(errors="replace")}).status_code
            took = (time.perf_counter() - began) * 1000
            errors += status not in statuses
            if took <= LONGEST_MS:
                break
            again += 1
        times.append(took)
        statuses[status] = statuses.get(status, 0) + 1
    times.sort()
    return {
        "hostile": count,
        "errors": errors,
        "asked_again": again,
        "refused": statuses[400],
        "median_ms": round(times[len(times) // 2], 1),
        "p99_ms": round(times[len(times) * 99 // 100], 1),
        "longest_ms": round(times[-1], 1),
    }


# -- faults on purpose


def range_without_end() -> None:
    """The database leaves out the end of a range."""
    from cards_data.search.columns import NumberColumn

    between = NumberColumn.between
    NumberColumn.between = lambda self, low, high: between(self, low, high and high - 1)  # type: ignore[method-assign]


def forgotten_reprints() -> None:
    """The browser hears of no reprints."""
    import msgspec

    from cards_data import export
    from cards_data.search import cards as _  # noqa: F401  # that of the server has read its own by now

    whole = export.all_facts

    def without(data: Any) -> dict[str, Any]:
        return {key: msgspec.structs.replace(one, reprints=[]) for key, one in whole(data).items()}

    export.all_facts = without  # type: ignore[assignment]


def owned_without_none() -> None:
    """The database forgets who owns none of a card."""
    from cards_data.search import database

    within = database._within
    database._within = lambda number, low, high: number > 0 and within(number, low, high)


def minus_without_missing() -> None:
    """A minus finds only cards that have a cost."""
    from cards_data.search import cards as _  # noqa: F401  # the evaluations have the true one by now
    from cards_data.search import nodes

    rest = nodes.Not

    def only_with_cost(part: nodes.Node) -> nodes.Node:
        return nodes.All((rest(part), nodes.Present("cost")))

    nodes.Not = only_with_cost  # type: ignore[misc,assignment]


def crash() -> None:
    """The page breaks over a phrase."""
    _before_reading(lambda query: 1 // ('"' not in query))


def slow() -> None:
    """The page takes its time over an "or"."""
    _before_reading(lambda query: time.sleep(0.3 if "or" in query else 0))


def _before_reading(do: Callable[[str], object]) -> None:
    from cards_data import listing
    from cards_data.search import cards

    def address_read(text: str, *more: Any) -> Any:
        do(text)
        return read(text, *more)

    read = cards.read
    listing.cards = SimpleNamespace(**{**vars(cards), "read": address_read})  # type: ignore[assignment]
