/** Names of guests in the page's language. */
import { describe, expect, it } from "vitest";
import { called } from "./people.ts";
import { learn } from "./texts.ts";

describe("names", () => {
  it("of guests are translated with their number, others stay", () => {
    learn({ "people.guest": "Gast", "people.guest_number": "Gast {number}" });
    expect(called("Guest 4821")).toBe("Gast 4821");
    expect(called("Guest")).toBe("Gast");
    expect(called("guestbook")).toBe("guestbook");
  });
});
