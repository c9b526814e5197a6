"""Asking for playtests, and playing them in the background, one slice after the other.

As many playtests as :data:`AT_ONCE` are played at a time, the others wait in the order in which they were asked for.
A slice is played by short-lived child processes (:mod:`cards_data.isolated`) with a lower priority than the tables, one
for each core; what it found is written together with the request for the next one, and counts only if the row still
stands where the slice began. So a slice that is done twice, or by a worker that was taken for dead, changes nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import msgspec
from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from cards_data import catalog as card_data
from cards_data import isolated
from cards_data.catalog import CardData
from ccg.locking import lock_person
from ccg.outbox.services import post
from ccg.rules.decoding import Decoder
from ccg.rules.saving import ENGINE_VERSION
from decks.models import Deck, content_hash
from matches.playtests.games import GameResult, PlayedList, Request
from matches.playtests.models import AskedFor, Opponent, Playtest

TASK = "playtests.slice"
WORK = "matches.playtests.games"
AT_ONCE = 1
MOST_WAITING = 40
"""Playtests that wait for others; more would not be played today."""
MOST_OF_GUESTS = 20
"""As many of all guests together: one visitor can be many guests, and may not close it for those with accounts."""
MOST_OF_ONE = 2
"""Playtests of one person that wait or are played."""
FEWEST_CARDS, MOST_CARDS = 20, 250
"""Cards of a list that can be tried: enough to draw a hand and some turns, and no more than anybody would shuffle."""
SLICE_SECONDS = 8.0
SLICE_GAMES = 240
GRACE_SECONDS = 15
"""Work that a child may need beside the seconds of a slice: starting, and the game that is being played."""
STALE = timedelta(minutes=10)
"""A playtest without news for so long keeps nobody waiting any more."""

State = Playtest.State
_RESULT = Decoder(GameResult)


class PlaytestError(Exception):
    """Something cannot be tested or stopped; the text is for people."""


def check(deck: PlayedList, cards: CardData) -> None:
    """Raise PlaytestError unless games can be played with ``deck``; whether a format allows it is not asked."""
    if not deck.base:
        raise PlaytestError("Choose a base first: without one no game can begin.")
    size = sum(deck.counts.values())
    if not FEWEST_CARDS <= size <= MOST_CARDS:
        raise PlaytestError(f"Games need between {FEWEST_CARDS} and {MOST_CARDS} cards; this list has {size}.")
    index = cards.catalog.index
    unknown = [card for card in (deck.base, *deck.counts) if card not in index]
    if unknown:
        raise PlaytestError(
            f"{len(unknown)} of these cards are not in the card database any more: take them out first."
        )
    if cards.catalog[deck.base].type != "base" or any(cards.catalog[card].type == "base" for card in deck.counts):
        raise PlaytestError("A list has one base, and no other base among its cards.")


def ask(user: Any, deck: PlayedList, label: str, address: str = "") -> Playtest:
    """Have ``deck`` tested for ``user``, who calls it ``label``; what was tested already is simply shown to them.

    ``address`` is where they come from. Raises PlaytestError with a sentence where that cannot be.
    """
    cards, opponents = card_data.data(), _opponents()
    check(deck, cards)
    with transaction.atomic():
        playtest = _locked(deck, cards, opponents, user)
        if playtest.state == State.STOPPED:
            _may_begin(user, playtest)
            playtest.state, playtest.began_by, playtest.asked = State.WAITING, user, timezone.now()
            playtest.save(update_fields=["state", "began_by", "asked"])
        AskedFor.objects.update_or_create(
            playtest=playtest, user=user, defaults={"label": label[:120] or "Untitled", "address": address[:200]}
        )
        _begin_waiting()
    playtest.refresh_from_db(fields=["state"])
    return playtest


def refuse_newcomer(deck: PlayedList) -> None:
    """Raise PlaytestError where :func:`ask` would for any visitor, before one is made a guest for nothing."""
    cards, opponents = card_data.data(), _opponents()
    check(deck, cards)
    same = Playtest.objects.filter(
        content_hash=content_hash(deck.base, deck.counts), conditions=_conditions(cards, opponents)
    )
    if not same.exclude(state=State.STOPPED).exists():
        _refuse_crowd(guest=True)


def stop(user: Any, playtest: Playtest) -> None:
    """Stop a playtest that ``user`` began; what was played is kept, and it can be gone on with.

    Raises PlaytestError where somebody else began it, as they wait for it, or where it is over.
    """
    with transaction.atomic():
        locked = Playtest.objects.select_for_update().get(pk=playtest.pk)
        if locked.began_by_id != user.pk:
            raise PlaytestError("Somebody else waits for the same games, so they go on.")
        if locked.state not in (State.WAITING, State.PLAYING):
            raise PlaytestError("There is nothing to stop any more.")
        locked.state, locked.news = State.STOPPED, timezone.now()
        locked.save(update_fields=["state", "news"])
        _begin_waiting()


def before(playtest: Playtest) -> int:
    """Return how many others are played before this one."""
    ahead = Playtest.objects.filter(state=State.WAITING, asked__lt=playtest.asked).count()
    return ahead + Playtest.objects.filter(state=State.PLAYING).exclude(pk=playtest.pk).count()


def starters() -> list[Opponent]:
    """Return the starter decks as opponents, in the order of their names."""
    decks = Deck.objects.starters().select_related("head")
    return [
        Opponent(name=deck.name, base=deck.head.base, counts=dict(deck.head.counts), version=deck.head.content_hash)
        for deck in decks
        if deck.head is not None
    ]


def comparable(playtest: Playtest, user: Any) -> list[AskedFor]:
    """Return what else ``user`` has had tested against the same decks, with the same cards and engine."""
    same = AskedFor.objects.filter(user=user, playtest__conditions=playtest.conditions, playtest__played__gt=0)
    return list(same.exclude(playtest=playtest).select_related("playtest").defer("playtest__results_kept")[:50])


# --- in the background --------------------------------------------------------------------------------


def handle(payload: dict[str, Any]) -> None:
    """Play one slice. Outbox handler: run twice, the second time changes nothing."""
    standing = _standing(payload, Playtest.objects)
    if standing is None:
        return
    found = play(standing)
    with transaction.atomic():
        playtest = _standing(payload, Playtest.objects.select_for_update())
        if playtest is None:
            return
        playtest.keep([*playtest.results, *found])
        playtest.slices += 1
        playtest.news = timezone.now()
        if playtest.played >= playtest.of:
            playtest.state, playtest.finished = State.DONE, playtest.news
        else:
            _post(playtest)
        playtest.save(update_fields=["results_kept", "played", "slices", "news", "state", "finished"])
        if playtest.state == State.DONE:
            _begin_waiting()


def play(playtest: Playtest) -> list[GameResult]:
    """Play some of the games that ``playtest`` still lacks, for about :data:`SLICE_SECONDS`; return their results.

    Where not a single game could be played to its end, the first counts as stopped, so that it goes on.
    """
    missing = _missing(playtest)[:SLICE_GAMES]
    cards = card_data.data(playtest.data_version)
    opponents = [one.played for one in playtest.opponents]
    requests = [
        Request(sets=cards.sets, deck=playtest.deck, opponents=opponents, games=games, seconds=SLICE_SECONDS)
        for games in _dealt(missing, processes())
    ]
    with ThreadPoolExecutor(len(requests)) as pool:
        done = pool.map(_child, requests)
        found = [result for child in done for result in child.answers]
    if not found:
        opponent, number = missing[0]
        return [GameResult(opponent, number, "stopped", False, 0, "0", "0")]
    return found


def _child(request: Request) -> isolated.Done:
    return isolated.run(WORK, request, _RESULT, SLICE_SECONDS + GRACE_SECONDS, isolated.NICEST)


def processes() -> int:
    """Return how many children play at a time: one for each core, unless the settings say otherwise."""
    return settings.PLAYTEST_PROCESSES or os.cpu_count() or 1


def _missing(playtest: Playtest) -> list[tuple[int, int]]:
    """Return the games still to be played: those against all opponents in turn, so that early results are even."""
    have = {(game.opponent, game.number) for game in playtest.results}
    every = ((opponent, number) for number in range(playtest.games) for opponent in range(len(playtest.opponents_kept)))
    return [game for game in every if game not in have]


def _dealt(games: list[tuple[int, int]], hands: int) -> Iterator[list[tuple[int, int]]]:
    """Yield the games dealt to so many hands, without empty ones."""
    return (games[hand::hands] for hand in range(min(hands, len(games))))


def _standing(payload: dict[str, Any], rows: Any) -> Playtest | None:
    """Return the playtest, if it stands where the slice of ``payload`` begins."""
    found: Playtest | None = rows.filter(pk=payload["playtest"], state=State.PLAYING, slices=payload["slice"]).first()
    return found


def _begin_waiting() -> None:
    """Begin the playtests that have waited longest, as many as may be played. Inside a transaction."""
    fresh = timezone.now() - STALE
    for playtest in Playtest.objects.select_for_update().filter(state=State.WAITING):
        if Playtest.objects.filter(state=State.PLAYING, news__gt=fresh).count() >= AT_ONCE:
            return
        playtest.state, playtest.news = State.PLAYING, timezone.now()
        # A slice of before it was stopped may still be on its way: it begins where nothing stands any more.
        playtest.slices += 1
        playtest.save(update_fields=["state", "news", "slices"])
        _post(playtest)


def _post(playtest: Playtest) -> None:
    payload = {"playtest": playtest.pk, "slice": playtest.slices}
    post(TASK, payload, key=f"{TASK}:{playtest.uid}:{playtest.slices}")


# --- inside -------------------------------------------------------------------------------------------


def _may_begin(user: Any, playtest: Playtest) -> None:
    """Raise PlaytestError where ``user``, or everybody together, has asked for enough besides ``playtest``.

    One that is stopped before its first game counts as well: it is kept, and has cost a slice.
    """
    lock_person(user)
    if _active().filter(began_by=user).count() >= MOST_OF_ONE:
        raise PlaytestError(f"{MOST_OF_ONE} of your decks are being tested. Wait for one of them, or stop it.")
    _refuse_crowd(guest=user.is_guest)
    today = (
        Playtest.objects.exclude(pk=playtest.pk)
        .filter(began_by=user, asked__gt=timezone.now() - timedelta(days=1))
        .count()
    )
    if settings.PLAYTESTS_A_DAY and today >= settings.PLAYTESTS_A_DAY:
        raise PlaytestError(f"You have had {settings.PLAYTESTS_A_DAY} decks tested since yesterday. Go on tomorrow.")


def _refuse_crowd(*, guest: bool) -> None:
    """Raise PlaytestError where everybody together, or all guests, have asked for as much as there may be."""
    active = _active()
    if guest and active.filter(Q(began_by__is_guest=True) | Q(began_by=None)).count() >= MOST_OF_GUESTS:
        raise PlaytestError(
            f"{MOST_OF_GUESTS} decks of guests are waiting to be tested. Try again in some minutes, or make an account."
        )
    if active.count() >= MOST_WAITING:
        raise PlaytestError(f"{MOST_WAITING} decks are waiting to be tested. Try again in some minutes.")


def _active() -> QuerySet[Playtest]:
    return Playtest.objects.filter(state__in=(State.WAITING, State.PLAYING))


def _opponents() -> list[Opponent]:
    """Return the starter decks; raises PlaytestError if there are none."""
    opponents = starters()
    if not opponents:
        raise PlaytestError("There are no starter decks to play against.")
    return opponents


def _locked(deck: PlayedList, cards: CardData, opponents: list[Opponent], user: Any) -> Playtest:
    """Return the playtest of ``deck`` under today's conditions, locked; a new one begins as a stopped one."""
    now = timezone.now()
    new = {
        "base": deck.base,
        "counts": deck.counts,
        "data_version": cards.number,
        "engine_version": str(ENGINE_VERSION),
        "opponents_kept": msgspec.to_builtins(opponents),
        "games": settings.PLAYTEST_GAMES,
        "state": State.STOPPED,
        "began_by": user,
        "asked": now,
        "news": now,
    }
    found, _ = Playtest.objects.get_or_create(
        content_hash=content_hash(deck.base, deck.counts), conditions=_conditions(cards, opponents), defaults=new
    )
    return Playtest.objects.select_for_update().get(pk=found.pk)


def _conditions(cards: CardData, opponents: list[Opponent]) -> str:
    """Return the hash of all that results depend on besides the list."""
    parts = [cards.fingerprint, str(ENGINE_VERSION), settings.PLAYTEST_GAMES, [one.version for one in opponents]]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
