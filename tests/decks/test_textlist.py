"""The text form of a deck: what each line means, and that nothing is lost on the way out and back in."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ccg.rules.authoring.deck_lines import HEADINGS
from ccg.rules.cards.definitions import fold
from decks.lists import textlist
from decks.lists.deck_list import DeckList, clean_name
from decks.lists.listing import write
from decks.lists.names import digits
from decks.lists.textlist import Line, Reading, TextTooLongError, read
from tests.at_length import examples
from tests.decks.own_names import own_names
from tests.reading import own_cards
from tests.soon import soon

CATALOG = own_cards()
NAMES = own_names()
FORMATS = {"standard-2006"}

EXAMPLE = """\
# Viper Wing v3
// brought to you by the deck crew
Format: standard-2006
Base: Galactica (BSG1) 7

Personnel (8)
4x Starbuck, Hotshot Pilot (BSG1) 136
4 Apollo, Ace Pilot #core
Ships (5)
3 Raptor 227 (BSG1) 164
2 Colonial Viper 762
Considering
1 Cloud 9, Transport Hub (BSG2) 136
"""


def one(text: str, **more: object) -> Line:
    """Read a text of one line and return that line."""
    (line,) = read(text, NAMES, **more).lines  # type: ignore[arg-type]
    return line


def card(name: str) -> str:
    """The id of the one card with this full name."""
    (found,) = CATALOG.named(name)
    return found.id


def kinds(reading: Reading) -> list[str]:
    return [line.kind for line in reading.lines]


def test_the_example_of_the_manual_reads_as_it_says() -> None:
    reading = read(EXAMPLE, NAMES, FORMATS)

    assert kinds(reading) == [
        *("name", "comment", "format", "matched", "blank"),
        *("heading", "matched", "matched", "heading", "matched", "matched"),
        *("heading", "matched"),
    ]
    assert reading.deck == DeckList(
        name="Viper Wing v3",
        format="standard-2006",
        bases=["BSG1-007"],
        counts={"BSG1-136": 4, "BSG1-098": 4, "BSG1-164": 3, "BSG1-153": 2},
        considering={"BSG2-136": 1},
        tags={"BSG1-098": ["core"]},
    )
    assert not any(line.notes for line in reading.lines)


@pytest.mark.parametrize(
    ("text", "quantity"),
    [
        ("Raptor 227", 1),
        ("3 Raptor 227", 3),
        ("3x Raptor 227", 3),
        ("3X Raptor 227", 3),
        ("3 x Raptor 227", 3),
        ("Raptor 227 x3", 3),
        ("\t3\tRaptor\t227\t", 3),
        ("3 raptor  227", 3),
        ("3 Räptor, 227!", 3),
        ("3 Raptor 227 (BSG1) 164 x3", 3),
        ("3 (BSG1) 164", 3),
        ("3 (bsg1) 0164", 3),
        ("3 BSG1-164", 3),
        ("99 Raptor 227", 99),
    ],
)
def test_ways_to_write_a_quantity(text: str, quantity: int) -> None:
    line = one(text)

    assert (line.kind, line.quantity, line.cards) == ("matched", quantity, ["BSG1-164"])


def test_a_trailing_number_is_part_of_the_name() -> None:
    assert one("Raptor 227 3").kind == "unknown"
    assert one("Article 23").cards == [card("Article 23")]


@pytest.mark.parametrize("quantity", ["0", "100", "0x", "12345678901234567890"])
def test_quantities_outside_1_to_99_are_told_and_not_used(quantity: str) -> None:
    reading = read(f"{quantity} Raptor 227", NAMES)

    assert kinds(reading) == ["invalid"]
    assert reading.deck.counts == {}
    assert "1 to 99" in reading.lines[0].notes[-1]


def test_two_quantities_are_told() -> None:
    line = one("2 Raptor 227 x3")

    assert line.quantity == 2
    assert "Two quantities" in line.notes[0]


@pytest.mark.parametrize(
    "name",
    ["starbuck hotshot pilot", "STARBUCK - Hotshot Pilot", "Starbuck,Hotshot Pilot.", "Stárbuck Hotshot-Pilot"],
)
def test_names_are_compared_without_case_accents_and_punctuation(name: str) -> None:
    assert one(f"1 {name}").cards == ["BSG1-136"]


def test_every_card_is_found_by_its_full_name_and_by_each_printing() -> None:
    for known in CATALOG:
        assert one(f"2 {known.name}").cards == [known.id], known.name
    for (code, number), card_id in NAMES.by_printing.items():
        for text in (f"2 {CATALOG[card_id].name} ({code}) {number}", f"2 ({code.upper()}) {number}"):
            line = one(text)
            assert (line.kind, line.cards) == ("matched", [card_id]), text


def test_a_title_is_enough_when_only_one_card_has_it() -> None:
    assert one("4 Skirmishing Raider").kind == "matched"

    line = one("4 Starbuck")
    assert line.kind == "ambiguous"
    assert len(line.cards) > 6
    assert {CATALOG[found].title for found in line.cards} == {"Starbuck"}


def test_a_set_alone_narrows_a_title() -> None:
    line = one("4 Starbuck (BSG1P)")

    assert (line.kind, line.cards) == ("matched", ["BSG1P-4"])
    assert len(one("4 Starbuck (BSG2)").cards) < len(one("4 Starbuck").cards)


def test_a_title_that_a_base_shares_means_the_base_in_a_base_line() -> None:
    shared = [c for c in CATALOG if c.type == "base" and any(o.title == c.title and o.type != "base" for o in CATALOG)]
    assert shared
    for base in shared:
        assert read(f"Base: {base.title}", NAMES).deck.bases == [base.id]
        assert read(f"Base\n1 {base.title}", NAMES).deck.bases == [base.id]


def test_a_base_line_takes_only_bases() -> None:
    line = one("Base: Raptor 227 (BSG1) 164")

    assert line.kind == "unknown"
    assert "not a base" in line.notes[0]
    assert one("Base: Galctica").cards[0] == "BSG1-007"
    assert all(CATALOG[found].type == "base" for found in one("Base: Colonial On").cards)


def test_a_base_among_the_cards_is_read_as_the_base_and_told() -> None:
    reading = read("4 Raptor 227\n1 Galactica", NAMES)

    assert reading.deck.bases == ["BSG1-007"]
    assert reading.deck.counts == {"BSG1-164": 4}
    assert "read as the deck's base" in reading.lines[1].notes[0]


def test_cards_below_a_base_heading_are_still_cards_of_the_deck() -> None:
    reading = read("Base (1)\n1 Galactica\n4 Raptor 227", NAMES)

    assert (reading.deck.bases, reading.deck.counts) == (["BSG1-007"], {"BSG1-164": 4})
    assert "not a base" in reading.lines[2].notes[0]


def test_name_and_printing_that_disagree_are_candidates_both() -> None:
    line = one("3 Raptor 227 (BSG1) 163")

    assert line.kind == "ambiguous"
    assert line.cards == ["BSG1-164", "BSG1-163"]
    assert "Raptor 101" in line.notes[0]


@pytest.mark.parametrize("printing", ["(BSG1) 999", "(NOPE) 1", "(BSG2)"])
def test_a_printing_that_is_not_there_is_not_passed_over(printing: str) -> None:
    reading = read(f"3 Raptor 227 {printing}", NAMES)

    assert kinds(reading) == ["ambiguous"]
    assert reading.lines[0].cards == ["BSG1-164"]
    assert reading.deck.counts == {}


def test_a_misspelt_name_beside_a_printing_offers_the_printed_card_first() -> None:
    line = one("3 Starbuk, Hotshot Pilt (BSG1) 136")

    assert line.kind == "ambiguous"
    assert line.cards[0] == "BSG1-136"


def test_misspelt_names_are_offered_and_never_applied() -> None:
    reading = read("3 Starbuk, Hotshot Pilt", NAMES)

    assert kinds(reading) == ["unknown"]
    assert reading.deck.counts == {}
    assert reading.lines[0].cards[0] == "BSG1-136"


@pytest.mark.parametrize("text", ["4 Raptor 228", "4 Raptr 272", "4 Raptr", "4 Colonial Viper 11O"])
def test_nothing_is_offered_across_differing_digits(text: str) -> None:
    line = one(text)

    wanted = sorted(digits(text[2:]))
    assert line.kind == "unknown"
    assert all(digits(CATALOG[found].name) == wanted for found in line.cards)
    assert "BSG1-164" not in line.cards


def test_repeated_lines_add_up() -> None:
    reading = read("2 Raptor 227\n1 Raptor 227 (BSG1) 164\nConsidering\n1 Raptor 227", NAMES)

    assert reading.deck.counts == {"BSG1-164": 3}
    assert reading.deck.considering == {"BSG1-164": 1}
    assert reading.lines[1].notes == ["Also on line 1: the quantities add up."]
    assert reading.lines[3].notes == []


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("Personnel (8)", "deck"),
        ("SHIPS: 5", "deck"),
        ("== Events ==", "deck"),
        ("[Missions]", "deck"),
        ("60 cards:", None),
        ("Deck", "deck"),
        ("Considering (2)", "considering"),
        ("Sideboard:", "considering"),
        ("Maybeboard", "considering"),
        ("Base", "base"),
        ("Base:", "base"),
        ("//Ships", "deck"),
        ("Pilots I like (12)", "deck"),
        ("Flight deck:", "deck"),
    ],
)
def test_headings(text: str, part: str | None) -> None:
    line = one(text)

    assert (line.kind == "heading") == (part is not None)
    assert part is None or line.part == part


def test_counts_of_headings_are_checked_and_not_trusted() -> None:
    reading = read("Ships (9)\n4 Raptor 227\nEvents (3)\n3 Stims", NAMES)

    assert reading.deck.counts == {"BSG1-164": 4, card("Stims"): 3}
    assert reading.lines[0].notes == ["The heading says 9, the lines below it hold 4."]
    assert reading.lines[2].notes == []


def test_no_card_can_be_taken_for_a_heading() -> None:
    assert all(read(f"{c.name}\n{c.title or c.name}", NAMES).lines[0].kind == "matched" for c in CATALOG)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("\ufeff3 Raptor 227", "byte order mark"),
        ("3 Raptor 227 [Ships]", "[Ships] was ignored"),
        ("3 Raptor 227 (BSG1) 164 *F* [Maybe some{noDeck}]", "*F* was ignored"),
        ("3 Raptor 227 #", "# was ignored"),
        ("3 Raptor 227 #" + "x" * 40, "was ignored"),
        ("SB: 3 Raptor 227", "Considering"),
        ("//Ships (0)", "//"),
    ],
)
def test_marks_of_other_sites_are_ignored_with_a_note(text: str, note: str) -> None:
    line = one(text)

    assert line.kind in ("matched", "heading")
    assert any(note in said for said in line.notes)


def test_a_sideboard_line_is_no_part_of_the_deck() -> None:
    reading = read("SB: 3 Raptor 227", NAMES)

    assert reading.deck.counts == {}
    assert reading.deck.considering == {"BSG1-164": 3}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_all_systems(end: str) -> None:
    text = EXAMPLE.replace("\n", end)

    assert read(text, NAMES, FORMATS) == read(EXAMPLE, NAMES, FORMATS)


def test_the_first_hash_line_is_the_name_and_later_ones_are_comments() -> None:
    reading = read("#\n#  The   Name \n# something else\n// and this", NAMES)

    assert reading.deck.name == "The Name"
    assert kinds(reading) == ["comment", "name", "comment", "comment"]


def test_formats_are_known_by_code_or_by_name_written_loosely() -> None:
    assert read("Format: Standard 2006", NAMES, FORMATS).deck.format == "standard-2006"

    unknown = read("Format: vintage", NAMES, FORMATS)
    assert kinds(unknown) == ["ignored"]
    assert "standard-2006" in unknown.lines[0].notes[0]

    twice = read("Format: a\nFormat: b", NAMES, {"a", "b"})
    assert kinds(twice) == ["format", "ignored"]
    assert twice.deck.format == "a"


@pytest.mark.parametrize("text", ["Raptor 227 (BSG1) 164 and more", "[only this]x(", "4 Raptor 227 (BSG1) 164 164"])
def test_what_has_another_form_is_told_with_an_example(text: str) -> None:
    line = one(text)

    assert line.kind in ("invalid", "unknown")
    assert line.notes


def test_tags_belong_to_cards() -> None:
    reading = read("2 Stims #core #late\n1 Stims #core #early\n4 Raptor 227#core", NAMES)

    assert reading.deck.tags == {card("Stims"): ["core", "early", "late"], "BSG1-164": ["core"]}


def test_a_pick_decides_an_undecided_line() -> None:
    text = "4 Starbuck\n2 Raptr 227\n1 Nobody At All\n1 Raptor 227"
    picks = {1: "BSG1-136", 2: "BSG1-164", 3: textlist.LEAVE_OUT, 4: "BSG1-136"}

    reading = read(text, NAMES, picks=picks)

    assert kinds(reading) == ["matched", "matched", "ignored", "matched"]
    assert reading.deck.counts == {"BSG1-136": 4, "BSG1-164": 3}
    assert reading.undecided == []


def test_a_pick_that_the_line_does_not_offer_is_not_taken() -> None:
    reading = read("4 Starbuck\n0 Stims", NAMES, picks={1: "BSG1-164", 2: card("Stims")})

    assert kinds(reading) == ["ambiguous", "invalid"]
    assert reading.deck.counts == {}


@pytest.mark.parametrize(
    "text", ["x" * (textlist.MAX_BYTES + 1), "é" * (textlist.MAX_BYTES // 2 + 1), "\n" * (textlist.MAX_LINES + 1)]
)
def test_too_long_a_text_is_not_looked_at(text: str) -> None:
    with pytest.raises(TextTooLongError):
        read(text, NAMES)


def test_too_long_a_line_is_told_and_the_others_are_read() -> None:
    reading = read(f"{'y' * 600}\n4 Raptor 227", NAMES)

    assert kinds(reading) == ["invalid", "matched"]
    assert len(reading.lines[0].text) <= textlist.MAX_LINE


HOSTILE = [
    "(" * 400,
    "#" * 400,
    "4 " + "x4 " * 130,
    "[" * 400,
    "* " * 200,
    "1" * 480,
    ("a (b) " * 80),
    "a" * 400 + "(",
    "\ud800" * 120,
    "// " * 150,
]


@pytest.mark.parametrize("line", HOSTILE)
def test_hostile_lines_cost_no_more_than_others(line: str) -> None:
    text = "\n".join([line[:480]] * (textlist.MAX_BYTES // (len(line[:480].encode("utf-8", "surrogatepass")) + 1)))
    with soon():
        read(text, NAMES)


@given(st.text(max_size=400))
@settings(max_examples=examples(300))
def test_any_text_gets_a_reading_with_every_line(text: str) -> None:
    reading = read(text, NAMES, FORMATS)

    assert [line.number for line in reading.lines] == list(range(1, len(reading.lines) + 1))
    assert all(line.cards for line in reading.lines if line.kind in ("matched", "ambiguous"))
    assert set(reading.deck.counts) <= {found for line in reading.lines for found in line.cards}


pieces = st.sampled_from(
    [
        *"#()[]*:,.-0123456789xX\t\r\n /",
        "Base:",
        "Format:",
        "SB:",
        "Starbuck",
        "Raptor 227",
        "(BSG1)",
        "Considering",
        "é",
    ]
)


@given(st.lists(pieces, max_size=60).map("".join))
@settings(max_examples=examples(300))
def test_so_does_what_looks_like_a_list(text: str) -> None:
    reading = read(text, NAMES, FORMATS)

    assert all(n >= 1 for n in reading.deck.counts.values())


DECKED = [c.id for c in CATALOG if c.type != "base"]
BASES = [c.id for c in CATALOG if c.type == "base"]
tag_words = st.text(st.characters(exclude_characters="# ", codec="utf-8"), min_size=1, max_size=12).filter(
    lambda tag: tag.isprintable() and not tag.isspace()
)


@st.composite
def decks(draw: st.DrawFn) -> DeckList:
    """Any deck that the text form can carry."""
    counts = draw(st.dictionaries(st.sampled_from(DECKED), st.integers(1, 300), max_size=30))
    considering = draw(st.dictionaries(st.sampled_from(DECKED + BASES), st.integers(1, 120), max_size=6))
    bases = draw(st.lists(st.sampled_from(BASES), max_size=3))
    carried = sorted({*counts, *considering, *bases})
    tagged = draw(st.lists(st.sampled_from(carried), max_size=5, unique=True)) if carried else []
    return DeckList(
        name=clean_name(draw(st.text(max_size=100))),
        format=draw(st.sampled_from(["", *FORMATS])),
        bases=bases,
        counts=counts,
        considering=considering,
        tags={c: sorted(draw(st.sets(tag_words, min_size=1, max_size=4))) for c in tagged},
    )


@given(decks())
@example(DeckList(counts={DECKED[0]: 1}, tags={DECKED[0]: ["\\", "a\\*", "b\\"]}))
@settings(max_examples=examples(300))
def test_what_is_written_reads_as_the_same_deck(deck: DeckList) -> None:
    reading = read(write(deck, NAMES), NAMES, FORMATS)

    assert reading.deck == deck
    assert reading.undecided == []


def test_the_writing_is_the_form_of_the_manual() -> None:
    deck = read(EXAMPLE, NAMES, FORMATS).deck

    assert write(deck, NAMES) == (
        "# Viper Wing v3\n"
        "Format: standard-2006\n"
        "Base: Galactica (BSG1) 7\n"
        "\n"
        "Personnel (8)\n"
        "4 Apollo, Ace Pilot (BSG1) 98 #core\n"
        "4 Starbuck, Hotshot Pilot (BSG1) 136\n"
        "\n"
        "Ships (5)\n"
        "2 Colonial Viper 762 (BSG1) 153\n"
        "3 Raptor 227 (BSG1) 164\n"
        "\n"
        "Considering\n"
        "1 Cloud 9, Transport Hub (BSG2) 136\n"
    )


def test_a_card_that_is_no_longer_known_is_still_written() -> None:
    assert "2 GONE-001" in write(DeckList(counts={"GONE-001": 2}), NAMES)


def test_the_headings_of_the_reader_are_no_names() -> None:
    assert not {fold(c.name) for c in CATALOG} & set(HEADINGS)
