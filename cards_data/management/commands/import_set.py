"""``manage.py import_set PATH...``: bring card sets into the database."""

from __future__ import annotations

import textwrap
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError

from cards_data import audit, catalog, proposals, trials
from cards_data.changes import Changes
from cards_data.imports import import_sets
from cards_data.models import AuditEntry
from cards_data.proposals import Proposal
from cards_data.trials import Trial
from ccg.rules.authoring.card_files import CardFileError
from ccg.rules.authoring.records import Problem
from ccg.rules.soak.trials import GAMES, PATIENCE, SEEN

SHOWN = 20
NOT_IMPORTED = "nothing was imported"


class Command(BaseCommand):
    """Check, try and import card sets, all or nothing; importing the same files again changes nothing."""

    help = (
        "Import card sets: each PATH is a set folder (with set.yaml), a folder of such folders, "
        "a YAML file with a whole set, or a zip of a set folder."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take one or more paths."""
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
        parser.add_argument("--dry-run", action="store_true", help="tell what would happen, and change nothing")
        parser.add_argument(
            "--remove", type=int, default=0, metavar="N",
            help="let N cards go that are no longer in the files of their set; asked for whenever any would",
        )  # fmt: skip
        parser.add_argument("--author", metavar="USERNAME", help="whose import it is, for versions and audit log")
        parser.add_argument(
            "--games", type=int, metavar="N",
            help=f"simulated games with what is new or changed (default: {GAMES}, and more where there are many cards, "
            f"so that each is seen in {SEEN}; 0 for none)",
        )  # fmt: skip

    def handle(self, *args: Any, paths: list[Path], dry_run: bool, games: int | None, **options: Any) -> None:
        """Check, show the difference, play, import; raises CommandError with every problem."""
        self.author = _person(options["author"])
        self.quiet = options["verbosity"] == 0
        if games is not None and not 0 <= games <= trials.MOST_GAMES:
            raise CommandError(f"--games is a number from 0 to {trials.MOST_GAMES:,}.")
        proposal = proposals.of_paths(paths, catalog.data())
        self._refuse(proposal.problems, paths)
        self._write(*_differences(proposal))
        removing: int | None = options["remove"]
        wall = removing is not None and not proposal.changes.agreed(removing)
        how = proposal.changes.why_not(f"say --remove {len(proposal.changes.gone)}") if wall else ""
        if wall and not dry_run:
            self._refuse([how], paths)
        if games != 0 and proposal.changes.played:
            self._try(proposal, games, paths)
        if dry_run:
            audit.note(self.author, AuditEntry.What.CHECKED, paths=_listed(paths), dry_run=True)
            self._write(*filter(None, [how]), f"This was a dry run: {NOT_IMPORTED}.")
            return
        try:
            done = import_sets(paths, author=self.author, proposal=proposal, removing=removing)
        except CardFileError as error:
            self._refuse(error.problems, paths)
            raise
        if done.version is None:
            self._write(f"Nothing changed: all {done.changes.unchanged} cards are stored already.")
        else:
            self._write(f"This is {done.version}.")

    def _try(self, proposal: Proposal, games: int | None, paths: list[Path]) -> None:
        """Play the simulated games, here and now; raises CommandError if any broke."""
        trial = trials.new(proposal.changes.played, games)
        while not trial.done:
            trials.add(trial, trials.play(trial, proposal.after))
            self._write(f"simulated games: {trial.played} of {trial.games}")
        broken = list(_broken(trial))
        self._refuse(broken, paths)
        if trial.unfinished:
            self._write(f"{trial.unfinished} of {trial.games} games had not ended after {PATIENCE} choices")
        self._write(*(_line(finding) for finding in trial.findings if finding.kind != "crash"))
        names = [proposal.after.catalog[card].name for card in trial.never_played]
        if names:
            self._write(f"never seen in play in {trial.games} games: {', '.join(names[:SHOWN])}")

    def _refuse(self, problems: Sequence[Problem | str], paths: list[Path]) -> None:
        if not problems:
            return
        audit.note(self.author, AuditEntry.What.REFUSED, paths=_listed(paths), problems=len(problems))
        listed = "\n".join(f"  {problem}" for problem in problems)
        count = len(problems)
        raise CommandError(f"{count} {'problem' if count == 1 else 'problems'} found; {NOT_IMPORTED}.\n{listed}")

    def _write(self, *lines: str) -> None:
        for line in lines if not self.quiet else ():
            self.stdout.write(line)


def _person(name: str | None) -> Any:
    if name is None:
        return None
    person = get_user_model().objects.filter(username=name.lower()).first()
    if person is None:
        raise CommandError(f"There is no user {name!r}.")
    return person


def _listed(paths: list[Path]) -> str:
    return ", ".join(str(path) for path in paths)[:500]


def _broken(trial: Trial) -> Iterator[str]:
    """Yield a line for each fault that the games have found."""
    yield from (_line(finding) for finding in trial.findings if finding.kind == "crash")
    if trial.endless:
        yield f"{trial.endless} of {trial.games} games did not come to an end"


def _line(finding: trials.Finding) -> str:
    """Say what one game has found."""
    about = f" ({', '.join(finding.cards)})" if finding.cards else ""
    what = "broke" if finding.kind == "crash" else "went on strangely"
    return f"game {finding.game} {what}{about}: {finding.message}"


def _differences(proposal: Proposal) -> Iterator[str]:
    """Yield what an import would change, as lines for a person."""
    changes, checked = proposal.changes, proposal.checked
    for one in checked.sets:
        yield f"{one.code}  {one.name}: {len(one.printings)} printings"
    if checked.scenarios:
        yield f"scenarios of the sets: {len(checked.scenarios)}, all pass"
    if changes.nothing:
        return
    yield f"new cards: {len(changes.new)}, changed: {len(changes.changed)}, unchanged: {changes.unchanged}"
    yield from _changed(changes)
    if changes.gone:
        yield f"withdrawn (kept for old decks), {changes.taking_out}: {', '.join(changes.gone)}"
    if changes.new_printings or changes.changed_printings or changes.gone_printings:
        yield (
            f"new printings: {len(changes.new_printings)}, changed: {len(changes.changed_printings)}, "
            f"withdrawn: {len(changes.gone_printings)}"
        )
    if changes.changed_sets:
        yield f"changed sets: {', '.join(changes.changed_sets)}"
    for new in changes.new_traits:
        meant = f"; did you mean {new.meant}?" if new.meant else ""
        yield f"a trait that no card had before: {new.trait} (cards: {new.cards}{meant})"
    for what, number in proposal.uses().items():
        yield f"{what} with a card that changes or goes: {number}"


def _changed(changes: Changes) -> Iterator[str]:
    for one in changes.changed[:SHOWN]:
        if not any("\n" in field.before + field.after for field in one.fields):
            differences = "; ".join(f"{field.field} {field.before} -> {field.after}" for field in one.fields)
            yield f"  {one.card} {one.name}: {differences}"
            continue
        yield f"  {one.card} {one.name}:"
        for field in one.fields:
            yield f"    {field.field}:"
            yield textwrap.indent(field.before, "    - ")
            yield textwrap.indent(field.after, "    + ")
    if len(changes.changed) > SHOWN:
        yield f"  … and {len(changes.changed) - SHOWN} more"
