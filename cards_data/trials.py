"""Simulated games with the cards of a draft: posted, played slice by slice in the background, reported.

A trial lives in its draft's row. A slice plays for some seconds in a child process
(:mod:`cards_data.isolated`), writes what it found together with the request for the next one, and counts
only if the row still stands where the slice began: a slice that is done twice, or by a worker that was
taken for dead, changes nothing. A worker that dies leaves its slice to the next one.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec
from django.db import transaction
from django.utils import timezone
from msgspec import Struct

from cards_data import audit, catalog, isolated
from cards_data.catalog import CardData
from cards_data.models import AuditEntry, ImportDraft
from cards_data.trying import Request
from ccg.outbox.handlers import register
from ccg.outbox.services import post
from ccg.rules.decoding import Decoder
from ccg.rules.effects.language import read_special
from ccg.rules.soak.trials import MOST_SECONDS, MOST_TOLD, Crash, TrialReport, games_needed

TASK = "cards_data.trial"
MOST_GAMES = 2_000
SLICE_SECONDS = 8.0
GRACE_SECONDS = MOST_SECONDS + 5
"""Work that a slice may still need after its time: the game that is being played, and starting the program.
With :data:`cards_data.isolated.PATIENCE` it stays within the lease of the outbox."""
STALE = timedelta(minutes=5)
"""A trial without news for so long may be begun anew: nobody works on it, or its work has failed for good."""


class Finding(Struct, kw_only=True):
    """A game of which something is told: ``kind`` is "crash", "loop" or "slow".

    ``cards`` are the ids of those that it was about just then.
    """

    kind: str
    game: int
    message: str
    cards: list[str] = []


class Trial(Struct, kw_only=True):
    """The simulated games of a draft, as its row keeps them.

    ``cards`` are those that the games are about, by id; ``plays`` says how often each was played or did
    something, ``unused`` which of their abilities (card and ability) never did anything. ``crashes`` and
    ``endless`` count the games that broke or were cut off, ``unfinished`` those that had not ended after 500 choices,
    so that the players gave up. ``findings`` tell of broken games, and of loops and slow decisions.
    """

    run: str
    seed: int
    cards: list[str]
    games: int
    began: datetime
    news: datetime
    ended: datetime | None = None
    played: int = 0
    slices: int = 0
    crashes: int = 0
    endless: int = 0
    unfinished: int = 0
    findings: list[Finding] = []
    plays: dict[str, int] = {}
    unused: list[tuple[str, str]] = []

    @classmethod
    def of(cls, draft: ImportDraft) -> Trial | None:
        """Return the trial of ``draft``, None before the first."""
        return _TRIAL.from_plain(draft.trial) if draft.trial else None

    @property
    def done(self) -> bool:
        """Whether all games have been played."""
        return self.played >= self.games

    @property
    def percent(self) -> int:
        """How much of it is done."""
        return 100 if self.done else 100 * self.played // self.games

    @property
    def passed(self) -> bool:
        """Whether it has ended without a crash or an endless game."""
        return self.done and not (self.crashes or self.endless)

    @property
    def never_played(self) -> list[str]:
        """The ids of cards that no game saw used, once the trial is over."""
        return [card for card in self.cards if not self.plays.get(card)] if self.done else []

    @property
    def stale(self) -> bool:
        """Whether nobody seems to work on it any more."""
        return not self.done and timezone.now() - self.news > STALE


_TRIAL = Decoder(Trial, read_special)
_REPORT = Decoder(TrialReport, read_special)


def usual_games(cards: int) -> int:
    """Return how many games are played with so many cards: enough for each of them to be seen often."""
    return min(MOST_GAMES, games_needed(cards))


def new(cards: Sequence[str], games: int | None = None) -> Trial:
    """Return a trial of ``cards`` before its first game; without cards it is over at once.

    If nobody says how many ``games``, there are :func:`usual_games`.
    """
    games = usual_games(len(cards)) if games is None else games
    now = timezone.now()
    return Trial(
        run=secrets.token_hex(8),
        seed=secrets.randbelow(2**31),
        cards=list(cards),
        games=games if cards else 0,
        began=now,
        news=now,
    )


def play(trial: Trial, cards: CardData) -> TrialReport:
    """Play some games of ``trial`` with these ``cards``, for about :data:`SLICE_SECONDS`; return their report.

    A game that stops the child process is reported as one that broke.
    """
    request = Request(
        sets=cards.sets,
        cards=trial.cards,
        seed=trial.seed,
        start=trial.played,
        games=trial.games - trial.played,
        seconds=SLICE_SECONDS,
    )
    done = isolated.run("cards_data.trying", request, _REPORT, SLICE_SECONDS + GRACE_SECONDS)
    report: TrialReport = done.answers[-1] if done.answers else TrialReport()
    if done.stopped:
        number = trial.played + report.games
        crash = Crash(trial.seed, number, 2 + number % 3, 0, "stopped", f"The game was stopped: {done.stopped}.", [])
        report.games += 1
        report.broken += 1
        report.crashes.append(crash)
    return report


def add(trial: Trial, report: TrialReport) -> None:
    """Add the counts and findings of one slice to ``trial``."""
    first = not trial.played
    trial.played += report.games
    trial.crashes += report.broken
    trial.endless += report.endless
    trial.unfinished += report.unfinished
    findings = [Finding(kind="crash", game=one.number, message=one.message, cards=one.cards) for one in report.crashes]
    findings += [
        Finding(kind=one.what, game=one.number, message=one.message, cards=one.cards) for one in report.oddities
    ]
    trial.findings = [*trial.findings, *findings][:MOST_TOLD]
    trial.plays = {card: trial.plays.get(card, 0) + report.uses.get(card, 0) for card in trial.cards}
    trial.unused = [one for one in report.unused if first or one in set(trial.unused)]
    trial.slices += 1
    trial.news = timezone.now()


# --- in the background --------------------------------------------------------------------------------


def begin(draft: ImportDraft, cards: Sequence[str], games: int) -> None:
    """Write a new trial into the locked row ``draft`` and ask for its first slice; not yet saved."""
    _write(draft, new(cards, games))


def handle(payload: dict[str, Any]) -> None:
    """Play one slice. Outbox handler: run twice, the second time changes nothing."""
    draft, trial = _standing(payload)
    if draft is None or trial is None:
        return
    report = play(trial, together(draft))
    with transaction.atomic():
        draft, trial = _standing(payload, lock=True)
        if draft is None or trial is None:
            return
        add(trial, report)
        _write(draft, trial)
        draft.save(update_fields=["trial", "state", "changed"])


def together(draft: ImportDraft) -> CardData:
    """Return the card data as they would be with ``draft``."""
    return catalog.data(draft.base).with_sets(catalog.decode(0, bytes(draft.checked)).sets)


def _standing(payload: dict[str, Any], *, lock: bool = False) -> tuple[ImportDraft | None, Trial | None]:
    """Return the draft and its trial, if they stand where the slice of ``payload`` begins."""
    rows = ImportDraft.objects.select_for_update() if lock else ImportDraft.objects
    draft = rows.filter(pk=payload["draft"], state=ImportDraft.State.TRYING).first()
    trial = Trial.of(draft) if draft is not None else None
    if trial is None or (trial.run, trial.slices) != (payload["run"], payload["slice"]):
        return None, None
    return draft, trial


def _write(draft: ImportDraft, trial: Trial) -> None:
    """Put ``trial`` into the row, and ask for the next slice or say that it is over."""
    if trial.done:
        trial.ended = timezone.now()
        draft.state = ImportDraft.State.TRIED
        audit.note(
            audit.BACKGROUND,
            AuditEntry.What.TRIAL_FINISHED,
            draft=draft,
            games=trial.played,
            crashes=trial.crashes,
            endless=trial.endless,
            never_played=len(trial.never_played),
        )
    else:
        draft.state = ImportDraft.State.TRYING
        payload = {"draft": str(draft.pk), "run": trial.run, "slice": trial.slices}
        post(TASK, payload, key=f"{TASK}:{trial.run}:{trial.slices}")
    draft.trial = msgspec.to_builtins(trial)


def connect() -> None:
    """Register the work with the outbox. Called once, at start."""
    register(TASK, handle)
