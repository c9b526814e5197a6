"""Everything that people can do to bring card sets in, one verb a function: upload, try, publish, go back.

The admin pages go through here. Each verb asks for the right to it, does all or nothing, and leaves an entry
in the audit log; so does being refused. ``user`` is somebody signed in, or None for the command line,
which is for those who may do everything anyway.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from django.core.exceptions import PermissionDenied
from django.db import transaction

from cards_data import audit, catalog, imports, proposals, trials
from cards_data.catalog import CardData, UnknownVersion
from cards_data.changes import CHANGES, Changes, compare
from cards_data.models import AuditEntry, DataVersion, ImportDraft
from cards_data.proposals import Proposal
from cards_data.trials import Trial
from cards_data.uploads import MAX_UPLOAD, plain_name
from ccg.rules.effects.compiling import AbilityError, compile_scripts

IMPORT_SET = "cards_data.import_set"
ROLL_BACK = "cards_data.roll_back"

State = ImportDraft.State
What = AuditEntry.What


class NotNow(ValueError):
    """It cannot be done as things stand; the message says why and what can be done instead."""


class Outdated(NotNow):
    """The cards have changed since the draft was checked: it can be checked again."""


class Removes(NotNow):
    """It would take cards out, and nobody has said how many."""


def allowed(user: Any, right: str) -> bool:
    """Return whether ``user`` has ``right`` (:data:`IMPORT_SET`, :data:`ROLL_BACK`) and is staff."""
    return user is None or bool(user.is_active and user.is_staff and user.has_perm(right))


def upload(user: Any, name: str, data: bytes) -> ImportDraft:
    """Check an uploaded set against the newest cards, and keep it as a draft: checked, or refused with problems.

    Raises PermissionDenied.
    """
    _ask(user, IMPORT_SET, "upload", name=plain_name(name))
    draft = ImportDraft(author=user, file_name=plain_name(name), content=data[:MAX_UPLOAD])
    proposal = proposals.of_upload(name, data, catalog.data())
    with transaction.atomic():
        _take_in(draft, proposal)
        draft.save(force_insert=True)
        audit.note(user, What.UPLOADED, draft=draft, file=draft.file_name, bytes=len(data))
        _note_check(user, draft)
    return draft


def check_again(draft: ImportDraft, user: Any) -> ImportDraft:
    """Check ``draft`` against the cards as they are now; it then has to be tried again.

    Raises PermissionDenied, and NotNow while it is being tried and once it is published or discarded.
    """
    _ask(user, IMPORT_SET, "check", draft=draft)
    proposal = proposals.of_upload(draft.file_name, bytes(draft.content), catalog.data())
    with _locked(draft) as row:
        if row.state not in (State.REFUSED, State.CHECKED, State.TRIED):
            raise NotNow(f"This draft cannot be checked again: it is {_state_in_words(row)}.")
        _take_in(row, proposal)
        row.trial = {}
        _note_check(user, row)
    return row


def begin_trial(draft: ImportDraft, user: Any, games: int | None = None) -> ImportDraft:
    """Have simulated games played with what is new or changed in ``draft``, in the background.

    :meth:`cards_data.trials.Trial.of` tells how far it is. A trial can be repeated, and one that does not
    move on any more be begun anew. Raises PermissionDenied and NotNow.
    """
    _ask(user, IMPORT_SET, "try", draft=draft)
    if games is not None and not 1 <= games <= trials.MOST_GAMES:
        raise NotNow(f"A trial has 1 to {trials.MOST_GAMES:,} games.")
    with _locked(draft) as row:
        running = Trial.of(row) if row.state == State.TRYING else None
        if running is not None and not running.stale:
            raise NotNow("Its games are being played already.")
        if row.state not in (State.CHECKED, State.TRYING, State.TRIED):
            raise NotNow(f"This draft cannot be tried: it is {_state_in_words(row)}.")
        changes = changes_of(row)
        if changes.nothing:
            raise NotNow("All of this is stored already: there is nothing to try or to publish.")
        played = list(changes.played)
        games = trials.usual_games(len(played)) if games is None else games
        audit.note(user, What.TRIAL_BEGUN, draft=row, games=games, cards=len(played))
        trials.begin(row, played, games)
    return row


def publish(draft: ImportDraft, user: Any, base: int | None = None, removing: int | None = None) -> DataVersion:
    """Make ``draft`` the newest data version, completely or not at all, and return that.

    ``base`` is the data version against which it was checked when somebody decided this, if that is known.
    ``removing`` is how many cards go, as whoever decides has said: :class:`Removes` if cards go and it is another
    number, since a file with the code of another set takes all cards of that set out.
    Raises PermissionDenied; :class:`Outdated` if the cards have changed since it was checked; NotNow if it
    has not been tried or its trial has found what must not be published, or if it has been checked again
    meanwhile. Cards that were never played do not hinder it.
    """
    _ask(user, IMPORT_SET, "publish", draft=draft)
    seen = ImportDraft.objects.get(pk=draft.pk)
    _refuse_unready(seen, catalog.current_number())
    proposal = proposals.of_sets(catalog.decode(0, bytes(seen.checked)).sets, catalog.data(seen.base))
    problems = [str(one) for one in proposal.problems] or _cannot_be_played(proposal.after)
    if problems:
        raise NotNow("It cannot be published: " + "; ".join(problems[:5]))
    if not proposal.changes.agreed(removing):
        number = len(proposal.changes.gone)
        raise Removes(proposal.changes.why_not(f"type {number} before you publish"))
    source, rows = f"{proposal.codes} from {seen.file_name}", imports.rows_of(proposal.after)
    with imports.newest() as before, _locked(draft) as row:
        _refuse_unready(row, before.number)
        if row.base != seen.base or base not in (None, row.base):
            raise NotNow("Meanwhile this draft has been checked again and may change something else. Look again.")
        version = imports.store(proposal.after, proposal.changes, source=source, author=user, rows=rows)
        row.state, row.version = State.PUBLISHED, version
        audit.note(user, What.PUBLISHED, draft=row, version=version, source=version.source)
    return version


def discard(draft: ImportDraft, user: Any) -> ImportDraft:
    """Put ``draft`` aside for good; a trial of it stops. Raises PermissionDenied and NotNow."""
    _ask(user, IMPORT_SET, "discard", draft=draft)
    with _locked(draft) as row:
        if row.state in (State.PUBLISHED, State.DISCARDED):
            raise NotNow(f"This draft cannot be discarded: it is {_state_in_words(row)}.")
        row.state = State.DISCARDED
        audit.note(user, What.DISCARDED, draft=row)
    return row


def roll_back(number: int, user: Any, reason: str = "", newest: int | None = None) -> DataVersion:
    """Make a new data version with the content of the older version ``number``, and return it.

    Cards that were not in it are withdrawn, cards that are only in it come back; matches go on with what
    they began with. ``newest`` is what was the newest version when somebody decided this, if that is known.
    Raises PermissionDenied, UnknownVersion, and NotNow if nothing would change, if the program cannot play
    those cards any more, or if another version is the newest meanwhile.
    """
    _ask(user, ROLL_BACK, "roll back", to=number)
    if number < 1:
        raise UnknownVersion(f"there is no data version {number}")
    older = catalog.data(number)
    problems = _cannot_be_played(older)
    if problems:
        raise NotNow(f"This program cannot play the cards of version {number}: {problems[0]}")
    rows = imports.rows_of(older)
    with imports.newest() as before:
        # Two people, or two clicks: what is confirmed has to be what was shown.
        if newest not in (None, before.number):
            raise NotNow(
                f"Meanwhile version {before.number} has become the newest, so this would change something "
                "else than what you were shown. Nothing was changed; look again."
            )
        after = CardData(before.number + 1, older.sets)
        changes = compare(before, after)
        if changes.nothing:
            raise NotNow(f"Nothing would change: the cards are as they were in version {number}.")
        source = f"back to version {number}" + (f": {reason}" if reason else "")
        version = imports.store(after, changes, source=source, author=user, restores=number, rows=rows)
        audit.note(user, What.ROLLED_BACK, version=version, to=number, reason=reason[:500])
    return version


def changes_of(draft: ImportDraft) -> Changes:
    """Return what ``draft`` would change, as it was when it was checked."""
    return CHANGES.from_plain(draft.changes)


# --- inside -------------------------------------------------------------------------------------------


def _ask(user: Any, right: str, wanted: str, *, draft: ImportDraft | None = None, **more: Any) -> None:
    """Raise PermissionDenied, and record that in the audit log, unless ``user`` has the right."""
    if not allowed(user, right):
        audit.note(user, What.DENIED, draft=draft, wanted=wanted, **more)
        raise PermissionDenied(f"You may not {wanted} card sets: that needs the right {right}.")


@contextmanager
def _locked(draft: ImportDraft) -> Iterator[ImportDraft]:
    """Yield the row of ``draft`` as it is now, locked, and save it at the end."""
    with transaction.atomic():
        row = ImportDraft.objects.select_for_update().get(pk=draft.pk)
        yield row
        row.save()


def _take_in(draft: ImportDraft, proposal: Proposal) -> None:
    """Store the results of the check, ``proposal``, in the columns of ``draft``."""
    checked = proposal.checked
    draft.base = proposal.before.number
    draft.problems = msgspec.to_builtins(proposal.problems)
    draft.state = State.REFUSED if proposal.problems else State.CHECKED
    draft.sets = [
        {"code": one.code, "name": one.name, "cards": len(one.cards), "printings": len(one.printings)}
        for one in checked.sets
    ]
    draft.scenarios = msgspec.to_builtins(checked.scenarios)
    draft.checked = b"" if proposal.problems else CardData(0, checked.sets).encode()
    draft.changes = msgspec.to_builtins(proposal.changes)
    draft.uses = proposal.uses()


def _note_check(user: Any, draft: ImportDraft) -> None:
    if draft.state == State.REFUSED:
        audit.note(user, What.REFUSED, draft=draft, problems=len(draft.problems), base=draft.base)
    else:
        audit.note(user, What.CHECKED, draft=draft, sets=[one["code"] for one in draft.sets], base=draft.base)


def _refuse_unready(draft: ImportDraft, newest: int) -> None:
    """Raise NotNow unless ``draft`` may be published over the data version ``newest``."""
    if draft.state != State.TRIED:
        raise NotNow(f"Only what has been tried can be published; this draft is {_state_in_words(draft)}.")
    if draft.base != newest:
        raise Outdated(
            f"The cards have changed since this draft was checked: then version {draft.base} was the newest, "
            f"now it is {newest}. Check it again."
        )
    trial = Trial.of(draft)
    if trial is None or not trial.passed:
        broken = f"{trial.crashes} broke and {trial.endless} did not end" if trial else "none was played"
        raise NotNow(f"Its simulated games did not go well: {broken}. Mend the cards and upload them again.")


def _cannot_be_played(after: CardData) -> list[str]:
    try:
        compile_scripts(after.catalog)
    except (AbilityError, ValueError) as error:
        return [str(error)]
    return []


def _state_in_words(draft: ImportDraft) -> str:
    return {State.TRYING: "being tried", State.CHECKED: "checked, but not tried"}.get(State(draft.state), draft.state)
