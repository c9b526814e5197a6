"""A challenge, from when it has been declared to its end (Challenge Procedure; rulings 24 to 28).

The facts of the challenge are in ``state.challenge``, where power and traits look them up; the frame here takes it
through its steps. It is begun by :mod:`~ccg.rules.rulebook.declaring`. A challenge against a Cylon threat is the same
one, defended from the start.
"""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar

from msgspec import field

from ccg.rules.core import characteristics, loops
from ccg.rules.core.engine import Engine, Frame
from ccg.rules.core.options import DECLINE, NO, NOBODY, NOTHING, PASS, YES, Option
from ccg.rules.core.state import (
    Area,
    CardNumber,
    Challenge,
    Context,
    Piece,
    SeatNumber,
    Stage,
    Until,
    card_of,
    definition_of,
)
from ccg.rules.rulebook.abilities import ability_options, use
from ccg.rules.rulebook.influence import Influence, prevented
from ccg.rules.rulebook.instructions import Commit, Defeat, Exhaust, Instruction
from ccg.rules.rulebook.mystic_values import RevealMystic
from ccg.rules.rulebook.payment import AvailableResources
from ccg.rules.rulebook.playing import play, play_options
from ccg.rules.rulebook.sequence import begin_delayed

REWARD_FOR_TWO, REWARD_FOR_MORE = 2, 1
"""Influence for beating a Cylon threat, with two and with three or more players in the game."""


class ChallengeStep(IntEnum):
    """The steps of a challenge, in their order.

    =====================================  ==================================================
    Challenge Procedure of the rulebook    steps
    =====================================  ==================================================
    1. who defends                         DECLARED, DEFENDER, and SNIPER where a sniper picks
    2. events and abilities                EFFECTS
    3. there is no defender                UNDEFENDED (whether Manipulate is used)
    4. mystic values                       CHALLENGER_REVEALS, DEFENDER_REVEALS
    5. total powers                        RESULT
    .                                      OVER: the outcome is being carried out
    =====================================  ==================================================
    """

    DECLARED = 0
    DEFENDER = 1
    SNIPER = 2
    EFFECTS = 3
    UNDEFENDED = 4
    CHALLENGER_REVEALS = 5
    DEFENDER_REVEALS = 6
    RESULT = 7
    OVER = 8


class Reaction(Frame):
    """The challenged player may play cards from hand that say they can be played when their player is challenged.

    Such a unit may defend from where it enters play. ``refused`` are those not wanted; pieces from number
    ``since`` on have entered play meanwhile (0: it has not begun).
    """

    asks: ClassVar[str] = "react"
    rules_ask: ClassVar[bool] = True

    seat: SeatNumber
    refused: list[int] = field(default_factory=list)
    since: int = 0

    def run(self, engine: Engine) -> None:
        self.since = self.since or engine.state.next_piece
        entered = [piece for piece in engine.player(self.seat).reserve if piece.id >= self.since]
        _challenge(engine).reacting = [piece.id for piece in entered if self._reacts(engine, definition_of(piece.top))]
        if self.offered(engine):
            engine.ask(self.seat, "react")
        else:
            engine.end(self)

    def offered(self, engine: Engine) -> list[int]:
        """Return the definitions of the cards in hand that can be played now, of which none is refused."""
        available = AvailableResources.of(engine, self.seat)
        return [
            definition
            for definition in sorted({definition_of(card) for card in engine.player(self.seat).hand})
            if self._reacts(engine, definition)
            and definition not in self.refused
            and available.cover(engine.cards[definition].cost)
        ]

    def _reacts(self, engine: Engine, definition: int) -> bool:
        """Return whether the card says that it can be played against this challenger."""
        react = engine.scripts[definition].react
        challenger = engine.find(_challenge(engine).challenger) if react is not None else None
        if react is None or challenger is None:
            return False
        return react(engine, Context(self.seat, card_of(definition, self.seat)), challenger)

    def options(self, engine: Engine) -> list[Option]:
        return [Option("play", definition) for definition in self.offered(engine)] + [NO]

    def take(self, engine: Engine, option: Option) -> None:
        if option == NO:
            self.refused += self.offered(engine)
        else:
            play(engine, self.seat, option.card)

    def belongs_to(self, seat: SeatNumber) -> bool:
        return seat == self.seat


class ChallengeProcedure(Frame):
    """The challenge that is going on, of which ``step`` comes next.

    ``actor`` is the player who may play an event or ability next, ``begun`` what they have begun and is not yet
    counted.
    """

    asks: ClassVar[str] = "effects"
    rules_ask: ClassVar[bool] = True

    step: ChallengeStep = ChallengeStep.DECLARED
    actor: SeatNumber = -1
    begun: str = ""

    def run(self, engine: Engine) -> None:
        challenge = _challenge(engine)
        if self._broken_off(engine, challenge):
            return
        if self.step == ChallengeStep.DECLARED:
            self._to_defend(engine, challenge)
        elif self.step <= ChallengeStep.SNIPER:
            self._ask_who_defends(engine, challenge)
        elif self.step == ChallengeStep.EFFECTS:
            self._effects_round(engine, challenge)
        elif self.step == ChallengeStep.UNDEFENDED:
            self._undefended(engine, challenge)
        elif self.step == ChallengeStep.CHALLENGER_REVEALS:
            challenge.stage = Stage.MYSTIC
            self.step = ChallengeStep.DEFENDER_REVEALS
            engine.push(RevealMystic(challenge.challenging, 0))
        elif self.step == ChallengeStep.DEFENDER_REVEALS:
            self.step = ChallengeStep.RESULT
            engine.push(RevealMystic(challenge.opponent, 1))
        elif self.step == ChallengeStep.RESULT:
            self._result(engine, challenge)
        else:
            self._over(engine)

    def options(self, engine: Engine) -> list[Option]:
        challenge = _challenge(engine)
        if self.step == ChallengeStep.DEFENDER:
            return self._defend_options(engine, challenge)
        if self.step == ChallengeStep.SNIPER:
            return [Option("choose", piece=unit.id) for unit in defenders(engine, challenge)] + [NOTHING]
        if self.step == ChallengeStep.UNDEFENDED:
            return [YES, NO]
        if loops.held(engine, self.actor):
            return [PASS]
        return [*play_options(engine, self.actor), *ability_options(engine, self.actor), PASS]

    def take(self, engine: Engine, option: Option) -> None:
        challenge = _challenge(engine)
        if self.step == ChallengeStep.DEFENDER:
            self._take_defend(engine, challenge, option)
        elif self.step == ChallengeStep.SNIPER:
            if option == NOTHING:
                self.step = ChallengeStep.DEFENDER
            else:
                self._set_defender(engine, challenge, option.piece)
        elif self.step == ChallengeStep.UNDEFENDED:
            self._take_manipulate(engine, challenge, manipulated=option == YES)
        else:
            self.begun = option.verb
            if option.verb == "play":
                play(engine, self.actor, option.card)
            elif option.verb in ("boost", "use"):
                use(engine, self.actor, option)

    def taken_back(self) -> None:
        self.begun = ""

    # -- step 1 of the rulebook: who defends

    def _to_defend(self, engine: Engine, challenge: Challenge) -> None:
        if challenge.threat:
            self.step = ChallengeStep.EFFECTS
            challenge.stage = Stage.EFFECTS
        else:
            self.step = ChallengeStep.DEFENDER
            challenge.stage = Stage.DEFEND
            engine.push(Reaction(challenge.opponent))

    def _ask_who_defends(self, engine: Engine, challenge: Challenge) -> None:
        """If the last one that could defend has gone with a leaver, whoever has accepted is asked again."""
        if challenge.defended and not defenders(engine, challenge):
            challenge.defended = False
            self.step = ChallengeStep.DEFENDER
        if self.step == ChallengeStep.DEFENDER:
            engine.ask(challenge.opponent, "defend")
        else:
            engine.ask(challenge.challenging, "sniper")

    def _defend_options(self, engine: Engine, challenge: Challenge) -> list[Option]:
        """A sniper's opponent says only whether they defend; if the sniper left it to them, only who does."""
        able = defenders(engine, challenge)
        named = [Option("defend", piece=unit.id) for unit in able]
        if challenge.defended:
            return named
        if "sniper" in _challenger_keywords(engine, challenge) and able:
            return [Option("defend"), DECLINE]
        return [*named, DECLINE]

    def _take_defend(self, engine: Engine, challenge: Challenge, option: Option) -> None:
        if option == DECLINE:
            engine.emit("decline", challenge.opponent)
            self._settled(challenge)
        elif option.piece:
            self._set_defender(engine, challenge, option.piece)
        else:
            challenge.defended = True
            engine.emit("accept", challenge.opponent)
            self.step = ChallengeStep.SNIPER

    def _set_defender(self, engine: Engine, challenge: Challenge, piece: int) -> None:
        engine.set_defender(challenge, piece)
        unit = engine.piece(piece)
        scrambles = "vulnerable" not in _challenger_keywords(engine, challenge)
        challenge.defending_as = challenge.role if scrambles else unit.role
        engine.emit("defend", challenge.opponent, unit.top, unit.id)
        self._settled(challenge)

    def _settled(self, challenge: Challenge) -> None:
        challenge.stage = Stage.EFFECTS
        self.step = ChallengeStep.EFFECTS

    # -- step 2: events and abilities

    def _effects_round(self, engine: Engine, challenge: Challenge) -> None:
        if self.actor < 0:
            self.actor = challenge.challenging
        if self.begun == "pass":
            challenge.passed.append(self.actor)
            engine.emit("pass", self.actor)
        elif self.begun:
            challenge.passed.clear()
        done_by = self.actor if self.begun not in ("", "pass") else NOBODY
        if self.begun or engine.player(self.actor).lost:
            self.actor = engine.next_seat(self.actor)
        self.begun = ""
        if done_by != NOBODY:
            loops.note_deed(engine, done_by)
        if all(seat in challenge.passed for seat in engine.seats()):
            self.step = ChallengeStep.CHALLENGER_REVEALS if challenge.defended else ChallengeStep.UNDEFENDED
        else:
            engine.ask(self.actor, "effects")

    # -- steps 3 to 5: the outcome

    def _undefended(self, engine: Engine, challenge: Challenge) -> None:
        challenge.stage = Stage.RESULT
        if "manipulate" in _challenger_keywords(engine, challenge) and self._worth_asking(engine, challenge):
            engine.ask(challenge.challenging, "manipulate")
        else:
            self._take_manipulate(engine, challenge, manipulated=False)

    def _worth_asking(self, engine: Engine, challenge: Challenge) -> bool:
        """Return whether there is a loss that a gain could replace; one that is prevented is none (ruling 88)."""
        return undefended_amount(engine, challenge) > 0 and not prevented(engine, -1)

    def _take_manipulate(self, engine: Engine, challenge: Challenge, manipulated: bool) -> None:
        amount = undefended_amount(engine, challenge)
        change = (challenge.challenging, amount) if manipulated else (challenge.opponent, -amount)
        self.step = ChallengeStep.OVER
        engine.push(Influence([change]), Commit([challenge.challenger]))

    def _result(self, engine: Engine, challenge: Challenge) -> None:
        challenge.stage = Stage.RESULT
        challenger, defender = engine.piece(challenge.challenger), engine.piece(challenge.defender)
        attack, defense = total(engine, challenge, 0), total(engine, challenge, 1)
        engine.emit(
            "totals", challenge.challenging, challenger.top, challenger.id, number=attack,
            target=defender.id, target_card=defender.top, against=defense,
        )  # fmt: skip
        challenge.margin = defense - attack
        self.step = ChallengeStep.OVER
        if attack < defense:
            winner = [] if challenge.threat else [defender.id]
            after = _after_winning(challenge, defender.id)
            wins = Wins(challenge.opponent, defender.top, defender.id, defense)
            engine.push(Commit(winner), *_beaten(challenge, challenger.id), wins, *after)
            return
        outcome: list[Frame] = [Commit([challenger.id]), *_beaten(challenge, defender.id)]
        if challenge.threat:
            outcome.append(Influence([(challenge.challenging, threat_reward(engine))]))
        wins = Wins(challenge.challenging, challenger.top, challenger.id, attack)
        engine.push(*outcome, wins, *_after_winning(challenge, challenger.id))

    def _broken_off(self, engine: Engine, challenge: Challenge) -> bool:
        """End the challenge at once if a player or a participant is gone (CHAL-8, CHAL-9; rulings 5, 26)."""
        if challenge.over and self.step < ChallengeStep.OVER:
            self._over(engine)
            return True
        if not self.breaks_off(engine):
            return False
        self._over(engine)
        if engine.find(challenge.challenger) is not None:
            engine.push(Commit([challenge.challenger]))
        return True

    def breaks_off(self, engine: Engine) -> bool:
        """A participant that is gone ends it until its outcome is known, a player of it until that is carried out.

        What waits for the win comes after it and does not end with it (ruling 72).
        """
        challenge = _challenge(engine)
        if challenge.resolved:
            return False
        if any(engine.player(seat).lost for seat in (challenge.challenging, challenge.opponent)):
            return True
        participants = (challenge.challenger, challenge.defender) if self.step < ChallengeStep.OVER else ()
        return any(piece and engine.find(piece) is None for piece in participants)

    def _over(self, engine: Engine) -> None:
        engine.end(self)
        engine.push(ChallengeEnds())


def at_stake(engine: Engine, challenge: Challenge) -> int:
    """Return the influence that it is about: what is lost if nobody defends, or what beating the threat earns."""
    if challenge.challenged is None:
        return 0 if prevented(engine, 1) else threat_reward(engine)
    return 0 if prevented(engine, -1) else undefended_amount(engine, challenge)


def undefended_amount(engine: Engine, challenge: Challenge) -> int:
    """Return how much influence an undefended challenge is about (CHAL-3; ruling 27)."""
    return max(0, characteristics.power(engine, engine.piece(challenge.challenger)))


def _beaten(challenge: Challenge, loser: int) -> list[Frame]:
    """Return what happens to the loser: it is defeated, unless an effect spares it or exhausts it instead."""
    fates = _fates(challenge, loser, "losing", "the loser")
    if "spared" in fates:
        return []
    if "exhausted" in fates:
        return [Exhaust([loser])]
    return [Defeat([loser])]


def _after_winning(challenge: Challenge, winner: int) -> list[Frame]:
    """Return the frames for what effects do to the winner."""
    fates = _fates(challenge, winner, "winning", "the winner")
    if "defeated" in fates:
        return [Defeat([winner])]
    return [Exhaust([winner])] if "exhausted" in fates else []


def _fates(challenge: Challenge, piece: int, how: str, name: str) -> list[str]:
    """Return what effects say becomes of a participant that has won or lost; nothing becomes of a Cylon threat."""
    if piece == challenge.threat:
        return []
    role = "challenger" if piece == challenge.challenger else "defender"
    return [becomes for who, becomes in challenge.fates if who in (name, f"a {how} {role}")]


class Wins(Instruction):
    """A challenge has been won, now that winner and loser are where they belong (ruling 72).

    What effects make of the winner comes after that: it has won (ruling 42).
    """

    seat: SeatNumber
    card: CardNumber
    piece: int
    number: int

    def happen(self, engine: Engine) -> None:
        challenge = _challenge(engine)
        challenge.resolved = True
        beaten = self.number - abs(challenge.margin)
        engine.emit("wins", self.seat, self.card, self.piece, number=self.number, against=beaten)


class ChallengeEnds(Frame):
    """The challenge is over; participants that lie face down are so from now on (CHAL-7)."""

    def run(self, engine: Engine) -> None:
        engine.end(self)
        challenge = _challenge(engine)
        engine.end_challenge()
        engine.expire(Until.CHALLENGE)
        engine.emit("challenge over", challenge.challenging, piece=challenge.challenger)
        begin_delayed(engine, "end of challenge")


def defenders(engine: Engine, challenge: Challenge) -> list[Piece]:
    """Return the units of the challenged player that may defend (CHAL-1d)."""
    challenger = engine.piece(challenge.challenger)
    return [
        piece
        for piece in (*engine.player(challenge.opponent).alert, *engine.player(challenge.opponent).reserve)
        if (piece.area == Area.ALERT or piece.id in challenge.reacting)
        and characteristics.may_defend(engine, piece, challenger, challenge.role)
    ]


def total(engine: Engine, challenge: Challenge, side: int) -> int:
    """Return power and mystic value of the challenger (side 0) or the defender (side 1)."""
    piece = engine.piece(challenge.defender if side else challenge.challenger)
    return characteristics.power(engine, piece) + (challenge.mystic[side] or 0)


def threat_reward(engine: Engine) -> int:
    """Return what beating a Cylon threat earns, by the players still in the game (ruling 6)."""
    return REWARD_FOR_TWO if len(engine.seats()) == 2 else REWARD_FOR_MORE


def _challenge(engine: Engine) -> Challenge:
    challenge = engine.state.challenge
    assert challenge is not None
    return challenge


def _challenger_keywords(engine: Engine, challenge: Challenge) -> tuple[str, ...]:
    return characteristics.keywords(engine, engine.piece(challenge.challenger))
