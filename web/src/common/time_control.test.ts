/** Texts of time controls: the same in scripts and on the server's pages. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { minutesText } from "./time_control.ts";

it("writes clocks as the server does", () => {
  const table = readFileSync(new URL("../../../testdata/clocks.txt", import.meta.url), "utf8");
  const rows = table.split("\n").filter((line) => line !== "" && !line.startsWith("#")).map((line) => line.split(" "));
  expect(rows.map(([seconds]) => [seconds, minutesText(Number(seconds))])).toEqual(rows);
});
