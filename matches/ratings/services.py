"""Rating a finished match, once; and computing all ratings anew from the ledger."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from matches import database
from matches import rated as rated_matches
from matches.models import Match, Move
from matches.moves import ALL
from matches.ratings import signs
from matches.ratings.fitting import Played
from matches.ratings.models import RatedMatch, Rating, RatingChange
from matches.ratings.orders import ranks_of
from matches.ratings.pools import Pool, pool_of
from matches.ratings.skills import Skill, of_new_season, rated, season_of


class Standing(Struct):
    """Where a rating stands while matches are counted."""

    skill: Skill
    season: int = 0
    matches: int = 0
    won: int = 0

    def enter(self, season: int) -> None:
        """Let a match of ``season`` begin; the first one of a new season takes the skill nearer to the mean."""
        if self.matches and season > self.season:
            self.skill = of_new_season(self.skill)
        self.season = max(season, self.season)

    def count(self, after: Skill, *, won: bool) -> None:
        """Take what a match has made of it."""
        self.skill = after
        self.matches += 1
        self.won += won


def handle(payload: Mapping[str, Any]) -> None:
    """Rate a finished match. Outbox handler: run twice, or by two at once, it is rated once."""
    match = Match.objects.defer("saved").filter(public_id=payload["match"], state=Match.State.FINISHED).first()
    if match is None or not match.rated or RatedMatch.objects.filter(match=match).exists():
        return
    if ended_by_a_fault(match):
        rated_matches.unrate(match, "fault")
        return
    ranks = ranks_of(match)
    write_down(match, ranks)


def ended_by_a_fault(match: Match) -> bool:
    """Return whether whoever runs the site has ended the match, as nothing was left that could be chosen."""
    return match.moves.filter(kind=Move.Kind.CONCEDE, option=ALL).exists()


def write_down(match: Match, ranks: list[int]) -> None:
    """Count a match that its players finished in these places, unless it is counted already."""
    database.write(lambda: _rate(match, ranks))


def _rate(match: Match, ranks: list[int]) -> None:
    """Inside a transaction: write the ledger's rows of ``match`` and move the ratings of its players."""
    people = list(match.seats.order_by("number").values_list("user_id", flat=True))
    if None in people:
        rated_matches.unrate(match, "account")
        return
    pool = pool_of(match)
    ratings = _locked(people, pool)
    # Only now: who waited for the same ratings may have waited for another process that rated this very match.
    if RatedMatch.objects.filter(match=match).exists():
        return
    assert match.finished is not None
    row = RatedMatch.objects.create(match=match, pool=pool.code, season=season_of(match.finished))
    of_seats = [ratings[person] for person in people]
    standings = [_standing(rating) for rating in of_seats]
    before, after = counted(standings, ranks, row.season)
    for seat, rating in enumerate(of_seats):
        standing = standings[seat]
        RatingChange.objects.create(
            rated=row, rating=rating, seat=seat, rank=ranks[seat],
            mu_before=before[seat].mu, sigma_before=before[seat].sigma,
            mu=after[seat].mu, sigma=after[seat].sigma, matches=standing.matches,
        )  # fmt: skip
        _put(rating, standing)
        rating.save()
    signs.look(row, match)


def counted(standings: list[Standing], ranks: list[int], season: int) -> tuple[list[Skill], list[Skill]]:
    """Count one match for these players; return their skills before and after. Computes only."""
    for standing in standings:
        standing.enter(season)
    before = [standing.skill for standing in standings]
    after = rated(before, ranks)
    drawn = set(ranks) == {1}
    for standing, skill, rank in zip(standings, after, ranks, strict=True):
        standing.count(skill, won=rank == 1 and not drawn)
    return before, after


def _locked(people: list[int | None], pool: Pool) -> dict[int | None, Rating]:
    """Return the ratings of ``people``, made where there are none, locked in one order for everybody."""
    start = Skill()
    for person in sorted(filter(None, people)):
        Rating.objects.get_or_create(user_id=person, pool=pool.code, defaults={"mu": start.mu, "sigma": start.sigma})
    rows = Rating.objects.select_for_update().filter(user__in=people, pool=pool.code).order_by("pk")
    return {rating.user_id: rating for rating in rows}


def _standing(rating: Rating) -> Standing:
    return Standing(rating.skill, rating.season, rating.matches, rating.won)


def _put(rating: Rating, standing: Standing) -> None:
    rating.mu, rating.sigma = standing.skill.mu, standing.skill.sigma
    rating.season, rating.matches, rating.won = standing.season, standing.matches, standing.won


# -- computing anew


class Difference(Struct, frozen=True):
    """Where what is stored is not what the ledger comes to: which row, what it says and what it should say."""

    row: str
    stored: str
    computed: str


def computed_again() -> tuple[int, list[Difference]]:
    """Count all matches of the ledger anew; return how many there are, and what is stored otherwise.

    Equal means equal to the last digit. Reads only.
    """
    standings: dict[int, Standing] = defaultdict(lambda: Standing(Skill()))
    differences: list[Difference] = []
    matches = 0
    for matches, row in enumerate(_ledger(), 1):  # noqa: B007 - returned below
        for change, now in _again(row, standings):
            stored = _made(change)
            if stored != now:
                differences.append(Difference(f"change {change.pk}", repr(stored), repr(now)))
    for rating in Rating.objects.order_by("pk").iterator():
        stored_standing = _standing(rating)
        if stored_standing != standings[rating.pk]:
            differences.append(Difference(f"rating {rating.pk}", repr(stored_standing), repr(standings[rating.pk])))
    return matches, differences


def rate_again() -> int:
    """Compute all ratings anew from the ledger's inputs, with the model as it is now; return how many matches.

    One transaction that locks every rating, so that no match is rated meanwhile.
    """

    def again() -> int:
        ratings = list(Rating.objects.select_for_update().order_by("pk"))
        standings: dict[int, Standing] = defaultdict(lambda: Standing(Skill()))
        matches = 0
        for matches, row in enumerate(_ledger(), 1):  # noqa: B007 - returned below
            for change, (before, after, count) in _again(row, standings):
                RatingChange.objects.filter(pk=change.pk).update(
                    mu_before=before.mu, sigma_before=before.sigma, mu=after.mu, sigma=after.sigma, matches=count
                )
        for rating in ratings:
            _put(rating, standings[rating.pk])
            rating.save()
        return matches

    return database.write(again)


def played_by_people() -> list[Played]:
    """Return the matches of two in the ledger, in their order, as the fit takes them."""
    found = []
    for row in RatedMatch.objects.filter(match__players=2).prefetch_related("changes").order_by("pk"):
        first, second = sorted(row.changes.all(), key=lambda change: change.seat)
        score = 0.5 if first.rank == second.rank else float(first.rank < second.rank)
        found.append(Played(str(first.rating_id), str(second.rating_id), score))
    return found


Made = tuple[Skill, Skill, int]
"""What a match made of a rating: before, after, and the count of matches with it."""


def _ledger() -> Iterator[RatedMatch]:
    return RatedMatch.objects.prefetch_related("changes").order_by("pk").iterator(chunk_size=500)


def _made(change: RatingChange) -> Made:
    return change.before, change.after, change.matches


def _again(row: RatedMatch, standings: dict[int, Standing]) -> Iterator[tuple[RatingChange, Made]]:
    """Count one match of the ledger for the standings of its players; yield each change with what it comes to."""
    changes = sorted(row.changes.all(), key=lambda change: change.seat)
    players = [standings[change.rating_id] for change in changes]
    before, after = counted(players, [change.rank for change in changes], row.season)
    for place, change in enumerate(changes):
        yield change, (before[place], after[place], players[place].matches)
