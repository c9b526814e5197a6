"""Twins of stored matches: what a site tells of a match outside of its table tells nothing hidden either.

Matches are played by correspondence, where each decision is made in a process that remembers nothing. At each decision
what a viewer may not know is dealt anew in the database itself, and everything that the viewer can ask for, or is told,
has to be the same byte for byte: pages and lists, the interface for programs, mails and pushes, what those who look on
are shown, be it a turn later. Runs with the site's code (:mod:`.inside`).
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http import HTTPStatus
from typing import Any, get_args
from unittest.mock import patch

import msgspec
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone

from ccg.rules import Game
from ccg.server import front
from decks import table_decks
from decks.models import Deck
from matches.clocks import site_time
from matches.clocks.tempo import CORRESPONDENCE
from matches.lobby import live
from matches.lobby import services as lobby
from matches.models import Match, MatchSeat
from matches.notices import mails, telling
from matches.playing import match_cache, moves
from matches.protocol.messages import Choose
from matches.runners import answering
from matches.watching import delay
from matches.watching.models import TurnBegan

from .leaks import dealt_anew
from .proof import ProofError

BEHIND = 1
"""How many turns those who look on are behind, at every second match."""

PEOPLE = ("alice", "bob", "charlie")

PAGES = (
    "/", "/play/", "/play/mine/", "/play/next/", "/watch/", "/players/alice/", "/stats/", "/table/{match}/",
    "/table/{match}/shuffles/", "/matches/{match}/replay/", "/api/v1/matches/{match}/",
    "/api/v1/matches/{match}/?since=0", "/api/v1/matches/{match}/ending/", "/api/v1/matches/{match}/replay/",
    "/api/v1/matches/{match}/shuffles/", "/api/v1/matches/{match}/rating/",
)  # fmt: skip
_BY_CHANCE = re.compile(rb'(?<=name="csrfmiddlewaretoken" value=")[^"]+|(?<=data-token=")[^"]+')

Told = dict[str, bytes]
"""What somebody is told, by where."""


class People(msgspec.Struct):
    """Those who play, by seat, and somebody who looks on."""

    players: list[Any]
    onlooker: Any

    def of(self, viewer: int | None) -> Any:
        """Return the person who has this seat, or none."""
        return self.onlooker if viewer is None else self.players[viewer]


def compare(parameters: dict[str, Any]) -> dict[str, Any]:
    """Play so many ``matches``, each up to so many ``decisions``; return how much was compared, and the first
    difference."""
    decks = [table_decks.take_to_table(None, deck.uid) for deck in Deck.objects.starters()]
    alice, bob, onlooker = (get_user_model().objects.get_or_create(username=name)[0] for name in PEOPLE)
    counts: dict[str, Any] = {"matches": 0, "decisions": 0, "answers": 0, "leak": ""}
    for number in range(parameters["matches"]):
        rng = random.Random(f"{parameters['seed']}:{number}")
        opened = lobby.invite(alice, rng.choice(decks), 2, watchable=True, tempo=CORRESPONDENCE[number % 6])
        match = lobby.join(opened, bob, rng.choice(decks))
        seats = match.seats.order_by("number").select_related("user")
        seats.update(seen=timezone.now())  # else no list of what can be watched has it
        _look_on_later(match, BEHIND * (number % 2))
        with _time_stands_still():
            people = People([seat.user for seat in seats], onlooker)
            counts["leak"] = _play(match.pk, people, parameters["decisions"], rng, counts)
        if counts["leak"]:
            break
        counts["matches"] += 1
    return counts


def _look_on_later(match: Match, turns: int) -> None:
    """Have those who look on be so many turns behind, as at rated matches."""
    Match.objects.filter(pk=match.pk).update(delay=turns)
    if turns:
        delay.keep(match.pk, turns, 0, 0, bytes(match.saved))


def _play(match_pk: int, people: People, decisions: int, rng: random.Random, counts: dict[str, Any]) -> str:
    """Play the match, looking at each decision; return the first difference, or nothing."""
    for _ in range(decisions):
        match_cache.clear()
        match = Match.objects.get(pk=match_pk)
        if match.state != Match.State.RUNNING:
            break
        viewer = rng.choice((0, 1, None))
        one = everything(match, viewer, people)
        with _dealt_anew(match, viewer, rng) as twin:
            other = everything(twin, viewer, people)
        counts["decisions"] += 1
        counts["answers"] += len(one)
        for where in one:
            if one[where] != other[where]:
                return f"{where} to {viewer} at version {match.version}: {_difference(one[where], other[where])}"
        if not (match.answer_due and answering.answer(match.public_id)):
            _choose(match, people, rng)
    return ""


def _choose(match: Match, people: People, rng: random.Random) -> None:
    game = Game.load(bytes(match.saved), match_cache.catalog_of(match.catalog))
    assert game.decision is not None  # the match runs
    actor = moves.Actor.person(people.players[game.decision.seat].pk)
    option = rng.choice([game.key(option) for option in game.decision.options])
    done = moves.act(match.public_id, actor, Choose(id=f"c{match.version}", version=match.version, option=option))
    assert isinstance(done, moves.Accepted), done


def everything(match: Match, viewer: int | None, people: People) -> Told:
    """Return all that the viewer (a seat, or None) is told, and can find out, of a match as it is stored."""
    match_cache.clear()
    front.forget()
    client, person = Client(headers={"host": "localhost"}), people.of(viewer)
    client.force_login(person)
    told = {page: _answer(client, page.format(match=match.public_id)) for page in PAGES}
    if viewer is not None:
        seat = match.seats.get(number=viewer)
        for about in get_args(telling.About):
            notice = telling.notice_for(match, seat, about)
            if notice is not None:
                told[f"push {about}"] = msgspec.json.encode(notice)
                told[f"mail {about}"] = str(mails._mail(person, notice.title, [notice]).body).encode()
    return told


def _answer(client: Client, page: str) -> bytes:
    answer = client.get(page)
    if answer.status_code not in (HTTPStatus.OK, HTTPStatus.FOUND, HTTPStatus.NOT_FOUND):
        raise ProofError(f"{page} answered {answer.status_code}, where nothing can be seen to leak")
    return _BY_CHANCE.sub(b"", b"%d %s " % (answer.status_code, answer.get("Location", "").encode()) + answer.content)


@contextmanager
def _dealt_anew(match: Match, viewer: int | None, rng: random.Random) -> Iterator[Match]:
    """Have the database hold a twin of the match, and of what is shown a turn later, while the block runs."""
    catalog = match_cache.catalog_of(match.catalog)

    def anew(saved: bytes) -> bytes:
        return dealt_anew(Game.load(saved, catalog), viewer, rng).save()

    rows = Match.objects.filter(pk=match.pk)
    later = {row.pk: bytes(row.saved) for row in TurnBegan.objects.filter(match=match)}
    rows.update(saved=anew(bytes(match.saved)))
    for pk, saved in later.items():
        TurnBegan.objects.filter(pk=pk).update(saved=anew(saved))
    try:
        yield rows.get()
    finally:
        match_cache.clear()
        rows.update(saved=match.saved)
        for pk, saved in later.items():
            TurnBegan.objects.filter(pk=pk).update(saved=saved)


@contextmanager
def _time_stands_still() -> Iterator[None]:
    """Let no time go by between what is told of a match and of its twin."""
    moment, of_site = timezone.now(), site_time.now()
    with ExitStack() as stack:
        stack.enter_context(patch.object(timezone, "now", lambda: moment))
        for name in ("now", "now_if_known", "about_now", "now_to_show"):
            stack.enter_context(patch.object(site_time, name, lambda: of_site))
        yield


def _difference(one: bytes, other: bytes) -> str:
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"...{one[max(0, at - 60) : at + 60]!r} or {other[at : at + 60]!r}"


# -- planted leaks


def mails_that_tell() -> None:
    """Tell in notices how many traits the cards in the other hand have."""
    real = telling.notice_for

    def telling_more(match: Match, seat: MatchSeat, about: telling.About) -> telling.Notice | None:
        notice = real(match, seat, about)
        return notice and msgspec.structs.replace(notice, text=f"{notice.text} {_traits(match, 1 - seat.number)}")

    vars(telling)["notice_for"] = telling_more


def lists_that_tell() -> None:
    """Show in the list of matches that can be watched how many traits the cards in a hand have."""
    real = live.tables

    def showing_more(most: int) -> list[live.LiveTable]:
        return [msgspec.structs.replace(one, turn=_traits(one.match, 0)) for one in real(most)]

    vars(live)["tables"] = showing_more


def a_table_that_tells() -> None:
    """Show at the table, read from the database, the card on top of a deck."""
    real: Callable[..., Any] = Game.view

    def view(self: Game, seat: int | None) -> Any:
        return msgspec.structs.replace(real(self, seat), step=str(self.engine.state.players[1].deck[-1:]))

    setattr(Game, "view", view)  # noqa: B010


def _traits(match: Match, seat: int) -> int:
    row = Match.objects.get(pk=match.pk)
    engine = Game.load(bytes(row.saved), match_cache.catalog_of(row.catalog)).engine
    return sum(len(engine.card(card).traits) for card in engine.state.players[seat].hand)
