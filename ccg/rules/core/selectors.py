"""What a phrase finds in a game: pieces that fit a selector, players, and amounts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ccg.rules.cards import phrases
from ccg.rules.cards.definitions import CardDef
from ccg.rules.cards.phrases import Amount, Description, Players, Selector
from ccg.rules.core import characteristics
from ccg.rules.core.data import Fixed
from ccg.rules.core.engine import Engine
from ccg.rules.core.state import STACKS, UNITS, Area, Context, Phase, Piece, Player, Role, SeatNumber

Test = Callable[[Engine, Context, Piece], bool]

MOST = 999
"""The largest amount that an ability can have, whatever it counts."""

NOUNS: dict[str, tuple[Role, ...]] = {
    "card": tuple(Role),
    "unit": UNITS,
    "personnel": (Role.PERSONNEL,),
    "ship": (Role.SHIP,),
    "mission": (Role.MISSION,),
    "asset": (Role.ASSET,),
    "base": (Role.BASE,),
    "resource stack": STACKS,
    "Cylon threat": (Role.THREAT,),
}
"""What a piece must be in play to be meant by a noun."""


def _challenging(engine: Engine, context: Context, piece: Piece) -> bool:
    challenge = engine.state.challenge
    return challenge is not None and challenge.challenger == piece.id


def _defending(engine: Engine, context: Context, piece: Piece) -> bool:
    challenge = engine.state.challenge
    return challenge is not None and challenge.defender == piece.id


def _other(engine: Engine, context: Context, piece: Piece) -> bool:
    """Neither the card itself nor what was chosen before for the same ability."""
    return piece.id != context.piece and not any(piece.id in (chosen or ()) for chosen in context.chosen)


def _singular(engine: Engine, context: Context, piece: Piece) -> bool:
    """A face-up card with both title and subtitle, unless something in force says that it is not singular."""
    return (
        not piece.exhausted
        and engine.definition(piece).singular
        and not any(
            active.context.you == piece.controller
            and test(phrases.selector(active.word))(engine, active.context, piece)
            for active in engine.active_modifiers("not singular")
        )
    )


WORDS: dict[str, Test] = {
    "other": _other,
    "alert": lambda engine, context, piece: piece.area == Area.ALERT,
    "reserve": lambda engine, context, piece: piece.area == Area.RESERVE,
    "exhausted": lambda engine, context, piece: piece.exhausted,
    "restored": lambda engine, context, piece: not piece.exhausted,
    "challenging": _challenging,
    "defending": _defending,
    "singular": _singular,
    "unresolved": lambda engine, context, piece: piece.role == Role.MISSION and piece.area <= Area.RESERVE,
    "persistent": lambda engine, context, piece: "persistent" in characteristics.keywords(engine, piece),
    "opposing": lambda engine, context, piece: piece.controller != context.you,
    "linked": lambda engine, context, piece: piece.area == Area.LINKED,
}


def _against_threat(engine: Engine, context: Context, piece: Piece, word: str) -> bool:
    challenge = engine.state.challenge
    return challenge is not None and bool(challenge.threat) and challenge.challenger == piece.id


def _challenging_you(engine: Engine, context: Context, piece: Piece, word: str) -> bool:
    challenge = engine.state.challenge
    return challenge is not None and challenge.challenger == piece.id and challenge.challenged == context.you


def _challenging_you_alone(engine: Engine, context: Context, piece: Piece, word: str) -> bool:
    challenge = engine.state.challenge
    return challenge is not None and not challenge.defended and _challenging_you(engine, context, piece, word)


def _same_title(engine: Engine, context: Context, piece: Piece, word: str) -> bool:
    titles = [engine.definition(engine.piece(it)).title for it in pronoun(engine, context, "it")]
    return engine.definition(piece).title in titles


SUFFIXES: dict[str, Callable[[Engine, Context, Piece, str], bool]] = {
    "yours": lambda engine, context, piece, word: piece.controller == context.you and piece.role != Role.THREAT,
    "theirs": lambda engine, context, piece, word: piece.controller == context.whom,
    "an_opponents": lambda engine, context, piece, word: piece.controller != context.you,
    "in_play": lambda engine, context, piece, word: True,
    "weak": lambda engine, context, piece, word: characteristics.power(engine, piece) <= int(word),
    "bare": lambda engine, context, piece, word: not piece.supplies,
    "supplied": lambda engine, context, piece, word: bool(piece.supplies),
    "without": lambda engine, context, piece, word: word not in characteristics.traits(engine, piece),
    "with_keyword": lambda engine, context, piece, word: word.lower() in characteristics.keywords(engine, piece),
    "same_title": _same_title,
    "against_threat": _against_threat,
    "challenging_you": _challenging_you,
    "challenging_you_alone": _challenging_you_alone,
}


def test(selector: Selector) -> Test:
    """Return a function that tells whether a piece is among those that ``selector`` means."""
    if selector.pronoun:
        return lambda engine, context, piece: piece.id in pronoun(engine, context, selector.pronoun)
    tests = [
        spoken(_describe(description)) if not selector.target and _participates(description) else _describe(description)
        for description in selector.descriptions
    ]
    if len(tests) == 1:
        return tests[0]
    return lambda engine, context, piece: any(fits(engine, context, piece) for fits in tests)


def spoken(fits: Test) -> Test:
    """Return a function that tells whether a piece fits in the role that it has in this challenge (ruling 85)."""
    return lambda engine, context, piece: fits(engine, context, characteristics.spoken_of(engine, piece))


def _participates(description: Description) -> bool:
    """Return whether it speaks of those that take part in a challenge, such as "all defending personnel"."""
    return "challenging" in description.words or "defending" in description.words


def _describe(description: Description) -> Test:
    """Compile one description to a closure, the cheapest questions first."""
    roles = NOUNS[description.noun]
    words = [WORDS[word] for word in description.words]
    suffixes = [(SUFFIXES[name], word) for name, word in description.suffixes]
    traits = [trait for trait in (description.trait, *description.traits) if trait]

    def fits(engine: Engine, context: Context, piece: Piece) -> bool:
        if piece.role not in roles:
            return False
        for word in words:
            if not word(engine, context, piece):
                return False
        for suffix, value in suffixes:
            if not suffix(engine, context, piece, value):
                return False
        if traits:
            have = (*characteristics.traits(engine, piece), engine.definition(piece).title)
            return all(trait in have for trait in traits)  # a character is named by title: "an alert Title"
        return True

    return fits


def pronoun(engine: Engine, context: Context, word: str) -> list[int]:
    """Return the pieces that a pronoun stands for, as far as they are still in play."""
    challenge = engine.state.challenge
    if word == "this":
        found = [context.piece]
    elif word in ("it", "them"):
        found = context.it or [context.about]
    elif word == "your base":
        found = [base.id for base in _base(engine, context.you)]
    elif challenge is None:
        found = []
    else:
        found = [challenge.challenger if word == "the challenger" else challenge.defender]
    return [piece for piece in found if engine.find(piece) is not None]


def _base(engine: Engine, seat: SeatNumber) -> list[Piece]:
    """Return the base of a player; none once they have left, though what they have made for a while goes on
    (rulings 5 and 91).
    """
    return engine.player(seat).resource[:1]


class Where(Fixed, frozen=True):
    """Where pieces that a phrase means can lie: in which areas of whose fleets, linked to units, among threats."""

    alert: bool = True
    reserve: bool = True
    resource: bool = True
    linked: bool = True
    threats: bool = True
    yours: bool = False

    def areas(self, player: Player) -> Iterator[list[Piece]]:
        """Go through the areas of a player's fleet."""
        if self.alert:
            yield player.alert
        if self.reserve:
            yield player.reserve
        if self.resource:
            yield player.resource


EVERYWHERE: Final = Where()


def where(selector: Selector) -> Where:
    """Return where the pieces lie that ``selector`` may mean, so that they are not looked for elsewhere."""
    if selector.pronoun or len(selector.descriptions) != 1:
        return EVERYWHERE
    [description] = selector.descriptions
    roles, words = set(NOUNS[description.noun]), set(description.words)
    fleet = roles - {Role.THREAT}
    missions = Role.MISSION in roles  # these lie anywhere
    in_units = missions or bool(fleet.intersection(UNITS))
    return Where(
        alert=in_units and "reserve" not in words,
        reserve=in_units and "alert" not in words,
        resource=(missions or bool(fleet.intersection(STACKS))) and not words & {"alert", "reserve"},
        linked=missions and not words & {"alert", "reserve"},
        threats=Role.THREAT in roles and not words & {"alert", "reserve"},
        yours=not missions and any(name == "yours" for name, _ in description.suffixes),
    )


def every(engine: Engine, context: Context, fits: Test, where: Where = EVERYWHERE) -> list[int]:
    """Return the numbers of all pieces in play that fit, from the first player's fleet round."""
    found, looked_at = [], 0
    for seat in [context.you] if where.yours else engine.seats():
        for lying in where.areas(engine.player(seat)):
            looked_at += len(lying)
            for piece in lying:
                if fits(engine, context, piece):
                    found.append(piece.id)
                if piece.links and where.linked:
                    found += [link.id for link in piece.links if fits(engine, context, link)]
    if where.threats:
        found += [piece.id for piece in engine.state.threats if fits(engine, context, piece)]
    engine.worked(context.card, looked_at)
    return found


def seats(engine: Engine, context: Context, who: Players) -> list[SeatNumber]:
    """Return the players meant, in turn order from the first player; a target only once chosen (elsewhere)."""
    if who.kind == "you":
        return [context.you]
    if who.kind == "they":
        return [context.whom] if context.whom >= 0 and not engine.player(context.whom).lost else []
    if who.kind in ("its_controller", "its_owner"):
        piece = engine.find(next(iter(context.it or [context.about])))
        if piece is None:
            gone = context.owner if who.kind == "its_owner" else context.whom
            return [gone] if gone >= 0 and not engine.player(gone).lost else []
        return [piece.controller if who.kind == "its_controller" else piece.owner]
    everybody = engine.seats()
    if who.most is not None:
        return _with_most(engine, context, quantity(who.most))
    return everybody if who.kind in ("each_player", "target_player") else [s for s in everybody if s != context.you]


def in_hand(engine: Engine, context: Context, seat: SeatNumber) -> int:
    """Return how many cards a player has in hand beside the event that is being played, which lies there till paid."""
    hand = engine.player(seat).hand
    playing = seat == context.you and not context.piece and not context.played and context.card in hand
    return len(hand) - playing


def _with_most(
    engine: Engine, context: Context, count: Callable[[Engine, Context, Piece | None], int]
) -> list[SeatNumber]:
    """Return the players for each of whom ``count`` gives the most; all who tie, nobody where it gives nothing."""
    contexts = {seat: Context(seat, context.card, context.piece, played=context.played) for seat in engine.seats()}
    counts = {seat: count(engine, own, None) for seat, own in contexts.items()}
    most = max(counts.values())
    return [seat for seat, number in counts.items() if number == most and number > 0]


def _highest_in_hand(engine: Engine, seat: SeatNumber) -> int:
    """Return how many cards in a player's hand have the highest mystic value of all hands (ruling 44)."""
    held = {other: [engine.card(card).mystic or 0 for card in engine.player(other).hand] for other in engine.seats()}
    highest = max((value for values in held.values() for value in values), default=0)
    return held.get(seat, []).count(highest)


def quantity(amount: Amount) -> Callable[[Engine, Context, Piece | None], int]:
    """Return a function that works out ``amount`` in a context (and for a piece, where a piece is changed)."""
    if amount.value == "hand size":
        return lambda engine, context, piece: _hand_size(engine, context.you)
    if amount.value == "hand cards":
        return lambda engine, context, piece: in_hand(engine, context, context.you)
    if amount.value == "hand highest":
        return lambda engine, context, piece: _highest_in_hand(engine, context.you)
    if amount.value == "x":
        return lambda engine, context, piece: _bounded(amount.each * context.x)
    if amount.value:
        ask = characteristics.mystic if amount.value == "mystic" else characteristics.power

        def read(engine: Engine, context: Context, piece: Piece | None) -> int:
            found = pronoun(engine, context, amount.pronoun)
            return _bounded(ask(engine, engine.piece(found[0]))) if found else 0

        return read
    if amount.of is not None:
        fits, place = test(amount.of), where(amount.of)
        return lambda engine, context, piece: _bounded(
            amount.base + amount.each * len(every(engine, context, fits, place))
        )
    return lambda engine, context, piece: amount.base


def _hand_size(engine: Engine, seat: SeatNumber) -> int:
    """Return the hand size that a player's base gives; 0 once it is gone."""
    return sum(engine.definition(base).hand or 0 for base in _base(engine, seat))


def _bounded(amount: int) -> int:
    """Keep what is counted or read within reason: doubling a power often enough would fill the memory."""
    return max(-MOST, min(MOST, amount))


def is_card(card: CardDef, selector: Selector) -> bool:
    """Return whether a card that is not in play is of the kind that ``selector`` speaks of."""
    return any(
        (description.noun in ("card", card.type) or (description.noun == "unit" and card.is_unit))
        and all(trait in card.traits for trait in (description.trait, *description.traits) if trait)
        for description in selector.descriptions
    )


def holds(phrase: str | None) -> Callable[[Engine, Context], bool] | None:
    """Return a function that tells whether the condition ``phrase`` holds; None if there is no condition."""
    if phrase is None:
        return None
    condition = phrases.condition(phrase)
    if condition.whom is not None:
        return PAIRS[condition.kind](test(condition.who), test(condition.whom)) if condition.who is not None else None
    return CONDITIONS[condition.kind](test(condition.who) if condition.who is not None else _any)


def _any(engine: Engine, context: Context, piece: Piece) -> bool:
    return True


def _participant(place: str) -> Callable[[Test], Callable[[Engine, Context], bool]]:
    def make(fits: Test) -> Callable[[Engine, Context], bool]:
        speaking = spoken(fits)

        def ask(engine: Engine, context: Context) -> bool:
            challenge = engine.state.challenge
            piece = engine.find(getattr(challenge, place)) if challenge is not None else None
            return piece is not None and speaking(engine, context, piece)

        return ask

    return make


def _against_a_threat(fits: Test) -> Callable[[Engine, Context], bool]:
    challenging = _participant("challenger")(fits)

    def ask(engine: Engine, context: Context) -> bool:
        challenge = engine.state.challenge
        return challenge is not None and bool(challenge.threat) and challenging(engine, context)

    return ask


def _control(fits: Test) -> Callable[[Engine, Context], bool]:
    def ask(engine: Engine, context: Context) -> bool:
        player = engine.player(context.you)
        fleet = (*player.alert, *player.reserve)
        return any(fits(engine, context, piece) for piece in fleet)

    return ask


def _challenging_one(challenging: Test, defending: Test) -> Callable[[Engine, Context], bool]:
    challenger, defender = _participant("challenger")(challenging), _participant("defender")(defending)
    return lambda engine, context: challenger(engine, context) and defender(engine, context)


def _challenging_without(challenging: Test, missing: Test) -> Callable[[Engine, Context], bool]:
    challenger = _participant("challenger")(challenging)

    def ask(engine: Engine, context: Context) -> bool:
        challenge = engine.state.challenge
        if challenge is None or challenge.challenged is None or not challenger(engine, context):
            return False
        challenged = engine.player(challenge.challenged)
        return not any(missing(engine, context, piece) for piece in (*challenged.alert, *challenged.reserve))

    return ask


def _between_ships(engine: Engine, context: Context) -> bool:
    challenge = engine.state.challenge
    if challenge is None or challenge.threat or not challenge.defender:
        return False
    return all(
        (piece := engine.find(number)) is not None and characteristics.spoken_of(engine, piece).role == Role.SHIP
        for number in (challenge.challenger, challenge.defender)
    )


def _execution_phase(engine: Engine, context: Context) -> bool:
    return engine.phase == Phase.EXECUTION


def _cylon_phase(engine: Engine, context: Context) -> bool:
    return engine.phase == Phase.CYLON


def _in_challenge(engine: Engine, context: Context) -> bool:
    return engine.state.challenge is not None


PAIRS: dict[str, Callable[[Test, Test], Callable[[Engine, Context], bool]]] = {
    "is_challenging_one": _challenging_one,
    "is_challenging_without": _challenging_without,
}
CONDITIONS: dict[str, Callable[[Test], Callable[[Engine, Context], bool]]] = {
    "is_defending": _participant("defender"),
    "is_challenging": _participant("challenger"),
    "is_against_threat": _against_a_threat,
    "you_control": _control,
    "between_ships": lambda fits: _between_ships,
    "execution_phase": lambda fits: _execution_phase,
    "cylon_phase": lambda fits: _cylon_phase,
    "in_challenge": lambda fits: _in_challenge,
}
