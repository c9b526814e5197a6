"""The published file against the stand-alone script, which shares no code with the site."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from matches.shuffles import fair
from tests.matches.shuffles.conftest import MATCH, ROOT, published

SCRIPT = ROOT / "tools" / "check_shuffles.py"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the script alone: no packages, no environment."""
    return subprocess.run([sys.executable, "-I", "-S", SCRIPT, *arguments], capture_output=True, text=True, check=False)


def test_the_script_alone_verifies_a_match() -> None:
    done = run(str(MATCH))
    assert done.returncode == 0, done.stderr
    assert "5 drawings follow from the seed" in done.stdout and "2 of 2 players added words" in done.stdout


def test_it_compares_the_commitment_that_a_browser_was_shown() -> None:
    assert run(str(MATCH), published()["seats"][1]["commitment"]).returncode == 0
    assert "not that of any seat" in run(str(MATCH), "0" * 64).stdout


def test_a_single_changed_bit_anywhere_is_refused(tmp_path: Path, script: Any) -> None:
    """Every third bit of what the seed is made of, and some of the rest; once by the script as it is run."""
    whole = MATCH.read_bytes().rstrip()
    secrets = range(whole.index(b'"seats"'), whole.index(b'"deck"'))
    bits = {8 * at + bit for at in secrets for bit in range(at % 3, 8, 3)} | set(range(0, 8 * len(whole), 29))
    for bit in bits:
        changed = bytearray(whole)
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises((script.Wrong, ValueError, TypeError, KeyError, IndexError, AttributeError)):
            script.check(json.loads(changed.decode()))
    file = tmp_path / "changed.json"
    file.write_bytes(whole.replace(b"say we", b"Say we"))
    done = run(str(file))
    assert done.returncode == 1 and done.stdout.startswith("Wrong:") and not done.stderr


def sealed(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """Return a file that was changed by somebody who sealed it anew."""
    file = published()
    change(file)
    return {**file, "seal": fair.seal_of(file)}


def late_secret(file: dict[str, Any]) -> None:
    """Choose a secret when the words are known, and a commitment for it: what the commitment is there against."""
    secret = bytes(32)
    file["seats"][0] |= {"secret": secret.hex(), "commitment": fair.commitment_of(secret)}


def biased(script: Any, file: dict[str, Any]) -> None:
    """Shuffle without rejection, and with every place exchanged with any other."""
    stream, first = script.Stream(bytes.fromhex(file["seed"])), file["drawings"][0]
    cards = list(first["before"])
    for place in range(len(cards)):
        other = stream.word() % len(cards)
        cards[place], cards[other] = cards[other], cards[place]
    first["after"] = cards


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda file: file["seats"][0].update(secret="00" * 32), "bound to"),
        (late_secret, "seed does not follow"),
        (lambda file: file["seats"][1].update(words="mine"), "seed does not follow"),
        (lambda file: file.update(seed="00" * 64), "seed does not follow"),
        (lambda file: file["drawings"][0]["after"].reverse(), "wrong order"),
        (lambda file: file["drawings"].pop(1), "before ended"),
        (lambda file: file["seats"][0]["deck"].reverse(), "that was brought"),
        (lambda file: file["drawings"][3]["before"].pop(), "wrong order"),
        (lambda file: file["drawings"].clear(), "no shuffles"),
        (lambda file: file["seats"].reverse(), "not in order"),
        (lambda file: file.update(state="running"), "not over"),
        (lambda file: file["drawings"][0].update(before=None), "that was brought"),
    ],
)
def test_what_is_changed_and_sealed_anew_is_found_by_itself(script: Any, change: Any, why: str) -> None:
    with pytest.raises(script.Wrong, match=why):
        script.check(sealed(change))


def test_a_biased_shuffle_is_found(script: Any) -> None:
    with pytest.raises(script.Wrong, match="wrong order"):
        script.check(sealed(lambda file: biased(script, file)))


def test_whoever_changes_a_file_so_that_all_follows_has_another_commitment(script: Any) -> None:
    """Only the commitment that the browser was shown before finds that, which is why it is shown, and noted."""
    file = published()
    late_secret(file)
    parts = [(bytes.fromhex(seat["secret"]), seat["words"]) for seat in file["seats"]]
    stream = script.Stream(seed := script.seed_of(file["match"], parts))
    file["seed"] = seed.hex()
    for drawn in file["drawings"]:
        drawn["at"] = stream.used
        if drawn["why"] == "first player":
            drawn["seat"] = drawn["before"][stream.below(2)]
            drawn["after"] = [drawn["seat"]]
        else:
            drawn["after"] = [drawn["before"][place] for place in stream.shuffled(range(drawn["size"]))]
    file["seal"] = script.seal_of(file)
    assert script.check(file)
    with pytest.raises(script.Wrong, match="not that of any seat"):
        script.check(file, published()["seats"][0]["commitment"])


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", '{"format": "ragtag-fleet/shuffles/1"}', "[" * 5000])
def test_what_is_no_file_is_refused_in_a_sentence(tmp_path: Path, text: str) -> None:
    file = tmp_path / "file.json"
    file.write_text(text)
    done = run(str(file))
    assert done.returncode == 1 and done.stdout.startswith("Wrong:") and not done.stderr


def test_the_description_has_the_words_that_are_hashed() -> None:
    """Whoever writes a checker from the document alone finds every constant there."""
    text = (ROOT / "docs" / "fair-shuffles.md").read_text(encoding="utf-8")
    file = published()
    for said in (f"{fair.FORMAT} commitment", f"{fair.FORMAT} seed", str(fair.MOST_WORDS), *file, *file["seats"][0]):
        assert said in text
    for said in file["drawings"][0]:
        assert f"`{said}`" in text
