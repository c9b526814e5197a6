"""What a computer player takes a phrase to mean is what the rules take it to mean, as far as a view can say."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ccg.rules import Game
from ccg.rules.cards import phrases
from ccg.rules.cards.schema import Step
from ccg.rules.core import selectors
from ccg.rules.core.state import Context
from ccg.rules.effects.word import Word
from matches.players import ability_evaluation, phrase_matching
from matches.players.board import Board
from matches.players.phrase_matching import fits, is_less, is_own, number
from tests.reading import own_cards
from tests.rules.tables import position, walk

CATALOG = own_cards()
UNKNOWN = {"other", "theirs", "same_title"}
"""What depends on what was chosen or spoken of before, which a view does not say: any piece may be meant."""


def steps(some: list[Step]) -> Iterator[Word]:
    """All steps, those inside others included."""
    for step in some:
        if isinstance(step, Word):
            yield step
            for inner in step.inner():
                yield from steps(list(inner))


PHRASES = sorted(
    {
        step.about
        for card in CATALOG
        for ability in card.abilities
        for step in steps([*ability.do, *ability.red, *(ability.cost if isinstance(ability.cost, list) else [])])
        if step.about is not None
    }
    | {"units with power 2 or less", "restored units", "all singular personnel you control", "linked missions"}
    | {"opposing units", "cards an opponent controls", "bases", "all Cylon threats", 'an alert "Helo"'}
)


def known(selector: phrases.Selector) -> bool:
    """Whether a view says all that the phrase asks."""
    asked = {
        name
        for description in selector.descriptions
        for name in (*description.words, *(suffix for suffix, _ in description.suffixes))
    }
    if "supply card" in selector.nouns:  # no pieces
        return False
    return not asked & UNKNOWN and selector.pronoun in ("", "the challenger", "the defender", "your base")


def test_every_word_of_phrases_is_read() -> None:
    assert set(selectors.WORDS) - set(phrase_matching.WORDS) == {"other"}
    assert set(selectors.SUFFIXES) - set(phrase_matching.SUFFIXES) == {"in_play", "same_title"}
    assert set(selectors.NOUNS) - set(phrase_matching.NOUNS) == {"card"}
    assert sum(known(phrases.selector(phrase)) for phrase in PHRASES) > 60


@pytest.mark.parametrize("seed", range(3))
def test_a_phrase_means_on_a_board_what_it_means_in_the_game(seed: int) -> None:
    asked = [phrases.selector(phrase) for phrase in PHRASES if known(phrases.selector(phrase))]
    tests = [(selector, selectors.test(selector)) for selector in asked]
    for step, game in enumerate(walk(CATALOG, f"phrases {seed}", players=2 + seed % 2, most=150)):
        if game.decision is None or step % 5:
            continue
        board = Board(game.view(game.decision.seat), CATALOG)
        context = Context(game.decision.seat, 0)
        for selector, test in tests:
            for piece in board.pieces.values():
                meant = test(game.engine, context, game.engine.piece(piece.id))
                assert fits(board, piece, selector) == meant, (selector, piece)


def board_of(game: Game) -> Board:
    """What Ana sees."""
    return Board(game.view(0), CATALOG)


def test_what_is_meant_may_be_any_piece_where_a_view_cannot_tell() -> None:
    board = board_of(position(CATALOG, {"alert": ["Raptor 101"]}, {"alert": ["Helo, Flight Officer"]}, first="Ana"))
    units = [piece for piece in board.pieces.values() if piece.role in ("personnel", "ship")]

    assert all(fits(board, unit, phrases.selector("it")) for unit in units)
    assert [unit.role for unit in units if fits(board, unit, phrases.selector("target other personnel"))] == [
        "personnel"
    ]
    assert not any(fits(board, unit, phrases.selector("the challenger")) for unit in units)


@pytest.mark.parametrize(
    ("phrase", "own"),
    [
        ("a unit you control", True),
        ("Enlisted or Cylon personnel you control", True),
        ("this", True),
        ("your base", True),
        ("it", False),
        ("target unit", False),
        ("all personnel an opponent controls", False),
    ],
)
def test_what_is_ones_own(phrase: str, own: bool) -> None:
    assert is_own(phrases.selector(phrase)) == own


@pytest.mark.parametrize(
    ("said", "amount", "less"),
    [
        (3, 3, False),
        (-2, -2, True),
        ("X", 2, False),
        ("-X", -2, True),
        ("hand", 2, False),
        ("1 for each Cylon unit you control", 0, False),
        ("1 for each alert Officer", 2, False),
        ("-1 for each ship you control", -1, True),
        ("the mystic value of it", 2, False),
    ],
)
def test_numbers_are_counted_where_they_can_be(said: int | str, amount: int, less: bool) -> None:
    fleets = {"alert": ["Helo, Flight Officer", "Raptor 101"]}, {"alert": ["Helo, Flight Officer"]}
    board = board_of(position(CATALOG, *fleets, first="Ana"))

    assert (number(board, said), is_less(said)) == (amount, less)


def test_a_weakening_that_is_counted_is_aimed_at_others() -> None:
    counted = next(
        card
        for card in CATALOG
        for ability in card.abilities
        for step in steps(list(ability.do))
        if step.worth.kind == "power" and str(step.argument).startswith("-1 for each")
    )
    assert ability_evaluation.aim_of(counted) == "harm"
