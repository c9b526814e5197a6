"""Conceding for somebody who goes on to something else."""

from __future__ import annotations

import logging
import secrets
from typing import Any

from matches.playing import moves
from matches.protocol.messages import Concede

log = logging.getLogger(__name__)


def concede(match_id: str, user: Any, mark: str) -> None:
    """Concede the match for ``user``, with an action id that begins with ``mark``.

    A match that a fault keeps from being conceded is logged, and stays as it is: it keeps nobody from what they asked
    for.
    """
    try:
        moves.act(match_id, moves.Actor.person(user.pk), Concede(id=f"{mark}-{secrets.token_hex(8)}"))
    except Exception:
        log.exception("match %s could not be conceded", match_id)
