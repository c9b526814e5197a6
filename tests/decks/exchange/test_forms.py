"""Every form of decks: out and back in is the same deck, and what comes in cannot harm.

``DECKS=1000 pytest tests/decks/exchange`` tries as many made-up decks in each form.
"""

from __future__ import annotations

import base64
import json
import os
import random
import re
from contextlib import suppress
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks.exchange import code, json_form, lackey, octgn, registry
from decks.exchange.form import Form, FormError
from decks.exchange.registry import FORMS, to_text
from decks.lists import textlist
from decks.lists.deck_list import DeckList
from decks.lists.textlist import Reading, read
from tests.at_length import examples
from tests.decks.own_names import own_names
from tests.reading import own_cards
from tests.soon import soon

CATALOG = own_cards()
NAMES = own_names()
FORMATS = {"standard-2006"}
DECKS = int(os.environ.get("DECKS", examples(100)))
BASES = sorted(card.id for card in CATALOG if card.type == "base")
OTHERS = sorted(card.id for card in CATALOG if card.type != "base")
NAMED = [
    "",
    "Viper Wing",
    "Ships & <Stars>",
    'Fear "Itself"',
    "Événement №1",
    "Considering",
    "= 2 + 2",
    "[[Fury]] [2](/a)",
]

each_form = pytest.mark.parametrize("form", FORMS, ids=lambda form: form.code)


def read_back(form: Form, deck: DeckList) -> Reading:
    text, _ = to_text(form.write(deck, NAMES), NAMES)
    return read(text, NAMES, FORMATS)


def as_held(form: Form, deck: DeckList) -> DeckList:
    """What is left of ``deck`` in a form that does not hold everything."""
    kept = DeckList(bases=deck.bases, counts=deck.counts)
    for field in form.holds:
        setattr(kept, field, getattr(deck, field))
    listed = {*kept.bases, *kept.counts, *kept.considering}
    kept.tags = {card: tags for card, tags in kept.tags.items() if card in listed}
    return kept


def assert_round_trip(form: Form, deck: DeckList) -> None:
    reading = read_back(form, deck)
    assert not reading.undecided, (form.code, reading.undecided[:3])
    assert reading.deck == as_held(form, deck), form.code


def made_up(seed: int) -> DeckList:
    """A deck of any cards in any numbers."""
    chance = random.Random(seed)
    counts = {
        card: chance.choice([1, 2, 3, 4, 4, 5, 20, 99, 130]) for card in chance.sample(OTHERS, chance.randint(1, 40))
    }
    considering = {card: chance.randint(1, 4) for card in chance.sample(OTHERS, chance.randint(0, 5))}
    words = ["core", "late-game", "x2", "ü", "4", "=1+1", "a,b", '"']
    tagged = chance.sample([*counts, *considering], min(3, len(counts)))
    return DeckList(
        name=chance.choice(NAMED),
        format=chance.choice(["", "standard-2006"]),
        bases=chance.sample(BASES, chance.randint(0, 1)),
        counts=counts,
        considering=considering,
        tags={card: sorted(chance.sample(words[:5], chance.randint(1, 3))) for card in tagged},
    )


@each_form
def test_every_card_goes_out_and_comes_back(form: Form) -> None:
    for card in OTHERS:
        assert_round_trip(form, DeckList(bases=BASES[:1], counts={card: 3}))
    for base in BASES:
        assert_round_trip(form, DeckList(bases=[base], counts={OTHERS[0]: 4}))


@each_form
def test_made_up_decks_go_out_and_come_back(form: Form) -> None:
    for seed in range(DECKS):
        assert_round_trip(form, made_up(seed))


@each_form
def test_cards_that_are_not_known_are_told_and_not_lost(form: Form) -> None:
    reading = read_back(form, DeckList(counts={"OLD-12": 2, OTHERS[0]: 4}))

    assert reading.deck.counts == {OTHERS[0]: 4}
    assert [(line.quantity, line.kind) for line in reading.undecided] == [(2, "unknown")]
    assert "OLD" in reading.undecided[0].text


@each_form
def test_an_empty_deck_is_written(form: Form) -> None:
    assert read_back(form, DeckList()).deck == DeckList()


@pytest.mark.parametrize("tag", ['=HYPERLINK("//e.vil")', "@SUM(1+1)", "+1", "-1", "x;=1+1", "x,=1+1"])
def test_a_tag_is_no_formula_for_a_spreadsheet(tag: str) -> None:
    written = registry.BY_CODE["csv"].write(DeckList(counts={OTHERS[0]: 4}, tags={OTHERS[0]: [tag]}), NAMES)
    assert not [field for field in re.split('[,;"]+', written.splitlines()[1]) if field.startswith(tuple("=@+-"))]
    assert read(to_text(written, NAMES)[0], NAMES, FORMATS).deck.tags == {OTHERS[0]: sorted(re.split("[,;]", tag))}


def test_forms_have_codes_and_endings_of_their_own() -> None:
    assert len({form.code for form in FORMS}) == len({form.extension for form in FORMS}) == len(FORMS)
    assert registry.file_name(DeckList(name="../Ships & Stars"), registry.BY_CODE["octgn"]) == "ships-stars.o8d"
    assert registry.file_name(DeckList(name="№"), registry.BY_CODE["code"]) == "deck.code.txt"


# --- the deck code ------------------------------------------------------------------------------------------


def test_a_code_is_short_and_the_same_for_equal_decks() -> None:
    chance = random.Random(1)
    cards = {card: chance.randint(1, 4) for card in chance.sample(OTHERS, 30)}
    there = code.encode(DeckList(name="One", bases=BASES[:1], counts=cards), NAMES)
    again = code.encode(DeckList(name="Two", bases=BASES[:1], counts=dict(reversed(cards.items()))), NAMES)

    assert there == again
    assert there.startswith("BSG1-")
    assert len(there) < 90


def test_a_wrong_letter_is_always_noticed() -> None:
    right = code.encode(made_up(3), NAMES)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    # The last letter may carry bits that say nothing.
    for place in range(len(code.PREFIX), len(right) - 1):
        for letter in random.Random(place).sample(letters, 4):
            if letter != right[place]:
                with pytest.raises(FormError, match="not whole"):
                    code.to_text(right[:place] + letter + right[place + 1 :], NAMES)


def sealed(said: bytes) -> str:
    """A code of bytes that nobody wrote, with the right check byte."""
    body = bytes([*said, code._check(said)])
    return code.PREFIX + base64.urlsafe_b64encode(body).decode().rstrip("=")


@pytest.mark.parametrize(
    "said",
    [
        bytes([1, 200, 200, 200, 1]),  # sets without end
        bytes([1, 1, 200, 1, 65]),  # a word longer than what is there
        bytes([1, 1, 4, 66, 83, 71, 49, 255, 255, 63]),  # cards without end
        bytes([1, 0, 0, 9, 0]),  # a base of no set
        bytes([1, 0, 0, 0, 7, 7]),  # more behind the end
        bytes([1, 1, 4, 10, 60, 62, 32, 0, 0, 0, 0]),  # a set code that is none
        bytes([1, 255, 255, 255, 255, 255, 1]),
    ],
)
def test_a_code_that_says_what_cannot_be_is_refused(said: bytes) -> None:
    with pytest.raises(FormError, match="no deck can be"):
        code.to_text(sealed(said), NAMES)


def test_a_code_of_a_newer_kind_is_told_from_a_broken_one() -> None:
    with pytest.raises(FormError, match="newer kind"):
        code.to_text(sealed(bytes([2, 0, 0, 0, 0])), NAMES)


def test_cards_that_are_not_there_are_lines_of_the_list() -> None:
    bad = sealed(bytes([1, 1, 4, *b"BSG1", 0, 1, *code._number(9_000), 5, 0, 0]))

    (line,) = (line for line in read(code.to_text(bad, NAMES), NAMES).lines if line.kind not in ("heading", "blank"))
    assert line.kind == "unknown"
    assert "no printing (BSG1) 9000" in line.notes[0]


@given(st.binary(max_size=200))
def test_no_code_makes_an_error(said: bytes) -> None:
    for text in (sealed(said), code.PREFIX + base64.urlsafe_b64encode(said).decode()):
        with suppress(FormError):
            read(code.to_text(text, NAMES), NAMES)


# --- what comes in ------------------------------------------------------------------------------------------

BOMB = '<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa">' + "".join(
    f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)
ROOTS = {
    "OCTGN": ("<deck><section name='Deck'>", "</section></deck>"),
    "LackeyCCG": ("<deck><superzone name='Deck'>", "</superzone></deck>"),
    "Cockatrice": ("<cockatrice_deck><zone name='main'>", "</zone></cockatrice_deck>"),
}


@pytest.mark.parametrize("called", ROOTS)
@pytest.mark.parametrize(
    "inside",
    [
        "<card>",
        "&i;",
        "\x01",
        "<a>" * 4_000 + "</a>" * 4_000,
        "<a>" * 13 + "</a>" * 13,
        "<card" + " a='1'" * 2 + "/>",
        "&#xD800;",
    ],
    ids=["unclosed", "entity", "control", "deep", "a little deep", "twice", "surrogate"],
)
def test_bad_xml_is_refused_with_a_sentence(called: str, inside: str) -> None:
    begin, end = ROOTS[called]
    with soon(), pytest.raises(FormError, match=rf"{called}.*\.$"):
        to_text(begin + inside + end, NAMES)


@pytest.mark.parametrize("called", ROOTS)
@pytest.mark.parametrize(
    "before",
    [f"{BOMB}]>", '<!DOCTYPE d [<!ENTITY i SYSTEM "file:///etc/passwd">]>', '<!DOCTYPE d SYSTEM "http://127.0.0.1/">'],
    ids=["bomb", "file", "elsewhere"],
)
def test_document_types_and_entities_are_refused(called: str, before: str) -> None:
    begin, end = ROOTS[called]
    with soon(), pytest.raises(FormError, match="no document type and no entities"):
        to_text(f'<?xml version="1.0"?>{before}{begin}&i;{end}', NAMES)


def test_huge_counts_are_lines_that_are_refused() -> None:
    hostile = [
        f"<deck><section name='Deck'><card qty='{'9' * 300}' id=''>Fury</card></section></deck>",
        "<deck><section name='Deck'><card qty='-4' id=''>Fury</card><card qty='1e9'>Fury</card></section></deck>",
        "<cockatrice_deck><zone name='main'><card number='999999999' name='Fury'/></zone></cockatrice_deck>",
        '{"cards": [{"id": "BSG1-061", "qty": 1e400}, {"id": "BSG1-061", "qty": -1}, {"id": [], "qty": {}}]}',
    ]
    for text in hostile:
        with soon():
            reading = read(to_text(text, NAMES)[0], NAMES)
        assert reading.undecided
        assert not reading.deck.counts


def test_files_with_too_much_in_them_are_refused() -> None:
    many = "<card qty='1'>Fury</card>" * 2_500
    with soon(), pytest.raises(FormError, match="2500 entries"):
        to_text(f"<deck><section name='Deck'>{many}</section></deck>", NAMES)
    with pytest.raises(FormError, match="192 KiB"):
        to_text("4 Fury\n" * 100_000, NAMES)
    with pytest.raises(FormError, match="each copy by itself"):
        lackey.write(DeckList(counts={OTHERS[0]: 10**7}), NAMES)


@pytest.mark.parametrize(
    "text",
    ["{", "{}", '{"cards": 4}', '{"cards": {}}', "{" * 50_000, '{"a":' * 30_000, '{"cards": [NaN'],
    ids=lambda text: text[:20],
)
def test_bad_json_is_refused_with_a_sentence(text: str) -> None:
    with soon(), pytest.raises(FormError, match=r"JSON.*\.$"):
        to_text(text, NAMES)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=10),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(st.sampled_from(["id", "qty", "tags", "base", "cards", "deck", "name", "count"]), inner)
        ),
        max_leaves=20,
    )
)
def test_no_json_makes_an_error(said: Any) -> None:
    text = json.dumps({"cards": [said], "deck": said, "base": said, "considering": [said], "name": said})
    read(to_text(text, NAMES)[0], NAMES)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"4 Fury\xff\xfe", "not text in UTF-8"),
        (b"\xff\xfe4", "not text in UTF-8"),
        (b"\x00\x01\x02", "not text"),
        (b"x" * 200_000, "192 KiB"),
    ],
)
def test_files_that_are_no_text_are_refused(content: bytes, sentence: str) -> None:
    with pytest.raises(FormError, match=sentence):
        registry.text_of_file(content)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_files_in_the_usual_encodings_are_read(encoding: str) -> None:
    assert registry.text_of_file("# Événement\n4 Fury".encode(encoding)) == "# Événement\n4 Fury"


def test_an_encoding_that_xml_declares_wrongly_does_not_matter() -> None:
    text = (
        "<?xml version='1.0' encoding='utf-16'?><deck><section name='Deck'><card qty='2'>Fury</card></section></deck>"
    )

    assert read(to_text(text, NAMES)[0], NAMES).deck.counts == {card_of("Fury"): 2}


def card_of(name: str) -> str:
    (found,) = CATALOG.named(name)
    return found.id


# --- decks of other programs and sites ------------------------------------------------------------------


def test_a_name_and_a_printing_that_disagree_are_asked_about() -> None:
    raptor = octgn.guid("BSG1", 164)
    text = f"<deck game='x'><section name='Main'><card qty='3' id='{raptor}'>Fury</card></section></deck>"

    (line,) = read(to_text(text, NAMES)[0], NAMES).undecided
    assert set(line.cards) == {card_of("Fury"), "BSG1-164"}


def test_the_json_of_other_sites_is_read() -> None:
    other = {
        "metadata": {"name": "From elsewhere"},
        "base": {"id": BASES[0], "count": 1},
        "deck": [{"id": "BSG1-164", "count": 3}],
        "sideboard": [{"id": "BSG1-061", "count": 2}],
    }

    deck = read(to_text(json.dumps(other), NAMES)[0], NAMES).deck
    assert (deck.name, deck.bases) == ("From elsewhere", BASES[:1])
    assert (deck.counts, deck.considering) == ({"BSG1-164": 3}, {"BSG1-061": 2})


def test_tokens_of_cockatrice_are_no_cards() -> None:
    text = """<cockatrice_deck version="1"><zone name="main"><card number="4" name="Fury"/></zone>
    <zone name="tokens"><card number="1" name="Clue"/></zone></cockatrice_deck>"""
    reading = read(to_text(text, NAMES)[0], NAMES)
    assert (reading.deck.counts, reading.undecided) == ({card_of("Fury"): 4}, [])


def test_cockatrice_keeps_the_base_aside() -> None:
    text = f"""<cockatrice_deck version="1"><deckname>Away</deckname>
    <zone name="main"><card number="4" name="Fury"/></zone>
    <zone name="side"><card number="1" name="{CATALOG[BASES[0]].name}"/><card number="2" name="Stims"/>
    </zone></cockatrice_deck>"""

    deck = read(to_text(text, NAMES)[0], NAMES).deck
    assert (deck.name, deck.bases) == ("Away", BASES[:1])
    assert (deck.counts, deck.considering) == ({card_of("Fury"): 4}, {card_of("Stims"): 2})


@pytest.mark.parametrize("alone", ["BSG1-28", "BSG1-028\n"])
def test_the_id_of_a_printing_is_no_deck_code(alone: str) -> None:
    assert read(to_text(alone, NAMES)[0], NAMES).deck.counts == {card_of("Fury"): 1}


def test_pieces_of_web_pages_are_read() -> None:
    page = """<h2>Ships (3)</h2><ul><li>3 <a href="/x">Raptor 227</a></li></ul><script>4 Stims</script>
    <table><tr><td>4</td><td>Fury</td></tr></table><p>2 Stims<br>1 Article&nbsp;23</p>"""

    reading = read(to_text(page, NAMES)[0], NAMES)
    assert not reading.undecided
    assert reading.deck.counts == {
        "BSG1-164": 3, card_of("Fury"): 4, card_of("Stims"): 2, card_of("Article 23"): 1
    }  # fmt: skip


@pytest.mark.parametrize(
    "page",
    [
        "<table><tr><th>Qty</th><th>Card</th></tr><tr><td>4</td><td>Fury</td></tr><tr><td>3<td>Raptor 227</table>",
        "<table>\n<tr>\n<th>Card\n<th>Set\n<th>Copies\n<tr>\n<td>Fury\n<td>BSG1\n<td>4\n<tr><td>Raptor 227<td><td>3",
        "<table><tr><td><th>Name<th>Qty<tr><td><img><td>Fury<td>4<tr><td><img><td>Raptor 227<td>3</table>",
        "<tr><td>Fury</td><td>4</td><td></td></tr><tr><td>Raptor 227</td><td>3</td><td></td></tr>",
        "<b>4</b> Fury<br>3 Raptor 227",
        "4 Fury<br/>3 Raptor 227\n",
    ],
)
def test_tables_and_lines_of_web_pages_are_read_as_they_look(page: str) -> None:
    reading = read(to_text(page, NAMES)[0], NAMES)
    assert not reading.undecided
    assert reading.deck.counts == {"BSG1-164": 3, card_of("Fury"): 4}


@pytest.mark.parametrize("tag", ["s", "del", "strike"])
def test_what_is_struck_out_on_a_web_page_is_asked_about_and_not_counted(tag: str) -> None:
    text, _ = to_text(
        f"<ul><li><{tag}>4 Fury</{tag}></li><li>3 Raptor 227</li><li>2 <{tag}>Stims</{tag}></li></ul>", NAMES
    )
    reading = read(text, NAMES)

    assert [line.kind for line in reading.lines] == ["invalid", "matched", "invalid"]
    assert reading.deck.counts == {"BSG1-164": 3}


@pytest.mark.parametrize("tag", ["s", "del", "strike"])
def test_what_is_struck_out_as_a_whole_is_so_on_each_of_its_lines(tag: str) -> None:
    text, _ = to_text(f"<div><{tag}><ul><li>4 Fury</li><li>2 Stims</li></ul></{tag}><p>3 Raptor 227</p></div>", NAMES)
    reading = read(text, NAMES)

    assert [line.kind for line in reading.lines] == ["invalid", "invalid", "matched"]
    assert reading.deck.counts == {"BSG1-164": 3}


def test_ten_thousand_lines_of_a_web_page_are_refused_soon() -> None:
    with soon():
        text, _ = to_text("<li>4 Fury</li>" * 10_000, NAMES)
        assert "64 KiB long at most" in textlist.too_long(text)


def test_the_published_schema_fits_what_is_written() -> None:
    schema = json_form.json_schema()

    for seed in range(50):
        jsonschema.validate(json.loads(json_form.write(made_up(seed), NAMES)), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"cards": [{"id": "BSG1-061", "qty": 0}]}, schema)
