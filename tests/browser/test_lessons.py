"""Lessons at the table: clicked through to their end with mouse, keys and fingers, as somebody new would."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from matches.lessons.files import LESSONS, lesson
from tests.at_length import thorough
from tests.browser.axe import AXE, faults
from tests.browser.conftest import Visit
from tests.browser.table_page import EVERY, PATIENCE, SEEN, concede
from tests.conftest import cannot_run
from tests.running import Site

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CALM = '{"autoPass":"alone","speed":"off"}'
"""Settings of a learner for whom nothing moves, and who has auto-pass on as everybody has at first."""

PHONE = {"width": 390, "height": 844}
STATE = """() => {
    const coach = document.querySelector('.coach');
    if (!coach) return '';
    if (coach.matches('.is-after')) return 'after';
    if (coach.querySelector('.coach-next')) return 'read';
    const turn = coach.querySelector('.coach-turn');
    return turn && turn.textContent === 'Your move' ? 'do' : '';
}"""
OPTION = """() => {
    const lesson = JSON.parse(document.getElementById('lesson').textContent);
    const { read } = JSON.parse(localStorage.getItem('ragtag-fleet.lesson') || '{"read":0}');
    return lesson.steps[read];
}"""
MARKED_BOXES = """() => [...document.querySelectorAll('[data-coached]')].map((element) => {
    const box = element.getBoundingClientRect();
    const board = element.closest('.board')?.getBoundingClientRect() ?? box;
    const [x, y] = [Math.max(box.x, board.x), Math.max(box.y, board.y)];
    return { x, y, width: Math.min(box.right, board.right) - x, height: Math.min(box.bottom, board.bottom) - y };
})"""

IN_SIGHT = """(element) => {
    const box = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(box.x + box.width / 2, box.y + 10));
}"""


class Learner:
    """Somebody at the table of a lesson."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.said: list[str] = []

    def begin(self, slug: str) -> None:
        """Begin with a click on the page of lessons."""
        self.page.goto("/learn/")
        self.page.get_by_role("button", name=f"Begin: {lesson(slug).title}").click()
        expect(self.page.locator(".coach")).to_be_visible(timeout=PATIENCE)

    def wait(self) -> str:
        """Wait until there is something to read (``read``) or to do (``do``), or the lesson is over (``after``)."""
        return str(self.page.wait_for_function(STATE, timeout=PATIENCE, polling=EVERY).json_value())

    @property
    def says(self) -> str:
        """What the coach says."""
        return self.page.locator(".coach-says").inner_text()

    @property
    def progress(self) -> str:
        """Which step of how many."""
        return self.page.locator(".coach-fold small").inner_text()

    def due(self) -> str:
        """The key of the option that the lesson waits for."""
        return str(self.page.evaluate(OPTION)["option"])

    def check_marks(self) -> None:
        """Everything that the step speaks of is marked and on the page, and neither covers the coach nor is covered."""
        assert self.page.locator(".coach-says").evaluate(IN_SIGHT), f"covered: {self.says}"
        said = self.page.evaluate(OPTION)
        boxes = self.page.evaluate(MARKED_BOXES)
        assert len(boxes) >= len(said["point"]), (said["say"], boxes)
        coach = self.page.locator(".coach").bounding_box()
        assert coach is not None
        seen = [box for box in boxes if box["width"] > 0 and box["height"] > 0]
        # On a phone the board is scrolled to the first place of a step; what else it speaks of may lie above or below.
        assert seen if self.page.locator(".is-narrow").count() else seen == boxes, said["say"]
        for box in seen:
            apart = (
                box["x"] >= coach["x"] + coach["width"] - 1
                or coach["x"] >= box["x"] + box["width"] - 1
                or box["y"] >= coach["y"] + coach["height"] - 1
                or coach["y"] >= box["y"] + box["height"] - 1
            )
            assert apart, said["say"]

    def after(self, before: tuple[str, str]) -> None:
        """Wait until the step is another one."""
        self.page.wait_for_function(
            """([progress, says]) => {
                const coach = document.querySelector('.coach');
                if (!coach || coach.matches('.is-after')) return true;
                return coach.querySelector('.coach-fold small')?.textContent !== progress
                    || coach.querySelector('.coach-says').textContent !== says;
            }""",
            arg=list(before),
            timeout=PATIENCE,
            polling=EVERY,
        )


def choose_by_mouse(learner: Learner, option: str) -> None:
    """Make the move by a button if there is one, else through the list of all choices."""
    page = learner.page
    button = page.locator(f'.prompt-buttons [data-option="{option}"], .card-choices [data-option="{option}"]')
    if button.count():
        button.first.click()
        return
    paying = page.get_by_role("button", name=re.compile(r"^Pay \d"))
    if option.startswith("pay") and paying.count():
        paying.click()
        return
    page.locator(".prompt-list-button").click()
    page.locator(f'.option-list [data-option="{option}"]').click()


def choose_by_keys(learner: Learner, option: str) -> None:
    """Make the move with keys alone: Enter for the filled button, Space to pass, or the list of all choices."""
    page = learner.page
    page.evaluate("() => document.activeElement?.blur()")
    page.wait_for_function(SEEN, timeout=PATIENCE, polling=EVERY)
    filled = page.locator(".prompt-buttons .button-primary:not(:disabled)")
    if option == "pass" or option == "decline":
        page.keyboard.press("Space")
        return
    if option.startswith("pay") or (filled.count() and filled.get_attribute("data-option") == option):
        page.keyboard.press("Enter")
        return
    target = page.locator(f'[data-option="{option}"]')
    if not target.count():
        page.keyboard.press("c")
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement?.dataset?.option") == option:
            page.keyboard.press("Enter")
            return
    raise AssertionError(f"{option!r} cannot be reached by keys")


def play(learner: Learner, choose: object, read_by: object, marks: bool = False) -> None:
    """Follow the lesson to its end."""
    assert callable(choose)
    assert callable(read_by)
    while (state := learner.wait()) != "after":
        before = (learner.progress, learner.says)
        learner.said.append(learner.says)
        if marks:
            learner.check_marks()
        if state == "read":
            read_by(learner)
        else:
            choose(learner, learner.due())
        learner.after(before)


def click_next(learner: Learner) -> None:
    learner.page.locator(".coach-next").click()


def tap_next(learner: Learner) -> None:
    """Tap as somebody who has read: the second of two taps that follow at once is that of a double tap."""
    learner.page.wait_for_timeout(600)
    learner.page.locator(".coach-next").tap()


def press_enter(learner: Learner) -> None:
    learner.page.evaluate("() => document.activeElement?.blur()")
    learner.page.keyboard.press("Enter")


@pytest.mark.ci
@pytest.mark.thorough  # tests/matches/test_lessons.py plays them, and two are played by keys and fingers below
@pytest.mark.parametrize("slug", LESSONS)
def test_every_lesson_by_mouse_and_everything_it_speaks_of_is_marked(visit: Visit, slug: str) -> None:
    learner = Learner(visit(settings=CALM))
    learner.begin(slug)
    play(learner, choose_by_mouse, click_next, marks=True)
    assert "The lesson is done." in learner.says
    assert not learner.page.locator("[data-coached]").count()


@pytest.mark.ci
@pytest.mark.parametrize("slug", ["missions", thorough("first-match")])
def test_a_lesson_by_keys_alone(visit: Visit, slug: str) -> None:
    learner = Learner(visit(settings=CALM))
    learner.begin(slug)
    play(learner, choose_by_keys, press_enter)
    assert "The lesson is done." in learner.says


def test_the_first_match_by_finger_on_a_phone(visit: Visit) -> None:
    learner = Learner(visit(settings=CALM, has_touch=True, is_mobile=True, **PHONE))
    learner.begin("first-match")
    play(learner, choose_by_mouse, tap_next, marks=True)
    assert "The lesson is done." in learner.says


def goes_on(learner: Learner) -> bool:
    """Do what the lesson waits for, if that is to go on or to keep the hand; return whether it was."""
    due = learner.due()
    if due == "":
        click_next(learner)
    elif due == "keep":
        choose_by_mouse(learner, "keep")
    return due in ("", "keep")


@pytest.mark.ci
@pytest.mark.parametrize("size", [PHONE, {"width": 844, "height": 390}], ids=["upright", "on its side"])
def test_an_answer_on_a_phone_moves_nothing_and_is_read(visit: Visit, size: dict[str, int]) -> None:
    learner = Learner(visit(settings=CALM, has_touch=True, is_mobile=True, **size))
    learner.begin("first-match")
    for _ in range(5):
        learner.wait()
        before = (learner.progress, learner.says)
        if not goes_on(learner):
            break
        learner.after(before)
    boxes = """() => ['.board', '.coach', '.prompt', '.hand', '[data-coached]'].map((one) =>
        JSON.stringify(document.querySelector(one).getBoundingClientRect()))"""
    still = learner.page.evaluate(boxes)
    learner.page.locator(".pass-button").tap()
    answer = learner.page.locator(".coach-answer")
    expect(answer).to_contain_text("Not yet: ")
    assert learner.page.evaluate(boxes) == still
    expect(answer).to_be_in_viewport(ratio=0.95)


LEAST_LINES = 60
"""Pixels of three lines of what the coach says."""

SAID = """() => {
    const box = (name) => document.querySelector(name).getBoundingClientRect();
    const body = document.querySelector('.coach-body');
    const gaps = [box('.coach'), box('.prompt-words'), box('.prompt-buttons')];
    return {
        lines: body.scrollHeight > body.clientHeight ? body.clientHeight : Infinity,
        apart: gaps.slice(1).every(({y}, place) => gaps[place].bottom <= y + 0.5),
        low: box('.prompt').bottom,
    };
}"""


def test_coach_and_question_do_not_lie_over_each_other_on_a_phone_on_its_side(visit: Visit) -> None:
    learner = Learner(visit(settings=CALM, has_touch=True, is_mobile=True, width=844, height=390))
    learner.begin("cylons")
    page = learner.page
    challenged = 0
    while learner.wait() != "after":
        before = (learner.progress, learner.says)
        said = page.evaluate(SAID)
        assert said["apart"], before
        assert said["low"] <= 390, before
        assert said["lines"] >= LEAST_LINES, before
        for button in page.locator(".coach button:visible, .prompt-ways button:visible").all():
            expect(button).to_be_in_viewport(ratio=0.95)
        challenged += page.locator(".middle-challenge, .middle-threats").count()
        if challenged > 2:
            break
        if learner.due() == "":
            tap_next(learner)
        else:
            choose_by_mouse(learner, learner.due())
        learner.after(before)
    assert challenged > 2


def test_a_card_in_hand_that_is_meant_stands_out_in_a_light_theme(visit: Visit) -> None:
    learner = Learner(visit(settings=CALM, has_touch=True, is_mobile=True, color_scheme="light", **PHONE))
    learner.begin("missions")
    learner.wait()
    tap_next(learner)
    mark = learner.page.locator(".hand-cards > li:has([data-coached])").first
    expect(mark).to_be_visible()
    colour = mark.evaluate("(li) => getComputedStyle(li, '::after').borderTopColor")
    red, green, blue = (int(part) for part in re.findall(r"\d+", colour)[:3])
    assert min(red, green, blue) > 200, "cards are dark in both themes"


def test_a_move_that_is_not_due_is_answered_and_changes_nothing(visit: Visit) -> None:
    learner = Learner(visit(settings=CALM))
    learner.begin("first-match")
    while learner.wait() == "read":
        before = (learner.progress, learner.says)
        click_next(learner)
        learner.after(before)
    learner.page.locator('[data-option="redraw"]').click()
    expect(learner.page.locator(".coach-answer")).to_contain_text("Not yet: ")
    assert learner.due() == "keep"
    learner.page.locator('[data-option="keep"]').click()
    expect(learner.page.locator(".coach-answer")).to_be_empty()


@pytest.mark.ci
@pytest.mark.parametrize(("size", "theme"), [(PHONE, "light"), thorough({"width": 1440, "height": 900}, "dark")])
def test_axe_finds_nothing_while_a_lesson_is_told(visit: Visit, size: dict[str, int], theme: str) -> None:
    if not AXE.exists():
        cannot_run("axe-core is not installed: npm ci")
    learner = Learner(visit(settings=CALM, color_scheme=theme, reduced_motion="reduce", **size))
    learner.begin("missions")
    learner.wait()
    assert faults(learner.page) == []


def test_reading_comes_before_choosing(visit: Visit) -> None:
    learner = Learner(visit(settings=CALM))
    learner.begin("first-match")
    assert learner.wait() == "read"
    colours = "(buttons) => buttons.map((one) => getComputedStyle(one, '::after').backgroundColor)"
    filled = learner.page.locator(".coach-next").evaluate_all(colours)
    keep = learner.page.locator('[data-option="keep"]')
    assert keep.evaluate_all(colours) != filled, "only what is to be pressed stands out"
    keep.click()
    expect(learner.page.locator(".coach-answer")).to_contain_text("press Next")
    while learner.wait() == "read":
        before = (learner.progress, learner.says)
        click_next(learner)
        learner.after(before)
    learner.page.mouse.move(0, 0)
    assert keep.evaluate_all(colours) == filled


def test_a_reload_goes_on_at_the_same_step(visit: Visit) -> None:
    learner = Learner(visit(settings=CALM))
    learner.begin("first-match")
    for _ in range(2):
        learner.wait()
        before = (learner.progress, learner.says)
        click_next(learner)
        learner.after(before)
    learner.wait()
    told = (learner.progress, learner.says)
    learner.page.reload()
    learner.wait()
    assert (learner.progress, learner.says) == told


@pytest.mark.ci
def test_one_may_play_freely_at_any_time_and_come_back(visit: Visit) -> None:
    learner = Learner(visit(settings=CALM))
    learner.begin("first-match")
    learner.wait()
    learner.page.get_by_role("button", name="Play on freely").click()
    assert learner.wait() == "after"
    learner.page.get_by_role("button", name="Back to the lesson").click()
    assert learner.wait() == "read"
    learner.page.get_by_role("button", name="Play on freely").click()
    learner.page.locator('[data-option="redraw"]').click()
    expect(learner.page.locator(".coach")).to_contain_text("You have left the lesson.")
    expect(learner.page.get_by_role("button", name="Begin again")).to_be_visible()


@pytest.mark.ci
def test_after_the_match_there_is_a_next_lesson_and_a_match_against_the_computer(visit: Visit) -> None:
    learner = Learner(visit(settings=CALM))
    learner.begin("first-match")
    learner.wait()
    page = learner.page
    concede(page)
    expect(page.get_by_role("button", name="Play the computer")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Next lesson: Missions and payment").click()
    expect(page.locator(".coach-fold")).to_contain_text("Missions and payment", timeout=PATIENCE)


@pytest.mark.ci
@pytest.mark.parametrize("address", ["/", thorough("/how-to-play/"), thorough("/play/")])
def test_one_click_from_the_pages_where_people_look_for_it(visit: Visit, site: Site, address: str) -> None:
    page = visit(settings=CALM)
    page.goto(address)
    page.get_by_role("button", name="Learn by playing").click()
    expect(page.locator(".coach")).to_contain_text("Welcome aboard", timeout=PATIENCE)
