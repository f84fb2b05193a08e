/**
 * Every page, on a phone of 360 pixels and on a desktop, light and dark: nothing serious that axe finds, nothing on the
 * console, nothing wider than the window.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { EACH_PAGE, visit } from "../../tools/each_page.mjs";
import { populate, type SiteData } from "../../tools/world.mjs";
import { ADDRESS, canRun, DESKTOP, PHONE, createVisitors } from "./harness.ts";

/** Pages that are tested at once. */
const AT_ONCE = 2;
const GROUPS = Array.from({ length: Math.ceil(EACH_PAGE.length / AT_ONCE) }, (_, group) =>
  EACH_PAGE.slice(group * AT_ONCE, (group + 1) * AT_ONCE),
).map((pages) => [pages.map((each) => each.name).join(" and "), pages] as const);

const SMALL = { ...PHONE, viewport: { width: 360, height: 740 } };

describe.skipIf(!canRun)("every page", () => {
  const visitors = createVisitors();
  let siteData: SiteData;
  beforeAll(async () => {
    siteData = await populate(ADDRESS);
  });

  it("has an entry for every route", () => {
    const sources = ["pages", "analysis_pages", "study_pages", "learn_pages", "puzzle_pages"].map((name) =>
      readFileSync(fileURLToPath(new URL(`../../../crates/server/src/routes/${name}.rs`, import.meta.url)), "utf8"),
    );
    const routes = [...sources.join("").matchAll(/\.route\("([^"]+)"/g)].map(([, route]) => route ?? "");
    expect(routes.length).toBeGreaterThan(5);
    // Those lead on to another page.
    const isPage = (route: string): boolean => !/\{chapter\}|^\/puzzles\/(next|daily)$/.test(route);
    expect(routes.filter((route) => isPage(route) && !EACH_PAGE.some((each) => each.route === route))).toEqual([]);
  });

  describe.each([
    ["phone", SMALL],
    ["desktop", DESKTOP],
  ] as const)("on a %s", (_, device) => {
    const check = async (each: (typeof EACH_PAGE)[number]): Promise<void> => {
      const storageState = each.visitor ? siteData[each.visitor] : undefined;
      const guest = await visitors.create({ ...device, colorScheme: "light", ...(storageState && { storageState }) });
      if (each.route === "nothing") guest.ignoreErrors(/status of 404/);
      await visit(guest.page, each, siteData);
      expect(await guest.audit(), `${each.name}, light`).toEqual([]);
      // Only colors change.
      await guest.useDarkColors();
      expect(await guest.audit(["color-contrast"]), `${each.name}, dark`).toEqual([]);
      expect(await guest.overflows(), each.name).toBe(false);
    };
    it.each(GROUPS)("%s: no serious axe violations, no overflow", async (_, pages) => {
      await Promise.all(pages.map(check));
    });
  });
});
