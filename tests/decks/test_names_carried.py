"""What the importer lets in as a name, a deck list carries: the two ask the same reader, and here they are compared."""

from __future__ import annotations

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from ccg.rules.authoring.card_files import SETS, Printing, read_set
from ccg.rules.authoring.deck_lines import COLUMNS, HEADINGS, bare_printing, misread
from ccg.rules.authoring.names import strange_sign
from ccg.rules.cards.definitions import CardDef, Catalog, fold
from decks.lists.deck_list import DeckList
from decks.lists.listing import write
from decks.lists.names import Names
from decks.lists.textlist import read
from tests.at_length import examples

WORDS = [
    *(
        "Raptor",
        "Viper",
        "x",
        "X",
        "4",
        "x4",
        "4x",
        "12",
        "227",
        "#7",
        "#",
        "(4)",
        "(BSG1)",
        "(BSG1-7)",
        "(Mark 2)",
        "TST",
    ),
    *(
        "//",
        "-",
        "--",
        "&",
        "+",
        "+1",
        "-1",
        ":",
        "Base:",
        "Name:",
        "SB:",
        "Red:",
        ",",
        ";",
        ".",
        "...",
        "!",
        "?",
        "'",
        '"',
    ),
    *("Ships", "Events", "Base", "Deck", "cards", "Quantity", "Name", "é", "4)", "1.", "(", ")", "%", "TST-7", "Å"),
]
names = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).flatmap(
    lambda words: st.sampled_from([" ".join(words), "".join(words)])
)
# One in two of them is no name, by chance many in a row.
MANY_ARE_NONE = [HealthCheck.too_slow, HealthCheck.filter_too_much]


def carried(name: str, quantity: int) -> None:
    """Assert that lists carry a card of this name, beside one whose name is the part that could be mistaken for it."""
    cards = [
        CardDef(id="TST-7", type="ship", subtitle=name),
        CardDef(id="TST-8", type="ship", subtitle="Galactica One"),
    ]
    places = [Printing(id=card.id, card=card.id, set="TST", number=int(card.id[4:]), rarity="rare") for card in cards]
    known = Names(Catalog(cards), places)
    deck = DeckList(counts={"TST-7": quantity}, considering={"TST-8": 2}, tags={"TST-7": ["late"]})
    assert read(write(deck, known), known).deck == deck
    assert read(name, known).deck.counts == {"TST-7": 1}
    assert read(f"{quantity} {name}", known).deck.counts == {"TST-7": quantity}
    assert read(f"{name} x{quantity}", known).deck.counts == {"TST-7": quantity}


@given(names, st.integers(1, 9))
@settings(max_examples=examples(400), suppress_health_check=MANY_ARE_NONE)
def test_a_name_that_is_let_in_is_carried(name: str, quantity: int) -> None:
    name = " ".join(name.split())
    assume(fold(name) and fold(name) != "galactica one" and not strange_sign(name))
    assume(not misread(name) and not bare_printing(name, {"tst"}))
    carried(name, quantity)


def test_the_names_of_all_our_cards_are_carried() -> None:
    for path in sorted(SETS.glob("*/set.yaml")):
        for card in read_set(path.parent).cards:
            assert not any(misread(name) for name in (card.name, card.title) if name), card.name
            carried(card.name, 3)


def test_words_of_lists_are_no_names() -> None:
    assert all(misread(word) for word in HEADINGS)
    assert all(misread(f"{word}, quantity") for word in COLUMNS if COLUMNS[word] in ("name", "title", "subtitle", "id"))
