"""What the browser needs to judge decks as the server does: sentences, rules and formats, as plain data."""

from __future__ import annotations

from datetime import date
from typing import Any

import msgspec
from django.utils import timezone

from cards_data.catalog import CardData
from decks import formats
from decks.lists import legality
from decks.lists.legality import FormatRules
from decks.models import Format


def rules_data(cards: CardData, day: date | None = None) -> dict[str, Any]:
    """Return everything that ``ccg/client/src/builder/legality.ts`` judges by on ``day`` (today)."""
    standard = formats.standard().code
    every = list(Format.objects.prefetch_related("editions"))
    return {
        **sentences(),
        "formats": [
            {"code": one.code, "name": one.name, "editions": [as_data(rules) for rules in formats.editions(one, cards)]}
            for one in every
        ],
        "words": formats.short_words([one.code for one in every]),
        "standard": standard,
        "today": (day or timezone.localdate()).isoformat(),
    }


def sentences() -> dict[str, Any]:
    """Return what legality says, which no database knows of."""
    return {
        "order": legality.Code.__args__,  # type: ignore[attr-defined]
        "sentences": msgspec.to_builtins(legality.SENTENCES),
        "rules": legality.RULES,
        "few_units": legality.FEW_UNITS,
        "advised_units": legality.ADVISED_UNITS,
    }


def as_data(rules: FormatRules) -> dict[str, Any]:
    """Return what a format asks in one period; sets in order, so that the same rules are the same text."""
    plain: dict[str, Any] = msgspec.to_builtins(rules)
    listed = {name: sorted(plain[name]) for name in ("sets", "reprints", "banned", "restricted")}
    return {**plain, **listed}
