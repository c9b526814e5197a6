"""Checks: lines that must be true. Each form is one row of :data:`FORMS`: its words and its question."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from ccg.rules.cards.definitions import fold
from ccg.rules.core import characteristics
from ccg.rules.core.causes import Cause
from ccg.rules.core.events import Event
from ccg.rules.core.state import CardNumber, Piece, Player, Role, SeatNumber
from ccg.rules.game import Game
from ccg.rules.scenario import seeing
from ccg.rules.scenario.files import ScenarioError
from ccg.rules.scenario.naming import is_card, pieces_named, split_names
from ccg.rules.scenario.steps import Words
from ccg.rules.telling import explanations, refusals, templates

Found = tuple[bool, str]
"""Whether the check holds, and what was found."""

Question = tuple[SeatNumber, str]
"""Who was asked, and the kind of the decision."""


def check(game: Game, line: str, events: Sequence[Event] = (), settled: Sequence[Question] = ()) -> Found:
    """Ask whether what is on ``line`` is true of ``game``; raises :class:`ScenarioError` if no form fits it.

    ``events`` is all that has happened in it so far, ``settled`` are the questions since the step before that
    were answered without one.
    """
    form, parts = read(line, [player.name for player in game.engine.state.players])
    return FORMS[form](Asked(game, events, settled), **parts)


def read(line: str, players: Sequence[str]) -> tuple[str, dict[str, str]]:
    """Return which of :data:`FORMS` is on ``line``, and the words in its places; ``players`` are their names.

    Raises :class:`ScenarioError` if no form fits.
    """
    for form, pattern in _patterns("|".join(map(re.escape, players))):
        match = pattern.fullmatch(line)
        if match is not None:
            return form, match.groupdict()
    raise ScenarioError(f"the check {line!r} is not understood")


@lru_cache(maxsize=16)
def _patterns(names: str) -> list[tuple[str, re.Pattern[str]]]:
    """Return the pattern of every form; scenarios with the same players share them."""
    return [(form, re.compile(_pattern(form, names))) for form in FORMS]


def _pattern(form: str, names: str) -> str:
    """Turn a form into a pattern: P is a player, WHO those who look, N a number, CARD and REST any words."""
    pattern = re.escape(form).replace(r"\ ", " ")
    pattern = re.sub(r"\bP\b", f"(?P<player>{names})", pattern)
    pattern = re.sub(r"\bWHO\b", f"(?P<who>{_viewers(names)})", pattern)
    pattern = re.sub(r"\bPILE\b", f"(?P<pile>{'|'.join(seeing.PILES)})", pattern)
    pattern = re.sub(r"\bPLACE\b", f"(?P<place>{'|'.join(seeing.PLACES)})", pattern)
    pattern = re.sub(r"\bN\b", r"(?P<number>-?\\d+)", pattern)
    pattern = re.sub(r"\bZONE\b", f"(?P<zone>{'|'.join(ZONES)})", pattern)
    pattern = re.sub(r"\bCARD\b", "(?P<card>.+?)", pattern)
    return re.sub(r"\bREST\b", "(?P<rest>.+)", pattern)


def _viewers(names: str) -> str:
    return f"(?:{seeing.ONLY})?(?:{names}|{seeing.SPECTATOR})|{seeing.EVERYBODY}|{seeing.NOBODY}"


class Asked:
    """A game to which questions are put, the ``events`` in it, and the questions that were ``settled``."""

    def __init__(self, game: Game, events: Sequence[Event] = (), settled: Sequence[Question] = ()) -> None:
        self.game = game
        self.events = events
        self.settled = settled
        self.engine = game.engine
        self.state = game.engine.state
        self.catalog = game.engine.catalog

    def player(self, name: str) -> Player:
        return next(player for player in self.state.players if player.name == name)

    def seat(self, name: str) -> int:
        return next(seat for seat, player in enumerate(self.state.players) if player.name == name)

    def names(self, seats: tuple[int, ...]) -> str:
        return ", ".join(self.state.players[seat].name for seat in sorted(seats)) or "nobody"

    def named(self, card: CardNumber) -> str:
        return self.engine.card(card).name

    def has(self, cards: list[CardNumber], name: str) -> bool:
        return any(is_card(self.catalog, self.engine.card(card), name) for card in cards)

    def of_each(self, reference: str, ask: Callable[[Piece], Any]) -> Any:
        """Ask the piece that ``reference`` means; several must agree."""
        pieces = pieces_named(self.engine, reference)
        if not pieces:
            raise ScenarioError(f"{reference!r} is not in play")
        answers = [ask(piece) for piece in pieces]
        if any(answer != answers[0] for answer in answers):
            raise ScenarioError(f"{reference!r} is in play more than once; say which (Ben's ..., ... #2)")
        return answers[0]


def _hand(player: Player) -> list[CardNumber]:
    return player.hand


def _fleet(lying: list[Piece]) -> list[CardNumber]:
    return [card for piece in lying for card in piece.cards]


ZONES: dict[str, Callable[[Player], list[CardNumber]]] = {
    "hand": _hand,
    "deck": lambda player: player.deck,
    "discard": lambda player: player.discard,
    "removed": lambda player: player.removed,
    "alert": lambda player: _fleet(player.alert),
    "reserve": lambda player: _fleet(player.reserve),
    "assets": lambda player: _fleet([piece for piece in player.resource if piece.role == Role.ASSET]),
    "persistent": lambda player: _fleet([piece for piece in player.resource if piece.role == Role.MISSION]),
}
COUNTED_AS_PIECES = {"alert", "reserve", "assets", "persistent"}


def _equal(found: object, wanted: object) -> Found:
    return found == wanted, str(found)


def _zone_has(asked: Asked, player: str, zone: str, rest: str) -> Found:
    cards = ZONES[zone](asked.player(player))
    _must_exist(asked, rest)
    return asked.has(cards, rest), ", ".join(map(asked.named, cards)) or "nothing"


def _zone_lacks(asked: Asked, player: str, zone: str, rest: str) -> Found:
    found, seen = _zone_has(asked, player, zone, rest)
    return not found, seen


def _must_exist(asked: Asked, name: str) -> None:
    if name not in asked.catalog and not asked.catalog.named(name):
        raise ScenarioError(f"there is no card called {name!r}")


def _zone_count(asked: Asked, player: str, zone: str, number: str) -> Found:
    who = asked.player(player)
    if zone in COUNTED_AS_PIECES:
        pieces = {"alert": who.alert, "reserve": who.reserve}.get(zone)
        if pieces is None:
            role = Role.ASSET if zone == "assets" else Role.MISSION
            pieces = [piece for piece in who.resource if piece.role == role]
        return _equal(len(pieces), int(number))
    if zone == "deck":
        return _equal(asked.engine.deck_size(asked.seat(player)), int(number))
    return _equal(len(ZONES[zone](who)), int(number))


def _deck_top(asked: Asked, player: str, rest: str) -> Found:
    deck = asked.player(player).deck
    _must_exist(asked, rest)
    return bool(deck) and asked.has(deck[-1:], rest), asked.named(deck[-1]) if deck else "an empty deck"


def _supplies(asked: Asked, player: str, card: str, number: str) -> Found:
    seat = asked.seat(player)
    stacks = [piece for piece in pieces_named(asked.engine, card) if piece.controller == seat and piece.is_stack]
    if not stacks:
        raise ScenarioError(f"{player} has no resource stack under {card!r}")
    counts = [len(stack.supplies) for stack in stacks]
    return int(number) in counts, ", ".join(map(str, counts))


def _number(ask: Callable[[Any, Piece], int]) -> Callable[..., Found]:
    def question(asked: Asked, card: str, number: str) -> Found:
        return _equal(asked.of_each(card, lambda piece: ask(asked.engine, piece)), int(number))

    return question


def _has_word(ask: Callable[[Any, Piece], tuple[str, ...]], wanted: bool) -> Callable[..., Found]:
    def question(asked: Asked, card: str, rest: str) -> Found:
        found = asked.of_each(card, lambda piece: tuple(sorted(ask(asked.engine, piece))))
        has = fold(rest) in [fold(word) for word in found]
        return has == wanted, ", ".join(found) or "none"

    return question


def _face(exhausted: bool) -> Callable[..., Found]:
    def question(asked: Asked, card: str) -> Found:
        found = asked.of_each(card, lambda piece: piece.exhausted)
        return found == exhausted, "exhausted" if found else "restored"

    return question


def _linked(asked: Asked, card: str, rest: str) -> Found:
    links = asked.of_each(card, lambda piece: tuple(link.top for link in piece.links))
    return asked.has(list(links), rest), ", ".join(map(asked.named, links)) or "no links"


def _stack(asked: Asked, card: str, rest: str) -> Found:
    wanted = [fold(name) for name in _full_names(asked, rest)]
    found = asked.of_each(card, lambda piece: tuple(piece.cards))
    return [fold(asked.named(c)) for c in found] == wanted, ", ".join(map(asked.named, found))


def _full_names(asked: Asked, text: str) -> list[str]:
    names = split_names(asked.catalog, text)
    return [asked.catalog[name].name if name in asked.catalog else name for name in names]


def _threats(asked: Asked, rest: str) -> Found:
    found = [asked.named(piece.top) for piece in asked.state.threats]
    wanted = _full_names(asked, rest)
    return list(map(fold, found)) == list(map(fold, wanted)), ", ".join(found) or "no threats"


def _no_threats(asked: Asked) -> Found:
    found = [asked.named(piece.top) for piece in asked.state.threats]
    return not found, ", ".join(found) or "no threats"


def _decides(asked: Asked, player: str) -> Found:
    asking = asked.state.asking
    found = asked.state.players[asking].name if asking is not None else "nobody"
    return found == player, f"{found} decides"


def _is_asked(asked: Asked, player: str, rest: str) -> Found:
    decision = asked.game.decision
    found = [(decision.seat, decision.kind)] if decision is not None else []
    return found == [(asked.seat(player), _kind(rest))], _questions(asked, found)


def _was_asked(asked: Asked, player: str, rest: str) -> Found:
    return (asked.seat(player), _kind(rest)) in asked.settled, _questions(asked, asked.settled)


def _asked_nothing(asked: Asked, player: str = "", rest: str = "") -> Found:
    """Without a player everybody is meant; a half-made move that still waits for an answer is asked for too."""
    allowed = [_kind(kind) for kind in rest.split(", ")] if rest else []
    decision = asked.game.decision
    unanswered = [(decision.seat, decision.kind)] if decision is not None and decision.can_take_back else []
    put = [*asked.settled, *unanswered]
    wrong = [
        (seat, kind) for seat, kind in put if kind not in allowed and player in ("", asked.state.players[seat].name)
    ]
    return not wrong, _questions(asked, put)


def _kind(kind: str) -> str:
    if kind not in templates.PROMPTS:
        raise ScenarioError(f"there is no decision of the kind {kind!r}")
    return kind


def _questions(asked: Asked, put: Sequence[Question]) -> str:
    return ", ".join(f"{asked.state.players[seat].name} asked {kind}" for seat, kind in put) or "nobody asked"


def _may(wanted: bool) -> Callable[..., Found]:
    def question(asked: Asked, player: str, rest: str) -> Found:
        legal_words = Words(asked.game)
        decision = asked.game.decision
        matching = legal_words.matching(rest)
        legal = decision is not None and decision.seat == asked.seat(player) and bool(matching)
        return legal == wanted, legal_words.describe()

    return question


def _may_only(asked: Asked, player: str, rest: str) -> Found:
    """All that can be done is what is listed, and each in the list is one legal option."""
    legal_words = Words(asked.game)
    decision = asked.game.decision
    if decision is None or decision.seat != asked.seat(player):
        return False, legal_words.describe()
    listed: set[tuple[object, ...]] = set()
    wrong: list[str] = []
    for words in rest.split("; "):
        matching = legal_words.matching(words)
        if len(matching) != 1:
            wrong.append(f"{words} is {len(matching)} options")
        listed.update(map(legal_words.alike, matching))
    surplus = [option for option in legal_words.distinct() if legal_words.alike(option) not in listed]
    wrong += [f"{legal_words.tell(option)} is not listed" for option in surplus]
    return not wrong, "; ".join(wrong)


def _winners(asked: Asked, rest: str) -> Found:
    result = asked.state.result
    found = asked.names(result.winners) if result is not None else "no winner yet"
    return found == ", ".join(sorted(rest.split(", "), key=asked.seat)), found


def _winner(asked: Asked, player: str) -> Found:
    return _winners(asked, player)


def _draw(asked: Asked) -> Found:
    result = asked.state.result
    return result is not None and not result.winners, "no winner yet" if result is None else asked.names(result.winners)


def _draw_of(asked: Asked, rest: str) -> Found:
    result = asked.state.result
    if result is None or result.winners:
        return _draw(asked)
    found = asked.names(tuple(seat for seat in range(len(asked.state.players)) if seat not in result.losers))
    return found == ", ".join(sorted(rest.split(", "), key=asked.seat)), found


def _no_winner(asked: Asked) -> Found:
    result = asked.state.result
    return result is None, "the game goes on" if result is None else asked.names(result.winners)


def _lost(asked: Asked, player: str) -> Found:
    lost = asked.player(player).lost
    return lost, "has lost" if lost else "is in the game"


def _causes_in_words(asked: Asked, causes: list[Cause]) -> str:
    """Tell causes as scenarios write them: "+1 NAME (in play); +2 NAME (end of phase)"."""
    parts = []
    for cause in causes:
        source = asked.named(cause.card) if cause.card is not None else cause.rule
        end = cause.until or cause.lasts
        parts.append(f"{cause.amount:+} {source}" + (f" ({end})" if end else ""))
    return "; ".join(parts)


def _power_because(asked: Asked, card: str, rest: str) -> Found:
    return _equal(
        asked.of_each(card, lambda piece: _causes_in_words(asked, explanations.power(asked.engine, piece).causes)), rest
    )


def _cheaper_because(asked: Asked, player: str, rest: str) -> Found:
    causes = explanations.of_player(asked.engine, asked.seat(player))
    return _equal(_causes_in_words(asked, [cause for cause in causes if cause.kind == "cheaper"]), rest)


def _may_not_because(asked: Asked, player: str, card: str, rest: str) -> Found:
    """The card is named after what cannot be done with it: "play NAME", "challenge with NAME"."""
    verb, _, name = card.partition(" ")
    name = name.removeprefix("with ")
    _must_exist(asked, name)
    uses = refusals.uses(asked.engine, asked.seat(player), asked.game.decision.options if asked.game.decision else [])
    reasons = {
        str(use.reason)
        for use in uses
        if use.option.verb == verb and is_card(asked.catalog, asked.engine.card(use.card), name)
    }
    return _equal(" and ".join(sorted(reasons)), rest)


def _seen(ask: Callable[..., list[seeing.Viewer]], wanted: bool = True) -> Callable[..., Found]:
    def question(asked: Asked, who: str, **parts: str) -> Found:
        eyes = seeing.Eyes(asked.game, asked.events)
        found = ask(eyes, **parts)
        return eyes.meant(who, found) if wanted else eyes.not_meant(who, found), eyes.tell(found)

    return question


def _counted(ask: Callable[..., list[seeing.Viewer]]) -> Callable[..., list[seeing.Viewer]]:
    return lambda eyes, number, **parts: ask(eyes, number=int(number), **parts)


FORMS: dict[str, Callable[..., Found]] = {
    "WHO sees N cards in P's PILE": _seen(_counted(seeing.Eyes.counting)),
    "WHO sees P's discard pile as CARD": _seen(lambda eyes, player, card: eyes.seeing_pile(player, card)),
    "WHO sees N supply cards under REST": _seen(
        _counted(lambda eyes, rest, number: eyes.counting_supplies(rest, number))
    ),
    "WHO sees CARD in P's PLACE": _seen(seeing.Eyes.seeing),
    "WHO does not see CARD in P's PLACE": _seen(seeing.Eyes.seeing, wanted=False),
    "WHO sees CARD under REST": _seen(lambda eyes, card, rest: eyes.seeing_supply(card, rest)),
    "WHO does not see CARD under REST": _seen(lambda eyes, card, rest: eyes.seeing_supply(card, rest), wanted=False),
    "WHO sees CARD": _seen(seeing.Eyes.seeing_anywhere),
    "WHO does not see CARD": _seen(seeing.Eyes.seeing_anywhere, wanted=False),
    "WHO was told CARD before REST": _seen(lambda eyes, card, rest: eyes.told_before(card, rest)),
    "WHO was told REST": _seen(lambda eyes, rest: eyes.told_of(rest)),
    "WHO was not told REST": _seen(lambda eyes, rest: eyes.told_of(rest), wanted=False),
    "P influence N": lambda a, player, number: _equal(a.player(player).influence, int(number)),
    "P deck top REST": _deck_top,
    "P supplies CARD N": _supplies,
    "P ZONE N": _zone_count,
    "P ZONE has REST": _zone_has,
    "P ZONE lacks REST": _zone_lacks,
    "nobody was asked": _asked_nothing,
    "P was asked nothing": _asked_nothing,
    "P was asked nothing but REST": _asked_nothing,
    "P was asked REST": _was_asked,
    "P is asked REST": _is_asked,
    "P decides": _decides,
    "P may not CARD because REST": _may_not_because,
    "P may not REST": _may(False),
    "P may only REST": _may_only,
    "P may REST": _may(True),
    "P lost": _lost,
    "phase REST": lambda a, rest: _equal(a.state.phase.value, rest),
    "turn N": lambda a, number: _equal(a.state.turn, int(number)),
    "first P": lambda a, player: _equal(a.state.players[a.state.first].name, player),
    "fleet defense N": lambda a, number: _equal(characteristics.fleet_defense(a.engine), int(number)),
    "fleet defense because REST": lambda a, rest: _equal(
        _causes_in_words(a, explanations.fleet_defense(a.engine).causes), rest
    ),
    "P pays less because REST": _cheaper_because,
    "threat level N": lambda a, number: _equal(characteristics.threat_level(a.engine), int(number)),
    "threats REST": _threats,
    "no threats": _no_threats,
    "winner P": _winner,
    "winners REST": _winners,
    "draw": _draw,
    "draw of REST": _draw_of,
    "no winner": _no_winner,
    "stack CARD: REST": _stack,
    "CARD power because REST": _power_because,
    "CARD power N": _number(characteristics.power),
    "CARD threat N": _number(characteristics.threat),
    "CARD mystic N": _number(characteristics.mystic),
    "CARD has trait REST": _has_word(characteristics.traits, True),
    "CARD lacks trait REST": _has_word(characteristics.traits, False),
    "CARD has keyword REST": _has_word(characteristics.keywords, True),
    "CARD lacks keyword REST": _has_word(characteristics.keywords, False),
    "CARD linked REST": _linked,
    "CARD exhausted": _face(True),
    "CARD restored": _face(False),
}
