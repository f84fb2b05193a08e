/** Studies: made from a board, edited by two at once, one of them offline for a while; chapters, keys, embedding. */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { Schemas } from "../../src/common/api.ts";
import { ADDRESS, canRun, DESKTOP, hasModule, PHONE, type Visitor, createVisitors } from "./harness.ts";

describe.skipIf(!canRun)("study", () => {
  const visitors = createVisitors();
  let mark = "";
  let names = 0;
  beforeAll(() => {
    mark = Date.now().toString(36).slice(-5);
  });
  const register = async (visitor: Visitor, name: string): Promise<string> => {
    // A test that runs a second time needs other names.
    const data = { name: `${name}_${mark}${(names += 1)}`, password: "correct horse battery" };
    const response = await visitor.context.request.post(`${ADDRESS}/api/account/register`, { data });
    expect(response.ok(), await response.text()).toBe(true);
    return data.name;
  };
  const createStudy = async (owner: Visitor, study: Partial<Schemas["NewStudy"]>): Promise<Schemas["StudyImport"]> => {
    const response = await owner.context.request.post(`${ADDRESS}/api/studies`, { data: { name: "Two pens", ...study } });
    expect(response.status(), await response.text()).toBe(201);
    return (await response.json()) as Schemas["StudyImport"];
  };
  const waitForBoard = async (page: Page, status = "open"): Promise<void> => {
    await page.waitForFunction(
      () => {
        const board = document.querySelector("loz-board");
        return board?.shadowRoot?.querySelector(".piece") && board.destinations.length > 0;
      },
      null,
      { timeout: 30_000 },
    );
    await page.locator(`[data-status="${status}"]`).waitFor({ state: "attached" });
  };
  const moves = async (page: Page): Promise<string[]> =>
    (await page.locator(".a-move").allInnerTexts()).map((text) => text.replace(/^\d+[.…]\s*/, "").replace(/[!?]+$/, "").trim()).sort();
  const type = async (page: Page, move: string): Promise<void> => {
    const field = page.locator("#a-typed");
    await field.fill(move);
    await field.press("Enter");
  };

  it("loses no move of two members, one of them offline", async () => {
    const [ann, bob] = [await visitors.create(DESKTOP), await visitors.create(PHONE)];
    await register(ann, "Ann");
    const name = await register(bob, "Bob");
    const { id } = await createStudy(ann, { chapter: { variant: "diamond" } });
    const member = await ann.context.request.put(`${ADDRESS}/api/studies/${id}/members/${name}`, { data: { writes: true } });
    expect(member.ok()).toBe(true);
    for (const { page } of [ann, bob]) {
      await page.goto(`/study/${id}`);
      await waitForBoard(page);
    }
    // A change reaches the other in a second.
    await type(ann.page, "d3d4");
    await expect.poll(() => moves(bob.page), { timeout: 3_000 }).toEqual(["dd4"]);
    await type(ann.page, "e8d6");
    await expect.poll(() => moves(bob.page)).toEqual(["Nd6", "dd4"]);
    // Bob loses his connection and goes on with the line.
    await bob.page.locator(".a-move", { hasText: "Nd6" }).click();
    await waitForBoard(bob.page);
    // The rules have come.
    if (await hasModule()) {
      await bob.page.waitForFunction(() => {
        const module = performance.getEntriesByType("resource").find(({ name }) => name.endsWith(".wasm"));
        return module && (module as PerformanceResourceTiming).responseEnd > 0;
      });
    }
    bob.ignoreErrors(/ERR_INTERNET_DISCONNECTED|WebSocket/);
    await bob.context.setOffline(true);
    await bob.page.locator('[data-status="lost"]').waitFor({ state: "attached" });
    await type(bob.page, "e3d3");
    if (await hasModule()) {
      // The rules run in the browser, so that the line is there at once and goes on.
      await expect.poll(() => moves(bob.page)).toEqual(["Nd6", "Rd3", "dd4"]);
      await type(bob.page, "d7d6");
      await bob.page.getByText("d7d6 is not a legal move here").waitFor();
      await waitForBoard(bob.page, "lost");
    } else {
      await bob.page.getByText("is kept and added later").waitFor();
    }
    await bob.page.locator("#a-comment").fill("Bob was here");
    await bob.page.getByText("No connection. Your changes").waitFor();
    // Ann deletes the line meanwhile and makes others.
    await ann.page.locator(".a-move", { hasText: "dd4" }).click();
    await ann.button("Delete from here").click();
    await type(ann.page, "f3f4");
    await ann.page.locator("#a-comment").fill("Ann, too");
    await bob.page.waitForTimeout(10_000);
    await bob.context.setOffline(false);
    await bob.page.locator('[data-status="open"]').waitFor({ state: "attached", timeout: 20_000 });
    await expect.poll(() => bob.page.getByText(/is not a legal move here|kept and added later|No connection/).count()).toBe(0);
    const all = ["Nd6", "Rd3", "dd4", "ff4"];
    for (const { page } of [ann, bob]) {
      await expect.poll(() => moves(page)).toEqual(all);
      await page.locator(".a-comment", { hasText: "Bob was here" }).waitFor();
      await page.locator(".a-comment", { hasText: "Ann, too" }).waitFor();
    }
    const pgn = await (await ann.context.request.get(`${ADDRESS}/api/studies/${id}.pgn`)).text();
    for (const word of [...all, "Bob was here", "Ann, too"]) expect(pgn).toContain(word);
    await bob.page.reload();
    await waitForBoard(bob.page);
    expect(await moves(bob.page)).toEqual(all);
    expect(await bob.overflows()).toBe(false);
    expect(await bob.audit()).toEqual([]);
  });

  it("may be left right after typing, and saves what was typed", async () => {
    const ann = await visitors.create(DESKTOP);
    await register(ann, "Hasty");
    const { id } = await createStudy(ann, { chapter: { variant: "diamond" } });
    await ann.page.goto(`/study/${id}`);
    await waitForBoard(ann.page);
    await type(ann.page, "d3d4");
    await expect.poll(() => moves(ann.page)).toEqual(["dd4"]);
    await ann.page.locator("#a-comment").fill("A pawn goes first");
    const isFree = await ann.page.evaluate(() => dispatchEvent(new Event("beforeunload", { cancelable: true })));
    expect(isFree, "the browser asks whether to leave").toBe(true);
    await ann.page.goto("/study");
    await expect.poll(async () => (await ann.context.request.get(`${ADDRESS}/api/studies/${id}/pgn`)).text()).toContain("A pawn goes first");
  });

  it("shows the other members, and follows one until a move", async () => {
    const [ann, bob] = [await visitors.create(DESKTOP), await visitors.create(PHONE)];
    const owner = await register(ann, "Anni");
    const name = await register(bob, "Bobb");
    const { id, chapters } = await createStudy(ann, { chapter: { variant: "diamond" } });
    const added = await ann.context.request.post(`${ADDRESS}/api/studies/${id}/chapters`, { data: { name: "The second", variant: "diamond" } });
    const second = ((await added.json()) as Schemas["StudyImport"]).chapters[0]?.id ?? "";
    await ann.context.request.put(`${ADDRESS}/api/studies/${id}/members/${name}`, { data: { writes: true } });
    const first = `/study/${id}/${chapters[0]?.id ?? ""}`;
    for (const { page } of [ann, bob]) {
      await page.goto(first);
      await waitForBoard(page);
    }
    const fen = ({ page }: Visitor): Promise<string | undefined> => page.evaluate(() => document.querySelector("loz-board")?.pieces.map(({ square, role, color }) => `${square}${role}${color}`).sort().join());
    // Each sees the other, in the list of chapters and below it.
    await ann.page.locator("ol .s-at", { hasText: name }).waitFor();
    await bob.page.locator("ol .s-at", { hasText: owner }).waitFor();
    const follow = bob.page.getByRole("button", { name: `Follow ${owner}` });
    await follow.click();
    expect(await follow.getAttribute("aria-pressed")).toBe("true");
    // Bob's board goes where Ann goes, also back.
    await type(ann.page, "d3d4");
    await bob.page.locator(".s-here .s-where", { hasText: "1. dd4" }).waitFor();
    await expect.poll(() => fen(bob)).toBe(await fen(ann));
    await ann.page.locator("h1").click();
    await ann.page.keyboard.press("ArrowLeft");
    await expect.poll(() => bob.page.locator('.a-move[aria-current]').count()).toBe(0);
    await expect.poll(() => fen(bob)).toBe(await fen(ann));
    expect(await bob.audit()).toEqual([]);
    expect(await bob.overflows()).toBe(false);
    // And into another chapter.
    await ann.page.goto(`/study/${id}/${second}`);
    await waitForBoard(ann.page);
    await bob.page.getByRole("heading", { name: "The second" }).waitFor();
    await waitForBoard(bob.page);
    await type(ann.page, "f3f4");
    await expect.poll(() => bob.page.locator('.a-move[aria-current]').allInnerTexts()).toEqual([expect.stringContaining("ff4")]);
    // Until he moves on his own.
    await type(bob.page, "d7d6");
    await expect.poll(() => follow.getAttribute("aria-pressed")).toBe("false");
    await ann.page.locator("h1").click();
    await ann.page.keyboard.press("ArrowLeft");
    await ann.page.locator(".s-here .s-where", { hasText: "1… dd6" }).waitFor();
    expect(await bob.page.locator('.a-move[aria-current]').innerText()).toContain("dd6");
    // A member who leaves is not there any more.
    await ann.page.goto("/");
    await expect.poll(() => bob.page.locator(".s-here").count()).toBe(0);
  });

  it("can be created from an analysis and edited by keyboard alone", async () => {
    const ann = await visitors.create(DESKTOP);
    const { page } = ann;
    await register(ann, "Cleo");
    await page.goto("/analysis?variant=diamondback");
    await page.waitForFunction(() => (document.querySelector("loz-board")?.destinations.length ?? 0) > 0);
    await page.keyboard.press("t");
    await page.keyboard.type("c1e2");
    await page.keyboard.press("Enter");
    await page.locator(".a-move").waitFor();
    await page.getByRole("button", { name: "Study", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/study\/\w+$/);
    await waitForBoard(page);
    expect(await moves(page)).toEqual(["Ne2"]);
    await page.locator("h1").click();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("3");
    await page.locator(".a-move", { hasText: "!!" }).waitFor();
    await page.keyboard.press("d");
    await page.keyboard.type("typed");
    await page.locator(".a-comment", { hasText: "typed" }).waitFor();
    await page.locator("#a-comment").blur();
    const address = new URL(page.url()).pathname;
    // A second chapter, and back by its key.
    await page.getByRole("button", { name: "Add chapter" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByLabel("Name of the chapter").fill("The second");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "The second" }).waitFor();
    await waitForBoard(page);
    // The study opens again at the chapter that was open last.
    await page.goto("/");
    await page.goto(address);
    await page.getByRole("heading", { name: "The second" }).waitFor();
    await waitForBoard(page);
    await page.keyboard.press("p");
    await page.locator(".a-comment", { hasText: "typed" }).waitFor();
    await page.locator(".a-move", { hasText: "!!" }).waitFor();
  });

  it("opens the last chapter without the first", async () => {
    const ann = await visitors.create(DESKTOP);
    const { page } = ann;
    await register(ann, "last");
    const { id } = await createStudy(ann, { chapter: { variant: "diamond" } });
    const response = await ann.context.request.post(`${ADDRESS}/api/studies/${id}/chapters`, { data: { name: "The second", variant: "diamond" } });
    expect(response.ok(), await response.text()).toBe(true);
    const { chapters } = (await response.json()) as Schemas["StudyImport"];
    const second = `/study/${id}/${chapters[0]?.id ?? ""}`;
    await page.goto(second);
    await page.getByRole("heading", { name: "The second" }).waitFor();
    await waitForBoard(page);
    await page.goto("/");
    // The second chapter loads late, so that a session of the first one would have time to connect.
    await page.route(`**${second}`, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      await route.continue();
    });
    let sockets = 0;
    page.on("websocket", () => (sockets += 1));
    await page.goto(`/study/${id}`, { waitUntil: "commit" });
    await page.getByRole("heading", { name: "The second" }).waitFor();
    await waitForBoard(page);
    expect(sockets).toBe(1);
  });

  it("closes the chapter form by Escape after an error", async () => {
    const ann = await visitors.create(DESKTOP);
    const { page } = ann;
    ann.ignoreErrors(/422/);
    await register(ann, "esc");
    const { id, chapters } = await createStudy(ann, { chapter: { variant: "diamond" } });
    await page.goto(`/study/${id}/${chapters[0]?.id ?? ""}`);
    await waitForBoard(page);
    await ann.button("Add chapter").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Begin with").selectOption("fen");
    await dialog.getByLabel("Position (FEN)", { exact: true }).fill("bad fen");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.getByRole("alert").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  it("imports games, and shows no success message next to an error", async () => {
    const ann = await visitors.create(DESKTOP);
    const { page } = ann;
    await register(ann, "imp");
    const { id, chapters } = await createStudy(ann, { chapter: { variant: "diamond" } });
    await page.goto(`/study/${id}/${chapters[0]?.id ?? ""}`);
    await waitForBoard(page);
    await page.getByRole("button", { name: "Share", exact: true }).click();
    const dialog = page.getByRole("dialog");
    const field = dialog.locator("textarea[required]");
    const send = dialog.getByRole("button", { name: "Import PGN" });
    await field.fill('[Event "A"]\n\n1. dd4 Nd6 *\n\n[Event "B"]\n\n1. c4 c6 *\n');
    await send.click();
    await dialog.getByText("2 chapters added.").waitFor();
    await field.fill(`1. dd4 {${"a".repeat(1_000_000)}} *`);
    await send.click();
    await dialog.getByText("At most 1,000,000 are allowed.").waitFor();
    expect(await dialog.getByText("chapters added.").count()).toBe(0);
  });

  it("can be left by a member and reported by a reader", async () => {
    const [ann, bob] = [await visitors.create(DESKTOP), await visitors.create(PHONE)];
    await register(ann, "Ella");
    const name = await register(bob, "Finn");
    const { id } = await createStudy(ann, { visibility: "public", chapter: { variant: "diamond" } });
    await ann.context.request.put(`${ADDRESS}/api/studies/${id}/members/${name}`, { data: { writes: true } });
    const { page } = bob;
    await page.goto(`/study/${id}`);
    await waitForBoard(page);
    await page.getByRole("button", { name: "Report", exact: true }).click();
    await page.getByLabel("What is wrong with this study?").fill("an advertisement");
    expect(await bob.audit()).toEqual([]);
    await page.getByRole("button", { name: "Send report" }).click();
    await page.getByText("Thank you. The host").waitFor();
    await page.getByRole("dialog").getByText("Close", { exact: true }).click();
    await page.getByRole("button", { name: "Leave", exact: true }).click();
    await page.getByRole("button", { name: "Yes, leave" }).click();
    await page.waitForURL(/\/study\?of=mine$/);
    await page.goto(`/study/${id}`);
    await waitForBoard(page);
    expect(await page.getByRole("button", { name: "Leave", exact: true }).count()).toBe(0);
    expect(await page.getByText("You can try moves here").count()).toBe(1);
    expect(await bob.overflows()).toBe(false);
  });

  it("lets readers try moves without saving them", async () => {
    const [ann, guest] = [await visitors.create(DESKTOP), await visitors.create(PHONE)];
    await register(ann, "Dora");
    const pgn = '[Variant "Diamond Chess"]\n\n1. dd4 Nd6 *\n';
    const { id, chapters } = await createStudy(ann, { visibility: "public", chapter: { pgn } });
    await guest.page.goto(`/study/${id}/${chapters[0]?.id ?? ""}`);
    await waitForBoard(guest.page);
    expect(await guest.page.locator(".a-notes").count()).toBe(0);
    await type(guest.page, "f3f4");
    await expect.poll(() => moves(guest.page)).toEqual(["Nd6", "dd4", "ff4"]);
    await ann.page.goto(`/study/${id}`);
    await waitForBoard(ann.page);
    expect(await moves(ann.page)).toEqual(["Nd6", "dd4"]);
    await type(ann.page, "c3c4");
    await expect.poll(() => moves(guest.page)).toEqual(["Nd6", "c4", "dd4", "ff4"]);
    // Another site shows it in a frame.
    await guest.page.goto(`/study/${id}/embed`);
    await guest.page.locator(".a-move").first().waitFor();
    expect(await moves(guest.page)).toEqual(["Nd6", "c4", "dd4"]);
    expect(await guest.overflows()).toBe(false);
    await guest.page.goto(`/study?q=two+pens`);
    await guest.page.locator(".study-cards li").first().waitFor();
    expect(await guest.audit()).toEqual([]);
  });

  it("lets readers find concealed moves, and shows them to editors", async () => {
    const [author, reader] = [await visitors.create(DESKTOP), await visitors.create(PHONE)];
    await register(author, "Cora");
    const pgn = `[Variant "Diamond Chess"]\n\n{Which move?} 1. dd4 {Yes.} (1. ff4) 1... Nd6 *`;
    const { id } = await createStudy(author, { visibility: "unlisted", chapter: { variant: "diamond", pgn } });
    await author.page.goto(`/study/${id}`);
    await waitForBoard(author.page);
    await author.page.getByRole("button", { name: "Edit chapter" }).click();
    await author.page.getByLabel("Readers find the moves themselves").check();
    await author.button("Save").click();
    expect(await moves(author.page)).toEqual(["Nd6", "dd4", "ff4"]);
    await reader.page.goto(`/study/${id}`);
    await waitForBoard(reader.page);
    const tree = reader.page.locator(".a-moves");
    await expect.poll(() => tree.innerText()).toContain("Which move?");
    expect(await tree.innerText()).toContain("Find the move on the board.");
    expect(await moves(reader.page)).toEqual([]);
    expect(await reader.audit()).toEqual([]);
    // The move brings its comment with it; what follows stays hidden until it is requested.
    await type(reader.page, "d3d4");
    await expect.poll(() => moves(reader.page)).toEqual(["dd4"]);
    expect(await tree.innerText()).toContain("Yes.");
    await reader.button("Show the moves").click();
    expect(await moves(reader.page)).toEqual(["Nd6", "dd4", "ff4"]);
    await reader.button("Show the moves").waitFor({ state: "detached" });
  });
});
