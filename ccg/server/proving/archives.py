"""Archives: matches that are over can be played again to their stored hash, and are shown as they were, whatever cards
are imported since.

What each viewer is told of a match is kept as a hash when it has been archived; so is the hash of its positions. Both
are compared afterwards, and once more after an import in which every personnel is stronger and all events are gone.
"""

from __future__ import annotations

import hashlib
import random
import shutil
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal

from .inside import call
from .proof import Figure, Options, Proof
from .systems import System, running_system

MOST_MOVES = 2_000
"""After so many moves a match is given up; between players who try, hardly any is."""

PATIENCE, A_MATCH = 120.0, 5.0
"""Seconds that the background work may take, in all and for each match."""

PLANTED = 20
"""Matches that are played and shown again with a fault put in."""

STORED = ("record", "events", "positions")
SEES: tuple[Literal["public", "seat", "all"], ...] = ("public", "seat", "all")


def prove(options: Options) -> Proof:
    """Play matches, archive them, play and show them again, before and after an import of other cards."""
    matches = options.number("matches", 1_000, 3)
    processes = min(options.number("processes", 2, 1), matches)
    here = __name__
    with running_system(options.profile, options.room("site"), webs=1, workers=1) as system:
        asked = [
            {"numbers": [*range(part, matches, processes)], "seed": options.seed, "part": part}
            for part in range(processes)
        ]
        played = _sum(_at_once("play", asked, system))
        hashes = played.pop("hashes")
        parts = [dict([*hashes.items()][part::processes]) for part in range(processes)]
        before = _sum(_at_once("compare", parts, system))
        other = call(f"{here}:import_others", None, system.env)
        after = _sum(_at_once("compare", parts, system))
        few = dict([*hashes.items()][:PLANTED])
        planted = {
            name.replace("_", " "): bool(call(f"{here}:compare", few, system.env, f"{here}:{name}")["different"])
            for name in ("todays_cards", "a_lost_move", "another_influence")
        }
    sizes = {what: round(played.pop(f"bytes_of_{what}") / matches) for what in STORED}
    figures: dict[str, Figure] = {
        **played,
        "bytes_a_match": {**sizes},
        "before": before,
        "after": after,
        "other_cards": other,
    }
    return Proof(
        goal=f"{matches} archived matches are played again to their stored hash, and shown to everybody as they were,"
        " before and after an import that changes cards",
        passed=all(found["same"] == matches and not found["different"] for found in (before, after)) and other,
        figures=figures,
        planted=planted,
    )


def _at_once(function: str, asked: list[Any], system: System) -> list[dict[str, Any]]:
    """Call a function of this module in as many processes as there are arguments; return what each returns."""
    with ThreadPoolExecutor(len(asked)) as pool:
        return list(pool.map(lambda one: call(f"{__name__}:{function}", one, system.env), asked))


def _sum(parts: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what several processes have returned as one: numbers and lists added, dictionaries put together."""
    summed = dict(parts[0])
    for part in parts[1:]:
        for name, value in part.items():
            summed[name] = summed[name] | value if isinstance(value, dict) else summed[name] + value
    return summed


# -- with the site's code


def play(parameters: dict[str, Any]) -> dict[str, Any]:
    """Play matches of two people with these ``numbers`` through the site's own door and archive them.

    Return how large their archives are in all, and what :func:`compare` takes.
    """
    from django.contrib.auth import get_user_model

    from ccg.outbox.services import drain
    from decks import table_decks
    from decks.models import Deck
    from matches.lobby import services as lobby
    from matches.models import Archive

    model, part = get_user_model(), parameters["part"]
    people = [model.objects.create(username=name, display_name=name) for name in (f"archivist{part}", f"reader{part}")]
    taken = [table_decks.take_to_table(None, deck.uid) for deck in Deck.objects.starters()]
    moves = 0
    made = []
    for number in parameters["numbers"]:
        rng = random.Random(f"{parameters['seed']}:{number}")
        match = lobby.join(lobby.invite(people[0], rng.choice(taken), 2), people[1], rng.choice(taken))
        moves += _played(match, rng)
        made.append(match.pk)
    until = time.monotonic() + PATIENCE + A_MATCH * len(made)
    packed = Archive.objects.filter(match__in=made, film__isnull=False)
    while packed.count() < len(made) and time.monotonic() < until:
        if not drain():  # a server or a worker beside us has the rest
            time.sleep(0.1)
    archives = Archive.objects.filter(match__in=made).select_related("film", "match")
    sizes, hashes = dict.fromkeys(STORED, 0), {}
    for archive in archives.iterator(chunk_size=20):
        hashes[archive.match.public_id] = _hash(archive)
        for name, content in (
            ("record", archive.record), ("events", archive.events), ("positions", archive.film.content),
        ):  # fmt: skip
            sizes[name] += len(bytes(content))
    return {
        "matches": len(made),
        "moves": moves,
        **{f"bytes_of_{name}": size for name, size in sizes.items()},
        "hashes": hashes,
    }


def compare(hashes: dict[str, str]) -> dict[str, Any]:
    """Play the archived matches again and show them to everybody; return how many come to what they were.

    ``different`` has the first that do not, with the reason.
    """
    from matches.models import Archive
    from matches.replays import packing, positions

    same, different = 0, []
    for archive in (
        Archive.objects.filter(match__public_id__in=hashes).select_related("film", "match").iterator(chunk_size=20)
    ):
        try:
            again = positions.hash_of(positions.packed(list(packing.made(_record(archive)))))
            told = _hash(archive)
        except Exception as error:
            different.append(f"{archive.match.public_id}: {type(error).__name__}: {error}"[:300])
            continue
        if again != archive.film.digest:
            different.append(f"{archive.match.public_id}: played again it has other positions")
        elif told != hashes[archive.match.public_id]:
            different.append(f"{archive.match.public_id}: it is shown otherwise")
        else:
            same += 1
    return {"same": same, "different": different[:5]}


def import_others(_: None) -> bool:
    """Import the base set with stronger personnel and without events; return whether the cards are others now."""
    from cards_data import catalog
    from cards_data.imports import import_sets
    from ccg.rules.authoring.card_files import SETS

    before = catalog.current().fingerprint
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "bsg1"
        shutil.copytree(SETS / "bsg1", copy)
        personnel = copy / "personnel.yaml"
        text = personnel.read_text(encoding="utf-8").replace("  power: 2\n", "  power: 9\n")
        personnel.write_text(text, encoding="utf-8")
        (copy / "events.yaml").write_text("[]", encoding="utf-8")
        import_sets([copy])
    return catalog.current().fingerprint != before


def _played(match: Any, rng: random.Random) -> int:
    """Play a match to its end, each move through the site's own door; return how many that took."""
    from matches.models import Match
    from matches.players import PLAYERS
    from matches.playing import moves
    from matches.protocol.messages import Choose, Concede
    from matches.storage.seat_sets import seats_of
    from matches.table import table_view

    users = dict(match.seats.values_list("number", "user"))
    # The usual one takes many times as long to think, and what is archived is the same.
    players = [PLAYERS[_usual() if rng.random() < 0.2 else rng.choice(("easy", "chance"))](rng) for _ in users]
    for number in range(MOST_MOVES):
        row = Match.objects.get(pk=match.pk)
        if row.state != Match.State.RUNNING:
            return number
        _, game, catalog = table_view.current_game(row)
        seat = rng.choice(seats_of(row.deciders))
        option = players[seat].choose(game.view(seat), catalog)
        command = Choose(id=f"m{number}", version=number, option=option)
        moves.act(row.public_id, moves.Actor.person(users[seat]), command)
    moves.act(match.public_id, moves.Actor.person(users[0]), Concede(id="enough"))
    return MOST_MOVES + 1


def _usual() -> str:
    from matches.players import DEFAULT

    return DEFAULT


def _record(archive: Any) -> Any:
    from matches.playing import archive as archives

    return archives.read_record(archive)


def _hash(archive: Any) -> str:
    """Return the hash of everything that anybody is told of an archived match."""
    from matches.replays import showing

    told = hashlib.sha256()
    for user in (None, *archive.match.seats.order_by("number").values_list("user", flat=True)):
        access = showing.access(archive.match.public_id, user)
        assert access is not None
        for sees in SEES:
            if sees != "seat" or access.seat is not None:
                told.update(showing.written(showing.replay(access, archive.film, sees)))
    return told.hexdigest()


# -- planted faults


def _replace(module: Any, name: str, made: Callable[[Any], Any]) -> None:
    setattr(module, name, made(getattr(module, name)))


def todays_cards() -> None:
    """Play matches again with the cards of today."""
    from cards_data import catalog
    from matches.playing import match_cache

    _replace(match_cache, "catalog_of", lambda _: lambda fingerprint: catalog.current())


def a_lost_move() -> None:
    """Lose the last move of each record."""
    from msgspec import structs

    from matches.playing import archive

    _replace(
        archive,
        "read_record",
        lambda read: lambda row: structs.replace(record := read(row), moves=record.moves[:-1]),
    )


def another_influence() -> None:
    """Show the first player with one influence more at the beginning."""
    from msgspec import structs

    from matches.replays import positions

    def unpacked(read: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
        def changed(content: bytes) -> Any:
            first, *others = read(content)
            for stream in first.changes:
                view = stream[0].to
                stream[0] = structs.replace(
                    stream[0],
                    to={**view, "players": [{**view["players"][0], "influence": 99}, *view["players"][1:]]},
                )
            return [first, *others]

        return changed

    _replace(positions, "unpacked", unpacked)
