/** The board in a real browser: promotion, castling, joining, premove, touch, drawings. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { at, demoSite, drag, eventsOf, faultsOf, hasBrowser, piecesOf } from "./harness.ts";

interface Demo {
  element: import("../src/board/index.ts").LozBoard;
  fixture: { state: { moves: string[]; reach: number[][] } };
}

describe.skipIf(!hasBrowser)("moves", () => {
  const site = demoSite();
  let page: Page;
  const visit = async (query: string, options = {}): Promise<void> => {
    page = await site.visit(query, options);
  };
  const click = async (square: string, options = {}): Promise<void> => {
    await page.mouse.click(...(await at(page, square)), options);
  };
  const moves = async (): Promise<unknown[]> => (await eventsOf(page, "move")).map((detail) => detail.move);
  /** The path of a kind of mark: empty when there is none. */
  const mark = (kind: string): Promise<string | null> =>
    page.locator(`loz-board .mark.${kind}`).getAttribute("d");

  describe("promotion", () => {
    it("opens a chooser with the legal roles and sends the choice", async () => {
      await visit("game=promotion&view=diamond");
      await drag(page, "e7", "e8");
      const buttons = page.locator("loz-board .chooser button");
      expect(await buttons.allInnerTexts()).toEqual(["Bishop", "Knight", "Queen", "Rook"]);
      expect(await moves()).toEqual([]);
      await buttons.filter({ hasText: "Knight" }).click();
      expect(await moves()).toEqual(["e7e8n"]);
      expect((await piecesOf(page)).e8).toBe("white knight");
      expect(faultsOf(page)).toEqual([]);
    });

    it("can be canceled, and the pawn goes back", async () => {
      await visit("game=promotion&view=square");
      await click("e7");
      await click("e8");
      await page.locator("loz-board .chooser").waitFor();
      await page.keyboard.press("Escape");
      await page.locator("loz-board .chooser").waitFor({ state: "hidden" });
      expect(await moves()).toEqual([]);
      expect((await piecesOf(page)).e7).toBe("white pawn");
      // A click beside the choice turns away too, and moves nothing.
      await click("e7");
      await click("f8");
      await page.locator("loz-board .chooser").waitFor();
      await click("a3");
      await page.locator("loz-board .chooser").waitFor({ state: "hidden" });
      expect(await moves()).toEqual([]);
    });

    it("opens no chooser if there is only one option", async () => {
      await visit("game=promotion&view=square");
      await drag(page, "e7", "f7");
      expect(await moves()).toEqual(["e7f7"]);
    });

    it("offers a compound piece or one of its parts", async () => {
      await visit("game=fusion");
      await drag(page, "e4", "e6");
      const buttons = page.locator("loz-board .chooser button");
      expect(await buttons.allInnerTexts()).toEqual(["Marshall (whole)", "Rook"]);
      await buttons.filter({ hasText: "Rook" }).click();
      expect(await moves()).toEqual(["e4e6r"]);
    });
  });

  describe("own pieces as targets", () => {
    it("castles by the King's target and by the rook", async () => {
      await visit("game=castling&silent");
      await drag(page, "a1", "c1");
      expect(await moves()).toEqual(["a1c1"]);
      await visit("game=castling&silent");
      // Only the short one: then the rook's square stands for it.
      await page.evaluate(() => {
        const { element } = window as never as Demo;
        element.destinations = element.destinations.filter((move) => !["a1d1", "a1a4"].includes(move));
      });
      await click("a1");
      expect(await mark("own")).not.toBe("");
      await click("d1");
      expect(await moves()).toEqual(["a1c1"]);
      const detail = (await eventsOf(page, "move"))[0];
      expect(detail).toMatchObject({ from: 0, to: 2 });
    });

    it("fuses two pieces", async () => {
      await visit("game=fusion&silent");
      await click("g1");
      await click("e2");
      expect(await moves()).toEqual(["g1e2"]);
    });
  });

  describe("premove", () => {
    const query = "game=diamondback&view=square&movable=black&premove&silent";

    it("is marked, and played on the player's turn", async () => {
      await visit(query);
      await drag(page, "e5", "e4");
      expect(await eventsOf(page, "premove")).toEqual([expect.objectContaining({ suffix: null })]);
      expect(await mark("premove")).not.toBe("");
      expect(await moves()).toEqual([]);
      await page.evaluate(() => {
        const { element } = window as never as Demo;
        element.destinations = ["e5e4", "h5g5"];
      });
      await page.waitForTimeout(50);
      expect(await eventsOf(page, "move")).toEqual([
        expect.objectContaining({ move: "e5e4", premove: true }),
      ]);
      expect(await mark("premove")).toBe("");
    });

    it("is dropped if it is not legal", async () => {
      await visit(query);
      await click("e5");
      await click("e4");
      await page.evaluate(() => {
        const { element } = window as never as Demo;
        element.destinations = ["h5g5"];
      });
      await page.waitForTimeout(50);
      expect(await moves()).toEqual([]);
      expect(await eventsOf(page, "premove-cancelled")).toEqual([{ reason: "illegal" }]);
      expect(await mark("premove")).toBe("");
    });

    it("is canceled by a click and by the right button", async () => {
      await visit(query);
      for (const button of ["left", "right"]) {
        await drag(page, "e5", "e4");
        expect(await mark("premove")).not.toBe("");
        await click("d1", { button });
        expect(await mark("premove")).toBe("");
        await page.keyboard.press("Escape");
        await page.evaluate(() => (window as never as Demo).element.select(null));
      }
      expect(await eventsOf(page, "premove-cancelled")).toEqual([{ reason: "user" }, { reason: "user" }]);
    });
  });

  describe("touch", () => {
    it("moves by two taps and by dragging a finger", async () => {
      await visit("game=diamondback&silent", { hasTouch: true, viewport: { width: 390, height: 844 } });
      await page.touchscreen.tap(...(await at(page, "d4")));
      await page.touchscreen.tap(...(await at(page, "d5")));
      expect(await moves()).toEqual(["d4d5"]);
      await page.evaluate(() => (window as never as Demo).element.reset());
      await page.waitForTimeout(50);
      const touch = await page.context().newCDPSession(page);
      const [from, to] = [await at(page, "a5"), await at(page, "b6")];
      const points = ([x, y]: [number, number]) => [{ x, y, id: 1 }];
      await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: points(from) });
      await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: points(to) });
      expect(await page.locator("loz-board .drag-ghost").isVisible()).toBe(true);
      await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
      expect(await moves()).toEqual(["d4d5", "a5b6"]);
      expect(await page.locator("loz-board .drag-ghost").isVisible()).toBe(false);
    });
  });

  describe("display", () => {
    it("shows destinations of the selected piece, and deselects", async () => {
      await visit("game=diamondback&view=square");
      await click("d4");
      expect(await mark("dots")).not.toBe("");
      expect(await mark("selected")).not.toBe("");
      await click("d4");
      expect(await mark("dots")).toBe("");
      expect(await mark("selected")).toBe("");
    });

    it("keeps the selection after a drop on an illegal square", async () => {
      await visit("game=diamondback&view=square");
      await drag(page, "d4", "a8");
      expect(await moves()).toEqual([]);
      expect(await mark("selected")).not.toBe("");
      expect(await page.locator("loz-board .piece.dragged").count()).toBe(0);
    });

    it("shows the reach under the mouse, and requests it if unknown", async () => {
      await visit("game=diamondback&view=square&movable=white");
      await page.mouse.move(...(await at(page, "e5")));
      await page.waitForTimeout(400);
      expect(await mark("reach-dots")).not.toBe("");
      await page.evaluate(() => {
        (window as never as Demo).element.reach = null;
      });
      await click("e5");
      expect((await eventsOf(page, "reach-wanted")).length).toBeGreaterThan(0);
    });

    it("moves the piece back if the page rejects the move", async () => {
      await visit("game=diamondback&view=square&silent");
      await drag(page, "d4", "d5");
      const pieces = () =>
        page.evaluate(() =>
          [...((window as never as Demo).element.shadowRoot?.querySelectorAll(".piece") ?? [])].map(
            (node) => (node as HTMLElement).dataset.square,
          ),
        );
      expect(await pieces()).toContain("d5");
      await page.evaluate(() => (window as never as Demo).element.reset());
      await page.waitForTimeout(300);
      expect(await pieces()).toContain("d4");
      expect(await pieces()).not.toContain("d5");
    });

    it("animates unless reduced motion is preferred", async () => {
      for (const [reducedMotion, moving] of [
        ["no-preference", 1],
        ["reduce", 0],
      ] as const) {
        await visit("game=diamondback&view=square&silent", { reducedMotion });
        const count = await page.evaluate(async () => {
          const { element } = window as never as Demo;
          element.pieces = element.pieces.map((piece, index) => (index === 9 ? { ...piece, square: 36 } : piece));
          await element.updated;
          return element.shadowRoot?.querySelectorAll(".piece.moving").length;
        });
        expect(count).toBe(moving);
      }
    });

    it("keeps all pieces when view, orientation and size change", async () => {
      await visit("game=doublediamond&view=square&silent");
      const pieces = () => page.locator("loz-board .piece").count();
      expect(await pieces()).toBe(36);
      await page.evaluate(async () => {
        const { element } = window as never as Demo;
        element.view = "diamond";
        element.turns = 2;
        element.style.width = "300px";
        await element.updated;
      });
      expect(await pieces()).toBe(36);
      const legal = await page.evaluate(() => (window as never as Demo).fixture.state.moves[0] ?? "");
      await drag(page, legal.slice(0, 2), legal.slice(2, 4));
      expect(await moves()).toEqual([legal]);
    });

    it("turns each of four armies to the bottom, and shows the turn", async () => {
      const armies = [
        ["red", "e3d3"],
        ["blue", "c5c4"],
        ["yellow", "e10d10"],
        ["green", "j5j4"],
      ] as const;
      for (const [turns, [color, move]] of armies.entries()) {
        await visit(`game=diamondring-four&view=square&silent&turns=${turns}&movable=${color}`);
        const [king, farthest] = await page.evaluate(
          async ({ color, move }) => {
            const { element } = window as never as Demo;
            element.turn = color;
            element.destinations = [move];
            await element.updated;
            const heights = element.pieces
              .filter((piece) => piece.role === "king")
              .map(({ color, square }) => ({ color, y: element.plane?.center(element.plane.placeOf(square))[1] ?? 0 }));
            return [heights.find((king) => king.color === color)?.y, Math.max(...heights.map(({ y }) => y))];
          },
          { color, move },
        );
        expect(king).toBe(farthest);
        expect(await page.locator("loz-board .cells.has-turn").count()).toBe(1);
        const [, from = "", to = ""] = /^([a-l]\d+)([a-l]\d+)$/.exec(move) ?? [];
        await drag(page, from, to);
        expect(await moves()).toEqual([move]);
        // The page sets the next turn: the board does not know it.
        expect(await page.locator("loz-board .cells.has-turn").count()).toBe(0);
      }
    });

    it("grays the pieces of a player who is out, at once", async () => {
      await visit("game=diamondring-four&view=square&silent&movable=red");
      const labels = () => page.locator("loz-board [role=gridcell][aria-label*=dead]").count();
      expect(await labels()).toBe(0);
      const moving = await page.evaluate(async () => {
        const { element } = window as never as Demo;
        const rest = element.pieces.filter(({ color, role }) => color !== "blue" || role !== "king");
        element.pieces = rest.map((piece) => (piece.color === "blue" ? { ...piece, color: "dead" as const } : piece));
        await element.updated;
        return element.shadowRoot?.querySelectorAll(".moving-pieces .piece").length;
      });
      // Only the King leaves the board.
      expect(moving).toBe(1);
      await expect.poll(labels).toBe(19);
      expect(await page.locator("loz-board .live-region").textContent()).toBe("blue is out");
    });

    it("allows no moves if movable is none", async () => {
      await visit("game=diamondback&view=square&movable=none");
      await drag(page, "d4", "d5");
      await click("d4");
      await click("d5");
      expect(await moves()).toEqual([]);
    });

    it("takes no input if static", async () => {
      await visit("game=diamondback&view=square&static");
      await drag(page, "d4", "d5");
      expect(await eventsOf(page, "select")).toEqual([]);
      expect(await page.locator("loz-board [role=gridcell]").count()).toBe(0);
      expect(await page.locator("loz-board .labels text").count()).toBe(0);
    });
  });

  describe("drawings", () => {
    it("are arrows and circles in four colors, cleared by a click", async () => {
      await visit("game=diamondback&view=square");
      const brush = (name: string) => page.locator(`loz-board .brush.${name}`).getAttribute("d");
      await drag(page, "b4", "d6", "right");
      expect(await brush("green")).not.toBe("");
      await page.keyboard.down("Shift");
      await click("e4", { button: "right" });
      await page.keyboard.up("Shift");
      expect(await brush("red")).not.toBe("");
      await page.keyboard.down("Alt");
      await click("e6", { button: "right" });
      await page.keyboard.down("Shift");
      await click("e7", { button: "right" });
      await page.keyboard.up("Shift");
      await page.keyboard.up("Alt");
      expect(await brush("blue")).not.toBe("");
      expect(await brush("yellow")).not.toBe("");
      const drawn = await eventsOf(page, "drawn");
      expect(drawn.at(-1)?.shapes).toHaveLength(4);
      // The same again takes it away.
      await drag(page, "b4", "d6", "right");
      expect(await brush("green")).toBe("");
      await click("a7");
      expect(await brush("red")).toBe("");
      expect((await eventsOf(page, "drawn")).at(-1)).toEqual({ shapes: [] });
    });
  });
});
