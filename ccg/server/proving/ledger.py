"""What was promised at sockets, held against what is in the database. Runs with the site's code (:mod:`.inside`)."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any
from unittest.mock import patch

from msgspec import Struct

Key = tuple[str, int, str]
"""Match, seat and action id."""


WRONG = ("lost", "doubled", "unknown", "contradicted", "gaps", "replay")
"""What has to be 0: acknowledged and not there, there twice, never sent, refused and yet there, versions missing,
states that are not those of their moves."""


OF_THE_SITE = ("computer ", "forced ")
"""How the ids of choices begin that nobody sends: a computer's, and by correspondence what is forced."""


class Promises(Struct):
    """What the log of a crowd says."""

    sent: dict[Key, dict[str, Any]]
    acked: dict[Key, set[int]]
    refused: set[Key]
    matches: set[str]

    def of(self, matches: set[str]) -> Promises:
        """Return what was promised in these of the matches."""
        return Promises(
            {key: choice for key, choice in self.sent.items() if key[0] in matches},
            defaultdict(set, {key: versions for key, versions in self.acked.items() if key[0] in matches}),
            {key for key in self.refused if key[0] in matches},
            self.matches & matches,
        )


def promises(log: Path) -> Promises:
    """Read the log of a crowd; its last line may be half written."""
    read = Promises({}, defaultdict(set), set(), set())
    for line in log.read_text("utf-8").splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if "match" not in entry or entry["kind"] not in ("sent", "acked", "refused"):
            continue
        read.matches.add(entry["match"])
        key = (entry["match"], entry["seat"], entry.get("id") or "")
        if entry["kind"] == "sent":
            read.sent[key] = entry
        elif entry["kind"] == "acked":
            read.acked[key].add(entry["version"])
        elif entry["code"] in ("late", "over", "not_offered", "not_your_decision"):
            read.refused.add(key)
    return read


def check(parameters: dict[str, Any]) -> dict[str, Any]:
    """Compare the ``log`` with the database; with ``tamper``, do so again after each planted fault in the data.

    Returns counts, of which those that :data:`WRONG` names have to be 0, some examples, and in ``planted`` whether each
    fault was noticed.
    """
    promised = promises(Path(parameters["log"]))
    counts = compared(promised)
    if parameters.get("tamper"):
        # Playing all matches again takes minutes; a fault is in one of a few, and only these are compared again.
        few = promised.of(set(sorted({key[0] for key in promised.acked})[: len(TAMPER)]))
        counts["planted"] = {}
        for name, tamper in TAMPER.items():
            before = sum(compared(few)[what] for what in WRONG)
            tamper(few)
            counts["planted"][name] = sum(compared(few)[what] for what in WRONG) > before
    return counts


def compared(promised: Promises) -> dict[str, Any]:
    """Compare what the servers acknowledged or refused with the database; return counts and examples."""
    from matches.models import Match, Move
    from matches.playing import archive

    wrong: dict[str, list[str]] = {name: [] for name in WRONG}
    stored: dict[Key, list[Any]] = defaultdict(list)
    moves = (
        Move.objects.filter(match__public_id__in=promised.matches)
        .select_related("match")
        .defer("events", "match__saved")
    )
    count = 0
    for move in moves.iterator(chunk_size=2000):
        stored[(move.match.public_id, move.seat, move.action_id)].append(move)
        count += 1
    for key, versions in promised.acked.items():
        choice = promised.sent[key]
        if not any(move.seq in versions and move.option == choice["option"] for move in stored.get(key, [])):
            wrong["lost"].append(f"{key} was acknowledged as version {sorted(versions)}")
    for key, rows in stored.items():
        if len(rows) > 1 or len(promised.acked.get(key, ())) > 1:
            wrong["doubled"].append(f"{key} made {[move.seq for move in rows]}")
        if key not in promised.sent and not key[2].startswith(OF_THE_SITE):
            wrong["unknown"].append(f"{key} was never sent")
        if key in promised.refused:
            wrong["contradicted"].append(f"{key} was refused, and is version {rows[0].seq}")
    by_correspondence = 0
    for match_pk in Match.objects.filter(public_id__in=promised.matches).values_list("pk", flat=True):
        match, made = _read_at_once(match_pk)
        by_correspondence += match.is_by_correspondence
        if made != list(range(1, match.version + 1)):
            wrong["gaps"].append(f"{match.public_id} at {match.version} has {len(made)} moves")
        elif (difference := archive.replay(match).difference) is not None:
            wrong["replay"].append(f"{match.public_id}: {difference.what}")
    examples = [line for lines in wrong.values() for line in lines[:3]]
    counts = {"matches": len(promised.matches), "by_correspondence": by_correspondence}
    counts |= {"moves": count, "acked": len(promised.acked)}
    return counts | {name: len(lines) for name, lines in wrong.items()} | {"examples": examples}


def _read_at_once(match_pk: int) -> tuple[Any, list[int]]:
    """Return a match and the numbers of its moves, of one version: the site may still answer for people meanwhile."""
    from matches.models import Match

    while True:
        match = Match.objects.get(pk=match_pk)
        made = list(match.moves.order_by("seq").values_list("seq", flat=True))
        if Match.objects.filter(pk=match_pk, version=match.version).exists():
            return match, made


def background(parameters: dict[str, Any]) -> dict[str, int]:
    """Count background work that was given up, and finished matches that are not archived exactly once."""
    from ccg.outbox.models import Job
    from matches.models import Archive, Match

    finished = Match.objects.filter(state=Match.State.FINISHED)
    return {
        "finished": finished.count(),
        "jobs_failed": Job.objects.filter(state=Job.State.FAILED).count(),
        "not_archived": finished.exclude(pk__in=Archive.objects.values("match")).count(),
    }


# -- planted faults in the data, one for each thing that is looked for


def _last_move(promised: Promises, table: int) -> Any:
    """Return the last acknowledged move of this one of the matches: each fault has a match of its own."""
    from matches.models import Move

    acked = sorted({key[0] for key in promised.acked})
    match = acked[table % len(acked)]
    ids = [key[2] for key in promised.acked if key[0] == match]
    return Move.objects.filter(match__public_id=match, action_id__in=ids).order_by("-seq")[0]


def lose_a_move(promised: Promises) -> None:
    """Delete an acknowledged move, as if a server had acknowledged it before the commit and died."""
    from matches.models import Match

    move = _last_move(promised, 0)
    move.match.moves.filter(seq__gte=move.seq).delete()
    Match.objects.filter(pk=move.match_id).update(version=move.seq - 1)


def double_a_move(promised: Promises) -> None:
    """Store an acknowledged move twice, as could happen without the unique constraint."""
    from django.db import connection

    from matches.models import Match, Move

    move = _last_move(promised, 1)
    unique = next(one for one in Move._meta.constraints if one.name == "move_once_for_each_action")
    left = [one for one in Move._meta.constraints if one is not unique]
    with patch.object(Move._meta, "constraints", left), connection.schema_editor() as editor:
        editor.remove_constraint(Move, unique)
    last = move.match.version
    Move.objects.create(
        match=move.match, seq=last + 1, seat=move.seat, kind=move.kind, option=move.option, action_id=move.action_id,
        digest=move.digest, events=bytes(move.events),
    )  # fmt: skip
    Match.objects.filter(pk=move.match_id).update(version=last + 1)


def swap_a_choice(promised: Promises) -> None:
    """Change the digest of a move, as if two choices for one version had both been computed."""
    move = _last_move(promised, 2)
    type(move).objects.filter(pk=move.pk).update(digest="0" * len(move.digest))


TAMPER = {"a move lost": lose_a_move, "a state swapped": swap_a_choice, "a move doubled": double_a_move}
