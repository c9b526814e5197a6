"""Rating a finished match, once; and computing all ratings anew from the ledger."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, F, OuterRef, Q
from msgspec import Struct

from matches.clocks import tempo as tempos
from matches.clocks.tempo import Tempo
from matches.models import ENDED_BY_SITE, Match, MatchSeat, Move, by_correspondence
from matches.notices.waiting import has_been_here
from matches.ratings import signs, stalling
from matches.ratings.fitting import Played
from matches.ratings.models import KeptRating, RatedMatch, Rating, RatingChange
from matches.ratings.orders import ranks_of
from matches.ratings.pools import Pool, pool_of
from matches.ratings.skills import Skill, of_new_season, rated, season_of
from matches.seats import rated as rated_matches
from matches.seats import stand_ins
from matches.storage import database

STAYED_AWAY = timedelta(days=7)
"""Of the matches by correspondence that somebody loses by time within so long, one counts."""


LEASE = timedelta(seconds=3)
"""For how long a process that rates a match has it to itself: where it is killed, another one rates the match then."""


class RatingState(Struct):
    """A rating while matches are counted for it."""

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
    if rated_matches.nobody_came(match):
        rated_matches.unrate(match, "nobody_came")
        return
    stalling.note(match)
    ranks = ranks_of(match)
    write_down(match, ranks)


def ended_by_a_fault(match: Match) -> bool:
    """Return whether whoever runs the site has ended the match, as nothing was left that could be chosen."""
    return match.moves.filter(kind=Move.Kind.CONCEDE, option=ENDED_BY_SITE).exists()


def lost_by_time_before(match: Match) -> bool:
    """Return whether ``match``, of two by correspondence, was lost by time by who had lost another one so lately.

    Whoever stays away, ill or on a journey, runs out of time in all their matches: that is no new weakness each time.
    Which of them counts is the one that is rated first. Whoever was not away, but moved elsewhere while they let these
    matches run out, loses each of them.
    """
    late = Move.objects.filter(match=match, kind=Move.Kind.TIME).values_list("seat", flat=True).first()
    person = match.seats.get(number=late).user_id if late is not None else None
    if person is None or match.players != 2 or match.finished is None or not match.is_by_correspondence:
        return False
    finished, tempo = match.finished, tempos.read(match.tempo)
    window = (finished - STAYED_AWAY, finished + STAYED_AWAY)
    own = MatchSeat.objects.filter(
        by_correspondence("match__"),
        user=person,
        match__rating__isnull=False,
        match__players=2,
        match__finished__range=window,
    )
    ran_out = Move.objects.filter(match=OuterRef("match"), seat=OuterRef("number"), kind=Move.Kind.TIME)
    lost = own.filter(Exists(ran_out)).values_list("match__finished", flat=True)
    return any(_was_away(person, tempo, (finished, other)) for other in lost)


def _was_away(person: int, tempo: Tempo, lost: tuple[datetime, datetime]) -> bool:
    """Return whether ``person`` made no move anywhere between these losses, and in the time for a turn before them."""
    since = min(lost) - timedelta(seconds=tempo.allowance)
    return not has_been_here(person, since, max(lost))


def keep_for(user: Any) -> None:
    """Keep in mind whose rating the matches of ``user`` move that are to be counted yet: their account is deleted next.

    Else who is about to lose a match could make it count for nobody. Needs a transaction.
    """
    to_count = Match.objects.filter(
        Q(seats__user=user) | Q(left_seats__user=user),
        rated=True,
        rating=None,
        state__in=(Match.State.RUNNING, Match.State.FINISHED),
    )
    for match in to_count.defer("saved").distinct():
        people = stand_ins.who_sat_down(match)
        if user.pk in people:
            rating = _rating_of(user.pk, pool_of(match))
            KeptRating.objects.get_or_create(match=match, seat=people.index(user.pk), defaults={"rating": rating})


def write_down(match: Match, ranks: list[int]) -> None:
    """Count a match that its players finished in these places, unless it is counted already."""
    database.write(lambda: _rate(match, ranks))


def _rate(match: Match, ranks: list[int]) -> None:
    """Inside a transaction: write the ledger's rows of ``match`` and move the ratings of its players."""
    pool = pool_of(match)
    of_seats = _locked(match, pool)
    # Only now: who waited for the same ratings may have waited for another process that rated this very match, or one
    # whose loss by time is the one that counts.
    if RatedMatch.objects.filter(match=match).exists():
        return
    if lost_by_time_before(match):
        rated_matches.unrate(match, "time_again")
        return
    assert match.finished is not None
    row = RatedMatch.objects.create(match=match, pool=pool.code, season=season_of(match.finished))
    states = [_state_of(rating) for rating in of_seats]
    before, after = counted(states, ranks, row.season, match.winners)
    for seat, rating in enumerate(of_seats):
        state = states[seat]
        RatingChange.objects.create(
            rated=row, rating=rating, seat=seat, rank=ranks[seat],
            mu_before=before[seat].mu, sigma_before=before[seat].sigma,
            mu=after[seat].mu, sigma=after[seat].sigma, matches=state.matches,
        )  # fmt: skip
        _put(rating, state)
        rating.save()
    signs.look(row)


def counted(
    states: list[RatingState], ranks: list[int], season: int, winners: Collection[int]
) -> tuple[list[Skill], list[Skill]]:
    """Count one match for these players; return their skills before and after. Computes only.

    ``winners`` are the seats that won: places alone do not tell a draw of some from a win of several.
    """
    for state in states:
        state.enter(season)
    before = [state.skill for state in states]
    after = rated(before, ranks)
    for seat, (state, skill, rank) in enumerate(zip(states, after, ranks, strict=True)):
        state.count(skill, won=rank == 1 and seat in winners)
    return before, after


def _locked(match: Match, pool: Pool) -> list[Rating]:
    """Return the rating of each seat, made where there is none, locked in one order for everybody.

    Who has deleted their account is rated without a name.
    """
    people = stand_ins.who_sat_down(match)
    kept = dict(KeptRating.objects.filter(match=match).values_list("seat", "rating"))
    for person in sorted(filter(None, people)):
        _rating_of(person, pool)
    of_people = dict(Rating.objects.filter(user__in=filter(None, people), pool=pool.code).values_list("user", "pk"))
    pks = [
        of_people[person] if person is not None else kept.get(seat) or _rating_of(None, pool).pk
        for seat, person in enumerate(people)
    ]
    rows = {rating.pk: rating for rating in Rating.objects.select_for_update().filter(pk__in=pks).order_by("pk")}
    return [rows[pk] for pk in pks]


def _rating_of(person: int | None, pool: Pool) -> Rating:
    """Return the rating of ``person`` in ``pool``, a new one where there is none; without a person always a new one."""
    start = Skill()
    values = {"mu": start.mu, "sigma": start.sigma}
    if person is None:
        return Rating.objects.create(pool=pool.code, **values)
    return Rating.objects.get_or_create(user_id=person, pool=pool.code, defaults=values)[0]


def _state_of(rating: Rating) -> RatingState:
    return RatingState(rating.skill, rating.season, rating.matches, rating.won)


def _put(rating: Rating, state: RatingState) -> None:
    rating.mu, rating.sigma = state.skill.mu, state.skill.sigma
    rating.season, rating.matches, rating.won = state.season, state.matches, state.won


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
    states: dict[int, RatingState] = defaultdict(lambda: RatingState(Skill()))
    differences: list[Difference] = []
    matches = 0
    for matches, row in enumerate(_ledger(), 1):  # noqa: B007 - returned below
        for change, now in _again(row, states):
            stored = _made(change)
            if stored != now:
                differences.append(Difference(f"change {change.pk}", repr(stored), repr(now)))
    for rating in Rating.objects.order_by("pk").iterator():
        stored_state = _state_of(rating)
        if stored_state != states[rating.pk]:
            differences.append(Difference(f"rating {rating.pk}", repr(stored_state), repr(states[rating.pk])))
    return matches, differences


def rate_again() -> int:
    """Compute all ratings anew from the ledger's inputs, with the model as it is now; return how many matches.

    One transaction that locks every rating, so that no match is rated meanwhile.
    """

    def again() -> int:
        ratings = list(Rating.objects.select_for_update().order_by("pk"))
        states: dict[int, RatingState] = defaultdict(lambda: RatingState(Skill()))
        matches = 0
        for matches, row in enumerate(_ledger(), 1):  # noqa: B007 - returned below
            for change, (before, after, count) in _again(row, states):
                RatingChange.objects.filter(pk=change.pk).update(
                    mu_before=before.mu, sigma_before=before.sigma, mu=after.mu, sigma=after.sigma, matches=count
                )
        for rating in ratings:
            _put(rating, states[rating.pk])
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
    rows = RatedMatch.objects.annotate(result=F("match__result"))
    return rows.prefetch_related("changes").order_by("pk").iterator(chunk_size=500)


def _made(change: RatingChange) -> Made:
    return change.before, change.after, change.matches


def _again(row: RatedMatch, states: dict[int, RatingState]) -> Iterator[tuple[RatingChange, Made]]:
    """Count one match of the ledger for the states of its players; yield each change with what it comes to."""
    changes = sorted(row.changes.all(), key=lambda change: change.seat)
    players = [states[change.rating_id] for change in changes]
    before, after = counted(players, [change.rank for change in changes], row.season, row.result["winners"])
    for place, change in enumerate(changes):
        yield change, (before[place], after[place], players[place].matches)
