"""The table in windows of every size: what has to be read can be read, and both fleets are in sight."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Locator, expect

from ccg.rules import Catalog
from ccg.rules.telling.templates import PROMPTS
from ccg.rules.telling.view import ResultView
from matches.protocol.messages import Table
from tests.at_length import in_ci, thorough
from tests.browser import positions
from tests.browser.conftest import Visit
from tests.browser.measures import (
    OVER_AT_THE_TOP,
    cut_names,
    overlapping_in_event,
    overlapping_in_hand,
    overlapping_in_play,
    overlapping_texts,
    past_the_edge,
    small_tiles,
    whole_in_sight,
)
from tests.browser.positions import ELIMINATED, FOUR, StillTable
from tests.browser.table_page import PATIENCE, QUICK, TablePage, press_when_seen

pytestmark = pytest.mark.browser

PHONE = {"has_touch": True, "is_mobile": True}
LEAST_TILE = 90
LEAST_PROMPT = 320
"""How wide the words of the prompt are at least."""


@pytest.fixture(scope="module")
def four(catalog: Catalog) -> dict[str, Table]:
    """Tables of four."""
    return positions.of_four(catalog)


@pytest.fixture(scope="module")
def asked(catalog: Catalog) -> dict[str, Table]:
    """A table for each kind of decision."""
    return positions.every_decision(catalog)


def test_every_kind_of_decision_is_looked_at(asked: dict[str, Table]) -> None:
    # Sentences for a case of a kind have more words in their key.
    assert asked.keys() == {kind for kind in PROMPTS if " " not in kind}


@pytest.mark.parametrize(("width", "height"), [in_ci(1024, 768), (1440, 900), thorough(1920, 1080)])
def test_a_match_of_four_can_be_read(visit: Visit, four: dict[str, Table], width: int, height: int) -> None:
    page = visit(width, height, settings=QUICK)
    table = StillTable(page)
    table.open(four[f"{FOUR}, action"])
    wrong = {}
    for name, position in four.items():
        table.show(position)
        words = page.locator(".prompt-words").bounding_box()
        assert words is not None
        found = overlapping_texts(page) + small_tiles(page, LEAST_TILE) + cut_names(page)
        wrong[name] = found + [f"prompt {words['width']} wide"] * (words["width"] < LEAST_PROMPT)
    assert {name: found for name, found in wrong.items() if found} == {}


@pytest.mark.ci
def test_the_words_at_both_sides_of_a_challenge_are_whole(visit: Visit, asked: dict[str, Table]) -> None:
    page = visit(1024, 768, settings=QUICK)
    table = StillTable(page)
    challenges = {kind: one for kind, one in asked.items() if one.view.challenge is not None}
    assert len(challenges) >= 3
    cut: dict[str, list[str]] = {}
    for place, (kind, one) in enumerate(challenges.items()):
        table.show(one) if place else table.open(one)
        cut[kind] = page.locator(".side-words").evaluate_all(
            """(all) => all.filter(({scrollHeight, clientHeight, scrollWidth, clientWidth}) =>
                scrollHeight > clientHeight + 2 || scrollWidth > clientWidth + 2).map((one) => one.innerText)"""
        )
    assert not any(cut.values()), cut


@pytest.mark.ci
def test_who_is_out_of_the_game_has_no_place_on_the_board(visit: Visit, four: dict[str, Table]) -> None:
    page = visit(1440, 900, settings=QUICK)
    position = four[ELIMINATED]
    StillTable(page).open(position)
    lost = {player.seat for player in position.view.players if player.lost}
    shown = page.locator("[data-fleet]").evaluate_all("fleets => fleets.map((one) => Number(one.dataset.fleet))")
    assert lost
    assert not lost & set(shown)


@pytest.mark.parametrize(
    ("width", "height"),
    [
        in_ci(1440, 900),
        (1366, 768),
        in_ci(1024, 600),
        thorough(1920, 1080),
        thorough(1366, 640),
        thorough(1440, 789),
        thorough(1280, 720),
    ],
)
def test_the_hand_is_whole_on_a_laptop(visit: Visit, asked: dict[str, Table], width: int, height: int) -> None:
    page = visit(width, height, settings=QUICK)
    table = StillTable(page)
    table.open(asked["action"])
    cards = page.locator(".hand .tile").count()
    assert cards > 0
    assert whole_in_sight(page, ".hand .tile") == cards
    assert overlapping_in_hand(page) == []


WHOLE = """(buttons) => buttons.map((button) => {
    const {left, top, right, bottom} = button.getBoundingClientRect();
    const seen = [[left + 4, (top + bottom) / 2], [right - 4, (top + bottom) / 2], [(left + right) / 2, top + 3],
        [(left + right) / 2, bottom - 3]].every(([x, y]) => button.contains(document.elementFromPoint(x, y)));
    return [button.textContent.trim(), seen];
})"""
"""Whether buttons can be seen and pressed up to their edges."""


@pytest.mark.parametrize(
    ("width", "height", "options"),
    [
        in_ci(1440, 900, {}),
        (1366, 768, {}),
        in_ci(1366, 640, {}),
        thorough(1024, 600, {}),
        pytest.param(390, 844, PHONE, id="phone"),
        in_ci(844, 390, PHONE, id="phone on its side"),
    ],
)
def test_the_ways_out_of_a_question_are_in_sight_however_many_targets_there_are(
    visit: Visit, catalog: Catalog, asked: dict[str, Table], width: int, height: int, options: dict[str, Any]
) -> None:
    page = visit(width, height, settings=QUICK, **options)
    table = StillTable(page)
    table.open(asked["action"])
    for targets in (1, 2, 3, 4):
        table.show(positions.choosing(catalog, asked["action"], targets))
        ways = dict(page.locator(".prompt-ways .button").evaluate_all(WHOLE))
        assert list(ways.values()) == [True] * len(ways), (targets, ways)
        assert [any(word in way for way in ways) for word in ("Take back", "Do not use it")] == [True, True]
        shown = page.locator(".prompt-options .button")
        for place in range(shown.count()):
            shown.nth(place).scroll_into_view_if_needed()
            [(name, seen)] = shown.nth(place).evaluate_all(WHOLE)
            assert seen, (targets, name)


@pytest.mark.ci
@pytest.mark.parametrize(
    ("width", "height"),
    [
        pytest.param(844, 390, id="a phone on its side"),
        pytest.param(720, 450, id="1440x900 at 200 %"),
        thorough(683, 384, id="1366x768 at 200 %"),
        thorough(960, 540, id="1920x1080 at 200 %"),
    ],
)
def test_both_fleets_are_in_sight_in_a_low_window(
    visit: Visit, asked: dict[str, Table], width: int, height: int
) -> None:
    page = visit(width, height, settings=QUICK)
    table = StillTable(page)
    table.open(asked["action"])
    for name in ("action", "defend", "payment", "cylon"):
        table.show(asked[name])
        for fleet in (".fleet.is-near", ".fleet.is-far"):
            assert whole_in_sight(page, f"{fleet} .line-pieces > .tile") > 0, (name, fleet)
        assert whole_in_sight(page, ".prompt-asks") == 1, name
    for name in ("effects", "mystic_value", "cylon"):
        table.show(asked[name])
        assert past_the_edge(page, ".middle, .middle .tile") == [], name
        lines = page.locator(".gauge-words").evaluate("one => one.scrollHeight <= one.parentElement.clientHeight")
        assert lines, f"{name}: the words beside the gauge lie over cards"


@pytest.mark.ci
def test_nothing_lies_over_ones_own_name_on_a_phone_on_its_side(visit: Visit, four: dict[str, Table]) -> None:
    page = visit(844, 390, settings=QUICK)
    table = StillTable(page)
    table.open(four[f"{FOUR}, action"])
    hidden = []
    for name, position in four.items():
        table.show(position)
        if not whole_in_sight(page, ".board > .player-row .row-name"):
            hidden.append(name)
    assert hidden == []


@pytest.mark.ci
def test_all_choices_are_in_sight_on_a_phone_on_its_side(visit: Visit, asked: dict[str, Table]) -> None:
    page = visit(844, 390, settings=QUICK, **PHONE)
    StillTable(page).open(asked["resource_card"])
    page.locator(".prompt-list-button").tap()
    box = page.locator(".option-list").bounding_box()
    assert box is not None
    lines = page.locator(".option-list .option-line").count()
    assert lines > 4
    assert box["height"] >= min(0.9 * 390, 40 * lines)


@pytest.mark.ci
@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 640)])
def test_what_a_card_in_hand_warns_of_is_not_cut_off_on_a_phone(
    visit: Visit, asked: dict[str, Table], width: int, height: int
) -> None:
    page = visit(width, height, settings=QUICK, **PHONE)
    StillTable(page).open(positions.warned(asked["discard"]))
    cut = page.locator(".hand .tile-tag").evaluate_all(
        """(tags) => tags.map((one) => one.closest('.hand-cards').getBoundingClientRect().top
            - one.getBoundingClientRect().top)"""
    )
    assert cut
    assert max(cut) <= 0.5


@pytest.mark.ci
@pytest.mark.parametrize("scheme", ["light", thorough("dark")])
def test_that_it_helps_an_opponent_can_be_read_on_the_button_that_does_it(
    visit: Visit, catalog: Catalog, asked: dict[str, Table], scheme: str
) -> None:
    page = visit(390, 844, settings=QUICK, color_scheme=scheme, **PHONE)
    StillTable(page).open(positions.choosing(catalog, asked["action"], 1))
    page.locator(".tile.is-choosable").tap()
    filled = page.get_by_role("dialog").locator(".button-primary")
    expect(filled).to_contain_text("helps an opponent")
    colour = "one => getComputedStyle(one).color"
    assert filled.locator(".option-helps").evaluate(colour) == filled.evaluate(colour)


COVERING = """(tags) => tags.flatMap((tag) => {
    tag.closest('.tile').scrollIntoView({block: 'nearest', inline: 'center', behavior: 'instant'});
    const box = tag.getBoundingClientRect();
    const over = (other, ink) => Math.min(box.right, other.right) - Math.max(box.left, other.left) > 1
        && Math.min(box.bottom, other.bottom - ink) - Math.max(box.top, other.top + ink) > 1;
    const name = document.createRange();
    name.selectNodeContents(tag.closest('.tile').querySelector('.tile-name'));
    const chips = [...document.querySelectorAll('.stack-chip, .mission-plate')]
        .filter((chip) => over(chip.getBoundingClientRect(), 0)).map((chip) => chip.ariaLabel);
    // Letters are lower than their line.
    const letters = [...name.getClientRects()].filter((line) => over(line, line.height * 0.2)).map(() => 'the name');
    return [...chips, ...letters].map((other) => `${tag.textContent}: ${other}, ${name}`);
})"""
"""What lies over tags of cards in play, and names that those lie over."""


@pytest.mark.ci
@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 640), (844, 390)])
def test_what_a_card_in_play_warns_of_is_not_covered_on_a_phone(
    visit: Visit, catalog: Catalog, asked: dict[str, Table], width: int, height: int
) -> None:
    page = visit(width, height, settings=QUICK, **PHONE)
    StillTable(page).open(positions.choosing(catalog, asked["action"], 4))
    tags = page.locator(".line .tile-tag")
    assert tags.count() > 2
    assert tags.evaluate_all(COVERING) == []


@pytest.mark.ci
@pytest.mark.parametrize(("width", "height"), [(844, 390), (720, 450)])
def test_the_signs_of_what_was_played_lie_beside_one_another_in_a_low_window(
    visit: Visit, asked: dict[str, Table], width: int, height: int
) -> None:
    page = visit(width, height, settings=QUICK, **PHONE)
    table = StillTable(page)
    table.open(asked["action"])
    seen = 0
    for name, position in asked.items():
        table.show(position)
        seen += page.locator(".event-card .power").count()
        assert overlapping_in_event(page) == [], name
    assert seen > 0


@pytest.mark.ci
def test_a_challenge_among_four_is_whole_in_sight_on_a_phone(visit: Visit, four: dict[str, Table]) -> None:
    page = visit(390, 844, settings=QUICK, has_touch=True, is_mobile=True)
    table = StillTable(page)
    table.open(four[f"{FOUR}, action"])
    for name in (f"{FOUR}, defend", f"{FOUR}, effects"):
        table.show(four[name])
        below = page.locator(".middle-challenge").evaluate(
            """(panel) => panel.getBoundingClientRect().bottom
                - panel.closest('.board').getBoundingClientRect().bottom"""
        )
        assert below <= 0, name


GUESTS = ("Guest Viper 4711", "Guest Viper 4812", "Guest Viper 4813", "Guest Viper 9215")
LONG = (
    "Commander of the Seventh Fleet of Picon 1",
    "Commander of the Seventh Fleet of Picon 2",
    "Commander of the Seventh Fleet of Picon 3",
    "The Other Commander of the Seventh Fleet",
)

SHOWN = """(names) => names.map((name) => {
    const room = name.closest('.player-row, .player').getBoundingClientRect();
    const end = name.querySelector('.name-ends').getBoundingClientRect();
    const begins = name.querySelector('.name-begins');
    const beside = [...name.closest('.player-row, .player-head').children]
        .map((one) => one.getBoundingClientRect())
        .filter((one) => !one.width ? false : one.left > end.left && one.left < end.right - 1 && one.top < end.top);
    const whole = end.left >= room.left && end.right <= room.right && end.bottom <= room.bottom && !beside.length;
    return whole && begins.clientWidth > 12 ? name.querySelector('.name-ends').textContent : `hidden: ${name.title}`;
})"""
"""The ends of names that can be read, with something of their beginnings."""


@pytest.mark.ci
def test_names_of_folded_opponents_tell_them_apart_on_a_phone(visit: Visit, four: dict[str, Table]) -> None:
    page = visit(390, 844, settings=QUICK, has_touch=True, is_mobile=True)
    table = StillTable(page)
    table.open(positions.named(four[f"{FOUR}, action"], GUESTS))
    rows = page.locator(".other .row-name")
    for row in rows.all():
        if row.get_attribute("aria-expanded") == "true":
            row.tap()
    for names in (GUESTS, LONG):
        table.show(positions.named(four[f"{FOUR}, action"], names, first=2))
        seen = rows.locator(".two-ended").evaluate_all(SHOWN)
        assert len(set(seen)) == 3
        assert all(name.endswith(end) for name, end in zip(page_names(rows), seen, strict=True)), seen
        assert overlapping_texts(page) == []


FIRST_LETTERS = """(names) => names.map((name) => {
    const begins = name.querySelector('.name-begins');
    const letter = document.createRange();
    letter.setStart(begins.firstChild, 0);
    letter.setEnd(begins.firstChild, 1);
    const parts = [letter, begins, name.querySelector('.name-ends')];
    const [first, part, end] = parts.map((one) => one.getBoundingClientRect());
    return first.right <= part.right + 1 && first.left >= part.left - 1 && end.right <= part.left + 1;
})"""
"""Whether the first letter of each name is in sight, with the end of the name to its left."""


@pytest.mark.ci
def test_names_that_are_written_from_right_to_left_give_way_in_their_middle_on_a_phone(
    visit: Visit, four: dict[str, Table]
) -> None:
    page = visit(390, 844, settings=QUICK, **PHONE)
    names = [f"אדמירל ויליאם אדמה מפקד הצי הקולוניאלי {letter}" for letter in "אבגד"]
    StillTable(page).open(positions.named(four[f"{FOUR}, action"], names))
    assert page.locator(".row-name .two-ended").evaluate_all(FIRST_LETTERS) == [True] * 3


def test_a_long_name_without_spaces_is_whole_in_what_is_asked_on_a_phone(visit: Visit, asked: dict[str, Table]) -> None:
    page = visit(360, 740, settings=QUICK, **PHONE)
    table = asked["action"]
    assert table.view.decision is not None
    replace = msgspec.structs.replace
    decision = replace(table.view.decision, seat=1, prompt=f"[[seat:1|{'W' * 40}]] acts.", options=[])
    StillTable(page).open(replace(table, view=replace(table.view, decision=decision)))
    expect(page.locator(".prompt-asks")).to_have_text(f"{'W' * 40} acts.")
    assert page.locator(".prompt-words").evaluate("(words) => words.scrollWidth - words.clientWidth") == 0


@pytest.mark.ci
def test_a_long_name_without_spaces_leaves_room_for_the_rest_of_its_line_at_the_end(
    visit: Visit, asked: dict[str, Table]
) -> None:
    page = visit(390, 844, settings=QUICK, **PHONE)
    table = positions.named(asked["action"], ["W" * 40] * 2)
    still = StillTable(page)
    still.open(table)
    replace = msgspec.structs.replace
    over = replace(table.view, result=ResultView((1,), (0,), "influence"), decision=None)
    still.show(replace(table, view=over, over=True))
    lines = page.locator(".window-over .standing li")
    expect(lines).to_have_count(2)
    assert lines.evaluate_all("(lines) => lines.map((line) => line.scrollWidth - line.clientWidth)") == [0, 0]


@pytest.mark.parametrize(("width", "height"), [(360, 640), in_ci(844, 390)])
def test_clocks_of_folded_opponents_lie_over_no_words_on_a_phone(
    visit: Visit, four: dict[str, Table], width: int, height: int
) -> None:
    page = visit(width, height, settings=QUICK, **PHONE)
    table = StillTable(page)
    for shown in (positions.choosing_a_player(four[f"{FOUR}, action"]), four[ELIMINATED]):
        table.open(positions.named(shown, GUESTS))
        page.locator(".board").evaluate("(board) => board.scrollTo(0, 0)")
        rows = page.locator(".other:not(:has(.fleet))")
        words = [text for text in overlapping_texts(page) if any(name in text for name in ("Helps", "out of the"))]
        assert rows.count() > 0 and words == []


def page_names(rows: Locator) -> list[str]:
    """Return what rows of players are called."""
    return [str(row.get_attribute("aria-label")) for row in rows.all()]


@pytest.mark.ci
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1366, 768)])
def test_three_opponents_are_whole_in_the_rail(visit: Visit, four: dict[str, Table], width: int, height: int) -> None:
    page = visit(width, height, settings=QUICK)
    table = StillTable(page)
    table.open(positions.named(four[f"{FOUR}, action"], LONG))
    for name, position in four.items():
        table.show(positions.named(position, LONG, first=3))
        cut = page.locator(".rail-others").evaluate("(rail) => rail.scrollHeight - rail.clientHeight")
        step = page.locator(".steps").evaluate("(steps) => steps.scrollHeight - steps.clientHeight")
        assert (cut, step) == (0, 0), name
        assert page.locator(".rail .two-ended").evaluate_all(SHOWN) == [
            one[-5:] for one in page.locator(".rail .two-ended").evaluate_all("(all) => all.map((one) => one.title)")
        ]


@pytest.mark.parametrize(("width", "height"), [(1024, 768), thorough(1440, 900)])
def test_names_of_three_computers_are_whole_in_the_rail(
    visit: Visit, four: dict[str, Table], width: int, height: int
) -> None:
    page = visit(width, height, settings=QUICK)
    names = ["Ana", "Computer 1", "Computer 2", "Computer 3"]
    table = positions.named(four[f"{FOUR}, action"], names, first=3)
    people = [
        msgspec.structs.replace(one, kind="computer", level="normal") if one.name in names[1:] else one
        for one in table.people
    ]
    StillTable(page).open(msgspec.structs.replace(table, people=people, you=0))
    begins = page.locator(".rail-others .name-begins")
    assert begins.count() >= 2
    assert begins.evaluate_all("(all) => all.filter((one) => one.scrollWidth > one.clientWidth).length") == 0


def test_names_of_two_players_are_whole_in_the_rail(visit: Visit, asked: dict[str, Table]) -> None:
    page = visit(1440, 900, settings=QUICK)
    StillTable(page).open(positions.named(asked["action"], ["Guest Onyx 2496", "Guest Lancer 8830"]))
    names = page.locator(".rail .name-begins")
    cut = names.evaluate_all("(all) => all.map((one) => one.scrollWidth > one.clientWidth)")
    assert not any(cut)


def test_whose_turn_it_is_is_said_as_small_in_a_short_panel(visit: Visit, four: dict[str, Table]) -> None:
    page = visit(1440, 900, settings=QUICK)
    position = four[f"{FOUR}, action"]
    decision = position.view.decision
    assert decision is not None
    everybody = [player.seat for player in position.view.players if player.seat != decision.seat]
    decision = msgspec.structs.replace(decision, others=everybody)
    StillTable(page).open(
        msgspec.structs.replace(position, view=msgspec.structs.replace(position.view, decision=decision))
    )
    sizes = page.locator(".rail .turn-tab").evaluate_all("(all) => all.map((one) => getComputedStyle(one).fontSize)")
    assert sizes == ["11px"] * 4


@pytest.mark.ci
def test_names_of_folded_opponents_are_whole_in_a_low_window(visit: Visit, four: dict[str, Table]) -> None:
    page = visit(720, 450, settings=QUICK)
    table = StillTable(page)
    table.open(four[f"{FOUR}, effects"])
    assert cut_names(page) == []


def test_names_in_the_hand_of_a_phone_are_whole(visit: Visit, asked: dict[str, Table], catalog: Catalog) -> None:
    page = visit(390, 844, settings=QUICK, has_touch=True, is_mobile=True)
    table = StillTable(page)
    table.open(asked["resource_card"])
    assert cut_names(page) == []
    covered = page.locator(".hand li").evaluate_all(
        """cards => cards.filter((card, place) => place > 0
            && card.getBoundingClientRect().left < cards[place - 1].querySelector('.tile').getBoundingClientRect().right
        ).length"""
    )
    assert covered == 0
    plates = page.locator(".hand li").evaluate_all(
        """cards => cards.filter((card) => {
            const makes = card.querySelector('.hand-makes')?.getBoundingClientRect();
            return [...card.querySelectorAll('.cost-tab')].some((tab) =>
                makes && tab.getBoundingClientRect().right > makes.left);
        }).length"""
    )
    assert page.locator(".hand-makes").count() > 0
    assert plates == 0
    assert overlapping_in_hand(page) == []
    # Two lines of traits, below what the card makes.
    crowded = [card.id for card in catalog if card.produces and card.power is not None and len(card.traits) > 1]
    for kind in ("resource_card", "action"):
        table.show(positions.holding(asked[kind], crowded))
        assert overlapping_in_hand(page) == []
    table.show(asked["action"])
    assert overlapping_in_hand(page) == []
    page.locator(".hand .tile").first.focus()
    cut = page.locator(".hand-cards").evaluate(
        """async (cards) => {
            await Promise.all(document.getAnimations().filter((one) => one instanceof CSSTransition)
                .map((one) => one.finished));
            return cards.getBoundingClientRect().top - cards.querySelector('.tile').getBoundingClientRect().top;
        }"""
    )
    assert cut <= 0


CUT_OFF = """(cards) => cards.filter((card) => {
    const {top, bottom} = card.getBoundingClientRect();
    const row = card.closest('.hand-cards').getBoundingClientRect();
    return top < row.top || bottom > Math.min(row.bottom, innerHeight);
}).length"""
"""Cards of the hand of which something is beyond the row or the window."""


def test_cards_in_the_hand_of_a_phone_are_whole(
    visit: Visit, asked: dict[str, Table], four: dict[str, Table], catalog: Catalog
) -> None:
    page = visit(390, 844, settings=QUICK, **PHONE)
    table = StillTable(page)
    two_costs = [card.id for card in catalog if card.cost and len(card.cost) > 1 and card.produces][:6]
    table.open(asked["action"])
    for position in (asked["action"], positions.holding(asked["resource_card"], two_costs), four[f"{FOUR}, action"]):
        table.show(position)
        cards = page.locator(".hand .tile")
        assert cards.count() > 0
        assert cards.evaluate_all(CUT_OFF) == 0
        assert overlapping_in_hand(page) == []
        assert cut_names(page) == []


def test_a_match_of_four_fits_on_a_phone(visit: Visit, four: dict[str, Table]) -> None:
    page = visit(390, 844, settings=QUICK, **PHONE)
    StillTable(page).open(four[f"{FOUR}, action"])
    assert page.locator(".board").evaluate("(board) => board.scrollHeight - board.clientHeight") == 0


def test_who_is_out_of_the_game_is_told_on_a_phone(visit: Visit, four: dict[str, Table]) -> None:
    page = visit(390, 844, settings=QUICK, **PHONE)
    StillTable(page).open(four[ELIMINATED])
    lost = [player for player in four[ELIMINATED].view.players if player.lost]
    rows = page.locator(".other", has_text="out of the game").locator("visible=true")
    assert rows.count() == len(lost)
    assert overlapping_texts(page) == []


@pytest.mark.parametrize("text", [in_ci("large"), "largest"])
def test_buttons_stay_in_the_prompt_with_larger_text_on_a_phone(
    visit: Visit, asked: dict[str, Table], text: str
) -> None:
    page = visit(390, 844, settings=f'{{"autoPass":"never","speed":"off","text":"{text}"}}', **PHONE)
    table = StillTable(page)
    table.open(asked["action"])
    for name in ("action", "resource_card", "opening_hand"):
        table.show(asked[name])
        below = page.locator(".prompt").evaluate(
            """(prompt) => Math.max(...[...prompt.querySelectorAll('.button')]
                .map((one) => one.getBoundingClientRect().bottom)) - prompt.getBoundingClientRect().bottom"""
        )
        assert below <= 0, name


@pytest.mark.ci
def test_names_and_needs_on_the_board_of_a_phone_are_whole(
    visit: Visit, asked: dict[str, Table], catalog: Catalog
) -> None:
    page = visit(390, 844, settings=QUICK, has_touch=True, is_mobile=True)
    StillTable(page).open(positions.of_all_cards(catalog, asked["action"]))
    assert page.locator(".line-pieces .tile-needs").count() > 0
    assert cut_names(page) == []
    assert overlapping_in_play(page) == []


@pytest.mark.ci
def test_a_card_that_peeks_keeps_its_name_in_sight_when_it_has_the_focus(visit: Visit, asked: dict[str, Table]) -> None:
    page = visit(844, 390, settings=QUICK)
    StillTable(page).open(asked["resource_card"])
    tile = page.locator(".hand .tile").first
    tile.focus()
    assert page.locator(".hand-cards").evaluate("(cards) => cards.scrollTop") == 0
    expect(tile.locator(".tile-name")).to_be_in_viewport(ratio=1)


@pytest.mark.ci
def test_the_words_of_a_base_can_be_read_beside_the_table(visit: Visit, asked: dict[str, Table]) -> None:
    page = visit(1024, 768, settings=QUICK)
    StillTable(page).open(asked["action"])
    page.locator(".fleet.is-near .tile-stack").first.hover()
    words = page.locator(".looked .card-words p")
    expect(words.first).to_be_visible()
    size = words.first.evaluate("p => parseFloat(getComputedStyle(p).fontSize) * p.currentCSSZoom")
    assert size >= 11


@pytest.mark.ci
def test_a_dragged_card_lights_up_where_it_may_be_dropped(visit: Visit) -> None:
    page = visit(settings=QUICK)
    seat = TablePage(page, random.Random(23))
    seat.begin_against_the_computer()
    # On the way to the first asset.
    while not page.locator(".hand-makes").count():
        seat.wait()
        press_when_seen(page, "Enter")
    card = page.locator(".hand li:has(.hand-makes)").first
    fleet = page.locator(".fleet.is-near")
    card.hover()
    page.mouse.down()
    box = fleet.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] - 40, box["y"] + 40, steps=8)
    expect(page.locator(".table-app.is-dragging")).to_have_count(1)
    expect(fleet).to_have_class("fleet seat-1 is-near is-droppable")
    # The base takes it as a supply card.
    expect(page.locator(".tile-stack.is-droppable")).to_have_count(1)
    page.mouse.up()
    expect(page.locator(".is-dragging, .is-droppable")).to_have_count(0)
    expect(page.locator(".log-line", has_text="asset").first).to_be_visible(timeout=PATIENCE)


LINES = """() => [...document.querySelectorAll('.fleet .line')].map((line) => {
    const {x, y, width, height} = line.getBoundingClientRect();
    return [x, y, width, height].map(Math.round).join(' ');
})"""


@pytest.mark.ci
@pytest.mark.parametrize(("width", "height"), [(390, 667), thorough(360, 640)])
def test_empty_lines_keep_their_place_on_a_low_phone(
    visit: Visit, asked: dict[str, Table], width: int, height: int
) -> None:
    page = visit(width, height, settings=QUICK, **PHONE)
    table = StillTable(page)
    table.open(asked["opening_hand"])
    empty = page.evaluate(LINES)
    table.show(asked["action"])
    assert page.locator(".fleet .line-pieces > .tile").count() > 0
    assert page.evaluate(LINES) == empty


@pytest.mark.ci
def test_what_is_asked_and_its_note_are_whole_on_a_phone(visit: Visit, asked: dict[str, Table]) -> None:
    page = visit(390, 844, settings=QUICK, **PHONE)
    table = StillTable(page)
    table.open(asked["action"])
    cut = {}
    for name, position in asked.items():
        table.show(position)
        cut[name] = page.locator(".prompt-words").evaluate("(words) => words.scrollHeight - words.clientHeight")
        aside = page.locator(".prompt-words").evaluate("(words) => words.scrollWidth - words.clientWidth")
        assert aside == 0, f"{name}: the words are moved to the side as the link to the rules has the focus"
        board = page.locator(".board").evaluate("(board) => board.scrollHeight - board.clientHeight")
        assert board == 0, name
    assert {name: more for name, more in cut.items() if more > 0 and name in NOTED} == {}


NOTED = ("cylon", "defend", "search", "expedite", "choose", "look")
"""Decisions with a long question or a long note."""


@pytest.mark.ci
def test_the_ring_of_focus_is_whole_round_the_tools_of_a_phone(visit: Visit, asked: dict[str, Table]) -> None:
    page = visit(390, 844, settings=QUICK, **PHONE)
    StillTable(page).open(asked["action"])
    cut = page.locator(".top :is(a, button)").evaluate_all(
        """(tools) => tools.filter((tool) => {
            tool.focus({focusVisible: true});
            const style = getComputedStyle(tool), {left, top, right, bottom} = tool.getBoundingClientRect();
            const out = parseFloat(style.outlineOffset) + parseFloat(style.outlineWidth);
            return style.outlineStyle === 'none' || Math.min(left, top) < out || right + out > innerWidth
                || bottom + out > tool.closest('.top').getBoundingClientRect().bottom;
        }).map((tool) => tool.textContent)"""
    )
    assert cut == []


UNDER_A_THUMB = """(one) => {
    const {left, right, top, bottom} = one.getBoundingClientRect();
    const x = (left + right) / 2, hit = (y) => one.contains(document.elementFromPoint(x, y));
    let from = (top + bottom) / 2, to = from;
    while (from > 0 && hit(from - 1)) from--;
    while (to < innerHeight - 1 && hit(to + 1)) to++;
    return to - from + 1;
}"""
"""How high the part of the screen is where a tap goes to this button."""


def test_what_is_small_on_a_phone_is_hit_by_a_thumb(visit: Visit, asked: dict[str, Table]) -> None:
    page = visit(390, 844, settings=QUICK, **PHONE)
    StillTable(page).open(asked["action"])
    for sign, least in ((".is-far .stack-chip", 42), (".is-near .stack-chip", 38), (".top-tool", 40)):
        assert page.locator(sign).count() > 0, sign
        assert page.locator(sign).first.evaluate(UNDER_A_THUMB) >= least, sign


@pytest.mark.parametrize("width", [390, in_ci(360)])
def test_a_line_that_is_down_is_told_beside_the_tools_of_a_phone(
    visit: Visit, asked: dict[str, Table], width: int
) -> None:
    page = visit(width, 844, settings=QUICK, **PHONE)
    StillTable(page).open(asked["action"])
    page.locator(".phase", has_text="Execution").wait_for()
    page.locator(".line-state").evaluate("(one) => { one.textContent = 'Reconnecting …'; }")
    assert page.evaluate(OVER_AT_THE_TOP) == []


UNLIKE = """(tiles) => tiles.map((tile) => {
    const look = () => getComputedStyle(tile.querySelector('.tile-frame')).backgroundColor;
    const quiet = look();
    tile.classList.remove('is-quiet');
    return look() !== quiet;
})"""
"""Whether cards that can do nothing now have another frame than the same cards when they can."""


def test_cards_in_hand_that_can_do_nothing_are_told_apart(
    visit: Visit, asked: dict[str, Table], catalog: Catalog
) -> None:
    page = visit(390, 844, settings=QUICK, **PHONE)
    StillTable(page).open(positions.choosing(catalog, asked["action"], 2))
    quiet = page.locator(".hand .tile.is-quiet:not(.is-choosable)").evaluate_all(UNLIKE)
    assert quiet and all(quiet)


def test_the_name_of_the_computer_is_not_broken_in_a_narrow_rail(visit: Visit) -> None:
    page = visit(1024, 768, settings=QUICK)
    seat = TablePage(page, random.Random(2))
    seat.begin_against_the_computer()
    seat.wait()
    name = page.locator(".rail-others .player-name")
    lines = name.evaluate("(one) => one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight)")
    assert round(lines) == 1
