"""``manage.py import_set``: what it takes, dry runs, simulated games, whose import it is."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command

from cards_data import catalog, isolated, proposals
from cards_data.imports import import_sets
from cards_data.isolated import Done
from cards_data.models import AuditEntry, Card, DataVersion
from ccg.rules.authoring.card_files import CardFileError
from ccg.rules.soak.trials import Crash, TrialReport
from tests.cards_data.archives import GOOD, WHOLE, archive, zipped
from tests.cards_data.conftest import APOLLO, BASE, RAPTOR, WriteSet

pytestmark = pytest.mark.django_db


def command(*paths: Path, **options: Any) -> str:
    out = StringIO()
    call_command("import_set", *paths, stdout=out, **{"games": 0, **options})
    return out.getvalue()


def last() -> tuple[str, str, dict[str, Any]]:
    entry = AuditEntry.objects.latest("id")
    return entry.who, entry.what, entry.detail


@pytest.fixture
def old(write_set: WriteSet) -> None:
    """Version 1, with a base, so that games can be played."""
    import_sets([write_set("OLD", cards=APOLLO.replace("Apollo", "Helo") + BASE)])


def test_a_file_a_zip_and_a_folder_are_the_same(tmp_path: Path, write_set: WriteSet) -> None:
    file, packed, folder = tmp_path / "whole.yaml", tmp_path / "tst.zip", write_set(cards=APOLLO)
    file.write_text(WHOLE)
    packed.write_bytes(zipped(folder))
    assert "new cards: 1" in command(file)
    assert "Nothing changed: all 1 cards are stored already." in command(packed)
    assert "Nothing changed: all 1 cards are stored already." in command(folder)
    assert "TST-01" in catalog.current()


def test_several_paths_are_one_import(tmp_path: Path, write_set: WriteSet) -> None:
    packed = tmp_path / "tst.zip"
    packed.write_bytes(archive(GOOD))
    command(packed, write_set("OTH", cards=RAPTOR))
    assert catalog.current_number() == 1
    assert catalog.current().ids == ("OTH-02", "TST-01")


def test_problems_of_all_files_are_told_together(tmp_path: Path, write_set: WriteSet) -> None:
    bad, strange = tmp_path / "bad.zip", tmp_path / "strange.yaml"
    bad.write_bytes(archive([*GOOD, ("../x.yaml", "x")]))
    strange.write_bytes(b"\xff\xfe")
    with pytest.raises(CommandError) as caught:
        command(bad, strange)
    said = str(caught.value)
    assert said.startswith("2 problems found; nothing was imported.\n")
    assert "leads out of the archive" in said
    assert "strange.yaml: not UTF-8" in said
    assert last() == ("command line", "refused", {"paths": f"{bad}, {strange}", "problems": 2})


@pytest.mark.usefixtures("old")
def test_a_dry_run_tells_everything_and_changes_nothing(write_set: WriteSet) -> None:
    command(write_set(cards=APOLLO + RAPTOR))
    changed = APOLLO.replace("power: 2", "power: 4") + "  abilities: [{cost: commit, do: [{ready: target ship}]}]\n"
    before = [list(model.objects.values()) for model in (Card, DataVersion)]
    said = command(write_set(cards=changed), dry_run=True)
    assert "new cards: 0, changed: 1, unchanged: 0" in said
    assert "withdrawn (kept for old decks), 1 card of TST: TST-02" in said
    assert "say --remove 1. Nothing was changed." in said
    assert "    power:\n    - 2\n    + 4\n" in said
    assert "    + - cost: commit\n    +   do:\n    +   - ready: target ship\n" in said
    assert "decks with a card that changes or goes: 0" in said
    assert said.endswith("This was a dry run: nothing was imported.\n")
    assert [list(model.objects.values()) for model in (Card, DataVersion)] == before
    assert last()[1:] == ("checked", {"paths": str(write_set(cards=changed)), "dry_run": True})


@pytest.mark.usefixtures("all_cards")
@pytest.mark.parametrize("remove", [None, 163, 1])
def test_a_file_with_the_wrong_set_code_meets_a_wall(write_set: WriteSet, remove: int | None) -> None:
    """Their own set, called BSG2 by mistake: all of BSG2 would be taken out, and one line in forty says so."""
    wrong = write_set("BSG2", "code: BSG2\nname: Ours\nyear: 2030\n", cards=APOLLO.replace("number: 1", "number: 900"))
    number = len([card for card in catalog.current() if card.id.startswith("BSG2-")])
    with pytest.raises(CommandError) as caught:
        command(wrong, **({} if remove is None else {"remove": remove}))
    said = str(caught.value)
    assert f"would take {number} cards of BSG2 out" in said
    assert f"wrong set code, mend it; if they shall go, say --remove {number}." in said
    assert (number, catalog.current_number(), last()[1]) == (164, 1, "refused")
    assert "This is data version 2" in command(wrong, remove=number)


@pytest.mark.usefixtures("all_cards")
def test_a_file_with_the_code_of_a_set_that_others_reprint_is_told_so(write_set: WriteSet) -> None:
    """Called BSG1 by mistake, their set would take out cards that BSG1L reprints."""
    head = "code: BSG1\nname: Ours\nyear: 2030\n"
    wrong = write_set("BSG1", head, cards=APOLLO.replace("number: 1", "number: 900"))
    with pytest.raises(CommandError) as caught:
        command(wrong, remove=400)
    said = str(caught.value)
    assert "BSG1L-02 reprints BSG1-100, which would not be there any more" in said
    assert "mend the set code of the new ones if it is wrong" in said


@pytest.mark.usefixtures("old")
def test_a_wall_that_grows_meanwhile_is_one_again(write_set: WriteSet) -> None:
    """What was said of the cards as they were is not said of those that somebody else has brought in since."""
    command(write_set(cards=APOLLO))
    proposal = proposals.of_paths([write_set(cards=RAPTOR)], catalog.data())
    command(write_set(cards=APOLLO + RAPTOR.replace("number: 2", "number: 3").replace("Raptor 9", "Raptor 10")))
    with pytest.raises(CardFileError, match="would take 2 cards of TST out"):
        import_sets([write_set(cards=RAPTOR)], proposal=proposal, removing=1)
    assert catalog.current_number() == 3


@pytest.mark.usefixtures("old")
def test_games_are_played_with_what_is_new(write_set: WriteSet) -> None:
    said = command(write_set(cards=APOLLO), games=2)
    assert "simulated games: 2 of 2" in said
    assert "This is data version 2" in said
    assert "simulated games" not in command(write_set(cards=APOLLO), games=2)


@pytest.mark.usefixtures("old")
def test_games_that_break_stand_in_the_way(write_set: WriteSet, monkeypatch: pytest.MonkeyPatch) -> None:
    crash = Crash(1, 0, 2, 9, "KeyError in there", "KeyError: 'x'", ["TST-01"])
    report = TrialReport(games=2, broken=1, endless=1, crashes=[crash], uses={"TST-01": 0})
    monkeypatch.setattr(isolated, "run", lambda *request: Done([report]))
    with pytest.raises(CommandError) as caught:
        command(write_set(cards=APOLLO), games=2)
    assert str(caught.value).splitlines() == [
        "2 problems found; nothing was imported.",
        "  game 0 broke (TST-01): KeyError: 'x'",
        "  1 of 2 games did not come to an end",
    ]
    assert (catalog.current_number(), last()[1]) == (1, "refused")


@pytest.mark.usefixtures("old")
def test_cards_that_no_game_saw_are_named(write_set: WriteSet, monkeypatch: pytest.MonkeyPatch) -> None:
    report = TrialReport(games=2, uses={"TST-01": 0}, never_played=["TST-01"])
    monkeypatch.setattr(isolated, "run", lambda *request: Done([report]))
    assert "never seen in play in 2 games: Apollo, Test Pilot" in command(write_set(cards=APOLLO), games=2)
    assert catalog.current_number() == 2


def test_whose_import_it_is(write_set: WriteSet) -> None:
    adama = get_user_model().objects.create_user("adama", password="adama-password-1")
    command(write_set(cards=APOLLO), author="Adama")
    assert DataVersion.objects.get().author == adama
    assert last() == ("adama", "published", {"source": "TST"})
    with pytest.raises(CommandError, match="There is no user 'nobody'"):
        command(write_set(cards=APOLLO), author="nobody")


def test_an_import_that_came_between_is_built_upon(
    tmp_path: Path, write_set: WriteSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is locked while files are read; what was found out is found out again if it is old."""
    from cards_data import proposals

    other = write_set("OTH", cards=RAPTOR)
    mine = write_set(cards=APOLLO)
    real, calls = proposals.of_paths, []

    def slow(paths: Any, before: Any) -> Any:
        found = real(paths, before)
        calls.append(before.number)
        if len(calls) == 1:
            import_sets([other])
        return found

    monkeypatch.setattr(proposals, "of_paths", slow)
    import_sets([mine])
    assert calls == [0, 0, 1]
    assert catalog.current_number() == 2
    assert catalog.current().ids == ("OTH-02", "TST-01")
    assert DataVersion.objects.get(number=2).changes["new"] == ["TST-01"]


def test_a_scenario_of_the_set_that_fails_is_a_problem(write_set: WriteSet) -> None:
    folder = write_set(cards=APOLLO + BASE)
    (folder / "scenarios").mkdir()
    given = "given: {players: [{name: Ana, base: TST-03, fill: TST-01}, {name: Ben, base: TST-03, fill: TST-01}]}\n"
    (folder / "scenarios" / "a.yaml").write_text(f'scenario: Wrong\n{given}then: ["Ana influence 3"]\n')
    (folder / "scenarios" / "b.yaml").write_text("scenario: &a [*a]\n")
    (folder / "scenarios" / "c.yaml").write_text(
        f"scenario: Many\n{given.replace('fill: TST-01}, {', 'hand: [99999999999 x TST-01]}, {')}"
    )
    with pytest.raises(CommandError) as caught:
        command(folder)
    said = str(caught.value)
    assert "3 problems found" in said
    assert "tst/scenarios/a.yaml: Wrong: line 1 of the story" in said
    assert "tst/scenarios/b.yaml: cannot be read: line 1: YAML aliases" in said
    assert "tst/scenarios/c.yaml: Many: '99999999999 x TST-01': nobody has that many cards" in said
    (folder / "scenarios" / "b.yaml").unlink()
    (folder / "scenarios" / "c.yaml").unlink()
    (folder / "scenarios" / "a.yaml").write_text(f'scenario: Right\n{given}then: ["Ana influence 8"]\n')
    assert "scenarios of the sets: 1, all pass" in command(folder)
