"""The numbers of a game, worked out a second time: from the texts in play, with no index and no memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ccg.rules.core import characteristics
from ccg.rules.core.engine import ActiveModifier, ContinuousEffect, Engine
from ccg.rules.core.state import Area, Context, Piece, Role, definition_of
from ccg.rules.game import Game
from ccg.rules.soak.broken import Broken
from ccg.rules.telling import explanations
from ccg.rules.telling.view import PieceView, PlayerView, View


def nothing_is_stale(game: Game) -> None:
    """Check that the modifiers and abilities cached by the engine equal those that a fresh engine works out."""
    kept, fresh = game.engine, Engine(game.engine.state, game.engine.catalog)
    if list(kept.sources()) != list(fresh.sources()):
        raise Broken("stale", "the texts that work are not those that were kept")
    if tuple(kept.seats()) != tuple(fresh.seats()):
        raise Broken("stale", "the turn order is not the one that was kept")
    for kind in sorted(fresh.kinds_of_change() | kept.kinds_of_change()):
        if list(kept.active_modifiers(kind)) != list(fresh.active_modifiers(kind)):
            raise Broken("stale", f"the changes of kind {kind} in force are not those that were kept")


def agree(game: Game, seen: View) -> None:
    """Power, threat, yields, threat level and fleet defense in a view, and those by which the rules go, are right.

    Right is what a slow calculation gives.
    """
    engine = game.engine
    pieces = {piece.id: piece for piece in engine.pieces()}
    shown_pieces: list[PieceView] = list(seen.threats)
    for player in seen.players:
        shown_pieces += [*player.stacks, *player.persistent, *player.alert, *player.reserve]
    linked = {link.id for piece in shown_pieces for link in piece.links}
    if {piece.id for piece in shown_pieces} | linked != set(pieces):
        raise Broken("view", "the view shows other pieces than there are")
    power, threat = list(_slow_forces(engine, "power")), list(_slow_forces(engine, "threat"))
    for piece in shown_pieces:
        lies = pieces[piece.id]
        have = (piece.power, piece.threat, piece.yields)
        slow = (slow_power(engine, lies, power, threat), slow_threat(engine, lies, threat), slow_yields(lies))
        if have != slow:
            raise Broken("numbers", f"{piece.card} shows power, threat, yield {have}; worked out slowly {slow}")
        ruled = (characteristics.power(engine, lies), characteristics.threat(engine, lies))
        if ruled != slow[:2]:
            raise Broken("numbers", f"{piece.card} counts with power, threat {ruled}; worked out slowly {slow[:2]}")
    levels = (slow_threat_level(engine, threat), slow_fleet_defense(engine))
    if (seen.threat_level, seen.fleet_defense) != levels:
        raise Broken(
            "numbers",
            f"threat level and fleet defense {seen.threat_level}, {seen.fleet_defense}; worked out slowly {levels}",
        )


def are_explained(game: Game, seen: View) -> None:
    """What is printed and the causes told of are what is shown: numbers add up, and words are all accounted for."""
    engine = game.engine
    shown = {piece.id: piece for player in seen.players for piece in _laid_out(player)}
    shown |= {piece.id: piece for piece in seen.threats}
    for number, piece in shown.items():
        lies = engine.piece(number)
        have = (piece.power, piece.threat) + ((piece.yields,) if lies.is_stack else ())
        explained = [explanations.power(engine, lies), explanations.threat(engine, lies)] + (
            [explanations.yields(engine, lies)] * lies.is_stack
        )
        if have != tuple(number.shown for number in explained):
            raise Broken("why", f"{piece.card} shows {have}, explained by {explained}")
        if _face_counts(engine, lies):  # what lies face down shows no numbers, and its view no causes
            listed = [sum(cause.amount for cause in piece.why if cause.kind == kind) for kind in ("power", "threat")]
            differs = [number - why.printed for number, why in zip(have[:2], explained[:2], strict=True)]
            if listed != differs:
                raise Broken("why", f"{piece.card} differs by {differs}, its view tells {piece.why}")
        card = engine.definition(lies)
        for words, printed, causes in (
            (piece.traits, card.traits, explanations.traits(engine, lies)),
            (piece.keywords, card.keywords, explanations.keywords(engine, lies)),
        ):
            lost = {cause.word[1:] for cause in causes if cause.word.startswith("-")}
            gained = {cause.word for cause in causes if not cause.word.startswith("-")}
            if set(words) - set(printed) != gained or set(printed) - set(words) != lost:
                raise Broken("why", f"{piece.card} is {words}, printed {printed}, explained by {causes}")
    levels = (explanations.fleet_defense(engine).shown, explanations.threat_level(engine).shown)
    if (seen.fleet_defense, seen.threat_level) != levels:
        raise Broken("why", f"levels {seen.fleet_defense}, {seen.threat_level}, explained as {levels}")


def _laid_out(player: PlayerView) -> Iterator[PieceView]:
    yield from (*player.stacks, *player.persistent, *player.alert, *player.reserve)


def slow_power(engine: Engine, piece: Piece, power: Sequence[ActiveModifier], threat: Sequence[ActiveModifier]) -> int:
    """Return the power of ``piece``: printed, or the threat of a Cylon threat, and every change of power in force."""
    if not _face_counts(engine, piece):
        return 0
    printed = slow_threat(engine, piece, threat) if piece.role == Role.THREAT else engine.definition(piece).power or 0
    return printed + _slow_change(engine, power, piece)


def slow_threat(engine: Engine, piece: Piece, active_modifiers: Sequence[ActiveModifier]) -> int:
    """Return the Cylon threat of ``piece``."""
    if not _face_counts(engine, piece):
        return 0
    return (engine.definition(piece).threat or 0) + _slow_change(engine, active_modifiers, piece)


def slow_yields(piece: Piece) -> int:
    """Return what the stack makes: one for itself and one for each supply card; nothing if it is no stack."""
    return 1 + len(piece.supplies) if piece.role in (Role.BASE, Role.ASSET) else 0


def slow_threat_level(engine: Engine, active_modifiers: Sequence[ActiveModifier]) -> int:
    """Add up the threat of everything that lies face up, alert or in reserve, with anybody."""
    return sum(
        slow_threat(engine, piece, active_modifiers)
        for piece in engine.pieces()
        if piece.area in (Area.ALERT, Area.RESERVE) and not piece.exhausted
    )


def slow_fleet_defense(engine: Engine) -> int:
    """Add up the printed power of the bases of all who are in the game, and what changes the level."""
    bases = [
        piece
        for piece in engine.pieces()
        if piece.role == Role.BASE and not engine.player(piece.controller).lost
    ]  # fmt: skip
    if not bases:
        return 0
    printed = sum(engine.definition(base).power or 0 for base in bases)
    return printed + sum(active.amount(engine, bases[0]) for active in _slow_forces(engine, "fleet"))


def _face_counts(engine: Engine, piece: Piece) -> bool:
    challenge = engine.state.challenge
    takes_part = challenge is not None and piece.id in (challenge.challenger, challenge.defender)
    return piece.role != Role.ASSET and (takes_part or not piece.exhausted)


def _slow_change(engine: Engine, active_modifiers: Sequence[ActiveModifier], piece: Piece) -> int:
    return sum(active.amount(engine, piece) for active in active_modifiers if active.touches(engine, piece))


def _slow_forces(engine: Engine, kind: str) -> Iterator[ActiveModifier]:
    """Go through every text in play and every modifier for changes of ``kind``, with no index and no memory."""
    for piece in engine.pieces():
        if piece.role == Role.THREAT:
            continue
        texts = [(link.top, link.controller) for link in piece.links if not link.exhausted]
        working = piece.role != Role.MISSION or piece.area == Area.RESOURCE
        if working and _face_counts(engine, piece):
            texts.insert(0, (piece.cards[0], piece.controller))
        for card, you in texts:
            script = engine.scripts[definition_of(card)]
            context = Context(you, card, piece.id)
            for change in (script.changes[number] for number in script.printed_changes):
                if change.kind == kind and (change.holds is None or change.holds(engine, context)):
                    yield ActiveModifier(change, context, None, 0, change.word)
    for modifier in engine.state.modifiers:
        if modifier.kind == kind:
            script = engine.scripts[definition_of(modifier.context.card)]
            made: ContinuousEffect | None = script.changes[modifier.change] if modifier.change >= 0 else None
            if made is not None and made.holds is not None and not made.holds(engine, modifier.context):
                continue
            yield ActiveModifier(made, modifier.context, modifier.pieces, modifier.amount, modifier.word)
