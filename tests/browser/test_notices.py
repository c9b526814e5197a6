"""The service worker shows what a push message says, and the page says what is so in this browser."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.push_messages import PushMessages
from tests.running import Site

pytestmark = pytest.mark.browser


def test_a_push_message_is_shown_by_the_service_worker(visit: Visit, site: Site) -> None:
    page = visit()
    page.context.grant_permissions(["notifications"], origin=site.url)
    page.goto("/play/")
    page.get_by_role("button", name="Make a link").click()
    page.get_by_role("link", name="told when it is your move").click()
    expect(page.get_by_text("This browser shows no notices yet.")).to_be_visible()
    messages = PushMessages(page)
    said = {
        "title": "Your move",
        "text": "Your match against Bob waits for you.",
        "url": f"{site.url}/play/",
        "tag": "m",
    }
    moved = {"title": "Your move", "body": said["text"], "url": said["url"], "tag": "m"}
    assert messages.shown("Your move", json.dumps(said)) == moved
    other = {
        "title": "Ragtag Fleet",
        "body": "There is something new in your matches.",
        "url": "/play/mine/",
        "tag": "",
    }
    assert messages.shown("Ragtag Fleet", "no JSON") == other

    test = page.get_by_role("button", name="Send me a test")
    expect(test).to_be_disabled()
    expect(test).to_have_accessible_description(re.compile("."))
