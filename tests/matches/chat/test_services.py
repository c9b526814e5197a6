"""Who reads what was written at a table, who may write, and what comes of reports."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from ccg.server.accounts.leaving import leave
from decks.models import Report
from decks.social import moderation, opinions
from decks.table_decks import TableDeck
from matches.chat import services
from matches.chat.models import Line
from matches.chat.services import ChatError
from matches.lobby import services as lobby
from matches.models import Match
from matches.playing import match_cache
from tests.matches.conftest import person

PLAYERS, LOOKERS_ON = Line.Room.PLAYERS, Line.Room.LOOKERS_ON


def table_of(first: Any, second: Any, deck: TableDeck, *, watchable: bool) -> str:
    opened = lobby.invite(first, deck, 2, watchable=watchable)
    lobby.join(opened, second, deck)
    return opened.public_id


@pytest.fixture
def match(alice: Any, bob: Any, deck: TableDeck) -> str:
    """A match of alice and bob that others may watch."""
    return table_of(alice, bob, deck, watchable=True)


@pytest.fixture
def carol(cards: None) -> Any:
    """Somebody with an account who looks on."""
    return person("carol")


def read(match: str, user: Any) -> list[str]:
    """What this person reads at the table."""
    may = services.reader(match, user)
    if may is None:
        return []
    unheard = services.blocked(user.pk)
    return [line.text for line in services.lines_after(match, may.reads, 0) if line.author not in unheard]


def finish(match: str, days_ago: float = 0) -> None:
    ended = timezone.now() - timedelta(days=days_ago)
    Match.objects.filter(public_id=match).update(state=Match.State.FINISHED, finished=ended)


def refused(match: str, user: Any, text: str = "hello", action: str = "x") -> str:
    with pytest.raises(ChatError) as error:
        services.say(match, user, action, text)
    return error.value.code


def test_players_and_those_who_look_on_do_not_read_each_other_while_the_match_runs(
    match: str, alice: Any, bob: Any, carol: Any
) -> None:
    """Who looks on may have been told by a player what the other one holds."""
    services.say(match, alice, "1", "Good luck, bob")
    services.say(match, carol, "1", "He should defend")
    assert read(match, alice) == read(match, bob) == ["Good luck, bob"]
    assert read(match, carol) == read(match, AnonymousUser()) == ["He should defend"]
    finish(match)
    assert read(match, bob) == ["Good luck, bob", "He should defend"]
    assert read(match, carol) == ["He should defend"]


def test_where_nobody_may_look_on_nobody_else_reads_or_writes(
    alice: Any, bob: Any, carol: Any, deck: TableDeck
) -> None:
    match = table_of(alice, bob, deck, watchable=False)
    services.say(match, alice, "1", "Only for us")
    assert services.reader(match, carol) is None
    assert refused(match, carol) == "no_chat"
    assert services.reader("nothere", alice) is None


def test_visitors_and_guests_look_on_in_silence(match: str, carol: Any) -> None:
    carol.is_guest = True
    carol.save()
    assert refused(match, carol) == "not_allowed"
    assert refused(match, AnonymousUser()) == "not_allowed"


def test_against_the_computer_and_in_lessons_there_is_no_chat(alice: Any, deck: TableDeck) -> None:
    against = lobby.play_computer(alice, deck, [deck])
    assert services.reader(against.public_id, alice) is None
    assert refused(against.public_id, alice) == "no_chat"


def test_a_line_sent_again_is_the_same_line(match: str, alice: Any) -> None:
    assert services.say(match, alice, "1", "once")
    assert not services.say(match, alice, "1", "once")
    assert read(match, alice) == ["once"]


def test_a_line_sent_again_has_nobody_look_for_it(match: str, alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each socket at the table looks, and sending the same again is no line that is counted."""
    told: list[str] = []
    monkeypatch.setattr(services.notifications, "notify_chat", told.append)
    for _ in range(3):
        services.say(match, alice, "1", "once")
    assert told == [match]


def test_a_line_is_one_line_of_bounded_length_that_can_be_read(match: str, alice: Any) -> None:
    services.say(match, alice, "1", "  two\nlines\u202e and\x00 more ")
    services.say(match, alice, "2", "x" * 600)
    services.say(match, alice, "3", "Z" + "\u0316\u0301" * 100 + " Tôn Nữ Thị, प्रिया, สมชาย")
    first, second, third = read(match, alice)
    assert first == "two lines and more"
    assert len(second) == 300
    assert third == "Z\u0316\u0301\u0316\u0301\u0316 Tôn Nữ Thị, प्रिया, สมชาย"
    assert refused(match, alice, " \u200b\n ") == "not_allowed"


def test_many_lines_at_once_are_refused_at_all_tables_together(match: str, alice: Any) -> None:
    for number in range(services.LINES_AT_ONCE):
        services.say(match, alice, str(number), "again")
    assert refused(match, alice) == "too_fast"
    long_ago = timezone.now() - timedelta(seconds=services.LINES_SECONDS + 1)
    Line.objects.update(created=long_ago)
    assert services.say(match, alice, "later", "again")


def test_a_day_after_the_match_the_chat_is_closed(match: str, alice: Any) -> None:
    finish(match, days_ago=0.9)
    services.say(match, alice, "1", "Well played!")
    finish(match, days_ago=1.1)
    assert refused(match, alice) == "over"
    assert read(match, alice) == ["Well played!"]


def test_who_is_blocked_is_not_heard_by_who_blocks_them_only(match: str, alice: Any, bob: Any) -> None:
    services.say(match, bob, "1", "rude words")
    number = Line.objects.get().pk
    assert services.block_author(match, alice, number) == bob.display_name
    assert read(match, alice) == []
    assert read(match, bob) == ["rude words"]
    assert opinions.blocked_by(alice).get()["person"] == bob.pk
    services.say(match, alice, "1", "I still write")
    assert read(match, bob) == ["rude words", "I still write"]
    with pytest.raises(ChatError):
        services.block_author(match, bob, number)  # oneself


def test_a_reported_line_comes_before_moderators_with_what_was_said_before_it(match: str, alice: Any, bob: Any) -> None:
    services.say(match, alice, "1", "Why?")
    services.say(match, bob, "1", "rude words")
    number = Line.objects.last().pk
    services.report(match, alice, number, "offensive", "He always does")
    services.report(match, alice, number, "offensive", "twice is once")
    report = Report.objects.get()
    assert (report.kind, report.author, report.words) == ("chat", "bob", "He always does")
    assert report.told == "alice: Why?\nbob: rude words"
    assert list(moderation.others(alice, Report.objects.all())) == [report]
    assert not moderation.others(bob, Report.objects.all()), "it is about what he wrote"
    staff = person("staff")
    moderation.take_down(staff, report)
    assert read(match, alice) == read(match, bob) == ["Why?"]
    report.refresh_from_db()
    assert report.state == Report.State.TAKEN_DOWN
    moderation.bring_back(staff, report)
    assert read(match, bob) == ["Why?", "rude words"]


def test_what_somebody_blocked_writes_is_not_there_to_be_reported(match: str, alice: Any, bob: Any) -> None:
    services.say(match, bob, "1", "before")
    opinions.block(alice, "bob")
    services.say(match, bob, "2", "after")
    before, after = Line.objects.order_by("pk").values_list("pk", flat=True)
    for number in (after, 10**9):
        with pytest.raises(ChatError, match="no such line for you"):
            services.report(match, alice, number, "spam", "")
    services.report(match, alice, before, "spam", "what was shown can be reported")
    assert Report.objects.get().subject == str(before)


def test_nobody_reports_or_blocks_by_a_line_that_they_cannot_read(match: str, alice: Any, carol: Any) -> None:
    """Else numbers could be tried, to find out who writes where."""
    services.say(match, alice, "1", "among players")
    number = Line.objects.get().pk
    for user in (carol, AnonymousUser()):
        with pytest.raises(ChatError, match="no such line for you"):
            services.report(match, user, number, "spam", "")
        with pytest.raises(ChatError, match="no such line for you"):
            services.block_author(match, user, number)
    assert not Report.objects.exists()


@pytest.mark.parametrize("keep", [False, True])
def test_who_leaves_says_whether_their_lines_go_with_them(match: str, alice: Any, bob: Any, keep: bool) -> None:
    services.say(match, alice, "1", "I was here")
    services.say(match, bob, "1", "So was I")
    leave(get_user_model().objects.get(pk=alice.pk), keep_decks=False, keep_chat=keep)
    match_cache.clear()
    assert read(match, bob) == (["I was here", "So was I"] if keep else ["So was I"])
    names = [line.name for line in services.lines_after(match, [PLAYERS], 0)]
    assert names == ([services.GONE, "bob"] if keep else ["bob"])
