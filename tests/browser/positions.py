"""Tables to look at, played out by the engine: every kind of decision it can ask, and matches of four.

Nobody chose these positions by hand. Random games are played from fixed seeds, and of all positions of a kind the one
is kept in which fleets are nearest to those of a long match, since a full board is what a layout has to hold.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

import msgspec
from playwright.sync_api import Page, WebSocketRoute

from ccg.rules import Catalog, Event, Game
from ccg.rules.soak import dealing
from ccg.rules.telling.templates import PROMPTS
from ccg.rules.telling.view import OptionView, PieceView
from matches.protocol.messages import Happened, Person, SeatClock, Table, TableClocks, encode

GAMES = (4, 484, 134, 46, 28, 77, 97, 244, 364)
"""Games in which, together, every kind of decision is asked, found among the first six hundred; the test of pages at
a table says when a change of the rules takes one away, and then others have to be looked for."""
MOST_MOVES = 450
UNITS = 8
"""Units and missions of a player in a long match."""
CROWDED = "crowded"
KINDS = ("starter", "legal", "equal")
TOLD = 60
"""Events of the past that the log tells."""
ELIMINATED = "four, one of them out"
FOUR = "four"


def every_decision(catalog: Catalog) -> dict[str, Table]:
    """Return a table for each kind of decision, as the player sees it who decides."""
    best: dict[str, tuple[int, Table]] = {}
    for number in GAMES:
        for game, events in _played(catalog, number, 2):
            assert game.decision is not None
            _keep(best, game.decision.kind, game, events)
    return {kind: best[kind][1] for kind in PROMPTS if kind in best}


def crowded(catalog: Catalog, games: int = 3) -> Table:
    """Return a table with as many units as random games come to: twice those of a long match and more."""
    best: dict[str, tuple[int, Table]] = {}
    for number in range(games):
        for game, events in _played(catalog, number, 2):
            _keep(best, CROWDED, game, events, units=100)
    return best[CROWDED][1]


def of_four(catalog: Catalog, games: int = 4) -> dict[str, Table]:
    """Return tables of four: one of the commonest kinds of decision each, and one where somebody is out."""
    best: dict[str, tuple[int, Table]] = {}
    for number in range(games):
        for game, events in _played(catalog, number, 4):
            assert game.decision is not None
            out = any(player.lost for player in game.engine.state.players)
            _keep(best, ELIMINATED if out else f"{FOUR}, {game.decision.kind}", game, events)
    return {name: table for name, (_, table) in best.items()}


def holding(table: Table, cards: list[str]) -> Table:
    """Return this table with these cards in the hand of the player who sees it."""
    replace = msgspec.structs.replace
    players = [
        replace(one, hand=len(cards), hand_cards=cards) if one.seat == table.you else one for one in table.view.players
    ]
    return replace(table, view=replace(table.view, players=players))


def warned(table: Table) -> Table:
    """Return this table with the decision of its player, in which all that can be chosen would help an opponent."""
    replace = msgspec.structs.replace
    decision = table.view.decision
    assert decision is not None
    options = [replace(one, helps_opponent=True) for one in decision.options]
    return replace(table, view=replace(table.view, decision=replace(decision, options=options)))


def choosing(catalog: Catalog, table: Table, targets: int) -> Table:
    """Return this table with its player, half through a move, choosing among enemy units that it would help."""
    replace = msgspec.structs.replace
    units = [
        unit for player in table.view.players if player.seat != table.you for unit in player.alert + player.reserve
    ]
    units.sort(key=lambda unit: -len(catalog[unit.card].name))
    options = [
        OptionView(
            key=f"choose {unit.id}",
            verb="choose",
            text=f"Choose [[card:{unit.card}|{catalog[unit.card].name}]]",
            piece=unit.id,
            helps_opponent=True,
        )
        for unit in units[:targets]
    ]
    assert len(options) == targets
    options.append(OptionView(key="decline", verb="decline", text="Do not use it"))
    assert table.view.decision is not None
    decision = replace(
        table.view.decision, kind="choose", prompt="Choose target unit.", options=options, can_take_back=True
    )
    return replace(table, view=replace(table.view, decision=decision))


def choosing_a_player(table: Table) -> Table:
    """Return this table with its player choosing one of all players, which helps whoever is chosen."""
    replace = msgspec.structs.replace
    options = [
        OptionView(
            key=f"choose p{one.seat}", verb="choose", text=f"Choose {one.name}", player=one.seat,
            helps_opponent=one.seat != table.you,
        )
        for one in table.view.players
    ]  # fmt: skip
    assert table.view.decision is not None
    decision = replace(
        table.view.decision, kind="choose", prompt="Choose a player.", options=options, can_take_back=True
    )
    return replace(table, view=replace(table.view, decision=decision))


def named(table: Table, names: Sequence[str], *, first: int = 0) -> Table:
    """Return this table with players of these names, whose clocks show days; ``first`` is the first player."""
    replace = msgspec.structs.replace
    clocks = [
        SeatClock(seat=seat, left=291_600_000, bank=0, running=seat == table.you, vacation=False)
        for seat in range(len(names))
    ]
    return replace(
        table,
        people=[replace(one, name=names[one.seat]) for one in table.people],
        view=replace(
            table.view, first=first, players=[replace(one, name=names[one.seat]) for one in table.view.players]
        ),
        clocks=TableClocks(
            tempo="correspondence 259200+604800",
            low=3_600_000,
            paused=False,
            resuming=[],
            pause_left=None,
            seats=clocks,
        ),
    )


def of_all_cards(catalog: Catalog, table: Table) -> Table:
    """Return this table with every unit in reserve and every mission alert on both sides, as cards are printed."""

    def lain(seat: int, *roles: str) -> list[PieceView]:
        return [
            PieceView(
                id=number,
                card=card.id,
                controller=seat,
                role=card.type,
                power=card.power or 0,
                threat=card.threat or 0,
                mystic=card.mystic or 0,
                traits=card.traits,
            )
            for number, card in enumerate(catalog, 10_000 * (seat + 1))
            if card.type in roles
        ]

    replace = msgspec.structs.replace
    players = [
        replace(one, alert=lain(one.seat, "mission"), reserve=lain(one.seat, "personnel", "ship"))
        for one in table.view.players
    ]
    return replace(table, view=replace(table.view, players=players))


def _played(catalog: Catalog, number: int, players: int) -> Iterator[tuple[Game, list[Event]]]:
    """Yield a random game at each of its decisions, with what has happened so far. Few pass who could act."""
    rng = random.Random(number)
    seats = dealing.seats(KINDS[number % len(KINDS)] if players == 2 else "starter", players, catalog, rng)
    game = Game.start(seats, catalog, f"positions {number}".encode())
    events: list[Event] = []
    for move in range(MOST_MOVES):
        decision = game.decision
        if decision is None:
            return
        yield game, events
        last = game.engine.state.players[-1]
        if players > 2 and move >= MOST_MOVES // 2 and not last.lost:
            events += game.concede(players - 1)
            continue
        option = rng.choice(decision.options)
        if option.verb in ("pass", "decline"):
            option = rng.choice(decision.options)
        events += game.choose(option)


def _keep(best: dict[str, tuple[int, Table]], name: str, game: Game, events: list[Event], units: int = UNITS) -> None:
    """Keep this table under ``name`` if each fleet is nearer to ``units`` than in the one that was kept."""
    far = sum(abs(len(player.alert) + len(player.reserve) - units) for player in game.engine.state.players)
    if name in best and best[name][0] <= far:
        return
    assert game.decision is not None
    seat = game.decision.seat
    view = game.view(seat)
    table = Table(
        match="",
        version=1,
        since=0,
        you=seat,
        people=[Person(seat=one.seat, name=one.name, kind="person", level=None, stand_in="") for one in view.players],
        view=view,
        events=[Happened(version=1, events=[game.seen(event, seat) for event in events[-TOLD:]])],
        over=False,
        present=[one.seat for one in view.players],
        rematch=None,
        lesson=None,
        clocks=None,
        offers=[],
        may_offer=[],
        free=[],
    )
    best[name] = (far, table)


class StillTable:
    """The page of a table whose server is this test: it shows what it is told to, and nothing goes on."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._version = 0
        self._line: WebSocketRoute | None = None
        self._shown: Table | None = None
        page.route_web_socket(re.compile("/ws/matches/"), self._opened)

    def open(self, table: Table) -> None:
        """Sit down as a guest at any table, and show this one."""
        self._shown = table
        self.page.goto("/play/")
        self.page.get_by_role("button", name="Play the computer").click()
        self.page.locator(".table-app").wait_for()
        self._settle()

    def show(self, table: Table) -> None:
        """Show another table on the same page."""
        assert self._line is not None
        self._shown = table
        self._line.send(self._written())
        self._settle()

    def _opened(self, line: WebSocketRoute) -> None:
        self._line = line
        line.on_message(lambda said: line.send(self._written()) if '"hello"' in str(said) else None)

    def _written(self) -> str:
        assert self._shown is not None
        self._version += 1
        happened = [msgspec.structs.replace(one, version=self._version) for one in self._shown.events]
        table = msgspec.structs.replace(self._shown, version=self._version, since=self._version - 1, events=happened)
        return encode(table)

    def _settle(self) -> None:
        """Wait until the page has drawn what it was sent, and its letters are there."""
        self.page.evaluate(
            """async () => {
                await document.fonts.ready;
                for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
            }"""
        )
