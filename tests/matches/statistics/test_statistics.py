"""Statistics: which matches count for what, that each counts once, and that the archives come to the same numbers."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client

from ccg.outbox.models import Job
from ccg.outbox.services import drain
from ccg.server.accounts.leaving import leave
from decks import services as decks
from decks import table_decks
from decks.models import Deck, ListRecord
from decks.table_decks import TableDeck
from matches.clocks.manners import EndInDraw
from matches.clocks.tempo import LIVE, UNTIMED
from matches.lobby import services as lobby
from matches.models import Match, MatchSeat
from matches.pairing.models import QueueEntry
from matches.playing import moves
from matches.playing.archive import COUNT_TASK
from matches.protocol.messages import Concede
from matches.ratings.skills import season_of
from matches.statistics import services, showing
from matches.statistics.models import Counted, Tally
from matches.statistics.showing import Filters
from tests.matches.conftest import Table


@pytest.fixture
def other(deck: TableDeck) -> TableDeck:
    """A starter deck with another base."""
    taken = [table_decks.take_to_table(None, one.uid) for one in Deck.objects.starters()]
    return next(one for one in taken if one.base != deck.base)


def conceded(seats: list[tuple[Any, TableDeck]], *, rated: bool = False) -> Match:
    """A match that whoever sits in seat 0 has given up at once, with all that follows."""
    (first, deck), *others = seats
    match = lobby.invite(first, deck, len(seats), rated=rated, tempo=LIVE[0] if rated else UNTIMED)
    for user, taken in others:
        match = lobby.join(match, user, taken)
    Table(match).act(0, Concede(id="c"))
    drain()
    match.refresh_from_db()
    return match


def told(kind: str, **more: Any) -> dict[str, tuple[int, int]]:
    rows = Tally.objects.filter(kind=kind, **more)
    return {f"{row.subject} {row.against}".strip(): (row.won, row.games) for row in rows}


def count_again(*options: str) -> str:
    out = StringIO()
    call_command("count_again", *options, stdout=out)
    return out.getvalue()


def test_a_match_to_which_nobody_has_come_counts_for_nothing(
    alice: Any, bob: Any, deck: TableDeck, other: TableDeck
) -> None:
    """Neither would have won it, so both bases and all cards would win fewer for what nobody has played."""
    table = Table(lobby.join(lobby.invite(alice, deck, 2, rated=True, tempo=LIVE[0]), bob, other))
    nobody = EndInDraw(id="clock", why="abandoned")
    assert isinstance(moves.act(table.id, moves.Actor.runs_the_site(), nobody), moves.Accepted)
    drain()
    assert table.row.state == "finished"
    assert not Counted.objects.exists() and not Tally.objects.exists()


def test_a_match_of_two_people_counts_once_for_lists_bases_and_cards(
    alice: Any, bob: Any, deck: TableDeck, other: TableDeck
) -> None:
    match = conceded([(alice, deck), (bob, other)])
    services.handle({"match": match.public_id})
    assert told("list") == {deck.version: (0, 1), other.version: (1, 1)}
    assert told("base") == {deck.base: (0, 1), other.base: (1, 1)}
    assert told("matchup") == {f"{deck.base} {other.base}": (0, 1), f"{other.base} {deck.base}": (1, 1)}
    own, theirs = set(deck.cards), set(other.cards)
    assert told("card") == dict.fromkeys(own - theirs, (0, 1)) | dict.fromkeys(theirs - own, (1, 1))
    alike = set(Tally.objects.values_list("season", "pool", "format", "ranked"))
    assert match.finished is not None
    assert alike == {(season_of(match.finished), "two-untimed", deck.format, False)}
    assert dict(ListRecord.objects.values_list("content_hash", "won")) == {deck.version: 0, other.version: 1}
    starter = Deck.objects.get(head__content_hash=other.version)
    assert (starter.games, starter.winrate) == (1, 100), "what the lists and the search go by"
    assert Counted.objects.count() == 1


def test_what_says_nothing_does_not_count(
    alice: Any, bob: Any, charlie: Any, deck: TableDeck, other: TableDeck
) -> None:
    conceded([(alice, deck), (bob, deck)])
    assert not Tally.objects.exists(), "a list against itself"
    computer = lobby.play_computer(alice, deck, [other])
    Table(computer).act(0, Concede(id="c"))
    three = lobby.join(lobby.join(lobby.invite(alice, deck, 3), bob, other), charlie, other)
    for seat in (0, 1):
        Table(three).act(seat, Concede(id=f"c{seat}"))
    broken = lobby.join(lobby.invite(alice, deck, 2), bob, other)
    call_command("end_match", broken.public_id, stdout=StringIO())
    drain()
    assert not Tally.objects.exists()
    assert "1 archived matches come to what is stored" in count_again()


def test_a_deck_that_is_not_public_counts_for_its_base_and_cards_alone(
    alice: Any, bob: Any, deck: TableDeck, other: TableDeck
) -> None:
    starter = Deck.objects.get(head__content_hash=other.version)
    for visibility in (Deck.Visibility.PRIVATE, Deck.Visibility.UNLISTED):
        own = decks.fork(bob, starter.head)
        Deck.objects.filter(pk=own.pk).update(visibility=visibility)
        conceded([(alice, deck), (bob, table_decks.take_to_table(bob, own.uid))])
    assert told("list") == {deck.version: (0, 2)}
    assert told("base")[other.base] == (2, 2)
    assert other.version not in set(Tally.objects.values_list("subject", flat=True))
    assert [row.name for row in showing.rows("decks", Filters())] == [starter_name(deck)]


def starter_name(deck: TableDeck) -> str:
    return Deck.objects.get(head__content_hash=deck.version, starter__isnull=False).name


def test_a_deck_that_becomes_private_is_named_no_more(alice: Any, bob: Any, deck: TableDeck, other: TableDeck) -> None:
    own = decks.fork(bob, Deck.objects.get(head__content_hash=other.version).head)
    decks.set_visibility(own, Deck.Visibility.PUBLIC)
    decks.new_version(own, as_text(other))
    conceded([(alice, deck), (bob, table_decks.take_to_table(bob, own.uid))])
    listed = {row.id.partition("@")[0] for row in showing.rows("decks", Filters())}
    assert own.uid in listed
    decks.set_visibility(own, Deck.Visibility.PRIVATE)
    listed = {row.id.partition("@")[0] for row in showing.rows("decks", Filters())}
    assert own.uid not in listed


def as_text(deck: TableDeck) -> str:
    """The list with one card less of the kind that it has most of: another list, as decks of one's own are."""
    from collections import Counter

    from cards_data import catalog

    cards = catalog.current()
    counts = Counter(deck.cards)
    extra = next(card for card in counts if counts[card] < 4)
    counts[extra] += 1
    lines = [f"{count} {cards[card].name}" for card, count in counts.items()]
    return "\n".join([f"Base: {cards[deck.base].name}", *lines])


def test_matches_of_a_queue_keep_what_is_known_of_their_decks(alice: Any, deck: TableDeck) -> None:
    from matches.pairing import services as pairing

    pairing.join(alice, "casual", deck)
    assert QueueEntry.objects.get().deck == deck


def test_the_archives_come_to_the_same_numbers(alice: Any, bob: Any, deck: TableDeck, other: TableDeck) -> None:
    conceded([(alice, deck), (bob, other)], rated=True)
    conceded([(bob, deck), (alice, other)])
    leave(bob, keep_decks=False)
    kept = list(Tally.objects.order_by("subject", "against", "ranked").values_list("subject", "won", "games", "ranked"))
    assert {ranked for *_, ranked in kept} == {True, False}
    assert "2 archived matches come to what is stored" in count_again()
    Tally.objects.filter(kind="base", subject=deck.base, ranked=True).update(won=9)
    ListRecord.objects.filter(content_hash=other.version).update(games=7)
    Counted.objects.last().delete()  # type: ignore[union-attr]
    with pytest.raises(CommandError, match="rows differ"):
        count_again()
    assert "2 matches counted again" in count_again("--write")
    again = Tally.objects.order_by("subject", "against", "ranked").values_list("subject", "won", "games", "ranked")
    assert list(again) == kept
    assert ListRecord.objects.get(content_hash=other.version).games == 2


def test_duplicates_at_once_and_crashes_half_way_count_once(
    alice: Any, bob: Any, deck: TableDeck, other: TableDeck, monkeypatch: Any
) -> None:
    from decks import results

    real = results.count
    monkeypatch.setattr(results, "count", lambda won: (real(won), 1 / 0))
    match = conceded([(alice, deck), (bob, other)])
    job = Job.objects.get(task=COUNT_TASK)
    assert job.state == "waiting" and "ZeroDivisionError" in job.error
    assert not Tally.objects.filter(games__gt=0).exists() and not Counted.objects.exists()
    monkeypatch.setattr(results, "count", real)

    def work(_: int) -> None:
        try:
            services.handle({"match": match.public_id})
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(8)))
    assert set(Tally.objects.values_list("games", flat=True)) == {1}
    assert "1 archived matches come to what is stored" in count_again()


def tallied(kind: str, subject: str, games: int, won: int, against: str = "", **more: Any) -> None:
    alike = {"season": 20264, "pool": "two-live", "format": "standard-2006", "ranked": True, **more}
    Tally.objects.create(kind=kind, subject=subject, against=against, games=games, won=won, **alike)


@pytest.fixture
def bases(all_cards: None) -> list[str]:
    from cards_data import catalog

    return sorted(card.id for card in catalog.current() if card.type == "base")


def test_few_games_are_marked_and_fewer_are_hidden(bases: list[str]) -> None:
    one, two, three = bases[:3]
    tallied("base", one, 40, 30)
    tallied("base", two, showing.SHOWN_FROM, 2)
    tallied("base", three, showing.SHOWN_FROM - 1, 5)
    rows = {row.id: row for row in showing.rows("bases", Filters())}
    assert set(rows) == {one, two}
    assert (rows[one].winrate, rows[one].least, rows[one].most, rows[one].few) == (75, 60, 86, False)
    assert rows[two].few
    tallied("base", three, 1, 0, season=20263)
    assert three in {row.id for row in showing.rows("bases", Filters())}, "seasons add up"
    assert {row.id for row in showing.rows("bases", Filters(season=20264))} == {one, two}
    for empty in (Filters(format=""), Filters(pool="table-live"), Filters(ranked=False), Filters(season=1)):
        assert showing.rows("bases", empty) == []


def test_pairs_of_bases_are_told_once_and_of_one_base_from_its_side(bases: list[str]) -> None:
    one, two, three = bases[:3]
    for own, against, won in ((one, two, 4), (two, one, 16), (one, three, 3), (three, one, 2)):
        tallied("matchup", own, 20 if three not in (own, against) else 5, won, against)
    (row,) = showing.rows("matchups", Filters())
    assert (row.id, row.against, row.winrate) == (two, one, 80)
    (row,) = showing.rows("matchups", Filters(), base=one)
    assert (row.against, row.winrate) == (two, 20)


def test_the_page_has_filters_orders_and_sizes_of_samples(bases: list[str], client: Client) -> None:
    for place, base in enumerate(bases[:3]):
        tallied("base", base, 50 + place, 30 - 10 * place)
    page = client.get("/stats/?season=20264&sort=least").content.decode()
    assert [int(n) for n in re.findall(r"<b>(\d+) %</b>", page)] == [60, 39, 19]
    assert 'aria-sort="descending"' in page and ">50</td>" in page.replace("\n", "")
    assert "October to December 2026</option>" in page
    for odd in (
        "?show=x&sort=y&season=z&page=-1",
        "?show=cards",
        "?show=matchups&base=nothing",
        "?show=decks&format=x",
    ):
        answer = client.get(f"/stats/{odd}")
        assert answer.status_code == 200


def test_a_card_says_how_often_it_wins_once_there_are_games(bases: list[str], client: Client) -> None:
    base = bases[0]
    assert 'id="results"' not in client.get(f"/cards/{base}/").content.decode()
    tallied("base", base, 20, 13)
    page = re.sub(r"<[^>]+>", "", client.get(f"/cards/{base}/").content.decode())
    assert "65 % won of 20 games with this base" in page and "few games" in page


def test_programs_are_told_the_same(bases: list[str], client: Client) -> None:
    tallied("base", bases[0], 40, 30)
    answer = client.get("/api/v1/statistics/?show=bases&season=20264&played=ranked").json()
    assert answer["count"] == 1
    row = answer["results"][0]
    assert (row["id"], row["games"], row["won"], row["least"], row["most"]) == (bases[0], 40, 30, 60, 86)
    assert client.get("/api/v1/statistics/?played=casual").json()["results"] == []
    assert client.get("/api/v1/statistics/?show=players").status_code == 400


def test_matches_of_before_are_counted_by_the_outbox(alice: Any, bob: Any, deck: TableDeck, other: TableDeck) -> None:
    from importlib import import_module

    from django.apps import apps

    match = conceded([(alice, deck), (bob, other)])
    before = sorted(Tally.objects.values_list("subject", "won", "games"))
    Tally.objects.all().delete()
    Counted.objects.all().delete()
    Job.objects.filter(task=COUNT_TASK).delete()
    MatchSeat.objects.filter(match=match).update(deck_public=False, deck_format="")
    import_module("matches.statistics.migrations.0002_earlier_matches").fill_and_post(apps, None)
    assert not ListRecord.objects.exists()
    drain()
    assert sorted(Tally.objects.values_list("subject", "won", "games")) == before
    assert dict(ListRecord.objects.values_list("content_hash", "games")) == {deck.version: 1, other.version: 1}
