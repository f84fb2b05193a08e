/** Texts of errors: those that the page finds itself, and refusals of the server. */
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { checkSize, errorText, InputError, problemText } from "./errors.ts";

describe("a text that is too long", () => {
  beforeEach(() => void vi.stubGlobal("document", { documentElement: { lang: "en" } }));
  afterEach(() => void vi.unstubAllGlobals());

  const check = (text: string, limit: number): string | null => {
    try {
      checkSize(text, limit);
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

  it("is measured in bytes, as on the server", () => {
    expect(check("é".repeat(500_000), 1_000_000)).toBe(null);
    expect(check("é".repeat(500_001), 1_000_000)).toBe("The text has 1,000,002 bytes. At most 1,000,000 are allowed.");
  });
});

describe("a denial", () => {
  const server = readFileSync(new URL("../../../crates/server/src/denial.rs", import.meta.url), "utf8");
  const variants = /enum Denial \{\n(.*?)\n\}/s.exec(server)?.[1] ?? "";
  const codes = [...variants.matchAll(/^ {4}(\w+),$/gm)].map(([, name]) =>
    (name ?? "").replace(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase(),
  );

  it("has a text for people by each code of the server", () => {
    expect(codes.length).toBeGreaterThan(30);
    expect(codes.length).toBe(variants.match(/#\[error\(/g)?.length);
    for (const code of codes) {
      const problem = { type: `/problems/${code}`, title: "Not allowed", status: 403, detail: "expected something", code };
      expect(problemText(problem), code).not.toContain("expected");
    }
  });

  it("is never announced as a failure of the page", () => {
    const problem = { type: "/problems/invalid", title: "Invalid", status: 422, detail: "expected a FEN", code: "invalid" };
    expect(problemText(problem)).toBe("That did not work. The server says: expected a FEN");
  });
});

describe("the error text for too many reviews", () => {
  it("contains the server's limit", () => {
    const server = readFileSync(new URL("../../../crates/live/src/reviews.rs", import.meta.url), "utf8");
    const limit = /MAX_OF_ONE: usize = (\d+);/.exec(server)?.[1] ?? "?";
    const problem = { type: "/problems/too_many_reviews", title: "Too many already", status: 409, detail: "", code: "too_many_reviews" };
    expect(problemText(problem)).toBe(`You have ${limit} reviews in the making. Wait for one to end, or cancel one.`);
    const german = readFileSync(new URL("../../../crates/server/locales/de/script.json", import.meta.url), "utf8");
    expect((JSON.parse(german) as Record<string, string>)["refused.too_many_reviews"]).toContain(` ${limit} Analysen`);
  });
});
