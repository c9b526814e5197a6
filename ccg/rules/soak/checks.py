"""What must hold at every decision of every game, each as a function that raises :class:`Broken`.

They look at the engine from outside and work things out for themselves, slowly: that is their use.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from ccg.rules.core import characteristics
from ccg.rules.core.engine import ActiveModifier, ContinuousEffect, Engine
from ccg.rules.core.events import Event
from ccg.rules.core.state import (
    WINNING_INFLUENCE,
    Area,
    CardNumber,
    Context,
    Piece,
    Player,
    Role,
    SeatNumber,
    definition_of,
    owner_of,
)
from ccg.rules.game import Game
from ccg.rules.soak import affordable
from ccg.rules.telling import explanations
from ccg.rules.telling import view as views
from ccg.rules.telling.view import PieceView, PlayerView, View

Viewer = SeatNumber | None
Count = Counter[CardNumber]
"""How many there are of each card."""


class Broken(AssertionError):
    """Something that must hold does not; ``check`` names what."""

    def __init__(self, check: str, message: str) -> None:
        super().__init__(f"{check}: {message}")
        self.check = check


def all_checks(game: Game, brought: Count) -> Looked:
    """Make every check that needs nothing but a game, and the cards that were ``brought`` to it.

    Gives what was seen and made on the way.
    """
    cards_are_conserved(game, brought)
    pieces_are_in_order(game)
    somebody_can_choose(game)
    half_made_moves_are_asked_about(game)
    data = game.save()
    copied = keeping_is_lossless(game, data)
    seen = {viewer: game.view(viewer) for viewer in viewers(game)}
    nothing_is_stale(game)
    numbers_agree(game, seen[None])
    numbers_are_explained(game, seen[None])
    hidden_stays_hidden(game, seen, data)
    reasons_fit_options(game)
    payments_are_right(game)
    return Looked(data, seen, copied)


class Looked(NamedTuple):
    """A game as it was looked at: saved, as each viewer sees it, and copied."""

    data: bytes
    seen: dict[Viewer, View]
    copied: Game


# ---------------------------------------------------------------- cards


def brought_by(game: Game) -> Count:
    """Count all cards, to be compared later; each says whose it is."""
    engine = game.engine
    cards: list[CardNumber] = []
    for player in engine.state.players:
        for zone in (player.deck, player.hand, player.discard, player.removed, player.gone):
            cards += zone
    for piece in engine.pieces():
        cards += piece.cards
        cards += piece.supplies
    for frame in engine.state.agenda:
        cards += frame.held()
    return Counter(cards)


def cards_are_conserved(game: Game, brought: Count) -> None:
    """Each card is in exactly one place, none has come or gone, and everybody's piles hold their own cards."""
    now = brought_by(game)
    if now != brought:
        raise Broken("conservation", f"vanished: {_named(game, brought - now)}; new: {_named(game, now - brought)}")
    for seat, player in enumerate(game.engine.state.players):
        for name in ("deck", "hand", "discard", "removed"):
            strange = [card for card in getattr(player, name) if owner_of(card) != seat]
            if strange:
                raise Broken("owner", f"the {name} of seat {seat} holds {_named(game, strange)} of others")
        if Counter(player.shown) - Counter(player.hand):
            raise Broken("shown", f"seat {seat} has shown cards that are not in hand: {_named(game, player.shown)}")
    if game.result is None:
        _nothing_left_behind(game)


def _nothing_left_behind(game: Game) -> None:
    """Whoever has left has no card in the game, and commands nothing (ruling 5)."""
    players = game.engine.state.players
    for seat, player in enumerate(players):
        if player.lost and (player.deck or player.hand or player.discard or player.resource):
            raise Broken("leaving", f"seat {seat} has left the game and still has cards in it")
    for piece in game.engine.pieces():
        lost = [card for card in (*piece.cards, *piece.supplies) if players[owner_of(card)].lost]
        if lost or players[piece.controller].lost:
            raise Broken("leaving", f"of players who have left there is in play {_named(game, lost or piece.cards)}")


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


def _places(engine: Engine) -> Iterator[tuple[Piece, SeatNumber | None, Area]]:
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
    gone = [option.player for option in decision.options if option.player >= 0 and state.players[option.player].lost]
    if gone:
        raise Broken("options", f"{decision.kind} of seat {decision.seat} names seats {gone}, who have left")
    if game.engine.in_one_instruction():
        return  # who has won or lost by it is seen when all have carried it out (rulings 4 and 94)
    for seat, player in enumerate(state.players):
        if not player.lost and not 0 < player.influence < WINNING_INFLUENCE:
            raise Broken("influence", f"seat {seat} has {player.influence} influence and the game goes on")


def half_made_moves_are_asked_about(game: Game) -> None:
    """A half-made move lies on top of everything, and its player is the one who is asked."""
    decision, agenda = game.decision, game.engine.state.agenda
    begun = next((place for place, frame in enumerate(agenda) if frame.half_made()), None)
    if decision is None or begun is None:
        return
    strange = [frame for frame in agenda[begun:] if not (frame.half_made() and frame.belongs_to(decision.seat))]
    if strange:
        names = ", ".join(type(frame).__name__ for frame in agenda[begun:])
        raise Broken("half-made", f"seat {decision.seat} is asked ({decision.kind}) above a half-made move: {names}")


def _check_result(game: Game) -> None:
    result = game.result
    assert result is not None
    seats = range(len(game.engine.state.players))
    drawn = set(seats).difference(result.winners, result.losers)
    won = bool(result.winners)
    fits = won != bool(drawn) and won == (result.reason != "draw") and not set(result.winners) & set(result.losers)
    if not fits:
        raise Broken("result", f"{result}")


USES = ("play", "use", "boost", "resolve", "challenge")
"""The verbs of what players are told why they cannot do it."""


def reasons_fit_options(game: Game) -> None:
    """Whoever may act has an option for exactly that against which there is no reason; others can do nothing."""
    decision = game.decision
    if decision is None:
        return
    for seat in game.engine.seats():
        told = {(use.verb, use.card, use.piece, use.number): use for use in game.reasons(seat)}
        able = {key for key, use in told.items() if use.reason is None}
        offered = set()
        if seat == decision.seat:
            shown = [views.option_view(game.engine, option) for option in decision.options if option.verb in USES]
            offered = {(option.verb, option.card, option.piece, option.number) for option in shown}
        if able != offered:
            raise Broken("reasons", f"seat {seat} ({decision.kind}): no reason against {able}, offered {offered}")
        for use in told.values():
            if (use.reason is None) != (not use.text) or (use.reason in ("cost", "price")) != any(use.missing.values()):
                raise Broken("reasons", f"seat {seat} is told {use}")


def payments_are_right(game: Game) -> None:
    """What can be paid for, and the ways offered to pay it, are those that a search through all of them finds."""
    mistake = affordable.mistaken(game)
    if mistake:
        raise Broken("paying", mistake)


# ---------------------------------------------------------------- keeping


def keeping_is_lossless(game: Game, data: bytes) -> Game:
    """Saved (as ``data``) and read back, or copied, it is the same game: same bytes, same decision.

    Gives the copy. What it does next is compared by :func:`same_again`, the views of a loaded game by
    :func:`hidden_stays_hidden`.
    """
    copied = game.copy()
    for name, other in (("loaded", Game.load(data, game.engine.catalog)), ("copied", copied)):
        if other.save() != data:
            raise Broken("saving", f"the {name} game is not the saved one")
        if other.decision != game.decision or other.result != game.result:
            raise Broken("saving", f"the {name} game asks {other.decision}, the game itself {game.decision}")
    return copied


def same_again(before: Game, move: str, events: Sequence[Event], after: bytes) -> None:
    """The same move in the copied game tells the same events and leads to the same game, saved as ``after``."""
    told = before.move(move)
    if list(events) != told:
        raise Broken("repeating", f"{move!r} tells {_kinds(told)} in the copy, {_kinds(events)} in the game")
    if before.save() != after:
        raise Broken("repeating", f"{move!r} leads to another game in the copy")


def taken_back_whole(before: bytes, after: bytes, events: Sequence[Event]) -> None:
    """A half-made move that has been taken back leaves nothing behind: the game, saved, is as ``before`` it began."""
    if events or before != after:
        raise Broken("taking back", f"it tells {_kinds(events)}; the game is another: {difference(before, after)}")


def _kinds(events: Iterable[Event]) -> list[str]:
    return [event.kind for event in events]


# ---------------------------------------------------------------- secrets


def viewers(game: Game) -> Sequence[Viewer]:
    """Return everybody who may look: a spectator and each player."""
    return (None, *range(len(game.engine.state.players)))


def hidden_stays_hidden(game: Game, seen: Mapping[Viewer, View], data: bytes | None = None) -> None:
    """What each viewer has ``seen``, options included, is seen again when all that is hidden from them is shuffled.

    It is shuffled in a game read back from ``data``, the saved game, so this compares the views of a loaded
    game as well.
    """
    decision = game.decision
    data = game.save() if data is None else data
    rng = random.Random(data)  # the same game is always shuffled in the same way, so that a failure comes again
    twin = Game.load(data, game.engine.catalog)
    known = _hidden_zones(twin)
    for viewer, view in seen.items():
        shuffle_hidden(twin, viewer, rng)
        twin = Game(twin.engine)  # what it has worked out about its options is of another shuffle
        twin.engine.stale()
        if decision is not None and decision.seat == viewer:
            again = twin.view(viewer)
        else:  # the other's own options may well be others now; the viewer gets none
            again = views.view(twin.engine, viewer, [], can_take_back=False)
        if again != view:
            where = difference(msgspec.json.encode(view), msgspec.json.encode(again))
            raise Broken("secrets", f"viewer {viewer} sees what is hidden: {where}")
        if decision is not None and viewer == decision.seat and twin.reasons(viewer) != game.reasons(viewer):
            raise Broken("secrets", f"what viewer {viewer} is told of why not depends on what is hidden")
        for zone, cards in known:
            zone[:] = cards


def _hidden_zones(game: Game) -> list[tuple[list[CardNumber], list[CardNumber]]]:
    """Return all that :func:`shuffle_hidden` may shuffle, each list with a copy of what is in it."""
    players = game.engine.state.players
    zones = [zone for player in players for zone in (player.deck, player.hand)]
    return [(zone, list(zone)) for zone in (*zones, *(stack.supplies for stack in _stacks(players)))]


def half_made_is_hidden(game: Game, before: Mapping[Viewer, View], now: Mapping[Viewer, View]) -> None:
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
    players = game.engine.state.players
    under = [stack.supplies for stack in _stacks(players) if stack.controller != viewer]
    for seat, player in enumerate(players):
        if seat == viewer:
            _shuffle(player.deck, rng)
            continue
        shown = list((Counter(player.hand) & Counter(player.shown)).elements()) if player.shown else []
        hand = list((Counter(player.hand) - Counter(shown)).elements()) if shown else player.hand
        pool = [*player.deck, *hand, *(card for supplies in under for card in supplies if owner_of(card) == seat)]
        _shuffle(pool, rng)
        player.deck[:] = [pool.pop() for _ in player.deck]
        player.hand[:] = _replaced(player.hand, shown, pool)
        for supplies in under:
            supplies[:] = [pool.pop() if owner_of(card) == seat else card for card in supplies]


def _replaced(hand: list[CardNumber], shown: list[CardNumber], pool: list[CardNumber]) -> list[CardNumber]:
    """Return ``hand`` with every card that is not ``shown`` replaced by one from ``pool``, where it lies."""
    new = []
    for card in hand:
        if card in shown:
            shown.remove(card)
            new.append(card)
        else:
            new.append(pool.pop())
    return new


def _shuffle(cards: list[CardNumber], rng: random.Random) -> None:
    """Shuffle in place, faster than ``rng.shuffle``: the soak does it thousands of times a second."""
    chance = rng.random
    cards.sort(key=lambda card: chance())


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
        under = game.engine.card(event.target_card).name if event.target_card is not None else ""
        for viewer in viewers(game):
            said = game.seen(event, viewer)
            told = said.text.replace(under, "")  # its name may have the other's within it
            if viewer != event.player and (said.card is not None or name in told):
                raise Broken("secrets", f"viewer {viewer} is told of {event.kind}: {said.text}")


def difference(one: bytes, other: bytes) -> str:
    """Show the first place where two views differ."""
    place = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"...{one[max(0, place - 60) : place + 40]!r} or {other[max(0, place - 60) : place + 40]!r}"


# ---------------------------------------------------------------- numbers


def nothing_is_stale(game: Game) -> None:
    """Check that the modifiers and abilities cached by the engine equal those that a fresh engine works out."""
    kept, fresh = game.engine, Engine(game.engine.state, game.engine.catalog)
    if list(kept.sources()) != list(fresh.sources()):
        raise Broken("stale", "the texts that work are not those that were kept")
    if tuple(kept.seats()) != tuple(fresh.seats()):
        raise Broken("stale", "the turn order is not the one that was kept")
    for kind in sorted(fresh.kinds_of_change() | kept.kinds_of_change()):
        if list(kept.active_modifiers(kind)) != list(fresh.active_modifiers(kind)):
            raise Broken("stale", f"the changes of kind {kind} in force are not those that were kept")


def numbers_agree(game: Game, seen: View) -> None:
    """Power, threat, yields, threat level and fleet defense in a view, and those by which the rules go, are right.

    Right is what a slow calculation gives.
    """
    engine = game.engine
    pieces = {piece.id: piece for piece in engine.pieces()}
    shown_pieces: list[PieceView] = list(seen.threats)
    for player in seen.players:
        shown_pieces += [*player.stacks, *player.persistent, *player.alert, *player.reserve]
    linked = {link.id for piece in shown_pieces for link in piece.links}
    if {piece.id for piece in shown_pieces} | linked != set(pieces):
        raise Broken("view", "the view shows other pieces than there are")
    power, threat = list(_slow_forces(engine, "power")), list(_slow_forces(engine, "threat"))
    for piece in shown_pieces:
        lies = pieces[piece.id]
        said = (piece.power, piece.threat, piece.yields)
        slow = (slow_power(engine, lies, power, threat), slow_threat(engine, lies, threat), slow_yields(lies))
        if said != slow:
            raise Broken("numbers", f"{piece.card} shows power, threat, yield {said}; worked out slowly {slow}")
        ruled = (characteristics.power(engine, lies), characteristics.threat(engine, lies))
        if ruled != slow[:2]:
            raise Broken("numbers", f"{piece.card} counts with power, threat {ruled}; worked out slowly {slow[:2]}")
    levels = (slow_threat_level(engine, threat), slow_fleet_defense(engine))
    if (seen.threat_level, seen.fleet_defense) != levels:
        raise Broken(
            "numbers",
            f"threat level and fleet defense {seen.threat_level}, {seen.fleet_defense}; worked out slowly {levels}",
        )


def numbers_are_explained(game: Game, seen: View) -> None:
    """What is printed and the causes told of are what is shown: numbers add up, and words are all accounted for."""
    engine = game.engine
    shown = {piece.id: piece for player in seen.players for piece in _laid_out(player)}
    shown |= {piece.id: piece for piece in seen.threats}
    for number, piece in shown.items():
        lies = engine.piece(number)
        said = (piece.power, piece.threat) + ((piece.yields,) if lies.is_stack else ())
        told = [explanations.power(engine, lies), explanations.threat(engine, lies)] + (
            [explanations.yields(engine, lies)] * lies.is_stack
        )
        if said != tuple(explained.shown for explained in told):
            raise Broken("why", f"{piece.card} shows {said}, explained by {told}")
        if _face_counts(engine, lies):  # what lies face down shows no numbers, and its view no causes
            listed = [sum(cause.amount for cause in piece.why if cause.kind == kind) for kind in ("power", "threat")]
            differs = [number - explained.printed for number, explained in zip(said[:2], told[:2], strict=True)]
            if listed != differs:
                raise Broken("why", f"{piece.card} differs by {differs}, its view tells {piece.why}")
        card = engine.definition(lies)
        for have, printed, causes in (
            (piece.traits, card.traits, explanations.traits(engine, lies)),
            (piece.keywords, card.keywords, explanations.keywords(engine, lies)),
        ):
            lost = {cause.word[1:] for cause in causes if cause.word.startswith("-")}
            gained = {cause.word for cause in causes if not cause.word.startswith("-")}
            if set(have) - set(printed) != gained or set(printed) - set(have) != lost:
                raise Broken("why", f"{piece.card} is {have}, printed {printed}, explained by {causes}")
    levels = (explanations.fleet_defense(engine).shown, explanations.threat_level(engine).shown)
    if (seen.fleet_defense, seen.threat_level) != levels:
        raise Broken("why", f"levels {seen.fleet_defense}, {seen.threat_level}, explained as {levels}")


def _laid_out(player: PlayerView) -> Iterator[PieceView]:
    yield from (*player.stacks, *player.persistent, *player.alert, *player.reserve)


def slow_power(engine: Engine, piece: Piece, power: Sequence[ActiveModifier], threat: Sequence[ActiveModifier]) -> int:
    """Return the power of ``piece``: printed, or the threat of a Cylon threat, and every change of power in force."""
    if not _face_counts(engine, piece):
        return 0
    printed = slow_threat(engine, piece, threat) if piece.role == Role.THREAT else engine.definition(piece).power or 0
    return printed + _slow_change(engine, power, piece)


def slow_threat(engine: Engine, piece: Piece, active_modifiers: Sequence[ActiveModifier]) -> int:
    """Return the Cylon threat of ``piece``."""
    if not _face_counts(engine, piece):
        return 0
    return (engine.definition(piece).threat or 0) + _slow_change(engine, active_modifiers, piece)


def slow_yields(piece: Piece) -> int:
    """Return what the stack makes: one for itself and one for each supply card; nothing if it is no stack."""
    return 1 + len(piece.supplies) if piece.role in (Role.BASE, Role.ASSET) else 0


def slow_threat_level(engine: Engine, active_modifiers: Sequence[ActiveModifier]) -> int:
    """Add up the threat of everything that lies face up, alert or in reserve, with anybody."""
    return sum(
        slow_threat(engine, piece, active_modifiers)
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
    return printed + sum(active.amount(engine, bases[0]) for active in _slow_forces(engine, "fleet"))


def _face_counts(engine: Engine, piece: Piece) -> bool:
    challenge = engine.state.challenge
    takes_part = challenge is not None and piece.id in (challenge.challenger, challenge.defender)
    return piece.role != Role.ASSET and (takes_part or not piece.exhausted)


def _slow_change(engine: Engine, active_modifiers: Sequence[ActiveModifier], piece: Piece) -> int:
    return sum(active.amount(engine, piece) for active in active_modifiers if active.touches(engine, piece))


def _slow_forces(engine: Engine, kind: str) -> Iterator[ActiveModifier]:
    """Go through every text in play and every modifier for changes of ``kind``, with no index and no memory."""
    for piece in engine.pieces():
        if piece.role == Role.THREAT:
            continue
        texts = [(link.top, link.controller) for link in piece.links if not link.exhausted]
        working = piece.role != Role.MISSION or piece.area == Area.RESOURCE
        if working and _face_counts(engine, piece):
            texts.insert(0, (piece.cards[0], piece.controller))
        for card, you in texts:
            script = engine.scripts[definition_of(card)]
            context = Context(you, card, piece.id)
            for change in (script.changes[number] for number in script.printed_changes):
                if change.kind == kind and (change.holds is None or change.holds(engine, context)):
                    yield ActiveModifier(change, context, None, 0, change.word)
    for modifier in engine.state.modifiers:
        if modifier.kind == kind:
            script = engine.scripts[definition_of(modifier.context.card)]
            made: ContinuousEffect | None = script.changes[modifier.change] if modifier.change >= 0 else None
            if made is not None and made.holds is not None and not made.holds(engine, modifier.context):
                continue
            yield ActiveModifier(made, modifier.context, modifier.pieces, modifier.amount, modifier.word)


# ---------------------------------------------------------------- words for people


def _name(game: Game, card: CardNumber) -> str:
    return game.engine.card(card).name


def _named(game: Game, cards: Counter[CardNumber] | Sequence[CardNumber]) -> str:
    return ", ".join(f"{count} x {_name(game, card)}" for card, count in Counter(cards).items()) or "nothing"
