"""The ladder, and the pages of players."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ccg.people import called
from decks.models import Deck
from decks.social import opinions
from matches.ratings import ladders
from matches.ratings.models import RatedMatch
from matches.ratings.pools import POOLS, USUAL, Pool
from matches.ratings.skills import season_name, season_of

ROWS_A_PAGE = 50


@never_cache
@require_safe
def ladder(request: HttpRequest) -> HttpResponse:
    """Who is rated highest, by pool and season."""
    pool = POOLS.get(request.GET.get("pool", ""), USUAL)
    seasons = ladders.seasons(pool)
    current = season_of(timezone.now())
    asked = request.GET.get("season", "")
    season = next((one for one in seasons if str(one) == asked), current)
    page = Paginator(ladders.ladder(pool, season), ROWS_A_PAGE).get_page(request.GET.get("page"))
    first = page.start_index() if page.paginator.count else 0
    context = {
        "pool": pool,
        "pools": _pools(pool),
        "season": season,
        "season_name": season_name(season),
        "seasons": [(one, season_name(one)) for one in sorted({*seasons, current}, reverse=True)],
        "page": page,
        "rows": [(first + place, ladders.row_of(change, pool)) for place, change in enumerate(page.object_list)],
    }
    return render(request, "ratings/ladder.html", context)


@never_cache
@require_safe
def player(request: HttpRequest, name: str) -> HttpResponse:
    """Somebody who has an account: ratings with their course, opponents, decks and last matches."""
    person = _person_or_404(name)
    rated = ladders.pools_of(list(person.ratings.all()))
    chosen = next(
        ((pool, one) for pool, one in rated if pool.code == request.GET.get("pool")), rated[0] if rated else None
    )
    context: dict[str, Any] = {
        "person": person,
        "is_self": person == request.user,
        "is_blocked": opinions.blocks(request.user, person),
        "rated": rated,
        "chosen": chosen,
        "history": ladders.history(chosen[1]) if chosen else [],
        "opponents": ladders.opponents(chosen[1]) if chosen else [],
        "decks": ladders.decks_played(person),
        "last": ladders.last_matches(person),
        "has_decks": Deck.objects.listed().filter(owner=person).exists(),
    }
    return render(request, "ratings/player.html", context)


def _pools(chosen: Pool) -> list[Pool]:
    """Return the pools in which somebody has played, and the usual and the chosen one."""
    played = {*RatedMatch.objects.values_list("pool", flat=True).distinct(), USUAL.code, chosen.code}
    return [pool for code, pool in POOLS.items() if code in played]


def _person_or_404(name: str) -> Any:
    """Return who plays under this name; raises Http404 for nobody, guests, and who is locked out."""
    people = get_user_model().objects.filter(is_active=True, is_guest=False)
    person = people.filter(called(name)).first()
    if person is None:
        raise Http404
    return person
