"""Commitments come before words, are used once, and survive everything; secrets come after the end."""

from __future__ import annotations

import logging
from datetime import timedelta
from importlib import import_module
from typing import Any

import msgspec
import pytest
from django.db import IntegrityError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from ccg.outbox.services import drain
from ccg.rules import Game
from decks.table_decks import TableDeck
from matches.clocks.tempo import LIVE
from matches.lobby import invites, lesson_matches, rematches
from matches.lobby import services as lobby
from matches.lobby.errors import LobbyError
from matches.lobby.outdated import end_outdated
from matches.models import Match
from matches.pairing import services as queues
from matches.pairing.queues import CASUAL_DAYS
from matches.playing import archive, match_cache
from matches.protocol.messages import Concede
from matches.replays import showing
from matches.shuffles import publishing, services
from matches.shuffles.fair import Given, Part, seed_of
from matches.shuffles.models import Commitment
from tests.matches.conftest import Table
from tests.matches.shuffles.conftest import given
from tests.matches.test_stand_ins import Three
from tests.people import signed_in


@pytest.fixture
def words(alice: Any, bob: Any, deck: TableDeck) -> Match:
    """A match to which both have given words."""
    opened = lobby.invite(alice, deck, 2, given=given("of Alice"))
    return lobby.join(opened, bob, deck, given("of Bob"))


def secrets_of(match: Match) -> list[str]:
    return [bytes(row.secret).hex() for row in Commitment.objects.filter(seat__match=match)]


def file_for(match: Match, user: Any) -> dict[str, Any]:
    file: dict[str, Any] = msgspec.to_builtins(publishing.file_of(match, user.pk))
    return file


def test_the_seed_of_a_match_comes_from_the_secrets_and_words_of_its_seats(words: Match) -> None:
    rows = Commitment.objects.filter(seat__match=words).order_by("seat__number")
    parts = [Part(bytes(row.secret), row.words) for row in rows]
    assert {part.words for part in parts} == {"of Alice", "of Bob"}
    assert bytes(words.seed) == seed_of(parts)


def test_who_gives_no_words_adds_nothing_and_the_server_cannot_either(alice: Any, bob: Any, deck: TableDeck) -> None:
    match = lobby.join(lobby.invite(alice, deck, 2, given=given()), bob, deck)
    assert Commitment.objects.get(seat__match=match).seat.number == 0
    assert [seat["commitment"] is None for seat in file_for(match, alice)["seats"]] == [False, True]


def test_where_nobody_gives_words_the_server_is_bound_from_the_beginning(match: Match, alice: Any) -> None:
    first, second = file_for(match, alice)["seats"]
    assert first["commitment"] and not first["gave_words"] and second["commitment"] is None


def test_words_without_a_commitment_made_before_them_are_refused_and_nobody_sits_down(
    alice: Any, bob: Any, deck: TableDeck
) -> None:
    open_match = lobby.invite(alice, deck, 2)
    used, old = given(), given()
    lobby.invite(alice, deck, 2, given=used)
    long_ago = timezone.now() - services.GOOD_FOR - timedelta(seconds=1)
    Commitment.objects.filter(digest=old.commitment).update(made=long_ago)
    for wrong in (used, old, Given("ab" * 32, "words"), Given("", "words"), Given("AB" * 32, "words"), Given("é", "")):
        with pytest.raises(LobbyError) as refused:
            lobby.join(open_match, bob, deck, wrong)
        assert refused.value.code == "shuffle"
    assert open_match.seats.filter(user=bob).count() == 0
    assert Match.objects.get(pk=open_match.pk).state == Match.State.OPEN


def test_words_that_are_none_are_refused(alice: Any, deck: TableDeck) -> None:
    for text in ("", "x" * 201, "two\nlines", "a\x00b", "\ud800", "\x85"):
        with pytest.raises(LobbyError):
            lobby.play_computer(alice, deck, [deck], given=given(text))
    assert not Match.objects.exists()


def test_the_database_itself_takes_no_words_without_a_seat(db: None) -> None:
    with pytest.raises(IntegrityError):
        Commitment.objects.create(digest="x", secret=b"x", words="words")


def test_a_seat_keeps_the_words_it_has(words: Match, alice: Any) -> None:
    """A second tab, a form sent twice or a reload after kill -9 change nothing of what was committed."""
    before = list(Commitment.objects.values_list("digest", "words", "seat_id"))
    services.take(words.seats.get(user=alice), given("other words"))
    assert set(Commitment.objects.exclude(seat=None).values_list("digest", "words", "seat_id")) == set(before)


def test_who_gets_up_takes_their_words_along(alice: Any, bob: Any, deck: TableDeck) -> None:
    open_match = lobby.invite(alice, deck, 3, given=given())
    lobby.join(open_match, bob, deck, given("of Bob"))
    lobby.withdraw(open_match, bob)
    assert list(Commitment.objects.exclude(seat=None).values_list("words", flat=True)) == ["words of a player"]


def test_all_that_is_known_of_who_sits_moves_along_to_another_seat(
    alice: Any, bob: Any, deck: TableDeck, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "order_of", lambda parts: [1, 0])
    shown = msgspec.structs.replace(deck, private=False, public=True, format="open", label="shown")
    hidden = msgspec.structs.replace(deck, private=True, public=False, format="own", label="hidden")
    match = lobby.join(lobby.invite(alice, shown, 2, given=given()), bob, hidden, given())
    columns = ("user", "deck_label", "deck_private", "deck_public", "deck_format")
    assert list(match.seats.order_by("number").values_list(*columns)) == [
        (bob.pk, "hidden", True, False, "own"), (alice.pk, "shown", False, True, "open"),
    ]  # fmt: skip


def test_a_rematch_has_commitments_of_its_own(words: Match, alice: Any, bob: Any) -> None:
    table = Table(words)
    table.act(0, Concede(id="c"))
    rematches.rematch(table.row, alice, given("again, Alice"))
    again = rematches.rematch(table.row, bob, given("again, Bob"))
    assert again.state == Match.State.RUNNING and bytes(again.seed) != bytes(words.seed)
    assert not set(secrets_of(again)) & set(secrets_of(words))


def test_lessons_are_shuffled_as_ever_and_have_no_such_page(alice: Any) -> None:
    lesson = lesson_matches.play_lesson(alice, "first-match")
    assert not Commitment.objects.exists()
    assert signed_in(alice).get(f"/table/{lesson.public_id}/shuffles/").status_code == 404


def test_unused_commitments_are_forgotten(db: None) -> None:
    for _ in range(3):
        services.commit()
    Commitment.objects.update(made=timezone.now() - services.GOOD_FOR * 2)
    kept = services.commit()
    assert list(Commitment.objects.values_list("digest", flat=True)) == [kept]


def test_before_the_end_no_answer_page_or_log_has_a_secret(
    words: Match, alice: Any, bob: Any, charlie: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    hidden = [*secrets_of(words), bytes(words.seed).hex(), "of Alice", "of Bob"]
    told = ""
    for who in (alice, bob, charlie):
        browser = signed_in(who)
        for address in ("table/{}/", "table/{}/shuffles/", "api/v1/matches/{}/", "api/v1/matches/{}/shuffles/"):
            answer = browser.get("/" + address.format(words.public_id))
            assert answer.status_code == 200
            told += answer.content.decode()
    told += repr(words) + repr(list(Commitment.objects.all())) + caplog.text
    assert not [secret for secret in hidden if secret in told]
    assert all(row.digest in told for row in Commitment.objects.all())


def test_the_administration_filters_by_no_secret(words: Match, admin_user: Any) -> None:
    browser = signed_in(admin_user)
    for about in ("seats__commitment__secret__startswith", "seats__commitment__words__startswith"):
        assert browser.get(f"/admin/matches/match/?{about}=a").status_code == 400
    assert browser.get("/admin/shuffles/").status_code == 404


def test_after_the_end_the_file_holds_for_a_player_and_for_a_stranger(
    alice: Any, bob: Any, charlie: Any, deck: TableDeck, script: Any
) -> None:
    opened = lobby.invite(alice, deck, 2, given=given("of Alice"))
    table = Table(lobby.join(opened, bob, deck, given("of Bob")))
    table.act(table.deciding, table.choice("r", "redraw"))
    table.act(0, Concede(id="c"))
    assert script.check(file_for(table.row, alice)).startswith("0 drawings"), "secrets at once, drawings from a worker"
    drain()
    mine, theirs = file_for(table.row, bob), file_for(table.row, charlie)
    assert mine == theirs and "4 drawings" in script.check(mine)
    record = archive.read_record(table.row.archive)
    assert [(one.secret, one.words) for one in record.shuffles] == [(s["secret"], s["words"]) for s in mine["seats"]]


def test_the_file_holds_where_the_computer_plays_on_for_somebody_who_gave_words(
    alice: Any, bob: Any, charlie: Any, deck: TableDeck, script: Any
) -> None:
    """The words are those of who sat down; that a computer cannot have any is what the checker goes by."""
    match = lobby.invite(alice, deck, 3, given=given("of Alice"), tempo=LIVE[0])
    for other in (bob, charlie):
        match = lobby.join(match, other, deck, given(f"of {other}"))
    three = Three(match)
    three.give("computer")
    for seat in (three.first, three.second):
        three.act(seat, Concede(id=f"c{seat}"))
    drain()
    file = file_for(three.row, charlie)
    assert [seat["kind"] for seat in file["seats"]] == ["person"] * 3
    assert "drawings" in script.check(file)


def test_cards_of_a_match_with_a_private_deck_are_for_its_players_whatever_is_published_later(
    alice: Any, bob: Any, charlie: Any, deck: TableDeck, script: Any
) -> None:
    """Alice has a private deck with the list of a starter deck, which is public: that is nobody's business."""
    private = msgspec.structs.replace(deck, private=True)
    opened = lobby.invite(alice, private, 2, given=given("of Alice"))
    table = Table(lobby.join(opened, bob, deck, given("of Bob")))
    table.act(0, Concede(id="c"))
    drain()
    mine, theirs = file_for(table.row, bob), file_for(table.row, charlie)
    assert all(seat["deck"] for seat in mine["seats"]) and "private" not in script.check(mine)
    assert [seat["deck"] for seat in theirs["seats"]] == [None, None]
    shuffles = [one for one in theirs["drawings"] if one["why"] != publishing.LOT]
    assert len(shuffles) == 2 and not any(one["before"] or one["after"] for one in shuffles)
    assert "Of private decks only the places" in script.check(theirs)
    sees_all = showing.access(table.id, charlie.pk)
    assert sees_all is not None and not sees_all.sees_all, "it is the rule of replays"


def test_a_match_that_no_engine_can_play_again_keeps_its_secrets(words: Match, alice: Any, script: Any) -> None:
    Match.objects.filter(pk=words.pk).update(engine_version="1")
    end_outdated()
    file = file_for(Match.objects.get(pk=words.pk), alice)
    assert file["state"] == "without moves" and script.check(file).startswith("0 drawings")


def test_drawings_that_are_not_those_of_the_match_are_not_published(words: Match) -> None:
    table = Table(words)
    table.act(0, Concede(id="c"))
    Match.objects.filter(pk=words.pk).update(digest="0" * 32)
    with pytest.raises(ValueError, match="played again"):
        publishing.handle({"match": words.public_id})


def test_a_table_that_waits_shows_commitments_to_those_who_sit_there_alone(
    alice: Any, charlie: Any, deck: TableDeck
) -> None:
    table = lobby.invite(alice, deck, 2, given=given())
    digest = Commitment.objects.get(seat__match=table).digest
    assert digest in signed_in(alice).get(table.get_absolute_url()).content.decode()
    assert signed_in(charlie).get(f"/table/{table.public_id}/shuffles/").status_code == 404


def test_a_browser_sits_down_with_words(client: Client, cards: None) -> None:
    answer = client.post("/api/v1/shuffles/commitments/")
    commitment = answer.json()["commitment"]
    assert answer.status_code == 201 and answer["Cache-Control"] == "private, no-store"
    sent = {"shuffle_commitment": commitment, "shuffle_words": "so say we all"}
    table = client.post("/play/computer/", sent, follow=True)
    assert commitment in table.content.decode()
    assert Commitment.objects.get(digest=commitment).words == "so say we all"
    twice = client.post("/play/computer/", {**sent, "shuffle_words": "so say some of us"})
    assert twice.status_code == 400 and "has been used or is too old" in twice.content.decode()


@pytest.mark.parametrize("address", ["/play/computer/", "/play/invite/", "/play/tables/"])
def test_a_form_that_is_sent_again_as_its_answer_was_lost_leads_to_the_same_match(
    client: Client, cards: None, address: str
) -> None:
    client.post("/guest/")
    commitment = client.post("/api/v1/shuffles/commitments/").json()["commitment"]
    sent = {"shuffle_commitment": commitment, "shuffle_words": "so say we all", "players": "2"}
    first = client.post(address, sent)
    assert first.status_code == 302

    again = client.post(address, sent)

    assert (again.status_code, again["Location"]) == (302, first["Location"])
    assert Match.objects.count() == 1
    # Somebody else who has seen the words has not sat down with them.
    other = Client()
    other.post("/guest/")
    assert other.post(address, sent).status_code == 400


@pytest.mark.parametrize("step", ["chosen_deck", "given_in"])
@pytest.mark.parametrize(
    ("address", "module"),
    [
        ("/play/computer/", "matches.pages"),
        ("/play/invite/", "matches.pages"),
        ("/play/tables/", "matches.pairing.pages"),
    ],
)
def test_a_form_that_comes_twice_at_one_moment_leads_to_the_same_match(
    client: Client, cards: None, monkeypatch: pytest.MonkeyPatch, address: str, module: str, step: str
) -> None:
    """Of both it was looked whether they had come before, and neither had; the words are looked at later."""
    client.post("/guest/")
    commitment = client.post("/api/v1/shuffles/commitments/").json()["commitment"]
    sent = {"shuffle_commitment": commitment, "shuffle_words": "so say we all", "players": "2"}
    other = Client()
    other.cookies = client.cookies
    answers: list[Any] = []
    real = getattr(import_module(module), step)

    def while_the_other_comes(*arguments: Any, **options: Any) -> Any:
        done = real(*arguments, **options)
        if not answers:
            answers.append(None)
            answers[0] = other.post(address, sent)
        return done

    monkeypatch.setattr(f"{module}.{step}", while_the_other_comes)

    answer = client.post(address, sent)

    assert (answer.status_code, answer["Location"]) == (302, answers[0]["Location"])
    assert Match.objects.count() == 1


def test_who_joins_a_queue_again_with_one_form_is_led_to_the_match_it_has_come_to(
    client: Client, alice: Any, deck: TableDeck
) -> None:
    client.post("/guest/")
    commitment = client.post("/api/v1/shuffles/commitments/").json()["commitment"]
    sent = {"shuffle_commitment": commitment, "shuffle_words": "so say we all", "queue": CASUAL_DAYS}
    client.post("/play/others/join/", sent)
    match = queues.join(alice, CASUAL_DAYS, deck, now=timezone.now() + timedelta(seconds=1)).match
    assert match is not None

    again = client.post("/play/others/join/", sent)

    assert (again.status_code, again.get("Location")) == (302, match.get_absolute_url())


def test_words_that_are_none_are_looked_for_nowhere(client: Client, cards: None) -> None:
    """PostgreSQL fails on some of them."""
    client.post("/guest/")
    for words, commitment in (("a\x00b", "ab" * 32), ("words", "\x00" * 64)):
        with CaptureQueriesContext(connection) as asked:
            answer = client.post("/play/computer/", {"shuffle_commitment": commitment, "shuffle_words": words})
        assert answer.status_code == 400
        assert not [one for one in asked if "shuffles_commitment" in one["sql"]]


def test_who_sits_down_twice_with_one_form_has_one_seat(client: Client, alice: Any, deck: TableDeck) -> None:
    """The match has begun with the seat: its answer says no more that there is no seat."""
    opened = lobby.invite(alice, deck, 2)
    link = f"/play/invite/{invites.token_of(opened)}/"
    client.post("/guest/")
    commitment = client.post("/api/v1/shuffles/commitments/").json()["commitment"]
    sent = {"shuffle_commitment": commitment, "shuffle_words": "so say we all"}
    for _ in range(2):
        assert client.post(link, sent)["Location"] == opened.get_absolute_url()


def test_every_form_that_sits_somebody_down_brings_words(client: Client, cards: None) -> None:
    client.post("/guest/")
    for page in ("/", "/play/", "/play/mine/", "/how-to-play/"):
        assert 'data-shuffle="/api/v1/shuffles/commitments/"' in client.get(page).content.decode(), page


def test_all_orders_of_a_game_follow_from_the_seed_alone(words: Match, script: Any) -> None:
    game = Game.start(words.record_seats(), match_cache.catalog_of(words.catalog), bytes(words.seed))
    stream = script.Stream(bytes(words.seed))
    for drawing in game.drawings:
        assert drawing.at == stream.used
        if drawing.why != "first player":
            assert stream.shuffled(drawing.before) == list(drawing.after)
        else:
            stream.below(2)
