/** Texts of errors: those that the page finds itself. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { checkSize, errorText, InputError } from "./errors.ts";

describe("a text that is too long", () => {
  beforeEach(() => void vi.stubGlobal("document", { documentElement: { lang: "en" } }));
  afterEach(() => void vi.unstubAllGlobals());

  const check = (text: string, most: number): string | null => {
    try {
      checkSize(text, most);
      return null;
    } catch (fault) {
      expect(fault).toBeInstanceOf(InputError);
      return errorText(fault);
    }
  };

  it("is refused with the limit of its field", () => {
    expect(check("a".repeat(60_000), 60_000)).toBe(null);
    expect(check("a".repeat(60_001), 60_000)).toBe("The text has 60,001 bytes. At most 60,000 are allowed.");
  });

  it("is measured in bytes, as the server does", () => {
    expect(check("é".repeat(500_000), 1_000_000)).toBe(null);
    expect(check("é".repeat(500_001), 1_000_000)).toBe("The text has 1,000,002 bytes. At most 1,000,000 are allowed.");
  });
});
