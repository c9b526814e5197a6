"""What happens to a deck between being found and being changed: deleted, taken down, given another link, changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from decks import links, services
from decks.models import Comment, Deck
from decks.services import DeckError
from decks.social import opinions, reported

FORMS: list[tuple[str, dict[str, str]]] = [
    ("settings/", {"name": "Other", "visibility": "unlisted"}),
    ("edit/", {"text": "4 Stims", "do": "save"}),
    ("about/", {"text": "Words", "tags": "fast", "do": "save"}),
    ("link/", {"do": "renew"}),
    ("link/", {"do": "revoke"}),
    ("delete/", {}),
    ("v1/revert/", {}),
    ("copy/", {}),
    ("like/", {"do": "like"}),
    ("like/", {"do": "unlike"}),
    ("comment/", {"text": "Words"}),
    ("report/", {"reason": "spam", "words": ""}),
]


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Deck], object]], None]:
    """Do something to a deck right after a page or the API has found it, as another request may."""

    def between(happens: Callable[[Deck], object]) -> None:
        for name in ("own", "visible"):
            find = getattr(services, name)

            def found(*args: Any, find: Any = find) -> Deck:
                deck: Deck = find(*args)
                if deck.head is not None:
                    happens(Deck.objects.get(pk=deck.pk))
                return deck

            monkeypatch.setattr(services, name, found)

    return between


@pytest.mark.parametrize(("page", "form"), FORMS)
def test_a_deck_deleted_meanwhile_is_not_there(
    deck: Deck, as_alice: Client, as_bob: Client, meanwhile: Any, page: str, form: dict[str, str]
) -> None:
    services.set_visibility(deck, "public")
    client = as_bob if page in ("like/", "comment/", "report/", "copy/") else as_alice
    meanwhile(lambda found: found.delete())

    assert client.post(f"/decks/{deck.uid}/{page}", form).status_code == 404
    assert not Deck.objects.exists()


@pytest.mark.parametrize(
    ("method", "body"), [("put", {"text": "4 Stims"}), ("patch", {"name": "Other"}), ("delete", {})]
)
def test_neither_is_it_for_programs(deck: Deck, as_alice: Client, meanwhile: Any, method: str, body: object) -> None:
    meanwhile(lambda found: found.delete())

    answer = getattr(as_alice, method)(f"/api/v1/decks/{deck.uid}/", json.dumps(body), content_type="application/json")

    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    ("method", "body"), [("put", {"text": "4 Stims"}), ("patch", {"name": "Other"}), ("delete", {})]
)
def test_of_two_writers_with_one_mark_only_the_first_is_served(
    deck: Deck, as_alice: Client, meanwhile: Any, method: str, body: object
) -> None:
    address = f"/api/v1/decks/{deck.uid}/"
    mark = as_alice.get(address)["ETag"]
    meanwhile(lambda found: Deck.objects.filter(pk=found.pk, name="Viper Wing").update(name="The first"))

    answer = getattr(as_alice, method)(
        address, json.dumps(body), content_type="application/json", headers={"If-Match": mark}
    )

    assert (answer.status_code, answer.json()["code"]) == (412, "precondition_failed")
    deck.refresh_from_db()
    assert (deck.name, deck.versions.count()) == ("The first", 1)


@pytest.mark.parametrize("mark", ["abc", "'abc'", 'W/"abc', ""])
def test_a_mark_that_cannot_be_read_stops_a_writer(deck: Deck, as_alice: Client, mark: str) -> None:
    body = json.dumps({"name": "Other"})

    answer = as_alice.patch(
        f"/api/v1/decks/{deck.uid}/", body, content_type="application/json", headers={"If-Match": mark}
    )

    assert (answer.status_code, answer.json()["code"]) == (412, "precondition_failed")
    assert Deck.objects.get().name == "Viper Wing"


def test_a_comment_deleted_meanwhile_is_not_there(deck: Deck, as_bob: Client, bob: Any, meanwhile: Any) -> None:
    services.set_visibility(deck, "public")
    comment = opinions.comment(bob, deck, "Words")
    stale = Comment.objects.get(pk=comment.pk)
    opinions.remove(bob, comment)

    with pytest.raises(Comment.DoesNotExist):
        reported.report_comment(bob, stale, "spam")


def test_who_found_a_deck_before_it_was_taken_down_cannot_show_it_again(deck: Deck) -> None:
    services.take_down(Deck.objects.get(pk=deck.pk))

    with pytest.raises(DeckError, match="taken this deck down"):
        services.set_visibility(deck, "public")
    assert Deck.objects.get(pk=deck.pk).visibility == "private"


def test_who_found_a_deck_before_its_link_was_replaced_does_not_bring_the_old_link_back(deck: Deck) -> None:
    services.set_visibility(deck, "unlisted")
    old = links.address_of(deck)
    services.renew_link(Deck.objects.get(pk=deck.pk))

    services.set_visibility(deck, "public")
    services.set_visibility(deck, "unlisted")

    assert links.address_of(Deck.objects.get(pk=deck.pk)) != old
