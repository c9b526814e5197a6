"""Commitments: made, taken together with a player's words, and turned into the seed of a match.

Order is what matters. :func:`commit` makes a secret and tells its hash; :func:`take` binds it to a seat with words
that came later, once; :func:`give_seats` and :func:`seed_for` use both when the match begins. No path leads from words
to a secret, and nothing else goes in.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from matches.models import Match, MatchSeat
from matches.shuffles.fair import SECRET_BYTES, Given, Part, commitment_of, order_of, seed_of
from matches.shuffles.models import Commitment
from matches.storage import database

GOOD_FOR = timedelta(hours=24)
"""How long a commitment waits for somebody to sit down; it is fetched at the moment of doing so."""

FORGOTTEN_AT_ONCE = 50
"""Unused commitments that are deleted as another is made: more than come, so that none pile up."""

NOT_MOVED = ("id", "match", "number")
WHO_SITS = tuple(field.name for field in MatchSeat._meta.concrete_fields if field.name not in NOT_MOVED)  # noqa: SLF001
"""What moves along when somebody has another seat: all but its number."""

USED = (
    "The server's commitment for your shuffle has been used or is too old. You have not sat down. "
    "Load the page again, and your browser gets a new one."
)


class NotTaken(Exception):
    """Words could not be taken; the text says why, for people. Nothing has changed."""


def new_secret() -> bytes:
    """Return fresh random bytes for one seat, from the system's source for secrets."""
    return secrets.token_bytes(SECRET_BYTES)


def commit() -> str:
    """Make a secret and return its hash. Forgets commitments that nobody has used."""
    secret = new_secret()

    def make() -> str:
        old = Commitment.objects.filter(seat=None, held=False, made__lt=timezone.now() - GOOD_FOR)
        Commitment.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE])).delete()
        return Commitment.objects.create(secret=secret, digest=commitment_of(secret)).digest

    return database.write(make)


def commitments_of(match: Match) -> list[str]:
    """Return the commitments for the seats of ``match``, in order; none for a lesson."""
    rows = Commitment.objects.filter(seat__match=match).order_by("seat__number")
    return list(rows.values_list("digest", flat=True))


def check(given: Given) -> None:
    """Look whether words could be taken now, before anything is done with them; raises :class:`NotTaken`."""
    if given.fault:
        raise NotTaken(given.fault)
    if not _unused(given).exists():
        raise NotTaken(USED)


def match_of(user: Any, given: Given) -> Match | None:
    """Return the match in which ``user`` has sat down with these words; None if they have not."""
    if given.fault or not user.is_authenticated:
        return None
    used = Commitment.objects.filter(digest=given.commitment, words=given.words, seat__user=user)
    row = used.select_related("seat__match").first()
    return row.seat.match if row is not None and row.seat is not None else None


def hold(given: Given) -> None:
    """Keep the commitment of somebody who has given their words and sits down later; raises :class:`NotTaken`.

    Whoever calls it stores the words in the same transaction, so they are those that came after the commitment.
    """
    if not _unused(given).update(held=True):
        raise NotTaken(USED)


def hold_only(digests: Any) -> None:
    """Keep no commitments for later but these (a list or a query): what nobody waits with any more is forgotten."""
    Commitment.objects.filter(held=True, seat=None).exclude(digest__in=digests).update(held=False)


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
    good = Q(made__gte=timezone.now() - GOOD_FOR) | Q(held=True)
    return Commitment.objects.filter(good, digest=given.commitment, seat=None)


def give_seats(match: Match) -> None:
    """Inside the transaction in which ``match`` begins: put everybody into the seat that secrets and words give them.

    So it makes no difference who sat down first. The rows of the seats stay, what is in them moves.
    """
    rows = list(Commitment.objects.filter(seat__match=match, words__gt=""))
    if not rows:
        return
    seats = list(match.seats.order_by("number"))
    order = order_of(_parts(seats, rows))
    if order == sorted(order):
        return
    now_at = {seats[old].pk: seats[new].pk for new, old in enumerate(order)}
    contents = [{field: getattr(seats[old], field) for field in WHO_SITS} for old in order]
    # Nobody sits at a table twice, not even for a moment, and words have one seat.
    match.seats.update(user=None)
    Commitment.objects.filter(seat__match=match).update(seat=None, words="")
    for seat, content in zip(seats, contents, strict=True):
        MatchSeat.objects.filter(pk=seat.pk).update(**content)
    for row in rows:
        Commitment.objects.filter(pk=row.pk).update(seat=now_at[row.seat_id], words=row.words)


def seed_for(match: Match) -> bytes:
    """Inside the transaction in which ``match`` begins: return its seed.

    A seat without words adds nothing. Where nobody has given any, the server adds a secret of its own at the first
    seat and is bound to it from now on.
    """
    rows = list(Commitment.objects.filter(seat__match=match))
    seats = list(match.seats.order_by("number").only("pk"))
    if not rows:
        secret = new_secret()
        rows = [Commitment.objects.create(secret=secret, digest=commitment_of(secret), seat=seats[0])]
    return seed_of(_parts(seats, rows))


def _parts(seats: Sequence[MatchSeat], rows: Iterable[Commitment]) -> list[Part]:
    kept = {row.seat_id: Part(bytes(row.secret), row.words) for row in rows}
    return [kept.get(seat.pk, Part()) for seat in seats]
