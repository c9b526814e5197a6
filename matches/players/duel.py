"""Let two computer players meet many times: ``python -m matches.players.duel --games 200 --seed 1``.

Decks and seats change from game to game; who wins how often is printed with a 95 % confidence interval.
No Django, no server: engine, views and players only.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from ccg.rules import Catalog, Game, Seat
from ccg.rules.authoring.card_files import SETS, read_catalog, read_sets, set_folders
from decks.lists import textlist, winning
from matches.players import PLAYERS, Player

STARTERS = Path(__file__).resolve().parents[2] / "decks" / "starters"
MOST_CHOICES = 20_000
"""A game that goes on beyond this counts as drawn; the rules make none that long between players who try."""


class Deck(Struct, frozen=True):
    """A deck to play with: a name, a base and the cards, by their ids."""

    name: str
    base: str
    cards: tuple[str, ...]


class Tally(Struct, frozen=True):
    """What many games say about the first of two players; ``taken`` are the seconds of each of its choices."""

    games: int
    wins: int
    draws: int
    turns: list[int]
    choices: list[int]
    taken: list[float]

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the share of games won (Wilson's)."""
        return winning.interval(self.wins, self.games)


def starter_decks(paths: Sequence[Path] = ()) -> list[Deck]:
    """Read decks from text lists, those of ``decks/starters`` by default; raises ValueError for a bad one."""
    sets = read_sets(set_folders(SETS))
    catalog = Catalog(card for one in sets for card in one.cards)
    names = textlist.Names(catalog, [printing for one in sets for printing in one.printings])
    return [_deck(path, names) for path in (paths or sorted(STARTERS.glob("*.txt")))]


def _deck(path: Path, names: textlist.Names) -> Deck:
    reading = textlist.read(path.read_text(), names)
    listed = reading.deck
    if len(listed.bases) != 1 or reading.undecided:
        raise ValueError(f"{path} is no deck: " + "; ".join(line.text for line in reading.undecided))
    cards = tuple(card for card, count in listed.counts.items() for _ in range(count))
    return Deck(listed.name or path.stem, listed.bases[0], cards)


def play(game: Game, catalog: Catalog, players: Sequence[Player], timed: int, taken: list[float]) -> int:
    """Play ``game`` to its end and count the choices; ``taken`` gets the seconds that seat ``timed`` took for each."""
    choices = 0
    while (decision := game.decision) is not None and choices < MOST_CHOICES:
        view = game.view(decision.seat)
        begun = time.perf_counter()
        key = players[decision.seat].choose(view, catalog)
        if decision.seat == timed:
            taken.append(time.perf_counter() - begun)
        game.choose(key)
        choices += 1
    return choices


def duel(first: str, second: str, games: int, seed: int, decks: Sequence[Deck], players: int = 2) -> Tally:
    """Let the player named ``first`` play ``games`` games against ``second``, which has all other seats.

    Its seat and all decks are dealt anew for each game; the same seed plays the same games.
    """
    catalog = read_catalog()
    chance = random.Random(seed)
    tally = Tally(games, 0, 0, [], [], [])
    wins = draws = 0
    for number in range(games):
        place = chance.randrange(players)
        dealt = [chance.choice(decks) for _ in range(players)]
        seats = [Seat(f"{deck.name} {seat}", deck.base, deck.cards) for seat, deck in enumerate(dealt)]
        game = Game.start(seats, catalog, f"duel {seed} {number}".encode())
        table = [PLAYERS[first if seat == place else second](random.Random(chance.random())) for seat in range(players)]
        tally.choices.append(play(game, catalog, table, place, tally.taken))
        tally.turns.append(game.view(None).turn)
        winners = game.result.winners if game.result is not None else ()
        wins += place in winners
        draws += not winners
    return msgspec.structs.replace(tally, wins=wins, draws=draws)


def report(first: str, second: str, tally: Tally) -> str:
    """Say in a few lines how it went."""
    low, high = tally.interval
    slow = sorted(tally.taken) or [0.0]
    at = [slow[len(slow) // 2], slow[len(slow) * 99 // 100], slow[-1]]
    return (
        f"{first} won {tally.wins} of {tally.games} games against {second}, {tally.draws} drawn: "
        f"{tally.wins / max(1, tally.games):.1%} (95 % interval {low:.1%} to {high:.1%})\n"
        f"median game: {statistics.median(tally.turns):.0f} turns, {statistics.median(tally.choices):.0f} choices; "
        f"longest {max(tally.turns)} turns\n"
        f"a choice of {first}: median {at[0] * 1e3:.2f} ms, 99 of 100 under {at[1] * 1e3:.2f} ms, "
        f"slowest {at[2] * 1e3:.2f} ms"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a duel as told on the command line; the exit code is 0."""
    parser = argparse.ArgumentParser(prog="python -m matches.players.duel", description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", choices=sorted(PLAYERS), default="sensible")
    parser.add_argument("--second", choices=sorted(PLAYERS), default="chance")
    parser.add_argument("--players", type=int, default=2, help="seats; the second player has all but one")
    parser.add_argument("--deck", type=Path, nargs="*", default=[], help="text lists (default: decks/starters)")
    options = parser.parse_args(arguments)
    tally = duel(
        options.first, options.second, options.games, options.seed, starter_decks(options.deck), options.players
    )
    print(report(options.first, options.second, tally))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
