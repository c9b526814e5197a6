"""Standing orders in words, made of their terms."""

from __future__ import annotations

from msgspec import structs

from ccg.rules import View
from matches.orders.matching import KINDS, NotPossible, Order, Terms, check

DOES: dict[str, str] = {
    "action": "Pass",
    "effects": "No events or abilities",
    "defend": "Decline to defend",
    "cylon": "Leave the Cylon threats alone",
    "resource_card": "Play no resource card",
}
"""What is done, by the kind of decision."""

ABOUT: dict[str, str] = {
    "action": "When it is your action",
    "effects": "Events and abilities in challenges",
    "defend": "When you are challenged",
    "cylon": "Cylon threats",
    "resource_card": "Resource card",
}
"""Headings, by the kind of decision."""

WHEN: dict[str, str] = {
    "always": "",
    "they_pass": "if all others pass",
    "undefended": "where nobody defends",
    "not_by_ship": "unless challenged by a ship",
    "not_by_personnel": "unless challenged by personnel",
    "at_most": "where no more than {number} influence is lost",
}
UNTIL: dict[tuple[str, str], str] = {
    ("action", "event"): "until something happens",
    ("action", "end"): "whatever happens",
    ("effects", "event"): "unless somebody else does",
    ("effects", "end"): "whatever others do",
}
"""What disarms it, by kind of decision; where nothing is said nothing usual does."""

HIGHEST = 3
"""Up to which loss of influence an order is offered."""


def sentence(terms: Terms) -> str:
    """Return what an order does, without the time for which it is."""
    where = (
        "in this challenge" if terms.scope == "challenge" else "in challenges" if terms.decision == "effects" else ""
    )
    until = "" if terms.when == "they_pass" else UNTIL.get((terms.decision, terms.until), "")
    parts = [f"{DOES[terms.decision]} {where}".strip(), WHEN[terms.when].format(number=terms.number), until]
    return ", ".join(part for part in parts if part)


def told(order: Order) -> str:
    """Return the order in a sentence with the time for which it is."""
    if order.terms.scope == "challenge":
        return f"{sentence(order.terms)}."
    return f"{sentence(order.terms)}: {order.phase} phase of turn {order.turn}."


def offered(view: View, seat: int) -> list[Order]:
    """Return the orders that could be given now, as they would be."""
    orders = []
    for terms in _all():
        try:
            turn, phase = check(terms, view, seat)
        except NotPossible:
            continue
        orders.append(Order(terms, seat, 0, turn, phase))
    return orders


def _all() -> list[Terms]:
    """Return all terms that are offered: what disarms an order is a question only where it is told."""
    found = []
    for decision, kind in KINDS.items():
        for scope in reversed(kind.scopes):
            for when in kind.whens:
                numbers = range(1, HIGHEST + 1) if when == "at_most" else (0,)
                terms = [Terms(decision, when, number, scope) for number in numbers]
                firm = when == "always" and (decision, "end") in UNTIL
                found += terms + [structs.replace(one, until="end") for one in terms if firm]
    return found
