"""Uploaded files: what is unpacked, and everything that is refused before it is."""

from __future__ import annotations

import contextlib
import stat
import warnings
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from cards_data import uploads
from cards_data.uploads import UploadError, unpack
from ccg.rules.authoring.card_files import read_sets, set_folders
from tests.cards_data.archives import GOOD, HEAD, WHOLE, archive, entry
from tests.cards_data.conftest import APOLLO, RAPTOR
from tests.soon import soon


@pytest.fixture(autouse=True)
def _archives_may_be_strange() -> Iterator[None]:
    """Packing two files of one name is what some tests are about."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Duplicate name")
        yield


def refused(folder: Path, name: str, data: bytes) -> list[str]:
    """Return why an upload is refused, quickly and with nothing written."""
    home = folder / "home"
    home.mkdir()
    with soon(), pytest.raises(UploadError) as caught:
        unpack(name, data, home)
    assert sorted(path.name for path in folder.rglob("*")) == ["home"]
    return [str(problem) for problem in caught.value.problems]


def read(folder: Path, name: str, data: bytes) -> list[str]:
    """Return the ids of the cards in an upload."""
    return [card.id for one in read_sets(set_folders(unpack(name, data, folder))) for card in one.cards]


@pytest.mark.parametrize(
    "name", ["whole.yaml", "Whole.YML", "C:\\sets\\whole.yaml", "../../whole.yaml", "ünïcode!.yaml"]
)
def test_one_file_with_a_whole_set(tmp_path: Path, name: str) -> None:
    assert read(tmp_path, name, WHOLE.encode()) == ["TST-01"]
    assert [path.parent for path in tmp_path.rglob("*")] == [tmp_path]


@pytest.mark.parametrize(
    "files",
    [
        GOOD,
        [("set.yaml", HEAD), ("cards.yaml", APOLLO)],
        [("sets/tst/set.yaml", HEAD), ("sets/tst/cards.yaml", APOLLO)],
        [("tst/", ""), *GOOD, ("tst/README.md", "notes"), ("__MACOSX/tst/._set.yaml", "x"), ("tst/.DS_Store", "x")],
        [*GOOD, ("tst/scenarios/one.yaml", "scenario: A"), ("tst/scenarios/more/two.yaml", "scenario: B")],
    ],
)
def test_a_zip_of_a_set_folder(tmp_path: Path, files: list[tuple[str, str]]) -> None:
    assert read(tmp_path, "tst.zip", archive(files)) == ["TST-01"]
    assert not {path.name for path in tmp_path.rglob("*")} & {"README.md", "__MACOSX", ".DS_Store"}


def test_a_zip_of_several_sets(tmp_path: Path) -> None:
    other = [("b/set.yaml", HEAD.replace("TST", "OTH")), ("b/ships.yaml", RAPTOR)]
    assert read(tmp_path, "both.zip", archive([*GOOD, *other])) == ["OTH-02", "TST-01"]


def test_scenarios_lie_beside_the_set_where_the_check_looks_for_them(tmp_path: Path) -> None:
    unpack("x.zip", archive([("set.yaml", HEAD), ("scenarios/one.yaml", "scenario: A")]), tmp_path)
    assert (tmp_path / "x" / "scenarios" / "one.yaml").read_text() == "scenario: A"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("../set.yaml", "leads out of the archive"),
        ("tst/../../etc/x.yaml", "leads out of the archive"),
        ("/etc/x.yaml", "an absolute path"),
        ("//server/x.yaml", "an absolute path"),
        ("C:/x.yaml", "a drive letter"),
        ("c:x.yaml", "a drive letter"),
        ("tst\\cards.yaml", "backslashes"),
        ("..\\x.yaml", "backslashes"),
        ("tst/a\nb.yaml", "file names consist of"),
        ("tst/a\u202eb.yaml", "file names consist of"),
        ("tst/Käfer.yaml", "file names consist of"),
        ("tst/<script>.yaml", "file names consist of"),
        ("tst/-rf.yaml", "file names consist of"),
        ("tst/.hidden.yaml", "file names consist of"),
        ("tst//x.yaml", "file names consist of"),
        ("tst/./x.yaml", "file names consist of"),
        ("tst/" + "a" * 200 + ".yaml", "longer than 150"),
        ("tst/x.yaml/y.yaml", "a folder that is called like a card file"),
        ("tst/more.zip", "an archive within the archive"),
        ("tst/more.tar.GZ", "an archive within the archive"),
        ("tst/cards.yml", "rename it"),
        ("tst/run.py", "not a file of a card set"),
        ("tst/picture.svg", "not a file of a card set"),
        ("tst/noextension", "not a file of a card set"),
        ("tst/SET.yaml", "twice"),
        ("tst/set.yaml", "twice"),
        ("other/cards.yaml", "beside a set.yaml"),
        ("tst/deeper/cards.yaml", "beside a set.yaml"),
        ("stray.yaml", "beside a set.yaml"),
    ],
)
def test_paths_that_have_no_business_in_a_set(tmp_path: Path, name: str, says: str) -> None:
    problems = refused(tmp_path, "tst.zip", archive([*GOOD, (name, APOLLO)]))
    assert len(problems) == 1
    assert says in problems[0]
    assert problems[0].isprintable()
    assert problems[0].replace("…", "").isascii()


@pytest.mark.parametrize(
    ("info", "says"),
    [
        (entry("tst/link.yaml", stat.S_IFLNK | 0o777), "a symbolic link"),
        (entry("tst/pipe.yaml", stat.S_IFIFO | 0o644), "neither a file nor a folder"),
        (entry("tst/device.yaml", stat.S_IFCHR | 0o644), "neither a file nor a folder"),
        (entry("tst/x.yaml", method=zipfile.ZIP_BZIP2), "packed in a way"),
        (entry("tst/x.yaml", method=zipfile.ZIP_LZMA), "packed in a way"),
    ],
)
def test_entries_that_are_no_ordinary_files(tmp_path: Path, info: zipfile.ZipInfo, says: str) -> None:
    [problem] = refused(tmp_path, "tst.zip", archive([*GOOD, (info, "/etc/passwd")]))
    assert says in problem


def test_an_entry_with_a_password(tmp_path: Path) -> None:
    data = bytearray(archive(GOOD))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + place] |= 1
    [problem] = refused(tmp_path, "tst.zip", bytes(data))
    assert "password" in problem


def test_bombs(tmp_path: Path) -> None:
    zeros = "a: " + "0" * 999_000
    for number, files in enumerate(
        (
            [*GOOD, ("tst/bomb.yaml", zeros)],
            [*GOOD, ("tst/large.yaml", "x" * 1_000_001)],
            [*GOOD, *((f"tst/{number}.yaml", "x") for number in range(600))],
            [*GOOD, *((f"tst/{number}.yaml", "x" * 90_000) for number in range(100))],
        )
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        said = " ".join(refused(folder, "tst.zip", archive(files)))
        assert ("less than a 100th", "at most 1,000,000", "at most 500", "at most 8,000,000")[number] in said


def test_a_heading_that_lies_about_the_size(tmp_path: Path) -> None:
    """Never more is unpacked than the heading says, and then the checksum is wrong."""
    data = archive([*GOOD, ("tst/x.yaml", "x" * 50_000)])
    lie = data.replace((50_000).to_bytes(4, "little"), (50).to_bytes(4, "little"))
    [problem] = refused(tmp_path, "tst.zip", lie)
    assert "damaged" in problem


@pytest.mark.parametrize("cut", [4, 30, 100, -22, -1])
def test_damaged_archives(tmp_path: Path, cut: int) -> None:
    [problem] = refused(tmp_path, "tst.zip", archive(GOOD)[:cut])
    assert problem.startswith("tst.zip: the archive is damaged")


def test_every_byte_may_be_wrong(tmp_path: Path) -> None:
    """An archive with one byte changed is refused, or read as if nothing had been, and never fails otherwise."""
    good = archive(GOOD)
    for place in range(len(good)):
        home = tmp_path / str(place)
        home.mkdir()
        with contextlib.suppress(UploadError):
            unpack("tst.zip", good[:place] + bytes([good[place] ^ 0xFF]) + good[place + 1 :], home)
            continue
        assert list(home.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("set.exe", b"MZ", "expected a .yaml file with a whole set, or a .zip of a set folder"),
        ("set", b"x", "expected a .yaml file"),
        ("set.zip", b"", "the file is empty"),
        ("set.yaml", b"", "the file is empty"),
        ("set.zip", WHOLE.encode(), "this is no zip archive"),
        ("set.yaml", archive(GOOD), "not UTF-8 text"),
        ("set.yaml", WHOLE.encode("utf-16"), "not UTF-8 text"),
        ("set.yaml", b"a: \0", "zero bytes"),
        ("set.yaml", b"x" * (uploads.MAX_UPLOAD + 1), "larger than 2,000,000 bytes"),
        ("set.zip", archive([("tst/cards.yaml", APOLLO)]), "there is no set.yaml inside"),
        ("set.zip", archive([("scenarios/set.yaml", HEAD)]), "there is no set.yaml inside"),
        ("set.zip", archive([("tst/set.yaml", b"\xff")]), "set.zip, tst/set.yaml: not UTF-8 text"),
        (
            "set.zip",
            archive([("a/tst/set.yaml", HEAD), ("b/tst/set.yaml", HEAD)]),
            "two set folders have the same name",
        ),
        ("\u202e<b>\n.zip", b"x", "\\u202e<b>\\n.zip: this is no zip archive"),
    ],
)
def test_files_that_are_no_set(tmp_path: Path, name: str, data: bytes, says: str) -> None:
    [problem] = refused(tmp_path, name, data)
    assert says in problem


def test_many_bad_paths_are_told_up_to_a_limit(tmp_path: Path) -> None:
    problems = refused(tmp_path, "tst.zip", archive((f"../{number}.yaml", "x") for number in range(400)))
    assert (len(problems), problems[-1]) == (uploads.MAX_TOLD + 1, "tst.zip: and 350 more problems")


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("a/b/c.yaml", "c.yaml"),
        ("a\\b\\c.yaml", "c.yaml"),
        ("..", "upload"),
        ("", "upload"),
        ("<script>.zip", "_script_.zip"),
        ("x" * 300 + ".zip", "x" * 96 + ".zip"),
    ],
)
def test_names_of_uploads_are_made_plain(name: str, plain: str) -> None:
    assert uploads.plain_name(name) == plain
