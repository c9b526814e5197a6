"""Every frame that can be on the agenda can be saved: whatever a game is in the middle of can be kept."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from enum import Enum
from typing import Any

import msgspec.inspect as types
import pytest

import ccg.rules
from ccg.rules import Catalog, Game, saving
from ccg.rules.core.engine import Frame
from tests.rules.tables import start

pytestmark = pytest.mark.pure_only("goes by the declared fields, which a compiled engine has expanded")

for module in pkgutil.walk_packages(ccg.rules.__path__, "ccg.rules."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)


def kinds_of(frame: type[Frame]) -> Iterator[type[Frame]]:
    """Go through all kinds of a frame in the engine."""
    for kind in frame.__subclasses__():
        if kind.__module__.startswith("ccg."):
            yield kind
            yield from kinds_of(kind)


KINDS = sorted(set(kinds_of(Frame)), key=lambda kind: kind.__qualname__)
GENERAL = [kind for kind in KINDS if kind.__subclasses__()]
"""What several kinds have in common."""
HAPPENING = [kind for kind in KINDS if kind not in GENERAL]
LONGER = [kind for kind in HAPPENING if getattr(kind, "__struct_fields__", ())]


def made_up(wanted: types.Type, full: bool) -> Any:
    """Return a value of a type: the emptiest that there is, or one with something everywhere."""
    match wanted:
        case types.IntType():
            return 3 if full else 0
        case types.BoolType():
            return full
        case types.StrType():
            return "word" if full else ""
        case types.LiteralType(values=values):
            return values[-1 if full else 0]
        case types.NoneType():
            return None
        case types.EnumType(cls=cls):
            members: list[Enum] = list(cls)
            return members[-1 if full else 0]
        case types.ListType(item_type=item):
            return [made_up(item, full)] if full else []
        case types.VarTupleType(item_type=item):
            return (made_up(item, full),) if full else ()
        case types.TupleType(item_types=items):
            return tuple(made_up(item, full) for item in items)
        case types.UnionType(types=alternatives):
            return made_up(_alternative(alternatives, full), full)
        case types.StructType(cls=struct, fields=fields):
            return struct(**{field.name: made_up(field.type, full) for field in fields})
    raise AssertionError(f"say here how to make up a {wanted}")


def _alternative(alternatives: tuple[types.Type, ...], full: bool) -> types.Type:
    """Nothing at all is the emptiest; else the last that is something."""
    nothing = [one for one in alternatives if isinstance(one, types.NoneType)]
    something = [one for one in alternatives if not isinstance(one, types.NoneType)]
    return nothing[0] if nothing and not full else something[-1]


@pytest.fixture(scope="module")
def game(catalog: Catalog) -> Game:
    return start(catalog)


def test_there_are_frames() -> None:
    assert len(HAPPENING) > 40
    assert all(kind.run is not Frame.run for kind in HAPPENING)


@pytest.mark.parametrize("kind", HAPPENING, ids=lambda kind: kind.__name__)
def test_every_frame_is_among_those_that_are_read_back(kind: type[Frame]) -> None:
    assert kind in saving.FRAMES, (
        f"{kind.__name__} of {kind.__module__} cannot be saved: frames belong into a module of ccg/rules/rulebook"
    )


def test_nothing_else_is_read_back() -> None:
    assert set(saving.FRAMES) <= set(KINDS) - set(GENERAL)
    assert len(saving.FRAMES) == len({kind.__name__ for kind in saving.FRAMES})


@pytest.mark.parametrize("full", [False, True], ids=["empty", "full"])
@pytest.mark.parametrize("kind", HAPPENING, ids=lambda kind: kind.__name__)
def test_every_frame_comes_back_as_it_was_saved(game: Game, kind: type[Frame], full: bool) -> None:
    frame = made_up(types.type_info(kind), full)
    kept = game.copy()
    kept.engine.state.agenda.append(frame)
    data = kept.save()

    for other in (Game.load(data, game.engine.catalog), kept.copy()):
        back = other.engine.state.agenda[-1]
        assert type(back) is kind
        assert back == frame
        assert other.save() == data


@pytest.mark.parametrize("kind", LONGER, ids=lambda kind: kind.__name__)
def test_the_two_values_of_a_frame_differ(kind: type[Frame]) -> None:
    assert made_up(types.type_info(kind), full=True) != made_up(types.type_info(kind), full=False)
