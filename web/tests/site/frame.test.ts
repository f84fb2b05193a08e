/** The frame of all pages: unknown addresses, languages, themes, and the bar on a narrow phone. */
import { describe, expect, it } from "vitest";
import { ADDRESS, canRun, DESKTOP, PHONE, createVisitors } from "./harness.ts";

const NARROW = { ...PHONE, viewport: { width: 320, height: 640 } };

describe.skipIf(!canRun)("the page frame", () => {
  const visitors = createVisitors();

  it.each(["/nowhere", "/game/doesnotexist", "/rules/nosuchgame", "/player/nobody-at-all"])(
    "shows a not-found page with a way back at %s",
    async (path) => {
      const guest = await visitors.create(PHONE);
      guest.ignoreErrors(/status of 404/);
      const response = await guest.page.goto(path);
      expect(response?.status()).toBe(404);
      expect(await guest.page.locator("h1").innerText()).toBe("Page not found");
      expect(await guest.overflows()).toBe(false);
      await guest.page.getByRole("link", { name: "Back to the games" }).click();
      await guest.page.locator(".play-form").waitFor();
    },
  );

  it("serves its own fonts with their license", async () => {
    const guest = await visitors.create(DESKTOP);
    await guest.page.goto("/about");
    const loaded = await guest.page.evaluate(async () => {
      await document.fonts.ready;
      return [...document.fonts].filter(({ status }) => status === "loaded").map(({ family }) => family.replaceAll('"', ""));
    });
    expect(loaded).toEqual(expect.arrayContaining(["Hanken Grotesk", "Brygada 1918"]));
    const license = guest.page.getByRole("link", { name: "SIL Open Font License" });
    const response = await guest.context.request.get(`${ADDRESS}${await license.getAttribute("href")}`);
    expect(await response.text()).toContain("SIL OPEN FONT LICENSE");
  });

  it("shows the not-found page in the reader's language", async () => {
    const guest = await visitors.create({ ...DESKTOP, locale: "de-DE" });
    guest.ignoreErrors(/status of 404/);
    await guest.page.goto("/nowhere");
    expect(await guest.page.locator("h1").innerText()).toBe("Seite nicht gefunden");
    await guest.page.goto("/about");
    expect(await guest.page.locator("h2").first().innerText()).toBe("Genaue Regeln");
  });

  it("uses the browser's or the selected language everywhere", async () => {
    const guest = await visitors.create({ ...DESKTOP, locale: "de-DE" });
    await guest.page.goto("/");
    expect(await guest.page.locator("h1").innerText()).toBe("Schach auf Rautenbrettern");
    expect(await guest.page.locator(".play-form button[type=submit]").innerText()).toMatch(/^Dia.* spielen$/);
    const choose = async (panel: string, language: string): Promise<void> => {
      await guest.page.getByLabel(panel).click();
      await guest.page.locator(".looks-panel label", { hasText: language }).click();
    };
    await choose("Darstellung, Ton und Sprache", "English");
    await guest.page.getByText("Chess on diamond boards").first().waitFor();
    expect(await guest.page.locator("html").getAttribute("lang")).toBe("en");
    const game = await guest.createGame({ variant: "diamondback", opponent: { kind: "engine", level: 1 } });
    await guest.open(game.id);
    expect(await guest.page.locator("loz-board [role=grid]").getAttribute("aria-label")).toContain("Arrow keys move");
    await choose("Appearance, sound and language", "Deutsch");
    await guest.page.getByRole("button", { name: "Hilfe" }).waitFor();
    await guest.ready();
    expect(await guest.page.locator("html").getAttribute("lang")).toBe("de");
    await guest.page.locator('loz-board [role=gridcell][aria-label^="a1, König weiß"]').waitFor({ state: "attached" });
    // A signed-out browser keeps the language, too: the next page speaks it.
    await guest.page.goto("/rules");
    expect(await guest.page.locator("h1").innerText()).toBe("Die Spiele");
  });

  it("describes a game in text without JavaScript", async () => {
    const reader = await visitors.create({ ...PHONE, javaScriptEnabled: false, locale: "de-DE" });
    const { id, state } = await reader.createGame({ variant: "diamond", opponent: { kind: "engine", level: 1 } });
    const [move] = state.moves;
    for (const action of [{ type: "move", move, ply: 0 }, { type: "resign" }]) {
      await reader.context.request.post(`/api/games/${id}/actions`, { data: action });
    }
    const { history } = await reader.game(id);
    await reader.page.goto(`/game/${id}`);
    expect(await reader.page.locator("h1").innerText()).toBe("Diamond Chess");
    expect(await reader.page.locator("#game img").getAttribute("alt")).toContain("die Stellung nach 1");
    const gameText = await reader.page.locator(".g-told").innerText();
    for (const text of ["Schwarz gewinnt durch Aufgabe.", "Gast", "Lozenge, Stufe 1", `1. ${history[0]?.san}`, "JavaScript"]) {
      expect(gameText).toContain(text);
    }
  });

  it.each(["de-DE", "en-US"])("fits a narrow phone (%s)", async (locale) => {
    const guest = await visitors.create({ ...NARROW, locale });
    const name = `${"W".repeat(12)}${Math.floor(Math.random() * 1e7)}`.padEnd(20, "M");
    const data = { name, password: "correct horse" };
    expect((await guest.context.request.post("/api/account/register", { data })).status()).toBe(200);
    const clock = { kind: "live", initial_s: 300, increment_s: 3 } as const;
    const { id, state } = await guest.createGame({ variant: "diamond", opponent: { kind: "engine", level: 1 }, clock });
    for (const action of [{ type: "move", move: state.moves[0], ply: 0 }, { type: "resign" }]) {
      await guest.context.request.post(`/api/games/${id}/actions`, { data: action });
    }
    await guest.createGame({ variant: "diamondring", opponent: { kind: "engine", level: 1 }, clock });
    for (const path of ["/", "/rules/diamondring", "/rules/diamondring-fusion", "/api", "/live", `/player/${name}`]) {
      await guest.page.goto(path);
      await guest.page.waitForTimeout(600);
      expect(await guest.page.evaluate(() => document.documentElement.scrollWidth), path).toBe(NARROW.viewport.width);
      const out = await guest.page.locator(".games-list a > *, .tile > span").evaluateAll((parts) =>
        parts.filter((part) => {
          const around = part.parentElement?.getBoundingClientRect();
          const range = document.createRange();
          range.selectNodeContents(part);
          const { left, right } = range.getBoundingClientRect();
          return around && part.textContent !== "" && (left < around.left || right > around.right);
        }).map((part) => part.textContent),
      );
      expect(out, path).toEqual([]);
    }
  });

  it.each(["de-DE", "en-US"])("has a top bar that fits a narrow phone with a long name (%s)", async (locale) => {
    const guest = await visitors.create({ ...NARROW, locale });
    const fits = async (): Promise<void> => {
      expect(await guest.overflows()).toBe(false);
      const truncated = await guest.page.locator(".top a, .top summary").evaluateAll((all) =>
        all
          .map((one) => [one.textContent ?? "", one.getBoundingClientRect()] as const)
          .filter(([, box]) => box.left < 0 || box.right > window.innerWidth + 0.5)
          .map(([text]) => text),
      );
      expect(truncated).toEqual([]);
      // The menu opens below the bar.
      const rows = await guest.page.locator(".top a:not(.more-ways a), .more-ways > summary").evaluateAll((all) => {
        const places = all.map((one) => one.getBoundingClientRect()).filter(({ width }) => width > 0);
        return places.every((box, index) => index === 0 || box.left >= (places[index - 1]?.right ?? 0) - 0.5);
      });
      expect(rows).toBe(true);
    };
    for (const path of ["/", "/rules", "/live", "/login", "/about"]) {
      await guest.page.goto(path);
      await guest.page.locator(".looks").waitFor();
      await fits();
    }
    const name = `W${Date.now().toString(36)}${"w".repeat(20)}`.slice(0, 20);
    await guest.context.request.post("/api/account/register", { data: { name, password: "correct horse" } });
    for (const path of ["/", "/account"]) {
      await guest.page.goto(path);
      await guest.page.locator(".looks").waitFor();
      await fits();
    }
    await guest.page.locator(".more-ways summary").click();
    await guest.page.locator(".more-ways a").last().waitFor();
    await fits();
    await guest.page.locator(".looks summary").click();
    await guest.page.locator(".looks-panel").waitFor();
    await fits();
  });

  it("keeps the selected theme across pages without an account", async () => {
    const guest = await visitors.create({ ...DESKTOP, colorScheme: "light" });
    await guest.page.goto("/");
    const ground = () => guest.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await guest.page.getByLabel("Appearance, sound and language").click();
    await guest.page.locator(".looks-panel label", { hasText: "Dark" }).click();
    await expect.poll(ground).not.toBe(light);
    const dark = await ground();
    await guest.page.goto("/rules");
    await expect.poll(ground).toBe(dark);
    await guest.page.keyboard.press("Tab");
    expect(await guest.page.evaluate(() => document.activeElement?.className)).toBe("skip");
  });
});
