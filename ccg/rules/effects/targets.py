"""Who and what a step is done to: pieces and players, chosen or found, and what can be done to which of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ccg.rules.cards import phrases
from ccg.rules.cards.phrases import Players, Selector
from ccg.rules.core import characteristics, selectors
from ccg.rules.core.engine import Choice, Engine
from ccg.rules.core.state import Area, Context, Piece, Role, SeatNumber
from ccg.rules.effects.word import Compiling
from ccg.rules.rulebook.influence import prevented

Able = Callable[[Engine, Context, Piece], bool]
Can = Callable[[Engine, Context, SeatNumber], bool]

FROM_BEFORE = ("they", "its_controller", "its_owner")
"""Players whom only an earlier step makes known."""


class PieceSelector:
    """The pieces that a step is about: a phrase, and the number of the choice if one is to be made."""

    def __init__(self, phrase: str, compiling: Compiling, late: bool, able: Able | None = None) -> None:
        self.selector: Selector = phrases.selector(phrase)
        self.fits = selectors.test(self.selector)
        self.where = selectors.where(self.selector)
        self.able = able
        self.parts: list[Able] = [] if able is None else [able]
        self.whole = compiling.in_cost
        self.paid = compiling.paid
        self.for_power = False
        self.chosen = not self.selector.every and not self.selector.pronoun
        self.early = (self.selector.target or compiling.in_cost) and not late
        self.aimed = self.selector.target and not compiling.untargeted
        self.number = compiling.choice() if self.chosen else -1

    def candidates(self, engine: Engine, context: Context) -> list[int]:
        """Return the pieces that may be chosen: they fit, something can be done to them, targets may be targeted."""
        found = selectors.every(engine, context, self.fits, self.where)
        if self.paid:
            gone = {piece for effect in self.paid if effect.gives_away for piece in effect.named(context)}
            found = [piece for piece in found if piece not in gone]
        if self.aimed and engine.active_modifiers("cannot"):
            found = [p for p in found if not self._untouchable(engine, engine.piece(p))]
        then = self._fitting_then(engine, context, found) if self.paid else found
        if len(then) < len(found):
            able = self._able_to(engine, context, then) if self.parts else then
            if len(able) >= max(1, self.selector.least):
                return able
        return self._able_to(engine, context, found) if self.parts else found

    def _fitting_then(self, engine: Engine, context: Context, found: list[int]) -> list[int]:
        """Return the pieces of ``found`` that will still be what the text names once the cost is paid (ruling 103)."""
        pays = {piece for effect in self.paid for piece in effect.named(context)}
        return [p for p in found if p not in pays or self._fits_then(engine, context, engine.piece(p))]

    def _fits_then(self, engine: Engine, context: Context, piece: Piece) -> bool:
        """Return whether ``piece`` will fit as it lies once the cost is paid."""
        now = self._after_cost(context, piece)
        area = Area.RESERVE if now.get(in_reserve) else Area.ALERT if now.get(alert) else piece.area
        exhausted = now.get(face_down, piece.exhausted)
        lying = Piece(
            piece.id, piece.role, area, piece.controller, piece.cards, exhausted, piece.supplies, piece.links
        )  # fmt: skip
        return engine.asked_anew(lambda: self.fits(engine, context, lying))

    def _able_to(self, engine: Engine, context: Context, found: list[int]) -> list[int]:
        """Return the pieces of ``found`` for which all steps are possible; if too few, those for which any step is.

        A cost is paid whole, so there only the former will do (ruling 73). Whoever pays the cost and can take no
        part any more is named if there is nobody else: targets are chosen before paying (ruling 16). So is whoever
        can take part only because of paying, as one that is committed and then readied (ruling 103).
        """
        if len(self.parts) == 1:
            able = [piece for piece in found if self.parts[0](engine, context, engine.piece(piece))]
            if not self.paid:
                return able
            then = [piece for piece in found if self._wholly(engine, context, engine.piece(piece))]
            others = [piece for piece in then if piece in able]
            if len(others) >= max(1, self.selector.least):
                return others
            return able or then
        whole = [piece for piece in found if self._wholly(engine, context, engine.piece(piece))]
        if self.whole or len(whole) >= max(1, self.selector.least):
            return whole
        partly = [piece for piece in found if self._partly(engine, context, engine.piece(piece))]
        return partly or [p for p in found if any(able(engine, context, engine.piece(p)) for able in self.parts)]

    def needed(self) -> list[Able]:
        """Return the tests that a piece must pass for all steps to be possible; none if one step is enough."""
        if not self.whole:
            return self.parts if len(self.parts) == 1 else []
        made: dict[Able, bool] = {}
        needed = []
        for able in self.parts:
            if able not in made:
                needed.append(able)
            note_done(made, able)
        return needed

    def _after_cost(self, context: Context, piece: Piece) -> dict[Able, bool]:
        """Return the tests that ``piece`` will pass or fail because of what the cost does to it."""
        now: dict[Able, bool] = {}
        for effect in self.paid:
            if piece.id in effect.named(context):
                note_done(now, effect.able)
        return now

    def _wholly(self, engine: Engine, context: Context, piece: Piece) -> bool:
        """Return whether all parts can be done to ``piece``, one after the other, once the cost is paid."""
        now = self._after_cost(context, piece)
        for able in self.parts:
            if not (now[able] if able in now else able(engine, context, piece)):
                return False
            note_done(now, able)
        return True

    def _partly(self, engine: Engine, context: Context, piece: Piece) -> bool:
        """Return whether any part can be done to ``piece`` once the cost is paid."""
        now = self._after_cost(context, piece)
        return any(now[able] if able in now else able(engine, context, piece) for able in self.parts)

    def _untouchable(self, engine: Engine, piece: Piece) -> bool:
        return characteristics.forbidden(engine, "be targeted", piece) or (
            self.for_power and characteristics.forbidden(engine, "be targeted by power", piece)
        )

    def choice(self) -> Choice:
        """Return the choice to be made."""
        return Choice(self.number, "pieces", self.candidates, self.selector.least, self.selector.most, self.selector)

    def announced(self) -> Iterator[Choice]:
        """Return the choice if it is made as the ability is played."""
        if self.chosen and self.early:
            yield self.choice()

    def resolved(self) -> Choice | None:
        """Return the choice if it is made as the step resolves."""
        return self.choice() if self.chosen and not self.early else None

    def found(self, engine: Engine, context: Context) -> list[int]:
        """Return the pieces meant now, and remember them as "it"."""
        if self.chosen:
            found = self._still_legal(engine, context)
        elif self.selector.pronoun:
            found = selectors.pronoun(engine, context, self.selector.pronoun)
        else:
            found = selectors.every(engine, context, self.fits, self.where)
        if self.selector.pronoun != "this":
            context.it = found
            if found:
                context.whom = engine.piece(found[0]).controller
                context.owner = engine.piece(found[0]).owner
        return found

    def _still_legal(self, engine: Engine, context: Context) -> list[int]:
        """Return those of the chosen pieces that could still be chosen (ruling 16).

        A card played before this one, beside which it was announced, may have made them no targets (ruling 11).
        """
        chosen = context.chosen[self.number] or []
        context.chosen[self.number] = None  # "other" is other than what was chosen elsewhere
        pieces = [piece for piece in map(engine.find, chosen) if piece is not None]
        found = [piece.id for piece in pieces if self.fits(engine, context, piece)]
        context.chosen[self.number] = chosen
        return [piece for piece in found if not (self.aimed and self._untouchable(engine, engine.piece(piece)))]

    def exists(self, engine: Engine, context: Context) -> bool:
        """Return whether the step can be carried out on at least one piece now."""
        if self.chosen:
            return len(self.candidates(engine, context)) >= max(1, self.selector.least)
        if self.selector.pronoun in ("it", "them") and not context.about:
            return True  # what an earlier step is about; that step says whether there is one
        found = (
            selectors.pronoun(engine, context, self.selector.pronoun)
            if self.selector.pronoun
            else selectors.every(engine, context, self.fits, self.where)
        )
        return any(self._able_then(engine, context, engine.piece(piece)) for piece in found)

    def _able_then(self, engine: Engine, context: Context, piece: Piece) -> bool:
        """Return whether the step can be carried out on ``piece`` once the cost is paid."""
        if self.able is None:
            return True
        now = self._after_cost(context, piece)
        return now[self.able] if self.able in now else self.able(engine, context, piece)


class PlayerSelector:
    """The players that a step is about, and the number of the choice if one is chosen.

    ``can`` tells whether a player could carry out the step, or could have it done to them.
    """

    def __init__(self, phrase: str | None, compiling: Compiling, late: bool, can: Can | None = None) -> None:
        self.players: Players = phrases.players(phrase or "you")
        self.can = can
        self.early = not late
        self.number = compiling.choice() if self.players.target else -1

    def candidates(self, engine: Engine, context: Context) -> list[int]:
        """Return the players who may be chosen: those who can do it, or all if nobody can (EFF-5; ruling 70)."""
        found = selectors.seats(engine, context, self.players)
        if self.can is None or len(found) < 2:
            return found
        return self._able(engine, context, found) or found

    def _able(self, engine: Engine, context: Context, found: list[SeatNumber]) -> list[SeatNumber]:
        reached = self.reached(engine, context, found)
        return [seat for seat in reached if self.can is None or self.can(engine, context, seat)]

    def exist(self, engine: Engine, context: Context) -> bool:
        """Return whether there is a player who can do this now."""
        if self.players.kind in FROM_BEFORE:
            return True  # the earlier step says whether there is one
        return bool(self._able(engine, context, selectors.seats(engine, context, self.players)))

    def choice(self) -> Choice:
        """Return the choice to be made."""
        return Choice(self.number, "players", self.candidates)

    def announced(self) -> Iterator[Choice]:
        """Return the choice if it is made as the ability is played."""
        if self.players.target and self.early:
            yield self.choice()

    def resolved(self) -> Choice | None:
        """Return the choice if it is made as the step resolves."""
        return self.choice() if self.players.target and not self.early else None

    def found(self, engine: Engine, context: Context) -> list[SeatNumber]:
        """Return the players meant now."""
        if self.players.target:
            found = [seat for seat in context.chosen[self.number] or [] if not engine.player(seat).lost]
        else:
            found = selectors.seats(engine, context, self.players)
        return self.reached(engine, context, found)

    def reached(self, engine: Engine, context: Context, found: list[SeatNumber]) -> list[SeatNumber]:
        """Return those of ``found`` who are not immune to this red text (ruling 64)."""
        immune = [active for active in engine.active_modifiers("immune") if context.piece in (active.pieces or ())]
        return [seat for seat in found if not any(active.fixed == seat for active in immune)]


# ---------------------------------------------------------------- what can be done to what


def in_reserve(engine: Engine, context: Context, piece: Piece) -> bool:
    return piece.area == Area.RESERVE


def alert(engine: Engine, context: Context, piece: Piece) -> bool:
    return piece.area == Area.ALERT


def face_up(engine: Engine, context: Context, piece: Piece) -> bool:
    return not piece.exhausted


def face_down(engine: Engine, context: Context, piece: Piece) -> bool:
    return piece.exhausted


def leaves(engine: Engine, context: Context, piece: Piece) -> bool:
    """Every player has one base, all through the game."""
    return piece.role != Role.BASE


def elsewhere(engine: Engine, context: Context, piece: Piece) -> bool:
    """A card moved to its owner's reserve area is not there already (ruling 78)."""
    return leaves(engine, context, piece) and not (piece.area == Area.RESERVE and piece.controller == piece.owner)


def threatens(engine: Engine, context: Context, piece: Piece) -> bool:
    """Return whether a piece has a Cylon threat: a face-up alert or reserve card, or a revealed threat (ruling 76)."""
    return piece.role == Role.THREAT or (piece.area in (Area.ALERT, Area.RESERVE) and not piece.exhausted)


def has_red_text(engine: Engine, context: Context, piece: Piece) -> bool:
    """Return whether a Cylon threat has red text that could affect anybody (ruling 97)."""
    return piece.role == Role.THREAT and engine.script(piece.top).red >= 0


def may_choose_defender(engine: Engine, context: Context, piece: Piece) -> bool:
    """Return whether the defender is chosen in the challenge that is going on: a Cylon threat stands where it is."""
    challenge = engine.state.challenge
    return challenge is not None and challenge.challenged is not None


def mine(engine: Engine, context: Context, piece: Piece) -> bool:
    return piece.controller == context.you and leaves(engine, context, piece)


def holds_cards(engine: Engine, context: Context, seat: SeatNumber) -> bool:
    """Return whether a player has cards to discard or to show; with fewer than asked for, those (EFF-6)."""
    return selectors.in_hand(engine, context, seat) > 0


def has_deck(engine: Engine, context: Context, seat: SeatNumber) -> bool:
    """Return whether a player has a deck, or would get one from the discard pile (DEPL-1; ruling 19)."""
    player = engine.player(seat)
    return bool(player.deck or player.discard)


def may_gain(engine: Engine, context: Context, seat: SeatNumber) -> bool:
    return not prevented(engine, 1)


def may_lose(engine: Engine, context: Context, seat: SeatNumber) -> bool:
    return not prevented(engine, -1)


MADE_ABLE: dict[Able, Able] = {
    alert: in_reserve,
    in_reserve: alert,
    face_up: face_down,
    face_down: face_up,
}
"""The test that a piece passes after an instruction for which it passed another: a committed unit is in reserve."""


def note_done(now: dict[Able, bool], able: Able) -> None:
    """Record in ``now`` which tests hold for a piece after an instruction for which it had to pass ``able``."""
    now[able] = False
    if able in MADE_ABLE:
        now[MADE_ABLE[able]] = True


def anything(engine: Engine, context: Context, piece: Piece) -> bool:
    return True
