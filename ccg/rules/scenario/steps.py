"""Steps: which legal options the words of a step mean."""

from __future__ import annotations

from collections.abc import Callable

from ccg.rules.cards.definitions import RESOURCES
from ccg.rules.core.options import NO_CARD, NOBODY, Option
from ccg.rules.game import Game
from ccg.rules.scenario.files import ScenarioError
from ccg.rules.scenario.naming import is_card, looks, pieces_named

FORCED_NEVER = ("pass", "decline", "no")
"""Verbs that are never taken for a player, even as the only option."""

PLAIN_VERBS = ("keep", "redraw", "pass", "decline", "yes", "no", "defend")


class Words:
    """The meaning of step words in one game: :meth:`matching` gives the options they name."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.engine = game.engine
        self.catalog = game.engine.catalog

    def matching(self, words: str) -> list[Option]:
        """Return the current decision's options that ``words`` mean; options alike count as one.

        Raises :class:`ScenarioError` for a verb that is not known.
        """
        decision = self.game.decision
        fits = self._reader(words)
        if decision is None:
            return []
        found: dict[tuple[object, ...], Option] = {}
        for option in decision.options:
            if fits(option):
                found.setdefault(self.alike(option), option)
        return list(found.values())

    def alike(self, option: Option) -> tuple[object, ...]:
        """Return what tells ``option`` from others: equal cards in the same place are one."""
        return (
            option.verb, option.card, self._looks(option.piece), self._looks(option.target),
            option.player, option.word, option.number if option.verb != "reorder" else -1,
        )  # fmt: skip

    def distinct(self) -> list[Option]:
        """Return the current options, those that are alike counted once."""
        decision = self.game.decision
        options = decision.options if decision is not None else []
        return list({self.alike(option): option for option in options}.values())

    def describe(self) -> str:
        """Return the legal options as words, for the message of a failure."""
        decision = self.game.decision
        if decision is None:
            return "the game is over"
        who = self.engine.player(decision.seat).name
        names = sorted({self.tell(option) for option in decision.options})
        return f"{who} ({decision.kind}) may: " + "; ".join(names)

    # -- reading

    def _reader(self, words: str) -> Callable[[Option], bool]:
        verb, _, rest = words.partition(" ")
        rest = rest.strip()
        readers: dict[str, Callable[[str], Callable[[Option], bool]]] = {
            "asset": lambda name: lambda o: o.verb == "asset" and self._is_card(o, name),
            "play": lambda name: lambda o: o.verb == "play" and self._is_card(o, name),
            "supply": self._supply,
            "reorder": lambda name: lambda o: o.verb == "reorder" and self._is_card(o, name),
            "use": self._use,
            "boost": self._boost,
            "resolve": lambda name: lambda o: o.verb == "resolve" and self._means(o.piece, name),
            "challenge": self._challenge,
            "choose": self._choose,
        }
        if words in PLAIN_VERBS:
            return lambda option: option.verb == words and not option.piece
        if words.startswith("defend with "):
            name = words.removeprefix("defend with ")
            return lambda option: option.verb == "defend" and self._means(option.piece, name)
        if words.startswith("pay with "):
            name = words.removeprefix("pay with ")
            return lambda option: option.verb == "pay" and self._means(option.piece, name)
        if verb not in readers or not rest:
            raise ScenarioError(f"the step {words!r} is not understood")
        return readers[verb](rest)

    def _supply(self, rest: str) -> Callable[[Option], bool]:
        name, stack = _two(rest, " under ", "supply CARD under CARD")
        return lambda o: o.verb == "supply" and self._is_card(o, name) and self._means(o.target, stack)

    def _use(self, rest: str) -> Callable[[Option], bool]:
        name, mark, number = rest.rpartition(": ")
        if mark and number.isdecimal():
            return lambda o: o.verb == "use" and self._used(o, name) and o.number == int(number)
        return lambda o: o.verb == "use" and self._used(o, rest)

    def _used(self, option: Option, name: str) -> bool:
        """The ability of a linked mission is named by the mission or by the unit that it is linked to."""
        return self._means(option.piece, name) or self._is_card(option, name)

    def _boost(self, rest: str) -> Callable[[Option], bool]:
        name, mark, beneath = rest.partition(" with ")
        return lambda o: o.verb == "boost" and self._means(o.piece, name) and (not mark or self._is_card(o, beneath))

    def _challenge(self, rest: str) -> Callable[[Option], bool]:
        whom, challenger = _two(rest, " with ", "challenge PLAYER with CARD")
        seat = self._seat(whom)
        return lambda o: (
            o.verb == "challenge"
            and self._means(o.piece, challenger)
            and (o.player == seat if seat is not None else self._means(o.target, whom))
        )

    def _choose(self, rest: str) -> Callable[[Option], bool]:
        if rest.startswith("supply under "):
            stack = rest.removeprefix("supply under ")
            return lambda o: o.verb == "choose" and o.word == "supply" and self._means(o.target, stack)
        seat = self._seat(rest)
        if seat is not None:
            return lambda o: o.verb == "choose" and o.player == seat
        if rest.isdecimal():
            return lambda o: o.verb == "choose" and o.number == int(rest)
        if rest in ("nothing", "done", "personnel", "ship", "asset", *RESOURCES):
            return lambda o: o.verb == "choose" and o.word == rest
        return lambda o: (
            o.verb == "choose"
            and not o.word
            and (self._means(o.piece, rest) if o.piece else o.card != NO_CARD and self._is_card(o, rest))
        )

    # -- what words refer to

    def _seat(self, name: str) -> int | None:
        names = [player.name for player in self.engine.state.players]
        return names.index(name) if name in names else None

    def _is_card(self, option: Option, name: str) -> bool:
        return option.card != NO_CARD and is_card(self.catalog, self.catalog.cards[option.card], name)

    def _means(self, piece: int, reference: str) -> bool:
        return bool(piece) and any(found.id == piece for found in pieces_named(self.engine, reference))

    def _looks(self, piece: int) -> tuple[object, ...]:
        found = self.engine.find(piece) if piece else None
        return looks(self.engine, found) if found is not None else ()

    def tell(self, option: Option) -> str:
        """Return ``option`` as words, for the message of a failure."""
        parts = [option.verb]
        if option.card != NO_CARD:
            parts.append(self.catalog.cards[option.card].name)
        for piece in (option.target, option.piece):
            found = self.engine.find(piece) if piece else None
            if found is not None:
                parts.append(f"[{self.engine.definition(found).name}]")
        if option.player != NOBODY:
            parts.append(self.engine.player(option.player).name)
        if option.number >= 0:
            parts.append(str(option.number))
        return " ".join([*parts, option.word]).strip()


def _two(text: str, between: str, form: str) -> tuple[str, str]:
    left, mark, right = text.partition(between)
    if not mark:
        raise ScenarioError(f"{text!r} is not of the form {form!r}")
    return left, right
