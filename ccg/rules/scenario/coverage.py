"""Which scenarios show which clause, ruling and card: the promise of docs/rules/clauses.yaml, kept by a machine."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import yaml
from msgspec import Struct

from ccg.rules.cards import Catalog
from ccg.rules.scenario.files import Scenario
from ccg.rules.stored import Stored


class Clause(Struct):
    """One statement that we promise. ``shown_by`` are tests where no scenario can show it."""

    id: str
    section: str
    rule: str
    page: int | None = None
    ruling: int | None = None
    shown_by: list[str] = []


class Coverage(Struct):
    """Scenario names by clause, ruling and card.

    ``missing`` are the clauses and rulings that no scenario names; ``unknown`` says which scenario names one
    that does not exist.
    """

    clauses: dict[str, list[str]]
    rulings: dict[str, list[str]]
    cards: dict[str, list[str]]
    missing: list[str]
    unknown: list[str]


_CLAUSES = Stored(list[Clause])


def read_clauses(path: Path) -> list[Clause]:
    """Read docs/rules/clauses.yaml."""
    return _CLAUSES.from_plain(yaml.safe_load(path.read_text(encoding="utf-8")))


def read_rulings(path: Path) -> list[str]:
    """Give the names of all rulings of docs/rules/rulings.md, as scenarios name them: ruling-1 and on."""
    return [f"ruling-{number}" for number in re.findall(r"(?m)^(\d+)\. ", path.read_text(encoding="utf-8"))]


def coverage(clauses: list[Clause], rulings: list[str], scenarios: Iterable[Scenario]) -> Coverage:
    """Count which scenario names what."""
    shown: dict[str, list[str]] = {clause.id: list(clause.shown_by) for clause in clauses}
    ruled: dict[str, list[str]] = {ruling: [] for ruling in rulings}
    cards: dict[str, list[str]] = {}
    unknown: list[str] = []
    for scenario in scenarios:
        where = f"{scenario.path}: {scenario.name}"
        for rule in scenario.rules:
            if rule in shown:
                shown[rule].append(where)
            elif rule in ruled:
                ruled[rule].append(where)
            elif "/" not in rule:
                unknown.append(f"{where}: no {'ruling' if rule.startswith('ruling-') else 'clause'} {rule}")
        for card in scenario.cards:
            cards.setdefault(card, []).append(where)
    missing = [name for name, where in {**shown, **ruled}.items() if not where]
    return Coverage(shown, ruled, cards, missing, unknown)


def page(clauses: list[Clause], found: Coverage, catalog: Catalog) -> str:
    """Write the coverage page: each clause, ruling and card with the scenarios that show it."""
    lines = [
        "# What shows each rule",
        "",
        "Made by `manage.py scenarios tests/scenarios --coverage --write`; do not edit.",
        "",
    ]
    section = ""
    for clause in clauses:
        if clause.section != section:
            section = clause.section
            lines += [f"## {section}", ""]
        lines += [f"**{clause.id}** {clause.rule}", ""]
        lines += [f"- {_short(where)}" for where in found.clauses[clause.id]] + [""]
    lines += ["## Rulings", ""]
    for ruling, shown in found.rulings.items():
        lines += [f"**{ruling}**", "", *(f"- {_short(where)}" for where in shown), ""]
    lines += ["## Cards", ""]
    for card in sorted(found.cards):
        name = catalog[card].name if card in catalog else ""
        lines += [f"**{card}** {name}".rstrip(), "", *(f"- {_short(where)}" for where in found.cards[card]), ""]
    return "\n".join(lines)


def _short(where: str) -> str:
    path, mark, name = where.partition(": ")
    if not mark:
        return where
    inside = path[path.index("tests/scenarios") :] if "tests/scenarios" in path else path
    return f"{name} (`{inside}`)"
