"""``manage.py fit_ratings``: how much of a match is chance, and how well ratings predict."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from cards_data import catalog as card_data
from matches.playtests.services import starters
from matches.ratings import simulated
from matches.ratings.fitting import Fitted, Played, fitted
from matches.ratings.services import played_by_people
from matches.ratings.skills import BETA

LEVELS = ("sensible", "easy")


class Command(BaseCommand):
    """Prints a Brier score for each value tried; the value in use is BETA of ``matches/ratings/skills.py``."""

    help = "Fit the share of chance to matches, and show how well ratings predict matches held out."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where the matches come from."""
        parser.add_argument("--site", action="store_true", help="rated matches of two on this site")
        parser.add_argument(
            "--play", type=int, metavar="MATCHES", help="have computers play so many matches first, and keep them"
        )
        parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="for --play")

    def handle(self, *args: Any, **options: Any) -> None:
        """Play if that is asked for, then fit and print."""
        if options["play"]:
            self._play(options["play"], options["processes"])
        try:
            found = fitted(played_by_people() if options["site"] else simulated_matches())
        except ValueError as error:
            raise CommandError(str(error)) from error
        self._show(found)

    def _play(self, matches: int, processes: int) -> None:
        entrants = [
            simulated.Entrant(level, deck.name, deck.base, tuple(deck.played.cards))
            for level in LEVELS
            for deck in starters()
        ]
        results = simulated.played(entrants, card_data.data(), 1, matches, processes)
        simulated.keep(results)

    def _show(self, found: Fitted) -> None:
        self.stdout.write("  beta  chosen by  held out")
        for fit in found.fits:
            mark = " <- best" if fit == found.best else ""
            self.stdout.write(f"{fit.beta:6.2f}  {fit.chosen_by:9.4f}  {fit.held_out:8.4f}{mark}")
        self.stdout.write(
            f"Brier score on {found.matches} matches held out: {found.best.held_out:.4f} ± {found.off:.4f}"
            f" (a coin has 0.25). In use: {BETA:g}."
        )


def simulated_matches() -> list[Played]:
    """Return the matches between computers that are kept with the code."""
    scores = {True: 1.0, False: 0.0, None: 0.5}
    return [Played(one.first, one.second, scores[one.won]) for one in simulated.kept()]
