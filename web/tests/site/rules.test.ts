/** The pages on which games are explained: each has a diagram that answers. */
import { describe, expect, it } from "vitest";
import { ADDRESS, canRun, DESKTOP, PHONE, visits } from "./harness.ts";

interface Summary {
  id: string;
  name: string;
  main: boolean;
}

const games: Summary[] = canRun
  ? ((await (await fetch(`${ADDRESS}/api/variants`)).json()) as Summary[])
  : [];

describe.skipIf(!canRun)("rules", () => {
  const here = visits();

  it("lead from the list to every game", async () => {
    const guest = await here.come(PHONE);
    await guest.page.goto("/rules");
    const links = await guest.page.locator(".card h3 a").evaluateAll((all) => all.map((a) => a.getAttribute("href")));
    expect([...links].sort()).toEqual(games.map(({ id }) => `/rules/${id}`).sort());
    expect(links.length).toBeGreaterThan(4);
  });

  // One page after the other in the same window, as somebody reads them.
  it("show where men may go: every man of the five games, and the last one of the others", { timeout: 180_000 }, async () => {
    const guest = await here.come(DESKTOP);
    const { page } = guest;
    const count = page.locator(".men-count");
    for (const { id, name, main } of games) {
      await page.goto(`/rules/${id}`);
      expect(await page.locator("h1").innerText()).toBe(name);
      await guest.ready();
      const men = page.locator(".men-buttons label");
      const roles = await men.evaluateAll((all) => all.map((man) => man.lastElementChild?.textContent ?? ""));
      expect(roles.length, name).toBeGreaterThan(2);
      for (const [index, role] of roles.entries()) {
        if (!main && index < roles.length - 1) continue;
        await men.nth(index).click();
        const message = `${name}: ${role}`;
        await expect.poll(() => count.innerText(), { message }).toContain(`${role} on `);
        // As many squares are marked as are told, as soon as they are told.
        const marked = await page.evaluate(() => {
          const marks = document.querySelector("loz-board")?.marks ?? [];
          return new Set(marks.filter(({ kind }) => kind !== "from").map(({ square }) => square)).size;
        });
        expect(marked, message).toBeGreaterThan(0);
        expect(await count.innerText(), message).toMatch(new RegExp(`: ${marked} squares$`));
      }
      const before = await count.innerText();
      const corner = await page.evaluate(() => document.querySelector("loz-board")?.board?.squares[0]?.name ?? "");
      await page.mouse.click(...(await guest.at(corner)));
      await expect.poll(() => count.innerText(), { message: name }).toMatch(new RegExp(` ${corner}\\b`));
      expect(await count.innerText(), name).not.toBe(before);
    }
  });

  it("put the man on the square that is clicked, for either side and in either view", async () => {
    const guest = await here.come(DESKTOP);
    const { page } = guest;
    await page.goto("/rules/diamondring");
    await guest.ready();
    const count = page.locator(".men-count");
    await page.locator(".men-buttons label", { hasText: /^Knight$|^Rook$/ }).first().click();
    const role = await page.locator(".men-buttons label:has(:checked)").innerText();
    const click = async (square: string): Promise<void> => {
      await page.mouse.click(...(await guest.at(square)));
      await expect.poll(() => count.innerText()).toContain(`${role} on ${square}:`);
    };
    await click("c4");
    const white = await count.innerText();
    await page.getByRole("radio", { name: "Square" }).check();
    await click("k9");
    await page.getByRole("radio", { name: "Black" }).check();
    await click("c4");
    // What such a man can do does not depend on its color.
    expect(await count.innerText()).toBe(white);
    const men = await page.evaluate(() => document.querySelector("loz-board")?.men.map((man) => man.color));
    expect(men).toEqual(["black"]);
    expect(await guest.overflows()).toBe(false);
  });

  it("speak the reader's language, on the board too", async () => {
    const guest = await here.come({ ...PHONE, locale: "de-DE" });
    const { page } = guest;
    await page.goto("/rules/diamondring");
    await guest.ready();
    expect(await page.locator(".lead").innerText()).toMatch(/^Ein Brett/);
    expect(await page.locator(".written h3").allInnerTexts()).toContain("Die Figuren");
    expect(await page.locator(".told", { hasText: "Turm" }).innerText()).toContain("Zieht oder schlägt beliebig viele Felder");
    expect(await guest.overflows()).toBe(false);
    expect(await page.locator("loz-board").getByRole("grid").getAttribute("aria-label")).toContain("Pfeiltasten");
    await page.getByRole("button", { name: "Verstanden" }).waitFor();
  });

  it("keep the man in hand, whatever is pressed and however soon", async () => {
    const guest = await here.come(DESKTOP);
    const { page } = guest;
    await page.goto("/rules/diamond");
    await guest.ready();
    const count = page.locator(".men-count");
    const before = await page.evaluate(() => document.querySelector("loz-board")?.men[0]?.square);
    // The moment after a change, before anything is drawn again.
    const held = await page.getByRole("radio", { name: "Black" }).evaluate(async (radio) => {
      (radio as HTMLInputElement).click();
      await new Promise((done) => setTimeout(done));
      const board = document.querySelector("loz-board");
      return { color: board?.men[0]?.color, square: board?.hand.selected };
    });
    expect(held).toEqual({ color: "black", square: before });
    // The man itself, which elsewhere lets go of it, and the ground beside the board.
    const [name, corner] = await page.evaluate(() => {
      const { men = [], board } = document.querySelector("loz-board") ?? {};
      return [men[0]?.square ?? -1, 0].map((square) => board?.squares[square]?.name ?? "");
    });
    if (!name || !corner) throw new Error("expected a man and a board");
    await page.mouse.click(...(await guest.at(name)));
    await page.mouse.click(...(await guest.at(corner)));
    await expect.poll(() => count.innerText()).toMatch(new RegExp(` on ${corner}:`));
    const box = await page.locator("loz-board").boundingBox();
    if (!box) throw new Error("expected a board");
    await page.mouse.click(box.x + 3, box.y + 3);
    await page.mouse.click(...(await guest.at(name)));
    await expect.poll(() => count.innerText()).toContain(` on ${name}:`);
  });
});
