"""Suspended people finish what runs and take their data with them; they begin nothing and write nothing for others."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from ccg.suspension import NO_END, Suspended, sentence
from decks import services as decks
from decks.models import Comment, Deck
from decks.social import opinions, reported
from decks.table_decks import TableDeck
from matches.chat import services as chat
from matches.lobby import lesson_matches, rematches
from matches.lobby import services as lobby
from matches.lobby.errors import LobbyError
from matches.models import Match
from matches.pairing import services as pairing
from matches.pairing.models import QueueEntry
from matches.playing import moves
from matches.protocol.messages import Concede
from matches.replays import notes
from tests.decks.conftest import LEGAL_LIST
from tests.matches.conftest import person
from tests.people import signed_in


def suspend(user: Any, days: float = 7) -> None:
    """Suspend somebody for so many days."""
    user.suspended_until, user.suspended_why = timezone.now() + timedelta(days=days), "Rude at tables."
    user.save()


def staff(*rights: str) -> Client:
    """Somebody of staff with these rights of accounts, signed in."""
    saul = person("saul")
    saul.is_staff = True
    saul.save()
    saul.user_permissions.set(Permission.objects.filter(codename__in=rights))
    return signed_in(saul)


@pytest.mark.parametrize(
    ("why", "told"), [("Rude", "Why: Rude."), ("Rude. ", "Why: Rude."), ("Really?", "Why: Really?")]
)
def test_the_reason_is_told_as_a_sentence(alice: Any, why: str, told: str) -> None:
    """Others may follow it: the chat says after it that quick phrases are left."""
    suspend(alice)
    alice.suspended_why = why
    assert sentence(alice).endswith(f" {told}")


def test_a_suspended_person_begins_nothing_and_writes_nothing_for_others(alice: Any, bob: Any, deck: TableDeck) -> None:
    opened, done = lobby.invite(bob, deck, 2), lobby.play_computer(alice, deck, [deck])
    moves.act(done.public_id, moves.Actor.person(alice.pk), Concede(id="done"))
    done.refresh_from_db()
    public = decks.create_from_text(alice, LEGAL_LIST, visibility="public")
    private = decks.create_from_text(alice, LEGAL_LIST)
    count = Match.objects.count()
    suspend(alice)
    refused: list[Callable[[], object]] = [
        lambda: lobby.play_computer(alice, deck, [deck]),
        lambda: lesson_matches.play_lesson(alice, "first-match"),
        lambda: lobby.invite(alice, deck, 2),
        lambda: lobby.join(opened, alice, deck),
        lambda: lobby.take_seat(opened, alice),
        lambda: rematches.rematch(done, alice),
        lambda: pairing.join(alice, "ranked", deck),
        lambda: opinions.comment(alice, Deck.objects.starters()[0], "Rude"),
        lambda: opinions.like(alice, Deck.objects.starters()[0]),
        lambda: opinions.describe(public, "Rude", ""),
        lambda: opinions.tag(public, "rude"),
        lambda: decks.rename(public, "Rude"),
        lambda: decks.publish(public, decks.read_text(LEGAL_LIST).deck, "Rude"),
        lambda: decks.set_visibility(private, "public"),
        lambda: decks.create_from_text(alice, LEGAL_LIST, visibility="unlisted"),
    ]
    for one in refused:
        with pytest.raises(Suspended, match=r"suspended you until .* UTC.*Rude at tables"):
            one()
    assert (Match.objects.count(), Comment.objects.count(), QueueEntry.objects.count()) == (count, 0, 0)
    decks.rename(private, "For myself")
    decks.set_visibility(public, "private")
    suspend(alice, days=-1)
    lobby.join(opened, alice, deck)


def test_no_match_begins_for_who_was_suspended_since_they_sat_down(alice: Any, bob: Any, deck: TableDeck) -> None:
    """As it may be for a moment, while staff suspend them: then their tables are left, and their places in queues."""
    opened = lobby.invite(alice, deck, 2)
    for one in (alice, bob):
        pairing.join(one, "casual", deck)
    entries = QueueEntry.objects.order_by("pk").values_list("pk", flat=True)
    stale = bob.__class__.objects.get(pk=alice.pk)
    suspend(alice)
    with pytest.raises(LobbyError, match="can begin no match just now"):
        lobby.join(opened, bob, deck)
    opened.refresh_from_db()
    assert opened.state == "abandoned"
    with pytest.MonkeyPatch.context() as late:
        late.setattr(pairing, "still_waits", lambda entry, now: True)
        assert pairing.begin(*entries, timezone.now()) is None
    assert QueueEntry.objects.get().user == bob, "who stands in nobody's way waits on"
    assert not Match.objects.filter(state="running").exists() and sentence(stale) == ""


def test_a_suspended_person_may_still_report(alice: Any, bob: Any, deck: TableDeck) -> None:
    public = decks.create_from_text(bob, LEGAL_LIST, visibility="public")
    suspend(alice)
    assert reported.report_deck(alice, public, "spam").state == "open"


def test_a_suspended_person_finishes_what_runs_and_says_only_quick_phrases(
    alice: Any, bob: Any, deck: TableDeck
) -> None:
    match = lobby.invite(bob, deck, 2)
    lobby.join(match, alice, deck)
    suspend(alice)
    with pytest.raises(chat.ChatError, match="Rude at tables"):
        chat.say(match.public_id, chat.person(alice.pk), "a", "You frakking toaster")
    assert chat.say(match.public_id, chat.person(alice.pk), "b", chat.PHRASES[1])
    assert signed_in(alice).get(match.get_absolute_url()).status_code == 200
    assert isinstance(moves.act(match.public_id, moves.Actor.person(alice.pk), Concede(id="c")), moves.Accepted)


def test_notes_that_a_link_shows_are_not_written_on(alice: Any, deck: TableDeck) -> None:
    match = lobby.play_computer(alice, deck, [deck])
    moves.act(match.public_id, moves.Actor.person(alice.pk), Concede(id="done"))
    match.refresh_from_db()
    notes.keep(match, alice, 0, "Well kept.")
    notes.share(match, alice, True)
    suspend(alice)
    with pytest.raises(Suspended):
        notes.keep(match, alice, 0, "Rude")
    notes.keep(match, alice, 0, "")
    notes.share(match, alice, False)
    assert [one["text"] for one in notes.lines(notes.keep(match, alice, 1, "For myself"))] == ["For myself"]


def test_a_suspended_guest_gets_no_other_name(cards: None) -> None:
    browser = Client()
    browser.post(reverse("guest"))
    guest = get_user_model().objects.get(is_guest=True)
    suspend(guest)
    sent = {"username": "Rude", "password1": "a-password-of-some-kind", "password2": "a-password-of-some-kind"}
    answer = browser.post(reverse("account_upgrade"), sent)
    assert answer.status_code == 403 and "Rude at tables." in answer.content.decode()
    guest.refresh_from_db()
    assert guest.is_guest and guest.display_name != "Rude"


def test_pages_and_the_api_say_why_and_until_when(alice: Any, deck: TableDeck) -> None:
    suspend(alice)
    browser = signed_in(alice)
    assert "Rude at tables." in browser.get("/").content.decode()
    answer = browser.post(reverse("account_me"), {"display_name": "Rude"})
    assert answer.status_code == 403
    told = answer.content.decode().partition("<main")[2]
    assert "Your account is suspended" in told and "suspended you until" in told and "Rude at tables." in told
    sent = {"text": LEGAL_LIST, "visibility": "public"}
    told = browser.post("/api/v1/decks/", sent, content_type="application/json")
    assert (told.status_code, told.json()["code"]) == (403, "suspended") and "until" in told.json()["detail"]
    data = browser.post(reverse("account_data"))
    data.close()
    assert data.status_code == 200
    browser.post(reverse("account_delete"), {"decks": "take", "password": "alice-password-1"})
    assert not type(alice).objects.filter(pk=alice.pk).exists()


def test_staff_suspend_and_it_is_written_down(alice: Any, bob: Any, deck: TableDeck) -> None:
    opened = lobby.invite(alice, deck, 2)
    pairing.join(alice, "casual", deck)
    client, people = staff("change_user"), reverse("admin:accounts_user_changelist")
    bob.is_staff = True
    bob.save()
    chosen = {"_selected_action": [alice.pk, bob.pk]}
    client.post(people, {"action": "suspend_without_end", **chosen})
    for one in (alice, bob):
        one.refresh_from_db()
    assert (alice.suspended_until, bob.suspended_until) == (NO_END, None), "staff are suspended by owners only"
    assert "suspended you. You can finish" in sentence(alice)
    opened.refresh_from_db()
    assert opened.state == "abandoned" and not QueueEntry.objects.exists(), "no match begins for them"
    assert "Suspended without end." in LogEntry.objects.get().change_message
    client.post(people, {"action": "end_suspension", **chosen})
    alice.refresh_from_db()
    assert sentence(alice) == "" and LogEntry.objects.count() == 2


def test_the_reason_of_a_suspension_goes_with_it_and_is_none_of_the_next_one(alice: Any) -> None:
    client, people = staff("change_user"), reverse("admin:accounts_user_changelist")
    chosen = {"_selected_action": [alice.pk]}

    def done(action: str) -> tuple[str, str]:
        client.post(people, {"action": action, **chosen})
        alice.refresh_from_db()
        return alice.suspended_why, LogEntry.objects.latest("pk").change_message

    suspend(alice)
    assert done("suspend_without_end")[0] == "Rude at tables.", "it goes on, and so does its reason"
    why, noted = done("end_suspension")
    assert why == "" and "The reason was: Rude at tables." in noted
    suspend(alice, days=-1)
    assert done("suspend_for_a_week")[0] == "", "the one before was over by itself"


def test_who_may_only_look_at_people_suspends_nobody(alice: Any) -> None:
    client, people = staff("view_user"), reverse("admin:accounts_user_changelist")
    client.post(people, {"action": "suspend_without_end", "_selected_action": [alice.pk]})
    alice.refresh_from_db()
    assert alice.suspended_until is None
