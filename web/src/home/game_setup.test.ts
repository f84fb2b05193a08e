/** Setups from the page's address, and their pictures. */
import { describe, expect, it } from "vitest";
import type { Schemas } from "../common/api.ts";
import { againstOf, readAddress, loadSetup, newGame, newMultiGame, type NewSeat, seated, seatsFor, startPicture } from "./game_setup.ts";

const variant = (id: string, starts: number): Schemas["VariantSummary"] => ({
  id,
  name: id,
  author: "",
  about: "",
  squares: 64,
  starts,
  view: "diamond",
  main: true,
  start_names: [],
});
const GAMES = [variant("diamondback", 4), variant("diamond", 1)];
const FEN = "8/8 w - - 0 1";
const open = (search: string) => loadSetup(GAMES, readAddress(search));

describe("parameters in the home page's address", () => {
  it("select a game and one of its starting positions", () => {
    expect(open("?variant=diamond").variant).toBe("diamond");
    expect(open("?game=diamond").variant).toBe("diamond");
    expect(open("?variant=diamondback&start=3").start).toBe(3);
    expect(open("?variant=diamondback&start=0").start).toBe(0);
  });

  it("leave the starting position random unless they name one", () => {
    for (const search of ["", "?variant=diamondback", "?variant=diamondback&start=-1", "?variant=diamondback&start=4", "?variant=diamond&start=0", "?variant=diamondback&start="]) {
      const setup = open(search);
      expect(setup.start).toBeNull();
      expect(newGame(setup, null, false).start).toBeNull();
    }
    const setup = open("?variant=diamondback&start=1");
    expect(setup).toMatchObject({ start: 1, against: "engine" });
    expect(newGame(setup, null, false).start).toBe(1);
  });

  it("can contain a FEN with spaces in any encoding", () => {
    const address = `?${new URLSearchParams({ variant: "diamond", fen: FEN })}`;
    expect(open(address)).toMatchObject({ variant: "diamond", fen: FEN, start: null, against: "engine" });
    expect(open("?variant=diamond&fen=8/8_w_-_-_0_1").fen).toBe(FEN);
    expect(open("?variant=diamond&fen=8/8%20w%20-%20-%200%201").fen).toBe(FEN);
  });

  it("are ignored for an unknown game", () => {
    expect(open(`?variant=go&fen=${FEN}`)).toMatchObject({ variant: "diamond", fen: "" });
  });
});

describe("the picture of the starting position", () => {
  it("shows the selected starting position", () => {
    const setup = open("?variant=diamondback");
    expect(startPicture(setup)).toBe("/api/variants/diamondback/picture.svg");
    expect(startPicture({ ...setup, start: 2 })).toBe("/api/variants/diamondback/picture.svg?start=2");
    expect(startPicture({ ...setup, start: 2, fen: "a b" })).toBe("/api/variants/diamondback/picture.svg?fen=a+b");
  });

  it("shows the default starting position in the lobby", () => {
    const setup = { ...open("?variant=diamondback&start=2"), against: "anybody" as const };
    expect(startPicture(setup)).toBe("/api/variants/diamondback/picture.svg");
  });
});

describe("the seats of a game of four", () => {
  const four = { ...variant("ring", 1), players: 4 };
  const setup = loadSetup([...GAMES, four], readAddress("?variant=ring"));
  const kinds = (seats: readonly { kind: string }[]) => seats.map(({ kind }) => kind).join(" ");

  it("are the maker's and the engine's at first", () => {
    expect(newMultiGame(setup, null, true)).toEqual({
      variant: "ring",
      seats: [{ kind: "me" }, { kind: "engine", level: 3 }, { kind: "engine", level: 3 }, { kind: "engine", level: 3 }],
      clock: null,
      rated: false,
      visibility: "public",
    });
  });

  it("always have the maker on exactly one", () => {
    expect(kinds(seated(setup.seats, 2, { kind: "me" }))).toBe("engine engine me engine");
    expect(kinds(seated(setup.seats, 0, { kind: "link" }))).toBe("link me engine engine");
    expect(kinds(seated(setup.seats, 3, { kind: "link" }))).toBe("me engine engine link");
  });

  it("can be turned by lot; the engine takes free ones later", () => {
    const seats = seated(setup.seats, 2, { kind: "link" });
    const made = newMultiGame({ ...setup, seats, randomSeat: true, fill: 60, level: 5 }, null, false, 0.3);
    expect(kinds(made.seats ?? [])).toBe("engine link engine me");
    expect(made.fill).toEqual({ after_s: 60, level: 5 });
    expect(newMultiGame({ ...setup, fill: 60 }, null, false).fill).toBeUndefined();
    // Where Blue and Green are out, people have the other seats.
    const fen = "12/12/12/12/12/6yK5/12/12/12/12/12/4rR2rK4 r - - 0 1 ry/bg";
    const orders = [0, 0.5, 0.9].map((lot) => kinds(newMultiGame({ ...setup, fen, seats, randomSeat: true }, null, false, lot).seats ?? []));
    expect(orders).toEqual(["me engine link engine", "link engine me engine", "link engine me engine"]);
  });

  it("make a rated game if all are for people with accounts", () => {
    const people: NewSeat[] = [{ kind: "me" }, { kind: "link" }, { kind: "link" }, { kind: "link" }];
    const clocks = { ...setup.clocks, friend: "5+3" };
    const rated = { ...setup, seats: people, against: againstOf(people), clocks };
    expect(newMultiGame(rated, null, true).rated).toBe(true);
    expect(newMultiGame(rated, null, false).rated).toBe(false);
    for (const part of [{ fill: 60 }, { rated: false }, { clocks: { ...clocks, friend: "none" } }, { seats: setup.seats }]) {
      expect(newMultiGame({ ...rated, ...part }, null, true).rated).toBe(false);
    }
  });
});

describe("the seats of a game", () => {
  it("fit the number of players, and keep one for the maker", () => {
    const kinds = (seats: NewSeat[], players: number) => seatsFor(seats, players).map(({ kind }) => kind).join(" ");
    const four: NewSeat[] = [{ kind: "link" }, { kind: "anybody" }, { kind: "link" }, { kind: "me" }];
    expect(kinds(four, 4)).toBe("link anybody link me");
    expect(kinds(four, 3)).toBe("link anybody me");
    expect(kinds(seatsFor(four, 3), 4)).toBe("link anybody me engine");
    const games = [...GAMES, { ...variant("threearmies", 1), players: 3 }];
    const setup = loadSetup(games, readAddress("?variant=threearmies"));
    expect(newMultiGame(setup, null, false).seats?.length).toBe(3);
  });
});
