"""The import page: whatever comes in is told line by line, and nothing is saved before somebody says so."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from decks import links, services
from decks.exchange import registry
from decks.exchange.merging import merged
from decks.models import Deck
from tests.decks.conftest import LEGAL_LIST

NEW = "/decks/new/"
O8D = (
    "<deck game='x'><section name='Deck'>"
    "<card qty='3' id=''>Raptor 227</card><card qty='2'>Furry</card></section></deck>"
)


def listed(answer: Any) -> str:
    """What stands in the text field of the page."""
    import html

    found = re.search(r'<textarea class="list" id="text"[^>]*>(.*?)</textarea>', answer.content.decode(), re.DOTALL)
    assert found
    return html.unescape(found[1]).lstrip("\n")


def send(client: Client, address: str = NEW, **fields: Any) -> Any:
    return client.post(address, {"text": "", "do": "import", **fields})


def file(content: bytes | str, name: str = "deck.o8d") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content.encode() if isinstance(content, str) else content)


def test_a_file_is_told_line_by_line_and_not_saved(all_cards: None, as_alice: Client) -> None:
    answer = send(as_alice, file=file(O8D))

    assert answer.status_code == 200
    assert "3 Raptor 227" in listed(answer)
    page = answer.content.decode()
    assert "Read as OCTGN" in page
    assert "1 line to decide" in page
    assert "There is no card of this name." in page
    assert not Deck.objects.exists()


def test_what_is_pasted_in_another_form_is_told_before_it_is_saved(all_cards: None, as_alice: Client) -> None:
    from decks.exchange import json_form

    deck = services.read_text(LEGAL_LIST).deck
    answer = as_alice.post(NEW, {"text": json_form.write(deck, services.current_names()), "do": "save"})

    assert "Read as JSON" in answer.content.decode()
    assert not Deck.objects.exists()
    as_alice.post(NEW, {"text": listed(answer), "do": "save"})
    assert Deck.objects.get().head.counts == deck.counts


def test_a_link_with_a_deck_code_opens_the_list(deck: Deck, client: Client) -> None:
    code = registry.BY_CODE["code"].write(services.read_text(LEGAL_LIST).deck, services.current_names()).strip()

    answer = client.get(NEW, {"code": code})
    assert "Read as deck code" in answer.content.decode()
    assert services.read_text(listed(answer)).deck.counts == services.read_text(LEGAL_LIST).deck.counts
    wrong = client.get(NEW, {"code": code[:-2]})
    assert wrong.status_code == 400
    assert "This deck code is not whole" in wrong.content.decode()


def test_the_address_of_a_deck_is_that_deck(deck: Deck, client: Client, as_bob: Client) -> None:
    services.set_visibility(deck, "unlisted")
    services.new_version(deck, "# Second\n4 Stims")
    link = links.address_of(deck)

    for address in (f"http://testserver{link}", f"{link}print/"):
        assert "4 Stims" in listed(send(as_bob, **{"from": address}))
    assert "Stern Leadership" in listed(send(client, **{"from": f"{link}v1/"}))


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("https://example.org/decks/1/", "not fetched from other sites"),
        ("http://127.0.0.1:5432/", "not fetched from other sites"),
        ("http://[", "This address cannot be read"),
        ("https://\N{ACCOUNT OF}.example/", "This address cannot be read"),
        ("/decks/nothing/", "no deck at this address"),
        ("/decks/mine/", "no deck at this address"),
        ("/decks/{uid}/", "no deck at this address"),
        ("/decks/{uid}/v99/", "no deck at this address"),
    ],
)
def test_other_addresses_are_refused(deck: Deck, as_bob: Client, address: str, sentence: str) -> None:
    answer = send(as_bob, text="4 Fury", **{"from": address.format(uid=deck.uid)})

    assert answer.status_code == 400
    assert sentence in answer.content.decode()
    assert listed(answer).strip() == "4 Fury"


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xfe\x00",
        b"\x00" * 10,
        b"<deck><section name='x'>",
        b'<!DOCTYPE d [<!ENTITY a "b">]><deck><section name="Deck"/></deck>',
        b"{}",
        b"4 Fury\n" * 30_000,
    ],
)
def test_hostile_files_are_refused_with_a_sentence(all_cards: None, client: Client, content: bytes) -> None:
    answer = send(client, text="4 Fury", file=file(content))

    assert answer.status_code == 400
    assert 'role="alert"' in answer.content.decode()
    assert listed(answer).strip() == "4 Fury"


def test_nothing_to_take_in_is_told(all_cards: None, client: Client) -> None:
    answer = send(client, text="4 Fury")

    assert answer.status_code == 400
    assert "Choose a file" in answer.content.decode()


def test_on_a_list_that_is_there_a_file_replaces_or_adds(deck: Deck, as_alice: Client) -> None:
    edit = f"/decks/{deck.uid}/edit/"
    before = services.as_list(deck, deck.head)

    replaced = services.read_text(listed(send(as_alice, edit, text=LEGAL_LIST, file=file("2 Stims"), how="replace")))
    added = services.read_text(listed(send(as_alice, edit, text=LEGAL_LIST, file=file("2 Raptor 227"), how="merge")))

    assert sum(replaced.deck.counts.values()) == 2
    assert added.deck.name == "Viper Wing"
    assert added.deck.bases == before.bases
    assert added.deck.counts == {**before.counts, "BSG1-164": before.counts.get("BSG1-164", 0) + 2}
    deck.refresh_from_db()
    assert deck.head.number == 1


def test_a_merged_list_keeps_its_head_and_its_considered_cards(all_cards: None) -> None:
    names = services.current_names()
    there = "# Mine\nBase: Galactica\n4 Fury\nConsidering\n1 Stims"
    new = "# Theirs\nFormat: standard-2006\nBase: Colonial One\n2 Fury\n1 Raptor 227\nConsidering\n2 Stims"

    deck = services.read_text(merged(there, new, names)).deck
    named = {names.catalog[card].name: count for card, count in deck.counts.items()}
    assert (deck.name, deck.format) == ("Mine", "standard-2006")
    assert deck.bases == services.read_text(there).deck.bases
    assert named == {"Fury": 6, "Raptor 227": 1}
    assert list(deck.considering.values()) == [3]
    assert merged("  \n", new, names) == new


def test_a_merged_list_tells_which_base_was_not_taken_and_keeps_its_lines_apart(all_cards: None) -> None:
    names = services.current_names()
    there = "Base: Galactica\n4 Fury"

    both = merged(there, "Base: Colonial One\n2 Stims\v1 Raptor 227", names)
    assert "// Base: Colonial One was not taken: the deck has a base" in both
    assert sum(services.read_text(both).deck.counts.values()) == 7
    assert "//" not in merged(there, "Base: Galactica\n2 Stims", names)


@pytest.mark.parametrize(
    "there",
    ["4 Fury", "Quantity,Name\n4,Fury", "Card\tSet\tQty\nFury\tBSG1\t4", "| Qty | Card |\n|---|---|\n| 4 | Fury |"],
)
@pytest.mark.parametrize(
    "new",
    [
        "Base: Galactica\n2 Apollo, Ace Pilot (BSG1) 98\n3\tRaptor 227",
        'Quantity,Name,Section\n1,Galactica,base\n2,"Apollo, Ace Pilot",deck\n3,Raptor 227,deck',
        "Base\nGalactica\nDeck\n2 Apollo, Ace Pilot\n3 Raptor 227",
    ],
)
def test_lists_are_merged_whatever_their_forms(all_cards: None, there: str, new: str) -> None:
    names = services.current_names()

    reading = services.read_text(merged(there, new, names))

    assert not reading.undecided
    assert reading.deck.bases == ["BSG1-007"]
    assert reading.deck.counts == {"BSG1-028": 4, "BSG1-098": 2, "BSG1-164": 3}


def test_a_base_that_nobody_knows_is_asked_about_when_lists_are_merged(all_cards: None) -> None:
    both = merged("4 Fury", "Base: Zzyzx #core\n2 Stims", services.current_names())

    assert [line.text for line in services.read_text(both).undecided] == ["Base: Zzyzx #core"]


def test_how_many_cards_an_added_list_has_is_not_said_of_both(all_cards: None) -> None:
    both = merged("Base: Galactica\n4 Fury", "2 Stims\nTotal: 2\n", services.current_names())
    reading = services.read_text(both)
    assert sum(reading.deck.counts.values()) == 6
    assert not any(line.notes for line in reading.lines)
