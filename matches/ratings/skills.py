"""The mathematics of ratings: OpenSkill's Plackett-Luce model with the numbers that fit this game. No Django.

A skill is a normal distribution: ``mu`` where somebody stands, ``sigma`` how unsure that is. A match moves the skills
of all at its table by the whole order in which they finished. How much a match says depends on ``BETA``, the share of
chance: ``manage.py fit_ratings`` finds the value that predicts best.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct
from openskill.models import PlackettLuce

MU, SIGMA = 25.0, 25 / 3
"""The skill of somebody who has not played yet."""

BETA = 20.0
"""Chance within one match, in the unit of ``mu``: the larger, the less a result says (docs/ratings.md has figures)."""

TAU = 25 / 300
"""How much ``sigma`` grows before each match, so that somebody who gets better is not held back."""

RESET = 0.5
"""How far towards the mean a new season takes everybody; half-way is the most that is promised."""
RESET_SIGMA = 5.0
"""How unsure a skill is at the beginning of a season, at least."""

POINTS_A_MU, MEAN_POINTS = 40, 1500
"""How skills are shown: the mean is 1500 points, and a beginner's sigma about 333."""


class Skill(Struct, frozen=True):
    """How strong somebody is, and how unsure that is."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def points(self) -> int:
        """``mu`` as people read it."""
        return round(MEAN_POINTS + POINTS_A_MU * (self.mu - MU))

    @property
    def spread(self) -> int:
        """``sigma`` in points: in two of three cases the true strength is no farther off."""
        return round(POINTS_A_MU * self.sigma)


def model(beta: float = BETA) -> PlackettLuce:
    """Return the model; no match makes anybody less sure (``limit_sigma``)."""
    return PlackettLuce(mu=MU, sigma=SIGMA, beta=beta, tau=TAU, limit_sigma=True)


_MODEL = model()


def rated(skills: Sequence[Skill], ranks: Sequence[int], with_model: PlackettLuce = _MODEL) -> list[Skill]:
    """Return the skills after a match that these players finished in the places ``ranks``, 1 for the winner.

    Equal places are a draw between those who share them. The same arguments give the same numbers, to the last digit.
    """
    teams = [[with_model.rating(mu=skill.mu, sigma=skill.sigma)] for skill in skills]
    return [Skill(team[0].mu, team[0].sigma) for team in with_model.rate(teams, ranks=[float(rank) for rank in ranks])]


def expected(one: Skill, other: Skill, with_model: PlackettLuce = _MODEL) -> float:
    """Return how likely ``one`` is to win against ``other``, from 0 to 1."""
    teams = [[with_model.rating(mu=skill.mu, sigma=skill.sigma)] for skill in (one, other)]
    return float(with_model.predict_win(teams)[0])


def of_new_season(skill: Skill) -> Skill:
    """Return the skill with which somebody enters a season: nearer to the mean, and less sure."""
    return Skill(MU + (1 - RESET) * (skill.mu - MU), max(skill.sigma, RESET_SIGMA))


def season_of(when: datetime) -> int:
    """Return the season of a time: a number that grows, 20264 for the last quarter of 2026."""
    return when.year * 10 + (when.month + 2) // 3


def season_name(season: int) -> str:
    """Return a season as people call it."""
    quarters = ("January to March", "April to June", "July to September", "October to December")
    return f"{quarters[season % 10 - 1]} {season // 10}"
