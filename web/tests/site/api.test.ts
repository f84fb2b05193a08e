/** The page of the API: its forms send the request that they show, and show the answer. */
import { describe, expect, it } from "vitest";
import { canRun, DESKTOP, PHONE, createVisitors } from "./harness.ts";

describe.skipIf(!canRun)("the API page", () => {
  const visitors = createVisitors();

  it("sends GET requests without confirmation", async () => {
    const guest = await visitors.create(PHONE);
    const { page } = guest;
    await page.goto("/api#show_variant");
    const operation = page.locator("#show_variant");
    await operation.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => operation.locator(".try-answer").innerText()).toContain("200");
    await expect.poll(() => operation.locator(".try-answer pre").innerText()).toContain('"name": "Diamond Chess"');
    await operation.locator("[name=id]").fill("nothing");
    guest.ignoreErrors(/status of 404/);
    await operation.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => operation.locator(".try-answer .fault").innerText()).toContain("404");
    const picture = page.locator("#picture_start");
    await picture.locator("summary").click();
    await picture.getByRole("button", { name: "Send" }).click();
    await picture.locator(".try-answer img").waitFor();
    expect(await guest.overflows()).toBe(false);
  });

  it("asks before requests that change data, shows streams live", async () => {
    const guest = await visitors.create(DESKTOP);
    const { page } = guest;
    await page.goto("/api#make_game");
    const operation = page.locator("#make_game");
    const questions: string[] = [];
    page.once("dialog", (dialog) => {
      questions.push(dialog.message());
      void dialog.dismiss();
    });
    await operation.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => questions.length).toBe(1);
    expect(await operation.locator(".try-answer").innerText()).toBe("");
    page.once("dialog", (dialog) => void dialog.accept());
    await operation.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => operation.locator(".try-answer").innerText()).toContain("201");
    const stream = page.locator("#stream_live_games");
    await stream.locator("summary").click();
    await stream.getByRole("button", { name: "Connect" }).click();
    await expect.poll(() => stream.locator(".try-answer").innerText()).toContain('"type":"games"');
    await stream.getByRole("button", { name: "Stop" }).click();
    await stream.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });
  });
});
