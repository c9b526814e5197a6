"""Drafts: saved in any order, by several pages, and nothing that was done in one of them is lost."""

from __future__ import annotations

import importlib
import json
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.db.models import QuerySet
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from ccg.server.accounts.leaving import leave
from decks import services
from decks.building import drafts
from decks.building.drafts import Content, Saved
from decks.lists.merging import SINGLE, merge
from decks.models import Deck, DeckTag, Draft, GoneDeck

UID = "AAAAAAAAAAAAAAAAAAAAAA"
ADDRESS = f"/decks/drafts/{UID}/"
RAPTOR, STIMS, APOLLO, ARTICLE_23 = "BSG1-164", "BSG1-051", "BSG1-098", "BSG1-059"


class Tab:
    """A page that knows what it last heard of a draft, and sends all its changes until an answer says they are made."""

    def __init__(self, user: Any, uid: str = UID, name: str = "first-page") -> None:
        self.user, self.uid, self.sender = user, uid, name
        self.heard = Saved(uid=uid, revision=0, content=Content())
        self.unsaved: dict[tuple[str, str], dict[str, Any]] = {}
        self.number = 0

    def opens(self) -> None:
        self.heard, self.unsaved = drafts.find(self.user, self.uid), {}

    def saves(self, *, heard: bool = True, **changes: Any) -> Saved:
        """Save the content that it knows with ``changes``; without ``heard`` the answer is lost on its way."""
        sent = self.sent({**plain(self.heard.content), **changes})
        answer = drafts.save(self.user, self.uid, drafts.read(sent))
        if heard:
            self.heard, self.unsaved = answer, {}
        return answer

    def sent(self, content: dict[str, Any]) -> dict[str, Any]:
        """Return what it sends when it has ``content``; what it leaves out is empty."""
        now, before = Content(**content), self.heard.content
        unsaved = {key: self.value(before, key) for key in self.unsaved}
        changed = {(one.part, one.card): one.now for one in merge(before, now, before).brought}
        for key, value in {**unsaved, **changed}.items():
            if key not in self.unsaved or self.unsaved[key]["now"] != value:
                self.number += 1
                part, card = key
                self.unsaved[key] = {
                    "sender": self.sender,
                    "number": self.number,
                    "part": part,
                    "card": card,
                    "now": value,
                }
        return {
            "sender": self.sender,
            "revision": self.heard.revision,
            "content": content,
            "changes": list(self.unsaved.values()),
        }

    @staticmethod
    def value(content: Content, key: tuple[str, str]) -> Any:
        part, card = key
        return getattr(content, part) if part in SINGLE else getattr(content, part).get(card)


class TabFromBefore(Tab):
    """A page that was opened before pages sent changes: it sends what it knew, and what it has."""

    def sent(self, content: dict[str, Any]) -> dict[str, Any]:
        self.number += 1
        known = plain(self.heard.content)
        return {
            "sender": self.sender,
            "made": self.number,
            "revision": self.heard.revision,
            "content": content,
            "known": known,
        }


def plain(content: Content) -> dict[str, Any]:
    return {name: getattr(content, name) for name in content.__struct_fields__}


@pytest.mark.parametrize("kind", [Tab, TabFromBefore])
def test_a_save_that_was_given_up_and_arrives_late_does_not_take_back_a_later_one(alice: Any, kind: type[Tab]) -> None:
    tab = kind(alice)
    tab.saves(counts={RAPTOR: 4})
    given_up = drafts.read(tab.sent({"counts": {RAPTOR: 4, STIMS: 2}}))
    again = drafts.read(tab.sent({"counts": {RAPTOR: 4, APOLLO: 1}}))
    drafts.save(alice, UID, again)

    late = drafts.save(alice, UID, given_up)

    assert late.content.counts == drafts.find(alice, UID).content.counts == {RAPTOR: 4, APOLLO: 1}
    assert late.revision == 2, "nothing was written"


def test_a_change_is_made_once_however_often_and_by_whichever_page_it_is_sent(alice: Any) -> None:
    tab, other, next_one = Tab(alice), Tab(alice, name="other-page"), Tab(alice, name="next-page")
    tab.saves(counts={RAPTOR: 4})
    other.opens()
    given_up = drafts.read(tab.sent({"counts": {RAPTOR: 4, STIMS: 2}}))
    drafts.save(alice, UID, given_up)
    other.opens()
    other.saves(counts={RAPTOR: 4, STIMS: 3})

    next_one.opens()
    sent = {**next_one.sent({"counts": {RAPTOR: 4, STIMS: 3, APOLLO: 1}})}
    sent["changes"] += tab.unsaved.values()
    answer = drafts.save(alice, UID, drafts.read(sent))
    drafts.save(alice, UID, given_up)

    assert drafts.find(alice, UID).content.counts == answer.content.counts == {RAPTOR: 4, STIMS: 3, APOLLO: 1}
    assert [(one.card, one.value) for one in answer.replaced] == [(APOLLO, None)]


def test_a_change_that_another_page_has_replaced_comes_too_late(alice: Any) -> None:
    """The page is closed while it saves; the next one of its browser goes on with its changes, and changes the same."""
    tab, next_one = Tab(alice), Tab(alice, name="next-page")
    tab.saves(counts={RAPTOR: 4})
    on_its_way = drafts.read(tab.sent({"counts": {RAPTOR: 4, STIMS: 2}}))
    next_one.opens()
    sent = {**next_one.sent({"counts": {RAPTOR: 4, STIMS: 3}}), "last": {"first-page": tab.number}}
    drafts.save(alice, UID, drafts.read(sent))

    drafts.save(alice, UID, on_its_way)

    assert drafts.find(alice, UID).content.counts == {RAPTOR: 4, STIMS: 3}


def test_a_change_comes_too_late_also_where_that_which_has_replaced_it_was_there_before(alice: Any) -> None:
    """The next page goes on with two that were closed, of which the later one's change of the card has arrived."""
    tab, later, next_one = Tab(alice), Tab(alice, name="later-page"), Tab(alice, name="next-page")
    tab.saves(counts={RAPTOR: 4})
    later.opens()
    on_its_way = drafts.read(tab.sent({"counts": {RAPTOR: 4, STIMS: 2}}))
    next_one.opens()
    sent = {**later.sent({"counts": {RAPTOR: 4, STIMS: 3}}), "last": {"later-page": later.number}}
    drafts.save(alice, UID, drafts.read(sent))
    gone_on = {**next_one.sent(plain(next_one.heard.content)), "changes": sent["changes"]}
    gone_on["last"] = {"first-page": tab.number, "later-page": later.number}
    assert drafts.save(alice, UID, drafts.read(gone_on)).revision == 2, "nothing was changed"

    drafts.save(alice, UID, on_its_way)

    found = drafts.find(alice, UID)
    assert (found.content.counts, found.revision) == ({RAPTOR: 4, STIMS: 3}, 2)


def test_the_first_save_makes_the_draft_and_the_next_ones_change_it(alice: Any) -> None:
    tab = Tab(alice)

    assert tab.saves(counts={RAPTOR: 4}).revision == 1
    assert tab.saves(counts={RAPTOR: 4, STIMS: 2}, name="  Viper\x00 Wing ").revision == 2

    found = drafts.find(alice, UID)
    assert found.content == Content(counts={RAPTOR: 4, STIMS: 2}, name="Viper Wing")
    assert (found.revision, found.brought) == (2, [])


def test_what_was_just_published_is_not_called_unpublished(all_cards: None, alice: Any) -> None:
    tab = Tab(alice)
    tab.saves(counts={RAPTOR: 4})
    deck = drafts.publish(alice, UID, tab.heard.revision)

    assert drafts.unpublished(alice) == set()
    tab.opens()
    tab.saves(counts={RAPTOR: 3})
    assert drafts.unpublished(alice) == {deck.uid}


def test_two_tabs_are_merged_card_by_card_and_told_of_it(alice: Any) -> None:
    one, other = Tab(alice), Tab(alice, name="other-page")
    one.saves(counts={RAPTOR: 4})
    other.opens()
    one.saves(counts={RAPTOR: 4, STIMS: 2})

    answer = other.saves(counts={RAPTOR: 3})

    assert answer.content.counts == {RAPTOR: 3, STIMS: 2}
    assert [(one.card, one.value) for one in answer.replaced] == [(RAPTOR, 4)]
    back = one.saves(counts={**one.heard.content.counts, APOLLO: 1})
    assert back.content.counts == {RAPTOR: 3, STIMS: 2, APOLLO: 1}


def test_a_page_from_before_changes_were_sent_is_merged_and_told_of_it(alice: Any) -> None:
    one, other = TabFromBefore(alice), TabFromBefore(alice, name="other-page")
    one.saves(counts={RAPTOR: 4})
    other.opens()
    one.saves(counts={RAPTOR: 4, STIMS: 2})

    answer = other.saves(counts={RAPTOR: 3})

    assert answer.content.counts == {RAPTOR: 3, STIMS: 2}
    assert [(one.card, one.was, one.now, one.kept) for one in answer.brought] == [(STIMS, None, 2, None)]
    back = one.saves(counts={**one.heard.content.counts, APOLLO: 1})
    assert back.content.counts == {RAPTOR: 3, STIMS: 2, APOLLO: 1}
    assert [(one.card, one.now) for one in back.brought] == [(RAPTOR, 3)]


def test_a_page_that_was_offline_for_long_is_merged_from_where_it_left(alice: Any) -> None:
    offline, busy = Tab(alice), Tab(alice, name="busy-page")
    offline.saves(counts={RAPTOR: 4})
    busy.opens()
    for count in range(1, 40):
        busy.saves(counts={RAPTOR: 4, STIMS: 1 + count % 4})

    answer = offline.saves(counts={APOLLO: 2})

    assert answer.content.counts == {STIMS: 1 + 39 % 4, APOLLO: 2}


def test_a_save_whose_answer_was_lost_can_be_taken_back(alice: Any) -> None:
    tab = Tab(alice)
    tab.saves(counts={RAPTOR: 4})
    tab.saves(counts={RAPTOR: 4, STIMS: 2}, heard=False)

    answer = tab.saves(counts={RAPTOR: 4})

    assert answer.content.counts == {RAPTOR: 4}
    assert answer.brought == []


def test_a_page_from_before_changes_were_sent_is_told_of_what_it_did_not_know_also_where_it_changed_nothing(
    alice: Any,
) -> None:
    tab, other = TabFromBefore(alice), Tab(alice, name="other-page")
    tab.saves(counts={RAPTOR: 4})
    tab.saves(counts={RAPTOR: 4, STIMS: 2}, heard=False)
    other.opens()
    other.saves(counts={**other.heard.content.counts, APOLLO: 1})

    answer = tab.saves(counts={RAPTOR: 4})

    assert answer.content.counts == {RAPTOR: 4, STIMS: 2, APOLLO: 1}
    assert [(one.card, one.was, one.now) for one in answer.brought] == [(STIMS, None, 2), (APOLLO, None, 1)]


def test_what_the_draft_remembers_of_pages_from_before_they_sent_changes_is_the_number_of_their_last_save(
    alice: Any,
) -> None:
    Tab(alice).saves(counts={RAPTOR: 4})
    Draft.objects.update(senders={"first-page": {"revision": 1, "content": {}, "made": 7_000}, "older-page": {}})

    migration = importlib.import_module("decks.migrations.0024_numbers_of_changes")
    migration.number_changes(apps, SimpleNamespace(connection=connection))

    assert drafts.find(alice, UID).made == {"first-page": 7_000, "older-page": 0}


def test_what_is_saved_while_the_numbers_are_taken_over_stays(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server of the version before goes on until a new one stands in its place."""
    Tab(alice).saves(counts={RAPTOR: 4})
    Draft.objects.update(senders={"first-page": {"made": 7_000}})
    real = QuerySet.iterator

    def saved_after_it_was_read(rows: Any, *given: Any, **more: Any) -> Any:
        for row in real(rows, *given, **more):
            Draft.objects.update(senders={"first-page": {"made": 8_000}})
            yield row

    monkeypatch.setattr(QuerySet, "iterator", saved_after_it_was_read)
    migration = importlib.import_module("decks.migrations.0024_numbers_of_changes")
    migration.number_changes(apps, SimpleNamespace(connection=connection))

    assert drafts.find(alice, UID).made == {"first-page": 8_000}


def test_a_draft_that_a_server_of_the_version_before_has_saved_last_is_saved_on(alice: Any) -> None:
    tab = Tab(alice)
    tab.saves(counts={RAPTOR: 4})
    Draft.objects.update(senders={"other-page": {"revision": 1, "content": {}, "made": 7_000}, "older-page": {}})

    answer = tab.saves(counts={RAPTOR: 3})

    assert answer.content.counts == drafts.find(alice, UID).content.counts == {RAPTOR: 3}
    assert answer.made == {"first-page": 2, "other-page": 7_000, "older-page": 0}
    other = Tab(alice, name="other-page")
    other.number = 6_999
    other.saves(counts={RAPTOR: 1})
    assert drafts.find(alice, UID).content.counts == {RAPTOR: 3}, "it has that save"


def test_a_draft_tells_which_saves_of_each_page_have_arrived(deck: Deck, alice: Any) -> None:
    tab, other = Tab(alice, deck.uid), Tab(alice, deck.uid, name="other-page")
    tab.opens()
    for copies in (1, 2):
        tab.saves(counts={**tab.heard.content.counts, RAPTOR: copies})
    other.opens()
    other.saves(counts={**other.heard.content.counts, RAPTOR: 3})
    assert other.heard.made == drafts.find(alice, deck.uid).made == {"first-page": 2, "other-page": 1}
    services.new_version(deck, "12 Raptor 312")
    assert drafts.find(alice, deck.uid).made == {"first-page": 2, "other-page": 1}


def test_a_lost_answer_that_had_news_brings_them_again(alice: Any) -> None:
    one, other = Tab(alice), Tab(alice, name="other-page")
    one.saves(counts={RAPTOR: 4})
    other.opens()
    other.saves(counts={RAPTOR: 4, APOLLO: 1})
    one.saves(counts={RAPTOR: 4, STIMS: 2}, heard=False)

    answer = one.saves(counts={RAPTOR: 4, STIMS: 2})

    assert answer.content.counts == {RAPTOR: 4, STIMS: 2, APOLLO: 1}
    assert answer.revision == 3, "nothing was written"


def test_a_deck_is_its_own_first_draft(deck: Deck, alice: Any) -> None:
    found = drafts.find(alice, deck.uid)

    assert (found.revision, found.parent, found.content.name) == (0, 1, "Viper Wing")
    assert not Draft.objects.exists()
    tab = Tab(alice, deck.uid)
    tab.opens()
    answer = tab.saves(name="Vipers")
    assert (answer.revision, answer.brought) == (1, [])
    deck.refresh_from_db()
    assert deck.name == "Viper Wing"


def test_an_owner_is_told_of_changes_that_are_not_published(deck: Deck, alice: Any, as_alice: Client) -> None:
    tab = Tab(alice, deck.uid)
    tab.opens()
    counts = tab.heard.content.counts

    def told() -> list[bool]:
        pages = [as_alice.get(page).content.decode() for page in ("/decks/mine/", f"/decks/{deck.uid}/")]
        return ["Changes not published" in pages[0], "changed the list and not published" in pages[1]]

    for changed, told_of in (({"counts": counts}, False), ({"name": "Vipers"}, False), ({"counts": {STIMS: 4}}, True)):
        tab.saves(**changed)
        assert told() == [told_of, told_of], changed
    drafts.publish(alice, deck.uid, tab.heard.revision)
    assert told() == [False, False]
    services.new_version(deck, "3 Stims")
    assert told() == [False, False], "a pasted list is not a draft"


def test_what_became_of_the_deck_otherwise_comes_into_its_draft(deck: Deck, alice: Any) -> None:
    tab = Tab(alice, deck.uid)
    tab.opens()
    counts = tab.heard.content.counts
    tab.saves(counts={**counts, STIMS: 3})
    services.new_version(deck, services.as_text(deck, deck.head) + "\n1 Article 23\n")

    found = drafts.find(alice, deck.uid)
    answer = tab.saves(name="Vipers")

    assert found.parent == answer.parent == 2
    assert found.content.counts == answer.content.counts
    assert answer.content.counts.keys() - counts.keys() - {STIMS} == {ARTICLE_23}


def test_a_revert_comes_into_the_open_draft_and_is_not_undone_unseen(all_cards: None, alice: Any) -> None:
    tab = Tab(alice)
    tab.saves(counts={RAPTOR: 4})
    deck = drafts.publish(alice, UID, 1)
    tab.saves(counts={RAPTOR: 4, STIMS: 4})
    deck = drafts.publish(alice, UID, 2)
    tab.saves(counts={RAPTOR: 4, STIMS: 4, APOLLO: 2})
    services.revert(deck, deck.versions.get(number=1))

    for parent in (None, 2):
        with pytest.raises(drafts.StaleError):
            drafts.publish(alice, UID, 3, parent=parent)
    tab.opens()
    assert (tab.heard.revision, tab.heard.parent, tab.heard.content.counts) == (3, 3, {RAPTOR: 4, APOLLO: 2})
    published = drafts.publish(alice, UID, 3, parent=3)

    assert (published.head.number, published.head.counts) == (4, {RAPTOR: 4, APOLLO: 2})
    tab.opens()
    assert tab.heard.content.counts == {RAPTOR: 4, APOLLO: 2}
    assert tab.saves(counts={RAPTOR: 3, APOLLO: 2}).brought == []


def test_a_revert_is_merged_with_the_next_save_of_an_open_draft(all_cards: None, alice: Any) -> None:
    tab = Tab(alice)
    tab.saves(counts={RAPTOR: 4})
    drafts.publish(alice, UID, 1)
    tab.saves(counts={RAPTOR: 4, STIMS: 4})
    deck = drafts.publish(alice, UID, 2)
    services.revert(deck, deck.versions.get(number=1))

    answer = tab.saves(counts={RAPTOR: 4, STIMS: 4, APOLLO: 2})

    assert (answer.parent, answer.content.counts) == (3, {RAPTOR: 4, APOLLO: 2})


def test_publishing_makes_a_deck_with_the_id_of_the_draft_and_then_versions(all_cards: None, alice: Any) -> None:
    tab = Tab(alice)
    tab.saves(counts={RAPTOR: 4}, name="Raptors")

    deck = drafts.publish(alice, UID, 1, note="first", visibility="unlisted")
    tab.opens()
    tab.saves(counts={RAPTOR: 4, STIMS: 4})
    again = drafts.publish(alice, UID, tab.heard.revision, note="with stims")

    assert (deck.uid, deck.name, deck.visibility) == (UID, "Raptors", "unlisted")
    assert again == deck
    assert [(one.number, one.note) for one in again.versions.all()] == [(2, "with stims"), (1, "first")]
    assert again.head.counts == {RAPTOR: 4, STIMS: 4}
    assert drafts.find(alice, UID).brought == []


def test_who_sees_a_deck_can_be_said_at_each_publishing(all_cards: None, as_alice: Client, alice: Any) -> None:
    put(as_alice, body(counts={RAPTOR: 4}))
    address = f"/decks/drafts/{UID}/publish/"

    def publish(**more: Any) -> str:
        assert as_alice.post(address, {"revision": 1, **more}, content_type="application/json").status_code == 200
        return str(Deck.objects.get(owner=alice).visibility)

    assert publish() == "private"
    assert publish(visibility="public") == "public"
    assert publish() == "public", "left out, it stays"
    assert publish(visibility="private") == "private"


def test_a_heap_of_accents_covers_no_line_of_the_page_of_a_deck(all_cards: None, as_alice: Client, alice: Any) -> None:
    heap = "a" + 30 * "\u0301"
    saved = Tab(alice).saves(counts={RAPTOR: 1}, tags={RAPTOR: [heap]})
    assert saved.content.tags == {RAPTOR: [heap[:6]]}
    assert services.read_text(f"1 {RAPTOR} #{heap}").deck.tags == {RAPTOR: [heap[:6]]}


def test_tags_are_given_at_publishing_and_stay_until_others_are(all_cards: None, as_alice: Client, alice: Any) -> None:
    put(as_alice, body(counts={RAPTOR: 4}))
    address = f"/decks/drafts/{UID}/publish/"

    def publish(**more: Any) -> tuple[int, list[str]]:
        answer = as_alice.post(address, {"revision": 1, **more}, content_type="application/json")
        return answer.status_code, list(DeckTag.objects.values_list("word", flat=True))

    assert publish(tags="a,b,c,d,e,f") == (400, [])
    assert not Deck.objects.filter(owner=alice).exists()
    assert publish(tags=["rush"]) == (400, [])
    assert publish(tags="Rush, #scouts, rush") == (200, ["rush", "scouts"])
    assert publish() == (200, ["rush", "scouts"])
    assert publish(tags="") == (200, [])


def test_what_nobody_has_seen_is_not_published(alice: Any) -> None:
    Tab(alice).saves(counts={RAPTOR: 4})

    with pytest.raises(drafts.StaleError):
        drafts.publish(alice, UID, 0)
    assert not Deck.objects.filter(owner=alice).exists()


def test_what_is_published_again_because_the_answer_was_lost_is_published_once(alice: Any) -> None:
    """The page knows of no version: it is not told that somebody else has changed the draft."""
    tab = Tab(alice)
    tab.saves(counts={RAPTOR: 4})

    for visibility in ("unlisted", "public"):
        deck = drafts.publish(alice, UID, 1, parent=0, note="The first", visibility=visibility)

    assert (deck.head.number, deck.head.note, deck.visibility) == (1, "The first", "public")
    tab.saves(counts={RAPTOR: 3})
    for _ in range(2):
        deck = drafts.publish(alice, UID, 2, parent=1)
    assert deck.head.number == 2
    with pytest.raises(drafts.StaleError):
        drafts.publish(alice, UID, 1, parent=0)


def test_a_deck_that_is_made_meanwhile_is_locked_before_the_draft(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever finds the deck waits for the draft; who has the draft must not wait for the deck."""
    Tab(alice).saves(counts={RAPTOR: 4})
    real, found = drafts._lock_deck, []

    def first_published_by_another(user: Any, uid: str) -> bool:
        found.append(real(user, uid))
        if found == [False]:
            drafts.publish(alice, UID, 1)
        return found[-1]

    monkeypatch.setattr(drafts, "_lock_deck", first_published_by_another)
    deck = drafts.publish(alice, UID, 1)
    assert found[-1] is True, "the transaction that publishes has locked the deck at its beginning"
    assert deck.head.number == 1


@pytest.mark.parametrize("uid", ["%00", "a%00b", "x" * 300])
def test_what_can_be_no_id_is_not_there_to_be_published(as_alice: Client, uid: str) -> None:
    """PostgreSQL fails on a zero byte: it is asked for nothing."""
    with CaptureQueriesContext(connection) as asked:
        answer = as_alice.post(f"/decks/drafts/{uid}/publish/", {"revision": 1}, content_type="application/json")
    assert answer.status_code == 404
    assert not [one for one in asked if "decks_deck" in one["sql"]]


def test_an_empty_draft_is_no_deck(alice: Any) -> None:
    Tab(alice).saves(name="Nothing")

    with pytest.raises(services.DeckError, match="no card"):
        drafts.publish(alice, UID, 1)


def test_there_is_an_end_to_drafts(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "MAX_DRAFTS", 1)
    Tab(alice).saves(counts={RAPTOR: 4})

    with pytest.raises(services.DeckError, match="the most there can be"):
        Tab(alice, "B" * 22).saves(counts={RAPTOR: 4})
    Tab(alice).saves(counts={RAPTOR: 3})


def test_what_was_emptied_again_goes_when_another_deck_is_begun(alice: Any) -> None:
    emptied = Tab(alice)
    emptied.saves(counts={RAPTOR: 4}, name="Wing")
    emptied.saves(counts={}, name="")
    kept = Tab(alice, "C" * 22)
    kept.saves(counts={STIMS: 1})
    assert [draft.uid for draft in drafts.begun(alice)] == [kept.uid]

    Tab(alice, "B" * 22).saves(counts={RAPTOR: 4})
    assert Draft.objects.filter(uid=UID).exists()  # a window of it may still be open

    Draft.objects.update(changed=timezone.now() - drafts.EMPTY_FOR - timedelta(minutes=1))
    Tab(alice, "D" * 22).saves(counts={RAPTOR: 4})
    assert not Draft.objects.filter(uid=UID).exists()
    assert Draft.objects.filter(uid=kept.uid).exists()


def test_what_is_filled_again_at_the_moment_at_which_what_was_emptied_goes_stays(
    alice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Back online, all windows of somebody save at once: one fills what it had emptied, another begins a deck."""
    emptied = Tab(alice)
    emptied.saves(counts={RAPTOR: 4})
    emptied.saves(counts={})
    Draft.objects.update(changed=timezone.now() - drafts.EMPTY_FOR - timedelta(minutes=1))
    real = drafts._is_empty

    def filled_after_it_was_read(draft: Draft) -> bool:
        emptied.saves(counts={RAPTOR: 2})
        return real(draft)

    monkeypatch.setattr(drafts, "_is_empty", filled_after_it_was_read)
    Tab(alice, "B" * 22).saves(counts={STIMS: 1})
    assert drafts.find(alice, UID).content.counts == {RAPTOR: 2}


def test_what_was_begun_is_deleted_once_its_owner_says_so(as_alice: Client, as_bob: Client, alice: Any) -> None:
    tab = Tab(alice)
    tab.saves(name="Half a wing", counts={RAPTOR: 4})
    address = f"/decks/{UID}/delete/"
    assert address in as_alice.get("/decks/mine/").content.decode()
    assert (as_bob.get(address).status_code, as_bob.post(address).status_code) == (404, 404)

    assert "Delete Half a wing?" in as_alice.get(address).content.decode()
    assert Draft.objects.filter(uid=UID).exists()
    assert as_alice.post(address, follow=True).redirect_chain == [("/decks/mine/", 302)]
    assert not Draft.objects.filter(uid=UID).exists()
    assert as_alice.post(address).status_code == 404

    # A window in which it is still open loses nothing.
    assert tab.saves(name="Half a wing", counts={RAPTOR: 4, STIMS: 1}).content.counts == {RAPTOR: 4, STIMS: 1}


def test_a_draft_that_is_made_anew_is_news_to_other_windows(alice: Any) -> None:
    tab, other = Tab(alice), Tab(alice, name="other-page")
    for copies in (1, 2, 3):
        tab.saves(counts={RAPTOR: copies})
    other.opens()
    drafts.delete(alice, UID)
    assert tab.saves(counts={RAPTOR: 4}).revision > other.heard.revision
    other.opens()
    assert other.heard.content.counts == {RAPTOR: 4}


def test_what_a_page_has_of_after_a_backup_that_was_restored_is_saved_again(alice: Any) -> None:
    tab, other = Tab(alice), Tab(alice, name="other-page")
    tab.saves(counts={RAPTOR: 1, APOLLO: 1})
    other.opens()
    [backup] = Draft.objects.values("content", "senders", "revision")
    for copies in (1, 2, 3):
        tab.saves(counts={RAPTOR: 4, STIMS: copies})
    Draft.objects.update(**backup)

    answer = tab.saves(name="Wing")

    assert (answer.content.counts, answer.content.name, answer.brought) == ({RAPTOR: 4, STIMS: 3}, "Wing", [])
    assert answer.revision > other.heard.revision
    assert other.saves(base="BSG1-007").content.counts == {RAPTOR: 4, STIMS: 3}
    ahead = {**tab.sent(plain(tab.heard.content)), "revision": 2**31 - 1}
    for _ in range(2):
        assert drafts.save(alice, UID, drafts.read(ahead)).revision <= 2 * drafts.MAX_GONE_ON_WITH


def test_a_backup_that_was_restored_takes_nothing_from_a_page_that_had_not_saved_before_it(alice: Any) -> None:
    tab = Tab(alice)
    tab.saves(counts={RAPTOR: 1, APOLLO: 1})
    [backup] = Draft.objects.values("content", "senders", "revision")
    later = Tab(alice, name="later-page")
    later.opens()
    for copies in (1, 2):
        later.saves(counts={RAPTOR: 4, STIMS: copies})
    Draft.objects.update(**backup)

    answer = later.saves(name="Wing")

    assert (answer.content.counts, answer.content.name, answer.brought) == ({RAPTOR: 4, STIMS: 2}, "Wing", [])


def test_a_page_that_knows_more_of_a_draft_that_is_made_anew_takes_nothing_of_it(alice: Any) -> None:
    tab, other = Tab(alice), Tab(alice, name="other-page")
    tab.saves(counts={RAPTOR: 1})
    other.opens()
    for copies in (2, 3, 4):
        other.saves(counts={RAPTOR: copies})
    drafts.delete(alice, UID)
    assert tab.saves(counts={RAPTOR: 1, STIMS: 1}).revision > other.heard.revision

    assert other.saves(base="BSG1-007").content.counts[STIMS] == 1


def test_only_the_newest_pages_are_remembered(alice: Any) -> None:
    for number in range(1, 80):
        tab = Tab(alice, name=f"page-number-{number}")
        tab.opens() if number > 1 else None
        tab.number = number
        tab.saves(counts={RAPTOR: 1 + number % 4})

    senders = Draft.objects.get().senders
    assert len(senders) == drafts.MAX_SENDERS
    assert senders["page-number-79"] == 80
    assert "page-number-1" not in senders
    late = Tab(alice, name="clock-of-1970")
    late.opens()
    assert "clock-of-1970" in late.saves(counts={STIMS: 1}).made, "a page has its own number back, however small"


# --- over HTTP ------------------------------------------------------------------------------------------


def put(client: Client, body: object, address: str = ADDRESS) -> Any:
    return client.put(address, json.dumps(body), content_type="application/json")


def body(**content: Any) -> dict[str, Any]:
    return {"sender": "first-page", "revision": 0, "content": content, "known": {}}


def change(**other: Any) -> dict[str, Any]:
    return {"sender": "first-page", "number": 1, "part": "counts", "card": RAPTOR, "now": 4, **other}


def test_a_page_saves_reads_and_publishes(all_cards: None, as_alice: Client) -> None:
    saved = put(as_alice, body(counts={RAPTOR: 4}))
    assert saved.json()["revision"] == 1
    assert "no-store" in saved["Cache-Control"]
    assert as_alice.get(ADDRESS).json()["content"]["counts"] == {RAPTOR: 4}

    stale = as_alice.post(f"{ADDRESS}publish/", {"revision": 7})
    assert (stale.status_code, stale.json()["code"]) == (409, "stale")
    published = as_alice.post(f"{ADDRESS}publish/", json.dumps({"revision": 1}), content_type="application/json")
    assert published.json() == {"uid": UID, "version": 1, "url": f"/decks/{UID}/"}


def test_drafts_are_ones_own(all_cards: None, deck: Deck, as_alice: Client, as_bob: Client, client: Client) -> None:
    put(as_alice, body(counts={RAPTOR: 4}))

    missing = as_bob.get("/decks/drafts/BBBBBBBBBBBBBBBBBBBBBB/")
    for uid in (UID, deck.uid):
        address = f"/decks/drafts/{uid}/"
        answers = [
            as_bob.get(address),
            put(as_bob, body(), address),
            as_bob.post(f"{address}publish/", {"revision": 1}),
        ]
        assert {(answer.status_code, answer.content) for answer in answers} == {(404, missing.content)}
        assert client.get(address).status_code == 403
        assert put(client, body(), address).status_code == 403
    assert Draft.objects.get().content["counts"] == {RAPTOR: 4}


@pytest.mark.parametrize("how", ["by its owner", "in the administration", "with the account"])
def test_the_address_of_a_deleted_deck_is_nobody_elses(public: Deck, alice: Any, as_bob: Client, how: str) -> None:
    address = f"/decks/drafts/{public.uid}/"
    if how == "by its owner":
        services.delete(public)
    elif how == "in the administration":
        Deck.objects.filter(pk=public.pk).delete()
    else:
        leave(alice, keep_decks=False)

    gone = put(as_bob, body(counts={RAPTOR: 1}), address)

    assert not Deck.objects.filter(uid=public.uid).exists()
    assert (gone.status_code, gone.json()) == (404, put(as_bob, body(), f"{address[:-2]}!/").json())
    assert not Draft.objects.exists()


def test_neither_is_it_its_owners_again(deck: Deck, alice: Any, as_alice: Client) -> None:
    page = Tab(alice, deck.uid)
    page.opens()
    services.delete(deck)

    with pytest.raises(Draft.DoesNotExist):
        page.saves(counts={RAPTOR: 4})


def test_a_deletion_that_did_not_happen_is_not_remembered(deck: Deck, alice: Any) -> None:
    with transaction.atomic():
        services.delete(deck)
        transaction.set_rollback(True)

    assert not GoneDeck.objects.exists()
    assert Tab(alice, deck.uid).saves(counts={RAPTOR: 4}).revision == 1


def test_another_site_saves_nothing(alice: Any, as_alice: Client) -> None:
    careful = Client(enforce_csrf_checks=True)
    careful.cookies = as_alice.cookies
    assert put(careful, body(counts={RAPTOR: 4})).status_code == 403

    token = careful.get("/decks/drafts/token/").json()
    assert token["user"] == str(alice.pk)
    saved = careful.put(
        ADDRESS, json.dumps(body()), content_type="application/json", headers={"X-CSRFToken": token["token"]}
    )
    assert saved.status_code == 200


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"sender": "x", "revision": 0, "content": {}, "known": {}},
        body(counts={RAPTOR: 0}),
        body(counts={RAPTOR: 49_501}),
        body(counts={RAPTOR: 49_500}, considering={f"X-{number}": 100 for number in range(251)}),
        body(counts={RAPTOR: "4"}),
        body(counts={"<script>": 1}),
        body(counts={f"X-{number}": 1 for number in range(drafts.MAX_CARDS + 1)}),
        body(tags={RAPTOR: ["two words"]}),
        body(tags={RAPTOR: ["a\x00"]}),
        body(base="BSG1-001\n"),
        body(extra=1),
        {**body(), "revision": -1},
        {**body(), "changes": [{}]},
        {**body(), "changes": [change(number=0)]},
        {**body(), "changes": [change(number=2**60)]},
        {**body(), "changes": [change(part="owner")]},
        {**body(), "changes": [change(now={"a": 1})]},
        {**body(), "changes": (drafts.MAX_CHANGES + 1) * [change()]},
        {**body(), "last": {"x": 1}},
        {**body(), "last": {f"page-number-{number}": 1 for number in range(drafts.MAX_CARDS + 1)}},
        {**body(), "revision": 10**400},
    ],
)
def test_what_is_no_draft_is_refused(as_alice: Client, sent: object) -> None:
    assert put(as_alice, sent).status_code == 400
    assert not Draft.objects.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        change(now=0),
        change(now="4"),
        change(now=49_501),
        change(card=""),
        change(part="name", card="", now=7),
        change(part="name", card="", now=201 * "x"),
        change(part="base", now="<script>"),
        change(part="tags", now=["two words"]),
        change(part="considering", now=["x"]),
    ],
)
def test_a_change_to_what_is_no_draft_is_refused_and_changes_nothing(as_alice: Client, wrong: dict[str, Any]) -> None:
    put(as_alice, body(counts={STIMS: 1}))
    before = Draft.objects.values().get()
    answer = put(as_alice, {**body(), "revision": 1, "changes": [change(number=7, now=2), {**wrong, "number": 8}]})
    assert (answer.status_code, answer.json()["code"]) == (400, "not_a_draft")
    assert Draft.objects.values().get() == before


def test_so_many_changes_that_no_draft_has_room_for_them_are_refused(as_alice: Client) -> None:
    put(as_alice, body(counts={STIMS: 1}))
    many = [change(card=f"X-{number}", number=number + 2) for number in range(drafts.MAX_CARDS)]
    answer = put(as_alice, {**body(), "revision": 1, "changes": many})
    assert answer.status_code == 400
    assert Draft.objects.get().content["counts"] == {STIMS: 1}


def test_whatever_a_list_can_say_is_saved(as_alice: Client, all_cards: None) -> None:
    read = services.read_text("99 Raptor 227 #c++ #v.2\n31 Raptor 227 #ü #=1").deck
    answer = put(as_alice, body(counts=read.counts, tags=read.tags))
    assert answer.status_code == 200
    assert answer.json()["content"]["counts"] == {RAPTOR: 130}
    assert answer.json()["content"]["tags"] == {RAPTOR: ["=1", "c++", "v.2", "ü"]}
    unseen = put(as_alice, {**body(tags={RAPTOR: ["a\u200bb", "core"]}), "sender": "other-page"})
    assert unseen.json()["content"]["tags"][RAPTOR] == ["core"]


def test_lone_surrogates_and_formats_that_there_are_not_do_no_harm(as_alice: Client) -> None:
    sent = '{"sender":"first-page","revision":0,"known":{},"content":{"name":"\\ud800 x","format":"\\ud800"}}'
    answer = as_alice.put(ADDRESS, sent, content_type="application/json")
    assert answer.json()["content"]["name"] == "x"
    assert answer.json()["content"]["format"] == ""
    assert as_alice.put("/decks/drafts/%00/", sent, content_type="application/json").status_code == 404
