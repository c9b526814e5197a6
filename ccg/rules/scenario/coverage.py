"""Which scenarios show which clause, ruling and card: the promise of docs/rules/clauses.yaml, kept by a machine."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import msgspec
import yaml
from msgspec import Struct

from ccg.rules.cards.definitions import Catalog
from ccg.rules.decoding import Decoder
from ccg.rules.scenario import clearness
from ccg.rules.scenario.files import Scenario


class Clause(Struct):
    """One statement that we promise. ``shown_by`` are tests where no scenario can show it."""

    id: str
    section: str
    rule: str
    page: int | None = None
    ruling: int | None = None
    shown_by: list[str] = []


class Proof(Struct, frozen=True):
    """What shows a rule: a scenario by its ``name``, with its file; or a test, which has no ``path`` here."""

    name: str
    path: str = ""

    def __str__(self) -> str:
        return f"{self.name} (`{self.path}`)" if self.path else self.name


class Proofs(Struct):
    """What shows each clause, ruling and card: what coverage.json keeps, for the coverage page and the site."""

    clauses: dict[str, list[Proof]]
    rulings: dict[str, list[Proof]]
    cards: dict[str, list[Proof]]


class Coverage(Proofs):
    """What shows what, and what is wrong with it.

    ``missing`` are the clauses and rulings that no scenario names; ``unknown`` says which scenario names one
    that does not exist.
    """

    missing: list[str]
    unknown: list[str]


_CLAUSES = Decoder(list[Clause])
_PROOFS = Decoder(Proofs)


def read_clauses(path: Path) -> list[Clause]:
    """Read docs/rules/clauses.yaml."""
    return _CLAUSES.from_plain(yaml.safe_load(path.read_text(encoding="utf-8")))


def read_rulings(path: Path) -> list[str]:
    """Return the names of all rulings of docs/rules/rulings.md, as scenarios name them: ruling-1 and on."""
    return [f"ruling-{number}" for number in re.findall(r"(?m)^(\d+)\. ", path.read_text(encoding="utf-8"))]


def coverage(clauses: list[Clause], rulings: list[str], scenarios: Iterable[Scenario]) -> Coverage:
    """Count which scenario names what; of those that show the same, the clearest comes first, and tests last."""
    shown: dict[str, list[Proof]] = {clause.id: [] for clause in clauses}
    ruled: dict[str, list[Proof]] = {ruling: [] for ruling in rulings}
    cards: dict[str, list[Proof]] = {}
    unknown: list[str] = []
    for scenario in sorted(scenarios, key=clearness.effort):
        proof = Proof(scenario.name, _within_project(scenario.path))
        for rule in scenario.rules:
            if rule in shown:
                shown[rule].append(proof)
            elif rule in ruled:
                ruled[rule].append(proof)
            elif "/" not in rule:
                kind = "ruling" if rule.startswith("ruling-") else "clause"
                unknown.append(f"{scenario.path}: {scenario.name}: no {kind} {rule}")
        for card in scenario.cards:
            cards.setdefault(card, []).append(proof)
    for clause in clauses:
        shown[clause.id] += [Proof(test) for test in clause.shown_by]
    missing = [name for name, proofs in {**shown, **ruled}.items() if not proofs]
    return Coverage(shown, ruled, cards, missing, unknown)


def _within_project(path: Path) -> str:
    """Return a scenario's path as it is below the project's folder, wherever that is."""
    name = path.as_posix()
    return name[name.index("ccg/scenarios") :] if "ccg/scenarios" in name else name


def data(found: Proofs) -> str:
    """Return what coverage.json says: what shows each clause, ruling and card."""
    proofs = {kind: getattr(found, kind) for kind in Proofs.__struct_fields__}
    return msgspec.json.format(msgspec.json.encode(proofs), indent=1).decode() + "\n"


def read_proofs(path: Path) -> Proofs:
    """Read docs/rules/coverage.json."""
    proofs: Proofs = _PROOFS.from_json(path.read_bytes())
    return proofs


def page(clauses: list[Clause], found: Proofs, catalog: Catalog) -> str:
    """Write the coverage page: each clause, ruling and card with the scenarios that show it."""
    lines = [
        "# What shows each rule",
        "",
        "Made by `manage.py scenarios ccg/scenarios --coverage --write`; do not edit.",
        "",
    ]
    section = ""
    for clause in clauses:
        if clause.section != section:
            section = clause.section
            lines += [f"## {section}", ""]
        lines += [f"**{clause.id}** {clause.rule}", ""]
        lines += [f"- {proof}" for proof in found.clauses[clause.id]] + [""]
    lines += ["## Rulings", ""]
    for ruling, proofs in found.rulings.items():
        lines += [f"**{ruling}**", "", *(f"- {proof}" for proof in proofs), ""]
    lines += ["## Cards", ""]
    for card in sorted(found.cards):
        name = catalog[card].name if card in catalog else ""
        lines += [f"**{card}** {name}".rstrip(), "", *(f"- {proof}" for proof in found.cards[card]), ""]
    return "\n".join(lines)
