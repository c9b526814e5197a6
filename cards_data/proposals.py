"""What an import would do, found out before anything is done: problems, differences, who is touched."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from cards_data import isolated, uses
from cards_data.catalog import CardData
from cards_data.changes import Changes, compare
from cards_data.checking import Checked, Request, Upload, check
from cards_data.models import Card, Printing
from cards_data.uploads import MAX_UPLOAD, shown
from ccg.rules.authoring.card_files import CardSet
from ccg.rules.authoring.records import Problem
from ccg.rules.cards.definitions import CardDef, fold
from ccg.rules.decoding import Decoder
from ccg.rules.effects.language import read_special

CHECK_SECONDS = 20.0
_CHECKED = Decoder(Checked, read_special)
FILES = (".yaml", ".yml", ".zip")


class Proposal(Struct, kw_only=True):
    """The card data ``before`` an import and what would come ``after`` it; with ``problems`` it cannot be."""

    before: CardData
    after: CardData
    checked: Checked
    changes: Changes
    problems: list[Problem]

    @property
    def codes(self) -> str:
        """The codes of the sets to be imported, as words."""
        return ", ".join(sorted(one.code for one in self.checked.sets))

    def uses(self) -> dict[str, int]:
        """Return how many decks (and whatever else holds cards) hold a card that changes or goes."""
        return uses.count({*(one.card for one in self.changes.changed), *self.changes.gone})


def of_paths(paths: Sequence[Path], before: CardData) -> Proposal:
    """Return what an import of the sets at ``paths`` would do: folders, or files as :func:`of_upload` takes them."""
    files = [path for path in paths if path.suffix.lower() in FILES and path.is_file()]
    if not files:
        return _proposal(before, check(paths, before.sets))
    uploads = [Upload(name=path.name, data=_beginning(path)) for path in files]
    folders = [str(path) for path in paths if path not in files]
    return _proposal(before, _check_aside(before, uploads, folders))


def of_upload(name: str, data: bytes, before: CardData) -> Proposal:
    """Return what an import of an uploaded YAML file or zip archive would do."""
    return _proposal(before, _check_aside(before, [Upload(name=name, data=data[: MAX_UPLOAD + 1])]))


def of_sets(sets: tuple[CardSet, ...], before: CardData) -> Proposal:
    """Return what an import of ``sets``, which were checked against ``before``, would do."""
    return _proposal(before, Checked(sets=sets))


def _beginning(path: Path) -> bytes:
    """Return as much of a file as shows whether it is too large."""
    with path.open("rb") as file:
        return file.read(MAX_UPLOAD + 1)


def _check_aside(before: CardData, uploads: list[Upload], folders: Sequence[str] = ()) -> Checked:
    """Check uploaded files in a child process, so that harmful ones cannot stop this process or fill its memory."""
    with TemporaryDirectory(prefix="card-set-") as folder:
        request = Request(known=before.sets, paths=list(folders), uploads=uploads, folder=folder)
        done = isolated.run("cards_data.checking", request, _CHECKED, CHECK_SECONDS)
    if done.answers:
        checked: Checked = done.answers[0]
        return checked
    names = ", ".join(shown(one.name) for one in uploads)
    return Checked(problems=[Problem(text=f"the check was stopped: {done.stopped}", file=names)])


def _proposal(before: CardData, checked: Checked) -> Proposal:
    problems = [*checked.problems, *_reassigned(checked.sets), *_other_cards(checked.sets)]
    if checked.problems:
        return Proposal(before=before, after=before, checked=checked, changes=Changes(), problems=problems)
    after = before.with_sets(checked.sets)
    return Proposal(
        before=before,
        after=after,
        checked=checked,
        changes=compare(before, after, {one.code for one in checked.sets}),
        problems=problems,
    )


def _reassigned(sets: Collection[CardSet]) -> list[Problem]:
    """Return why ids in ``sets`` would mean something else than they once did: decks and replays may name them."""
    rows = list(Printing.objects.filter(set__in=[one.code for one in sets]).values("id", "card", "set", "number"))
    meant = {row["id"]: row["card"] for row in rows}
    known_as = {(row["set"], row["number"]): row["id"] for row in rows}
    problems = []
    for printing in (printing for one in sets for printing in one.printings):
        card, was = meant.get(printing.id, printing.card), known_as.get((printing.set, printing.number), printing.id)
        if card != printing.card:
            problems.append(
                Problem(text=f"{printing.id} was a printing of {card} and cannot become one of {printing.card}")
            )
        elif was != printing.id:
            problems.append(Problem(text=f"{printing.id} was {was} before: the digits of a set cannot change"))
    return problems


def _other_cards(sets: Collection[CardSet]) -> Iterator[Problem]:
    """Yield which cards are not those that are known under their ids: decks and replays would follow unseen."""
    cards = [card for one in sets for card in one.cards]
    known = Card.objects.only("type", "title", "subtitle", "name").in_bulk([card.id for card in cards])
    for card in cards:
        was = known.get(card.id)
        if was is not None and (was.type != card.type or not _same_name(was, card)):
            yield Problem(
                text=f"{card.id} is known as {was.name} ({was.type}) and cannot become {card.name} ({card.type}), "
                "since decks and replays name it",
                advice="ids are for ever, so give the other card a new number",
            )


def _same_name(was: Card, now: CardDef) -> bool:
    """Return whether a card may still be the same by its name: title or subtitle stayed, or misprints were mended."""
    kept = {fold(was.title), fold(was.subtitle)} & {fold(now.title), fold(now.subtitle)} - {""}
    return bool(kept) or _alike(fold(was.name).split(), fold(now.name).split())


def _alike(some: Sequence[str], others: Sequence[str]) -> bool:
    """Return whether names differ by misprints only: each word is like one of the other's, but for one word."""
    fewer, more = sorted((some, others), key=len)
    return len(more) - len(fewer) <= 1 and all(get_close_matches(word, more, 1) for word in fewer)
