"""What the ladder and the pages of players show: read from ratings, their ledger and finished matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Case, Count, Max, Q, QuerySet, Value, When
from msgspec import Struct

from decks.models import Deck
from matches.models import Match, MatchSeat, Outcome
from matches.ratings.models import RatedMatch, Rating, RatingChange
from matches.ratings.pools import POOLS, Pool
from matches.ratings.skills import Skill

HISTORY = 60
"""Rated matches in the graph of somebody's rating."""
OPPONENTS = DECKS = 10
LAST = 15


class Row(Struct, frozen=True):
    """Somebody on a ladder."""

    user: Any
    skill: Skill
    matches: int
    provisional: bool


def seasons(pool: Pool) -> list[int]:
    """Return the seasons in which something was rated in ``pool``, the newest first."""
    return sorted(RatedMatch.objects.filter(pool=pool.code).values_list("season", flat=True).distinct(), reverse=True)


def ladder(pool: Pool, season: int) -> QuerySet[RatingChange]:
    """Return the last change of everybody who was rated in this season, the highest rating first.

    Those that are provisional come after all others; who has left the site or is locked out is not among them.
    """
    last = (
        RatingChange.objects.filter(rated__pool=pool.code, rated__season=season)
        .values("rating")
        .annotate(last=Max("pk"))
        .values("last")
    )
    settled = Case(When(matches__gte=pool.settles_after, then=Value(0)), default=Value(1))
    return (
        RatingChange.objects.filter(pk__in=last, rating__user__is_active=True)
        .select_related("rating__user")
        .order_by(settled, "-mu", "pk")
    )


def row_of(change: RatingChange, pool: Pool) -> Row:
    """Return what the ladder shows of a change."""
    return Row(change.rating.user, change.after, change.matches, change.matches < pool.settles_after)


# -- a player's page


class Opponent(Struct, frozen=True):
    """Somebody met in rated matches: how often, and how often the player came before them."""

    user: Any
    matches: int
    before: int


class DeckPlayed(Struct, frozen=True):
    """A public deck that somebody has played, with how many of those matches they won."""

    deck: Deck
    matches: int
    won: int


class LastMatch(Struct, frozen=True):
    """A finished match that everybody may look at: who else played, what came of it, and points won in a rated one."""

    match: Match
    others: list[MatchSeat]
    outcome: Outcome
    points: int | None


def history(rating: Rating) -> list[RatingChange]:
    """Return the last changes of a rating, the oldest first."""
    changes = rating.changes.select_related("rated__match").order_by("-rated_id")[:HISTORY]
    return list(reversed(changes))


def opponents(rating: Rating) -> list[Opponent]:
    """Return whom a player has met most in a pool."""
    own = dict(rating.changes.values_list("rated_id", "rank"))
    met: dict[int, list[int]] = {}
    others = RatingChange.objects.filter(rated__in=own, rating__user__is_active=True).exclude(rating=rating)
    for rated, other, rank in others.values_list("rated_id", "rating_id", "rank"):
        counts = met.setdefault(other, [0, 0])
        counts[0] += 1
        counts[1] += own[rated] < rank
    most = sorted(met, key=lambda other: (-met[other][0], other))[:OPPONENTS]
    people = {one.pk: one.user for one in Rating.objects.filter(pk__in=most).select_related("user")}
    return [Opponent(people[other], *met[other]) for other in most]


def decks_played(person: Any) -> list[DeckPlayed]:
    """Return the public decks whose lists somebody has played where everybody could watch.

    Not what they played of a deck that was not public then: an equal list that somebody else shows would tell it.
    """
    taken = _public_seats(person).filter(deck_public=True)
    seats = (
        taken.exclude(deck_version="")
        .values("deck_version")
        .annotate(count=Count("pk"))
        .order_by("-count", "deck_version")
    )
    counts = {row["deck_version"]: row["count"] for row in seats[: 5 * DECKS]}
    public = Deck.objects.public()
    known: dict[str, Deck] = {}
    for deck in public.filter(head__content_hash__in=counts).select_related("head", "owner").order_by("-pk"):
        assert deck.head is not None
        if deck.owner_id == person.pk or deck.head.content_hash not in known:
            known[deck.head.content_hash] = deck
    shown = [version for version in counts if version in known][:DECKS]
    won = dict.fromkeys(shown, 0)
    played = taken.filter(deck_version__in=shown)
    for version, number, result in played.values_list("deck_version", "number", "match__result"):
        won[version] += number in (result or {}).get("winners", [])
    return [DeckPlayed(known[version], counts[version], won[version]) for version in shown]


def last_matches(person: Any) -> list[LastMatch]:
    """Return the last finished matches of somebody that everybody may look at."""
    seats = list(_public_seats(person).select_related("match").defer("cards", "match__saved", "match__seed")[:LAST])
    matches = [seat.match_id for seat in seats]
    others: dict[int, list[MatchSeat]] = {}
    for seat in MatchSeat.objects.filter(match__in=matches).exclude(user=person).select_related("user").defer("cards"):
        others.setdefault(seat.match_id, []).append(seat)
    changes = RatingChange.objects.filter(rated__match__in=matches, rating__user=person).select_related("rated")
    points = {change.rated.match_id: change.points for change in changes}
    return [
        LastMatch(
            seat.match, others.get(seat.match_id, []), seat.match.outcome(seat.number), points.get(seat.match_id)
        )
        for seat in seats
    ]  # fmt: skip


def _public_seats(person: Any) -> QuerySet[MatchSeat]:
    """Return where somebody sat in finished matches that were public: others are for those who have their address.

    Not where they stood in for somebody else: neither the deck nor what came of it is theirs.
    """
    public = Q(match__rated=True) | Q(match__listed=True)
    seats = MatchSeat.objects.filter(
        public, user=person, stand_in="", match__state=Match.State.FINISHED, match__watchable=True
    )
    return seats.order_by("-match__finished", "-pk")


def pools_of(ratings: Sequence[Rating]) -> list[tuple[Pool, Rating]]:
    """Return ratings with their pools, in the order of the pools; those that no match has moved are left out.

    There is one as soon as a match is to be counted, which may then turn out not to count.
    """
    by_pool = {rating.pool: rating for rating in ratings if rating.matches}
    return [(pool, by_pool[code]) for code, pool in POOLS.items() if code in by_pool]
