/** Which game a file extends, as the browser's check needs to know. */
import { expect, it } from "vitest";
import { extendedBy } from "./local_check.ts";

it("finds the extended game only before the first table", () => {
  expect(extendedBy('# mine\nextends = "chess" # orthodox\nid = "own"\n')).toBe("chess");
  expect(extendedBy("extends = '~lake'\n")).toBe("~lake");
  expect(extendedBy('id = "own"\n[board]\nextends = "chess"\n')).toBeNull();
  expect(extendedBy("")).toBeNull();
});
