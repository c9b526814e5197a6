"""Collections: pasted, clicked, asked for, missing for a deck; nobody else's, and gone with the account."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from decks import owning, services
from decks.models import Collection, Deck

APOLLO, RAPTOR, STIMS, GALACTICA = "BSG1-099", "BSG1-164", "BSG1-045", "BSG1-007"
LIST = "4 Raptor 227\n2 BSG1-99\n"
PAGE = "/collection/"


def send(client: Client, do: str, text: str = LIST, **more: str) -> Any:
    return client.post(PAGE, {"do": do, "text": text, **more})


def found(client: Client, query: str) -> list[str]:
    answer = client.get("/cards/", {"q": f"{query} view:list"})
    assert answer.status_code == 200, answer.context["listing"].wrong
    return [row["card"].id for row in answer.context["rows"]]


def test_a_list_is_read_line_by_line_and_kept_only_when_asked(all_cards: None, as_alice: Client, alice: Any) -> None:
    page = as_alice.get(PAGE).content.decode()
    assert "No collection yet" in page
    checked = send(as_alice, "check", "4 Raptor 227\n2 BSG1-99\nApollo\nnothing like this")
    assert [one["line"].kind for one in checked.context["lines"]] == ["matched", "matched", "ambiguous", "unknown"]
    assert send(as_alice, "add", "4 Raptor 227\nApollo").status_code == 200, "a line is open"
    assert not Collection.objects.exists()
    assert send(as_alice, "add", "4 Raptor 227\nApollo", **{"pick-2": APOLLO}).status_code == 302
    assert owning.owned_by(alice) == {APOLLO: 1, RAPTOR: 4}


def test_lists_add_up_or_replace(all_cards: None, as_alice: Client, alice: Any) -> None:
    send(as_alice, "add")
    send(as_alice, "add", "Base: Galactica\n1 Raptor 227\nConsidering\n3 Stims")
    assert owning.owned_by(alice) == {GALACTICA: 1, APOLLO: 2, RAPTOR: 5}
    send(as_alice, "replace", "1 Raptor 227")
    assert owning.owned_by(alice) == {RAPTOR: 1}
    for text in ("", "// nothing", "x" * (owning.LISTED.bytes + 1)):
        assert send(as_alice, "replace", text).status_code == 400
    for _ in range(12):
        answer = send(as_alice, "add", "99 Raptor 227")
    assert answer.status_code == 400
    assert owning.owned_by(alice) == {RAPTOR: 991}, "what is too much changes nothing"


def test_a_click_is_one_more_or_one_fewer(all_cards: None, as_alice: Client, alice: Any) -> None:
    change = reverse("decks:collection_change")
    assert as_alice.post(change, {"more": APOLLO, "back": "card"}).url == f"/cards/{APOLLO}/"
    assert as_alice.post(change, {"more": APOLLO, "page": "2"}).url == f"/collection/?page=2#{APOLLO}"
    as_alice.post(change, {"fewer": RAPTOR})
    assert owning.owned_by(alice) == {APOLLO: 2}
    for odd in ({"more": "NOPE-1"}, {"more": "\0"}, {}, {"fewer": "x" * 5000}):
        assert as_alice.post(change, odd).status_code == 302
    assert owning.owned_by(alice) == {APOLLO: 2}
    assert as_alice.get(change).status_code == 405


def test_what_one_owns_is_asked_for_in_a_search(all_cards: None, as_alice: Client, as_bob: Client) -> None:
    refused = as_alice.get("/cards/", {"q": "owned>=1"})
    assert refused.status_code == 400
    assert "My decks" in refused.content.decode()
    send(as_alice, "add")
    assert found(as_alice, "owned>=1") == [APOLLO, RAPTOR]
    assert found(as_alice, "owned>2") == [RAPTOR]
    assert RAPTOR not in found(as_alice, "-owned>=1 s:bsg1 t:ship")
    assert as_alice.get(f"/cards/{APOLLO}/", {"q": "owned>=1"}).context["steps"].found == 2, "and stepped through"
    for other in (as_bob, Client()):
        assert other.get("/cards/", {"q": "owned>=1"}).status_code == 400
    assert as_alice.get("/api/v1/cards/", {"q": "owned>=1"}).json()["code"] == "no_collection"


def test_the_page_of_a_deck_says_what_is_missing_to_who_has_a_collection(
    public: Deck, as_alice: Client, as_bob: Client, bob: Any
) -> None:
    address = public.get_absolute_url()
    assert "collection" not in as_bob.get(address).content.decode()
    whole = {**public.head.counts, public.head.base: 1}
    short = {card: n - 1 for card, n in whole.items()}
    owning.take_in(bob, short, "replace")
    answer = as_bob.get(address)
    assert answer.context["lacked_copies"] == len(whole)
    text = re.search(r'id="lacking-text"[^>]*>([^<]+)<', answer.content.decode())
    assert text
    reading = services.read_text(text[1].replace("&#x27;", "'").replace("&quot;", '"').replace("&amp;", "&"))
    assert not reading.undecided
    assert owning.listed_cards(reading.deck) == dict.fromkeys(whole, 1)
    owning.take_in(bob, whole, "replace")
    assert "You own every card" in as_bob.get(address).content.decode()
    assert "lacking" not in as_alice.get(address).content.decode(), "hers is another matter"


def test_the_page_of_a_card_counts_for_who_has_a_collection(all_cards: None, as_alice: Client) -> None:
    assert "In your collection" not in as_alice.get(f"/cards/{APOLLO}/").content.decode()
    send(as_alice, "add")
    answer = as_alice.get(f"/cards/{APOLLO}/")
    page = answer.content.decode()
    assert 'id="owned"' in page
    assert "csrfmiddlewaretoken" in page
    assert "Cookie" in answer["Vary"], "a cache must not show it to others"
    assert "In your collection" not in Client().get(f"/cards/{APOLLO}/").content.decode()


def test_the_builder_is_told(all_cards: None, as_alice: Client) -> None:
    start = reverse("decks:new")
    assert as_alice.get(start).context["start"]["owned"] is None
    send(as_alice, "add")
    assert as_alice.get(start).context["start"]["owned"] == {APOLLO: 2, RAPTOR: 4}
    assert Client().get(start).context["start"]["owned"] is None


def test_it_goes_out_as_csv_and_comes_in_again(all_cards: None, as_alice: Client, alice: Any) -> None:
    address = reverse("decks:collection_file")
    assert as_alice.get(address).status_code == 404
    send(as_alice, "add", f"{LIST}\n2 Galactica (BSG1) 7")
    before = owning.owned_by(alice)
    file = as_alice.get(address)
    assert file.headers["Content-Disposition"] == 'attachment; filename="collection.csv"'
    read = send(as_alice, "check", file.content.decode())
    assert not read.context["open"]
    send(as_alice, "replace", read.context["text"])
    assert owning.owned_by(alice) == before


def test_a_collection_of_every_card_in_any_number_comes_in_again(all_cards: None, as_alice: Client, alice: Any) -> None:
    """With 99 copies at most in a row, as in decks, so many are more rows than a deck list may have."""
    from cards_data import catalog

    owned = dict.fromkeys(catalog.current().index, 150)
    owning.take_in(alice, owned, "replace")
    file = as_alice.get(reverse("decks:collection_file")).content.decode()
    owning.forget(alice)
    assert send(as_alice, "add", file).status_code == 302
    assert owning.owned_by(alice) == owned


def test_lists_of_what_one_owns_are_bounded_and_the_page_says_how(all_cards: None, as_alice: Client) -> None:
    assert "At most 2000 lines, and 999 copies of each card" in as_alice.get(PAGE).content.decode()
    rows = "quantity,name,set,number\n" + "1,Raptor 227,BSG1,164\n" * 1_999
    assert send(as_alice, "check", rows).context["read"] == 1_999
    refused = send(as_alice, "check", f"{rows}\n1,Stims,BSG1,45")
    assert (refused.status_code, refused.context["wrong"]) == (
        400, "A list of what you own may have 2000 lines at most; this one has 2002.",
    )  # fmt: skip
    (line,) = send(as_alice, "check", "1000 Raptor 227").context["lines"]
    assert line["line"].notes == ["A line says from 1 to 999 copies. Write how many you own."]
    late = "1 Raptor 227\n" * 1_500 + "Apollo"
    assert not send(as_alice, "check", late, **{"pick-1501": APOLLO}).context["open"]


def test_only_its_owner_sees_it(all_cards: None, as_alice: Client, as_bob: Client, bob: Any) -> None:
    send(as_alice, "add")
    assert RAPTOR not in as_bob.get(PAGE).content.decode()
    assert as_bob.get(reverse("decks:collection_file")).status_code == 404
    send(as_bob, "forget")
    assert Collection.objects.count() == 1
    for address in (PAGE, reverse("decks:collection_file")):
        assert Client().get(address).status_code == 302
        assert "no-store" in as_alice.get(address).headers["Cache-Control"]
    assert Client().post(PAGE, {"do": "add", "text": LIST}).status_code == 302
    assert owning.owned_by(bob) is None


def test_it_is_deleted_by_a_click_and_with_the_account(all_cards: None, as_alice: Client, alice: Any) -> None:
    send(as_alice, "add")
    send(as_alice, "forget")
    assert not Collection.objects.exists()
    send(as_alice, "add")
    alice.delete()
    assert not Collection.objects.exists()


def test_nothing_of_it_is_shown_to_who_has_none_but_one_link(deck: Deck, as_alice: Client) -> None:
    mine = as_alice.get(reverse("decks:mine")).content.decode()
    assert mine.count(PAGE) == 1
    for address in ("/cards/", deck.get_absolute_url(), reverse("decks:list")):
        assert PAGE not in as_alice.get(address).content.decode()
    assert PAGE not in Client().get(reverse("decks:mine")).content.decode()


@pytest.mark.parametrize("number", [1, 2])
def test_a_page_of_many_cards_costs_few_queries(
    all_cards: None, as_alice: Client, alice: Any, number: int, django_assert_max_num_queries: Any
) -> None:
    from cards_data import catalog

    owning.take_in(alice, dict.fromkeys(catalog.current().index, 2), "replace")
    with django_assert_max_num_queries(10):
        rows = as_alice.get(PAGE, {"page": number}).context["rows"]
    assert len(rows) == 120
