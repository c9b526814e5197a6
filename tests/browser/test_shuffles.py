"""Two browsers sit down, each with words of its own, and check the shuffles when the match is over."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.table_page import concede

pytestmark = [pytest.mark.browser, pytest.mark.ci]

DIGEST = re.compile(r"[0-9a-f]{64}")


def notes(page: Page) -> list[dict[str, str]]:
    found: list[dict[str, str]] = page.evaluate("JSON.parse(localStorage.getItem('shuffle-words') ?? '[]')")
    return found


def test_two_players_bring_words_and_check_the_shuffles_when_it_is_over(visit: Visit) -> None:
    host, guest = visit(), visit(width=390, height=844)
    host.goto("/play/")
    host.get_by_text("Add words of your own to the shuffle").click()
    host.get_by_label("Your words").fill("roll the hard six")
    host.get_by_role("button", name="Make a link").click()
    link = host.get_by_label("Invite link").input_value()
    mine = notes(host)
    assert len(mine) == 1 and mine[0]["words"].startswith("roll the hard six ")
    host.get_by_text("Fair shuffles: what the server is bound to").click()
    expect(host.get_by_text(mine[0]["commitment"])).to_be_visible()

    guest.goto(link)
    guest.get_by_role("button", name="Sit down").click()
    expect(guest.locator("#table .board, #table .prompt").first).to_be_visible(timeout=20_000)
    table = guest.url
    # Before the end: commitments, and nothing else.
    guest.goto(f"{table}shuffles/")
    told = guest.content()
    assert set(DIGEST.findall(told)) >= {mine[0]["commitment"], notes(guest)[0]["commitment"]}
    assert "roll the hard six" not in told

    guest.goto(table)
    concede(guest)
    guest.get_by_role("link", name="Check the shuffles").click()
    result = guest.locator("[data-result]")
    expect(result).to_contain_text("All of it holds", timeout=20_000)
    expect(result).to_contain_text("are those that this browser noted as you sat down")
    expect(guest.get_by_text(mine[0]["words"])).to_be_visible()

    address = guest.locator("#shuffles").get_attribute("data-file")
    file = guest.request.get(str(address)).text()
    stranger = visit()
    stranger.goto("/shuffles/")
    for text, said in ((file, "All of it holds"), (file.replace("hard", "Hard"), "does not hold"), ("{", "no JSON")):
        stranger.get_by_label("The text of the file").fill(text)
        stranger.get_by_role("button", name="Check it").click()
        expect(stranger.locator("[data-result]")).to_contain_text(said)

    # A file in which all follows from another secret than the one promised is found by who sat there.
    guest.evaluate(
        "const [note] = JSON.parse(localStorage['shuffle-words']);"
        "localStorage.setItem('shuffle-words', JSON.stringify([{...note, words: 'x'}]))"
    )
    guest.reload()
    expect(result).to_contain_text("not those that this browser sent")
