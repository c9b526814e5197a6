"""Matches of people whose accounts are deleted: shown without their names.

What is stored of a match tells players by the names that they had, as a game and its digests are made of them. So the
names are taken out as a match is shown: :func:`seats_of` says in which seats nobody is any more, :func:`nameless` puts
:data:`FORMER_PLAYER` in their place.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any, TypeVar

import msgspec

from ccg.rules.decoding import Decoder
from matches.models import LeftSeat, MatchSeat

FORMER_PLAYER = "Former player"
"""The name of everybody whose account is deleted."""

# What was stored before marks had names without brackets has them as they were chosen.
_MARK = re.compile(r"\[\[seat:(\d+)\|(?:(?!\]\]).)*\]{2,}")

Shown = TypeVar("Shown")


def seats_of(match_pk: int) -> frozenset[int]:
    """Return the numbers of the seats where those who sat down have deleted their accounts."""
    seats = MatchSeat.objects.filter(match=match_pk, kind=MatchSeat.Kind.PERSON, user=None, stand_in="")
    # The last one that is put in is who left a seat first: its name is that of who sat down, and of nobody after them.
    first = dict(LeftSeat.objects.filter(match=match_pk).order_by("-version").values_list("seat", "user"))
    return frozenset(seats.values_list("number", flat=True)) | {seat for seat in first if first[seat] is None}


def nameless(shown: Shown, seats: Collection[int], decoder: Decoder[Shown]) -> Shown:
    """Return ``shown``, a record that ``decoder`` reads, without the names of who sat in ``seats``.

    Names are in marks of seats, wherever a text has them, and beside the number of their seat.
    """
    if not seats:
        return shown
    return decoder.from_plain(_without(msgspec.to_builtins(shown), frozenset(seats)))


def _without(value: Any, seats: frozenset[int]) -> Any:
    if isinstance(value, str):
        return _MARK.sub(lambda mark: _marked(mark, seats), value)
    if isinstance(value, list):
        return [_without(one, seats) for one in value]
    if isinstance(value, dict):
        found = {key: _without(one, seats) for key, one in value.items()}
        return {**found, "name": FORMER_PLAYER} if "name" in found and found.get("seat") in seats else found
    return value


def _marked(mark: re.Match[str], seats: frozenset[int]) -> str:
    return f"[[seat:{mark[1]}|{FORMER_PLAYER}]]" if int(mark[1]) in seats else mark[0]
