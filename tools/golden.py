"""Golden games: whole games kept step by step. ``python tools/golden.py`` compares, ``--write`` renews them.

Each file of tests/golden/ is one game. Its first line is the beginning: the seed and who sits down with what.
Then one line for each move::

    number  player decision/options  > move  | state  facts by viewer  words by viewer

State is the start of the game's digest. Facts are hashes of each seat's view and a spectator's, without any
text; words are hashes of the sentences of the log and the texts of prompt and options. So a change of wording
touches the last group only, and a change of the rules the others. Every now and then a readable page
follows, what everybody knows and the latest sentences as each viewer reads them, so that a difference can be
looked at; those lines are compared as well.

Moves are chosen by a fixed rule (a hash of the game's name and the step), and only when a game is written;
comparing plays the moves of the file.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from ccg.rules import Catalog, Game, RulesError, Seat  # noqa: E402 - the path comes first
from ccg.rules.authoring.card_files import read_catalog  # noqa: E402
from ccg.rules.core.events import Event  # noqa: E402
from ccg.rules.game import BACK  # noqa: E402
from ccg.rules.soak import dealing  # noqa: E402

FOLDER = ROOT / "tests" / "golden"
PAGE_EVERY = 40
MOST_MOVES = 3000
TEXTS = {"prompt", "chain", "text"}
"""The parts of a view that are wording."""


class Beginning(NamedTuple):
    """A golden game before its first move. ``decks`` are the numbers of starter decks, or none for random ones."""

    name: str
    about: str
    players: int
    decks: tuple[int, ...] = ()
    leaves: int = 0
    """The move after which the last seat concedes (0: nobody does)."""


GAMES = (
    Beginning("two-starters", "Two players with starter decks.", 2, (0, 5)),
    Beginning("two-cylons", "Two players, Cylons against the fleet.", 2, (3, 1)),
    Beginning("three-starters", "Three players with starter decks.", 3, (2, 4, 0)),
    Beginning("four-starters", "Four players with starter decks, of whom one leaves on the way.", 4, (1, 2, 3, 5), 150),
    Beginning("two-whole-pool", "Two players with random decks from all cards.", 2),
)


# ---------------------------------------------------------------- playing


def number(*parts: object) -> int:
    """Return a number that depends on nothing but ``parts``."""
    return int.from_bytes(sha256("/".join(map(str, parts)).encode()).digest()[:6], "big")


def begin(beginning: Beginning, catalog: Catalog) -> tuple[bytes, list[Seat]]:
    """Return seed and seats of a golden game."""
    seed = f"golden/{beginning.name}".encode()
    if beginning.decks:
        starters = dealing.starters(catalog)
        decks = [starters[place] for place in beginning.decks]
    else:
        cards = [card.id for card in catalog if card.type != "base"]
        bases = [card.id for card in catalog if card.type == "base"]
        decks = []
        for place in range(beginning.players):
            mixed = _mixed(cards, f"{beginning.name}/{place}")
            decks.append((bases[number(beginning.name, place) % len(bases)], tuple(mixed[:60])))
    return seed, [Seat(name, base, sorted(deck)) for name, (base, deck) in zip(dealing.NAMES, decks, strict=False)]


def _mixed(cards: list[str], name: str) -> list[str]:
    return sorted(cards, key=lambda card: number(name, card))


def chosen(game: Game, beginning: Beginning, step: int) -> str:
    """Return the move of the fixed rule: any option, a pass only if it comes up twice, now and then a step back."""
    decision = game.decision
    assert decision is not None
    last = beginning.players - 1
    if beginning.leaves and step >= beginning.leaves and not game.view(None).players[last].lost:
        return f"concede {last}"
    if decision.can_take_back and number(beginning.name, step, "back") % 20 == 0:
        return BACK
    keys = [game.key(option) for option in decision.options]
    key = keys[number(beginning.name, step) % len(keys)]
    if key in ("pass", "decline"):
        key = keys[number(beginning.name, step, "again") % len(keys)]
    return key


def moves_by_rule(game: Game, beginning: Beginning) -> Iterator[str]:
    """Return move after move until the game is over."""
    for step in range(1, MOST_MOVES):
        if game.decision is None:
            return
        yield chosen(game, beginning, step)
    raise RuntimeError(f"{beginning.name} does not end")


# ---------------------------------------------------------------- telling


def told(about: str, seed: bytes, seats: list[Seat], catalog: Catalog, moves: Any) -> Iterator[str]:
    """Play a game and yield its lines. ``moves`` makes the moves from the game, or is a list of them."""
    decks = [{"name": seat.name, "base": seat.base, "deck": dict(Counter(seat.deck))} for seat in seats]
    yield json.dumps({"about": about, "seed": seed.hex(), "seats": decks})
    game = Game.start(seats, catalog, seed)
    viewers: list[int | None] = [*range(len(seats)), None]
    yield f"0 | {_hashes(game, viewers, game.beginning)}"
    for step, move in enumerate(moves(game) if callable(moves) else moves, start=1):
        decision = game.decision
        asked = f"{seats[decision.seat].name} {decision.kind}/{len(decision.options)}" if decision else "nobody"
        try:
            events = game.move(move)
        except RulesError as error:
            yield f"{step} {asked} > {move} | REFUSED {error.code}: {error}"
            return
        yield f"{step} {asked} > {move} | {_hashes(game, viewers, events)}"
        if step % PAGE_EVERY == 0 or game.decision is None:
            yield from _page(game, viewers, events)
    if game.result is not None:
        winners = ", ".join(seats[seat].name for seat in game.result.winners) or "nobody"
        yield f"over: {winners} ({game.result.reason})"


def _hashes(game: Game, viewers: list[int | None], events: list[Event]) -> str:
    facts, words = [], []
    for viewer in viewers:
        texts: list[str] = []
        view = _without_texts(msgspec.to_builtins(game.view(viewer)), texts)
        seen = [_without_texts(msgspec.to_builtins(game.seen(event, viewer)), texts) for event in events]
        facts.append(_hash([view, seen]))
        words.append(_hash(texts))
    return f"{game.digest()[:8]}  {' '.join(facts)}  {' '.join(words)}"


def _hash(data: object) -> str:
    return sha256(msgspec.json.encode(data, order="sorted")).hexdigest()[:6]


def _without_texts(data: Any, texts: list[str]) -> Any:
    """Return ``data`` without its texts, which are added to ``texts``."""
    if isinstance(data, dict):
        texts += [f"{key}: {value}" for key, value in data.items() if key in TEXTS]
        return {key: _without_texts(value, texts) for key, value in data.items() if key not in TEXTS}
    if isinstance(data, list | tuple):
        return [_without_texts(value, texts) for value in data]
    return data


def _page(game: Game, viewers: list[int | None], events: list[Event]) -> Iterator[str]:
    """Return what everybody knows, and the latest sentences as each viewer reads them."""
    view = game.view(None)
    yield f"    turn {view.turn}, {view.phase}; threat level {view.threat_level}, defense {view.fleet_defense}"
    for player in view.players:
        fleet = {"resources": player.stacks, "persistent": player.persistent, "alert": player.alert}
        lying = "; ".join(
            f"{area}: {', '.join(_piece(piece) for piece in pieces)}"
            for area, pieces in {**fleet, "reserve": player.reserve}.items()
            if pieces
        )
        yield (
            f"    {player.name}: influence {player.influence}, hand {player.hand}, deck {player.deck}, "
            f"discard {len(player.discard)}{', lost' if player.lost else ''}; {lying}"
        )
    for viewer in viewers:
        who = "spectator" if viewer is None else view.players[viewer].name
        for event in events[-4:]:
            yield f"    {who} reads: {game.seen(event, viewer).text}"


def _piece(piece: Any) -> str:
    marks = f"+{len(piece.beneath)}" if piece.beneath else ""
    marks += f"/{piece.supplies}" if piece.supplies else ""
    return f"{piece.card}{marks}{' (down)' if piece.exhausted else ''}"


# ---------------------------------------------------------------- files


def write(beginning: Beginning, catalog: Catalog) -> Path:
    """Play the game of ``beginning`` by the fixed rule and write its file."""
    seed, seats = begin(beginning, catalog)
    lines = told(beginning.about, seed, seats, catalog, lambda game: moves_by_rule(game, beginning))
    path = FOLDER / f"{beginning.name}.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def difference(path: Path, catalog: Catalog) -> str | None:
    """Play the moves of a file again; give the first line that differs, or None."""
    kept = path.read_text(encoding="utf-8").splitlines()
    head = json.loads(kept[0])
    seats = [
        Seat(seat["name"], seat["base"], [card for card, copies in seat["deck"].items() for _ in range(copies)])
        for seat in head["seats"]
    ]
    moves = [line.partition(" > ")[2].partition(" | ")[0] for line in kept if " > " in line and line[0].isdigit()]
    now = list(told(head["about"], bytes.fromhex(head["seed"]), seats, catalog, moves))
    differing = [
        (place, was, found)
        for place, (was, found) in enumerate(zip_longest(kept, now, fillvalue="(nothing)"), start=1)
        if was != found
    ]
    if not differing:
        return None
    groups = sorted({group for _, was, found in differing for group in _differing_groups(was, found)})
    place, was, found = differing[0]
    return (
        f"{path.name} differs in {', '.join(groups)}, first in line {place}:\n  kept {was}\n  now  {found}\n"
        "docs/rules/golden-games.md says what that means, and how to renew the games if it is meant."
    )


def _differing_groups(was: str, found: str) -> set[str]:
    """Say which groups of hashes of a move differ, or that more than those does."""
    (move, _, hashes), (other, _, others) = was.rpartition(" | "), found.rpartition(" | ")
    groups, now = hashes.split("  "), others.split("  ")
    if move != other or len(groups) != 3 or len(now) != 3:
        return {"readable pages" if was.startswith("    ") else "moves"}
    names = ("the saved state", "facts", "words")
    return {name for name, group, again in zip(names, groups, now, strict=True) if group != again}


def main(arguments: list[str]) -> int:
    """Compare, or with ``--write`` renew, all golden games."""
    catalog = read_catalog()
    if arguments == ["--write"]:
        for beginning in GAMES:
            print(f"{write(beginning, catalog)}")
        return 0
    if arguments:
        print(__doc__, file=sys.stderr)
        return 2
    differing = [found for path in sorted(FOLDER.glob("*.txt")) if (found := difference(path, catalog))]
    print("\n".join(differing) or "all golden games are as they were")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
