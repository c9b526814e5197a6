"""Making a move again that another process has stored, so that this one remembers the match without reading it."""

from __future__ import annotations

from msgspec import structs

from matches.clocks import standing as standings
from matches.hints.wire import Made
from matches.models import Move
from matches.playing import match_cache
from matches.playing.moves import Applied, Command, Prepared, apply
from matches.protocol.messages import Back, Choose, Concede


def do_again(match_id: str, version: int, made: Made) -> bool:
    """Remember the match at ``version``, by doing again what brought it there; False if that cannot be known here.

    What is remembered is what is stored: the digests are equal. Computes only.
    """
    if match_cache.game_at(match_id, version) is not None:
        return True
    facts, held = match_cache.cached_facts(match_id), match_cache.cached_at(match_id, version - 1)
    command = _command(version - 1, made)
    if facts is None or held is None or command is None:
        return False
    # What was accepted was in time: no clock is looked at.
    standing = structs.replace(standings.read(held.standing, facts.players, version - 1), clocks=None)
    if standing.seated != facts.seated:
        return False
    again = apply(Prepared(match_id, facts, version - 1, made.seat, command, standing, held.game))
    if not isinstance(again, Applied) or again.digest != made.digest:
        return False
    done = again.done
    match_cache.remember(match_id, version, done.game, made.standing, ((version, done.events),))
    return True


def _command(version: int, made: Made) -> Command | None:
    """Return the command that made a move, None for those that are seldom, or need more than the game to be done."""
    match made.kind:
        case Move.Kind.CHOOSE:
            return Choose(id="again", version=version, option=made.option)
        case Move.Kind.BACK:
            return Back(id="again", version=version)
        case Move.Kind.CONCEDE if not made.option:
            return Concede(id="again")
    return None
