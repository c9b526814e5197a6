"""Twin games: all that a viewer may not know is dealt anew in a second copy of a game, and nothing must tell.

Every message to that viewer, built by the code that builds the real ones, has to be the same byte for byte; so has
what is told of a move that shows no card. The proof is tried with leaks put in on purpose. What is told of a match
outside of its table is compared in the database of a site (:mod:`.stored_leaks`).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import msgspec

from ccg.rules import Event, Game, View
from ccg.rules.authoring.card_files import read_catalog
from ccg.rules.core.data import encode as encode_record
from ccg.rules.core.engine import Engine
from ccg.rules.core.state import Player
from ccg.rules.soak import dealing
from matches.protocol.messages import encode
from matches.storage import stored_events
from matches.table import table_view

from .inside import call
from .processes import Site
from .proof import Options, Proof

VIEWERS = (0, None)
STORED = "ccg.server.proving.stored_leaks"
STORED_PLANTS = ("mails_that_tell", "lists_that_tell", "a_table_that_tells")
"""Leaks that are put into what is told of stored matches, as that module names them."""
_read_anything = msgspec.msgpack.Decoder()


class Leak(AssertionError):
    """A message tells something that its reader may not know."""


def prove(options: Options) -> Proof:
    """Play twin games, rightly and with each of the planted leaks; then twins of matches in a database."""
    games, matches = options.number("games", 10_000, 6), options.number("matches", 20, 2)
    env = {"VAR_DIR": str(options.folder / "var")}
    here = f"{__name__}:twins"
    result = call(here, {"games": games, "seed": options.seed}, env)
    planted = {}
    for name in list(PLANTS)[: 3 if options.short else None]:
        broken = call(here, {"games": 8, "seed": options.seed, "plant": name}, env)
        planted[name] = bool(broken["leak"])
    stored, seen = _stored(options, matches)
    return Proof(
        goal=f"{games} twin games that differ in what is hidden, and twins of {matches} matches by correspondence: no"
        " message, page, mail or push to others differs by a byte",
        passed=not result["leak"] and not stored["leak"] and result["views"] > games and result["moves"] > games
        and stored["matches"] == matches,
        figures={**result, "stored": stored},
        planted=planted | seen,
    )  # fmt: skip


def _stored(options: Options, matches: int) -> tuple[dict[str, Any], dict[str, bool]]:
    """Compare what is told of so many stored matches; return what came of it, and which planted leaks were seen."""
    folder = options.room("site")
    env = {"VAR_DIR": str(folder / "var"), "EMAIL_HOST": "mail.example.org"}
    Site(folder, env).prepare(options.folder / "prepared.sqlite3")
    compare = f"{STORED}:compare"
    few = {"matches": 2, "decisions": 20, "seed": options.seed}
    many = {"matches": matches, "decisions": 20 if options.short else 300, "seed": options.seed}
    found: dict[str, Any] = call(compare, many, env)
    seen = {}
    for plant in STORED_PLANTS[: 1 if options.short else None]:
        broken = call(compare, few, env, f"{STORED}:{plant}")
        seen[plant.replace("_", " ")] = bool(broken["leak"])
    return found, seen


def twins(parameters: dict[str, Any]) -> dict[str, Any]:
    """Play so many games with their twins; return how much was compared, and the first difference."""
    if parameters.get("plant"):
        PLANTS[parameters["plant"]]()
    catalog = read_catalog()
    counts: dict[str, Any] = {"games": 0, "views": 0, "moves": 0, "leak": ""}
    for number in range(parameters["games"]):
        rng = random.Random(f"{parameters['seed']}:{number}")
        players = 2 if number % 4 else rng.choice((3, 4))
        game = Game.start(dealing.seats("legal", players, catalog, rng), catalog, rng.randbytes(64))
        try:
            compared = run("twin", game, rng, (rng.randrange(players), None))
        except Leak as leak:
            counts["leak"] = f"game {number}: {leak}"
            break
        counts = {**counts, "games": number + 1} | {name: counts[name] + n for name, n in compared.items()}
    return counts


def message(match_id: str, game: Game, viewer: int | None, version: int, packed: list[tuple[int, bytes]]) -> str:
    """Return what a socket of this viewer would send: the table and, to a seat, why not."""
    snapshot = table_view.Snapshot(
        match_id=match_id,
        version=version,
        viewer=viewer,
        people=[],
        present=[],
        rematch=None,
        game=game,
        saved=b"",
        catalog=game.engine.catalog,
        since=version - len(packed),
        packed=packed,
    )
    return encode(table_view.table(snapshot)) + (encode(table_view.why(snapshot)) if viewer is not None else "")


def dealt_anew(game: Game, viewer: int | None, rng: random.Random) -> Game:
    """Return a copy of ``game`` that is the same to ``viewer``, with everything hidden from them shuffled."""
    twin = game.copy()
    for seat, player in enumerate(twin.engine.state.players):
        if seat == viewer:
            rng.shuffle(player.deck)
        else:
            deal_anew(twin.engine, seat, player, rng)
    twin._decision = None
    return twin


def deal_anew(engine: Engine, seat: int, player: Player, rng: random.Random) -> None:
    """Shuffle a player's deck, hand (but for shown cards) and face-down supply cards into one another."""
    shown = list(player.shown) + [card for card in player.hand if card in named_on_agenda(engine)]
    hidden: list[int] = []
    held: list[int] = []
    for card in player.hand:
        if card in shown:
            shown.remove(card)
            held.append(card)
        else:
            hidden.append(card)
    stacks = [piece for piece in player.resource if piece.supplies]
    sizes = [len(piece.supplies) for piece in stacks]
    hand = len(hidden)
    hidden += [card for piece in stacks for card in piece.supplies] + player.deck
    rng.shuffle(hidden)
    player.hand[:] = held + hidden[:hand]
    at = hand
    for piece, size in zip(stacks, sizes, strict=True):
        piece.supplies[:] = hidden[at : at + size]
        at += size
    player.deck[:] = hidden[at:]


def named_on_agenda(engine: Engine) -> set[int]:
    """Return every number on the agenda: a card that is just being played has to stay where it is."""
    numbers: set[int] = set()
    todo: list[Any] = [_read_anything.decode(encode_record(frame)) for frame in engine.state.agenda]
    while todo:
        one = todo.pop()
        if isinstance(one, int):
            numbers.add(one)
        elif isinstance(one, dict | list | tuple):
            todo += one.values() if isinstance(one, dict) else one
    return numbers


def shows_a_card(events: list[Event], viewer: int | None) -> bool:
    """Return whether a move showed ``viewer`` a card, so that games that differ in hidden cards may now differ.

    Who has lost shows them all: what lay in their fleet, face-down supply cards too, leaves the game face up.
    """
    return any(event.kind == "lose" or event.card_for(viewer) is not None for event in events)


def _shown_copies(game: Game) -> list[dict[int, int]]:
    """Return how often each hand holds each card that was shown of it, copies that nobody has seen included."""
    return [{card: player.hand.count(card) for card in player.shown} for player in game.engine.state.players]


def run(match_id: str, game: Game, rng: random.Random, viewers: tuple[int | None, ...] = VIEWERS) -> dict[str, int]:
    """Play a game by chance and compare with a twin for each viewer at each version; return how much was compared.

    Raises :class:`Leak` with the first difference.
    """
    compared = {"views": 0, "moves": 0}
    version = 0
    while game.decision is not None:
        options = [game.key(option) for option in game.decision.options]
        choice = rng.choice(options)
        for viewer in viewers:
            twin = dealt_anew(game, viewer, rng)
            _same(message(match_id, game, viewer, version, []), message(match_id, twin, viewer, version, []), viewer)
            compared["views"] += 1
            compared["moves"] += compare_move(match_id, game, twin, choice, viewer, version)
        game.choose(choice)
        version += 1
    return compared


def _same(one: str, two: str, viewer: int | None) -> None:
    if one != two:
        at = next((n for n, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
        raise Leak(f"to {viewer}: ...{one[max(0, at - 80) : at + 40]!r} or {two[at : at + 40]!r}")


def compare_move(match_id: str, game: Game, twin: Game, choice: str, viewer: int | None, version: int) -> bool:
    """Make a move in both games and compare what ``viewer`` is sent, if the move shows them no card."""
    if _shown_copies(game) != _shown_copies(twin):
        return False  # of equal cards one that nobody has seen is put away first (ruling 39): another card would move
    real = game.copy()
    assert twin.decision is not None
    if choice not in [twin.key(option) for option in twin.decision.options]:
        return False
    events, twin_events = real.choose(choice), twin.choose(choice)
    if shows_a_card(events, viewer) or shows_a_card(twin_events, viewer):
        return False
    if (real.decision and real.decision.seat) != (twin.decision and twin.decision.seat):
        return False  # the hidden cards decide who has something to choose; that is known to all at the table
    seats = len(real.engine.state.players)
    packed = [(version + 1, stored_events.pack(real, events, seats))]
    twin_packed = [(version + 1, stored_events.pack(twin, twin_events, seats))]
    sent, twin_sent = (message(match_id, g, viewer, version + 1, p) for g, p in ((real, packed), (twin, twin_packed)))
    _same(sent, twin_sent, viewer)
    return True


# -- planted leaks


def _in_view(change: Callable[[Engine, View], View]) -> Callable[[], None]:
    def plant() -> None:
        real = Game.view

        def view(self: Game, seat: int | None) -> View:
            return change(self.engine, real(self, seat))

        setattr(Game, "view", view)  # noqa: B010

    return plant


def _side(view: View, **changed: Any) -> View:
    """Return the view with the second player's side changed."""
    players = list(view.players)
    players[1] = msgspec.structs.replace(players[1], **changed)
    return msgspec.structs.replace(view, players=players)


def _step(view: View, text: object) -> View:
    return msgspec.structs.replace(view, step=str(text))


def _hand(engine: Engine) -> list[int]:
    return engine.state.players[1].hand


def _drawn_cards() -> None:
    real = Game.seen

    def leaking(self: Game, event: Event, seat: int | None) -> Any:
        return real(self, event, event.player if event.kind == "draw" else seat)

    setattr(Game, "seen", leaking)  # noqa: B010


def _private_events() -> None:
    def careless(packed: bytes, viewer: int | None) -> list[Any]:
        return [next(iter(e.private.values()), e.public) for e in stored_events._decoder.decode(packed)]

    setattr(stored_events, "seen_by", careless)  # noqa: B010


PLANTS: dict[str, Callable[[], None]] = {
    "top of a deck": _in_view(lambda engine, view: _step(view, engine.state.players[1].deck[-1:])),
    "drawn cards in the log": _drawn_cards,
    "a hand": _in_view(lambda engine, view: _side(view, hand_cards=[engine.card(card).id for card in _hand(engine)])),
    "private form of an event to everybody": _private_events,
    "bottom of a deck": _in_view(lambda engine, view: _step(view, engine.state.players[1].deck[:1])),
    "order of a hand": _in_view(lambda engine, view: _step(view, _hand(engine) == sorted(_hand(engine)))),
    "a number computed from a hand": _in_view(
        lambda engine, view: _step(view, sum(engine.card(card).mystic or 0 for card in _hand(engine)))
    ),
    "whether a card can be paid for": _in_view(
        lambda engine, view: _step(view, sum(len(engine.card(card).traits) for card in _hand(engine)))
    ),
    "length of the names in a hand": _in_view(
        lambda engine, view: _step(view, "x" * sum(len(engine.card(card).name) for card in _hand(engine)))
    ),
    "supply cards": _in_view(lambda engine, view: _step(view, [p.supplies for p in engine.state.players[1].resource])),
    "the saved state": _in_view(lambda engine, view: _step(view, hash(tuple(engine.state.players[1].deck)))),
}
"""Leaks by name, each put into a process of its own."""
