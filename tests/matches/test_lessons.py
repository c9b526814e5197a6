"""Lessons: each is played through the engine as its steps say, and begun, left and ended as a match on the site."""

from __future__ import annotations

import html
import re
from functools import lru_cache
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from ccg.rules import Catalog, Game
from ccg.rules.scenario.steps import Words
from decks.models import Deck
from matches.lessons import files, script
from matches.lessons.files import LESSONS, Lesson, StepGiven
from matches.lessons.stacking import seed_bytes, stacked
from matches.lobby import lesson_matches, rematches
from matches.models import Match, MatchSeat
from matches.playing import match_cache, moves
from matches.protocol.messages import Back, Choose
from matches.runners import computer_runner
from matches.table import table_view
from tests.people import sign_in, signed_in

MOST_WORDS = 40
"""Words that a step says at most: it is read beside a table, on a phone too."""

FIRST_WORDS = {
    "asset", "supply card", "resource stack", "alert", "reserve", "commit", "exhaust", "Cylon threat", "fleet defense",
    "mystic value", "jump",
}  # fmt: skip
"""What somebody who has never seen the game has to be told in the first match."""


def played(slug: str, catalog: Catalog) -> script.Script:
    """The lesson, played through."""
    return script.script(slug, catalog)


@lru_cache
def games(slug: str, catalog: Catalog) -> list[Game]:
    """The game after each number of moves of the lesson, with players of other names than in its file."""
    told = files.lesson(slug)
    found = [Game.start(script.seats(told, catalog, ("Ana", "Ben")), catalog, seed_bytes(told.seed))]
    for move in played(slug, catalog).moves:
        found.append(found[-1].copy())
        found[-1].choose(move.option)
    return found


def game_at(slug: str, catalog: Catalog, moves: int) -> Game:
    """The game after so many moves of the lesson."""
    return games(slug, catalog)[moves].copy()


def said(told: Lesson) -> list[StepGiven]:
    """The steps in which something is said."""
    return [step for step in told.story if step.say]


def words_of(text: str) -> set[str]:
    """What a text marks as words of the game."""
    return set(re.findall(r"\*([^*]+)\*", text))


@pytest.mark.parametrize("slug", LESSONS)
class TestEachLesson:
    def test_is_played_to_its_end(self, slug: str, catalog: Catalog) -> None:
        assert played(slug, catalog).fault == ""

    def test_ends_where_the_player_goes_on_against_the_computer(self, slug: str, catalog: Catalog) -> None:
        lesson = played(slug, catalog)
        game = game_at(slug, catalog, len(lesson.moves))
        assert game.result is None
        assert game.decision is not None
        assert game.decision.seat == script.LEARNER
        assert lesson.steps[-1].at == len(lesson.moves)
        assert lesson.steps[-1].option == "", "the last step is read, so that it can say what comes now"

    def test_every_step_is_due_where_the_player_decides(self, slug: str, catalog: Catalog) -> None:
        for step in played(slug, catalog).steps:
            game = game_at(slug, catalog, step.at)
            assert game.decision is not None
            assert game.decision.seat == script.LEARNER, step.say

    def test_every_decision_of_the_player_has_a_step(self, slug: str, catalog: Catalog) -> None:
        lesson = played(slug, catalog)
        own = {
            place for place, move in enumerate(lesson.moves) if move.seat == script.LEARNER and place >= lesson.before
        }
        assert own == {step.at for step in lesson.steps if step.option}

    def test_every_position_is_known_by_itself(self, slug: str, catalog: Catalog) -> None:
        lesson = played(slug, catalog)
        assert sorted(lesson.positions.values()) == list(range(len(lesson.moves) + 1))

    def test_what_a_step_points_at_lies_on_the_table(self, slug: str, catalog: Catalog) -> None:
        for step in played(slug, catalog).steps:
            view = game_at(slug, catalog, step.at).view(script.LEARNER)
            lying = {piece.card for piece in view.threats}
            for player in view.players:
                lying.update(player.hand_cards)
                for piece in [*player.alert, *player.reserve, *player.stacks, *player.persistent]:
                    lying.update([piece.card, *piece.beneath, *(link.card for link in piece.links)])
            cards = {place.removeprefix("card ") for place in step.point if place.startswith("card ")}
            assert cards <= lying, step.say

    def test_a_move_is_asked_for_where_something_is_marked(self, slug: str, catalog: Catalog) -> None:
        told = files.lesson(slug)
        assert [step.say for step in said(told) if not step.point] == []

    def test_other_moves_are_answered_with_a_reason(self, slug: str, catalog: Catalog) -> None:
        for step in played(slug, catalog).steps:
            game = game_at(slug, catalog, step.at)
            assert game.decision is not None
            others = {game.key(option) for option in game.decision.options} - {step.option}
            if step.option and not step.quiet and others and not step.not_yet:
                assert others <= set(step.refused), step.say
            for answer in [*step.refused.values(), step.not_yet]:
                assert not answer or answer.startswith("Not yet: "), answer

    def test_payments_are_made_as_the_table_proposes_them(self, slug: str, catalog: Catalog) -> None:
        for step in played(slug, catalog).steps:
            decision = game_at(slug, catalog, step.at).view(script.LEARNER).decision
            assert decision is not None
            if step.option and decision.proposal:
                assert step.option == decision.proposal[0], step.say

    def test_what_is_done_without_a_word_leaves_no_choice(self, slug: str, catalog: Catalog) -> None:
        for step in played(slug, catalog).steps:
            if step.quiet:
                game = game_at(slug, catalog, step.at)
                assert game.decision is not None
                kinds = {option.verb for option in game.decision.options}
                assert len(Words(game).distinct()) == 1 or kinds == {"pay"}, step.option

    def test_texts_are_short(self, slug: str) -> None:
        told = files.lesson(slug)
        texts = [step.say for step in told.story] + [
            answer for step in told.story for answer in [*step.instead.values(), step.not_yet]
        ]
        assert [text for text in texts if len(text.split()) > MOST_WORDS] == []

    def test_a_card_is_called_by_its_name_where_a_move_with_it_is_asked_for(self, slug: str, catalog: Catalog) -> None:
        """What can be chosen is named on the page by these words, and by no others."""
        told = files.lesson(slug)
        titles = {card.name: card.title or card.name for card in catalog}
        for step in said(told):
            called = {title for name, title in titles.items() if name in (step.do or "") and "pay" not in step.do}
            assert {title for title in called if title not in step.say} == set(), step.say

    def test_explains_the_words_that_it_promises(self, slug: str) -> None:
        told = files.lesson(slug)
        explained = {word for step in told.story for word in step.explains}
        assert explained == set(told.words)

    def test_marks_each_word_where_it_explains_it(self, slug: str) -> None:
        for step in said(files.lesson(slug)):
            marked = " ".join(words_of(step.say)).casefold()
            for word in step.explains:
                # "commit" is marked as "committed", "jump" as "jumps".
                assert word.casefold() in marked or word.casefold().rstrip("e") in marked, (word, step.say)

    def test_is_played_with_decks_of_sixty_cards(self, slug: str, catalog: Catalog) -> None:
        assert [len(seat.deck) for seat in script.seats(files.lesson(slug), catalog)] == [60, 60]


def test_the_first_match_explains_what_every_newcomer_needs() -> None:
    assert set(files.lesson("first-match").words) >= FIRST_WORDS


def test_a_move_taken_back_leads_back_into_the_lesson(catalog: Catalog) -> None:
    lesson = played("first-match", catalog)
    paying = next(step.at for step in lesson.steps if step.option.startswith("pay"))
    game = game_at("first-match", catalog, paying)
    assert lesson.position(game) == paying
    game.take_back()
    assert lesson.position(game) == paying - 1


def test_the_place_in_a_lesson_does_not_depend_on_what_players_are_called(catalog: Catalog) -> None:
    lesson = played("first-match", catalog)
    found = [lesson.position(game) for game in games("first-match", catalog)]
    assert found == list(range(len(lesson.moves) + 1))


def test_whoever_leaves_the_story_has_left_the_lesson(catalog: Catalog) -> None:
    game = game_at("first-match", catalog, 0)
    game.choose("redraw")
    assert played("first-match", catalog).position(game) is None
    assert played("first-match", catalog).rivals_move(game) is None


def test_decks_lie_as_wanted_after_the_shuffle(catalog: Catalog) -> None:
    told = files.lesson("first-match")
    game = game_at("first-match", catalog, 0)
    names = [card.name for card in map(catalog.__getitem__, game.view(0).players[0].hand_cards)]
    assert sorted(names) == sorted(told.you.deck[:4])
    one, two = stacked([["a", "b", "c"], ["d", "e"]], b"x")
    assert (sorted(one), sorted(two)) == (["a", "b", "c"], ["d", "e"])


def test_a_story_that_the_rules_refuse_ends_there_and_goes_on_as_a_match(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    told = files.lesson("first-match")
    wrong = [*told.story[:3], StepGiven(say="Now win.", do="play Fury"), *told.story[3:]]
    changed = type(told)(**{name: getattr(told, name) for name in told.__struct_fields__} | {"story": wrong})
    monkeypatch.setattr(script, "lesson", lambda slug: changed)
    broken = script.script.__wrapped__("first-match", catalog)
    assert "play Fury" in broken.fault
    assert len(broken.moves) == 1
    assert "cannot be played to its end" in caplog.text


# -- on the site


def learner_moves(match: Match, user: Any) -> None:
    """Play the whole lesson as its steps say."""
    lesson = played(match.lesson, table_view.current_game(match)[2])
    for place, move in enumerate(lesson.moves[lesson.before :], lesson.before):
        now = Match.objects.get(pk=match.pk)
        shown = shown_to(now, user)
        assert (shown.version, shown.lesson) == (place, place)
        if move.seat == script.LEARNER:
            command = Choose(id=f"m{place}", version=place, option=move.option)
            assert isinstance(moves.act(now.public_id, moves.Actor.person(user.pk), command), moves.Accepted)
        else:
            assert computer_runner.take_turn(now.public_id)


def shown_to(match: Match, user: Any) -> Any:
    """The table as ``user`` is shown it."""
    snapshot = table_view.read(match.public_id, user.pk, None)
    assert isinstance(snapshot, table_view.Snapshot)
    return table_view.table(snapshot)


def test_the_computer_follows_the_story_to_its_end_and_then_plays_itself(alice: Any) -> None:
    match = lesson_matches.play_lesson(alice, "first-match")
    learner_moves(match, alice)
    shown = shown_to(match, alice)
    assert shown.lesson == shown.version == len(played("first-match", table_view.current_game(match)[2]).moves)
    command = Choose(id="free", version=shown.version, option="pass")
    assert isinstance(moves.act(match.public_id, moves.Actor.person(alice.pk), command), moves.Accepted)
    assert shown_to(match, alice).lesson is None
    assert computer_runner.take_turn(match.public_id)


def test_a_lesson_that_a_fault_keeps_from_being_given_up_can_be_begun_again(alice: Any) -> None:
    broken = lesson_matches.play_lesson(alice, "first-match")
    Match.objects.filter(pk=broken.pk).update(saved=b"broken")
    match_cache.clear()
    again = lesson_matches.play_lesson(alice, "first-match")
    assert again.pk != broken.pk
    assert again.get_absolute_url() in signed_in(alice).get("/learn/").content.decode()


def test_off_the_path_the_computer_is_an_ordinary_one(alice: Any) -> None:
    match = lesson_matches.play_lesson(alice, "first-match")
    command = Choose(id="off", version=0, option="redraw")
    assert isinstance(moves.act(match.public_id, moves.Actor.person(alice.pk), command), moves.Accepted)
    assert shown_to(match, alice).lesson is None
    assert computer_runner.take_turn(match.public_id)
    assert Match.objects.get(pk=match.pk).version == 2


def test_a_reload_after_taking_a_move_back_is_in_the_lesson_still(alice: Any) -> None:
    match = lesson_matches.play_lesson(alice, "first-match")
    me = moves.Actor.person(alice.pk)
    lesson = played("first-match", table_view.current_game(match)[2])
    for place in range(5):
        if lesson.moves[place].seat == script.LEARNER:
            moves.act(match.public_id, me, Choose(id=f"m{place}", version=place, option=lesson.moves[place].option))
        else:
            computer_runner.take_turn(match.public_id)
    assert isinstance(moves.act(match.public_id, me, Back(id="b", version=5)), moves.Accepted)
    shown = shown_to(match, alice)
    assert (shown.version, shown.lesson) == (6, 4)


def test_a_lesson_is_for_nobody_else_and_counts_for_nothing(alice: Any, charlie: Any) -> None:
    before = list(Deck.objects.order_by("pk").values_list("pk", "played", "games"))
    match = lesson_matches.play_lesson(alice, "first-match")
    assert not match.watchable
    assert table_view.read(match.public_id, charlie.pk, None) is None
    assert set(MatchSeat.objects.filter(match=match).values_list("deck_version", flat=True)) == {""}
    assert list(Deck.objects.order_by("pk").values_list("pk", "played", "games")) == before


def test_beginning_again_gives_the_old_one_up(alice: Any) -> None:
    first = lesson_matches.play_lesson(alice, "first-match")
    second = lesson_matches.play_lesson(alice, "first-match")
    assert Match.objects.get(pk=first.pk).state == Match.State.FINISHED
    assert list(lesson_matches.running_lessons(alice)) == [second]


@pytest.mark.parametrize("page", ["/", "/play/", "/how-to-play/"])
def test_learn_by_playing_goes_on_with_a_lesson_begun_before(alice: Any, starters: None, page: str) -> None:
    browser = signed_in(alice)
    begun = lesson_matches.play_lesson(alice, "first-match")
    address = reverse("matches:lesson", args=["first-match"])
    form = browser.get(page).content.decode().partition(f'action="{address}"')[2].partition("</form>")[0]
    assert "Learn by playing" in form
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="(\w*)"', form))
    assert browser.post(address, fields)["Location"] == begun.get_absolute_url()
    assert list(lesson_matches.running_lessons(alice)) == [begun]


def test_a_second_click_at_the_same_moment_begins_no_second_lesson(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both find none that runs, and the first one begins it."""
    before = lesson_matches.play_lesson(alice, "first-match")
    real = lesson_matches._lesson_decks
    begun: list[Any] = []

    def while_the_other_begins(told: Lesson) -> Any:
        if not begun:
            begun.append(None)
            begun[0] = lesson_matches.play_lesson(alice, "first-match")
        return real(told)

    monkeypatch.setattr(lesson_matches, "_lesson_decks", while_the_other_begins)
    assert lesson_matches.play_lesson(alice, "first-match") == begun[0] != before
    assert list(lesson_matches.running_lessons(alice)) == begun


def test_a_rematch_of_a_lesson_is_the_lesson_again(alice: Any) -> None:
    first = lesson_matches.play_lesson(alice, "first-match")
    lesson_matches.play_lesson(alice, "first-match")
    again = rematches.rematch(Match.objects.get(pk=first.pk), alice)
    assert shown_to(again, alice).lesson == 0


def test_a_visitor_begins_with_one_click_as_a_guest(cards: None) -> None:
    browser = Client()
    answer = browser.post(reverse("matches:lesson", args=["first-match"]))
    match = Match.objects.get(lesson="first-match")
    assert answer["Location"] == match.get_absolute_url()
    page = browser.get(match.get_absolute_url()).content.decode()
    assert 'id="lesson" type="application/json"' in page
    assert "Welcome aboard" in page


def test_an_ordinary_match_has_no_lesson(match: Match, alice: Any) -> None:
    browser = signed_in(alice)
    assert 'id="lesson"' not in browser.get(match.get_absolute_url()).content.decode()
    assert shown_to(match, alice).lesson is None


def test_a_lesson_counts_no_matches_that_wait_elsewhere(alice: Any) -> None:
    lesson = lesson_matches.play_lesson(alice, "first-match")
    page = signed_in(alice).get(lesson.get_absolute_url()).content.decode()
    assert 'id="lesson"' in page
    assert "data-waiting" not in page


def test_a_lesson_is_called_by_its_title_among_ones_matches(alice: Any) -> None:
    lesson_matches.play_lesson(alice, "first-match")
    page = signed_in(alice).get(reverse("matches:mine")).content.decode()
    assert f"Lesson: {files.lesson('first-match').title}" in html.unescape(page)
    assert "of the lesson" not in page


def test_the_page_of_lessons_offers_to_go_on(alice: Any) -> None:
    browser = Client()
    assert "Go on" not in browser.get(reverse("matches:learn")).content.decode()
    sign_in(browser, alice)
    match = lesson_matches.play_lesson(alice, "first-match")
    assert match.get_absolute_url() in browser.get(reverse("matches:learn")).content.decode()


def test_a_link_to_a_lesson_leads_to_the_page_of_all(cards: None) -> None:
    assert Client().get("/learn/first-match/")["Location"] == "/learn/#first-match"
    assert Client().get("/learn/no-such-lesson/").status_code == 404
    assert Client().post("/learn/no-such-lesson/").status_code == 404
