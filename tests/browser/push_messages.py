"""Push messages as a browser gets them, from its debugging protocol: without a window it subscribes to none itself."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

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
SUBSCRIBES = """(subscription) => {
  const made = { ...subscription, toJSON: () => subscription, unsubscribe: async () => true };
  PushManager.prototype.subscribe = async () => made;
  PushManager.prototype.getSubscription = async () => made;
}"""
"""Lets a page find this subscription where its script asks the browser to make one."""


class PushMessages:
    """The way of messages to the service worker of the site whose ``page`` this is, if it may show notices."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._origin = str(page.evaluate("location.origin"))
        page.evaluate(REGISTER)
        self._debugging = page.context.new_cdp_session(page)
        self._known: list[dict[str, str]] = []
        self._debugging.on("ServiceWorker.workerRegistrationUpdated", self._updated)
        self._debugging.send("ServiceWorker.enable")
        page.wait_for_function("1")  # lets what was sent arrive

    def shown(self, title: str, data: str) -> dict[str, Any] | None:
        """Hand over a message; return the notice with this title that is shown then, if one is."""
        for _ in range(3):  # one in ten messages is lost between the debugging protocol and the worker
            message = {"origin": self._origin, "registrationId": self._known[-1]["registrationId"], "data": data}
            self._debugging.send("ServiceWorker.deliverPushMessage", message)
            if notice := self._page.evaluate(SHOWN, title):
                return dict(notice)
        return None

    def _updated(self, event: dict[str, Any]) -> None:
        self._known.extend(event["registrations"])
