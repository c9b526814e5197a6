"""Signs of farming: what staff are shown, and what they are not bothered with."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Permission

from matches.models import Move
from matches.ratings import services, signs
from matches.ratings.models import Rating, Sign
from tests.matches.conftest import person
from tests.matches.ratings.test_services import bare
from tests.people import signed_in


@pytest.fixture
def kara(transactional_db: None) -> Any:
    return person("kara")


@pytest.fixture
def lee(kara: Any) -> Any:
    return person("lee")


def played(winner: Any, loser: Any, times: int, *, moves: int = 300, conceded: bool = False) -> None:
    for _ in range(times):
        match = bare([winner, loser], [1, 2])
        match.version = moves
        match.save()
        if conceded:
            Move.objects.create(match=match, seq=moves, seat=1, kind="concede", action_id="c", digest="", events=b"")
        services.write_down(match, [1, 2])


def kinds() -> dict[str, int]:
    return dict(Sign.objects.values_list("kind", "matches"))


def test_games_thrown_early_to_the_same_one_are_a_sign(kara: Any, lee: Any) -> None:
    played(kara, lee, signs.MOST_SHORT - 1, moves=5, conceded=True)
    assert kinds() == {}
    played(kara, lee, 1, moves=5, conceded=True)
    assert kinds() == {"short": signs.MOST_SHORT}
    sign = Sign.objects.get()
    assert (sign.user, sign.other) == (kara, lee)


def test_conceding_a_long_match_or_losing_a_short_one_is_none(kara: Any, lee: Any) -> None:
    played(kara, lee, 4, moves=signs.SHORT_MOVES + 1, conceded=True)
    played(lee, kara, 4, moves=5)
    assert kinds() == {}


def test_a_pair_of_which_one_always_wins_is_a_sign_where_they_were_even(kara: Any, lee: Any) -> None:
    played(kara, lee, signs.ONE_SIDED)
    assert kinds() == {"one_sided": signs.ONE_SIDED}


def test_one_win_of_the_other_and_a_great_difference_in_strength_are_no_sign(kara: Any, lee: Any) -> None:
    played(lee, kara, 1)
    played(kara, lee, signs.ONE_SIDED)
    assert kinds() == {}
    strong, weak = person("strong"), person("weak")
    for user, mu in ((strong, 45.0), (weak, 15.0)):
        Rating.objects.create(user=user, pool="two-untimed", mu=mu, sigma=2.0, matches=30, season=20260)
    Rating.objects.update(season=99999)
    played(strong, weak, signs.ONE_SIDED)
    assert kinds() == {}


def test_a_sign_changes_no_rating_and_staff_with_the_right_close_it(kara: Any, lee: Any) -> None:
    played(kara, lee, signs.MOST_SHORT, moves=5, conceded=True)
    assert services.computed_again()[1] == [], "nothing but the results has moved ratings"
    staff = person("staff")
    staff.is_staff = True
    staff.save()
    address = "/admin/ratings/sign/"
    assert signed_in(staff).get(address).status_code == 403
    staff.user_permissions.set(Permission.objects.filter(codename="change_sign"))
    asked = {"action": "looked_at", "_selected_action": [Sign.objects.get().pk]}
    assert "Gave up early" in signed_in(staff).get(address).content.decode()
    signed_in(staff).post(address, asked)
    assert Sign.objects.get().state == "looked_at"
    played(kara, lee, 1, moves=5, conceded=True)
    assert Sign.objects.get().state == "open", "what shows again is opened anew"
