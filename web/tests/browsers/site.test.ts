/** The site in Firefox and in WebKit: its first pages, a game, a board without edge, a puzzle, and a study. */
import { Button } from "selenium-webdriver";
import { describe, expect, it } from "vitest";
import type { Schemas } from "../../src/common/api.ts";
import { ADDRESS, type BrowserKind, BROWSERS, canRun, createVisitor } from "./harness.ts";

/** Pages, and what is on each once it is complete. A board has its pieces then. */
const PAGES = [
  ["/", "#lobby"],
  ["/rules", ".card"],
  ["/rules/diamondring", "main h1"],
  ["/analysis?variant=diamond", "loz-board"],
  ["/editor?variant=doublediamond", "loz-board"],
  ["/puzzles", ".p-daily"],
  ["/study", "main h1"],
  ["/live", "main h1"],
  ["/players", "main h1"],
  ["/variants", "main h1"],
  ["/api", ".operations"],
] as const;

/** The solution of a puzzle, which another visitor gets by giving up. */
async function solutionOf(id: string): Promise<readonly string[]> {
  const response = await fetch(`${ADDRESS}/api/puzzles/${id}/attempt`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ moves: [] }),
  });
  return ((await response.json()) as Schemas["PuzzleResult"]).solution ?? [];
}

const tests = (kind: BrowserKind): void => {
  const visitor = createVisitor(kind);

  it("records errors of scripts and of the console", async () => {
    await visitor.inspect("/about");
    await visitor.run(() => {
      console.error("printed");
      setTimeout(() => {
        throw new Error("thrown");
      });
    });
    const errors: string[] = [];
    await expect.poll(async () => errors.push(...(await visitor.takeErrors())), { timeout: 10_000 }).toBe(2);
    expect(errors.join()).toMatch(/printed.*thrown/s);
  });

  it.each(PAGES)("opens %s without errors", async (path, selector) => {
    await visitor.inspect(path);
    await visitor.find(selector);
    if (selector === "loz-board") await visitor.ready();
  });

  it("plays a game by clicks and drags, and resigns", async () => {
    await visitor.goto("/");
    await (await visitor.find('.tile:has(input[value="diamond"])')).click();
    await (await visitor.find('[data-choice="against"] label')).click();
    await (await visitor.find(".play-form button[type=submit]")).click();
    await visitor.until(() => location.pathname.startsWith("/game/"));
    await visitor.ready();
    for (const gesture of ["click", "drag", "click", "drag"]) {
      const move = (await visitor.moves())[0] ?? "";
      const count = await visitor.run(() => document.querySelectorAll(".g-moves li button").length);
      await (gesture === "click" ? visitor.click(move) : visitor.dragPiece(move));
      // The move and its answer.
      await visitor.until((count) => document.querySelectorAll(".g-moves li button").length === count, count + 2);
    }
    await visitor.press("Resign");
    await visitor.press("Yes, resign");
    await visitor.until(() => document.querySelector(".g-finished h2")?.textContent?.includes("wins"));
  });

  it("scrolls all the way around a board without edge, and plays", async () => {
    await visitor.goto("/analysis?variant=diamondring");
    await visitor.moves();
    const origin = () => visitor.run(() => JSON.stringify(document.querySelector("loz-board")?.plane?.options.origin));
    const scroll = async (): Promise<void> => {
      const before = await origin();
      await visitor.pressOnBoard("[data-scroll=right]");
      await visitor.until((before) => JSON.stringify(document.querySelector("loz-board")?.plane?.options.origin) !== before, before);
      await visitor.at("f6");
    };
    const start = await origin();
    // The board has twelve files.
    for (let step = 1; step <= 12; step += 1) {
      await scroll();
      expect((await origin()) === start).toBe(step === 12);
    }
    if (kind.hasMiddleButton) {
      const [from, to] = [await visitor.at("f6"), await visitor.at("h7")];
      await visitor.drag(from, to, Button.MIDDLE);
      expect(await visitor.at("f6")).toEqual(to);
    } else {
      await scroll();
    }
    expect(await origin()).not.toBe(start);
    await visitor.dragPiece((await visitor.moves())[0] ?? "");
    await visitor.find(".a-move");
  });

  it("solves a puzzle with a promotion", async () => {
    await visitor.goto("/puzzles/next?variant=diamond&theme=promotion");
    await visitor.moves();
    const id = await visitor.run(() => location.pathname.split("/").at(-1) ?? "");
    const solution = await solutionOf(id);
    for (const [index, move] of solution.entries()) {
      if (index % 2 === 1) continue;
      await visitor.moves();
      await visitor.click(move);
      await visitor.until((least) => document.querySelectorAll(".a-move").length >= least, index + 2);
    }
    await visitor.until(() => document.querySelector("#p-stage")?.textContent?.includes("Solved!"));
  });

  it("keeps a study with a move and a comment", async () => {
    await visitor.goto("/register?next=/study/new");
    await visitor.fill('#sign input[name="name"]', `Reader_${Date.now().toString(36)}`);
    await visitor.fill('#sign input[name="password"]', "correct horse battery");
    await visitor.press("Register");
    await (await visitor.find(".keep input[type=checkbox]")).click();
    await visitor.press("Continue");
    await (await visitor.find(".s-form button[type=submit]")).click();
    await visitor.until(() => /^\/study\/\w+$/.test(location.pathname));
    await visitor.moves();
    const isSaved = () => document.querySelector('[data-status="open"]')?.textContent === "";
    await visitor.until(isSaved);
    await visitor.dragPiece("d3d4");
    await visitor.until(() => document.querySelector(".a-move")?.textContent?.includes("dd4"));
    await visitor.fill("#a-comment", "A pawn goes first");
    await visitor.until(() => document.querySelector(".a-comment")?.textContent?.includes("A pawn goes first"));
    await visitor.until(isSaved);
    await visitor.driver.navigate().refresh();
    await visitor.moves();
    await visitor.until(() => document.querySelector(".a-move")?.textContent?.includes("dd4"));
    await visitor.until(() => document.querySelector(".a-comment")?.textContent?.includes("A pawn goes first"));
  });
};

for (const kind of BROWSERS) describe.skipIf(!canRun(kind))(`the site in ${kind.name}`, () => tests(kind));
