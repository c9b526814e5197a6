"""The queues: joining, waiting, being paired, leaving; and that nobody is lost or paired twice."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import DataError
from django.utils import timezone
from msgspec import structs

from ccg.rules import EngineError
from decks.social import opinions
from decks.table_decks import TableDeck
from matches.clocks.tempo import LIVE
from matches.lobby import beginning
from matches.lobby import services as lobby
from matches.lobby.errors import LobbyError
from matches.models import Match
from matches.pairing import kept_apart, services
from matches.pairing.models import QueueEntry
from matches.pairing.queues import QUEUES
from matches.playing import moves
from matches.protocol.messages import Concede, OfferIt
from matches.ratings.models import Rating
from matches.ratings.pools import pool_of
from matches.seats import openness
from matches.shuffles import services as shuffles
from matches.shuffles.fair import Given
from matches.shuffles.models import Commitment
from matches.storage import database
from matches.table import table_view
from tests.people import signed_in

NOW = datetime(2026, 11, 24, 12, tzinfo=timezone.get_default_timezone())


def later(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def wait(user: Any, deck: TableDeck, queue: str = "ranked", at: float = 0) -> None:
    services.join(user, queue, deck, later(at))


def stand(user: Any, at: float) -> services.QueueState:
    return services.here(user, now=later(at))


def test_two_who_wait_get_a_rated_match_with_their_decks(alice: Any, bob: Any, deck: TableDeck) -> None:
    wait(alice, deck)
    assert stand(alice, 1).state == "waiting"
    wait(bob, deck, at=2)
    found = stand(bob, 3).match
    assert found is not None and (found.state, found.rated, found.players) == ("running", True, 2)
    assert set(found.seats.values_list("user", "deck_label")) == {(alice.pk, deck.label), (bob.pk, deck.label)}
    assert stand(alice, 4).match == found, "who was found by the other learns of it as well"
    assert stand(alice, 5).match == found and Match.objects.count() == 1


def test_a_ranked_match_has_clocks_a_delay_for_lookers_on_and_no_takebacks(
    alice: Any, bob: Any, deck: TableDeck
) -> None:
    wait(alice, deck)
    wait(bob, deck)
    match = stand(alice, 1).match
    assert match is not None and match.deadline is not None
    assert (match.tempo, match.delay, pool_of(match).code) == ("live 1200+15", 1, "two-live")
    message = table_view.read(match.public_id, alice.pk, None)
    assert isinstance(message, table_view.Snapshot)
    told = table_view.table(message)
    assert told.clocks is not None and "takeback" not in told.may_offer
    asked = moves.act(match.public_id, moves.Actor.person(alice.pk), OfferIt(id="back", what="takeback"))
    assert isinstance(asked, moves.Refusal) and "rated table" in asked.message


def test_the_words_of_both_are_part_of_the_shuffle(alice: Any, bob: Any, deck: TableDeck) -> None:
    given = {user.pk: Given(shuffles.commit(), f"words of {user.pk}") for user in (alice, bob)}
    for user in (alice, bob):
        services.join(user, "ranked", deck, NOW, given[user.pk])
    match = stand(alice, 1).match
    assert match is not None
    kept = Commitment.objects.filter(seat__match=match).values_list("seat__user", "digest", "words")
    assert set(kept) == {(pk, one.commitment, one.words) for pk, one in given.items()}
    assert bytes(match.seed) == shuffles.seed_for(match)


def test_who_has_used_their_words_elsewhere_is_sent_away_alone(
    alice: Any, bob: Any, charlie: Any, deck: TableDeck
) -> None:
    used = Given(shuffles.commit(), "words that are used")
    wait(alice, deck)
    services.join(bob, "ranked", deck, NOW, used)
    lobby.play_computer(bob, deck, [deck], given=used)
    assert stand(alice, 1).state == "waiting"
    assert stand(bob, 2).state == "none"
    wait(charlie, deck, at=2)
    assert stand(charlie, 3).state == "paired"


def test_who_brings_cards_that_are_gone_is_sent_away_alone(alice: Any, bob: Any, deck: TableDeck) -> None:
    wait(alice, deck)
    wait(bob, structs.replace(deck, cards=(*deck.cards, "NO-SUCH-CARD")))
    assert [stand(one, 1).state for one in (alice, bob)] == ["waiting", "none"]
    assert not Match.objects.exists()


def test_who_joins_anew_as_no_match_could_begin_is_not_sent_away_for_it(
    alice: Any, bob: Any, deck: TableDeck, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait(alice, deck)
    wait(bob, structs.replace(deck, cards=(*deck.cards, "NO-SUCH-CARD")))
    first, second = QueueEntry.objects.order_by("pk").values_list("pk", flat=True)
    write = database.write
    anew: list[bool] = []

    def bob_comes_back(change: Any) -> Any:
        """As soon as the rows of the queue are free."""
        try:
            return write(change)
        finally:
            if not anew:
                anew.append(True)
                wait(bob, deck, at=1)

    with monkeypatch.context() as patch:
        patch.setattr(database, "write", bob_comes_back)
        assert services.begin(first, second, later(1)) is None
    assert services.sent_away(bob) == [] and stand(bob, 4).state == "paired"


def test_two_with_the_same_words_are_both_sent_away(alice: Any, bob: Any, deck: TableDeck) -> None:
    same = Given(shuffles.commit(), "words of both")
    for user in (alice, bob):
        services.join(user, "ranked", deck, NOW, same)
    assert stand(alice, 1).state == "none"
    assert [one.sent_away for one in QueueEntry.objects.all()] == [services.WORDS_USED] * 2
    assert not Match.objects.exists()


@pytest.mark.parametrize(
    "fault", [EngineError("loop", "The ability of a card does not end."), DataError("a name that is too long")]
)
def test_two_whose_match_fails_by_a_fault_are_sent_away_and_keep_nobody_from_being_paired(
    alice: Any, bob: Any, charlie: Any, deck: TableDeck, monkeypatch: pytest.MonkeyPatch, caplog: Any, fault: Exception
) -> None:
    """Such as that of a card whose ability does not end, which shows as the game is set up."""
    real = beginning.Game.start
    faults = [fault]

    def start(*args: Any) -> Any:
        if faults:
            raise faults.pop()
        return real(*args)

    monkeypatch.setattr(beginning.Game, "start", start)
    wait(alice, deck)
    wait(bob, deck)
    assert stand(bob, 1).state == "none"
    assert [one.sent_away for one in QueueEntry.objects.all()] == [services.FAULT] * 2
    assert "by a fault" in caplog.text and not Match.objects.exists()
    wait(charlie, deck, at=2)
    wait(bob, deck, at=2)
    assert [stand(one, 3).state for one in (charlie, bob)] == ["paired", "paired"]


@pytest.mark.parametrize("queue", ["casual", "casual-correspondence"])
def test_who_is_sent_away_is_told_why_until_they_join_again(
    alice: Any, bob: Any, charlie: Any, deck: TableDeck, queue: str
) -> None:
    """By correspondence they may have waited for days, and would wait on for nothing."""
    wait(bob, structs.replace(deck, cards=deck.cards[:40]), queue)
    wait(alice, deck, queue, at=1)
    stand(alice, 2)
    assert services.count_waiting(queue, later(2)) == 1
    page = signed_in(bob).get("/play/others/").content.decode()
    assert "You wait no more" in page and "The deck of bob is not legal any more" in page
    assert "You wait no more" not in signed_in(charlie).get("/play/others/").content.decode()
    wait(bob, deck, queue, at=3)
    stand(alice, 4)
    assert services.sent_away(bob) == [] and Match.objects.count() == 1


@pytest.mark.parametrize("private", [False, True])
def test_a_deck_is_as_private_as_it_was_when_its_owner_joined(
    alice: Any, bob: Any, deck: TableDeck, private: bool
) -> None:
    """Two with starter decks play before everybody; a private deck stays private."""
    wait(alice, structs.replace(deck, private=private))
    wait(bob, deck)
    match = stand(alice, 1).match
    assert match is not None
    assert dict(match.seats.values_list("user", "deck_private")) == {alice.pk: private, bob.pk: False}
    assert openness.sees_all(match.seats.all(), None) is not private


def test_for_fun_nothing_is_rated_and_queues_do_not_mix(alice: Any, bob: Any, charlie: Any, deck: TableDeck) -> None:
    wait(alice, deck, "casual")
    wait(bob, deck, "ranked")
    assert stand(alice, 1).state == stand(bob, 1).state == "waiting"
    wait(charlie, deck, "casual")
    match = stand(charlie, 2).match
    assert match is not None and (match.rated, match.unrated_why) == (False, "casual")


def test_a_guest_waits_for_fun_only_and_is_told_what_to_do(alice: Any, deck: TableDeck) -> None:
    guest = get_user_model().objects.create_guest()
    with pytest.raises(LobbyError, match="Make one"):
        wait(guest, deck)
    wait(guest, deck, "casual")
    assert stand(guest, 1).state == "waiting"


def test_strength_keeps_two_apart_until_they_have_waited(alice: Any, bob: Any, deck: TableDeck) -> None:
    Rating.objects.create(user=bob, pool="two-live", mu=33.0, sigma=2.0, matches=20)
    wait(alice, deck)
    wait(bob, deck)
    assert [stand(one, 10).state for one in (alice, bob)] == ["waiting", "waiting"]
    assert [stand(one, 24).state for one in (alice, bob)] == ["paired", "paired"]


@pytest.mark.parametrize("who_blocks", [0, 1])
def test_who_blocks_somebody_never_meets_them(alice: Any, bob: Any, deck: TableDeck, who_blocks: int) -> None:
    one, other = (alice, bob) if who_blocks else (bob, alice)
    opinions.block(one, other.display_name)
    wait(alice, deck)
    wait(bob, deck)
    for at in range(1, 100, 9):
        assert [stand(person, at).state for person in (alice, bob)] == ["waiting", "waiting"]


def test_nobody_meets_the_last_opponent_again_at_once(alice: Any, bob: Any, charlie: Any, deck: TableDeck) -> None:
    wait(alice, deck)
    wait(bob, deck)
    match = stand(alice, 1).match
    assert match is not None
    moves.act(match.public_id, moves.Actor.person(alice.pk), Concede(id="c"))
    for one in (alice, bob):
        wait(one, deck, at=2)
    assert stand(alice, 3).state == stand(bob, 50).state == "waiting"
    services.leave(alice)
    wait(alice, deck, at=52)
    assert stand(alice, 53).state == "waiting", "nor is leaving and coming back"
    wait(bob, deck, "casual", at=60)
    wait(alice, deck, "casual", at=60)
    assert stand(alice, 61).state == stand(bob, 62).state == "waiting", "another queue is no way round it"
    wait(charlie, deck, "casual", at=63)
    assert stand(charlie, 64).state == "paired"


def test_who_has_closed_the_page_is_not_paired(alice: Any, bob: Any, deck: TableDeck) -> None:
    wait(alice, deck)
    gone = services.PRESENT.total_seconds() + 1
    wait(bob, deck, at=gone)
    assert stand(bob, gone + 1).state == "waiting"
    assert services.count_waiting("ranked", later(gone + 1)) == 1
    assert stand(alice, gone + 2).state == "paired", "whose page was only slow still waits"


def test_a_page_in_the_background_may_ask_less_often(alice: Any, bob: Any, deck: TableDeck) -> None:
    wait(alice, deck)
    services.here(alice, hidden=True, now=later(5))
    wait(bob, deck, at=70)
    assert stand(bob, 71).state == "paired"


def test_who_never_comes_back_is_forgotten(alice: Any, bob: Any, deck: TableDeck) -> None:
    wait(alice, deck)
    wait(bob, deck, at=services.FORGOTTEN.total_seconds() + 60)
    stand(bob, services.FORGOTTEN.total_seconds() + 61)
    assert list(QueueEntry.objects.values_list("user", flat=True)) == [bob.pk]


def test_who_comes_back_after_all_that_time_does_not_wait(alice: Any, deck: TableDeck) -> None:
    """Where nobody else has looked through the queue meanwhile, their entry is still there."""
    wait(alice, deck)
    long = (services.PRESENT + services.FORGOTTEN).total_seconds()
    assert services.state_of(alice, later(long)).state == "waiting", "the server may have been down"
    assert services.state_of(alice, later(long + 1)).state == "none"
    assert stand(alice, long + 1).state == "none" and services.count_waiting("ranked", later(long + 2)) == 0
    wait(alice, deck, at=long + 3)
    entry = stand(alice, long + 4).entry
    assert entry is not None and entry.joined == later(long + 3)


def test_leaving_ends_the_waiting_and_comes_too_late_once_there_is_an_opponent(
    alice: Any, bob: Any, charlie: Any, deck: TableDeck
) -> None:
    wait(alice, deck)
    assert services.leave(alice).state == "none" and services.leave(alice).state == "none"
    wait(bob, deck, at=1)
    assert stand(bob, 2).state == "waiting"
    wait(charlie, deck, at=3)
    match = stand(charlie, 4).match
    assert services.leave(bob).match == match


def test_who_joins_as_their_old_place_is_taken_away_waits_all_the_same(
    alice: Any, deck: TableDeck, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As they leave in another tab, or as whoever asks next forgets them; on SQLite it cannot happen."""
    wait(alice, deck)
    locked = QueueEntry.objects.select_for_update
    lost: list[Any] = []

    def late() -> Any:
        if not lost:
            lost.append(QueueEntry.objects.all().delete())
        return locked()

    monkeypatch.setattr(QueueEntry.objects, "select_for_update", late)
    wait(alice, deck, at=2)
    assert lost and QueueEntry.objects.get(user=alice).joined == later(2)


def test_joining_again_keeps_the_place_and_takes_the_other_deck(alice: Any, deck: TableDeck) -> None:
    wait(alice, deck)
    other = TableDeck(base=deck.base, cards=deck.cards, label="Another", version="v2")
    services.join(alice, "ranked", other, later(5))
    entry = QueueEntry.objects.get()
    assert (entry.joined, entry.deck_label) == (NOW, "Another")
    services.join(alice, "casual", other, later(6))
    assert QueueEntry.objects.get().joined == later(6), "in another queue one begins at its end"


def test_one_match_from_a_queue_at_a_time(alice: Any, bob: Any, deck: TableDeck) -> None:
    now = timezone.now()
    for one in (alice, bob):
        services.join(one, "ranked", deck, now)
    match = services.here(alice, now=now + timedelta(seconds=1)).match
    assert match is not None
    with pytest.raises(LobbyError, match="still runs"):
        services.join(alice, "casual", deck, now + timedelta(seconds=2))
    assert services.state_of(alice).match == match, "what was refused has changed nothing"
    services.join(alice, "casual", deck, now + timedelta(hours=3))


def test_a_choice_that_is_out_of_date_begins_nothing(alice: Any, bob: Any, charlie: Any, deck: TableDeck) -> None:
    """Two processes have looked at the same queue: the second finds that its pair waits no more."""
    for one in (alice, bob, charlie):
        wait(one, deck)
    first, second, third = QueueEntry.objects.order_by("user").values_list("pk", flat=True)
    assert services.begin(first, second, later(1)) is not None
    assert services.begin(second, third, later(1)) is None
    services.leave(charlie)
    assert services.begin(first, third, later(1)) is None
    assert Match.objects.count() == 1


@pytest.mark.parametrize("moved", [0, 1])
def test_who_has_gone_to_another_queue_meets_nobody_of_the_first(
    alice: Any, bob: Any, deck: TableDeck, moved: int
) -> None:
    """As the pair is chosen already: a match for fun would be rated, or one that is to be rated would not."""
    for one in (alice, bob):
        wait(one, deck)
    first, second = QueueEntry.objects.order_by("pk").values_list("pk", flat=True)
    wait((alice, bob)[moved], deck, "casual")
    assert services.begin(first, second, later(1)) is None
    assert not Match.objects.exists()
    assert [stand(one, 2).state for one in (alice, bob)] == ["waiting", "waiting"]


def test_a_process_that_dies_while_it_pairs_leaves_both_waiting(
    alice: Any, bob: Any, deck: TableDeck, monkeypatch: Any
) -> None:
    wait(alice, deck)
    wait(bob, deck)
    real = lobby.begin_between

    def dies(*args: Any, **more: Any) -> Match:
        real(*args, **more)
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(lobby, "begin_between", dies)
        with pytest.raises(KeyboardInterrupt):
            stand(alice, 1)
    assert not Match.objects.exists()
    assert [services.state_of(one, later(1)).state for one in (alice, bob)] == ["waiting", "waiting"]
    assert stand(alice, 2).state == "paired"


def test_the_same_two_meet_no_more_often_in_a_day_than_is_rated(
    alice: Any, bob: Any, deck: TableDeck, monkeypatch: Any
) -> None:
    monkeypatch.setattr(kept_apart, "SAME_PEOPLE_A_DAY", 1)
    match = lobby.join(lobby.invite(alice, deck, 2, rated=True, tempo=LIVE[0]), bob, deck)
    Match.objects.filter(pk=match.pk).update(started=NOW)
    wait(alice, deck)
    wait(bob, deck)
    assert stand(alice, 60).state == "waiting"
    assert kept_apart.refused(QUEUES["casual"], [], NOW) == set()


def test_who_is_locked_out_or_deletes_the_account_is_paired_with_nobody(
    alice: Any, bob: Any, charlie: Any, deck: TableDeck
) -> None:
    for one in (alice, bob, charlie):
        wait(one, deck)
    bob.is_active = False
    bob.save()
    charlie.delete()
    assert stand(alice, 1).state == "waiting"
