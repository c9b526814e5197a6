"""A challenge, from its declaration to its end (Challenge Procedure; rulings 24 to 28).

The facts of the challenge are in ``state.challenge``, where power and traits look them up; the frame here
takes it through its steps. A challenge against a Cylon threat is the same one, defended from the start.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec import field

from ccg.rules import characteristics
from ccg.rules.abilities import ability_options, use
from ccg.rules.agenda import Engine, Force, Frame
from ccg.rules.in_turn import begin_delayed
from ccg.rules.instructions import Commit, Defeat, Exhaust, Influence
from ccg.rules.mystic_values import RevealMystic
from ccg.rules.options import DECLINE, NO, NOTHING, PASS, YES, Option
from ccg.rules.payment import Amounts, Means, Payer, Payment
from ccg.rules.playing import PaidTogether, play, play_options
from ccg.rules.state import Area, Challenge, Piece, Role, Scope, Seat, Stage, Until

REWARD_FOR_TWO, REWARD_FOR_MORE = 2, 1
"""Influence for beating a Cylon threat, with two and with three or more players in the game."""

LOSER_EXHAUSTED = "the loser is exhausted"
SPARED = "the defender is spared"
WINNER_DEFEATED = "a winning challenger is defeated"


def declare(
    engine: Engine, seat: Seat, challenger: Piece, challenged: Seat | None = None, against: Piece | None = None
) -> None:
    """Begin a challenge by ``challenger`` against a player, or against a Cylon threat (CYLON-6d)."""
    challenge = Challenge(seat, challenger.id, challenged, role=challenger.role)
    if against is not None:
        challenge.threat = challenge.defender = against.id
        challenge.cylon_player = engine.next_seat(seat)
        challenge.defended = True
    engine.state.challenge = challenge
    engine.tell(
        "challenge", seat, challenger.top, challenger.id,
        target=challenge.threat or None, opponent=challenge.opponent,
        target_card=against.top if against is not None else None,
    )  # fmt: skip


def begin(engine: Engine, seat: Seat, option: Option) -> None:
    """Begin a challenge to a player, after paying what that may cost."""
    price = price_of(engine, option.player)
    if price:
        engine.push(ChallengePrice(seat, option.piece, option.player))
        engine.push(Payment(seat, [0, 0, 0, price], engine.piece(option.piece).top))
    else:
        declare(engine, seat, engine.piece(option.piece), challenged=option.player)
        engine.push(ChallengeProcedure())


def price_of(engine: Engine, challenged: Seat) -> int:
    """Give how many resources of any type it costs to challenge this player."""
    base = engine.player(challenged).resource[0]
    return sum(force.amount(engine, base) for force in prices(engine, challenged))


def prices(engine: Engine, challenged: Seat) -> list[Force]:
    """Give the changes in force that make it cost something to challenge this player."""
    return [force for force in engine.in_force("price") if force.scope.you == challenged]


def price_payable(engine: Engine, seat: Seat, challenged: Seat) -> bool:
    """Whether ``seat`` can pay what it costs to challenge this player (ABIL-2)."""
    price = price_of(engine, challenged)
    return not price or Means.of(engine, seat).cover([0, 0, 0, price])


class ChallengePrice(Payer):
    """What it costs to challenge a player is being paid; then the challenge begins."""

    seat: Seat
    challenger: int
    challenged: Seat

    def run(self, engine: Engine) -> None:
        engine.end(self)
        challenger = engine.find(self.challenger)
        if challenger is not None and characteristics.may_challenge(engine, challenger):
            declare(engine, self.seat, challenger, challenged=self.challenged)
            engine.push(ChallengeProcedure())

    def paid(self, engine: Engine, excess: Amounts) -> None:
        """The excess may still pay for expedite cards, which resolve before the challenge begins (ruling 51)."""
        scope = Scope(self.seat, engine.piece(self.challenger).top)
        engine.push(PaidTogether(scope=scope, excess=excess, queue=[]))

    def half_made(self) -> bool:
        return True

    def belongs_to(self, seat: Seat) -> bool:
        return seat in (self.seat, self.challenged)


class Reaction(Frame):
    """The challenged player may play cards from hand that let themselves be played at this moment.

    Such a unit may defend from where it enters play. ``refused`` are those not wanted; pieces from number
    ``since`` on have entered play meanwhile (0: it has not begun).
    """

    asks: ClassVar[str] = "react"

    seat: Seat
    refused: list[int] = field(default_factory=list)
    since: int = 0

    def run(self, engine: Engine) -> None:
        self.since = self.since or engine.state.next_piece
        entered = [piece for piece in engine.player(self.seat).reserve if piece.id >= self.since]
        _challenge(engine).reacting = [piece.id for piece in entered if engine.script(piece.top).react]
        if self._offered(engine):
            engine.ask(self.seat, "react")
        else:
            engine.end(self)

    def _offered(self, engine: Engine) -> list[int]:
        means = Means.of(engine, self.seat)
        return [
            definition
            for definition in sorted({card >> 3 for card in engine.player(self.seat).hand})
            if engine.scripts[definition].react
            and definition not in self.refused
            and means.cover(engine.catalog.cards[definition].cost)
        ]

    def options(self, engine: Engine) -> list[Option]:
        return [Option("play", definition) for definition in self._offered(engine)] + [NO]

    def take(self, engine: Engine, option: Option) -> None:
        if option == NO:
            self.refused += self._offered(engine)
        else:
            play(engine, self.seat, option.card)

    def belongs_to(self, seat: Seat) -> bool:
        return seat == self.seat


class ChallengeProcedure(Frame):
    """The steps of the challenge that is going on.

    ``step``: 0 the challenger's type, 1 whether and who defends, 2 a sniper picks, 3 events and
    abilities, 4 Manipulate, 5 mystic values, 6 the result.
    """

    asks: ClassVar[str] = "effects"

    step: int = 0
    actor: Seat = -1
    doing: str = ""

    def run(self, engine: Engine) -> None:
        challenge = _challenge(engine)
        if self._broken_off(engine, challenge):
            return
        if self.step == 0:
            if challenge.challenged is not None and "strafe" in _challenger_keywords(engine, challenge):
                engine.ask(challenge.challenging, "strafe")
            else:
                self._to_defend(engine, challenge)
        elif self.step == 1:
            engine.ask(challenge.opponent, "defend")
        elif self.step == 2:
            engine.ask(challenge.challenging, "sniper")
        elif self.step == 3:
            self._effects_round(engine, challenge)
        elif self.step == 4:
            self._undefended(engine, challenge)
        elif self.step == 5:
            challenge.stage = Stage.MYSTIC
            self.step = 6
            engine.push(RevealMystic(challenge.challenging, 0), RevealMystic(challenge.opponent, 1))
        else:
            self._result(engine, challenge)

    def options(self, engine: Engine) -> list[Option]:
        challenge = _challenge(engine)
        if self.step == 0:
            return [Option("choose", word="personnel"), Option("choose", word="ship")]
        if self.step == 1:
            return self._defend_options(engine, challenge)
        if self.step == 2:
            return [Option("choose", piece=unit.id) for unit in defenders(engine, challenge)] + [NOTHING]
        if self.step == 4:
            return [YES, NO]
        return [*play_options(engine, self.actor), *ability_options(engine, self.actor), PASS]

    def take(self, engine: Engine, option: Option) -> None:
        challenge = _challenge(engine)
        if self.step == 0:
            challenge.role = Role[option.word.upper()]
            engine.tell("strafe", challenge.challenging, piece=challenge.challenger, to=option.word)
            self._to_defend(engine, challenge)
        elif self.step == 1:
            self._take_defend(engine, challenge, option)
        elif self.step == 2:
            if option == NOTHING:
                self.step = 1
            else:
                self._set_defender(engine, challenge, option.piece)
        elif self.step == 4:
            self._take_manipulate(engine, challenge, manipulated=option == YES)
        else:
            self.doing = option.verb
            if option.verb == "play":
                play(engine, self.actor, option.card)
            elif option.verb in ("boost", "use"):
                use(engine, self.actor, option)

    def taken_back(self) -> None:
        self.doing = ""

    # -- step 1 of the rulebook: who defends

    def _to_defend(self, engine: Engine, challenge: Challenge) -> None:
        if challenge.threat:
            self.step = 3
            challenge.stage = Stage.EFFECTS
        else:
            self.step = 1
            challenge.stage = Stage.DEFEND
            if challenge.role == Role.SHIP:
                engine.push(Reaction(challenge.opponent))

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
            engine.tell("decline", challenge.opponent)
            self._settled(challenge)
        elif option.piece:
            self._set_defender(engine, challenge, option.piece)
        else:
            challenge.defended = True
            engine.tell("accept", challenge.opponent)
            self.step = 2

    def _set_defender(self, engine: Engine, challenge: Challenge, piece: int) -> None:
        challenge.defender = piece
        challenge.defended = True
        unit = engine.piece(piece)
        engine.tell("defend", challenge.opponent, unit.top, unit.id)
        self._settled(challenge)

    def _settled(self, challenge: Challenge) -> None:
        challenge.stage = Stage.EFFECTS
        self.step = 3

    # -- step 2: events and abilities

    def _effects_round(self, engine: Engine, challenge: Challenge) -> None:
        if self.actor < 0:
            self.actor = challenge.challenging
        if self.doing == "pass":
            challenge.passed.append(self.actor)
            engine.tell("pass", self.actor)
        elif self.doing:
            challenge.passed.clear()
        if self.doing or engine.player(self.actor).lost:
            self.actor = engine.next_seat(self.actor)
        self.doing = ""
        if all(seat in challenge.passed for seat in engine.seats()):
            self.step = 5 if challenge.defended else 4
        else:
            engine.ask(self.actor, "effects")

    # -- steps 3 to 5: the outcome

    def _undefended(self, engine: Engine, challenge: Challenge) -> None:
        challenge.stage = Stage.RESULT
        if "manipulate" in _challenger_keywords(engine, challenge):
            engine.ask(challenge.challenging, "manipulate")
        else:
            self._take_manipulate(engine, challenge, manipulated=False)

    def _take_manipulate(self, engine: Engine, challenge: Challenge, manipulated: bool) -> None:
        amount = max(0, characteristics.power(engine, engine.piece(challenge.challenger)))
        change = (challenge.challenging, amount) if manipulated else (challenge.opponent, -amount)
        engine.end(self)
        engine.push(Influence([change]), Commit([challenge.challenger]), ChallengeEnds())

    def _result(self, engine: Engine, challenge: Challenge) -> None:
        challenge.stage = Stage.RESULT
        challenger, defender = engine.piece(challenge.challenger), engine.piece(challenge.defender)
        attack, defense = total(engine, challenge, 0), total(engine, challenge, 1)
        engine.tell(
            "totals", challenge.challenging, challenger.top, challenger.id, number=attack,
            target=defender.id, target_card=defender.top,
        )  # fmt: skip
        challenge.margin = defense - attack
        engine.end(self)
        if attack < defense:
            engine.tell("wins", challenge.opponent, defender.top, defender.id, number=defense)
            winner = [] if challenge.threat else [defender.id]
            engine.push(Commit(winner), *_beaten(challenge, challenger.id), ChallengeEnds())
            return
        engine.tell("wins", challenge.challenging, challenger.top, challenger.id, number=attack)
        outcome: list[Frame] = [Commit([challenger.id])]
        if SPARED not in challenge.fates or challenge.threat:
            outcome += _beaten(challenge, defender.id)
        if WINNER_DEFEATED in challenge.fates:
            outcome.append(Defeat([challenger.id]))
        if challenge.threat:
            outcome.append(Influence([(challenge.challenging, threat_reward(engine))]))
        engine.push(*outcome, ChallengeEnds())

    def _broken_off(self, engine: Engine, challenge: Challenge) -> bool:
        """End the challenge at once if a player or a participant is gone (CHAL-8, CHAL-9; rulings 5, 26)."""
        if challenge.over:
            engine.end(self)
            engine.push(ChallengeEnds())
            return True
        challenger = engine.find(challenge.challenger)
        someone_left = any(engine.player(seat).lost for seat in (challenge.challenging, challenge.opponent))
        defender_gone = bool(challenge.defender) and engine.find(challenge.defender) is None
        if challenger is not None and not someone_left and not defender_gone:
            return False
        engine.end(self)
        engine.push(ChallengeEnds())
        if challenger is not None:
            engine.push(Commit([challenger.id]))
        return True


def _beaten(challenge: Challenge, loser: int) -> list[Frame]:
    """Give what happens to the loser: it is defeated, unless an effect says that it is exhausted instead."""
    if LOSER_EXHAUSTED in challenge.fates and loser != challenge.threat:
        return [Exhaust([loser])]
    return [Defeat([loser])]


class ChallengeEnds(Frame):
    """The challenge is over; participants that lie face down are so from now on (CHAL-7)."""

    def run(self, engine: Engine) -> None:
        engine.end(self)
        challenge = _challenge(engine)
        engine.state.challenge = None
        engine.expire(Until.CHALLENGE)
        engine.tell("challenge over", challenge.challenging, piece=challenge.challenger)
        begin_delayed(engine, "end of challenge")


def defenders(engine: Engine, challenge: Challenge) -> list[Piece]:
    """Give the units of the challenged player that may defend (CHAL-1d)."""
    challenger = engine.piece(challenge.challenger)
    return [
        piece
        for piece in (*engine.player(challenge.opponent).alert, *engine.player(challenge.opponent).reserve)
        if (piece.area == Area.ALERT or piece.id in challenge.reacting)
        and characteristics.may_defend(engine, piece, challenger, challenge.role)
    ]


def total(engine: Engine, challenge: Challenge, side: int) -> int:
    """Give power and mystic value of the challenger (side 0) or the defender (side 1)."""
    piece = engine.piece(challenge.defender if side else challenge.challenger)
    return characteristics.power(engine, piece) + (challenge.mystic[side] or 0)


def threat_reward(engine: Engine) -> int:
    """Give what beating a Cylon threat earns, by the players still in the game (ruling 6)."""
    return REWARD_FOR_TWO if len(engine.seats()) == 2 else REWARD_FOR_MORE


def _challenge(engine: Engine) -> Challenge:
    challenge = engine.state.challenge
    assert challenge is not None
    return challenge


def _challenger_keywords(engine: Engine, challenge: Challenge) -> tuple[str, ...]:
    return characteristics.keywords(engine, engine.piece(challenge.challenger))
