/** Push messages in a browser: how they are shown. A message is delivered by the browser itself, without a push service. */
import { describe, expect, it } from "vitest";
import { ADDRESS, canRun, visits } from "./harness.ts";

describe.skipIf(!canRun)("a push message", () => {
  const here = visits();

  it("is shown as the server wrote it, and one that cannot be read as well", async () => {
    const guest = await here.come();
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
    const turn = { title: "Your turn", body: "Diamond Chess against Ann", url: "/game/one", tag: "one" };
    for (const data of [JSON.stringify(turn), "no JSON"]) {
      await developer.send("ServiceWorker.deliverPushMessage", { origin: ADDRESS, registrationId, data });
    }
    const shown = () =>
      guest.page.evaluate(async () => {
        const worker = await navigator.serviceWorker.ready;
        const notifications = await worker.getNotifications();
        return notifications.map(({ title, body, tag, data }) => ({ title, body, tag, url: data.url })).toSorted(
          (one, other) => one.title.localeCompare(other.title),
        );
      });
    await expect.poll(shown).toEqual([{ title: "Lozenge", body: "", tag: "", url: "/" }, turn]);
  });
});
