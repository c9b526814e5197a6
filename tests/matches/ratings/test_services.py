"""Rating matches: which count, that each counts once, and that all can be computed anew."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from ccg.outbox.models import Job
from ccg.outbox.services import drain
from ccg.server.accounts.leaving import leave
from decks.services import TableDeck
from matches import lobby, moves, rated
from matches.lobby import LobbyError
from matches.models import Match, MatchSeat
from matches.protocol import Concede
from matches.ratings import services
from matches.ratings.models import RatedMatch, Rating, RatingChange
from matches.ratings.skills import Skill
from tests.matches.conftest import person
from tests.people import signed_in


def begun(people: list[Any], deck: TableDeck, *, wanted: bool = True) -> Match:
    """A match of these people, rated if they want that."""
    match = lobby.invite(people[0], deck, len(people), rated=wanted)
    for other in people[1:]:
        match = lobby.join(match, other, deck)
    return match


def conceded(match: Match, *seats: int) -> Match:
    """Let these seats concede, one after another; the background work waits."""
    for seat in seats:
        moves.act(match.public_id, moves.Actor.person(match.seats.get(number=seat).user_id), Concede(id=f"c{seat}"))
    match.refresh_from_db()
    return match


def bare(people: list[Any], ranks: list[int]) -> Match:
    """A finished rated match without a game: what is tested is only what is made of its result."""
    winners = [seat for seat, rank in enumerate(ranks) if rank == 1]
    losers = [seat for seat, rank in enumerate(ranks) if rank > 1]
    match = Match.objects.create(
        players=len(people), state="finished", finished=timezone.now(), rated=True,
        result={"winners": winners, "losers": losers, "reason": "influence"},
    )  # fmt: skip
    for number, user in enumerate(people):
        MatchSeat.objects.create(match=match, number=number, kind="person", user=user, joined=True, name=str(user))
    return match


def rate(match: Match) -> None:
    services.handle({"match": match.public_id})


@pytest.fixture
def people(transactional_db: None) -> list[Any]:
    return [person(name) for name in ("kara", "lee", "sharon", "karl")]


def test_a_rated_match_moves_both_ratings_and_says_so(alice: Any, bob: Any, charlie: Any, deck: TableDeck) -> None:
    match = conceded(begun([alice, bob], deck), 1)
    address = f"/api/v1/matches/{match.public_id}/rating/"
    waiting = signed_in(alice).get(address).json()
    assert waiting == {"rated": True, "why": "", "code": "", "pool": "", "changes": []}
    drain()
    told = signed_in(charlie).get(address).json()
    assert told["pool"] == "two-untimed"
    first, second = told["changes"]
    assert (first["place"], second["place"], first["before"], second["before"]) == (1, 2, 1500, 1500)
    assert first["after"] > 1500 > second["after"] and first["provisional"]
    assert {rating.user: (rating.matches, rating.won) for rating in Rating.objects.all()} == {
        alice: (1, 1), bob: (1, 0),
    }  # fmt: skip


def test_a_match_that_is_not_rated_says_why_and_changes_nothing(alice: Any, bob: Any, deck: TableDeck) -> None:
    casual = conceded(begun([alice, bob], deck, wanted=False), 0)
    computer = conceded(lobby.play_computer(alice, deck, [deck]), 0)
    guest = get_user_model().objects.create_guest()
    with_guest = conceded(begun([alice, guest], deck, wanted=False), 0)
    lesson = lobby.play_lesson(alice, "first-match")
    drain()
    for match, code in ((casual, "casual"), (computer, "computer"), (with_guest, "guest")):
        told = signed_in(alice).get(f"/api/v1/matches/{match.public_id}/rating/").json()
        assert (told["rated"], told["code"], told["why"]) == (False, code, rated.REASONS[code])
    assert (lesson.rated, lesson.unrated_why) == (False, "lesson")
    assert not Rating.objects.exists()


def test_guests_are_told_that_rated_matches_need_an_account(alice: Any, deck: TableDeck) -> None:
    guest = get_user_model().objects.create_guest()
    with pytest.raises(LobbyError, match="need an account"):
        lobby.invite(guest, deck, 2, rated=True)
    match = lobby.invite(alice, deck, 2, rated=True)
    with pytest.raises(LobbyError, match="Make one"):
        lobby.join(match, guest, deck)
    assert match.seats.filter(kind="person").count() == 1


def test_a_match_ended_by_a_fault_of_ours_counts_for_nobody(alice: Any, bob: Any, deck: TableDeck) -> None:
    match = begun([alice, bob], deck)
    call_command("end_match", match.public_id, stdout=StringIO())
    outdated = begun([alice, bob], deck)
    Match.objects.filter(pk=outdated.pk).update(engine_version="0")
    lobby.end_outdated()
    drain()
    for one, code in ((match, "fault"), (outdated, "outdated")):
        one.refresh_from_db()
        assert (one.rated, one.unrated_why) == (False, code)
    assert not RatedMatch.objects.exists()


def test_the_same_people_play_five_for_ratings_a_day_in_whatever_order(people: list[Any]) -> None:
    kara, lee, sharon, _ = people
    for number in range(rated.SAME_PEOPLE_A_DAY):
        pair = [kara, lee] if number % 2 else [lee, kara]
        Match.objects.filter(pk=bare(pair, [1, 2]).pk).update(started=timezone.now())

    def settled(sitting: list[Any]) -> str:
        match = bare(sitting, [1] * len(sitting))
        rated.settle(match, list(match.seats.all()))
        return match.unrated_why

    assert settled([kara, lee]) == "same_people"
    assert settled([kara, sharon]) == ""
    assert settled([kara, lee, sharon]) == "", "a third one makes it another table"
    Match.objects.update(started=timezone.now() - timezone.timedelta(hours=25))
    assert settled([kara, lee]) == ""


def test_a_rematch_of_a_rated_match_is_rated(alice: Any, bob: Any, deck: TableDeck) -> None:
    match = conceded(begun([alice, bob], deck), 1)
    lobby.rematch(match, alice)
    again = lobby.rematch(match, bob)
    assert (again.state, again.rated) == ("running", True)


def test_at_a_table_of_three_who_conceded_first_is_last(alice: Any, bob: Any, charlie: Any, deck: TableDeck) -> None:
    conceded(begun([alice, bob, charlie], deck), 1, 0)
    drain()
    places = dict(RatingChange.objects.values_list("rating__user__username", "rank"))
    assert places == {"charlie": 1, "alice": 2, "bob": 3}
    assert set(Rating.objects.values_list("pool", flat=True)) == {"table-untimed"}


def test_work_that_is_done_again_or_dies_half_way_counts_once(people: list[Any], monkeypatch: Any) -> None:
    match = bare(people[:2], [1, 2])
    real = Rating.save
    crashed: list[Rating] = []

    def save(self: Rating, *args: Any, **more: Any) -> None:
        real(self, *args, **more)
        if not crashed:
            crashed.append(self)
            raise RuntimeError("killed before the second rating")

    monkeypatch.setattr(Rating, "save", save)
    with pytest.raises(RuntimeError):
        rate(match)
    assert not RatedMatch.objects.exists() and not Rating.objects.filter(matches__gt=0).exists()
    for _ in range(3):
        rate(match)
    assert RatedMatch.objects.count() == 1
    assert sorted(Rating.objects.values_list("matches", "won")) == [(1, 0), (1, 1)]


def test_many_at_once_with_duplicates_count_each_match_once(people: list[Any]) -> None:
    matches = [bare([people[n % 4], people[(n + 1 + n % 2) % 4]], [1, 2]) for n in range(8)]

    def work(match: Match) -> None:
        try:
            rate(match)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, matches * 3))
    assert RatedMatch.objects.count() == 8 and RatingChange.objects.count() == 16
    assert sum(Rating.objects.values_list("won", flat=True)) == 8
    assert services.computed_again() == (8, [])


def test_each_end_of_a_match_among_people_is_written_down_once(alice: Any, bob: Any, deck: TableDeck) -> None:
    match = conceded(begun([alice, bob], deck), 0)
    conceded(lobby.play_computer(alice, deck, [deck]), 0)
    assert list(Job.objects.filter(task=moves.RATE_TASK).values_list("key", flat=True)) == [
        f"ratings.rate:{match.public_id}"
    ]


def played_season(people: list[Any]) -> None:
    """Matches of two and of three, in two seasons."""
    for number in range(12):
        size = 3 if number % 4 == 3 else 2
        sitting = [people[(number + place) % 4] for place in range(size)]
        ranks = [2, 1, 3][:size] if number % 3 else [1, 1, 3][:size]
        match = bare(sitting, ranks)
        match.finished = datetime(2026, 3 + number // 4, 15, tzinfo=UTC)
        services.write_down(match, ranks)


def test_all_is_computed_anew_to_the_last_digit(people: list[Any]) -> None:
    played_season(people)
    matches, differences = services.computed_again()
    assert (matches, differences) == (12, [])
    assert len(set(RatedMatch.objects.values_list("season", flat=True))) == 2
    stored = list(Rating.objects.order_by("pk").values_list("mu", "sigma", "matches", "won", "season"))
    out = StringIO()
    call_command("rate_again", "--write", stdout=out)
    assert "12 matches of the ledger come to what is stored" in out.getvalue()
    assert list(Rating.objects.order_by("pk").values_list("mu", "sigma", "matches", "won", "season")) == stored


def test_one_changed_digit_is_found(people: list[Any]) -> None:
    played_season(people)
    change = RatingChange.objects.order_by("pk")[4]
    RatingChange.objects.filter(pk=change.pk).update(mu=change.mu + 1e-12)
    rating = Rating.objects.order_by("pk")[0]
    Rating.objects.filter(pk=rating.pk).update(won=rating.won + 1)
    out = StringIO()
    with pytest.raises(CommandError, match="2 rows differ"):
        call_command("rate_again", stdout=out)
    assert f"change {change.pk}" in out.getvalue() and f"rating {rating.pk}" in out.getvalue()


def test_a_new_season_begins_half_way_to_the_mean(people: list[Any]) -> None:
    for month in ("02", "05"):
        match = bare(people[:2], [1, 2])
        Match.objects.filter(pk=match.pk).update(finished=f"2026-{month}-15T12:00:00Z")
        rate(match)
    kara = Rating.objects.get(user=people[0])
    first, second = kara.changes.order_by("pk")
    assert second.mu_before == Skill().mu + (first.mu - Skill().mu) / 2
    assert kara.season == 20262


def test_who_leaves_takes_the_name_and_not_the_numbers(people: list[Any]) -> None:
    played_season(people)
    stored = sorted(Rating.objects.values_list("mu", flat=True))
    leave(people[1], keep_decks=False)
    assert sorted(Rating.objects.values_list("mu", flat=True)) == stored
    assert Rating.objects.filter(user=None).exists()
    assert services.computed_again()[1] == []
    unfinished = bare(people[2:], [1, 2])
    unfinished.seats.filter(number=0).update(user=None)
    rate(unfinished)
    unfinished.refresh_from_db()
    assert unfinished.unrated_why == "account"
