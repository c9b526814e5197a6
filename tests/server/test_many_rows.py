"""No page asks the database more often where there are more rows: each list with few rows and with many."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from ccg.outbox.models import Job
from ccg.server.accounts.models import ApiToken
from ccg.server.proving.crowding import invent_cards, make_decks, make_people
from decks.models import Block, Comment, Deck, DeckVersion, Draft, Like, Moderation, Report, content_hash, new_uid
from decks.rechecking import recheck_all
from matches.models import Match, MatchSeat
from matches.playing import match_cache
from tests.people import sign_in

FEW, MANY = 10, 200


class Crowd:
    """People and what they do on the site, more of it each time that :meth:`grow` is called."""

    def __init__(self) -> None:
        self.owner = get_user_model().objects.create_superuser("owner", "owner@example.org", "owner of the fleet 75")
        self.deck = Deck.objects.get(pk=make_decks(1, [self.owner])[0])
        self._grown = 0

    def grow(self, number: int) -> None:
        """Add so many of everything that a page could have a list of."""
        self._grown += 1
        people = make_people(number, f"person{self._grown}")
        invent_cards(number * self._grown)
        public = make_decks(number, people, seed=self._grown)
        own = make_decks(number, [self.owner], seed=10 + self._grown)
        self._opinions(people, [*public, *own])
        self._work(number)
        self._matches(people)

    def _opinions(self, people: list[Any], decks: list[int]) -> None:
        liked, now = [self.deck.pk, *decks], timezone.now()
        Like.objects.bulk_create(Like(deck_id=deck, user=people[0]) for deck in liked)
        comments = Comment.objects.bulk_create(
            Comment(deck=self.deck, author=one, text="It flies with [[Starbuck]].") for one in people
        )
        Block.objects.bulk_create(Block(by=self.owner, person=one) for one in people[: len(people) // 2])
        reports = Report.objects.bulk_create(
            Report(reporter=one.author, kind="comment", subject=str(one.pk), author="x", reason="spam")
            for one in comments
        )
        Moderation.objects.bulk_create(
            Moderation(when=now, user=self.owner, who="owner", what="dismissed", report=one) for one in reports
        )

    def _work(self, number: int) -> None:
        last = self.deck.versions.count()
        base, counts = self.deck.head.base, self.deck.head.counts  # type: ignore[union-attr]
        DeckVersion.objects.bulk_create(
            DeckVersion(
                deck=self.deck, number=last + n, base=base, counts=counts, content_hash=content_hash(base, counts)
            )
            for n in range(1, number + 1)
        )
        Draft.objects.bulk_create(
            Draft(uid=new_uid(), owner=self.owner, content={"name": "Begun", "counts": {"BSG1-001": 1}})
            for _ in range(number)
        )
        ApiToken.objects.bulk_create(
            ApiToken(user=self.owner, name="program", hash=f"{self._grown}-{n}") for n in range(number)
        )
        Job.objects.bulk_create(
            Job(key=f"crowd:{self._grown}:{n}", task="nothing", state="done") for n in range(number)
        )

    def _matches(self, people: list[Any]) -> None:
        for state in (Match.State.OPEN, Match.State.FINISHED, Match.State.ABANDONED):
            matches = Match.objects.bulk_create(Match(players=2, state=state, finished=timezone.now()) for _ in people)
            MatchSeat.objects.bulk_create(
                MatchSeat(match=match, number=number, kind="person", user=user, name=str(user), joined=True)
                for match, other in zip(matches, people, strict=True)
                for number, user in enumerate((self.owner, other))
            )

    def pages(self) -> list[str]:
        """Return every address with a list on it."""
        deck = f"/decks/{self.deck.uid}/"
        return [
            "/", "/cards/", "/cards/?q=t:ship view:list", "/cards/BSG1-001/", "/sets/", "/sets/BSG1/", "/sets/INV1/",
            "/decks/", "/decks/?q=card:starbuck order:liked", "/decks/mine/", "/decks/by/owner/", "/decks/blocks/",
            deck, f"{deck}?view=list&comments=2", f"{deck}v1/", f"/decks/compare/?from={self.deck.uid}",
            f"{deck}draw/", f"{deck}about/", f"{deck}print/", f"{deck}proxies/", f"{deck}edit/", "/decks/new/",
            "/play/", "/play/mine/", "/learn/", "/accounts/me/", "/accounts/settings/",
            "/accounts/tokens/", "/accounts/data/",
            "/api/v1/cards/?page_size=400", "/api/v1/cards/?q=t:ship", "/api/v1/cards/BSG1-001/",
            "/api/v1/printings/?page_size=400", "/api/v1/sets/", "/api/v1/sets/INV1/", "/api/v1/formats/",
            "/api/v1/cards/BSG1-001/legality/", "/api/v1/decks/?page_size=400", "/api/v1/decks/?mine=true",
            f"/api/v1{deck}", f"/api/v1{deck}versions/?page_size=400", "/api/v1/search/cards/", "/api/v1/search/decks/",
            "/api/v1/bulk/",
            *(f"/admin/{of}/" for of in (
                "decks/report", "decks/moderation", "decks/format", "matches/match", "accounts/user", "outbox/job",
                "cards_data/card", "cards_data/set", "cards_data/dataversion", "cards_data/importdraft",
                "cards_data/auditentry", "account/emailaddress", "axes/accessattempt",
            )),
        ]  # fmt: skip


def queries(client: Client, address: str) -> int:
    """Return how often the database is asked for a page; where it is not the first time that it is looked at."""
    for _ in range(2):
        match_cache.clear()
        with CaptureQueriesContext(connection) as asked:
            answer = client.get(address)
            assert answer.status_code == 200, (address, answer.status_code, answer.headers)
            b"".join(answer) if answer.streaming else answer.content
    return len(asked)


@pytest.mark.ci
@pytest.mark.slow
def test_no_page_asks_the_database_more_often_for_more_rows(starters: None) -> None:
    crowd, client = Crowd(), Client()
    sign_in(client, crowd.owner)
    crowd.grow(FEW)
    few = {address: queries(client, address) for address in crowd.pages()}
    crowd.grow(MANY)
    many = {address: queries(client, address) for address in crowd.pages()}
    assert {address: (few[address], many[address]) for address in few if many[address] > few[address]} == {}


def test_a_page_that_asks_for_each_row_is_noticed(starters: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("decks.models.DeckQuerySet.with_head", lambda decks: decks.select_related("format"))
    people, client = make_people(FEW), Client()
    make_decks(1, people)
    few = queries(client, "/decks/")
    make_decks(FEW, people)
    assert queries(client, "/decks/") > few


def test_a_batch_of_versions_is_judged_with_as_many_statements_whatever_its_length(starters: None) -> None:
    people, numbers = make_people(FEW), []
    for number in (FEW, MANY):
        make_decks(number, people, seed=number)
        recheck_all()  # what is wrong with them is stored by now
        with CaptureQueriesContext(connection) as asked:
            recheck_all()
        numbers.append(len(asked))
    assert numbers[0] == numbers[1]
