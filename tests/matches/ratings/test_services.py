"""Rating matches: which count, that each counts once, and that all can be computed anew."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import F
from django.utils import timezone

from ccg.outbox.models import Job
from ccg.outbox.services import drain
from ccg.server.accounts.leaving import leave
from decks.table_decks import TableDeck
from matches.clocks.manners import EndInDraw
from matches.clocks.tempo import LIVE
from matches.lobby import lesson_matches, rematches
from matches.lobby import services as lobby
from matches.lobby.errors import LobbyError
from matches.lobby.outdated import end_outdated
from matches.models import Match, MatchSeat, Move
from matches.playing import consequences, moves
from matches.protocol.messages import Agree, Concede, OfferIt
from matches.ratings import services
from matches.ratings.models import RatedMatch, Rating, RatingChange
from matches.ratings.skills import Skill
from matches.seats import rated, stand_ins
from tests.matches.conftest import match_of, person
from tests.people import signed_in

DAYS = "correspondence 86400+259200"


def begun(people: list[Any], deck: TableDeck, *, wanted: bool = True) -> Match:
    """A match of these people, rated if they want that."""
    return match_of(deck, *people, rated=wanted, tempo=LIVE[0])


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
    assert told["pool"] == "two-live"
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
    lesson = lesson_matches.play_lesson(alice, "first-match")
    drain()
    for match, code in ((casual, "casual"), (computer, "computer"), (with_guest, "guest")):
        told = signed_in(alice).get(f"/api/v1/matches/{match.public_id}/rating/").json()
        assert (told["rated"], told["code"], told["why"]) == (False, code, rated.REASONS[code])
    assert (lesson.rated, lesson.unrated_why) == (False, "lesson")
    assert not Rating.objects.exists()


def test_guests_are_told_that_rated_matches_need_an_account(alice: Any, deck: TableDeck) -> None:
    guest = get_user_model().objects.create_guest()
    with pytest.raises(LobbyError, match="need an account"):
        lobby.invite(guest, deck, 2, rated=True, tempo=LIVE[0])
    match = lobby.invite(alice, deck, 2, rated=True, tempo=LIVE[0])
    with pytest.raises(LobbyError, match="Make one"):
        lobby.join(match, guest, deck)
    assert match.seats.filter(kind="person").count() == 1


def test_a_match_without_clocks_is_not_rated(alice: Any, bob: Any, deck: TableDeck) -> None:
    """Who would lose it could keep the other one waiting for ever, by a visit now and then."""
    with pytest.raises(lobby.LobbyError, match="need clocks"):
        lobby.invite(alice, deck, 2, rated=True)
    opened = lobby.invite(alice, deck, 2)
    Match.objects.update(rated=True)  # a table from before that was so
    match = lobby.join(opened, bob, deck)
    assert (match.rated, match.unrated_why) == (False, "untimed")


def ran_out(people: list[Any], late: int = 1, tempo: str = DAYS, days_ago: float = 0) -> Match:
    """A finished rated match that the seat ``late`` has lost by time."""
    match = bare(people, [2 if seat == late else 1 for seat in range(len(people))])
    Match.objects.filter(pk=match.pk).update(tempo=tempo, finished=timezone.now() - timedelta(days=days_ago))
    Move.objects.create(match=match, seq=1, seat=late, kind="time", action_id="clock", digest="", events=b"")
    match.refresh_from_db()
    return match


def test_what_a_process_was_rating_as_it_was_killed_is_soon_rated_by_another(
    alice: Any, bob: Any, deck: TableDeck, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = conceded(begun([alice, bob], deck), 0)

    def killed(*_: Any) -> None:
        raise SystemExit

    monkeypatch.setattr(services, "write_down", killed)
    with pytest.raises(SystemExit):
        drain()
    monkeypatch.undo()
    Job.objects.update(due=F("due") - timedelta(seconds=10))
    drain()
    assert RatedMatch.objects.filter(match=match).exists()


def test_who_stays_away_and_runs_out_of_time_everywhere_loses_rating_once(people: list[Any]) -> None:
    kara, lee, sharon, karl = people
    matches = [ran_out([other, kara]) for other in (lee, sharon, karl)]
    for match in matches:
        rate(match)
        rate(match)
        match.refresh_from_db()
    assert [match.rated for match in matches] == [True, False, False]
    assert {match.unrated_why for match in matches[1:]} == {"time_again"}
    assert "loses rating once" in rated.sentence(matches[1])
    assert Rating.objects.get(user=kara).matches == 1
    assert services.computed_again() == (1, [])


@pytest.mark.parametrize(
    "other",
    [{"tempo": "live 600+10"}, {"days_ago": 8}, {"late": 0}],
    ids=["live", "eight days before", "lost by the other one"],
)
def test_what_is_no_such_loss_counts(people: list[Any], other: dict[str, Any]) -> None:
    for match in (ran_out(people[:2], **other), ran_out([people[2], people[1]])):
        rate(match)
    assert RatedMatch.objects.count() == 2


@pytest.mark.parametrize(("days_ago", "kind", "counted"), [
    (3, "choose", 2), (4.5, "choose", 2), (6, "choose", 1), (3, "vacation", 1),
], ids=["between", "while the first ran out", "before", "by the site"])  # fmt: skip
def test_who_moves_elsewhere_meanwhile_was_not_away(
    people: list[Any], days_ago: float, kind: str, counted: int
) -> None:
    kara, lee, sharon, karl = people
    elsewhere = bare([karl, kara], [1, 2])
    move = Move.objects.create(match=elsewhere, seq=1, seat=1, kind=kind, action_id="m", digest="", events=b"")
    Move.objects.filter(pk=move.pk).update(created=timezone.now() - timedelta(days=days_ago))
    for match in (ran_out([lee, kara], days_ago=4), ran_out([sharon, kara], days_ago=1)):
        rate(match)
    assert RatedMatch.objects.count() == counted


def test_a_match_to_which_nobody_has_come_moves_no_rating(alice: Any, bob: Any, deck: TableDeck) -> None:
    """Two who never came would count as a draw: the better one would lose by it, and both be provisional no more."""
    match = begun([alice, bob], deck)
    nobody = EndInDraw(id="clock", why="abandoned")
    assert isinstance(moves.act(match.public_id, moves.Actor.runs_the_site(), nobody), moves.Accepted)
    drain()
    match.refresh_from_db()
    assert (match.rated, match.unrated_why) == (False, "nobody_came")
    assert not RatedMatch.objects.exists()
    assert rematches.rematch(match, alice).rated, "it was asked for"


def test_a_loss_by_time_after_one_at_the_table_counts(people: list[Any]) -> None:
    played = bare(people[:2], [1, 2])
    Match.objects.filter(pk=played.pk).update(tempo=DAYS)
    for match in (played, ran_out([people[2], people[1]])):
        rate(match)
    services.write_down(ran_out(people[:3]), [1, 3, 2])
    assert RatedMatch.objects.count() == 3, "and so does a table of three, at which the others have played on"


def test_a_match_ended_by_a_fault_of_ours_counts_for_nobody(alice: Any, bob: Any, deck: TableDeck) -> None:
    match = begun([alice, bob], deck)
    call_command("end_match", match.public_id, stdout=StringIO())
    outdated = begun([alice, bob], deck)
    Match.objects.filter(pk=outdated.pk).update(engine_version="0")
    end_outdated()
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
        match.tempo = str(LIVE[0])
        rated.settle(match, list(match.seats.all()))
        return match.unrated_why

    assert settled([kara, lee]) == "same_people"
    assert settled([kara, sharon]) == ""
    assert settled([kara, lee, sharon]) == "", "a third one makes it another table"
    Match.objects.update(started=timezone.now() - timezone.timedelta(hours=25))
    assert settled([kara, lee]) == ""


def test_a_match_that_somebody_left_to_another_was_played_by_who_sat_down(people: list[Any]) -> None:
    kara, lee, sharon, karl = people
    for number in range(rated.SAME_PEOPLE_A_DAY):
        match = bare([kara, lee, sharon], [1, 2, 3])
        Match.objects.filter(pk=match.pk).update(started=timezone.now())
        if number % 2:
            stand_ins.write(match.pk, 1, 2, karl.pk, "karl")
        else:
            stand_ins.write(match.pk, 1, 2)
    assert rated.played_lately([sharon.pk, kara.pk, lee.pk]) == rated.SAME_PEOPLE_A_DAY
    assert rated.played_lately([karl.pk, kara.pk, lee.pk]) == 0


@pytest.mark.parametrize(("why", "again"), [("same_people", ""), ("fault", ""), ("casual", "casual")])
def test_a_rematch_is_for_ratings_as_its_players_wanted_whatever_came_of_that(
    alice: Any, bob: Any, deck: TableDeck, why: str, again: str
) -> None:
    match = lobby.join(lobby.invite(alice, deck, 2, rated=True, tempo=LIVE[0]), bob, deck)
    Match.objects.update(state="finished", rated=False, unrated_why=why)
    rematches.rematch(match, alice)
    assert rematches.rematch(match, bob).unrated_why == again


def test_a_rematch_of_a_rated_match_is_rated(alice: Any, bob: Any, deck: TableDeck) -> None:
    match = conceded(begun([alice, bob], deck), 1)
    rematches.rematch(match, alice)
    again = rematches.rematch(match, bob)
    assert (again.state, again.rated) == ("running", True)


def test_at_a_table_of_three_who_conceded_first_is_last(alice: Any, bob: Any, charlie: Any, deck: TableDeck) -> None:
    conceded(begun([alice, bob, charlie], deck), 1, 0)
    drain()
    places = dict(RatingChange.objects.values_list("rating__user__username", "rank"))
    assert places == {"charlie": 1, "alice": 2, "bob": 3}
    assert set(Rating.objects.values_list("pool", flat=True)) == {"table-live"}


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
    assert list(Job.objects.filter(task=consequences.RATE_TASK).values_list("key", flat=True)) == [
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


def test_who_deletes_the_account_loses_what_is_left_and_all_are_rated(people: list[Any]) -> None:
    played_season(people)
    kara, lee, sharon, _ = people
    own = Rating.objects.get(user=lee, pool="two-untimed")
    lost, late, other = bare([kara, lee], [1, 2]), bare([lee, kara, sharon], [3, 1, 2]), bare([kara, sharon], [1, 2])
    leave(lee, keep_decks=False)
    for match in (lost, late, other):
        services.write_down(match, [2 - (seat.user_id is not None) for seat in match.seats.order_by("number")])
        match.refresh_from_db()
        assert match.rated and match.unrated_why == ""
    of_lee = lost.rating.changes.get(seat=1)
    assert (of_lee.rating_id, of_lee.rating.user, of_lee.rank) == (own.pk, None, 2), "the number they had, nameless"
    assert late.rating.changes.get(seat=0).rating.user is None
    assert Rating.objects.get(pk=own.pk).matches == own.matches + 1
    assert services.computed_again() == (15, [])
    services.rate_again()
    assert services.computed_again() == (15, [])


def test_who_deletes_the_account_at_a_running_table_concedes_it_and_is_rated(
    alice: Any, bob: Any, charlie: Any, deck: TableDeck
) -> None:
    two, three = begun([alice, bob], deck), begun([alice, bob, charlie], deck)
    leave(bob, keep_decks=False)
    conceded(three, 0)
    drain()
    for match, places in ((two, [1, 2]), (three, [2, 3, 1])):
        match.refresh_from_db()
        assert (match.rated, list(match.rating.changes.values_list("rank", flat=True))) == (True, places)
    assert Rating.objects.filter(user=None).count() == 2, "one in each pool"
    assert services.computed_again() == (2, [])


def test_the_loss_by_time_of_who_has_left_is_not_taken_for_that_of_another_who_has(people: list[Any]) -> None:
    kara, lee, sharon, karl = people
    matches = [ran_out([kara, lee]), ran_out([karl, sharon])]
    for one in (lee, sharon):
        leave(one, keep_decks=False)
    for match in matches:
        rate(match)
    assert RatedMatch.objects.count() == 2


def test_a_draw_of_those_who_are_left_is_no_win_and_a_win_of_several_is(
    alice: Any, bob: Any, charlie: Any, deck: TableDeck
) -> None:
    match = conceded(begun([alice, bob, charlie], deck), 2)
    seats = {seat.user_id: seat.number for seat in match.seats.all()}
    offer, answer = OfferIt(id="o", what="draw"), Agree(id="a", what="draw")
    for seat, command in ((0, offer), (1, answer)):
        person_there = next(user for user, number in seats.items() if number == seat)
        moves.act(match.public_id, moves.Actor.person(person_there), command)
    drain()
    together = bare([alice, bob], [1, 1])
    services.handle({"match": together.public_id})
    assert set(Rating.objects.filter(pool="table-live").values_list("won", flat=True)) == {0}
    assert set(Rating.objects.exclude(pool="table-live").values_list("won", flat=True)) == {1}
    assert services.computed_again() == (2, [])
