"""Notices: who is told what and when, once; by mail to a server that takes it, by push to a service that decrypts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from smtplib import SMTPRecipientsRefused
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth import get_user_model
from django.core import mail
from django.test import Client
from django.utils import timezone

from ccg import mailing
from ccg.outbox.models import Job
from ccg.outbox.services import drain
from decks.table_decks import TableDeck
from matches.clocks import site_time
from matches.clocks.manners import ClockStrikes
from matches.clocks.standing import LONGEST_PAUSE
from matches.clocks.tempo import CORRESPONDENCE, LIVE
from matches.lobby import lesson_matches
from matches.lobby import services as lobby
from matches.models import LeftSeat, Match, Move
from matches.notices import mails, posting, pushing, telling, waiting, ways
from matches.notices.models import PushKey, Subscription, Told, Wishes
from matches.orders.models import StandingOrder
from matches.playing import moves
from matches.protocol.messages import Agree, Concede, OfferIt
from tests.matches.conftest import Table, match_of, person
from tests.matches.test_stand_ins import Three
from tests.people import signed_in, with_address
from tests.services_of_notices import Service, Sink, b64, mail_server, push_service, subscription


@pytest.fixture(autouse=True)
def _site(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.EMAIL_HOST = "mail.example.org"
    settings.SITE_ORIGINS = ["https://fleet.example.org"]
    monkeypatch.setattr(mailing._Pause, "until", 0.0)


@pytest.fixture
def away(table: Table) -> Table:
    """A match of Alice and Bob that has waited for somebody for an hour; both have an address."""
    for seat in table.row.seats.select_related("user"):
        Wishes.objects.create(user=with_address(seat.user), mail=Wishes.Mail.ONCE)
    return passed(table.only_one_decides())


def passed(table: Table, hours: float = 1) -> Table:
    """Let so much time pass at this table."""
    ago = timezone.now() - timedelta(hours=hours)
    Match.objects.filter(public_id=table.id).update(changed=ago)
    Move.objects.filter(match__public_id=table.id).update(created=ago)
    return table


def told() -> list[Any]:
    """Look around, do the work, and return the mails that were sent by that."""
    before = len(mail.outbox)
    posting.sweep()
    drain()
    return mail.outbox[before:]


def deciding(table: Table) -> Any:
    return table.row.seats.get(number=table.deciding).user


def test_who_is_waited_for_gets_a_mail_once_and_nobody_else(away: Table) -> None:
    sent = told()
    assert [message.to for message in sent] == [[deciding(away).email]]
    other = away.row.seats.get(number=away.waiting).name
    assert f"Your match against {other} waits for you." in sent[0].body
    assert f"https://fleet.example.org/table/{away.id}/" in sent[0].body
    assert told() == [] and told() == []


def test_the_name_of_an_opponent_is_no_link_in_a_mail(away: Table) -> None:
    away.row.seats.filter(number=away.waiting).update(name="J.R. www.evil.example")
    body = told()[0].body
    assert "Your match against J. R. www. evil. example waits for you." in body
    assert f"https://fleet.example.org/table/{away.id}/" in body


def test_both_are_told_who_are_asked_at_once_and_not_again_as_the_other_answers(table: Table) -> None:
    for seat in table.row.seats.select_related("user"):
        Wishes.objects.create(user=with_address(seat.user), mail=Wishes.Mail.ONCE)
    passed(table)
    assert sorted(message.to[0] for message in told()) == ["alice@example.org", "bob@example.org"]
    table.only_one_decides()
    passed(table)
    Wishes.objects.update(mailed=None)
    assert told() == []


def test_a_notice_holds_while_its_question_is_asked_whatever_others_answer(table: Table) -> None:
    passed(table)
    payload = {"match": table.id, "version": 0, "seat": table.deciding, "about": "move", "to": 0}
    table.only_one_decides()
    own = table.row.seats.get(number=table.deciding)
    assert telling.notice_of(payload, own) is not None
    seat = table.deciding
    table.play(1)
    assert telling.notice_of(payload, table.row.seats.get(number=seat)) is None


def test_the_next_mail_comes_after_the_next_visit(away: Table) -> None:
    told()
    user = deciding(away)
    while deciding(away) == user:
        away.play(1)
    while deciding(away) != user:
        away.play(1)
    Move.objects.update(created=timezone.now() - timedelta(hours=2))
    Wishes.objects.filter(user=user).update(mailed=timezone.now() - timedelta(hours=1))
    passed(away)
    Move.objects.update(created=timezone.now() - timedelta(hours=2))
    assert [one.to for one in told()] == [], "one is out, and they have not been here since"
    signed_in(user).get("/play/mine/")
    Told.objects.all().delete()
    Job.objects.all().delete()
    assert [one.to for one in told()] == [[user.email]]


def test_whoever_chose_in_a_tab_that_was_open_all_the_time_has_been_here(away: Table) -> None:
    told()
    user = deciding(away)
    since = Wishes.objects.get(user=user).mailed
    assert not waiting.has_been_here(user.pk, since)
    away.play(1)
    assert waiting.has_been_here(user.pk, since)


def test_what_others_choose_is_no_visit(away: Table) -> None:
    """Nor do moves of before count that they have made themselves."""
    user = deciding(away)
    away.play(1)
    while deciding(away) != user:
        away.play(1)
    passed(away)
    assert len(told()) == 1
    since = Wishes.objects.get(user=user).mailed
    away.act(away.waiting, OfferIt(id="o", what="draw"))
    assert not waiting.has_been_here(user.pk, since)
    passed(away)
    assert told() == [], "the version is another one, and the mail is still out"


def test_nobody_is_told_before_the_wait_is_long_or_after_it_has_ended(away: Table) -> None:
    passed(away, hours=0.01)
    assert told() == []
    passed(away)
    posting.sweep()
    away.play(1)
    drain()
    assert mail.outbox == [], "it was no longer so when the work was done"


def test_matches_against_the_computer_and_lessons_send_nothing(alice: Any, deck: TableDeck) -> None:
    Wishes.objects.create(user=alice, mail=Wishes.Mail.ONCE)
    lobby.play_computer(alice, deck, [deck])
    lesson_matches.play_lesson(alice, "first-match")
    Match.objects.update(changed=timezone.now() - timedelta(days=2), computer_to_move=False)
    assert told() == [] and not Told.objects.exists()


def test_the_end_is_told_to_who_was_not_there(away: Table) -> None:
    stayed = deciding(away)
    away.play(1)
    Match.objects.filter(public_id=away.id).update(changed=timezone.now())
    gone = away.row.seats.exclude(user=stayed).get()
    Move.objects.exclude(seat=away.row.seats.get(user=stayed).number).update(created=timezone.now() - timedelta(days=1))
    away.act(away.row.seats.get(user=stayed).number, Concede(id="c"))
    sent = told()
    assert [message.to for message in sent] == [[gone.user.email]]
    assert "is over. You have won." in sent[0].body
    assert told() == []


def test_who_has_run_out_of_time_is_told_that_it_is_over(away: Table) -> None:
    """The clock's move stands at their seat, and is none of theirs."""
    seat = away.deciding
    Move.objects.create(match=away.row, seq=2, seat=seat, kind=Move.Kind.TIME, action_id="clock", digest="", events=b"")
    Match.objects.update(
        state="finished", deciders=0, finished=timezone.now(), result={"winners": [1 - seat], "losers": [seat]}
    )
    own = away.row.seats.get(number=seat)
    assert telling.notice_for(away.row, own, "end") is not None


@pytest.mark.parametrize("how", [Wishes.Mail.ONCE, Wishes.Mail.DAILY])
def test_who_is_out_while_others_play_on_is_told_before_the_end(
    alice: Any, bob: Any, charlie: Any, deck: TableDeck, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At three and more the match may go on for weeks."""
    match = match_of(deck, alice, bob, charlie, tempo=CORRESPONDENCE[0])
    table = Table(match).only_one_decides()
    for seat in table.row.seats.select_related("user"):
        Wishes.objects.create(user=with_address(seat.user), mail=how)
    passed(table)
    told()
    late, others = deciding(table), table.row.seats.exclude(number=table.deciding).order_by("number")
    later = site_time.now() + (CORRESPONDENCE[0].allowance + CORRESPONDENCE[0].bank) * 1_000
    monkeypatch.setattr(site_time, "now", lambda: later)
    strikes = ClockStrikes(id=moves.site_id("clock", table.row.version))
    assert isinstance(moves.act(table.id, moves.Actor.runs_the_site(), strikes), moves.Accepted)
    passed(table)
    Wishes.objects.update(digested=timezone.now() - timedelta(hours=25))
    sent = {message.to[0]: message.body for message in told()}
    assert (
        f"Your time has run out in the match against {' and '.join(seat.name for seat in others)}." in sent[late.email]
    )
    assert "the others play on" in sent[late.email]
    assert told() == []
    Wishes.objects.update(digested=timezone.now() - timedelta(hours=25), endings=False)
    assert late.email not in {message.to[0] for message in told()}


@pytest.mark.parametrize("how", [Wishes.Mail.ONCE, Wishes.Mail.DAILY])
def test_who_loses_by_what_others_do_is_told_before_the_end_unless_they_were_there(
    alice: Any, bob: Any, charlie: Any, deck: TableDeck, how: str
) -> None:
    table = Table(match_of(deck, alice, bob, charlie, tempo=CORRESPONDENCE[0]))
    table.play(9)
    last = table.row.moves.latest("seq")
    lost = table.row.seats.exclude(number__in=[last.seat, table.deciding]).first()
    assert lost is not None
    table.row.seats.filter(pk=lost.pk).update(out_at=last.seq)  # as if it were by that move
    Wishes.objects.create(user=with_address(lost.user), mail=how)
    passed(table)
    assert told() == [], "they have chosen something just before"
    Told.objects.all().delete()
    table.row.moves.filter(seat=lost.number).update(created=timezone.now() - timedelta(days=1))
    [sent] = told()
    others = table.row.seats.exclude(number=lost.number).order_by("number")
    assert f"You have lost the match against {' and '.join(seat.name for seat in others)}." in sent.body
    assert "the others play on" in sent.body and sent.to == [lost.user.email]
    assert told() == []


@pytest.mark.parametrize("how", [Wishes.Mail.ONCE, Wishes.Mail.DAILY])
@pytest.mark.parametrize("what", ["computer", "substitute"])
def test_who_has_left_their_seat_to_others_is_told_that_and_the_end(
    alice: Any, bob: Any, charlie: Any, deck: TableDeck, how: str, what: str
) -> None:
    """They are rated for the match, as somebody who has left."""
    three = Three(match_of(deck, alice, bob, charlie, rated=True, tempo=LIVE[0]))
    leaver = with_address(three.user(three.gone))
    Wishes.objects.create(user=leaver, mail=how)
    against = " and ".join(three.row.seats.get(number=seat).name for seat in sorted({three.first, three.second}))
    three.give(what)
    if what == "substitute":
        lobby.take_seat(three.row, person("dana"))
    others = {"computer": "the computer", "substitute": "another player"}[what]
    passed(three)
    [sent] = told()
    assert sent.to == [leaver.email] and sent.subject.endswith("You are out of your match")
    assert f"You were away for too long in the match against {against}. You are out of it, and {others}" in sent.body
    Wishes.objects.update(digested=timezone.now() - timedelta(hours=25))
    for seat in (three.first, three.second):
        three.act(seat, Concede(id=f"c{seat}"))
    [sent] = told()
    assert sent.to == [leaver.email] and sent.subject.endswith("A match that you had left is over")
    assert f"The match against {against} that you had left is over; {others} played on" in sent.body
    assert f"https://fleet.example.org/matches/{three.id}/replay/" in sent.body
    Wishes.objects.update(digested=timezone.now() - timedelta(hours=25), mailed=None)
    LeftSeat.objects.update(left=timezone.now() - timedelta(days=2))
    Match.objects.update(finished=timezone.now() - timedelta(days=2))
    assert told() == []


def test_who_has_come_back_to_their_seat_is_not_told_that_they_have_left(
    alice: Any, bob: Any, charlie: Any, deck: TableDeck
) -> None:
    three = Three(match_of(deck, alice, bob, charlie, rated=True, tempo=LIVE[0]))
    leaver, dana = (with_address(user) for user in (three.user(three.gone), person("dana")))
    for user in (leaver, dana):
        Wishes.objects.create(user=user, mail=Wishes.Mail.ONCE)
    for user in (dana, leaver):
        three.left()
        three.give("substitute")
        lobby.take_seat(three.row, user)
    passed(three)
    subjects = {message.to[0]: message.subject for message in told()}
    assert subjects == {
        leaver.email: "[Ragtag Fleet] Your move", dana.email: "[Ragtag Fleet] You are out of your match",
    }  # fmt: skip


def test_nobody_is_told_in_a_pause_that_it_is_their_move_and_all_are_once_it_is_over(
    alice: Any, bob: Any, deck: TableDeck, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who relies on it that clocks stand still would else find them run out; it ends by itself after 30 days."""
    match = lobby.join(lobby.invite(alice, deck, 2, tempo=CORRESPONDENCE[0]), bob, deck)
    table = Table(match).only_one_decides()
    late = with_address(deciding(table))
    wishes = Wishes.objects.create(user=late, mail=Wishes.Mail.ONCE)
    passed(table)
    assert [message.to for message in told()] == [[late.email]]
    Wishes.objects.update(mailed=None)
    table.act(0, OfferIt(id="o", what="pause"))
    table.act(1, Agree(id="a", what="pause"))
    passed(table)
    Told.objects.all().delete()
    for mail_wished in (Wishes.Mail.ONCE, Wishes.Mail.DAILY):
        Wishes.objects.update(mail=mail_wished)
        assert told() == []
    Wishes.objects.update(mail=Wishes.Mail.ONCE)
    later = site_time.now() + LONGEST_PAUSE["correspondence"] * 1_000
    monkeypatch.setattr(site_time, "now", lambda: later)
    strikes = ClockStrikes(id=moves.site_id("clock", table.row.version))
    assert isinstance(moves.act(table.id, moves.Actor.runs_the_site(), strikes), moves.Accepted)
    passed(table)
    assert [message.to for message in told()] == [[wishes.user.email]]
    assert told() == []


def test_without_a_mail_server_or_an_address_there_is_no_mail(away: Table, settings: Any) -> None:
    settings.EMAIL_HOST = ""
    assert told() == []
    assert "this site sends none" in signed_in(deciding(away)).get("/accounts/notices/").content.decode()


def test_an_address_that_nobody_has_confirmed_gets_no_mail(away: Table) -> None:
    user = deciding(away)
    EmailAddress.objects.filter(user=user).update(verified=False)
    assert told() == []
    mails.handle_test({"user": user.pk})
    assert not mail.outbox
    assert (
        f"nobody has confirmed yet that {user.email} is yours"
        in signed_in(user).get("/accounts/notices/").content.decode()
    )


def test_by_default_nothing_is_mailed(table: Table) -> None:
    with_address(deciding(table))
    passed(table)
    assert told() == []


def test_a_digest_comes_once_a_day_with_all_that_waits(away: Table, bob: Any, alice: Any, deck: TableDeck) -> None:
    Wishes.objects.update(mail=Wishes.Mail.DAILY)
    second = passed(Table(lobby.join(lobby.invite(bob, deck, 2), alice, deck)).only_one_decides())
    sent = told()
    waits = {f"{user}@example.org": 0 for user in (alice, bob)}
    for table in (away, second):
        waits[deciding(table).email] += 1
    assert {message.to[0]: message.body.count("waits for you.") for message in sent} == {
        address: count for address, count in waits.items() if count
    }
    assert told() == []
    Wishes.objects.update(digested=timezone.now() - timedelta(hours=25))
    assert len(told()) == len(sent)


def day_after(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let it be a day later."""
    then = timezone.now() + timedelta(days=1, minutes=1)
    monkeypatch.setattr(timezone, "now", lambda: then)


def test_a_digest_that_never_went_out_does_not_keep_back_those_of_later_days(
    away: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    Wishes.objects.update(mail=Wishes.Mail.DAILY)
    posting.sweep()
    assert Job.objects.filter(task=ways.DIGEST_TASK).update(state=Job.State.FAILED)
    day_after(monkeypatch)
    assert [message.to for message in told()] == [[deciding(away).email]]


def test_a_digest_that_found_no_address_does_not_keep_back_those_of_later_days(
    away: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    Wishes.objects.update(mail=Wishes.Mail.DAILY)
    posting.sweep()
    EmailAddress.objects.update(verified=False)
    drain()
    EmailAddress.objects.update(verified=True)
    day_after(monkeypatch)
    assert [message.to for message in told()] == [[deciding(away).email]]


def test_who_has_no_address_keeps_nobody_from_a_digest(away: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = away.row.seats.order_by("user")
    Match.objects.update(deciders=0b11)
    Wishes.objects.update(mail=Wishes.Mail.DAILY)
    EmailAddress.objects.filter(user=first.user).update(verified=False)
    monkeypatch.setattr(posting, "AT_ONCE", 1)
    assert [message.to for message in told()] == [[second.user.email]]


def test_one_broken_match_keeps_nobody_from_being_told_of_others(
    away: Table, bob: Any, alice: Any, deck: TableDeck
) -> None:
    second = passed(Table(lobby.join(lobby.invite(bob, deck, 2), alice, deck)).only_one_decides())
    Match.objects.filter(public_id=away.id).update(standing=b"broken")
    assert [second.id in message.body for message in told()] == [True]


def test_matches_that_are_broken_take_the_place_of_no_others(
    away: Table, bob: Any, alice: Any, deck: TableDeck, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting, "AT_ONCE", 1)
    second = passed(Table(lobby.join(lobby.invite(bob, deck, 2), alice, deck)).only_one_decides())
    Match.objects.filter(public_id=away.id).update(standing=b"broken")
    assert [second.id in message.body for message in [*told(), *told()]] == [True]


def over_without(table: Table) -> Any:
    """Let the match end by a concession of who must decide; return the seat of the other, who has long been away."""
    leaver = table.deciding
    gone = table.row.seats.get(number=table.waiting)
    Move.objects.filter(seat=gone.number).update(created=timezone.now() - timedelta(days=1))
    table.act(leaver, Concede(id="c"))
    return gone


def test_a_digest_tells_of_matches_that_are_over_too_and_once(away: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    Wishes.objects.update(mail=Wishes.Mail.DAILY)
    gone = over_without(away)
    sent = told()
    assert [message.to for message in sent] == [[gone.user.email]], "who has conceded was there"
    assert sent[0].subject.endswith("Your match is over") and "is over. You have won." in sent[0].body
    day_after(monkeypatch)
    assert told() == []


def test_a_digest_tells_of_no_end_to_who_does_not_want_that(away: Table) -> None:
    Wishes.objects.update(mail=Wishes.Mail.DAILY, endings=False)
    over_without(away)
    assert told() == []


def test_a_match_that_ends_after_the_digest_is_told_by_the_next(
    away: Table, bob: Any, alice: Any, deck: TableDeck, monkeypatch: pytest.MonkeyPatch
) -> None:
    Wishes.objects.update(mail=Wishes.Mail.DAILY, digested=timezone.now() - timedelta(hours=2))
    gone = over_without(away)
    other = passed(Table(lobby.join(lobby.invite(bob, deck, 2), alice, deck)), hours=2)
    assert told() == []
    day_after(monkeypatch)
    sent = {message.to[0]: message for message in told()}
    assert sent.keys() == {"alice@example.org", "bob@example.org"}, "the new match waits for both"
    assert [address for address, message in sent.items() if "is over." in message.body] == [gone.user.email]
    assert sent[gone.user.email].subject.endswith("A match waits for you") and other.id in sent[gone.user.email].body


def test_digests_that_have_piled_up_are_one(away: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    Wishes.objects.update(mail=Wishes.Mail.DAILY)
    posting.sweep()
    day_after(monkeypatch)
    assert [message.to for message in told()] == [[deciding(away).email]]


def test_the_link_in_a_mail_stops_them_without_signing_in_and_only_when_asked(away: Table) -> None:
    user = deciding(away)
    message = told()[0]
    link = message.extra_headers["List-Unsubscribe"].strip("<>")
    assert link in message.body and message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    stranger = Client(enforce_csrf_checks=True)
    path = link.removeprefix("https://fleet.example.org")
    assert stranger.get(path).status_code == 200 and Wishes.objects.get(user=user).mail == "once"
    assert stranger.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert Wishes.objects.get(user=user).mail == "off"


@pytest.mark.parametrize("change", [lambda t: t[:-1] + ("A" if t[-1] != "A" else "B"), lambda t: "9" + t])
def test_another_link_stops_nothing(away: Table, change: Any) -> None:
    token = mails.token_of(deciding(away).pk)
    assert Client().post(f"/notices/stop/{change(token)}/").status_code == 404
    assert set(Wishes.objects.values_list("mail", flat=True)) == {"once"}


def test_wishes_are_set_on_their_page(alice: Any) -> None:
    browser = signed_in(alice)
    assert browser.post("/accounts/notices/", {"mail": "daily"}).status_code == 302
    assert Wishes.objects.values_list("mail", "endings").get(user=alice) == ("daily", False)
    browser.post("/accounts/notices/", {"mail": "hourly", "endings": "on"})
    assert Wishes.objects.values_list("mail", "endings").get(user=alice) == ("daily", False)
    assert Client().get("/accounts/notices/").status_code == 302


def test_the_test_button_sends_by_every_way_once_a_minute(away: Table) -> None:
    user = deciding(away)
    browser = signed_in(user)
    for _ in range(2):
        browser.post("/accounts/notices/test/")
    drain()
    assert [message.subject for message in mail.outbox] == ["[Ragtag Fleet] Test of notices"]


def test_a_test_is_offered_only_where_it_can_arrive(away: Table) -> None:
    page = signed_in(deciding(away)).get("/accounts/notices/").content.decode()
    assert "Nothing can reach you yet" not in page
    stranger = get_user_model().objects.create_user("nobody-told", display_name="Nobody Told")
    page = signed_in(stranger).get("/accounts/notices/").content.decode()
    assert "disabled" in page and "Nothing can reach you yet" in page


@pytest.mark.parametrize(("wish", "words"), [("off", "can come, once you choose so, to"), ("daily", "come to")])
def test_a_test_says_whether_notices_come(away: Table, wish: str, words: str) -> None:
    user = deciding(away)
    Wishes.objects.update_or_create(user=user, defaults={"mail": wish})
    mails.handle_test({"user": user.pk})
    assert f"Notices of your matches {words} this address." in mail.outbox[-1].body.replace("\n", " ")


def test_tests_to_one_address_are_few_whoever_asks(away: Table) -> None:
    user = deciding(away)
    for _ in range(7):
        mails.handle_test({"user": user.pk})
    assert len(mail.outbox) == mails.TESTS_PER_HOUR


def test_an_address_that_is_refused_for_good_gets_no_more_mails(away: Table, monkeypatch: Any) -> None:
    user = deciding(away)

    def refuse(*args: Any, **kwargs: Any) -> None:
        raise SMTPRecipientsRefused({user.email: (550, b"no such person")})

    monkeypatch.setattr("django.core.mail.EmailMessage.send", refuse)
    told()
    assert Wishes.objects.get(user=user).mail == "off"
    assert not Job.objects.filter(task=mails.TASK).exclude(state=Job.State.DONE).exists()


def test_a_mail_server_that_is_away_is_asked_later_and_keeps_no_other_work_waiting(
    away: Table, monkeypatch: Any
) -> None:
    asked = []

    def fail(*args: Any, **kwargs: Any) -> None:
        asked.append(1)
        raise ConnectionRefusedError("away")

    monkeypatch.setattr("django.core.mail.EmailMessage.send", fail)
    told()
    Job.objects.update(due=timezone.now())
    drain()
    job = Job.objects.get(task=mails.TASK)
    assert len(asked) == 1 and job.state == Job.State.WAITING and job.attempts == 2


def test_a_mail_server_gets_the_mail(away: Table, settings: Any) -> None:
    with mail_server() as port:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
        posting.sweep()
        drain()
    (taken,) = Sink.kept
    assert taken["Subject"] == "[Ragtag Fleet] Your move"
    assert taken["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


# -- push


@pytest.fixture
def service(db: None, settings: Any) -> Iterator[str]:
    """Return the endpoint of a browser at a push service of our own."""
    with push_service() as origin:
        Service.sender = pushing.public_key()
        settings.PUSH_HOSTS = [*settings.PUSH_HOSTS, origin]
        yield f"{origin}/browser/1"


def take_in(user: Any, endpoint: str, **changes: Any) -> Any:
    sent = subscription(endpoint) | changes
    return signed_in(user).post("/accounts/notices/browser/", sent, content_type="application/json")


def test_a_browser_gets_what_it_alone_can_read_and_nothing_hidden(table: Table, service: str) -> None:
    user = deciding(table)
    assert take_in(user, service).status_code == 204
    passed(table)
    told()
    other = table.row.seats.get(number=table.waiting).name
    assert Service.got == [{
        "title": "Your move", "text": f"Your match against {other} waits for you.",
        "url": f"https://fleet.example.org/table/{table.id}/", "tag": table.id,
    }]  # fmt: skip
    told()
    assert len(Service.got) == 1


@pytest.mark.parametrize("answer", [404, 410])
def test_a_subscription_that_its_service_does_not_know_is_deleted(table: Table, service: str, answer: int) -> None:
    take_in(deciding(table), service)
    Service.answers = answer
    passed(table)
    told()
    assert not Subscription.objects.exists()
    assert not Job.objects.filter(task=pushing.TASK).exclude(state=Job.State.DONE).exists()


@pytest.mark.parametrize("answer", [500, 429, 307])
def test_one_that_answers_badly_is_tried_again_and_its_address_kept_from_logs(
    table: Table, service: str, answer: int, caplog: pytest.LogCaptureFixture
) -> None:
    take_in(deciding(table), service)
    Service.answers = answer
    passed(table)
    told()
    job = Job.objects.get(task=pushing.TASK)
    assert job.state == Job.State.WAITING and Subscription.objects.count() == 1
    assert service not in job.error + caplog.text + str(job.payload)


@pytest.mark.parametrize("answer", [400, 401, 403, 413])
def test_a_message_that_its_service_refuses_for_good_is_not_sent_again(
    table: Table, service: str, answer: int, caplog: pytest.LogCaptureFixture
) -> None:
    take_in(deciding(table), service)
    Service.answers = answer
    passed(table)
    told()
    assert Job.objects.get(task=pushing.TASK).state == Job.State.DONE
    assert Subscription.objects.count() == 1 and service not in caplog.text


@pytest.mark.parametrize("answer", [400, 429, 500])
def test_a_test_is_sent_once_whatever_comes_of_it(alice: Any, service: str, answer: int) -> None:
    take_in(alice, service)
    Service.answers = answer
    signed_in(alice).post("/accounts/notices/test/")
    drain()
    assert len(Service.got) == 1 and Job.objects.get(task=pushing.TASK).state == Job.State.DONE


def test_tests_to_made_up_browsers_never_stand_before_all_other_work(alice: Any, bob: Any) -> None:
    """Guests are made by the hundred, and each may name ten browsers that are none."""
    for user in (alice, bob):
        for number in range(pushing.MOST):
            take_in(user, f"https://fcm.googleapis.com/{user.pk}/{number}")
    for _ in range(5):
        for user in (alice, bob):
            Wishes.objects.filter(user=user).update(tested=None)
            answer = signed_in(user).post("/accounts/notices/test/", follow=True)
    assert Job.objects.filter(task=pushing.TASK).count() <= pushing.TESTS_WAITING
    assert b"Many tests are on their way just now" in answer.content


STRANGE = (
    "http://127.0.0.1:8000/admin/", "https://169.254.169.254/latest/", "https://localhost/", "file:///etc/passwd",
    "https://fcm.googleapis.com.evil.example/x", "https://evil.example/fcm.googleapis.com", "http://fcm.googleapis.com/x",
    "https://fcm.googleapis.com:22/x", "https://user@fcm.googleapis.com/x", "https://evilpush.apple.com/x", "", "https://[",
    # Who reads these as a browser does connects to the host before the sign.
    *(f"https://127.0.0.1{sign}.notify.windows.com/x" for sign in ("\\", "/", "?", "#", "\t", "\n", " ", "%5c", "@")),
    " https://fcm.googleapis.com/x", "https://fcm.googleapis.com/x\n", "https://fcm.googleapis.com\\x",
    "https:fcm.googleapis.com", "https://x..push.apple.com/x", "https://-x.push.apple.com/x", "https://.push.apple.com/x",
    f"https://{'x' * 64}.push.apple.com/x",
)  # fmt: skip
NO_POINT = b64(b"\x04" + bytes(64))
NO_KEYS = (
    None, {}, {"p256dh": "", "auth": ""}, {"p256dh": "é", "auth": "x"}, {"p256dh": 1, "auth": 2},
    {"p256dh": NO_POINT, "auth": b64(bytes(16))}, {"p256dh": b64(bytes(65)), "auth": b64(bytes(16))},
)  # fmt: skip
NO_SUBSCRIPTIONS = ("", "{", "[]", '{"endpoint": 1}', "[" * 2000, '{"endpoint": "' + "x" * 5000 + '"}')


def test_only_push_services_are_ever_connected_to(alice: Any) -> None:
    for endpoint in STRANGE:
        answer = take_in(alice, endpoint)
        assert answer.status_code == 400 and "push service" in answer.json()["detail"], endpoint
    assert not Subscription.objects.exists()


def test_a_host_that_is_known_no_more_is_not_connected_to_and_its_browsers_are_forgotten(
    table: Table, service: str, settings: Any
) -> None:
    take_in(deciding(table), service)
    settings.PUSH_HOSTS = ["fcm.googleapis.com"]
    passed(table)
    told()
    assert not Service.got and not Subscription.objects.exists()


def test_a_browser_with_keys_that_were_taken_in_unseen_is_forgotten(table: Table, service: str) -> None:
    take_in(deciding(table), service)
    Subscription.objects.update(p256dh=NO_POINT)
    passed(table)
    told()
    assert not Service.got and not Subscription.objects.exists()


def test_an_address_is_kept_from_logs_where_nobody_answers_there(
    table: Table, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.PUSH_HOSTS = ["http://127.0.0.1:1"]
    take_in(deciding(table), "http://127.0.0.1:1/nobody-else-knows")
    passed(table)
    told()
    job = Job.objects.get(task=pushing.TASK)
    assert job.state == Job.State.WAITING
    assert "nobody-else-knows" not in job.error + caplog.text + str(job.payload)


def test_what_is_no_subscription_is_refused(alice: Any) -> None:
    for keys in NO_KEYS:
        assert take_in(alice, "https://fcm.googleapis.com/x", keys=keys).status_code == 400, keys
    browser = signed_in(alice)
    for body in NO_SUBSCRIPTIONS:
        for ask in (browser.post, browser.delete):
            assert ask("/accounts/notices/browser/", body, content_type="application/json").status_code == 400, body
    assert not Subscription.objects.exists()


def test_a_subscription_comes_as_json_and_as_nothing_else(alice: Any) -> None:
    """Where forms are checked for their token, a form's body is read, and there is none left to be read again."""
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(alice)
    browser.get("/accounts/notices/")
    token = {"x-csrftoken": browser.cookies["csrftoken"].value}
    for kind in ("multipart/form-data; boundary=x", "application/x-www-form-urlencoded", "text/plain", ""):
        for ask in (browser.post, browser.delete):
            answer = ask("/accounts/notices/browser/", b"--x--\r\n", content_type=kind, headers=token)
            assert (answer.status_code, answer.json()["code"]) == (400, "invalid"), kind


def test_services_of_the_great_browsers_are_known() -> None:
    for endpoint in (
        "https://fcm.googleapis.com/fcm/send/x:y", "https://updates.push.services.mozilla.com/wpush/v2/x",
        "https://web.push.apple.com/x", "https://wns2-par02p.notify.windows.com/w/?token=x",
    ):  # fmt: skip
        assert pushing.is_known(endpoint)


def test_a_browser_belongs_to_who_used_it_last_and_one_has_ten_at_most(alice: Any, bob: Any) -> None:
    for number in range(12):
        take_in(alice, f"https://fcm.googleapis.com/{number}")
    assert Subscription.objects.filter(user=alice).count() == pushing.MOST
    take_in(bob, "https://fcm.googleapis.com/11")
    assert Subscription.objects.get(endpoint="https://fcm.googleapis.com/11").user == bob
    gone = {"endpoint": "https://fcm.googleapis.com/11"}
    signed_in(alice).delete("/accounts/notices/browser/", gone, content_type="application/json")
    assert Subscription.objects.filter(user=bob).exists(), "only one's own is forgotten"
    signed_in(bob).delete("/accounts/notices/browser/", gone, content_type="application/json")
    assert not Subscription.objects.filter(user=bob).exists()


def test_a_new_password_ends_notices_in_all_browsers_and_the_page_tells_which_are_known(alice: Any, bob: Any) -> None:
    """Whoever had somebody's browser for a moment could otherwise read of their matches for ever."""
    for user in (alice, bob):
        take_in(user, f"https://fcm.googleapis.com/{user.pk}")
    known = Subscription.hash_of(f"https://fcm.googleapis.com/{alice.pk}")
    page = signed_in(alice).get("/accounts/notices/").content.decode()
    assert f'data-known="{known}"' in page and "googleapis" not in page
    alice.set_password("something else")
    alice.save()
    assert not Subscription.objects.filter(user=alice).exists() and Subscription.objects.filter(user=bob).exists()
    assert 'data-known=""' in signed_in(alice).get("/accounts/notices/").content.decode()


def test_signing_out_ends_the_notices_of_that_browser_alone(alice: Any) -> None:
    """Whoever uses a shared machine next could otherwise read of the matches of the person before."""
    browsers = {name: signed_in(alice) for name in ("home", "library")}
    for name, browser in browsers.items():
        sent = subscription(f"https://fcm.googleapis.com/{name}")
        assert browser.post("/accounts/notices/browser/", sent, content_type="application/json").status_code == 204
    assert browsers["library"].post("/accounts/logout/").status_code == 302
    assert Subscription.objects.get().endpoint == "https://fcm.googleapis.com/home"


def test_signing_out_leaves_a_browser_that_somebody_else_uses_meanwhile(alice: Any, bob: Any) -> None:
    first = signed_in(alice)
    sent = subscription("https://fcm.googleapis.com/shared")
    first.post("/accounts/notices/browser/", sent, content_type="application/json")
    take_in(bob, "https://fcm.googleapis.com/shared")
    first.post("/accounts/logout/")
    assert Subscription.objects.get().user == bob


def test_whoever_signs_in_where_a_guest_was_is_not_told_of_the_guests_matches(alice: Any) -> None:
    """The guest is left behind for good, and it may have been somebody else."""
    alice.set_password("viper-mark-2")
    alice.save()
    guest = get_user_model().objects.create_guest()
    browser = signed_in(guest)
    sent = subscription("https://fcm.googleapis.com/shared")
    assert browser.post("/accounts/notices/browser/", sent, content_type="application/json").status_code == 204
    form = {"login": alice.username, "password": "nothing like it"}
    assert browser.post("/accounts/login/", form).status_code == 200
    assert Subscription.objects.get().user == guest
    assert browser.post("/accounts/login/", {**form, "password": "viper-mark-2"}).status_code == 302
    assert not Subscription.objects.exists()


def test_a_guest_who_signs_up_keeps_the_notices_of_the_browser(db: None) -> None:
    guest = get_user_model().objects.create_guest()
    take_in(guest, "https://fcm.googleapis.com/x")
    form = {"username": "kara", "password1": "viper-mark-2", "password2": "viper-mark-2"}
    assert signed_in(guest).post("/accounts/upgrade/", form).status_code == 302
    assert not get_user_model().objects.get().is_guest
    assert Subscription.objects.get().user == guest


def test_the_key_is_made_once(db: None) -> None:
    assert pushing.public_key() == pushing.public_key()
    assert PushKey.objects.count() == 1


def test_a_push_key_is_in_no_page_of_the_administration(admin_user: Any, db: None) -> None:
    pushing.public_key()
    browser = signed_in(admin_user)
    assert browser.get("/admin/notices/").status_code == 404
    assert PushKey.objects.get().private not in browser.get("/accounts/notices/").content.decode()


def test_the_notice_says_which_order_was_disarmed_and_why(away: Table) -> None:
    seat = away.deciding
    order = StandingOrder.objects.create(
        match=away.row, seat=seat, action_id="o", decision="action", when="always", scope="phase", until="event",
        since=0, turn=1, phase="execution", state="disarmed", why="Somebody else challenged.",
    )  # fmt: skip
    posting.sweep()
    drain()
    (mailed,) = mail.outbox
    assert "Your order “Pass, until something happens” holds no more. Somebody else challenged." in mailed.body
    order.delete()
    notice = telling.notice_for(away.row, away.row.seats.get(number=seat), "move")
    assert notice is not None
    assert "holds no more" not in notice.text


def test_what_the_site_answers_is_no_visit(away: Table) -> None:
    by_site = Move.objects.create(
        match=away.row, seq=2, seat=0, kind="choose", action_id="order 3 0", digest="", events=b""
    )
    Move.objects.exclude(pk=by_site.pk).delete()
    user = away.row.seats.get(number=0).user_id
    assert user is not None
    ago = timezone.now() - timedelta(minutes=1)
    assert not waiting.has_been_here(user, ago)
    Move.objects.update(action_id="by-hand")
    assert waiting.has_been_here(user, ago)
