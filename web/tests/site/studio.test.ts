/** The studio: from nothing to a game of two players, by typing and clicking; faults; a file that is refused. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { LozBoard } from "../../src/board/index.ts";
import { canRun, DESKTOP, PHONE, type Visitor, createVisitors } from "./harness.ts";

/** A game on ten by ten squares with a lake, and a piece of its own. */
const LAKE = readFileSync(new URL("../../../testdata/variants/lake.toml", import.meta.url), "utf8");
let names = 0;
const unique = (): string => `Inventor${Date.now().toString(36)}${(names += 1)}`;

describe.skipIf(!canRun)("the studio", () => {
  const visitors = createVisitors();
  const inventor = async (): Promise<Visitor> => {
    const guest = await visitors.create(DESKTOP);
    const account = { name: unique(), password: "a long password" };
    expect((await guest.context.request.post("/api/account/register", { data: account })).status()).toBe(200);
    await guest.page.goto("/studio");
    return guest;
  };
  /** Replaces the text of the editor by what is typed. */
  const write = async (guest: Visitor, text: string): Promise<void> => {
    const editor = guest.page.locator(".cm-content");
    // On a phone the file is behind its tab.
    if (!(await editor.isVisible())) await guest.page.locator(".panes label", { hasText: "File" }).click();
    await editor.click();
    await guest.page.keyboard.press("Control+A");
    await guest.page.keyboard.insertText(text);
  };
  const state = (guest: Visitor) => guest.page.locator(".workbench-head .state").first();
  const expectState = async (guest: Visitor, expected: RegExp): Promise<void> => {
    await expect.poll(() => state(guest).innerText()).toMatch(expected);
  };

  const upload = (guest: Visitor, name: string, svg: string): Promise<void> =>
    guest.page
      .locator('.picture-send input[type="file"]')
      .setInputFiles({ name, mimeType: "image/svg+xml", buffer: Buffer.from(svg) });
  /** An inventor with Lake Chess in the editor, which has no faults. */
  const inventorOfLake = async (): Promise<Visitor> => {
    const guest = await inventor();
    await guest.button("A small game with comments").click();
    await guest.page.locator(".cm-content").waitFor();
    await write(guest, LAKE);
    await expectState(guest, /No faults/);
    return guest;
  };

  it("lets a new author create, publish and play a game", { timeout: 300_000 }, async () => {
    const ann = await inventor();
    await ann.button("A small game with comments").click();
    await ann.page.locator(".cm-content").waitFor();
    await ann.page.waitForURL(/\/studio\/\w+/);
    // A misspelled key is marked where it stands, and mended by a click.
    const name = `Lake ${unique()}`;
    const file = LAKE.replace('name = "Lake Chess"', `name = "${name}"`);
    await write(ann, file.replace('symmetry = "', 'symetry = "'));
    await expectState(ann, /1 fault/);
    await ann.page.locator(".cm-lintRange-error").first().waitFor();
    // The Tab key leads out of the editor, to the fault.
    await ann.page.locator(".cm-content").focus();
    await ann.page.keyboard.press("Tab");
    await expect.poll(() => ann.page.locator(".faults button").first().evaluate((one) => one === document.activeElement)).toBe(true);
    await ann.button("Change to symmetry").click();
    await expectState(ann, /No faults/);
    // The board, a piece's moves and the rules are beside it.
    const board = ann.page.locator(".preview loz-board");
    await ann.page.locator(".panes label", { hasText: "Board" }).click();
    const squares = () => board.evaluate((element) => (element as LozBoard).board?.squares.length);
    await expect.poll(squares).toBe(96);
    // A hole is painted by a click, on both sides and in the start, and goes again.
    await ann.page.locator(".panes label", { hasText: "Form" }).click();
    await ann.button("a8").click();
    await ann.button("a8, Hole").waitFor();
    await ann.button("a3, Hole").click();
    await ann.button("a8").waitFor();
    await ann.page.locator(".panes label", { hasText: "Board" }).click();
    await expectState(ann, /No faults/);
    await expect.poll(squares).toBe(96);
    await ann.page.locator(".panes label", { hasText: "Pieces" }).click();
    await ann.button("Otter").click();
    await expect.poll(() => ann.page.locator(".pieces-count").innerText()).toMatch(/^Otter on b1: \d squares$/);
    await ann.page.locator(".panes label", { hasText: "Rules" }).click();
    await ann.page.locator(".preview .written", { hasText: "Otter" }).waitFor();
    // Published, it is played at once.
    await ann.page.locator(".publish label", { hasText: "Anyone with the link" }).click();
    await ann.button("Publish").click();
    await ann.page.getByText("Version 1 is published.").waitFor();
    await ann.page.locator(".publish").getByRole("link", { name: "Play", exact: true }).click();
    await ann.page.locator(".play-form").waitFor();
    await ann.page.locator(".play-form label", { hasText: "Friend" }).click();
    await ann.page.getByText("Side, time control, position").click();
    await ann.page.getByRole("radio", { name: "White", exact: true }).check();
    await ann.page.locator(".play-form button[type=submit]").click();
    await ann.page.waitForURL("**/game/*");
    const id = new URL(ann.page.url()).pathname.split("/").at(-1) ?? "";
    const bob = await visitors.create(PHONE);
    await bob.join(id);
    await ann.page.locator('.g-page[data-status="started"]').waitFor();
    expect(await ann.turn()).toContain("a2a3");
    await ann.play("a2a3");
    expect(await bob.turn()).toContain("a9a8");
    await bob.play("a9a8");
    expect((await bob.game(id)).variant_name).toBe(name);
  });

  it("keeps text that is typed while a picture uploads", async () => {
    const ann = await inventorOfLake();
    // The list of pictures that is requested first comes last; the upload waits until the text has changed.
    const answers: (() => Promise<void>)[] = [];
    await ann.page.route("**/api/pictures", async (route) => {
      const isFirstList = route.request().method() === "GET" && answers.length === 0;
      if (!isFirstList && route.request().method() === "GET") return route.continue();
      const response = isFirstList ? await route.fetch() : undefined;
      answers.push(() => (response ? route.fulfill({ response }) : route.continue()));
    });
    await ann.page.locator(".panes label", { hasText: "Pictures" }).click();
    await ann.button("Otter").click();
    await expect.poll(() => answers.length).toBe(1);
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 45 45"><circle cx="22" cy="22" r="15"/></svg>';
    await upload(ann, "otter.svg", svg);
    await expect.poll(() => answers.length).toBe(2);
    await write(ann, LAKE.replace('name = "Lake Chess"', 'name = "Pond Chess"'));
    await answers[1]?.();
    const chosen = ann.page.locator('[aria-label="Picture 1"][aria-pressed="true"]');
    await chosen.waitFor();
    expect(await ann.page.locator(".cm-content").innerText()).toContain("Pond Chess");
    await answers[0]?.();
    await ann.page.evaluate(() => new Promise(requestAnimationFrame));
    expect(await chosen.count()).toBe(1);
  });

  it("sanitizes an uploaded SVG picture, and offers our own set", async () => {
    const ann = await inventorOfLake();
    await ann.page.locator(".panes label", { hasText: "Pictures" }).click();
    await ann.button("Otter").click();
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 45 45"><script>document.title = "broken"</script>
      <path onload="alert(1)" d="M5 40C5 20 15 5 30 8c6 1 9 6 6 9l-8 3 6 20z" fill="#fff" stroke="#000"/></svg>`;
    await upload(ann, "otter.svg", svg);
    await ann.page.getByText("Left out: onload, script").waitFor();
    await expectState(ann, /No faults/);
    await ann.page.locator('[aria-label="Picture 1"][aria-pressed="true"]').waitFor();
    // The board draws it on both sides.
    await ann.page.locator(".panes label", { hasText: "Board" }).click();
    const drawn = ann.page.locator(".preview loz-board .piece path");
    await drawn.first().waitFor({ state: "attached" });
    const board = ann.page.locator(".preview loz-board");
    const glyph = () => board.evaluate((element) => (element as LozBoard).board?.roles.find(({ id }) => id === "otter")?.glyph);
    expect(await glyph()).toMatch(/^[0-9a-f]{64}$/);
    await ann.page.locator(".panes label", { hasText: "Pictures" }).click();
    await ann.button("Otter").click();
    await ann.button("wolf").click();
    await ann.page.locator('[aria-label="wolf"][aria-pressed="true"]').waitFor();
    await ann.button("Delete picture 1").click();
    await ann.page.locator(".picture-own").waitFor({ state: "detached" });
    ann.ignoreErrors(/status of 422/);
    await upload(ann, "words.svg", '<svg xmlns="http://www.w3.org/2000/svg"><text>a</text></svg>');
    await ann.page.getByText("This SVG cannot be used").waitFor();
  });

  it("measures a game, shows progress and links to the report", { timeout: 480_000 }, async () => {
    const ann = await inventor();
    // Rules that have been measured here have their report already.
    const name = `Small ${unique()}`;
    const small = `extends = "gardner"\nid = "small"\nname = "${name}"\n`;
    await ann.button("A small game with comments").click();
    await ann.page.locator(".cm-content").waitFor();
    await ann.page.locator(".balance").waitFor();
    // Until the new text is checked, the rules at hand are those of the text before, which nobody wants to measure.
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await ann.page.route("**/api/variants/validate", async (route) => {
      await held;
      await route.continue();
    });
    await write(ann, small);
    await expect.poll(() => ann.button("Measure this game").isDisabled()).toBe(true);
    answer();
    await expectState(ann, /No faults/);
    await ann.page.locator(".balance select").selectOption("1000");
    await ann.button("Measure this game").click();
    // Measurements wait for the engine's moves in the games of other tests.
    await ann.page.getByText(/^\d+ of 3000 games$/).waitFor({ timeout: 120_000 });
    await ann.button("Cancel").click();
    await ann.page.getByText("The measurement was canceled.").waitFor();
    await ann.page.locator(".balance select").selectOption("50");
    await ann.button("Measure this game").click();
    await ann.page.locator(".balance").getByRole("link", { name: "Balance report" }).click({ timeout: 400_000 });
    await ann.page.getByRole("heading", { name, level: 1 }).waitFor();
    expect(await ann.audit()).toEqual([]);
    expect(await ann.overflows()).toBe(false);
  });

  it("opens a private game on the analysis board and in the editor", async () => {
    const ann = await inventor();
    const name = `Secret ${unique()}`;
    const source = LAKE.replace('name = "Lake Chess"', `name = "${name}"`);
    const response = await ann.context.request.post("/api/variants", { data: { source, visibility: "private" } });
    const { id } = (await response.json()) as { id: string };
    await ann.page.goto(`/variants/${id}`);
    await ann.page.getByRole("link", { name: "Analysis board" }).click();
    await ann.page.locator("loz-board .piece").first().waitFor({ state: "attached" });
    await ann.page.getByText(name).first().waitFor();
    await ann.page.goto(`/editor?variant=${id}`);
    await ann.page.locator(".e-palette").waitFor();
    await ann.page.getByRole("button", { name: /Otter/ }).first().click();
    expect(await ann.audit()).toEqual([]);
  });

  it("marks many errors in place, and shows the last valid board", async () => {
    const ann = await inventorOfLake();
    // A key is typed over: the browser's own way would set a style, which the policy refuses.
    await write(ann, 'extends = "chess"');
    await write(ann, LAKE);
    await expectState(ann, /No faults/);
    await write(ann, LAKE.replace(/^name = /gm, "nmae = ").replace('symmetry = "mirror-ranks"', 'symmetry = "upside"'));
    await expectState(ann, /^(9|1\d) faults/);
    expect(await ann.page.locator(".faults li").count()).toBeGreaterThanOrEqual(9);
    await ann.page.locator(".panes label", { hasText: "Board" }).click();
    await ann.page.getByText("This is the last version without faults.").waitFor();
    expect(await ann.button("Publish").isDisabled()).toBe(true);
    expect(await ann.audit()).toEqual([]);
  });

  it("opens with form and file side by side, and cuts no comment", async () => {
    for (const device of [DESKTOP, PHONE]) {
      const guest = await visitors.create(device);
      const { page } = guest;
      await page.goto("/studio");
      await guest.button("A small game with comments").click();
      await page.locator(".cm-content").waitFor({ state: "attached" });
      await page.locator(".cells").waitFor();
      const field = page.getByLabel("Name", { exact: true });
      await field.fill("Six by Six");
      await expectState(guest, /No faults/);
      const file = page.locator(".file");
      const isWide = device === DESKTOP;
      expect(await file.isVisible()).toBe(isWide);
      if (isWide) {
        const [form, beside] = [await page.locator(".preview").boundingBox(), await file.boundingBox()];
        expect((form?.x ?? 0) + (form?.width ?? 0)).toBeLessThanOrEqual(beside?.x ?? 0);
        expect(Math.abs((form?.y ?? 0) - (beside?.y ?? 0))).toBeLessThanOrEqual(2);
      } else {
        await page.locator(".panes label", { hasText: "File" }).click();
      }
      expect(await page.locator(".cm-content").innerText()).toContain('name = "Six by Six"');
      const cut = await page.locator(".cm-scroller").evaluate((scroller) => scroller.scrollWidth - scroller.clientWidth);
      expect(cut).toBeLessThanOrEqual(0);
      // No tab is chosen twice, and nothing that looks like one is left among the pieces.
      expect(await page.locator(".panes input:checked").count()).toBe(1);
      await page.locator(".panes label", { hasText: "Pieces" }).click();
      const chips = await page.locator(".preview .chip").allInnerTexts();
      expect(chips).toEqual(["Bishop", "King", "Knight", "Pawn", "Rook"]);
      expect(await guest.overflows()).toBe(false);
      expect(await guest.audit()).toEqual([]);
    }
  });

  it("rejects a file that would take too long", async () => {
    const eve = await inventor();
    const groups = '{ betza = "[F?fR?sF]" }, '.repeat(32);
    const roles = [..."ABCDEFGHIJLMNOPQRSTUVWX"].map(
      (letter) => `[roles.${letter}]\nname = "Piece ${letter}"\nmoves = [${groups}]\n`,
    );
    const source = [
      'id = "hostile"\nname = "Hostile"\n[board]\nsquares = """',
      ...Array.from({ length: 16 }, () => "................"),
      '"""\nwrap = "both"\n[roles.K]\nname = "King"\nroyal = true\nmoves = "K"',
      ...roles,
      `[start]\nfen = "k15/${"16/".repeat(14)}K15 w - - 0 1"\n`,
    ].join("\n");
    const request = eve.context.request.post("/api/variants/validate", { data: { source } });
    const answer = (await (await request).json()) as { valid: boolean; faults: { message: string }[] };
    expect(answer.valid).toBe(false);
    expect(answer.faults[0]?.message).toMatch(/at most/);
  });

  it("stores a guest's draft in the browser, and fits a phone", async () => {
    const guest = await visitors.create(PHONE);
    await guest.page.goto("/studio");
    await guest.button("A small game with comments").click();
    await guest.page.locator(".cm-content").waitFor({ state: "attached" });
    await write(guest, LAKE);
    await guest.page.getByText("Saved in this browser").waitFor();
    await guest.page.locator(".panes label", { hasText: "Board" }).click();
    await guest.page.locator(".preview loz-board").waitFor();
    expect(await guest.overflows()).toBe(false);
    // It is still there when the page is loaded again, and other drafts leave it alone.
    await guest.page.reload();
    await expectState(guest, /No faults/);
    await guest.page.goto("/studio");
    await guest.button("A small game with comments").click();
    await guest.page.locator(".cm-content").waitFor({ state: "attached" });
    await write(guest, LAKE.replace('name = "Lake Chess"', 'name = "Pond Chess"'));
    // Left before it was saved.
    await guest.page.goto("/studio");
    await guest.button("Pond Chess").waitFor();
    // An account takes it along.
    const account = { name: unique(), password: "a long password" };
    expect((await guest.context.request.post("/api/account/register", { data: account })).status()).toBe(200);
    await guest.page.goto("/studio");
    await guest.button("Lake Chess").click();
    await guest.page.waitForURL(/\/studio\/\w+/);
    await expectState(guest, /No faults/);
    await guest.page.goto("/studio");
    await guest.page.getByRole("link", { name: "Lake Chess" }).waitFor();
    await guest.button("Pond Chess").waitFor();
    expect(await guest.button("Lake Chess").count()).toBe(0);
  });

  it("links gallery entries to game pages with likes and comments", async () => {
    const ann = await inventor();
    const name = `Lake ${unique()}`;
    const source = LAKE.replace('name = "Lake Chess"', `name = "${name}"`);
    const response = await ann.context.request.post("/api/variants", { data: { source, visibility: "public" } });
    expect(response.status(), await response.text()).toBe(201);
    await ann.page.goto(`/variants?q=${encodeURIComponent(name)}`);
    await ann.page.getByRole("link", { name, exact: true }).click();
    await ann.button("Like").click();
    await ann.page.getByRole("button", { name: /^Liked 1$/ }).waitFor();
    await ann.page.getByLabel("Your comment").fill("Otters are strong.");
    await ann.button("Send").click();
    await ann.page.locator(".comments", { hasText: "Otters are strong." }).waitFor();
    expect(await ann.audit()).toEqual([]);
    await ann.page.getByRole("link", { name: "otter", exact: true }).waitFor();
  });
});
