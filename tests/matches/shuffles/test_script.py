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


def test_and_the_words_that_it_sent() -> None:
    seat = published()["seats"][1]
    both = run(str(MATCH), seat["commitment"], seat["words"])
    assert both.returncode == 0 and "give both to compare" not in both.stdout
    assert "not those of your seat" in run(str(MATCH), seat["commitment"], "What I said").stdout


def test_a_file_of_an_older_version_is_said_to_be_one(script: Any) -> None:
    with pytest.raises(script.Wrong, match=r"another version .*shuffles/1"):
        script.check(sealed(lambda file: file.update(format="ragtag-fleet/shuffles/1")))


def test_what_a_file_cannot_show_is_said(script: Any) -> None:
    """Sealed anew it holds without its last drawing: nothing in it says that there was one."""
    cut = script.check(sealed(lambda file: file["drawings"].pop()))
    assert "4 drawings" in cut and "cannot show" in cut and "all drawings up to the end" in cut
    packing = script.check(sealed(lambda file: (file["drawings"].clear(), file.update(state="packing"))))
    assert "no order was checked" in packing


def test_a_match_without_words_is_said_to_be_bound_by_nothing(script: Any) -> None:
    def without(file: dict[str, Any]) -> None:
        first, second = file["seats"]
        first |= {"words": "", "gave_words": False}
        second |= {"words": None, "gave_words": False, "secret": None, "commitment": None}
        file |= {"drawings": [], "state": "packing"}
        file["seed"] = script.seed_of([(bytes.fromhex(first["secret"]), ""), (b"", "")]).hex()

    assert "nothing kept the server from choosing" in script.check(sealed(without))


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
    words = [seat["words"] for seat in file["seats"]]
    other = bytes.fromhex(file["seats"][1]["secret"])
    tries = (bytes([number]) * fair.SECRET_BYTES for number in range(256))
    secret = next(
        one for one in tries if fair.order_of([fair.Part(one, words[0]), fair.Part(other, words[1])]) == [0, 1]
    )
    file["seats"][0] |= {"secret": secret.hex(), "commitment": fair.commitment_of(secret)}


def exchange(file: dict[str, Any]) -> None:
    """Let the two sit the other way round, as a server might that knows all words; all else follows from that."""
    file["seats"].reverse()
    for number, seat in enumerate(file["seats"]):
        seat["seat"] = number
    parts = [fair.Part(bytes.fromhex(seat["secret"]), seat["words"]) for seat in file["seats"]]
    file["seed"] = fair.seed_of(parts).hex()


def late_addition(file: dict[str, Any]) -> None:
    """Add a secret at a seat without words, when the words of the other are known."""
    secret = bytes(32)
    added = {"secret": secret.hex(), "commitment": fair.commitment_of(secret), "words": "", "gave_words": False}
    file["seats"][1] |= added
    parts = [fair.Part(bytes.fromhex(seat["secret"]), seat["words"]) for seat in file["seats"]]
    file["seed"] = fair.seed_of(parts).hex()


def mixed_deck(file: dict[str, Any]) -> None:
    """Bring the deck in another order, for which the orders follow all the same."""
    deck, first = file["seats"][0]["deck"], file["drawings"][0]
    place = next(place for place, card in enumerate(deck) if card != deck[0])
    deck[0], deck[place] = deck[place], deck[0]
    first["before"] = list(deck)


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
        (lambda file: file["seats"][0]["deck"].reverse(), "brought in order"),
        (mixed_deck, "brought in order"),
        (exchange, "not those that the words give"),
        (late_addition, "secret without words"),
        (lambda file: file["seats"][0].update(gave_words=False), "given words"),
        (lambda file: file["seats"][1].update(kind="computer"), "not a person's and has words"),
        (lambda file: file["drawings"][2].update(size=9), "not a lot among seats"),
        (lambda file: file["drawings"][2].update(move=7), "moves .* go back"),
        (lambda file: file["drawings"][3].update(move=0), "not of that move"),
        (lambda file: file["drawings"][3].update(why="search"), "cannot come at this place"),
        (lambda file: file["drawings"][3].update(why="anything"), "cannot come at this place"),
        (lambda file: file["drawings"].__delitem__(slice(1, None)), "no shuffles"),
        (lambda file: file.update(state="packing"), "no shuffles, or some too early"),
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
    stream = script.Stream(seed := script.seed_of(parts))
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
