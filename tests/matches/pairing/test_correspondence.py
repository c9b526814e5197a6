"""The queues by correspondence: nobody keeps a page open, and notices tell who has been paired."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from ccg.outbox.models import Job
from ccg.outbox.services import drain
from decks.models import Deck
from decks.social import opinions
from decks.table_decks import TableDeck
from matches.clocks import vacations
from matches.lobby import services as lobby
from matches.lobby.errors import LobbyError
from matches.models import Match, MatchSeat
from matches.notices import posting
from matches.notices.models import Wishes
from matches.pairing import services
from matches.pairing.models import QueueEntry, Round
from matches.pairing.queues import CASUAL_DAYS, RANKED_DAYS
from matches.playing import moves
from matches.protocol.messages import Concede
from matches.ratings.models import Rating
from matches.ratings.pools import pool_of
from matches.shuffles import services as shuffles
from matches.shuffles.fair import Given
from matches.shuffles.models import Commitment
from tests.people import signed_in, with_address

QUEUE = "/play/others/"


def join(user: Any, deck: TableDeck, queue: str = RANKED_DAYS, **more: Any) -> services.QueueState:
    Round.objects.all().delete()  # as if a moment had gone by
    return services.join(user, queue, deck, **more)


def waited(hours: float) -> None:
    """Let everybody who waits have waited so much longer."""
    for entry in QueueEntry.objects.all():
        QueueEntry.objects.filter(pk=entry.pk).update(joined=entry.joined - timedelta(hours=hours))


def swept() -> int:
    Round.objects.all().delete()
    return services.sweep()


def test_who_waits_is_paired_days_later_without_any_page(alice: Any, bob: Any, deck: TableDeck) -> None:
    assert join(alice, deck).state == "waiting"
    waited(24 * 40)
    assert swept() == 0
    found = join(bob, deck)
    assert found.state == "paired" and found.match is not None, "who joins second need not wait for the sweep"
    match = found.match
    assert (match.rated, match.from_queue, pool_of(match).code) == (True, True, "two-correspondence")
    assert match.tempo == "correspondence 86400+259200" and match.deadline is not None


def test_one_may_wait_for_days_and_play_live_meanwhile(alice: Any, bob: Any, deck: TableDeck) -> None:
    join(alice, deck)
    services.join(alice, "ranked", deck)
    services.join(bob, "ranked", deck)
    assert services.here(bob).state == "paired"
    assert services.state_of(alice, kind="correspondence").state == "waiting"
    services.leave(alice, kind="correspondence")
    assert list(QueueEntry.objects.filter(user=alice).values_list("tempo", flat=True)) == ["live"]


def test_strength_is_that_of_the_pool_and_counts_for_hours(alice: Any, bob: Any, deck: TableDeck) -> None:
    Rating.objects.create(user=bob, pool="two-correspondence", mu=33.0, sigma=2.0, matches=20)
    join(alice, deck)
    assert join(bob, deck).state == "waiting", "320 points apart"
    waited(2)
    assert swept() == 0
    waited(2)
    assert swept() == 1


def test_a_block_holds_however_long_both_wait(alice: Any, bob: Any, deck: TableDeck) -> None:
    opinions.block(bob, "alice")
    for user in (alice, bob):
        join(user, deck, CASUAL_DAYS)
    waited(24 * 30)
    assert swept() == 0


def test_nobody_meets_at_once_whom_they_have_just_played_or_still_play(alice: Any, bob: Any, deck: TableDeck) -> None:
    join(alice, deck)
    match = join(bob, deck).match
    assert match is not None
    for user in (alice, bob):
        join(user, deck)
    waited(24 * 7)
    assert swept() == 0, "their match still runs"
    moves.act(match.public_id, moves.Actor.person(alice.pk), Concede(id="c"))
    for user in (alice, bob):
        services.leave(user, kind="correspondence")
        join(user, deck)
    assert swept() == 0, "they have just played"
    waited(25)
    assert swept() == 1, "after a day there may be nobody else"


def test_so_many_run_at_a_time_and_the_refusal_says_so(alice: Any, bob: Any, deck: TableDeck, settings: Any) -> None:
    settings.QUEUE_CORRESPONDENCE_MATCHES = 1
    join(alice, deck)
    match = join(bob, deck).match
    assert match is not None
    with pytest.raises(LobbyError, match="You have 1 running match"):
        join(alice, deck, CASUAL_DAYS)
    assert services.state_of(alice, kind="correspondence").match == match, "what was refused has changed nothing"
    lobby.join(lobby.invite(alice, deck, 2), bob, deck)
    moves.act(match.public_id, moves.Actor.person(alice.pk), Concede(id="c"))
    assert join(alice, deck).state == "waiting", "and matches by invitation do not count"


def test_who_is_on_vacation_is_paired_when_they_are_back(alice: Any, bob: Any, deck: TableDeck) -> None:
    join(alice, deck)
    vacations.begin(alice, 3)
    assert join(bob, deck).state == "waiting"
    vacations.end(alice)
    assert swept() == 1


def test_words_for_the_shuffles_are_good_for_as_long_as_one_waits(alice: Any, bob: Any, deck: TableDeck) -> None:
    given = Given(shuffles.commit(), "the words of alice")
    unused = Given(shuffles.commit(), "of nobody")
    join(alice, deck, given=given)
    Commitment.objects.update(made=timezone.now() - timedelta(days=9))
    shuffles.commit()
    swept()
    match = join(bob, deck).match
    assert match is not None
    kept = Commitment.objects.get(seat__match=match)
    assert (kept.digest, kept.words) == (given.commitment, given.words)
    assert not Commitment.objects.filter(digest=unused.commitment).exists()


def test_words_of_who_waits_no_more_are_forgotten(alice: Any, deck: TableDeck) -> None:
    join(alice, deck, given=Given(shuffles.commit(), "the words of alice"))
    services.leave(alice, kind="correspondence")
    swept()
    assert not Commitment.objects.get().held


@pytest.fixture
def mailed(alice: Any, bob: Any, settings: Any) -> None:
    """Both have an address and want a mail."""
    settings.EMAIL_HOST = "mail.example.org"
    for user in (alice, bob):
        Wishes.objects.create(user=with_address(user), mail=Wishes.Mail.ONCE)


def work() -> list[str]:
    """Do the work that is posted, as if its time had come; return to whom mails went."""
    Job.objects.update(due=timezone.now())
    before = len(mail.outbox)
    drain()
    return sorted(to for message in mail.outbox[before:] for to in message.to)


def test_both_hear_of_their_match_unless_they_have_been_there(
    mailed: None, alice: Any, bob: Any, deck: TableDeck
) -> None:
    join(alice, deck)
    match = join(bob, deck).match
    assert match is not None
    MatchSeat.objects.filter(match=match, user=bob).update(seen=timezone.now())
    assert work() == ["alice@example.org"]
    first = match.must_decide(match.seats.get(user=alice).number)
    assert f"against {bob.display_name} has begun. {'It is your' if first else 'They'} move" in mail.outbox[-1].body
    assert (Wishes.objects.get(user=alice).mailed is not None) == first, "it is the mail that it is their move"
    assert work() == []


def test_a_digest_says_that_an_opponent_was_found_until_one_has_been_there(
    mailed: None, alice: Any, bob: Any, deck: TableDeck
) -> None:
    Wishes.objects.update(mail=Wishes.Mail.DAILY)
    join(alice, deck)
    match = join(bob, deck).match
    assert match is not None
    Match.objects.update(changed=timezone.now() - timedelta(hours=1))
    MatchSeat.objects.filter(match=match, user=bob).update(seen=timezone.now())
    posting.sweep()
    assert work() == ["alice@example.org", "bob@example.org"]
    told = {message.to[0]: message.body for message in mail.outbox}
    assert f"against {bob.display_name} has begun. It is your move. You have" in told["alice@example.org"]
    assert f"against {alice.display_name} waits for you. You have" in told["bob@example.org"]


def test_live_queues_send_no_notices(mailed: None, alice: Any, bob: Any, deck: TableDeck) -> None:
    for user in (alice, bob):
        services.join(user, "ranked", deck)
    assert services.here(alice).state == "paired"
    assert work() == []


def test_the_page_says_that_one_waits_and_need_not_stay(alice: Any, bob: Any) -> None:
    browser, deck = signed_in(alice), Deck.objects.starters()[0].uid
    sent = browser.post(f"{QUEUE}join/", {"queue": RANKED_DAYS, "deck": deck})
    assert sent["Location"] == QUEUE
    page = browser.get(QUEUE).content.decode()
    assert "You wait for a match by correspondence" in page and "data-here=" not in page
    assert "choose how" in page, "nothing would tell them yet"
    assert 'id="by-correspondence" data-refresh=' in page, "an open page does not say for ever that nobody is found"
    refused = browser.post(f"{QUEUE}join/", {"queue": "nonsense", "deck": deck}).content.decode()
    assert "You wait for a match by correspondence" in refused and "data-refresh" not in refused
    Wishes.objects.create(user=alice, mail=Wishes.Mail.ONCE)
    assert "1 waiting now" in signed_in(bob).get(QUEUE).content.decode()
    Round.objects.all().delete()
    table = signed_in(bob).post(f"{QUEUE}join/", {"queue": RANKED_DAYS, "deck": deck})["Location"]
    assert table == Match.objects.get().get_absolute_url()
    told = browser.get(QUEUE)
    assert told.status_code == 200, "no page is led away from"
    assert f'href="{table}">Go to the table' in told.content.decode()
    MatchSeat.objects.filter(user=alice).update(seen=timezone.now())
    assert "Go to the table" not in browser.get(QUEUE).content.decode(), "who has been there knows"
    assert browser.post(f"{QUEUE}leave/", {"tempo": "correspondence"})["Location"] == table


def test_stopping_to_wait_by_the_page(alice: Any) -> None:
    browser = signed_in(alice)
    browser.post(f"{QUEUE}join/", {"queue": CASUAL_DAYS, "deck": Deck.objects.starters()[0].uid})
    browser.post(f"{QUEUE}leave/")
    assert QueueEntry.objects.exists(), "that was the button of another queue"
    browser.post(f"{QUEUE}leave/", {"tempo": "correspondence"})
    assert not QueueEntry.objects.exists()


def test_ranked_by_correspondence_needs_an_account_too(cards: None) -> None:
    refused = Client().post(f"{QUEUE}join/", {"queue": RANKED_DAYS, "deck": Deck.objects.starters()[0].uid})
    assert refused.status_code == 400 and "need an account" in refused.content.decode()


def test_who_waits_sees_it_among_their_matches(alice: Any, deck: TableDeck) -> None:
    client = signed_in(alice)
    assert "Ranked, by correspondence" not in client.get("/play/mine/").content.decode()
    join(alice, deck)
    page = client.get("/play/mine/").content.decode()
    assert "Ranked, by correspondence" in page
    assert "Stop waiting" in page
    assert "No match yet" not in page
    assert "waits for an opponent" in page
    QueueEntry.objects.update(joined=timezone.now() - timedelta(hours=3))
    assert "has waited 3\xa0hours for an opponent" in client.get("/play/mine/").content.decode()
