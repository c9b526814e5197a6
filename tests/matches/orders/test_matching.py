"""When orders answer and when they end, from public facts and events alone."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from ccg.rules import EventView
from ccg.rules.telling.view import ChallengeView, DecisionView, PieceView, PlayerView, ResultView, View
from matches.orders import wording
from matches.orders.matching import (
    KINDS,
    SILENT,
    Answer,
    Ended,
    NotPossible,
    Order,
    Terms,
    challenge_of,
    check,
    has_begun,
    judge,
)

OWNER, OTHER = 0, 1
SINCE = 10


def view(kind: str = "action", seat: int = OWNER, **changes: Any) -> View:
    """Return the table as anybody sees it: the execution phase of turn 3, where ``seat`` must decide."""
    players = [PlayerView(number, "x", 10, 30, 5) for number in range(changes.pop("seats", 2))]
    fields: dict[str, Any] = {
        "viewer": None, "turn": 3, "phase": "execution", "step": "", "first": 0, "fleet_defense": 0,
        "threat_level": 0, "players": players, "threats": [], "challenge": None, "result": None, "why": [],
        "decision": DecisionView(seat, kind, "…"),
    }  # fmt: skip
    return View(**(fields | changes))


def challenge(
    by: int = OTHER, as_type: str = "personnel", stake: int = 1, defender: int | None = None
) -> ChallengeView:
    return ChallengeView(by, 7, as_type, "defend", challenged=1 - by, defender=defender, stake=stake)


def order(decision: str = "action", **terms: Any) -> Order:
    phase = KINDS[decision].phases[0]
    held = terms.pop("challenge", "")
    return Order(Terms(decision, **terms), OWNER, SINCE, 3, phase, held)


def events(*kinds: str | tuple[str, int]) -> list[tuple[int, EventView]]:
    """Return events after the order was given, of the other player unless it says of whom."""
    told = [(kind, OTHER) if isinstance(kind, str) else kind for kind in kinds]
    return [(SINCE + 1 + number, EventView(kind, "…", player)) for number, (kind, player) in enumerate(told)]


PASSES = Answer("pass")


def test_it_passes_if_all_others_have_passed_since_it_was_given() -> None:
    given = order(when="they_pass")
    assert judge(given, view(), events("pass")) == PASSES
    assert judge(given, view(), []) == SILENT
    assert judge(given, view(), [(SINCE, EventView("pass", "…", OTHER))]) == SILENT, "it was passed before that"
    assert judge(given, view(seats=3), events("pass")) == SILENT
    assert judge(given, view(seats=3), events("pass", ("pass", 2))) == PASSES


def test_passes_within_a_challenge_are_no_passed_actions() -> None:
    own = events(("challenge", OWNER), "decline", ("pass", OWNER), "pass", "lose influence", "challenge over")
    assert judge(order(when="they_pass"), view(), own) == SILENT
    rest = events("decline", ("pass", OWNER), "pass", "lose influence", "challenge over")
    assert judge(order(when="they_pass", challenge="own"), view(), rest) == SILENT
    assert (
        judge(order(when="they_pass", challenge="own"), view(), [*rest, (40, EventView("pass", "…", OTHER))]) == PASSES
    )


@pytest.mark.parametrize("kind", ["play", "resolve", "use", "challenge", "trigger", "defeat", "concede", "taken back"])
def test_what_was_not_foreseen_disarms_it_and_says_why(kind: str) -> None:
    verdict = judge(order(), view(), events(kind))
    assert isinstance(verdict, Ended) and verdict.state == "disarmed" and verdict.why.endswith(".")


def test_until_the_end_only_leaving_and_takebacks_disarm_it() -> None:
    firm = order(until="end")
    assert judge(firm, view(), events("play", "trigger", "challenge", "challenge over")) == PASSES
    assert isinstance(judge(firm, view(), events("taken back")), Ended)


def test_own_deeds_and_what_comes_of_them_disarm_nothing() -> None:
    assert judge(order(), view(), events(("play", OWNER), ("trigger", OWNER), ("gain", OWNER))) == PASSES


def test_it_ends_with_its_phase_and_answers_in_no_other() -> None:
    assert judge(order(), view(phase="cylon"), []) == Ended("over", "The phase is over.")
    assert judge(order(), view(turn=4, phase="ready"), events("play")) == Ended("over", "The phase is over.")
    assert judge(order(), view(phase="ready"), []) == SILENT
    assert isinstance(judge(order(), view(result=ResultView((), (), "last")), []), Ended)


def test_it_ends_with_its_phase_where_the_turn_has_another_one_of_that_kind() -> None:
    firm = order(until="end")
    begun = [EventView("phase", "…", number=3, to=phase) for phase in ("cylon", "execution")]
    ended = judge(firm, view(), [(SINCE + 1, event) for event in begun])
    assert isinstance(ended, Ended)
    assert ended.state == "over"
    before = [EventView("phase", "…", number=2, to="cylon"), EventView("phase", "…", number=3, to="ready"), begun[1]]
    assert judge(firm, view(), [(SINCE + 1, event) for event in before]) == PASSES


def test_one_for_the_cylon_phase_ends_with_it_where_the_turn_has_two() -> None:
    def order_of(begun: bool) -> Order:
        return Order(Terms("cylon"), OWNER, SINCE, 3, "cylon", begun=begun)

    at = view("cylon", phase="cylon")
    over = Ended("over", "The phase is over.")
    first, again, second = (EventView("phase", "…", number=3, to=phase) for phase in ("cylon", "execution", "cylon"))
    assert judge(order_of(begun=True), at, [(SINCE + 1, again), (SINCE + 2, second)]) == over
    assert judge(order_of(begun=False), at, [(SINCE + 1, first)]) == PASSES
    assert judge(order_of(begun=False), at, [(SINCE + 1, again), (SINCE + 2, second)]) == PASSES
    assert judge(order_of(begun=False), at, [(SINCE + 1, first), (SINCE + 2, again), (SINCE + 3, second)]) == over


def test_whether_its_phase_had_begun_is_what_its_owner_saw() -> None:
    at = view("cylon", phase="cylon")
    assert has_begun(at, 3, "cylon", [])
    assert not has_begun(at, 3, "cylon", [EventView("phase", "…", number=3, to="cylon")])
    assert not has_begun(at, 4, "execution", [])


def test_it_answers_its_owner_and_its_kind_of_decision_alone() -> None:
    assert judge(order(), view(seat=OTHER), []) == SILENT
    assert judge(order(), view("effects", challenge=challenge()), []) == SILENT
    assert judge(order(), view(decision=None), []) == SILENT


def test_effects_of_one_challenge_end_with_it() -> None:
    given = order("effects", scope="challenge", challenge="other")
    assert judge(given, view("effects", challenge=challenge()), events("decline")) == PASSES
    assert judge(given, view(), events("challenge over")) == Ended("over", "The challenge is over.")
    used = judge(given, view("effects", challenge=challenge()), events("use"))
    assert used == Ended("disarmed", "Somebody else used an ability.")


def test_effects_look_only_at_what_happens_in_challenges() -> None:
    given = order("effects")
    assert judge(given, view("effects", challenge=challenge()), events("play", "challenge")) == PASSES
    assert isinstance(judge(given, view("effects", challenge=challenge()), events("challenge", "play")), Ended)


def test_effects_where_nobody_defends() -> None:
    given = order("effects", when="undefended")
    assert judge(given, view("effects", challenge=challenge()), events("challenge", "decline")) == PASSES
    assert judge(given, view("effects", challenge=challenge(defender=9)), events("challenge", "defend")) == SILENT


@pytest.mark.parametrize(
    ("terms", "at", "answers"),
    [
        ({}, challenge(), True),
        ({"when": "not_by_ship"}, challenge(as_type="ship"), False),
        ({"when": "not_by_ship"}, challenge(), True),
        ({"when": "not_by_personnel"}, challenge(), False),
        ({"when": "at_most", "number": 2}, challenge(stake=2), True),
        ({"when": "at_most", "number": 2}, challenge(stake=3), False),
    ],
)
def test_declining_to_defend(terms: dict[str, Any], at: ChallengeView, answers: bool) -> None:
    given = order("defend", **terms)
    assert judge(given, view("defend", challenge=at), events("play", "challenge")) == (
        Answer("decline") if answers else SILENT
    )
    assert judge(given, view("react", challenge=at), events("challenge")) == (Answer("no") if answers else SILENT)


def test_nobody_loses_the_game_by_declining_beforehand() -> None:
    verdict = judge(order("defend"), view("defend", challenge=challenge(stake=10)), events("challenge"))
    assert verdict == Ended("disarmed", "Not to defend would cost you all your influence.")


def test_nobody_loses_the_game_by_leaving_threats_alone_beforehand() -> None:
    players = [PlayerView(number, "x", 1, 30, 5) for number in (OWNER, OTHER)]
    alone = Order(Terms("cylon"), OWNER, SINCE, 3, "cylon")
    at = view("cylon", phase="cylon")
    assert judge(alone, at, []) == PASSES
    ended = judge(alone, view("cylon", phase="cylon", players=players), [])
    assert isinstance(ended, Ended)
    assert (ended.state, "all your influence" in ended.why) == ("disarmed", True)


@pytest.mark.parametrize("terms", [{}, {"when": "undefended"}, {"scope": "challenge"}, {"until": "end"}])
def test_nobody_loses_the_game_by_playing_no_effects_beforehand(terms: dict[str, Any]) -> None:
    at_stake = challenge(stake=10)
    ended = judge(order("effects", **terms), view("effects", challenge=at_stake), [])
    assert isinstance(ended, Ended)
    assert (ended.state, "all your influence" in ended.why) == ("disarmed", True)
    for harmless in (challenge(stake=9), challenge(stake=10, defender=5), challenge(by=OWNER, stake=10)):
        assert not isinstance(judge(order("effects", **terms), view("effects", challenge=harmless), []), Ended)


def manipulating(influence: int) -> list[PlayerView]:
    """Return the players of a challenge by a card with Manipulate, whose player has this much influence."""
    unit = PieceView(7, "x", OTHER, "unit", power=3, keywords=("manipulate",))
    return [PlayerView(OWNER, "x", 10, 30, 5), PlayerView(OTHER, "x", influence, 30, 5, alert=[unit])]


@pytest.mark.parametrize("kind", ["defend", "effects"])
@pytest.mark.parametrize("area", ["alert", "reserve"])
def test_nobody_lets_another_win_by_manipulate_beforehand(kind: str, area: str) -> None:
    def at(influence: int, **about: Any) -> View:
        players = manipulating(influence)
        if area == "reserve":  # committed for an ability of its own meanwhile
            players[OTHER] = structs.replace(players[OTHER], alert=[], reserve=players[OTHER].alert)
        return view(kind, players=players, challenge=challenge(stake=3, **about))

    ended = judge(order(kind), at(17), events("challenge"))
    assert isinstance(ended, Ended)
    assert (ended.state, "win" in ended.why) == ("disarmed", True)
    assert isinstance(judge(order(kind), at(16), events("challenge")), Answer), "they would have 19"
    if kind == "effects":
        assert isinstance(judge(order(kind), at(17, defender=5), events("challenge")), Answer), "somebody defends"


@pytest.mark.parametrize("kind", ["opening_hand", "payment", "choose", "search", "mystic_value", "no such kind"])
def test_kinds_of_decision_that_no_order_can_answer_are_refused_with_a_reason(kind: str) -> None:
    with pytest.raises(NotPossible, match=r"^[A-Z].*\.$"):
        check(Terms(kind), view(), OWNER)


@pytest.mark.parametrize(
    "terms",
    [
        Terms("action", "undefended"),
        Terms("defend", scope="challenge"),
        Terms("defend", "at_most"),
        Terms("action", number=2),
        Terms("effects", scope="challenge"),  # there is none now
        Terms("action", "they_pass", until="end"),
    ],
)
def test_terms_that_make_no_sense_are_refused(terms: Terms) -> None:
    with pytest.raises(NotPossible):
        check(terms, view(), OWNER)


def test_an_order_is_for_this_phase_or_the_next_of_its_kind() -> None:
    assert check(Terms("action"), view(), OWNER) == (3, "execution")
    assert check(Terms("action"), view(phase="cylon"), OWNER) == (4, "execution")
    assert check(Terms("resource_card"), view(), OWNER) == (4, "ready")
    assert check(Terms("effects"), view(phase="cylon"), OWNER) == (3, "cylon")
    assert challenge_of(view(challenge=challenge(by=OWNER)), OWNER) == "own"


def test_every_offered_order_has_words_of_its_own() -> None:
    orders = wording.offered(view(challenge=challenge()), OWNER)
    sentences = [wording.told(one) for one in orders]
    assert len(set(sentences)) == len(sentences) > 10
    assert wording.sentence(Terms("defend", "not_by_ship")) == "Decline to defend, unless challenged by a ship"
    assert {one.terms.decision for one in orders} == set(KINDS)
