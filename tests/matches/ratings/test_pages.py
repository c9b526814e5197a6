"""The ladder and the pages of players: who stands where, and whose matches are shown to whom."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from decks.models import Deck
from decks.table_decks import TableDeck
from matches.lobby import services as lobby
from matches.models import Match, MatchSeat
from matches.playing import moves
from matches.protocol.messages import Concede
from matches.ratings import services
from matches.ratings.models import Rating, RatingChange
from matches.ratings.skills import season_of
from matches.seats import stand_ins
from tests.matches.conftest import match_of, person
from tests.matches.ratings.test_services import bare, ran_out
from tests.people import signed_in


@pytest.fixture
def kara(transactional_db: None) -> Any:
    return person("kara")


@pytest.fixture
def lee(kara: Any) -> Any:
    return person("leoben")


def played(first: Any, second: Any, times: int = 1) -> Match:
    for _ in range(times):
        match = bare([first, second], [1, 2])
        services.write_down(match, [1, 2])
    return match


def text(page: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.content.decode()))


def test_the_ladder_has_places_for_those_whose_rating_is_settled(kara: Any, lee: Any) -> None:
    played(kara, lee, 10)
    newcomer = person("newcomer")
    played(newcomer, lee)
    page = signed_in(lee).get("/ladder/?pool=two-untimed")
    shown = text(page)
    assert shown.index("kara") < shown.index("leoben you") < shown.index("newcomer"), "provisional ones come last"
    assert shown.count("provisional") == 2, "beside the newcomer, and where it is explained"
    assert f"{RatingChange.objects.filter(rating__user=kara).last().after.points}" in shown


def test_an_empty_ladder_and_odd_questions_are_pages_too(transactional_db: None) -> None:
    for query in ("", "?pool=nonsense&season=x&page=-1", "?season=99999999999999999999", "?pool=table-live"):
        page = Client().get(f"/ladder/{query}")
        assert page.status_code == 200 and "Nobody has played here" in text(page)
        assert page.content.decode().count("button-primary") == 1, "what to do stands once"


def test_a_season_that_is_over_keeps_its_ladder(kara: Any, lee: Any) -> None:
    old = bare([lee, kara], [1, 2])
    old.finished = timezone.now() - timezone.timedelta(days=400)
    services.write_down(old, [1, 2])
    played(kara, lee, 3)
    before = season_of(old.finished)
    then, now = (
        text(Client().get(f"/ladder/?pool=two-untimed&season={season}"))
        for season in (before, season_of(timezone.now()))
    )
    assert then.index("leoben") < then.index("kara") and now.index("kara") < now.index("leoben")


def test_who_is_locked_out_or_has_left_is_not_on_the_ladder(kara: Any, lee: Any) -> None:
    played(kara, lee)
    kara.is_active = False
    kara.save()
    assert "kara" not in text(Client().get("/ladder/?pool=two-untimed"))
    assert Client().get("/players/kara/").status_code == 404
    lee.delete()
    assert (
        "leoben" not in text(Client().get("/ladder/?pool=two-untimed"))
        and Rating.objects.filter(user=None).count() == 1
    )


def test_a_players_page_has_course_opponents_and_a_table_of_the_same(kara: Any, lee: Any) -> None:
    played(kara, lee, 2)
    played(lee, kara)
    page = Client().get("/players/KARA/")
    shown = text(page)
    changes = list(RatingChange.objects.filter(rating__user=kara))
    assert f"The rating from 1500 to {changes[-1].after.points} in 3 matches" in page.content.decode()
    for change in changes:
        assert f"{change.after.points} ± {change.after.spread}" in shown
    assert re.search(r"leoben 3 2 ", shown), "met three times, came before them twice"
    assert "Last matches" in shown and shown.count("Won against leoben") == 2


def test_who_has_met_only_somebody_who_lost_by_time_once_already_has_a_page(kara: Any, lee: Any) -> None:
    other = person("sharon")
    for opponent in (other, lee):
        match = ran_out([opponent, kara])
        services.write_down(match, [1, 2])
    assert not match.rated, "kara stays away from all their matches"
    shown = text(Client().get("/players/leoben/"))
    assert "leoben has played no ranked match yet" in shown
    played(lee, kara)
    shown = text(Client().get("/players/leoben/?pool=two-correspondence"))
    assert "Two players, without clocks" in shown and "Two players, by correspondence" not in shown


def test_guests_strangers_and_odd_names_have_no_page(transactional_db: None) -> None:
    guest = get_user_model().objects.create_guest()
    for name in (guest.display_name, "nobody", "a" * 300, "%00", "a/b"):
        assert Client().get(f"/players/{name}/").status_code == 404


def test_decks_are_named_only_where_they_and_the_match_are_public(alice: Any, bob: Any, deck: TableDeck) -> None:
    name = Deck.objects.starters()[0].name
    match = bare([alice, bob], [1, 2])
    MatchSeat.objects.filter(match=match).update(deck_version=deck.version, deck_public=True)
    shown = text(Client().get("/players/alice/"))
    assert f"{name} 1 match, 1 won" in shown
    MatchSeat.objects.filter(match=match).update(deck_public=False)
    assert name not in text(Client().get("/players/alice/")), "her own copy, which nobody else sees, of a public list"
    MatchSeat.objects.filter(match=match).update(deck_public=True)
    Match.objects.filter(pk=match.pk).update(watchable=False)
    assert name not in text(Client().get("/players/alice/"))
    Match.objects.filter(pk=match.pk).update(watchable=True)
    MatchSeat.objects.filter(match=match).update(deck_version="private", deck_label="My secret list")
    assert "secret" not in text(Client().get("/players/alice/"))


def test_who_stood_in_for_somebody_has_neither_their_deck_nor_their_loss(alice: Any, bob: Any, deck: TableDeck) -> None:
    cara, dora = person("cara"), person("dora")
    match = match_of(deck, alice, bob, cara, listed=True)
    with transaction.atomic():
        stand_ins.write(match.pk, 1, 1, dora.pk, "dora")
    for seat, user in ((0, alice), (1, dora)):
        moves.act(match.public_id, moves.Actor.person(user.pk), Concede(id=f"c{seat}"))
    assert "Lost against" in text(signed_in(cara).get("/players/alice/")), "it is a match that everybody may look at"
    shown = text(signed_in(cara).get("/players/dora/"))
    assert "Lost against" not in shown and "Decks played" not in shown


def test_addresses_of_matches_among_friends_are_told_to_nobody(alice: Any, bob: Any, deck: TableDeck) -> None:
    match = lobby.join(lobby.invite(alice, deck, 2), bob, deck)
    Match.objects.filter(pk=match.pk).update(
        state="finished", finished=timezone.now(), result={"winners": [0], "losers": [1], "reason": "last"}
    )
    assert match.public_id not in signed_in(bob).get("/players/alice/").content.decode()


def test_pages_cost_the_same_for_few_people_and_for_many(kara: Any, lee: Any) -> None:
    counts = []
    for number in range(2):
        for place in range(3):
            other = person(f"other{number}{place}")
            played(kara, other, 2)
            played(other, lee)
        found = []
        for address in ("/ladder/", "/players/kara/"):
            with CaptureQueriesContext(connection) as queries:
                assert Client().get(address).status_code == 200
            found.append(len(queries))
        counts.append(found)
    assert counts[0] == counts[1]
