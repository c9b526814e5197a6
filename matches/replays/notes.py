"""Notes of players on points of their matches: for themselves, and for whoever has the link if they share them."""

from __future__ import annotations

import base64
import hashlib
import secrets
from collections.abc import Collection
from typing import Any

from django.utils.crypto import salted_hmac

from ccg.suspension import refuse_suspended
from ccg.words import one_line
from matches.lobby.errors import LobbyError
from matches.models import Match
from matches.replays.models import LONGEST_NOTE, Note, NoteSheet
from matches.storage import database

MOST_NOTES = 100
"""Notes of one player on one match."""

TOKEN_LENGTH = 22

CHANGED = (
    "This note was changed in another window meanwhile: it is shown as it is now. What you wrote is still here; "
    "keep it again, and it takes the place of the other."
)


def sheet_of(match: Match, user: Any) -> NoteSheet | None:
    """Return the notes of ``user`` on the match; None where there are none."""
    return NoteSheet.objects.filter(match=match, writer=user).first() if user.is_authenticated else None


def shared(match: Match, token: str) -> NoteSheet | None:
    """Return the notes on the match that this link opens; None if it opens none, or no more."""
    if len(token) != TOKEN_LENGTH:
        return None
    return NoteSheet.objects.select_related("writer").filter(match=match, link_hash=_hash(token)).first()


def lines(sheet: NoteSheet | None) -> list[dict[str, Any]]:
    """Return notes as the page takes them."""
    return [] if sheet is None else [{"move": note.move, "text": note.text} for note in sheet.lines.order_by("move")]


def keep(match: Match, user: Any, move: int, text: str, was: Collection[str] = ()) -> NoteSheet:
    """Keep ``text`` as the note of a player on a move, in place of what was there; without text, take it away.

    ``was`` are the texts that the page takes for possible there: what it was told, and what it has sent without an
    answer. Where another one is there, a later one of the page was here first, or another window. Raises LobbyError for
    that ("stale"), for a move that there is not, and for one of very many notes; ``ccg.suspension.Suspended`` for who
    is suspended and writes what a link of theirs shows to others.
    """
    if not 0 <= move <= match.version:
        raise LobbyError("move", "There is no such move in this match.")
    words = one_line(text, LONGEST_NOTE)
    possible = {words, *(one_line(one, LONGEST_NOTE) for one in was)}

    def write() -> NoteSheet:
        sheet = _own(match, user)
        kept = sheet.lines.filter(move=move).first()
        if was and (kept.text if kept else "") not in possible:
            raise LobbyError("stale", CHANGED)
        if words and sheet.nonce:
            refuse_suspended(user)
        if not words:
            sheet.lines.filter(move=move).delete()
        elif sheet.lines.exclude(move=move).count() >= MOST_NOTES:
            raise LobbyError("too_many", f"There is room for {MOST_NOTES} notes on a match. Take one away first.")
        else:
            Note.objects.update_or_create(sheet=sheet, move=move, defaults={"text": words})
        return sheet

    return database.write(write)


def share(match: Match, user: Any, wanted: bool) -> NoteSheet:
    """Let whoever has the link read the notes of a player on the match; or nobody any more, for good."""
    if wanted:
        refuse_suspended(user)

    def write() -> NoteSheet:
        sheet = _own(match, user)
        if wanted and not sheet.nonce:
            sheet.nonce = secrets.token_urlsafe(24)
            sheet.link_hash = _hash(token_of(sheet))
        elif not wanted:
            sheet.nonce, sheet.link_hash = "", None
        sheet.save(update_fields=["nonce", "link_hash"])
        return sheet

    return database.write(write)


def token_of(sheet: NoteSheet) -> str:
    """Return what the link of shared notes ends with: 128 bits, made anew from the site's secret key each time."""
    made = salted_hmac("matches.replays.notes", f"{sheet.pk}:{sheet.nonce}", algorithm="sha256").digest()
    return base64.urlsafe_b64encode(made[:16]).decode().rstrip("=")


def _own(match: Match, user: Any) -> NoteSheet:
    sheet, _ = NoteSheet.objects.get_or_create(match=match, writer=user)
    return NoteSheet.objects.select_for_update().get(pk=sheet.pk)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
