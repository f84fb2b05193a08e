/** The board in a real browser: a board without edge is scrolled, and its repeated squares are squares. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { at, demoSite, eventsOf, faultsOf, hasBrowser } from "./harness.ts";

interface Demo {
  element: import("../src/board/index.ts").LozBoard;
}

describe.skipIf(!hasBrowser)("a torus", () => {
  const site = demoSite();
  let page: Page;
  const visit = async (query: string, options = {}): Promise<void> => {
    page = await site.visit(query, options);
    // Content below the board must not make the page scroll.
    await page.evaluate(() => {
      const hint = document.querySelector("loz-board")?.shadowRoot?.querySelector<HTMLElement>(".hint");
      if (hint) hint.hidden = true;
      window.scrollTo(0, 0);
    });
  };
  const origin = () => page.evaluate(() => (window as never as Demo).element.plane?.options.origin);
  const moves = async (): Promise<unknown[]> => (await eventsOf(page, "move")).map((detail) => detail.move);

  it.each(["square", "diamond"])(
    "handles clicks on repeated squares like the originals (%s)",
    async (view) => {
      await visit(`game=diamondring&view=${view}&silent`);
      await page.evaluate(() => {
        (window as never as Demo).element.destinations = ["g1a1", "g1a12"];
      });
      // g1 is also seen above g12, and a12 below a1.
      await page.mouse.click(...(await at(page, "g1", { file: 0, rank: 12 })));
      await page.mouse.click(...(await at(page, "a12", { file: 0, rank: -12 })));
      expect(await moves()).toEqual(["g1a12"]);
      expect(faultsOf(page)).toEqual([]);
    },
  );

  it("supports drags between repeated squares", async () => {
    await visit("game=diamondring&view=square&silent");
    await page.evaluate(() => {
      (window as never as Demo).element.destinations = ["g1a1"];
    });
    const [from, to] = [
      await at(page, "g1", { file: 0, rank: 12 }),
      await at(page, "a1", { file: 12, rank: 12 }),
    ];
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(...to, { steps: 4 });
    await page.mouse.up();
    expect(await moves()).toEqual(["g1a1"]);
  });

  it.each(["square", "diamond"])("never makes the page wider while pieces cross its edge (%s)", async (view) => {
    await visit(`game=diamondring&view=${view}&silent`, { viewport: { width: 390, height: 844 } });
    const widths = await page.evaluate(async () => {
      const { element } = window as never as Demo;
      const board = element.board;
      if (!board) throw new Error("no board yet");
      const square = (name: string): number => board.squares.findIndex((square) => square.name === name);
      const showRook = async (name: string): Promise<void> => {
        element.pieces = [{ square: square(name), role: "rook", color: "white" }];
        element.last = [square("a1"), square(name)];
        await element.updated;
      };
      element.animation = 200;
      const scrollWidths = [document.documentElement.scrollWidth];
      // Its repetition beyond the right edge goes farther out.
      await showRook("a1");
      await showRook("d1");
      for (let frame = 0; frame < 8; frame += 1) {
        await new Promise(requestAnimationFrame);
        scrollWidths.push(document.documentElement.scrollWidth);
      }
      return scrollWidths;
    });
    expect(new Set(widths).size, widths.join()).toBe(1);
  });

  it.each(["square", "diamond"])("scrolls with the middle button and snaps to squares (%s)", async (view) => {
    await visit(`game=diamondring&view=${view}`);
    const [from, to] = [await at(page, "f6"), await at(page, "h7")];
    await page.mouse.move(...from);
    await page.mouse.down({ button: "middle" });
    await page.mouse.move(to[0] + 3, to[1] - 2, { steps: 6 });
    await page.mouse.up({ button: "middle" });
    await page.waitForTimeout(350);
    expect(await origin()).toEqual({ file: 10, rank: 11 });
    // f6 is now where h7 was.
    const now = await at(page, "f6");
    expect(Math.hypot(now[0] - to[0], now[1] - to[1])).toBeLessThan(1);
    expect((await eventsOf(page, "scrolled")).at(-1)).toEqual({ file: 10, rank: 11 });
    expect(await page.locator("loz-board .labels text").first().textContent()).toBe("k");
  });

  it("scrolls by buttons and returns to the start", async () => {
    await visit("game=diamondring&view=square");
    await page.locator("loz-board [data-scroll=right]").click();
    await page.waitForTimeout(300);
    await page.locator("loz-board [data-scroll=up]").click();
    await page.waitForTimeout(300);
    expect(await origin()).toEqual({ file: 1, rank: 1 });
    await page.locator("loz-board [data-scroll=center]").click();
    await page.waitForTimeout(300);
    expect(await origin()).toEqual({ file: 0, rank: 0 });
  });

  it("counts clicks during the scroll animation", async () => {
    await visit("game=diamondring&view=square");
    for (let count = 0; count < 3; count += 1) await page.locator("loz-board [data-scroll=right]").click();
    await page.waitForTimeout(400);
    const { file = 0, rank = 0 } = (await origin()) ?? {};
    expect([file, rank]).toEqual([Math.round(file), 0]);
    expect(file).toBeGreaterThan(0);
  });

  it("scrolls with two fingers", async () => {
    await visit("game=diamondring&view=square", { hasTouch: true, viewport: { width: 390, height: 844 } });
    const touch = await page.context().newCDPSession(page);
    const [a, b] = [await at(page, "d6"), await at(page, "h6")];
    const cell = (await at(page, "b1"))[0] - (await at(page, "a1"))[0];
    const send = (type: "touchStart" | "touchMove" | "touchEnd", by: number, fingers = 2) =>
      touch.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: [
          { x: a[0] + by, y: a[1], id: 1 },
          { x: b[0] + by, y: b[1], id: 2 },
        ].slice(0, fingers),
      });
    await send("touchStart", 0, 1);
    await send("touchStart", 0);
    await send("touchMove", cell);
    await send("touchMove", 2 * cell);
    await send("touchEnd", 0, 0);
    await page.waitForTimeout(350);
    expect(await origin()).toEqual({ file: 10, rank: 0 });
    expect(await moves()).toEqual([]);
  });

  it.each(["square", "diamond"])("shows every piece on its square after any scroll (%s)", async (view) => {
    await visit(`game=diamondring&view=${view}&silent`);
    const readPositions = () =>
      page.evaluate(async () => {
        const { element } = window as never as Demo;
        await element.updated;
        const frame = element.layers.frame.getBoundingClientRect();
        return [...(element.shadowRoot?.querySelectorAll<SVGGElement>(".piece") ?? [])]
          .map((node) => {
            const box = node.getBoundingClientRect();
            const [x, y] = [box.left + box.width / 2 - frame.left, box.top + box.height / 2 - frame.top];
            return `${node.dataset.square} ${Math.round(x)} ${Math.round(y)}`;
          })
          .sort();
      });
    await page.evaluate(async () => {
      const { element } = window as never as Demo;
      const square = (name: string) => element.board?.squares.findIndex((square) => square.name === name) ?? -1;
      // A move across the edge first, which leaves elements of its own.
      element.pieces = element.pieces.map((piece) =>
        piece.square === square("a9") ? { ...piece, square: square("l2") } : piece,
      );
      element.last = [square("a9"), square("l2")];
      await element.updated;
      await new Promise((resolve) => setTimeout(resolve, 300));
      const steps = [
        [0.7, 0.2],
        [3.4, -1.6],
        [-9.1, 0.4],
        [0.2, 7.7],
        [-0.6, -0.6],
        [13, 0],
      ];
      for (const [file = 0, rank = 0] of steps) element.scroller?.scrollBy({ file, rank });
      element.scroller?.end();
      await new Promise((resolve) => setTimeout(resolve, 300));
    });
    const scrolled = await readPositions();
    await page.evaluate(async () => {
      const { element } = window as never as Demo;
      element.turns = 2;
      await element.updated;
      element.turns = 0;
    });
    expect(scrolled).toEqual(await readPositions());
    expect(scrolled.length).toBeGreaterThan(80);
  });

  it.each([
    ["diamond", false],
    ["diamond", true],
    ["square", false],
    ["square", true],
  ])("starts with whole camps, the viewer's at the bottom (%s, %s)", async (view, flipped) => {
    await visit(`game=diamondring&view=${view}&silent`);
    const layout = await page.evaluate(async (flipped) => {
      const { element } = window as never as Demo;
      element.start = element.pieces;
      element.turns = flipped ? 2 : 0;
      await element.updated;
      // Another view keeps the camps whole.
      element.view = element.view === "square" ? "diamond" : "square";
      await element.updated;
      const plane = element.plane;
      if (!plane) throw new Error("no board yet");
      const camp = (color: string) =>
        element.pieces.filter((piece) => piece.color === color).map((piece) => plane.placeOf(piece.square));
      const extent = (color: string, axis: "file" | "rank") => {
        const all = camp(color).map((place) => place[axis]);
        return Math.max(...all) - Math.min(...all);
      };
      const height = (color: string) =>
        camp(color).reduce((total, place) => total + plane.center(place)[1], 0) / camp(color).length;
      return {
        spreads: ["white", "black"].map((color) => [extent(color, "file"), extent(color, "rank")]),
        below: height("white") > height("black") ? "white" : "black",
        outlined: (element.shadowRoot?.querySelector(".outline")?.getAttribute("d") ?? "").split("M").length - 1,
      };
    }, flipped);
    expect(layout).toEqual({
      spreads: [
        [7, 7],
        [7, 7],
      ],
      below: flipped ? "black" : "white",
      outlined: 1,
    });
    expect(faultsOf(page)).toEqual([]);
  });

  it("shows its hint until dismissed", async () => {
    page = await site.visit("game=diamondring");
    const hint = page.locator("loz-board .hint");
    expect(await hint.isVisible()).toBe(true);
    await hint.locator("button").click();
    await page.reload();
    await page.waitForFunction(() => document.querySelector("loz-board")?.shadowRoot?.querySelector(".piece"));
    expect(await hint.isVisible()).toBe(false);
  });

  it("draws an arrow across the edge by the shortest way", async () => {
    await visit("game=diamondring&view=square");
    const [from, to] = [await at(page, "l6"), await at(page, "a6")];
    await page.mouse.move(...from);
    await page.mouse.down({ button: "right" });
    await page.mouse.move(...to, { steps: 4 });
    await page.mouse.up({ button: "right" });
    const path = (await page.locator("loz-board .brush.green").getAttribute("d")) ?? "";
    const xs = [...path.matchAll(/[ML]([-0-9.]+) /g)].map((match) => Number(match[1]));
    // Two arrows of one cell each, one at either edge; none across the board.
    expect(path.match(/M/g)).toHaveLength(2);
    expect(xs.every((x) => x < 150 || x > 1050)).toBe(true);
  });

  it("animates moves across the edge by the shortest way", async () => {
    await visit("game=diamondring&view=square&silent");
    const { starts, cell } = await page.evaluate(async () => {
      const { element } = window as never as Demo;
      const square = (name: string) => element.board?.squares.findIndex((square) => square.name === name) ?? -1;
      element.animation = 5000;
      element.pieces = [{ square: square("l6"), role: "rook", color: "white" }];
      await element.updated;
      element.pieces = [{ square: square("b6"), role: "rook", color: "white" }];
      await element.updated;
      const moving = [...(element.shadowRoot?.querySelectorAll(".piece.moving") ?? [])];
      const starts = moving.map((node) => {
        const effect = node.getAnimations()[0]?.effect as KeyframeEffect | undefined;
        const frames = effect?.getKeyframes() ?? [];
        return frames.map((frame) => Number(/\(([-0-9.]+)px/.exec(String(frame.transform))?.[1]));
      });
      return { starts, cell: element.layers.scale() };
    });
    expect(starts.length).toBeGreaterThanOrEqual(2);
    for (const [from = 0, to = 0] of starts) expect(to - from).toBeCloseTo(2 * cell, 0);
  });
});
