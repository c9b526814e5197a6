"""Everything that can be known of card sets without the database: do they read, compile, have words, do
their own scenarios pass? All problems at once. Knows no framework, as :mod:`cards_data.isolated` runs it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct, structs

from cards_data.uploads import SCENARIOS, UploadError, unpack
from ccg.rules.authoring import endless
from ccg.rules.authoring.card_files import CardFileError, CardSet, FilePosition, read_placed, set_folders
from ccg.rules.authoring.records import Problem
from ccg.rules.cards.definitions import CardDef, Catalog
from ccg.rules.errors import EngineError
from ccg.rules.scenario import Failure, Scenario, ScenarioError, find_files, read_each, run_scenario
from ccg.rules.telling.wording import card_text

MAX_PROBLEMS = 500
MAX_SCENARIOS = 500


class ScenarioResult(Struct, frozen=True):
    """How one scenario of a set went; ``message`` says what was found where it did not pass."""

    file: str
    name: str
    passed: bool
    message: str = ""


class Checked(Struct, kw_only=True):
    """What the check found. With ``problems``, ``sets`` is what could be read, and no scenario was run."""

    problems: list[Problem] = []
    sets: tuple[CardSet, ...] = ()
    scenarios: list[ScenarioResult] = []


class Upload(Struct, kw_only=True):
    """A file as it was uploaded: its name there and its bytes."""

    name: str
    data: bytes


class Request(Struct, kw_only=True):
    """What is to be checked, for :func:`work`: set folders at ``paths``, and ``uploads``.

    ``known`` are the sets that are stored; ``folder`` is an empty one in which uploads are unpacked.
    """

    known: tuple[CardSet, ...]
    paths: list[str]
    uploads: list[Upload]
    folder: str


def work(request: Request) -> Iterator[Checked]:
    """Do what ``request`` asks for; one answer."""
    paths = [Path(path) for path in request.paths]
    problems: list[Problem] = []
    for number, upload in enumerate(request.uploads):
        home = Path(request.folder) / str(number)
        home.mkdir()
        try:
            paths.append(unpack(upload.name, upload.data, home))
        except UploadError as error:
            problems += error.problems
    yield Checked(problems=_cut(problems)) if problems else check(paths, request.known)


def check(paths: Iterable[Path], known: Sequence[CardSet]) -> Checked:
    """Check the sets at ``paths`` as they would stand beside the ``known`` ones, or in place of them."""
    folders: list[Path] = []
    problems: list[Problem] = []
    try:
        folders = set_folders(*paths)
        sets, places = read_placed(folders, known)
    except CardFileError as error:
        problems, sets, places = error.problems, list(error.sets), error.places
    # Of what could be read, everything else is told as well: whoever writes a set mends it once.
    clear = _without(_cards(sets), problems, places)
    problems = [*problems, *_placed((*(one for each in sets for one in _unseen(each)), *_untold(clear)), places)]
    clear = _without(clear, problems, places)
    codes = {one.code for one in sets}
    together = [*_cards(one for one in known if one.code not in codes), *clear]
    problems += _placed(endless.rounds(clear, together), places)
    if problems:
        return Checked(problems=_cut([*problems, *_unread(folders)]), sets=tuple(sets))
    results = _scenarios(folders, Catalog(together))
    failed = [
        Problem(text=result.message, file=result.file, scenario=result.name) for result in results if not result.passed
    ]
    return Checked(problems=_cut(failed), sets=tuple(sets), scenarios=results)


def _placed(problems: Iterable[Problem], places: Mapping[str, FilePosition]) -> list[Problem]:
    """Return ``problems`` that name a card by its id with file and line."""
    return [places[one.card].placed(one) if one.card in places else one for one in problems]


def _without(
    cards: Iterable[CardDef], problems: Iterable[Problem], places: Mapping[str, FilePosition]
) -> list[CardDef]:
    """Return those of ``cards`` that none of ``problems`` is about."""
    told = {(problem.file, problem.card) for problem in problems}
    return [card for card in cards if (places[card.id].file, places[card.id].card) not in told]


def _read_scenarios(folders: Iterable[Path]) -> Iterator[tuple[str, Scenario | str]]:
    """Yield each scenario that lies in the folders of sets, with its file; in place of one, why it cannot be read."""
    for folder in folders:
        home = folder / SCENARIOS
        for path in find_files([home]) if home.is_dir() else ():
            place = path.relative_to(folder.parent).as_posix()
            for scenario in read_each(path):
                yield place, _local(scenario, path, place) if isinstance(scenario, ScenarioError) else scenario


def _unread(folders: Iterable[Path]) -> Iterator[Problem]:
    """Yield a problem for each scenario in the folders of sets that cannot be read, whatever its cards do."""
    for place, scenario in _read_scenarios(folders):
        if isinstance(scenario, str):
            yield Problem(text=scenario, file=place)


def _cards(sets: Iterable[CardSet]) -> list[CardDef]:
    """Return the cards of all ``sets``."""
    return [card for one in sets for card in one.cards]


def _untold(cards: Iterable[CardDef]) -> Iterator[Problem]:
    """Yield a problem for each ability for which no card text can be made; reading has checked that it compiles."""
    for card in cards:
        try:
            card_text(card)
        except (LookupError, ValueError, RecursionError) as error:
            yield Problem(text=f"there are no words for it: {error}", card=card.id, name=card.name)


def _scenarios(folders: Iterable[Path], catalog: Catalog) -> list[ScenarioResult]:
    """Run the scenarios that lie in the folders of the sets."""
    results: list[ScenarioResult] = []
    for place, scenario in _read_scenarios(folders):
        if isinstance(scenario, str):
            results.append(ScenarioResult(place, "cannot be read", passed=False, message=scenario))
        else:
            results.append(_run(place, scenario, catalog))
    return results[:MAX_SCENARIOS]


def _run(place: str, scenario: Scenario, catalog: Catalog) -> ScenarioResult:
    try:
        run_scenario(scenario, catalog)
    except (Failure, ScenarioError, EngineError) as error:
        return ScenarioResult(
            place, visible(scenario.name)[:200], passed=False, message=_local(error, scenario.path, place)
        )
    except Exception as error:  # a fault of the engine is a result too, and the other scenarios are to be run
        return ScenarioResult(
            place, visible(scenario.name)[:200], passed=False, message=visible(f"{type(error).__name__}: {error}")
        )
    return ScenarioResult(place, visible(scenario.name)[:200], passed=True)


def _local(error: Exception, path: Path, place: str) -> str:
    """Return the message of ``error`` without the path of the temporary folder."""
    return visible(str(error).replace(f"{path}: ", "").replace(str(path), place))[:1000]


def _cut(problems: list[Problem]) -> list[Problem]:
    """Return ``problems`` without repetitions, made printable, and at most :data:`MAX_PROBLEMS` of them."""
    lines = [_plain(problem) for problem in dict.fromkeys(problems)]
    more = len(lines) - MAX_PROBLEMS
    return [*lines[:MAX_PROBLEMS], Problem(text=f"and {more} more problems")] if more > 0 else lines


def _plain(problem: Problem) -> Problem:
    """Return ``problem`` with unprintable characters escaped and long texts cut."""
    values = structs.asdict(problem)
    texts = {name: visible(value)[:1000] for name, value in values.items() if isinstance(value, str)}
    path = tuple(visible(key)[:100] if isinstance(key, str) else key for key in problem.path)
    return structs.replace(problem, **texts, path=path)


def visible(text: str) -> str:
    """Return ``text`` with what cannot be seen (control signs, halves of characters) written out."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _unseen(one: CardSet) -> Iterator[Problem]:
    """Yield a problem if any text of the set has signs that cannot be seen; databases refuse some of them."""
    strange = next((text for text in _texts(msgspec.to_builtins(one)) if not text.isprintable()), None)
    if strange is not None:
        yield Problem(text=f"{one.code}: {visible(strange)[:80]!r} has signs that cannot be seen")


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for item in value.items() for text in _texts(item))
    elif isinstance(value, list | tuple):
        yield from (text for item in value for text in _texts(item))
