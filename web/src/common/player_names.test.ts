/** Names of guests in the page's language. */
import { describe, expect, it } from "vitest";
import { displayName } from "./player_names.ts";
import { addTexts } from "./texts.ts";

describe("display names", () => {
  it("translate guest names and keep others", () => {
    addTexts({ "people.guest": "Gast", "people.guest_number": "Gast {number}" });
    expect(displayName("Guest 4821")).toBe("Gast 4821");
    expect(displayName("Guest")).toBe("Gast");
    expect(displayName("guestbook")).toBe("guestbook");
  });
});
