"""What people write: Markdown with cards in it, and nothing that a page would obey."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards_data.catalog import CardData
from decks.social import prose
from tests.reading import own_sets
from tests.shown import PAYLOADS, Found

CARDS = CardData(1, own_sets())


def html(text: str) -> str:
    return str(prose.as_html(text, CARDS)).strip()


def assert_harmless(made: str) -> None:
    """Assert that ``made`` has only tags, attributes and links of which nothing happens."""
    for tag, attributes in Found(made).tags:
        assert tag in prose.TAGS
        assert attributes.keys() <= {"href", "title", "class", "data-card", "rel", "start"}
        assert re.match(r"https?://|/(?![/\\])|%5C", attributes.get("href") or "/") or tag != "a"
        assert attributes.get("class") in (None, "card-name")


@pytest.mark.parametrize("payload", PAYLOADS)
def test_nothing_in_it_is_obeyed(payload: str) -> None:
    for text in (
        payload,
        f"*{payload}*",
        f"# {payload}",
        f"- {payload}",
        f"> {payload}",
        f"[{payload}](https://a.example)",
    ):
        assert_harmless(html(text))


@given(st.text(st.sampled_from("<>\"'=()[]{}#*_`~!:/\\&;aonclickscript \n\t|-"), max_size=200))
def test_nor_in_anything_else(text: str) -> None:
    assert_harmless(html(text))


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ("Play Apollo, Ace Pilot first.", ["Apollo, Ace Pilot"]),
        ("Raptor 227 and Raptor 2270, and XRaptor 227", ["Raptor 227"]),
        ("*Apollo, Ace Pilot*'s ship: Colonial Viper 113.", ["Apollo, Ace Pilot", "Colonial Viper 113"]),
        ("Fury is a word; [[fury]] is a card, [[Starbuck]] is several", ["fury"]),
        ("[[apollo ace pilot]]", ["apollo ace pilot"]),
        ("`Raptor 227` is code", []),
        ("[Raptor 227](https://example.org) leads elsewhere, Raptor 168 does not", ["Raptor 168"]),
        ("[[nothing like it]]", []),
    ],
)
def test_cards_that_are_named_are_links(written: str, named: list[str]) -> None:
    assert (
        re.findall('<a class="card-name" data-card="[^"]+" href="/cards/[^"]+"[^>]*>([^<]+)</a>', html(written))
        == named
    )


def test_what_is_said_around_cards_stays() -> None:
    made = html("Play Raptor 227 & win [[x]] <b>.")
    assert re.sub("<[^>]+>", "", made) == "Play Raptor 227 &amp; win [[x]] &lt;b&gt;."


def test_headings_stand_below_those_of_the_page() -> None:
    assert [tag for tag, _ in Found(html("# One\n\n## Two\n\n###### Six")).tags] == ["h3", "h4", "h6"]


def test_links_of_writers_pass_nothing_on() -> None:
    ((_, link),) = [one for one in Found(html("[a](https://example.org/x)")).tags if one[0] == "a"]
    assert link == {"href": "https://example.org/x", "rel": prose.REL}


def test_markdown_does_what_it_is_for() -> None:
    made = html("**Plan**\n\n1. ready\n2. *win*\n\n> so say we all\n\n| a | b |\n|---|---|\n| 1 | 2 |")
    for part in ("<strong>Plan</strong>", "<ol>", "<em>win</em>", "<blockquote>", "<td>1</td>"):
        assert part in made


def wide_table(columns: int, rows: int) -> str:
    """Return a table of which only the first cell of each row is written out."""
    return "a|" * columns + "\n" + "-|" * columns + "\n" + "x\n" * rows


@pytest.mark.parametrize(
    "hostile",
    [
        wide_table(200, 4_500),
        (wide_table(20, 9) + "\n") * 90,
        "> " + wide_table(200, 3_000).replace("\n", "\n> "),
        f"[a]: /{'x' * 5_000}\n\n{'[a]' * 1_600}",
        f"[a]: /x '{'x' * 5_000}'\n\n{'[a]' * 1_600}",
    ],
    ids=["wide", "many", "quoted", "references", "titles"],
)
def test_no_text_grows_to_many_times_its_length(hostile: str) -> None:
    assert len(html(hostile)) < 20 * len(hostile)


def test_cells_may_be_left_out() -> None:
    made = html("| a | b | c |\n|---|---|---|\n| 1 |\n| 2 |")
    assert made.count("<td>") == 6


@pytest.mark.parametrize(
    "hostile", ["[" * 9_000, "> " * 4_500, "*a_" * 3_000, "[[" * 4_500, "Raptor " * 1_400, "`" * 9_000]
)
def test_hostile_texts_end(hostile: str) -> None:
    assert isinstance(html(hostile), str)


@pytest.mark.parametrize("text", ["[" * 10_000, "|a|\n|-|\n" + "|[[Fury]]|\n" * 900])
def test_a_text_is_paid_for_once_and_not_by_everybody_who_looks(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    once = prose.as_html(text, CARDS)
    monkeypatch.setattr(prose, "_markdown", lambda: pytest.fail("read again"))

    assert prose.as_html(text, CARDS) == once
