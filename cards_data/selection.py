"""Which cards to show: the filters of the card list, read from an address and turned into a query.

The page and the API share it. Each filter is a list of allowed values, so that a mistyped address shows
what it can and says what it left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import urlencode

from django.db.models import F, Q, QuerySet

from cards_data.fields import has_word
from cards_data.models import RESOURCES, TYPES, Card
from ccg.rules.cards.definitions import fold

SORTS = {
    "number": ("Set and number", ["id"]),
    "name": ("Name", ["folded"]),
    "cost": ("Cost", [F("cost").asc(nulls_last=True), "folded"]),
    "power": ("Power", [F("power").desc(nulls_last=True), "folded"]),
    "mystic": ("Mystic value", [F("mystic").desc(nulls_last=True), "folded"]),
    "threat": ("Cylon threat", [F("threat").desc(nulls_last=True), "folded"]),
}
VIEWS = {"grid": "Grid", "list": "List"}
MAX_TEXT = 100


class Params(Protocol):
    """What Django's ``QueryDict`` offers and we need."""

    def getlist(self, key: str) -> list[str]:
        """Return all values of ``key``."""
        ...


@dataclass(frozen=True)
class Selection:
    """The filters in force; empty ones ask nothing. Several values of one filter mean any of them."""

    text: str = ""
    types: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    sort: str = "number"
    view: str = "grid"
    ignored: tuple[str, ...] = field(default=(), compare=False)

    @classmethod
    def read(cls, params: Params, sets: Mapping[str, str], traits: Mapping[str, str]) -> Selection:
        """Read the GET parameters; ``sets`` and ``traits`` map the folded form of what exists to its own form."""
        ignored: list[str] = []

        def chosen(key: str, known: Mapping[str, str]) -> tuple[str, ...]:
            values = [value.strip() for value in params.getlist(key) if value.strip()]
            ignored.extend(f"{key} “{value[:40]}”" for value in values if fold(value) not in known)
            return tuple(dict.fromkeys(known[fold(value)] for value in values if fold(value) in known))

        sort = chosen("sort", {name: name for name in SORTS})
        view = chosen("view", {name: name for name in VIEWS})
        return cls(
            text=" ".join(" ".join(params.getlist("q")).split())[:MAX_TEXT],
            types=chosen("type", {name: name for name, _ in TYPES}),
            sets=chosen("set", sets),
            resources=chosen("resource", {name: name for name, _ in RESOURCES}),
            traits=chosen("trait", traits),
            sort=sort[-1] if sort else "number",
            view=view[-1] if view else "grid",
            ignored=tuple(ignored),
        )

    def cards(self) -> QuerySet[Card]:
        """Return the cards that pass all filters, in the order asked for."""
        wanted = Q(withdrawn=False)
        for word in fold(self.text).split():
            wanted &= Q(folded__contains=word) | Q(traits__icontains=word) | Q(keywords__icontains=word)
        if self.text and not fold(self.text):
            wanted &= Q(pk__in=())
        if self.types:
            wanted &= Q(type__in=self.types)
        if self.sets:
            wanted &= Q(
                pk__in=Card.objects.filter(printings__set__in=self.sets, printings__withdrawn=False).values("pk")
            )
        if self.resources:
            wanted &= _any(Q(produces=one) | Q(**{f"cost_{one}__gt": 0}) for one in self.resources)
        if self.traits:
            wanted &= _any(has_word("traits", one) for one in self.traits)
        return Card.objects.filter(wanted).order_by(*SORTS[self.sort][1])

    def query(self, **other: object) -> str:
        """Return the GET parameters for this selection, some of them replaced (None leaves one out)."""
        parameters: dict[str, object] = {
            "q": self.text,
            "type": self.types,
            "set": self.sets,
            "resource": self.resources,
            "trait": self.traits,
            "sort": "" if self.sort == "number" else self.sort,
            "view": "" if self.view == "grid" else self.view,
        }
        return urlencode({key: value for key, value in {**parameters, **other}.items() if value}, doseq=True)

    def removals(self) -> list[tuple[str, str]]:
        """Return each single filter in words, with the parameters of the selection without it."""
        filters = [(f"“{self.text}”", self.query(q=None))] if self.text else []
        for key, values in (
            ("type", self.types),
            ("set", self.sets),
            ("resource", self.resources),
            ("trait", self.traits),
        ):
            filters += [(value, self.query(**{key: [one for one in values if one != value]})) for value in values]
        return filters


def _any(conditions: Iterable[Q]) -> Q:
    whole = Q()
    for one in conditions:
        whole |= one
    return whole
