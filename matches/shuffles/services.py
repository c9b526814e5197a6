"""Commitments: made, taken together with a player's words, and turned into the seed of a match.

Order is what matters. :func:`commit` makes a secret and tells its hash; :func:`take` binds it to a seat with words
that came later, once; :func:`seed_for` uses both when the match begins. No path leads from words to a secret.
"""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from matches import database
from matches.models import Match, MatchSeat
from matches.shuffles.fair import SECRET_BYTES, Given, Part, commitment_of, seed_of
from matches.shuffles.models import Commitment

GOOD_FOR = timedelta(hours=24)
"""How long a commitment waits for somebody to sit down; it is fetched at the moment of doing so."""

FORGOTTEN_AT_ONCE = 50
"""Unused commitments that are deleted as another is made: more than come, so that none pile up."""


USED = (
    "The server's commitment for your shuffle has been used or is too old. You have not sat down. "
    "Load the page again, and your browser gets a new one."
)


class NotTaken(Exception):
    """Words could not be taken; the text says why, for people. Nothing has changed."""


def commit() -> str:
    """Make a secret and return its hash. Forgets commitments that nobody has used."""
    secret = secrets.token_bytes(SECRET_BYTES)

    def make() -> str:
        old = Commitment.objects.filter(seat=None, made__lt=timezone.now() - GOOD_FOR)
        Commitment.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE])).delete()
        return Commitment.objects.create(secret=secret, digest=commitment_of(secret)).digest

    return database.write(make)


def commitments_of(match: Match) -> list[str]:
    """Return the commitments for the seats of ``match``, in order; none for a lesson."""
    rows = Commitment.objects.filter(seat__match=match).order_by("seat__number")
    return list(rows.values_list("digest", flat=True))


def check(given: Given) -> None:
    """Look whether words could be taken now, before anything is done for who gives them; raises :class:`NotTaken`."""
    if given.fault:
        raise NotTaken(given.fault)
    if not _unused(given).exists():
        raise NotTaken(USED)


def take(seat: MatchSeat, given: Given | None) -> None:
    """Inside the transaction in which somebody sits down: keep their words with the commitment they were shown.

    A seat keeps what it has, whatever is sent again. Raises :class:`NotTaken` for words that are none, and for a
    commitment that the server did not make, made too long ago, or has used: the words would not have come after it.
    """
    if given is None or Commitment.objects.filter(seat=seat).exists():
        return
    if given.fault:
        raise NotTaken(given.fault)
    if not _unused(given).update(seat=seat, words=given.words):
        raise NotTaken(USED)


def _unused(given: Given) -> QuerySet[Commitment]:
    return Commitment.objects.filter(digest=given.commitment, seat=None, made__gte=timezone.now() - GOOD_FOR)


def seed_for(match: Match) -> bytes:
    """Inside the transaction in which ``match`` begins: return its seed.

    A seat without words adds nothing. Where nobody has given any, the server adds a secret of its own at the first
    seat and is bound to it from now on.
    """
    kept = {row.seat_id: Part(bytes(row.secret), row.words) for row in Commitment.objects.filter(seat__match=match)}
    seats = list(match.seats.order_by("number").values_list("pk", flat=True))
    if not kept:
        secret = secrets.token_bytes(SECRET_BYTES)
        Commitment.objects.create(secret=secret, digest=commitment_of(secret), seat_id=seats[0])
        kept[seats[0]] = Part(secret)
    return seed_of(match.public_id, [kept.get(seat, Part()) for seat in seats])
