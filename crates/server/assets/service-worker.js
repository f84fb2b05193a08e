// Shows push messages: what the server has written in `push/mod.rs` (title, body, url, tag). Caches nothing.
"use strict";

addEventListener("install", () => skipWaiting());

addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("push", (event) => {
  let message = {};
  try {
    message = event.data?.json() ?? {};
  } catch {
    // Browsers end a subscription whose messages are not shown.
  }
  const { title = "Lozenge", body = "", url = "/", tag } = message;
  event.waitUntil(registration.showNotification(title, { body, tag, icon: "/favicon.svg", data: { url } }));
});

/** Goes to the page: in a window that shows it, in another window of this site, or in a new one. */
async function open(url) {
  const address = new URL(url, location.origin);
  if (address.origin !== location.origin) return;
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((page) => new URL(page.url).pathname === address.pathname);
  if (there) {
    await there.focus();
    return;
  }
  await clients.openWindow(address.href);
}

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.url ?? "/"));
});

/** The browser has replaced its subscription: tell the server of the new one. */
async function renew(event) {
  const options = event.oldSubscription?.options;
  const subscription = event.newSubscription ?? (options && (await registration.pushManager.subscribe(options)));
  if (!subscription) return;
  const { endpoint, keys } = subscription.toJSON();
  const body = JSON.stringify({ endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } });
  await fetch("/api/account/push", { method: "PUT", headers: { "content-type": "application/json" }, body });
}

addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));
