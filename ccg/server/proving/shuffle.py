"""Fair shuffles: each card in each place equally often, seeds that nobody guesses, and the same from any program."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from hashlib import sha256
from struct import unpack

from ccg import native

from .client.visits import guest
from .inside import call
from .proof import Options, Proof
from .systems import running_system

CARDS = 60
LIKELY = (0.001, 0.999)
SEED_BITS = 512
MATCHES = 40
"""Whose seeds are compared: that a fair bit is the same in all of them happens once in 2^39."""


def prove(options: Options) -> Proof:
    """Shuffle with the engine's own chance, count where cards come to lie, and compare with a second program."""
    shuffles = options.number("shuffles", 1_000_000, 6_000)
    seeds = options.number("seeds", 3)
    compared = options.number("compared", 10_000, 300)
    env = {"VAR_DIR": str(options.folder / "var")}
    likely = call(f"{__name__}:chances", {"shuffles": shuffles, "seeds": seeds, "seed": options.seed}, env)
    differences = call(f"{__name__}:compare", {"shuffles": compared, "seed": options.seed}, env)
    with running_system(options.profile, options.room("site"), webs=1, workers=0) as system:
        visitor = guest(system.site.url)
        for _ in range(MATCHES):
            visitor.play_computer()
        bits = call(f"{__name__}:seed_bits", None, system.env)
    planted = {}
    env[native.CHOICE] = "pure"  # compiled modules call each other without looking up what was replaced
    for plant in ("never_in_place", "half_shuffled", "biased_numbers"):
        parameters = {"shuffles": max(6_000, shuffles // 50), "seeds": 1, "seed": options.seed}
        planted[plant.replace("_", " ")] = not all(
            map(_is_likely, call(f"{__name__}:chances", parameters, env, f"{__name__}:{plant}"))
        )
    parameters = {"shuffles": 20, "seed": options.seed}
    planted["another stream"] = bool(call(f"{__name__}:compare", parameters, env, f"{__name__}:half_shuffled"))
    return Proof(
        goal=f"{seeds} times {shuffles} shuffles of {CARDS} cards: card and place are independent (chi-square, p within"
        f" {LIKELY[0]} and {LIKELY[1]}); {compared} shuffles are those of a second program; seeds of {SEED_BITS} bits",
        passed=all(map(_is_likely, likely)) and not differences and bits == SEED_BITS,
        figures={"p": likely, "compared": compared, "different": differences, "seed_bits": bits},
        planted=planted,
    )


def _is_likely(p: float) -> bool:
    return LIKELY[0] <= p <= LIKELY[1]


# -- with the site's code


def chances(parameters: dict[str, int]) -> list[float]:
    """Return, for each seed, how likely counts are that are at least as uneven as those found."""
    from ccg.rules.core.chance import Chance

    likelihoods = []
    for number in range(parameters["seeds"]):
        chance = Chance(sha256(f"{parameters['seed']}:{number}".encode()).digest() * 2)
        counts = [[0] * CARDS for _ in range(CARDS)]
        for _ in range(parameters["shuffles"]):
            cards = list(range(CARDS))
            chance.shuffle(cards)
            for row, card in zip(counts, cards, strict=True):
                row[card] += 1
        expected = parameters["shuffles"] / CARDS
        square = sum((count - expected) ** 2 for row in counts for count in row) / expected
        likelihoods.append(round(p_of(square, (CARDS - 1) ** 2), 6))
    return likelihoods


def p_of(square: float, freedom: int) -> float:
    """Return the probability of a chi-square at least this large (Wilson and Hilferty; exact enough above 100)."""
    third = (square / freedom) ** (1 / 3)
    spread = 2 / (9 * freedom)
    return 0.5 * math.erfc((third - (1 - spread)) / math.sqrt(2 * spread))


def compare(parameters: dict[str, int]) -> int:
    """Return how many shuffles differ from those of a program that was written from the description alone."""
    from ccg.rules.core.chance import Chance

    rng, different = random.Random(parameters["seed"]), 0
    for _ in range(parameters["shuffles"]):
        seed, size = rng.randbytes(64), rng.randrange(2, 100)
        ours, theirs = list(range(size)), list(range(size))
        Chance(seed).shuffle(ours)
        second_shuffle(theirs, seed)
        different += ours != theirs
    return different


def second_shuffle(cards: list[int], seed: bytes) -> None:
    """Shuffle as the engine says it does: Fisher and Yates over words of 32 bits of SHA-256(seed, counter)."""
    words = (
        word for block in range(1 << 32) for word in unpack(">8I", sha256(seed + block.to_bytes(8, "big")).digest())
    )
    for last in range(len(cards) - 1, 0, -1):
        most = (1 << 32) // (last + 1) * (last + 1)
        pick = next(word for word in words if word < most) % (last + 1)
        cards[last], cards[pick] = cards[pick], cards[last]


def seed_bits(_: None) -> int:
    """Return how many bits of the seeds of all matches vary: one that is the same in dozens of matches is none."""
    from matches.models import Match

    ones, zeros, size = 0, 0, 0
    for seed in Match.objects.values_list("seed", flat=True):
        number = int.from_bytes(bytes(seed), "big")
        ones, zeros, size = ones | number, zeros | ~number, 8 * len(bytes(seed))
    return (ones & zeros & ((1 << size) - 1)).bit_count()


# -- planted faults


def _replace(shuffle: Callable[[object, list[int]], None]) -> None:
    from ccg.rules.core import chance

    class Broken(chance.Chance):  # a compiled class cannot be changed, but a name can
        def shuffle(self, cards: list[int]) -> None:
            shuffle(self, cards)

    vars(chance)["Chance"] = Broken


def never_in_place() -> None:
    """Never leave a card where it is: the well-known fault of an index that is one too small."""

    def shuffle(self, cards: list[int]) -> None:  # type: ignore[no-untyped-def]
        for last in range(len(cards) - 1, 0, -1):
            other = self.below(last)
            cards[last], cards[other] = cards[other], cards[last]

    _replace(shuffle)


def half_shuffled() -> None:
    """Stop half way."""

    def shuffle(self, cards: list[int]) -> None:  # type: ignore[no-untyped-def]
        for last in range(len(cards) - 1, len(cards) // 2, -1):
            other = self.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]

    _replace(shuffle)


def biased_numbers() -> None:
    """Exchange each card with any other: every order can come, but not equally often."""

    def shuffle(self, cards: list[int]) -> None:  # type: ignore[no-untyped-def]
        for place in range(len(cards)):
            other = self.below(len(cards))
            cards[place], cards[other] = cards[other], cards[place]

    _replace(shuffle)
