/** Push messages in a browser: how they are shown. A message is delivered by the browser itself, without a push service. */
import { describe, expect, it } from "vitest";
import { launchWhole } from "../../tools/chromium.mjs";
import { ADDRESS, canRun, createVisitors } from "./harness.ts";

describe.skipIf(!canRun)("a push message", () => {
  const visitors = createVisitors(launchWhole);

  it("is shown as a notification, also if it cannot be parsed", async () => {
    const guest = await visitors.create();
    await guest.context.grantPermissions(["notifications"], { origin: ADDRESS });
    await guest.page.goto("/about");
    const developer = await guest.context.newCDPSession(guest.page);
    const registered = new Promise<string>((resolve) => {
      developer.on("ServiceWorker.workerVersionUpdated", ({ versions }) => {
        const active = versions.find(({ status }) => status === "activated");
        if (active) resolve(active.registrationId);
      });
    });
    await developer.send("ServiceWorker.enable");
    await guest.page.evaluate(async () => {
      await navigator.serviceWorker.register("/service-worker.js");
      await navigator.serviceWorker.ready;
    });
    const registrationId = await registered;
    const notifications = () =>
      guest.page.evaluate(async () => {
        const worker = await navigator.serviceWorker.ready;
        const notifications = await worker.getNotifications();
        return notifications.map(({ title, body, tag, data }) => ({ title, body, tag, url: data.url })).toSorted(
          (one, other) => one.title.localeCompare(other.title),
        );
      });
    const deliver = (data: string) =>
      developer.send("ServiceWorker.deliverPushMessage", { origin: ADDRESS, registrationId, data });
    // Chromium drops a message that it delivers while the worker starts, and a notification with the same tag replaces the first:
    // this one is delivered until it is shown. The worker runs then, and the second message is delivered once.
    const turn = { title: "Your turn", body: "Diamond Chess against Ann", url: "/game/one", tag: "one" };
    await expect
      .poll(async () => {
        await deliver(JSON.stringify(turn));
        return notifications();
      }, { interval: 1000 })
      .toEqual([turn]);
    await deliver("no JSON");
    await expect.poll(notifications).toEqual([{ title: "Lozenge", body: "", tag: "", url: "/" }, turn]);
  });
});
