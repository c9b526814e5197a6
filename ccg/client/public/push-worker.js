// Shows notices that come by web push, and opens what they lead to. It does nothing else: no page goes through it.

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => {
  let notice = {};
  try {
    notice = event.data?.json() ?? {};
  } catch {
    // A message that is none still has to be shown, or the browser shows one of its own.
  }
  const { title = "Ragtag Fleet", text = "There is something new in your matches.", url = "/play/mine/", tag } = notice;
  event.waitUntil(
    self.registration.showNotification(title, { body: text, tag, data: { url }, icon: "/static/favicon.svg" }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.url ?? "/play/mine/"));
});

async function open(url) {
  const address = new URL(url, self.location.origin);
  if (address.origin !== self.location.origin) return;
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find((page) => new URL(page.url).pathname === address.pathname);
  await (there ? there.focus() : self.clients.openWindow(address.href));
}
