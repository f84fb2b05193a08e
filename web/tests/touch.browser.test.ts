/** The board under fingers: only a swipe on an empty part scrolls the page, nothing is lost by accident, small squares get a loupe. */
import type { CDPSession, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { at, demoSite, eventsOf, faultsOf, hasBrowser } from "./harness.ts";

interface Demo {
  element: import("../src/board/index.ts").LozBoard;
}

const PHONE = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } };

type TouchPoint = readonly [number, number];

describe.skipIf(!hasBrowser)("touch gestures", () => {
  const site = demoSite();
  let page: Page;
  let touch: CDPSession;
  /** The demo on a phone, with room below so that the page could scroll. */
  const visit = async (query: string): Promise<void> => {
    page = await site.visit(query, PHONE);
    touch = await page.context().newCDPSession(page);
    await page.evaluate(() => {
      const hint = document.querySelector("loz-board")?.shadowRoot?.querySelector<HTMLElement>(".hint");
      if (hint) hint.hidden = true;
      document.body.style.minHeight = "2500px";
      document.body.style.paddingTop = "200px";
      window.scrollTo(0, 100);
    });
    await page.waitForTimeout(100);
  };
  const send = (type: "touchStart" | "touchMove" | "touchEnd", ...points: TouchPoint[]) =>
    touch.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: points.map(([x, y], id) => ({ x, y, id })),
    });
  /** Puts fingers down one after the other, moves them along in steps, and lifts them. */
  const fingers = async (from: TouchPoint[], to: TouchPoint[]): Promise<void> => {
    for (let count = 1; count <= from.length; count += 1) await send("touchStart", ...from.slice(0, count));
    for (let step = 1; step <= 6; step += 1) {
      const points = from.map(([x, y], index): TouchPoint => {
        const [endX, endY] = to[index] ?? [x, y];
        return [x + ((endX - x) * step) / 6, y + ((endY - y) * step) / 6];
      });
      await send("touchMove", ...points);
      await page.waitForTimeout(20);
    }
    await send("touchEnd");
    await page.waitForTimeout(350);
  };
  const viewportState = () =>
    page.evaluate(() => ({ y: Math.round(window.scrollY), scale: window.visualViewport?.scale ?? 1 }));
  const unmoved = { y: 100, scale: 1 };
  const offset = ([x, y]: TouchPoint, dx: number, dy: number): TouchPoint => [x + dx, y + dy];
  const selected = () => page.evaluate(() => (window as never as Demo).element.selection.selected);
  const origin = () => page.evaluate(() => (window as never as Demo).element.plane?.options.origin);
  const firstMove = async (): Promise<[from: string, to: string]> => {
    const move = await page.evaluate(() => (window as never as Demo).element.destinations[0] ?? "");
    const [, from = "", to = ""] = /^([a-z]\d+)([a-z]\d+)/.exec(move) ?? [];
    return [from, to];
  };
  const moves = async (): Promise<unknown[]> => (await eventsOf(page, "move")).map((detail) => detail.move);

  it("scroll and zoom the page outside the board", async () => {
    await visit("game=diamondback&silent");
    // Otherwise the other tests would prove nothing.
    await fingers([[200, 800]], [[200, 650]]);
    expect((await viewportState()).y).toBeGreaterThan(150);
    await fingers(
      [
        [150, 800],
        [240, 800],
      ],
      [
        [60, 800],
        [330, 800],
      ],
    );
    expect((await viewportState()).scale).toBeGreaterThan(1.2);
  });

  it.each(["diamondback", "diamondring"])("on a piece of %s do not scroll or zoom the page", async (game) => {
    await visit(`game=${game}&silent`);
    const [from] = await firstMove();
    const [a, b] = [await at(page, from), await at(page, "e6")];
    await fingers([a], [offset(a, 10, -150)]);
    expect(await viewportState()).toEqual(unmoved);
    await fingers([a, b], [offset(a, -80, 60), offset(b, 80, -60)]);
    expect(await viewportState()).toEqual(unmoved);
    await fingers([a, b], [offset(a, 0, -120), offset(b, 0, -120)]);
    expect(await viewportState()).toEqual(unmoved);
    // Twice in quick succession, which would zoom.
    for (let count = 0; count < 2; count += 1) {
      await send("touchStart", a);
      await send("touchEnd");
    }
    await page.waitForTimeout(400);
    expect(await viewportState()).toEqual(unmoved);
    expect(faultsOf(page)).toEqual([]);
  });

  it("scroll the page from an empty square without a move", async () => {
    await visit("game=diamondback&silent");
    await page.touchscreen.tap(...(await at(page, "d4")));
    const empty = await at(page, "d5");
    await fingers([empty], [offset(empty, 4, -150)]);
    expect((await viewportState()).y).toBeGreaterThan(150);
    expect(await moves()).toEqual([]);
    expect(await page.evaluate(() => (window as never as Demo).element.selection.selected)).not.toBeNull();
    await page.touchscreen.tap(...(await at(page, "d5")));
    expect(await moves()).toEqual(["d4d5"]);
  });

  describe("on a large board", () => {
    const loupe = () => page.locator("loz-board .loupe").isVisible();

    it("get a loupe while a piece is dragged", async () => {
      await visit("game=diamondring&view=square&silent");
      const [from, to] = await firstMove();
      await send("touchStart", await at(page, from));
      expect(await loupe()).toBe(false);
      await send("touchMove", await at(page, to));
      expect(await loupe()).toBe(true);
      await send("touchEnd");
      expect(await loupe()).toBe(false);
      expect(await moves()).toEqual([from + to]);
    });

    it("choose the target under the loupe, which a swipe keeps", async () => {
      await visit("game=diamondring&view=square&silent");
      const [from, to] = await firstMove();
      await page.touchscreen.tap(...(await at(page, from)));
      const [x, y] = await at(page, to);
      const empty = await page.evaluate(() => {
        const { element } = window as never as Demo;
        const taken = new Set(element.pieces.map(({ square }) => square));
        const targets = new Set(element.destinations.map((move) => /^[a-z]\d+([a-z]\d+)/.exec(move)?.[1]));
        return element.board?.squares.find(({ name }, square) => !taken.has(square) && !targets.has(name))?.name ?? "";
      });
      await send("touchStart", await at(page, empty));
      await page.waitForTimeout(300);
      expect(await loupe()).toBe(true);
      for (const step of [30, 15, 0]) {
        await send("touchMove", [x, y + step]);
        await page.waitForTimeout(20);
      }
      await send("touchEnd");
      expect(await moves()).toEqual([from + to]);
      expect(await viewportState()).toEqual(unmoved);
    });

    it.each(["diamond", "square"])("hit 98 of 100 squares 6 pixels off the middle, %s", { timeout: 120_000 }, async (view) => {
      await visit(`game=diamondring&view=${view}&silent`);
      const legal = await page.evaluate(() => (window as never as Demo).element.destinations.filter((move) => /\d$/.test(move)));
      let state = 1;
      const random = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
      const tapNear = async (square: string): Promise<void> => {
        const angle = 2 * Math.PI * random();
        await page.touchscreen.tap(...offset(await at(page, square), 6 * Math.cos(angle), 6 * Math.sin(angle)));
      };
      let hits = 0;
      for (let count = 0; count < 50; count += 1) {
        const move = legal[Math.floor(random() * legal.length)] ?? "";
        const [, from = "", to = ""] = /^([a-z]\d+)([a-z]\d+)$/.exec(move) ?? [];
        await tapNear(from);
        const square = await page.evaluate((name) => (window as never as Demo).element.board?.squares.findIndex((square) => square.name === name), from);
        if ((await selected()) === square) hits += 1;
        await tapNear(to);
        if ((await moves()).at(-1) === move) hits += 1;
        await page.evaluate(async () => {
          const { element } = window as never as Demo;
          element.reset();
          element.cancelAll();
          element.pieces = [...element.pieces];
          await element.updated;
        });
      }
      expect(hits).toBeGreaterThanOrEqual(98);
    });

    it("tap as before", async () => {
      await visit("game=diamondring&view=square&silent");
      const [from, to] = await firstMove();
      await page.touchscreen.tap(...(await at(page, from)));
      await page.touchscreen.tap(...(await at(page, to)));
      expect(await moves()).toEqual([from + to]);
    });
  });

  it("scroll and zoom the page over a board without moves", async () => {
    await visit("game=diamondback&silent&movable=none");
    const a = await at(page, "d4");
    await fingers([a], [offset(a, 0, -150)]);
    expect((await viewportState()).y).toBeGreaterThan(150);
  });

  it("select a piece on a long press without a context menu", async () => {
    await visit("game=diamondback&silent");
    const menu = await page.evaluateHandle(() => {
      const opened = { count: 0 };
      document.addEventListener("contextmenu", (event) => !event.defaultPrevented && (opened.count += 1));
      return opened;
    });
    const [from, to] = [await at(page, "d4"), await at(page, "d5")];
    await send("touchStart", from);
    await page.waitForTimeout(900);
    await send("touchMove", to);
    await send("touchEnd");
    expect(await menu.evaluate(({ count }) => count)).toBe(0);
    expect(await page.evaluate(() => String(getSelection()))).toBe("");
    expect(await moves()).toEqual(["d4d5"]);
  });

  it("that scroll a torus move no piece and keep the selection", async () => {
    await visit("game=diamondring&view=square&silent");
    const king = await at(page, "g1");
    await page.touchscreen.tap(...king);
    const before = await selected();
    expect(before).not.toBeNull();
    const cell = (await at(page, "b1"))[0] - (await at(page, "a1"))[0];
    const [a, b] = [await at(page, "e2"), await at(page, "j2")];
    await fingers([a, b], [offset(a, 2 * cell, 0), offset(b, 2 * cell, 0)]);
    expect(await origin()).toEqual({ file: 10, rank: 0 });
    expect(await selected()).toBe(before);
    // Apart and together again: no way was gone.
    await fingers([a, b], [offset(a, -cell, 0), offset(b, cell, 0)]);
    expect(await origin()).toEqual({ file: 10, rank: 0 });
    expect(await moves()).toEqual([]);
    expect(await viewportState()).toEqual(unmoved);
  });

  it("that scroll a torus keep premove and drawings", async () => {
    await visit("game=diamondring&view=square&silent&movable=black&premove");
    await page.evaluate(async () => {
      const { element } = window as never as Demo;
      element.turn = "white";
      element.drawings = [{ from: 3, to: 30, brush: "green" }];
      await element.updated;
      const from = element.pieces.find((piece) => piece.color === "black" && (element.reach?.[piece.square] ?? []).length > 0);
      const to = from && element.reach?.[from.square]?.[0];
      if (from && to !== undefined) element.setPremove(from.square, to, null);
    });
    const state = () =>
      page.evaluate(() => {
        const { element } = window as never as Demo;
        return [element.selection.premove !== null, element.drawings.length];
      });
    expect(await state()).toEqual([true, 1]);
    const [a, b] = [await at(page, "e6"), await at(page, "h6")];
    await fingers([a, b], [offset(a, 40, 0), offset(b, 40, 0)]);
    expect(await state()).toEqual([true, 1]);
    await page.touchscreen.tap(...(await at(page, "f6")));
    expect(await state()).toEqual([false, 0]);
  });

  it("cancel a drag when a second finger touches", async () => {
    await visit("game=diamondring&view=square&silent");
    const legal = await page.evaluate(() => (window as never as Demo).element.destinations[0] ?? "");
    const [, from = "", to = ""] = /^([a-z]\d+)([a-z]\d+)/.exec(legal) ?? [];
    const [start, end] = [await at(page, from), await at(page, to)];
    await send("touchStart", start);
    await send("touchMove", end);
    expect(await page.locator("loz-board .drag-ghost").isVisible()).toBe(true);
    await send("touchStart", end, offset(end, 60, 0));
    expect(await page.locator("loz-board .drag-ghost").isVisible()).toBe(false);
    await send("touchEnd");
    await page.waitForTimeout(300);
    expect(await moves()).toEqual([]);
    expect(await page.locator("loz-board .piece.dragged").count()).toBe(0);
    expect(await selected()).toBeNull();
  });
});
