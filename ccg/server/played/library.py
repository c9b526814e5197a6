"""Which scenarios there are to watch, and which show a clause, a ruling or a card.

All is read from docs/rules/coverage.json, which has the clearest first; the file of a scenario is read when it is
played.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from django.urls import reverse
from django.utils.text import slugify
from msgspec import Struct

from ccg.rules import CardDef
from ccg.rules.scenario import LIBRARY, Scenario, read_scenarios
from ccg.rules.scenario.coverage import Proof, Proofs, read_proofs
from ccg.server.texts import DOCS


class Shipped(Struct, frozen=True):
    """A scenario that can be watched; ``rules`` and ``cards`` are the names of what it shows."""

    address: str
    name: str
    path: Path
    rules: tuple[str, ...]
    cards: tuple[str, ...]

    @property
    def url(self) -> str:
        """The address of its page."""
        return reverse("played", args=[self.address])

    def read(self) -> Scenario:
        """Read it from its file."""
        return next(one for one in read_scenarios(self.path) if one.name == self.name)


def address(proof: Proof) -> str:
    """Return the address of a scenario: its file below the library, and its name."""
    return f"{_below(proof).removesuffix('.yaml')}/{slugify(proof.name)}"


def _below(proof: Proof) -> str:
    return proof.path.partition(f"{LIBRARY.name}/")[2]


@lru_cache(maxsize=1)
def proofs() -> Proofs:
    """Return what shows each clause, ruling and card; the clearest scenario first."""
    return read_proofs(DOCS / "rules" / "coverage.json")


@lru_cache(maxsize=1)
def shipped() -> Mapping[str, Shipped]:
    """Return all scenarios that show something, by their addresses."""
    rules: dict[Proof, list[str]] = {}
    cards: dict[Proof, list[str]] = {}
    for found, kept in ((proofs().clauses, rules), (proofs().rulings, rules), (proofs().cards, cards)):
        for name, showing in found.items():
            for proof in showing:
                kept.setdefault(proof, []).append(name)
    return {
        address(proof): Shipped(
            address(proof),
            proof.name,
            LIBRARY / _below(proof),
            tuple(rules.get(proof, ())),
            tuple(cards.get(proof, ())),
        )
        for proof in {**rules, **cards}
        if proof.path
    }


def showing(what: str) -> list[Shipped]:
    """Return the scenarios that show a clause, a ruling or a card, by its name or id; the clearest first."""
    known = proofs()
    found = next((kind[what] for kind in (known.clauses, known.rulings, known.cards) if what in kind), [])
    return [shipped()[address(proof)] for proof in found if proof.path]


FIRST = 4
"""Scenarios that the page of a card names; its list of them has the others."""


def section(card: CardDef) -> Mapping[str, object]:
    """Return what the page of ``card`` shows: where it is played; nothing where no scenario is about it."""
    found = showing(card.id)
    return {"first": found[:FIRST], "count": len(found), "card": card} if found else {}
