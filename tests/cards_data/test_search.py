"""The search language: what it finds, what it refuses and how, and that every evaluation finds the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from django.test import Client

from cards_data import catalog
from cards_data.export import all_facts
from cards_data.imports import renew_words
from cards_data.management.commands import search_language
from cards_data.models import Card
from cards_data.search import cards
from cards_data.search.editing import parts, switched, toggled, without
from cards_data.search.errors import MESSAGES, QueryError, nearest
from cards_data.search.known import NOTHING, Known
from cards_data.search.language import Query
from ccg.server.proving.search import beside, in_browser, known_from, told_alike
from ccg.server.proving.search_queries import hostile, made_up

EXAMPLES: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("search_examples.yaml").read_text())
SHORT = 400


OPEN: dict[str, Any] = {
    "groups": {
        "in": {"deck": ["BSG1-099", "BSG1-130", "BSG2-139"]},
        "fits": {"deck": ["BSG1-098", "BSG1-099"]},
        "has": {"ruling": ["BSG1-007", "BSG1-099"]},
        "legal": {"now": ["BSG1-098", "BSG1-099", "BSG1-100"], "standard-2006": ["BSG1-099"], "empty": []},
        "banned": {"now": ["BSG1-058"], "standard-2006": [], "empty": ["BSG1-058"]},
        "with": {"BSG1-059": ["BSG1-059", "BSG1-098", "BSG2-139"], "BSG1-098 BSG1-099 BSG1-100 BSG1L-01 BSG2-085": []},
    },
    "counts": {"owned": {"BSG1-098": 1, "BSG1-099": 2, "BSG1-100": 4, "BSG2-139": 2}},
}
"""What is known beside the cards in these examples: a deck is open, there are formats and decks, cards are owned."""
KNOWN = known_from(OPEN)


def by_database(query: Query, known: Known = KNOWN) -> list[str]:
    return sorted(cards.find(query, known).values_list("pk", flat=True))


def in_memory(query: Query, known: Known = KNOWN) -> list[str]:
    return [card.id for card in cards.in_memory(catalog.data()).matching(query.node, known)]


def read(text: str, known: Known = KNOWN) -> Query:
    return cards.read(text, catalog.data(), known)


def refused(text: str, known: Known = KNOWN) -> QueryError:
    with pytest.raises(QueryError) as caught:
        read(text, known)
    return caught.value


def test_every_example_finds_the_cards_that_are_printed_so(all_cards: None) -> None:
    assert len({example["query"] for example in EXAMPLES}) >= 260
    for example in EXAMPLES:
        query = read(example["query"])
        assert in_memory(query) == example["cards"], example["query"]
        assert by_database(query) == example["cards"], example["query"]


def test_both_evaluations_find_the_same_for_queries_made_at_random(all_cards: None) -> None:
    everything = in_memory(read(""))
    known = known_from(beside(everything))
    for text in made_up(seed=1, count=SHORT):
        query = read(text, known)
        found = in_memory(query, known)
        assert by_database(query, known) == found, text
        rest = read(f"-({text})", known) if len(text) < 250 and text.count("(") < 5 and "~" not in text else None
        if rest is not None:
            assert sorted(found + in_memory(rest, known)) == everything, text


@pytest.mark.ci
def test_no_text_is_too_odd_to_be_read_or_refused(client: Client, all_cards: None) -> None:
    refusals = {}
    for text in hostile(seed=1, count=2 * SHORT):
        try:
            query = read(text)
        except QueryError as error:
            refusals[text] = error
        else:
            assert "unique" in query.display or by_database(query) == in_memory(query), text
    assert all(0 <= error.start <= error.end <= len(text) for text, error in refusals.items())
    assert len(MESSAGES.keys() & {error.code for error in refusals.values()}) > 10
    for text in hostile(seed=2, count=60):
        assert client.get("/api/v1/cards/", {"q": text.encode(errors="replace")}).status_code in (200, 400), text
        assert client.get("/cards/", {"q": text.encode(errors="replace")}).status_code in (200, 400), text


def test_the_browser_finds_the_same_and_says_the_same(all_cards: None, tmp_path: Path) -> None:
    data = catalog.data()
    examples = [example["query"] for example in EXAMPLES]
    facts = list(all_facts(data).values())
    given = beside([card.id for card in facts])
    compare(examples, in_browser(facts, examples, tmp_path, OPEN), KNOWN)
    queries = [*made_up(seed=4, count=SHORT), *told_alike(hostile(seed=4, count=SHORT))]
    compare(queries, in_browser(facts, queries, tmp_path, given), known_from(given))


def compare(queries: list[str], answers: list[Any], known: Known) -> None:
    for text, answer in zip(queries, answers, strict=True):
        try:
            query = read(text, known)
        except QueryError as error:
            expected: Any = error.as_json() | {"code": error.code}
        else:
            expected = in_memory(query, known)
            if "unique" in query.display:
                expected = sorted(cards.find(query, known).values_list("pk", flat=True))
        assert (sorted(answer) if isinstance(answer, list) else answer) == expected, text


def test_the_browser_shows_cards_in_the_same_order(all_cards: None, tmp_path: Path) -> None:
    queries = [f"t:unit order:{order} dir:{way}" for order in cards.SORTS for way in ("asc", "desc")]
    queries += [
        "order:pow",
        "t:ship or order:mystic t:event",
        *(f"unique:title order:{order}" for order in cards.SORTS),
    ]
    answers = in_browser(list(all_facts(catalog.data()).values()), queries, tmp_path)
    for text, answer in zip(queries, answers, strict=True):
        assert answer == list(cards.find(read(text)).values_list("pk", flat=True)), text


@pytest.mark.parametrize(
    ("text", "code", "part", "suggestion"),
    [
        ("legal:standart-2006", "unknown value", "standart-2006", '"standard 2006"'),
        ('with:"articel 23"', "unknown value", '"articel 23"', '"article 23"'),
        ("with:e", "too many cards", "e", ""),
        ("owned!=2", "unknown operator", "!=", ":"),
        ("a or ~b", "not inside", "~b", ""),
        ("raptor pwr:3", "unknown field", "pwr", "pow"),
        ("costs<3", "unknown field", "costs", "cost"),
        ("t:shp", "unknown value", "shp", "ship"),
        ("t:pers raptor", "unknown value", "pers", "personnel"),
        ('tr:"capitol ship"', "unknown value", '"capitol ship"', '"capital ship"'),
        ("has:cots", "unknown value", "cots", "cost"),
        ("t>ship", "unknown operator", ">", ":"),
        ("r>fixed", "no order", "fixed", ""),
        ("cost<many", "no number", "many", ""),
        ("cost:99999", "no number", "99999", ""),
        ("mystic:5..4", "empty range", "5..4", "4..5"),
        ("raptor text:—", "nothing to find", "—", ""),
        ('a "b c', "open quotation", '"b c', ""),
        ("a (b (c) d", "open parenthesis", "(", ""),
        ("a) b", "closed parenthesis", ")", ""),
        ("a or or b", "unexpected", "or", ""),
        ("cost:-3", "unexpected", "-", ""),
        ("- or", "unexpected", "or", ""),
        ("raptor or", "unfinished", "", ""),
        ("-order:cost", "not inside", "order:cost", ""),
        ("(view:list)", "not inside", "view:list", ""),
        ("t:ship or order:cost", "not inside", "order:cost", ""),
        ("t:ship or (t:event order:cost)", "not inside", "order:cost", ""),
        ("x" * 257, "too long", "x", ""),
        ("x " * 21, "too many terms", "x", ""),
        ("t:" + "|".join(["ship"] * 21), "too many terms", "ship", ""),
        ("((((((x))))))", "too deep", "(", ""),
    ],
)
def test_an_error_says_where_and_what_may_have_been_meant(
    all_cards: None, text: str, code: str, part: str, suggestion: str
) -> None:
    error = refused(text)
    assert (error.code, text[error.start : error.end], error.suggestion) == (code, part, suggestion)
    assert error.message == str(error)
    assert "{" not in error.message


def test_an_error_says_what_could_stand_there(all_cards: None) -> None:
    assert refused("a or").expected == ["a word", "a phrase in quotation marks", "“(”", "“-”", "“!”"]
    assert refused("r:epic").expected == ["common", "uncommon", "rare", "fixed", "limited", "exclusive"]
    assert refused("makes<security").expected == [":", "=", "!="]


@pytest.mark.parametrize("text", ["x" * 256, "x " * 20, "(((((x)))))", "t:" + "|".join(["ship"] * 20)])
def test_what_is_just_within_the_bounds_is_read(all_cards: None, text: str) -> None:
    assert by_database(read(text)) == in_memory(read(text))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("in:deck", "no deck"),
        ("-fits:deck", "no deck"),
        ("fits:dekc", "unknown value"),
        ("owned>1", "no collection"),
        ("owned>many", "no number"),
        ("with:apollo", "no decks"),
        ("legal:now", "no decks"),
    ],
)
def test_what_nobody_has_handed_in_cannot_be_asked(all_cards: None, text: str, code: str) -> None:
    assert refused(text, NOTHING).code == code


def test_a_source_is_asked_once_and_only_when_a_query_needs_it(all_cards: None) -> None:
    asked = []

    def owned() -> dict[str, int]:
        asked.append("owned")
        return {"BSG1-099": 2}

    known = Known(counts={"owned": owned})
    assert in_memory(read("t:ship", known), known)
    assert asked == []
    query = read("owned>=1 -owned:7", known)
    assert in_memory(query, known) == by_database(query, known) == ["BSG1-099"]
    assert asked == ["owned"]


def test_a_long_list_of_cards_is_one_parameter(all_cards: None) -> None:
    known = known_from({"groups": {"in": {"deck": [f"X-{n}" for n in range(40_000)]}}, "counts": {}})
    assert by_database(read("-in:deck !galactica", known), known) == ["BSG1-007"]


def test_of_cards_with_one_title_the_first_in_the_order_is_shown(all_cards: None, tmp_path: Path) -> None:
    whole = list(cards.find(read("t:personnel title:starbuck order:pow")).values_list("pk", flat=True))
    assert (
        list(cards.find(read("t:personnel title:starbuck order:pow unique:title")).values_list("pk", flat=True))
        == (whole[:1])
    )
    raptors = read('"raptor 2"')
    assert by_database(read('"raptor 2" unique:title')) == by_database(raptors), "cards without a title share none"


def test_a_part_that_is_switched_off_is_not_asked(all_cards: None) -> None:
    query = read("~t:ship !galactica ~-(pilot or t:mission) ~order:cost")
    assert by_database(query) == in_memory(query) == ["BSG1-007"]
    assert not query.display
    for number in range(len(parts(query))):
        there = read(switched(query, parts(query)[number][0]))
        assert there.text != query.text
        assert switched(there, parts(there)[number][0]) == query.text
    either = read("a or b")
    [(part, _)] = parts(either)
    assert switched(either, part) == "~(a or b)"


def test_words_that_became_better_are_found_after_a_restart(all_cards: None) -> None:
    Card.objects.filter(pk="BSG1-099").update(folded_text="an older wording")
    assert by_database(read('text:"older wording"')) == ["BSG1-099"]
    Card.objects.filter(pk="BSG1-008").update(folded="i h t colonial one")
    assert by_database(read("iht")) == []
    assert renew_words() == 2
    assert by_database(read("iht")) == ["BSG1-008"]
    assert by_database(read('text:"older wording"')) == []
    assert by_database(read("text:pilots")) == in_memory(read("text:pilots"))
    assert renew_words() == 0


def test_what_is_withdrawn_is_not_found(all_cards: None) -> None:
    Card.objects.filter(pk="BSG1-099").update(withdrawn=True)
    assert "BSG1-099" not in by_database(read("apollo"))


def test_the_nearest_word_is_one_that_begins_alike_or_differs_in_little() -> None:
    assert nearest("pwr", ["per", "pow", "power"]) == "power"
    assert nearest("misson", ["ship", "mission"]) == "mission"
    assert nearest("wombat", ["ship", "mission"]) == ""
    assert nearest("", ["ship"]) == ""


def test_a_click_on_a_chip_and_another_lead_back(all_cards: None) -> None:
    codes = set()
    known = known_from(beside(in_memory(read(""))))
    for text in made_up(seed=3, count=100):
        query = read(text, known)
        for field, word in (("type", "ship"), ("trait", "Capital Ship"), ("makes", "security")):
            try:
                once = read(toggled(query, cards.LANGUAGE, field, word), known)
                twice = read(toggled(once, cards.LANGUAGE, field, word), known)
            except QueryError as error:
                codes.add(error.code)
                continue
            assert in_memory(twice, known) == in_memory(query, known), text
    assert codes <= {"too long", "too many terms", "too deep", "not inside"}


def test_an_order_beside_or_holds_for_all_that_is_found(all_cards: None) -> None:
    query = read("t:ship or tr:pilot c<3 order:pow")
    assert query.display == {"order": "pow"}
    assert in_memory(query) == in_memory(read("t:ship or tr:pilot c<3"))
    assert [text for _, text in parts(query)] == ["t:ship or tr:pilot c<3", "order:pow"]
    assert toggled(query, cards.LANGUAGE, "order", "cost") == "(t:ship or tr:pilot c<3) order:cost"
    once = toggled(query, cards.LANGUAGE, "makes", "security")
    assert once == "(t:ship or tr:pilot c<3) order:pow makes:security"
    either, order = (part for part, _ in parts(query))
    assert without(query, either) == "order:pow"
    assert without(query, order) == "t:ship or tr:pilot c<3"
    assert switched(query, either) == "~(t:ship or tr:pilot c<3) order:pow"


def test_what_is_generated_is_up_to_date() -> None:
    assert search_language.stale() == [], "run manage.py search_language"
