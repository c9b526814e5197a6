"""Fair shuffles: each card in each place equally often, bound before the words come, and the same from any program.

Everything that is checked is checked by the functions of the stand-alone script, which shares no code with the site.
"""

from __future__ import annotations

import importlib.util
import math
import random
import secrets
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from ccg import native

from .client.visits import guest
from .inside import call
from .processes import ROOT
from .proof import Options, Proof
from .systems import running_system

CARDS = 60
LIKELY = (0.001, 0.999)
SEED_BITS = 512
MATCHES = 40
"""Whose seeds are compared: that a fair bit is the same in all of them happens once in 2^39."""
ANY_NUMBER_OF_MATCHES = {"RUNNING_MATCHES": "0"}
"""One guest begins them all, and plays none."""


def prove(options: Options) -> Proof:
    """Shuffle with the engine's own chance, count where cards come to lie, and compare with a second program."""
    shuffles = options.number("shuffles", 1_000_000, 6_000)
    seeds = options.number("seeds", 3)
    compared = options.number("compared", 10_000, 300)
    commitments = options.number("commitments", 10_000, 200)
    env = {"VAR_DIR": str(options.folder / "var")}
    likely = call(f"{__name__}:chances", {"shuffles": shuffles, "seeds": seeds, "seed": options.seed}, env)
    differences = call(f"{__name__}:compare", {"shuffles": compared, "seed": options.seed}, env)
    site = options.room("site")
    with running_system(options.profile, site, webs=1, workers=0, env=ANY_NUMBER_OF_MATCHES) as system:
        visitor = guest(system.site.url)
        for _ in range(MATCHES):
            visitor.play_computer()
        bits = call(f"{__name__}:seed_bits", None, system.env)
        made = {"commitments": commitments, "matches": MATCHES if options.short else 5 * MATCHES}
        unbound = call(f"{__name__}:unbound", made, system.env)
        few = {"commitments": 1, "matches": 3}
        late = {
            plant.replace("_", " "): bool(call(f"{__name__}:unbound", few, system.env, f"{__name__}:{plant}"))
            for plant in ("secret_after_the_words", "words_left_out", "the_cut_left_out", "something_chosen_late")
        }
    planted: dict[str, bool] = late
    env[native.CHOICE] = "pure"  # compiled modules call each other without looking up what was replaced
    for plant in ("never_in_place", "half_shuffled", "biased_numbers", "no_rejection"):
        parameters = {"shuffles": max(6_000, shuffles // 50), "seeds": 1, "seed": options.seed}
        planted[plant.replace("_", " ")] = not all(
            map(_is_likely, call(f"{__name__}:chances", parameters, env, f"{__name__}:{plant}"))
        )
    parameters = {"shuffles": 20, "seed": options.seed}
    planted["another stream"] = bool(call(f"{__name__}:compare", parameters, env, f"{__name__}:half_shuffled"))
    return Proof(
        goal=f"{seeds} times {shuffles} shuffles of {CARDS} cards, each from secrets and words of its own, the cut"
        f" among them: card and place are independent (chi-square, p within {LIKELY[0]} and {LIKELY[1]}); {compared}"
        f" shuffles and {commitments} commitments are those of the stand-alone script, and so is the seed of every"
        f" match; seeds of {SEED_BITS} bits",
        passed=all(map(_is_likely, likely)) and not differences and not unbound and bits == SEED_BITS,
        figures={
            "p": likely,
            "compared": compared,
            "different": differences,
            "commitments": commitments,
            "matches": made["matches"],
            "unbound": unbound,
            "seed_bits": bits,
        },
        planted=planted,
    )


def _is_likely(p: float) -> bool:
    return LIKELY[0] <= p <= LIKELY[1]


# -- with the site's code


def chances(parameters: dict[str, int]) -> list[float]:
    """Return, for each seed, how likely counts are that are at least as uneven as those found."""
    from ccg.rules.core.chance import Chance
    from matches.shuffles.fair import Part, seed_of

    likelihoods = []
    for number in range(parameters["seeds"]):
        counts = [[0] * CARDS for _ in range(CARDS)]
        for match in range(parameters["shuffles"]):
            secret = sha256(f"{parameters['seed']}:{number}:{match}".encode()).digest()
            parts = [Part(secret, f"words {match}"), Part(b"", f"cut {match % 7}")]
            cards = list(range(CARDS))
            Chance(seed_of(parts)).shuffle(cards)
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
    """Return how many shuffles differ from those of the stand-alone script."""
    from ccg.rules.core.chance import Chance

    script = stand_alone()
    rng, different = random.Random(parameters["seed"]), 0
    for _ in range(parameters["shuffles"]):
        seed, size = rng.randbytes(64), rng.randrange(2, 100)
        ours = list(range(size))
        Chance(seed).shuffle(ours)
        different += ours != script.Stream(seed).shuffled(range(size))
    return different


def stand_alone() -> Any:
    """Return the stand-alone script as a module."""
    spec = importlib.util.spec_from_file_location("check_shuffles", ROOT / "tools" / "check_shuffles.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def unbound(parameters: dict[str, int]) -> int:
    """Return how many commitments the stand-alone script does not find kept, and matches whose seed it does not get.

    A commitment is kept if it is still the one that was told before the words, and the hash of the secret that is
    stored. Of matches, what came before each was noted here, as a browser does.
    """
    from decks import table_decks
    from decks.models import Deck
    from matches.lobby import leaving
    from matches.lobby import services as lobby
    from matches.models import Match, MatchSeat
    from matches.shuffles import services
    from matches.shuffles.fair import Given
    from matches.shuffles.models import Commitment

    script, wrong = stand_alone(), 0
    shown = [services.commit() for _ in range(parameters["commitments"])]
    for digest in shown:
        row = Commitment.objects.filter(digest=digest).first()
        wrong += row is None or script.commitment_of(bytes(row.secret)) != digest
    person = MatchSeat.objects.filter(user__isnull=False).select_related("user").earliest("pk").user
    deck = table_decks.take_to_table(None, Deck.objects.starters()[0].uid)
    for number in range(parameters["matches"]):
        given = Given(services.commit(), f"words {number}")
        match = Match.objects.get(pk=lobby.play_computer(person, deck, [deck], given=given).pk)
        rows = Commitment.objects.filter(seat__match=match)
        bound = [row for row in rows if row.digest == given.commitment == script.commitment_of(bytes(row.secret))]
        parts = [(bytes(bound[0].secret), given.words), (b"", "")] if bound else []
        wrong += script.seed_of(parts) != bytes(match.seed)
        leaving.leave_all(person)
    wrong += _cut_is_missing(person, deck, script)
    return wrong


def _cut_is_missing(person: Any, deck: Any, script: Any) -> int:
    """Return 0 if the words of two people make the seed of their match, those of the opponent on the right too."""
    from django.contrib.auth import get_user_model

    from matches.lobby import services as lobby
    from matches.models import Match
    from matches.shuffles import services
    from matches.shuffles.fair import Given
    from matches.shuffles.models import Commitment

    opponent = get_user_model().objects.create_guest()
    first, cut = Given(services.commit(), "words of the owner"), Given(services.commit(), "words of the right")
    match = lobby.join(lobby.invite(person, deck, 2, given=first), opponent, deck, cut)
    parts = []
    for given in (first, cut):
        row = Commitment.objects.filter(digest=given.commitment).first()
        parts.append((bytes(row.secret) if row else b"", given.words))
    parts.sort(key=script.place_of)
    return int(script.seed_of(parts) != bytes(Match.objects.get(pk=match.pk).seed))


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


def secret_after_the_words() -> None:
    """Choose the secret when the words are known, with a commitment made for it."""
    import secrets

    from matches.shuffles import services
    from matches.shuffles.fair import commitment_of
    from matches.shuffles.models import Commitment

    take = services.take

    def take_and_choose(seat: Any, given: Any) -> None:
        take(seat, given)
        secret = secrets.token_bytes(32)
        Commitment.objects.filter(seat=seat).update(secret=secret, digest=commitment_of(secret))

    services.take = take_and_choose


def words_left_out() -> None:
    """Make the seed of secrets alone."""
    _make_seeds(lambda parts: [type(part)(part.secret, "") for part in parts])


def the_cut_left_out() -> None:
    """Leave out what the second seat adds: for the first deck, the cut."""
    _make_seeds(lambda parts: [*parts[:1], *(type(part)() for part in parts[1:])])


def something_chosen_late() -> None:
    """Let something in that the server chooses when it knows all words, as the id of a match is."""
    _make_seeds(lambda parts: [*parts, type(parts[0])(secrets.token_bytes(8))])


def _make_seeds(change: Callable[[list[Any]], list[Any]]) -> None:
    from matches.shuffles import services

    seed_of = services.seed_of
    services.seed_of = lambda parts: seed_of(change(list(parts)))


def no_rejection() -> None:
    """Take small words as they come: those of the uneven rest make the first numbers likelier."""

    def shuffle(self, cards: list[int]) -> None:  # type: ignore[no-untyped-def]
        for last in range(len(cards) - 1, 0, -1):
            other = (self.below(65536) & 255) % (last + 1)
            cards[last], cards[other] = cards[other], cards[last]

    _replace(shuffle)


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
