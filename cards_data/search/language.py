"""A language: the fields that can be asked, and what a query means in their words.

A :class:`Field` says everything about one field once: its names, what it can be asked, where each evaluation finds
its values, and what the help says. Help, completion, facets, answers of the API and the browser's search are all
made from these descriptors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from cards_data.search.columns import Column
from cards_data.search.errors import QueryError, nearest
from cards_data.search.kinds import Asked, DisplayKind, GroupKind, Kind, PresenceKind, WordsKind, negated
from cards_data.search.known import NOTHING, Known
from cards_data.search.nodes import EVERYTHING, All, Node, Not, Some
from cards_data.search.syntax import Joined, Off, Parenthesis, Term, Text, Without, Written, read

Vocabulary = Mapping[str, tuple[str, ...]]
"""The words there are, by field, of those fields whose words come with the data."""


@dataclass(frozen=True)
class Facts:
    """Where the values of a field are among the facts of a card (:class:`cards_data.export.CardFacts`).

    ``paths`` are keys, with dots between them; the values of all paths count. Of an amount by resource a number field
    takes the sum, a words field the resources. ``of`` are the types of card that have it at all, with 0 where the
    facts say nothing; empty means that what is not said is missing. ``flags`` are words that hold where all of their
    paths say something. ``marked`` text has icons in it.
    """

    paths: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    flags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    marked: bool = False


@dataclass(frozen=True)
class Field:
    """One field of a language. ``name`` comes first in help and suggestions, ``aliases`` mean the same."""

    name: str
    kind: Kind
    meaning: str
    example: str
    aliases: tuple[str, ...] = ()
    facts: Facts = Facts()
    column: Column | None = None
    optional: bool = False
    """Whether some cards have no value, so that ``has:`` can ask for it."""
    here_only: bool = False
    """Whether pages cannot ask it of everybody: it needs a deck that is open, or somebody's collection."""
    facet: str = ""
    """The heading of the field's chips on pages that have such; empty for none."""


@dataclass(frozen=True)
class Query:
    """A query that was read: its text, what was written, what it asks, and how results are to be shown."""

    text: str = ""
    written: Written | None = None
    node: Node = EVERYTHING
    display: Mapping[str, str] = field(default_factory=dict)
    parts: tuple[Written, ...] = ()
    """What stands side by side outside of all parentheses; what only shows results is a part of its own, always."""


class Language:
    """The fields that one kind of thing can be searched by; bare words ask the first of them."""

    def __init__(self, fields: Iterable[Field]) -> None:
        """Take the fields in the order of the help; raises ValueError if two share a name."""
        self.fields: tuple[Field, ...] = tuple(fields)
        self.by_name: dict[str, Field] = {}
        for one in self.fields:
            for name in (one.name, *one.aliases):
                if name in self.by_name:
                    raise ValueError(f"two fields are called {name!r}")
                self.by_name[name] = one

    @cached_property
    def optional(self) -> tuple[str, ...]:
        """The names of fields that can be missing on a card."""
        return tuple(one.name for one in self.fields if one.optional)

    @cached_property
    def aliases(self) -> Mapping[str, str]:
        """The names of fields that can be missing on a card, by their other names."""
        return {alias: one.name for one in self.fields if one.optional for alias in one.aliases}

    def read(
        self,
        text: str,
        vocabulary: Vocabulary,
        known: Known = NOTHING,
        names: Callable[[], Mapping[str, str]] = dict,
    ) -> Query:
        """Return what ``text`` asks; raises :class:`~cards_data.search.errors.QueryError`.

        ``vocabulary`` are the words that come with the data, ``known`` is what is known beside it, and ``names``
        returns the folded names of all cards by id.
        """
        written = read(text)
        if written is None:
            return Query(text)
        return _Reader(self, vocabulary, known, names).query(text, written)

    def words(self, one: Field, vocabulary: Vocabulary) -> tuple[str, ...]:
        """Return the words that can be asked of a field: its own, or those of the data; none where anything can."""
        if isinstance(one.kind, PresenceKind):
            return (*self.optional, *(word for word in vocabulary.get(one.name, ()) if word not in self.optional))
        if isinstance(one.kind, WordsKind | GroupKind | DisplayKind):
            return vocabulary.get(one.name) or one.kind.words
        return ()

    def field(self, name: Text) -> Field:
        """Return the field that is called ``name``; raises :class:`~cards_data.search.errors.QueryError`."""
        found = self.by_name.get(name.text.lower())
        if found is None:
            near = nearest(name.text, self.by_name)
            raise QueryError(
                "unknown field", name.start, name.end, found=name.text,
                expected=[one.name for one in self.fields], suggestion=self.by_name[near].name if near else "",
            )  # fmt: skip
        return found


class _Reader:
    """Reads one query: the language, and what there is in the data."""

    def __init__(
        self, language: Language, vocabulary: Vocabulary, known: Known, names: Callable[[], Mapping[str, str]]
    ) -> None:
        self.language = language
        self.vocabulary = vocabulary
        self.known = known
        self.names = names

    def query(self, text: str, written: Written) -> Query:
        display: dict[str, str] = {}
        nodes: list[Node] = []
        parts = tuple(self._apart(written))
        for part in parts:
            if isinstance(part, Off):
                continue
            shown = self._display(part)
            if shown is None:
                nodes.append(self.node(part))
            else:
                display.update([shown])
        return Query(text, written, All(tuple(nodes)), display, parts)

    def _apart(self, written: Written) -> Iterator[Written]:
        """Yield what stands side by side, with what only shows results taken out of the sides of an "or".

        An order holds for all that is found, so it makes no difference on which side it is written. A side that asks
        for nothing besides is left as it is, and refused later.
        """
        if not (isinstance(written, Joined) and written.any):
            yield from _side_by_side(written)
            return
        branches = [_side_by_side(branch) for branch in written.parts]
        asking = [tuple(part for part in branch if not self._only_shows(part)) for branch in branches]
        showing = [part for branch in branches for part in branch if self._only_shows(part)]
        if not showing or not all(asking):
            yield written
            return
        yield Joined(True, tuple(map(_together, asking)), asking[0][0].start, asking[-1][-1].end)
        yield from showing

    def _only_shows(self, part: Written) -> bool:
        if not (isinstance(part, Term) and part.field.text):
            return False
        field = self.language.by_name.get(part.field.text.lower())
        return field is not None and isinstance(field.kind, DisplayKind)

    def node(self, written: Written) -> Node:
        match written:
            case Term():
                return self._term(written)
            case Joined(any=True):
                return Some(tuple(self.node(part) for part in written.parts))
            case Joined():
                return All(tuple(self.node(part) for part in written.parts))
            case Without():
                return Not(self.node(written.part))
            case Parenthesis():
                return self.node(written.part)
            case Off():
                raise QueryError("not inside", written.start, written.end, field="~")

    def _term(self, term: Term) -> Node:
        one = self._field(term)
        if isinstance(one.kind, DisplayKind):
            raise QueryError("not inside", term.start, term.end, field=term.field.text)
        asked = self._asked(one, "=" if term.operator.text == "!=" else term.operator.text)
        node = Some(tuple(one.kind.group(asked, group) for group in term.groups))
        return negated(one.name, node) if term.operator.text == "!=" else node

    def _display(self, part: Written) -> tuple[str, str] | None:
        """Return the name and value of a term that only says how results are shown; None for other parts."""
        if not isinstance(part, Term):
            return None
        one = self._field(part)
        if not isinstance(one.kind, DisplayKind):
            return None
        value = part.groups[-1][-1]
        return one.name, one.kind.choose(self._asked(one, part.operator.text), value)

    def _field(self, term: Term) -> Field:
        """Return the field of a term, which can be asked in this way."""
        one = self.language.field(term.field) if term.field.text else self.language.fields[0]
        operator = term.operator
        if operator.text not in one.kind.operators:
            raise QueryError(
                "unknown operator", operator.start, operator.end,
                field=term.field.text, found=operator.text, expected=one.kind.operators, suggestion=":",
            )  # fmt: skip
        return one

    def _asked(self, one: Field, operator: str) -> Asked:
        words = self.language.words(one, self.vocabulary)
        return Asked(one.name, operator, words, self._defined, self.known, self.names, self.language.aliases)

    def _defined(self, query: str) -> Node:
        written = read(query)
        return self.node(written) if written else EVERYTHING


def _side_by_side(written: Written) -> tuple[Written, ...]:
    return written.parts if isinstance(written, Joined) and not written.any else (written,)


def _together(parts: tuple[Written, ...]) -> Written:
    return parts[0] if len(parts) == 1 else Joined(False, parts, parts[0].start, parts[-1].end)
