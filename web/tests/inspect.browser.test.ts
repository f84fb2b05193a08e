/** Asking about a piece by mouse, finger and key, which never disturbs a move. */
import type { CDPSession, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { at, demoSite, drag, eventsOf, faultsOf, hasBrowser } from "./harness.ts";

interface Demo {
  element: import("../src/board/index.ts").LozBoard;
}

const PHONE = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } };

describe.skipIf(!hasBrowser)("asking about a piece", () => {
  const site = demoSite();
  let page: Page;
  /** What the board has asked for: the name of the square, or null where the question ended. */
  const asked = async (): Promise<unknown[]> => {
    const details = await eventsOf(page, "inspect");
    return page.evaluate(
      (details) =>
        details.map(({ inspection }) => {
          const asked = inspection as { piece: { square: number }; trigger: string } | null;
          return asked && `${(window as never as Demo).element.board?.squares[asked.piece.square]?.name} by ${asked.trigger}`;
        }),
      details,
    );
  };
  const moves = async (): Promise<unknown[]> => (await eventsOf(page, "move")).map((detail) => detail.move);
  const selected = () =>
    page.evaluate(() => {
      const { element } = window as never as Demo;
      const square = element.selection.selected;
      return square === null ? null : element.board?.squares[square]?.name;
    });
  const visit = async (query: string, options = {}): Promise<void> => {
    page = await site.visit(query, options);
  };

  it("happens when the mouse rests on a piece, until it leaves", async () => {
    await visit("game=diamondback&silent&inspect");
    await page.mouse.move(...(await at(page, "d4")));
    await page.waitForTimeout(300);
    expect(await asked()).toEqual([]);
    await page.waitForTimeout(900);
    expect(await asked()).toEqual(["d4 by mouse"]);
    await page.mouse.move(...(await at(page, "f5")));
    expect(await asked()).toEqual(["d4 by mouse", null]);
    await page.waitForTimeout(1100);
    // An empty square has nothing to ask about.
    expect((await asked()).length).toBeLessThanOrEqual(3);
    expect(faultsOf(page)).toEqual([]);
  });

  it("does not happen while a piece is selected, and moves go on", async () => {
    await visit("game=diamondback&silent&inspect");
    await page.mouse.click(...(await at(page, "d4")));
    await page.mouse.move(...(await at(page, "d5")));
    await page.waitForTimeout(1200);
    expect(await asked()).toEqual([]);
    await page.mouse.click(...(await at(page, "d5")));
    expect(await moves()).toEqual(["d4d5"]);
    await visit("game=diamondback&silent&inspect");
    await page.mouse.move(...(await at(page, "d4")));
    await page.waitForTimeout(1200);
    await drag(page, "d4", "d5");
    expect(await asked()).toEqual(["d4 by mouse", null]);
    expect(await moves()).toEqual(["d4d5"]);
  });

  it("happens by `?` on the focused square, until Escape", async () => {
    await visit("game=diamondback&silent&inspect");
    const focus = (name: string) =>
      page.evaluate((name) => {
        const { element } = window as never as Demo;
        const square = element.board?.squares.findIndex((square) => square.name === name) ?? -1;
        (element.shadowRoot?.querySelectorAll<HTMLElement>("[role=gridcell]") ?? []).forEach((cell) => {
          if (cell.getAttribute("aria-label")?.startsWith(`${name},`)) cell.focus();
        });
        return square;
      }, name);
    await focus("d4");
    await page.keyboard.press("Enter");
    expect(await selected()).toBe("d4");
    await page.keyboard.press("?");
    expect(await asked()).toEqual(["d4 by key"]);
    await page.keyboard.press("Escape");
    expect(await asked()).toEqual(["d4 by key", null]);
    expect(await selected()).toBe("d4");
    await page.keyboard.press("Escape");
    expect(await selected()).toBeNull();
  });

  it("is not offered by a board whose page explains nothing", async () => {
    await visit("game=diamondback&silent");
    await page.mouse.move(...(await at(page, "d4")));
    await page.waitForTimeout(1200);
    expect(await asked()).toEqual([]);
  });

  describe("with a finger", () => {
    let touch: CDPSession;
    const send = (type: "touchStart" | "touchMove" | "touchEnd", ...points: (readonly [number, number])[]) =>
      touch.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
    const visitPhone = async (query: string): Promise<void> => {
      await visit(query, PHONE);
      touch = await page.context().newCDPSession(page);
    };

    it("happens when it is held, even if it trembles", async () => {
      await visitPhone("game=diamondback&silent&inspect");
      const [x, y] = await at(page, "d4");
      await send("touchStart", [x, y]);
      await page.waitForTimeout(200);
      await send("touchMove", [x + 4, y - 3]);
      await page.waitForTimeout(500);
      await send("touchEnd");
      expect(await asked()).toEqual(["d4 by finger"]);
      // A tap elsewhere ends it.
      await page.touchscreen.tap(...(await at(page, "d5")));
      expect(await asked()).toEqual(["d4 by finger", null]);
    });

    it("becomes a drag when the finger moves on", async () => {
      await visitPhone("game=diamondback&silent&inspect");
      await send("touchStart", await at(page, "d4"));
      await page.waitForTimeout(700);
      await send("touchMove", await at(page, "d5"));
      await send("touchEnd");
      expect(await asked()).toEqual(["d4 by finger", null]);
      expect(await moves()).toEqual(["d4d5"]);
    });

    it("never replaces a move: a held finger on a target moves", async () => {
      await visitPhone("game=diamondback&silent&inspect");
      await page.touchscreen.tap(...(await at(page, "d4")));
      await send("touchStart", await at(page, "d5"));
      await page.waitForTimeout(900);
      await send("touchEnd");
      expect(await asked()).toEqual([]);
      expect(await moves()).toEqual(["d4d5"]);
    });
  });
});
