import { describe, expect, it } from "vitest";
import { placeCard } from "./card_place.ts";

const card = { width: 240, height: 300 };
const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

describe("a card", () => {
  it("stands right of a square, or left where there is no room", () => {
    expect(placeCard(card, { center: [300, 400], radius: 30, trigger: "mouse", isLeft: false }, desktop)).toEqual([338, 250]);
    expect(placeCard(card, { center: [1200, 400], radius: 30, trigger: "mouse", isLeft: false }, desktop)).toEqual([922, 250]);
  });

  it("stands at the nearer side of the board", () => {
    expect(placeCard(card, { center: [300, 400], radius: 30, trigger: "mouse", isLeft: true }, desktop)).toEqual([22, 250]);
    expect(placeCard(card, { center: [200, 400], radius: 30, trigger: "mouse", isLeft: true }, desktop)).toEqual([238, 250]);
  });

  it("stays in the window", () => {
    expect(placeCard(card, { center: [300, 20], radius: 30, trigger: "key", isLeft: false }, desktop)).toEqual([338, 8]);
    expect(placeCard(card, { center: [300, 790], radius: 30, trigger: "key", isLeft: false }, desktop)).toEqual([338, 492]);
  });

  it("stands above a finger, or below where there is no room", () => {
    expect(placeCard(card, { center: [200, 500], radius: 20, trigger: "finger", isLeft: true }, phone)).toEqual([80, 172]);
    expect(placeCard(card, { center: [380, 200], radius: 20, trigger: "finger", isLeft: true }, phone)).toEqual([142, 228]);
  });

  it("covers its square where it fits nowhere", () => {
    const [left, top] = placeCard(card, { center: [195, 150], radius: 20, trigger: "mouse", isLeft: false }, { width: 390, height: 310 });
    expect([left, top]).toEqual([75, 8]);
  });
});
