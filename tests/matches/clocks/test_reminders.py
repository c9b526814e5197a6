"""Reminders in correspondence: at half and at a tenth of what somebody had for the turn, once each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from ccg import mailing
from ccg.outbox.models import Job
from ccg.outbox.services import drain
from decks.table_decks import TableDeck
from matches.clocks import vacations
from matches.clocks.tempo import DAY, HOUR, LIVE, Tempo
from matches.lobby import services as lobby
from matches.models import Match, Move
from matches.notices import posting, reminders
from matches.notices.models import Reminder, Subscription, Told, Wishes
from matches.protocol.messages import Agree, OfferIt, Resume
from tests.matches.clocks.conftest import Clock, standing_of
from tests.matches.conftest import Table
from tests.people import with_address

DAYS = Tempo("correspondence", bank=3 * DAY, allowance=DAY)
"""Four days for the first turn: half of them is two days, a tenth 9.6 hours."""


@pytest.fixture(autouse=True)
def _mails(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    settings.EMAIL_HOST = "mail.example.org"
    monkeypatch.setattr(mailing._Pause, "until", 0.0)
    return


@pytest.fixture
def slow(timed: Callable[[Tempo], Table], alice: Any, bob: Any) -> Table:
    """A match by correspondence, just begun; both want one mail."""
    for user in (alice, bob):
        Wishes.objects.create(user=with_address(user), mail=Wishes.Mail.ONCE)
    return timed(DAYS).only_one_decides()


@pytest.fixture
def who(slow: Table, alice: Any, bob: Any) -> Any:
    """The person who must decide in it."""
    return (alice, bob)[slow.deciding]


def reminded() -> list[str]:
    """Look around twice, as two processes may, do the work, and return what was mailed, with what is left."""
    before = len(mail.outbox)
    Move.objects.update(created=timezone.now() - timezone.timedelta(hours=1))
    reminders.sweep()
    reminders.sweep()
    drain()
    return [message.body.partition("You have ")[2].partition(" left")[0] for message in mail.outbox[before:]]


def test_one_broken_match_keeps_nobody_from_being_reminded_of_others(
    slow: Table, timed: Callable[[Tempo], Table], clock: Clock
) -> None:
    Match.objects.filter(public_id=slow.id).update(standing=b"broken")
    timed(DAYS).only_one_decides()
    clock.pass_by(2 * DAY)
    assert len(reminded()) == 1


def test_one_at_half_and_one_at_a_tenth_of_what_the_turn_had(slow: Table, who: Any, clock: Clock) -> None:
    assert reminded() == []
    clock.pass_by(2 * DAY - 1)
    assert reminded() == []
    clock.pass_by(1)
    assert reminded() == ["2 days"] and reminded() == []
    assert mail.outbox[-1].to == [who.email] and mail.outbox[-1].subject == "[Ragtag Fleet] Time runs out"
    clock.pass_by(38 * HOUR)
    assert reminded() == []
    clock.pass_by(HOUR)
    assert reminded() == ["9 hours"] and reminded() == []


def test_after_a_long_outage_of_the_sweep_only_the_last_one_is_told(slow: Table, clock: Clock) -> None:
    clock.pass_by(3.9 * DAY)
    assert reminded() == ["2 hours"] and reminded() == []


def test_a_bank_that_is_used_up_makes_them_come_by_what_there_was(slow: Table, clock: Clock) -> None:
    """A turn that begins with a day of allowance and nothing else reminds at twelve hours, and not at two days."""
    clock.pass_by(4 * DAY - 1)
    seat = slow.deciding
    while slow.deciding == seat:
        slow.play(1)
    while slow.deciding != seat:
        slow.play(1)
    had = standing_of(slow).turns[seat].had
    assert had == DAY * 1000 + 1000
    clock.pass_by(11 * HOUR)
    assert reminded() == []
    clock.pass_by(2 * HOUR)
    assert reminded() == ["11 hours"]


def test_a_decision_within_a_turn_begins_no_other_one(slow: Table, clock: Clock) -> None:
    clock.pass_by(2 * DAY)
    assert reminded() == ["2 days"]
    slow.act(slow.waiting, OfferIt(id="o", what="draw"))
    assert reminded() == [], "an offer of the other one changes the version and nothing else"
    turn = standing_of(slow).turns
    seat = slow.deciding
    slow.play(1)
    if slow.deciding == seat:
        assert standing_of(slow).turns == turn and reminded() == []


def test_never_during_a_pause_or_a_vacation(slow: Table, who: Any, clock: Clock) -> None:
    seat = slow.deciding
    slow.act(seat, OfferIt(id="p", what="pause"))
    slow.act(1 - seat, Agree(id="q", what="pause"))
    clock.pass_by(3 * DAY)
    assert reminded() == []
    for one in (0, 1):
        slow.act(one, Resume(id="r"))
    assert reminded() == [], "nothing has been used up"
    vacations.begin(who, 5)
    drain()
    clock.pass_by(4 * DAY)
    assert reminded() == []
    vacations.end(who)
    drain()
    clock.pass_by(2 * DAY)
    assert reminded() == ["2 days"]


def test_who_has_answered_meanwhile_is_not_reminded(slow: Table, clock: Clock) -> None:
    clock.pass_by(2 * DAY)
    reminders.sweep()
    seat = slow.deciding
    while slow.deciding == seat:
        slow.play(1)
    drain()
    assert mail.outbox == []


def test_who_chose_a_moment_ago_and_has_more_to_choose_is_not_reminded(slow: Table, clock: Clock) -> None:
    clock.pass_by(2 * DAY)
    reminders.sweep()
    Move.objects.create(
        match=slow.row, seq=900, seat=slow.deciding, kind=Move.Kind.CHOOSE, action_id="x", digest="", events=b""
    )
    drain()
    assert mail.outbox == []


def test_a_reminder_comes_although_a_mail_is_out_and_no_other_notice_after_it(
    slow: Table, who: Any, clock: Clock
) -> None:
    wishes = Wishes.objects.filter(user=who)
    wishes.update(mailed=timezone.now())
    clock.pass_by(2 * DAY)
    assert reminded() == ["2 days"]
    wishes.update(mailed=None)
    clock.pass_by(39 * HOUR)
    assert reminded() == ["9 hours"]
    assert wishes.get().mailed is not None, "it is a mail that it is their move"
    Match.objects.update(changed=timezone.now() - timezone.timedelta(days=4))
    Told.objects.all().delete()
    posting.sweep()
    drain()
    assert len(mail.outbox) == 2


@pytest.mark.parametrize("mails_wanted", [Wishes.Mail.OFF, Wishes.Mail.DAILY])
def test_who_wants_no_mails_or_a_digest_gets_no_reminder_by_mail(slow: Table, clock: Clock, mails_wanted: str) -> None:
    Wishes.objects.update(mail=mails_wanted)
    clock.pass_by(2 * DAY)
    assert reminded() == []


def test_a_digest_says_what_is_left(slow: Table, clock: Clock) -> None:
    Wishes.objects.update(mail=Wishes.Mail.DAILY)
    clock.pass_by(2 * DAY)
    Match.objects.update(changed=timezone.now() - timezone.timedelta(days=2))
    posting.sweep()
    drain()
    (message,) = mail.outbox
    assert "waits for you. You have 2 days left." in message.body


def test_browsers_are_reminded_too(slow: Table, who: Any, clock: Clock) -> None:
    row = Subscription.objects.create(user=who, endpoint="https://x", endpoint_hash="x", p256dh="p", auth="a")
    clock.pass_by(2 * DAY)
    reminders.sweep()
    assert Job.objects.filter(task="matches.notices.push", payload__to=row.pk, payload__about="half").count() == 1


def test_live_matches_and_those_against_computers_remind_of_nothing(
    timed: Callable[[Tempo], Table], clock: Clock, alice: Any, deck: TableDeck
) -> None:
    timed(LIVE[0])
    lobby.play_computer(alice, deck, [deck])
    clock.pass_by(590)
    assert reminded() == [] and not Reminder.objects.exists()
