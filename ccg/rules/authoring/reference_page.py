"""The reference of the ability language as Markdown: forms, verbs, keys and phrases, each with examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from ccg.rules.authoring import occasions
from ccg.rules.authoring.reference import (
    Example,
    Form,
    Key,
    Mark,
    VerbEntry,
    companions,
    examples,
    grammar,
    keys,
    verbs,
)
from ccg.rules.cards.schema import Ability

MISSING = "A card that needs one of these needs a new word first (CONTRIBUTING.md tells how that is made)."
NOWHERE = (
    "a limit other than once each turn, such as twice a turn or once a game;",
    "counters or other marks that stay on a card; what lasts is a change, a supply card or a linked mission;",
    "an amount divided, halved or doubled, or the larger of two; amounts are counted, read or named;",
    "a condition joined by “or”, or turned into its opposite; “and” has its own phrases;",
    "a choice among all cards that there are by name; a text names traits and the titles of characters;",
    "giving a card to another player for good, a copy of a card, or a text that changes another text.",
)
BEGIN = "## Forms of an ability\n"
"""Where the reference begins: what stands before it on the page is written by people."""

MOST_EXAMPLES = {"ability": 3, "step": 2}
"""Examples of each form and verb: the shortest, and the shortest of other shapes."""

PHRASES = (
    (
        "Who or what",
        (
            "A phrase for cards is built in this order: how many, `target` or not, words and traits before the noun, "
            "the noun, words after it. Several kinds are joined by `or`; what stands after the last then holds for "
            "all of them. Without a word for how many, all are meant; of a target, one."
        ),
        (
            ("How many", ("quantity", "TARGET")),
            ("Before the noun", ("adjective", "ADJECTIVE")),
            ("The noun", ("noun", "NOUN")),
            ("After the noun", ("suffix",)),
            ("Words that stand for cards", ("PRONOUN",)),
        ),
    ),
    ("Players", "Who gains, draws, chooses.", (("", ("players",)),)),
    ("How much", "An amount is a number, or one of these. They can also be negative.", (("", ("amount",)),)),
    (
        "When",
        'Occasions set a trigger off, or something happens instead of them. "It" is then what they are about.',
        (("", ("occasion",)),),
    ),
    ("While what", "Conditions stand after `while`, `if` and `during`.", (("", ("condition",)),)),
)
"""The chapters on phrases: heading, introduction, and the rules of the grammar under each smaller heading."""


def reference(folders: Iterable[Path], tutorial: Path) -> str:
    """Write the reference with examples from the sets ``folders``, and from ``tutorial`` for the rest.

    ``tutorial`` is the folder of the set that docs/make-a-card-set/README.md tells of. Raises LookupError for a word
    or a form of ability that no card has.
    """
    folders = list(folders)
    found = examples([*folders, tutorial])
    own = {folder.name.upper() for folder in folders}
    return "\n".join(_Writer(found, own).lines())


class _Writer:
    """Writes the reference with examples from ``found``; of sets other than ``own`` only where those have none."""

    def __init__(self, found: Sequence[Example], own: set[str]) -> None:
        self.found = sorted(found, key=lambda example: not self._is_own(example, own))
        self.own = own

    @staticmethod
    def _is_own(example: Example, own: set[str]) -> bool:
        return example.card.id.partition("-")[0] in own

    def lines(self) -> Iterator[str]:
        """Yield the lines of the reference."""
        yield from self._forms()
        yield from self._verbs()
        yield from self._companions()
        for heading, introduction, parts in PHRASES:
            yield from (f"## {heading}", "", introduction, "")
            for part, rules in parts:
                if part:
                    yield from (f"### {part}", "")
                for form in (form for rule in rules for form in grammar()[rule]):
                    yield self._phrase(form)
                yield ""
        yield from self._missing()

    def _missing(self) -> Iterator[str]:
        """Say what cannot be said, so that nobody looks for words that are not there."""
        yield from ("## What cannot be said yet", "", MISSING, "", "As an occasion (`when`, `instead of`) not:", "")
        yield from (f"- {one.what}: {one.instead}." for one in occasions.CANNOT)
        yield from ("", "And nowhere:", "")
        yield from (f"- {one}" for one in NOWHERE)
        yield ""

    # ---------------------------------------------------------------- keys

    def _forms(self) -> Iterator[str]:
        yield from (BEGIN, "An ability is known by the first key of its form.", "")
        known = keys(Ability)
        forms = sorted((key for key in known if "form" in key.extra), key=lambda key: key.name != "do")
        for key in forms:
            yield from (f"### {key.extra['form']}: `{key.yaml_name}`", "", key.meaning, "", _facts(key), "")
            alone = key.name == "do"
            shown = [e for e in self.found if ("ability", key.name) in e.uses and (not alone or _only_do(e))]
            yield from self._shown(shown, ("ability", key.name))
        yield from ("### Keys that go with them", "")
        yield from (
            f"- `{key.yaml_name}`: {key.meaning} Takes {key.takes}." for key in known if "form" not in key.extra
        )
        yield ""

    def _verbs(self) -> Iterator[str]:
        for group, members in groupby(verbs(), key=lambda entry: entry.word.group):
            yield from (f"## Verbs: {group[0].lower()}{group[1:]}", "")
            for entry in members:
                verb = entry.word.verb
                yield from (f"### `{verb}`", "", entry.meaning, "", _verb_facts(entry), "")
                mark = ("step", verb)
                yield from self._shown([e for e in self.found if mark in e.uses], mark)

    def _companions(self) -> Iterator[str]:
        yield from ("## Keys that go with verbs", "")
        for key, with_them in companions():
            listed = ", ".join(f"`{verb}`" for verb in with_them)
            yield f"- `{key.yaml_name}`: {key.meaning} Takes {key.takes}. With {listed}."
        yield ""

    def _shown(self, found: Sequence[Example], mark: Mark) -> Iterator[str]:
        """Yield the shortest example, and the shortest that uses other keys of an ability."""
        shapes = [frozenset(used for used in example.uses if used[0] == mark[0]) for example in found]
        chosen = [example for place, example in enumerate(found) if shapes[place] not in shapes[:place]]
        for example in chosen[: MOST_EXAMPLES[mark[0]]]:
            yield from ("```yaml", example.yaml, "```", "", f"> {example.words} ({self._where(example)})", "")
        if not chosen:
            raise LookupError(f"no card has {mark[1]!r}: the reference shows each {mark[0]} as a card says it")

    # ---------------------------------------------------------------- phrases

    def _phrase(self, form: Form) -> str:
        """Return a form of a phrase with the shortest phrase that has it."""
        line = f"- `{form.words}`: {form.meaning}."
        marks = [("phrase", name) for name in form.names]
        uses = [(e.uses[mark], e) for e in self.found for mark in marks if mark in e.uses]
        if not uses:
            return line
        own = [use for use in uses if self._is_own(use[1], self.own)]
        phrase, example = min(own or uses, key=lambda use: (len(use[0]), len(use[1].words), use[1].card.id))
        return f"{line}\\\n  `{phrase}` on a card: \u201c{example.words}\u201d ({self._where(example)})"

    def _where(self, example: Example) -> str:
        card = example.card
        if self._is_own(example, self.own):
            return f"[{card.name}](card:{card.id})"
        return f"{card.name}, in [the tutorial](make-a-card-set/README.md)"


def _facts(key: Key) -> str:
    """Return what the key of a form takes, what goes with it, and where the rulebook speaks of it."""
    return _told(key.takes, key.extra["keys"], "", key.extra["section"])


def _verb_facts(entry: VerbEntry) -> str:
    """Return what a verb takes, what goes with it, where it can stand, and where the rulebook speaks of it."""
    return _told(entry.takes, entry.keys, entry.word.only, entry.word.section)


def _told(takes: str, with_it: Sequence[str], only: str, section: str) -> str:
    sentences = [f"Takes {takes}."]
    if with_it:
        sentences.append(f"With it: {', '.join(f'`{name}`' for name in with_it)}.")
    if only:
        sentences.append(f"Only under `{only}`.")
    sentences.append(f"Rulebook: {section}.")
    return " ".join(sentences)


def _only_do(example: Example) -> bool:
    return not any(mark[0] == "ability" and mark[1] not in ("do", "during") for mark in example.uses)
