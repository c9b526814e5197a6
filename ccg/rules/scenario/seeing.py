"""What is looked at through players' eyes: their views of the game, and what they were told of it.

A question is put to every viewer, the players and a spectator (None); who is meant is said by the words
before the verb: a name, "a spectator", "only Ana", "everybody" or "nobody" (spectators count for the last three).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from ccg.rules.core.events import Event
from ccg.rules.core.state import SeatNumber
from ccg.rules.game import Game
from ccg.rules.scenario.files import ScenarioError
from ccg.rules.scenario.naming import card_named, pieces_named, split_names
from ccg.rules.telling.view import EventView, PieceView, PlayerView, View

Viewer = SeatNumber | None
SPECTATOR, EVERYBODY, NOBODY, ONLY = "a spectator", "everybody", "nobody", "only "

MARK = re.compile(r"\[\[\w+:[^|]*\|([^\]]*)\]\]")
"""How sentences mark a name in them."""

PILES: dict[str, Callable[[PlayerView], int]] = {
    "deck": lambda player: player.deck,
    "hand": lambda player: player.hand,
    "discard pile": lambda player: len(player.discard),
}
"""What is counted, as a view tells it."""


def _fleet(pieces: list[PieceView]) -> list[str]:
    return [card for piece in pieces for card in (piece.card, *piece.beneath)]


PLACES: dict[str, Callable[[PlayerView], list[str]]] = {
    "hand": lambda player: player.hand_cards,
    "discard pile": lambda player: player.discard,
    "alert area": lambda player: _fleet(player.alert),
    "reserve area": lambda player: _fleet(player.reserve),
    "resource area": lambda player: _fleet([*player.stacks, *player.persistent]),
}
"""Where a view shows cards."""


class Eyes:
    """What each viewer of a game sees and what the ``events`` let them know; every question gives who says yes."""

    def __init__(self, game: Game, events: Sequence[Event]) -> None:
        self.game = game
        self.engine = game.engine
        self.events = events
        self.names = {seat: player.name for seat, player in enumerate(game.engine.state.players)}
        self.viewers: list[Viewer] = [*self.names, None]

    def counting(self, player: str, pile: str, number: int) -> list[Viewer]:
        """Who sees that the pile has so many cards."""
        return self._who(lambda view: PILES[pile](self._side(view, player)) == number)

    def seeing(self, card: str, player: str, place: str) -> list[Viewer]:
        """Who sees the card in that place."""
        wanted = self._card(card)
        return self._who(lambda view: wanted in PLACES[place](self._side(view, player)))

    def seeing_pile(self, player: str, cards: str) -> list[Viewer]:
        """Who sees the discard pile to be these cards, the top one last."""
        wanted = [self._card(name) for name in split_names(self.engine.catalog, cards)]
        return self._who(lambda view: self._side(view, player).discard == wanted)

    def counting_supplies(self, stack: str, number: int) -> list[Viewer]:
        """Who sees that so many supply cards lie under the stack."""
        return self._who(lambda view: self._stack(view, stack).supplies == number)

    def seeing_supply(self, card: str, stack: str) -> list[Viewer]:
        """Who sees that the card is a supply card under the stack."""
        wanted = self._card(card)
        return self._who(lambda view: wanted in self._stack(view, stack).supply_cards)

    def seeing_anywhere(self, card: str) -> list[Viewer]:
        """Who sees the card anywhere at all, be it in the text of an option."""
        wanted = self._card(card)
        return self._who(lambda view: _speaks_of(msgspec.to_builtins(view), wanted))

    def told_of(self, what: str) -> list[Viewer]:
        """Who was told ``what`` since the beginning of the scenario: "of CARD", or words of a sentence in quotes."""
        return [viewer for viewer in self.viewers if self._first_told(viewer, what) is not None]

    def told_before(self, what: str, later: str) -> list[Viewer]:
        """Who was told both, and first the one."""
        both = [(viewer, self._first_told(viewer, what), self._first_told(viewer, later)) for viewer in self.viewers]
        return [viewer for viewer, one, other in both if one is not None and other is not None and one < other]

    def meant(self, who: str, found: list[Viewer]) -> bool:
        """Return whether ``found`` are those whom ``who`` means."""
        if who == EVERYBODY:
            return found == self.viewers
        if who == NOBODY:
            return not found
        if who.startswith(ONLY):
            return found == [self._viewer(who.removeprefix(ONLY))]
        return self._viewer(who) in found

    def not_meant(self, who: str, found: list[Viewer]) -> bool:
        """Return whether the one whom ``who`` means is not among ``found``."""
        if who in (EVERYBODY, NOBODY) or who.startswith(ONLY):
            raise ScenarioError(f"{who} who does not see? Say that nobody sees it, or name one")
        return self._viewer(who) not in found

    def tell(self, found: list[Viewer]) -> str:
        """Name those who do."""
        return ", ".join(SPECTATOR if viewer is None else self.names[viewer] for viewer in found) or NOBODY

    # -- inside

    def _who(self, sees: Callable[[View], bool]) -> list[Viewer]:
        return [viewer for viewer in self.viewers if sees(self.game.view(viewer))]

    def _viewer(self, who: str) -> Viewer:
        return None if who == SPECTATOR else self._seat(who)

    def _seat(self, name: str) -> SeatNumber:
        return next(seat for seat, known in self.names.items() if known == name)

    def _side(self, view: View, player: str) -> PlayerView:
        return view.players[self._seat(player)]

    def _stack(self, view: View, reference: str) -> PieceView:
        found = [piece.id for piece in pieces_named(self.engine, reference) if piece.is_stack]
        stacks = [stack for player in view.players for stack in player.stacks if stack.id in found]
        if len(stacks) != 1:
            raise ScenarioError(f"{reference!r} is not the name of one resource stack")
        return stacks[0]

    def _card(self, name: str) -> str:
        catalog = self.engine.catalog
        bases_alone = bool(catalog.named(name)) and all(card.type == "base" for card in catalog.named(name))
        return card_named(catalog, name, base=bases_alone).id

    def _first_told(self, viewer: Viewer, what: str) -> int | None:
        says = self._says(what)
        return next((n for n, event in enumerate(self.events) if says(self.game.seen(event, viewer))), None)

    def _says(self, what: str) -> Callable[[EventView], bool]:
        if what.startswith('"') and what.endswith('"'):
            return lambda event: what.strip('"') in MARK.sub(r"\1", event.text)
        if not what.startswith("of "):
            raise ScenarioError(f'{what!r} is neither of a card nor words in quotes, "Ana draws"')
        wanted = self._card(what.removeprefix("of "))
        return lambda event: _speaks_of(msgspec.to_builtins(event), wanted)


def _speaks_of(shown: Any, card: str) -> bool:
    """Return whether the id of ``card`` is somewhere in what is ``shown``, alone or within a text."""
    name = re.compile(rf"(?<![\w-]){re.escape(card)}(?![\w-])")
    return any(name.search(text) for text in _texts(shown))


def _texts(shown: Any) -> Iterator[str]:
    if isinstance(shown, str):
        yield shown
    elif isinstance(shown, dict):
        for part in shown.values():
            yield from _texts(part)
    elif isinstance(shown, (list, tuple)):
        for part in shown:
            yield from _texts(part)
