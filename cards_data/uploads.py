"""What people upload: one YAML file that is a whole set, or a zip of a set folder, looked at before it is opened.

Nothing of an archive is trusted: names are checked before they become paths, sizes before anything is
unpacked, and what does not belong in a card set is refused, not skipped. Knows no framework, since it runs
in a process of its own (:mod:`cards_data.isolated`).
"""

from __future__ import annotations

import re
import stat
import zipfile
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path, PurePosixPath

from msgspec import structs

from ccg.rules.authoring.card_files import MAX_BYTES
from ccg.rules.authoring.records import Problem

MAX_UPLOAD = 2_000_000
MAX_UNPACKED = 8_000_000
MAX_FILES = 500
MAX_PATH = 150
MAX_RATIO = 100
"""Text packs to a tenth; a hundredth is a bomb."""
SMALL = 100_000
"""Below this size it does not matter how well a file was packed."""
MAX_TOLD = 50

SCENARIOS = "scenarios"
"""The folder of a set's own scenarios."""

_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9 ._-]*")
_DRIVE = re.compile(r"[A-Za-z]:")
_NOTES = (".md", ".txt")
_LEFT_BY_SYSTEMS = ("__MACOSX/", ".DS_Store")


class UploadError(ValueError):
    """Something that cannot be a card set; ``problems`` are the reasons."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = list(problems)


def _refusal(name: str, text: str, advice: str = "", inside: str = "") -> UploadError:
    """Return the error for one problem with the file ``name``, or with one ``inside`` it."""
    return UploadError(Problem(text=text, advice=advice, file=name, inside=inside))


def shown(name: str, length: int = 60) -> str:
    """Return a file name as printable ASCII, other characters escaped, cut to ``length`` characters."""
    printable = name if name.isprintable() and name.isascii() else ascii(name)[1:-1]
    return printable if len(printable) <= length else f"{printable[: length - 1]}…"


def plain_name(name: str) -> str:
    """Return the last part of an uploaded file's name, in signs that are safe in paths, pages and logs."""
    last = re.split(r"[\\/]", name)[-1]
    return re.sub(r"[^A-Za-z0-9 ._-]", "_", last).strip(" .")[-100:] or "upload"


def unpack(name: str, data: bytes, folder: Path) -> Path:
    """Put the set or sets in ``data`` below ``folder`` (which must be there and empty); return their path.

    Raises :class:`UploadError` with everything that speaks against them; then nothing was written.
    """
    if len(data) > MAX_UPLOAD:
        raise _refusal(shown(name), f"larger than {MAX_UPLOAD:,} bytes, the most that can be uploaded")
    if not data:
        raise _refusal(shown(name), "the file is empty")
    plain = Path(plain_name(name))
    kind = plain.suffix.lower()
    if kind in (".yaml", ".yml"):
        _text(shown(name), data)
        path = folder / f"{plain.stem}.yaml"
        path.write_bytes(data)
        return path
    if kind != ".zip":
        raise _refusal(shown(name), "expected a .yaml file with a whole set, or a .zip of a set folder")
    files = _unzip(shown(name), data, plain.stem)
    for inside, content in files.items():
        path = folder / inside
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


# --- archives -----------------------------------------------------------------------------------------


def _unzip(name: str, data: bytes, stem: str) -> dict[PurePosixPath, bytes]:
    """Return the files of an archive by the paths they shall have: a folder for each set."""
    if not data.startswith(b"PK\x03\x04"):
        raise _refusal(name, "this is no zip archive")
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            entries = _entries(name, archive.infolist())
            files = {path: _read(archive, entry) for path, entry in entries.items()}
    except UploadError:
        raise
    except (
        zipfile.BadZipFile,
        EOFError,
        OSError,
        OverflowError,
        RuntimeError,
        ValueError,
        zipfile.LargeZipFile,
    ) as error:
        raise _refusal(name, f"the archive is damaged ({shown(str(error))})") from error
    except Exception as error:  # what zlib and struct raise differs between versions of Python
        raise _refusal(name, f"the archive is damaged ({type(error).__name__})") from error
    for path, content in files.items():
        _text(name, content, str(path))
    return _in_sets(name, files, stem)


def _entries(name: str, infos: list[zipfile.ZipInfo]) -> dict[PurePosixPath, zipfile.ZipInfo]:
    """Return the files that belong to card sets; raises UploadError for anything that has no business there."""
    if len(infos) > MAX_FILES:
        raise _refusal(name, f"{len(infos):,} files inside", f"at most {MAX_FILES} are read")
    problems: list[Problem] = []
    entries: dict[PurePosixPath, zipfile.ZipInfo] = {}
    seen: set[str] = set()
    for info in infos:
        wrong = _wrong_entry(info)
        path = info.orig_filename
        if wrong is None and path.rstrip("/").casefold() in seen:
            wrong = Problem(text="is in the archive twice")
        seen.add(path.rstrip("/").casefold())
        if wrong is not None:
            problems.append(structs.replace(wrong, file=name, inside=shown(path)))
        elif not (path.endswith(("/", *_NOTES)) or _left_by_system(path)):
            entries[PurePosixPath(path)] = info
    whole = sum(info.file_size for info in infos)
    if whole > MAX_UNPACKED:
        text, most = f"{whole:,} bytes when unpacked", f"at most {MAX_UNPACKED:,} are"
        problems.append(Problem(text=text, advice=most, file=name))
    if problems:
        more = Problem(text=f"and {len(problems) - MAX_TOLD} more problems", file=name)
        raise UploadError(*problems[:MAX_TOLD], *([more] if len(problems) > MAX_TOLD else []))
    return entries


def _wrong_entry(info: zipfile.ZipInfo) -> Problem | None:
    """Say what is wrong with one entry of an archive, looking at its heading alone; None for a good one."""
    path = info.orig_filename
    return _wrong_path(path) or _wrong_kind(info, path) or _wrong_size(info)


def _wrong_path(path: str) -> Problem | None:
    if "\\" in path:
        return Problem(text="backslashes are not used in paths", advice="pack the folder anew with forward slashes")
    if path.startswith("/"):
        return Problem(text="an absolute path", advice="pack the folder itself, so that paths begin with its name")
    if _DRIVE.match(path):
        return Problem(
            text="a path with a drive letter", advice="pack the folder itself, so that paths begin with its name"
        )
    parts = path.removesuffix("/").split("/")
    if ".." in parts:
        return Problem(text="a path that leads out of the archive")
    if any(part.lower().endswith(".yaml") for part in path.split("/")[:-1]):
        return Problem(text="a folder that is called like a card file")
    if len(path) > MAX_PATH:
        return Problem(text=f"the path is longer than {MAX_PATH} characters")
    if not _left_by_system(path) and not all(_PART.fullmatch(part) for part in parts):
        return Problem(
            text="file names consist of letters A to Z, digits, spaces, '.', '_' and '-', "
            "and begin with none of the signs"
        )
    return None


def _wrong_kind(info: zipfile.ZipInfo, path: str) -> Problem | None:
    mode = info.external_attr >> 16
    if stat.S_ISLNK(mode):
        return Problem(text="a symbolic link", advice="put the file itself into the archive")
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        return Problem(text="neither a file nor a folder")
    if info.flag_bits & 0x1:
        return Problem(text="protected by a password")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return Problem(text="packed in a way that is not read here", advice="use the ordinary one (deflate)")
    if path.endswith(("/", ".yaml", *_NOTES)) or _left_by_system(path):
        return None
    if path.lower().endswith((".zip", ".gz", ".tgz", ".tar", ".7z", ".rar", ".bz2", ".xz")):
        return Problem(text="an archive within the archive")
    if path.lower().endswith((".yml", ".yaml")):
        return Problem(text="card files end in .yaml", advice="rename it")
    return Problem(text="not a file of a card set: those end in .yaml")


def _wrong_size(info: zipfile.ZipInfo) -> Problem | None:
    if info.file_size > MAX_BYTES:
        return Problem(text=f"{info.file_size:,} bytes when unpacked", advice=f"a file has at most {MAX_BYTES:,}")
    if info.file_size > SMALL and info.file_size > MAX_RATIO * max(1, info.compress_size):
        return Problem(text=f"packed to less than a {MAX_RATIO}th, which no card file is")
    return None


def _left_by_system(path: str) -> bool:
    """Return whether a file manager put it there without being asked."""
    return path.startswith(_LEFT_BY_SYSTEMS[0]) or path.rsplit("/", 1)[-1] == _LEFT_BY_SYSTEMS[1]


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """Unpack one file, never more of it than its heading said."""
    with archive.open(info) as file:
        content = file.read(info.file_size + 1)
    if len(content) != info.file_size:
        raise zipfile.BadZipFile(f"{info.filename} is not as long as it says")
    return content


def _text(name: str, data: bytes, inside: str = "") -> None:
    """Raise UploadError unless ``data``, of a file ``inside`` an archive perhaps, is text as card files are written."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        text = f"not UTF-8 text (byte {error.start:,})"
        raise _refusal(name, text, "save the file as UTF-8", inside) from error
    if "\0" in text:
        raise _refusal(name, "not text: there are zero bytes in it", inside=inside)


def _in_sets(name: str, files: dict[PurePosixPath, bytes], stem: str) -> dict[PurePosixPath, bytes]:
    """Return ``files`` by paths that begin with the folder of their set; raises UploadError for strays."""
    if PurePosixPath("set.yaml") in files:
        files = {PurePosixPath(stem) / path: content for path, content in files.items()}
    homes = {path.parent for path in files if path.name == "set.yaml" and SCENARIOS not in path.parts}
    if not homes:
        raise _refusal(name, "there is no set.yaml inside, neither at the top nor in a folder")
    if len({home.name for home in homes}) < len(homes):
        raise _refusal(name, "two set folders have the same name")
    strays = [path for path in files if not any(_belongs(path, home) for home in homes)]
    if strays:
        text = f"a file of a set lies beside a set.yaml or in a folder {SCENARIOS} beside it"
        raise UploadError(*(Problem(text=text, file=name, inside=str(path)) for path in strays[:MAX_TOLD]))
    return {PurePosixPath(*_below(path, homes)): content for path, content in files.items()}


def _belongs(path: PurePosixPath, home: PurePosixPath) -> bool:
    inside = path.relative_to(home).parts if path.is_relative_to(home) else ()
    return len(inside) == 1 or inside[:1] == (SCENARIOS,)


def _below(path: PurePosixPath, homes: Iterable[PurePosixPath]) -> tuple[str, ...]:
    """Return the path from the folder of its set on, so that sets lie side by side however deep they were."""
    home = next(home for home in homes if _belongs(path, home))
    return (home.name, *path.relative_to(home).parts)
