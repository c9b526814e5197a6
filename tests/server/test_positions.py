"""Worked pictures in the rules: what a block says, and what is no picture."""

from __future__ import annotations

import pytest

from ccg.server.positions import picture
from ccg.server.rules_pages import guide
from tests.reading import own_cards


def test_a_picture_has_its_cards_and_the_same_in_words() -> None:
    html = picture("Alert: BSG1-138 challenges, BSG1-148\nYour resources: BSG1-007+2\n> A <b> of it.", own_cards())

    assert '<ccg-piece card="BSG1-138" supplies="0" state="challenges">' in html
    assert "Starbuck, Sharpshooter</a> (challenging)" in html
    assert '<ccg-piece card="BSG1-007" supplies="2" state="" stack>' in html
    assert "</a> (2 supply cards)" in html
    assert "<figcaption>A &lt;b&gt; of it.</figcaption>" in html


@pytest.mark.parametrize("text", ["BSG1-138", "Alert: Starbuck", "Alert: BSG1-999", "Alert: BSG1-138 flies", "Alert:"])
def test_what_is_no_picture_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no piece|no name"):
        picture(text, own_cards())


def test_the_guide_has_worked_pictures() -> None:
    drawn = [chapter.slug for chapter in guide() if "<ccg-piece" in chapter.body]

    assert {"table", "resources", "challenges", "cylons"} <= set(drawn)
