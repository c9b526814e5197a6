"""What a phrase finds in a game: pieces that fit a selector, players, and amounts."""

from __future__ import annotations

from collections.abc import Callable

from ccg.rules import characteristics
from ccg.rules.agenda import Engine
from ccg.rules.cards import CardDef
from ccg.rules.language import phrases
from ccg.rules.language.phrases import Amount, Description, Players, Selector
from ccg.rules.state import STACKS, UNITS, Area, Phase, Piece, Role, Scope, Seat

Test = Callable[[Engine, Scope, Piece], bool]

MOST = 999
"""The largest amount that a text can come to, whatever it counts."""

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


def _challenging(engine: Engine, scope: Scope, piece: Piece) -> bool:
    challenge = engine.state.challenge
    return challenge is not None and challenge.challenger == piece.id


def _defending(engine: Engine, scope: Scope, piece: Piece) -> bool:
    challenge = engine.state.challenge
    return challenge is not None and challenge.defender == piece.id


def _other(engine: Engine, scope: Scope, piece: Piece) -> bool:
    """Neither the card itself nor what was chosen before for the same ability."""
    return piece.id != scope.piece and not any(piece.id in (chosen or ()) for chosen in scope.chosen)


def _singular(engine: Engine, scope: Scope, piece: Piece) -> bool:
    """A face-up card with both title and subtitle, unless something in force says that it is not singular."""
    return (
        not piece.exhausted
        and engine.definition(piece).singular
        and not any(
            force.scope.you == piece.controller and test(phrases.selector(force.word))(engine, force.scope, piece)
            for force in engine.in_force("not singular")
        )
    )


WORDS: dict[str, Test] = {
    "other": _other,
    "alert": lambda engine, scope, piece: piece.area == Area.ALERT,
    "reserve": lambda engine, scope, piece: piece.area == Area.RESERVE,
    "exhausted": lambda engine, scope, piece: piece.exhausted,
    "restored": lambda engine, scope, piece: not piece.exhausted,
    "challenging": _challenging,
    "defending": _defending,
    "singular": _singular,
    "unresolved": lambda engine, scope, piece: piece.role == Role.MISSION and piece.area <= Area.RESERVE,
    "persistent": lambda engine, scope, piece: piece.role == Role.MISSION and piece.area == Area.RESOURCE,
    "opposing": lambda engine, scope, piece: piece.controller != scope.you,
    "linked": lambda engine, scope, piece: piece.area == Area.LINKED,
}


def _against_threat(engine: Engine, scope: Scope, piece: Piece, word: str) -> bool:
    challenge = engine.state.challenge
    return challenge is not None and bool(challenge.threat) and challenge.challenger == piece.id


def _challenging_you(engine: Engine, scope: Scope, piece: Piece, word: str) -> bool:
    challenge = engine.state.challenge
    return challenge is not None and challenge.challenger == piece.id and challenge.challenged == scope.you


def _challenging_you_alone(engine: Engine, scope: Scope, piece: Piece, word: str) -> bool:
    challenge = engine.state.challenge
    return challenge is not None and not challenge.defended and _challenging_you(engine, scope, piece, word)


def _same_title(engine: Engine, scope: Scope, piece: Piece, word: str) -> bool:
    titles = [engine.definition(engine.piece(it)).title for it in pronoun(engine, scope, "it")]
    return engine.definition(piece).title in titles


SUFFIXES: dict[str, Callable[[Engine, Scope, Piece, str], bool]] = {
    "yours": lambda engine, scope, piece, word: piece.controller == scope.you and piece.role != Role.THREAT,
    "theirs": lambda engine, scope, piece, word: piece.controller == scope.whom,
    "an_opponents": lambda engine, scope, piece, word: piece.controller != scope.you,
    "in_play": lambda engine, scope, piece, word: True,
    "weak": lambda engine, scope, piece, word: characteristics.power(engine, piece) <= int(word),
    "bare": lambda engine, scope, piece, word: not piece.supplies,
    "supplied": lambda engine, scope, piece, word: bool(piece.supplies),
    "without": lambda engine, scope, piece, word: word not in characteristics.traits(engine, piece),
    "with_keyword": lambda engine, scope, piece, word: word.lower() in characteristics.keywords(engine, piece),
    "same_title": _same_title,
    "against_threat": _against_threat,
    "challenging_you": _challenging_you,
    "challenging_you_alone": _challenging_you_alone,
}


def test(selector: Selector) -> Test:
    """Give the question whether a piece is among those that ``selector`` means."""
    if selector.pronoun:
        return lambda engine, scope, piece: piece.id in pronoun(engine, scope, selector.pronoun)
    tests = [_describe(description) for description in selector.descriptions]
    if len(tests) == 1:
        return tests[0]
    return lambda engine, scope, piece: any(fits(engine, scope, piece) for fits in tests)


def _describe(description: Description) -> Test:
    """Compile one description to a closure, the cheapest questions first."""
    roles = NOUNS[description.noun]
    words = [WORDS[word] for word in description.words]
    suffixes = [(SUFFIXES[name], word) for name, word in description.suffixes]
    traits = [trait for trait in (description.trait, *description.traits) if trait]

    def fits(engine: Engine, scope: Scope, piece: Piece) -> bool:
        if piece.role not in roles:
            return False
        for word in words:
            if not word(engine, scope, piece):
                return False
        for suffix, said in suffixes:
            if not suffix(engine, scope, piece, said):
                return False
        if traits:
            have = (*characteristics.traits(engine, piece), engine.definition(piece).title)
            return all(trait in have for trait in traits)  # a character is named by title: "an alert Title"
        return True

    return fits


def pronoun(engine: Engine, scope: Scope, word: str) -> list[int]:
    """Give the pieces that a pronoun stands for, as far as they are still in play."""
    challenge = engine.state.challenge
    if word == "this":
        found = [scope.piece]
    elif word in ("it", "them"):
        found = scope.it or [scope.about]
    elif word == "your base":
        found = [engine.player(scope.you).resource[0].id]
    elif challenge is None:
        found = []
    else:
        found = [challenge.challenger if word == "the challenger" else challenge.defender]
    return [piece for piece in found if engine.find(piece) is not None]


def every(engine: Engine, scope: Scope, fits: Test) -> list[int]:
    """Give the numbers of all pieces in play that fit, from the first player's fleet round."""
    found = []
    for seat in engine.seats():
        player = engine.player(seat)
        for lying in (player.alert, player.reserve, player.resource):
            for piece in lying:
                if fits(engine, scope, piece):
                    found.append(piece.id)
                if piece.links:
                    found += [link.id for link in piece.links if fits(engine, scope, link)]
    return found + [piece.id for piece in engine.state.threats if fits(engine, scope, piece)]


def seats(engine: Engine, scope: Scope, who: Players) -> list[Seat]:
    """Give the players meant, in turn order from the first player; a target only once chosen (elsewhere)."""
    if who.kind == "you":
        return [scope.you]
    if who.kind == "they":
        return [scope.whom] if scope.whom >= 0 and not engine.player(scope.whom).lost else []
    if who.kind in ("its_controller", "its_owner"):
        piece = engine.find(next(iter(scope.it or [scope.about])))
        if piece is None:
            gone = scope.owner if who.kind == "its_owner" else scope.whom
            return [gone] if gone >= 0 and not engine.player(gone).lost else []
        return [piece.controller if who.kind == "its_controller" else piece.owner]
    everybody = engine.seats()
    if who.kind == "high_stakes":
        return _high_stakes(engine)
    return everybody if who.kind in ("each_player", "target_player") else [s for s in everybody if s != scope.you]


def in_hand(engine: Engine, scope: Scope, seat: Seat) -> int:
    """Give how many cards a player has in hand beside the event that is being played, which lies there till paid."""
    hand = engine.player(seat).hand
    playing = seat == scope.you and not scope.piece and scope.card in hand
    if playing and not any(scope.card in frame.held() for frame in engine.state.agenda):
        return len(hand) - 1
    return len(hand)


def _high_stakes(engine: Engine) -> list[Seat]:
    """Give the players who hold most of the cards with the highest mystic value of all hands (ruling 44)."""
    held = {seat: [engine.card(card).mystic or 0 for card in engine.player(seat).hand] for seat in engine.seats()}
    highest = max((value for values in held.values() for value in values), default=0)
    counts = {seat: values.count(highest) for seat, values in held.items()}
    most = max(counts.values())
    return [seat for seat, count in counts.items() if count == most and count]


def quantity(amount: Amount) -> Callable[[Engine, Scope, Piece | None], int]:
    """Give the question how much ``amount`` is, seen from a scope (and a piece, for changes)."""
    if amount.value == "hand size":
        return lambda engine, scope, piece: engine.definition(engine.player(scope.you).resource[0]).hand or 0
    if amount.value == "x":
        return lambda engine, scope, piece: _bounded(amount.each * scope.x)
    if amount.value:
        ask = characteristics.mystic if amount.value == "mystic" else characteristics.power

        def read(engine: Engine, scope: Scope, piece: Piece | None) -> int:
            found = pronoun(engine, scope, amount.pronoun)
            return _bounded(ask(engine, engine.piece(found[0]))) if found else 0

        return read
    if amount.of is not None:
        fits = test(amount.of)
        return lambda engine, scope, piece: _bounded(amount.base + amount.each * len(every(engine, scope, fits)))
    return lambda engine, scope, piece: amount.base


def _bounded(amount: int) -> int:
    """Keep what is counted or read within reason: doubling a power often enough would fill the memory."""
    return max(-MOST, min(MOST, amount))


def is_card(card: CardDef, selector: Selector) -> bool:
    """Whether a card that is not in play is of the kind that ``selector`` speaks of."""
    return any(
        (description.noun in ("card", card.type) or (description.noun == "unit" and card.is_unit))
        and all(trait in card.traits for trait in (description.trait, *description.traits) if trait)
        for description in selector.descriptions
    )


def holds(phrase: str | None) -> Callable[[Engine, Scope], bool] | None:
    """Give the question whether the condition ``phrase`` holds now; None if there is none."""
    if phrase is None:
        return None
    condition = phrases.condition(phrase)
    if condition.whom is not None:
        return PAIRS[condition.kind](test(condition.who), test(condition.whom)) if condition.who is not None else None
    return CONDITIONS[condition.kind](test(condition.who) if condition.who is not None else _any)


def _any(engine: Engine, scope: Scope, piece: Piece) -> bool:
    return True


def _participant(place: str) -> Callable[[Test], Callable[[Engine, Scope], bool]]:
    def make(fits: Test) -> Callable[[Engine, Scope], bool]:
        def ask(engine: Engine, scope: Scope) -> bool:
            challenge = engine.state.challenge
            piece = engine.find(getattr(challenge, place)) if challenge is not None else None
            return piece is not None and fits(engine, scope, piece)

        return ask

    return make


def _against_a_threat(fits: Test) -> Callable[[Engine, Scope], bool]:
    challenging = _participant("challenger")(fits)

    def ask(engine: Engine, scope: Scope) -> bool:
        challenge = engine.state.challenge
        return challenge is not None and bool(challenge.threat) and challenging(engine, scope)

    return ask


def _control(fits: Test) -> Callable[[Engine, Scope], bool]:
    def ask(engine: Engine, scope: Scope) -> bool:
        player = engine.player(scope.you)
        fleet = (*player.alert, *player.reserve)
        return any(fits(engine, scope, piece) for piece in fleet)

    return ask


def _challenging_one(challenging: Test, defending: Test) -> Callable[[Engine, Scope], bool]:
    challenger, defender = _participant("challenger")(challenging), _participant("defender")(defending)
    return lambda engine, scope: challenger(engine, scope) and defender(engine, scope)


def _challenging_without(challenging: Test, missing: Test) -> Callable[[Engine, Scope], bool]:
    challenger = _participant("challenger")(challenging)

    def ask(engine: Engine, scope: Scope) -> bool:
        challenge = engine.state.challenge
        if challenge is None or challenge.challenged is None or not challenger(engine, scope):
            return False
        challenged = engine.player(challenge.challenged)
        return not any(missing(engine, scope, piece) for piece in (*challenged.alert, *challenged.reserve))

    return ask


def _between_ships(engine: Engine, scope: Scope) -> bool:
    challenge = engine.state.challenge
    if challenge is None or challenge.threat or not challenge.defender:
        return False
    return all(
        (piece := engine.find(number)) is not None and piece.role == Role.SHIP
        for number in (challenge.challenger, challenge.defender)
    )


PAIRS: dict[str, Callable[[Test, Test], Callable[[Engine, Scope], bool]]] = {
    "is_challenging_one": _challenging_one,
    "is_challenging_without": _challenging_without,
}
CONDITIONS: dict[str, Callable[[Test], Callable[[Engine, Scope], bool]]] = {
    "is_defending": _participant("defender"),
    "is_challenging": _participant("challenger"),
    "is_against_threat": _against_a_threat,
    "you_control": _control,
    "between_ships": lambda fits: _between_ships,
    "execution_phase": lambda fits: lambda engine, scope: engine.phase == Phase.EXECUTION,
    "cylon_phase": lambda fits: lambda engine, scope: engine.phase == Phase.CYLON,
    "in_challenge": lambda fits: lambda engine, scope: engine.state.challenge is not None,
}
