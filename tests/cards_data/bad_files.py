"""The folder of bad set files, each with the message it gives.

A file begins with a comment that says what is wrong with it, and after ``# says:`` come the messages, a line
each. They are compared as the importer gives them; README.md in the folder lists all.

    python -m tests.cards_data.bad_files --write     writes the messages and the list anew, to be read before committing
"""

from __future__ import annotations

import argparse
import re
import sys
from functools import cache
from pathlib import Path

from msgspec import Struct

from cards_data.checking import check
from ccg.rules.authoring.card_files import SETS, CardSet, read_sets, set_folders

FOLDER = Path(__file__).with_name("bad_sets")
LIST = FOLDER / "README.md"

THEMES = {
    "file": "What is no card file",
    "yaml": "YAML",
    "set": "The set itself",
    "card": "Facts of a card",
    "name": "Names",
    "keyword": "Keywords",
    "mission": "Missions",
    "reprint": "Reprints",
    "verb": "Verbs and keys of the ability language",
    "ability": "Forms of abilities",
    "phrase": "Phrases",
    "sense": "Words that make no sense where they stand",
    "endless": "What never ends",
    "hostile": "Attacks",
}
_ALSO = {
    "key": "verb", "value": "verb", "cost": "ability", "form": "ability", "red": "ability", "two": "ability",
    "react": "ability", "counts": "ability", "helps": "ability", "adding": "ability", "gains": "phrase",
}  # fmt: skip

_SAYS = "# says: "


class BadFile(Struct, frozen=True):
    """A bad set file: what is wrong with it, and the messages it is to give."""

    path: Path
    why: str
    says: tuple[str, ...]

    @property
    def theme(self) -> str:
        """The kind of mistake, by the first word of the file's name."""
        word = self.path.stem.split("-")[0]
        return word if word in THEMES else _ALSO.get(word, "sense")


@cache
def known() -> list[CardSet]:
    """Return the project's own sets, beside which the bad ones would stand."""
    return read_sets(set_folders(SETS))


def bad_files() -> list[BadFile]:
    """Return every file of the folder, in order of their names."""
    return [_read(path) for path in sorted(FOLDER.glob("*.yaml"))]


def _read(path: Path) -> BadFile:
    lines = path.read_bytes().decode("utf-8", "replace").split("\n")
    comments = [line for line in lines[: len(lines) - 1] if line.startswith("# ")]
    says = [line.removeprefix(_SAYS) for line in comments if line.startswith(_SAYS)]
    return BadFile(path, comments[0].removeprefix("# ").strip(), tuple(says))


def messages(path: Path) -> list[str]:
    """Return what the importer says of the set file at ``path``."""
    return [str(problem) for problem in check([path], known()).problems]


def listing(files: list[BadFile]) -> str:
    """Return the text of README.md: every file with its messages, by theme."""
    parts = [
        (
            "# Bad card sets\n\nWhat authors and attackers do, a file each, and what the importer answers. Made by\n"
            f"`python -m tests.cards_data.bad_files --write`; {len(files)} files.\n"
        )
    ]
    for theme, title in THEMES.items():
        parts.append(f"\n## {title}\n\n| file | what is wrong | what the importer says |\n| --- | --- | --- |\n")
        for one in files:
            if one.theme == theme:
                said = "<br>".join(f"`{_plain(line)}`" for line in one.says)
                parts.append(f"| [{one.path.stem}]({one.path.name}) | {_plain(one.why)} | {said} |\n")
    return "".join(parts)


def _plain(text: str) -> str:
    return re.sub(r"\|", "\\|", text.replace("`", "'"))


def _write(one: BadFile) -> BadFile:
    """Put the messages that the file gives now into it; lines move, so until they stay the same."""
    for _ in range(3):
        said = messages(one.path)
        data = one.path.read_bytes()
        body = re.sub(rb"\A(# [^\n]*\n)(?:# says: [^\n]*\n)*", b"", data, count=1)
        head = "".join([f"# {one.why}\n", *(f"{_SAYS}{line}\n" for line in said)]).encode()
        one.path.write_bytes(head + body)
        if head + body == data:
            break
    return _read(one.path)


def main() -> int:
    """Run as a program."""
    parser = argparse.ArgumentParser(description="The folder of bad set files.")
    parser.add_argument("--write", action="store_true", help="write messages and list anew")
    if parser.parse_args().write:
        LIST.write_text(listing([_write(one) for one in bad_files()]), encoding="utf-8")
    print(LIST.read_text(encoding="utf-8"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
