"""Simulated games with the cards of an import, in the child process that :mod:`cards_data.isolated` starts."""

from __future__ import annotations

import time
from collections.abc import Iterator

from msgspec import Struct

from ccg.rules.authoring.card_files import CardSet
from ccg.rules.cards.definitions import Catalog
from ccg.rules.soak.trials import TrialReport, trial


class Request(Struct, kw_only=True):
    """So many ``games`` of a trial from number ``start`` on, as far as ``seconds`` allow, with all ``sets``.

    ``cards`` are the ids of those that the games are about.
    """

    sets: tuple[CardSet, ...]
    cards: list[str]
    seed: int
    start: int
    games: int
    seconds: float


def work(request: Request) -> Iterator[TrialReport]:
    """Play, and tell after each game what has come of them all."""
    until = time.monotonic() + request.seconds
    catalog = Catalog(card for one in request.sets for card in one.cards)
    for report in trial(catalog, request.cards, request.games, request.seed, request.start):
        yield report
        if time.monotonic() >= until:
            return
