"""The words on the cards: all there, right, short, and nothing but templates."""

from __future__ import annotations

import re
import typing
from collections import defaultdict
from difflib import unified_diff
from pathlib import Path
from types import ModuleType

import msgspec
import pytest
import yaml

from cards_data.words_page import HEAD, PAGE, words_page
from ccg.rules.authoring.card_files import SETS, read_sets, set_folders
from ccg.rules.cards import phrases
from ccg.rules.cards.definitions import CardDef, Catalog, KeywordName
from ccg.rules.cards.phrases import Amount, Players, Selector
from ccg.rules.cards.schema import Ability
from ccg.rules.effects.compiling import compile_scripts
from ccg.rules.effects.language import WORDS, read_ability
from ccg.rules.effects.steps import Offer
from ccg.rules.effects.word import Word
from ccg.rules.effects.words.in_play import costs
from ccg.rules.effects.words.values import ReadValue
from ccg.rules.telling.wording import MissingWordsError, ability_text, card_text, english, plain

GRAMMAR = (Path(phrases.__file__).parent / "grammar.lark").read_text(encoding="utf-8")
MARK = re.compile(r"\[\[(icon|trait|keyword):([^|\]]+)\|([^\]]+)\]\]")
ICONS = {
    "persuasion", "logistics", "security", "power", "threat", "mystic", "influence",
    "commit", "ready", "exhaust", "restore", "sacrifice",
}  # fmt: skip


# ---------------------------------------------------------------- every card


def test_every_ability_of_every_card_has_words(catalog: Catalog) -> None:
    silent = []
    for card in catalog:
        try:
            told = [p for p in card_text(card) if p.kind in ("text", "red")]
        except MissingWordsError as error:
            silent.append(f"{card.id} {card.name}: {error}")
            continue
        assert len(told) == len(card.abilities)
    assert not silent, "no words for: " + "; ".join(silent)


def test_the_words_are_as_they_were_reviewed() -> None:
    now = words_page(read_sets(set_folders(SETS))).splitlines()
    changed = [
        line
        for line in unified_diff(PAGE.read_text(encoding="utf-8").splitlines(), now, "docs/cards.md", "now", n=0)
        if not line.startswith("@@")
    ]
    assert not changed, "read these, then run `make words`:\n" + "\n".join(changed)


def test_the_page_of_words_has_every_card(catalog: Catalog) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert len(re.findall(r"^### \d+\. ", page, re.MULTILINE)) == len(catalog) == 351
    for card in catalog:
        assert f". {card.name}\n" in page


def test_the_page_of_words_says_what_is_chosen_before_paying(catalog: Catalog) -> None:
    before = {"*target*"}
    for card, script in zip(catalog, compile_scripts(catalog).scripts, strict=True):
        if card.type == "event":
            for effect in script.blocks[script.effect]:
                if isinstance(effect, Offer) and effect.early:
                    before.add("*may*")
                elif isinstance(effect, ReadValue) and effect.number >= 0:
                    before.add("*any number*")
    assert len(before) == 3
    told = HEAD[HEAD.index("- A *target*") : HEAD.index("verything else")]
    assert not {word for word in before if word not in told}


def test_words_are_sentences_with_known_marks(catalog: Catalog) -> None:
    for card in catalog:
        for paragraph in card_text(card):
            shown = plain(paragraph.text)
            assert shown[0].isupper() or not shown[0].isalpha(), shown
            assert paragraph.kind == "keyword" or shown.endswith((".", ".)")), shown
            for sign in ("  ", "{", "}", " .", " ,", "..", "None", "[[", "]]", "|"):
                assert sign not in shown, shown
            for kind, word, _ in MARK.findall(paragraph.text):
                assert kind != "icon" or word in ICONS, paragraph.text
                assert kind != "keyword" or word in english.KEYWORDS, paragraph.text
            assert MARK.sub("", paragraph.text).count("[[") == 0


def test_red_text_comes_last_and_keywords_before_the_text(catalog: Catalog) -> None:
    order = ["requires", "keyword", "text", "red"]
    for card in catalog:
        kinds = [order.index(paragraph.kind) for paragraph in card_text(card)]
        assert kinds == sorted(kinds)


def test_words_are_short_enough_for_a_card(catalog: Catalog) -> None:
    lengths = sorted(
        (sum(len(plain(p.text)) for p in card_text(card) if p.kind in ("text", "red")), card.id)
        for card in catalog
        if card.abilities
    )
    long = [entry for entry in lengths if entry[0] > 220]
    assert len(long) <= len(lengths) * 0.05, long
    assert lengths[-1][0] <= 300, f"the longest: {lengths[-8:]}"


def test_words_name_no_card(catalog: Catalog) -> None:
    """They are made from the abilities alone: another name or id changes nothing."""
    for card in catalog:
        renamed = msgspec.structs.replace(card, id="X-1", title="Nobody", subtitle="Nowhere")
        assert card_text(renamed) == card_text(card)


def _meaning(value: object) -> object:
    """Return what an ability says with its phrases parsed: what is said in two ways is equal then."""
    if isinstance(value, Ability | Word):
        return (type(value).__name__, *(
            (name, _meaning_of_field(name, said))
            for name in value.__struct_fields__
            if (said := getattr(value, name)) not in (None, [], False)
        ))  # fmt: skip
    if isinstance(value, list):
        return tuple(_meaning(item) for item in value)
    return value


def _meaning_of_field(name: str, said: object) -> object:
    if name in ("cost", "may") and isinstance(said, str):
        return _meaning(costs(said))
    if isinstance(said, str):
        for read in (phrases.selector, phrases.occasion, phrases.condition, phrases.players, phrases.amount):
            try:
                return _generous(read(said))
            except phrases.PhraseError:
                continue
    return _meaning(said)


def _generous(read: object) -> object:
    """Forget where two phrases only differ in words: "the trait" noun, and "each" for "all"."""
    if isinstance(read, Selector):
        kinds = tuple(
            (kind.noun, frozenset(filter(None, (kind.trait, *kind.traits))), frozenset(kind.words),
             frozenset(suffix for suffix in kind.suffixes if suffix[0] != "in_play"))
            for kind in read.descriptions
        )  # fmt: skip
        return (read.pronoun, kinds, read.target, read.every, read.least, read.most)
    if isinstance(read, Amount):
        return (read.base, read.each, _generous(read.of) if read.of else None, read.value, read.pronoun)
    return read


def test_what_means_something_else_is_said_otherwise(catalog: Catalog) -> None:
    said: dict[tuple[str, str], dict[object, list[str]]] = defaultdict(lambda: defaultdict(list))
    for card in catalog:
        about = card.link or card.type
        for ability in card.abilities:
            said[about, ability_text(card, ability).text][_meaning(ability)].append(card.id)
    twice = {text: list(meant.values()) for (_, text), meant in said.items() if len(meant) > 1}
    assert not twice


# ---------------------------------------------------------------- all that the language can say


def test_every_key_of_an_ability_has_words() -> None:
    """A new key of an ability must be told; this list says that somebody has thought of it."""
    told = {
        "cost", "when", "instead_of", "always", "while_", "red", "may", "do", "during", "once", "counts_as", "helps",
        "not_by", "react",
    }  # fmt: skip
    assert not set(Ability.__struct_fields__) - told, "keys of abilities without words"


def test_every_word_tells_itself() -> None:
    for word in WORDS.values():
        assert word.wording is not Word.wording, word.verb


def _words(field: str) -> list[str]:
    """Return the words that a key of a step allows."""
    kinds = [typing.get_type_hints(word).get(field) for word in WORDS.values()]
    said = {one for kind in kinds for part in (kind, *typing.get_args(kind)) for one in typing.get_args(part)}
    return sorted(one for one in said if isinstance(one, str))


@pytest.mark.parametrize(
    ("field", "keys"),
    [
        ("into", ("put.{}", "take.{}", "search into.{}")),
        ("cannot", ("cannot.{}", "can.{}", "cannot by.{}")),
        ("prevent", ("prevent.{}",)),
        ("until", ("until.{}", "reveal until.{}")),
        ("then", ("then.{}", "then by.{}")),
        ("from_", ("from.{}", "from theirs.{}")),
        ("same", ("same.{}",)),
        ("supply", ("supply.{}",)),
        ("shuffle", ("shuffle.{}",)),
        ("x", ("x.{}",)),
        ("reveal", ("reveal.{}",)),
        ("end", ("end.{}",)),
        ("fate", ("fate.{}",)),
        ("contest", ("contest.{}",)),
        ("at", ("at.{}",)),
    ],
)
def test_every_word_of_a_key_has_a_template(field: str, keys: tuple[str, ...]) -> None:
    assert _words(field)
    _all_there(key.format(word) for key in keys for word in _words(field))


def _all_there(keys: typing.Iterable[str]) -> None:
    missing = [key for key in keys if key not in english.MESSAGES]
    assert not missing, f"templates that are missing: {missing}"


def _rules(start: str) -> list[str]:
    """Return the names of the alternatives of a rule of the grammar."""
    body = re.search(rf"^{start}:(.*?)(?=^\S)", GRAMMAR, re.MULTILINE | re.DOTALL)
    assert body, start
    return re.findall(r"-> (\w+)", body[1])


def _terminal(name: str) -> list[str]:
    body = re.search(rf"^{name}[.\d]*:(.*)$", GRAMMAR, re.MULTILINE)
    assert body, name
    return re.findall(r'"([^"]+)"', body[1])


@pytest.mark.parametrize(
    ("rule", "keys", "but"),
    [
        ("suffix", ("suffix.{}",), set()),
        ("players", ("players.{}",), {"you"}),
        ("players", ("deck.{}",), set()),
        ("condition", ("while.{}", "if.{}", "during.{}", "when and.{}"), set()),
        ("occasion", ("when.{}",), {"would_be_defeated", "you_would_lose"}),
        ("amount", ("amount.{}",), {"number", "x", "minus_x"}),
    ],
)
def test_every_phrase_has_a_template(rule: str, keys: tuple[str, ...], but: set[str]) -> None:
    _all_there(key.format(name) for key in keys for name in _rules(rule) if name not in but)


def test_every_replacement_has_a_template() -> None:
    _all_there(f"instead.{name}" for name in _rules("occasion") if "would" in name)


def test_every_word_of_a_phrase_has_words() -> None:
    _all_there(f"adjective.{word}" for word in ["other", *_terminal("ADJECTIVE")])
    _all_there(f"pronoun.{word}" for word in _terminal("PRONOUN") if word != "that unit")
    nouns = {noun.one for noun in english.NOUNS.values()} | {noun.many for noun in english.NOUNS.values()}
    assert not set(_terminal("NOUN")) - nouns, "nouns without words"


def test_every_keyword_has_a_name() -> None:
    assert not set(typing.get_args(KeywordName)) - set(english.KEYWORDS), "keywords without a name"


def test_a_verb_without_words_is_named(catalog: Catalog) -> None:
    words = _module(lambda key, template: template)
    del words.MESSAGES["gain"]
    with pytest.raises(MissingWordsError, match="gain"):
        ability_text(catalog["BSG1-087"], catalog["BSG1-087"].abilities[0], words)


# ---------------------------------------------------------------- nothing is English but the table


def _module(change: typing.Callable[[str, str], str]) -> ModuleType:
    """Return a language module like the English one, with every template changed."""

    def changed(key: str, message: english.Message) -> english.Message:
        if isinstance(message, str):
            return change(key, message)
        return {form: changed(key, inner) for form, inner in message.items()}

    words = ModuleType("words")
    words.__dict__.update({name: getattr(english, name) for name in dir(english) if not name.startswith("_")})
    words.MESSAGES = {key: changed(key, message) for key, message in english.MESSAGES.items()}
    return words


def _blank(text: str) -> str:
    """Replace every letter outside of places and of what marks stand for."""
    parts = re.split(r"(\{\w+\}|\[\[\w+:[^|]*\||\]\])", text)
    return "".join(part if place % 2 else re.sub(r"[A-Za-z]", "~", part) for place, part in enumerate(parts))


def test_no_word_is_put_in_beside_the_templates(catalog: Catalog) -> None:
    """In a language whose every letter is "~", no card has any other letter: another language can replace ours."""
    words = _module(lambda _key, template: _blank(template))
    blank = english.Noun("~", "~")
    words.NOUNS = dict.fromkeys(english.NOUNS, blank)
    words.CARDS = dict.fromkeys(english.CARDS, blank)
    words.KEYWORDS = dict.fromkeys(english.KEYWORDS, "~")
    words.RESOURCES = dict.fromkeys(english.RESOURCES, "~")
    words.TRAITS = {}
    words.regular = lambda trait: blank
    for card in catalog:
        for paragraph in card_text(card, words):
            assert not re.search(r"[A-Za-z]", plain(paragraph.text)), (card.id, paragraph.text)


# ---------------------------------------------------------------- forms that no card has yet

SHIP = CardDef(id="X-1", type="ship", title="A", power=1)


def _told(text: str, card: CardDef = SHIP) -> str:
    ability = read_ability(yaml.safe_load(text))
    return plain(ability_text(card, ability).text)


@pytest.mark.parametrize(
    ("ability", "words"),
    [
        ("do: [defeat: up to 2 target ships]", "Defeat up to 2 target ships."),
        ("do: [{power: 1, of: any number of units you control}]", "Any number of your units get +1 power this phase."),
        ("do: [commit: two target other personnel]", "Commit 2 target other personnel."),
        ("do: [{ready: an asset}, {exhaust: a unit you control}]", "Ready an asset. Exhaust one of your units."),
        (
            "do: [{defeat: a ship you control or a personnel an opponent controls}]",
            "Defeat a ship of yours or personnel of an opponent.",
        ),
        (
            "do: [{for: target opponent, do: [{gain: 1}, {draw: 2}]}]",
            "Target opponent gains 1 influence and draws 2 cards.",
        ),
        (
            "do: [{commit: target ship}, {draw: 1}, {defeat: it}]",
            "Commit target ship. Draw a card. Defeat it.",
        ),
        (
            "cost: commit\ndo: [{choose one: [{gain: 1}, [{ready: target ship}, {exhaust: it}]]}]",
            "Commit this ship: either gain 1 influence or ready and exhaust target ship.",
        ),
        (
            "do: [{at: end of turn, do: [{draw: 1}, {gain: 1}]}]",
            "At the end of the turn, draw a card and gain 1 influence.",
        ),
        ("when: you lose influence\nmay: true\ndo: [{draw: 1}]", "When you lose influence, you may draw a card."),
        ("always: [{power: 1, of: this}, {gains: Sniper, of: this}]", "This ship gets +1 power and also gains Sniper."),
        ("always: [{cannot: be targeted, of: ships you control}]", "No ship of yours can be targeted by effects."),
        (
            "red: [{gain: 1}, {draw: 1, who: each opponent}]",
            "Whoever revealed this gains 1 influence. Each opponent draws a card.",
        ),
        (
            "when: this enters play\nmay: true\ndo: [{lose: 1, who: each player}]",
            "When this ship comes into play, if you like, each player loses 1 influence.",
        ),
        (
            "do: [{for: target opponent, do: [{power: 1, of: this}, {draw: 1}]}]",
            "For target opponent, this ship gets +1 power this phase; draws a card.",
        ),
        (
            "always: [{power: 1, of: all units without the Machine trait}]",
            "All units that are not Machines get +1 power.",
        ),
        ("cost: sacrifice\ndo: [{x: supply cards, of: a resource stack}]", "Sacrifice this ship: do nothing."),
        ("do: [{power: -X, of: target unit}]", "Target unit gets −X power this phase."),
        (
            "always: [{power: the power of your base, of: this}]",
            "This ship gets +X power, X being the power of your base.",
        ),
        ("do: [{prevent: influence gain, until: end of turn}]", "No player can gain influence this turn."),
    ],
)
def test_other_forms(ability: str, words: str) -> None:
    assert _told(ability) == words


def test_linked_missions_speak_of_their_unit() -> None:
    mission = CardDef(id="X-2", type="mission", subtitle="B", keywords=("link",), link="personnel")
    assert _told("cost: commit\ndo: [{gain: 1}]", mission) == "Commit this personnel: gain 1 influence."
    assert [plain(p.text) for p in card_text(mission)] == ["Link personnel"]


def test_players_are_not_the_phrases_of_selectors() -> None:
    assert isinstance(phrases.players("you"), Players)
