"""Card set files: what is wrong is refused, all of it at once, by file, card, place and nearest right word."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from ccg.rules.authoring.card_files import SETS, CardFileError, read_catalog, read_set, read_sets, set_folders
from ccg.rules.cards.definitions import Requirement
from tests.cards_data.conftest import APOLLO, RAPTOR, WriteSet


def problems_of(folder: Path, *more: Path) -> list[str]:
    with pytest.raises(CardFileError) as caught:
        read_sets([folder, *more])
    said = [str(problem) for problem in caught.value.problems]
    assert str(caught.value) == "\n".join(said)
    return said


def mission(requires: str, more: str = "") -> str:
    return (
        "- {number: 3, subtitle: Long Watch, type: mission, rarity: common, threat: 1, mystic: 2, "
        f"requires: {requires}{more}}}\n"
    )


def test_a_good_set_is_read(write_set: WriteSet) -> None:
    one = read_set(write_set(cards=APOLLO + RAPTOR, missions=mission("[Pilot, Pilot, ship, Cylon personnel, unit]")))
    apollo, raptor, watch = one.cards
    assert (one.code, one.name, one.year) == ("TST", "The TST Set", 2030)
    assert [printing.id for printing in one.printings] == ["TST-01", "TST-02", "TST-03"]
    assert (apollo.name, apollo.cost, apollo.singular) == ("Apollo, Test Pilot", (0, 0, 3), True)
    assert (raptor.name, raptor.cost, raptor.keywords, raptor.singular) == ("Raptor 9", (1, 1, 0), ("scramble",), False)
    assert watch.requires == (
        Requirement("Pilot"), Requirement("Pilot"), Requirement("", "ship"), Requirement("Cylon", "personnel"),
        Requirement(),
    )  # fmt: skip
    assert [str(one) for one in watch.requires] == ["Pilot", "Pilot", "ship", "Cylon personnel", "unit"]


def whole_set(cards: str, head: str = "{code: TST, name: The TST Set, year: 2030, digits: 2}") -> str:
    return f"set: {head}\ncards:{cards}"


def test_a_set_can_be_one_file(tmp_path: Path, write_set: WriteSet) -> None:
    file = tmp_path / "whole.yaml"
    file.write_text(whole_set(APOLLO + RAPTOR))
    assert set_folders(file) == [file]
    assert read_sets([file]) == read_sets([write_set(cards=APOLLO + RAPTOR)])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("- 1", "whole.yaml: expected the keys set (code, name, year, digits) and cards (a list), no others"),
        ("set: {}", "whole.yaml: expected the keys set"),
        (whole_set(APOLLO) + "more: 1", "whole.yaml: expected the keys set"),
        (whole_set(" 7"), "whole.yaml: expected a list of cards"),
        (whole_set(APOLLO, head="[]"), "whole.yaml: expected the keys code, name, year and digits"),
        (
            whole_set(APOLLO, head="{code: TST, name: A, yer: 1}"),
            "whole.yaml, line 1: unknown key 'yer', did you mean 'year'?",
        ),
        (
            whole_set(APOLLO.replace("power", "powr")),
            "whole.yaml, card 1 Apollo, Test Pilot (line 3): unknown key 'powr'",
        ),
    ],
)
def test_what_is_wrong_in_one_file_is_told_with_its_place(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "whole.yaml"
    file.write_text(text)
    assert problems_of(file)[0].startswith(says)


@pytest.mark.parametrize(
    ("wrong", "right", "says"),
    [
        ("power: 2", "powr: 2", ["unknown key 'powr', did you mean 'power'?", "a personnel needs the key power"]),
        ("power: 2", "power: two", ["power: expected a whole number, not text ('two')"]),
        ("power: 2", "power: -1", ["power: is at least 0, not -1"]),
        ("power: 2", "power: 1.5", ["power: expected a whole number, not a number with a point (1.5)"]),
        ("power: 2", "power: 2\n  hand: 3", ["hand: a personnel has none"]),
        ("type: personnel", "type: person", ["type: 'person' is not known, did you mean 'personnel'?"]),
        ("type: personnel", "kind: personnel", ["unknown key 'kind'", "the key type is missing"]),
        ("rarity: rare", "rarity: mythic", ["rarity: 'mythic' is not known; known are common, uncommon, rare"]),
        ("{security: 3}", "{securty: 3}", ["cost: 'securty' is not known, did you mean 'security'?"]),
        ("{security: 3}", "{security: 99}", ["cost.security: is at most 20, not 99"]),
        ("{security: 3}", "3", ["cost: expected keys and values, not a number"]),
        ("subtitle: Test Pilot", "subtitle: 227", ["subtitle: expected text, not a number; put it in quotes"]),
        (
            "subtitle: Test Pilot",
            "subtitle: Yes",
            ["subtitle: expected text, not true or false (True); put it in quotes"],
        ),
        (
            "subtitle: Test Pilot",
            'subtitle: "Test  Pilot"',
            ["subtitle: the name 'Test  Pilot' has spaces that cannot be seen"],
        ),
        ("subtitle: Test Pilot", 'subtitle: "Test\\u202ePilot"', ["has the sign '\\u202e', which no name may have"]),
        ("title: Apollo\n  subtitle: Test Pilot", 'title: ""', ["a card needs a title or a subtitle"]),
        ("subtitle: Test Pilot", f"subtitle: {'a' * 81}", ["subtitle: is longer than 80 characters"]),
        ("traits: [Pilot]", "traits: [pilot]", ["traits[0]: 'pilot': a trait begins with a capital letter"]),
        ("traits: [Pilot]", "traits: [Pilot, Pilot]", ["traits[1]: Pilot is said twice"]),
        ("traits: [Pilot]", "keywords: [snipper]", ["keywords[0]: 'snipper' is not known, did you mean 'sniper'?"]),
        ("traits: [Pilot]", "keywords: [expedite]", ["keywords[0]: expedite says more: {expedite: {persuasion: 1}}"]),
        ("traits: [Pilot]", "keywords: [persistent]", ["persistent is for mission cards, this is a personnel"]),
        ("traits: [Pilot]", "keywords: [{link: base}]", ["keywords[0].link: 'base' is not known"]),
        ("traits: [Pilot]", "requires: [Officer]", ["requires: a personnel has none"]),
        ("number: 1", "number: 0", ["number: is at least 1, not 0"]),
        ("number: 1", "nummer: 1", ["unknown key 'nummer', did you mean 'number'?", "the key number is missing"]),
        ("number: 1", "number: 1\n  number: 2", ["line 3: the key 'number' is said twice"]),
    ],
)
def test_a_mistake_is_told_with_its_place(write_set: WriteSet, wrong: str, right: str, says: list[str]) -> None:
    assert wrong in APOLLO
    problems = problems_of(write_set(cards=APOLLO.replace(wrong, right)))
    for expected in says:
        assert any(expected in problem for problem in problems), problems
    assert all(problem.startswith("tst/cards.yaml") for problem in problems)


def test_the_examples_of_the_guide_are_good_and_real(write_set: WriteSet) -> None:
    guide = (SETS.parents[1] / "docs" / "card-files.md").read_text()
    head, cards, reprint = re.findall(r"```yaml\n(.*?)```", guide, re.DOTALL)
    one = read_sets([write_set("BSG1", head=head, cards=cards), write_set("TWO", cards=reprint)])[0]
    starbuck, alive = (next(card for card in one.cards if card.id.endswith(number)) for number in ("136", "045"))
    real = read_catalog()
    assert starbuck == real["BSG1-136"]
    assert msgspec.structs.replace(alive, id="BSG2-045") == real["BSG2-045"]


def test_card_and_line_are_named(write_set: WriteSet) -> None:
    [problem] = problems_of(write_set(cards=APOLLO + RAPTOR.replace("power: 1", "power: none")))
    assert problem == "tst/cards.yaml, card 2 Raptor 9 (line 19): power: expected a whole number, not text ('none')"


def test_all_mistakes_of_all_files_are_told_at_once(write_set: WriteSet) -> None:
    first = write_set("ONE", cards=APOLLO.replace("mystic: 2", "mistic: 2") + RAPTOR.replace("power: 1", "power: x"))
    second = write_set("TWO", head="code: two\nname: Two\n", cards=mission("[officer, ship]"))
    said = "\n".join(problems_of(first, second))
    for expected in (
        "'mistic'",
        "the key mystic",
        "one/cards.yaml, card 2",
        "power",
        "two/set.yaml, line 1: code",
        "year",
    ):
        assert expected in said


@pytest.mark.parametrize("phrase", ["officer", "[]", "''", "'Officer fleet'", "'a ship'", "'civilian unit'"])
def test_a_requirement_has_to_be_understood(write_set: WriteSet, phrase: str) -> None:
    folder = write_set(missions=mission(f"[{phrase}]"))
    assert any("requires" in problem for problem in problems_of(folder))


def test_two_cards_cannot_share_a_number(write_set: WriteSet) -> None:
    [problem] = problems_of(write_set(cards=APOLLO, more=RAPTOR.replace("number: 2", "number: 1")))
    assert problem == (
        "tst/more.yaml, card 1 Raptor 9 (line 2): TST-01 is already tst/cards.yaml, card 1 Apollo, Test Pilot (line 2)"
    )


def test_two_folders_cannot_be_one_set(write_set: WriteSet) -> None:
    first = write_set("TST", cards=APOLLO)
    second = write_set("TWO", head=(first / "set.yaml").read_text(), cards=RAPTOR)
    assert any("two folders say they are the set TST" in problem for problem in problems_of(first, second))


def test_a_name_belongs_to_one_card(write_set: WriteSet) -> None:
    first = write_set("ONE", cards=APOLLO)
    second = write_set("TWO", cards=APOLLO.replace("Test Pilot", "TEST pilot!"))
    [problem] = problems_of(first, second)
    assert problem == (
        "two/cards.yaml, card 1 Apollo, TEST pilot! (line 2): "
        "Apollo, TEST pilot! is the name of ONE-01 already; say reprint_of: ONE-01"
    )


REPRINT = "- {number: 7, title: Apollo, subtitle: Test Pilot, rarity: limited, reprint_of: ONE-01}\n"


def test_a_reprint_is_a_printing_of_the_first_card(write_set: WriteSet) -> None:
    sets = read_sets([write_set("TWO", cards=REPRINT), write_set("ONE", cards=APOLLO)])
    assert [card.id for one in sets for card in one.cards] == ["ONE-01"]
    assert [(p.id, p.card, p.rarity) for p in sets[0].printings] == [("TWO-07", "ONE-01", "limited")]


@pytest.mark.parametrize(
    ("wrong", "right", "says"),
    [
        ("ONE-01", "ONE-11", "there is no card 'ONE-11', did you mean 'ONE-01'?"),
        ("Test Pilot", "Ace", "reprint_of: ONE-01 is Apollo, Test Pilot, not Apollo, Ace"),
        ("rarity: limited", "rarity: limited, power: 3", "power: a reprint has the facts of its first printing"),
    ],
)
def test_a_reprint_has_to_be_of_a_card(write_set: WriteSet, wrong: str, right: str, says: str) -> None:
    folders = [write_set("ONE", cards=APOLLO), write_set("TWO", cards=REPRINT.replace(wrong, right))]
    assert any(says in problem for problem in problems_of(*folders))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the file is empty"),
        ("title: Apollo", "expected a list of cards"),
        ("- Apollo", "line 1: expected a card, keys and values"),
        ("- {number: 1", "keys in { } lack a comma or their end"),
        (
            "- number: !!python/object:os.system {}",
            "line 1: YAML tags (!!python/object:os.system) are not used in card files",
        ),
        ("- &a {number: 1}\n- *a", "line 1: YAML aliases (&, *) are not used in card files"),
        ("- \x07", "line 1: a sign that cannot be seen (U+0007)"),
        ("- " + "[" * 50 + "]" * 50, "nested deeper than 20"),
        ("- " + "[" * 100_000, "tst/cards.yaml"),
        (f"- number: {'9' * 5_000}", "a value longer than 2,000 characters"),
        ("# " + "x" * 1_000_001, "larger than 1,000,000 bytes"),
        ("- {" + ", ".join(f"k{i}: 1" for i in range(20_000)) + "}", "unknown key 'k0'"),
    ],
)
def test_what_is_no_card_file_is_refused(write_set: WriteSet, text: str, says: str) -> None:
    folder = write_set(cards=text)
    problems = problems_of(folder)
    assert any(says in problem for problem in problems), problems[:3]


def test_an_alias_bomb_is_never_unfolded(write_set: WriteSet) -> None:
    lines = ["- &a0 [x, x]"] + [f"- &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 200)]
    [problem] = problems_of(write_set(cards="\n".join(lines)))
    assert "aliases" in problem


def test_other_encodings_are_refused(write_set: WriteSet) -> None:
    folder = write_set(cards=APOLLO)
    (folder / "cards.yaml").write_bytes(b"- subtitle: \xff\xfe")
    assert any("tst/cards.yaml" in problem for problem in problems_of(folder))


def test_a_folder_without_sets_is_named(tmp_path: Path) -> None:
    with pytest.raises(CardFileError, match=r"no set\.yaml"):
        set_folders(tmp_path)
    with pytest.raises(CardFileError, match=r"no set\.yaml"):
        set_folders(tmp_path / "nothing")


def test_sets_in_a_folder_are_found_in_order(write_set: WriteSet, tmp_path: Path) -> None:
    folders = [write_set("ONE", cards=APOLLO), write_set("TWO", cards=RAPTOR)]
    assert set_folders(tmp_path) == set_folders(tmp_path, folders[0]) == folders
