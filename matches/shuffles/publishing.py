"""What is published of the shuffles of a match: commitments at once, all else when it is over.

The drawings (every shuffle and every lot of the match) are worked out by playing its moves again, by a worker. Who
reads the file needs no engine: each drawing follows from the seed, its place in the stream and what went into it.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Any, Literal

import msgspec
from msgspec import Struct

from ccg.rules import Catalog
from ccg.rules.core.chance import Drawing
from ccg.rules.core.state import definition_of
from ccg.rules.decoding import Decoder
from matches.clocks.earlier import versions_to
from matches.models import Match, MatchSeat
from matches.playing import archive
from matches.seats import former, openness
from matches.seats.rated import PLAYED_ON
from matches.shuffles.fair import FORMAT, Part, seal_of, seed_of
from matches.shuffles.models import Commitment, Shuffled
from matches.storage import database

State = Literal["open", "running", "packing", "whole", "without moves"]
"""How much there is: before the end (open, running) commitments only; then the secrets, while the drawings are being
worked out (packing); all of it (whole); or all but the drawings, of a match that no engine can play again."""

LOT = "first player"
"""Why a lot is drawn: all other drawings are shuffles."""


class Drawn(Struct, frozen=True):
    """One decision of chance, as it is published; of a lot, ``before`` and ``after`` are numbers of seats."""

    number: int
    """Its place among those of the match, from 0."""
    move: int
    """The move of the match in which it was made; 0 for the beginning."""
    why: str
    seat: int
    """Whose deck was shuffled; for a lot, on whom it fell."""
    at: int
    """How many words of the stream had been used before."""
    size: int
    """How many cards were shuffled, or among how many seats a lot was drawn."""
    before: list[str | int] | None
    """The cards as they lay before, top card last; null where the viewer may not see all of the match."""
    after: list[str | int] | None


class SeatShuffles(Struct, frozen=True):
    """What one seat adds to the seed, and the deck that was brought to it."""

    seat: int
    name: str
    kind: str
    """Who sat down there: person, computer or, before the match begins, free. Who plays on for them adds nothing."""
    gave_words: bool
    commitment: str | None
    secret: str | None
    words: str | None
    deck: list[str] | None
    """The deck before its first shuffle, top card last: descending ids; null before the end, and where somebody's deck
    was private for whoever did not play."""


class Shuffles(Struct, frozen=True):
    """All that is published of the shuffles of a match (docs/fair-shuffles.md)."""

    format: str
    match: str
    state: State
    seats: list[SeatShuffles]
    seed: str | None
    drawings: list[Drawn]
    seal: str
    """SHA-256 over all the rest."""


_DRAWN = Decoder(list[Drawn])


def handle(payload: dict[str, Any]) -> None:
    """Handle a row of the outbox: work out the drawings of a finished match. Done twice, they are there once."""
    match = Match.objects.filter(public_id=payload["match"], state=Match.State.FINISHED).first()
    if match is None or match.lesson or Shuffled.objects.filter(match=match).exists():
        return
    packed = b"" if match.outdated else zlib.compress(msgspec.json.encode(list(_drawings_of(match))))
    database.write(lambda: Shuffled.objects.get_or_create(match=match, defaults={"drawings": packed}))


def match_for(match_id: str, viewer: int | None) -> Match | None:
    """Return the match whose shuffles ``viewer`` may ask for, or None: whoever may see its table, if it has any."""
    match = _seen_by(match_id, viewer)
    return match if match is not None and not why_none(match) else None


def match_without(match_id: str, viewer: int | None) -> Match | None:
    """Return a match whose table ``viewer`` may see and that has no shuffles to check, or None."""
    match = _seen_by(match_id, viewer)
    return match if match is not None and why_none(match) else None


def why_none(match: Match) -> str:
    """Return why ``match`` has no shuffles to check, as a sentence for people; "" for one that has."""
    if match.lesson:
        return "A lesson is dealt the same for everybody."
    if match.unrated_why == PLAYED_ON:
        return (
            "This match was played on from a point of another one. Its decks lie as they lay there, and what is"
            " shuffled follows from what the other match was shuffled from."
        )
    if match.state != Match.State.OPEN and not Commitment.objects.filter(seat__match=match).exists():
        return "This match began before shuffles could be checked in the way in which they are now."
    return ""


def file_of(match: Match, viewer: int | None) -> Shuffles:
    """Return what ``viewer`` (an id of a user) may read now; cards if they may see all of the match, as in a replay."""
    over = match.state == Match.State.FINISHED
    seats = list(match.seats.order_by("number"))
    readable = over and openness.sees_all(seats, openness.seat_of(match.pk, viewer))
    state, drawings = _state_and_drawings(match, readable)
    commitments = {row.seat_id: row for row in Commitment.objects.filter(seat__match=match)}
    gone = former.seats_of(match.pk)
    told = [_seat_file(seat, commitments.get(seat.pk), over, readable, gone) for seat in seats]
    file = Shuffles(
        format=FORMAT,
        match=match.public_id,
        state=state,
        seats=told,
        seed=_seed(seats, commitments).hex() if over else None,
        drawings=drawings,
        seal="",
    )
    return msgspec.structs.replace(file, seal=seal_of(msgspec.to_builtins(file)))


# -- inside


def _seen_by(match_id: str, viewer: int | None) -> Match | None:
    match = Match.objects.defer("saved", "seed").filter(public_id=match_id).first()
    if match is None or match.state == Match.State.ABANDONED:
        return None
    if match.state == Match.State.FINISHED:
        played = openness.seat_of(match.pk, viewer) is not None
    else:
        played = viewer is not None and match.seats.filter(user=viewer).exists()
    return match if played or (match.watchable and match.state != Match.State.OPEN) else None


def _seat_file(
    seat: MatchSeat, row: Commitment | None, over: bool, readable: bool, gone: frozenset[int]
) -> SeatShuffles:
    return SeatShuffles(
        seat=seat.number,
        name=former.FORMER_PLAYER if seat.number in gone else seat.name,
        kind=seat.kind_at_start,
        gave_words=row is not None and row.words != "",
        commitment=row.digest if row is not None else None,
        secret=bytes(row.secret).hex() if row is not None and over else None,
        words=row.words if row is not None and over else None,
        deck=list(reversed(seat.cards)) if readable else None,
    )


def _seed(seats: Iterable[MatchSeat], rows: dict[int | None, Commitment]) -> bytes:
    """Return the seed as secrets and words give it, which is not asked of the row of the match."""
    kept = {pk: Part(bytes(row.secret), row.words) for pk, row in rows.items()}
    return seed_of([kept.get(seat.pk, Part()) for seat in seats])


def _state_and_drawings(match: Match, readable: bool) -> tuple[State, list[Drawn]]:
    if match.state == Match.State.OPEN:
        return "open", []
    if match.state != Match.State.FINISHED:
        return "running", []
    row = Shuffled.objects.filter(match=match).first()
    if row is None and not match.outdated:
        return "packing", []
    if row is None or not row.drawings:
        return "without moves", []
    drawings = _DRAWN.from_json(zlib.decompress(bytes(row.drawings)))
    return "whole", [one if one.why == LOT or readable else _without_cards(one) for one in drawings]


def _without_cards(drawn: Drawn) -> Drawn:
    return msgspec.structs.replace(drawn, before=None, after=None)


def _drawings_of(match: Match) -> Iterator[Drawn]:
    """Yield what chance decided, playing the moves of ``match`` again; raises ValueError if that ends elsewhere."""
    record = archive.record_of(match)
    game = archive.started(record)
    moved = [(0, game.drawings)]
    # What was taken back drew from the same places of the stream as what came instead.
    for version in versions_to([stored.move for stored in record.moves]):
        made = record.moves[version - 1]
        game.move(made.move, known=True, seat=made.seat)
        moved.append((version, game.drawings))
    if game.digest() != match.digest:
        raise ValueError(f"match {match.public_id} played again has the digest {game.digest()}, not {match.digest}")
    every = ((version, drawing) for version, drawings in moved for drawing in drawings)
    for number, (version, drawing) in enumerate(every):
        yield _drawn(number, version, drawing, game.engine.catalog)


def _drawn(number: int, version: int, drawing: Drawing, catalog: Catalog) -> Drawn:
    lot = drawing.why == LOT
    ids = catalog.ids
    before, after = (
        [item if lot else ids[definition_of(item)] for item in side] for side in (drawing.before, drawing.after)
    )
    return Drawn(number, version, drawing.why, drawing.seat, drawing.at, len(before), before, after)
