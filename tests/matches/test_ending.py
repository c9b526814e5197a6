"""How a finished match went: what is told of its course, and to whom."""

from __future__ import annotations

from typing import Any

import pytest

from ccg.rules import EventView
from decks.table_decks import TableDeck
from matches.clocks.manners import EndInDraw
from matches.models import Match
from matches.playing import match_cache, moves
from matches.playing.moves import Accepted
from matches.protocol.messages import Agree, Concede, OfferIt
from matches.table import ending, table_view
from tests.matches.conftest import Table, match_of
from tests.people import signed_in


def event(kind: str, **parts: Any) -> EventView:
    """An event whose sentence is its kind and its number."""
    return EventView(kind=kind, text=f"{kind} {parts.get('number', '')}".strip(), **parts)


APOLLO, RAIDER = "BSG1-099", "BSG1-157"
COURSE = [
    event("phase", to="ready", number=1),
    event("challenge", player=0, card=APOLLO, piece=3, opponent=1),
    event("use", player=1, card="BSG1-010", piece=9),
    event("pass", player=0),
    event("pass", player=1),
    event("lose influence", player=1, number=2),
    event("challenge over", player=0),
    event("no attack", number=3, against=9),
    event("phase", to="ready", number=2),
    event("challenge", player=1, card=RAIDER, piece=4, opponent=0),
    event("wins", player=0, card=APOLLO, piece=3, number=5, against=4),
    event("challenge over", player=1),
    event("attack", number=10, against=9),
    event("pass", player=1),
    event("lose influence", player=1, number=1),
    event("phase", to="ready", number=3),
    event("resolve", player=0, card="BSG1-079"),
    event("gain", player=0, number=3),
]


def test_influence_and_threat_are_told_turn_by_turn() -> None:
    told = ending.told(COURSE, [10, 8])

    assert told.turns == 3
    assert [(turn.turn, turn.influence, turn.threat, turn.defense) for turn in told.course] == [
        (0, [10, 8], None, None),
        (1, [10, 6], 3, 9),
        (2, [10, 5], 10, 9),
        (3, [13, 5], None, None),
    ]


def test_the_best_cards_are_those_that_won_and_that_moved_influence() -> None:
    told = ending.told(COURSE, [10, 8])

    assert [(deeds.seat, deeds.card, deeds.won, deeds.influence) for deeds in told.cards] == [
        (0, APOLLO, 1, 2),
        (0, "BSG1-079", 0, 3),
    ]


def test_what_decided_it_is_the_last_change_of_influence_and_its_cause() -> None:
    assert ending.told(COURSE, [10, 8]).decided == ["resolve", "gain 3"]
    assert ending.told([*COURSE, event("concede", player=1)], [10, 8]).decided == ["concede"]
    assert ending.told(COURSE[:6], [10, 8]).decided == ["challenge", "lose influence 2"], "whoever passed meanwhile"
    assert ending.told(COURSE[:15], [10, 8]).decided == ["lose influence 1"], "lost by passing, by no card"


@pytest.mark.parametrize("kind", ["out of time", "absent", "agreed draw", "abandoned"])
def test_who_leaves_or_agrees_has_decided_it_whatever_was_played_before(kind: str) -> None:
    end = "draw game" if kind in ("agreed draw", "abandoned") else "win"

    assert ending.told([*COURSE, event(kind), event(end)], [10, 8]).decided == [kind]


def test_a_draw_of_all_who_lost_is_decided_by_what_they_lost_and_one_of_nobody_by_itself() -> None:
    fallen = [event("lose", player=0), event("lose", player=1)]

    assert ending.told([*COURSE, *fallen, event("draw game")], [10, 8]).decided == ["resolve", "gain 3"]
    assert ending.told([*COURSE, event("draw game")], [10, 8], by_site=True).decided == ["draw game"]


def test_what_the_site_has_ended_it_has_decided_whoever_left_just_before(
    alice: Any, bob: Any, charlie: Any, deck: TableDeck
) -> None:
    match = match_of(deck, alice, bob, charlie)
    table = Table(match)
    table.act(0, Concede(id="c"))
    moves.act(table.id, moves.Actor.runs_the_site(), EndInDraw(id="by hand"))
    assert ending.of(table.row).decided == ["The game is a draw."]


def test_the_course_of_a_real_match_ends_where_the_match_ends(table: Table, alice: Any) -> None:
    table.play()
    client = signed_in(alice)

    answer = client.get(f"/api/v1/matches/{table.id}/ending/")

    assert answer.status_code == 200
    told = answer.json()
    _, game, _ = table_view.current_game(table.row)
    view = game.view(None)
    assert told["turns"] == view.turn == told["course"][-1]["turn"]
    assert told["course"][-1]["influence"] == [player.influence for player in view.players]
    assert told["decided"]
    assert told["cards"]
    assert any(turn["threat"] is not None and turn["defense"] is not None for turn in told["course"])


def test_what_was_taken_back_is_no_part_of_how_it_went(table: Table) -> None:
    """Influence that was gained or lost in it would stand in the course to the end."""
    while True:
        now = influence_of(table)
        table.play(moves=1, seed=3)
        if influence_of(table) != now:
            mover = table.row.moves.latest("seq").seat
            offered = table.act(mover, OfferIt(id=f"o{table.row.version}", what="takeback"))
            if isinstance(offered, Accepted):
                table.act(1 - mover, Agree(id=f"a{table.row.version}", what="takeback"))
                break
    before = influence_of(table)
    table.act(0, Concede(id="c"))

    told = ending.of(table.row)

    assert told.course[-1].influence == before
    assert all(deeds.influence == 0 for deeds in told.cards if before == told.course[0].influence)


def influence_of(table: Table) -> list[int]:
    """The influence of each seat now."""
    return [player.influence for player in table.game.engine.state.players]


def test_only_of_a_match_that_is_over_and_only_to_who_may_see_it(
    table: Table, alice: Any, charlie: Any, match: Match
) -> None:
    address = f"/api/v1/matches/{table.id}/ending/"
    assert signed_in(alice).get(address).status_code == 404, "it still runs"

    table.act(0, Concede(id="c"))
    assert signed_in(alice).get(address).status_code == 200
    assert signed_in(charlie).get(address).status_code == 200, "anybody may watch it"
    Match.objects.filter(pk=match.pk).update(watchable=False)
    match_cache.clear()
    assert signed_in(charlie).get(address).status_code == 404
    assert signed_in(alice).get(address).status_code == 200
    assert signed_in(alice).get("/api/v1/matches/2222222222222222/ending/").status_code == 404
