"""Similar decks: the most cards in common first, and the reason with each."""

from __future__ import annotations

from typing import Any

from django.test import Client

from decks import services
from decks.lists.similar import most_alike
from decks.models import Deck
from tests.shown import words

COUNTS = {f"BSG1-{number:03}": 4 for number in range(10, 25)}


def test_copies_in_common_decide_and_then_the_base() -> None:
    others = [
        ("half", "BSG1-002", dict(list(COUNTS.items())[:7])),
        ("same", "BSG1-001", COUNTS),
        ("same cards", "BSG1-002", COUNTS),
        ("one each", "BSG1-001", dict.fromkeys(COUNTS, 1)),
        ("nothing", "BSG1-001", {"BSG1-099": 4}),
        ("little", "BSG1-002", dict.fromkeys(COUNTS, 1)),
    ]
    found = most_alike("BSG1-001", COUNTS, others, 9)
    assert [(one.deck, one.shared, one.same_base) for one in found] == [
        ("same", 60, True),
        ("same cards", 60, False),
        ("half", 28, False),
        ("one each", 15, True),
    ]
    assert [one.deck for one in most_alike("BSG1-001", COUNTS, others, 1)] == ["same"]


def test_decks_without_a_base_have_not_the_same_one() -> None:
    (found,) = most_alike("", COUNTS, [("other", "", COUNTS)], 1)
    assert not found.same_base


def test_similar_decks_say_why_and_only_public_ones_are_told(
    starters: None, alice: Any, bob: Any, legal_list: str, client: Client
) -> None:
    public = services.create_from_text(bob, legal_list.replace("3 CAG", "1 CAG"), name="Bobs", visibility="public")
    for visibility in ("private", "unlisted"):
        services.create_from_text(bob, legal_list, name=f"Hidden {visibility}", visibility=visibility)
    starter = Deck.objects.get(starter="battlestar-viper-wing")

    said = words(client.get(starter.get_absolute_url()))

    assert "Similar decks Bobs by bob 58 of 60 cards and the base in common" in said
    assert "Hidden" not in said
    assert public.name not in words(client.get(public.get_absolute_url())).partition("Similar decks")[2]
