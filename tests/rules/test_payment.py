"""Paying: every legal way is offered, no other; what is proposed pays, with the least waste.

Stacks are spent one at a time, each for a resource still owed, and no more once the cost is met (ruling 9).
"""

from __future__ import annotations

from itertools import combinations, product

from hypothesis import given, settings
from hypothesis import strategies as st

from ccg.rules import CardDef, Catalog, Game
from ccg.rules.cards.definitions import RESOURCES, Cost
from ccg.rules.effects.language import read_ability
from ccg.rules.rulebook import payment
from ccg.rules.rulebook.payment import AvailableResources
from ccg.rules.soak.affordable import Purse, Stack, affordable
from tests.at_length import examples
from tests.rules.tables import keys, position

MOST_STACKS = 5
COSTS = [cost for cost in product(range(4), repeat=3) if 0 < sum(cost) <= 6]


def made_up() -> Catalog:
    """A base and an asset of each resource, and a ship for every cost."""
    cards = [CardDef(id="Z-1", type="ship", subtitle="Colonial Shuttle", power=1, produces="logistics")]
    for made in RESOURCES:
        cards.append(
            CardDef(id=f"B-{made}", type="base", title=f"Base {made}", power=4, produces=made, hand=4, influence=9)
        )
        cards.append(CardDef(id=f"A-{made}", type="ship", subtitle=f"Asset {made}", power=1, produces=made))
    ships = [
        CardDef(id=ship_id(cost), type="ship", subtitle=f"Ship {ship_id(cost)}", cost=cost, power=1) for cost in COSTS
    ]
    return Catalog([*cards, *ships])


def ship_id(cost: Cost) -> str:
    """The id of the ship with this cost."""
    return "S-{}{}{}".format(*cost)


CATALOG = made_up()
STACK = st.tuples(st.sampled_from(RESOURCES), st.integers(0, 3), st.booleans())
Stacks = list[tuple[str, int, bool]]


def table(cost: Cost, base: tuple[str, int, bool], assets: Stacks) -> Game:
    """Ana has a ship of this ``cost`` in hand, and stacks given by resource, supply cards, and whether spent."""
    made, supplies, spent = base
    ana = {
        "base": f"Base {made}",
        "base_supplies": supplies,
        "base_exhausted": spent,
        "assets": [{"card": f"Asset {kind}", "supplies": under, "exhausted": used} for kind, under, used in assets],
        "hand": [f"Ship {ship_id(cost)}"],
    }
    return position(CATALOG, ana, {"base": "Base security"}, first="Ana")


def unspent(game: Game) -> list[tuple[int, str, int]]:
    """Ana's stacks that can be spent: number, resource, and what they make."""
    return [
        (stack.id, stack.makes or "", stack.supplies + 1)
        for stack in game.view(0).players[0].stacks
        if not stack.exhausted
    ]


def legal_ways(game: Game, cost: Cost) -> set[frozenset[int]]:
    """All sets of stacks that pay ``cost`` by the rulebook, found by trying every set.

    Of each resource the set makes enough; and it can be spent in an order in which the cost is not met
    before the last one: without the largest of them it is not enough.
    """
    stacks = unspent(game)
    return {
        frozenset(stack for stack, _, _ in chosen)
        for size in range(1, len(stacks) + 1)
        for chosen in combinations(stacks, size)
        if all(_just_pays([made for _, kind, made in chosen if kind == resource], owed)
               for resource, owed in zip(RESOURCES, cost, strict=True))
    }  # fmt: skip


def _just_pays(made: list[int], owed: int) -> bool:
    if not owed:
        return not made
    return sum(made) >= owed > sum(made) - max(made, default=0)


def offered_ways(game: Game) -> set[frozenset[int]]:
    """All sets of stacks that can be spent by choosing among what is offered."""
    ways: set[frozenset[int]] = set()
    spendable = {stack for stack, _, _ in unspent(game)}
    open_games = [game]
    while open_games:
        state = open_games.pop()
        if state.decision is not None and state.decision.kind == "payment":
            for key in keys(state):
                after = state.copy()
                after.choose(key)
                open_games.append(after)
        else:
            ways.add(frozenset(spendable - {stack for stack, _, _ in unspent(state)}))
    return ways


@settings(max_examples=examples(250))
@given(st.sampled_from(COSTS), STACK, st.lists(STACK, max_size=MOST_STACKS - 1))
def test_every_legal_way_to_pay_is_offered_and_no_other(
    cost: Cost, base: tuple[str, int, bool], assets: Stacks
) -> None:
    game = table(cost, base, assets)
    ways = legal_ways(game, cost)
    play = f"play {ship_id(cost)}"

    assert (play in keys(game)) == bool(ways)
    if ways:
        game.choose(play)
        assert offered_ways(game) == ways


@settings(max_examples=examples(250))
@given(st.sampled_from(COSTS), STACK, st.lists(STACK, max_size=MOST_STACKS + 1))
def test_the_proposal_pays_with_the_least_left_over(cost: Cost, base: tuple[str, int, bool], assets: Stacks) -> None:
    game = table(cost, base, assets)
    ways = legal_ways(game, cost)
    if not ways:
        return
    made = {stack: amount for stack, _, amount in unspent(game)}

    def waste(way: frozenset[int]) -> tuple[int, int]:
        return sum(made[stack] for stack in way), len(way)

    game.choose(f"play {ship_id(cost)}")
    proposal = game.view(0).decision.proposal if game.view(0).decision is not None else []
    spent = set()
    for key in proposal:
        assert key in keys(game)
        spent.add(int(key.split()[1]))
        game.choose(key)

    assert game.decision is None or game.decision.kind != "payment"
    assert waste(frozenset(spent)) == min(map(waste, ways))


@settings(max_examples=examples(100))
@given(st.sampled_from(COSTS), STACK, st.lists(STACK, max_size=MOST_STACKS - 1))
def test_what_is_owed_goes_down_to_nothing(cost: Cost, base: tuple[str, int, bool], assets: Stacks) -> None:
    game = table(cost, base, assets)
    if not legal_ways(game, cost):
        return
    game.choose(f"play {ship_id(cost)}")
    before = sum(cost)
    while game.decision is not None and game.decision.kind == "payment":
        view = game.view(0)
        assert view.decision is not None
        owed = sum(view.decision.owed.values())
        assert 0 < owed <= before
        before = owed
        game.choose(keys(game)[-1])

    assert [stack.exhausted for stack in game.view(None).players[0].stacks].count(True) > 0
    assert any(piece.card == ship_id(cost) for piece in game.view(None).players[0].reserve)


def test_nothing_is_spent_before_the_cost_is_met() -> None:
    game = table((0, 0, 3), ("security", 0, False), [("security", 0, False), ("security", 0, False)])
    game.choose("play S-003")
    game.choose(keys(game)[0])

    assert not any(stack.exhausted for stack in game.view(0).players[0].stacks)
    assert game.view(1).players[0].hand == 1


def test_converting_asks_for_as_many_logistics_as_the_card_says() -> None:
    change = read_ability({"do": [{"convert": "logistics", "at least": 4, "makes": 3}]})
    change_of_plans = CardDef(
        id="E-1", type="event", subtitle="Change Of Plans", threat=0, mystic=0, abilities=(change,)
    )
    catalog = Catalog([*CATALOG, change_of_plans])
    rich = {"base": "Base logistics", "base_supplies": 3, "assets": [{"card": "Asset logistics", "supplies": 2}]}
    ana = {**rich, "hand": ["Change Of Plans", "Ship S-300"]}
    game = position(catalog, ana, {"base": "Base security"}, phase="execution", first="Ana")
    game.choose("play E-1")
    while game.decision is not None and game.decision.seat != 0:
        game.choose("pass")
    base, asset = game.engine.player(0).resource
    assert payment.converts(game.engine, base), "the base makes four"
    assert not payment.converts(game.engine, asset), "the asset makes three"


STACKS = st.lists(st.builds(Stack, st.integers(0, 2), st.integers(1, 4), st.sampled_from([0, 0, 3, 1, 4])), max_size=4)
HELPERS = st.lists(st.integers(0, 2), max_size=3)
DISCOUNTS = st.lists(st.integers(1, 3), max_size=3)


@settings(max_examples=examples(400))
@given(st.sampled_from([*COSTS, (0, 0, 0)]), st.sampled_from([0, 0, 1, 3]), STACKS, HELPERS, DISCOUNTS)
def test_what_can_be_paid_is_what_trying_every_way_finds(
    cost: Cost, price: int, stacks: list[Stack], helpers: list[int], discounts: list[int]
) -> None:
    """With units that add, stacks that are turned into another type and several discounts together."""
    totals, added = [0, 0, 0], [0, 0, 0]
    for stack in stacks:
        totals[stack.kind] += 0 if stack.turned else stack.made
    for helper in helpers if stacks else ():
        added[helper] += 1
    available = AvailableResources(
        (totals[0], totals[1], totals[2]),
        (added[0], added[1], added[2]),
        tuple(stack.turned for stack in stacks if stack.turned),
    )
    owed = (*cost, 0) if any(cost) else (0, 0, 0, price)
    purse = Purse(tuple(sorted(stacks)), tuple(sorted(helpers)))

    assert available.cover(owed, discounts) == affordable(owed, discounts, purse)
