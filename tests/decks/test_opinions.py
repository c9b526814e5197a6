"""Write-ups, tags, likes and comments: who may, what it says, and that nothing in it is obeyed."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone

from decks import links, services
from decks.models import Comment, Deck
from decks.social import opinions
from decks.social import pages as social_pages
from tests.people import signed_in
from tests.shown import PAYLOADS, harmless, queries, words


def say(client: Client, deck: Deck, text: str = "So say we all") -> Any:
    return client.post(f"{deck.get_absolute_url()}comment/", {"text": text}, follow=True)


def test_the_page_has_its_parts_in_their_order(starters: None, public: Deck, as_alice: Client, bob: Any) -> None:
    opinions.describe(public, "Win with **CAG**", "Fighters")
    opinions.comment(bob, public, "It flies")
    copy = services.fork(public.owner, public.head, "Child")
    services.set_visibility(copy, "public")
    opinions.describe(copy, "Like its parent", "")
    opinions.comment(bob, copy, "It flies")
    said = words(as_alice.get(copy.get_absolute_url()))
    order = [
        "Child by alice", "Legal in Standard", "Play", "Copy the deck", "Sample hand",
        "Compare", "Personnel 20", "Cost",
        "Write-up Like its parent", "Comments 1", "It flies", "Derived from Viper Wing, version 1 by alice",
        "Similar decks",
    ]  # fmt: skip
    said = said[said.index(order[0]) :]  # without the title, and the "Play" at the head of all pages
    places = [said.index(part) for part in order]
    assert places == sorted(places)
    assert "#fighters" in words(as_alice.get(public.get_absolute_url()))


def test_the_owner_writes_about_a_deck(public: Deck, as_alice: Client, as_bob: Client) -> None:
    about = f"{public.get_absolute_url()}about/"
    form = {"text": "Keep Apollo, Ace Pilot **alive**", "tags": "Rush, #Cylons , rush, Ｒush"}
    preview = as_alice.post(about, {**form, "do": "preview"})
    assert "<strong>alive</strong>" in preview.content.decode()
    assert Deck.objects.get().write_up == ""

    as_alice.post(about, {**form, "do": "save"})
    page = as_bob.get(public.get_absolute_url()).content.decode()
    assert re.search('data-card="[^"]+"[^>]*>Apollo, Ace Pilot</a> <strong>alive</strong>', page)
    assert list(public.labels.values_list("word", flat=True)) == ["cylons", "rush"]
    assert "cylons, rush" in as_alice.get(about).content.decode()
    assert 'href="/decks/?q=tag%3Arush"' in page
    assert [row["deck"] for row in as_bob.get("/decks/?q=tag:ＲUSH -tag:slow has:tag").context["rows"]] == [public]
    assert not as_bob.get("/decks/?q=-tag:rush").context["rows"]


@pytest.mark.parametrize(
    ("form", "why"),
    [
        ({"text": "x" * 10_001}, "has 10001 characters"),
        ({"tags": "a,b,c,d,e,f"}, "5 tags at most"),
        ({"tags": "x" * 25}, "24 characters at most"),
    ],
)
def test_what_is_too_long_is_refused_and_not_lost(public: Deck, as_alice: Client, form: Any, why: str) -> None:
    page = as_alice.post(f"{public.get_absolute_url()}about/", {"text": "", "tags": "", **form, "do": "save"})
    assert page.status_code == 400
    assert why in words(page)
    assert all(value in page.content.decode() for value in form.values())
    assert (Deck.objects.get().write_up, public.labels.count()) == ("", 0)


def test_signs_that_cannot_be_stored_are_left_out(public: Deck, as_alice: Client) -> None:
    as_alice.post(f"{public.get_absolute_url()}about/", {"text": "a\0b\r\nc\x1b", "tags": "x\0y", "do": "save"})
    assert Deck.objects.get().write_up == "ab\nc"
    assert [label.word for label in public.labels.all()] == ["x y"]


def test_what_is_written_reads_as_it_is_and_covers_nothing_else(public: Deck, as_alice: Client, as_bob: Client) -> None:
    text = "Z" + "\u0316\u0301" * 100 + "\n\nno \u202ereversed\u202c \u2067words\u2069, שלום"
    plain = "Z\u0316\u0301\u0316\u0301\u0316\n\nno reversed words, שלום"
    as_alice.post(f"/decks/{public.uid}/about/", {"do": "save", "text": text, "tags": ""})
    as_bob.post(f"/decks/{public.uid}/comment/", {"text": text})
    public.refresh_from_db()
    assert public.write_up == public.comments.get().text == plain


def test_likes_are_counted_once_a_person(public: Deck, as_bob: Client, as_alice: Client) -> None:
    like = f"{public.get_absolute_url()}like/"
    for _ in range(2):
        assert "1 like " in words(as_bob.post(like, follow=True))
    assert "Liked" in words(as_bob.get(public.get_absolute_url()))
    assert "Your own deck" in words(as_alice.post(like, follow=True))
    assert Deck.objects.get().liked == 1
    as_bob.post(like, {"do": "unlike"})
    as_bob.post(like, {"do": "unlike"})
    assert Deck.objects.get().liked == 0


def test_opinions_need_an_account(public: Deck, client: Client, as_guest: Client) -> None:
    for other in (client, as_guest):
        assert "sign in with an account" in words(say(other, public))
        assert "sign in with an account" in words(other.post(f"{public.get_absolute_url()}like/", follow=True))
        assert other.post(f"{public.get_absolute_url()}like/", {"do": "unlike"}).status_code == 302
    page = public.get_absolute_url()
    assert "Sign in with an account to comment." in words(client.get(page))
    assert f'/accounts/login/?next={page}"' in client.get(page).content.decode(), "and come back"
    assert "Make an account to comment." in words(as_guest.get(page))
    assert (Comment.objects.count(), Deck.objects.get().liked) == (0, 0)


def test_a_comment_is_shown_to_everybody_who_sees_the_deck(public: Deck, as_bob: Client, client: Client) -> None:
    assert "bob" in words(say(as_bob, public, "Try **Raptor 227**"))
    page = client.get(public.get_absolute_url()).content.decode()
    assert re.search(r"<strong><a class=\"card-name\" data-card=\"BSG1-164\"[^>]*>Raptor 227</a></strong>", page)


@pytest.mark.parametrize(("text", "why"), [("  \n", "nothing in this comment"), ("x" * 2_001, "has 2001 characters")])
def test_a_comment_that_cannot_be_kept_is_not_lost(public: Deck, as_bob: Client, text: str, why: str) -> None:
    page = say(as_bob, public, text)
    assert page.status_code == 400
    assert why in words(page)
    assert text.strip() in page.content.decode()
    assert not Comment.objects.exists()


def test_who_writes_very_much_waits(public: Deck, as_bob: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opinions, "COMMENTS_AN_HOUR", 2)
    monkeypatch.setattr(opinions, "LIKES_AN_HOUR", 0)
    say(as_bob, public)
    say(as_bob, public, "once more")
    page = say(as_bob, public, "and again")
    assert (page.status_code, Comment.objects.count()) == (400, 2)
    assert "a lot within one hour" in words(page)
    assert "a lot within one hour" in words(as_bob.post(f"{public.get_absolute_url()}like/", follow=True))


def test_a_second_click_makes_no_second_comment(public: Deck, as_bob: Client, as_alice: Client) -> None:
    for client in (as_bob, as_bob, as_alice):
        say(client, public)
    assert sorted(one.author.username for one in public.comments.all()) == ["alice", "bob"]
    public.comments.update(created=timezone.now() - opinions.SECOND_CLICK)
    say(as_bob, public)
    assert public.comments.count() == 3


def test_comments_are_removed_by_writer_and_owner_alone(
    public: Deck, as_alice: Client, as_bob: Client, client: Client, bob: Any
) -> None:
    carol = signed_in(get_user_model().objects.create_user("carol"))
    for remover in (as_bob, as_alice):
        made = opinions.comment(bob, public, "It flies")
        url = f"{public.get_absolute_url()}comment/{made.pk}/remove/"
        for other in (client, carol):
            assert "Remove the comment" not in other.get(public.get_absolute_url()).content.decode()
            assert {other.post(url).status_code, other.get(url).status_code} == {404}
        assert f'href="{url}"' in remover.get(public.get_absolute_url()).content.decode()
        assert "cannot be brought back" in words(remover.get(url))
        assert Comment.objects.exists(), "asking removes nothing"
        assert "Remove the comment" in remover.get(public.get_absolute_url()).content.decode()
        assert "is removed" in words(remover.post(url, follow=True))
        assert not Comment.objects.exists()
        assert remover.post(url).status_code == 404


def test_a_comment_is_removed_at_its_own_deck_alone(public: Deck, as_bob: Client, bob: Any, alice: Any) -> None:
    other = services.create_from_text(alice, "4 Stims", visibility="public")
    made = opinions.comment(bob, public, "It flies")
    assert as_bob.post(f"{other.get_absolute_url()}comment/{made.pk}/remove/").status_code == 404
    assert as_bob.post(f"{public.get_absolute_url()}comment/{10**30}/remove/").status_code == 404


@pytest.mark.parametrize("part", ["like/", "comment/", "draw/", "v1/draw/", "about/"])
def test_a_private_deck_is_not_there(deck: Deck, as_bob: Client, client: Client, part: str) -> None:
    for other in (as_bob, client):
        send = other.get if "draw" in part else other.post
        refused, missing = (send(f"/decks/{uid}/{part}", {"text": "x"}) for uid in (deck.uid, "A" * 22))
        assert (refused.status_code, refused.content) == (404, missing.content)


def test_who_has_the_link_comments_by_it(deck: Deck, as_bob: Client) -> None:
    services.set_visibility(deck, "unlisted")
    link = links.address_of(deck)
    said = as_bob.post(f"{link}comment/", {"text": "Between us"}, follow=True)
    assert said.redirect_chain[0][0].startswith(link)
    assert "Between us" in words(said)


@pytest.mark.parametrize("payload", PAYLOADS)
def test_no_field_is_obeyed(public: Deck, as_alice: Client, as_bob: Client, payload: str) -> None:
    """Every text that players write, on every page that shows it: names, notes, tags, write-ups, comments."""
    address = public.get_absolute_url()
    as_alice.post(f"{address}settings/", {"name": payload, "visibility": "public"})
    as_alice.post(f"{address}about/", {"text": payload, "tags": payload[:20], "do": "save"})
    as_alice.post(f"{address}edit/", {"text": "4 Stims #a<b", "note": payload, "do": "save"})
    say(as_bob, public, payload)
    compared = f"/decks/compare/?from={public.uid}@1&to={public.uid}@2"
    for url in (address, f"{address}v1/", "/decks/", compared, f"{address}draw/", f"{address}about/", "/decks/mine/"):
        assert harmless(as_alice.get(url)), url
    for form in (
        {"text": payload, "do": "check"},
        {"text": "4 Stims", "name": payload, "note": payload, "do": "check"},
    ):
        assert harmless(as_alice.post("/decks/new/", form))
        assert harmless(as_alice.post(f"{address}edit/", form))
    assert harmless(as_alice.post(f"{address}about/", {"text": payload, "tags": payload, "do": "preview"}))
    assert harmless(as_bob.post(f"{address}comment/", {"text": payload + "x" * 2_000}))


def test_a_page_takes_as_many_queries_for_many_comments_and_decks(
    public: Deck, as_bob: Client, bob: Any, alice: Any, legal_list: str
) -> None:
    def more(count: int) -> None:
        for number in range(count):
            author = get_user_model().objects.create_user(f"pilot-{Comment.objects.count()}")
            opinions.comment(author, public, f"{number} **Raptor 227**")
            services.create_from_text(alice, legal_list, visibility="public")
            services.new_version(public, legal_list.replace("3 CAG", f"{number % 3 + 1} CAG"))

    more(2)
    few = queries(as_bob, public.get_absolute_url())
    more(8)
    assert queries(as_bob, public.get_absolute_url()) == few


def test_comments_have_pages(public: Deck, as_bob: Client, bob: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(social_pages, "COMMENTS_A_PAGE", 2)
    for number in range(3):
        opinions.comment(bob, public, f"number {number}")
    assert "number 2" in words(as_bob.get(public.get_absolute_url()))
    assert "number 0" not in words(as_bob.get(public.get_absolute_url()))
    assert "number 0" in words(as_bob.get(f"{public.get_absolute_url()}?comments=2"))
    assert as_bob.get(f"{public.get_absolute_url()}?comments=x").status_code == 200


def test_a_hand_is_drawn_as_the_base_says(public: Deck, client: Client) -> None:
    draw = f"{public.get_absolute_url()}draw/"
    first = client.get(f"{draw}?seed=7")
    assert len(first.context["hand"]) == 4
    assert first.context["hand"] == client.get(f"{draw}?seed=7").context["hand"]
    later = client.get(f"{draw}?seed=7&turns=2").context
    assert (later["hand"], [len(turn) for turn in later["turns"]], later["left"]) == (first.context["hand"], [2, 2], 52)
    drawn = [*later["hand"], *(card for turn in later["turns"] for card in turn)]
    counts = {card.id: drawn.count(card) for card in drawn}
    assert all(counts[card] <= public.head.counts[card] for card in counts)  # type: ignore[union-attr]
    for odd in ("?seed=x&turns=-1", f"?seed={10**30}", "?turns=99"):
        assert client.get(f"{draw}{odd}").status_code == 200


def test_a_deck_without_a_base_has_no_hand(all_cards: None, alice: Any, client: Client) -> None:
    deck = services.create_from_text(alice, "4 Stims", visibility="public")
    assert "Without a base" in words(client.get(f"{deck.get_absolute_url()}draw/"))


def test_who_leaves_is_not_held_by_a_number_of_likes_that_fell_behind(deck: Deck, bob: Any) -> None:
    opinions.like(bob, deck)
    Deck.objects.filter(pk=deck.pk).update(liked=0)
    opinions.forget(bob)
    deck.refresh_from_db()
    assert (deck.liked, deck.likes.count()) == (0, 0)


def test_what_changes_nothing_is_not_refused_for_being_too_much(
    public: Deck, bob: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To like a deck, or to block somebody, once more is a second click."""
    opinions.like(bob, public)
    opinions.block_person(bob, public.owner)
    monkeypatch.setattr(opinions, "LIKES_AN_HOUR", 1)
    monkeypatch.setattr(opinions, "MAX_BLOCKS", 1)
    opinions.like(bob, public)
    opinions.block_person(bob, public.owner)
    assert Deck.objects.get(pk=public.pk).liked == 1
