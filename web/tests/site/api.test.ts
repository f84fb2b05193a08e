/** The page of the API: its forms send what they say, and show what comes back. */
import { describe, expect, it } from "vitest";
import { canRun, DESKTOP, PHONE, visits } from "./harness.ts";

describe.skipIf(!canRun)("the page of the API", () => {
  const here = visits();

  it("answers questions at once", async () => {
    const guest = await here.come(PHONE);
    const { page } = guest;
    await page.goto("/api#show_variant");
    const operation = page.locator("#show_variant");
    await operation.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => operation.locator(".try-answer").innerText()).toContain("200");
    expect(await operation.locator(".try-answer pre").innerText()).toContain('"name": "Diamond Chess"');
    await operation.locator("[name=id]").fill("nothing");
    guest.forgive(/status of 404/);
    await operation.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => operation.locator(".try-answer .fault").innerText()).toContain("404");
    const picture = page.locator("#picture_start");
    await picture.locator("summary").click();
    await picture.getByRole("button", { name: "Send" }).click();
    await picture.locator(".try-answer img").waitFor();
    expect(await guest.overflows()).toBe(false);
  });

  it("asks before it changes anything, and shows streams as they come", async () => {
    const guest = await here.come(DESKTOP);
    const { page } = guest;
    await page.goto("/api#make_game");
    const make = page.locator("#make_game");
    const asked: string[] = [];
    page.once("dialog", (dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    await make.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => asked.length).toBe(1);
    expect(await make.locator(".try-answer").innerText()).toBe("");
    page.once("dialog", (dialog) => void dialog.accept());
    await make.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => make.locator(".try-answer").innerText()).toContain("201");
    const stream = page.locator("#stream_live_games");
    await stream.locator("summary").click();
    await stream.getByRole("button", { name: "Connect" }).click();
    await expect.poll(() => stream.locator(".try-answer").innerText()).toContain('"type":"games"');
    await stream.getByRole("button", { name: "Stop" }).click();
    await stream.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });
  });
});
