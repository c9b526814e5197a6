"""The compiled engine: how records are expanded, how a build is found, and that it plays as pure Python does."""

from __future__ import annotations

import builtins
import copy
import gc
import importlib
import importlib.util
import inspect
import math
import os
import pkgutil
import random
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from mypy_extensions import mypyc_attr

import ccg.rules
from ccg import native
from ccg.native import building, native_data
from ccg.native.expanding import Expanded, Expander, with_acyclic_bases
from ccg.rules import Catalog, Game, core
from ccg.rules.soak import dealing
from tests.conftest import cannot_run

MADE_UP = '''
"""A module with records."""

from __future__ import annotations

from enum import IntEnum

from ccg.rules.core.data import Data, Fixed


class Suit(IntEnum):
    RED = 1
    BLUE = 2


class Card(Data):
    """One card."""

    number: int
    name: str = "nobody"
    suit: Suit = Suit.RED
    """Its suit."""

    @property
    def shown(self) -> str:
        return f"{self.name} {self.number}"


class Hand(Data, kw_only=True):
    cards: list[Card] = []
    best: Card | None = None
    rows: list[list[int]] = []
    pair: tuple[int, str] = (0, "")


class Move(Fixed, frozen=True):
    verb: str
    card: int = -1

    def fails(self) -> None:
        raise RuntimeError(self)
'''

OPEN = '''
"""A module with a class of which there are subclasses elsewhere."""

from __future__ import annotations

from ccg.rules.core.data import extended


@extended
class Rule:
    pass
'''


def module_of(path: Path, source: str) -> ModuleType:
    """Return ``source`` as a module, imported from a file as Python needs it to tell types."""
    path.write_text(textwrap.dedent(source))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def expanded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Expanded]:
    """The module above as it is handed to the compiler, imported by Python, and its text."""
    put(monkeypatch, pure := pure_data())
    module = module_of(tmp_path / "made_up.py", MADE_UP)
    readable = frozenset({module.Hand})
    made = Expander(pure, readable).expand(module, MADE_UP)
    put(monkeypatch, native_data)
    monkeypatch.setattr(builtins, "_mypyc_attr", mypyc_attr, raising=False)  # mypyc takes it out
    return module_of(tmp_path / "made_up_expanded.py", made.text), made


def put(monkeypatch: pytest.MonkeyPatch, data: ModuleType) -> None:
    """Let modules that are imported now have records of ``data``'s form."""
    monkeypatch.setitem(sys.modules, "ccg.rules.core.data", data)
    monkeypatch.setattr(core, "data", data)


def pure_data() -> ModuleType:
    """Return the records of pure Python, whichever engine is tested."""
    spec = importlib.util.spec_from_file_location("ccg.rules.core.data", native.DATA)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


Made = tuple[Any, Expanded]


def test_records_are_built_by_place_by_name_and_with_what_is_usual(expanded: Made) -> None:
    module, _ = expanded
    card = module.Card(3, suit=module.Suit.BLUE)

    assert (card.number, card.name, card.suit) == (3, "nobody", module.Suit.BLUE)
    assert card.shown == "nobody 3", "methods stay"
    assert repr(card) == "Card(number=3, name='nobody', suit=<Suit.BLUE: 2>)"
    assert module.Hand().cards is not module.Hand().cards, "each record has lists of its own"
    with pytest.raises(TypeError):
        module.Card()
    with pytest.raises(TypeError):
        module.Hand([card])


def test_records_are_equal_field_by_field(expanded: Made) -> None:
    module, _ = expanded

    assert module.Card(3) == module.Card(3)
    assert module.Card(3) != module.Card(4)
    assert module.Card(3) != module.Move("3")
    assert len({module.Move("play", 4), module.Move("play", 4)}) == 1
    with pytest.raises(TypeError):
        hash(module.Card(3))


def test_a_twin_shares_nothing_that_changes(expanded: Made) -> None:
    module, _ = expanded
    hand = module.Hand(cards=[module.Card(1)], best=module.Card(2), rows=[[1], [2, 3]])
    twin = hand.twin()
    assert twin == hand

    twin.cards[0].number = 7
    twin.best.name = "somebody"
    twin.rows[0].append(9)
    assert hand == module.Hand(cards=[module.Card(1)], best=module.Card(2), rows=[[1], [2, 3]])


def test_what_is_saved_is_what_pure_python_saves(
    expanded: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, _ = expanded
    with monkeypatch.context() as patch:
        put(patch, data := pure_data())
        pure: Any = module_of(tmp_path / "made_up.py", MADE_UP)

    def hand(made: Any) -> Any:
        cards = [made.Card(1, "one", made.Suit.BLUE), made.Card(2)]
        return made.Hand(cards=cards, best=made.Card(5), rows=[[], [4]], pair=(1, "x"))

    saved = native_data.encode(hand(module))
    assert saved == data.encode(hand(pure))
    assert native_data.Reader[Any](module.Hand).read(saved) == hand(module)
    assert data.Reader(pure.Hand).read(saved) == hand(pure)


@pytest.mark.parametrize(
    ("place", "wrong"),
    [
        (0, "cards"), (0, [[1, "one"]]), (0, [["1", "one", 1]]), (0, [[1, 1, 1]]), (0, [[1, "one", 3]]), (1, 5),
        (2, [4]), (2, [[True]]), (3, [1]), (3, ["x", 1]),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_not_read(expanded: Made, place: int, wrong: object) -> None:
    module, _ = expanded
    plain: list[object] = [[[1, "one", 1]], None, [[1]], [1, "x"]]
    reader = native_data.Reader[Any](module.Hand)
    assert reader.read(packed(plain)) == module.Hand(cards=[module.Card(1, "one")], rows=[[1]], pair=(1, "x"))

    plain[place] = wrong
    with pytest.raises(ValueError, match=r"fit|expected"):
        reader.read(packed(plain))


def packed(plain: object) -> bytes:
    """Return ``plain`` as a file would have it."""
    import msgspec

    return msgspec.msgpack.encode(plain)


def test_a_record_can_be_changed_and_copied_as_python_does(expanded: Made) -> None:
    module, _ = expanded
    move = module.Move("play", 4)

    assert native_data.changed(move, card=5) == module.Move("play", 5)
    assert copy.deepcopy(module.Hand(cards=[module.Card(1)])) == module.Hand(cards=[module.Card(1)])


def test_lines_are_those_of_the_source(expanded: Made) -> None:
    _, made = expanded
    source, text = MADE_UP.split("\n"), made.text.split("\n")

    place = text.index("        raise RuntimeError(self)") + 1
    assert source[made.lines[place] - 1] == "        raise RuntimeError(self)"
    assert len(made.lines) >= len(text)


def test_records_are_left_to_reference_counts(expanded: Made) -> None:
    _, made = expanded

    assert "@_mypyc_attr(free_list_len=1, acyclic=True)\nclass Card(" in made.text
    assert "@_mypyc_attr(acyclic=True)\nclass Data(" in with_acyclic_bases(Path(native_data.__file__).read_text())


def test_a_game_leaves_nothing_to_the_garbage_collector(catalog: Catalog) -> None:
    rng = random.Random(5)
    for _ in range(2):  # what is made once for all games is there, and what was kept of another test's cards is gone
        play_some(catalog, rng)
        gc.collect()
    play_some(catalog, rng)

    assert gc.collect() == 0


def play_some(catalog: Catalog, rng: random.Random) -> None:
    game = Game.start(dealing.seats("starter", 2, catalog, rng), catalog, b"no cycles")
    for _ in range(100):
        if game.decision is not None:
            game.choose(rng.choice(game.decision.options))


def test_a_class_with_subclasses_elsewhere_is_marked_for_mypyc_and_needs_no_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, pure := pure_data())
    made = Expander(pure, frozenset()).expand(module_of(tmp_path / "open.py", OPEN), OPEN)

    assert "@_mypyc_attr(allow_interpreted_subclasses=True)\nclass Rule:" in made.text
    assert "if _TYPE_CHECKING:\n    from mypy_extensions" in made.text


@pytest.mark.pure_only("reads the sources of classes")
def test_every_compiled_class_with_subclasses_elsewhere_is_marked() -> None:
    compiled = {".".join(path.relative_to(native.ROOT).with_suffix("").parts) for path in native.sources()}
    missing = set()
    for found in pkgutil.walk_packages(ccg.rules.__path__, "ccg.rules."):
        if found.name in compiled or found.name.endswith("__main__"):
            continue
        for kind in vars(importlib.import_module(found.name)).values():
            if isinstance(kind, type) and kind.__module__ == found.name:
                bases = [base for base in kind.__bases__ if base.__module__ in compiled]
                missing |= {base for base in bases if "@extended" not in inspect.getsource(base)}
    assert not missing, "write @extended above these (ccg/rules/core/data.py), or the engine does not compile"


# ---------------------------------------------------------------- how a build is found


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Rules of one compiled module, and a place for builds, with none yet."""
    (tmp_path / "ccg/rules/core").mkdir(parents=True)
    (tmp_path / "ccg/rules/core/chance.py").write_text("def throw() -> int: ...\n")
    (tmp_path / "ccg/rules/core/told.py").write_text("from msgspec import Struct\nclass Told(Struct):\n    pass\n")
    native_files = Path(native.__file__).parent
    shutil.copytree(native_files, tmp_path / "ccg/native", ignore=shutil.ignore_patterns("__pycache__", "built"))
    monkeypatch.setattr(native, "ROOT", tmp_path)
    monkeypatch.setattr(native, "RULES", tmp_path / "ccg/rules")
    monkeypatch.setattr(native, "BUILDS", (tmp_path / "build",))
    monkeypatch.setattr(native, "__file__", str(tmp_path / "ccg/native/__init__.py"))
    monkeypatch.setattr(sys, "meta_path", [one for one in sys.meta_path if not isinstance(one, native.Finder)])
    monkeypatch.delenv(native.CHOICE, raising=False)
    return tmp_path


def built(folder: Path, module: str = "ccg/rules/core/chance") -> Path:
    """Put what looks like a build of what the sources are now below ``folder``."""
    file = folder / "build" / native.key() / f"{module}{native.SUFFIX}"
    file.parent.mkdir(parents=True)
    file.write_text("compiled")
    made = folder / "build" / native.key()
    (made / "built").write_text(native.listed(made))
    return file


def test_records_of_msgspec_stay_as_they_are(rules: Path) -> None:
    assert [path.name for path in native.sources()] == ["chance.py"]


def test_a_build_is_taken_for_just_the_sources_it_was_made_of(rules: Path) -> None:
    assert native.build() is None
    built(rules)
    assert native.build() == rules / "build" / native.key()

    (rules / "ccg/rules/core/chance.py").write_text("def throw() -> float: ...\n")
    assert native.build() is None
    built(rules)
    (rules / "ccg/native/expanding.py").write_text("")
    assert native.build() is None, "how it is compiled counts as well"


def test_a_build_that_was_broken_off_is_not_taken(rules: Path) -> None:
    built(rules)
    (rules / "build" / native.key() / "built").unlink()
    assert native.build() is None


def test_a_build_of_which_something_is_missing_is_not_taken(rules: Path) -> None:
    file = built(rules)
    assert native.build() is not None
    file.write_text("comp")
    assert native.build() is None, "cut off"
    file.unlink()
    assert native.build() is None, "lost"


def test_modules_are_found_where_they_are_compiled(rules: Path) -> None:
    file = built(rules)
    finder = native.Finder(rules / "build" / native.key())

    spec = finder.find_spec("ccg.rules.core.chance")
    assert spec is not None
    assert spec.origin == str(file)
    assert finder.find_spec("ccg.rules.core.told") is None


def test_a_build_is_used_where_there_is_one(rules: Path) -> None:
    native.use()
    assert native.running() == "pure"
    built(rules)
    native.use()
    native.use()
    assert native.running() == "compiled"
    assert isinstance(sys.meta_path[0], native.Finder)
    assert not isinstance(sys.meta_path[1], native.Finder)


def test_pure_python_can_be_chosen(rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built(rules)
    monkeypatch.setenv(native.CHOICE, "pure")
    native.use()
    assert native.running() == "pure"


def test_whoever_insists_on_the_compiled_engine_is_told_what_to_do(
    rules: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(native.CHOICE, "compiled")
    with pytest.raises(ImportError, match=r"python -m ccg\.native"):
        native.use()


def test_a_wrong_choice_is_refused(rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(native.CHOICE, "fast")
    with pytest.raises(ImportError, match="neither pure nor compiled"):
        native.use()


def test_only_the_newest_builds_are_kept(rules: Path) -> None:
    for number in range(6):
        mark = rules / "build" / str(number) / "built"
        mark.parent.mkdir(parents=True)
        mark.touch()
        os.utime(mark, (number, number))
    building.forget(rules / "build")
    assert sorted(path.name for path in (rules / "build").iterdir()) == ["2", "3", "4", "5"]


def test_where_there_is_no_c_compiler_pure_python_is_good_enough(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    assert building.main(["--if-possible"]) == 0
    assert "pure Python" in capsys.readouterr().out


def test_a_build_is_given_up_in_time(tmp_path: Path) -> None:
    run = building.Run(tmp_path, end=0.0)
    with pytest.raises(building.BuildError, match="too long"):
        run([sys.executable, "-c", "import time; time.sleep(60)"], "refused")


def test_what_a_compiler_says_is_told(tmp_path: Path) -> None:
    run = building.Run(tmp_path, end=math.inf)
    with pytest.raises(building.BuildError, match=r"refused:\nno such thing"):
        run([sys.executable, "-c", "import sys; sys.exit('no such thing')"], "refused:")


COUNTED = "int half(int n) { return n % 2 ? 0 : n / 2; }"
USED = "import ctypes, pathlib, sys; ctypes.CDLL(next(pathlib.Path(sys.argv[1]).rglob('*.*so'))).half(6)"


@pytest.mark.parametrize(("games", "counts"), [(USED, True), ("", False), ("raise SystemExit('no such card')", False)])
def test_only_a_library_that_was_played_with_has_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], games: str, counts: bool
) -> None:
    if building.c_compiler()[:1] not in (["gcc"], ["x86_64-linux-gnu-gcc"]):
        cannot_run("only gcc is known to count")
    (tmp_path / "half.c").write_text(COUNTED)
    monkeypatch.setattr(building, "GAMES", games)
    libraries = [building.Library("half", ["half.c"], ["-fPIC"])]

    assert building._count(building.Run(tmp_path, math.inf), libraries, tmp_path / "counting" / "key") == counts
    assert ("without a profile. The games failed" in capsys.readouterr().err) == ("raise" in games)


# ---------------------------------------------------------------- it plays the same games

PLAYED = """
import hashlib, random
import msgspec
import ccg.rules
from ccg import native
from ccg.rules import Game
from ccg.rules.authoring.card_files import read_catalog
from ccg.rules.soak import dealing

catalog, rng, told, choices = read_catalog(), random.Random(11), hashlib.sha256(), 0
for number, (kind, players) in enumerate([("starter", 2), ("legal", 2), ("nonsense", 3), ("legal", 4)] * 4):
    game = Game.start(dealing.seats(kind, players, catalog, rng), catalog, b"%d" % number)
    end = choices + 400
    while (decision := game.decision) is not None and choices < end:
        events = game.choose(rng.choice(decision.options))
        choices += 1
        keys = [game.key(option) for option in decision.options]
        views = [game.view(seat) for seat in range(players)] if choices % 10 == 0 else []
        told.update(msgspec.msgpack.encode([keys, events, game.save(), views]))
print(native.running(), choices, told.hexdigest())
"""


@pytest.mark.slow
def test_the_same_games_are_played_byte_for_byte() -> None:
    if not building.c_compiler():
        cannot_run("there is no C compiler, so the engine was not compiled")
    if importlib.util.find_spec("mypyc") is None or importlib.util.find_spec("setuptools") is None:
        cannot_run("there is no mypyc, so the engine was not compiled (requirements-dev.lock brings it)")
    subprocess.run([sys.executable, "-m", "ccg.native"], cwd=native.ROOT, check=True, capture_output=True)
    told = {}
    for engine in ("compiled", "pure"):
        environment = {**os.environ, native.CHOICE: engine}
        done = subprocess.run(
            [sys.executable, "-c", PLAYED], cwd=native.ROOT, env=environment, check=True, capture_output=True, text=True
        )
        running, choices, told[engine] = done.stdout.split()
        assert running == engine
        assert int(choices) > 1000
    assert told["compiled"] == told["pure"]
