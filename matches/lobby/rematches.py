"""Another match of the same people with the same decks."""

from __future__ import annotations

from typing import Any

from decks.social import opinions
from decks.table_decks import is_public_now
from matches.clocks import tempo as tempos
from matches.hints.notifications import notify_table
from matches.lessons import files as lesson_files
from matches.lobby import attendance, beginning, invites, lesson_matches, seating
from matches.lobby.errors import LobbyError
from matches.lobby.services import begun
from matches.models import Match, MatchSeat
from matches.seats import stand_ins
from matches.seats.rated import is_asked_for
from matches.shuffles.fair import Given

SEAT_FIELDS = (
    "number",
    "kind",
    "user",
    "policy",
    "name",
    "base",
    "cards",
    "deck_label",
    "deck_version",
    "deck_private",
    "deck_public",
    "deck_format",
)
"""What a seat of a rematch has from the seat before."""


def rematch(match: Match, user: Any, given: Given | None = None) -> Match:
    """Ask for, or agree to, another match of the same people with the same decks.

    It begins when all have said yes; computers always do. Two who ask at once get the same match. Where that takes
    that all are there (``attendance.needed``), who has said yes and gone is asked again. A lesson is begun anew.
    Raises LobbyError while the match is not over, for somebody who did not play, and where one of them blocks another;
    where it cannot begin because of one of them (``suspended``, ``not_legal``), the offer is taken back, so that nobody
    waits for it.
    """
    if match.lesson in lesson_files.LESSONS and match.state == Match.State.FINISHED and seating.own_seat(match, user):
        return lesson_matches.play_lesson(user, match.lesson)

    def again() -> Match:
        old = seating.locked_row(match)
        if old.state != Match.State.FINISHED:
            raise LobbyError("not_over", "The match is not over yet.")
        own = seating.own_seat(old, user)
        if own is None:
            raise LobbyError("no_seat", "Only those who played can play it again.")
        if own.stand_in:
            raise LobbyError("no_seat", "You played on for somebody else, with their deck: others ask for a rematch.")
        seating.lock_all(old, user)
        new = Match.objects.filter(rematch_of=old).first()
        if new is None or new.state == Match.State.OPEN:
            _refuse_blocked(old, user)
            seating.refuse_more(user, tempos.read(old.tempo))
        new = new or _copy(old)
        if new.state == Match.State.OPEN:
            locked = seating.locked_row(new)
            MatchSeat.objects.filter(match=locked, user=user).update(joined=True)
            attendance.here(locked, user)
            if attendance.needed(locked):
                attendance.gone(locked).update(joined=False)
            seating.take_words(locked, user, given)
            beginning.begin_if_complete(locked)
            notify_table(locked.public_id, locked.listed)
            return locked
        return new

    return begun(again, lambda: Match.objects.filter(rematch_of=match, state=Match.State.OPEN).first())


def _refuse_blocked(match: Match, user: Any) -> None:
    """Raise LobbyError (``blocked``) if somebody who played blocks another of them."""
    blocks = opinions.blocks_among(match.seats.exclude(user=None).values_list("user_id", flat=True))
    if any(by == user.pk for by, _ in blocks):
        raise LobbyError("blocked", "You block somebody who played here, so they are not asked.")
    if blocks:
        raise LobbyError("blocked", "Not everybody who played here wants to hear from the others.")


def _copy(old: Match) -> Match:
    """Make the open table of a rematch; whoever has left the site meanwhile leaves a free seat."""
    new = Match.objects.create(
        players=old.players,
        watchable=old.watchable,
        rated=is_asked_for(old),
        delay=old.delay,
        tempo=old.tempo,
        rematch_of=old,
    )
    invites.open_link(new)
    seats = []
    for seat in old.seats.select_related("user").order_by("number"):
        if seat.stand_in or (seat.kind == MatchSeat.Kind.PERSON and seat.user_id is None):
            seats.append(MatchSeat(match=new, number=seat.number))
            continue
        same = {field: getattr(seat, field) for field in SEAT_FIELDS}
        if seat.user is not None:
            same["name"] = stand_ins.name_of(seat.user)  # whoever was called otherwise then
            same["deck_public"] = is_public_now(seat.deck_version)
            same["deck_private"] = not same["deck_public"]
        seats.append(MatchSeat(match=new, joined=seat.kind == MatchSeat.Kind.COMPUTER, **same))
    seating.store(seats)
    return new
