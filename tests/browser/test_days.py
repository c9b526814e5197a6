"""A match by correspondence over three days: mails and push messages say when to come back to it, and how it ends."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests import clock
from tests.browser.accounts import new_name, sign_up
from tests.browser.conftest import Visit
from tests.browser.push_messages import SUBSCRIBES, PushMessages
from tests.browser.table_page import EVERY, OVER, PATIENCE, QUICK, STATE, TablePage
from tests.running import Site, running_site
from tests.services_of_notices import Service, Sink, mail_server, push_service, subscription

pytestmark = pytest.mark.browser

DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}

ADDRESS = "alice@example.org"
WAITS_FOR_ME = re.compile("My matches 1 waits for you")

THEIRS = f"() => document.querySelector('.prompt:not(.is-mine)') ? 'theirs' : ({STATE})()"
"""Whether others are asked now, and else what :data:`STATE` says."""


@pytest.fixture
def push_origin() -> Iterator[str]:
    """Where the push service of Bob's browser is."""
    with push_service() as origin:
        yield origin


@pytest.fixture
def site(tmp_path: Path, push_origin: str) -> Iterator[Site]:
    """A site whose clock can be moved, with a mail server that keeps what comes."""
    with mail_server() as port:
        env = {"EMAIL_HOST": "127.0.0.1", "EMAIL_PORT": str(port), "PUSH_HOSTS": push_origin}
        with running_site(tmp_path, env, clock.MOVED) as site:
            yield site


def mailed(subject: str) -> EmailMessage:
    """Return the mail with this subject that Alice has got last, once she has."""
    mail = Sink.kept.wait_for(lambda mail: mail["Subject"] == f"[Ragtag Fleet] {subject}")
    assert mail["To"] == ADDRESS
    return mail


def pushed(title: str) -> dict[str, Any]:
    """Return the push message with this title that Bob's browser has got last, once it has."""
    return Service.got.wait_for(lambda message: message["title"] == title)


def link_in(mail: EmailMessage, after: str = "") -> str:
    """Return the first address in a mail, or that after these words."""
    found = re.search(rf"{after}(http://\S+)", mail.get_content())
    assert found is not None
    return found[1]


def gets_mails(page: Page, name: str) -> None:
    """Make an account with an address, confirm that, and choose to be told by mail."""
    page.goto("/accounts/signup/")
    page.get_by_label("Email").fill(ADDRESS)
    sign_up(page, name)
    page.goto("/accounts/notices/")
    page.get_by_role("link", name="Confirm or change it").click()
    page.get_by_role("button", name="Send the mail to confirm it").click()
    page.goto(link_in(mailed("Confirm your mail address")))
    page.get_by_role("button", name="Confirm it").click()
    page.goto("/accounts/notices/")
    page.get_by_role("radio", name="One, and then none until you have been here").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Your notices are as you set them.")).to_be_visible(timeout=PATIENCE)


def gets_push_messages(page: Page, name: str, endpoint: str) -> PushMessages:
    """Make an account, and let this browser show notices, which has its address at a push service."""
    page.goto("/accounts/signup/")
    sign_up(page, name)
    page.goto("/accounts/notices/")
    Service.sender = page.locator("[data-push]").get_attribute("data-key") or ""
    page.evaluate(SUBSCRIBES, subscription(endpoint))
    page.get_by_role("button", name="Show notices here").click()
    expect(page.get_by_text("This browser shows notices, even while no page")).to_be_visible(timeout=PATIENCE)
    return PushMessages(page)


def begin(host: Page, guest: Page) -> None:
    """Let the two meet at a table by correspondence, by the link that one of them has made."""
    host.goto("/play/")
    host.get_by_label("Time").select_option(label="1 day a turn + 3 days")
    host.get_by_role("button", name="Make a link").click()
    guest.goto(host.get_by_label("Invite link").input_value())
    guest.get_by_role("button", name="Sit down").click()
    for page in (host, guest):
        page.wait_for_url(re.compile("/table/"), timeout=PATIENCE)


def chooses_until_it_waits_for_the_other(page: Page) -> None:
    """Let somebody who is asked choose all that they have to."""
    own = TablePage(page, random.Random(1))
    assert own.wait() == "turn"
    while (asks := page.wait_for_function(THEIRS, timeout=PATIENCE, polling=EVERY).json_value()) == "turn":
        own.click_something()
    assert asks == "theirs"


def test_a_match_over_three_days_with_mail_and_push(visit: Visit, site: Site, push_origin: str) -> None:
    alice, bob = visit(**DESKTOP, settings=QUICK), visit(**PHONE, settings=QUICK, permissions=["notifications"])
    alices_name, bobs_name = new_name(), new_name()
    gets_mails(alice, alices_name)
    messages = gets_push_messages(bob, bobs_name, f"{push_origin}/browser/of-bob")
    begin(alice, bob)
    table = bob.url
    chooses_until_it_waits_for_the_other(bob)
    alice.goto("/")
    expect(alice.get_by_role("link", name=WAITS_FOR_ME)).to_be_visible()

    # A day later Alice is told by mail, and has three of her four days left.
    clock.pass_time(site, hours=20.5)
    mail = mailed("Your move")
    assert f"Your match against {bobs_name} waits for you. You have 3 days left." in mail.get_content()
    alice.reload()
    alice.get_by_role("link", name=WAITS_FOR_ME).click()
    row = alice.get_by_role("listitem").filter(has_text=f"against {bobs_name}")
    expect(row).to_contain_text("your decision, 3 d 3 h left")
    expect(row).to_contain_text("last 20 hours ago")
    alice.goto(link_in(mail))
    assert alice.url == table
    chooses_until_it_waits_for_the_other(alice)
    alice.goto("/play/mine/")
    expect(row).not_to_contain_text("your decision")
    expect(alice.get_by_role("link", name=WAITS_FOR_ME)).to_have_count(0)

    # The next day Bob is told by a push message, though he has had the table open all the time.
    clock.pass_time(site, hours=20.5)
    notice = messages.shown("Your move", json.dumps(pushed("Your move")))
    assert notice is not None
    assert notice["body"] == f"Your match against {alices_name} waits for you. You have 3 days left."
    bob.goto("/")
    expect(bob.get_by_role("link", name=WAITS_FOR_ME)).to_be_visible()
    bob.goto(notice["url"])
    assert bob.url == table
    chooses_until_it_waits_for_the_other(bob)

    # From then on Alice stays away: she is reminded, and all her time runs out.
    clock.pass_time(site, hours=88.5)
    assert "You have 7 hours left." in mailed("Time runs out").get_content()
    clock.pass_time(site, hours=10)
    expect(bob.locator(OVER)).to_contain_text(f"{alices_name} has run out of time.", timeout=PATIENCE)

    # Both are told of the end, and nothing waits any more.
    clock.pass_time(site, hours=1)
    assert f"Your match against {alices_name} is over. You have won." in pushed("Your match is over")["text"]
    mail = mailed("Your match is over")
    assert f"Your match against {bobs_name} is over. You have lost." in mail.get_content()
    alice.goto(link_in(mail))
    expect(alice.locator(OVER)).to_contain_text("You have run out of time.", timeout=PATIENCE)
    for page, outcome in ((alice, "Lost"), (bob, "Won")):
        page.goto("/play/mine/")
        expect(page.get_by_role("listitem").filter(has_text=outcome)).to_contain_text("against")
        expect(page.get_by_text("your decision")).to_have_count(0)
        expect(page.get_by_role("link", name=WAITS_FOR_ME)).to_have_count(0)
    assert [message["title"] for message in Service.got] == ["Your move", "Your match is over"]

    # A link in each mail ends them, for whoever reads it and wherever that is.
    elsewhere = visit()
    elsewhere.goto(link_in(mail, after="No more mails like this: "))
    elsewhere.get_by_role("button", name="Stop them").click()
    expect(elsewhere.get_by_role("heading", name="No more mails")).to_be_visible(timeout=PATIENCE)
    alice.goto("/accounts/notices/")
    expect(alice.get_by_role("radio", name="Never")).to_be_checked()
