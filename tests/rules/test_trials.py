"""Trials of new cards: whatever they do, it is told and never raised, and no game goes on for ever."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from ccg.rules import CardDef, Catalog
from ccg.rules.effects.language import read_ability
from ccg.rules.soak import trials
from ccg.rules.soak.trials import TrialReport, trial
from tests.rules.tables import keys, position

COUNTED = ("unit", "ship", "personnel", "alert unit", "Fighter", "Pilot")


def made_up(number: int, *texts: dict[str, object], **facts: object) -> CardDef:
    """A free personnel with these abilities."""
    said = {"type": "personnel", "subtitle": f"New {number}", "power": 1, "threat": 1, "mystic": 2, **facts}
    said = {"produces": "persuasion", **said} if said["type"] == "personnel" else said
    return CardDef(id=f"NEW-{number:03}", abilities=tuple(read_ability(text) for text in texts), **said)  # type: ignore[arg-type]


def tried(catalog: Catalog, *cards: CardDef, games: int = 3, seed: int = 1, start: int = 0) -> TrialReport:
    """The last report of a trial of ``cards`` together with all others."""
    *_, last = trial(Catalog([*catalog, *cards]), [card.id for card in cards], games, seed, start)
    return last


def test_a_report_is_given_after_each_game_and_stays_as_it_is(catalog: Catalog) -> None:
    reports = list(trial(catalog, ["BSG1-004", "BSG1-099", "BSG1-027"], 4, 7))

    assert [report.games for report in reports] == [1, 2, 3, 4]
    assert [report.choices for report in reports] == sorted({report.choices for report in reports})
    assert set(reports[-1].uses) == {"BSG1-004", "BSG1-099", "BSG1-027"}
    assert all(reports[-1].uses.values())
    assert not reports[-1].never_played


@pytest.mark.slow
def test_slices_make_up_the_whole(catalog: Catalog) -> None:
    cards = [card.id for card in catalog][40:60]
    *_, whole = trial(catalog, cards, 4, 3)
    *_, one = trial(catalog, cards, 2, 3)
    *_, two = trial(catalog, cards, 2, 3, start=2)

    assert TrialReport().merge(one).merge(two) == whole
    assert msgspec.json.decode(msgspec.json.encode(one), type=TrialReport).merge(two) == whole
    assert set(whole.never_played) <= set(one.never_played)


def test_what_is_never_used_is_named(catalog: Catalog) -> None:
    dear = made_up(1, {"cost": "commit", "do": [{"draw": 1}]}, cost=(30, 0, 0))
    idle = made_up(2, {"when": "a Nobody enters play", "do": [{"draw": 1}]}, {"cost": "commit", "do": [{"gain": 1}]})
    report = tried(catalog, dear, idle)

    assert report.never_played == ["NEW-001"]
    assert report.unused == [("NEW-001", "action 1"), ("NEW-002", "trigger 1")]
    assert report.uses["NEW-001"] == 0
    assert report.uses["NEW-002"] > 0
    assert not report.broken


def test_a_loop_is_a_crash_that_names_the_card(catalog: Catalog) -> None:
    loop = made_up(3, {"when": "you reveal a mystic value", "do": [{"x": "revealed mystic value"}]})
    report = tried(catalog, loop, games=4)

    assert report.broken
    assert report.games == 4
    assert {crash.what for crash in report.crashes} == {"EngineError in engine.advance"}
    assert all(crash.cards == ["NEW-003"] for crash in report.crashes)
    assert all("New 3" in crash.message for crash in report.crashes)


def test_a_text_that_asks_for_itself_is_a_crash(catalog: Catalog) -> None:
    circle = made_up(4, {"always": [{"power": "+1 for each unit with power 2 or less", "of": "each unit"}]})
    report = tried(catalog, circle)

    assert report.broken == 3
    assert all("ask for themselves" in crash.message for crash in report.crashes)
    assert all(crash.cards == ["NEW-004"] for crash in report.crashes)
    assert report.crashes[0].choices > 0


def test_a_game_that_does_not_end_is_cut_off(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "MOST_CHOICES", 40)
    report = tried(catalog, made_up(5))

    assert report.endless == 3
    assert report.choices == 120
    assert not report.broken


def test_cards_that_cannot_be_compiled_are_told(catalog: Catalog) -> None:
    report = tried(catalog, made_up(6, {"cost": "commit", "do": [{"defeat": "target wombat"}]}))

    assert report.broken == report.games == 3
    assert "wombat" in report.crashes[0].message


def test_a_new_base_is_played_from(catalog: Catalog) -> None:
    base = made_up(
        7, {"cost": "exhaust", "do": [{"draw": 1}]}, type="base", title="Hull", power=4, produces="logistics", hand=4,
        influence=9,
    )  # fmt: skip
    report = tried(catalog, base)

    assert report.uses["NEW-007"] > 6
    assert not report.unused


@pytest.mark.parametrize(("targets", "playable"), [(11, True), (12, False)])
def test_impossible_targets_are_given_up_on_quickly(catalog: Catalog, targets: int, playable: bool) -> None:
    """There are eleven other units; to look for a twelfth in every order of them would take 40 million tries."""
    many = made_up(8, {"cost": [], "do": [{"ready": "target other unit"}] * targets})
    ana = {"base": "Captain's Quarters", "alert": ["New 8"], "reserve": ["Colonial Shuttle"] * 11}
    game = position(Catalog([*catalog, many]), ana, {}, first="Ana")

    assert any(key.startswith("use") for key in keys(game)) == playable


@pytest.mark.parametrize("cards", [1, 2, 6, 7, 18, 40, 351])
def test_each_new_card_is_seen_in_twenty_games(cards: int) -> None:
    ids = [f"NEW-{number:03}" for number in range(cards)]
    games = trials.games_needed(cards)
    seen = Counter(card for number in range(games) for card in trials._about(ids, 7, number))

    assert games >= 60
    assert set(seen) == set(ids)
    assert min(seen.values()) >= trials.SEEN


def test_a_game_in_which_players_give_up_counts_as_not_ended(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "PATIENCE", 30)
    report = tried(catalog, made_up(5))

    assert (report.unfinished, report.endless, report.broken) == (3, 0, 0)


@pytest.mark.slow
def test_a_loop_that_the_rules_end_is_told_with_its_card(catalog: Catalog) -> None:
    report = tried(catalog, made_up(8, {"cost": "commit", "do": [{"ready": "all units you control"}]}), games=6)

    assert not report.broken
    assert {odd.what for odd in report.oddities} == {"loop"}
    assert all(odd.cards == ["NEW-008"] for odd in report.oddities)


def test_a_game_with_decisions_that_take_much_work_names_its_card(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trials, "SLOW", 600)
    texts = ({"always": [{"power": f"1 for each {what}", "of": "all units"}]} for what in COUNTED)
    counting = made_up(9, *texts, title="New 9", subtitle="")
    report = tried(catalog, counting, games=6)

    assert not report.broken
    assert {odd.what for odd in report.oddities} == {"slow"}
    assert all(odd.cards == ["NEW-009"] for odd in report.oddities)
    assert "questions to the texts in play" in report.oddities[0].message
