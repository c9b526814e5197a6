"""The choice of a tempo in a form (``matches/_tempo_choice.html``)."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from matches.clocks.tempo import CORRESPONDENCE, LIVE, OFFERED, UNTIMED, Tempo
from matches.lobby.errors import LobbyError

GROUPS = (("Live", LIVE), ("Correspondence", CORRESPONDENCE))
"""The tempos that can be chosen besides no clocks."""


def tempo_choices(request: HttpRequest) -> dict[str, Any]:
    """Return what the template shows: the tempos, and what was chosen in a form that is shown again."""
    return {"tempos": GROUPS, "tempo": request.POST.get("tempo", str(UNTIMED))}


def chosen_tempo(request: HttpRequest) -> Tempo:
    """Return the tempo chosen in a form, no clocks where none is; raises LobbyError for one that is not offered."""
    chosen = OFFERED.get(request.POST.get("tempo", "") or str(UNTIMED))
    if chosen is None:
        raise LobbyError("tempo", "Choose one of the tempos in the list.")
    return chosen
