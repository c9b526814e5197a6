"""What players are asked: each question names the card that asks, and what is to be chosen."""

from __future__ import annotations

import random
import re

import pytest

from ccg.rules import Game, Seat
from ccg.rules.telling.templates import CHOSEN, PROMPTS, PROMPTS_OF_CARDS
from tests.reading import own_cards
from tests.rules.tables import PLAIN_BASE, PLAIN_SHIP, position

CATALOG = own_cards()
BASES = [card.id for card in CATALOG if card.type == "base"]
OTHERS = [card.id for card in CATALOG if card.type != "base"]
BARE = re.compile(r"^(?:choose one|which one|choose a card|choose)\W*$", re.IGNORECASE)


@pytest.mark.parametrize("number", range(30))
def test_every_question_names_the_card_that_asks(number: int) -> None:
    rng = random.Random(number)
    seats = [Seat(name, rng.choice(BASES), rng.choices(OTHERS, k=70)) for name in ("Ana", "Ben")]
    game = Game.start(seats, CATALOG, f"prompts {number}".encode())
    for _ in range(400):
        decision = game.decision
        if decision is None:
            return
        view = game.view(decision.seat).decision
        assert view is not None
        said = " ".join([*view.chain, view.prompt])
        assert view.prompt.rstrip().endswith((".", "?")), view.prompt
        assert not BARE.match(view.prompt), said
        assert "  " not in said, said
        assert not {"", "pay"} & {part.strip() for part in view.chain}, "nothing is paid where nothing is owed"
        if view.card is not None:
            assert CATALOG[view.card].name in said, (view.kind, said)
        if view.kind in ("jump", "which_supply"):
            assert all(option.text.startswith("Sacrifice ") for option in view.options), view.options
        if view.kind == "take":
            assert re.search(r"the card that goes from .*(?:hand|discard pile) (?:to (?:the|your)|under) ", said), said
        game.choose(rng.choice(decision.options))


def test_what_a_card_asks_says_what_is_chosen() -> None:
    assert PROMPTS_OF_CARDS.keys() <= PROMPTS.keys()
    assert all(sentence.startswith("{card}: ") for sentence in PROMPTS_OF_CARDS.values())
    assert CHOSEN.keys() >= {"pieces", "players", "mode", "number", "cards", "supplies"}, "the kinds of Choice"


# ---------------------------------------------------------------- what is at stake


def stakes(game: Game, seat: int) -> tuple[str, int]:
    """What the player at ``seat`` is asked, and the influence that the challenge is about."""
    view = game.view(seat)
    assert view.decision is not None
    return plain(view.decision.prompt), view.challenge.stake if view.challenge is not None else 0


def plain(marked: str) -> str:
    return re.sub(r"\[\[[^|\]]*\|([^\]]*)\]\]", r"\1", marked)


def challenge_of_ben(*defenders: str, hand: tuple[str, ...] = (), challenger: str = PLAIN_SHIP) -> Game:
    """Ana challenges Ben with a unit; these are his alert ones."""
    game = position(
        CATALOG,
        {"base": PLAIN_BASE, "fill": PLAIN_SHIP, "alert": [challenger]},
        {"base": PLAIN_BASE, "fill": PLAIN_SHIP, "alert": list(defenders), "hand": list(hand)},
        first="Ana",
    )
    game.choose(f"challenge {game.engine.player(0).alert[0].id} p1")
    return game


def test_who_is_challenged_is_told_what_is_lost_undefended() -> None:
    asked = "You are challenged. Undefended you lose 1 influence. Do you defend, and with whom?"
    assert stakes(challenge_of_ben(PLAIN_SHIP), 1) == (asked, 1)


def test_who_cannot_defend_is_asked_nothing() -> None:
    assert stakes(challenge_of_ben(), 1) == ("You are challenged and cannot defend: you lose 1 influence.", 1)


def test_both_are_told_what_an_undefended_challenge_is_about() -> None:
    game = challenge_of_ben()
    game.choose("decline")
    act = "Play an event or an ability, or pass."
    assert stakes(game, 0) == (f"Nobody defends: Ben loses 1 influence. {act}", 1)
    game.choose("pass")
    assert stakes(game, 1) == (f"Nobody defends: you lose 1 influence. {act}", 1)


MANIPULATING = "BSG1-165"
"""A ship of power 1 that has Manipulate and no other words."""


def test_all_are_told_that_what_is_at_stake_may_be_gained_instead() -> None:
    game = challenge_of_ben(challenger=MANIPULATING)
    game.choose("decline")
    act = "Play an event or an ability, or pass."
    assert stakes(game, 0) == (f"Nobody defends: Ben loses 1 influence, or you gain it. {act}", 1)
    game.choose("pass")
    assert stakes(game, 1) == (f"Nobody defends: you lose 1 influence, or they gain it. {act}", 1)


def test_who_looks_on_at_a_challenge_is_told_who_may_gain_instead() -> None:
    sides = [{"base": PLAIN_BASE, "fill": PLAIN_SHIP, "alert": alert} for alert in ([MANIPULATING], [], [])]
    game = position(CATALOG, *sides, first="Ana")
    game.choose(f"challenge {game.engine.player(0).alert[0].id} p1")
    for option in ("decline", "pass", "pass"):
        game.choose(option)
    act = "Play an event or an ability, or pass."
    assert stakes(game, 2) == (f"Nobody defends: Ben loses 1 influence, or Ana gains it. {act}", 1)


def test_the_totals_are_told_with_the_rule_that_decides() -> None:
    game = challenge_of_ben(PLAIN_SHIP)
    game.choose(game.decision.options[0])
    events = []
    while game.view(None).challenge is not None:
        events += game.choose("pass")
    told = [game.seen(event, None) for event in events if event.kind in ("totals", "wins")]
    assert [(event.number, event.against) for event in told] == [(2, 2), (2, 2)]
    assert [plain(event.text) for event in told] == [
        "Colonial Shuttle and Colonial Shuttle have 2 each: a tie, and the challenger wins.",
        "Colonial Shuttle wins, 2 against 2: the challenger wins a tie.",
    ]


DANGEROUS = "BSG1-148"
"""A Fighter without abilities that adds 2 to the threat level, and is a threat of 2 itself."""


def attacked(*alert: str) -> Game:
    """The Cylons attack while Ana has these units alert, and one in reserve."""
    ana = {"base": PLAIN_BASE, "fill": DANGEROUS, "alert": list(alert), "reserve": [DANGEROUS]}
    ben = {"base": PLAIN_BASE, "fill": DANGEROUS, "reserve": [DANGEROUS] * 12}
    return position(CATALOG, ana, ben, first="Ana", phase="cylon")


def test_who_cannot_challenge_a_cylon_threat_is_told_what_that_costs_and_why() -> None:
    game = attacked()
    assert stakes(game, 0)[0] == "You cannot challenge a Cylon threat: you pass and lose 1 influence."
    decision = game.view(0).decision
    assert decision is not None
    reserve = game.engine.player(0).reserve[0]
    assert [(use.verb, use.piece, use.reason) for use in decision.unable] == [("challenge", reserve.id, "not_alert")]
    before = game.engine.player(0).influence
    game.choose("pass")
    assert before - game.engine.player(0).influence == 1


def test_who_can_challenge_a_cylon_threat_is_told_both() -> None:
    asked = "Challenge a Cylon threat to gain 2 influence, or pass and lose 1."
    assert stakes(attacked(DANGEROUS), 0)[0] == asked


# ---------------------------------------------------------------- what a question is about


def choose(game: Game, words: str) -> None:
    """Choose the option that is told in these words."""
    assert game.decision is not None
    view = game.view(game.decision.seat).decision
    assert view is not None
    told = [plain(option.text) for option in view.options]
    game.choose(game.decision.options[told.index(words)])


def asked(game: Game) -> str:
    """What the player who decides is asked."""
    assert game.decision is not None
    return stakes(game, game.decision.seat)[0]


def test_who_may_save_one_of_several_is_told_which() -> None:
    game = position(
        CATALOG,
        {"base": "Hangar Bay", "base_supplies": 2, "fill": PLAIN_SHIP, "hand": ["Left Behind"],
         "assets": [{"card": "Raptor 342", "supplies": 1}]},
        {"base": "Operations Room", "fill": PLAIN_SHIP,
         "alert": ["Colonial Viper 442", "Raptor 101", "Helo, Karl Agathon"],
         "persistent": ["Flight School", "Misdirection"]},
        phase="execution",
        first="Ana",
    )  # fmt: skip
    choose(game, "Play Left Behind")
    choose(game, "Pay with Hangar Bay")
    choose(game, "Pay with Raptor 342")
    found = []
    while game.decision is not None and game.decision.kind == "may":
        found.append(asked(game))
        choose(game, "No")
    assert found == [
        "Colonial Viper 442 would be defeated. Do you use Flight School instead?",
        "Raptor 101 would be defeated. Do you use Flight School instead?",
        "Helo, Karl Agathon would be defeated. Do you use Misdirection instead?",
    ]


def test_who_meets_a_requirement_is_told_which_one() -> None:
    game = position(
        CATALOG,
        {
            "base": "Operations Room",
            "fill": PLAIN_SHIP,
            "alert": ["Colonial Day", "Dr. Baltar, Refugee", "Anders, Caprican Buccaneer", "Elosha, Council Member",
                      "Tom Zarek, Sagittaron Representative"],
        },
        {"base": "Operations Room", "fill": PLAIN_SHIP},
        phase="execution",
        first="Ana",
    )  # fmt: skip
    choose(game, "Resolve Colonial Day")
    first = asked(game)
    choose(game, "Choose Dr. Baltar, Refugee")
    assert [first, asked(game)] == [
        f"The mission asks for 1 {unit}. Which of your cards meets it?" for unit in ("Civilian unit", "Politician")
    ]


def test_a_sniper_asks_only_whether_there_is_a_defender() -> None:
    game = challenge_of_ben(PLAIN_SHIP, "Raptor 101", challenger="Colonial Viper 315")
    stake = game.view(1).challenge
    assert stake is not None
    asks = f"You are challenged. Undefended you lose {stake.stake} influence. Do you defend? They say with whom."
    assert asked(game) == asks
