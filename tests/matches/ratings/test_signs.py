"""Signs of farming: what staff are shown, and what they are not bothered with."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.utils import timezone

from decks.table_decks import TableDeck
from matches.clocks.tempo import LIVE
from matches.lobby import invites
from matches.lobby import services as lobby
from matches.models import Move
from matches.playing import moves as table_moves
from matches.protocol.messages import Concede
from matches.ratings import devices, services, signs
from matches.ratings.models import Device, Rating, Sign
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
    played(kara, lee, 4, moves=2 * signs.SHORT_MOVES_EACH + 1, conceded=True)
    played(lee, kara, 4, moves=5)
    assert kinds() == {}


def test_who_gives_up_early_whoever_they_meet_is_a_sign(kara: Any) -> None:
    others = [person(f"other{number}") for number in range(signs.MOST_EARLY)]
    for other in others[:-1]:
        played(other, kara, 1, moves=5, conceded=True)
    assert shown() == []
    played(others[-1], kara, 1, moves=5, conceded=True)
    assert shown() == [("throws", "kara", signs.MOST_EARLY)]


def test_giving_up_early_now_and_then_is_none(kara: Any) -> None:
    others = [person(f"other{number}") for number in range(2 * signs.MOST_EARLY + 1)]
    for number, other in enumerate(others[::-1]):
        given_up = number > signs.MOST_EARLY
        played(other, kara, 1, moves=5 if given_up else 300, conceded=given_up)
    assert shown() == [], "of most matches they have lost none so"


def test_who_wins_as_many_others_give_up_early_is_a_sign(kara: Any) -> None:
    friends = [person(f"friend{number}") for number in range(signs.MOST_EARLY)]
    for friend in friends[:-1]:
        played(friend, person(f"other of {friend}"), 2)
        played(kara, friend, 1, moves=5, conceded=True)
    assert shown() == []
    played(kara, friends[-1], 1, moves=5, conceded=True)
    assert shown() == [("given", "kara", signs.MOST_EARLY)]


@pytest.mark.parametrize("how", ["concede", "time", "claim"])
def test_a_third_player_who_leaves_early_to_the_same_one_is_a_sign(kara: Any, lee: Any, how: str) -> None:
    for number in range(signs.MOST_SHORT):
        match = bare([person(f"third{number}"), kara, lee], [2, 1, 3])
        by, option = (0, "2") if how == "claim" else (2, "")
        Move.objects.create(
            match=match, seq=50, seat=by, kind=how, option=option, action_id="c", digest="", events=b""
        )  # fmt: skip
        services.write_down(match, [2, 1, 3])
    assert [(one.kind, one.user, one.other) for one in Sign.objects.all()] == [("short", kara, lee)]


def shown() -> list[tuple[str, str, int]]:
    return list(Sign.objects.values_list("kind", "user__display_name", "matches"))


def test_a_pair_of_which_one_always_wins_is_a_sign_where_they_were_even(kara: Any, lee: Any) -> None:
    played(kara, lee, signs.ONE_SIDED)
    assert kinds() == {"one_sided": signs.ONE_SIDED}


def test_a_farm_that_lets_the_other_win_now_and_then_is_a_sign_too(kara: Any, lee: Any) -> None:
    for _ in range(3):
        played(lee, kara, 1)
        played(kara, lee, signs.ONE_SIDED)
    assert "one_sided" in kinds()


def test_several_who_play_nobody_else_and_lose_are_a_sign(kara: Any, lee: Any) -> None:
    feeders = [person(f"feeder{number}") for number in range(signs.FEEDERS)]
    for feeder in feeders:
        assert "fed" not in kinds()
        played(kara, feeder, signs.FED_EACH)
    assert kinds() == {"fed": signs.FEEDERS * signs.FED_EACH}
    played(lee, feeders[0], 1)
    played(kara, lee, 1)
    Sign.objects.all().delete()
    played(kara, feeders[1], 1)
    assert "fed" not in kinds(), "one of them has played somebody else"


def test_the_device_is_noted_wherever_one_sits_down_at_a_rated_table(alice: Any, bob: Any, deck: TableDeck) -> None:
    match = lobby.invite(alice, deck, 2, rated=True, tempo=LIVE[0])
    assert signed_in(bob).post(f"/play/invite/{invites.token_of(match)}/").status_code == 302
    assert list(Device.objects.values_list("user", flat=True)) == [bob.pk]
    table_moves.act(match.public_id, table_moves.Actor.person(bob.pk), Concede(id="c"))
    assert signed_in(alice).post(f"/table/{match.public_id}/rematch/").status_code == 302
    assert set(Device.objects.values_list("user", flat=True)) == {bob.pk, alice.pk}


def test_two_who_play_from_one_device_are_a_sign_once_one_of_them_wins(kara: Any, lee: Any) -> None:
    browser = Client()
    for user in (kara, lee):
        browser.force_login(user)
        devices.note(as_asked(browser, user), answer := HttpResponse())
        browser.cookies.update(answer.cookies)
    assert browser.cookies["device"]["httponly"] and browser.cookies["device"]["samesite"] == "Lax"
    assert browser.cookies["device"].value not in str(Device.objects.values_list("mark"))
    played(kara, lee, signs.SHARED - 1)
    assert kinds() == {}
    played(kara, lee, 1)
    assert kinds() == {"device": signs.SHARED}
    Sign.objects.all().delete()
    played(lee, kara, 2)
    played(kara, lee, 1)
    assert kinds() == {}, "both win"
    Device.objects.update(seen=timezone.now() - devices.KEPT - timezone.timedelta(days=1))
    devices.note(as_asked(Client(), kara), HttpResponse())
    assert Device.objects.count() == 1, "older ones are forgotten"


def as_asked(browser: Client, user: Any) -> HttpRequest:
    request = HttpRequest()
    request.user = user
    request.COOKIES = {name: cookie.value for name, cookie in browser.cookies.items()}
    return request


def test_a_browser_has_a_number_only_once_it_asks_for_a_rated_match(alice: Any, deck: Any) -> None:
    browser = signed_in(alice)
    browser.post("/play/others/join/", {"queue": "casual", "deck": ""})
    assert "device" not in browser.cookies and not Device.objects.exists()
    browser.post("/play/others/join/", {"queue": "ranked", "deck": ""})
    assert "device" in browser.cookies
    assert Device.objects.get().user == alice
    browser.cookies["device"] = "x" * 5000
    browser.post("/play/others/join/", {"queue": "ranked", "deck": ""})
    assert len(browser.cookies["device"].value) == 22


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


def test_nobody_closes_a_sign_that_is_about_them(kara: Any, lee: Any) -> None:
    played(kara, lee, signs.MOST_SHORT, moves=5, conceded=True)
    for somebody in (kara, lee):
        somebody.is_staff = True
        somebody.save()
        somebody.user_permissions.set(Permission.objects.filter(codename="change_sign"))
        page = signed_in(somebody).get("/admin/ratings/sign/")
        assert "0 signs" in page.content.decode()
        asked = {"action": "looked_at", "_selected_action": [Sign.objects.get().pk]}
        signed_in(somebody).post("/admin/ratings/sign/", asked)
        assert Sign.objects.get().state == "open"


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
