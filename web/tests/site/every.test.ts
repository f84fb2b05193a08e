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

const SMALL = { ...PHONE, viewport: { width: 360, height: 740 } };

describe.skipIf(!canRun)("every page", () => {
  const visitors = createVisitors();
  let siteData: SiteData;
  beforeAll(async () => {
    siteData = await populate(ADDRESS);
  });

  it("has an entry for every route", () => {
    const sources = ["pages", "analysis_pages", "study_pages"].map((name) =>
      readFileSync(fileURLToPath(new URL(`../../../crates/server/src/routes/${name}.rs`, import.meta.url)), "utf8"),
    );
    const routes = [...sources.join("").matchAll(/\.route\("([^"]+)"/g)].map(([, route]) => route);
    expect(routes.length).toBeGreaterThan(5);
    expect(routes.filter((route) => !route?.includes("{chapter}") && !EACH_PAGE.some((each) => each.route === route))).toEqual([]);
  });

  describe.each([
    ["phone", SMALL],
    ["desktop", DESKTOP],
  ] as const)("on a %s", (_, device) => {
    it.each(EACH_PAGE.map((each) => [each.name, each] as const))("%s has no serious axe violations and does not overflow", async (_, each) => {
      const storageState = each.visitor ? siteData[each.visitor] : undefined;
      const guest = await visitors.create({ ...device, colorScheme: "light", ...(storageState && { storageState }) });
      if (each.route === "nothing") guest.ignoreErrors(/status of 404/);
      await visit(guest.page, each, siteData);
      expect(await guest.audit(), "light").toEqual([]);
      // Only colors change.
      await guest.useDarkColors();
      expect(await guest.audit(["color-contrast"]), "dark").toEqual([]);
      expect(await guest.overflows()).toBe(false);
    });
  });
});
