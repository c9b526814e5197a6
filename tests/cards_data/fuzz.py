"""Card set files made up at random: whatever is in them, they are refused with reasons, or their cards play.

Texts are our own set files and the bad ones of ``bad_sets`` with signs, words and lines changed; cards are our
own with values, keys, steps and whole abilities taken from others, or made up. Each is read as the importer
reads it. What is let in gets its words, and a short game in which the card lies everywhere at once, with the
checks of the soak. Only ``CardFileError`` and the engine's ``loop`` are answers; anything else, or more work
than a file is worth, is a find.

    python -m tests.cards_data.fuzz --minutes 30 [--seed 1] [--keep FOLDER]

Each case follows from its number alone: ``--from 1234 --cases 1`` is number 1234 again.
"""

from __future__ import annotations

import argparse
import copy
import random
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from ccg.rules import Catalog, EngineError, Game, Option
from ccg.rules.authoring import checking
from ccg.rules.authoring.card_files import SETS, CardFileError, CardSet, read_sets, set_folders
from ccg.rules.authoring.records import Problem, fields_of, forms_of, read
from ccg.rules.cards.definitions import CardDef
from ccg.rules.cards.schema import Ability
from ccg.rules.effects.language import KEYS, WORDS
from ccg.rules.effects.word import keys_of
from ccg.rules.scenario.files import USUAL
from ccg.rules.soak import checks
from ccg.rules.telling.wording import card_text
from tests.rules.tables import position

BAD = Path(__file__).with_name("bad_sets")
MOST_READING, MOST_PLAYING, HANGING = 2.0, 20.0, 60.0
"""Seconds of processor time for reading a set, for a game, and after which either counts as hanging."""

MOVES = 70
LOOKED_AT = 7
"""Every so many moves everything is checked, not only the quick things."""

Raw = dict[str, Any]


class Find(AssertionError):
    """A file that did what none may do."""


# ---------------------------------------------------------------- what there is to make cases from


@cache
def seeds() -> list[str]:
    """Return the texts of our own files, one file a set, and of the bad ones."""
    found = [path.read_text(encoding="utf-8") for path in sorted(SETS.glob("*/*.yaml"))]
    bad = [path for path in sorted(BAD.rglob("*.yaml")) if path.stat().st_size < 20_000]
    return found + [path.read_bytes().decode("utf-8", "replace") for path in bad]


@cache
def cards() -> list[Raw]:
    """Return our own cards as their files say them."""
    paths = [path for path in sorted(SETS.glob("*/*.yaml")) if path.name != "set.yaml"]
    raws = [raw for path in paths for raw in yaml.safe_load(path.read_text(encoding="utf-8"))]
    return [raw for raw in raws if "reprint_of" not in raw]


@cache
def ours() -> tuple[list[CardSet], list[CardDef]]:
    """Return our own sets as read."""
    sets = read_sets(set_folders(SETS))
    return sets, [card for one in sets for card in one.cards]


@cache
def pools() -> tuple[dict[str, list[Any]], list[Raw], list[Raw]]:
    """Return every value that our cards say for each key of the language, every step, and every ability."""
    values: dict[str, list[Any]] = {}
    steps: list[Raw] = []
    abilities: list[Raw] = []

    def walk(one: Any) -> None:
        if isinstance(one, dict):
            if any(key in WORDS for key in one):
                steps.append(one)
            for key, value in one.items():
                values.setdefault(key, []).append(value)
                walk(value)
        elif isinstance(one, list):
            for item in one:
                walk(item)

    for card in cards():
        abilities += card.get("abilities", [])
        walk(card.get("abilities", []))
    return values, steps, abilities


HOSTILE: list[Any] = [
    0, -1, 1, 20, 21, 99, 10**6, 10**18, 2**63, 10**40, -(10**30), 1.5, float("nan"), float("inf"), True, False, None,
    "", " ", "X", "-X", "hand", "this", "it", "them", "they", "a", "all units", "target unit", "a supply card", "no",
    "target", "units", "99 units", "target base", "your base", "all cards", "<script>", "[[card:BSG1-001]]", "\u202e",
    "\x00", "a" * 300, "\ud800", [], {}, [[]], [None], {"do": []}, [{"draw": 1}], {"draw": 1}, [[{"draw": 1}]],
]  # fmt: skip


SIGNS = (b"&a ", b"*a", b"!!set ", b"<<: ", b"[", b"{", b"- ", b"\n", b": ", b"\t", b"%", b"- &x [", b"? ", b"|\n")
ODD = (b"9" * 40, b"\xff", b"\xef\xbb\xbf", b"\xe2\x80\xae", b"\x00", b".inf", b"~", b"[" * 50, b"\xed\xa0\x80")

# ---------------------------------------------------------------- making cases


def case(number: int) -> dict[str, bytes]:
    """Make up the files of a set; they follow from ``number`` alone."""
    rng = random.Random(f"card file {number}")
    head = b"{code: FUZ, name: Made Up, year: 2030}"
    if rng.random() < 0.3:
        return {"set.yaml": head, "cards.yaml": text(rng)}
    raw = [card(rng, place) for place in range(1, rng.choice((2, 2, 3)))]
    written = yaml.safe_dump(raw, allow_unicode=True, sort_keys=False, width=10_000)
    return {"set.yaml": head, "cards.yaml": written.encode("utf-8", "surrogatepass")}


def text(rng: random.Random) -> bytes:
    """Change signs, words and lines of a real file."""
    said = rng.choice(seeds())
    if len(said) > 6_000:
        begin = said.find("\n- ", rng.randrange(len(said) - 5_000))
        said = said[begin : begin + rng.randrange(500, 5_000)]
    data = bytearray(said.encode("utf-8", "replace"))
    for _ in range(rng.choice((1, 1, 2, 5, 40))):
        if not data:
            break
        place = rng.randrange(len(data))
        kind = rng.randrange(7)
        if kind == 0:
            data[place] = rng.randrange(256)
        elif kind == 1:
            data[place:place] = rng.choice(
                (b"&a ", b"*a", b"!!set ", b"<<: ", b"[", b"{", b"- ", b"\n", b": ", b"\t", b"%")
            )
        elif kind == 2:
            del data[place : place + rng.randrange(1, 30)]
        elif kind == 3:
            data[place:place] = data[place : place + rng.randrange(1, 400)] * rng.choice((1, 2, 9))
        elif kind == 4:
            data[place:place] = rng.choice(
                (b"9" * 40, b"\xff", b"\xef\xbb\xbf", b"\xe2\x80\xae", b"\x00", b".inf", b"~")
            )
        else:
            words = data.split(b" ")
            first, second = rng.randrange(len(words)), rng.randrange(len(words))
            words[first], words[second] = words[second], words[first]
            data = bytearray(b" ".join(words))
    return bytes(data)


def card(rng: random.Random, number: int) -> Raw:
    """Make up a card out of those that there are."""
    raw = some(rng, cards())
    raw |= {"number": number, "title": "Made", "subtitle": f"Up {number}"}
    if raw["type"] == "base":
        del raw["subtitle"]
    raw["abilities"] = [sensible(rng, raw) for _ in range(rng.choice((1, 1, 1, 2)))]
    if rng.random() < 0.6 and "cost" in raw:
        raw["cost"] = {}
    if "expedite" in str(raw.get("keywords")):
        del raw["keywords"]
    for _ in range(rng.choice((0, 0, 0, 0, 1, 2))):
        change(rng, raw)
    return raw


def sensible(rng: random.Random, raw: Raw) -> Raw:
    """Make up an ability that is let in, mostly: what is refused is soon refused, what plays is worth more time."""
    keywords = [next(iter(one)) if isinstance(one, dict) else one for one in raw.get("keywords", [])]
    for _ in range(rng.choice((1, 8, 16))):
        made = ability(rng, raw)
        problems: list[Problem] = []
        read_as = read(made, Ability, (), problems)
        with suppress(Exception):  # a fault of the check is found when the file is read
            if not problems and checking.check([read_as], raw["type"], keywords):
                continue
        if not problems:
            break
    return made


def ability(rng: random.Random, raw: Raw) -> Raw:
    """Make up an ability: one there is, or a form that the card can have filled with steps there are."""
    values, _, abilities = pools()
    if rng.random() < 0.15:
        made = some(rng, abilities)
    else:
        kind = raw["type"]
        stays = kind in ("base", "personnel", "ship") or any(
            word in str(raw.get("keywords")) for word in ("persistent", "link")
        )
        forms = ["do"] * (kind in ("event", "mission")) + ["red"] * (kind != "base")
        forms += ["cost", "cost", "when", "when", "instead of", "always"] * stays
        forms += ["cost"] * (kind in ("event", "mission") and not stays)
        form = rng.choice(forms)
        made = {form: steps(rng)} if form in ("do", "red", "always") else {form: some(rng, values[form])}
        if form in ("cost", "when", "instead of"):
            made["do"] = steps(rng)
            if rng.random() < 0.4 and form != "cost":
                made["may"] = some(rng, [True, *values["may"]])
            if rng.random() < 0.2:
                made["once"] = "each turn"
        if rng.random() < 0.2:
            made["during"] = some(rng, values["during"] + values["while"])
    for _ in range(rng.choice((0, 0, 0, 1, 1, 2))):
        change(rng, made)
    return made


def steps(rng: random.Random, depth: int = 2) -> list[Raw]:
    """Make up what an ability does: steps there are, or verbs with values of other verbs."""
    return [step(rng, depth) for _ in range(rng.choice((1, 1, 2, 3)))]


def step(rng: random.Random, depth: int) -> Raw:
    """Make up one step."""
    values, known, _ = pools()
    kind = rng.random()
    if kind < 0.45:
        return some(rng, known)
    if kind < 0.6 and depth:
        verb = rng.choice(("for", "may", "choose one", "at", "contest"))
        if verb == "choose one":
            return {verb: [steps(rng, depth - 1), steps(rng, depth - 1)]}
        value: Any = {"contest": "mystic value", "may": rng.choice((True, "exhaust", "commit"))}.get(verb)
        return {verb: value or some(rng, values[verb]), "do": steps(rng, depth - 1)}
    verb = rng.choice([verb for verb in WORDS if verb in values])
    made = {verb: some(rng, values[verb])}
    for key in (key for key in keys_of(WORDS[verb]) if key != verb):
        if rng.random() < 0.5 and key in values:
            made[key] = some(rng, values[key])
    return made


def change(rng: random.Random, raw: Any) -> None:
    """Change something somewhere in a card or an ability."""
    places: list[tuple[Any, Any]] = []

    def walk(one: Any) -> None:
        for key in list(one) if isinstance(one, dict) else range(len(one)):
            places.append((one, key))
            if isinstance(one[key], dict | list):
                walk(one[key])

    walk(raw)
    if not places:
        return
    inside, key = rng.choice(places)
    values, known, _ = pools()
    kind = rng.randrange(8)
    if kind == 0:
        inside[key] = some(rng, HOSTILE)
    elif kind == 1 and isinstance(inside, dict):
        inside[rng.choice([*sorted(KEYS), *fields_of(Ability), *forms_of(Ability)])] = inside.pop(key)
    elif kind == 2 and isinstance(inside, dict):
        name = rng.choice(list(values))
        inside[name] = some(rng, values[name])
    elif kind == 3:
        del inside[key]
    elif kind == 4 and isinstance(inside, list):
        inside.insert(key, some(rng, known))
    elif kind == 5 and isinstance(inside[key], str):
        words = inside[key].split()
        others = rng.choice([value for key in ("of", "when", "while", "power") for value in values[key]])
        place = rng.randrange(len(words) + 1)
        words[place : place + rng.randrange(2)] = rng.choice(str(others).split() or ["X"]).split()
        inside[key] = " ".join(words)
    elif key in values:
        inside[key] = some(rng, values[key])


def some(rng: random.Random, pool: Sequence[Any]) -> Any:
    """Take one of ``pool``, as a copy: what is changed afterwards must not change the cases to come."""
    return copy.deepcopy(rng.choice(pool))


# ---------------------------------------------------------------- trying them


def attempt(number: int, folder: Path) -> str:
    """Try case ``number`` with its files in ``folder``; give what became of it, or raise :class:`Find`."""
    home = folder / "made"
    home.mkdir(exist_ok=True)
    for name, data in case(number).items():
        (home / name).write_bytes(data)
    return tried(home, random.Random(f"moves {number}"))


def tried(home: Path, rng: random.Random) -> str:
    """Read the set in ``home`` and play with its cards; "refused", "played" or "endless"."""
    known, _ = ours()
    try:
        with bounded("reading", MOST_READING):
            [made] = read_sets([home], known)
    except CardFileError as error:
        if not error.problems or not all(str(problem).isprintable() for problem in error.problems):
            raise Find(f"refused without a message that can be shown: {error.problems!r}") from error
        return "refused"
    with bounded("wording", MOST_READING):
        for one in made.cards:
            card_text(one)
    with bounded("playing", MOST_PLAYING):
        return played(made, rng)


def played(made: CardSet, rng: random.Random) -> str:
    """Play a short game in which each card of ``made`` lies wherever it can; "played" or "endless"."""
    catalog = Catalog([*ours()[1], *made.cards])
    game = table(made, catalog, rng)
    brought = checks.brought_by(game)
    for move in range(MOVES):
        if game.decision is None:
            break
        try:
            game.choose(chosen(game, made, rng))
        except EngineError as error:
            if error.code != "loop":
                raise
            return "endless"
        if move % LOOKED_AT == 0:
            checks.all_checks(game, brought)
            somebody_leaves(game, brought, move)
        else:
            checks.cards_are_conserved(game, brought)
            checks.pieces_are_in_order(game)
            checks.somebody_can_choose(game)
    return "played"


def somebody_leaves(game: Game, brought: checks.Count, move: int) -> None:
    """Let a player concede in a copy, another one each time: what they have made to last goes on without them."""
    if game.decision is None:
        return
    seats = game.engine.seats()
    aside = game.copy()
    aside.concede(seats[move // LOOKED_AT % len(seats)])
    checks.all_checks(aside, brought)


def chosen(game: Game, made: CardSet, rng: random.Random) -> Option:
    """Return any legal option, mostly one of the cards that were made up, where there is one."""
    assert game.decision is not None
    options = game.decision.options
    ids = {game.engine.catalog.index[card.id] for card in made.cards}
    pieces = {piece.id for piece in game.engine.pieces() if any(card >> 3 in ids for card in piece.cards)}
    theirs = [option for option in options if option.card in ids or option.piece in pieces]
    return rng.choice(theirs if theirs and rng.random() < 0.6 else options)


def table(made: CardSet, catalog: Catalog, rng: random.Random) -> Game:
    """Return a game with the cards of ``made`` in hands, decks and fleets."""
    units = [card.name for card in made.cards if card.is_unit]
    missions = [card for card in made.cards if card.type == "mission"]
    hand = [card.name for card in made.cards if card.type != "base"]
    named = Counter(card.name for card in catalog if card.type == "base")
    bases = [card.name for card in made.cards if named[card.name] == 1 and card.type == "base"]
    usual = rng.choice([name for name, times in named.items() if times == 1 and name not in bases])
    rich = {"base_supplies": 9, "assets": [{"card": USUAL["fill"], "supplies": 6}], "influence": rng.choice((5, 12))}

    def player(mine: bool) -> Raw:
        others = rng.sample([card.name for card in ours()[1] if card.is_unit], 3)
        some = rng.sample([card.name for card in ours()[1] if card.type != "base"], 8)
        linked = [card.name for card in missions if "link" in card.keywords]
        first: Any = {"card": others[0], "linked": linked} if linked else others[0]
        return {
            **rich,
            "hand": [*hand, *hand, *some[:3]],
            "deck": [*hand, *some] * 2,
            "alert": [first, others[1], *units, *(card.name for card in missions)],
            "reserve": [others[2], *units[:1]],
            "persistent": [card.name for card in missions if "persistent" in card.keywords],
            "discard": [*hand, *some[3:6]],
            "base": rng.choice(bases) if bases and mine else usual,
        }

    phase = rng.choice(("execution", "execution", "execution", "cylon", "ready"))
    players = [player(mine) for mine in (True, *rng.choice(((False,), (True,), (True, False))))]
    return position(catalog, *players, phase=phase, turn=2, seed=rng.randrange(1000))


@contextmanager
def bounded(what: str, seconds: float) -> Iterator[None]:
    """Find out if ``what`` takes more than so many seconds of processor time, or does not end at all."""

    def stop(signum: int, frame: object) -> None:
        raise Find(f"{what} hangs")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, HANGING)
    began = time.process_time()
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    taken = time.process_time() - began
    if taken > seconds:
        raise Find(f"{what} took {taken:.1f} seconds of processor time")


def run(numbers: Iterator[int], until: Callable[[], bool], keep: Path | None = None) -> tuple[Counter[str], list[str]]:
    """Try case after case while ``until`` does not say stop; give how often what came out, and the finds."""
    outcomes: Counter[str] = Counter()
    finds: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for number in numbers:
            if until():
                break
            try:
                outcomes[attempt(number, Path(folder))] += 1
            except Exception as error:  # whatever it is: that is what is looked for
                outcomes["found"] += 1
                finds.append(told(number, error))
                if keep is not None:
                    keep.mkdir(parents=True, exist_ok=True)
                    (keep / f"{number}.yaml").write_bytes(case(number)["cards.yaml"])
                    (keep / f"{number}.txt").write_text("".join(traceback.format_exception(error)))
    return outcomes, finds


def told(number: int, error: Exception) -> str:
    """Return a find in one line."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"case {number}: {type(error).__name__}: {str(error)[:200]} ({Path(last.filename).name}:{last.lineno})"


def main() -> int:
    """Run as a program."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--from", dest="first", type=int, default=0, help="the first case")
    parser.add_argument("--cases", type=int, default=10**9, help="how many cases at most")
    parser.add_argument("--keep", type=Path, help="a folder for what is found")
    arguments = parser.parse_args()
    end = time.monotonic() + 60 * arguments.minutes
    began = time.process_time()
    numbers = iter(range(arguments.first, arguments.first + arguments.cases))
    outcomes, finds = run(numbers, lambda: time.monotonic() > end, arguments.keep)
    total = sum(outcomes.values())
    said = ", ".join(f"{count:,} {outcome}" for outcome, count in outcomes.most_common())
    print(f"{total:,} card set files from {arguments.first} on: {said}; {time.process_time() - began:.0f} s of work")
    for find in finds:
        print(find)
    return bool(finds)


if __name__ == "__main__":
    sys.exit(main())
