"""How fast the engine is: ``python tools/bench.py`` (``make bench``).

Everything is measured on one core with the starter decks and random play with every option listed, in
rounds that alternate with random games of python-chess, the yardstick: a machine that is slow or busy is
so for both. Rates are by processor time, so that other processes count for little. Each measure is a
median with the spread of its middle 80 of 100 samples. The result is a table in Markdown, compared with the
one that was kept last, and JSON in full.

Both engines are measured, one process after the other: compiled, if there is a build of these sources, and
pure Python. ``CCG_ENGINE`` chooses one of them.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import random
import resource
import statistics
import subprocess
import sys
import time
import tracemalloc
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from ccg import native  # noqa: E402
from ccg.rules import Catalog, Game, Option, Record, Seat  # noqa: E402
from ccg.rules.authoring.card_files import read_catalog  # noqa: E402
from ccg.rules.saving import ENGINE_VERSION  # noqa: E402
from ccg.rules.soak import dealing  # noqa: E402

ENGINES = ("compiled", "pure")
RESULT = "build/bench-{}.json"
KEPT = "tools/bench-{}.json"
"""Where the results of an engine are, the last one and the one to compare with."""
USUAL_YARDSTICK = 25_000
"""Random moves a second of python-chess on the machine that the absolute goals are for."""

MOST_PLIES = 200
MOST_CHOICES = 5_000
MID_GAME = ("action", "effects")
"""Decisions at which states are kept to be measured: those that all games are full of."""

REPEATS = 5
"""How often each operation is timed on each state; the median counts, as another process may come between."""


class Measure(Struct):
    """One figure: its ``median``, and the ``low`` and ``high`` end of the middle 80 of 100 samples."""

    name: str
    unit: str
    median: float
    low: float
    high: float
    samples: int
    must: float | None = None
    aim: float | None = None
    more_is_better: bool = False

    @property
    def verdict(self) -> str:
        """Say whether the goals are met."""
        if self.must is None or self.aim is None:
            return ""
        for goal, word in ((self.aim, "aim"), (self.must, "must")):
            if self.median >= goal if self.more_is_better else self.median <= goal:
                return word
        return "MISSED"


class Bench(Struct):
    """A whole run."""

    engine: str
    python: str
    machine: str
    commit: str
    yardstick: float
    measures: list[Measure]


Samples = list[float]


def measure(name: str, unit: str, samples: Sequence[float], **goals: Any) -> Measure:
    """Sum ``samples`` up."""
    ordered = sorted(samples)
    tenth = len(ordered) // 10
    return Measure(
        name, unit, statistics.median(ordered), ordered[tenth], ordered[-1 - tenth], len(ordered), **goals
    )  # fmt: skip


def timed(work: Callable[[], Any]) -> float:
    """Return the seconds that ``work`` takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


# ---------------------------------------------------------------- playing


def chess_moves(seconds: float, rng: random.Random) -> float:
    """Play random games of chess, every legal move listed, and return moves a second."""
    import chess

    moves = 0
    begun = time.process_time()
    while (taken := time.process_time() - begun) < seconds:
        board = chess.Board()
        for _ in range(MOST_PLIES):
            legal = list(board.legal_moves)
            if not legal:
                break
            board.push(rng.choice(legal))
            moves += 1
    return moves / taken


class Played(Struct):
    """A random game: its record, how long it took, and some states on the way."""

    record: Record
    seconds: float
    choices: int
    turns: int
    states: list[bytes]


def play(catalog: Catalog, seats: list[Seat], seed: bytes, rng: random.Random) -> Played:
    """Play a random game; the time is that of playing only; record and states come from playing it once more."""
    taken: list[Option] = []
    begun = time.process_time()
    game = Game.start(seats, catalog, seed)
    while (decision := game.decision) is not None and len(taken) < MOST_CHOICES:
        option = rng.choice(decision.options)
        taken.append(option)
        game.choose(option)
    seconds = time.process_time() - begun
    moves: list[str] = []
    states: list[bytes] = []
    again = Game.start(seats, catalog, seed)
    for option in taken:
        moves.append(again.key(option))
        if again.decision is not None and again.decision.kind in MID_GAME and rng.random() < 0.05:
            states.append(again.save())
        again.choose(option)
    record = Record(ENGINE_VERSION, catalog.fingerprint, seed, seats, moves)
    return Played(record, seconds, len(taken), again.engine.state.turn, states)


TABLES = (2, 4, 8)
"""Numbers of players with whom games with all cards are played."""


class Moment(NamedTuple):
    """A choice: the seconds until it was carried out and the options of the next were listed, and how many they are."""

    seconds: float
    options: int


def play_all_cards(catalog: Catalog, players: int, seconds: float, rng: random.Random) -> tuple[float, list[Moment]]:
    """Play random games with decks of all cards; return choices a second, and every choice."""
    moments: list[Moment] = []
    clock = time.process_time
    begun = clock()
    while (taken := clock() - begun) < seconds:
        game = Game.start(dealing.seats("legal", players, catalog, rng), catalog, rng.randbytes(8))
        decision = game.decision
        first = len(moments)
        while decision is not None and len(moments) < first + MOST_CHOICES and clock() - begun < 2 * seconds:
            before = clock()
            game.choose(rng.choice(decision.options))
            decision = game.decision
            moments.append(Moment(clock() - before, 0 if decision is None else len(decision.options)))
    return len(moments) / taken, moments


def all_cards(catalog: Catalog, rounds: int, seconds: float, rng: random.Random) -> list[Measure]:
    """Measure games with all cards: how fast they are against chess, and their slowest choices."""
    measures = []
    for players in TABLES:
        yard: Samples = []
        rates: Samples = []
        moments: list[Moment] = []
        for _ in range(rounds):
            gc.collect()
            yard.append(chess_moves(seconds / 2, rng))
            rate, more = play_all_cards(catalog, players, seconds, rng)
            rates.append(rate)
            moments += more
        ratios = [rate / moves for rate, moves in zip(rates, yard, strict=True)]
        scale = statistics.median(yard) / USUAL_YARDSTICK * 1e3
        moments.sort()
        named = f"all cards, {players} players"
        measures.append(measure(f"{named}: choices ÷ chess", "", ratios))
        for what, one in (("p99.9", moments[-1 - len(moments) // 1000]), ("worst", moments[-1])):
            took = [one.seconds * scale]
            measures.append(measure(f"{named}: {what} decision", f"ms ({one.options} options)", took))
    return measures


# ---------------------------------------------------------------- single operations


def microseconds(states: Sequence[bytes], catalog: Catalog, rng: random.Random) -> Iterator[tuple[str, Samples]]:
    """Time each operation on each state, freshly loaded where it would remember what it did before."""

    def fresh(data: bytes) -> Game:
        return Game.load(data, catalog)

    def asked(data: bytes) -> Game:
        game = fresh(data)
        assert game.decision is not None
        return game

    def choosing(data: bytes) -> Callable[[], Any]:
        game = asked(data)
        option = rng.choice(game.decision.options) if game.decision is not None else None
        return lambda: game.choose(option) if option is not None else None

    def viewing(data: bytes) -> Callable[[], Any]:
        game = asked(data)
        seat = game.decision.seat if game.decision is not None else None
        encode = msgspec.json.Encoder().encode
        return lambda: encode(game.view(seat))

    def listing(data: bytes) -> Callable[[], Any]:
        game = fresh(data)
        return lambda: game.decision

    operations: dict[str, Callable[[bytes], Callable[[], Any]]] = {
        "options": listing,
        "choose": choosing,
        "copy": lambda data: asked(data).copy,
        "save": lambda data: asked(data).save,
        "load": lambda data: lambda: fresh(data),
        "view": viewing,
    }
    for name, prepare in operations.items():
        yield name, [statistics.median(timed(prepare(data)) for _ in range(REPEATS)) * 1e6 for data in states]


def match_bytes(states: Sequence[bytes], catalog: Catalog) -> Samples:
    """Return the bytes of memory that each game takes while it waits for a choice whose options are listed."""
    taken: Samples = []
    tracemalloc.start()
    for data in states:
        before = tracemalloc.get_traced_memory()[0]
        game = Game.load(data, catalog)
        options = game.decision
        taken.append(tracemalloc.get_traced_memory()[0] - before)
        del game, options
    tracemalloc.stop()
    return taken


START = "import ccg.rules; from ccg.rules.authoring.card_files import read_catalog; read_catalog()"


def starts(times: int, code: str) -> Samples:
    """Return the milliseconds of processor time of processes of this engine that run ``code``."""
    taken: Samples = []
    for _ in range(times):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)  # noqa: S603
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append((after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1e3)
    return taken


def merge_diff(old: Any, new: Any) -> Any:
    """Return what changed as JSON merge does: changed keys only; in lists of equal length changed places only."""
    if isinstance(old, dict) and isinstance(new, dict):
        return {key: merge_diff(old.get(key), new.get(key)) for key in {**old, **new} if old.get(key) != new.get(key)}
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return {str(place): merge_diff(a, b) for place, (a, b) in enumerate(zip(old, new, strict=True)) if a != b}
    return new


def view_bytes(record: Record, catalog: Catalog) -> tuple[Samples, Samples]:
    """Return the bytes of each view of seat 0 in a game, and of each change from one to the next."""
    full: Samples = []
    changes: Samples = []
    before: Any = None
    game = Game.start(record.seats, catalog, record.seed)
    for move in record.moves:
        data = msgspec.json.encode(game.view(0))
        view = msgspec.json.decode(data)
        full.append(len(data))
        if before is not None:
            changes.append(len(msgspec.json.encode(merge_diff(before, view))))
        before = view
        game.move(move)
    return full, changes


# ---------------------------------------------------------------- a whole run


def run(rounds: int, seconds: float, seed: int) -> Bench:
    """Measure everything, in ``rounds`` of about ``seconds`` each for chess and for us."""
    catalog = read_catalog()
    rng = random.Random(seed)
    for _ in range(2):  # everything that is worked out once is, and the processor is awake
        play(catalog, dealing.seats("starter", 2, catalog, rng), b"warm", rng)
    chess_moves(0.2, rng)
    yard: Samples = []
    rates: Samples = []
    games: Samples = []
    replays: Samples = []
    played: list[Played] = []
    for number in range(rounds):
        gc.collect()
        yard.append(chess_moves(seconds / 2, rng))
        batch: list[Played] = []
        while not batch or sum(one.seconds for one in batch) < seconds:
            seats = dealing.seats("starter", 2, catalog, rng)
            batch.append(play(catalog, seats, f"bench {seed} {number} {len(batch)}".encode(), rng))
        spent = sum(one.seconds for one in batch)
        yard[-1] = (yard[-1] + chess_moves(seconds / 2, rng)) / 2
        rates.append(sum(one.choices for one in batch) / spent)
        games.append(len(batch) / spent)
        begun = time.process_time()
        for one in batch:
            Game.replay(one.record, catalog)
        replays.append((time.process_time() - begun) / spent)
        played += batch
    return Bench(
        native.running(),
        platform.python_version(),
        f"{platform.machine()} {platform.system()}",
        commit(),
        statistics.median(yard),
        [
            *speeds(yard, rates, games, replays, played),
            *operations_and_sizes(played, catalog, rng, statistics.median(yard)),
            *all_cards(catalog, max(1, rounds // 3), seconds, rng),
        ],
    )


def speeds(yard: Samples, rates: Samples, games: Samples, replays: Samples, played: Sequence[Played]) -> list[Measure]:
    """Sum up how fast whole games go."""
    ratios = [rate / moves for rate, moves in zip(rates, yard, strict=True)]
    return [
        measure("python-chess, random moves", "/s", yard),
        measure("choices", "/s", rates),
        measure("choices ÷ chess moves", "", ratios, must=0.5, aim=1.5, more_is_better=True),
        measure("games", "/s", games),
        measure("choices in a game", "", [one.choices for one in played]),
        measure("turns in a game", "", [one.turns for one in played]),
        measure("replay ÷ play", "", replays, must=0.8, aim=0.5),
    ]


def operations_and_sizes(
    played: Sequence[Played], catalog: Catalog, rng: random.Random, yardstick: float
) -> list[Measure]:
    """Sum up what single operations take, and how large things are. Times are scaled to the usual yardstick."""
    states = [state for one in played for state in one.states]
    states = rng.sample(states, min(len(states), 300))
    scale = yardstick / USUAL_YARDSTICK
    took = {name: [sample * scale for sample in samples] for name, samples in microseconds(states, catalog, rng)}
    both = [save + load for save, load in zip(took["save"], took["load"], strict=True)]
    full: Samples = []
    changes: Samples = []
    for one in rng.sample(list(played), min(len(played), 30)):
        some_full, some_changes = view_bytes(one.record, catalog)
        full += some_full
        changes += some_changes
    memory = [size / 1024 for size in match_bytes(states[:50], catalog)]
    begun, ready = (
        [sample * scale for sample in starts(REPEATS, code)] for code in ("import ccg.rules", START)
    )  # fmt: skip
    zipped = [len(zlib.compress(msgspec.msgpack.encode(one.record), 9)) for one in played]
    return [
        measure("options", "µs", took["options"]),
        measure("choose", "µs", took["choose"]),
        measure("copy", "µs", took["copy"], must=40, aim=10),
        measure("save", "µs", took["save"]),
        measure("load", "µs", took["load"]),
        measure("save + load", "µs", both, must=80, aim=40),
        measure("view, built and encoded", "µs", took["view"], must=60, aim=30),
        measure("saved state", "bytes", [len(state) for state in states], must=4096, aim=2048),
        measure("view, full", "bytes", full, must=4096, aim=3072),
        measure("view, a typical change", "bytes", changes, must=1024, aim=512),
        measure("memory of a live match", "KiB", memory),
        measure("start: import ccg.rules", "ms", begun),
        measure("start: with all cards read", "ms", ready),
        measure("record of a game, zipped", "bytes", zipped, must=2048, aim=1024),
    ]


def commit() -> str:
    """Return the commit that is measured; with a + if files have been changed since."""
    git = ["git", "describe", "--always", "--dirty=+"]
    told = subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    return told.stdout.strip() or "unknown"


# ---------------------------------------------------------------- telling


WIDTHS = (38, 20, 19, 6, 5, 7, 8)
LEFT = (38, 7)
"""Widths of the columns of names and of goals, which stand to the left."""


def table(bench: Bench, before: Bench | None) -> str:
    """Return the result as a table, against ``before``."""
    old = {measure.name: measure for measure in before.measures} if before is not None else {}
    rate, factor = f"{bench.yardstick:,.0f}", f"{bench.yardstick / USUAL_YARDSTICK:.2f}"
    heads = ["measure", "median", "middle 80 %", "must", "aim", "goal", "before"]
    lines = [
        f"### {bench.engine.capitalize()}\n",
        f"Python {bench.python}, {bench.machine}, commit {bench.commit}; python-chess {rate} random moves a second.",
        f"µs are scaled to a machine on which it makes {USUAL_YARDSTICK:,} (factor {factor}).",
        "",
        _row(heads),
        _row(["-" * width for width in WIDTHS]),
    ]
    for one in bench.measures:
        change = f"{one.median / old[one.name].median - 1:+.0%}" if one.name in old and old[one.name].median else ""
        median = f"{_number(one.median)} {one.unit}".strip()
        middle = f"{_number(one.low)} - {_number(one.high)}"
        lines.append(_row([one.name, median, middle, _number(one.must), _number(one.aim), one.verdict, change]))
    if before is not None:
        lines += ["", f"Before: commit {before.commit}, Python {before.python}, python-chess {before.yardstick:,.0f}."]
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    """One line; numbers stand to the right."""
    padded = [
        f"{cell:<{width}}" if width in LEFT else f"{cell:>{width}}" for cell, width in zip(cells, WIDTHS, strict=True)
    ]
    return "| " + " | ".join(padded) + " |"


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and tell; with ``--check`` the exit code is 1 if a goal that must be met is missed."""
    parser = argparse.ArgumentParser(description="Measure the engine, compiled and pure.")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each round")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help=f"make this the result to compare with ({KEPT})")
    parser.add_argument("--check", action="store_true", help="fail if a must is missed")
    told = parser.parse_args(arguments)
    if native.CHOICE in os.environ:
        return measured(told)
    given = sys.argv[1:] if arguments is None else arguments
    codes = [_process(engine, given) for engine in ENGINES if engine == "pure" or native.build() is not None]
    if len(codes) < len(ENGINES):
        print("\nThe compiled engine was not measured: there is no build of these sources (make compiled).")
    return max(codes)


def _process(engine: str, arguments: Sequence[str]) -> int:
    command = [sys.executable, __file__, *arguments]
    return subprocess.run(command, env={**os.environ, native.CHOICE: engine}, check=False).returncode  # noqa: S603


def measured(told: argparse.Namespace) -> int:
    """Measure the engine of this process, as :func:`main`."""
    kept = ROOT / KEPT.format(native.running())
    before = msgspec.json.decode(kept.read_bytes(), type=Bench) if kept.exists() else None
    bench = run(told.rounds, told.seconds, told.seed)
    for path in [ROOT / RESULT.format(native.running()), *([kept] if told.keep else [])]:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(msgspec.to_builtins(bench), indent=1, ensure_ascii=False) + "\n")
    print(table(bench, before), flush=True)
    missed = [one.name for one in bench.measures if one.verdict == "MISSED"]
    if missed:
        print("\nMissed: " + ", ".join(missed))
    return 1 if told.check and missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
