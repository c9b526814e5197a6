"""Loops: fifty decks of cards that set each other off for ever, in the hands of players who want just that.

Each deck is about one way to go round, with cards made up for it that cost nothing, in tables of two to eight. Every
player does what goes round as long as the rules offer it. The rules have to end it each time: whoever goes round can
only pass (ruling 92), what cards set off is cut off, and a move that would never end is refused and changes nothing.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

from msgspec import Struct, field

from ccg import native
from ccg.rules import Catalog, EngineError, Game, Seat
from ccg.rules.authoring.card_files import read_catalog
from ccg.rules.cards.definitions import CardDef
from ccg.rules.core.engine import EVENT_LIMIT
from ccg.rules.effects.language import read_ability

from .inside import call
from .proof import Figure, Options, Proof

MOST_SECONDS = 1.0
"""Processor time that one choice may take, whatever it sets off."""
MOST_OF_A_PLAYER, MOST_OF_ALL = 120, 300
"""Choices in one turn, of each player (who may do :data:`~ccg.rules.core.loops.MOST_DEEDS` things), and besides; beyond
them it counts as one that does not end."""
TURNS = 4
DECK_SIZE = 60
SIZES = (2, 3, 4, 8)

Text = dict[str, Any]
REVEAL: Text = {"x": "revealed mystic value"}
WHEN: Text = {"when": "you reveal a mystic value"}
READY_ALL: Text = {"ready": "all units you control"}
GROW: Text = {"power": 1, "of": "this"}
AIM: Text = {"power": 1, "of": "target unit"}

WAYS: dict[str, list[Text]] = {
    "readies itself": [{"cost": "commit", "do": [READY_ALL]}],
    "readies itself and grows": [{"cost": "commit", "do": [READY_ALL, GROW]}],
    "readies itself and others grow": [{"cost": "commit", "do": [READY_ALL, {"power": 1, "of": "each unit"}]}],
    "readies itself and reveals": [{"cost": "commit", "do": [READY_ALL, REVEAL]}],
    "restores itself": [{"cost": "exhaust", "do": [{"restore": "all units you control"}]}],
    "an offer sets off itself": [{**WHEN, "may": True, "do": [REVEAL]}],
    "an offer grows and sets off itself": [{**WHEN, "may": True, "do": [GROW, REVEAL]}],
    "sets off itself": [{**WHEN, "do": [REVEAL]}],
    "sets off itself twice": [{**WHEN, "do": [REVEAL, REVEAL]}],
    "aims and sets off itself": [{**WHEN, "do": [AIM, REVEAL]}],
    "aims and sets off itself twice": [{**WHEN, "do": [AIM, REVEAL, REVEAL]}],
    "asks everybody and sets off itself": [
        {**WHEN, "do": [{"for": "each player", "do": [{"power": 1, "of": "a unit"}]}, REVEAL]}
    ],
    "chooses and sets off itself": [{**WHEN, "do": [{"choose one": [[REVEAL], [{"gain": 1}, REVEAL]]}]}],
    "two set each other off": [
        {**WHEN, "do": [{"discard": 1}, {"draw": 1}]},
        {"when": "a player draws a card", "do": [REVEAL]},
    ],
    "two offer each other": [
        {**WHEN, "may": True, "do": [{"draw": 1}]},
        {"when": "a player draws a card", "may": True, "do": [REVEAL]},
    ],
    "an offer is declined each time": [{**WHEN, "do": [REVEAL]}, {**WHEN, "may": True, "do": [{"gain": 0}]}],
    "everything for each of each of each": [
        {"cost": "commit", "do": [{"for": "each player", "do": [
            {"for": "each player", "do": [{"for": "each player", "do": [{"for": "each player", "do": [
                {"for": "each player", "do": [{"gain": 0}]},
            ]}]}]}
        ]}, READY_ALL]},
    ],
}  # fmt: skip
"""Every way to go round: the abilities of one card, or of as many as there are abilities."""


class Deck(Struct, frozen=True):
    """A deck of the proof: a way to go round, and how many sit at its table."""

    way: str
    players: int
    copies: int

    @property
    def name(self) -> str:
        """What the proof calls it."""
        return f"{self.way}, {self.copies} copies, {self.players} players"


class Played(Struct):
    """What came of one deck: how often the rules ended something, by how; what they did not end; the slowest choice."""

    deck: str
    ended: dict[str, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    choices: int = 0
    most_a_turn: int = 0
    slowest: float = 0.0
    most_events: int = 0


def prove(options: Options) -> Proof:
    """Play every deck; then some of them with rules that end less."""
    decks = decks_of(options.number("decks", 50, 8))
    env = {"VAR_DIR": str(options.folder / "var")}
    played = [_played(one) for one in call(f"{__name__}:play", _asked(decks), env)]
    env[native.CHOICE] = "pure"  # compiled modules call each other without looking up what was replaced
    planted = {}
    for plant, way in (
        ("nobody_is_held", "readies itself"),
        ("no_chain_is_cut_off", "aims and sets off itself"),
        ("nothing_is_stopped", "sets off itself twice"),
    ):
        found = call(f"{__name__}:play", _asked([Deck(way, 2, 20)]), env, f"{__name__}:{plant}")
        planted[plant.replace("_", " ")] = any(map(misses, map(_played, found)))
    missed = [f"{one.deck}: {what}" for one in played for what in misses(one)]
    ended: Counter[str] = Counter()
    for one in played:
        ended.update(one.ended)
    figures: dict[str, Figure] = {
        "decks": len(played),
        "ended_by_rule": sum(not misses(one) for one in played),
        "loops_ended": dict(sorted(ended.items())),
        "choices": sum(one.choices for one in played),
        "most_choices_a_turn": max(one.most_a_turn for one in played),
        "most_events_a_choice": max(one.most_events for one in played),
        "slowest_choice_ms": round(1_000 * max(one.slowest for one in played), 1),
        "missed": [*missed[:5]],
    }
    return Proof(
        goal=f"{len(played)} decks that go round for ever are ended by rule, each choice within {MOST_SECONDS:g} s of"
        f" processor time and {EVENT_LIMIT} events, each turn within {MOST_OF_A_PLAYER} choices of a player and"
        f" {MOST_OF_ALL} more",
        passed=not missed,
        figures=figures,
        planted=planted,
    )


def misses(played: Played) -> list[str]:
    """Return what of the promise was not kept with a deck; a deck in which nothing was ended shows nothing."""
    wrong = list(played.wrong)
    wrong += [] if played.ended else ["nothing went round"]
    wrong += [f"a choice took {played.slowest:.1f} s of processor time"] if played.slowest > MOST_SECONDS else []
    wrong += [f"a choice told {played.most_events} events"] if played.most_events > EVENT_LIMIT else []
    return wrong


def decks_of(count: int) -> list[Deck]:
    """Return so many different decks: every way in turn, at tables of every size."""
    sizes = [(players, copies) for copies in (20, 30, 24, 40) for players in SIZES]
    ways = list(WAYS)
    return [Deck(ways[n % len(ways)], *sizes[(n // len(ways) + n) % len(sizes)]) for n in range(count)]


def _asked(decks: list[Deck]) -> list[list[Any]]:
    return [[deck.way, deck.players, deck.copies] for deck in decks]


def _played(found: dict[str, Any]) -> Played:
    return Played(**found)


# -- with the site's code


def play(decks: list[list[Any]]) -> list[dict[str, Any]]:
    """Play a game with each of these decks and return what came of it."""
    cards = list(read_catalog())
    return [_told(_game(Deck(*deck), cards)) for deck in decks]


def _told(played: Played) -> dict[str, Any]:
    return {name: getattr(played, name) for name in played.__struct_fields__}


def made_up(deck: Deck) -> list[CardDef]:
    """Return the cards that go round, and the one that sets them off."""
    facts: dict[str, Any] = {"type": "ship", "power": 2, "threat": 0, "mystic": 1, "produces": "logistics"}
    texts = WAYS[deck.way]
    own = [
        CardDef(id=f"XXX-{n}", title=f"Round {n}", abilities=(read_ability(text),), **facts)
        for n, text in enumerate(texts, 1)
    ]
    spark = CardDef(
        id="XXX-0", title="Spark", abilities=(read_ability({"do": [REVEAL]}),), **{**facts, "type": "event"}
    )
    return [spark, *own]


def _game(deck: Deck, known: list[CardDef]) -> Played:
    """Play some turns in which everybody goes round as long as they may."""
    own = made_up(deck)
    catalog = Catalog([*known, *own])
    base = next(card.id for card in known if card.type == "base")
    cards = [card.id for card in own[1:] for _ in range(deck.copies)]
    cards += [own[0].id] * max(DECK_SIZE - len(cards), deck.copies)
    seats = [Seat(f"Player {n}", base, cards) for n in range(deck.players)]
    game = Game.start(seats, catalog, f"loops/{deck.name}".encode())
    played = Played(deck.name)
    turn, in_turn = 0, 0
    refused: set[str] = set()
    while game.decision is not None and game.engine.state.turn <= TURNS:
        if game.engine.state.turn != turn:
            turn, in_turn = game.engine.state.turn, 0
        in_turn += 1
        played.choices += 1
        played.most_a_turn = max(played.most_a_turn, in_turn)
        if in_turn > MOST_OF_ALL + MOST_OF_A_PLAYER * deck.players:
            played.wrong.append(f"turn {turn} does not end")
            break
        move = _move(game, refused)
        if not _choose(game, move, played):
            refused.add(move)
            continue
        refused.clear()
        if played.slowest > 10 * MOST_SECONDS:
            break
    return played


def _choose(game: Game, move: str, played: Played) -> bool:
    """Make a move and note what came of it; return whether it was made, or else has changed nothing."""
    before = game.digest()
    began = time.process_time()
    try:
        events = game.choose(move)
    except EngineError as error:
        events = []
        if error.code not in ("loop", "work") or game.digest() != before:
            played.wrong.append(f"{move}: {error.message}")
        _count(played, "refused")
        return False
    finally:
        played.slowest = max(played.slowest, time.process_time() - began)
    played.most_events = max(played.most_events, len(events))
    for event in events:
        if event.kind in ("loop", "chain"):
            _count(played, "held" if event.kind == "loop" else "cut off")
    return True


def _count(played: Played, how: str) -> None:
    played.ended[how] = played.ended.get(how, 0) + 1


def _move(game: Game, refused: set[str]) -> str:
    """Return what goes round, if it is offered; else what brings more of it into play; else anything."""
    decision = game.decision
    assert decision is not None
    offered = [key for key in (game.key(option) for option in decision.options) if key not in refused]
    if not offered:
        # Whoever is caught can still leave.
        return game.key(decision.options[-1])
    for wanted in ("yes", "use ", "play XXX-1", "play XXX-2", "play XXX-0"):
        for key in offered:
            if key.startswith(wanted):
                return key
    if decision.kind == "action":
        return offered[-1]
    return offered[0]


# -- planted faults


def nobody_is_held() -> None:
    """Hold nobody who goes round."""
    from ccg.rules.core import loops

    setattr(loops, "_hold", lambda engine, seat: None)  # noqa: B010


def no_chain_is_cut_off() -> None:
    """Cut off nothing that cards set off."""
    from ccg.rules.core import engine, loops

    for module in (engine, loops):
        setattr(module, "MOST_CHOICES", 10**9)  # noqa: B010
    setattr(loops, "DEEPEST", 10**9)  # noqa: B010
    setattr(engine, "DEPTH_LIMIT", 10**9)  # noqa: B010


def nothing_is_stopped() -> None:
    """Let what cards do without asking go on ten times as long."""
    from ccg.rules.core import engine

    for name in ("STEP_LIMIT", "DEPTH_LIMIT", "EVENT_LIMIT"):
        setattr(engine, name, 10 * getattr(engine, name))
