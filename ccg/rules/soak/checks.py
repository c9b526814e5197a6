"""What must hold at every decision of every game, each as a function that raises :class:`Broken`.

They look at the engine from outside and work things out for themselves, slowly: that is their use.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from ccg.rules import view as views
from ccg.rules.agenda import Change, Engine, Force
from ccg.rules.events import Event
from ccg.rules.game import Game
from ccg.rules.state import WINNING_INFLUENCE, Area, Card, Piece, Player, Role, Scope, Seat
from ccg.rules.view import PieceView, View

Viewer = Seat | None


class Broken(AssertionError):
    """Something that must hold does not; ``check`` names what."""

    def __init__(self, check: str, message: str) -> None:
        super().__init__(f"{check}: {message}")
        self.check = check


def all_checks(game: Game, brought: Sequence[Counter[Card]]) -> dict[Viewer, View]:
    """Make every check that needs nothing but a game, and the cards that each player ``brought``.

    Gives what each viewer sees.
    """
    cards_are_conserved(game, brought)
    pieces_are_in_order(game)
    somebody_can_choose(game)
    keeping_is_lossless(game)
    seen = {viewer: game.view(viewer) for viewer in viewers(game)}
    numbers_agree(game, seen[None])
    hidden_stays_hidden(game, seen)
    return seen


# ---------------------------------------------------------------- cards


def brought_by(game: Game) -> list[Counter[Card]]:
    """Count the cards of each player, to be compared later."""
    count = [Counter[Card]() for _ in game.engine.state.players]
    for card in _everywhere(game.engine):
        count[card & 7][card] += 1
    return count


def _everywhere(engine: Engine) -> Iterator[Card]:
    for player in engine.state.players:
        for zone in (player.deck, player.hand, player.discard, player.removed, player.gone):
            yield from zone
    for piece in engine.pieces():
        yield from (*piece.cards, *piece.supplies)
    for frame in engine.state.agenda:
        yield from frame.held()


def cards_are_conserved(game: Game, brought: Sequence[Counter[Card]]) -> None:
    """Each card is in exactly one place, none has come or gone, and everybody's piles hold their own cards."""
    now = brought_by(game)
    for seat, (before, after) in enumerate(zip(brought, now, strict=True)):
        if before != after:
            gone, new = before - after, after - before
            raise Broken(
                "conservation", f"cards of seat {seat}: vanished {_named(game, gone)}, new {_named(game, new)}"
            )
    for seat, player in enumerate(game.engine.state.players):
        for name in ("deck", "hand", "discard", "removed"):
            strange = [card for card in getattr(player, name) if card & 7 != seat]
            if strange:
                raise Broken("owner", f"the {name} of seat {seat} holds {_named(game, strange)} of others")
        if Counter(player.shown) - Counter(player.hand):
            raise Broken("shown", f"seat {seat} has shown cards that are not in hand: {_named(game, player.shown)}")
        if (
            game.result is None
            and player.lost
            and (player.deck or player.hand or player.discard or player.alert or player.reserve)
        ):
            raise Broken("leaving", f"seat {seat} has left the game and still has cards in it")


def pieces_are_in_order(game: Game) -> None:
    """Pieces have numbers of their own, lie where they say, and are what their card can be."""
    engine = game.engine
    seen: set[int] = set()
    for piece, player, area in _places(engine):
        if piece.id in seen or not 0 < piece.id < engine.state.next_piece:
            raise Broken("piece id", f"piece {piece.id} ({_name(game, piece.top)}) is not the only one of its number")
        seen.add(piece.id)
        if piece.area != area or (player is not None and piece.controller != player):
            raise Broken("piece place", f"piece {piece.id} lies with {player} in {area.name}, and says {piece}")
        if engine.find(piece.id) is not piece:
            raise Broken("piece index", f"piece {piece.id} is not found by its number")
        _check_role(game, piece, area)


def _places(engine: Engine) -> Iterator[tuple[Piece, Seat | None, Area]]:
    for seat, player in enumerate(engine.state.players):
        for area in (Area.ALERT, Area.RESERVE, Area.RESOURCE):
            for piece in player.area(area):
                yield piece, seat, area
    for piece in engine.state.threats:
        yield piece, None, Area.CENTER


def _check_role(game: Game, piece: Piece, area: Area) -> None:
    definition = game.engine.definition(piece)
    type_of = {Role.BASE: ("base",), Role.ASSET: ("personnel", "ship"), Role.MISSION: ("mission",)}
    allowed = type_of.get(piece.role, (definition.type,) if piece.role == Role.THREAT else (piece.role.name.lower(),))
    in_resource = piece.role in (Role.BASE, Role.ASSET) or (piece.role == Role.MISSION and area == Area.RESOURCE)
    if definition.type not in allowed or (area == Area.RESOURCE) != in_resource:
        raise Broken("role", f"{definition.name} is a {piece.role.name.lower()} in {area.name}")
    titles = {game.engine.card(card).title for card in piece.cards}
    if (piece.links and not piece.is_unit) or (piece.supplies and not piece.is_stack) or len(titles) != 1:
        raise Broken("stack", f"{definition.name} has with it what cannot be: {piece}")


# ---------------------------------------------------------------- decisions


def somebody_can_choose(game: Game) -> None:
    """The game is over, or a player who is still in it has at least one option, each with a key of its own."""
    decision, result, state = game.decision, game.result, game.engine.state
    if (decision is None) == (result is None):
        raise Broken("decision", f"the game is {'not over' if result is None else 'over'}, and asks {decision}")
    if decision is None:
        _check_result(game)
        return
    if state.players[decision.seat].lost:
        raise Broken("decision", f"seat {decision.seat} is asked and has left the game")
    keys = [game.key(option) for option in decision.options]
    if not keys or len(set(keys)) != len(keys):
        raise Broken("options", f"{decision.kind} of seat {decision.seat} offers {keys}")
    for seat, player in enumerate(state.players):
        if not player.lost and not 0 < player.influence < WINNING_INFLUENCE:
            raise Broken("influence", f"seat {seat} has {player.influence} influence and the game goes on")


def _check_result(game: Game) -> None:
    result = game.result
    assert result is not None
    seats = range(len(game.engine.state.players))
    losers = tuple(seat for seat in seats if seat not in result.winners) if result.winners else ()
    if result.losers != losers or (result.reason == "draw") != (not result.winners):
        raise Broken("result", f"{result}")


# ---------------------------------------------------------------- keeping


def keeping_is_lossless(game: Game) -> None:
    """Saved and read back, or copied, it is the same game: same bytes, same options (for views see below)."""
    data = game.save()
    for name, other in (("loaded", Game.load(data, game.engine.catalog)), ("copied", game.copy())):
        if other.save() != data:
            raise Broken("saving", f"the {name} game is not the saved one")
        if other.decision != game.decision or other.result != game.result:
            raise Broken("saving", f"the {name} game asks {other.decision}, the game itself {game.decision}")


def same_again(before: Game, move: str, events: Sequence[Event], after: Game) -> None:
    """The same move in the copied game tells the same events and leads to the same game."""
    told = before.move(move)
    if list(events) != told:
        raise Broken("repeating", f"{move!r} tells {_kinds(told)} in the copy, {_kinds(events)} in the game")
    if before.save() != after.save():
        raise Broken("repeating", f"{move!r} leads to another game in the copy")


def _kinds(events: Iterable[Event]) -> list[str]:
    return [event.kind for event in events]


# ---------------------------------------------------------------- secrets


def viewers(game: Game) -> Sequence[Viewer]:
    """Give everybody who may look: a spectator and each player."""
    return (None, *range(len(game.engine.state.players)))


def hidden_stays_hidden(game: Game, seen: dict[Viewer, View]) -> None:
    """What each viewer has ``seen``, options included, is seen again when all that is hidden from them is shuffled.

    As the shuffled game has been saved and loaded, this compares the views of a loaded game as well.
    """
    decision = game.decision
    data = game.save()
    rng = random.Random(data)  # the same game is always shuffled in the same way, so that a failure comes again
    for viewer in viewers(game):
        twin = Game.load(data, game.engine.catalog)
        shuffle_hidden(twin, viewer, rng)
        if decision is not None and decision.seat == viewer:
            again = twin.view(viewer)
        else:  # the other's own options may well be others now; the viewer gets none
            again = views.view(twin.engine, viewer, [], can_take_back=False)
        if again != seen[viewer]:
            where = difference(msgspec.json.encode(seen[viewer]), msgspec.json.encode(again))
            raise Broken("secrets", f"viewer {viewer} sees what is hidden: {where}")


def half_made_is_hidden(game: Game, before: dict[Viewer, View], now: dict[Viewer, View]) -> None:
    """Of a move that can still be taken back others see nothing: all is as it was ``before`` it was begun."""
    decision = game.decision
    if decision is None or not decision.can_take_back:
        return
    for viewer in viewers(game):
        if viewer != decision.seat and now[viewer] != before[viewer]:
            where = difference(msgspec.json.encode(before[viewer]), msgspec.json.encode(now[viewer]))
            raise Broken("half-made", f"viewer {viewer} sees the half-made move ({decision.kind}): {where}")


def shuffle_hidden(game: Game, viewer: Viewer, rng: random.Random) -> None:
    """Shuffle, in place, what ``viewer`` may not know: orders of decks, others' hands and supply cards.

    Of every other player the cards in deck, hand (unless shown) and under stacks change places with each
    other; of the viewer only the order of the deck.
    """
    state = game.engine.state
    for seat, player in enumerate(state.players):
        if seat == viewer:
            rng.shuffle(player.deck)
            continue
        shown_cards = Counter(player.shown)
        hand = list((Counter(player.hand) - shown_cards).elements())
        under = [stack.supplies for stack in _stacks(state.players) if stack.controller != viewer]
        theirs = [card for supplies in under for card in supplies if card & 7 == seat]
        pool = [*player.deck, *hand, *theirs]
        rng.shuffle(pool)
        player.deck[:] = [pool.pop() for _ in player.deck]
        for place, card in enumerate(player.hand):
            if shown_cards[card]:
                shown_cards[card] -= 1
            else:
                player.hand[place] = pool.pop()
        for supplies in under:
            supplies[:] = [pool.pop() if card & 7 == seat else card for card in supplies]


def _stacks(players: Iterable[Player]) -> Iterator[Piece]:
    for player in players:
        yield from (piece for piece in player.resource if piece.is_stack)


def events_keep_secrets(game: Game, events: Iterable[Event]) -> None:
    """Nobody is told which card went from one hidden place to another, unless it has been shown."""
    for event in events:
        secret = event.source in ("deck", "hand", "supply") and event.to in ("deck", "hand", "supply")
        if not secret or event.player is None or event.card is None:
            continue
        if event.card in game.engine.player(event.player).shown or event.card == event.target_card:
            continue
        name = game.engine.card(event.card).name
        for viewer in viewers(game):
            said = game.seen(event, viewer)
            if viewer != event.player and (said.card is not None or name in said.text):
                raise Broken("secrets", f"viewer {viewer} is told of {event.kind}: {said.text}")


def difference(one: bytes, other: bytes) -> str:
    """Show the first place where two views differ."""
    place = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"...{one[max(0, place - 60) : place + 40]!r} or {other[max(0, place - 60) : place + 40]!r}"


# ---------------------------------------------------------------- numbers


def numbers_agree(game: Game, seen: View) -> None:
    """Power, threat, yields, threat level and fleet defense in a view are what a slow calculation gives."""
    engine = game.engine
    pieces = {piece.id: piece for piece in engine.pieces()}
    shown_pieces: list[PieceView] = list(seen.threats)
    for player in seen.players:
        shown_pieces += [*player.stacks, *player.persistent, *player.alert, *player.reserve]
    linked = {link.id for piece in shown_pieces for link in piece.links}
    if {piece.id for piece in shown_pieces} | linked != set(pieces):
        raise Broken("view", "the view shows other pieces than there are")
    for piece in shown_pieces:
        said = (piece.power, piece.threat, piece.yields)
        slow = (
            slow_power(engine, pieces[piece.id]),
            slow_threat(engine, pieces[piece.id]),
            slow_yields(pieces[piece.id]),
        )
        if said != slow:
            raise Broken("numbers", f"{piece.card} has power, threat, yield {said}; worked out slowly {slow}")
    if (seen.threat_level, seen.fleet_defense) != (slow_threat_level(engine), slow_fleet_defense(engine)):
        raise Broken(
            "numbers",
            f"threat level and fleet defense {seen.threat_level}, {seen.fleet_defense}; "
            f"worked out slowly {slow_threat_level(engine)}, {slow_fleet_defense(engine)}",
        )


def slow_power(engine: Engine, piece: Piece) -> int:
    """Give the power of ``piece``: printed (the threat number of a Cylon threat), and every change in force."""
    if not _face_counts(engine, piece):
        return 0
    card = engine.definition(piece)
    return ((card.threat if piece.role == Role.THREAT else card.power) or 0) + _slow_change(engine, "power", piece)


def slow_threat(engine: Engine, piece: Piece) -> int:
    """Give the Cylon threat of ``piece``."""
    return (
        (engine.definition(piece).threat or 0) + _slow_change(engine, "threat", piece)
        if _face_counts(engine, piece)
        else 0
    )


def slow_yields(piece: Piece) -> int:
    """Give what the stack makes: one for itself and one for each supply card; nothing if it is no stack."""
    return 1 + len(piece.supplies) if piece.role in (Role.BASE, Role.ASSET) else 0


def slow_threat_level(engine: Engine) -> int:
    """Add up the threat of everything that lies face up, alert or in reserve, with anybody."""
    return sum(
        slow_threat(engine, piece)
        for piece in engine.pieces()
        if piece.area in (Area.ALERT, Area.RESERVE) and not piece.exhausted
    )


def slow_fleet_defense(engine: Engine) -> int:
    """Add up the printed power of the bases of all who are in the game, and what changes the level."""
    bases = [
        piece
        for piece in engine.pieces()
        if piece.role == Role.BASE and not engine.player(piece.controller).lost
    ]  # fmt: skip
    printed = sum(engine.definition(base).power or 0 for base in bases)
    return printed + sum(force.amount(engine, bases[0]) for force in _slow_forces(engine, "fleet"))


def _face_counts(engine: Engine, piece: Piece) -> bool:
    challenge = engine.state.challenge
    takes_part = challenge is not None and piece.id in (challenge.challenger, challenge.defender)
    return piece.role != Role.ASSET and (takes_part or not piece.exhausted)


def _slow_change(engine: Engine, kind: str, piece: Piece) -> int:
    return sum(force.amount(engine, piece) for force in _slow_forces(engine, kind) if force.touches(engine, piece))


def _slow_forces(engine: Engine, kind: str) -> Iterator[Force]:
    """Go through every text in play and every modifier for changes of ``kind``, with no index and no memory."""
    for piece in engine.pieces():
        if piece.role == Role.THREAT:
            continue
        texts = [(link.top, link.controller) for link in piece.links if not link.exhausted]
        working = piece.role != Role.MISSION or piece.area == Area.RESOURCE
        if working and _face_counts(engine, piece):
            texts.insert(0, (piece.cards[0], piece.controller))
        for card, you in texts:
            script = engine.scripts[card >> 3]
            scope = Scope(you, card, piece.id)
            for change in (script.changes[number] for number in script.printed_changes):
                if change.kind == kind and (change.holds is None or change.holds(engine, scope)):
                    yield Force(change, scope, None, 0, change.word)
    for modifier in engine.state.modifiers:
        if modifier.kind == kind:
            script = engine.scripts[modifier.scope.card >> 3]
            made: Change | None = script.changes[modifier.change] if modifier.change >= 0 else None
            if made is not None and made.holds is not None and not made.holds(engine, modifier.scope):
                continue
            yield Force(made, modifier.scope, modifier.pieces, modifier.amount, modifier.word)


# ---------------------------------------------------------------- words for people


def _name(game: Game, card: Card) -> str:
    return game.engine.card(card).name


def _named(game: Game, cards: Counter[Card] | Sequence[Card]) -> str:
    return ", ".join(f"{count} x {_name(game, card)}" for card, count in Counter(cards).items()) or "nothing"
