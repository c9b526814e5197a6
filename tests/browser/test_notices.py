"""The service worker shows what a push message says, and the page says what is so in this browser."""

from __future__ import annotations

import json

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
SHOWN = """async () => {
  const made = await navigator.serviceWorker.getRegistration("/static/push-worker.js");
  return (await made.getNotifications()).map(({ title, body, data, tag }) => ({ title, body, url: data.url, tag }));
}"""


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
    for data in (json.dumps(said), "no JSON"):
        number = known[-1]["registrationId"]
        debugging.send("ServiceWorker.deliverPushMessage", {"origin": site.url, "registrationId": number, "data": data})
    page.wait_for_function(f"async () => (await ({SHOWN})()).length === 2")
    shown = {one["title"]: one for one in page.evaluate(SHOWN)}
    assert shown["Your move"] == {"title": "Your move", "body": said["text"], "url": said["url"], "tag": "m"}
    assert shown["Ragtag Fleet"]["url"] == "/play/mine/"

    page.get_by_role("button", name="Send me a test").click()
    expect(page.get_by_text("There is no way to reach you yet")).to_be_visible()
