"""Card texts that would trap a table: each is refused by the importer in plain words, or ends by rule."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from cards_data.checking import Checked, check
from ccg.rules import Catalog, EngineError, Game
from ccg.rules.authoring import endless
from tests.cards_data.bad_files import known
from tests.rules.tables import keys, position

FOLDER = Path(__file__).parent
FACTS: dict[str, dict[str, Any]] = {
    "base": {"power": 3, "influence": 10, "hand": 5, "produces": "logistics"},
    "ship": {"cost": {"logistics": 1}, "power": 2, "threat": 1, "mystic": 1, "produces": "logistics"},
    "personnel": {"cost": {"security": 1}, "power": 2, "threat": 1, "mystic": 1, "produces": "security"},
    "event": {"cost": {}, "threat": 1, "mystic": 1},
    "mission": {"threat": 1, "mystic": 1},
}


class Trap(msgspec.Struct, forbid_unknown_fields=True):
    """Cards whose text would trap a table, and what becomes of them."""

    name: str
    cards: list[dict[str, Any]]
    says: list[str] = []
    held: bool = False
    stopped: str = ""
    copies: int = 2


TRAPS = msgspec.convert(yaml.safe_load((FOLDER / "traps.yaml").read_text(encoding="utf-8")), list[Trap])
REFUSED = [trap for trap in TRAPS if trap.says]
LET_IN = [trap for trap in TRAPS if not trap.says]
MOST_CHOICES = 600
"""Choices after which a phase has not ended by itself; the greediest text here needs 150."""


def checked(trap: Trap, folder: Path) -> Checked:
    """Return the importer's answer to a set of the cards of ``trap``."""
    cards = []
    for number, card in enumerate(trap.cards, start=1):
        kind = card.get("type", "ship")
        named = {"number": number, "title": f"Trap {number}", "type": kind, "rarity": "common"}
        cards.append({**named, **deepcopy(FACTS[kind]), **card})
    path = folder / "traps.yaml"
    head = {"code": "TST", "name": "Test Set", "year": 2030}
    path.write_text(yaml.safe_dump({"set": head, "cards": cards}, sort_keys=False), encoding="utf-8")
    return check([path], known())


@pytest.mark.parametrize("trap", REFUSED, ids=lambda trap: trap.name)
def test_a_text_that_plainly_goes_on_for_ever_is_refused(trap: Trap, tmp_path: Path) -> None:
    said = [str(problem) for problem in checked(trap, tmp_path).problems]

    assert said
    for words in trap.says:
        assert any(words in line for line in said), said
    assert all("Trap 1" in line for line in said)


def test_what_goes_on_for_ever_together_is_named_with_its_file_and_line(tmp_path: Path) -> None:
    [problem] = checked(next(trap for trap in TRAPS if trap.name == "two copies ready each other"), tmp_path).problems

    assert str(problem).startswith("traps.yaml, card 1 Trap 1 (line 6): two of it put back each other's cost")


def played_greedily(game: Game) -> str:
    """Let Ana do all she can in this phase, while Ben does nothing; return the code with which a move was stopped."""
    stopped = ""
    for _ in range(MOST_CHOICES):
        decision = game.decision
        if decision is None or game.engine.phase != "execution" or game.engine.state.turn > 1:
            return stopped
        offered = [key for key in keys(game) if key.startswith(("use", "yes", "choose", "pay"))]
        for key in [*(offered if decision.seat == 0 else ()), keys(game)[-1], None]:
            if key is None:
                return stopped  # nothing can be done but concede
            try:
                game.choose(key)
                break
            except EngineError as error:
                stopped = error.code
    raise AssertionError("the phase does not end")


@pytest.mark.parametrize("trap", LET_IN, ids=lambda trap: trap.name)
def test_a_text_that_is_let_in_ends_by_rule_however_greedily_it_is_played(trap: Trap, tmp_path: Path) -> None:
    found = checked(trap, tmp_path)
    assert not found.problems
    [made] = found.sets[0].cards
    catalog = Catalog([*(card for one in known() for card in one.cards), made])
    ana = {"base": "BSG1-004", "fill": "Raptor 227", "influence": 10, "alert": [made.name] * trap.copies}
    game = position(catalog, ana, {**ana, "alert": []}, phase="execution", first="Ana")

    assert played_greedily(game) == trap.stopped


def test_there_are_many_of_them_and_each_is_of_its_own() -> None:
    assert len({trap.name for trap in TRAPS}) == len(TRAPS) >= 50
    assert len({str(trap.cards) for trap in TRAPS}) == len(TRAPS)


def test_no_card_of_ours_is_taken_for_one_that_goes_on_for_ever() -> None:
    cards = [card for one in known() for card in one.cards]

    assert len(cards) == 351
    assert list(endless.rounds(cards, cards)) == []


def test_what_could_be_read_is_looked_at_in_the_same_round_as_what_could_not(tmp_path: Path) -> None:
    facts = {"type": "ship", "rarity": "common", **FACTS["ship"]}
    ready = {"cost": "commit", "do": [{"ready": "target unit"}]}
    cards = [
        {"number": 1, "title": "Slip", **facts, "pwer": 2},
        {"number": 2, "title": "Trap", **facts, "abilities": [ready]},
        {
            "number": 3,
            "title": "Stranger",
            **facts,
            "abilities": [{"cost": "commit", "do": [{"ready": "target wombat"}]}],
        },
    ]
    folder = tmp_path / "tst"
    (folder / "scenarios").mkdir(parents=True)
    (folder / "set.yaml").write_text("{code: TST, name: Test Set, year: 2030}", encoding="utf-8")
    (folder / "ships.yaml").write_text(yaml.safe_dump(list(map(deepcopy, cards)), sort_keys=False), encoding="utf-8")
    (folder / "scenarios" / "slip.yaml").write_text("scenario: no table, no story\n", encoding="utf-8")

    found = check([folder], known())

    said = [str(problem) for problem in found.problems]
    for words in ("Slip", "wombat", "two of it put back each other's cost", "slip.yaml"):
        assert sum(words in line for line in said) == 1, said
    assert found.scenarios == []
