"""What a finished match has done to ratings, for programs and the table."""

from __future__ import annotations

from typing import Annotated

from django.http import Http404, HttpResponse
from msgspec import Meta, Struct
from rest_framework.request import Request

from ccg.api.answers import json_answer
from ccg.api.views import ApiView, operation
from matches.models import Match
from matches.ratings.models import RatingChange
from matches.ratings.pools import POOLS
from matches.seats import rated as rated_matches
from matches.table import ending


class SeatRating(Struct, frozen=True):
    """What the match has made of the rating of who sat at ``seat``."""

    seat: int
    before: int
    after: int
    place: Annotated[int, Meta(description="The place they finished in, 1 the first.")]
    provisional: Annotated[bool, Meta(description="Whether too few matches have counted for the rating to say much.")]


class MatchRating(Struct, frozen=True):
    """Whether a finished match is rated, why not, and what it has done to ratings."""

    rated: bool
    why: Annotated[str, Meta(description="Why it is not rated, in a sentence; empty for a rated match.")]
    code: Annotated[str, Meta(description="A short name of that reason; empty for a rated match, and for old ones.")]
    pool: Annotated[str, Meta(description="The pool of ratings that it counts in; empty until it has been counted.")]
    changes: Annotated[list[SeatRating], Meta(description="By seat; empty until it has been counted, moments later.")]


class MatchRatingView(ApiView):
    """What a match has done to ratings."""

    @operation("What a finished match has done to the ratings of its players", MatchRating, errors=[404])
    def get(self, request: Request, match_id: str) -> HttpResponse:
        """Return it; 404 for a match that is not over or not for the viewer."""
        match = ending.finished(match_id, request.user.pk if request.user.is_authenticated else None)
        if match is None:
            raise Http404
        return json_answer(request, rating_of(match), private=True)


def rating_of(match: Match) -> MatchRating:
    """Return what a finished ``match`` has done to ratings."""
    changes = list(RatingChange.objects.filter(rated__match=match).select_related("rated").order_by("seat"))
    pool = POOLS[changes[0].rated.pool] if changes else None
    return MatchRating(
        rated=match.rated,
        why=rated_matches.sentence(match),
        code=match.unrated_why,
        pool=pool.code if pool else "",
        changes=[
            SeatRating(
                seat=one.seat,
                before=one.before.points,
                after=one.after.points,
                place=one.rank,
                provisional=pool is not None and one.matches < pool.settles_after,
            )
            for one in changes
        ],
    )
