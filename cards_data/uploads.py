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

from ccg.rules.cardfiles import MAX_BYTES

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
    """Something that cannot be a card set; ``problems`` has a line for each reason."""

    def __init__(self, *problems: str) -> None:
        super().__init__("\n".join(problems))
        self.problems = list(problems)


def shown(name: str, length: int = 60) -> str:
    """Give a file name as it can be shown: plain signs only, not too long, in quotes where it is strange."""
    said = name if name.isprintable() and name.isascii() else ascii(name)[1:-1]
    return said if len(said) <= length else f"{said[: length - 1]}…"


def plain_name(name: str) -> str:
    """Give the last part of an uploaded file's name, in signs that are safe in paths, pages and logs."""
    last = re.split(r"[\\/]", name)[-1]
    return re.sub(r"[^A-Za-z0-9 ._-]", "_", last).strip(" .")[-100:] or "upload"


def unpack(name: str, data: bytes, folder: Path) -> Path:
    """Put the set or sets in ``data`` below ``folder`` (which must be there and empty) and give their path.

    Raises :class:`UploadError` with everything that speaks against them; then nothing was written.
    """
    if len(data) > MAX_UPLOAD:
        raise UploadError(f"{shown(name)}: larger than {MAX_UPLOAD:,} bytes, the most that can be uploaded")
    if not data:
        raise UploadError(f"{shown(name)}: the file is empty")
    plain = Path(plain_name(name))
    kind = plain.suffix.lower()
    if kind in (".yaml", ".yml"):
        _text(shown(name), data)
        path = folder / f"{plain.stem}.yaml"
        path.write_bytes(data)
        return path
    if kind != ".zip":
        raise UploadError(f"{shown(name)}: expected a .yaml file with a whole set, or a .zip of a set folder")
    files = _unzip(shown(name), data, plain.stem)
    for inside, content in files.items():
        path = folder / inside
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


# --- archives -----------------------------------------------------------------------------------------


def _unzip(name: str, data: bytes, stem: str) -> dict[PurePosixPath, bytes]:
    """Give the files of an archive by the paths they shall have: a folder for each set."""
    if not data.startswith(b"PK\x03\x04"):
        raise UploadError(f"{name}: this is no zip archive")
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
        raise UploadError(f"{name}: the archive is damaged ({shown(str(error))})") from error
    except Exception as error:  # what zlib and struct raise differs between versions of Python
        raise UploadError(f"{name}: the archive is damaged ({type(error).__name__})") from error
    for path, content in files.items():
        _text(f"{name}, {path}", content)
    return _in_sets(name, files, stem)


def _entries(name: str, infos: list[zipfile.ZipInfo]) -> dict[PurePosixPath, zipfile.ZipInfo]:
    """Give the files that belong to card sets; raises UploadError for anything that has no business there."""
    if len(infos) > MAX_FILES:
        raise UploadError(f"{name}: {len(infos):,} files inside; at most {MAX_FILES} are read")
    problems: list[str] = []
    found: dict[PurePosixPath, zipfile.ZipInfo] = {}
    seen: set[str] = set()
    for info in infos:
        wrong = _wrong_entry(info)
        path = info.orig_filename
        if wrong is None and path.rstrip("/").casefold() in seen:
            wrong = "is in the archive twice"
        seen.add(path.rstrip("/").casefold())
        if wrong is not None:
            problems.append(f"{name}, {shown(path)}: {wrong}")
        elif not (path.endswith(("/", *_NOTES)) or _left_by_system(path)):
            found[PurePosixPath(path)] = info
    whole = sum(info.file_size for info in infos)
    if whole > MAX_UNPACKED:
        problems.append(f"{name}: {whole:,} bytes when unpacked; at most {MAX_UNPACKED:,} are")
    if problems:
        more = [f"{name}: and {len(problems) - MAX_TOLD} more problems"] if len(problems) > MAX_TOLD else []
        raise UploadError(*problems[:MAX_TOLD], *more)
    return found


def _wrong_entry(info: zipfile.ZipInfo) -> str | None:
    """Say what is wrong with one entry of an archive, looking at its heading alone; None for a good one."""
    path = info.orig_filename
    return _wrong_path(path) or _wrong_kind(info, path) or _wrong_size(info)


def _wrong_path(path: str) -> str | None:
    if "\\" in path:
        return "backslashes are not used in paths; pack the folder anew with forward slashes"
    if path.startswith("/"):
        return "an absolute path; pack the folder itself, so that paths begin with its name"
    if _DRIVE.match(path):
        return "a path with a drive letter; pack the folder itself, so that paths begin with its name"
    parts = path.removesuffix("/").split("/")
    if ".." in parts:
        return "a path that leads out of the archive"
    if any(part.lower().endswith(".yaml") for part in path.split("/")[:-1]):
        return "a folder that is called like a card file"
    if len(path) > MAX_PATH:
        return f"the path is longer than {MAX_PATH} characters"
    if not _left_by_system(path) and not all(_PART.fullmatch(part) for part in parts):
        return (
            "file names consist of letters A to Z, digits, spaces, '.', '_' and '-', and begin with none of the signs"
        )
    return None


def _wrong_kind(info: zipfile.ZipInfo, path: str) -> str | None:
    mode = info.external_attr >> 16
    if stat.S_ISLNK(mode):
        return "a symbolic link; put the file itself into the archive"
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "neither a file nor a folder"
    if info.flag_bits & 0x1:
        return "protected by a password"
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "packed in a way that is not read here; use the ordinary one (deflate)"
    if path.endswith(("/", ".yaml", *_NOTES)) or _left_by_system(path):
        return None
    if path.lower().endswith((".zip", ".gz", ".tgz", ".tar", ".7z", ".rar", ".bz2", ".xz")):
        return "an archive within the archive"
    if path.lower().endswith((".yml", ".yaml")):
        return "card files end in .yaml; rename it"
    return "not a file of a card set: those end in .yaml"


def _wrong_size(info: zipfile.ZipInfo) -> str | None:
    if info.file_size > MAX_BYTES:
        return f"{info.file_size:,} bytes when unpacked; a file has at most {MAX_BYTES:,}"
    if info.file_size > SMALL and info.file_size > MAX_RATIO * max(1, info.compress_size):
        return f"packed to less than a {MAX_RATIO}th, which no card file is"
    return None


def _left_by_system(path: str) -> bool:
    """Whether a file manager put it there without being asked."""
    return path.startswith(_LEFT_BY_SYSTEMS[0]) or path.rsplit("/", 1)[-1] == _LEFT_BY_SYSTEMS[1]


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """Unpack one file, never more of it than its heading said."""
    with archive.open(info) as file:
        content = file.read(info.file_size + 1)
    if len(content) != info.file_size:
        raise zipfile.BadZipFile(f"{info.filename} is not as long as it says")
    return content


def _text(name: str, data: bytes) -> None:
    """Raise UploadError unless ``data`` is text as card files are written."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UploadError(f"{name}: not UTF-8 text (byte {error.start:,}); save the file as UTF-8") from error
    if "\0" in text:
        raise UploadError(f"{name}: not text: there are zero bytes in it")


def _in_sets(name: str, files: dict[PurePosixPath, bytes], stem: str) -> dict[PurePosixPath, bytes]:
    """Give ``files`` by paths that begin with the folder of their set; raises UploadError for strays."""
    if PurePosixPath("set.yaml") in files:
        files = {PurePosixPath(stem) / path: content for path, content in files.items()}
    homes = {path.parent for path in files if path.name == "set.yaml" and SCENARIOS not in path.parts}
    if not homes:
        raise UploadError(f"{name}: there is no set.yaml inside, neither at the top nor in a folder")
    if len({home.name for home in homes}) < len(homes):
        raise UploadError(f"{name}: two set folders have the same name")
    strays = [path for path in files if not any(_belongs(path, home) for home in homes)]
    if strays:
        where = f"beside a set.yaml or in a folder {SCENARIOS} beside it"
        raise UploadError(*(f"{name}, {path}: a file of a set lies {where}" for path in strays[:MAX_TOLD]))
    return {PurePosixPath(*_below(path, homes)): content for path, content in files.items()}


def _belongs(path: PurePosixPath, home: PurePosixPath) -> bool:
    inside = path.relative_to(home).parts if path.is_relative_to(home) else ()
    return len(inside) == 1 or inside[:1] == (SCENARIOS,)


def _below(path: PurePosixPath, homes: Iterable[PurePosixPath]) -> tuple[str, ...]:
    """Give the path from the folder of its set on, so that sets lie side by side however deep they were."""
    home = next(home for home in homes if _belongs(path, home))
    return (home.name, *path.relative_to(home).parts)
