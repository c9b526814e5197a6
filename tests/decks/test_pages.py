"""The deck pages, seen by their owner, by others and by visitors; all of it without JavaScript."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from cards_data.imports import import_sets
from cards_data.models import Card
from ccg.rules.authoring.card_files import SETS
from decks import judging, links, services, starter_decks
from decks.models import Deck, FormatEdition
from decks.pages import lists
from tests.people import sign_in, signed_in
from tests.shown import words

NEW = "/decks/new/"
PLAY = 'href="/play/?deck='
PASTED = (
    "# Try\nBase: Galactica\n4 Starbuck\n3 Starbuk, Hotshot Pilt\n4 Apollo, Ace Pilot #core\nnonsense (BSG1) 1 2 3\n"
)


def test_decks_lists_starters_and_public_decks(starters: None, client: Client, deck: Deck) -> None:
    assert "Caprica Holds Out" in words(client.get("/decks/"))
    assert "by alice" not in words(client.get("/decks/"))

    services.set_visibility(deck, "public")

    assert "by alice" in words(client.get("/decks/"))


def test_lists_tell_how_old_decks_of_players_are(starters: None, client: Client, public: Deck) -> None:
    day = timedelta(days=1)
    for ago, told in (
        (timedelta(), "just now"),
        (3 * day + timedelta(hours=5), "3 days ago"),
        (400 * day, "1 year ago"),
    ):
        Deck.objects.filter(pk=public.pk).update(changed=timezone.now() - ago)
        said = words(client.get("/decks/")).replace("\xa0", " ")
        assert f"by alice · changed {told}" in said
        assert said.count("· changed") == 1  # when starter decks were loaded tells nothing


def test_lists_are_asked_for_with_few_queries(
    starters: None, client: Client, alice: Any, legal_list: str, django_assert_max_num_queries: Any
) -> None:
    for _ in range(lists.DECKS_A_PAGE + 1):
        services.create_from_text(alice, legal_list, visibility="public")

    with django_assert_max_num_queries(12):
        first = client.get("/decks/")
    assert "Page 1 of 2" in words(first)
    assert "Page 2 of 2" in words(client.get("/decks/?page=2"))


def test_empty_lists_say_what_to_do(client: Client, as_alice: Client) -> None:
    assert "manage.py starter_decks" in words(client.get("/decks/"))
    assert "No deck yet" in words(client.get("/decks/mine/"))
    assert "No deck yet" in words(as_alice.get("/decks/mine/"))


def test_many_decks_of_my_own_come_in_pages(deck: Deck, alice: Any, as_alice: Client) -> None:
    for number in range(lists.OWN_A_PAGE):
        services.fork(alice, deck.head, f"Viper Wing {number}")
    first, second = as_alice.get("/decks/mine/"), as_alice.get("/decks/mine/?q=viper&page=2")
    assert (words(first).count("Viper Wing"), words(second).count("Viper Wing")) == (lists.OWN_A_PAGE, 1)
    assert "Page 1 of 2" in words(first)
    assert "?q=viper&amp;page=1" in second.content.decode()


def test_my_decks_are_mine(deck: Deck, as_alice: Client, as_bob: Client) -> None:
    assert "Viper Wing" in words(as_alice.get("/decks/mine/"))
    assert "Viper Wing" not in words(as_bob.get("/decks/mine/"))


def test_a_deck_page_tells_everything(deck: Deck, as_alice: Client) -> None:
    said = words(as_alice.get(deck.get_absolute_url()))

    for part in (
        "Viper Wing",
        "Battlestar Galactica",
        "60 cards",
        "Legal in Standard 2006",
        "Personnel 20",
        "Ships 19",
    ):
        assert part in said
    assert "logistics 19 63" in said  # the table twin of what it makes and costs
    assert "security 20 + base 68" in said
    assert f'href="/play/?deck={deck.uid}"' in as_alice.get(deck.get_absolute_url()).content.decode()


def test_the_authors_name_leads_to_a_page_that_is_there(deck: Deck, as_alice: Client) -> None:
    assert "by alice" in words(as_alice.get(deck.get_absolute_url()))
    for visibility in ("private", "unlisted", "public"):
        services.set_visibility(deck, visibility)
        page = as_alice.get(deck.get_absolute_url()).content.decode()
        for address in re.findall(r'href="(/decks/by/[^"]*)"', page):
            assert as_alice.get(address).status_code == 200, (visibility, address)
    assert "/decks/by/alice/" in page


def test_card_names_are_links_to_cards(deck: Deck, as_alice: Client) -> None:
    page = as_alice.get(f"{deck.get_absolute_url()}?view=list").content.decode()

    assert re.search(r'<a class="card-name" data-card="BSG1-061"[^>]* href="/cards/BSG1-061/">CAG</a>', page)
    assert "1 Officer and 1 Pilot" in page


def test_what_is_wrong_is_told_in_words_with_rule_and_fix(all_cards: None, alice: Any, as_alice: Client) -> None:
    deck = services.create_from_text(alice, "Base: Galactica\n5 Raptor 227 #spare")

    page = as_alice.get(deck.get_absolute_url())

    said = words(page)
    assert "Not legal: 2 reasons" in said
    assert "There are 5 copies of Raptor 227 ; at most 4 are allowed." in said
    assert "DECK-3" in said
    assert "To do: Add 55 cards." in said
    assert "advice only" in said
    assert PLAY not in page.content.decode()


def test_a_deck_of_cards_that_are_gone_is_still_shown(deck: Deck, as_alice: Client, tmp_path: Any) -> None:
    folder = tmp_path / "bsg1"
    folder.mkdir()
    for file in (SETS / "bsg1").glob("*.yaml"):
        if file.stem != "events":
            (folder / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    import_sets([folder])

    said = words(as_alice.get(deck.get_absolute_url()))

    name = Card.objects.get(pk="BSG1-046").name
    assert "Withdrawn no longer in any set" in said
    assert f"{name} withdrawn" in said
    assert f"{name} has been withdrawn from its set." in said
    assert f"of {name}" in said
    assert "Not in the card database" not in said
    assert "BSG1-046" in as_alice.get(f"{deck.get_absolute_url()}export/text/").content.decode()


def test_a_deck_whose_base_is_gone_still_shows_it(deck: Deck, as_alice: Client, tmp_path: Any) -> None:
    folder = tmp_path / "bsg1"
    folder.mkdir()
    for file in (SETS / "bsg1").glob("*.yaml"):
        text = file.read_text(encoding="utf-8")
        (folder / file.name).write_text(text if file.stem != "base" else "[]", encoding="utf-8")
    import_sets([folder])

    said = words(as_alice.get(deck.get_absolute_url()))

    name = Card.objects.get(pk=deck.head.base).name
    assert "No base" not in said
    assert f"The base {name} has been withdrawn from its set." in said
    assert {"withdrawn_base"} == {problem.code for problem in judging.check_version(deck.head, deck)}


def test_pasting_shows_every_line_and_saves_nothing(all_cards: None, as_alice: Client) -> None:
    page = as_alice.post(NEW, {"text": PASTED, "do": "check"})

    said = words(page)
    assert page.status_code == 200
    assert "3 lines to decide" in said
    assert "8 cards can be meant" in said
    assert "It is saved once every line is decided." in said
    assert "You can save it as it is" not in said
    assert 'name="pick-3"' in page.content.decode()
    assert 'value="BSG1-136"' in page.content.decode()
    assert not Deck.objects.exists()


def test_a_list_that_is_too_long_is_refused_and_not_cut(all_cards: None, as_alice: Client) -> None:
    page = as_alice.get("/decks/new/").content.decode()
    assert "maxlength" not in page.partition("<textarea")[2].partition(">")[0], "browsers would cut it without a word"

    answer = as_alice.post("/decks/new/", {"text": "4 Raptor 227\n" * 6000})
    assert "64 KiB long at most" in answer.content.decode()


def test_saving_waits_until_every_line_is_decided(all_cards: None, as_alice: Client) -> None:
    page = as_alice.post(NEW, {"text": PASTED, "do": "save", "pick-3": "BSG1-136"})

    assert page.status_code == 400
    assert "Decide what these lines mean, or leave them out: 4, 6. Nothing was saved" in words(page)
    assert "4 Starbuck" in words(page)
    assert not Deck.objects.exists()


def test_picks_are_kept_and_then_saved(all_cards: None, as_alice: Client, alice: Any) -> None:
    picks = {"pick-3": "BSG1-136", "pick-4": "BSG1-136", "pick-6": "-"}

    checked = as_alice.post(NEW, {"text": PASTED, "do": "check", **picks})
    assert 'value="BSG1-136" selected' in checked.content.decode()
    assert "All lines are decided" in words(checked)

    saved = as_alice.post(NEW, {"text": PASTED, "do": "save", "visibility": "unlisted", "name": "Mine", **picks})

    deck = Deck.objects.get(owner=alice)
    assert saved.headers["Location"] == deck.get_absolute_url()
    assert (deck.name, deck.visibility) == ("Mine", "unlisted")
    assert deck.head
    assert deck.head.counts == {"BSG1-136": 7, "BSG1-098": 4}
    assert deck.head.tags == {"BSG1-098": ["core"]}


def test_a_list_that_is_too_long_is_told(all_cards: None, as_alice: Client) -> None:
    for do in ("check", "save"):
        page = as_alice.post(NEW, {"text": "4 Stims\n" * 600, "do": do})
        assert page.status_code == 400
        assert "500 lines at most" in words(page)


def test_names_and_lines_are_escaped(all_cards: None, as_alice: Client, alice: Any) -> None:
    nasty = "<script>alert(1)</script>"
    page = as_alice.post(NEW, {"text": f"# {nasty}\n4 {nasty}\n// {nasty}\n4 Stims #{nasty}", "do": "check"})
    assert "<script>alert" not in page.content.decode()

    deck = services.create_from_text(alice, "4 Stims", name=nasty)
    for url in (deck.get_absolute_url(), "/decks/mine/", f"{deck.get_absolute_url()}delete/"):
        assert "<script>alert" not in as_alice.get(url).content.decode()


def test_a_visitor_saves_as_a_guest_with_one_click_more(all_cards: None, client: Client) -> None:
    asked = client.post(NEW, {"text": "4 Stims", "do": "save", "name": "Kept"})
    assert "Your list is in this page" in words(asked)
    assert not Deck.objects.exists()
    assert not Session.objects.exists()

    client.post(NEW, {**dict(asked.context["draft"]), "do": "save as guest"})
    assert (Deck.objects.get().name, Deck.objects.get().owner.is_guest) == ("Kept", True)


@pytest.mark.parametrize("do", ["save", "save as guest"])
def test_a_visitor_is_not_asked_who_they_are_before_every_line_is_decided(
    all_cards: None, client: Client, do: str
) -> None:
    page = client.post(NEW, {"text": PASTED, "do": do})
    assert page.status_code == 400
    assert "Decide what these lines mean" in words(page)
    assert "Your list is in this page" not in words(page)
    assert not get_user_model().objects.exists()


def test_a_visitor_signs_in_beside_the_page_and_saves(all_cards: None, alice: Any) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.get(NEW)
    form = {"text": "4 Stims\r\n3 Stims", "csrfmiddlewaretoken": browser.cookies["csrftoken"].value}
    asked = browser.post(NEW, {**form, "do": "save"})
    token = re.search('csrfmiddlewaretoken" value="(.*?)"', asked.content.decode())
    assert token
    old = {**dict(asked.context["draft"]), "csrfmiddlewaretoken": token[1], "do": "save"}
    sign_in(browser, alice)
    del browser.cookies["csrftoken"]  # signing in makes a new one
    browser.get("/accounts/me/")

    refused = browser.post(NEW, old)
    assert refused.status_code == 403
    assert "save again" in words(refused)
    assert refused.context["text"] == form["text"], "nothing is lost"
    token = re.search('csrfmiddlewaretoken" value="(.*?)"', refused.content.decode())
    assert token
    assert browser.post(NEW, {**old, "csrfmiddlewaretoken": token[1]}).status_code == 302
    assert Deck.objects.get().owner == alice


def test_a_visitor_signs_in_beside_the_page_and_copies(all_cards: None, alice: Any, bob: Any) -> None:
    deck = services.create_from_text(bob, "4 Stims", name="Bob's", visibility="public")
    browser = Client(enforce_csrf_checks=True)
    token = token_of(browser.get(deck.get_absolute_url()))
    copy = f"{deck.get_absolute_url()}copy/"
    token = token_of(browser.post(copy, {"csrfmiddlewaretoken": token}))
    sign_in(browser, alice)
    del browser.cookies["csrftoken"]  # signing in makes a new one
    browser.get("/accounts/me/")

    refused = browser.post(copy, {"csrfmiddlewaretoken": token, "do": "save"})
    assert refused.status_code == 403
    assert "Save it as alice" in words(refused)
    assert not Deck.objects.filter(owner=alice).exists()
    assert browser.post(copy, {"csrfmiddlewaretoken": token_of(refused), "do": "save"}).status_code == 302
    assert Deck.objects.get(owner=alice).name.startswith("Bob's")


def token_of(page: Any) -> str:
    found = re.search('csrfmiddlewaretoken" value="(.*?)"', page.content.decode())
    assert found
    return found[1]


def test_a_changed_list_is_not_lost_when_the_session_ended_meanwhile(deck: Deck, alice: Any) -> None:
    browser, url = Client(enforce_csrf_checks=True), f"{deck.get_absolute_url()}edit/"
    sign_in(browser, alice)
    form = {"text": "4 Stims\r\n3 Stims", "note": "More of them", "do": "save"}
    form["csrfmiddlewaretoken"] = token_of(browser.get(url))
    del browser.cookies["sessionid"]

    signed_out = browser.post(url, form)
    assert signed_out.status_code == 404
    assert "not signed in as the owner" in words(signed_out)
    assert (signed_out.context["text"], signed_out.context["note"]) == (form["text"], form["note"])
    assert deck.name not in words(signed_out)

    sign_in(browser, alice)
    del browser.cookies["csrftoken"]  # signing in makes a new one
    browser.get("/accounts/me/")
    refused = browser.post(url, {**form, "csrfmiddlewaretoken": token_of(signed_out)})
    assert refused.status_code == 403
    assert "save again" in words(refused)
    assert browser.post(url, {**form, "csrfmiddlewaretoken": token_of(refused)}).status_code == 302
    assert deck.versions.count() == 2


@pytest.mark.parametrize("do", ["check", "save"])
def test_a_list_for_the_deck_of_somebody_else_comes_back_and_tells_nothing(deck: Deck, as_bob: Client, do: str) -> None:
    form = {"text": "4 Stims", "do": do}
    refused = as_bob.post(f"{deck.get_absolute_url()}edit/", form)
    missing = as_bob.post("/decks/AAAAAAAAAAAAAAAAAAAAAA/edit/", form)
    assert (refused.status_code, missing.status_code) == (404, 404)
    assert refused.context["text"] == "4 Stims"
    hidden = re.compile('csrfmiddlewaretoken" value=".*?"')
    assert hidden.sub("", refused.content.decode()) == hidden.sub("", missing.content.decode())


@pytest.mark.parametrize("field", ["text", "name", "note", "visibility", "do", "pick-1", "other"])
def test_nothing_of_a_visitors_form_is_stored(all_cards: None, client: Client, field: str) -> None:
    for do in ("save", "check"):
        client.post(NEW, {"text": "4 Stims", "do": do, field: "x" * 60_000})
    assert not Session.objects.exists()


def test_fields_that_are_too_long_are_cut(all_cards: None, client: Client) -> None:
    page = client.post(NEW, {"text": "4 Stims", "name": "n" * 5000, "note": "m" * 5000, "pick-1": "p" * 5000})
    assert b"n" * 81 not in page.content
    assert b"m" * 201 not in page.content
    assert b"p" * 81 not in page.content


def test_editing_makes_a_new_version_and_keeps_the_old_one(deck: Deck, as_alice: Client, legal_list: str) -> None:
    edit = f"{deck.get_absolute_url()}edit/"
    assert "3 CAG (BSG1) 61" in words(as_alice.get(edit))

    saved = as_alice.post(
        edit, {"text": legal_list.replace("3 CAG", "4 CAG"), "do": "save", "note": "One more"}, follow=True
    )

    assert "61 cards" in words(saved)
    assert "One more" in words(saved)
    old = as_alice.get(f"{deck.get_absolute_url()}v1/")
    assert "60 cards" in words(old)
    assert "This is version 1." in words(old)
    assert (
        as_alice.get(f"{deck.get_absolute_url()}v1/export/text/").content
        != as_alice.get(f"{deck.get_absolute_url()}export/text/").content
    )
    assert as_alice.get(f"{deck.get_absolute_url()}v9/").status_code == 404


def test_the_exported_text_can_be_pasted_again(deck: Deck, as_alice: Client) -> None:
    export = as_alice.get(f"{deck.get_absolute_url()}export/text/")

    assert export.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert 'filename="viper-wing.txt"' in export.headers["Content-Disposition"]
    again = as_alice.post(NEW, {"text": export.content.decode(), "do": "save"}, follow=True)
    copy = Deck.objects.exclude(pk=deck.pk).get()
    assert "Legal in Standard 2006" in words(again)
    assert copy.head
    assert deck.head
    assert copy.head.content_hash == deck.head.content_hash


def test_settings_rename_and_open_a_deck(deck: Deck, as_alice: Client, client: Client) -> None:
    settings = f"{deck.get_absolute_url()}settings/"
    as_alice.post(settings, {"name": "Renamed", "visibility": "unlisted"})
    deck.refresh_from_db()
    assert "Renamed" in words(client.get(links.address_of(deck)))

    refused = as_alice.post(settings, {"name": " ", "visibility": "unlisted"}, follow=True)
    assert "A deck needs a name." in words(refused)


def test_deleting_asks_first(deck: Deck, as_alice: Client) -> None:
    delete = f"{deck.get_absolute_url()}delete/"
    assert "cannot be brought back" in words(as_alice.get(delete))
    assert Deck.objects.exists()

    assert "is deleted" in words(as_alice.post(delete, follow=True))
    assert not Deck.objects.exists()


READ = ("", "export/text/", "v1/", "v1/export/text/")
WRITE = ("edit/", "delete/")


@pytest.mark.parametrize("visibility", Deck.Visibility.values)
@pytest.mark.parametrize("part", [*READ, *WRITE, "settings/"])
def test_rights(deck: Deck, as_alice: Client, as_bob: Client, client: Client, visibility: str, part: str) -> None:
    """Everybody against every page of a deck; what is forbidden looks exactly like what is missing."""
    services.set_visibility(deck, visibility)
    url = f"{deck.get_absolute_url()}{part}"
    send = "post" if part == "settings/" else "get"

    own = getattr(as_alice, send)(url)
    assert own.status_code in (200, 302)
    for other in (as_bob, client):
        answer = getattr(other, send)(url)
        if part in READ and visibility == "public":
            assert answer.status_code == 200
            assert "Settings" not in words(answer)
            continue
        missing = getattr(other, send)(url.replace(deck.uid, "A" * 22))
        assert (answer.status_code, missing.status_code) == (404, 404)
        assert answer.content == missing.content


@pytest.mark.parametrize("odd", ["%00", "%ED%A0%80", "%F0%9F%9A%80", "a%0Ab", "..", "A" * 3000, f"v{10**30}"])
def test_odd_addresses_are_not_there(deck: Deck, as_alice: Client, odd: str) -> None:
    for url in (f"/decks/{odd}/", f"/decks/{odd}/export/text/", f"/decks/{deck.uid}/{odd}/", f"/api/v1/decks/{odd}/"):
        assert as_alice.get(url).status_code == 404, url
    assert as_alice.get(f"/decks/?page={odd}").status_code == 200


@pytest.mark.parametrize("part", ["edit/", "delete/", "settings/"])
def test_others_change_nothing(deck: Deck, as_bob: Client, client: Client, part: str) -> None:
    services.set_visibility(deck, "public")
    for other in (as_bob, client):
        answer = other.post(f"{deck.get_absolute_url()}{part}", {"text": "4 Stims", "do": "save", "name": "Stolen"})
        assert answer.status_code == 404

    deck.refresh_from_db()
    assert (deck.name, deck.versions.count()) == ("Viper Wing", 1)


def test_a_starter_deck_belongs_to_nobody(all_cards: None, as_alice: Client) -> None:
    starter = starter_decks.load_starters()[0]

    for part in ("edit/", "delete/"):
        assert as_alice.get(f"{starter.get_absolute_url()}{part}").status_code == 404
    page = words(as_alice.get(starter.get_absolute_url()))
    assert "Starter deck" in page
    assert "Play Copy the deck Sample hand Test it Compare" in page


def test_an_unlisted_deck_of_somebody_else_is_not_offered_to_play(deck: Deck, as_bob: Client) -> None:
    services.set_visibility(deck, "unlisted")

    assert PLAY not in as_bob.get(links.address_of(deck)).content.decode()


def test_writing_needs_the_token(deck: Deck, alice: Any) -> None:
    careful = signed_in(alice, strict=True)

    for url in (NEW, *(f"{deck.get_absolute_url()}{part}" for part in ("edit/", "delete/", "settings/"))):
        assert careful.post(url, {"text": "4 Stims", "do": "save"}).status_code == 403
    assert Deck.objects.count() == 1


def test_a_page_asks_legality_today_and_not_what_was_stored(deck: Deck, as_alice: Client) -> None:
    FormatEdition.objects.create(format=deck.format, starts=date(2010, 1, 1), sets=["BSG2"])

    assert "Not legal in Standard 2006" in words(as_alice.get(deck.get_absolute_url()))
