"""The service worker shows what a push message says, and the page says what is so in this browser."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.running import Site

pytestmark = pytest.mark.browser

REGISTER = """async () => {
  const made = await navigator.serviceWorker.register("/static/push-worker.js");
  const worker = made.installing ?? made.waiting;
  const changes = (done) => worker.addEventListener("statechange", () => worker.state === "activated" && done());
  if (worker) await new Promise(changes);
}"""
SHOWN = """async (title) => {
  const made = await navigator.serviceWorker.getRegistration("/static/push-worker.js");
  for (let tries = 0; tries < 100; tries++) {
    const notice = (await made.getNotifications()).find((one) => one.title === title);
    if (notice) return { title, body: notice.body, url: notice.data.url, tag: notice.tag };
    await new Promise((done) => setTimeout(done, 100));
  }
}"""
"""Waits for a notice. ``page.wait_for_function`` does not wait for what an asynchronous function returns."""


def test_a_push_message_is_shown_by_the_service_worker(visit: Visit, site: Site) -> None:
    page = visit()
    page.context.grant_permissions(["notifications"], origin=site.url)
    page.goto("/play/")
    page.get_by_role("button", name="Make a link").click()
    page.get_by_role("link", name="told when it is your move").click()
    expect(page.get_by_text("This browser shows no notices yet.")).to_be_visible()
    page.evaluate(REGISTER)
    debugging = page.context.new_cdp_session(page)
    known: list[dict[str, str]] = []
    debugging.on("ServiceWorker.workerRegistrationUpdated", lambda event: known.extend(event["registrations"]))
    debugging.send("ServiceWorker.enable")
    page.wait_for_function("1")  # lets what was sent arrive
    said = {
        "title": "Your move",
        "text": "Your match against Bob waits for you.",
        "url": f"{site.url}/play/",
        "tag": "m",
    }

    def shown(title: str, data: str) -> object:
        for _ in range(3):  # one in ten messages is lost between the debugging protocol and the worker
            message = {"origin": site.url, "registrationId": known[-1]["registrationId"], "data": data}
            debugging.send("ServiceWorker.deliverPushMessage", message)
            if notice := page.evaluate(SHOWN, title):
                return notice
        return None

    moved = {"title": "Your move", "body": said["text"], "url": said["url"], "tag": "m"}
    assert shown("Your move", json.dumps(said)) == moved
    other = {
        "title": "Ragtag Fleet",
        "body": "There is something new in your matches.",
        "url": "/play/mine/",
        "tag": "",
    }
    assert shown("Ragtag Fleet", "no JSON") == other

    test = page.get_by_role("button", name="Send me a test")
    expect(test).to_be_disabled()
    expect(test).to_have_accessible_description(re.compile("."))
